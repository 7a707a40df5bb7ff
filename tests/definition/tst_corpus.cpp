// Every file of corpus/ tells in its first lines what it is read as and every diagnostic that must come of
// it:
//     # read as: definitions | scene | project
//     # expect: LINE:COLUMN error: the beginning of the message
// Nothing more and nothing less may be reported, in that order.
#include <QtTest>

#include "engine/definition/project.h"
#include "engine/definition/scene.h"
#include "engine/definition/text_file.h"
#include "tests/definition/sample_schema.h"
#include "tests/folders.h"

#include <filesystem>

using namespace sbx;
using namespace sbx::definition;

namespace {

const std::filesystem::path Corpus = sbx::test::sourcePath("tests/definition/corpus");

struct Expectation {
    std::string kind;
    std::vector<std::string> lines;
};

Expectation expectationOf(std::string_view text) {
    Expectation out;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    while (text.starts_with("# ")) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(2, end - 2);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.starts_with("read as: "))
            out.kind = line.substr(9);
        if (line.starts_with("expect: "))
            out.lines.emplace_back(line.substr(8));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

Diagnostics readAs(const std::string& kind, const std::string& text) {
    const Schema schema = sample::schema();
    Diagnostics sink;
    if (kind == "definitions")
        static_cast<void>(Definitions::load({{"f", text}}, schema, sink));
    else if (kind == "scene")
        static_cast<void>(Scene::load(text, "f", sample::definitions(schema), schema, sink));
    else if (kind == "project")
        static_cast<void>(parseProject(text, "f", sink));
    sink.sort();
    return sink;
}

} // namespace

class TestCorpus : public QObject {
    Q_OBJECT
private slots:
    void faults_data() {
        QTest::addColumn<QString>("path");
        for (const auto& entry : std::filesystem::directory_iterator(Corpus))
            if (entry.path().extension() == ".toml")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
    }
    void faults() {
        QFETCH(QString, path);
        const Result<std::string> text = readTextFile(path.toStdString());
        QVERIFY(text.ok());
        const Expectation expected = expectationOf(*text);
        QVERIFY(!expected.kind.empty());
        QStringList found;
        for (const Diagnostic& d : readAs(expected.kind, *text).items)
            found << QString::fromStdString(d.toString()).mid(2); // without "f:"
        bool same = static_cast<std::size_t>(found.size()) == expected.lines.size();
        for (int i = 0; same && i < found.size(); ++i)
            same = found[i].startsWith(QString::fromStdString(expected.lines[static_cast<std::size_t>(i)]));
        if (!same)
            QFAIL(qPrintable("found:\n" + found.join("\n")));
    }
    // The files must be faulty each in its own way; a corpus that shrank would pass silently.
    void isLarge() {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(Corpus))
            count += entry.path().extension() == ".toml" ? 1U : 0U;
        QVERIFY(count >= 60);
    }
};

QTEST_GUILESS_MAIN(TestCorpus)
#include "tst_corpus.moc"
