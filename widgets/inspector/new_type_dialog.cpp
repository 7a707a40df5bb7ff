#include "widgets/inspector/new_type_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <utility>

namespace sbx::ui {

NewTypeDialog::NewTypeDialog(const Theme& theme, const QString& name, const QString& explanation,
                             std::function<QString(const QString&)> faultOf, QWidget* parent)
    : QDialog(parent),
      m_faultOf(std::move(faultOf)),
      m_name(new QLineEdit(name, this)),
      m_fault(new QLabel(this)),
      m_make(new QPushButton(tr("&Make type"), this)) {
    setObjectName(QStringLiteral("newType"));
    setWindowTitle(tr("New type"));
    m_name->setObjectName(QStringLiteral("newType.name"));
    m_name->setAccessibleName(tr("Name of the type"));
    m_name->selectAll();
    m_fault->setObjectName(QStringLiteral("newType.fault"));
    m_fault->setWordWrap(true);
    setTextToken(*m_fault, theme, Token::Error);
    auto* what = new QLabel(explanation, this);
    what->setWordWrap(true);
    setTextToken(*what, theme, Token::Muted);
    auto* label = new QLabel(tr("&Name of the type"), this);
    label->setBuddy(m_name);
    m_make->setObjectName(QStringLiteral("newType.make"));
    m_make->setDefault(true);
    setPrimary(*m_make);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_make);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(measure::RelatedGap);
    layout->addWidget(label);
    layout->addWidget(m_name);
    layout->addWidget(m_fault);
    layout->addSpacing(measure::RelatedGap);
    layout->addWidget(what);
    layout->addStretch();
    layout->addSpacing(measure::PanelPadding);
    layout->addLayout(buttons);
    resize(380, sizeHint().height());
    setTabOrder(m_name, cancel);
    setTabOrder(cancel, m_make);
    connect(m_name, &QLineEdit::textChanged, this, &NewTypeDialog::follow);
    connect(m_make, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    follow();
}

QString NewTypeDialog::name() const { return m_name->text().trimmed(); }

void NewTypeDialog::follow() {
    const QString fault = m_faultOf(name());
    m_fault->setText(fault.isEmpty() ? QStringLiteral(" ") : fault); // its line stays, so that nothing jumps
    setInvalid(*m_name, !fault.isEmpty());
    m_make->setEnabled(fault.isEmpty());
}

} // namespace sbx::ui

#include "moc_new_type_dialog.cpp"
