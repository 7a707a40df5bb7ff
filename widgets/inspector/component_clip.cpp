#include "widgets/inspector/component_clip.h"

#include <QCoreApplication>
#include <QMimeData>

#include "engine/definition/component_moves.h"
#include "engine/definition/definitions.h"
#include "engine/simulation/catalog.h"

#include <algorithm>

namespace sbx::ui {

namespace {

QString translatedClip(const char* text) { return QCoreApplication::translate("ComponentClip", text); }

const QString FullFormat = QStringLiteral("application/x-signalbox-components");
constexpr const char* ClipType = "Clip"; // what the reader of single values calls the entity type

std::string headerFor(std::string_view entityType, std::string_view component) {
    return "[" + std::string(entityType) + "." + std::string(component) + "]\n";
}

// The value as a definition file would be read; an error says what is wrong with it.
Result<Value> valueOf(const std::string& component, const definition::ClipKey& key, const Catalog& catalog) {
    Diagnostics sink;
    const std::string text = headerFor(ClipType, component) + key.name + " = " + key.value + "\n";
    const definition::Definitions read = definition::Definitions::load({{ClipType, text}}, catalog.schema, sink);
    const definition::EntityTypeDefinition* type = read.find(ClipType);
    const definition::ComponentDefinition* of = type == nullptr ? nullptr : type->find(component);
    if (const definition::Setting* setting = of == nullptr ? nullptr : of->find(key.name))
        return setting->value;
    for (const Diagnostic& fault : sink.items)
        if (fault.severity == Severity::Error)
            return Error{fault.message(), {}, {}};
    return Error{key.name + " cannot be read", {}, {}};
}

} // namespace

std::string ClippedComponent::table(std::string_view entityType) const {
    std::string out = headerFor(entityType, type->name);
    for (const Setting& each : settings)
        if (!each.equals(each.field->defaultValue))
            out += each.field->name + " = " + each.field->formatToml(each.value) + "\n";
    return out;
}

void writeClip(QMimeData& mime, const std::string& entityType, const std::vector<const InspectedComponent*>& components) {
    std::string shown;
    std::string full;
    for (const InspectedComponent* component : components) {
        for (std::string* text : {&shown, &full})
            *text += (text->empty() ? "" : "\n") + headerFor(entityType, component->type->name);
        for (const InspectedField& field : component->settings) {
            const std::string line = field.info->name + " = " + field.info->formatToml(field.value) + "\n";
            full += line;
            if (field.value != field.info->defaultValue)
                shown += line;
        }
    }
    mime.setText(QString::fromStdString(shown));
    mime.setData(FullFormat, QByteArray::fromStdString(full));
}

Result<ComponentClip> readClip(const QMimeData* mime, const Catalog& catalog) {
    if (mime == nullptr || (!mime->hasFormat(FullFormat) && !mime->hasText()))
        return Error{"the clipboard holds no components", {}, {}};
    const std::string text = mime->hasFormat(FullFormat) ? mime->data(FullFormat).toStdString() : mime->text().toStdString();
    Result<std::vector<definition::ClipComponent>> read = definition::clipComponents(text);
    if (!read)
        return Error{"the clipboard cannot be pasted as components: " + read.error().message, {}, {}};
    ComponentClip out;
    for (const definition::ClipComponent& each : *read) {
        const ComponentType* type = catalog.find(each.name);
        if (type == nullptr) {
            out.faults.append(translatedClip("There is no component %1.").arg(QString::fromStdString(each.name)));
            continue;
        }
        if (std::any_of(out.components.begin(), out.components.end(),
                        [&](const ClippedComponent& other) { return other.type == type; })) {
            out.faults.append(translatedClip("Of several %1 only the first counts.").arg(QString::fromStdString(each.name)));
            continue;
        }
        ClippedComponent component{type, {}};
        for (const definition::ClipKey& key : each.keys) {
            if (key.name == "enabled")
                continue; // switches the component of a type, and is no setting of it
            const Result<Value> value = valueOf(each.name, key, catalog);
            const FieldInfo* field = type->settings->find(key.name);
            if (!value || field == nullptr)
                out.faults.append(QString::fromStdString(each.name + "." + key.name + ": "
                                                         + (value ? "there is no such setting" : value.error().message)));
            else if (!field->readOnly)
                component.settings.push_back({field, *value});
        }
        out.components.push_back(std::move(component));
    }
    if (out.components.empty())
        return Error{"nothing of the clipboard can be pasted: " + out.faults.join(QLatin1Char(' ')).toStdString(), {}, {}};
    return out;
}

} // namespace sbx::ui
