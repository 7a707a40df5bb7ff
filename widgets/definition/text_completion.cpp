#include "widgets/definition/text_completion.h"

namespace sbx::ui {

namespace {

QString iconName(definition::Completion::Kind kind) {
    using Kind = definition::Completion::Kind;
    switch (kind) {
    case Kind::Component:
        return QStringLiteral("component");
    case Kind::Setting:
    case Kind::Key:
        return QStringLiteral("settings");
    case Kind::Value:
        return QStringLiteral("check");
    case Kind::Type:
        return QStringLiteral("entity");
    }
    return {};
}

} // namespace

TextCompletion::TextCompletion(const Theme& theme, QWidget* parent)
    : CandidatePopup(theme, QStringLiteral("definition"), Doc::Below, parent) {}

void TextCompletion::setCandidates(std::vector<definition::Completion> candidates) {
    m_candidates = std::move(candidates);
    std::vector<Candidate> rows;
    rows.reserve(m_candidates.size());
    for (const definition::Completion& c : m_candidates)
        rows.push_back({iconName(c.kind), QString::fromStdString(c.label), QString::fromStdString(c.detail),
                        QString::fromStdString(c.doc)});
    CandidatePopup::setCandidates(std::move(rows));
    setCurrent(0);
}

} // namespace sbx::ui

#include "moc_text_completion.cpp"
