#pragma once
// Qt's two ways of telling an object something, for bench_dispatch.

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <cstdint>
#include <memory>
#include <vector>

namespace sbx::bench {

class QtReceiver : public QObject {
    Q_OBJECT
public:
    std::uint64_t sum = 0;
public Q_SLOTS:
    void onPoke(quint64 amount) { sum += amount; }
};

class QtSender : public QObject {
    Q_OBJECT
public:
    std::vector<std::unique_ptr<QtReceiver>> parts;
Q_SIGNALS:
    void poke(quint64 amount);
};

// Each with k receivers connected directly.
inline std::vector<std::unique_ptr<QtSender>> makeSenders(std::size_t count, std::size_t k) {
    std::vector<std::unique_ptr<QtSender>> senders;
    for (std::size_t i = 0; i < count; ++i) {
        senders.push_back(std::make_unique<QtSender>());
        for (std::size_t p = 0; p < k; ++p) {
            senders.back()->parts.push_back(std::make_unique<QtReceiver>());
            QObject::connect(senders.back().get(), &QtSender::poke, senders.back()->parts.back().get(),
                             &QtReceiver::onPoke, Qt::DirectConnection);
        }
    }
    return senders;
}

class PokeEvent : public QEvent {
public:
    static constexpr auto Kind = static_cast<QEvent::Type>(QEvent::User + 1);
    explicit PokeEvent(quint64 a) : QEvent(Kind), amount(a) {}
    quint64 amount;
};

class QtEventReceiver : public QObject {
    Q_OBJECT
public:
    std::uint64_t sum = 0;
    bool event(QEvent* e) override {
        if (e->type() != PokeEvent::Kind)
            return QObject::event(e);
        sum += static_cast<PokeEvent*>(e)->amount;
        return false;
    }
};

// An event to each of an entity's k receivers.
class EventWorld {
public:
    EventWorld(std::size_t count, std::size_t k) : m_k(k) {
        for (std::size_t i = 0; i < count * k; ++i)
            m_receivers.push_back(std::make_unique<QtEventReceiver>());
    }
    void send(std::size_t entity, quint64 amount) {
        PokeEvent event(amount);
        for (std::size_t i = 0; i < m_k; ++i)
            QCoreApplication::sendEvent(m_receivers[entity * m_k + i].get(), &event);
    }

private:
    int m_argc = 1;
    char m_name[6] = "bench";
    char* m_argv[2] = {m_name, nullptr};
    std::unique_ptr<QCoreApplication> m_application{
        QCoreApplication::instance() == nullptr ? std::make_unique<QCoreApplication>(m_argc, m_argv) : nullptr};
    std::size_t m_k;
    std::vector<std::unique_ptr<QtEventReceiver>> m_receivers;
};

} // namespace sbx::bench
