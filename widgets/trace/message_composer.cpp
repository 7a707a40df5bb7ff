#include "widgets/trace/message_composer.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStringListModel>
#include <QVBoxLayout>

#include "engine/core/console_syntax.h"
#include "engine/core/nearest.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/field_form.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr int MaxSent = 100; // rows of the list
constexpr int HistoryWidth = 240;
constexpr int RevertWidth = 20; // what field editors leave free at their end

QLabel* titleLabel(const Theme& theme, const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(theme.strongFont(FontRole::Ui));
    QObject::connect(&theme, &Theme::changed, label, [label, &theme] { label->setFont(theme.strongFont(FontRole::Ui)); });
    return label;
}

std::string nearestOf(const QString& typed, const QStringList& names) {
    std::vector<std::string> known;
    for (const QString& name : names)
        known.push_back(name.toStdString());
    return nearestName(typed.toStdString(), known);
}

QString unknownName(const QString& what, const QString& typed, const QStringList& names) {
    const std::string near = nearestOf(typed, names);
    const QString text = what.arg(typed);
    return near.empty() ? text : MessageComposer::tr("%1; did you mean %2?").arg(text, QString::fromStdString(near));
}

} // namespace

MessageComposer::MessageComposer(const Theme& theme, FieldSources sources, Send send, ComponentsOf componentsOf, QWidget* parent)
    : QDialog(parent),
      m_theme(theme),
      m_sources(std::move(sources)),
      m_send(std::move(send)),
      m_componentsOf(std::move(componentsOf)),
      m_type(new QComboBox(this)),
      m_typeDoc(new QLabel(this)),
      m_settings(new FieldForm(theme, QStringLiteral("composer.send"), fieldsOf<SendSettings>(), m_sources, this)),
      m_fieldsTitle(titleLabel(theme, tr("Fields"), this)),
      m_scroll(new QScrollArea(this)),
      m_components(new QStringListModel(this)),
      m_hint(new QLabel(this)),
      m_resultIcon(new QLabel(this)),
      m_result(new QLabel(this)),
      m_line(new QLineEdit(this)),
      m_sendButton(new QPushButton(tr("&Send"), this)),
      m_history(new QListWidget(this)),
      m_historyHint(new QLabel(tr("What you send is listed here."), this)) {
    setObjectName(QStringLiteral("composer"));
    setAccessibleName(tr("Send a message"));
    setWindowTitle(tr("Send a message"));
    resize(760, 560);

    m_type->setObjectName(QStringLiteral("composer.type"));
    m_type->setAccessibleName(tr("Message type"));
    m_type->setEditable(true);
    m_type->setInsertPolicy(QComboBox::NoInsert);
    m_type->lineEdit()->setPlaceholderText(tr("Type of the message"));
    m_type->completer()->setFilterMode(Qt::MatchContains);
    m_type->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_type->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    m_type->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_type, &QComboBox::currentTextChanged, this, &MessageComposer::showType);
    m_typeDoc->setObjectName(QStringLiteral("composer.typeDoc"));
    m_typeDoc->setWordWrap(true);
    setTextToken(*m_typeDoc, theme, Token::Muted);

    // Names that the receiver's type has, for as long as no other text is right.
    if (auto* component = m_settings->editor("component")->findChild<QLineEdit*>(QStringLiteral("input"))) {
        auto* completer = new QCompleter(m_components, component);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        component->setCompleter(completer);
    }
    connect(m_settings, &FieldForm::valuesChanged, this, &MessageComposer::showLine);
    connect(m_settings, &FieldForm::problemsChanged, this, &MessageComposer::settleRefusal);
    m_settings->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);

    m_scroll->setObjectName(QStringLiteral("composer.fields"));
    m_scroll->setAccessibleName(tr("Fields of the message"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    m_hint->setObjectName(QStringLiteral("composer.hint"));
    m_hint->setWordWrap(true);
    setTextToken(*m_hint, theme, Token::Play);
    m_hint->hide();
    m_resultIcon->setFixedSize(measure::IconSize, measure::IconSize);
    m_result->setObjectName(QStringLiteral("composer.result"));
    m_result->setAccessibleName(tr("What became of the last message"));
    m_result->setWordWrap(true);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_line->setObjectName(QStringLiteral("composer.line"));
    m_line->setAccessibleName(tr("The same as a console line"));
    m_line->setToolTip(tr("What the console would be told; select and copy it for a script"));
    m_line->setPlaceholderText(tr("The same as a console line"));
    m_line->setReadOnly(true);
    m_line->setFont(theme.font(FontRole::Mono));
    m_sendButton->setObjectName(QStringLiteral("composer.sendNow"));
    m_sendButton->setToolTip(tr("Send it; the form stays open (Ctrl+Enter)"));
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(QKeySequence(Qt::CTRL | key), this), &QShortcut::activated, this, &MessageComposer::sendTyped);
    m_sendButton->setDefault(true);
    setPrimary(*m_sendButton);
    connect(m_sendButton, &QPushButton::clicked, this, &MessageComposer::send);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("composer.close"));
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);

    auto* result = new QHBoxLayout;
    result->setSpacing(measure::RelatedGap);
    result->addWidget(m_resultIcon, 0, Qt::AlignTop);
    result->addWidget(m_result, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(measure::PanelPadding);
    buttons->addWidget(m_line, 1);
    buttons->addWidget(close);
    buttons->addWidget(m_sendButton);
    auto* form = new QVBoxLayout;
    form->setSpacing(measure::RelatedGap);
    form->addWidget(titleLabel(theme, tr("Message"), this));
    auto* type = new QHBoxLayout;
    type->setContentsMargins(0, 0, RevertWidth, 0);
    type->addWidget(m_type);
    form->addLayout(type);
    form->addWidget(m_typeDoc);
    form->addSpacing(measure::PanelPadding);
    form->addWidget(titleLabel(theme, tr("To whom and when"), this));
    form->addWidget(m_settings);
    form->addSpacing(measure::PanelPadding);
    form->addWidget(m_fieldsTitle);
    form->addWidget(m_scroll, 1);
    form->addWidget(m_hint);
    form->addLayout(result);
    auto* side = new QWidget(this);
    buildHistory(*side);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(measure::GroupGap);
    columns->addLayout(form, 1);
    columns->addWidget(side);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(measure::PanelPadding);
    layout->addLayout(columns, 1);
    layout->addLayout(buttons);
    showType({});
    showResult({}, {}, Token::Muted);
}

void MessageComposer::buildHistory(QWidget& side) {
    side.setFixedWidth(HistoryWidth);
    m_history->setObjectName(QStringLiteral("composer.history"));
    m_history->setAccessibleName(tr("Sent since the program started"));
    m_history->setFrameShape(QFrame::NoFrame);
    m_history->setTextElideMode(Qt::ElideRight);
    m_history->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_history->setIconSize(QSize(measure::IconSize, measure::IconSize));
    const auto loadRow = [this](const QListWidgetItem* item) { load(m_sent.at(static_cast<std::size_t>(item->data(Qt::UserRole).toULongLong())).message); };
    connect(m_history, &QListWidget::itemClicked, this, loadRow);
    connect(m_history, &QListWidget::itemActivated, this, loadRow);
    auto* layout = new QVBoxLayout(&side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(measure::RelatedGap);
    layout->addWidget(titleLabel(m_theme, tr("Sent"), &side));
    m_historyHint->setWordWrap(true);
    setTextToken(*m_historyHint, m_theme, Token::Muted);
    layout->addWidget(m_historyHint);
    layout->addWidget(m_history, 1);
}

// Plugins bring types, too: asked each time the window is shown.
void MessageComposer::fillTypes() {
    QStringList names = m_sources.messageTypes ? m_sources.messageTypes() : QStringList();
    names.sort(Qt::CaseInsensitive);
    const QString now = m_type->currentText();
    const QSignalBlocker quiet(m_type);
    m_type->clear();
    m_type->addItems(names);
    m_type->setCurrentIndex(static_cast<int>(names.indexOf(now)));
    m_type->setEditText(now);
}

void MessageComposer::showType(const QString& name) {
    const MessageType* type = name.isEmpty() ? nullptr : findMessageType(name.toStdString());
    const QStringList known = m_sources.messageTypes ? m_sources.messageTypes() : QStringList();
    // A part of a name is no mistake yet.
    const bool wrong = type == nullptr && !name.isEmpty() && known.filter(name, Qt::CaseInsensitive).isEmpty();
    setInvalid(*m_type, wrong);
    setTextToken(*m_typeDoc, m_theme, wrong ? Token::Error : Token::Muted);
    m_typeDoc->setText(type != nullptr ? shownText(type->doc)
                       : wrong         ? unknownName(tr("There is no message type “%1”"), name, known)
                                       : tr("Choose what to send: type a part of its name, or open the list."));
    const std::string shown = type == nullptr ? std::string() : type->name;
    if (type != nullptr && (shown != m_shownType || m_fields == nullptr)) {
        if (m_fields != nullptr)
            m_left[m_shownType] = m_fields->values();
        m_shownType = shown;
        m_fields = new FieldForm(m_theme, QStringLiteral("composer.field"), *type->fields, m_sources);
        m_fields->setValues(m_left[shown]);
        connect(m_fields, &FieldForm::valuesChanged, this, &MessageComposer::showLine);
        connect(m_fields, &FieldForm::problemsChanged, this, &MessageComposer::settleRefusal);
        m_scroll->setWidget(m_fields); // deletes the one before
        m_fields->setVisible(true);
    }
    m_scroll->setVisible(true);
    if (m_fields != nullptr)
        m_fields->setEnabled(type != nullptr);
    m_fieldsTitle->setText(type != nullptr && type->fields->empty() ? tr("Fields: this message has none") : tr("Fields"));
    showLine();
}

std::string MessageComposer::entityName(EntityId entity) const {
    return m_sources.entityName ? m_sources.entityName(entity).toStdString() : std::string();
}

ComposedMessage MessageComposer::message() const {
    ComposedMessage out;
    out.type = m_type->currentText().toStdString();
    out.settings = m_settings->values();
    if (m_fields != nullptr)
        out.fields = m_fields->values();
    return out;
}

void MessageComposer::showLine() {
    const ComposedMessage now = message();
    if (m_componentsOf)
        m_components->setStringList(m_componentsOf(QString::fromStdString(now.sendSettings().to)));
    m_line->setText(findMessageType(now.type) == nullptr ? QString() : shownText(now.line([this](EntityId id) { return entityName(id); })));
    m_line->setCursorPosition(0);
    settleRefusal();
}

void MessageComposer::settleRefusal() {
    const bool marked = findMessageType(m_type->currentText().toStdString()) == nullptr
                        || m_settings->hasProblem() || (m_fields != nullptr && m_fields->hasProblem());
    if (m_refused && !marked)
        showResult({}, {}, Token::Muted);
}

void MessageComposer::setWorldHint(const QString& hint) {
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
}

void MessageComposer::compose(const QString& receiver) {
    fillTypes();
    if (!receiver.isEmpty())
        m_settings->setValue("to", Value(receiver.toStdString()));
    showLine();
    show();
    raise();
    activateWindow();
    m_type->setFocus();
    m_type->lineEdit()->selectAll();
}

void MessageComposer::compose(const ComposedMessage& message) {
    compose(QString());
    load(message);
}

void MessageComposer::load(const ComposedMessage& message) {
    m_type->setEditText(QString::fromStdString(message.type));
    showType(m_type->currentText());
    m_settings->setValues(message.settings);
    if (m_fields != nullptr)
        m_fields->setValues(message.fields);
    showLine();
}

bool MessageComposer::check() {
    const QString type = m_type->currentText();
    if (findMessageType(type.toStdString()) == nullptr) {
        setInvalid(*m_type, true);
        setTextToken(*m_typeDoc, m_theme, Token::Error);
        m_type->setFocus();
        return false;
    }
    const SendSettings send = message().sendSettings();
    if (send.route != SendSettings::Route::Everyone) {
        const QString to = QString::fromStdString(send.to);
        const QStringList names = m_sources.entityNames ? m_sources.entityNames() : QStringList();
        if (to.isEmpty())
            m_settings->setProblem("to", tr("expected the name of an entity; route everyone needs none"));
        else if (!names.contains(to))
            m_settings->setProblem("to", unknownName(tr("there is no entity “%1”"), to, names));
        else
            m_settings->setProblem("to", {});
    }
    if (send.route == SendSettings::Route::Component)
        m_settings->setProblem("component", send.component.empty() ? tr("expected the name of a component, such as Shield or Mesh#2") : QString());
    return !m_settings->focusProblem() && !m_fields->focusProblem();
}

// With what is being typed, which a field takes when it is left.
void MessageComposer::sendTyped() {
    QWidget* const typing = focusWidget();
    m_sendButton->setFocus();
    send();
    if (typing != nullptr && m_sendButton->hasFocus())
        typing->setFocus();
}

// Enter on a row of the list loads it; it sends nothing.
void MessageComposer::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && m_history->hasFocus())
        event->accept();
    else
        QDialog::keyPressEvent(event);
}

void MessageComposer::send() {
    if (!check()) {
        showResult(QStringLiteral("error"), tr("Not sent: mend what is marked above."), Token::Error);
        m_refused = true;
        return;
    }
    Sent sent{message(), {}};
    sent.line = sent.message.line([this](EntityId id) { return entityName(id); });
    const std::size_t number = ++m_lastSent;
    const SendSettings settings = sent.message.sendSettings();
    const bool all = settings.route == SendSettings::Route::Everyone;
    const std::size_t head = ("send " + consoleWord(sent.message.type) + ' ' + (all ? std::string("*") : consoleWord(settings.to))).size();
    auto* item = new QListWidgetItem(m_theme.icon(QStringLiteral("waiting"), Token::Muted),
                                     shownText(sent.message.type + " \u2192 " + (all ? std::string("everyone") : settings.to) + sent.line.substr(head)));
    item->setData(Qt::UserRole, static_cast<qulonglong>(number));
    item->setToolTip(tipText(sent.line));
    m_history->insertItem(0, item);
    m_historyHint->setText(tr("A click loads one into the form."));
    if (m_history->count() > MaxSent) {
        m_sent.erase(m_sent.begin());
        delete m_history->takeItem(m_history->count() - 1);
    }
    showResult(QStringLiteral("waiting"), tr("Sending…"), Token::Muted);
    const std::string line = sent.line;
    m_sent.emplace(number, std::move(sent));
    m_send(line, [this, number, alive = QPointer<QObject>(this)](const Answer& answer) {
        if (alive)
            showAnswer(answer, number);
    });
}

void MessageComposer::showAnswer(const Answer& answer, std::size_t number) {
    const QString icon = !answer.ok           ? QStringLiteral("error")
                         : answer.nobodyActed ? QStringLiteral("warning")
                                              : QStringLiteral("success");
    const Token token = !answer.ok ? Token::Error : answer.nobodyActed ? Token::Warning : Token::Muted;
    for (int row = 0; row < m_history->count(); ++row) {
        QListWidgetItem* const item = m_history->item(row);
        if (item->data(Qt::UserRole).toULongLong() != number)
            continue;
        item->setIcon(m_theme.icon(icon, token));
        item->setToolTip(tipText(m_sent.at(number).line) + QLatin1Char('\n') + tipText(answer.text));
    }
    if (number != m_lastSent)
        return; // another one was sent meanwhile
    showResult(icon, shownText(answer.text), token);
    if (answer.ok)
        return;
    // Beside the field that it is about, if the session knew better than the form.
    if (answer.text.contains(QLatin1String("no entity is called")))
        m_settings->setProblem("to", answer.text);
    else if (answer.text.contains(QLatin1String("no component of it is called")))
        m_settings->setProblem("component", answer.text);
    else if (answer.text.contains(QLatin1String("expected at least")))
        m_settings->setProblem("minimum", answer.text);
}

void MessageComposer::showResult(const QString& icon, const QString& text, Token token) {
    m_refused = false;
    m_resultIcon->setPixmap(
        icon.isEmpty() ? QPixmap() : m_theme.icon(icon, token).pixmap(measure::IconSize, measure::IconSize));
    m_resultIcon->setVisible(!icon.isEmpty());
    setTextToken(*m_result, m_theme, token);
    m_result->setText(text);
}

} // namespace sbx::ui

#include "moc_message_composer.cpp"
