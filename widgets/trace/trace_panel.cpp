#include "widgets/trace/trace_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/filter_advice.h"
#include "widgets/trace/line_popup.h"
#include "widgets/trace/trace_conversation.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_filters.h"
#include "widgets/trace/trace_lanes.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_search_bar.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_values.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace sbx::ui {

namespace {

const QString Source = QStringLiteral("trace");

enum Page { RowsPage, EmptyPage, NoMatchPage };

} // namespace

TracePanel::TracePanel(const Theme& theme, TraceSource& source, Selection& selection, TraceStore store,
                       QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_selection(selection),
      m_context(source),
      m_model(new TraceModel(m_context, std::move(store), this)),
      m_view(new TraceView(theme, *m_model, this)),
      m_details(new TraceDetails(theme, *m_model, this)),
      m_typesModel(new TraceTypesModel(*m_model, this)),
      m_types(new TraceTypes(theme, *m_typesModel, this)),
      m_bar(new FilterBar(theme, Source, tr("Filter: type == Damage and to ~ crate*"), this)),
      m_timeline(new TraceTimeline(theme, *m_model, this)),
      m_lanes(new TraceLanes(theme, *m_model, *m_timeline, selection, this)),
      m_lanesHead(new QLabel(this)),
      m_timelineRow(new QHBoxLayout),
      m_lanesSplitter(new QSplitter(Qt::Vertical, this)),
      m_stack(new QStackedWidget(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_empty(new EmptyState(theme, QStringLiteral("trace"),
                             tr("No messages yet. They appear here while the world runs."), this)),
      m_noMatch(new EmptyState(theme, QStringLiteral("filter"), tr("No message matches the filter."), this)),
      m_clearFilter(new QAction(tr("Clear the filter"), this)),
      m_status(new QLabel(this)),
      m_conversation(new TraceConversation(*m_model, this)),
      m_search(new TraceSearch(*m_model, this)),
      m_searchBar(new TraceSearchBar(
          theme, *m_search, [this] { return hereForSearch(); }, this)),
      m_filters(new TraceFilters(
          theme, [this](const QString& text) { return faultOf(text); }, this)),
      m_comment(new LinePopup(theme, QStringLiteral("trace.comment"), this)) {
    setObjectName(QStringLiteral("trace"));
    setAccessibleName(tr("Trace"));
    m_empty->setObjectName(QStringLiteral("trace.empty"));
    m_noMatch->setObjectName(QStringLiteral("trace.noMatch"));
    m_noMatch->setAction(m_clearFilter);
    connect(m_clearFilter, &QAction::triggered, this, [this] {
        showEverything();
    });

    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_noMatch);
    m_stack->setCurrentIndex(EmptyPage);
    m_stack->setBackgroundRole(QPalette::Base);
    m_stack->setAutoFillBackground(true);
    m_splitter->setObjectName(QStringLiteral("trace.splitter"));
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setCollapsible(0, false);
    m_splitter->setSizes({980, 300});
    m_status->setObjectName(QStringLiteral("trace.status"));
    m_status->setAccessibleName(tr("Trace status"));
    m_status->setForegroundRole(QPalette::PlaceholderText);
    m_status->setTextFormat(Qt::RichText);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long line makes no wide panel
    m_status->setContentsMargins(measure::PanelPadding, 2, measure::PanelPadding, 2);
    connect(m_status, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == QLatin1String("older"))
            m_model->resumeOlder();
        else if (link == QLatin1String("heed"))
            m_model->ignored().clear();
        else if (link == QLatin1String("putBack"))
            putFilterBack();
        else
            m_types->popUp(*m_status);
    });

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_searchBar);
    column->addLayout(m_timelineRow);
    column->addWidget(m_lanesSplitter, 1);
    column->addWidget(m_status);

    buildBar();
    buildLanes();
    buildHeader();
    connectView();
    connectSelection();
    connectTimeline();
    connectConversation();
    connectSearch();
    connectMarks();
    connectIgnored();
    m_refreshTimer.setSingleShot(true);
    m_refreshTimer.setInterval(RefreshMs);
    connect(&m_refreshTimer, &QTimer::timeout, this, &TracePanel::refresh);
    connect(&theme, &Theme::changed, this, &TracePanel::refresh);
    connect(m_typesModel, &TraceTypesModel::recordMaskChanged, this, &TracePanel::refresh);
    // After those of the line itself: Esc ends what takes long before it takes the filter away.
    m_view->installEventFilter(this);
    m_bar->lineEdit().installEventFilter(this);
    refresh();
    m_model->start();
}

TracePanel::~TracePanel() {
    delete m_lanes; // they tell when they are hidden, and look at the model and the timeline then
}

QToolButton* TracePanel::toolButton(const QString& name, const QString& icon, const QString& title,
                                    const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("trace.") + name);
    button->setAccessibleName(title);
    button->setToolTip(tip);
    button->setIcon(m_theme.icon(icon));
    button->setAutoRaise(true);
    button->setFixedHeight(measure::ControlHeight);
    m_bar->addTrailing(button);
    return button;
}

void TracePanel::buildBar() {
    setFocusProxy(m_view);
    m_completer = new FilterCompleter(
        m_theme, m_bar->lineEdit(), [this]() -> const FilterSchema& { return m_context.schema(); },
        [this](const FilterField& field, std::string_view typed) {
            if (field.type != FilterType::Number)
                return valuesSeen(field, typed);
            const QLineEdit& edit = m_bar->lineEdit();
            const std::string before = edit.text().left(edit.cursorPosition()).toStdString();
            return numbersSeen(*m_model, field, filterDemands(before, before.size(), m_context.schema()));
        },
        this);
    if (const auto* fault = m_bar->findChild<QLabel*>(QStringLiteral("trace.problem")))
        m_completer->setFaultLine(*fault);
    m_completer->setFieldTest([this](const FilterField& field, const std::vector<FilterDemand>& demands) {
        return m_context.canHave(field, demands);
    });
    m_bar->lineEdit().setFont(m_theme.font(FontRole::Mono));
    connect(m_bar, &FilterBar::filterChanged, this, &TracePanel::applyFilter);
    connect(m_model, &TraceModel::typesAdded, this,
            [this] { adviseFilter(*m_bar, m_goodFilter, m_context); });
    connect(&m_bar->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { m_completer->remember(m_goodFilter); });

    buildMarkButtons();
    QToolButton* types = toolButton(QStringLiteral("types"), QStringLiteral("message"), tr("Types"),
                                    tr("Which message types are recorded and shown"));
    m_typesButton = types;
    types->setText(tr("Types"));
    types->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(types, &QToolButton::clicked, this, [this, types] { m_types->popUp(*types); });
    m_pauseButton = toolButton(QStringLiteral("pause"), QStringLiteral("pause"), tr("Pause the view"),
                               tr("Pause the view; the capture goes on (Space)"));
    m_pauseButton->setCheckable(true);
    connect(m_pauseButton, &QToolButton::toggled, this, &TracePanel::setPaused);
    QToolButton* clear = toolButton(QStringLiteral("clear"), QStringLiteral("clear"), tr("Clear the trace"),
                                    tr("Forget all messages captured so far"));
    connect(clear, &QToolButton::clicked, this, &TracePanel::clear);
    QToolButton* statistics = toolButton(QStringLiteral("showStatistics"), QStringLiteral("statistics"), tr("Statistics"),
                                         tr("Count what the list shows, by type, sender, receiver and handler"));
    connect(statistics, &QToolButton::clicked, this, &TracePanel::showStatistics);
    m_timelineButton = toolButton(QStringLiteral("showTimeline"), QStringLiteral("clock"), tr("Timeline"),
                                  tr("Show messages per tick; drag there to keep a stretch of time"));
    m_timelineButton->setCheckable(true);
    m_timelineButton->setChecked(true);
    connect(m_timelineButton, &QToolButton::toggled, this, &TracePanel::refresh);
    buildLanesButton();
    m_detailsButton = toolButton(QStringLiteral("showDetails"), QStringLiteral("info"), tr("Details"),
                                 tr("Show what the selected message carries and who handled it"));
    m_detailsButton->setCheckable(true);
    m_detailsButton->setChecked(true);
    connect(m_detailsButton, &QToolButton::toggled, this, &TracePanel::refresh);
}

// Names of entities and types are known of all messages; other texts of the newest.
std::vector<std::string> TracePanel::valuesSeen(const FilterField& field, std::string_view typed) const {
    std::vector<std::string> values = m_context.knownValues(field, typed);
    FilterFieldId id = 0;
    const bool found = m_context.schema().findId(field.name, id);
    if (!found
        || (id != RecordFilterSchema::Site && id != RecordFilterSchema::Through
            && id < RecordFilterSchema::FirstPayload))
        return values;
    const std::vector<std::string> seen = textsSeen(*m_model, field, typed);
    std::vector<std::string> all;
    std::set_union(values.begin(), values.end(), seen.begin(), seen.end(), std::back_inserter(all));
    return all;
}

void TracePanel::connectView() {
    connect(m_view, &TraceView::picked, this, &TracePanel::pick);
    connect(m_view, &TraceView::pauseRequested, this, [this] { setPaused(!m_model->isPaused()); });
    connect(m_view, &TraceView::copyRequested, this, [this] { copyRows(CopyAs::Text); });
    connect(m_view, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        const RecordView record = m_model->record(index.row());
        const std::string_view receiver = m_context.receiver(record);
        if (const auto gone = m_context.receiverGoneBy(record)) {
            const QRect row = m_view->visualRect(m_model->index(index.row(), TraceModel::Receiver));
            QToolTip::showText(
                m_view->viewport()->mapToGlobal(row.bottomLeft()),
                tr("%1 is gone by tick %2: there is no entity to go to.").arg(toQString(receiver)).arg(*gone),
                m_view->viewport());
        } else if (!receiver.empty()) {
            emit entityActivated(toQString(receiver));
        }
    });
    connect(m_view, &TraceView::followingChanged, this, [this](bool following) {
        const int rows = m_model->rowCount();
        m_lastSeen = following || rows == 0 ? 0 : m_model->sequence(rows - 1);
        if (following)
            m_sought = 0;
        refresh();
    });
    connect(m_view, &TraceView::pillClicked, this, &TracePanel::showNewest);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const QModelIndex index = m_view->indexAt(at);
        if (!index.isValid())
            return;
        const int handler = std::max(m_view->lineAt(at).part, -1);
        const std::unique_ptr<QMenu> menu(
            menuFor(index.row(), handler >= 0 ? -1 : index.column(), handler)); // it has no cells
        menu->exec(m_view->viewport()->mapToGlobal(at));
    });
    connect(m_model, &TraceModel::countsChanged, this, &TracePanel::refreshSoon);
    connect(m_model, &TraceModel::loaded, this, [this] {
        if (!m_chainShown)
            showChain();
        if (m_followed != 0)
            follow(m_followed);
    });
    connect(m_model, &TraceModel::fileTrouble, this, &TracePanel::tellTrouble);
    // Queued: what it finds may begin another scan, which none may be within.
    connect(
        m_model, &TraceModel::countsChanged, this,
        [this] {
            const std::uint64_t sought = std::exchange(m_sought, 0);
            if (sought != 0 && !reveal(sought))
                m_sought = sought;
        },
        Qt::QueuedConnection);
    connect(m_model, &TraceModel::pausedChanged, this, [this](bool paused) {
        m_pauseButton->setChecked(paused);
        m_pauseButton->setIcon(m_theme.icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
        m_pauseButton->setAccessibleName(paused ? tr("Resume the view") : tr("Pause the view"));
        refresh();
    });
    connect(m_model, &TraceModel::filtered, this, [this] {
        forgetNeeds(); // other rows
        restoreRow();
        const int top = m_view->firstVisibleRow();
        const bool waits = m_model->isSearchingOlder() && !m_view->isFollowing() && top < m_model->rowCount();
        m_restoreAt = waits ? m_model->sequence(top) : 0;
        refresh();
    });
    connect(m_model, &TraceModel::countsChanged, this, &TracePanel::restoreRowLater, Qt::QueuedConnection);
    connect(m_model, &TraceModel::tickRateChanged, this, [this] {
        if (auto filter = Filter::compile(m_goodFilter.toStdString(), m_context.schema())) {
            m_model->setFilter(std::move(*filter));
            refreshSoon();
        }
    });
    connect(m_model, &TraceModel::newRun, this, [this] {
        m_followed = 0;
        m_aside.reset(); // its message is gone
        forgetNeeds();
        select(0);
        m_selection.forgetTraces(Source);
        m_view->setFollowing(true);
        refresh();
    });
    connect(m_details, &TraceDetails::sequencePicked, this, &TracePanel::goTo);
    connect(m_details, &TraceDetails::recordWanted, m_typesModel, &TraceTypesModel::record);
    connect(m_details, &TraceDetails::codePicked, this, &TracePanel::codePicked);
    connect(m_details, &TraceDetails::menuOfField, this, &TracePanel::addDetailsMenu);
    connect(m_details, &TraceDetails::entityPicked, this,
            [this](const QString& entity) { m_selection.setEntity(entity.toStdString(), Source); });
}

void TracePanel::connectSelection() {
    connect(&m_selection, &Selection::traceChanged, this,
            [this](std::uint64_t sequence, const QString& source) {
                // The way back leads to what was selected then, whatever the message's receiver is.
                if (source != Source && sequence != m_current)
                    seek(sequence, source != QStringLiteral("history"));
            });
    // A person who looks elsewhere by now, or has said what is to be shown, is not taken away from it. reveal() does the same things: those who
    // call it keep the number meanwhile.
    connect(&m_selection, &Selection::entitiesChanged, this, [this] { m_sought = 0; });
    connect(&m_bar->lineEdit(), &QLineEdit::textChanged, this, [this] {
        m_sought = 0;
        m_aside.reset();
    });
    connect(m_typesModel, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) {
                if (first.column() <= TraceTypesModel::Show && last.column() >= TraceTypesModel::Show) {
                    m_sought = 0;
                    m_aside.reset();
                }
            });
}

void TracePanel::setPlayAction(QAction* play) { m_empty->setAction(play); }

QString TracePanel::filterText() const { return m_bar->text(); }

QString TracePanel::filterProblem() const { return m_bar->problem(); }

void TracePanel::setFilterText(const QString& text) {
    m_bar->setText(text);
    m_completer->remember(m_goodFilter);
}

void TracePanel::applyFilter(const QString& text) {
    m_followed = 0;
    auto filter = Filter::compile(text.toStdString(), m_context.schema());
    adviseFilter(*m_bar, text, m_context);
    if (!filter) {
        m_bar->setProblem(QString::fromStdString(filter.error().message));
        m_completer->markFault(filter.error());
        return;
    }
    m_bar->setProblem({});
    m_completer->clearFault();
    m_goodFilter = text;
    if (text.trimmed() == QString::fromStdString(m_model->filter().text()).trimmed())
        return;
    const int top = m_view->firstVisibleRow();
    m_anchor = top < m_model->rowCount() ? m_model->sequence(top) : 0;
    m_model->setFilter(std::move(*filter));
    refresh();
}

// After a new filter the eye finds what it looked at: the selected row, else the row at the top.
void TracePanel::restoreRow() {
    const QScopedValueRollback sought(m_sought); // this is not a request of the user to follow again
    if (const int row = m_current == 0 ? -1 : m_model->rowOfSequence(m_current); row >= 0) {
        const bool following = m_view->isFollowing();
        m_view->showRow(row);
        m_view->setFollowing(following);
    } else if (!m_view->isFollowing() && m_anchor != 0) {
        m_view->scrollTo(
            m_model->index(std::min(m_model->rowAtOrAfter(m_anchor), m_model->rowCount() - 1), 0),
            QAbstractItemView::PositionAtTop);
    }
}

void TracePanel::pick(int row) {
    const RecordView record = m_model->record(row);
    const std::uint64_t sequence = record.sequence();
    m_view->setFollowing(false);
    select(sequence);
    const std::string_view receiver = m_context.receiver(record);
    if (receiver.empty())
        m_selection.setTrace(sequence, Source);
    else
        m_selection.setTraceAndEntity(sequence, std::string(receiver), Source);
}

// Shows the record in the details and marks its chain; the shared selection is not touched.
void TracePanel::select(std::uint64_t sequence) {
    m_current = sequence;
    m_sought = 0;
    m_conversation->stop();
    m_details->show(sequence);
    m_lanes->setCurrent(sequence);
    showChain();
}

void TracePanel::goTo(std::uint64_t sequence) { seek(sequence, true); }

void TracePanel::seek(std::uint64_t sequence, bool selects) {
    m_seekSelects = selects;
    if (sequence == 0) {
        select(0);
        m_view->clearSelection();
        return;
    }
    select(sequence);
    if (!reveal(sequence) && m_model->store().rowOf(sequence))
        m_sought = sequence;
}

bool TracePanel::reveal(std::uint64_t sequence) {
    const bool hides = m_model->hidesTypes() || m_model->isMarkedOnly() || !m_model->filter().matchesAll();
    if (hides && m_model->isHidden(sequence))
        takeFilterAway(sequence); // what was asked for comes before what was filtered
    const int row = m_model->rowOfSequence(sequence);
    if (row < 0)
        return false;
    m_view->showRow(row);
    if (!m_seekSelects)
        return true;
    const std::string_view receiver = m_context.receiver(m_model->record(row));
    if (receiver.empty())
        m_selection.setTrace(sequence, Source);
    else
        m_selection.setTraceAndEntity(sequence, std::string(receiver), Source);
    return true;
}

void TracePanel::showArriving(std::uint64_t sequence) {
    setPaused(false);
    m_model->catchUp();
    m_view->setFollowing(false);
    goTo(sequence);
}

void TracePanel::clear() {
    m_aside.reset();
    m_model->catchUp();
    m_model->clear();
    select(0);
}

void TracePanel::setPaused(bool paused) { m_model->setPaused(paused && !m_isFile); }

// At most ten times a second, however fast messages come; the first ones at once.
void TracePanel::refreshSoon() {
    if (m_stack->currentIndex() != RowsPage && m_model->rowCount() > 0)
        refresh();
    if (!m_refreshTimer.isActive())
        m_refreshTimer.start();
}

void TracePanel::recordType(const QString& type) { m_typesModel->record(type); }

void TracePanel::setShownWorld(const QString& name) {
    if (std::exchange(m_shownWorld, name) != name)
        refresh();
}

void TracePanel::refresh() {
    const std::size_t total = m_model->store().size();
    const int shown = m_model->rowCount();
    m_bar->setCounts(shown, static_cast<qint64>(total), m_model->hidesTypes() || m_model->isMarkedOnly());
    m_details->setVisible(total > 0 && m_detailsButton->isChecked());
    m_noMatch->setLine(noMatchText());
    m_stack->setCurrentIndex(total == 0                              ? EmptyPage
                             : shown == 0 && !m_model->isFiltering() ? NoMatchPage
                                                                     : RowsPage);
    refreshPill();
    m_timeline->setVisible(total > 0 && m_timelineButton->isChecked());
    showBrush();
    if (m_timeline->isVisible()) {
        m_timeline->refresh();
        refreshTimeline();
    }
    refreshLanes();
    if (m_types->isVisible())
        m_typesModel->refresh();
    if (m_view->header().isSectionHidden(TraceModel::World) && m_context.worldsSeen() > 1 && !m_worldsShown) {
        m_worldsShown = true;
        m_view->header().showSection(TraceModel::World);
    }
    fitColumns();
    const QStringList off = m_typesModel->notRecorded();
    if (const QString text = off.isEmpty() ? tr("Types") : tr("Types, %1 off").arg(off.size()); m_typesButton->text() != text)
        m_typesButton->setText(text);
    refreshFaultsButton();
    const QString status = statusText();
    if (m_status->text() != status)
        m_status->setText(status);
    m_status->setVisible(!status.isEmpty());
    const QString limits = limitsText();
    m_status->setToolTip(limits.isEmpty() ? QString() : tipText(limits));
}

void TracePanel::refreshPill() {
    if (m_model->isPaused()) {
        m_view->setPill(m_model->arrivedWhilePaused(), true);
        return;
    }
    const int rows = m_model->rowCount();
    // What is in view is not new.
    if (const int last = std::min(m_view->firstVisibleRow() + m_view->visibleRows(), rows) - 1;
        m_lastSeen != 0 && last >= 0 && m_stack->currentIndex() == RowsPage)
        m_lastSeen = std::max(m_lastSeen, m_model->sequence(last));
    if (m_view->isFollowing() || m_lastSeen == 0)
        m_view->setPill(0, false);
    else
        m_view->setPill(static_cast<std::uint64_t>(rows - m_model->rowAtOrAfter(m_lastSeen + 1)), false);
}

QVariantMap TracePanel::saveState() const {
    QStringList hidden;
    for (const MessageType* type : m_context.types())
        if (!m_model->isShown(type->id))
            hidden.append(QString::fromStdString(type->name));
    return {{QStringLiteral("header"), m_view->header().saveState()},
            {QStringLiteral("collapse"), m_model->isCollapsing()},
            {QStringLiteral("columns"), TraceModel::ColumnCount},
            {QStringLiteral("sized"), sizedColumns()},
            {QStringLiteral("deliveryAway"), m_deliveryAway},
            {QStringLiteral("deliveryStays"), m_deliveryStays},
            {QStringLiteral("fieldColumns"), m_model->fieldColumns()},
            {QStringLiteral("splitter"), m_splitter->saveState()},
            {QStringLiteral("filter"), m_goodFilter},
            {QStringLiteral("history"), m_completer->history()},
            {QStringLiteral("hidden"), hidden},
            {QStringLiteral("timeline"), m_timelineButton->isChecked()},
            {QStringLiteral("lanes"), m_lanesButton->isChecked()},
            {QStringLiteral("lanesHeight"), m_lanesHeight},
            {QStringLiteral("details"), m_detailsButton->isChecked()}};
}

void TracePanel::restoreState(const QVariantMap& state) {
    restoreColumns(state);
    m_model->setCollapsing(state.value(QStringLiteral("collapse")).toBool());
    if (const QByteArray splitter = state.value(QStringLiteral("splitter")).toByteArray();
        !splitter.isEmpty())
        m_splitter->restoreState(splitter);
    m_completer->setHistory(state.value(QStringLiteral("history")).toStringList());
    m_detailsButton->setChecked(state.value(QStringLiteral("details"), true).toBool());
    m_timelineButton->setChecked(state.value(QStringLiteral("timeline"), true).toBool());
    m_lanesHeight = state.value(QStringLiteral("lanesHeight")).toInt();
    m_lanesButton->setChecked(m_timelineButton->isChecked() && state.value(QStringLiteral("lanes")).toBool());
    std::vector<MessageTypeId> hidden;
    for (const QString& name : state.value(QStringLiteral("hidden")).toStringList())
        if (const MessageType* type = findMessageType(name.toStdString()))
            hidden.push_back(type->id);
    m_model->setShownTypes(hidden);
    setFilterText(state.value(QStringLiteral("filter")).toString());
}

} // namespace sbx::ui

#include "moc_trace_panel.cpp"
