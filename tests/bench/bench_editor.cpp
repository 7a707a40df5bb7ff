// What the editor takes for many selected entities: processor time of its GUI thread and of the simulation's, for each operation
// and for ten times as many entities. Run it with QT_QPA_PLATFORM=offscreen: then nothing is drawn, and what is left is the work
// itself; on a display the drawing of the frames counts for the window.
//
//     bench_editor [COUNT…]        1000 10000 by default

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTextStream>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/many_entities.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/inspector/entity_edits.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <atomic>
#include <ctime>
#include <functional>
#include <map>
#include <vector>

using namespace sbx;

namespace {

double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Cost {
    double window = 0.0; // ms
    double simulation = 0.0;
};

class Bench {
public:
    Bench(QApplication& application, int count) : m_application(application), m_count(count) {
        sbx::test::writeManyEntities(project(), count);
    }

    std::vector<std::pair<QString, Cost>> run();

private:
    [[nodiscard]] QString project() const { return m_folder.filePath(QStringLiteral("many")); }
    double simulationMs();
    // Until the session has taken over what was posted, and the window has seen it.
    void follow();
    void settle();
    Cost measured(const std::function<void()>& work);
    // Of a command that changes the mode: the simulation's time inside it, the window's until it shows the mode.
    Cost commanded(Mode mode, const std::function<void(Session&)>& command);

    QApplication& m_application;
    int m_count;
    QTemporaryDir m_folder;
    std::unique_ptr<editor::Editor> m_editor;
};

// Of the simulation's thread since it began, which says so itself.
double Bench::simulationMs() {
    std::atomic<double> told = -1.0;
    m_editor->feed().session().postAside([&told](Session&) { told = threadMs(); });
    while (told < 0.0)
        m_application.processEvents(QEventLoop::WaitForMoreEvents); // the feed looks 60 times a second
    return told;
}

void Bench::follow() {
    m_editor->project().refresh();
    ui::SessionFeed& feed = m_editor->feed();
    // Aside: it has nothing published by itself.
    std::atomic<bool> done = false;
    feed.session().postAside([&done](Session&) { done = true; });
    while (!done)
        m_application.processEvents(QEventLoop::WaitForMoreEvents); // the feed looks 60 times a second
    // Commands of one batch are published together, before the next batch.
    done = false;
    feed.session().postAside([&done](Session&) { done = true; });
    while (!done)
        m_application.processEvents(QEventLoop::WaitForMoreEvents); // the feed looks 60 times a second
    feed.poll();
}

// The timers that follow an edit have run, too.
void Bench::settle() {
    constexpr int QuietMs = 700; // longer than any of them, but for the journal's
    follow();
    follow();
    QElapsedTimer quiet;
    quiet.start();
    while (quiet.elapsed() < QuietMs)
        m_application.processEvents(QEventLoop::WaitForMoreEvents);
}

Cost Bench::measured(const std::function<void()>& work) {
    const double simulation = simulationMs();
    const double window = threadMs();
    work();
    settle();
    return {threadMs() - window, simulationMs() - simulation};
}

Cost Bench::commanded(Mode mode, const std::function<void(Session&)>& command) {
    std::atomic<double> took = -1.0;
    const double window = threadMs();
    m_editor->feed().post([&](Session& session) {
        const double before = threadMs();
        command(session);
        took = threadMs() - before;
    });
    while (took < 0.0 || m_editor->feed().mode() != mode)
        m_application.processEvents(QEventLoop::WaitForMoreEvents);
    return {threadMs() - window, took};
}

std::vector<std::pair<QString, Cost>> Bench::run() {
    std::vector<std::pair<QString, Cost>> out;
    editor::Options options;
    options.width = 1280;
    options.height = 720;
    m_editor = std::make_unique<editor::Editor>(m_application, options, m_folder.filePath(QStringLiteral("state")));
    m_editor->start();
    settle();
    const Cost idle = measured([] {});
    const auto row = [&](const char* name, const std::function<void()>& work, int times = 1) {
        Cost cost = measured(work);
        cost.window = std::max(0.0, cost.window - idle.window) / times;
        cost.simulation = std::max(0.0, cost.simulation - idle.simulation) / times;
        out.emplace_back(QString::fromLatin1(name), cost);
    };
    const auto check = [](const Result<void>& done) {
        if (!done)
            qFatal("%s", done.error().toString().c_str());
    };
    row("open", [&] { check(m_editor->project().open(project())); });
    ui::EntityEditor& editor = m_editor->window().viewport().editor();
    ui::Document& document = m_editor->document();
    std::vector<std::string> names;
    for (const EntityRow& entity : m_editor->feed().frame().entities->rows)
        names.push_back(entity.name);
    if (static_cast<int>(names.size()) != m_count)
        qFatal("%zu of %d entities are there", names.size(), m_count);
    const auto play = [](Session& session) { session.play(); };
    const auto stop = [](Session& session) { session.stop(); };
    out.emplace_back(QStringLiteral("play"), commanded(Mode::Play, play));
    settle();
    out.emplace_back(QStringLiteral("stop"), commanded(Mode::Edit, stop));
    settle();
    // What a runaway leaves behind.
    constexpr int Grown = 70'000;
    (void)commanded(Mode::Play, play);
    settle();
    m_editor->feed().post([more = std::max(0, Grown - m_count)](Session& session) {
        SpawnRequest request;
        request.type = session.world().findType("Crate");
        for (int i = 0; i < more; ++i)
            (void)session.world().spawn(request);
    });
    settle();
    out.emplace_back(QStringLiteral("stop at %1").arg(std::max(Grown, m_count)), commanded(Mode::Edit, stop));
    settle();
    row("select all", [&] { m_editor->selection().setEntities(names, QStringLiteral("bench")); });

    constexpr int Steps = 10;
    row("drag begins", [&] { editor.beginDrag(m_editor->selection().entities()); });
    const auto drag = [&](int step) {
        ui::GizmoDelta delta;
        delta.move = Vec3(0.25F * static_cast<float>(step), 0.0F, 0.125F);
        check(editor.drag(delta, {}, ui::Tool::Move));
        follow(); // the step is over when world and window have followed
    };
    row("drag step",
        [&] {
            for (int step = 1; step <= Steps; ++step)
                drag(step);
        },
        Steps);
    row("drag ends", [&] { editor.endDrag(); });
    // With the scene's own text in sight, which follows.
    m_editor->window().definition().setFile(QStringLiteral("many.scene.toml"));
    editor.beginDrag(m_editor->selection().entities());
    settle();
    const auto steps = [&] {
        for (int step = 1; step <= Steps; ++step)
            drag(step);
    };
    row("step, text shown", steps, Steps);
    m_editor->window().setUpdatesEnabled(false);
    row("drawing apart", steps, Steps);
    m_editor->window().setUpdatesEnabled(true);
    editor.endDrag();
    m_editor->window().definition().setFile(QStringLiteral("entities.toml"));
    settle();
    row("undo", [&] { document.undoStack().undo(); });
    row("redo", [&] { document.undoStack().redo(); });
    const FieldInfo* mass = nullptr;
    for (const Inspection& inspection : m_editor->feed().frame().inspected)
        for (const InspectedComponent& component : inspection.components)
            for (const InspectedField& field : component.settings)
                if (component.name == "Body" && field.info->name == "mass")
                    mass = field.info;
    std::vector<std::string> crates;
    for (const std::string& name : names)
        if (name.starts_with("crate_"))
            crates.push_back(name);
    if (mass == nullptr) {
        m_editor->selection().setEntity(crates.front(), QStringLiteral("bench"));
        settle();
        for (const InspectedComponent& component : m_editor->feed().frame().inspected.at(0).components)
            for (const InspectedField& field : component.settings)
                if (component.name == "Body" && field.info->name == "mass")
                    mass = field.info;
    }
    m_editor->selection().setEntities(crates, QStringLiteral("bench"));
    settle();
    row("inspector edit", [&] {
        emit m_editor->window().inspector().editor("Body", "mass")->edited(Value(9.0), true);
    });
    row("undo of it", [&] { document.undoStack().undo(); });
    m_editor->selection().setEntities(names, QStringLiteral("bench"));
    settle();
    row("duplicate", [&] { check(editor.duplicate(m_editor->selection().entities())); });
    row("undo of it", [&] { document.undoStack().undo(); });
    row("delete", [&] { check(editor.remove(names)); });
    row("undo of it", [&] { document.undoStack().undo(); });
    document.undoStack().setIndex(0);
    m_editor.reset();
    return out;
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    std::vector<int> counts;
    for (int i = 1; i < argc; ++i)
        counts.push_back(QString::fromLocal8Bit(argv[i]).toInt());
    if (counts.empty())
        counts = {1000, 10000};
    QTextStream text(stdout);
    text << "ms of the processor: window + simulation; in brackets by how much more than with the count before\n";
    std::vector<Cost> before;
    for (const int count : counts) {
        const auto rows = Bench(application, count).run();
        text << count << " entities\n";
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Cost& cost = rows[i].second;
            text << QStringLiteral("  %1 %2 + %3").arg(rows[i].first, -16).arg(cost.window, 8, 'f', 1).arg(cost.simulation, 8, 'f', 1);
            if (i < before.size())
                text << QStringLiteral("   (x %1)").arg(
                    (cost.window + cost.simulation) / std::max(0.1, before[i].window + before[i].simulation), 0, 'f', 1);
            text << "\n";
        }
        text.flush();
        before.clear();
        for (const auto& row : rows)
            before.push_back(row.second);
    }
    return 0;
}
