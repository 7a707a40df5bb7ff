#include "widgets/trace/trace_types.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <iterator>

namespace sbx::ui {

TraceTypesModel::TraceTypesModel(TraceModel& trace, QObject* parent)
    : QAbstractTableModel(parent), m_trace(trace) {
    sortTypes();
    connect(&trace, &TraceModel::typesAdded, this, [this] {
        beginResetModel();
        sortTypes();
        endResetModel();
        emit recordMaskChanged();
    });
}

void TraceTypesModel::sortTypes() {
    m_order.clear();
    for (const MessageType* type : m_trace.context().types())
        m_order.push_back(type->id);
    const auto& types = m_trace.context().types();
    std::sort(m_order.begin(), m_order.end(),
              [&types](MessageTypeId a, MessageTypeId b) { return types[a]->name < types[b]->name; });
}

void TraceTypesModel::refresh() {
    if (!m_order.empty())
        emit dataChanged(index(0, Count), index(rowCount() - 1, Count), {Qt::DisplayRole});
}

QStringList TraceTypesModel::notRecorded() const {
    QStringList out;
    for (const MessageTypeId type : m_order)
        if (!m_trace.context().source().isRecorded(type))
            out.append(QString::fromStdString(m_trace.context().types()[type]->name));
    return out;
}

void TraceTypesModel::showAll() { hide({}); }

void TraceTypesModel::hide(const std::vector<MessageTypeId>& types) {
    m_trace.setShownTypes(types);
    emit dataChanged(index(0, Show), index(rowCount() - 1, Show), {Qt::CheckStateRole});
}

std::vector<MessageTypeId> TraceTypesModel::hidden() const {
    std::vector<MessageTypeId> types;
    std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(types),
                 [this](MessageTypeId id) { return !m_trace.isShown(id); });
    return types;
}

void TraceTypesModel::restoreDefaults() {
    TraceSource& source = m_trace.context().source();
    for (const MessageTypeId id : m_order)
        if (const bool wanted = m_trace.context().types()[id]->recorded; source.isRecorded(id) != wanted)
            source.requestRecorded(id, wanted);
    m_trace.setShownTypes({});
    if (!m_order.empty())
        emit dataChanged(index(0, Record), index(rowCount() - 1, Show), {Qt::CheckStateRole});
    emit recordMaskChanged();
}

void TraceTypesModel::record(const QString& name) {
    for (int row = 0; row < rowCount(); ++row)
        if (messageType(type(row)).name == name.toStdString()) {
            setData(index(row, Show), Qt::Checked, Qt::CheckStateRole);
            setData(index(row, Record), Qt::Checked, Qt::CheckStateRole);
        }
}

void TraceTypesModel::showOnly(MessageTypeId only) {
    std::vector<MessageTypeId> hidden = m_order;
    std::erase(hidden, only);
    hide(hidden);
}

int TraceTypesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int TraceTypesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TraceTypesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const MessageTypeId id = type(index.row());
    const MessageType& message = *m_trace.context().types()[id];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Name)
            return QString::fromStdString(message.name);
        if (index.column() == Count)
            return QLocale(QLocale::English).toString(static_cast<qulonglong>(m_trace.captured(id)));
        return {};
    case SortRole:
        if (index.column() == Count)
            return static_cast<qulonglong>(m_trace.captured(id));
        if (index.column() == Name)
            return QString::fromStdString(message.name);
        return data(index, Qt::CheckStateRole);
    case Qt::CheckStateRole:
        if (index.column() == Record)
            return m_trace.context().source().isRecorded(id) ? Qt::Checked : Qt::Unchecked;
        if (index.column() == Show)
            return m_trace.isShown(id) ? Qt::Checked : Qt::Unchecked;
        return {};
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == Count ? Qt::AlignRight : Qt::AlignLeft)
                                   | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tipText(message.doc);
    case Qt::AccessibleTextRole:
        if (index.column() == Record)
            return tr("Record %1").arg(QString::fromStdString(message.name));
        if (index.column() == Show)
            return tr("Show %1").arg(QString::fromStdString(message.name));
        return {};
    default:
        return {};
    }
}

bool TraceTypesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const bool on = value.toInt() == Qt::Checked;
    if (index.column() == Record)
        m_trace.context().source().requestRecorded(type(index.row()), on);
    else if (index.column() == Show)
        m_trace.setShown(type(index.row()), on);
    else
        return false;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    if (index.column() == Record)
        emit recordMaskChanged();
    return true;
}

Qt::ItemFlags TraceTypesModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags out = QAbstractTableModel::flags(index);
    if (index.isValid() && (index.column() == Record || index.column() == Show))
        out |= Qt::ItemIsUserCheckable;
    return out;
}

QVariant TraceTypesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const char* const Names[] = {"Message type", "Record", "Show", "Count"};
    static const char* const Docs[] = {"", "Off: costs nothing and leaves no trace",
                                       "Off: captured but hidden here", "Captured since the run began"};
    if (role == Qt::DisplayRole)
        return QString::fromLatin1(Names[section]);
    if (role == Qt::ToolTipRole)
        return QString::fromLatin1(Docs[section]);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == Count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

TraceTypes::TraceTypes(const Theme& theme, TraceTypesModel& model, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_model(model),
      m_search(new QLineEdit(this)),
      m_proxy(new QSortFilterProxyModel(this)),
      m_table(new QTreeView(this)) {
    setObjectName(QStringLiteral("trace.types.popup"));
    setAccessibleName(tr("Message types"));
    setFrameShape(StyledPanel);
    m_search->setObjectName(QStringLiteral("trace.types.filter"));
    m_search->setAccessibleName(tr("Find a message type"));
    m_search->setPlaceholderText(tr("Find a type"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    m_proxy->setSourceModel(&model);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterKeyColumn(TraceTypesModel::Name);
    m_proxy->setSortRole(TraceTypesModel::SortRole);
    m_proxy->setSortCaseSensitivity(Qt::CaseInsensitive);
    // Counts go on while the list is open: rows must not slide away from under the pointer.
    m_proxy->setDynamicSortFilter(false);
    connect(m_search, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    m_table->setObjectName(QStringLiteral("trace.types.table"));
    m_table->setAccessibleName(tr("Message types"));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setModel(m_proxy);
    m_table->setFrameShape(NoFrame);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(TraceTypesModel::Name, QHeaderView::Stretch);
    m_table->header()->setSectionsMovable(false);
    m_table->setSortingEnabled(true);
    m_table->header()->setSortIndicator(TraceTypesModel::Count, Qt::DescendingOrder);
    m_table->setColumnWidth(TraceTypesModel::Record, 60);
    m_table->setColumnWidth(TraceTypesModel::Show, 56);
    m_table->setColumnWidth(TraceTypesModel::Count, 84);
    auto* all = new QPushButton(tr("Show all"), this);
    all->setObjectName(QStringLiteral("trace.types.showAll"));
    all->setAccessibleName(tr("Show all message types"));
    connect(all, &QPushButton::clicked, &model, &TraceTypesModel::showAll);
    auto* only = new QPushButton(tr("Show only this"), this);
    only->setObjectName(QStringLiteral("trace.types.showOnly"));
    only->setAccessibleName(tr("Show only the current message type"));
    connect(only, &QPushButton::clicked, this, [this] {
        const QModelIndex index = m_proxy->mapToSource(m_table->currentIndex());
        if (!index.isValid())
            return;
        const std::string name = index.siblingAtColumn(TraceTypesModel::Name).data().toString().toStdString();
        if (const MessageType* type = findMessageType(name))
            m_model.showOnly(type->id);
    });
    auto* defaults = new QPushButton(tr("Default set"), this);
    defaults->setObjectName(QStringLiteral("trace.types.defaults"));
    defaults->setAccessibleName(tr("Record the default set of message types and show all"));
    defaults->setToolTip(tr("Record what is recorded at first: no lifecycle, update and query messages; show "
                            "all that is captured"));
    connect(defaults, &QPushButton::clicked, &model, &TraceTypesModel::restoreDefaults);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(measure::RelatedGap);
    buttons->addWidget(all);
    buttons->addWidget(only);
    buttons->addWidget(defaults);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding,
                               measure::PanelPadding);
    column->setSpacing(measure::PanelPadding);
    column->addWidget(m_search);
    column->addWidget(m_table, 1);
    column->addLayout(buttons);
}

void TraceTypes::popUp(const QWidget& anchor) {
    m_model.refresh();
    m_search->clear();
    // By what is counted now, in the order that was chosen last.
    m_proxy->sort(m_table->header()->sortIndicatorSection(), m_table->header()->sortIndicatorOrder());
    m_table->scrollToTop();
    const int rows = std::clamp(m_model.rowCount() + 1, 6, 16);
    QRect area(
        anchor.mapToGlobal(QPoint(anchor.width() - 400, anchor.height() + 2)),
        QSize(400, rows * measure::RowHeight + 2 * measure::ControlHeight + 5 * measure::PanelPadding));
    if (const QScreen* screen = anchor.screen()) {
        const QRect room = screen->availableGeometry();
        if (area.bottom() > room.bottom())
            area.moveBottom(anchor.mapToGlobal(QPoint(0, -2)).y());
        area.moveTop(std::max(area.top(), room.top()));
        area.moveLeft(
            std::clamp(area.left(), room.left(), std::max(room.left(), room.right() - area.width())));
    }
    setGeometry(area);
    show();
    m_search->setFocus();
}

void TraceTypes::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

} // namespace sbx::ui

#include "moc_trace_types.cpp"
