#include "widgets/trace/trace_context.h"

#include "engine/message/acting_components.h"
#include "engine/message/record_payload.h"
#include "engine/message/record_text.h"
#include "widgets/trace/number_text.h"

#include <algorithm>
#include <cstring>

namespace sbx::ui {

namespace {

QString rounded(double value) { return QString::fromStdString(roundedNumber(value)); }

} // namespace

TraceContext::TraceContext(TraceSource& source)
    : RecordFilterSchema(
        source.names(), [&source](std::uint8_t world) { return source.worldName(world); },
        source.ticksPerSecond()),
      m_source(source) {}

bool TraceContext::followTickRate() {
    const double rate = m_source.ticksPerSecond();
    if (rate == schema().ticksPerSecond())
        return false;
    setTicksPerSecond(rate);
    return true;
}

std::string TraceContext::nameOf(std::uint8_t world, EntityId entity) const {
    if (const std::string_view known = entityName(world, entity); !known.empty())
        return std::string(known);
    // It has sent and received nothing that is recorded.
    const std::optional<EntityLife> life = m_source.life(world, entity);
    return life ? life->name : std::string();
}

std::string TraceContext::json(const RecordView& record) const {
    return m_source.json(record,
                         [this, world = record.world()](EntityId entity) { return nameOf(world, entity); });
}

const FieldInfo* TraceContext::fieldNamed(const MessageType& type, std::string_view name) {
    const FieldTable& fields = *type.fields;
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [name](const FieldInfo& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

QString TraceContext::fieldValue(const RecordView& record, const FieldInfo& field, bool exact) const {
    const std::byte* const at = record::member(record, field);
    switch (field.type) {
    case FieldType::Entity: {
        EntityId id;
        std::memcpy(&id, at, sizeof id);
        if (!id)
            return QStringLiteral("none");
        if (const std::string known = nameOf(record.world(), id); !known.empty())
            return QString::fromStdString(known);
        return QStringLiteral("#%1").arg(id.index());
    }
    case FieldType::Float:
        if (!exact)
            return rounded(std::get<double>(field.read(record.payload())));
        break;
    case FieldType::Vector2:
    case FieldType::Vector3:
    case FieldType::Vector4:
    case FieldType::Quaternion:
    case FieldType::Color: {
        if (exact)
            break;
        QString text;
        for (std::size_t i = 0; i < elementCount(field.type); ++i)
            text += (i == 0 ? QStringLiteral("[") : QStringLiteral(", "))
                    + rounded(static_cast<double>(record::element(at, field.type, i)));
        return text + QLatin1Char(']');
    }
    default:
        break;
    }
    return QString::fromStdString(field.format(field.read(record.payload())));
}

std::vector<FieldText> TraceContext::fields(const RecordView& record, std::size_t limit) const {
    std::vector<FieldText> out;
    for (const FieldInfo& field : *type(record).fields) {
        if (out.size() == limit)
            break;
        out.push_back({QString::fromStdString(field.name), fieldValue(record, field, false),
                       QString::fromStdString(field.unit)});
    }
    return out;
}

QString TraceContext::fieldsLine(const RecordView& record) const {
    QString out;
    for (const FieldText& field : fields(record)) {
        if (!out.isEmpty())
            out += QStringLiteral(" · ");
        out += field.name + QLatin1Char(' ') + field.value;
        if (!field.unit.isEmpty())
            out += QLatin1Char(' ') + field.unit;
    }
    return out;
}

std::optional<std::uint64_t> TraceContext::receiverGoneBy(const RecordView& record) const {
    const EntityId receiver = record.receiver();
    const std::optional<EntityLife> life = receiver ? m_source.life(record.world(), receiver) : std::nullopt;
    return life ? life->goneBy : std::nullopt;
}

QString TraceContext::receiverText(const RecordView& record) const {
    const QString name = toQString(receiver(record));
    const std::optional<std::uint64_t> gone = receiverGoneBy(record);
    return gone ? QStringLiteral("%1, gone by %2").arg(name).arg(*gone) : name;
}

QString TraceContext::outcomeText(const RecordView& record) const {
    switch (outcome(record)) {
    case RecordOutcome::Consumed:
        return QStringLiteral("consumed by %1").arg(toQString(name(consumer(record))));
    case RecordOutcome::Unheeded:
        return QStringLiteral("no handler");
    case RecordOutcome::Unhandled:
        return QStringLiteral("nobody acted");
    case RecordOutcome::Short:
        return QStringLiteral("reached %1 of %2").arg(record.receivers()).arg(record.minimum());
    case RecordOutcome::Gone:
        return QStringLiteral("receiver gone");
    case RecordOutcome::NoListener:
        return QStringLiteral("no listener");
    case RecordOutcome::CutOff:
        return QStringLiteral("loop: cut off");
    case RecordOutcome::Dropped:
        return QStringLiteral("dropped by hand");
    case RecordOutcome::Passed:
        break;
    }
    return QStringLiteral("passed");
}

QString TraceContext::outcomeLine(const RecordView& record) const {
    const std::string late = lateText(record);
    return late.empty() ? outcomeText(record)
                        : QStringLiteral("%1, %2").arg(outcomeText(record), QString::fromStdString(late));
}

QString TraceContext::shortOutcome(const RecordView& record) const {
    QString line = outcomeLine(record);
    if (const QString said = QStringLiteral("consumed "); line.startsWith(said))
        line.remove(0, said.size());
    return line;
}

// "Health and Shield act on Damage; crate_1 has neither."
QString TraceContext::whoCouldHandle(const RecordView& record) const {
    const std::vector<std::string> acting = m_source.handlersOf(record.type());
    std::string said = whoActsOn(type(record).name, acting);
    if (acting.empty())
        return QString::fromStdString(said + ".");
    std::string receiver(this->receiver(record));
    if (receiver.empty())
        receiver = "the receiver";
    // What it has now; a component may have come or been switched on since.
    const std::optional<std::vector<std::string>> own =
        m_source.componentsOf(record.world(), record.receiver());
    std::vector<std::string> having;
    for (const std::string& name : acting)
        if (own && std::find(own->begin(), own->end(), name) != own->end())
            having.push_back(name);
    said += "; ";
    if (!having.empty())
        said += listedComponents(having) + " of " + receiver + (having.size() == 1 ? " was" : " were")
                + " switched off, or came later";
    else
        said += receiver + " " + std::string(hasNoneOf(acting.size()));
    if (!own)
        said += acting.size() > 2 ? ", or they are switched off" : ", or it is switched off";
    return QString::fromStdString(said + ".");
}

QString TraceContext::line(const RecordView& record) const {
    const Envelope e = record.envelope();
    QStringList cells;
    cells << QString::number(e.sequence) << QString::number(e.tick) << toQString(world(record))
          << QString::fromStdString(type(record).name) << toQString(sender(record))
          << toQString(receiver(record)) << fieldsLine(record) << toQString(delivery(record))
          << outcomeLine(record);
    return cells.join(QLatin1Char('\t'));
}

} // namespace sbx::ui
