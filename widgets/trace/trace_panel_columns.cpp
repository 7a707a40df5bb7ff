// The panel's columns: the header and its menu, their widths, payload fields as columns, and what a cell says as a filter.

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

namespace sbx::ui {

namespace {

// Characters that each column has at first, by TraceModel::Column.
constexpr int FirstCharacters[] = {10, 7, 8, 14, 17, 17, 20, 10, 23, 10, 12, 8, 7};
static_assert(std::size(FirstCharacters) == TraceModel::ColumnCount);
// Characters: that the fields keep when other columns grow, that a column of names grows to, and that it keeps in a narrow list.
constexpr int MinFields = 24;
constexpr int MaxName = 48;
constexpr int CutName = 9;
constexpr int WholeType = 16;
constexpr int CutOutcome = 14; // "no handler" and its icon

bool comparable(FieldType type) {
    return type == FieldType::Float || type == FieldType::Int || type == FieldType::Bool
           || type == FieldType::String || type == FieldType::Enum || type == FieldType::Entity;
}

} // namespace

int TracePanel::charactersWide(int count) const {
    return QFontMetrics(m_theme.font(FontRole::Mono)).horizontalAdvance(QLatin1Char('0')) * count
           + 2 * measure::PanelPadding;
}

void TracePanel::buildHeader() {
    QHeaderView& header = m_view->header();
    for (int i = 0; i < TraceModel::ColumnCount; ++i)
        header.resizeSection(i, charactersWide(FirstCharacters[i]));
    header.setSectionResizeMode(TraceModel::Fields, QHeaderView::Stretch);
    header.hideSection(TraceModel::World); // shown once there are two
    for (int i = TraceModel::Time; i < TraceModel::ColumnCount; ++i)
        header.hideSection(i);
    placeColumns();
    connect(&header, &QHeaderView::sectionResized, this, [this](int column, int before, int now) {
        const bool shown = before > 0 && now > 0; // neither hidden nor shown again
        if (shown && !m_fitting && column != TraceModel::Fields && isVisible()
            && column < static_cast<int>(m_sized.size()))
            m_sized[static_cast<std::size_t>(column)] = true;
    });
    connect(m_view, &TraceView::linesChanged, this,
            &TracePanel::refreshSoon); // what came into sight may need more room
    // The header's own connections have counted the column by then.
    connect(m_model, &QAbstractItemModel::columnsInserted, this,
            [this, &header](const QModelIndex&, int first, int last) {
                const QScopedValueRollback fitting(m_fitting, true);
                m_sized.insert(m_sized.begin() + first, static_cast<std::size_t>(last - first + 1), false);
                for (int column = first; column <= last; ++column) {
                    const int title = static_cast<int>(
                        m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().size());
                    header.resizeSection(column, charactersWide(std::clamp(title + 2, 8, MaxName)));
                    header.moveSection(header.visualIndex(column), header.visualIndex(TraceModel::Fields));
                }
                refreshSoon();
            });
    connect(m_model, &QAbstractItemModel::columnsRemoved, this,
            [this](const QModelIndex&, int first, int last) {
                m_sized.erase(m_sized.begin() + first, m_sized.begin() + last + 1);
                refreshSoon();
            });
    connect(&header, &QWidget::customContextMenuRequested, this, [this, &header](const QPoint& at) {
        const std::unique_ptr<QMenu> menu(columnsMenu());
        menu->exec(header.mapToGlobal(at));
    });
}

// Each beside what it belongs to, wherever its number is.
void TracePanel::placeColumns() {
    QHeaderView& header = m_view->header();
    const auto place = [&header](int column, int beside, int after) {
        const int from = header.visualIndex(column);
        const int to = header.visualIndex(beside) + after;
        header.moveSection(from, from < to ? to - 1 : to);
    };
    place(TraceModel::Time, TraceModel::Tick, 1);
    place(TraceModel::Delta, TraceModel::Time, 1);
    place(TraceModel::Size, TraceModel::Fields, 1);
    place(TraceModel::Priority, TraceModel::Outcome, 0);
}

QMenu* TracePanel::columnsMenu() {
    QHeaderView& header = m_view->header();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("trace.columns"));
    for (int visual = 0; visual < header.count(); ++visual) {
        const int i = header.logicalIndex(visual);
        const QString title = m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
        QAction* action = menu->addAction(menuText(title));
        action->setObjectName(QStringLiteral("trace.columns.%1").arg(i));
        action->setCheckable(true);
        action->setChecked(!header.isSectionHidden(i));
        // The fields' column stretches over what the others leave: without it the table falls apart.
        action->setEnabled(i != TraceModel::Fields);
        connect(action, &QAction::toggled, this, [this, &header, i](bool on) {
            if (i == TraceModel::Delivery) {
                m_deliveryStays = on;
                m_deliveryAway = false;
            }
            header.setSectionHidden(i, !on);
            refreshSoon();
        });
    }
    if (!m_model->fieldColumns().isEmpty())
        menu->addSeparator();
    for (const QString& field : m_model->fieldColumns()) {
        QAction* action = menu->addAction(tr("Remove the column %1").arg(menuText(field)), this,
                                          [this, field] { m_model->removeFieldColumn(field); });
        action->setObjectName(QStringLiteral("trace.columns.remove.") + field);
    }
    return menu;
}

void TracePanel::addFieldColumn(const QString& field) {
    if (m_model->addFieldColumn(field))
        return;
    if (const auto at = m_model->fieldColumns().indexOf(field); at >= 0)
        m_view->header().showSection(TraceModel::ColumnCount + static_cast<int>(at));
}

QVariantList TracePanel::sizedColumns() const {
    QVariantList columns;
    for (std::size_t i = 0; i < m_sized.size(); ++i)
        if (m_sized[i])
            columns.append(static_cast<uint>(i));
    return columns;
}

void TracePanel::restoreColumns(const QVariantMap& state) {
    const QStringList fields = state.value(QStringLiteral("fieldColumns")).toStringList();
    m_model->setFieldColumns(fields);
    QHeaderView& header = m_view->header();
    const QByteArray kept = state.value(QStringLiteral("header")).toByteArray();
    const int known = state.value(QStringLiteral("columns"), TraceModel::Outcome + 1).toInt();
    const QScopedValueRollback restoring(m_fitting, true); // these widths count as set by no person
    // With other columns before them the fields' numbers meant something else.
    if (kept.isEmpty() || (known != TraceModel::ColumnCount && !fields.isEmpty())
        || !header.restoreState(kept))
        return;
    for (const QVariant& column : state.value(QStringLiteral("sized")).toList())
        if (const auto at = static_cast<std::size_t>(column.toUInt()); at < m_sized.size())
            m_sized[at] = true;
    m_deliveryAway = state.value(QStringLiteral("deliveryAway")).toBool();
    m_deliveryStays = state.value(QStringLiteral("deliveryStays")).toBool();
    if (known == TraceModel::ColumnCount)
        return;
    for (int column = std::max(known, 0); column < TraceModel::ColumnCount; ++column)
        header.hideSection(column);
    placeColumns();
}

std::vector<int> TracePanel::extraColumns() const {
    std::vector<int> columns;
    const QHeaderView& header = m_view->header();
    for (int visual = 0; visual < header.count(); ++visual)
        if (const int column = header.logicalIndex(visual);
            column > TraceModel::Time && !header.isSectionHidden(column))
            columns.push_back(column);
    return columns;
}

void TracePanel::forgetNeeds() {
    m_needed.fill(0);
    m_shortOutcome = 0;
}

void TracePanel::fitColumns() {
    QHeaderView& header = m_view->header();
    const QFontMetrics metrics(m_theme.font(FontRole::Mono));
    std::vector<int> rows = m_view->rowsInSight();
    if (rows.empty())
        return;
    int number = 0; // known of rows that are still on the disk, too
    for (const int row : rows)
        number = std::max(number, metrics.horizontalAdvance(QString::number(m_model->sequence(row)))
                                      + m_view->indentOf(row, TraceModel::Number)
                                      + m_view->notesWidth(m_model->sequence(row)));
    std::erase_if(rows, [this](int row) { return !m_model->isReady(row); });
    const auto width = [&](int row, int column) {
        return metrics.horizontalAdvance(m_model->index(row, column).data().toString());
    };
    int fields = 0;
    for (const int row : rows)
        fields = std::max(fields, width(row, TraceModel::Fields) + 2 * measure::PanelPadding);
    const QFontMetrics titles(header.font());
    const QScopedValueRollback fitting(m_fitting, true);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (column == TraceModel::Fields || column == TraceModel::World || !isOwnWidth(column))
            continue;
        int need = column == TraceModel::Number ? number : 0;
        for (const int row : rows) {
            const QString unit = m_model->index(row, column).data(TraceModel::UnitRole).toString();
            need =
                std::max(need, width(row, column)
                                   + (unit.isEmpty() ? 0 : metrics.horizontalAdvance(QLatin1Char(' ') + unit))
                                   + m_view->badgeWidth(row, column) + m_view->indentOf(row, column));
            if (column == TraceModel::Outcome)
                m_shortOutcome = std::max(
                    m_shortOutcome, metrics.horizontalAdvance(m_context.shortOutcome(m_model->record(row)))
                                        + m_view->badgeWidth(row, column) + 2 * measure::PanelPadding);
        }
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        need = std::max(need + 2 * measure::PanelPadding,
                        titles.horizontalAdvance(title) + 3 * measure::PanelPadding);
        need = std::min(need, charactersWide(MaxName));
        if (column < TraceModel::ColumnCount)
            m_needed[static_cast<std::size_t>(column)] =
                std::max(m_needed[static_cast<std::size_t>(column)], need);
        else if (need > header.sectionSize(column))
            header.resizeSection(column, need);
    }
    spreadColumns(fields);
}

bool TracePanel::isOwnWidth(int column) const {
    const bool away = column == TraceModel::Delivery && m_deliveryAway;
    return (away || !m_view->header().isSectionHidden(column)) && !m_sized[static_cast<std::size_t>(column)];
}

// Gives the list's width to its columns. In a wide list each has at least the width that it has at first. In a narrow one the columns give
// way in the order of what a reader loses by it: what no text needs; the delivery, which is nearly always the same and stands in the
// details; of the outcome the words that its icon says; then, in turn, fields and names. A name that is cut keeps its end; types, which
// differ in their ends, and numbers are not cut.
void TracePanel::spreadColumns(int neededByFields) {
    QHeaderView& header = m_view->header();
    std::array<int, TraceModel::ColumnCount> widths{};
    const auto widthOf = [&widths](int column) -> int& { return widths[static_cast<std::size_t>(column)]; };
    const auto neededBy = [this](int column) { return m_needed[static_cast<std::size_t>(column)]; };
    const auto isOurs = [&](int column) {
        return column < TraceModel::ColumnCount && column != TraceModel::Fields && neededBy(column) > 0
               && isOwnWidth(column);
    };
    int fields = std::clamp(neededByFields, charactersWide(MinFields / 2), charactersWide(MinFields));
    int missing = fields - m_view->viewport()->width();
    for (int column = 0; column < header.count(); ++column) {
        if (isOurs(column))
            missing += widthOf(column) = std::max(neededBy(column), charactersWide(FirstCharacters[column]));
        else if (column != TraceModel::Fields)
            missing += header.sectionSize(column); // 0: hidden
    }
    const auto give = [&](int& width, int least) {
        const int given = std::clamp(width - least, 0, std::max(0, missing));
        width -= given;
        missing -= given;
    };
    // The wider one first, so that a short name stays whole.
    const auto giveNames = [&](int least) {
        int& sender = widthOf(TraceModel::Sender);
        int& receiver = widthOf(TraceModel::Receiver);
        if (!isOurs(TraceModel::Sender) || !isOurs(TraceModel::Receiver)) {
            give(isOurs(TraceModel::Sender) ? sender : receiver, least);
            return;
        }
        const int both = sender + receiver - std::max(0, missing);
        const int shorter = std::min(sender, receiver);
        const int cut = std::max(least, both - shorter >= shorter ? both - shorter : both / 2);
        give(sender, cut);
        give(receiver, cut);
    };
    for (const int column : {TraceModel::Outcome, TraceModel::Delivery, TraceModel::Sender,
                             TraceModel::Receiver, TraceModel::Type, TraceModel::Priority, TraceModel::Size,
                             TraceModel::Delta, TraceModel::Time, TraceModel::Tick, TraceModel::Number})
        if (isOurs(column))
            give(widthOf(column), neededBy(column));
    const bool mayGo = isOurs(TraceModel::Delivery) && !m_deliveryStays;
    const bool away = mayGo && missing > 0;
    if (away)
        give(widthOf(TraceModel::Delivery), 0);
    if (isOurs(TraceModel::Type) && !m_model->isCollapsing()) // a number of repeats is read with its type
        give(widthOf(TraceModel::Type), charactersWide(WholeType));
    give(fields, charactersWide(16));
    if (isOurs(TraceModel::Outcome))
        give(widthOf(TraceModel::Outcome), m_shortOutcome);
    for (const int characters : {16, 12}) {
        giveNames(charactersWide(characters));
        give(fields, charactersWide(characters - 4));
    }
    giveNames(charactersWide(CutName));
    if (isOurs(TraceModel::Outcome))
        give(widthOf(TraceModel::Outcome), charactersWide(CutOutcome));
    if (mayGo && away != m_deliveryAway) {
        m_deliveryAway = away;
        header.setSectionHidden(TraceModel::Delivery, away);
    }
    for (int column = 0; column < TraceModel::ColumnCount; ++column)
        if (isOurs(column) && !header.isSectionHidden(column)
            && header.sectionSize(column) != widthOf(column))
            header.resizeSection(column, widthOf(column));
}

void TracePanel::addConditions(QMenu& menu, const QString& prefix, const QString& title, const QString& field,
                               const QString& value, bool ordered) {
    fillConditions(menu, prefix, title, field, value, ordered, &TracePanel::narrow);
    addPrepared(menu, prefix, title, field, value, ordered);
}

void TracePanel::addPrepared(QMenu& menu, const QString& prefix, const QString& title, const QString& field,
                             const QString& value, bool ordered) {
    QMenu* prepared = menu.addMenu(tr("Prepare as filter"));
    prepared->setObjectName(prefix + QStringLiteral(".prepare"));
    fillConditions(*prepared, prepared->objectName(), title, field, value, ordered, &TracePanel::prepare);
}

void TracePanel::fillConditions(QMenu& menu, const QString& prefix, const QString& title,
                                const QString& field, const QString& value, bool ordered,
                                TakeCondition take) {
    const QString before = title.isEmpty() ? QString() : menuText(title) + QLatin1Char(' ');
    const auto add = [&](const char* id, const QString& text, const char* op) {
        const QString words = QStringLiteral("%1 %2 %3").arg(field, QLatin1String(op), value);
        QAction* action = menu.addAction(text.arg(before, menuText(value)), this,
                                         [this, take, words] { (this->*take)(words); });
        action->setObjectName(prefix + QLatin1Char('.') + QLatin1String(id));
    };
    add("only", tr("Only %1%2"), "==");
    add("not", tr("Not %1%2"), "!=");
    if (ordered) {
        add("least", tr("%1≥ %2"), ">=");
        add("most", tr("%1≤ %2"), "<=");
    }
}

void TracePanel::addFieldActions(QMenu& menu, const QString& prefix, const QString& title,
                                 const RecordView& record, const FieldInfo& field) {
    const QString name = QString::fromStdString(field.name);
    if (comparable(field.type)) {
        const bool ordered = field.type == FieldType::Float || field.type == FieldType::Int;
        const bool bare = ordered || field.type == FieldType::Bool;
        const QString text = m_context.fieldValue(record, field, bare);
        addConditions(menu, prefix, title, QStringLiteral("fields.") + name,
                      bare ? text : QString::fromStdString(filterLiteral(text.toStdString())), ordered);
        menu.addSeparator();
    }
    if (const auto at = m_model->fieldColumns().indexOf(name);
        at < 0 || m_view->header().isSectionHidden(TraceModel::ColumnCount + static_cast<int>(at))) {
        QAction* action = menu.addAction(tr("Apply as column"), this, [this, name] { addFieldColumn(name); });
        action->setObjectName(prefix + QStringLiteral(".column"));
    } else {
        QAction* action = menu.addAction(tr("Remove the column %1").arg(menuText(name)), this,
                                         [this, name] { m_model->removeFieldColumn(name); });
        action->setObjectName(prefix + QStringLiteral(".removeColumn"));
    }
}

// What the fields of this message say as conditions, and as columns.
void TracePanel::addFieldMenu(QMenu& menu, const RecordView& record) {
    const FieldTable& fields = *m_context.type(record).fields;
    if (fields.empty())
        return;
    QMenu* all = menu.addMenu(tr("By a field"));
    all->setObjectName(QStringLiteral("trace.menu.fields"));
    for (const FieldInfo& field : fields) {
        QMenu* of = all->addMenu(menuText(QString::fromStdString(field.name)));
        of->setObjectName(QStringLiteral("trace.menu.fields.") + QString::fromStdString(field.name));
        addFieldActions(*of, of->objectName(), {}, record, field);
    }
}

// What the cell under the mouse says; where that is no condition, what the row says.
void TracePanel::addCellMenu(QMenu& menu, int row, int column) {
    const RecordView record = m_model->record(row);
    const QString prefix = QStringLiteral("trace.menu.cell");
    const auto literal = [](std::string_view text) {
        return QString::fromStdString(filterLiteral(std::string(text)));
    };
    if (const FieldInfo* field = m_model->columnField(record, column)) {
        addFieldActions(menu, prefix, QString::fromStdString(field->name), record, *field);
        menu.addSeparator();
        return;
    }
    QString name;
    QString value;
    bool ordered = false;
    switch (column) {
    case TraceModel::Number:
        name = QStringLiteral("sequence");
        value = QString::number(record.sequence());
        ordered = true;
        break;
    case TraceModel::Tick:
    case TraceModel::Time:
        name = QStringLiteral("tick");
        value = QString::number(record.tick());
        ordered = true;
        break;
    case TraceModel::World:
        name = QStringLiteral("world");
        value = literal(m_context.world(record));
        break;
    case TraceModel::Delivery:
        name = QStringLiteral("delivery");
        value = literal(TraceContext::delivery(record));
        break;
    case TraceModel::Outcome:
        name = QStringLiteral("outcome");
        value = literal(outcomeName(TraceContext::outcome(record)));
        break;
    case TraceModel::Priority:
        if (const auto priority = TraceModel::decidingPriority(record)) {
            name = QStringLiteral("consumedPriority");
            value = QString::number(*priority);
            ordered = true;
        }
        break;
    case TraceModel::Size:
        name = QStringLiteral("size");
        value = QString::number(record.payloadSize());
        ordered = true;
        break;
    case TraceModel::Type:
        name = QStringLiteral("type");
        value = literal(m_context.type(record).name);
        break;
    case TraceModel::Sender:
        name = QStringLiteral("sender");
        value = literal(m_context.sender(record));
        break;
    case TraceModel::Receiver:
        name = QStringLiteral("receiver");
        value = literal(m_context.receiver(record));
        break;
    default:
        break;
    }
    if (name.isEmpty()) {
        QAction* action = menu.addAction(tr("Prepare as filter"), this,
                                         [this, words = filterOf({row})] { prepare(words); });
        action->setObjectName(prefix + QStringLiteral(".prepare"));
        menu.addSeparator();
        return;
    }
    if (column == TraceModel::Type || column == TraceModel::Sender || column == TraceModel::Receiver)
        addPrepared(menu, prefix, name, name, value, ordered); // the others stand below anyway
    else
        addConditions(menu, prefix, name, name, value, ordered);
    menu.addSeparator();
}

void TracePanel::addDetailsMenu(QMenu& menu, const QString& field) {
    const auto row = m_model->store().rowOf(m_details->sequence());
    if (!row)
        return;
    const RecordView record = m_model->store().at(*row);
    for (const FieldInfo& info : *m_context.type(record).fields)
        if (QString::fromStdString(info.name) == field)
            addFieldActions(menu, QStringLiteral("trace.details.menu"), field, record, info);
}

} // namespace sbx::ui
