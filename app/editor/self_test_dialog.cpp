#include "app/editor/self_test_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

namespace sbx::editor {

SelfTestDialog::SelfTestDialog(const QString& program, QWidget* parent)
    : QDialog(parent), m_state(new QLabel), m_lines(new QPlainTextEdit) {
    setObjectName(QStringLiteral("selfTest"));
    setWindowTitle(tr("Self-test"));
    m_state->setObjectName(QStringLiteral("selfTest.state"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_lines->setObjectName(QStringLiteral("selfTest.lines"));
    m_lines->setAccessibleName(tr("Results"));
    m_lines->setReadOnly(true);
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    m_copy->setObjectName(QStringLiteral("selfTest.copy"));
    m_copy->setToolTip(tr("Copies the lines, for a report"));
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(report()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_state);
    layout->addWidget(m_lines, 1);
    layout->addWidget(buttons);
    setTabOrder(m_lines, m_copy);
    setTabOrder(m_copy, buttons->button(QDialogButtonBox::Close));
    resize(fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 20);

    m_state->setText(tr("Trying what the program needs of this machine. Where a compiler is installed, the last line takes a minute."));
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { m_lines->setPlainText(m_lines->toPlainText() + QString::fromUtf8(m_process.readAllStandardOutput())); });
    connect(&m_process, &QProcess::finished, this, &SelfTestDialog::finish);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            m_state->setText(tr("%1 cannot be started: %2").arg(m_process.program(), m_process.errorString()));
    });
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.start(program, {QStringLiteral("--selftest")});
}

SelfTestDialog::~SelfTestDialog() {
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void SelfTestDialog::finish() {
    if (m_process.exitStatus() != QProcess::NormalExit)
        m_state->setText(tr("The self-test ended before its time: %1.").arg(m_process.errorString()));
    else if (m_process.exitCode() == 0)
        m_state->setText(tr("This machine has what the program needs."));
    else
        m_state->setText(tr("Something is missing or fails: see the lines with FAIL."));
}

QString SelfTestDialog::report() const {
    return QStringLiteral("Signalbox %1, %2, %3, Qt %4\n")
               .arg(QApplication::applicationVersion(), QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(),
                    QString::fromLatin1(qVersion()))
           + m_lines->toPlainText();
}

} // namespace sbx::editor
