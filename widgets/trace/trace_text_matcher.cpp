#include "widgets/trace/trace_text_matcher.h"

#include "engine/message/record_payload.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/number_text.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <cstring>
#include <iterator>

namespace sbx::ui {

namespace {

constexpr std::ptrdiff_t MaxShownFields = 64; // that a cell shows
constexpr std::string_view Digits = "0123456789";
constexpr std::string_view OfTicks = "+-0123456789ref"; // TraceModel::tickText(), in lower case
constexpr std::string_view OfTimes = "0123456789.";
constexpr std::string_view OfWholeNumbers = "-0123456789";
constexpr std::string_view OfNumbers = "+-.0123456789aefin"; // "inf", "nan", "1e-07"
constexpr std::string_view OfVectors = "+-.0123456789aefin[], ";

char16_t folded(char16_t unit) { return static_cast<char16_t>(QChar::toCaseFolded(char32_t(unit))); }

bool isSurrogate(char16_t unit) { return (unit & 0xF800U) == 0xD800U; }

// Nothing that a window would show otherwise.
bool isPlain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Beyond ASCII, no character that is equal to one of it where case does not matter.
bool comparesAsItIs(const QString& text) {
    return std::all_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() < 128 || (folded(c.unicode()) >= 128 && !isSurrogate(c.unicode()));
    });
}

char lowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// A cell: one character, or any number of characters of a set.
struct CellPart {
    bool repeats = false;
    bool any = false; // of the set: all
    char16_t unit = 0;
    std::bitset<128> set{};

    [[nodiscard]] bool takes(char16_t c) const {
        if (!repeats)
            return unit == c || (isSurrogate(unit) && isSurrogate(c));
        return any || (c < 128 && set[c]);
    }
};
using Cell = std::vector<CellPart>;

void addLiteral(Cell& cell, const QString& text) {
    for (const QChar c : text)
        cell.push_back({false, false, folded(c.unicode()), {}});
}

void addSet(Cell& cell, std::string_view characters) {
    CellPart part;
    part.repeats = true;
    for (const char c : characters) {
        const auto unit = folded(static_cast<unsigned char>(c));
        if (unit < 128)
            part.set.set(unit);
        part.any = part.any || static_cast<unsigned char>(c) >= 0x80;
    }
    cell.push_back(part);
}

void addAny(Cell& cell) { cell.push_back({true, true, 0, {}}); }

// Whether the text can be at a place of the cell that has a part of a literal: all ends of it at once, character by character.
bool canCross(const Cell& cell, const std::u16string& text) {
    struct At {
        bool here = false;
        bool crossed = false; // on one of the ways there
    };
    std::vector<At> now(cell.size() + 1);
    // A value may be empty.
    const auto skip = [&cell](std::vector<At>& at) {
        for (std::size_t i = 0; i < cell.size(); ++i)
            if (at[i].here && cell[i].repeats) {
                at[i + 1].here = true;
                at[i + 1].crossed = at[i + 1].crossed || at[i].crossed;
            }
    };
    for (At& at : now)
        at = {true, false};
    for (const char16_t c : text) {
        std::vector<At> next(cell.size() + 1);
        skip(now);
        for (std::size_t i = 0; i < cell.size(); ++i) {
            if (!now[i].here || !cell[i].takes(c))
                continue;
            At& to = next[cell[i].repeats ? i : i + 1];
            to.here = true;
            to.crossed = to.crossed || now[i].crossed || !cell[i].repeats;
        }
        now = std::move(next);
    }
    return std::any_of(now.begin(), now.end(), [](const At& at) { return at.here && at.crossed; });
}

bool isOf(std::string_view characters, const std::u16string& text) {
    return std::all_of(text.begin(), text.end(), [characters](char16_t c) {
        return c < 128 && characters.find(static_cast<char>(c)) != std::string_view::npos;
    });
}

} // namespace

void TraceTextMatcher::set(const QString& text, const std::vector<int>& columns) {
    m_text = text;
    m_matcher = QStringMatcher(text, Qt::CaseInsensitive);
    m_columns = columns;
    m_folded.clear();
    m_ascii.clear();
    for (const QChar c : text)
        m_folded.push_back(folded(c.unicode()));
    if (std::all_of(m_folded.begin(), m_folded.end(), [](char16_t c) { return c < 128; }))
        for (const char16_t c : m_folded)
            m_ascii.push_back(static_cast<char>(c));
    Cell gone;
    addAny(gone);
    addLiteral(gone, QStringLiteral(", gone by "));
    addSet(gone, Digits);
    m_goneMayHave = canCross(gone, m_folded) || isOf(Digits, m_folded);
    forget();
}

void TraceTextMatcher::refresh() {
    if (m_fieldColumns != m_model.fieldColumns())
        forget();
}

void TraceTextMatcher::forget() {
    m_fieldColumns = m_model.fieldColumns();
    m_types.clear();
    m_senders.clear();
    m_receivers.clear();
    m_consumers.clear();
    m_worlds.fill(Known::NotYet);
    m_deliveries.fill(Known::NotYet);
    m_outcomes.fill(Known::NotYet);
    m_each.clear();
    for (const int column : m_columns) {
        const std::string_view characters = column == TraceModel::Number || column == TraceModel::Size
                                                ? Digits
                                            : column == TraceModel::Tick     ? OfTicks
                                            : column == TraceModel::Time     ? OfTimes
                                            : column == TraceModel::Priority ? OfWholeNumbers
                                                                             : std::string_view();
        const bool planned = column == TraceModel::Type || column == TraceModel::Fields
                             || column == TraceModel::Delta || column >= TraceModel::ColumnCount;
        if (!planned && (characters.empty() || isOf(characters, m_folded)))
            m_each.push_back(column);
    }
}

bool TraceTextMatcher::shows(int column) const {
    return std::find(m_columns.begin(), m_columns.end(), column) != m_columns.end();
}

// ---------------------------------------------------------------------------------------------------- what a type has in common

// Whether a value of the field can have all of the text.
bool TraceTextMatcher::mayHave(const FieldInfo& field) const {
    switch (field.type) {
    case FieldType::Bool:
    case FieldType::Enum:
    case FieldType::String:
    case FieldType::Entity:
        return true;
    case FieldType::Int:
        return isOf(OfWholeNumbers, m_folded);
    case FieldType::Float:
        return isOf(OfNumbers, m_folded);
    default:
        return isOf(OfVectors, m_folded);
    }
}

void TraceTextMatcher::makePlan(const RecordView& record, TypePlan& plan) const {
    const MessageType& type = m_model.context().type(record);
    plan = {};
    plan.type = &type;
    plan.always = m_text.isEmpty() || (shows(TraceModel::Type) && has(shownLine(type.name)));
    plan.slow = std::distance(type.fields->begin(), type.fields->end()) > MaxShownFields;
    const bool inLine = shows(TraceModel::Fields);
    Cell cell;
    QString before;
    for (const FieldInfo& field : *type.fields) {
        // As TraceContext::fieldsLine() writes them.
        const QString literal = shownLine(before + QString::fromStdString(field.name) + QLatin1Char(' '));
        before = QStringLiteral(" · ");
        if (!field.unit.empty())
            before.prepend(QLatin1Char(' ') + QString::fromStdString(field.unit));
        plan.always = plan.always || (inLine && has(literal));
        addLiteral(cell, literal);
        plan.parts.emplace_back(literal.toStdString(), &field);
        FieldPlan own;
        own.field = &field;
        own.shown = inLine;
        for (int i = 0; i < m_fieldColumns.size() && !own.shown; ++i)
            own.shown = shows(TraceModel::ColumnCount + i) && m_fieldColumns[i].toStdString() == field.name;
        std::string characters;
        switch (field.type) {
        case FieldType::Bool:
            own.choices = {inAscii("false"), inAscii("true")};
            addSet(cell, "falsetrue");
            break;
        case FieldType::Enum:
            for (const std::string& choice : field.choices) {
                own.choices.push_back(inText(choice, own.shown));
                characters += shownLine(choice).toStdString() + choice;
            }
            own.choices.push_back(inAscii("?")); // no such choice
            addSet(cell, characters + '?');
            break;
        case FieldType::String:
        case FieldType::Entity:
            addAny(cell);
            break;
        case FieldType::Int:
            addSet(cell, OfWholeNumbers);
            break;
        case FieldType::Float:
            addSet(cell, OfNumbers);
            break;
        default:
            addSet(cell, OfVectors);
        }
        const bool chosen = std::find(own.choices.begin(), own.choices.end(), true) != own.choices.end();
        if (own.choices.empty() ? mayHave(field) : chosen)
            plan.fields.push_back(std::move(own));
    }
    before.chop(3); // of " kg · " the last unit stays
    const QString behind = shownLine(before);
    plan.always = plan.always || (inLine && !behind.isEmpty() && has(behind));
    addLiteral(cell, behind);
    plan.parts.emplace_back(behind.toStdString(), nullptr);
    plan.line = inLine && canCross(cell, m_folded);
    plan.plain = std::all_of(plan.parts.begin(), plan.parts.end(),
                             [](const auto& part) { return comparesAsItIs(toQString(part.first)); });
}

TraceTextMatcher::TypePlan& TraceTextMatcher::planOf(const RecordView& record) {
    const MessageTypeId type = record.type();
    if (type >= m_types.size())
        m_types.resize(type + std::size_t(1));
    TypePlan& plan = m_types[type];
    if (plan.type != &m_model.context().type(record))
        makePlan(record, plan);
    return plan;
}

// ---------------------------------------------------------------------------------------------------- records

bool TraceTextMatcher::matches(const RecordView& record) {
    const TypePlan& plan = planOf(record);
    if (plan.always)
        return true;
    if (plan.slow)
        return bySlowLook(record);
    for (const int column : m_each)
        if (inColumn(record, column))
            return true;
    for (const FieldPlan& field : plan.fields)
        if (inField(record, field))
            return true;
    return plan.line && inLine(record, plan);
}

bool TraceTextMatcher::bySlowLook(const RecordView& record) const {
    for (const int column : m_columns)
        if (has(m_model.text(record, column)))
            return true;
    const TraceContext& context = m_model.context();
    const FieldTable& fields = *context.type(record).fields;
    return std::any_of(fields.begin(), fields.end(),
                       [&](const FieldInfo& field) { return has(context.fieldValue(record, field, true)); });
}

bool TraceTextMatcher::inAscii(std::string_view text) const {
    if (m_ascii.empty() || m_ascii.size() > text.size())
        return false;
    const char first = m_ascii.front();
    const std::size_t last = text.size() - m_ascii.size();
    for (std::size_t i = 0; i <= last; ++i) {
        if (lowerAscii(text[i]) != first)
            continue;
        std::size_t k = 1;
        while (k < m_ascii.size() && lowerAscii(text[i + k]) == m_ascii[k])
            ++k;
        if (k == m_ascii.size())
            return true;
    }
    return false;
}

bool TraceTextMatcher::inText(std::string_view text, bool shown) const {
    if (isPlain(text))
        return inAscii(text);
    const QString whole = toQString(text);
    return has(whole) || (shown && has(shownLine(whole)));
}

bool TraceTextMatcher::inWhole(std::int64_t number) const {
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    return inAscii({buffer, static_cast<std::size_t>(end - buffer)});
}

bool TraceTextMatcher::inNumber(std::uint64_t number) const {
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    return inAscii({buffer, static_cast<std::size_t>(end - buffer)});
}

bool TraceTextMatcher::inName(std::vector<Known>& names, NameId name, const QString& shown) const {
    if (name >= names.size())
        names.resize(name + std::size_t(64), Known::NotYet);
    names[name] = has(shown) ? Known::Yes : Known::No;
    return names[name] == Known::Yes;
}

bool TraceTextMatcher::inSender(const RecordView& record) {
    const NameId name = record.senderName();
    if (name < m_senders.size() && m_senders[name] != Known::NotYet)
        return m_senders[name] == Known::Yes;
    return inName(m_senders, name, shownLine(m_model.context().name(name)));
}

bool TraceTextMatcher::inReceiver(const RecordView& record) {
    const NameId name = record.receiverName();
    const bool known = name < m_receivers.size() && m_receivers[name] != Known::NotYet;
    if (known ? m_receivers[name] == Known::Yes
              : inName(m_receivers, name, shownLine(toQString(m_model.context().name(name)))))
        return true;
    return m_goneMayHave && m_model.context().receiverGoneBy(record)
           && has(shownLine(m_model.context().receiverText(record)));
}

bool TraceTextMatcher::inOutcome(const RecordView& record) {
    const RecordOutcome outcome = TraceContext::outcome(record);
    const auto look = [&] { return has(shownLine(m_model.context().outcomeLine(record))); };
    if (outcome == RecordOutcome::Short || record.late() != 0)
        return look(); // it has numbers
    Known* known = &m_outcomes[static_cast<std::size_t>(outcome)];
    if (outcome == RecordOutcome::Consumed) {
        const NameId consumer = TraceContext::consumer(record);
        if (consumer >= m_consumers.size())
            m_consumers.resize(consumer + std::size_t(64), Known::NotYet);
        known = &m_consumers[consumer];
    }
    if (*known == Known::NotYet)
        *known = look() ? Known::Yes : Known::No;
    return *known == Known::Yes;
}

bool TraceTextMatcher::inColumn(const RecordView& record, int column) {
    const auto look = [&](Known& known) {
        if (known == Known::NotYet)
            known = has(m_model.text(record, column)) ? Known::Yes : Known::No;
        return known == Known::Yes;
    };
    switch (column) {
    case TraceModel::Number:
        return inNumber(record.sequence());
    case TraceModel::Tick:
        return m_model.marks().reference() ? has(m_model.tickText(record)) : inNumber(record.tick());
    case TraceModel::World:
        return look(m_worlds[record.world()]);
    case TraceModel::Sender:
        return inSender(record);
    case TraceModel::Receiver:
        return inReceiver(record);
    case TraceModel::Delivery:
        return look(
            m_deliveries[static_cast<std::size_t>(record.delivery()) + (record.delayed() ? 16U : 0U)]);
    case TraceModel::Outcome:
        return inOutcome(record);
    case TraceModel::Size:
        return inNumber(record.payloadSize());
    default:
        return has(m_model.text(record, column));
    }
}

bool TraceTextMatcher::inField(const RecordView& record, const FieldPlan& plan) const {
    const FieldInfo& field = *plan.field;
    const std::byte* const at = record::member(record, field);
    switch (field.type) {
    case FieldType::Bool:
        return plan.choices[*at != std::byte{0} ? 1 : 0];
    case FieldType::Enum: {
        std::uint64_t index = 0;
        std::memcpy(&index, at, std::min(field.size, sizeof index));
        return plan.choices[static_cast<std::size_t>(std::min<std::uint64_t>(index, field.choices.size()))];
    }
    case FieldType::String:
        return inText(field.readText(record.payload()), plan.shown);
    case FieldType::Entity: {
        EntityId entity;
        std::memcpy(&entity, at, sizeof entity);
        if (!entity)
            return inAscii("none");
        const std::string_view known = m_model.context().entityName(record.world(), entity);
        if (!known.empty())
            return inText(known, plan.shown);
        const QString text = m_model.context().fieldValue(record, field, true);
        return has(text) || (plan.shown && has(shownLine(text)));
    }
    case FieldType::Int:
        return inWhole(std::get<std::int64_t>(field.get(field, at)));
    default:
        return inNumbers(record, plan);
    }
}

namespace {

using ElementWriter = char* (*)(char* to, float value);

char* writeExactElement(char* to, float value) { return writeExact(to, value); }
char* writeRoundedElement(char* to, float value) { return writeRounded(to, static_cast<double>(value)); }

constexpr std::size_t MaxElements = 4;
constexpr std::size_t MaxVectorText = MaxElements * (MaxNumberText + 2) + 2;

// "[1.0, 2.5]"
char* writeVector(char* to, const FieldInfo& field, const std::byte* at, ElementWriter write) {
    for (std::size_t i = 0; i < elementCount(field.type); ++i) {
        if (i > 0)
            *to++ = ',';
        *to++ = i == 0 ? '[' : ' ';
        to = write(to, record::element(at, field.type, i));
    }
    *to++ = ']';
    return to;
}

float floatAt(const std::byte* at) {
    float value = 0.0F;
    std::memcpy(&value, at, sizeof value);
    return value;
}

double doubleAt(const FieldInfo& field, const std::byte* at) {
    return field.singlePrecision ? static_cast<double>(floatAt(at)) : std::get<double>(field.get(field, at));
}

} // namespace

// Exact, and rounded as columns show it.
bool TraceTextMatcher::inNumbers(const RecordView& record, const FieldPlan& plan) const {
    const FieldInfo& field = *plan.field;
    const std::byte* const at = record::member(record, field);
    char buffer[MaxVectorText];
    const auto hasIt = [&](const char* end) {
        return inAscii({buffer, static_cast<std::size_t>(end - buffer)});
    };
    if (field.type != FieldType::Float)
        return hasIt(writeVector(buffer, field, at, &writeExactElement))
               || (plan.shown && hasIt(writeVector(buffer, field, at, &writeRoundedElement)));
    if (hasIt(field.singlePrecision ? writeExact(buffer, floatAt(at))
                                    : writeExact(buffer, doubleAt(field, at))))
        return true;
    return plan.shown && hasIt(writeRounded(buffer, doubleAt(field, at)));
}

// ---------------------------------------------------------------------------------------------------- the cell of the fields

bool TraceTextMatcher::inLine(const RecordView& record, const TypePlan& plan) {
    if (!m_ascii.empty() && plan.plain && writeLine(record, plan))
        return inAscii(m_line);
    return has(m_model.text(record, TraceModel::Fields));
}

// False: there is a text or a name that is shown otherwise than it is kept, or a name that is not known from records.
bool TraceTextMatcher::writeLine(const RecordView& record, const TypePlan& plan) {
    m_line.clear();
    char buffer[MaxVectorText];
    const auto add = [&](const char* end) { m_line.append(buffer, static_cast<std::size_t>(end - buffer)); };
    for (const auto& [literal, part] : plan.parts) {
        m_line += literal;
        if (part == nullptr)
            break;
        const FieldInfo& field = *part;
        const std::byte* const at = record::member(record, field);
        switch (field.type) {
        case FieldType::Bool:
            m_line += *at != std::byte{0} ? "true" : "false";
            break;
        case FieldType::Int:
            add(std::to_chars(buffer, buffer + sizeof buffer, std::get<std::int64_t>(field.get(field, at)))
                    .ptr);
            break;
        case FieldType::Float:
            add(writeRounded(buffer, doubleAt(field, at)));
            break;
        case FieldType::Enum:
        case FieldType::String:
        case FieldType::Entity: {
            EntityId entity;
            if (field.type == FieldType::Entity)
                std::memcpy(&entity, at, sizeof entity);
            const std::string_view text = field.type == FieldType::Enum     ? record::choice(field, at)
                                          : field.type == FieldType::String ? field.readText(record.payload())
                                          : !entity                         ? std::string_view("none")
                                                    : m_model.context().entityName(record.world(), entity);
            if (!isPlain(text) || (field.type == FieldType::Entity && text.empty()))
                return false;
            m_line += text;
            break;
        }
        default:
            add(writeVector(buffer, field, at, &writeRoundedElement));
        }
    }
    return true;
}

} // namespace sbx::ui
