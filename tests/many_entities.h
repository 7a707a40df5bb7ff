#pragma once
// A project of many entities, written into a folder: crates with a body, some of them with values of their own, spread in rows.

#include <QDir>
#include <QFile>
#include <QString>

#include <string>

namespace sbx::test {

inline void writeFile(const QString& path, const std::string& text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0)
        qFatal("cannot write %s", qPrintable(path));
}

// `count` entities named crate_1, crate_2, …; each tenth is a Lamp, which has no body, and is named lamp_10, …
inline void writeManyEntities(const QString& folder, int count) {
    QDir().mkpath(folder);
    writeFile(folder + QStringLiteral("/project.toml"),
              "[project]\nname = \"Many\"\nscene = \"many.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
    writeFile(folder + QStringLiteral("/entities.toml"),
              "[Crate]\n[Crate.Body]\nmass = 5.0\nmotion = \"static\"\n[Crate.Mesh]\nmesh = \"box\"\n[Crate.Health]\nmaximum = 40\n\n"
              "[Lamp]\n[Lamp.Light]\nintensity = 2.0\n");
    std::string scene = "[scene]\nname = \"Many\"\n";
    for (int i = 1; i <= count; ++i) {
        const bool lamp = i % 10 == 0;
        scene += "\n[[entity]]\ntype = \"" + std::string(lamp ? "Lamp" : "Crate") + "\"\nname = \""
                 + (lamp ? "lamp_" : "crate_") + std::to_string(i) + "\"\nposition = [" + std::to_string(i % 100 * 3) + ".0, 0.5, "
                 + std::to_string(i / 100 * 3) + ".0]\n";
        if (i % 7 == 0 && !lamp)
            scene += "[entity.Body]\nmass = 7.5 # heavier\n";
    }
    writeFile(folder + QStringLiteral("/many.scene.toml"), scene);
}

} // namespace sbx::test
