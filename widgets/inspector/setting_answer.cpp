#include "widgets/inspector/setting_answer.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUndoStack>

#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/inspector/type_edits.h"

#include <memory>

namespace sbx::ui {

namespace {

QString answerText(const char* text) { return QCoreApplication::translate("SettingAnswer", text); }

// What the scene says of it for that entity; null: nothing. A scene does not tell two components of one kind apart.
const definition::Setting* sceneSetting(const Content& content, const SettingQuestion& question) {
    const definition::InstanceDefinition* instance = content.scene.find(question.entity);
    if (instance != nullptr)
        for (const definition::ComponentDefinition& each : instance->overrides)
            if (each.name == question.component)
                return each.find(question.field);
    return nullptr;
}

// The last step that is done and is called so; empty: there is none.
QString lastStep(QUndoStack& stack, const QStringList& names) {
    for (int i = stack.index() - 1; i >= 0; --i)
        if (names.contains(stack.command(i)->text()))
            return stack.command(i)->text();
    return {};
}

} // namespace

SettingAnswer whoSets(const SettingQuestion& question, Document& document, ProjectModel& project,
                      const TypeEdits& types) {
    SettingAnswer answer;
    project.refresh();
    const std::shared_ptr<const Content>& content = project.content();
    const definition::Setting* const ofScene = content ? sceneSetting(*content, question) : nullptr;
    const definition::Setting* const setting =
        ofScene != nullptr ? ofScene : types.setting(question.type, question.component, question.field);
    QStringList lines;
    if (question.live)
        lines += answerText("A person set it in this run, in the inspector or in the console; Stop takes "
                            "that back. The files say:");
    if (setting == nullptr) {
        lines += answerText("No file says it: it has the default of %1.").arg(shownLine(question.component));
    } else {
        const std::string file = document.fileAt(QString::fromStdString(setting->entry.value.file));
        const bool placed = !file.empty() && project.isCurrent();
        if (placed) {
            answer.file = file;
            answer.line = setting->entry.keyRegion.line;
            answer.column = setting->entry.keyRegion.column;
        }
        const QString place = placed ? answerText("%1, line %2").arg(shownLine(file)).arg(answer.line)
                              : !file.empty() ? shownLine(file)
                                              : answerText("what Signalbox brings along");
        lines += ofScene != nullptr
                     ? answerText("%1 overrides it for %2.").arg(place, shownLine(question.entity))
                     : answerText("%1 says it for all of %2.").arg(place, shownLine(setting->owner));
    }
    const QString field = QString::fromStdString(question.field);
    // As the edits of entities and types call their steps; only those that can have led to what is so now.
    const auto step = [&field](const char* words, const std::string& of) {
        return answerText(words).arg(field, QString::fromStdString(of));
    };
    QStringList names;
    if (ofScene != nullptr)
        names = {step("Set %1 of %2", question.entity)};
    else
        names = {step("Revert %1 of %2", question.entity), step("Revert %1 of all of %2", question.type)};
    if (ofScene == nullptr && setting != nullptr)
        names += {step("Set %1 of all of %2", question.type), step("Set %1 of all of %2", setting->owner)};
    if (const QString last = lastStep(document.undoStack(), names); !last.isEmpty())
        lines += answerText("The undo history has “%1”.").arg(shownLine(last));
    else
        lines += answerText("The undo history has no step of its own for it.");
    lines += answerText("No message changes a setting: people do, in the inspector, in its file or with "
                        "“set” in the console.");
    answer.text =
        answerText("%1 of %2 in %3:")
            .arg(shownLine(question.field), shownLine(question.component), shownLine(question.entity))
        + QLatin1Char('\n') + lines.join(QLatin1Char(' '));
    return answer;
}

} // namespace sbx::ui
