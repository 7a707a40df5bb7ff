#include "app/editor/handler_stop_window.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

namespace sbx::editor {

namespace {
constexpr int StopWindowWidth = 420; // pixels

QString escapedName(const std::string& of) { return QString::fromStdString(of).toHtmlEscaped(); }

QLabel* sectionTitle(const QString& words, const ui::Theme& theme, QWidget* parent) {
    auto* label = new QLabel(words, parent);
    label->setFont(theme.strongFont(ui::FontRole::Ui));
    return label;
}
} // namespace

HandlerStopWindow::HandlerStopWindow(HandlerStops& stops, const ui::Theme& theme, QWidget* parent)
    : QDialog(parent), m_stops(stops), m_theme(theme), m_title(new QLabel(this)), m_origin(new QLabel(this)), m_handlers(new QLabel(this)),
      m_fault(new QLabel(this)) {
    setObjectName(QStringLiteral("handlerStop"));
    setWindowTitle(tr("Stopped between handlers"));
    setModal(false);
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
                emit entityPicked(link.mid(7));
            else if (link.startsWith(QLatin1String("record:")))
                emit recordPicked(link.mid(7).toULongLong());
        });
    }

    const auto button = [this](const char* name, const QString& words, const QString& doc) {
        auto* made = new QPushButton(words, this);
        made->setObjectName(QStringLiteral("handlerStop.") + QLatin1String(name));
        made->setToolTip(doc);
        made->setAutoDefault(false);
        return made;
    };
    m_step = button("step", tr("&Step"), tr("To the next handler of a message that is recorded, whoever gets it (F10)"));
    m_step->setIcon(theme.icon(QStringLiteral("step")));
    m_drop = button("drop", tr("&Drop"), tr("Keep the message from this handler and those behind it"));
    m_goOn = button("continue", tr("&Continue"), tr("Until the next breakpoint (F5)"));
    m_goOn->setDefault(true);
    ui::setPrimary(*m_goOn);
    m_remove = button("remove", tr("&Remove breakpoint"), tr("Take this breakpoint away and go on"));
    connect(m_step, &QPushButton::clicked, this, [this] { answer(StopAnswer::Step); });
    connect(m_drop, &QPushButton::clicked, this, [this] { answer(StopAnswer::Drop); });
    connect(m_goOn, &QPushButton::clicked, this, [this] { answer(StopAnswer::Continue); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (m_stop)
            emit unbreak(m_stop->breakpoint);
        m_stops.release();
    });
    connect(new QShortcut(QKeySequence(Qt::Key_F10), this), &QShortcut::activated, m_step, &QPushButton::click);
    connect(new QShortcut(QKeySequence(Qt::Key_F5), this), &QShortcut::activated, m_goOn, &QPushButton::click);

    auto* wait = new QLabel(tr("Everything else waits until this tick is over."), this);
    wait->setObjectName(QStringLiteral("handlerStop.waits"));
    ui::setTextToken(*wait, theme, ui::Token::Muted);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_remove);
    buttons->addStretch();
    for (QPushButton* each : {m_drop, m_step, m_goOn})
        buttons->addWidget(each);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(ui::measure::GroupGap, ui::measure::GroupGap, ui::measure::GroupGap, ui::measure::GroupGap);
    layout->setSpacing(ui::measure::PanelPadding);
    layout->addWidget(m_title);
    layout->addWidget(m_origin);
    layout->addWidget(sectionTitle(tr("Handlers in order of priority"), theme, this));
    layout->addWidget(m_handlers);
    layout->addWidget(sectionTitle(tr("Message"), theme, this));
    m_form = new QWidget(this);
    layout->addWidget(m_form);
    m_stateTitle = sectionTitle({}, theme, this);
    layout->addWidget(m_stateTitle);
    m_state = new QWidget(this);
    layout->addWidget(m_state);
    layout->addWidget(m_fault);
    layout->addStretch();
    layout->addWidget(wait);
    layout->addLayout(buttons);
    setMinimumWidth(StopWindowWidth);
    connect(&theme, &ui::Theme::changed, this, &HandlerStopWindow::writeTexts);
}

void HandlerStopWindow::show(std::shared_ptr<const HandlerStop> stop) {
    m_stop = std::move(stop);
    if (!m_stop) {
        hide();
        return;
    }
    fill();
    adjustSize();
    QDialog::show();
    raise();
    activateWindow();
}

// Closing is no way to leave a tick standing.
void HandlerStopWindow::reject() { answer(StopAnswer::Continue); }

void HandlerStopWindow::answer(StopAnswer what) {
    if (m_stop)
        m_stops.answer(m_stop->number, what, changes());
}

// As HTML.
QString HandlerStopWindow::nextHandler() const {
    for (const HandlerStop::Handler& handler : m_stop->handlers)
        if (handler.progress == HandlerStop::Progress::Here)
            return escapedName(handler.component);
    return {};
}

QString HandlerStopWindow::handlersText() const {
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\">");
    const QString muted = m_theme.color(ui::Token::Muted).name();
    for (const HandlerStop::Handler& handler : m_stop->handlers) {
        const bool here = handler.progress == HandlerStop::Progress::Here;
        const QString what = here                                                 ? tr("is next")
                             : handler.progress == HandlerStop::Progress::Passed ? tr("passed it on")
                                                                                  : tr("waits");
        const QString name = escapedName(handler.component);
        html += QStringLiteral("<tr><td style=\"padding:1px 12px 1px 0;color:%1\">%2</td><td style=\"padding:1px 12px 1px 0\">%3</td>"
                               "<td style=\"padding:1px 0;color:%4\">%5</td></tr>")
                    .arg(muted, QString::number(handler.priority), here ? QStringLiteral("<b>%1</b>").arg(name) : name,
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
        return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:%2\">%3</a>").arg(target, accent, words);
    };
    const auto entity = [&](const std::string& name) {
        return name.empty() ? tr("engine or console") : link(QStringLiteral("entity:") + escapedName(name), escapedName(name));
    };
    const QString next = nextHandler();
    m_title->setText(tr("Tick %1 stands before <b>%2</b> of %3 handles <b>%4</b>")
                         .arg(QString::number(m_stop->tick), next, entity(m_stop->receiver), escapedName(m_stop->type)));
    QString origin = tr("From %1").arg(entity(m_stop->sender));
    if (m_stop->sequence != 0)
        origin += tr(", message #%1").arg(m_stop->sequence);
    if (!m_stop->through.empty())
        origin += tr(", sent while %1 was handled").arg(escapedName(m_stop->through));
    if (m_stop->cause != 0)
        origin += tr(", caused by %1").arg(link(QStringLiteral("record:%1").arg(m_stop->cause), QStringLiteral("#%1").arg(m_stop->cause)));
    m_origin->setText(origin);
    m_handlers->setText(handlersText());
}

void HandlerStopWindow::fill() {
    writeTexts();
    const auto renew = [this](QWidget*& old, const std::vector<HandlerStop::Field>& fields, bool editable, const QString& none) {
        auto* made = new QWidget(this);
        auto* form = new QFormLayout(made);
        form->setContentsMargins(0, 0, 0, 0);
        form->setHorizontalSpacing(ui::measure::GroupGap);
        for (const HandlerStop::Field& field : fields) {
            const QString name = QString::fromStdString(field.name);
            const QString value = QString::fromStdString(field.value);
            QWidget* shown = nullptr;
            if (!editable) {
                auto* label = new QLabel(value, made);
                label->setTextInteractionFlags(Qt::TextSelectableByMouse);
                shown = label;
            } else if (!field.choices.empty()) {
                auto* box = new QComboBox(made);
                for (const std::string& choice : field.choices)
                    box->addItem(QString::fromStdString(choice));
                box->setCurrentText(value);
                shown = box;
            } else {
                shown = new QLineEdit(value, made);
            }
            shown->setFont(m_theme.font(ui::FontRole::Mono));
            shown->setObjectName(QStringLiteral("handlerStop.%1.%2").arg(editable ? QStringLiteral("field") : QStringLiteral("state"), name));
            shown->setAccessibleName(name);
            shown->setToolTip(QString::fromStdString(field.doc));
            form->addRow(field.unit.empty() ? name : QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(field.unit)), shown);
        }
        if (fields.empty()) {
            auto* label = new QLabel(none, made);
            ui::setTextToken(*label, m_theme, ui::Token::Muted);
            form->addRow(label);
        }
        delete layout()->replaceWidget(old, made);
        delete old;
        old = made;
        made->show(); // the window may be visible already
    };
    renew(m_form, m_stop->fields, true, tr("It carries no fields."));
    renew(m_state, m_stop->state, false, {});
    m_stateTitle->setText(tr("State of %1").arg(nextHandler()));
    m_stateTitle->setVisible(!m_stop->state.empty());
    m_state->setVisible(!m_stop->state.empty());
    m_fault->setText(QString::fromStdString(m_stop->refused));
    m_fault->setVisible(!m_stop->refused.empty());
    m_remove->setVisible(m_stop->breakpoint != 0);
}

HandlerStops::Changes HandlerStopWindow::changes() const {
    HandlerStops::Changes out;
    for (const HandlerStop::Field& field : m_stop->fields) {
        const QString name = QStringLiteral("handlerStop.field.") + QString::fromStdString(field.name);
        std::string now = field.value;
        if (const auto* line = m_form->findChild<QLineEdit*>(name))
            now = line->text().toStdString();
        else if (const auto* box = m_form->findChild<QComboBox*>(name))
            now = box->currentText().toStdString();
        if (now != field.value)
            out.emplace_back(field.name, now);
    }
    return out;
}

} // namespace sbx::editor

#include "moc_handler_stop_window.cpp"
