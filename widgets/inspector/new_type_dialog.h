#pragma once
// Asks for the name of a new entity type; what is wrong with it stands below the line. GUI thread.

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sbx::ui {

class Theme;

class NewTypeDialog : public QDialog {
    Q_OBJECT

public:
    // `explanation`: what will be made. `faultOf`: what is wrong with a name; empty: nothing.
    NewTypeDialog(const Theme& theme, const QString& name, const QString& explanation,
                  std::function<QString(const QString&)> faultOf, QWidget* parent);
    [[nodiscard]] QString name() const;

private:
    void follow();

    std::function<QString(const QString&)> m_faultOf;
    QLineEdit* m_name;
    QLabel* m_fault;
    QPushButton* m_make;
};

} // namespace sbx::ui
