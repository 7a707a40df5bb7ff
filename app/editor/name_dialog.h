#pragma once
// Asks for one name, and says below the line what is wrong with it while it is typed. GUI thread.

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class NameDialog : public QDialog {
    Q_OBJECT

public:
    struct Words {
        QString name;   // objectName of the dialog; its parts are called NAME.name, NAME.fault, NAME.accept
        QString title;
        QString label;  // of the line, with & for its key
        QString accept; // of the button
    };
    // `faultOf`: what is wrong with a trimmed name; empty: nothing.
    NameDialog(const ui::Theme& theme, const Words& words, const QString& name, std::function<QString(const QString&)> faultOf,
               QWidget* parent);
    [[nodiscard]] QString name() const;

private:
    void follow();

    std::function<QString(const QString&)> m_faultOf;
    QLineEdit* m_name;
    QLabel* m_fault;
    QPushButton* m_accept;
};

} // namespace sbx::editor
