#pragma once
// A console panel in a window of its own over a console that answers at once, and keys and clicks for it.

#include <QDir>
#include <QFile>
#include <QtTest>
#include <QVBoxLayout>

#include "engine/session/console_targets.h"
#include "engine/session/watches.h"
#include "widgets/common/theme.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_input.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/log_model.h"

namespace sbx::ui::test {

enum class Quality { Low, Medium, High };

struct Fixture {
    Log log;
    Console console{log};
    Watches watches;
    ConsoleTargets targets;
    CVar<float> gravity = console.cvars().add<float>("sim.gravity", 9.81F, "Pull on every body.",
                                                     {.unit = "m/s²", .minimum = 0, .maximum = 100});
    CVar<float> gravityScale =
        console.cvars().add<float>("sim.gravityScale", 1.0F, "Share of gravity that acts.");
    CVar<Quality> quality =
        console.cvars().add<Quality>("render.quality", Quality::Medium, "How fine the picture is.",
                                     {.choices = {"low", "medium", "high"}});
    Theme theme;
    EngineConsoleBackend backend{console, log, [this](std::string line, EngineConsoleBackend::Done done) {
                                     done(console.execute(line));
                                 }};
    QStringList sent; // by `on`
    QWidget window;
    ConsolePanel* panel;

    Fixture() {
        theme.apply(*qApp);
        targets.add({"local", "The world that runs here.", {}});
        backend.setSession(watches, targets);
        // What the session does of it, as far as the panel is concerned.
        console.commands().add("watch", "Watches.",
                               {{.name = "expression", .doc = "", .type = ArgumentType::Rest}},
                               [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                                   const Result<int> number = watches.add(arguments[0]);
                                   return number ? Result<void>() : Result<void>(number.error());
                               });
        console.commands().add("unwatch", "Watches no more.",
                               {{.name = "number", .doc = "", .type = ArgumentType::Rest}},
                               [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                                   arguments[0] == "all"
                                       ? watches.clear()
                                       : static_cast<void>(watches.remove(std::stoi(arguments[0])));
                                   return {};
                               });
        console.commands().add(
            "on", "Sends.",
            {{.name = "target", .doc = ""}, {.name = "line", .doc = "", .type = ArgumentType::Rest}},
            [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                sent.append(QString::fromStdString(arguments[0] + ": " + arguments[1]));
                return {};
            });
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        panel = new ConsolePanel(theme, backend, &window);
        layout->addWidget(panel);
        window.resize(1000, 420);
        window.show();
        panel->focusInput();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }
    ConsoleInput& input() { return panel->input(); }
    LogView& view() { return panel->view(); }
    void type(const char* text) { QTest::keyClicks(&input(), QString::fromUtf8(text)); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&input(), key, modifiers);
    }
    QStringList rows() {
        QStringList out;
        for (int row = 0; row < panel->model().rowCount(); ++row)
            out.append(panel->model().at(row).text);
        return out;
    }
    bool waitFor(const char* text) {
        return QTest::qWaitFor(
            [&] { return rows().join(QLatin1Char('\n')).contains(QString::fromUtf8(text)); }, 2000);
    }
    template <typename T> T* child(const char* name) { return panel->findChild<T*>(QLatin1String(name)); }
    // Of several of that name the one that is seen.
    template <typename T> T* shown(const char* name) {
        for (T* each : panel->findChildren<T*>(QLatin1String(name)))
            if (each->isVisible())
                return each;
        return nullptr;
    }
};

inline bool writeFile(const QString& name, const QByteArray& text) {
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

inline QByteArray readFile(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace sbx::ui::test
