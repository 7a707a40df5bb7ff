// The trace with ten million messages, most of them in its file on the disk: what memory and disk they take, how long filters and scrolling
// take, and the longest that the window is ever held up.
//
//     bench_trace [ROWS] [--memory MIB] [--cold]     10,000,000 and 256; --cold: what is read back is not in the system's cache
//     bench_trace ROWS --show dark|light WxH         fills the panel and stays open, to be looked at while more messages come in
//     bench_trace ROWS --write FILE                  the same messages as a trace file, for *Open trace…*
//
// Run it with QT_QPA_PLATFORM=offscreen.

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

#include "engine/core/line_file.h"
#include "engine/message/trace_json.h"
#include "tests/bench/thread_clock.h"
#include "tests/spilled_file.h"
#include "tests/trace/trace_fixture.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_rates.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_view.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace sbx;
using sbx::bench::threadMs;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

constexpr int PerTick = 200;

// Measures each event by itself: the longest is what a frame waits for.
class MeasuredApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        ++m_depth;
        const double before = threadMs();
        m_wall.start();
        const bool handled = QApplication::notify(receiver, event);
        m_worst = std::max(m_worst, threadMs() - before);
        m_worstWall = std::max(m_worstWall, static_cast<double>(m_wall.nsecsElapsed()) * 1e-6);
        --m_depth;
        return handled;
    }
    double takeWorst() { return std::exchange(m_worst, 0.0); }
    double takeWorstWall() { return std::exchange(m_worstWall, 0.0); }

private:
    int m_depth = 0;
    double m_worst = 0.0; // ms of processor time
    double m_worstWall = 0.0;
    QElapsedTimer m_wall;
};

struct Options {
    std::uint64_t rows = 10'000'000;
    std::size_t memory = std::size_t(256) << 20U;
    bool cold = false;
    QString write;
    QString show; // theme
    QSize size = QSize(1920, 500);
};

class Bench {
public:
    Bench(MeasuredApplication& application, const Options& options)
        : m_application(application),
          m_options(options),
          m_theme(options.show == QLatin1String("light") ? ThemeMode::Light : ThemeMode::Dark) {
        m_theme.apply(application);
        TraceLimits limits;
        limits.records = static_cast<std::size_t>(options.rows) + 10000;
        limits.memory = options.memory;
        limits.file = std::uint64_t(16) << 30U;
        limits.folder = m_folder.path().toStdString();
        m_panel = std::make_unique<TracePanel>(m_theme, m_yard.source, m_selection, TraceStore(limits));
        m_panel->resize(options.size);
        m_panel->show();
    }

    int show() {
        fill();
        QTimer ticks;
        QObject::connect(&ticks, &QTimer::timeout, &ticks, [this] { m_yard.runTick(PerTick); });
        ticks.start(16);
        return QApplication::exec();
    }
    void run() {
        fill();
        for (const char* text :
             {"fields.amount > 13.2 and to == bat_3", "type == Damage and fields.kind == fire",
              "handlers.component == Health", "fields.amount > 1000", "unicorn", ""})
            filter(text);
        scroll();
        // Nowhere; possibly a part of every number; a piece of the fields' cell.
        for (const char* text : {"unicorn", "12.34", "kind ice"})
            search(text);
    }

private:
    TraceModel& model() { return m_panel->model(); }
    void until(const std::function<bool()>& done) {
        while (!done())
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 1);
    }
    QString worst() {
        return QStringLiteral("longest event %1 ms of processor time, %2 ms of wall time")
            .arg(m_application.takeWorst(), 0, 'f', 1)
            .arg(m_application.takeWorstWall(), 0, 'f', 1);
    }
    void forgetCache() {
        if (!m_options.cold)
            return;
        const int file = sbx::test::spilledFile(m_folder.path().toStdString());
        ::fsync(file);
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    }

    void fill() {
        QElapsedTimer clock;
        clock.start();
        worst();
        while (m_yard.sequence < m_options.rows) {
            for (int i = 0; i < 20; ++i)
                m_yard.runTick(PerTick);
            QCoreApplication::processEvents();
        }
        until([this] {
            const TraceStore& store = model().store();
            return store.sequenceOf(store.end() - 1) == m_yard.sequence && store.writingBytes() == 0
                   && model().rowCount() == static_cast<int>(store.size());
        });
        const TraceStore& store = model().store();
        const auto older = static_cast<double>(store.memoryFirst() - store.first());
        const auto newest = static_cast<double>(store.end() - store.memoryFirst());
        m_out << QStringLiteral("%L1 rows in %2 s; %3\n")
                     .arg(store.size())
                     .arg(static_cast<double>(clock.elapsed()) / 1e3, 0, 'f', 1)
                     .arg(worst());
        m_out << QStringLiteral("in memory: %L1 rows, %2 MiB, %3 bytes a row\n")
                     .arg(newest, 0, 'f', 0)
                     .arg(store.bytes() >> 20U)
                     .arg(static_cast<double>(store.bytes()) / newest, 0, 'f', 1);
        if (older > 0)
            m_out << QStringLiteral(
                         "on the disk: %L1 rows, %2 MiB, %3 bytes a row; %4 bytes a row in memory\n")
                         .arg(older, 0, 'f', 0)
                         .arg(store.fileBytes() >> 20U)
                         .arg(static_cast<double>(store.fileBytes()) / older, 0, 'f', 1)
                         .arg(static_cast<double>(store.otherBytes()) / older, 0, 'f', 2);
        m_out << QStringLiteral("let go: %L1\n").arg(store.dropped());
        m_out.flush();
    }

    void filter(const char* text) {
        forgetCache();
        worst();
        QElapsedTimer clock;
        const auto seconds = [&clock] { return static_cast<double>(clock.nsecsElapsed()) * 1e-9; };
        double first = -1.0;
        double memory = -1.0;
        const TraceStore& store = model().store();
        const auto look = [&] {
            if (first < 0 && !model().isFiltering() && model().rowCount() > 0)
                first = seconds();
            if (memory < 0 && !model().isFiltering() && model().judgedFrom() <= store.memoryFirst())
                memory = seconds();
        };
        const auto a = QObject::connect(&model(), &TraceModel::filtered, look);
        const auto b = QObject::connect(&model(), &TraceModel::countsChanged, look);
        clock.start();
        m_panel->setFilterText(QString::fromLatin1(text));
        until([this] { return !model().isFiltering() && !model().isSearchingOlder(); });
        const double all = seconds();
        QObject::disconnect(a);
        QObject::disconnect(b);
        m_out << QStringLiteral("filter \"%1\": first rows %2, all in memory %3 s, all %4 s; %L5 rows; %6\n")
                     .arg(QLatin1String(text))
                     .arg(first < 0 ? QStringLiteral("none") : QStringLiteral("%1 s").arg(first, 0, 'f', 3))
                     .arg(memory, 0, 'f', 3)
                     .arg(all, 0, 'f', 3)
                     .arg(model().rowCount())
                     .arg(worst());
        m_out.flush();
        // What follows the rows goes on: counts of the timeline.
        until([this] {
            return m_panel->findChild<TraceRates*>() == nullptr
                   || m_panel->findChild<TraceRates*>()->isDone();
        });
    }

    // A page somewhere: how long it takes to paint, and until its records are there.
    void scroll() {
        forgetCache();
        m_panel->view().setFollowing(false);
        QScrollBar& bar = *m_panel->view().verticalScrollBar();
        std::vector<double> paints;
        std::vector<double> fills;
        worst();
        for (int i = 0; i < 300; ++i) {
            QElapsedTimer clock;
            clock.start();
            const double before = threadMs();
            bar.setValue(static_cast<int>(m_yard.roll(static_cast<std::uint32_t>(bar.maximum()))));
            m_panel->view().viewport()->repaint();
            paints.push_back(threadMs() - before);
            until([this] {
                const int top = m_panel->view().firstVisibleRow();
                return model().isReady(top) && model().isReady(top + m_panel->view().visibleRows() - 1);
            });
            m_panel->view().viewport()->repaint();
            fills.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        }
        const auto line = [this](const char* what, std::vector<double>& times) {
            std::sort(times.begin(), times.end());
            m_out << QStringLiteral("%1: median %2 ms, 99 % %3 ms, longest %4 ms\n")
                         .arg(QLatin1String(what))
                         .arg(times[times.size() / 2], 0, 'f', 2)
                         .arg(times[times.size() * 99 / 100], 0, 'f', 2)
                         .arg(times.back(), 0, 'f', 2);
        };
        line("a page elsewhere, processor time to scroll and paint", paints);
        line("until its rows are filled in", fills);
        m_out << worst() << '\n';
        m_out.flush();
    }

    void search(const char* text) {
        forgetCache();
        worst();
        QElapsedTimer clock;
        clock.start();
        const double before = threadMs();
        m_panel->search().start(QLatin1String(text), 0);
        while (clock.elapsed() < 20000 && !m_panel->search().isDone())
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 1);
        m_out << QStringLiteral("search for \"%1\": %2 % of the rows in %3 s, %4 s of processor time; %L5 of "
                                "them have it; %6\n")
                     .arg(QLatin1String(text))
                     .arg(m_panel->search().progress() * 100, 0, 'f', 0)
                     .arg(static_cast<double>(clock.elapsed()) / 1e3, 0, 'f', 1)
                     .arg((threadMs() - before) / 1e3, 0, 'f', 1)
                     .arg(m_panel->search().hits())
                     .arg(worst());
        m_panel->search().stop();
        m_out.flush();
    }

    MeasuredApplication& m_application;
    Options m_options;
    QTextStream m_out{stdout};
    QTemporaryDir m_folder;
    Theme m_theme;
    Selection m_selection;
    Yard m_yard;
    std::unique_ptr<TracePanel> m_panel;
};

int writeTrace(const Options& options) {
    Yard yard;
    Result<LineFile> file = LineFile::create(options.write.toStdString());
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    while (file.ok() && yard.sequence < options.rows) {
        yard.runTick(PerTick);
        segments.clear();
        yard.source.poll(segments);
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                if (!file->append(traceLine((*segment)[i], yard.recorder, false) + '\n'))
                    return 1;
    }
    return file.ok() && file->close() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    MeasuredApplication application(argc, argv);
    Options options;
    const QStringList words = QCoreApplication::arguments().mid(1);
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == QLatin1String("--cold"))
            options.cold = true;
        else if (words[i] == QLatin1String("--memory") && i + 1 < words.size())
            options.memory = static_cast<std::size_t>(words[++i].toULongLong()) << 20U;
        else if (words[i] == QLatin1String("--write") && i + 1 < words.size())
            options.write = words[++i];
        else if (words[i] == QLatin1String("--show") && i + 2 < words.size()) {
            options.show = words[++i];
            const QStringList size = words[++i].split(QLatin1Char('x'));
            options.size = QSize(size.value(0).toInt(), size.value(1).toInt());
        } else
            options.rows = words[i].toULongLong();
    }
    if (!options.write.isEmpty())
        return writeTrace(options);
    Bench bench(application, options);
    if (!options.show.isEmpty())
        return bench.show();
    bench.run();
    return 0;
}
