#include "app/editor/join_dialog.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QThread>
#include <QVBoxLayout>

#include "engine/net/udp_transport.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

#include <memory>

namespace sbx::editor {

namespace {
constexpr int LongestName = 48; // bytes of PlayerInfo::name
}

JoinDialog::JoinDialog(std::filesystem::path knownServers, ui::UserSettings& settings, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_knownServers(std::move(knownServers)),
      m_settings(settings),
      m_server(new QLineEdit(this)),
      m_name(new QLineEdit(this)),
      m_password(new QLineEdit(this)),
      m_observes(new QCheckBox(tr("Only &observe: look on without a player"), this)),
      m_fault(new QLabel(this)),
      m_join(new QPushButton(tr("&Join"), this)) {
    setObjectName(QStringLiteral("join"));
    setWindowTitle(tr("Join a server"));
    m_server->setObjectName(QStringLiteral("join.server"));
    m_server->setAccessibleName(tr("Server"));
    m_server->setPlaceholderText(tr("address or name, such as 192.168.1.5:%1").arg(UdpHost::UsualPort));
    m_server->setText(settings.value(QStringLiteral("join/server")).toString());
    m_name->setObjectName(QStringLiteral("join.name"));
    m_name->setAccessibleName(tr("Your name"));
    m_name->setPlaceholderText(QStringLiteral("player"));
    m_name->setMaxLength(LongestName);
    m_name->setText(settings.value(QStringLiteral("join/name")).toString());
    m_password->setObjectName(QStringLiteral("join.password"));
    m_password->setAccessibleName(tr("Password"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("if the server wants one"));
    m_observes->setObjectName(QStringLiteral("join.observes"));
    m_observes->setChecked(settings.value(QStringLiteral("join/observes")).toBool());
    m_fault->setObjectName(QStringLiteral("join.fault"));
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    ui::setTextToken(*m_fault, theme, ui::Token::Error);
    m_join->setObjectName(QStringLiteral("join.join"));
    m_join->setDefault(true);
    ui::setPrimary(*m_join);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("join.cancel"));
    cancel->setAutoDefault(false);
    auto* what = new QLabel(tr("The server's world takes the place of the scene until Stop. The open project must be the one that the server plays."), this);
    what->setWordWrap(true);
    ui::setTextToken(*what, theme, ui::Token::Muted);

    auto* fields = new QFormLayout;
    fields->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    fields->addRow(tr("&Server"), m_server);
    fields->addRow(tr("Your &name"), m_name);
    fields->addRow(tr("Pass&word"), m_password);
    fields->addRow(QString(), m_observes);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_join);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::RelatedGap);
    layout->addLayout(fields);
    layout->addWidget(m_fault);
    layout->addWidget(what);
    layout->addStretch();
    layout->addSpacing(ui::measure::PanelPadding);
    layout->addLayout(buttons);
    setTabOrder(m_server, m_name);
    setTabOrder(m_name, m_password);
    setTabOrder(m_password, m_observes);
    setTabOrder(m_observes, cancel);
    setTabOrder(cancel, m_join);
    for (QLineEdit* field : {m_server, m_name, m_password})
        connect(field, &QLineEdit::textChanged, this, &JoinDialog::follow);
    connect(m_join, &QPushButton::clicked, this, &JoinDialog::find);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    follow();
    resize(520, sizeHint().height());
    m_server->selectAll();
    m_server->setFocus();
}

void JoinDialog::follow() {
    m_join->setEnabled(!m_finding && !m_server->text().trimmed().isEmpty());
    m_fault->setText(QStringLiteral(" ")); // its line stays when it is empty, so that nothing jumps
}

void JoinDialog::fail(const QString& why) {
    m_fault->setText(why);
    m_server->setFocus();
    m_server->selectAll();
}

void JoinDialog::find() {
    if (m_finding)
        return;
    m_finding = true;
    for (QWidget* each : std::initializer_list<QWidget*>{m_server, m_name, m_password, m_observes, m_join})
        each->setEnabled(false);
    m_join->setText(tr("Looking for it…"));
    const auto found = std::make_shared<Result<net::Address>>(net::Address());
    QThread* const thread = QThread::create(
        [found, server = m_server->text().trimmed().toStdString()] { *found = net::resolveAddress(server, UdpHost::UsualPort); });
    // The dialog may be gone by then.
    connect(thread, &QThread::finished, this, [this, found] { join(*found); });
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->start();
}

void JoinDialog::join(const Result<net::Address>& address) {
    m_finding = false;
    for (QWidget* each : std::initializer_list<QWidget*>{m_server, m_name, m_password, m_observes})
        each->setEnabled(true);
    m_join->setText(tr("&Join"));
    follow();
    if (!address) {
        fail(QString::fromStdString(address.error().message));
        return;
    }
    auto udp = UdpHost::open(0);
    if (!udp) {
        fail(QString::fromStdString(udp.error().message));
        return;
    }
    const QString server = m_server->text().trimmed();
    m_settings.setValue(QStringLiteral("join/server"), server);
    m_settings.setValue(QStringLiteral("join/name"), m_name->text());
    m_settings.setValue(QStringLiteral("join/observes"), m_observes->isChecked());
    ClientSetup setup;
    setup.udp = std::move(*udp);
    setup.server = *address;
    setup.serverName = server.toStdString();
    setup.playerName = m_name->text().trimmed().toStdString();
    setup.password = m_password->text().toStdString();
    setup.observes = m_observes->isChecked();
    setup.knownServers = m_knownServers;
    accept();
    emit chosen(setup);
}

} // namespace sbx::editor

#include "moc_join_dialog.cpp"
