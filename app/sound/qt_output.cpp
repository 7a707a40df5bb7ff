#include "app/sound/qt_output.h"

#include "app/sound/output_worker.h"
#include "app/sound/server_watch.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <semaphore>

namespace sbx::app {

namespace {

constexpr int FirstMs = 500; // the constructor waits no longer for the sound system
constexpr int WatchMs = 1000;
// The sound thread has not moved on for so long: meanwhile the sound goes on by the clock.
constexpr int SlowMs = 2000;
constexpr int DumbMs = 10'000; // for so long: it may never
const char* const Slow = "the sound system is slow to answer: measuring only, nothing is heard until it does";
const char* const Dumb = "the sound system does not answer: measuring only, nothing is heard; start the "
                         "program again if it stays so";

// Qt's way to the sound server is one per process and belongs to the thread that first asks for devices. When the server goes, Qt 6.4
// takes that way down there, while another thread that plays still uses it. So all outputs share one thread, and Qt's way is its
// own. It runs while there is an output. Main thread.
class SoundThread {
public:
    // Never destroyed: it may hang in Qt for good.
    static SoundThread& instance() {
        static auto* const one = new SoundThread;
        return *one;
    }
    void join() {
        m_made = true;
        if (m_users++ > 0 || m_hangs)
            return;
        m_thread.setObjectName(QStringLiteral("sound"));
        m_thread.start(QThread::TimeCriticalPriority);
        m_watch = new ServerWatch(m_server);
        m_watch->moveToThread(&m_thread);
        QMetaObject::invokeMethod(
            m_watch, [watch = m_watch] { watch->start(); }, Qt::QueuedConnection);
    }
    void leave(int patienceMs) {
        if (--m_users > 0 || m_hangs)
            return;
        m_watch->deleteLater(); // on its thread, before that ends
        m_thread.quit();
        m_hangs = !m_thread.wait(static_cast<unsigned long>(patienceMs));
    }
    void setHangs(bool hangs) { m_hangs = hangs; }
    [[nodiscard]] ServerWatch& watch() { return *m_watch; }
    // Any thread.
    [[nodiscard]] const SoundServer& server() const { return m_server; }
    [[nodiscard]] bool hangs() const { return m_hangs; }
    [[nodiscard]] bool wasMade() const { return m_made; }
    [[nodiscard]] QThread& thread() { return m_thread; }

private:
    SoundThread() = default;
    QThread m_thread;
    int m_users = 0;
    std::atomic<bool> m_hangs = false;
    SoundServer m_server;
    ServerWatch* m_watch = nullptr; // while the thread runs; its own
    bool m_made = false;
};

} // namespace

QtOutput::QtOutput(std::function<void(const audio::OutputStatus&)> changed) : m_changed(std::move(changed)) {
    m_watch.setInterval(WatchMs);
    QObject::connect(&m_watch, &QTimer::timeout, &m_watch, [this] { watch(); });
    SoundThread& sound = SoundThread::instance();
    sound.join();
    if (sound.hangs()) {
        goByTheClock(Dumb);
        return;
    }
    m_device = new OutputWorker(m_changed, nullptr, [&sound] { return sound.server().isConnected(); });
    m_worker = m_device;
    m_device->moveToThread(&sound.thread());
    if (!call(
            *m_device, [&sound] { sound.watch().look(); }, FirstMs)) {
        goByTheClock(Slow);
        m_watch.start(); // it may answer before anything is opened
    }
}

QtOutput::~QtOutput() {
    close();
    if (m_ownThread) {
        m_ownThread->quit();
        m_ownThread->wait();
        delete m_clock;
    }
    if (m_device != nullptr)
        m_device->deleteLater();
    SoundThread::instance().leave(m_unanswered ? SlowMs : DumbMs);
}

// What is posted is done in order; false: not within that time.
bool QtOutput::call(OutputWorker& worker, const std::function<void()>& what, int patienceMs) {
    const auto done = std::make_shared<std::binary_semaphore>(0);
    worker.post([what, done] {
        what();
        done->release();
    });
    return done->try_acquire_for(std::chrono::milliseconds(patienceMs));
}

void QtOutput::watch() {
    const std::uint64_t turns = m_device->turns();
    if (turns != m_turns) {
        m_turns = turns;
        m_still = 0;
        if (m_unanswered)
            goByTheDevice();
        if (!m_fill)
            m_watch.stop(); // nothing is open
        return;
    }
    ++m_still; // counted: a program that was stopped for a while has seen it once
    if (m_still >= DumbMs / WatchMs && !SoundThread::instance().hangs()) {
        SoundThread::instance().setHangs(true);
        goByTheClock(Dumb);
    } else if (m_still >= SlowMs / WatchMs && !m_unanswered) {
        goByTheClock(Slow);
    }
}

// The sound thread is in Qt, with the device's worker: both are left to themselves, and the sound goes on by the clock.
void QtOutput::goByTheClock(const char* why) {
    if (m_unanswered && m_clock != nullptr) {
        m_clock->post([clock = m_clock, why] { clock->setWhyNot(why); });
        return;
    }
    m_unanswered = true;
    if (m_device != nullptr)
        m_device->setSilenced(true);
    if (m_clock == nullptr) {
        m_clock = new OutputWorker(m_changed, why, [] { return false; });
        m_ownThread = std::make_unique<QThread>();
        m_ownThread->setObjectName(QStringLiteral("sound by the clock"));
        m_clock->moveToThread(m_ownThread.get());
        m_ownThread->start(QThread::TimeCriticalPriority);
    } else {
        m_clock->post([clock = m_clock, why] { clock->setWhyNot(why); }); // it may have had another reason
    }
    m_worker = m_clock;
    if (m_fill)
        post(*m_clock);
}

// It has answered.
void QtOutput::goByTheDevice() {
    static_cast<void>(call(
        *m_clock, [clock = m_clock] { clock->close(); }, DumbMs)); // no other work is posted to it
    SoundThread::instance().setHangs(false);
    m_unanswered = false;
    m_worker = m_device;
    m_device->setSilenced(false);
    m_device->post([device = m_device] { device->tellAgain(); });
}

std::vector<audio::OutputDevice> QtOutput::devices() const {
    if (m_unanswered)
        return {};
    return SoundThread::instance().server().devices();
}

void QtOutput::post(OutputWorker& worker) {
    worker.post([&worker, request = m_request, rate = m_rendererRate, fill = m_fill] {
        worker.open(request, rate, fill);
    });
}

Result<void> QtOutput::open(const audio::OutputRequest& request, double rendererRate, Fill fill) {
    if (!fill)
        return Error{"nothing to play", {}, {}};
    m_request = request;
    m_rendererRate = rendererRate;
    m_fill = std::move(fill);
    if (m_unanswered)
        post(*m_clock);
    if (m_device != nullptr) {
        post(*m_device);
        m_turns = m_device->turns();
        m_still = 0;
        m_watch.start();
    }
    return {};
}

void QtOutput::close() {
    m_watch.stop();
    m_fill = {};
    const auto end = [](OutputWorker* worker) { return [worker] { worker->close(); }; };
    if (m_unanswered) {
        static_cast<void>(call(*m_clock, end(m_clock), DumbMs));
        if (m_device != nullptr) // when it moves again; it is silenced until then
            m_device->post(end(m_device));
    } else if (!call(*m_device, end(m_device), SlowMs)) {
        goByTheClock(Slow);
        m_still = 0;
        m_watch.start();
    }
}

audio::OutputStatus QtOutput::status() const { return m_worker.load()->status(); }

void leaveProgram(int status) {
    if (!SoundThread::instance().wasMade())
        std::exit(status);
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(status);
}

} // namespace sbx::app
