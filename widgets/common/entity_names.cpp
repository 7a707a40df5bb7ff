#include "widgets/common/entity_names.h"

#include <QCoreApplication>

#include "engine/definition/text_edit.h"
#include "widgets/common/document.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr qsizetype MaxLetters = 30; // of an offered name: at most four bytes each, with room for a number

// Every letter that no name may have becomes "_"; runs of them become one.
QString allowed(const QString& name) {
    QString out;
    for (const QChar c : name) {
        const bool good = c.isLetterOrNumber() || c == QLatin1Char('-') || c.isMark() || c.isSurrogate();
        if (good)
            out += c;
        else if (!out.isEmpty() && !out.endsWith(QLatin1Char('_')))
            out += QLatin1Char('_');
    }
    while (out.endsWith(QLatin1Char('_')))
        out.chop(1);
    if (out.size() > MaxLetters)
        out.truncate(MaxLetters);
    if (!out.isEmpty() && out.back().isHighSurrogate())
        out.chop(1);
    return out;
}

} // namespace

std::optional<NameRefusal> entityNameRefusal(const Document& document, const std::string& entity, const QString& name) {
    const std::string scene = document.file(FileRole::Scene);
    if (scene.empty())
        return std::nullopt; // what asks next gives the reason
    const std::string& text = document.text(scene);
    const Result<definition::TextEdits> renamed = definition::renameInstance(text, entity, name.toStdString());
    if (renamed)
        return std::nullopt;
    NameRefusal refusal{QString::fromStdString(renamed.error().message), {}};
    // A name that is only taken keeps all its letters.
    const std::vector<std::string> taken = definition::sceneInstanceNames(text);
    const bool isTaken = std::find(taken.begin(), taken.end(), name.toStdString()) != taken.end();
    const std::string wanted = isTaken ? name.toStdString() : allowed(name).toStdString();
    if (wanted.empty() || wanted == entity)
        return refusal;
    const std::string free = definition::freeInstanceName(text, wanted);
    if (free != entity && definition::renameInstance(text, entity, free).ok())
        refusal.offered = QString::fromStdString(free);
    return refusal;
}

QString entitiesText(std::size_t count, const std::string& first) {
    return count == 1 ? QString::fromStdString(first) : QCoreApplication::translate("EntityNames", "%1 entities").arg(count);
}

QString entitiesText(const std::vector<std::string>& names) {
    return entitiesText(names.size(), names.empty() ? std::string() : names.front());
}

} // namespace sbx::ui
