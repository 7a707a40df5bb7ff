#pragma once
// Asks on which port the scene is played for other computers, and for a password; opens the port, so that what is wrong with it is said
// in the dialog. GUI thread; accepting opens a socket.

#include <QDialog>

#include "engine/core/result.h"
#include "engine/session/server_setup.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace sbx::ui {
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class ServeDialog : public QDialog {
    Q_OBJECT

public:
    // `key`: of this server, or why there is none; `project`: how the line that others type calls it.
    ServeDialog(const Result<net::KeyPair>& key, const QString& project, const ui::Theme& theme, QWidget* parent = nullptr);

    // What to type on another computer, as the fields are now.
    [[nodiscard]] QString joinLine() const;

signals:
    // Accepted: the port is open.
    void chosen(const sbx::ServerSetup& setup);

private:
    void follow();
    void serve();

    Result<net::KeyPair> m_key;
    QString m_project;
    QSpinBox* m_port;
    QLineEdit* m_password;
    QLabel* m_fault;
    QLineEdit* m_line;
    QPushButton* m_serve;
};

} // namespace sbx::editor
