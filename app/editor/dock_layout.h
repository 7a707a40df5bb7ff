#pragma once
// Restores the arrangement of a main window's panels without what Qt 6.4 does for a window that will be maximised.
//
// QMainWindow::restoreState() of a hidden window that is to be maximised keeps a copy of the arrangement and lays it out again with the
// first resizes. The copy shares the bars of tabs inside splits with the arrangement itself: when another state is restored in between,
// as that of a project is after that of the window, they are deleted, and the next resize uses them. Here the state is restored while
// the window counts as normal, so that no copy is made, and once more when the window has its size, because an arrangement that did not
// fit into the smaller one was squeezed.
// GUI thread; what waits for the size belongs to the window.

#include <QByteArray>
#include <QSize>

class QMainWindow;

namespace sbx::editor {

// Of a dock, with the objectName of another: a state of an earlier version, which does not know the dock, puts it behind that one.
constexpr const char* BesideProperty = "beside";

// As QMainWindow::restoreState(). False: the state is none, or of another version. `size`: that of the window when the state was made, in pixels;
// in a larger window all panels grow, where Qt would leave all the room to one. Empty: it is not known.
bool restoreLayout(QMainWindow& window, const QByteArray& state, int version, const QSize& size = {});

} // namespace sbx::editor
