#pragma once
// The editor's settings: what the user chose in menus, the layout of the window, recent projects, shortcuts. Values by key, kept in one
// file in the format of ini_text.h, which the one writer (engine/core/whole_file.h) replaces as a whole.
//
// Changes are written once the event loop comes round, and by the destructor. Two editors share the file: only what this one has changed
// is laid over what is there. A file that cannot be read, or that a newer version wrote, is set aside and never written over.
// GUI thread; owned by the editor, which shows trouble() and saveFailed() to the user.

#include <QMap>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QVariant>

#include "engine/core/result.h"
#include "widgets/common/ini_text.h"

#include <optional>

namespace sbx::ui {

class UserSettings : public QObject {
    Q_OBJECT

public:
    static constexpr int Version = 1; // of what the keys mean, in the key "version"

    // Without a file: no values. The folder is made when the file is written first.
    explicit UserSettings(QString path, QObject* parent = nullptr);
    ~UserSettings() override;

    [[nodiscard]] const QString& path() const { return m_path; }
    // Why the file that was there does not count, and where it is kept, for the user; empty: nothing was wrong with it.
    [[nodiscard]] const QString& trouble() const { return m_trouble; }

    [[nodiscard]] QVariant value(const QString& key, const QVariant& otherwise = {}) const;
    [[nodiscard]] bool contains(const QString& key) const { return m_values.contains(key); }
    // Those that begin with "group/", whole.
    [[nodiscard]] QStringList keysIn(const QString& group) const;
    void setValue(const QString& key, const QVariant& value);
    void remove(const QString& key);

    // Writes what has changed since the last time, now. After an error the file is as it was, and the changes are kept for the next
    // time: with the next change, the next call, or the destructor.
    Result<void> save();

signals:
    // The changes are in memory only, for this reason. Once until saved().
    void saveFailed(const QString& reason);
    // The file holds all changes.
    void saved();

private:
    struct Contents {
        IniValues values;
        QString fault; // empty: none; else what the file is, to go after "The settings"
    };
    [[nodiscard]] Contents read() const;
    // Moves a file with a fault out of the way; false if it has to stay.
    bool setFaultyAside(const QString& fault);
    [[nodiscard]] Result<void> write();
    void changed(const QString& key, const std::optional<QVariant>& value);

    QString m_path;
    QString m_trouble;
    IniValues m_values;
    QMap<QString, std::optional<QVariant>> m_changes; // since they were written; none: removed
    QTimer m_timer;
    bool m_keepsOff = false; // a file that is not ours to replace lies there
    bool m_failing = false;
};

} // namespace sbx::ui
