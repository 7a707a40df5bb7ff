#include "widgets/inspector/component_section.h"

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

SectionHeader::SectionHeader(const Theme& theme, const QString& title, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme) {
    setText(title);
    setCheckable(true);
    setChecked(true);
    setFont(theme.strongFont(FontRole::Ui));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    connect(&theme, &Theme::changed, this, [this] {
        setFont(m_theme.strongFont(FontRole::Ui));
        update();
    });
}

QSize SectionHeader::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + measure::IconSize + 3 * measure::PanelPadding,
            measure::ControlHeight};
}

void SectionHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(underMouse() ? Token::Pressed : Token::Raised));
    const QRect icon(measure::RelatedGap, (height() - measure::IconSize) / 2, measure::IconSize,
                     measure::IconSize);
    m_theme.icon(isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), Token::Muted)
        .paint(&painter, icon);
    painter.setPen(m_theme.color(Token::Text));
    painter.drawText(rect().adjusted(icon.right() + measure::RelatedGap, 0, -measure::PanelPadding, 0),
                     Qt::AlignVCenter | Qt::AlignLeft, text());
    if (hasFocus()) {
        painter.setPen(m_theme.color(Token::Accent));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

bool SectionHeader::event(QEvent* event) {
    // Copy and paste are meant for the header that has the focus, not for the window.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool arrow = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down;
        if (key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Paste) || (arrow && key->modifiers() == Qt::AltModifier)
            || (m_dragging && key->key() == Qt::Key_Escape)) {
            event->accept();
            return true;
        }
    }
    return QAbstractButton::event(event);
}

void SectionHeader::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->button() == Qt::LeftButton;
    m_pressedAt = event->globalPosition().toPoint();
    QAbstractButton::mousePressEvent(event);
}

void SectionHeader::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->globalPosition().toPoint();
    if (m_movable && m_pressed && !m_dragging && (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_dragging = true;
        setDown(false); // a drag is no click
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_dragging)
        emit dragged(at);
    else
        QAbstractButton::mouseMoveEvent(event);
}

void SectionHeader::mouseReleaseEvent(QMouseEvent* event) {
    const bool wasDragged = m_dragging;
    const bool cancelled = !m_pressed; // by Esc, while the button was still down
    m_pressed = false;
    m_dragging = false;
    unsetCursor();
    if (wasDragged)
        emit dropped(event->globalPosition().toPoint());
    else if (!cancelled)
        QAbstractButton::mouseReleaseEvent(event);
}

void SectionHeader::cancelDrag() {
    if (!m_dragging)
        return;
    m_dragging = false;
    m_pressed = false;
    unsetCursor();
    emit dragCancelled();
}

void SectionHeader::focusOutEvent(QFocusEvent* event) {
    cancelDrag();
    QAbstractButton::focusOutEvent(event);
}

void SectionHeader::keyPressEvent(QKeyEvent* event) {
    if (m_dragging && event->key() == Qt::Key_Escape)
        cancelDrag();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Up)
        emit moveRequested(-1);
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Down)
        emit moveRequested(1);
    else if (event->matches(QKeySequence::Copy))
        emit copyRequested();
    else if (event->matches(QKeySequence::Paste))
        emit pasteRequested();
    else
        QAbstractButton::keyPressEvent(event);
}

void SectionBody::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (marked)
        for (const bool live : {false, true})
            for (const QRect& row : marked(live))
                painter.fillRect(QRect(measure::RelatedGap, row.top(), 2, row.height()), m_theme.color(live ? Token::Play : Token::Accent));
}

ComponentSection::ComponentSection(const Theme& theme, const QString& name, const QString& title,
                                   const QString& doc, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_name(name),
      m_title(title),
      m_header(new SectionHeader(theme, title, this)),
      m_body(new SectionBody(theme, this)),
      m_grid(new QGridLayout(m_body)) {
    setObjectName(QStringLiteral("inspector.") + name);
    m_header->setObjectName(QStringLiteral("inspector.%1.header").arg(name));
    m_header->setToolTip(tipText(doc));
    m_header->setAccessibleName(title);
    m_header->setAccessibleDescription(doc);
    m_grid->setContentsMargins(measure::PanelPadding + 4, 2, measure::PanelPadding, measure::PanelPadding);
    m_grid->setHorizontalSpacing(measure::PanelPadding);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnMinimumWidth(0, 92);
    m_grid->setColumnStretch(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_body);
    connect(m_header, &SectionHeader::toggled, this, &ComponentSection::setOpen);
    m_body->marked = [this](bool live) {
        std::vector<QRect> rows;
        for (const Row& row : m_rows)
            if ((live ? row.live : row.said && !row.live) && !row.editor->isHidden())
                rows.push_back(row.editor->geometry());
        return rows;
    };
}

void ComponentSection::setRemark(const QString& remark) {
    const QString text = remark.isEmpty() ? m_title : m_title + QStringLiteral("  ·  ") + remark;
    if (text == m_header->text())
        return;
    m_header->setText(text);
    m_header->setAccessibleName(text);
    m_header->updateGeometry();
}

namespace {

constexpr qsizetype LabelLetters = 14; // of name and unit in one line

// Several numbers in a row have their unit here, once; a single number has it in its field.
QString labelOf(const FieldInfo& field) {
    const QString name = QString::fromStdString(field.name);
    const bool vector = field.type == FieldType::Vector2 || field.type == FieldType::Vector3 || field.type == FieldType::Vector4;
    if (!vector || field.unit.empty())
        return name;
    const QString unit = QString::fromStdString(field.unit).replace(QStringLiteral("deg"), QStringLiteral("°"));
    // Below a long name, so that the numbers keep their room.
    const bool below = name.size() + unit.size() > LabelLetters;
    return QStringLiteral("%1%2(%3)").arg(name, below ? QStringLiteral("\n") : QStringLiteral(" "), unit);
}

} // namespace

FieldEditor* ComponentSection::addField(const FieldInfo& field, const FieldSources& sources, bool state) {
    if (state && m_live == nullptr) {
        m_live = new QLabel(tr("Live"), m_body);
        setTextToken(*m_live, m_theme, Token::Play);
        m_grid->addWidget(m_live, m_grid->rowCount(), 0, 1, 2);
    }
    const int row = m_grid->rowCount();
    auto* label = new QLabel(labelOf(field), m_body);
    label->setToolTip(FieldEditor::describe(field));
    setTextToken(*label, m_theme, Token::Muted);
    FieldEditor* editor = FieldEditor::create(field, m_theme, sources, m_body);
    editor->setObjectName(QStringLiteral("inspector.%1.%2").arg(m_name, QString::fromStdString(field.name)));
    editor->setAccessibleName(QStringLiteral("%1 %2").arg(m_name, QString::fromStdString(field.name)));
    label->setBuddy(editor);
    m_grid->addWidget(label, row, 0, Qt::AlignTop);
    m_grid->addWidget(editor, row, 1);
    label->ensurePolished();
    label->setMinimumHeight(std::max(measure::ControlHeight, label->sizeHint().height())); // a unit may stand in a second line
    for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(editor)}) {
        part->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(part, &QWidget::customContextMenuRequested, this,
                [this, part, &field, state](const QPoint& at) { emit rowMenuRequested(field, state, part->mapToGlobal(at)); });
    }
    // Wherever in the editor the pointer is: its parts have no menus of their own.
    for (QWidget* part : editor->findChildren<QWidget*>())
        if (!part->isWindow())
            part->setContextMenuPolicy(Qt::NoContextMenu);
    m_rows.push_back({&field, label, editor, state});
    return editor;
}

void ComponentSection::addMenu(std::function<void(QMenu&)> fillMenu) {
    auto* button = new QToolButton(m_header);
    button->setObjectName(QStringLiteral("inspector.%1.menu").arg(m_name));
    button->setAccessibleName(tr("What can be done with %1").arg(m_title));
    button->setToolTip(button->accessibleName());
    button->setIcon(m_theme.icon(QStringLiteral("more"), Token::Muted));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFixedSize(measure::ControlHeight, measure::ControlHeight);
    auto* menu = new QMenu(button);
    menu->setObjectName(button->objectName() + QStringLiteral(".items"));
    connect(menu, &QMenu::aboutToShow, this, [menu, fill = std::move(fillMenu)] {
        menu->clear();
        fill(*menu);
    });
    button->setMenu(menu);
    m_header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_header, &QWidget::customContextMenuRequested, menu,
            [this, menu](const QPoint& at) { menu->popup(m_header->mapToGlobal(at)); });
    auto* row = new QHBoxLayout(m_header);
    row->setContentsMargins(0, 0, measure::RelatedGap, 0);
    row->addStretch(1);
    row->addWidget(button);
}

bool ComponentSection::matches(const Row& row) const {
    if (m_filter.isEmpty())
        return !row.unused || row.said;
    return QString::fromStdString(row.info->name).contains(m_filter, Qt::CaseInsensitive)
           || QString::fromStdString(row.info->doc).contains(m_filter, Qt::CaseInsensitive)
           || m_name.contains(m_filter, Qt::CaseInsensitive);
}

void ComponentSection::setRowState(std::size_t row, bool unused, FieldOrigin origin) {
    Row& of = m_rows[row];
    const bool live = origin == FieldOrigin::Live;
    const bool said = live || origin == FieldOrigin::Overridden;
    if (of.unused == unused && of.said == said && of.live == live)
        return;
    of.live = live;
    of.unused = unused;
    of.said = said;
    QFont font = m_theme.font(FontRole::Ui);
    if (said)
        font = m_theme.strongFont(FontRole::Ui);
    of.label->setFont(font);
    const bool shown = matches(of);
    of.label->setVisible(shown);
    of.editor->setVisible(shown);
    m_body->update();
}

int ComponentSection::filter(const QString& text) {
    int shown = 0;
    int live = 0;
    m_filter = text;
    for (const Row& row : m_rows) {
        const bool match = matches(row);
        row.label->setVisible(match);
        row.editor->setVisible(match);
        shown += match ? 1 : 0;
        live += match && row.state ? 1 : 0;
    }
    if (m_live != nullptr)
        m_live->setVisible(live > 0);
    setVisible(shown > 0 || (text.isEmpty() && m_rows.empty()));
    if (!text.isEmpty() && shown > 0)
        setOpen(true);
    return shown;
}

void ComponentSection::setOpen(bool open) {
    m_header->setChecked(open);
    m_body->setVisible(open);
}

bool ComponentSection::isOpen() const { return m_header->isChecked(); }

} // namespace sbx::ui

#include "moc_component_section.cpp"
