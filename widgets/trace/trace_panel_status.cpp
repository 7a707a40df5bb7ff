// What the line below the list says, and what the panel has to do with messages that lie on the disk.

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>

#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_view.h"

#include <utility>

namespace sbx::ui {

namespace {

QString number(std::uint64_t n) { return QLocale(QLocale::English).toString(static_cast<qulonglong>(n)); }

// "640 MB"
QString sizeText(std::uint64_t bytes) {
    return QLocale(QLocale::English)
        .formattedDataSize(static_cast<qint64>(bytes), bytes < (1U << 30U) ? 0 : 1,
                           QLocale::DataSizeTraditionalFormat);
}

} // namespace

void TracePanel::followLimits(std::function<TraceLimits()> limits) {
    const auto apply = [this, limits = std::move(limits)] {
        if (TraceLimits now = limits(); !(now == m_model->store().limits()))
            m_model->setLimits(std::move(now));
    };
    apply();
    connect(&m_limitsTimer, &QTimer::timeout, this, apply);
    m_limitsTimer.start(LimitsMs);
}

void TracePanel::tellTrouble(const QString& what) {
    emit problem(tr("%1. The oldest messages are let go instead.").arg(what));
    refresh();
}

bool TracePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &TracePanel::fitColumns,
                                  Qt::QueuedConnection); // it has its size then
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key || !m_model->isSearchingOlder() || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        m_model->stopOlder();
    return true;
}

// What the eye looked at may be among the older messages: it is found once they have been judged, unless the user has looked elsewhere.
void TracePanel::restoreRowLater() {
    if (m_restoreAt == 0)
        return;
    const std::uint64_t sought = m_current != 0 ? m_current : m_anchor;
    const auto row = m_model->store().rowOf(sought);
    if (row && *row < m_model->judgedFrom() && m_model->isSearchingOlder())
        return;
    const int top = m_view->firstVisibleRow();
    const bool stands =
        !m_view->isFollowing() && top < m_model->rowCount() && m_model->sequence(top) == m_restoreAt;
    m_restoreAt = 0;
    if (stands && row)
        restoreRow();
}

void TracePanel::showChain() {
    m_chainShown = true;
    m_view->setChain(m_current == 0 ? std::vector<std::uint64_t>()
                                    : m_model->chainOf(m_current, &m_chainShown));
}

QString TracePanel::noMatchText() const {
    if (m_model->isSearchingOlder())
        return tr("No match among the newest messages. Older ones are being searched.");
    if (const std::uint64_t left = m_model->leftOut(); left > 0)
        return tr("No message matches the filter; %1 older ones were not searched.").arg(number(left));
    return tr("No message matches the filter.");
}

QString TracePanel::statusText() const {
    QStringList parts;
    const TraceStore& store = m_model->store();
    const auto link = [this](const char* target, const QString& text) {
        return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:%2\">%3</a>")
            .arg(QLatin1String(target), m_theme.color(Token::Accent).name(), text);
    };
    if (!m_shownWorld.isEmpty())
        parts.append(tr("The picture shows the world of %1; these are the server's messages")
                         .arg(htmlText(m_shownWorld)));
    if (m_aside) {
        const bool worded = !m_aside->filter.trimmed().isEmpty();
        const QString what = worded ? tr("The filter was taken away to show #%1. %2")
                                    : tr("Hidden messages are shown again because of #%1. %2");
        parts.append(what.arg(m_aside->sequence)
                         .arg(link("putBack", worded ? tr("Put it back") : tr("Hide them again"))));
    }
    const int percent = static_cast<int>(m_model->progress() * 100);
    if (m_model->isFiltering())
        parts.append(tr("Filtering, %1 %").arg(percent));
    else if (m_model->isSearchingOlder())
        parts.append(tr("Searching older messages, %1 % (Esc ends it)").arg(percent));
    else if (const std::uint64_t left = m_model->leftOut(); left > 0)
        parts.append(
            tr("%1 older messages not searched. %2").arg(number(left), link("older", tr("Search them"))));
    if (m_model->isPaused())
        parts.append(tr("Paused; the capture goes on"));
    if (const std::uint64_t ignored = m_model->ignored().count(); ignored > 0)
        parts.append(tr("%1 ignored. %2").arg(number(ignored), link("heed", tr("Ignore none"))));
    // In a low panel rows matter more: the button says how many they are, and its list which.
    constexpr int Low = 300; // pixels
    if (const QStringList off = m_typesModel->notRecorded(); !off.isEmpty() && height() >= Low) {
        constexpr int Named = 4;
        QString names = QStringList(off.mid(0, Named)).join(QLatin1String(", "));
        if (off.size() > Named)
            names += tr(" and %1 more").arg(off.size() - Named);
        parts.append(tr("Not recorded: %1. %2").arg(htmlText(names), link("types", tr("Choose types"))));
    }
    const std::uint64_t dropped = store.dropped();
    const std::uint64_t missed = m_context.source().missed();
    const bool hasLine = height() >= Low || !parts.isEmpty() || dropped > 0 || missed > 0;
    if (const std::uint64_t older = store.memoryFirst() - store.first(); older > 0 && hasLine)
        parts.append(tr("Oldest %1 on the disk").arg(number(older)));
    if (dropped > 0)
        parts.append(tr("%1 let go").arg(number(dropped)));
    if (missed > 0)
        parts.append(tr("%1 lost while the window was busy").arg(number(missed)));
    return parts.join(QStringLiteral(" &nbsp;·&nbsp; "));
}

// What bounds the messages that are kept; empty where all that came are in memory.
QString TracePanel::limitsText() const {
    const TraceStore& store = m_model->store();
    if (store.first() == store.memoryFirst() && store.dropped() == 0)
        return {};
    const TraceLimits& limits = store.limits();
    const QString memory = tr("At most %1 messages are kept, the newest in %2 of memory")
                               .arg(number(limits.records), sizeText(limits.memory));
    const QString disk = limits.file == 0 ? tr("; older ones are let go.")
                                          : tr(", older ones in a temporary file of at most %1 (now %2).")
                                                .arg(sizeText(limits.file), sizeText(store.fileBytes()));
    return memory + disk + QLatin1Char('\n')
           + tr("The console sets it: trace.messages, trace.memory, trace.disk.");
}

} // namespace sbx::ui
