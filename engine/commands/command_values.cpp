#include "engine/commands/command_values.h"

#include "engine/core/fields.h"
#include "engine/core/whole_file.h"

namespace sbx {

std::optional<float> numberIn(const std::string& text) {
    FieldInfo field;
    field.type = FieldType::Float;
    field.singlePrecision = true;
    const Result<Value> value = field.parse(text);
    return value ? std::optional(static_cast<float>(std::get<double>(*value))) : std::nullopt;
}

Result<void> writeTextFile(const std::string& text, const std::string& file, CommandContext& context) {
    const Result<std::filesystem::path> path = context.fileToWrite(file);
    if (!path)
        return path.error();
    if (const Result<void> written = writeFileSafely(*path, text + "\n"); !written)
        return written.error();
    context.print(path->string());
    return {};
}

} // namespace sbx
