#include "widgets/common/field_sources.h"

#include "engine/message/message_type.h"
#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"

namespace sbx::ui {

FieldSources fieldSources(const Document& document, const ProjectModel& project, SessionFeed& feed) {
    FieldSources out;
    out.entityNames = [&feed] {
        QStringList names;
        for (const EntityRow& row : feed.frame().entities->rows)
            names.append(QString::fromStdString(row.name));
        return names;
    };
    out.entityTypes = [&project] {
        QStringList names;
        if (project.content())
            for (const std::string& name : project.content()->definitions->names())
                names.append(QString::fromStdString(name));
        return names;
    };
    out.messageTypes = [] {
        QStringList names;
        for (const MessageType* type : sbx::messageTypes())
            names.append(QString::fromStdString(type->name));
        return names;
    };
    out.entityName = [&feed](EntityId id) {
        const EntityRow* row = feed.frame().entities->find(id);
        return row == nullptr ? QString() : QString::fromStdString(row->name);
    };
    out.entityByName = [&feed](const QString& name) {
        const EntityRow* row = feed.frame().entities->find(name.toStdString());
        return row == nullptr ? EntityId{} : row->id;
    };
    out.assetFolder = document.folder();
    return out;
}

} // namespace sbx::ui
