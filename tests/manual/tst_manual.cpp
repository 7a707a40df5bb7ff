// Keeps the manual true: the reference pages are built here from the descriptions of components and messages and compared
// with the files; links resolve; the projects shown load without a fault.
//
// A reference page has hand-written parts: all before its first "## ", and whatever follows a "### Notes" up to the next
// "## ". They are taken over from the file. Where a page is out of date, the right text is written to the build folder.

#include "engine/commands/console_commands.h"
#include "engine/components/register.h"
#include "engine/core/diagnostic.h"
#include "engine/core/log.h"
#include "engine/entity/lifecycle_messages.h"
#include "engine/session/session.h"
#include "engine/simulation/content.h"
#include "tests/folders.h"

#include <QtTest>

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>

using namespace sbx;

namespace {

const QString ManualFolder = sbx::test::qSourcePath("resources/manual");

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString str(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString code(const QString& text) {
    return QLatin1Char('`') + text + QLatin1Char('`');
}

QString number(double value) {
    return QString::number(value, 'g', 12).remove(QStringLiteral("+"));
}

// "N*s" as N·s: asterisks would be taken for emphasis.
QString unitOf(const FieldInfo& field) {
    return field.unit.empty() ? QStringLiteral("–") : str(field.unit).replace(QLatin1Char('*'), QStringLiteral("·"));
}

QString joined(const QStringList& items) {
    return items.isEmpty() ? QStringLiteral("–") : items.join(QStringLiteral(", "));
}

// ---------------------------------------------------------------------------------------------------- one field

QString typeOf(const FieldInfo& field) {
    switch (field.type) {
    case FieldType::Bool:
        return QStringLiteral("true or false");
    case FieldType::Int:
        return QStringLiteral("whole number");
    case FieldType::Float:
        return QStringLiteral("number");
    case FieldType::Vector2:
        return QStringLiteral("2 numbers");
    case FieldType::Vector3:
        return QStringLiteral("3 numbers");
    case FieldType::Vector4:
    case FieldType::Quaternion:
        return QStringLiteral("4 numbers");
    case FieldType::Color:
        return QStringLiteral("colour");
    case FieldType::Enum:
        return QStringLiteral("choice");
    case FieldType::Entity:
        return QStringLiteral("entity");
    case FieldType::String:
        break;
    }
    switch (field.role) {
    case TextRole::AssetPath:
        return QStringLiteral("mesh or file");
    case TextRole::MessageType:
        return QStringLiteral("message");
    case TextRole::EntityType:
        return QStringLiteral("entity type");
    case TextRole::EntityName:
        return QStringLiteral("entity name");
    case TextRole::Plain:
        break;
    }
    return QStringLiteral("text");
}

QString rangeOf(const FieldInfo& field) {
    if (!field.choices.empty()) {
        QStringList choices;
        for (const std::string& choice : field.choices)
            choices << code(str(choice));
        return choices.join(QStringLiteral(", "));
    }
    const bool machine = field.type == FieldType::Int && field.maximum > 1e9 && field.minimum < -1e9;
    if (!field.hasRange() || machine)
        return QStringLiteral("any");
    if (!std::isfinite(field.maximum))
        return QStringLiteral("at least ") + number(field.minimum);
    if (!std::isfinite(field.minimum))
        return QStringLiteral("at most ") + number(field.maximum);
    return number(field.minimum) + QStringLiteral(" to ") + number(field.maximum);
}

bool ranged(const FieldInfo& field) {
    return field.type != FieldType::Bool && field.type != FieldType::String && field.type != FieldType::Entity
           && field.type != FieldType::Quaternion;
}

QString row(const QStringList& cells) {
    QString line = QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
    return line;
}

QString fieldTable(const FieldTable& fields, bool defaults) {
    QStringList head{QStringLiteral("Name"), QStringLiteral("Type"), QStringLiteral("Unit"), QStringLiteral("Range")};
    if (defaults)
        head << QStringLiteral("Default");
    head << QStringLiteral("Meaning");
    QString out = row(head) + row(QStringList(head.size(), QStringLiteral("---")));
    for (const FieldInfo& field : fields) {
        QStringList cells{code(str(field.name)), typeOf(field), unitOf(field),
                          ranged(field) ? rangeOf(field) : QStringLiteral("–")};
        if (defaults)
            cells << code(str(field.formatToml(field.defaultValue)));
        cells << str(field.doc) + (field.readOnly ? QStringLiteral(" Read only.") : QString());
        out += row(cells);
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------- who speaks to whom

struct Reference {
    ComponentRegistry registry;
    Reference() {
        registerBuiltinComponents(registry);
        messageTypeOf<Awake>();
        messageTypeOf<Start>();
        messageTypeOf<OnEnable>();
        messageTypeOf<OnDisable>();
        messageTypeOf<OnDestroy>();
        messageTypeOf<PreUpdate>();
        messageTypeOf<FixedUpdate>();
        messageTypeOf<Update>();
        messageTypeOf<PostUpdate>();
        messageTypeOf<GetPose>();
        messageTypeOf<SetPose>();
    }
};

// What the descriptions of components do not tell: who else sends.
const std::map<std::string, QString, std::less<>>& otherSenders() {
    static const std::map<std::string, QString, std::less<>> Senders{
        {"Awake", QStringLiteral("the world")},
        {"Start", QStringLiteral("the world")},
        {"OnEnable", QStringLiteral("the world")},
        {"OnDisable", QStringLiteral("the world")},
        {"OnDestroy", QStringLiteral("the world")},
        {"PreUpdate", QStringLiteral("the world")},
        {"FixedUpdate", QStringLiteral("the world")},
        {"Update", QStringLiteral("the world")},
        {"PostUpdate", QStringLiteral("the world")},
        {"GetPose", QStringLiteral("the world")},
        {"SetPose", QStringLiteral("the editor")},
        {"Input", QStringLiteral("the controls")},
        {"KeyPressed", QStringLiteral("the controls")},
        {"KeyReleased", QStringLiteral("the controls")},
    };
    return Senders;
}

QString linkTo(const QString& page, const std::string& heading) {
    return QStringLiteral("[%1](%2#%3)").arg(str(heading), page, str(heading).toLower());
}

QString handlersOf(const Reference& reference, const MessageType& message) {
    std::vector<std::pair<int, std::string>> found;
    for (const ComponentType& type : reference.registry.types())
        for (const HandlerDescription& handler : type.handlers)
            if (handler.message == message.id)
                found.emplace_back(handler.priority, type.name);
    std::stable_sort(found.begin(), found.end());
    QStringList out;
    for (const auto& [priority, name] : found)
        out << linkTo(QStringLiteral("components.md"), name)
                   + (priority != 0 ? QStringLiteral(" (%1)").arg(priority) : QString());
    return joined(out);
}

QString sendersOf(const Reference& reference, const MessageType& message) {
    QStringList out;
    if (const auto it = otherSenders().find(message.name); it != otherSenders().end())
        out << it->second;
    for (const ComponentType& type : reference.registry.types()) {
        QStringList settings;
        for (const FieldInfo& field : *type.settings)
            if (field.role == TextRole::MessageType && std::get<std::string>(field.defaultValue) == message.name)
                settings << code(str(field.name));
        const QString link = linkTo(QStringLiteral("components.md"), type.name);
        if (!settings.isEmpty())
            out << link + QStringLiteral(" (unless %1 says otherwise)").arg(settings.join(QStringLiteral(" or ")));
        else if (std::find(type.sends.begin(), type.sends.end(), message.id) != type.sends.end())
            out << link;
    }
    return joined(out);
}

// ---------------------------------------------------------------------------------------------------- pages

struct Page {
    QString intro;                 // before the first "## "
    QMap<QString, QString> notes;  // by heading, from "### Notes" on
};

Page handWritten(const QString& text) {
    Page page;
    QString heading;
    bool inNotes = false;
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        if (line.startsWith(QStringLiteral("## "))) {
            heading = line.mid(3);
            inNotes = false;
        } else if (heading.isEmpty()) {
            page.intro += line + QLatin1Char('\n');
        }
        inNotes = inNotes || line == QStringLiteral("### Notes");
        if (inNotes)
            page.notes[heading] += line + QLatin1Char('\n');
    }
    for (QString& note : page.notes)
        note = note.trimmed() + QStringLiteral("\n\n");
    page.intro = page.intro.trimmed() + QStringLiteral("\n\n");
    return page;
}

QString componentsPage(const Reference& reference, const QString& current) {
    Page page = handWritten(current);
    QString out = page.intro;
    out += QStringLiteral("## Overview\n\n");
    QStringList categories;
    for (const ComponentType& type : reference.registry.types())
        if (!categories.contains(str(type.category)))
            categories << str(type.category);
    out += row({QStringLiteral("Component"), QStringLiteral("Group"), QStringLiteral("What it is for")})
           + row(QStringList(3, QStringLiteral("---")));
    for (const QString& category : categories)
        for (const ComponentType& type : reference.registry.types())
            if (str(type.category) == category)
                out += row({linkTo(QString(), type.name), category, str(type.doc)});
    out += QLatin1Char('\n');
    out += page.notes.take(QStringLiteral("Overview"));
    for (const QString& category : categories) {
        for (const ComponentType& type : reference.registry.types()) {
            if (str(type.category) != category)
                continue;
            out += QStringLiteral("## %1\n\n%2").arg(str(type.name), str(type.doc));
            if (!type.unique)
                out += QStringLiteral(" An entity may have several.");
            out += QStringLiteral("\n\nSettings:\n\n") + fieldTable(*type.settings, true) + QLatin1Char('\n');
            if (!type.state->empty())
                out += QStringLiteral("Live values:\n\n") + fieldTable(*type.state, false) + QLatin1Char('\n');
            QStringList handles;
            for (const HandlerDescription& handler : type.handlers)
                handles << linkTo(QStringLiteral("messages.md"), messageType(handler.message).name)
                               + (handler.priority != 0 ? QStringLiteral(" (priority %1)").arg(handler.priority) : QString());
            QStringList sends;
            for (const MessageTypeId id : type.sends)
                sends << linkTo(QStringLiteral("messages.md"), messageType(id).name);
            for (const FieldInfo& field : *type.settings)
                if (field.role == TextRole::MessageType)
                    sends << QStringLiteral("what %1 names").arg(code(str(field.name)));
            out += QStringLiteral("Handles: %1.\n\nSends: %2.\n\n").arg(joined(handles), joined(sends));
            out += page.notes.take(str(type.name));
        }
    }
    return out.trimmed() + QLatin1Char('\n');
}

QString messagesPage(const Reference& reference, const QString& current) {
    Page page = handWritten(current);
    QString out = page.intro;
    std::vector<const MessageType*> messages = messageTypes();
    std::sort(messages.begin(), messages.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const MessageType* message : messages) {
        out += QStringLiteral("## %1\n\n%2").arg(str(message->name), str(message->doc));
        if (!message->recorded)
            out += QStringLiteral(" Not recorded in the trace by default.");
        out += QStringLiteral("\n\n");
        out += message->fields->empty() ? QStringLiteral("No fields.\n\n")
                                        : fieldTable(*message->fields, true) + QLatin1Char('\n');
        out += QStringLiteral("Handled by: %1.\n\nSent by: %2.\n\n")
                   .arg(handlersOf(reference, *message), sendersOf(reference, *message));
        out += page.notes.take(str(message->name));
    }
    return out.trimmed() + QLatin1Char('\n');
}

// ---------------------------------------------------------------------------------------------------- Markdown

struct Fence {
    QString language; // "toml"
    QString file;     // "entities.toml", where the block is a whole file of an example project
    QString text;
};

QList<Fence> fencesOf(const QString& markdown) {
    QList<Fence> out;
    bool inside = false;
    const QStringList lines = markdown.split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        if (line.startsWith(QStringLiteral("```"))) {
            inside = !inside;
            if (inside)
                out.append({line.mid(3).section(QLatin1Char(' '), 0, 0), line.section(QLatin1Char(' '), 1), {}});
        } else if (inside) {
            out.last().text += line + QLatin1Char('\n');
        }
    }
    return out;
}

QString withoutCode(QString markdown) {
    markdown.remove(QRegularExpression(QStringLiteral("^```.*?^```"),
                                       QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption));
    return markdown.remove(QRegularExpression(QStringLiteral("`[^`\n]*`")));
}

// As GitHub makes them: lower case, blanks as dashes, no punctuation.
QStringList anchorsOf(const QString& markdown) {
    QStringList out;
    const QStringList lines = markdown.split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        if (!line.startsWith(QLatin1Char('#')))
            continue;
        QString anchor = line.section(QLatin1Char(' '), 1).toLower();
        anchor.remove(QRegularExpression(QStringLiteral("[^\\w\\- ]")));
        out << anchor.replace(QLatin1Char(' '), QLatin1Char('-'));
    }
    return out;
}

QStringList pages() {
    return QDir(ManualFolder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
}

QString faultsOf(const Diagnostics& faults) {
    QString out;
    for (const Diagnostic& fault : faults.items)
        out += str(fault.toString()) + QLatin1Char('\n');
    return out;
}

} // namespace

class TestManual : public QObject {
    Q_OBJECT

private slots:
    void referencePagesAreCurrent_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("components") << QStringLiteral("components.md");
        QTest::newRow("messages") << QStringLiteral("messages.md");
    }
    void referencePagesAreCurrent() {
        QFETCH(QString, file);
        const QString committed = textOf(ManualFolder + QLatin1Char('/') + file);
        const Reference reference;
        const QString built = file == QStringLiteral("components.md") ? componentsPage(reference, committed)
                                                                       : messagesPage(reference, committed);
        if (built == committed)
            return;
        const QString path = sbx::test::qBuildPath(file.toStdString());
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(built.toUtf8());
        QFAIL(qPrintable(QStringLiteral("resources/manual/%1 is out of date; the new text is in %2").arg(file, path)));
    }

    void linksResolve_data() {
        QTest::addColumn<QString>("file");
        const QStringList all = pages();
        for (const QString& file : all)
            QTest::newRow(qPrintable(file)) << file;
    }
    void linksResolve() {
        QFETCH(QString, file);
        const QString text = textOf(ManualFolder + QLatin1Char('/') + file);
        QVERIFY2(text.startsWith(QStringLiteral("# ")), "a page begins with its title");
        static const QRegularExpression Link(QStringLiteral("\\[[^\\]]*\\]\\(([^)]*)\\)"));
        auto it = Link.globalMatch(withoutCode(text));
        while (it.hasNext()) {
            const QString target = it.next().captured(1);
            if (target.contains(QStringLiteral("://")))
                continue;
            const QString path = target.section(QLatin1Char('#'), 0, 0);
            const QString anchor = target.section(QLatin1Char('#'), 1);
            const QString whole = ManualFolder + QLatin1Char('/') + (path.isEmpty() ? file : path);
            QVERIFY2(QFileInfo(whole).isFile(), qPrintable(QStringLiteral("no file for ") + target));
            QVERIFY2(anchor.isEmpty() || anchorsOf(textOf(whole)).contains(anchor),
                     qPrintable(QStringLiteral("no heading for ") + target));
        }
    }
    void everyPageIsReachable() {
        QStringList reached{QStringLiteral("index.md")};
        static const QRegularExpression Link(QStringLiteral("\\]\\(([\\w]+\\.md)"));
        for (qsizetype i = 0; i < reached.size(); ++i) {
            auto it = Link.globalMatch(withoutCode(textOf(ManualFolder + QLatin1Char('/') + reached[i])));
            while (it.hasNext())
                if (const QString page = it.next().captured(1); !reached.contains(page))
                    reached << page;
        }
        reached.sort();
        QCOMPARE(reached, pages());
    }

    // Blocks that name their file make up one project: it loads without a fault, runs, and does what the page says.
    void exampleProjectRuns() {
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        const QList<Fence> fences = fencesOf(textOf(ManualFolder + QStringLiteral("/projects.md")));
        int files = 0;
        for (const Fence& fence : fences) {
            if (fence.file.isEmpty())
                continue;
            QFile file(folder.filePath(fence.file));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(fence.text.toUtf8());
            ++files;
        }
        QCOMPARE(files, 3);
        Log log;
        Session session(log, addConsoleCommands);
        Diagnostics faults;
        const auto content = loadContent(folder.path().toStdString(), {}, session.catalog().schema, faults);
        QVERIFY2(faults.items.empty(), qPrintable(faultsOf(faults)));
        QVERIFY(content != nullptr);
        session.open(content);
        session.play();
        for (int i = 0; i < 600; ++i)
            session.tick();
        const ConsoleReply reply = session.execute("expect bell.Counter.total >= 3; expect count(type == \"Ball\") == 3");
        QVERIFY2(reply.ok, reply.lines.empty() ? "" : reply.lines.back().c_str());
    }

    // The fragments beside the components, taken together, are a definition file.
    void componentExamplesLoad() {
        const Reference reference;
        QString text;
        const QList<Fence> fences = fencesOf(textOf(ManualFolder + QStringLiteral("/components.md")));
        for (const Fence& fence : fences) {
            QCOMPARE(fence.language, QStringLiteral("toml"));
            text += fence.text + QLatin1Char('\n');
        }
        QVERIFY(!text.isEmpty());
        Diagnostics faults;
        const auto definitions = definition::Definitions::load({{"components.md", text.toStdString()}},
                                                               makeSchema(reference.registry), faults);
        QVERIFY2(faults.items.empty(), qPrintable(faultsOf(faults)));
        QVERIFY(definitions.types().size() >= 5);
    }
};

QTEST_GUILESS_MAIN(TestManual)
#include "tst_manual.moc"
