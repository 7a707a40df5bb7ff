#pragma once
// What in a line of the log can be gone to: entities, CVars, commands, messages (#123) and places in files. No widgets.

#include <QString>
#include <QStringView>

#include <functional>
#include <vector>

namespace sbx::ui {

enum class LinkKind { Entity, CVar, Command, Message, Place };

struct LogLink {
    LinkKind kind = LinkKind::Entity;
    qsizetype begin = 0;
    qsizetype length = 0;
    QString target; // the name; the number; "FILE:LINE" or "FILE:LINE:COLUMN"

    friend bool operator==(const LogLink&, const LogLink&) = default;
};

// Which names exist at this moment, and what to say of a link before it is followed. Any may be empty.
struct LinkNames {
    std::function<bool(const QString&)> isEntity;
    std::function<bool(const QString&)> isCVar;
    // Many are words of the language: `list` is a link where a line begins with it, or where it is what was meant; `sim.play`
    // everywhere.
    std::function<bool(const QString&)> isCommand;
    std::function<QString(const LogLink&)> preview;
};

// In order, none within another.
[[nodiscard]] std::vector<LogLink> findLinks(const QString& text, const LinkNames& names);

} // namespace sbx::ui
