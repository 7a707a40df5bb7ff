#pragma once
// Tools > Send message…: the form that sends a message by hand, joined to the session. GUI thread; child of the window, the editor outlives it.

#include <QObject>

#include "engine/simulation/snapshot.h"

namespace sbx::ui {
struct ComposedMessage;
class MessageComposer;
class TracePanel;
} // namespace sbx::ui

namespace sbx::editor {

class Editor;

class MessageSending : public QObject {
    Q_OBJECT

public:
    // Adds the action, and follows what the trace panel asks to be sent again.
    MessageSending(Editor& editor, ui::TracePanel& trace, QWidget& window);

    // Made when it is shown first.
    [[nodiscard]] ui::MessageComposer& composer();

private:
    void showHint(Mode mode);

    Editor& m_editor;
    QWidget& m_window;
    ui::MessageComposer* m_composer = nullptr;
};

} // namespace sbx::editor
