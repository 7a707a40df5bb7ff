#include "widgets/console/cvar_table.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPersistentModelIndex>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/document_files.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/theme.h"
#include "widgets/console/cvar_model.h"
#include "widgets/console/cvar_value_delegate.h"
#include "widgets/console/middle_elided_delegate.h"

namespace sbx::ui {

namespace {
constexpr int RefreshMs = 200;
constexpr int NarrowDefault = 500; // below this width the defaults are left to the tooltips

// A star instead of a tick box: filled, or an outline that invites a click.
class StarDelegate : public QStyledItemDelegate {
public:
    StarDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index); // the row's ground
        const bool on = isOn(index);
        QRect place({}, QSize(measure::IconSize, measure::IconSize));
        place.moveCenter(option.rect.center());
        const QColor quiet = mix(m_theme.color(Token::Surface), m_theme.color(Token::Muted), 0.45);
        m_theme
            .icon(on ? QStringLiteral("starred") : QStringLiteral("star"),
                  on ? m_theme.color(Token::Text) : quiet)
            .paint(painter, place);
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features &= ~QStyleOptionViewItem::ViewItemFeatures(QStyleOptionViewItem::HasCheckIndicator);
    }
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem&,
                     const QModelIndex& index) override {
        const bool clicked = event->type() == QEvent::MouseButtonRelease
                             && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
        const bool typed =
            event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
        return (clicked || typed)
               && model->setData(index, isOn(index) ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    }

private:
    static bool isOn(const QModelIndex& index) {
        return index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    }

    const Theme& m_theme;
};
} // namespace

CVarTable::CVarTable(const Theme& theme, const CVarRegistry& registry, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_model(new CVarModel(theme, registry, this)),
      m_proxy(new CVarProxy(this)),
      m_filter(new FilterBar(theme, QStringLiteral("console.cvars"), tr("Find CVars"), this)),
      m_changed(new QToolButton(this)),
      m_flag(new QComboBox(this)),
      m_view(new QTableView(this)),
      m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("console.cvars"));
    setAccessibleName(tr("CVars"));
    m_proxy->setSourceModel(m_model);
    m_proxy->setDynamicSortFilter(true);
    m_proxy->sort(CVarModel::Name);

    m_changed->setObjectName(QStringLiteral("console.cvars.changed"));
    m_changed->setText(tr("Changed"));
    m_changed->setToolTip(tr("Only CVars that are not at their default, or will not be from the next Play"));
    m_changed->setAccessibleName(m_changed->toolTip());
    m_changed->setCheckable(true);
    m_changed->setAutoRaise(true);
    m_filter->addTrailing(m_changed);
    m_flag->setObjectName(QStringLiteral("console.cvars.flag"));
    m_flag->setAccessibleName(tr("Flag"));
    m_flag->setToolTip(tr("Only CVars with a flag"));
    m_flag->addItem(tr("Any flag"), 0U);
    for (const CVarFlags flag : {CVarFlags::Archive, CVarFlags::Cheat, CVarFlags::Latched, CVarFlags::Notify,
                                 CVarFlags::Protected, CVarFlags::ReadOnly, CVarFlags::Replicated})
        m_flag->addItem(QString::fromStdString(cvarFlagNames(flag)), static_cast<quint32>(flag));
    m_filter->addTrailing(m_flag);

    m_view->setObjectName(QStringLiteral("console.cvars.table"));
    m_view->setAccessibleName(tr("CVars"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegateForColumn(CVarModel::Star, new StarDelegate(theme, this));
    m_view->setItemDelegateForColumn(CVarModel::Name, new MiddleElidedDelegate(this));
    m_view->setItemDelegateForColumn(CVarModel::CurrentValue, new CVarValueDelegate(theme, *m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                            | QAbstractItemView::SelectedClicked);
    m_view->setDragEnabled(true); // its name, as text: to the watches, into a line
    m_view->setDragDropMode(QAbstractItemView::DragOnly);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(CVarModel::Name, Qt::AscendingOrder);
    if (auto* corner = m_view->findChild<QAbstractButton*>())
        corner->setObjectName(QStringLiteral("qt_corner")); // hidden with the rows' numbers
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(measure::RowHeight);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setHighlightSections(false);
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header.setMinimumSectionSize(measure::RowHeight);
    header.setSectionResizeMode(CVarModel::Star, QHeaderView::Fixed);
    header.resizeSection(CVarModel::Star, measure::RowHeight + measure::RelatedGap);
    header.resizeSection(CVarModel::Name, 170);
    header.resizeSection(CVarModel::CurrentValue, 96);
    header.resizeSection(CVarModel::DefaultValue, 96);
    header.setSectionResizeMode(CVarModel::SetBy,
                                QHeaderView::Stretch); // unlike the last one it may also be short

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filter);
    auto* empty = new EmptyState(theme, QStringLiteral("filter"), tr("No CVar matches the filter."), this);
    empty->setObjectName(QStringLiteral("console.cvars.empty"));
    auto* all = new QAction(tr("Show all"), this);
    empty->setAction(all);
    connect(all, &QAction::triggered, this, &CVarTable::showAll);
    m_switch = new EmptySwitch(m_view, empty, this);
    m_switch->setBackgroundRole(QPalette::Base);
    m_switch->setAutoFillBackground(true);
    column->addWidget(m_switch, 1);

    connect(m_filter, &FilterBar::filterChanged, this, [this](const QString& text) {
        m_proxy->setText(text);
        refreshCounts();
    });
    connect(m_changed, &QToolButton::toggled, this, [this](bool on) {
        m_proxy->setOnlyChanged(on);
        refreshCounts();
    });
    connect(m_flag, &QComboBox::currentIndexChanged, this, [this] {
        m_proxy->setFlag(static_cast<CVarFlags>(m_flag->currentData().toUInt()));
        refreshCounts();
    });
    connect(m_model, &CVarModel::requested, this, &CVarTable::requested);
    connect(m_model, &CVarModel::starredChanged, m_proxy, &QSortFilterProxyModel::invalidate);
    connect(m_view, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const QModelIndex index = m_view->indexAt(at); index.isValid()) {
            const QScopedPointer<QMenu> menu(menuFor(index));
            menu->exec(m_view->viewport()->mapToGlobal(at));
        }
    });
    m_filter->focusOnFind(*this);
    m_filter->leaveOnEsc();
    m_timer->setInterval(RefreshMs);
    connect(m_timer, &QTimer::timeout, this, [this] {
        m_model->refresh();
        refreshCounts();
    });
    refreshCounts();
}

void CVarTable::refreshCounts() {
    m_filter->setCounts(m_proxy->rowCount(), m_model->rowCount());
    m_switch->setEmpty(m_proxy->rowCount() == 0);
}

void CVarTable::showAll() {
    m_changed->setChecked(false);
    m_flag->setCurrentIndex(0);
    m_filter->setText({});
}

void CVarTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_model->refresh();
    refreshCounts();
    m_timer->start();
}

void CVarTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->setColumnHidden(CVarModel::DefaultValue, width() < NarrowDefault);
}

void CVarTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_timer->stop();
}

void CVarTable::showCVar(const QString& name) {
    m_model->refresh();
    showAll();
    if (const int row = m_model->rowOf(name); row >= 0) {
        const QModelIndex index = m_proxy->mapFromSource(m_model->index(row, CVarModel::CurrentValue));
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index, QAbstractItemView::PositionAtCenter);
        m_view->setFocus(Qt::OtherFocusReason);
    }
}

void CVarTable::keepStars(const QString& name) {
    QFile file(name);
    if (file.open(QIODevice::ReadOnly))
        m_model->setStarred(QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts));
    else if (file.exists())
        return; // what cannot be read is not written over
    connect(m_model, &CVarModel::starredChanged, this, [this, name] {
        std::string text;
        for (const QString& each : m_model->starred())
            text += each.toStdString() + '\n';
        if (const Result<void> written = writeBytes(name, text); !written)
            emit notKept(QString::fromStdString(written.error().message));
    });
}

QMenu* CVarTable::menuFor(const QModelIndex& index) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("console.cvars.menu"));
    const QModelIndex source = m_proxy->mapToSource(index);
    const CVarInfo cvar = m_model->at(source.row());
    const QString name = QString::fromStdString(cvar.field.name);
    const auto add = [&](const char* id, const QString& text, auto run) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("console.cvars.menu.") + QLatin1String(id));
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    // Rows go elsewhere while the menu is open: a value that others change, under a filter or a sorting.
    const QPersistentModelIndex value =
        m_proxy->mapFromSource(source.siblingAtColumn(CVarModel::CurrentValue));
    if (const Qt::ItemFlags flags = value.flags(); flags.testFlag(Qt::ItemIsUserCheckable))
        add("edit", value.data(Qt::EditRole).toBool() ? tr("Switch off") : tr("Switch on"),
            [this, value, on = !value.data(Qt::EditRole).toBool()] {
                if (value.isValid()) // the model may have been filled anew meanwhile
                    m_proxy->setData(value, on, Qt::CheckStateRole);
            });
    else
        add("edit", tr("Edit"), [this, value] {
            if (value.isValid())
                m_view->edit(value);
        })->setEnabled(flags.testFlag(Qt::ItemIsEditable));
    add("reset", tr("Take back what the console set"), [this, name] {
        emit requested(QStringLiteral("reset ") + name);
    })->setEnabled(cvar.layers[static_cast<std::size_t>(CVarSource::Console)].has_value());
    add("resetAll", tr("Back to the default"), [this, name] {
        emit requested(QStringLiteral("reset %1 all").arg(name));
    })->setEnabled(!cvar.isDefault());
    menu->addSeparator();
    const QPersistentModelIndex star = source.siblingAtColumn(CVarModel::Star);
    add("star", star.data(Qt::CheckStateRole).toInt() == Qt::Checked ? tr("Take the star away") : tr("Star"),
        [this, star] {
            if (star.isValid())
                m_model->setData(star, {}, Qt::CheckStateRole);
        });
    if (m_watching)
        add("watch", tr("Watch"), [this, name] {
            emit requested(QStringLiteral("watch ") + name);
        })->setEnabled(!has(cvar.flags, CVarFlags::Protected));
    menu->addSeparator();
    add("copy", tr("Copy as a line"), [cvar] {
        QGuiApplication::clipboard()->setText(
            CVarModel::line(cvar, QString::fromStdString(cvar.field.format(cvar.value))));
    })->setEnabled(!has(cvar.flags, CVarFlags::Protected));
    return menu;
}

} // namespace sbx::ui

#include "moc_cvar_table.cpp"
