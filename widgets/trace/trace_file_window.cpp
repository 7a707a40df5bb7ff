#include "widgets/trace/trace_file_window.h"

#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_panel.h"

#include <utility>

namespace sbx::ui {

namespace {

constexpr std::size_t LinesAtOnce = 64; // between two looks at the clock
constexpr qsizetype ShownFaults = 3;

// What could not be read and what was left out, a line each.
QStringList faultLines(const FileTraceSource& source) {
    QStringList out;
    std::uint64_t named = 0;
    for (const TraceFault& fault : source.file().faults()) {
        named += fault.lines;
        const QString line = TraceFileWindow::tr("Line %L1: %2").arg(fault.error.region.line).arg(QString::fromStdString(fault.error.message));
        out.append(fault.lines == 1 ? line : TraceFileWindow::tr("%1 (%L2 lines)").arg(line).arg(fault.lines));
    }
    if (const std::uint64_t more = source.file().skipped() - named; more > 0)
        out.append(TraceFileWindow::tr("%L1 more lines could not be read").arg(more));
    for (const auto& [remark, records] : source.reader().remarks())
        out.append(records == 1 ? QString::fromStdString(remark) : TraceFileWindow::tr("%1 (%L2 messages)").arg(QString::fromStdString(remark)).arg(records));
    return out;
}

} // namespace

TraceFileWindow::TraceFileWindow(const Theme& theme, TraceFile file, const QString& path,
                                 TraceReader::HandlerLookup handlers, const TraceSource& live,
                                 TraceLimits limits, const ActionRegistry* session, QWidget* parent)
    : QDialog(parent, Qt::Window),
      m_path(path),
      m_source(std::move(file), std::move(handlers), live),
      m_actions(theme),
      m_panel(std::make_unique<TracePanel>(theme, m_source, m_selection, TraceStore(std::move(limits)))),
      m_title(new QLabel(this)),
      m_faults(new QLabel(this)),
      m_said(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_stop(new QPushButton(tr("Stop reading"), this)) {
    const QString name = QFileInfo(path).fileName();
    setObjectName(QStringLiteral("traceFile"));
    setAccessibleName(tr("Trace file"));
    setWindowTitle(tr("%1 — trace file").arg(shownText(name)));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(1280, 640);

    auto* icon = new QLabel(this);
    const auto drawIcon = [icon, &theme] { icon->setPixmap(theme.icon(QStringLiteral("file"), Token::Muted).pixmap(measure::IconSize, measure::IconSize)); };
    drawIcon();
    connect(&theme, &Theme::changed, icon, drawIcon);
    m_title->setObjectName(QStringLiteral("traceFile.title"));
    m_title->setToolTip(tipText(QDir::toNativeSeparators(path)));
    m_faults->setObjectName(QStringLiteral("traceFile.faults"));
    m_faults->setAccessibleName(tr("What could not be read"));
    m_faults->setWordWrap(true);
    m_faults->setIndent(measure::IconSize + measure::PanelPadding); // below the title
    m_faults->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setTextToken(*m_faults, theme, Token::Error);
    m_said->setObjectName(QStringLiteral("traceFile.said"));
    m_said->setWordWrap(true);
    m_said->setIndent(measure::IconSize + measure::PanelPadding);
    setTextToken(*m_said, theme, Token::Muted);
    m_said->hide();
    m_progress->setObjectName(QStringLiteral("traceFile.progress"));
    m_progress->setAccessibleName(tr("How much of the file was read"));
    m_progress->setFixedWidth(160);
    m_progress->setTextVisible(false);
    m_stop->setObjectName(QStringLiteral("traceFile.stop"));
    m_stop->setAutoDefault(false);
    connect(m_stop, &QPushButton::clicked, this, &TraceFileWindow::stopReading);

    m_panel->showFile(tr("There is no message in this file."));
    m_panel->addActions(m_actions);
    if (session != nullptr)
        followKeys(*session);
    m_panel->setExportFolder(QFileInfo(path).absolutePath());
    const auto say = [this](const QString& text) {
        m_said->setText(text);
        m_said->show();
    };
    connect(m_panel.get(), &TracePanel::said, this, say);
    connect(m_panel.get(), &TracePanel::problem, this, say);
    connect(m_panel.get(), &TracePanel::entityActivated, this, [say](const QString& entity) {
        say(tr("%1 is a name in this file: there is no entity to go to.").arg(shownLine(entity)));
    });
    // The file says which file that is: nothing is opened on its word.
    connect(m_panel.get(), &TracePanel::codePicked, this, [say](const QString& codeFile, int codeLine) {
        const QString place = QStringLiteral("%1:%2").arg(codeFile).arg(codeLine);
        QGuiApplication::clipboard()->setText(place);
        say(tr("%1 is in the clipboard. What a trace file names is not opened.").arg(shownLine(place)));
    });

    auto* line = new QHBoxLayout;
    line->setSpacing(measure::PanelPadding);
    line->addWidget(icon);
    line->addWidget(m_title, 1);
    line->addWidget(m_progress);
    line->addWidget(m_stop);
    auto* banner = new QVBoxLayout;
    banner->setContentsMargins(measure::PanelPadding, measure::PanelPadding, measure::PanelPadding, measure::PanelPadding);
    banner->setSpacing(measure::RelatedGap);
    banner->addLayout(line);
    banner->addWidget(m_faults);
    banner->addWidget(m_said);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(banner);
    layout->addWidget(m_panel.get(), 1);

    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, [this] { readSome(SliceMs); });
    m_timer.start();
    showState();
    m_panel->filterBar().lineEdit().setFocus();
}

TraceFileWindow::~TraceFileWindow() = default;

void TraceFileWindow::followKeys(const ActionRegistry& session) {
    for (const QString& id : m_actions.ids())
        if (session.find(id) != nullptr)
            m_actions.setShortcuts(id, session.shortcuts(id));
    connect(&session, &ActionRegistry::shortcutsChanged, this, [this, &session](const QString& id) {
        if (m_actions.find(id) != nullptr)
            m_actions.setShortcuts(id, session.shortcuts(id));
    });
}

bool TraceFileWindow::readSome(int milliseconds) {
    if (!m_timer.isActive())
        return false;
    QElapsedTimer clock;
    clock.start();
    bool more = true;
    do
        more = m_source.read(LinesAtOnce);
    while (more && clock.elapsed() < milliseconds);
    if (!more)
        m_timer.stop();
    showState();
    if (!more)
        emit finished();
    return more;
}

void TraceFileWindow::stopReading() {
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    m_stopped = true;
    showState();
    emit finished();
}

void TraceFileWindow::showState() {
    const bool reading = isReading();
    const std::uint64_t records = m_source.file().records();
    const QString count = records == 1 ? tr("1 message") : tr("%L1 messages").arg(records);
    const QString name = shownText(QFileInfo(m_path).fileName());
    const QString folder = shownText(QDir::toNativeSeparators(QFileInfo(m_path).absolutePath()));
    m_title->setText(reading ? tr("Reading %1, %2 so far").arg(name, count)
                             : tr("%1: %2 from a file in %3, not of the running world%4")
                                   .arg(name, count, folder, m_stopped ? tr(". Reading was stopped before its end") : QString()));
    m_progress->setVisible(reading);
    m_progress->setValue(static_cast<int>(m_source.file().progress() * 100));
    m_stop->setVisible(reading);
    const QStringList faults = faultLines(m_source);
    QStringList shown = faults.mid(0, ShownFaults);
    if (faults.size() > ShownFaults)
        shown.append(tr("and %L1 more: point here to read them").arg(faults.size() - ShownFaults));
    const std::uint64_t skipped = m_source.file().skipped();
    if (skipped > 0)
        shown.prepend(skipped == 1 ? tr("1 line was left out:") : tr("%L1 lines were left out:").arg(skipped));
    const QString text = shownText(shown.join(QLatin1Char('\n')));
    if (m_faults->text() != text) {
        m_faults->setText(text);
        m_faults->setToolTip(tipText(faults.join(QLatin1Char('\n'))));
    }
    m_faults->setVisible(!text.isEmpty());
}

} // namespace sbx::ui

#include "moc_trace_file_window.cpp"
