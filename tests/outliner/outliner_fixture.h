#pragma once
// What the tests of the outliner's panel stand on: a session, the feed of a window, a panel once it is made; turns by hand.

#include <QApplication>

#include "engine/commands/console_commands.h"
#include "tests/simulation/project_in_memory.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/outliner_panel.h"

#include <memory>
#include <string>

namespace sbx::ui::test {

struct OutlinerFixture {
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    std::unique_ptr<SessionFeed> feed;
    Selection selection;
    std::unique_ptr<OutlinerPanel> panel;

    OutlinerFixture(const std::string& definitions, const std::string& scene) {
        session.open(projectInMemory(session, definitions, scene));
        session.publish();
        theme.apply(*qApp);
        feed = std::make_unique<SessionFeed>(session);
        feed->poll();
        panel = std::make_unique<OutlinerPanel>(theme, *feed, selection);
    }
    // What the simulation thread does between two frames, and the window with the answer.
    void turn() {
        session.runPosted();
        session.publish();
        feed->poll();
    }
};

} // namespace sbx::ui::test
