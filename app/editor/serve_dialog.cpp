#include "app/editor/serve_dialog.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QHostAddress>
#include <QLabel>
#include <QLineEdit>
#include <QNetworkInterface>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "engine/session/server_identity.h"
#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {

// By which others in the same network most likely reach this computer.
QString ownAddress() {
    for (const QNetworkInterface& each : QNetworkInterface::allInterfaces()) {
        if (!each.flags().testFlag(QNetworkInterface::IsRunning) || each.flags().testFlag(QNetworkInterface::IsLoopBack))
            continue;
        for (const QNetworkAddressEntry& entry : each.addressEntries())
            if (entry.ip().protocol() == QAbstractSocket::IPv4Protocol)
                return entry.ip().toString();
    }
    return QStringLiteral("localhost");
}

} // namespace

ServeDialog::ServeDialog(const Result<net::KeyPair>& key, const QString& project, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent),
      m_key(key),
      m_project(project),
      m_port(new QSpinBox(this)),
      m_password(new QLineEdit(this)),
      m_fault(new QLabel(this)),
      m_line(new QLineEdit(this)),
      m_serve(new QPushButton(tr("&Play"), this)) {
    setObjectName(QStringLiteral("serve"));
    setWindowTitle(tr("Play for other computers"));
    m_port->setObjectName(QStringLiteral("serve.port"));
    m_port->setAccessibleName(tr("Port"));
    m_port->setRange(1, 65535);
    m_port->setValue(UdpHost::UsualPort);
    m_port->setGroupSeparatorShown(false);
    m_password->setObjectName(QStringLiteral("serve.password"));
    m_password->setAccessibleName(tr("Password"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("optional"));
    m_fault->setObjectName(QStringLiteral("serve.fault"));
    m_fault->setWordWrap(true);
    ui::setTextToken(*m_fault, theme, ui::Token::Error);
    m_line->setObjectName(QStringLiteral("serve.line"));
    m_line->setAccessibleName(tr("What others type"));
    m_line->setReadOnly(true);
    m_line->setFont(theme.font(ui::FontRole::Mono));
    m_serve->setObjectName(QStringLiteral("serve.play"));
    m_serve->setDefault(true);
    ui::setPrimary(*m_serve);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("serve.cancel"));
    cancel->setAutoDefault(false);

    auto* what = new QLabel(tr("The scene runs here as a server, until Stop. Others need the same project, and join with:"), this);
    what->setWordWrap(true);
    auto* keyLine = new QLabel(this);
    keyLine->setObjectName(QStringLiteral("serve.key"));
    keyLine->setWordWrap(true);
    keyLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    ui::setTextToken(*keyLine, theme, ui::Token::Muted);
    if (m_key)
        keyLine->setText(tr("Connections are encrypted. Key of this server, which others may compare:\n%1")
                             .arg(QString::fromStdString(fingerprint(m_key->open))));
    keyLine->setVisible(m_key.ok());

    auto* fields = new QFormLayout;
    fields->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    fields->addRow(tr("P&ort"), m_port);
    fields->addRow(tr("Pass&word"), m_password);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_serve);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::RelatedGap);
    layout->addLayout(fields);
    layout->addWidget(m_fault);
    layout->addWidget(what);
    layout->addWidget(m_line);
    layout->addWidget(keyLine);
    layout->addStretch();
    layout->addSpacing(ui::measure::PanelPadding);
    layout->addLayout(buttons);
    setTabOrder(m_port, m_password);
    setTabOrder(m_password, m_line);
    setTabOrder(m_line, cancel);
    setTabOrder(cancel, m_serve);
    connect(m_port, &QSpinBox::valueChanged, this, &ServeDialog::follow);
    connect(m_password, &QLineEdit::textChanged, this, &ServeDialog::follow);
    connect(m_serve, &QPushButton::clicked, this, &ServeDialog::serve);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_serve->setEnabled(m_key.ok());
    follow();
    resize(520, sizeHint().height());
    m_port->selectAll();
    m_port->setFocus();
}

QString ServeDialog::joinLine() const {
    const QString project = m_project.contains(QLatin1Char(' ')) ? QStringLiteral("\"%1\"").arg(m_project) : m_project;
    QString line = QStringLiteral("signalbox-player %1 --connect %2:%3").arg(project, ownAddress()).arg(m_port->value());
    if (!m_password->text().isEmpty())
        line += QStringLiteral(" --password-file FILE");
    return line;
}

void ServeDialog::follow() {
    m_line->setText(joinLine());
    m_line->setCursorPosition(0);
    // Its line stays when it is empty, so that nothing jumps.
    m_fault->setText(m_key ? QStringLiteral(" ") : QString::fromStdString(m_key.error().toString()));
}

void ServeDialog::serve() {
    auto udp = UdpHost::open(static_cast<std::uint16_t>(m_port->value()));
    if (!udp) {
        m_fault->setText(QString::fromStdString(udp.error().message));
        m_port->setFocus();
        m_port->selectAll();
        return;
    }
    accept();
    emit chosen({std::shared_ptr<UdpHost>(std::move(*udp)), *m_key, m_password->text().toStdString()});
}

} // namespace sbx::editor

#include "moc_serve_dialog.cpp"
