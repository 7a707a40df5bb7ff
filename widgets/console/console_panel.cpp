#include "widgets/console/console_panel.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QShortcut>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/session/watches.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/theme.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_input.h"
#include "widgets/console/cvar_model.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/log_model.h"
#include "widgets/console/log_view.h"
#include "widgets/console/message_note.h"
#include "widgets/console/severity_pill.h"
#include "widgets/console/watch_list.h"

namespace sbx::ui {

namespace {

constexpr int PollMs = 100;
constexpr std::size_t MaxAtOnce = 5000; // records a poll: a flood must not stall the window

} // namespace

ConsolePanel::ConsolePanel(const Theme& theme, ConsoleBackend& backend, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_backend(backend),
      m_model(new LogModel(this)),
      m_view(new LogView(theme, *m_model, this)),
      m_filter(new FilterBar(theme, QStringLiteral("console"), tr("Filter the log"), this)),
      m_input(new ConsoleInput(theme, backend, this)),
      m_message(new MessageNote(theme, this)),
      m_fill(new QAction(tr("Show help"), this)) {
    setObjectName(QStringLiteral("console"));
    setAccessibleName(tr("Console"));

    m_expression = button(QStringLiteral("expression"), {}, QStringLiteral(".*"),
                          tr("Read the filter as a regular expression"));
    m_expression->setCheckable(true);
    m_filter->addTrailing(m_expression);
    auto* pills = new QWidget(this);
    auto* pillRow = new QHBoxLayout(pills);
    pillRow->setContentsMargins(0, 0, 0, 0);
    pillRow->setSpacing(measure::RelatedGap);
    const auto addPill = [&](LogSeverity severity, const QString& label) {
        auto* pill = new SeverityPill(theme, severity, label, pills);
        connect(pill, &SeverityPill::toggled, this,
                [this, severity](bool on) { m_model->setSeverityShown(severity, on); });
        m_pills[static_cast<std::size_t>(severity)] = pill;
        pillRow->addWidget(pill);
    };
    addPill(LogSeverity::Error, tr("Errors"));
    addPill(LogSeverity::Warning, tr("Warnings"));
    addPill(LogSeverity::Info, tr("Information"));
    addPill(LogSeverity::Debug, tr("Debug lines"));
    addPill(LogSeverity::Trace, tr("Trace lines"));
    m_filter->addTrailing(pills);
    m_channelMenu = new QMenu(this);
    m_channelMenu->setObjectName(QStringLiteral("console.channelMenu"));
    m_channels =
        button(QStringLiteral("channels"), {}, tr("Channels"), tr("Which parts of the program are shown"));
    m_channels->setPopupMode(QToolButton::InstantPopup);
    m_channels->setMenu(m_channelMenu);
    m_filter->addTrailing(m_channels);
    m_pause = button(QStringLiteral("pause"), QStringLiteral("pause"), {},
                     tr("Pause the view (Space in the log); the log goes on"));
    m_pause->setCheckable(true);
    m_filter->addTrailing(m_pause);
    QToolButton* copyButton = button(QStringLiteral("copy"), QStringLiteral("duplicate"), {},
                                     tr("Copy the selected lines, or all that are shown"));
    m_filter->addTrailing(copyButton);
    QToolButton* clearButton = button(QStringLiteral("clear"), QStringLiteral("delete"), {},
                                      tr("Clear the view (Ctrl+L); the log file keeps all"));
    m_filter->addTrailing(clearButton);

    m_empty = new EmptyState(theme, QStringLiteral("console"), {}, this);
    m_empty->setAction(m_fill);
    m_switch = new EmptySwitch(m_view, m_empty, this);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filter);
    m_split = new QSplitter(Qt::Horizontal, this);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_switch);
    m_split->setStretchFactor(0, 3);
    if (backend.watches() != nullptr)
        createWatches();
    if (backend.cvars() != nullptr)
        createTable();
    setAcceptDrops(m_watches != nullptr);
    column->addWidget(m_split, 1);
    column->addWidget(m_message);
    connect(m_message, &MessageNote::clicked, this, [this] {
        LogLink link;
        link.kind = LinkKind::Message;
        link.target = QString::number(m_messageNumber);
        emit linkActivated(link);
    });
    auto* line = new QHBoxLayout;
    line->setSpacing(measure::RelatedGap);
    line->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                             measure::PanelPadding);
    m_target = new QComboBox(this);
    m_target->setObjectName(QStringLiteral("console.target"));
    m_target->setAccessibleName(tr("Where lines run"));
    m_target->setToolTip(tr("Where lines run that do not say it themselves (@NAME LINE)"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_target->hide();
    line->addWidget(m_target);
    line->addWidget(m_input, 1);
    connect(m_target, &QComboBox::activated, this, [this] {
        m_backend.setTarget(m_target->currentText());
        showTarget();
        m_input->setFocus(Qt::OtherFocusReason);
    });
    column->addLayout(line);
    setFocusProxy(m_input);

    connect(&theme, &Theme::changed, this, &ConsolePanel::showTarget);
    connect(m_filter, &FilterBar::filterChanged, this, &ConsolePanel::applyText);
    connect(m_expression, &QToolButton::toggled, this, &ConsolePanel::applyText);
    connect(m_channelMenu, &QMenu::aboutToShow, this, &ConsolePanel::fillChannels);
    connect(m_pause, &QToolButton::toggled, this, &ConsolePanel::setPaused);
    connect(copyButton, &QToolButton::clicked, this, &ConsolePanel::copy);
    connect(clearButton, &QToolButton::clicked, this, &ConsolePanel::clear);
    connect(m_fill, &QAction::triggered, this, [this] {
        if (m_model->total() > 0)
            clearFilters();
        else
            m_backend.submit(QStringLiteral("help"));
    });
    connect(m_model, &LogModel::countsChanged, this, &ConsolePanel::refreshCounts);
    m_view->installEventFilter(this);
    connect(m_view, &LogView::pauseRequested, this, [this] { setPaused(!m_paused); });
    connect(m_view, &LogView::copyRequested, this, &ConsolePanel::copy);
    connect(m_view, &LogView::pillClicked, this, [this] {
        setPaused(false);
        m_view->setFollowing(true);
    });
    connect(m_view, &LogView::followingChanged, this, [this] {
        m_seen = m_model->latest();
        refreshPill();
    });
    connect(m_input, &ConsoleInput::submitted, this, &ConsolePanel::submit);
    connect(m_input, &ConsoleInput::left, this, &ConsolePanel::left);
    connect(m_view, &LogView::linkActivated, this, [this](const LogLink& link) {
        if (link.kind == LinkKind::CVar && m_table != nullptr) {
            setTableShown(true);
            m_table->showCVar(link.target);
        } else if (link.kind == LinkKind::Command) {
            m_backend.submit(QStringLiteral("help ") + link.target);
        } else {
            emit linkActivated(link);
        }
    });
    setLinkNames({});
    connect(&backend, &ConsoleBackend::answered, this, &ConsolePanel::poll);
    m_filter->focusOnFind(*this);
    m_filter->leaveOnEsc();
    auto* clearKey = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_L), this);
    clearKey->setContext(Qt::WidgetWithChildrenShortcut);
    connect(clearKey, &QShortcut::activated, this, &ConsolePanel::clear);

    auto* timer = new QTimer(this);
    timer->setInterval(PollMs);
    connect(timer, &QTimer::timeout, this, &ConsolePanel::poll);
    timer->start();
    poll();
    refreshCounts();
}

// Something beside the log, with a button that shows it.
QToolButton* ConsolePanel::addSide(QWidget& side, const QString& name, const QString& icon,
                                   const QString& tip) {
    side.hide();
    m_split->addWidget(&side);
    m_split->setStretchFactor(m_split->count() - 1, 2);
    QToolButton* shown = button(name, icon, {}, tip);
    shown->setCheckable(true);
    m_filter->addTrailing(shown);
    connect(shown, &QToolButton::toggled, &side, &QWidget::setVisible);
    return shown;
}

void ConsolePanel::createTable() {
    m_table = new CVarTable(m_theme, *m_backend.cvars(), this);
    m_tableButton =
        addSide(*m_table, QStringLiteral("table"), QStringLiteral("settings"), tr("CVars beside the log"));
    connect(m_table, &CVarTable::requested, this, &ConsolePanel::submit);
    m_table->setWatching(m_watches != nullptr);
}

void ConsolePanel::createWatches() {
    m_watches = new WatchList(m_theme, *m_backend.watches(), this);
    m_watchButton =
        addSide(*m_watches, QStringLiteral("watch"), QStringLiteral("eye"), tr("Watches beside the log"));
    connect(m_watches, &WatchList::requested, this, &ConsolePanel::submit);
    connect(m_watches, &WatchList::typingRequested, this, &ConsolePanel::type);
}

// Where lines may run, while there is a choice.
void ConsolePanel::fillTargets() {
    QStringList names = m_backend.targets();
    if (names.size() > 1)
        names.append(QStringLiteral("all"));
    m_target->clear();
    m_target->addItems(names);
    // One that is gone hands over to the own world.
    if (!names.contains(m_backend.target()))
        m_backend.setTarget({});
    m_target->setCurrentText(m_backend.target());
    m_target->setVisible(names.size() > 1);
    showTarget();
}

// In the prompt, in the colour that a peer has everywhere.
void ConsolePanel::showTarget() {
    const QStringList names = m_backend.targets();
    const auto index = static_cast<int>(names.indexOf(m_backend.target()));
    m_input->setTarget(names.size() > 1 ? m_backend.target() : QString(),
                       index < 0 ? QColor() : m_theme.peer(index));
}

void ConsolePanel::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(CVarMimeType)))
        event->acceptProposedAction();
}

void ConsolePanel::dragMoveEvent(QDragMoveEvent* event) {
    // Let go where it was taken, nothing happens.
    const bool back = m_table != nullptr && m_table->isVisible()
                      && m_table->rect().contains(m_table->mapFrom(this, event->position().toPoint()));
    event->setAccepted(!back);
}

void ConsolePanel::dropEvent(QDropEvent* event) {
    const QByteArray names = event->mimeData()->data(QLatin1String(CVarMimeType));
    for (const QByteArray& name : names.split('\n'))
        if (!name.isEmpty())
            submit(QStringLiteral("watch ") + QString::fromUtf8(name));
    setWatchesShown(true);
    event->acceptProposedAction();
}

void ConsolePanel::type(const QString& begin) { m_input->type(begin); }

void ConsolePanel::setWatchesShown(bool shown) {
    if (m_watchButton != nullptr)
        m_watchButton->setChecked(shown);
}

bool ConsolePanel::areWatchesShown() const { return m_watchButton != nullptr && m_watchButton->isChecked(); }

void ConsolePanel::submit(const QString& line) {
    // Who types wants to see the answer.
    setPaused(false);
    m_view->setFollowing(true);
    m_backend.submit(line);
}

void ConsolePanel::setMessage(quint64 sequence, const QString& text) {
    m_messageNumber = sequence;
    m_message->say(sequence == 0 ? QString() : text);
}

void ConsolePanel::setTableShown(bool shown) {
    if (m_tableButton != nullptr)
        m_tableButton->setChecked(shown);
}

bool ConsolePanel::isTableShown() const { return m_tableButton != nullptr && m_tableButton->isChecked(); }

void ConsolePanel::setLinkNames(LinkNames names) {
    const CVarRegistry* const cvars = m_backend.cvars();
    if (cvars != nullptr && !names.isCVar)
        names.isCVar = [cvars](const QString& name) { return cvars->contains(name.toStdString()); };
    const CommandRegistry* const commands = m_backend.commands();
    if (commands != nullptr && !names.isCommand)
        names.isCommand = [commands](const QString& name) {
            return commands->find(name.toStdString()) != nullptr;
        };
    names.preview = [cvars, commands, others = std::move(names.preview)](const LogLink& link) {
        if (link.kind == LinkKind::Command && commands != nullptr) {
            const auto command = commands->find(link.target.toStdString());
            return command ? QString::fromStdString(command->usage() + "\n" + command->doc) : QString();
        }
        if (link.kind != LinkKind::CVar || cvars == nullptr)
            return others ? others(link) : QString();
        const std::optional<CVarInfo> cvar = cvars->describe(link.target.toStdString());
        return cvar
                   ? QString::fromStdString(cvar->field.name + " = " + cvar->shown() + "\n" + cvar->field.doc)
                   : QString();
    };
    m_view->setLinkNames(std::move(names));
}

QToolButton* ConsolePanel::button(const QString& name, const QString& icon, const QString& text,
                                  const QString& tip) {
    auto* made = new QToolButton(this);
    made->setObjectName(QStringLiteral("console.") + name);
    made->setAccessibleName(tip);
    made->setToolTip(tip);
    made->setAutoRaise(true);
    if (!icon.isEmpty())
        made->setIcon(m_theme.icon(icon));
    if (!text.isEmpty()) {
        made->setText(text);
        made->setToolButtonStyle(Qt::ToolButtonTextOnly);
    }
    return made;
}

void ConsolePanel::addActions(ActionRegistry& registry) {
    const auto add = [&](const char* id, const QString& text, const QString& icon, const QString& doc,
                         std::function<void()> run) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.icon = icon;
        action.doc = doc;
        action.run = [run = std::move(run)](bool) { run(); };
        registry.add(std::move(action));
    };
    add("console.focus", tr("Type into the console"), QStringLiteral("console"),
        tr("Puts the cursor into the console's line."), [this] { focusInput(); });
    add("console.clear", tr("Clear the console"), QStringLiteral("delete"),
        tr("Empties the view; the log file keeps all."), [this] { clear(); });
    add("console.copy", tr("Copy console lines"), QStringLiteral("duplicate"),
        tr("The selected lines, or all that are shown."), [this] { copy(); });
    if (m_table != nullptr) {
        Action table;
        table.id = QStringLiteral("console.cvars");
        table.text = tr("Show CVars beside the console");
        table.icon = QStringLiteral("settings");
        table.doc = tr("All variables in a table: find, change, reset, star.");
        table.checkable = true;
        table.checked = [this] { return isTableShown(); };
        table.run = [this](bool on) { setTableShown(on); };
        registry.add(std::move(table));
    }
    if (m_watches != nullptr) {
        Action watches;
        watches.id = QStringLiteral("console.watches");
        watches.text = tr("Show watches beside the console");
        watches.icon = QStringLiteral("eye");
        watches.doc = tr("Values under watch, with their last minute.");
        watches.checkable = true;
        watches.checked = [this] { return areWatchesShown(); };
        watches.run = [this](bool on) { setWatchesShown(on); };
        registry.add(std::move(watches));
    }
    Action pause;
    pause.id = QStringLiteral("console.pause");
    pause.text = tr("Pause the console");
    pause.icon = QStringLiteral("pause");
    pause.doc = tr("The view stands still; the log goes on.");
    pause.checkable = true;
    pause.checked = [this] { return m_paused; };
    pause.run = [this](bool on) { setPaused(on); };
    registry.add(std::move(pause));
}

void ConsolePanel::keepHistory(const QString& file) {
    // A file that cannot be read is not written over; one that cannot be written costs the memory, not the line.
    if (!m_input->history().load(file))
        return;
    connect(m_input, &ConsoleInput::historyChanged, this, [this, file] {
        static_cast<void>(
            m_input->history().save(file, [this](const QString& line) { return m_backend.isSecret(line); }));
    });
}

QStringList ConsolePanel::history() const { return m_input->history().lines(); }

void ConsolePanel::setPaused(bool paused) {
    if (m_paused == paused)
        return;
    m_paused = paused;
    m_pause->setChecked(paused);
    poll();
    refreshPill();
}

void ConsolePanel::clear() {
    // What came in while paused goes too.
    const bool paused = m_paused;
    m_paused = false;
    while (m_model->latest() < m_backend.logLatest())
        poll();
    m_paused = paused;
    m_model->clear();
    m_seen = m_model->latest();
    m_view->setFollowing(true);
    refreshPill();
}

void ConsolePanel::copy() { QGuiApplication::clipboard()->setText(m_view->copyText()); }

// Who types beside the line means the line.
bool ConsolePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_view || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* const key = static_cast<QKeyEvent*>(event);
    const QString text = key->text();
    const bool isText = !text.isEmpty() && text[0].isPrint() && !text[0].isSpace()
                        && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!isText)
        return false;
    m_input->setFocus(Qt::OtherFocusReason); // selects nothing: what stands there stays
    QCoreApplication::sendEvent(m_input, event);
    return true;
}

void ConsolePanel::focusInput() { m_input->setFocus(Qt::ShortcutFocusReason); }

void ConsolePanel::poll() {
    if (!m_paused && m_backend.logLatest() != m_model->latest())
        m_model->append(m_backend.logSince(m_model->latest(), MaxAtOnce));
    if (m_backend.targetRevision() != m_targetRevision) {
        m_targetRevision = m_backend.targetRevision();
        fillTargets();
    }
    followWatches();
    refreshPill();
}

// Who adds a watch wants to see it.
void ConsolePanel::followWatches() {
    const Watches* const watches = m_backend.watches();
    if (watches == nullptr || watches->revision() == m_watchRevision)
        return;
    m_watchRevision = watches->revision();
    const int count = static_cast<int>(watches->list().size());
    if (count > m_watchCount)
        setWatchesShown(true);
    m_watchCount = count;
}

void ConsolePanel::applyText() {
    m_filter->setProblem(m_model->setText(m_filter->text(), m_expression->isChecked()));
}

void ConsolePanel::clearFilters() {
    for (SeverityPill* pill : m_pills)
        pill->setChecked(true);
    for (const QString& channel : m_model->channels().keys())
        m_model->setChannelShown(channel, true);
    m_filter->setText({});
}

void ConsolePanel::refreshCounts() {
    for (SeverityPill* pill : m_pills) {
        const quint64 count = m_model->count(pill->severity());
        pill->setCount(count);
        // Rare ones take no room while they have nothing to say.
        pill->setVisible(pill->severity() >= LogSeverity::Info || count > 0 || !pill->isChecked());
    }
    const int shown = m_model->rowCount();
    const int total = m_model->total();
    m_filter->setCounts(shown, total);
    qsizetype hidden = 0;
    for (const QString& channel : m_model->channels().keys())
        hidden += m_model->channelShown(channel) ? 0 : 1;
    m_channels->setText(hidden == 0 ? tr("Channels") : tr("Channels (%1 hidden)").arg(hidden));
    m_switch->setEmpty(shown == 0);
    if (shown == 0) {
        m_empty->setLine(total == 0 ? tr("Nothing logged to show. Type a command below.")
                                    : tr("The filter hides all %1 lines.").arg(total));
        m_fill->setText(total == 0 ? tr("Show help") : tr("Show all lines"));
    }
}

void ConsolePanel::refreshPill() {
    if (m_paused)
        m_view->setPill(m_backend.logLatest() - m_model->latest(), true);
    else
        m_view->setPill(m_view->isFollowing() ? 0 : m_model->latest() - m_seen, false);
}

void ConsolePanel::fillChannels() {
    m_channelMenu->clear();
    const auto& channels = m_model->channels();
    for (auto it = channels.begin(); it != channels.end(); ++it) {
        QAction* action = m_channelMenu->addAction(
            tr("%1  (%2)").arg(it.key(), QLocale(QLocale::English).toString(it.value())));
        action->setCheckable(true);
        action->setChecked(m_model->channelShown(it.key()));
        connect(action, &QAction::toggled, this,
                [this, channel = it.key()](bool on) { m_model->setChannelShown(channel, on); });
    }
    if (channels.isEmpty())
        m_channelMenu->addAction(tr("No channel has spoken yet"))->setEnabled(false);
}

} // namespace sbx::ui

#include "moc_console_panel.cpp"
