// The editor while a world sends a million messages a second: what recording them takes of a tick, and what the window takes of the processor
// for each frame. The courtyard, with a component that sends them (load_plugin.cpp), in the real window, on the display.
//
//     bench_load [--rate N] [--seconds N] [--size WxH] [--theme dark|light] [--memory MIB]     1,000,000, 10, 1280x720, dark, 256
//         --filter TEXT     in the trace's filter line
//         --search TEXT     searched for in the trace
//         --passing         Messages as they pass are shown in the picture
//         --lanes           the timeline has a lane for each receiver
//         --graph           the graph's panel is in front
//         --scrolled        the list stands still at an older message, which is selected
//         --stay            does not end, to be looked at
//
// Times are the processor's, of one thread: others that work on the machine do not count. "Drawing the world" is the paint event of the
// viewport; all else that the window's thread did since the frame before is "beside". Recording is the difference between ticks whose
// messages are recorded and ticks whose messages are not, of the same run.

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTextStream>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/bench/thread_clock.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_view.h"
#include "widgets/viewport/gl_target.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

using namespace sbx;
using sbx::bench::threadMs;
using namespace sbx::ui;

namespace {

constexpr int Receivers = 40;
constexpr int TicksPerSecond = 60;
constexpr double TickMs = 1000.0 / TicksPerSecond;

// Measures each event, and within it the painting of each widget.
class MeasuredApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        const bool paints = event->type() == QEvent::Paint;
        if (m_depth > 0 && !paints)
            return QApplication::notify(receiver, event);
        // It may be gone afterwards.
        const QString who =
            QStringLiteral("%1 %2, event %3")
                .arg(QLatin1String(receiver->metaObject()->className()), receiver->objectName())
                .arg(static_cast<int>(event->type()));
        const bool draws = paints && receiver == m_view;
        ++m_depth;
        const double before = threadMs();
        const double paintedBefore = m_painted;
        const double drawnBefore = m_drawn;
        const bool handled = QApplication::notify(receiver, event);
        const double took = threadMs() - before;
        --m_depth;
        const double own = took - (m_painted - paintedBefore);
        if (paints)
            m_painted += own;
        if (draws)
            m_drawn += own;
        m_by[who] += own;
        if (const double beside = took - (m_drawn - drawnBefore); m_depth == 0 && beside > m_longest) {
            m_longest = beside;
            m_longestWho = who;
        }
        return handled;
    }
    void setView(const QObject* view) { m_view = view; }
    [[nodiscard]] double drawn() const { return m_drawn; } // ms so far
    void restart() {
        m_by.clear();
        m_longest = 0.0;
    }
    [[nodiscard]] double longest() const { return m_longest; } // beside the drawing
    [[nodiscard]] const QString& longestWho() const { return m_longestWho; }
    // What took most, in ms.
    [[nodiscard]] std::vector<std::pair<double, QString>> most() const {
        std::vector<std::pair<double, QString>> out;
        for (const auto& [who, ms] : m_by)
            out.emplace_back(ms, who);
        std::sort(out.rbegin(), out.rend());
        return out;
    }

private:
    const QObject* m_view = nullptr;
    int m_depth = 0;
    double m_painted = 0.0;
    double m_drawn = 0.0;
    double m_longest = 0.0;
    QString m_longestWho;
    std::map<QString, double> m_by;
};

struct Options {
    int rate = 1'000'000;
    int seconds = 10;
    QSize size = QSize(1280, 720);
    QString theme = QStringLiteral("dark");
    QString memory = QStringLiteral("256");
    QString filter;
    QString search;
    bool passing = false;
    bool lanes = false;
    bool graph = false;
    bool scrolled = false;
    bool stay = false;
};

// Of the simulation's thread, tick by tick.
struct Ticks {
    std::mutex mutex;
    double before = -1.0;
    int sinceSwitch = 0;
    bool recorded = true;
    std::vector<double> on; // ms
    std::vector<double> off;
};

class Bench {
public:
    Bench(MeasuredApplication& application, Options options)
        : m_application(application), m_options(std::move(options)) {}
    int run();

private:
    void writeProject();
    void start();
    void until(const std::function<bool()>& done) {
        while (!done())
            QCoreApplication::processEvents(
                QEventLoop::WaitForMoreEvents); // the feed looks 60 times a second
    }
    void wait(int ms) {
        QElapsedTimer clock;
        clock.start();
        until([&] { return clock.elapsed() >= ms; });
    }
    void countTicks();
    void setRecorded(bool on);
    void load();
    void recording();
    void line(const char* what, std::vector<double> times);
    [[nodiscard]] QString project() const { return m_folder.filePath(QStringLiteral("courtyard")); }
    TracePanel& trace() { return m_editor->window().trace(); }
    const TraceStore& store() { return trace().model().store(); }

    MeasuredApplication& m_application;
    Options m_options;
    QTextStream m_out{stdout};
    QTemporaryDir m_folder;
    std::shared_ptr<Ticks> m_ticks = std::make_shared<Ticks>();
    std::unique_ptr<editor::Editor> m_editor;
};

void append(const QString& file, const std::string& text) {
    std::ofstream out(file.toStdString(), std::ios::app);
    out << text;
    if (!out)
        qFatal("cannot write %s", qPrintable(file));
}

void Bench::writeProject() {
    sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), project());
    QDir().mkpath(project() + QStringLiteral("/plugins"));
    if (!QFile::copy(QStringLiteral(SBX_LOAD_PLUGIN), project() + QStringLiteral("/plugins/load.so")))
        qFatal("no plugin %s", SBX_LOAD_PLUGIN);
    QFile file(project() + QStringLiteral("/project.toml"));
    if (!file.open(QIODevice::ReadWrite))
        qFatal("cannot change %s", qPrintable(file.fileName()));
    const QByteArray text = file.readAll().replace("[cvars]", "plugins = [\"plugins/load\"]\n\n[cvars]");
    file.resize(0);
    file.write(text);
    file.close();
    append(project() + QStringLiteral("/entities.toml"),
           "\n[Sink]\n[Sink.BlipReceiver]\n\n[Source]\n[Source.BlipSender]\nperTick = "
               + std::to_string(m_options.rate / TicksPerSecond)
               + "\nreceivers = " + std::to_string(Receivers) + "\n");
    std::string scene = "\n[[entity]]\ntype = \"Source\"\nname = \"source\"\nposition = [0.0, 2.0, 0.0]\n";
    for (int i = 1; i <= Receivers; ++i)
        scene += "\n[[entity]]\ntype = \"Sink\"\nname = \"sink_" + std::to_string(i) + "\"\nposition = ["
                 + std::to_string(i % 8 * 2 - 8) + ".0, 1.0, " + std::to_string(i / 8 * 2 - 5) + ".0]\n";
    append(project() + QStringLiteral("/courtyard.scene.toml"), scene);
}

void Bench::start() {
    editor::Options options;
    options.project = project().toStdString();
    options.width = m_options.size.width();
    options.height = m_options.size.height();
    options.theme = m_options.theme.toStdString();
    options.trust = true;
    options.cvars = {{"audio.volume", "0"}, {"trace.memory", m_options.memory.toStdString()}};
    m_editor =
        std::make_unique<editor::Editor>(m_application, options, m_folder.filePath(QStringLiteral("state")));
    m_editor->start();
    until([this] { return m_editor->feed().frame().entities->find("sink_1") != nullptr; });
    ViewportView& view = m_editor->window().viewport().view();
    m_application.setView(&view);
    if (view.drawings(0) == 0) {
        bool shown = false;
        QObject::connect(&view, &ViewportView::frameShown, &m_application, [&shown] { shown = true; });
        until([&shown] { return shown; });
        QObject::disconnect(&view, &ViewportView::frameShown, &m_application, nullptr);
    }
    if (m_options.passing && !m_editor->actions().trigger(QStringLiteral("view.messages")).ok())
        qFatal("no view.messages");
    if (m_options.lanes && !m_editor->actions().trigger(QStringLiteral("trace.lanes")).ok())
        qFatal("no trace.lanes");
    if (m_options.graph) {
        m_editor->window().dock(QStringLiteral("dock.graph"))->show();
        m_editor->window().dock(QStringLiteral("dock.graph"))->raise();
    }
    trace().setFilterText(m_options.filter);
}

void Bench::countTicks() {
    m_editor->feed().post([ticks = m_ticks](Session& session) {
        session.handlers().tick = [ticks](Session&) {
            const std::lock_guard lock(ticks->mutex);
            const double now = threadMs();
            if (ticks->before >= 0.0 && ++ticks->sinceSwitch > 3) // the first ones find other memory
                (ticks->recorded ? ticks->on : ticks->off).push_back(now - ticks->before);
            ticks->before = threadMs();
        };
    });
}

void Bench::setRecorded(bool on) {
    m_editor->feed().post([on, ticks = m_ticks](Session& session) {
        for (const char* name : {"Blip", "Blow"})
            if (const MessageType* type = findMessageType(name))
                session.recorder().setRecorded(type->id, on);
        const std::lock_guard lock(ticks->mutex);
        ticks->recorded = on;
        ticks->sinceSwitch = 0;
    });
}

void Bench::line(const char* what, std::vector<double> times) {
    if (times.empty())
        return;
    std::sort(times.begin(), times.end());
    m_out << QStringLiteral("%1: median %2 ms, 95 % %3 ms, longest %4 ms\n")
                 .arg(QLatin1String(what))
                 .arg(times[times.size() / 2], 0, 'f', 1)
                 .arg(times[times.size() * 95 / 100], 0, 'f', 1)
                 .arg(times.back(), 0, 'f', 1);
    m_out.flush();
}

void Bench::load() {
    ViewportView& view = m_editor->window().viewport().view();
    std::vector<double> beside;
    std::vector<double> drawing;
    double drawnBefore = -1.0;
    double before = 0.0;
    QElapsedTimer clock;
    const auto frame = [&] {
        const double now = threadMs();
        const double drawn = m_application.drawn();
        if (drawnBefore >= 0.0) {
            drawing.push_back(drawn - drawnBefore);
            beside.push_back(now - before - (drawn - drawnBefore));
        }
        drawnBefore = drawn;
        before = now;
    };
    m_editor->feed().post([](Session& session) { session.play(); });
    until([this] { return store().size() > 0; });
    if (m_options.scrolled) {
        wait(1500);
        trace().goTo(store().sequenceOf(store().first() + 1000));
    }
    if (!m_options.search.isEmpty())
        trace().search().start(m_options.search, 0);
    m_application.restart();
    const double thread = threadMs();
    const std::uint64_t end = store().end();
    const std::uint64_t tick = store().tickOf(end - 1);
    clock.start();
    const QMetaObject::Connection frames =
        QObject::connect(&view, &ViewportView::frameShown, &m_application, frame);
    QStringList behind; // each second: messages that have come and are not judged yet, thousands
    until([&] {
        if (clock.elapsed() >= 1000 * (behind.size() + 1))
            behind.append(QString::number((store().end() - trace().model().learnedEnd()) / 1000));
        return clock.elapsed() >= m_options.seconds * 1000;
    });
    QObject::disconnect(frames);
    const double seconds = static_cast<double>(clock.elapsed()) / 1e3;
    const double busy = (threadMs() - thread) / 1e3;
    const auto most = m_application.most();
    m_out << QStringLiteral("%L1 messages a second, %2 ticks a second for %3 s\n")
                 .arg(static_cast<double>(store().end() - end) / seconds, 0, 'f', 0)
                 .arg(static_cast<double>(store().tickOf(store().end() - 1) - tick) / seconds, 0, 'f', 1)
                 .arg(seconds, 0, 'f', 1);
    m_out << QStringLiteral("rows: %L1 kept, of them %L2 on the disk; %L3 let go, %L4 lost\n")
                 .arg(store().size())
                 .arg(store().memoryFirst() - store().first())
                 .arg(store().dropped())
                 .arg(trace().model().context().source().missed());
    m_out << QStringLiteral("not judged yet, each second: %1 thousand\n")
                 .arg(behind.join(QStringLiteral(", ")));
    m_out << QStringLiteral("%1 frames a second; the window's thread was busy %2 % of the time\n")
                 .arg(static_cast<double>(beside.size()) / seconds, 0, 'f', 1)
                 .arg(100.0 * busy / seconds, 0, 'f', 0);
    line("a frame beside drawing the world", std::move(beside));
    line("drawing the world", std::move(drawing));
    m_out << QStringLiteral("longest event beside drawing %1 ms: %2\n")
                 .arg(m_application.longest(), 0, 'f', 1)
                 .arg(m_application.longestWho());
    for (std::size_t i = 0; i < std::min<std::size_t>(most.size(), 12); ++i)
        m_out << QStringLiteral("  %1 ms a second: %2\n")
                     .arg(most[i].first / seconds, 6, 'f', 1)
                     .arg(most[i].second);
    m_out.flush();
}

// Half a second with, half a second without.
void Bench::recording() {
    countTicks();
    constexpr int Turns = 12;
    constexpr int HalfMs = 500;
    for (int i = 0; i < Turns; ++i) {
        setRecorded(i % 2 == 0);
        wait(HalfMs);
    }
    const std::lock_guard lock(m_ticks->mutex);
    const auto mean = [](const std::vector<double>& times) {
        return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    };
    if (m_ticks->on.empty() || m_ticks->off.empty())
        qFatal("no ticks");
    const double on = mean(m_ticks->on);
    const double off = mean(m_ticks->off);
    m_out << QStringLiteral("recording: a tick takes %1 ms of processor time, without %2; that is %3 ms, %4 "
                            "% of its budget\n")
                 .arg(on, 0, 'f', 2)
                 .arg(off, 0, 'f', 2)
                 .arg(on - off, 0, 'f', 2)
                 .arg(100.0 * (on - off) / TickMs, 0, 'f', 1);
    m_out.flush();
}

int Bench::run() {
    writeProject();
    start();
    load();
    if (m_options.stay)
        return QApplication::exec();
    recording();
    m_editor.reset();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(wantedFormat());
    MeasuredApplication application(argc, argv);
    Options options;
    const QStringList words = QCoreApplication::arguments();
    for (qsizetype i = 1; i < words.size(); ++i) {
        const QString& word = words[i];
        const auto value = [&] { return words.value(++i); };
        if (word == QLatin1String("--rate"))
            options.rate = value().toInt();
        else if (word == QLatin1String("--seconds"))
            options.seconds = value().toInt();
        else if (word == QLatin1String("--memory"))
            options.memory = value();
        else if (word == QLatin1String("--theme"))
            options.theme = value();
        else if (word == QLatin1String("--filter"))
            options.filter = value();
        else if (word == QLatin1String("--search"))
            options.search = value();
        else if (word == QLatin1String("--passing"))
            options.passing = true;
        else if (word == QLatin1String("--lanes"))
            options.lanes = true;
        else if (word == QLatin1String("--graph"))
            options.graph = true;
        else if (word == QLatin1String("--scrolled"))
            options.scrolled = true;
        else if (word == QLatin1String("--stay"))
            options.stay = true;
        else if (word == QLatin1String("--size")) {
            const QStringList size = value().split(QLatin1Char('x'));
            options.size = QSize(size.value(0).toInt(), size.value(1).toInt());
        } else
            qFatal("%s is unknown", qPrintable(word));
    }
    return Bench(application, options).run();
}
