#pragma once
// A drag in a panel that comes as values with a last one: a field that is scrubbed, a handle that is pulled. It is one step of the
// undo stack, and what console lines set meanwhile comes after it.
//
// Held from begin() to end(), at the latest until a mouse button is let go: a drag may lose what it drags, and then no last value
// comes. GUI thread; the document outlives it.

#include <QObject>

namespace sbx::ui {

class Document;

class DragHold : public QObject {
    Q_OBJECT

public:
    explicit DragHold(Document& document) : m_document(document) {}
    ~DragHold() override;

    // Before the edit of a value that is not the last one.
    void begin();
    // After the edit of the last one, which may be the only one.
    void end();
    [[nodiscard]] bool isHeld() const { return m_held; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void release();

    Document& m_document;
    bool m_held = false;
};

} // namespace sbx::ui
