#include "widgets/definition/find_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/common/theme.h"
#include "widgets/definition/code_view.h"

#include <algorithm>
#include <vector>

namespace sbx::ui {

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::vector<std::size_t> places(std::string_view text, std::string_view wanted) {
    std::vector<std::size_t> out;
    auto at = text.begin();
    while (!wanted.empty()) {
        at = std::search(at, text.end(), wanted.begin(), wanted.end(),
                         [](char a, char b) { return folded(a) == folded(b); });
        if (at == text.end())
            break;
        out.push_back(static_cast<std::size_t>(at - text.begin()));
        at += static_cast<std::ptrdiff_t>(wanted.size());
    }
    return out;
}

} // namespace

FindBar::FindBar(const Theme& theme, CodeView& view, QWidget* parent)
    : QWidget(parent), m_view(view), m_edit(new QLineEdit(this)), m_count(new QLabel(this)) {
    setObjectName(QStringLiteral("definition.findBar"));
    m_edit->setObjectName(QStringLiteral("definition.find"));
    m_edit->setAccessibleName(tr("Find in the text"));
    m_edit->setPlaceholderText(tr("Find in the text"));
    m_edit->setClearButtonEnabled(true);
    m_edit->addAction(theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    m_edit->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("definition.findCount"));
    m_count->setAccessibleName(tr("Places found"));
    setTextToken(*m_count, theme, Token::Muted);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                            measure::RelatedGap);
    row->setSpacing(measure::RelatedGap);
    row->addWidget(m_edit, 1);
    row->addWidget(m_count);
    const auto button = [&](const QString& name, const QString& icon, const QString& title) {
        auto* made = new QToolButton(this);
        made->setObjectName(QStringLiteral("definition.") + name);
        made->setAccessibleName(title);
        made->setToolTip(title);
        made->setIcon(theme.icon(icon));
        made->setAutoRaise(true);
        made->setFixedHeight(measure::ControlHeight);
        row->addWidget(made);
        return made;
    };
    connect(button(QStringLiteral("findPrevious"), QStringLiteral("arrow-up"), tr("Previous (Shift+Enter)")),
            &QToolButton::clicked, this, [this] { find(false); });
    connect(button(QStringLiteral("findNext"), QStringLiteral("arrow-down"), tr("Next (Enter)")),
            &QToolButton::clicked, this, [this] { find(true); });
    connect(button(QStringLiteral("findClose"), QStringLiteral("close"), tr("Close (Esc)")),
            &QToolButton::clicked, this, &FindBar::stop);
    connect(m_edit, &QLineEdit::textChanged, this, [this] { find(true, true); });
    hide();
}

void FindBar::start() {
    const std::size_t begin = std::min(m_view.anchor(), m_view.caret());
    const std::size_t end = std::max(m_view.anchor(), m_view.caret());
    const std::string_view picked = m_view.bytes().substr(begin, end - begin);
    show();
    if (!picked.empty() && picked.find('\n') == std::string_view::npos)
        m_edit->setText(QString::fromUtf8(picked.data(), static_cast<qsizetype>(picked.size())));
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FindBar::stop() {
    hide();
    m_view.setFocus(Qt::OtherFocusReason);
}

void FindBar::find(bool forward, bool fromHere) {
    const std::string wanted = m_edit->text().toStdString();
    const std::vector<std::size_t> all = places(m_view.bytes(), wanted);
    setInvalid(*m_edit, !wanted.empty() && all.empty());
    if (all.empty()) {
        m_count->setText(wanted.empty() ? QString() : tr("none"));
        return;
    }
    const std::size_t here = std::min(m_view.anchor(), m_view.caret());
    std::size_t index = 0;
    if (forward) {
        const auto next = std::lower_bound(all.begin(), all.end(), fromHere ? here : here + 1);
        index = next == all.end() ? 0 : static_cast<std::size_t>(next - all.begin());
    } else {
        const auto next = std::lower_bound(all.begin(), all.end(), here);
        index = next == all.begin() ? all.size() - 1 : static_cast<std::size_t>(next - all.begin()) - 1;
    }
    m_view.select(all[index], all[index] + wanted.size());
    m_view.reveal(all[index]);
    m_count->setText(tr("%1 of %2").arg(index + 1).arg(all.size()));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_edit
        && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        const bool escape = key.key() == Qt::Key_Escape;
        const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (escape || enter) {
            if (event->type() == QEvent::ShortcutOverride)
                event->accept();
            else if (escape)
                stop();
            else
                find(!key.modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_find_bar.cpp"
