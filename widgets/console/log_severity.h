#pragma once
// How a severity looks, everywhere in the panel: an icon and a colour, never the colour alone.

#include <QString>

#include "engine/core/log.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

[[nodiscard]] inline QString logSeverityIcon(LogSeverity severity) {
    static const char* const Names[] = {"more", "debug", "info", "warning", "error"};
    return QLatin1String(Names[static_cast<std::size_t>(severity)]);
}

[[nodiscard]] inline Token logSeverityToken(LogSeverity severity) {
    static constexpr Token Tokens[] = {Token::Muted, Token::Muted, Token::Info, Token::Warning, Token::Error};
    return Tokens[static_cast<std::size_t>(severity)];
}

} // namespace sbx::ui
