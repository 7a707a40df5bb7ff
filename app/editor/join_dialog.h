#pragma once
// Asks which server to join, under which name and with which password; finds its address, so that what is wrong with it is said in the
// dialog. What was typed last is offered again, but never a password. GUI thread; accepting opens a socket.

#include <QDialog>

#include "engine/core/result.h"
#include "engine/session/server_link.h"

#include <filesystem>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sbx::ui {
class Theme;
class UserSettings;
} // namespace sbx::ui

namespace sbx::editor {

class JoinDialog : public QDialog {
    Q_OBJECT

public:
    // `knownServers`: as in ClientSetup. The settings outlive the dialog.
    JoinDialog(std::filesystem::path knownServers, ui::UserSettings& settings, const ui::Theme& theme, QWidget* parent = nullptr);

signals:
    // Accepted: the server's address was found, a socket is open.
    void chosen(const sbx::ClientSetup& setup);

private:
    void follow();
    // Asks for the address, on a thread of its own: names may take seconds.
    void find();
    void join(const Result<net::Address>& address);
    void fail(const QString& why);

    std::filesystem::path m_knownServers;
    ui::UserSettings& m_settings;
    QLineEdit* m_server;
    QLineEdit* m_name;
    QLineEdit* m_password;
    QCheckBox* m_observes;
    QLabel* m_fault;
    QPushButton* m_join;
    bool m_finding = false;
};

} // namespace sbx::editor
