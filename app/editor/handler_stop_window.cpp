#include "app/editor/handler_stop_window.h"

#include <QApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QUrl>
#include <QVBoxLayout>
#include <QWindow>

#include "engine/core/console_syntax.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/field_form.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

namespace {
constexpr int StopWindowWidth = 420; // pixels
constexpr int FrameHeight = 40;      // pixels; of a window's title and edges, more than most have
constexpr int StopEdge = 3;          // pixels; of the coloured edge
constexpr int StateLabelWidth = 92;  // pixels; as in the form above
constexpr int HideAfterMs = 120;

QString escapedName(const std::string& of) { return ui::htmlText(ui::shownLine(of)); }

QLabel* sectionTitle(const QString& words, const ui::Theme& theme, QWidget* parent) {
    auto* label = new QLabel(words, parent);
    label->setFont(theme.strongFont(ui::FontRole::Ui));
    return label;
}
} // namespace

HandlerStopWindow::HandlerStopWindow(HandlerStops& stops, const ui::Theme& theme, ui::FieldSources sources,
                                     QWidget* parent)
    : QDialog(parent),
      m_stops(stops),
      m_theme(theme),
      m_sources(std::move(sources)),
      m_title(new QLabel(this)),
      m_origin(new QLabel(this)),
      m_handlers(new QLabel(this)),
      m_scroll(new QScrollArea(this)),
      m_body(new QVBoxLayout),
      m_fault(new QLabel(this)) {
    setObjectName(QStringLiteral("handlerStop"));
    setWindowTitle(tr("Stopped between handlers"));
    setModal(false);
    setAttribute(Qt::WA_ShowWithoutActivating);
    m_hide.setSingleShot(true);
    m_hide.setInterval(HideAfterMs);
    connect(&m_hide, &QTimer::timeout, this, [this] {
        hide();
        emit stopChanged({});
        delete std::exchange(m_form, nullptr); // the type may go, with its plugin
    });
    m_title->setObjectName(QStringLiteral("handlerStop.title"));
    m_title->setWordWrap(true);
    m_origin->setObjectName(QStringLiteral("handlerStop.origin"));
    m_origin->setWordWrap(true);
    m_handlers->setObjectName(QStringLiteral("handlerStop.handlers"));
    m_fault->setObjectName(QStringLiteral("handlerStop.fault"));
    m_fault->setWordWrap(true);
    ui::setTextToken(*m_fault, theme, ui::Token::Error);
    for (QLabel* label : {m_title, m_origin, m_handlers}) {
        label->setTextFormat(Qt::RichText);
        connect(label, &QLabel::linkActivated, this, [this](const QString& link) {
            if (link.startsWith(QLatin1String("entity:")))
                emit entityPicked(QUrl::fromPercentEncoding(link.mid(7).toLatin1()));
            else if (link.startsWith(QLatin1String("record:")))
                emit recordPicked(link.mid(7).toULongLong());
        });
    }

    const auto button = [this](const char* name, const QString& words, const QString& doc) {
        auto* made = new QPushButton(words, this);
        made->setObjectName(QStringLiteral("handlerStop.") + QLatin1String(name));
        made->setToolTip(doc);
        made->setAutoDefault(false);
        made->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed); // its words are never cut
        return made;
    };
    m_step = button("step", tr("&Step"),
                    tr("To the next handler of a message that is recorded, whoever gets it (F10)"));
    m_step->setIcon(theme.icon(QStringLiteral("step")));
    m_drop = button("drop", tr("&Drop"), tr("Keep the message from this handler and those behind it"));
    m_again = button("again", tr("Send &again"),
                     tr("Once more in the next tick, by hand, with the fields as they stand here, and to "
                        "this receiver alone"));
    m_goOn = button("continue", tr("&Continue"), tr("Until the next breakpoint (F5)"));
    ui::setPrimary(*m_goOn);
    m_remove = button("remove", tr("&Remove breakpoint"), tr("Take this breakpoint away and go on"));
    connect(m_step, &QPushButton::clicked, this, [this] { answer(StopAnswer::Step); });
    connect(m_drop, &QPushButton::clicked, this, [this] { answer(StopAnswer::Drop); });
    connect(m_goOn, &QPushButton::clicked, this, [this] { answer(StopAnswer::Continue); });
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (!m_stop || !takeTyped())
            return;
        ++m_sent;
        showWaiting();
        grow();
        emit sendAgain(QString::fromStdString(sendLine()));
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (m_stop)
            emit unbreak(m_stop->breakpoint);
        m_stops.release();
    });
    connect(new QShortcut(QKeySequence(Qt::Key_F10), this), &QShortcut::activated, m_step,
            &QPushButton::click);
    connect(new QShortcut(QKeySequence(Qt::Key_F5), this), &QShortcut::activated, m_goOn,
            &QPushButton::click);

    m_wait = new QLabel(this);
    m_wait->setObjectName(QStringLiteral("handlerStop.waits"));
    m_wait->setWordWrap(true);
    ui::setTextToken(*m_wait, theme, ui::Token::Muted);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_remove);
    buttons->addStretch();
    for (QPushButton* each : {m_again, m_drop, m_step, m_goOn})
        buttons->addWidget(each);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(ui::measure::GroupGap, ui::measure::GroupGap, ui::measure::GroupGap,
                               ui::measure::GroupGap);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(m_title);
    layout->addWidget(m_origin);
    auto* body = new QWidget(m_scroll);
    m_scroll->setObjectName(QStringLiteral("handlerStop.scroll"));
    m_scroll->setAccessibleName(tr("Handlers, message and state"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    body->setLayout(m_body);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(ui::measure::PanelPadding);
    m_body->addWidget(sectionTitle(tr("Handlers in order of priority"), theme, body));
    m_body->addWidget(m_handlers);
    m_body->addWidget(sectionTitle(tr("Message"), theme, body));
    m_noFields = new QLabel(tr("It carries no fields."), body);
    ui::setTextToken(*m_noFields, theme, ui::Token::Muted);
    m_body->addWidget(m_noFields);
    m_stateTitle = sectionTitle({}, theme, body);
    m_body->addWidget(m_stateTitle);
    m_state = new QWidget(body);
    m_body->addWidget(m_state);
    m_body->addStretch();
    m_scroll->setWidget(body);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_fault);
    layout->addWidget(m_wait);
    layout->addLayout(buttons);
    setMinimumWidth(StopWindowWidth);
    connect(&theme, &ui::Theme::changed, this, &HandlerStopWindow::writeTexts);
}

void HandlerStopWindow::show(std::shared_ptr<const HandlerStop> stop) {
    m_stop = std::move(stop);
    if (!m_stop) {
        m_hide.start();
        return;
    }
    m_hide.stop();
    // A place where keys do nothing but scroll.
    m_scroll->setFocus(Qt::OtherFocusReason);
    fill();
    resize(fitting());
    m_scroll->verticalScrollBar()->setValue(0);
    keepClearOfTyping();
    QDialog::show();
    if (QApplication::activeModalWidget() == nullptr) // a question that is open stays in sight
        raise();
    emit stopChanged(
        tr("Stopped before %1 handles %2").arg(ui::shownLine(nextHandler()), ui::shownLine(m_stop->type)));
    if (QApplication::activeWindow() == nullptr)
        QApplication::alert(this);
}

QSize HandlerStopWindow::fitting() {
    const QRect available = screen()->availableGeometry();
    m_scroll->widget()->ensurePolished();
    m_body->activate();
    const QMargins edges = layout()->contentsMargins();
    const int beside = edges.left() + edges.right() + m_scroll->verticalScrollBar()->sizeHint().width();
    const int least = std::max(StopWindowWidth, layout()->totalMinimumSize().width());
    const int width =
        std::clamp(m_body->totalSizeHint().width() + beside, least, std::max(least, available.width() / 2));
    const int whole = m_body->hasHeightForWidth() ? m_body->totalHeightForWidth(width - beside)
                                                  : m_body->totalSizeHint().height();
    m_scroll->setMinimumHeight(std::min(whole, available.height() / 4));
    layout()->activate();
    const int others = layout()->totalHeightForWidth(width)
                       - std::max(m_scroll->sizeHint().height(), m_scroll->minimumHeight());
    const int frame = std::max(FrameHeight, frameGeometry().height() - height());
    return {width, std::min(others + whole, available.height() - frame)};
}

void HandlerStopWindow::grow() {
    resize(size().expandedTo(fitting()));
    const QRect available = screen()->availableGeometry();
    if (isVisible() && frameGeometry().bottom() > available.bottom())
        move(x(), std::max(available.top(), available.bottom() - frameGeometry().height() + 1));
}

// Where it is, or first in the middle of its parent; above or below a line in which somebody types.
void HandlerStopWindow::keepClearOfTyping() {
    const QRect available = screen()->availableGeometry();
    const QSize whole(width(), height() + std::max(FrameHeight, frameGeometry().height() - height()));
    QRect place(pos(), whole);
    if (!testAttribute(Qt::WA_Moved) && parentWidget() != nullptr)
        place.moveCenter(parentWidget()->window()->frameGeometry().center());
    const QWidget* const typing = QApplication::focusWidget();
    if (typing != nullptr && typing->window() != this && typing->testAttribute(Qt::WA_InputMethodEnabled)) {
        const QRect line(typing->mapToGlobal(QPoint()), typing->size());
        const int above = line.top() - ui::measure::GroupGap - place.height();
        const int below = line.bottom() + ui::measure::GroupGap;
        if (!place.intersects(line)) {
        } else if (above >= available.top()) {
            place.moveTop(above);
        } else if (below + place.height() <= available.bottom()) {
            place.moveTop(below);
        }
    }
    place.moveBottom(std::min(place.bottom(), available.bottom()));
    place.moveRight(std::min(place.right(), available.right()));
    place.moveTopLeft({std::max(place.left(), available.left()), std::max(place.top(), available.top())});
    move(place.topLeft());
}

// Closing is no way to leave a tick standing.
void HandlerStopWindow::reject() {
    if (m_stop)
        m_stops.answer(m_stop->number, StopAnswer::Continue, changes());
}

void HandlerStopWindow::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter && event->key() != Qt::Key_Escape) {
        QDialog::keyPressEvent(event);
        return;
    }
    // A button has the focus only if it was given that since the tick stands.
    auto* const button = qobject_cast<QPushButton*>(focusWidget());
    if (enter && button != nullptr && button->hasFocus() && !event->isAutoRepeat())
        button->click();
    event->accept();
}

// An edge in the colour of what runs, as the viewport has: it is seen without the focus, too.
void HandlerStopWindow::paintEvent(QPaintEvent* event) {
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(
        QPen(m_theme.color(ui::Token::Play), StopEdge, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    constexpr qreal Half = StopEdge / 2.0;
    painter.drawRect(QRectF(rect()).adjusted(Half, Half, -Half, -Half));
}

bool HandlerStopWindow::answer(StopAnswer what) {
    if (!m_stop)
        return false;
    if (what == StopAnswer::Drop)
        m_stops.answer(m_stop->number, what);
    else if (takeTyped())
        m_stops.answer(m_stop->number, what, changes());
    else
        sayFault(tr("The tick stands still: a field has no valid value."));
    return true;
}

std::string HandlerStopWindow::nextHandler() const {
    for (const HandlerStop::Handler& handler : m_stop->handlers)
        if (handler.progress == HandlerStop::Progress::Here)
            return handler.component;
    return {};
}

QString HandlerStopWindow::handlersText() const {
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\">");
    const QString muted = m_theme.color(ui::Token::Muted).name();
    for (const HandlerStop::Handler& handler : m_stop->handlers) {
        const bool here = handler.progress == HandlerStop::Progress::Here;
        const QString what = here                                                ? tr("is next")
                             : handler.progress == HandlerStop::Progress::Passed ? tr("passed it on")
                                                                                 : tr("waits");
        const QString name = escapedName(handler.component);
        html += QStringLiteral("<tr><td style=\"padding:1px 12px 1px 0;color:%1\">%2</td><td "
                               "style=\"padding:1px 12px 1px 0\">%3</td>"
                               "<td style=\"padding:1px 0;color:%4\">%5</td></tr>")
                    .arg(muted, QString::number(handler.priority),
                         here ? QStringLiteral("<b>%1</b>").arg(name) : name,
                         here ? m_theme.readable(m_theme.color(ui::Token::Accent)).name() : muted, what);
    }
    return html + QStringLiteral("</table>");
}

// In the colours of the theme; what was typed into the form stays.
void HandlerStopWindow::writeTexts() {
    if (!m_stop)
        return;
    const QString accent = m_theme.color(ui::Token::Accent).name();
    const auto link = [&](const QString& target, const QString& words) {
        return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:%2\">%3</a>")
            .arg(target, accent, words);
    };
    const auto entity = [&](const std::string& name) {
        return name.empty()
                   ? tr("engine or console")
                   : link(QStringLiteral("entity:")
                              + QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(name))),
                          escapedName(name));
    };
    const QString next = escapedName(nextHandler());
    m_title->setText(
        tr("Tick %1 stands before <b>%2</b> of %3 handles <b>%4</b>")
            .arg(QString::number(m_stop->tick), next, entity(m_stop->receiver), escapedName(m_stop->type)));
    QString origin = tr("From %1").arg(entity(m_stop->sender));
    if (m_stop->sequence != 0)
        origin += tr(", message #%1").arg(m_stop->sequence);
    if (!m_stop->through.empty())
        origin += tr(", sent while %1 was handled").arg(escapedName(m_stop->through));
    if (m_stop->cause != 0)
        origin += tr(", caused by %1")
                      .arg(link(QStringLiteral("record:%1").arg(m_stop->cause),
                                QStringLiteral("#%1").arg(m_stop->cause)));
    m_origin->setText(origin);
    m_handlers->setText(handlersText());
}

void HandlerStopWindow::showWaiting() {
    m_wait->setText(
        m_sent == 0 ? tr("Everything else waits until this tick is over.")
        : m_sent == 1
            ? tr("Everything else waits until this tick is over. One message is sent again in the next one.")
            : tr("Everything else waits until this tick is over. %1 messages are sent again in the next one.")
                  .arg(m_sent));
}

std::string HandlerStopWindow::sendLine() const {
    std::string line = "send " + consoleWord(m_stop->type) + ' ' + consoleWord(m_stop->receiver);
    const HandlerStops::Changes changed = changes();
    for (const HandlerStop::Field& field : m_stop->fields) {
        std::string value = field.value;
        for (const auto& [name, text] : changed)
            if (name == field.name)
                value = text;
        if (field.entity && value.empty())
            continue; // none, as it is without the word
        if (field.entity && value.starts_with('#'))
            value.erase(0, 1); // the handle of one without a name
        line += ' ' + consoleWord(field.name + '=' + value);
    }
    return line + " --ticks=1";
}

void HandlerStopWindow::fill() {
    writeTexts();
    if (std::exchange(m_sentTick, m_stop->tick) != m_stop->tick)
        m_sent = 0;
    showWaiting();
    // One without a name cannot be named in a line.
    m_again->setEnabled(!m_stop->receiver.empty() && !m_stop->receiver.starts_with('#'));
    fillForm();
    fillState();
    m_stateTitle->setText(tr("State of %1").arg(ui::shownLine(nextHandler())));
    m_stateTitle->setVisible(!m_stop->state.empty());
    m_state->setVisible(!m_stop->state.empty());
    sayFault(ui::shownText(m_stop->refused));
    m_remove->setVisible(m_stop->breakpoint != 0);
}

void HandlerStopWindow::sayFault(const QString& text) {
    m_fault->setText(text);
    m_fault->setVisible(!text.isEmpty());
    if (isVisible() && !text.isEmpty())
        grow();
}

void HandlerStopWindow::fillState() {
    auto* made = new QWidget(m_scroll->widget());
    auto* form = new QFormLayout(made);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(ui::measure::PanelPadding);
    for (const HandlerStop::Field& field : m_stop->state) {
        auto* label = new QLabel(ui::shownText(field.value), made);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFont(m_theme.font(ui::FontRole::Mono));
        label->setObjectName(QStringLiteral("handlerStop.state.") + QString::fromStdString(field.name));
        label->setAccessibleName(ui::shownLine(field.name));
        label->setToolTip(ui::tipText(field.doc));
        const std::string words = field.unit.empty() ? field.name : field.name + " (" + field.unit + ")";
        auto* name = new QLabel(ui::shownLine(words), made);
        name->setMinimumWidth(StateLabelWidth);
        ui::setTextToken(*name, m_theme, ui::Token::Muted);
        form->addRow(name, label);
    }
    delete m_body->replaceWidget(m_state, made);
    delete std::exchange(m_state, made);
}

} // namespace sbx::editor

#include "moc_handler_stop_window.cpp"
