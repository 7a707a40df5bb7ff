#include "widgets/trace/record_page.h"

#include <QDialog>
#include <QFileInfo>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <charconv>

namespace sbx::ui {

namespace {

constexpr int Indent = 12; // pixels for each cause
constexpr int MaxIndents = 12;
constexpr std::size_t MaxEffects = 20;
constexpr std::size_t MaxCauses = 100;

} // namespace

RecordPage::RecordPage(const Theme& theme, const TraceModel& model)
    : m_theme(theme), m_model(model), m_context(model.context()) {}

void RecordPage::addIcons(QTextDocument& document, const Theme& theme, qreal devicePixelRatio) {
    struct IconOf {
        const char* name;
        Meaning meaning;
    };
    const auto add = [&](const QString& name, const QIcon& icon) {
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("icon:") + name),
                             icon.pixmap(QSize(IconSide, IconSide), devicePixelRatio));
    };
    for (const IconOf& each :
         {IconOf{"passed", Meaning::Passed}, IconOf{"consumed", Meaning::Consumed},
          IconOf{"not-reached", Meaning::NotReached}, IconOf{"unheeded", Meaning::NotReached},
          IconOf{"unhandled", Meaning::Unhandled}, IconOf{"waiting", Meaning::Waiting}})
        add(QString::fromLatin1(each.name),
            theme.icon(QString::fromLatin1(each.name), theme.color(each.meaning)));
    add(QStringLiteral("comment"),
        theme.icon(QStringLiteral("message"), theme.readable(theme.hue(Hue::SkyBlue))));
}

void RecordPage::fill(QDialog& window, QTextBrowser& text) {
    window.setModal(false);
    text.setOpenLinks(false);
    text.setFrameShape(QFrame::NoFrame);
    text.setUndoRedoEnabled(false);
    text.document()->setDocumentMargin(measure::PanelPadding);
    auto* layout = new QVBoxLayout(&window);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(&text);
}

QString RecordPage::colored(const QString& text, const QColor& color) const {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), text);
}

QString RecordPage::muted(const QString& text) const { return colored(text, m_theme.color(Token::Muted)); }

QString RecordPage::mono(const QString& text) const {
    return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>")
        .arg(m_theme.font(FontRole::Mono).family(), text);
}

QString RecordPage::link(const QString& target, const QString& text) const {
    return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:%2\">%3</a>")
        .arg(target, m_theme.color(Token::Accent).name(), text);
}

QString RecordPage::icon(const char* name) {
    return QStringLiteral("<img src=\"icon:%1\" width=\"%2\" height=\"%2\" style=\"vertical-align:middle\">")
        .arg(QLatin1String(name))
        .arg(IconSide);
}

QString RecordPage::entity(std::string_view name) const {
    if (name.empty())
        return muted(tr("engine or console"));
    const QString text = toQString(name);
    if (!m_context.source().isLive())
        return mono(htmlText(text));
    return link(QStringLiteral("entity:%1").arg(QString::fromLatin1(QUrl::toPercentEncoding(text))),
                mono(htmlText(text)));
}

QString RecordPage::record(std::uint64_t sequence) const {
    const QString number = QStringLiteral("#%1").arg(sequence);
    if (!m_model.store().rowOf(sequence))
        return muted(tr("%1 (not recorded or dropped)").arg(number));
    return link(QStringLiteral("record:%1").arg(sequence), mono(number));
}

QString RecordPage::summary(const RecordView& record) const {
    const auto name = [](std::string_view n) {
        return n.empty() ? QStringLiteral("—") : htmlText(toQString(n));
    };
    return QStringLiteral("%1 %2 ").arg(this->record(record.sequence()),
                                        htmlText(QString::fromStdString(m_context.type(record).name)))
           + muted(QStringLiteral("%1 → %2").arg(mono(name(m_context.sender(record))),
                                                 mono(name(m_context.receiver(record)))));
}

QString RecordPage::recordIt(MessageTypeId type, const QString& words) const {
    const QByteArray name = QUrl::toPercentEncoding(QString::fromStdString(messageType(type).name));
    return link(QStringLiteral("type:%1").arg(QString::fromLatin1(name)),
                words.isEmpty() ? tr("record it") : words);
}

QString RecordPage::unrecorded(MessageTypeId type) const {
    const QString name = htmlText(messageType(type).name);
    if (!m_context.source().isLive())
        return muted(tr("%1, which is not in the file").arg(name));
    return muted(tr("%1, not recorded").arg(name)) + QLatin1Char(' ') + recordIt(type);
}

QString RecordPage::code(std::string_view component, MessageTypeId type) const {
    const std::optional<CodeLine> place = m_context.source().codeOf(component, type);
    return place ? code(*place) : QString();
}

QString RecordPage::code(const CodeLine& place) const {
    if (place.file.empty())
        return {};
    const QString file = QString::fromStdString(place.file);
    const QByteArray address = QUrl::toPercentEncoding(file, "/");
    return link(QStringLiteral("code:%1:%2").arg(place.line).arg(QString::fromLatin1(address)),
                QStringLiteral("%1:%2").arg(htmlText(QFileInfo(file).fileName())).arg(place.line));
}

QString RecordPage::sendSite(const RecordView& record) const {
    const std::string site(m_context.name(record.site()));
    const std::size_t colon = site.rfind(':');
    unsigned line = 0;
    if (colon == std::string::npos
        || std::from_chars(site.data() + colon + 1, site.data() + site.size(), line).ec != std::errc())
        return htmlText(QString::fromStdString(site)); // of a trace file that says something else
    return code({site.substr(0, colon), line});
}

std::optional<CodeLine> codeLineOf(const QUrl& link) {
    if (link.scheme() != QLatin1String("code"))
        return std::nullopt;
    const QString place = link.path(QUrl::FullyDecoded);
    const qsizetype colon = place.indexOf(QLatin1Char(':'));
    return CodeLine{place.mid(colon + 1).toStdString(), place.left(colon).toUInt()};
}

QString RecordPage::line(int depth, const QString& text) const {
    return QStringLiteral("<p style=\"margin:1px 0 1px %1px\">%2</p>")
        .arg(std::min(depth, MaxIndents) * Indent)
        .arg(text);
}

QString RecordPage::causes(std::uint64_t sequence, int& depth) const {
    const TraceStore& store = m_model.store();
    bool complete = true;
    const std::vector<std::uint64_t> all = m_model.chainOf(sequence, &complete);
    m_complete = m_complete && complete;
    QString html;
    if (!complete) {
        html += line(depth++, muted(tr("reading earlier causes from the disk…")));
    } else if (!all.empty()) {
        const RecordView first = store.at(*store.rowOf(all.front()));
        if (first.cause() != 0)
            html += line(depth++, record(first.cause()) + QLatin1Char(' ')
                                      + muted(store.rowOf(first.cause())
                                                  ? tr("and its causes are too many to be shown")
                                                  : tr("no longer held")));
        else if (first.through() == NoType && all.size() == 1)
            html +=
                line(depth, muted(first.injected() ? tr("Sent by hand.") : tr("Not caused by another message.")));
        else if (first.injected())
            html += line(depth, muted(tr("Sent by hand:")));
    }
    // Of a long chain the first and the last.
    constexpr std::size_t First = MaxCauses / 10;
    const std::size_t leftOut = all.size() - std::min(all.size(), MaxCauses);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint64_t each = all[i];
        if (leftOut > 0 && i == First)
            html += line(depth++, muted(tr("… %L1 messages between").arg(leftOut)));
        if (i >= First && i < First + leftOut)
            continue;
        if (!store.isReady(*store.rowOf(each)))
            continue;
        const RecordView cause = store.at(*store.rowOf(each));
        // What was handled between this message and the one before it in the chain.
        if (cause.through() != NoType)
            html += line(depth++, unrecorded(cause.through()));
        html += line(depth++,
                     each == sequence ? QStringLiteral("<b>%1</b>").arg(summary(cause)) : summary(cause));
    }
    return html;
}

QString RecordPage::chain(std::uint64_t sequence) const {
    int depth = 0;
    QString html = causes(sequence, depth);
    bool complete = true;
    const auto effects = m_model.effectsOf(sequence, MaxEffects, &complete);
    m_complete = m_complete && complete;
    for (const std::uint64_t effect : effects.sequences)
        html += line(depth, summary(m_model.store().at(*m_model.store().rowOf(effect))));
    if (effects.ended == TraceModel::EffectsEnd::Limit)
        html += line(depth, muted(tr("and more")));
    else if (effects.ended == TraceModel::EffectsEnd::Disk)
        html += line(depth, muted(tr("reading what it caused from the disk…")));
    else if (effects.ended == TraceModel::EffectsEnd::Window && !effects.sequences.empty())
        html += line(depth, muted(tr("among the next %L1 messages").arg(TraceModel::EffectsWindow)));
    return html;
}

} // namespace sbx::ui
