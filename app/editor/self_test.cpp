#include "app/editor/self_test.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/editor/project_templates.h"
#include "app/sound/qt_output.h"
#include "engine/core/user_folders.h"
#include "engine/net/udp_transport.h"
#include "engine/plugin/trusted_projects.h"

#include <array>
#include <cstdio>
#include <optional>

namespace sbx::editor {

namespace {

using Status = SelfTestResult::Status;

constexpr int PlayerMs = 60'000;
constexpr int CompilerMs = 300'000;
constexpr int SampleTicks = 60;

QString inWords(const char* text) { return QCoreApplication::translate("SelfTest", text); }

SelfTestResult testOpenGl() {
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    const QString driver = inWords("install a graphics driver; without a graphics card the package libgl1-mesa-dri draws in software");
    if (!context.create() || !context.makeCurrent(&surface))
        return {{}, Status::Fail, inWords("no OpenGL context"), driver};
    const auto version = context.format().version();
    const QString renderer =
        QString::fromUtf8(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER)));
    const QString found = QStringLiteral("%1.%2, %3").arg(version.first).arg(version.second).arg(renderer);
    if (version < qMakePair(3, 3))
        return {{}, Status::Fail, found, inWords("expected OpenGL 3.3: %1").arg(driver)};
    return {{}, Status::Pass, found, {}};
}

SelfTestResult testSound() {
    const app::QtOutput output;
    const std::vector<audio::OutputDevice> devices = output.devices();
    if (devices.empty())
        return {{}, Status::NotHere, inWords("no sound device"),
                inWords("start PulseAudio or PipeWire to hear something; everything else works without")};
    QString name = QString::fromStdString(devices.front().name);
    for (const audio::OutputDevice& device : devices)
        if (device.isDefault)
            name = QString::fromStdString(device.name);
    return {{}, Status::Pass, devices.size() == 1 ? name : inWords("%1 devices, %2").arg(devices.size()).arg(name), {}};
}

// A datagram from one socket of this machine to another.
SelfTestResult testUdp() {
    const auto from = net::UdpTransport::openV4(0);
    const auto to = net::UdpTransport::openV4(0);
    const QString advice = inWords("let a firewall admit UDP on the loopback interface");
    if (!from || !to)
        return {{}, Status::Fail, QString::fromStdString((from ? to : from).error().message), advice};
    const std::array<std::uint8_t, 4> sent{1, 2, 3, 4};
    static_cast<void>((*from)->send(net::Address::v4(127, 0, 0, 1, (*to)->local().port), sent));
    (*from)->flush();
    (*to)->wait(net::Second);
    std::array<std::uint8_t, 64> buffer{};
    const auto received = (*to)->receive(buffer);
    if (!received || received->size != sent.size())
        return {{}, Status::Fail, inWords("a datagram to 127.0.0.1 did not arrive"), advice};
    return {{}, Status::Pass, inWords("a datagram to 127.0.0.1 arrived"), {}};
}

SelfTestResult testFolders() {
    const UserFolders folders = UserFolders::ofUser();
    for (const auto& folder : {folders.config, folders.state, folders.cache}) {
        const QString path = QString::fromStdString(folder.string());
        QDir().mkpath(path);
        QFile file(QDir(path).filePath(QStringLiteral("selftest")));
        const bool written = file.open(QIODevice::WriteOnly) && file.write("x") == 1;
        const QString why = file.errorString();
        file.remove();
        if (!written)
            return {{}, Status::Fail, QStringLiteral("%1: %2").arg(path, why),
                    inWords("make the folder writable for yourself, or set XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME")};
    }
    return {{}, Status::Pass, QString::fromStdString(folders.config.string()), {}};
}

QString programFile(const char* name) { return QDir(QCoreApplication::applicationDirPath()).filePath(QLatin1String(name)); }

// The exit status and what was written to standard error; -1: it could not be started or took too long.
struct Ended {
    int status = -1;
    QString said;
};

Ended runProgram(const QString& program, const QStringList& arguments, int patienceMs) {
    QProcess process;
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    if (!process.waitForFinished(patienceMs)) {
        const QString why = process.error() == QProcess::Timedout ? inWords("took longer than %1 seconds").arg(patienceMs / 1000)
                                                                   : process.errorString();
        process.kill();
        process.waitForFinished();
        return {-1, QStringLiteral("%1: %2").arg(QFileInfo(program).fileName(), why)};
    }
    const QString said = QString::fromUtf8(process.readAllStandardError() + process.readAllStandardOutput()).trimmed();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, said};
}

QString lastLine(const QString& text) { return text.section(QLatin1Char('\n'), -1); }

// What a compiler or CMake stumbled over first.
QString firstError(const QString& text) {
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (line.contains(QLatin1String("error"), Qt::CaseInsensitive))
            return line.trimmed();
    return lastLine(text);
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Twice from the same seed: the digests of all ticks are the same.
SelfTestResult testSample(const ProjectTemplate& sample) {
    const QTemporaryDir folder;
    QByteArray first;
    for (const char* name : {"first", "second"}) {
        const QString digest = folder.filePath(QLatin1String(name));
        const Ended ended = runProgram(programFile("signalbox-player"),
                                       {sample.folder, QStringLiteral("--headless"), QStringLiteral("--ticks"),
                                        QString::number(SampleTicks), QStringLiteral("--seed"), QStringLiteral("1"),
                                        QStringLiteral("--digest"), digest, QStringLiteral("--safe-mode")},
                                       PlayerMs);
        const QByteArray lines = contents(digest);
        if (ended.status != 0 || lines.isEmpty())
            return {{}, Status::Fail, lastLine(ended.said), inWords("install the program again")};
        if (!first.isEmpty() && lines != first)
            return {{}, Status::Fail, inWords("two runs from one seed differ"), inWords("report this, with the name of the processor")};
        first = lines;
    }
    return {{}, Status::Pass,
            inWords("%1 ticks, digest %2").arg(SampleTicks).arg(QString::fromLatin1(first.trimmed()).section(QLatin1Char(' '), -1)), {}};
}

// A server and two clients over links that lose and delay.
SelfTestResult testNetwork(const ProjectTemplate& sample) {
    const Ended ended = runProgram(programFile("signalbox-player"),
                                   {sample.folder, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("240"),
                                    QStringLiteral("--clients"), QStringLiteral("2"), QStringLiteral("--link"),
                                    QStringLiteral("latency=50ms loss=5%"), QStringLiteral("--safe-mode")},
                                   PlayerMs);
    if (ended.status != 0)
        return {{}, Status::Fail, lastLine(ended.said), inWords("install the program again")};
    // The player says at its end how each client fared.
    for (const char* client : {"client 1: ", "client 2: "})
        if (!ended.said.contains(QLatin1String(client)))
            return {{}, Status::Fail, inWords("a client did not join: %1").arg(lastLine(ended.said)), inWords("report this")};
    return {{}, Status::Pass, inWords("two clients joined over links with 50 ms and 5 % loss"), {}};
}

// The template's components, built as a user would and played.
SelfTestResult testPlugin(const ProjectTemplate& from) {
    const QString prefix = QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/.."));
    const QString cmake = QStandardPaths::findExecutable(QStringLiteral("cmake"));
    if (cmake.isEmpty() || QStandardPaths::findExecutable(QStringLiteral("c++")).isEmpty())
        return {{}, Status::NotHere, inWords("no compiler"), inWords("install the packages cmake and g++ to write components of your own")};
    if (!QFileInfo::exists(prefix + QStringLiteral("/lib/cmake/Signalbox/SignalboxConfig.cmake")))
        return {{}, Status::NotHere, inWords("no headers"), inWords("install the package signalbox-dev to write components of your own")};
    const QTemporaryDir folder;
    const QString project = folder.filePath(QStringLiteral("parts"));
    if (const Result<void> made = createProject(from, project, QStringLiteral("parts")); !made)
        return {{}, Status::Fail, QString::fromStdString(made.error().toString()), {}};
    const QString build = project + QStringLiteral("/build");
    for (const QStringList& step :
         {QStringList{QStringLiteral("-S"), project, QStringLiteral("-B"), build, QStringLiteral("-DCMAKE_PREFIX_PATH=") + prefix,
                      QStringLiteral("-DCMAKE_BUILD_TYPE=Debug")},
          QStringList{QStringLiteral("--build"), build}}) {
        const Ended ended = runProgram(cmake, step, CompilerMs);
        if (ended.status != 0)
            return {{}, Status::Fail, firstError(ended.said), inWords("compare the versions of signalbox, signalbox-dev, cmake and g++")};
    }
    const QString trace = folder.filePath(QStringLiteral("trace"));
    const Ended ended = runProgram(programFile("signalbox-player"),
                                   {project, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("120"),
                                    QStringLiteral("--trust"), QStringLiteral("--trace"), trace},
                                   PlayerMs);
    if (ended.status != 0)
        return {{}, Status::Fail, lastLine(ended.said), {}};
    if (!contents(trace).contains("\"component\":\"Bouncer\""))
        return {{}, Status::Fail, inWords("the component was built, and no message reached it"), inWords("report this")};
    return {{}, Status::Pass, inWords("a component was built, loaded, and handled messages"), {}};
}

} // namespace

std::vector<SelfTest> selfTests() {
    std::vector<SelfTest> tests{{inWords("OpenGL"), testOpenGl},
                                {inWords("Sound"), testSound},
                                {inWords("UDP"), testUdp},
                                {inWords("Folders"), testFolders}};
    std::optional<ProjectTemplate> played;
    std::optional<ProjectTemplate> plugin;
    for (const ProjectTemplate& each : projectTemplates(resourceFolders())) {
        if (each.isSample) {
            tests.push_back({each.name, [each] { return testSample(each); }});
            played = played ? played : each;
        } else if (each.id == QLatin1String("plugin")) {
            plugin = each;
        }
    }
    if (played)
        tests.push_back({inWords("Network"), [played] { return testNetwork(*played); }});
    else
        tests.push_back({inWords("Samples"), [] {
                             return SelfTestResult{{}, Status::Fail, inWords("no sample project is installed"), inWords("install the program again")};
                         }});
    if (plugin)
        tests.push_back({inWords("Plugin"), [plugin] { return testPlugin(*plugin); }});
    return tests;
}

QString toLine(const SelfTestResult& result) {
    const QString status = result.status == Status::Pass ? inWords("pass") : result.status == Status::Fail ? inWords("FAIL") : inWords("not here");
    return QStringLiteral("%1 %2 %3%4")
        .arg(result.name, -16)
        .arg(status, -8)
        .arg(result.detail, result.advice.isEmpty() ? QString() : QStringLiteral("; ") + result.advice);
}

int selfTest() {
    bool good = true;
    for (const SelfTest& test : selfTests()) {
        SelfTestResult result = test.run();
        result.name = test.name;
        good = good && result.status != Status::Fail;
        std::printf("%s\n", toLine(result).toUtf8().constData());
        std::fflush(stdout);
    }
    return good ? 0 : 1;
}

} // namespace sbx::editor
