#pragma once
// One collapsible group of the inspector: a header and rows of label and editor. Window thread; parent owns it.

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

// A full-width line with a chevron that turns: checked is open.
class SectionHeader : public QAbstractButton {
    Q_OBJECT

public:
    SectionHeader(const Theme& theme, const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

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
    // A button at the end of the header that opens a menu: fillMenu() is called each time to fill it.
    void addMenu(std::function<void(QMenu&)> fillMenu);

signals:
    // A right click on the row of a field, at this place on the screen.
    void rowMenuRequested(const sbx::FieldInfo& field, bool state, const QPoint& at);

private:
    const Theme& m_theme;
    QString m_name;
    QString m_title;
    SectionHeader* m_header;
    QWidget* m_body;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    QLabel* m_live = nullptr; // above the first live value
};

} // namespace sbx::ui
