#include "widgets/inspector/scope_question.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

ScopeQuestion::ScopeQuestion(const Theme& theme, const QString& what, const ComponentTargets& targets, std::size_t users,
                             ComponentScope preferred, QWidget* parent)
    : QDialog(parent), m_keep(new QCheckBox(tr("Do not ask again until the program ends"), this)) {
    setObjectName(QStringLiteral("inspector.scope"));
    setWindowTitle(what);
    const std::size_t count = countOf(targets);
    const QString types = targets.size() == 1 ? shownLine(QString::fromStdString(targets.front().type)) : tr("%1 types").arg(targets.size());
    const QString entities = count == 1 ? shownLine(QString::fromStdString(targets.front().entities.front())) : tr("%1 entities").arg(count);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(measure::RelatedGap);
    auto* asked = new QLabel(tr("%1 to which entities?").arg(what), this);
    asked->setObjectName(QStringLiteral("scope.question"));
    asked->setFont(theme.strongFont(FontRole::Ui));
    layout->addWidget(asked);
    layout->addSpacing(measure::RelatedGap);
    const auto offer = [&](const QString& text, const QString& explanation, const char* name, ComponentScope scope) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setAccessibleDescription(explanation);
        button->setDefault(scope == preferred);
        if (scope == preferred)
            setPrimary(*button);
        auto* label = new QLabel(explanation, this);
        label->setWordWrap(true);
        setTextToken(*label, theme, Token::Muted);
        layout->addWidget(button);
        layout->addWidget(label);
        layout->addSpacing(measure::PanelPadding);
        connect(button, &QPushButton::clicked, this, [this, scope] {
            emit answered(scope);
            accept();
        });
        return button;
    };
    QPushButton* all = offer(tr("&All %1 of %2").arg(users).arg(types),
                             targets.size() == 1 ? tr("Changes the definition of %1: every entity of it follows.").arg(types)
                                                 : tr("Changes the definitions of the %1: every entity of them follows.").arg(types),
                             "scope.type", ComponentScope::AllOfType);
    QPushButton* one =
        offer(count == 1 ? tr("&Only %1").arg(entities) : tr("&Only these %1").arg(entities),
              targets.size() == 1 ? tr("Makes a new type that extends %1 for it; the others stay as they are.").arg(types)
                                  : tr("Makes a new type for each of the %1 that extends it; the others stay as they are.").arg(types),
              "scope.entity", ComponentScope::OneEntity);
    m_keep->setObjectName(QStringLiteral("scope.keep"));
    layout->addWidget(m_keep);
    (preferred == ComponentScope::AllOfType ? all : one)->setFocus();
    setFixedWidth(340);
}

bool ScopeQuestion::isKept() const { return m_keep->isChecked(); }

void ScopeQuestion::openAt(const QRect& place) {
    adjustSize();
    const QScreen* on = parentWidget() != nullptr ? parentWidget()->screen() : screen();
    const QRect room = on->availableGeometry();
    const QSize size = frameGeometry().size();
    move(std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - size.width())),
         std::clamp(place.top(), room.top(), std::max(room.top(), room.bottom() - size.height())));
    open();
}

} // namespace sbx::ui

#include "moc_scope_question.cpp"
