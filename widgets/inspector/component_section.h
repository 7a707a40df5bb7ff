#pragma once
// One collapsible group of the inspector: a header and rows of label and editor. GUI thread; parent owns it.

#include <QAbstractButton>
#include <QWidget>

#include "engine/core/fields.h"
#include "widgets/common/field_editor.h"

#include <functional>
#include <vector>

class QGridLayout;
class QLabel;
class QMenu;

namespace sbx::ui {

class Theme;

// A full-width line with a chevron that turns: checked is open. It can be dragged to another place if it is movable; what a drag means is its
// owner's business.
class SectionHeader : public QAbstractButton {
    Q_OBJECT

public:
    SectionHeader(const Theme& theme, const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    void setMovable(bool movable) { m_movable = movable; }

signals:
    // In global coordinates. A drag ends with dropped() or dragCancelled().
    void dragged(const QPoint& at);
    void dropped(const QPoint& at);
    void dragCancelled();
    // Alt+Up (-1), Alt+Down (1).
    void moveRequested(int by);
    void copyRequested();
    void pasteRequested();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void cancelDrag();

    const Theme& m_theme;
    QPoint m_pressedAt;
    bool m_movable = false;
    bool m_pressed = false;
    bool m_dragging = false;
};

// The rows of a section, with a bar before each whose value is said here.
class SectionBody : public QWidget {
    Q_OBJECT

public:
    SectionBody(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {}
    // Rectangles of the marked rows are asked for when they are drawn: of what the scene says, or what was changed while the world runs.
    std::function<std::vector<QRect>(bool live)> marked;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

class ComponentSection : public QWidget {
    Q_OBJECT

public:
    struct Row {
        const FieldInfo* info = nullptr;
        QLabel* label = nullptr;
        FieldEditor* editor = nullptr;
        bool state = false;
        bool unused = false; // has no effect beside the other values
        bool said = false;   // here, rather than by a type or by default
        bool live = false;   // changed by hand in the running world
    };

    ComponentSection(const Theme& theme, const QString& name, const QString& title, const QString& doc,
                     QWidget* parent = nullptr);

    // What the header says behind the component's name; empty: nothing.
    void setRemark(const QString& remark);
    FieldEditor* addField(const FieldInfo& field, const FieldSources& sources, bool state);
    // Shows rows whose name or doc contains the text; opens itself if any does. Empty: all.
    int filter(const QString& text);
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const;
    // How the row of a setting stands: a value without effect is left out, unless it is said here or searched for; then it cannot be changed.
    void setRowState(std::size_t row, bool unused, FieldOrigin origin);
    [[nodiscard]] SectionHeader& header() const { return *m_header; }
    // A button at the end of the header that opens a menu, as does a right click on the header: fillMenu() is called each time to fill it.
    void addMenu(std::function<void(QMenu&)> fillMenu);

signals:
    // A right click on the row of a field, at this place on the screen.
    void rowMenuRequested(const sbx::FieldInfo& field, bool state, const QPoint& at);

private:
    [[nodiscard]] bool matches(const Row& row) const;

    const Theme& m_theme;
    QString m_name;
    QString m_title;
    QString m_filter;
    SectionHeader* m_header;
    SectionBody* m_body;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    QLabel* m_live = nullptr; // above the first live value
};

} // namespace sbx::ui
