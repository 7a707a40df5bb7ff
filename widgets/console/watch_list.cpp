#include "widgets/console/watch_list.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "engine/core/console_syntax.h"
#include "engine/session/watches.h"
#include "widgets/common/document_files.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/theme.h"
#include "widgets/console/middle_elided_delegate.h"
#include "widgets/console/watch_model.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr int WatchRefreshMs = 100;
constexpr int SaveMs = 500;
constexpr int RowHeight = 32;
constexpr int MinText = 84; // pixels
constexpr int MinGraph = 120;
constexpr int ScaleChars = 9; // room for the least and the greatest value

// The last minute: a line, or where several samples share a pixel the span between the least and the greatest of them, so that
// no spike is lost. Its scale stands at the right.
class GraphDelegate : public QStyledItemDelegate {
public:
    GraphDelegate(const Theme& theme, const WatchModel& model, QObject* parent)
        : QStyledItemDelegate(parent), m_theme(theme), m_model(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index); // the row's ground
        const WatchReading& watch = m_model.at(index.row());
        const Plot plot = measured(option.rect, watch);
        if (plot.spans.empty() || watch.samples.empty())
            return;
        painter->save();
        const QFont font = m_theme.font(FontRole::Mono);
        QFont small = font;
        small.setPointSizeF(font.pointSizeF() * 0.85);
        painter->setFont(small);
        painter->setPen(m_theme.color(Token::Muted));
        const QRect scale(plot.area.right() + 4, option.rect.top() + 2,
                          option.rect.right() - plot.area.right() - 6, option.rect.height() - 4);
        const QString most = QString::number(plot.greatest, 'g', 4);
        const QString least = QString::number(plot.least, 'g', 4);
        if (plot.scaled && most == least) {
            painter->drawText(scale, Qt::AlignLeft | Qt::AlignVCenter, most);
        } else if (plot.scaled) {
            painter->drawText(scale, Qt::AlignLeft | Qt::AlignTop, most);
            painter->drawText(scale, Qt::AlignLeft | Qt::AlignBottom, least);
        }
        painter->setPen(QPen(mix(m_theme.color(Token::Surface), m_theme.color(Token::Line), 0.7), 1));
        painter->drawLine(plot.area.left(), plot.area.bottom() + 1, plot.area.right(),
                          plot.area.bottom() + 1);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_theme.color(Token::Accent), 1.25));
        QPainterPath path;
        bool begun = false;
        for (std::size_t i = 0; i < plot.spans.size(); ++i) {
            const WatchSpan& span = plot.spans[i];
            if (!span.any)
                continue;
            const double x = plot.area.left() + static_cast<double>(i) + 0.5;
            const double from = begun ? path.currentPosition().y() : plot.y(span.last);
            const double low = plot.y(span.least);
            const double high = plot.y(span.greatest);
            // From the end that is nearer to where the line comes from.
            const bool lowFirst = std::abs(from - low) < std::abs(from - high);
            begun ? path.lineTo(x, lowFirst ? low : high) : path.moveTo(x, lowFirst ? low : high);
            begun = true;
            if (span.least < span.greatest)
                path.lineTo(x, lowFirst ? high : low);
            path.lineTo(x, plot.y(span.last));
        }
        painter->drawPath(path);
        painter->setBrush(m_theme.color(Token::Accent));
        painter->drawEllipse(path.currentPosition(), 1.5, 1.5);
        painter->restore();
    }

    // The sample under the mouse.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
        const WatchReading& watch = m_model.at(index.row());
        const Plot plot = measured(option.rect, watch);
        if (event->type() != QEvent::ToolTip || watch.samples.empty() || plot.area.width() <= 0)
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        const double share = static_cast<double>(event->pos().x() - plot.area.left()) / plot.area.width();
        const double wanted = m_model.now() - Watches::Seconds * (1.0 - std::clamp(share, 0.0, 1.0));
        const auto after =
            std::lower_bound(watch.samples.begin(), watch.samples.end(), wanted,
                             [](const WatchSample& sample, double time) { return sample.seconds < time; });
        auto nearest = after == watch.samples.end() ? std::prev(after) : after;
        if (nearest != watch.samples.begin()
            && wanted - std::prev(nearest)->seconds < nearest->seconds - wanted)
            --nearest;
        QToolTip::showText(event->globalPos(),
                           WatchList::tr("%1 at tick %2 (%3 s)\nleast %4, greatest %5")
                               .arg(QString::number(nearest->value, 'g', 6), QString::number(nearest->tick),
                                    QString::number(nearest->seconds, 'f', 2),
                                    QString::number(plot.least, 'g', 6),
                                    QString::number(plot.greatest, 'g', 6)),
                           view->viewport(), option.rect);
        return true;
    }

private:
    struct Plot {
        QRect area;
        bool scaled = false;          // least and greatest are written beside it
        std::vector<WatchSpan> spans; // a pixel each
        double least = 0.0;
        double greatest = 0.0;

        [[nodiscard]] double y(double value) const {
            const double range = greatest - least;
            const double share = range > 0.0 ? (value - least) / range : 0.5;
            return area.bottom() + 0.5 - share * (area.height() - 1);
        }
    };

    Plot measured(const QRect& cell, const WatchReading& watch) const {
        Plot plot;
        const int scale =
            QFontMetrics(m_theme.font(FontRole::Mono)).horizontalAdvance(QLatin1Char('0')) * ScaleChars;
        plot.scaled = cell.width() > 2 * scale; // where there is little room the line has it
        plot.area =
            cell.adjusted(measure::PanelPadding, 6, plot.scaled ? -scale : -measure::PanelPadding, -7);
        plot.spans = watchSpans(watch.samples, m_model.now(), plot.area.width());
        const auto [least, greatest] =
            std::minmax_element(watch.samples.begin(), watch.samples.end(),
                                [](const WatchSample& a, const WatchSample& b) { return a.value < b.value; });
        if (least != watch.samples.end()) {
            plot.least = least->value;
            plot.greatest = greatest->value;
        }
        return plot;
    }

    const Theme& m_theme;
    const WatchModel& m_model;
};

} // namespace

WatchList::WatchList(const Theme& theme, Watches& watches, QWidget* parent)
    : QWidget(parent),
      m_watches(watches),
      m_model(new WatchModel(theme, watches, this)),
      m_view(new QTableView(this)),
      m_timer(new QTimer(this)),
      m_saveTimer(new QTimer(this)) {
    setObjectName(QStringLiteral("console.watches"));
    setAccessibleName(tr("Watches"));

    m_view->setObjectName(QStringLiteral("console.watches.table"));
    m_view->setAccessibleName(tr("Watches"));
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(WatchModel::Text, new MiddleElidedDelegate(this));
    m_view->setItemDelegateForColumn(WatchModel::Graph, new GraphDelegate(theme, *m_model, m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->installEventFilter(this);
    if (auto* corner = m_view->findChild<QAbstractButton*>())
        corner->setObjectName(QStringLiteral("qt_corner")); // hidden with the rows' numbers
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setMinimumSectionSize(RowHeight);
    m_view->verticalHeader()->setDefaultSectionSize(RowHeight);
    setRowHeight(*m_view, RowHeight);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setHighlightSections(false);
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header.setMinimumSectionSize(measure::RowHeight);
    header.resizeSection(WatchModel::Text, 150);
    header.resizeSection(WatchModel::CurrentValue, 76);
    header.setSectionResizeMode(WatchModel::Graph, QHeaderView::Stretch);
    header.setSectionResizeMode(WatchModel::Remove, QHeaderView::Fixed);
    header.resizeSection(WatchModel::Remove, measure::RowHeight + measure::RelatedGap);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                            measure::RelatedGap);
    bar->setSpacing(measure::RelatedGap);
    auto* title = new QLabel(tr("Watches"), this);
    title->setObjectName(QStringLiteral("console.watches.title"));
    setTextToken(*title, theme, Token::Muted);
    bar->addWidget(title, 1);
    const auto button = [&](const char* name, const QString& icon, const QString& tip) {
        auto* made = new QToolButton(this);
        made->setObjectName(QStringLiteral("console.watches.") + QLatin1String(name));
        made->setIcon(theme.icon(icon));
        made->setAutoRaise(true);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        bar->addWidget(made);
        return made;
    };
    auto* addButton =
        button("add", QStringLiteral("plus"), tr("Watch a CVar, an entity's field, a count or a condition"));
    auto* exportButton = button("export", QStringLiteral("save"), tr("Export the last minute as CSV"));
    auto* clearButton = button("clear", QStringLiteral("delete"), tr("Stop watching all of them"));

    m_empty = new EmptyState(theme, QStringLiteral("eye"),
                             tr("Nothing is watched. Drag a CVar here, or name a value."), this);
    auto* fill = new QAction(tr("Watch a value"), this);
    m_empty->setAction(fill);
    m_switch = new EmptySwitch(m_view, m_empty, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_switch, 1);

    const auto type = [this] { emit typingRequested(QStringLiteral("watch ")); };
    connect(addButton, &QToolButton::clicked, this, type);
    connect(fill, &QAction::triggered, this, type);
    connect(exportButton, &QToolButton::clicked, this, &WatchList::exportCsv);
    connect(clearButton, &QToolButton::clicked, this,
            [this] { emit requested(QStringLiteral("unwatch all")); });
    connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == WatchModel::Remove)
            emit requested(QStringLiteral("unwatch %1").arg(m_model->at(index.row()).number));
    });
    connect(m_view, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const QModelIndex index = m_view->indexAt(at); index.isValid()) {
            const QScopedPointer<QMenu> menu(menuFor(index.row()));
            menu->exec(m_view->viewport()->mapToGlobal(at));
        }
    });
    const auto refreshButtons = [this, exportButton, clearButton] {
        const bool empty = m_model->rowCount() == 0;
        m_switch->setEmpty(empty);
        exportButton->setEnabled(!empty);
        clearButton->setEnabled(!empty);
    };
    connect(m_model, &QAbstractItemModel::modelReset, this, refreshButtons);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { shareRoom(0); });
    connect(&header, &QHeaderView::sectionResized, this, [this](int section) {
        m_isShareChosen |=
            !m_isSharing && (section == WatchModel::Text || section == WatchModel::CurrentValue);
    });
    refreshButtons();
    m_timer->setInterval(WatchRefreshMs);
    connect(m_timer, &QTimer::timeout, this, &WatchList::refresh);
    m_saveTimer->setInterval(SaveMs);
    connect(m_saveTimer, &QTimer::timeout, this, &WatchList::save);
}

void WatchList::refresh() {
    // A new or lost row must not take the selection of the others with it.
    QList<int> selected;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        selected.append(m_model->at(index.row()).number);
    const int before = m_model->rowCount();
    m_model->refresh();
    if (m_model->rowCount() > before && before > 0)
        m_view->scrollToBottom(); // the new one
    if (selected.isEmpty() || m_view->selectionModel()->hasSelection())
        return;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (selected.contains(m_model->at(row).number))
            m_view->selectionModel()->select(m_model->index(row, 0),
                                             QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

// What is watched is read whole as long as its graph keeps some room; a width that the user chose stays.
void WatchList::shareRoom(int before) {
    QHeaderView& header = *m_view->horizontalHeader();
    int text = header.sectionSize(WatchModel::Text);
    if (m_isShareChosen) {
        text = before > 0 ? text * width() / before : text;
    } else {
        text = 0;
        for (int row = 0; row < m_model->rowCount(); ++row)
            text = std::max(text, m_view->sizeHintForIndex(m_model->index(row, WatchModel::Text)).width());
        text = std::min(text, width() - header.sectionSize(WatchModel::CurrentValue)
                                  - header.sectionSize(WatchModel::Remove) - std::max(MinGraph, width() / 4));
    }
    const QScopedValueRollback sharing(m_isSharing, true);
    header.resizeSection(WatchModel::Text, std::max(text, MinText));
}

void WatchList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareRoom(std::max(event->oldSize().width(), 0));
}

void WatchList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    m_timer->start();
}

void WatchList::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_timer->stop();
}

bool WatchList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Delete) {
            removeSelected();
            return true;
        }
        if (key->matches(QKeySequence::Copy) && m_view->currentIndex().isValid()) {
            QGuiApplication::clipboard()->setText(
                QString::fromStdString(m_model->at(m_view->currentIndex().row()).shown));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void WatchList::removeSelected() {
    QStringList lines;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        lines.append(QStringLiteral("unwatch %1").arg(m_model->at(index.row()).number));
    if (!lines.isEmpty())
        emit requested(lines.join(QStringLiteral("; ")));
}

void WatchList::exportCsv() {
    const QString file =
        fileToSave(this, tr("Export watches"), QDir(m_exportFolder).filePath(QStringLiteral("watches.csv")),
                   tr("Comma-separated values (*.csv)"));
    if (!file.isEmpty())
        emit requested(QStringLiteral("watch.export ")
                       + QString::fromStdString(consoleWord(file.toStdString())));
}

QMenu* WatchList::menuFor(int row) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("console.watches.menu"));
    const WatchReading watch = m_model->at(row);
    const auto add = [&](const char* id, const QString& text, auto run) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("console.watches.menu.") + QLatin1String(id));
        connect(action, &QAction::triggered, this, run);
    };
    add("copy", tr("Copy value"),
        [watch] { QGuiApplication::clipboard()->setText(QString::fromStdString(watch.shown)); });
    add("copyLine", tr("Copy as a line"), [watch] {
        QGuiApplication::clipboard()->setText(QStringLiteral("watch ") + QString::fromStdString(watch.text));
    });
    add("export", tr("Export all as CSV…"), [this] { exportCsv(); });
    menu->addSeparator();
    add("remove", tr("Stop watching"),
        [this, watch] { emit requested(QStringLiteral("unwatch %1").arg(watch.number)); });
    return menu;
}

void WatchList::keepWatches(const QString& name) {
    QFile file(name);
    if (file.open(QIODevice::ReadOnly)) {
        for (const QString& line :
             QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            static_cast<void>(m_watches.add(line.toStdString())); // what no longer compiles is left out
    } else if (file.exists()) {
        return; // what cannot be read is not written over
    }
    m_file = name;
    m_saved = m_watches.revision();
    m_saveTimer->start();
    refresh();
}

void WatchList::save() {
    const std::uint64_t revision = m_watches.revision();
    if (revision == m_saved)
        return;
    std::string text;
    for (const WatchReading& watch : m_watches.list())
        text += watch.text + '\n';
    const Result<void> written = writeBytes(m_file, text);
    if (written)
        m_saved = revision;
    if (!std::exchange(m_failing, !written.ok()) && !written)
        emit notKept(QString::fromStdString(written.error().message));
}

} // namespace sbx::ui

#include "moc_watch_list.cpp"
