#include "app/editor/name_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <utility>

namespace sbx::editor {

NameDialog::NameDialog(const ui::Theme& theme, const Words& words, const QString& name,
                       std::function<QString(const QString&)> faultOf, QWidget* parent)
    : QDialog(parent),
      m_faultOf(std::move(faultOf)),
      m_name(new QLineEdit(name, this)),
      m_fault(new QLabel(this)),
      m_accept(new QPushButton(words.accept, this)) {
    setObjectName(words.name);
    setAccessibleName(words.title);
    setWindowTitle(words.title);
    m_name->setObjectName(words.name + QStringLiteral(".name"));
    m_name->setAccessibleName(QString(words.label).remove(QLatin1Char('&')));
    m_name->selectAll();
    m_fault->setObjectName(words.name + QStringLiteral(".fault"));
    m_fault->setWordWrap(true);
    ui::setTextToken(*m_fault, theme, ui::Token::Error);
    auto* label = new QLabel(words.label, this);
    label->setObjectName(words.name + QStringLiteral(".label"));
    label->setBuddy(m_name);
    m_accept->setObjectName(words.name + QStringLiteral(".accept"));
    m_accept->setDefault(true);
    ui::setPrimary(*m_accept);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(words.name + QStringLiteral(".cancel"));
    cancel->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_accept);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(ui::measure::RelatedGap);
    layout->addWidget(label);
    layout->addWidget(m_name);
    layout->addWidget(m_fault);
    layout->addStretch();
    layout->addLayout(buttons);
    resize(380, sizeHint().height());
    setTabOrder(m_name, cancel);
    setTabOrder(cancel, m_accept);
    connect(m_name, &QLineEdit::textChanged, this, &NameDialog::follow);
    connect(m_accept, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    follow();
}

QString NameDialog::name() const { return m_name->text().trimmed(); }

void NameDialog::follow() {
    const QString fault = m_faultOf(name());
    // An empty field that was not touched yet is no fault.
    const bool isShown = !fault.isEmpty() && (m_name->isModified() || !m_name->text().isEmpty());
    m_fault->setText(isShown ? fault : QStringLiteral(" ")); // its line stays, so that nothing jumps
    ui::setInvalid(*m_name, isShown);
    m_accept->setEnabled(fault.isEmpty());
}

} // namespace sbx::editor

#include "moc_name_dialog.cpp"
