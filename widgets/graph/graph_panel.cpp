#include "widgets/graph/graph_panel.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/graph/graph_glyphs.h"
#include "widgets/graph/graph_text.h"
#include "widgets/graph/graph_view.h"
#include "widgets/graph/waits_model.h"

#include <algorithm>

namespace sbx::ui {

namespace {

const QString Source = QStringLiteral("graph");

enum Page { GraphPage, EmptyPage };

// The six states with their shapes, for people who do not know them yet.
class Legend : public QWidget {
public:
    Legend(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setObjectName(QStringLiteral("graph.legend"));
        QStringList names;
        int width = 0;
        for (const GraphState state : LegendStates) {
            names += stateName(state);
            width += Shape + fontMetrics().horizontalAdvance(stateName(state)) + Gap;
        }
        setAccessibleName(QCoreApplication::translate("GraphPanel", "Legend: %1").arg(names.join(QStringLiteral(", "))));
        m_full = width;
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        connect(&theme, &Theme::changed, this, QOverload<>::of(&QWidget::update));
    }
    [[nodiscard]] QSize sizeHint() const override { return {m_full, measure::ControlHeight}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, measure::ControlHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        int x = 0;
        for (const GraphState state : LegendStates) {
            const QString name = stateName(state);
            const int width = fontMetrics().horizontalAdvance(name);
            if (x + Shape + width > this->width())
                return;
            paintState(painter, QPointF(x + Shape / 2.0 - 2, height() / 2.0), 4.5, state, stateColor(m_theme, state));
            painter.setPen(m_theme.color(Token::Muted));
            painter.drawText(QRect(x + Shape, 0, width + 2, height()), Qt::AlignLeft | Qt::AlignVCenter, name);
            x += Shape + width + Gap;
        }
    }

private:
    static constexpr int Shape = 16;
    static constexpr int Gap = 10;
    const Theme& m_theme;
    int m_full = 0;
};

} // namespace

GraphPanel::GraphPanel(const Theme& theme, GraphSource& source, Selection& selection, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_source(source),
      m_selection(selection),
      m_view(new GraphView(theme, m_model, this)),
      m_waits(new WaitsModel(theme, m_model, this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(theme, QStringLiteral("graph"),
                             tr("No network session. Play as host with clients: their messages and what they wait for appear here."),
                             this)) {
    setObjectName(QStringLiteral("graph"));
    setAccessibleName(tr("Dependency graph"));
    setFocusProxy(m_view);
    m_empty->setObjectName(QStringLiteral("graph.empty"));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(QStringLiteral("graph.splitter"));
    m_side = buildSide();
    splitter->addWidget(m_view);
    splitter->addWidget(m_side);
    splitter->setStretchFactor(0, 1);
    splitter->setCollapsible(0, false);
    splitter->setSizes({860, 380});
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar());
    column->addWidget(splitter, 1);
    m_stack->addWidget(page);
    m_stack->addWidget(m_empty);
    m_stack->setCurrentIndex(EmptyPage);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_stack);

    connect(m_view, &GraphView::picked, this, &GraphPanel::pick);
    connect(m_view, &GraphView::handshakePicked, this, [this] { refresh(); });
    connect(m_view, &GraphView::activated, this, [this](const GraphKey& key) {
        if (const GraphNode* node = m_model.find(key); node != nullptr && !node->entity.empty())
            emit entityActivated(QString::fromStdString(node->entity));
    });
    connect(m_view, &GraphView::freezeRequested, this, [this] { setFrozen(!m_view->frozen()); });
    connect(m_view, &GraphView::nextWaitRequested, this, &GraphPanel::nextWait);
    connect(m_view, &GraphView::axisChanged, this, &GraphPanel::refresh);
    connect(m_view, &GraphView::laneMenuRequested, this, &GraphPanel::laneMenuRequested);
    connect(&theme, &Theme::changed, this, [this] {
        m_shownDetails.clear();
        refresh();
    });
    connect(&m_selection, &Selection::traceChanged, this, [this](std::uint64_t sequence, const QString& from) {
        if (from != Source && sequence != 0)
            followTrace(sequence);
    });
    m_timer.setInterval(PollMs);
    connect(&m_timer, &QTimer::timeout, this, &GraphPanel::poll);
    m_timer.start();
    refresh();
}

GraphPanel::~GraphPanel() = default;

QToolButton* GraphPanel::toolButton(const QString& name, const QString& icon, const QString& title, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("graph.") + name);
    button->setAccessibleName(title);
    button->setToolTip(tip);
    button->setIcon(m_theme.icon(icon));
    button->setAutoRaise(true);
    button->setFixedHeight(measure::ControlHeight);
    return button;
}

QWidget* GraphPanel::buildBar() {
    auto* bar = new QWidget(this);
    bar->setBackgroundRole(QPalette::Base);
    bar->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding, measure::RelatedGap);
    row->setSpacing(measure::RelatedGap);
    m_freeze = toolButton(QStringLiteral("freeze"), QStringLiteral("pause"), tr("Freeze the picture"),
                          tr("Hold this moment; what comes meanwhile is kept (Space)"));
    m_freeze->setCheckable(true);
    connect(m_freeze, &QToolButton::toggled, this, &GraphPanel::setFrozen);
    m_live = toolButton(QStringLiteral("live"), QStringLiteral("arrow-right"), tr("Follow the newest"),
                        tr("Back to the newest, and along with it (End)"));
    connect(m_live, &QToolButton::clicked, this, [this] { m_view->goLive(); });
    QToolButton* out = toolButton(QStringLiteral("zoomOut"), QStringLiteral("minus"), tr("Zoom out"), tr("More time at once (-)"));
    connect(out, &QToolButton::clicked, this, [this] { m_view->zoom(0.64); });
    QToolButton* in = toolButton(QStringLiteral("zoomIn"), QStringLiteral("plus"), tr("Zoom in"), tr("Less time, more of it (+, wheel)"));
    connect(in, &QToolButton::clicked, this, [this] { m_view->zoom(1.0 / 0.64); });
    QToolButton* fit = toolButton(QStringLiteral("fit"), QStringLiteral("frame"), tr("Half a minute"), tr("The last 30 s (Home)"));
    connect(fit, &QToolButton::clicked, this, [this] { m_view->fit(); });
    m_sideButton = toolButton(QStringLiteral("showSide"), QStringLiteral("info"), tr("Details and waits"),
                              tr("Show what is known of a message, and which waited long"));
    m_sideButton->setCheckable(true);
    m_sideButton->setChecked(true);
    connect(m_sideButton, &QToolButton::toggled, this, [this](bool on) { m_side->setVisible(on); });
    m_status = new QLabel(this);
    m_status->setObjectName(QStringLiteral("graph.status"));
    m_status->setAccessibleName(tr("Graph status"));
    m_status->setFont(m_theme.font(FontRole::Mono));
    setTextToken(*m_status, m_theme, Token::Muted);
    for (QToolButton* button : {m_freeze, m_live, out, in, fit})
        row->addWidget(button);
    row->addSpacing(measure::GroupGap);
    row->addWidget(new Legend(m_theme, this));
    row->addStretch(1);
    m_spanButton = toolButton(QStringLiteral("span"), QStringLiteral("close"), tr("Show all messages"),
                              tr("The trace's timeline keeps a stretch of time: messages without a record in it are dim. Click to show all again."));
    m_spanButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_spanButton->hide();
    connect(m_spanButton, &QToolButton::clicked, this, &GraphPanel::spanDismissed);
    row->addWidget(m_spanButton);
    row->addWidget(m_status);
    row->addWidget(m_sideButton);
    return bar;
}

QWidget* GraphPanel::buildSide() {
    auto* side = new QSplitter(Qt::Vertical, this);
    side->setObjectName(QStringLiteral("graph.side"));
    m_details = new QTextBrowser(side);
    m_details->setObjectName(QStringLiteral("graph.details"));
    m_details->setAccessibleName(tr("Details of the message"));
    m_details->setOpenLinks(false);
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->document()->setDocumentMargin(measure::PanelPadding);
    connect(m_details, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        GraphKey key = m_view->current();
        key.sequence = url.path().toULongLong();
        goTo(key);
    });
    auto* waits = new QWidget(side);
    auto* column = new QVBoxLayout(waits);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_waitsList = new QTreeView(waits);
    m_waitsList->setObjectName(QStringLiteral("graph.waits"));
    m_waitsList->setAccessibleName(tr("Messages that waited over 100 ms"));
    // Sorted when a header is clicked, and not while times grow: no row moves by itself.
    m_waitOrder = new QSortFilterProxyModel(this);
    m_waitOrder->setDynamicSortFilter(false);
    m_waitOrder->setSortRole(WaitsModel::SortRole);
    m_waitOrder->setSourceModel(m_waits);
    m_waitsList->setModel(m_waitOrder);
    m_waitsList->setRootIsDecorated(false);
    m_waitsList->setUniformRowHeights(true);
    m_waitsList->setFrameShape(QFrame::NoFrame);
    m_waitsList->setTextElideMode(Qt::ElideRight);
    setRowHeight(*m_waitsList, measure::TraceRowHeight);
    QHeaderView& header = *m_waitsList->header();
    header.setStretchLastSection(false);
    // Causes are read whole: where there is no room for them beside the message, the list scrolls.
    const int digit = QFontMetrics(m_theme.font(FontRole::Mono)).horizontalAdvance(QLatin1Char('0'));
    header.setMinimumSectionSize(digit * 16 + 12);
    header.setSectionResizeMode(WaitsModel::MessageColumn, QHeaderView::Stretch);
    header.setSectionResizeMode(WaitsModel::WaitedColumn, QHeaderView::Fixed);
    header.resizeSection(WaitsModel::WaitedColumn, digit * 8 + 12);
    header.setSectionResizeMode(WaitsModel::CauseColumn, QHeaderView::ResizeToContents);
    header.setSortIndicator(-1, Qt::AscendingOrder); // as they were found
    m_waitsList->setSortingEnabled(true);
    m_waitsList->setIconSize({8, 8}); // of the peer's colour
    m_noWaits = new QLabel(tr("Messages that wait over 100 ms for another stay here until you dismiss them: "
                              "the newest %1 of this session.")
                               .arg(GraphModel::MaxWaits),
                           m_waitsList->viewport());
    m_noWaits->setObjectName(QStringLiteral("graph.noWaits"));
    m_noWaits->setWordWrap(true);
    m_noWaits->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_noWaits->setContentsMargins(measure::PanelPadding, 4, measure::PanelPadding, 4);
    setTextToken(*m_noWaits, m_theme, Token::Muted);
    auto* over = new QVBoxLayout(m_waitsList->viewport());
    over->setContentsMargins(0, 0, 0, 0);
    over->addWidget(m_noWaits, 0, Qt::AlignTop);
    column->addWidget(m_waitsList, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(measure::PanelPadding, 2, measure::PanelPadding, 2);
    auto* dismiss = toolButton(QStringLiteral("dismiss"), QStringLiteral("check"), tr("Dismiss"), tr("Take the chosen off the list (Delete)"));
    dismiss->setText(tr("Dismiss"));
    dismiss->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(dismiss, &QToolButton::clicked, this, &GraphPanel::dismissChosen);
    m_waitsList->installEventFilter(this);
    m_dismissAll = toolButton(QStringLiteral("dismissAll"), QStringLiteral("clear"), tr("Dismiss all"), tr("Empty the list"));
    m_dismissAll->setText(tr("Dismiss all"));
    m_dismissAll->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_dismissAll, &QToolButton::clicked, this, [this] {
        m_waits->dismissAll();
        refresh();
    });
    row->addWidget(dismiss);
    row->addWidget(m_dismissAll);
    row->addStretch(1);
    column->addLayout(row);
    connect(m_waitsList->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, dismiss](const QModelIndex& now) {
                dismiss->setEnabled(now.isValid());
                if (const GraphKey wanted = waitAt(now); wanted && wanted != m_view->current())
                    goTo(wanted);
            });
    dismiss->setEnabled(false);
    // The selection does not tell of it when the list begins anew.
    connect(m_waits, &QAbstractItemModel::modelReset, dismiss, [dismiss] { dismiss->setEnabled(false); });
    side->addWidget(m_details);
    side->addWidget(waits);
    side->setSizes({200, 160});
    return side;
}

GraphKey GraphPanel::waitAt(const QModelIndex& index) const { return m_waits->keyAt(m_waitOrder->mapToSource(index).row()); }

void GraphPanel::dismissChosen() {
    m_waits->dismiss(m_waitOrder->mapToSource(m_waitsList->currentIndex()).row());
    refresh();
}

bool GraphPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_waitsList && event->type() == QEvent::KeyPress)
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            dismissChosen();
            return true;
        // What is not the list's own is the picture's, which a click on a row has just moved.
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_Space:
        case Qt::Key_N:
        case Qt::Key_H:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
            return QCoreApplication::sendEvent(m_view, event);
        default:
            break;
        }
    return QWidget::eventFilter(watched, event);
}

void GraphPanel::setPlayAction(QAction* play) { m_empty->setAction(play); }

void GraphPanel::addActions(ActionRegistry& registry) {
    const auto some = [this] { return !m_model.empty(); };
    registry.add({.id = QStringLiteral("graph.freeze"),
                  .text = tr("Freeze the dependency graph"),
                  .menu = tr("Tools"),
                  .icon = QStringLiteral("pause"),
                  .doc = tr("Hold the picture at this moment, or let it go on"),
                  .run = [this](bool on) { setFrozen(on); },
                  .checkable = true,
                  .enabled = some,
                  .checked = [this] { return m_view->frozen(); }});
    registry.add({.id = QStringLiteral("graph.live"),
                  .text = tr("Dependency graph: follow the newest"),
                  .doc = tr("Go to the newest messages and stay with them"),
                  .run = [this](bool) { m_view->goLive(); },
                  .enabled = some});
    registry.add({.id = QStringLiteral("graph.nextWait"),
                  .text = tr("Next message that waited"),
                  .menu = tr("Tools"),
                  .icon = QStringLiteral("waiting"),
                  .doc = tr("Select the next message that waited over 100 ms for what it depends on"),
                  .run = [this](bool) { nextWait(); },
                  .enabled = [this] { return m_waits->rowCount() > 0; }});
    registry.add({.id = QStringLiteral("graph.dismissWaits"),
                  .text = tr("Dismiss messages that waited"),
                  .doc = tr("Empty the list of messages that waited over 100 ms"),
                  .run = [this](bool) { m_waits->dismissAll(); },
                  .enabled = [this] { return m_waits->rowCount() > 0; }});
}

void GraphPanel::setFrozen(bool frozen) {
    if (frozen && m_model.empty())
        frozen = false;
    m_view->setFrozen(frozen);
    if (!frozen)
        m_view->goLive();
    m_waits->setFrozen(m_view->frozen());
    refresh();
}

// What the graph says of its session is never older than what the trace shows: a run begins after the session before has ended.
bool GraphPanel::sharesRun() const { return !m_over || !m_trace.run || m_trace.run() == m_traceRun; }

void GraphPanel::pick(const GraphKey& key) {
    const std::uint64_t run = m_model.run();
    poll();
    if (m_model.run() != run) // the message of that name is another now
        return;
    const GraphNode* node = m_model.known(key);
    if (node != nullptr) {
        const bool traced = node->trace != 0 && sharesRun() && (!m_trace.holds || m_trace.holds(node->trace));
        if (traced && !node->entity.empty())
            m_selection.setTraceAndEntity(node->trace, node->entity, Source);
        else if (traced)
            m_selection.setTrace(node->trace, Source);
        else if (!node->entity.empty())
            m_selection.setEntity(node->entity, Source);
    }
    // One message may have two rows: at its sender and at its receiver.
    if (const int row = m_waits->rowOf(key); row < 0 || waitAt(m_waitsList->currentIndex()) != key)
        m_waitsList->setCurrentIndex(row < 0 ? QModelIndex() : m_waitOrder->mapFromSource(m_waits->index(row, 0)));
    refresh();
}

// A record selected elsewhere: the message it is on the network, where it is one; of many, the one to the peer that is looked at.
void GraphPanel::followTrace(std::uint64_t sequence) {
    fetch(); // not the trace, whose view may be what selects
    if (!sharesRun())
        return;
    const std::vector<GraphKey> found = m_model.ofRecord(sequence);
    if (found.empty())
        return;
    const std::uint16_t lane = m_view->current().to;
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const GraphKey& key) { return key.to == lane; });
    m_view->setCurrent(same != found.end() ? *same : found.front(), true);
    m_view->pulse();
    refresh();
}

void GraphPanel::setNetwork(const NetworkView* view) {
    m_meter.add(view);
    if (view == nullptr) // what was is still shown when it is over
        return;
    const std::vector<LinkFigures> figures = m_meter.figures();
    std::vector<QStringList> notes = laneNotes(figures);
    if (!view->isLocal() && !notes.empty()) {
        // Peers in other programs come and go: their lanes are found by their addresses.
        std::vector<QStringList> byLane(std::max<std::size_t>(m_model.peers().size(), 1));
        byLane[0] = std::move(notes[0]);
        for (std::size_t i = 0; i < figures.size(); ++i)
            if (const auto lane = std::find(m_model.peers().begin(), m_model.peers().end(), figures[i].name); lane != m_model.peers().end())
                byLane[static_cast<std::size_t>(lane - m_model.peers().begin())] = std::move(notes[i + 1]);
        notes = std::move(byLane);
    }
    m_view->setLaneNotes(notes);
}

void GraphPanel::goTo(const GraphKey& key) {
    m_view->setCurrent(key, true);
    pick(key);
}

void GraphPanel::nextWait() {
    if (m_waits->rowCount() == 0)
        return;
    const int at = m_waitsList->currentIndex().isValid() ? m_waitsList->currentIndex().row() + 1 : 0;
    m_waitsList->setCurrentIndex(m_waitOrder->index(at % m_waits->rowCount(), 0)); // in the order that is shown
}

void GraphPanel::poll() {
    if (m_waits->changing())
        return;
    if (m_trace.fetch)
        m_trace.fetch();
    fetch();
}

// Not while the list of waits changes, whose view chooses another row meanwhile: what comes would change it again.
void GraphPanel::fetch() {
    if (m_waits->changing())
        return;
    const std::uint64_t traceRun = m_trace.run ? m_trace.run() : 0;
    GraphNews news;
    if (!m_source.poll(news))
        return;
    m_over = news.over;
    if (!m_over)
        m_traceRun = traceRun;
    // What is in sight stays, and so does the half minute before the moment that is shown: it may be looked at from farther away.
    const bool held = m_view->frozen() || !m_view->axis().following();
    const net::Time seen = m_view->frozen() ? m_view->shownTime() : m_view->axis().to();
    m_model.keepFrom(held ? std::optional(std::min(m_view->axis().from(), seen - GraphModel::Kept))
                          : std::nullopt);
    m_model.apply(std::move(news));
    m_waits->refresh();
    if (isVisible())
        m_view->refresh();
    refresh();
}

void GraphPanel::setSpan(const std::optional<Span>& span) {
    if (m_span == span)
        return;
    m_span = span;
    refresh();
}

void GraphPanel::refresh() {
    const bool spans = m_span && sharesRun();
    m_view->setSpan(spans ? std::optional(GraphView::Records(m_span->first, m_span->end)) : std::nullopt);
    if (spans)
        m_spanButton->setText(tr("Ticks %1 to %2").arg(m_span->firstTick).arg(m_span->lastTick));
    m_spanButton->setVisible(spans);
    m_stack->setCurrentIndex(m_model.peers().empty() ? EmptyPage : GraphPage);
    m_waits->setFrozen(m_view->frozen()); // End and Esc thaw, too
    {
        const QSignalBlocker quiet(m_freeze);
        m_freeze->setChecked(m_view->frozen());
    }
    m_live->setEnabled(m_view->frozen() || !m_view->axis().following());
    m_dismissAll->setEnabled(m_waits->rowCount() > 0);
    m_noWaits->setVisible(m_waits->rowCount() == 0);
    const std::size_t waiting =
        m_view->frozen() ? m_model.waitingAt(m_view->shownTime()) : m_model.waitingNow();
    QString status = tr("%1 messages, %2 waiting").arg(m_model.size(), 5).arg(waiting, 2);
    if (m_model.missed() > 0)
        status += tr(", %1 records lost").arg(m_model.missed());
    if (m_status->text() != status)
        m_status->setText(status);
    showDetails();
}

void GraphPanel::showDetails() {
    const GraphHandshake* const handshake = m_model.handshakes().find(m_view->handshake());
    QString text = handshake != nullptr
                       ? handshakeDetails(m_theme, m_model, *handshake, m_view->shownTime())
                       : detailText(m_theme, m_model, m_view->current(), m_view->shownTime());
    if (text.isEmpty())
        text = QStringLiteral("<span style=\"color:%1\">%2</span>")
                   .arg(m_theme.color(Token::Muted).name(),
                        tr("Pick a message to see what happened to it and what it needs. Arrow keys go along messages, up to what one waits for."));
    if (text == m_shownDetails)
        return;
    m_shownDetails = text;
    const int at = m_details->verticalScrollBar()->value();
    m_details->setHtml(text);
    m_details->verticalScrollBar()->setValue(at);
}

QString GraphPanel::details() const { return m_details->toPlainText(); }

} // namespace sbx::ui

#include "moc_graph_panel.cpp"
