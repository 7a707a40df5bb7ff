#pragma once
// A small project in a temporary folder with a document open on it.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "widgets/common/document.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx::ui {

inline const std::string Entities =
    "# Types\r\n[Crate]\r\ndoc = \"caf\xc3\xa9\"\n\n[Crate.Body]\nmass = 5.0\t# kg\n";
inline const std::string Scene =
    "[scene]\nname = \"yard\"\n\n[[entity]]\ntype = \"Crate\"\nname = \"crate_1\"";

inline void put(const QString& path, const std::string& bytes) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
}

inline std::string get(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string("<cannot be read>");
}

inline const std::vector<DocumentFile> Files{{"project.toml", FileRole::Project},
                                             {"entities.toml", FileRole::Definitions},
                                             {"yard.scene.toml", FileRole::Scene}};

struct Fixture {
    QTemporaryDir folder;
    QTemporaryDir state;
    std::unique_ptr<Document> document;

    Fixture() {
        put(at(QStringLiteral("project.toml")), "[project]\nname = \"t\"\n");
        put(at(QStringLiteral("entities.toml")), Entities);
        put(at(QStringLiteral("yard.scene.toml")), Scene);
        put(at(QStringLiteral("meshes/crate.obj")), "v 0 0 0\n");
        reopen();
    }
    [[nodiscard]] QString at(const QString& name) const { return folder.filePath(name); }
    void reopen() {
        document.reset();
        document = std::make_unique<Document>(state.path());
        const Result<void> result = document->open(folder.path(), Files);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().toString().c_str());
    }
    Document* operator->() const { return document.get(); }
};

inline EditRequest replace(const std::string& file, std::size_t offset, std::string removed,
                           std::string inserted, const QString& key = {}) {
    return {file, {{offset, std::move(removed), std::move(inserted)}}, QStringLiteral("Edit"), key};
}

} // namespace sbx::ui
