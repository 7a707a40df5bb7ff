#include "app/editor/start_page.h"

#include <QAbstractButton>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {

using ui::Theme;
using ui::Token;

constexpr int PageWidth = 960; // pixels, of the content
constexpr int Margin = 24;
constexpr int ColumnGap = 32;
constexpr int BeginWidth = 320;
constexpr QSize RowPicture(80, 45); // 16:9, as are all
constexpr int CardPictureHeight = 132;
constexpr int BigIcon = 24;

// A button with a picture or an icon, a title and a muted line: a row with the picture at the left, or a card with it above.
class Tile : public QAbstractButton {
public:
    enum class Form { Row, Card };

    Tile(const Theme& theme, Form form, const QString& title, const QString& line, QIcon icon,
         const QString& picture, QWidget* parent)
        : QAbstractButton(parent),
          m_theme(theme),
          m_form(form),
          m_line(line),
          m_icon(std::move(icon)),
          m_picture(picture.isEmpty() ? QImage() : QImage(picture)) {
        setText(title);
        setAccessibleName(title);
        setAccessibleDescription(line);
        setFocusPolicy(Qt::StrongFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::PointingHandCursor);
    }
    // Rows of projects keep room for a picture that is not there yet.
    void keepPictureRoom() { m_pictureRoom = true; }

    [[nodiscard]] QSize sizeHint() const override {
        const int text = 2 * fontMetrics().height() + ui::measure::RelatedGap;
        if (m_form == Form::Row)
            return {200, std::max(text, hasPicture() ? RowPicture.height() : BigIcon)
                             + 2 * ui::measure::PanelPadding};
        return {200, CardPictureHeight + text + fontMetrics().height() + 3 * ui::measure::PanelPadding};
    }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else
            QAbstractButton::keyPressEvent(event);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        const Token ground = isDown()                      ? Token::Pressed
                             : underMouse() && isEnabled() ? Token::Raised
                                                           : Token::Surface;
        painter.setBrush(m_theme.color(ground));
        painter.setPen(QPen(m_theme.color(hasFocus() ? Token::Accent : Token::Line), hasFocus() ? 2 : 1));
        painter.drawRoundedRect(frame, ui::measure::Radius, ui::measure::Radius);
        const int pad = ui::measure::PanelPadding;
        QRect textArea = rect().adjusted(pad, pad, -pad, -pad);
        if (m_form == Form::Card) {
            drawPicture(painter, QRect(pad, pad, width() - 2 * pad, CardPictureHeight));
            textArea.setTop(2 * pad + CardPictureHeight);
        } else if (hasPicture()) {
            drawPicture(painter, QRect(QPoint(pad, (height() - RowPicture.height()) / 2), RowPicture));
            textArea.setLeft(2 * pad + RowPicture.width());
        } else {
            m_icon.paint(&painter, QRect(pad + 4, (height() - BigIcon) / 2, BigIcon, BigIcon),
                         Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
            textArea.setLeft(pad + 4 + BigIcon + pad + 4);
        }
        drawTexts(painter, textArea);
    }

private:
    [[nodiscard]] bool hasPicture() const { return m_pictureRoom || !m_picture.isNull(); }
    void drawTexts(QPainter& painter, const QRect& area) const {
        const QFont strong = m_theme.strongFont(ui::FontRole::Ui);
        const int line = fontMetrics().height();
        const int block = 2 * line + ui::measure::RelatedGap;
        const int top =
            m_form == Form::Row ? area.top() + std::max(0, (area.height() - block) / 2) : area.top();
        painter.setFont(strong);
        painter.setPen(m_theme.color(isEnabled() ? Token::Text : Token::Disabled));
        painter.drawText(QRect(area.left(), top, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(strong).elidedText(text(), Qt::ElideMiddle, area.width()));
        painter.setFont(font());
        painter.setPen(m_theme.color(isEnabled() ? Token::Muted : Token::Disabled));
        const QRect below(area.left(), top + line + ui::measure::RelatedGap, area.width(),
                          m_form == Form::Card ? 2 * line : line);
        if (m_form == Form::Card)
            painter.drawText(below, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_line);
        else
            painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                             fontMetrics().elidedText(m_line, Qt::ElideMiddle, area.width()));
    }
    // The picture cut to the area's shape, or the icon where there is none.
    void drawPicture(QPainter& painter, const QRect& area) const {
        QPainterPath shape;
        shape.addRoundedRect(area, ui::measure::Radius, ui::measure::Radius);
        painter.save();
        painter.setClipPath(shape);
        painter.fillRect(area, m_theme.color(Token::Raised));
        if (!m_picture.isNull()) {
            QSize whole = m_picture.size();
            whole.scale(area.size(), Qt::KeepAspectRatioByExpanding);
            QRect target(QPoint(), whole);
            target.moveCenter(area.center());
            painter.setOpacity(isEnabled() ? 1.0 : 0.4);
            painter.drawImage(target, m_picture);
        } else {
            QRect icon(0, 0, BigIcon, BigIcon);
            icon.moveCenter(area.center());
            m_icon.paint(&painter, icon, Qt::AlignCenter, QIcon::Disabled);
        }
        painter.restore();
    }

    const Theme& m_theme;
    Form m_form;
    QString m_line;
    QIcon m_icon;
    QImage m_picture;
    bool m_pictureRoom = false;
};

QString shownFolder(const QString& file) {
    QString folder = QFileInfo(file).absolutePath();
    const QString home = QDir::homePath();
    if (folder.startsWith(home + QLatin1Char('/')))
        folder.replace(0, home.size(), QStringLiteral("~"));
    return QDir::toNativeSeparators(folder);
}

} // namespace

StartPage::StartPage(const ui::Theme& theme, std::vector<ProjectTemplate> templates, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_content(new QWidget),
      m_recent(new QWidget(m_content)),
      m_recentRows(new QVBoxLayout(m_recent)) {
    setObjectName(QStringLiteral("start"));
    setAccessibleName(tr("Start"));
    m_recent->setObjectName(QStringLiteral("start.recent"));
    m_recentRows->setContentsMargins(0, 0, 0, 0);
    m_recentRows->setSpacing(ui::measure::RelatedGap);

    auto* title = new QLabel(tr("Signalbox"), m_content);
    title->setObjectName(QStringLiteral("start.title"));
    QFont large = theme.strongFont(ui::FontRole::Ui);
    large.setPointSizeF(large.pointSizeF() * 2.0);
    title->setFont(large);
    auto* line = new QLabel(tr("A sandbox for entities that speak to each other in messages."), m_content);
    ui::setTextToken(*line, theme, Token::Muted);

    auto* recent = new QVBoxLayout;
    recent->setSpacing(ui::measure::PanelPadding);
    recent->addWidget(heading(tr("Recent projects")));
    recent->addWidget(m_recent);
    recent->addStretch();
    auto* columns = new QHBoxLayout;
    columns->setSpacing(ColumnGap);
    columns->addWidget(makeBegin(templates));
    columns->addLayout(recent, 1);
    auto* rows = new QVBoxLayout(m_content);
    rows->setContentsMargins(Margin, Margin, Margin, Margin);
    rows->setSpacing(0);
    rows->addStretch(1); // a little above the middle of a high window
    rows->addWidget(title);
    rows->addWidget(line);
    rows->addWidget(makeOpen());
    rows->addSpacing(Margin);
    rows->addWidget(makeSamples(templates));
    rows->addSpacing(Margin);
    rows->addLayout(columns);
    rows->addStretch(2);
    m_content->setMaximumWidth(PageWidth);

    // The content stays in the middle and scrolls where the window is low.
    auto* middle = new QWidget;
    auto* centred = new QHBoxLayout(middle);
    centred->setContentsMargins(0, 0, 0, 0);
    centred->addStretch(1);
    centred->addWidget(m_content, 1000);
    centred->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("start.scroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(middle);
    scroll->viewport()->setAutoFillBackground(false);
    middle->setAutoFillBackground(false);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    connect(&theme, &ui::Theme::changed, this, qOverload<>(&QWidget::update));
    setRecent({});
    setOpenProject({}, false);
}

QWidget* StartPage::makeOpen() {
    auto* part = new QWidget(m_content);
    part->setObjectName(QStringLiteral("start.openProject"));
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, ui::measure::GroupGap, 0, 0);
    row->setSpacing(ui::measure::GroupGap);
    m_back = new QPushButton(m_theme.icon(QStringLiteral("arrow-left")), QString(), part);
    m_back->setObjectName(QStringLiteral("start.back"));
    m_back->setToolTip(tr("Esc"));
    connect(m_back, &QPushButton::clicked, this, &StartPage::backRequested);
    m_unsaved = new QLabel(
        tr("It has unsaved changes. Before another project is opened you are asked what to do with them."),
        part);
    m_unsaved->setObjectName(QStringLiteral("start.unsaved"));
    m_unsaved->setWordWrap(true);
    ui::setTextToken(*m_unsaved, m_theme, Token::Warning);
    row->addWidget(m_back);
    row->addWidget(m_unsaved, 1);
    row->addStretch();
    return part;
}

void StartPage::setOpenProject(const QString& name, bool unsaved) {
    m_back->parentWidget()->setVisible(!name.isEmpty());
    m_back->setText(
        tr("Back to %1").arg(ui::shownLine(name)).replace(QLatin1Char('&'), QStringLiteral("&&")));
    m_unsaved->setVisible(unsaved);
}

QLabel* StartPage::heading(const QString& text) {
    auto* label = new QLabel(text, m_content);
    label->setFont(m_theme.strongFont(ui::FontRole::Ui));
    return label;
}

QWidget* StartPage::makeBegin(const std::vector<ProjectTemplate>& templates) {
    auto* column = new QWidget(m_content);
    column->setFixedWidth(BeginWidth);
    auto* rows = new QVBoxLayout(column);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(ui::measure::RelatedGap);
    rows->addWidget(heading(tr("New project")));
    rows->addSpacing(ui::measure::RelatedGap);
    for (const ProjectTemplate& each : templates) {
        if (each.isSample)
            continue;
        auto* tile =
            new Tile(m_theme, Tile::Form::Row, each.name, each.doc, m_theme.icon(each.icon), {}, column);
        tile->setObjectName(QStringLiteral("start.new.") + each.id);
        tile->setToolTip(each.doc);
        connect(tile, &QAbstractButton::clicked, this, [this, id = each.id] { emit newRequested(id); });
        rows->addWidget(tile);
    }
    rows->addSpacing(ui::measure::GroupGap);
    auto* open = new QPushButton(m_theme.icon(QStringLiteral("open")), tr("Open project…"), column);
    open->setObjectName(QStringLiteral("start.open"));
    connect(open, &QPushButton::clicked, this, &StartPage::chooseRequested);
    rows->addWidget(open, 0, Qt::AlignLeft);
    rows->addStretch();
    return column;
}

QWidget* StartPage::makeSamples(const std::vector<ProjectTemplate>& templates) {
    auto* part = new QWidget(m_content);
    auto* rows = new QVBoxLayout(part);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(ui::measure::PanelPadding);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(ui::measure::GroupGap);
    for (const ProjectTemplate& each : templates) {
        if (!each.isSample)
            continue;
        auto* tile = new Tile(m_theme, Tile::Form::Card, each.name, each.doc, m_theme.icon(each.icon),
                              each.picture, part);
        tile->setObjectName(QStringLiteral("start.sample.") + each.id);
        tile->setToolTip(tr("Opens a copy of your own: %1").arg(each.name));
        connect(tile, &QAbstractButton::clicked, this, [this, id = each.id] { emit sampleRequested(id); });
        cards->addWidget(tile);
    }
    rows->addWidget(heading(tr("Samples: play one, then change it")));
    rows->addLayout(cards);
    part->setVisible(cards->count() > 0);
    return part;
}

void StartPage::setRecent(const std::vector<RecentProject>& projects) {
    while (QLayoutItem* item = m_recentRows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (projects.empty()) {
        auto* none = new QLabel(tr("Projects that you open are listed here."), m_recent);
        none->setObjectName(QStringLiteral("start.recent.none"));
        ui::setTextToken(*none, m_theme, Token::Muted);
        m_recentRows->addWidget(none);
        return;
    }
    int number = 0;
    for (const RecentProject& project : projects) {
        const QFileInfo file(project.file);
        const bool there = file.exists();
        QString line = shownFolder(project.file);
        if (!there)
            line = tr("not there: %1").arg(line);
        auto* tile = new Tile(m_theme, Tile::Form::Row, file.dir().dirName(), line,
                              m_theme.icon(QStringLiteral("world")), project.picture, m_recent);
        tile->keepPictureRoom();
        tile->setObjectName(QStringLiteral("start.recent.%1").arg(number++));
        tile->setEnabled(there);
        tile->setCursor(there ? Qt::PointingHandCursor : Qt::ArrowCursor);
        connect(tile, &QAbstractButton::clicked, this,
                [this, path = project.file] { emit openRequested(path); });
        m_recentRows->addWidget(tile);
    }
}

void StartPage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), m_theme.color(Token::Ground)); }

bool StartPage::event(QEvent* event) {
    // A click beside the tiles reaches nothing that is covered.
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Wheel
        || event->type() == QEvent::ContextMenu) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

bool StartPage::focusNextPrevChild(bool next) {
    const QList<QWidget*> all = findChildren<QWidget*>();
    QList<QWidget*> stops;
    for (QWidget* each : all)
        if ((each->focusPolicy() & Qt::TabFocus) != 0 && each->isEnabled() && each->isVisibleTo(this))
            stops.append(each);
    if (stops.isEmpty())
        return false;
    const qsizetype at = stops.indexOf(focusWidget());
    const qsizetype to = at < 0 ? 0 : (at + (next ? 1 : stops.size() - 1)) % stops.size();
    stops[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

} // namespace sbx::editor

#include "moc_start_page.cpp"
