// What goes wrong or round in circles, and what the trace says of it: every test reads the lines that a person would.

#include <QRegularExpression>
#include <QtTest>

#include "engine/message/trace_json.h"
#include "tests/entity/stage.h"

#include <algorithm>
#include <map>
#include <random>

using namespace sbx;
using namespace sbx::test;

namespace {

struct Word {
    static constexpr const char* Name = "test.Word";
    int number = 0;
    static void describe(FieldList<Word>& f) { f.add("number", &Word::number, "Which."); }
};

// Passes each word on to everyone else of its kind.
struct Gossip : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Gossip(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Gossip>& b) { b.handle<&Gossip::onWord>(); }
    bool onWord(const Word& m) {
        const std::vector<EntityId>& circle = world().service<std::vector<EntityId>>();
        for (const EntityId other : circle)
            if (other != entity())
                world().send(other, Word{m.number + 1}, entity());
        return false;
    }
};

// Hears hits with their envelope.
struct Clerk : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Clerk(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Clerk>& b) { b.handle<&Clerk::onHit>(); }
    bool onHit(const Hit&, const Envelope& envelope) {
        world().service<Notes>().write(*this, "Clerk", ("Hit caused by " + std::to_string(envelope.cause)).c_str());
        return false;
    }
};

struct Traced : Stage {
    std::shared_ptr<RecordReader> reader = recorder.addReader();
    Traced() {
        registry.registerComponent<Gossip>("Gossip");
        registry.registerComponent<Clerk>("Clerk");
        for (const MessageTypeId type : {messageIdOf<OnDisable>(), messageIdOf<OnDestroy>()})
            recorder.setRecorded(type, true);
    }
    std::vector<std::shared_ptr<const RecordSegment>> segments() {
        recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> out;
        reader->poll(out);
        return out;
    }
    // The trace as `--trace` writes it.
    Lines trace() {
        Lines out;
        for (const auto& segment : segments())
            for (std::size_t i = 0; i < segment->size(); ++i)
                out.push_back(traceLine((*segment)[i], recorder, false));
        return out;
    }
};

// Two worlds with one recorder, in ticks of their own, whose entities pass hits on while these are worth anything.
struct TwoWorlds : Traced {
    World other{WorldDesc{"other"}, recorder, log};
    std::vector<EntityId> ids;
    std::vector<EntityId> others;
    bool shortWay;
    std::mt19937 random{7};

    explicit TwoWorlds(bool direct) : shortWay(direct) {
        other.provide(notes);
        ids = fill(world, "a");
        others = fill(other, "b");
        notes.act = [this](Component& c, const std::string& line) {
            // "Hit2", not "Hit-1" nor "Hit caused by 2".
            const std::size_t worth = line.rfind("Hit") + 3;
            const int left = worth + 1 == line.size() ? line.back() - '0' : 0;
            for (int i = 0; i < left; ++i)
                send(random() % 8 == 0 ? other : c.world(), left - 1, random() % 2 == 0 ? c.entity() : EntityId());
        };
        recorder.setEnabled(true);
    }
    ~TwoWorlds() {
        notes.act = nullptr;
        other.clear();
    }
    std::vector<EntityId> fill(World& to, const std::string& name) {
        const auto keeps = settings<B>([](auto& b) { b.consumes = true; });
        const std::vector<ComponentSpec> few{{registry.find("A"), settings<A>()}};
        const std::vector<ComponentSpec> consuming{
            {registry.find("A"), settings<A>()}, {registry.find("B"), keeps}, {registry.find("C"), settings<C>()}};
        const std::vector<ComponentSpec> clerk{{registry.find("C"), settings<C>()}, {registry.find("Clerk"), settings<Clerk>()}};
        std::vector<EntityId> out;
        for (const auto& specs : {few, consuming, clerk, {}}) {
            SpawnRequest request;
            request.type = typeOf("T" + std::to_string(out.size()), specs);
            request.name = name + std::to_string(out.size());
            out.push_back(to.spawn(request));
        }
        return out;
    }
    void send(World& to, int amount, EntityId sender) {
        const auto& receivers = &to == &world ? ids : others;
        const EntityId receiver = receivers[random() % receivers.size()];
        Hit hit{amount};
        if (shortWay)
            to.send(receiver, hit, sender);
        else
            to.sendRaw(receiver, messageIdOf<Hit>(), &hit, sizeof hit, sender, Delivery::Immediate);
    }
};

struct CountingWatch : HandlerWatch {
    int before_ = 0;
    int after_ = 0;
    Verdict before(HandlerMoment&) override { return ++before_, Verdict::Handle; }
    void after(const HandlerMoment&, bool) override { ++after_; }
};
// Drops hits of 7 before the second handler and makes those of 5 into 6 before it.
struct Meddler : HandlerWatch {
    Verdict before(HandlerMoment& m) override {
        if (m.envelope.type != messageIdOf<Hit>() || m.at != 1)
            return Verdict::Handle;
        Hit& hit = *static_cast<Hit*>(m.message);
        hit.amount = hit.amount == 5 ? 6 : hit.amount;
        return hit.amount == 7 ? Verdict::Drop : Verdict::Handle;
    }
    void after(const HandlerMoment&, bool) override {}
};
struct Overhearing {
    int heard = 0;
    void onHit(const Hit&) { ++heard; }
};

// What one run of the same random script leaves in the trace, if these types are recorded.
struct Told {
    std::string type;
    std::uint64_t receiver;
    std::uint64_t tick;
    std::uint8_t world;
    std::uint64_t sequence;
    std::uint64_t cause;
    std::string through;
    bool injected;
};
std::vector<MessageTypeId> scriptedTypes() {
    return {messageIdOf<Hit>(),       messageIdOf<Shout>(),       messageIdOf<Plea>(),      messageIdOf<Awake>(),
            messageIdOf<OnEnable>(),  messageIdOf<Start>(),       messageIdOf<PreUpdate>(), messageIdOf<FixedUpdate>(),
            messageIdOf<Update>(),    messageIdOf<PostUpdate>(),  messageIdOf<OnDisable>(), messageIdOf<OnDestroy>()};
}
std::vector<Told> scripted(unsigned seed, const std::vector<MessageTypeId>& recorded, bool withTools, bool timing,
                           HandlerWatch* watch = nullptr) {
    TwoWorlds s(true);
    s.world.setHandlerWatch(watch);
    s.other.setHandlerWatch(watch);
    s.random.seed(seed);
    s.recorder.setTiming(timing);
    for (const MessageTypeId type : scriptedTypes())
        s.recorder.setRecorded(type, std::find(recorded.begin(), recorded.end(), type) != recorded.end());
    Overhearing ear;
    const Subscription held = s.world.listeners().listen<&Overhearing::onHit>(ear);
    s.notes.act = [&](Component& c, const std::string& line) {
        World& w = c.world();
        const auto& all = &w == &s.world ? s.ids : s.others;
        const EntityId to = all[s.random() % all.size()];
        const std::size_t worth = line.rfind("Hit") + 3;
        if (worth + 1 != line.size()) { // a phase, a shout, a plea
            if (s.random() % 16 == 0)
                w.send(to, Hit{1}, c.entity());
            return;
        }
        const int left = line.back() - '0';
        for (int i = 0; i < left; ++i) {
            switch (s.random() % 8) {
            case 0:
                w.send(to, Shout{}, c.entity());
                break;
            case 1:
                w.broadcast(Plea{}, c.entity());
                break;
            case 2:
                w.sendToListeners(Hit{0}, c.entity());
                break;
            case 3:
                w.sendInTicks(to, Hit{left - 1}, 1 + s.random() % 3, c.entity());
                break;
            case 4:
                w.sendToChildren(to, Hit{0}, c.entity());
                break;
            default:
                s.send(s.random() % 8 == 0 ? s.other : w, left - 1, s.random() % 2 == 0 ? c.entity() : EntityId());
            }
        }
    };
    std::vector<Told> out;
    for (int i = 0; i < 300; ++i) {
        World& w = s.random() % 4 == 0 ? s.other : s.world;
        if (withTools) { // questions of tools are not recorded
            const World::Unseen unseen(w);
            const auto acts = std::exchange(s.notes.act, nullptr);
            w.sendToAncestors((&w == &s.world ? s.ids : s.others)[0], Plea{});
            s.notes.act = acts;
        }
        switch (s.random() % 8) {
        case 0:
            w.tick();
            break;
        case 1:
            w.broadcast(Hit{1});
            break;
        case 2: {
            const World::Injected injected(w);
            s.send(w, 1, {});
            break;
        }
        default:
            s.send(w, static_cast<int>(s.random() % 4), s.random() % 4 == 0 ? s.ids[0] : EntityId());
        }
        for (const auto& segment : s.segments())
            segment->forEach([&](const RecordView& r) {
                out.push_back({messageType(r.type()).name, r.receiver().bits, r.tick(), r.world(), r.sequence(), r.cause(),
                               r.through() == NoType ? std::string() : messageType(r.through()).name, r.injected()});
            });
    }
    return out;
}

std::string part(const std::string& line, const std::string& key) {
    const std::size_t at = line.find("\"" + key + "\":");
    if (at == std::string::npos)
        return {};
    const std::size_t from = at + key.size() + 3;
    return line.substr(from, line.find_first_of(",}", from) - from);
}
std::size_t count(const Lines& lines, const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

} // namespace

class TestTraced : public QObject {
    Q_OBJECT
private slots:
    // The way of nearly every message leaves the same trace as the way of any message, whatever comes between.
    void theShortWayIsToldAlike() {
        TwoWorlds shorter(true);
        TwoWorlds any(false);
        const auto step = [](TwoWorlds& s) -> Lines {
            World& to = s.random() % 4 == 0 ? s.other : s.world;
            switch (s.random() % 16) {
            case 0:
                to.tick();
                break;
            case 1:
                return s.trace();
            case 2:
                s.recorder.setStamps(s.random() % 2 == 0);
                break;
            case 3:
                s.recorder.setRecorded(messageIdOf<Hit>(), s.random() % 4 != 0);
                break;
            default:
                s.send(to, static_cast<int>(s.random() % 4), s.random() % 4 == 0 ? s.ids[0] : EntityId());
            }
            return {};
        };
        std::size_t lines = 0;
        for (int i = 0; i < 4000; ++i) {
            const Lines told = step(shorter);
            const Lines expected = step(any);
            // Alike but for the clock.
            const auto timeless = [](const std::string& line) {
                return QString::fromStdString(line).remove(QRegularExpression(QStringLiteral("\"atNs\":[0-9.e+-]*,")));
            };
            for (std::size_t line = 0; line < std::min(told.size(), expected.size()); ++line)
                QCOMPARE(timeless(told[line]), timeless(expected[line]));
            QCOMPARE(told.size(), expected.size());
            QCOMPARE(shorter.notes.take(), any.notes.take());
            lines += told.size();
        }
        QVERIFY(lines > 4000);
    }
    // A record of the short way does not say its receiver's name: whoever reads it finds the one that the entity had, also when
    // another has its place, the recorder was off when it came, or its whole world made way for one of the same name.
    void everyRecordKnowsItsReceiversName() {
        Traced s;
        std::mt19937 random(11);
        const std::shared_ptr<const EntityType> types[] = {s.type("Crate", {"Quiet"}), s.type("Bolt", {"Quiet"})};
        struct Place {
            std::unique_ptr<World> world;
            std::vector<EntityId> ids;
        };
        const auto empty = [&] { return Place{std::make_unique<World>(WorldDesc{"place"}, s.recorder, s.log), {}}; };
        std::vector<Place> places;
        places.push_back(empty());
        Lines expected;
        std::vector<std::uint64_t> receivers;
        std::vector<std::shared_ptr<const RecordSegment>> segments; // all of them are read at the end
        std::size_t most = 0;
        for (int i = 0; i < 20'000; ++i) {
            Place& at = places[random() % places.size()];
            const std::uint32_t what = random() % 64;
            if (what < 8) {
                SpawnRequest request;
                request.type = types[random() % 2];
                request.name = "n" + std::to_string(random() % 4);
                at.ids.push_back(at.world->spawn(request));
            } else if (what < 12) {
                std::vector<EntityId> more(1 + random() % 12);
                at.world->createMany(types[random() % 2], more);
                at.ids.insert(at.ids.end(), more.begin(), more.end());
            } else if (what < 20) {
                for (std::size_t n = at.ids.size() / 4; n > 0; --n) {
                    std::swap(at.ids[random() % at.ids.size()], at.ids.back());
                    at.world->destroy(at.ids.back());
                    at.ids.pop_back();
                }
            } else if (what == 20) {
                for (const auto& segment : s.segments())
                    segments.push_back(segment);
            } else if (what == 21) {
                s.recorder.setEnabled(random() % 4 != 0);
            } else if (what == 22) {
                at.world->tick();
            } else if (what == 23 && random() % 4 == 0) {
                if (places.size() == 2) // two of the same name for a while: either may stay
                    places.erase(places.begin() + static_cast<std::ptrdiff_t>(random() % 2));
                else if (random() % 2 == 0)
                    places.push_back(empty());
                else
                    places[0] = Place(), places[0] = empty();
            } else if (!at.ids.empty()) {
                const EntityId id = at.ids[random() % at.ids.size()];
                if (s.recorder.enabled()) {
                    expected.push_back(at.world->nameOf(id));
                    receivers.push_back(id.bits);
                }
                at.world->send(id, Hit{1});
            }
            most = std::max(most, places.size());
        }
        QCOMPARE(most, std::size_t(2));
        for (const auto& segment : s.segments())
            segments.push_back(segment);
        std::size_t read = 0;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                if (record.type() != messageIdOf<Hit>())
                    continue;
                QVERIFY(read < expected.size());
                QCOMPARE(record.envelope().receiver.bits, receivers[read]);
                QCOMPARE(s.recorder.names().name(record.receiverName()), expected[read]);
                ++read;
            }
        QCOMPARE(read, expected.size());
        QVERIFY(read > 5000);
    }
    // Numbers have no gaps, whichever types are recorded. A trace of some types equals the trace of all types without the others: the
    // cause is the nearest recorded message in the chain of causes, and the type of an unrecorded cause is named.
    void someTypesAreToldAsAmongAll() {
        const std::vector<MessageTypeId> all = scriptedTypes();
        std::size_t injected = 0;
        std::size_t through = 0;
        for (unsigned seed = 1; seed <= 24; ++seed) {
            std::mt19937 random(seed);
            std::vector<MessageTypeId> some;
            for (const MessageTypeId type : all)
                if (random() % 2 == 0)
                    some.push_back(type);
            const std::vector<Told> whole = scripted(seed, all, false, false);
            CountingWatch watch; // nor does it matter whether somebody watches
            const std::vector<Told> part =
                scripted(seed, some, seed % 2 == 0, seed % 3 == 0, seed % 4 < 2 ? &watch : nullptr);
            QCOMPARE(watch.before_ > 100, seed % 4 < 2);
            QCOMPARE(watch.before_, watch.after_);
            std::map<std::pair<int, std::uint64_t>, const Told*> byNumber;
            for (const Told& told : whole)
                byNumber[{told.world, told.sequence}] = &told;
            const auto isRecorded = [&](const Told& told) {
                return std::any_of(some.begin(), some.end(),
                                   [&](MessageTypeId type) { return messageType(type).name == told.type; });
            };
            std::map<int, std::uint64_t> last;
            std::map<std::pair<int, std::uint64_t>, std::uint64_t> renumbered; // from the trace of all types
            std::size_t next = 0;
            for (const Told& told : whole) {
                if (!isRecorded(told))
                    continue;
                QVERIFY2(next < part.size(), qPrintable(QString::number(seed)));
                const Told& got = part[next++];
                QCOMPARE(got.type, told.type);
                QCOMPARE(got.receiver, told.receiver);
                QCOMPARE(got.tick, told.tick);
                QCOMPARE(got.world, told.world);
                QCOMPARE(got.sequence, ++last[got.world]);
                renumbered[{told.world, told.sequence}] = got.sequence;
                QCOMPARE(got.injected, told.injected);
                const auto direct = byNumber.find({told.world, told.cause});
                const Told* cause = direct == byNumber.end() ? nullptr : direct->second;
                QCOMPARE(cause == nullptr, told.cause == 0);
                QCOMPARE(got.through, cause == nullptr || isRecorded(*cause) ? std::string() : cause->type);
                while (cause != nullptr && !isRecorded(*cause))
                    cause = cause->cause == 0 ? nullptr : byNumber.at({cause->world, cause->cause});
                QCOMPARE(got.cause, cause == nullptr ? 0 : renumbered.at({cause->world, cause->sequence}));
                injected += got.injected ? 1U : 0U;
                through += got.through.empty() ? 0U : 1U;
            }
            QCOMPARE(next, part.size());
        }
        QVERIFY(injected > 100);
        QVERIFY(through > 100);
    }
    // Between two handlers a message can be changed, and kept from those that follow: of one entity alone, whichever way it came, recorded
    // or not.
    void changedAndDroppedBetweenHandlers() {
        for (const bool recorded : {true, false}) {
            Traced s;
            s.recorder.setEnabled(true);
            s.recorder.setRecorded(messageIdOf<Hit>(), recorded);
            const auto t = s.type("T", {"A", "C", "Quiet"}); // C after the others
            const EntityId a = s.spawn(t, "a");
            const EntityId b = s.spawn(t, "b");
            Meddler meddler;
            s.world.setHandlerWatch(&meddler);
            s.notes.take();
            for (const int amount : {1, 5, 7}) {
                // A makes one less of each.
                s.world.send(a, Hit{amount + 1});
                Hit hit{amount + 1};
                s.world.sendRaw(b, messageIdOf<Hit>(), &hit, sizeof hit, {}, Delivery::Children);
                s.world.broadcast(Hit{amount + 1});
            }
            const Lines one{"a.A Hit2", "a.C Hit1", "b.A Hit2", "b.C Hit1", "a.A Hit2", "b.A Hit2", "a.C Hit1", "b.C Hit1"};
            const Lines five{"a.A Hit6", "a.C Hit6", "b.A Hit6", "b.C Hit6", "a.A Hit6", "b.A Hit6", "a.C Hit6", "b.C Hit6"};
            const Lines seven{"a.A Hit8", "b.A Hit8", "a.A Hit8", "b.A Hit8"};
            Lines expected = one;
            expected.insert(expected.end(), five.begin(), five.end());
            expected.insert(expected.end(), seven.begin(), seven.end());
            QCOMPARE(s.notes.take(), expected);
            std::size_t dropped = 0;
            for (const auto& segment : s.segments())
                segment->forEach([&](const RecordView& r) {
                    dropped += r.dropped() ? 1U : 0U;
                    QCOMPARE(r.reached(), r.dropped() ? std::size_t(1) : std::size_t(3));
                });
            QCOMPARE(dropped, recorded ? std::size_t(4) : std::size_t(0));
            s.world.setHandlerWatch(nullptr);
            s.world.send(a, Hit{8});
            QCOMPARE(s.notes.take(), (Lines{"a.A Hit8", "a.C Hit7"}));
        }
    }
    // Worlds count each for itself: one that comes second in a segment may be further back.
    void aWorldFurtherBackIsToldRightly() {
        TwoWorlds s(true);
        for (int i = 0; i < 100; ++i)
            s.send(s.world, 0, EntityId());
        QVERIFY(s.trace().size() >= 100);
        s.send(s.world, 0, EntityId());
        for (int i = 0; i < 40; ++i)
            s.send(s.other, 0, EntityId());
        const Lines lines = s.trace();
        QVERIFY(lines.size() >= 41);
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            QCOMPARE(part(lines[i], "tick"), std::string("0"));
            const std::uint64_t sequence = std::stoull(part(lines[i], "sequence"));
            if (i >= 2)
                QVERIFY2(sequence > before && sequence < 100, (std::to_string(before) + ": " + lines[i]).c_str());
            before = i >= 1 ? sequence : 0;
        }
    }
    // Round and round: as deep as it may, each message caused by the one before; then one line that says it was cut.
    void tenInARing() {
        Traced s;
        const std::vector<EntityId> ring = ringOfTen(s);
        s.recorder.setEnabled(true);
        s.world.send(ring[0], Hit{1});
        const Lines lines = s.trace();
        QCOMPARE(lines.size(), std::size_t(World::MaxDepth) + 1);
        for (std::size_t i = 0; i < World::MaxDepth; ++i) {
            QCOMPARE(part(lines[i], "receiver"), "\"r" + std::to_string(i % 10) + "\"");
            QCOMPARE(part(lines[i], "cause"), i == 0 ? std::string("0") : part(lines[i - 1], "sequence"));
            QVERIFY(lines[i].find("\"component\":\"A\",\"priority\":0,\"result\":\"passed\"") != std::string::npos);
        }
        QCOMPARE(part(lines.back(), "note"), std::string("\"cut\""));
        QCOMPARE(part(lines.back(), "sender"), std::string("\"r7\""));
        QCOMPARE(part(lines.back(), "receiver"), std::string("\"r8\""));
        QCOMPARE(part(lines.back(), "cause"), part(lines[World::MaxDepth - 1], "sequence"));
    }
    // Each to the nine others, without end: as many as one message may set off, then one line that says so.
    void tenToEachOther() {
        Traced s;
        std::vector<EntityId> circle;
        s.world.provide(circle);
        const auto t = s.type("T", {"Gossip"});
        for (int i = 0; i < 10; ++i)
            circle.push_back(s.spawn(t, "g" + std::to_string(i)));
        s.recorder.setEnabled(true);
        s.world.send(circle[0], Word{0});
        std::size_t records = 0;
        std::size_t cut = 0;
        int deepest = 0;
        for (const auto& segment : s.segments())
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                ++records;
                if (record.note() == RecordNote::CutOff)
                    ++cut;
                deepest = std::max(deepest, static_cast<const Word*>(record.payload())->number);
            }
        QCOMPARE(cut, std::size_t(1));
        QVERIFY(records <= World::MaxNested + 2);
        QCOMPARE(deepest, static_cast<int>(World::MaxDepth)); // the one that was cut
        QVERIFY(s.world.measurements().undelivered > 0);
        QCOMPARE(s.said().size(), std::size_t(1)); // said once
        s.world.tick();                            // and the world goes on
        QCOMPARE(s.world.entityCount(), std::size_t(10));
    }
    // What its end sets off is caused by the message, and the message's own line is whole.
    void aHandlerThatDestroysItsOwnEntity() {
        Traced s;
        const EntityId a = s.spawn(s.type("T", {"A", "C"}), "a");
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit2")
                c.world().destroy(c.entity());
        };
        s.recorder.setEnabled(true);
        s.world.send(a, Hit{2});
        s.world.send(a, Hit{2}); // nobody: nothing to be seen
        const Lines lines = s.trace();
        QCOMPARE(lines.size(), std::size_t(3));
        QCOMPARE(part(lines[0], "type"), std::string("\"test.Hit\""));
        QCOMPARE(count({lines[0]}, "\"handlers\":[{\"component\":\"A\",\"priority\":0,\"result\":\"passed\"},{\"component\":\"C\","
                                   "\"priority\":1,\"result\":\"passed\"}],\"notReached\":[]"),
                 std::size_t(1));
        QCOMPARE(part(lines[1], "type"), std::string("\"OnDisable\""));
        QCOMPARE(part(lines[2], "type"), std::string("\"OnDestroy\""));
        for (const std::size_t i : {std::size_t(1), std::size_t(2)}) {
            QCOMPARE(part(lines[i], "receiver"), std::string("\"a\""));
            QCOMPARE(part(lines[i], "cause"), part(lines[0], "sequence"));
        }
    }
    // It hears no more of the message that is under way, and no line says that it did.
    void aListenerThatUnregistersItsNeighbour() {
        Traced s;
        struct Ring {
            std::function<void()> then;
            int heard = 0;
            void onHit(const Hit&) {
                ++heard;
                if (then)
                    then();
            }
        };
        Ring first;
        Ring second;
        Ring third;
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        const EntityId b = s.spawn(s.type("T", {"Quiet"}), "b");
        const EntityId c = s.spawn(s.type("T", {"Quiet"}), "c");
        const Subscription one = s.world.listeners().listen<&Ring::onHit>(first, a);
        Subscription two = s.world.listeners().listen<&Ring::onHit>(second, b);
        const Subscription three = s.world.listeners().listen<&Ring::onHit>(third, c);
        first.then = [&] { two.end(); };
        s.recorder.setEnabled(true);
        s.world.sendInTicks(a, Hit{1}, 1);
        s.world.tick();
        const Lines lines = s.trace();
        QCOMPARE(count(lines, "\"type\":\"test.Hit\""), std::size_t(3));
        QCOMPARE(part(lines[0], "delivery"), std::string("\"queued\""));
        QVERIFY2(lines[0].find("\"queuedAt\":0,") != std::string::npos, lines[0].c_str());
        QCOMPARE(part(lines[0], "receiver"), std::string("\"a\""));
        QCOMPARE(part(lines[1], "delivery"), std::string("\"listener\""));
        QCOMPARE(part(lines[1], "receiver"), std::string("\"a\""));
        QCOMPARE(part(lines[2], "receiver"), std::string("\"c\""));
        QCOMPARE(first.heard + third.heard, 2);
        QCOMPARE(second.heard, 0);
    }
    // A plain send has a way of its own, for its speed. What it does and what the trace says of it is what sendToEntity(), which
    // has not, would have done: in and out of handlers, to the living and the dead, kept or passed on, recorded or not.
    void theShortWayIsRecordedAsTheLongOne() {
        const auto play = [](bool shortWay, std::uint64_t seed) {
            Traced s;
            Random random(seed);
            const auto consuming = [&](const char* which) {
                std::vector<ComponentSpec> specs;
                for (const char* component : {"A", "B", "C"}) {
                    std::shared_ptr<const void> settings = s.registry.find(component)->makeSettings(nullptr);
                    if (component == std::string(which))
                        settings = s.settings<A>([](A::Settings& a) { a.consumes = true; });
                    specs.push_back({s.registry.find(component), settings});
                }
                return Stage::typeOf(std::string("Keeps") + which, specs);
            };
            const std::vector<std::shared_ptr<const EntityType>> types = {
                s.type("None", {}),         s.type("One", {"A"}),      s.type("Three", {"A", "B", "C"}), s.type("Still", {"Quiet"}),
                s.type("Desk", {"Clerk"}),  s.type("Both", {"A", "Clerk"}), consuming("A"),               consuming("B"),
                consuming("C")};
            std::vector<EntityId> ids = {EntityId()};
            const auto spawn = [&] {
                const auto& type = types[random.next() % types.size()];
                ids.push_back(s.spawn(type, random.next() % 2 == 0 ? "" : "e"));
            };
            const auto any = [&] { return ids[random.next() % ids.size()]; };
            int budget = 0;
            Lines out;
            const auto send = [&] {
                const EntityId to = any();
                const EntityId from = any();
                Hit hit{static_cast<int>(random.next() % 100)};
                const SendResult result = shortWay ? s.world.send(to, hit, from) : s.world.sendToEntity(to, hit, from);
                out.push_back(std::to_string(result.receivers) + (result.consumed ? " kept " : " passed ")
                              + std::to_string(hit.amount));
            };
            s.notes.act = [&](Component&, const std::string&) {
                for (int i = static_cast<int>(random.next() % 4); i > 0 && budget > 0; --i) {
                    --budget;
                    switch (random.next() % 12) {
                    case 0:
                        s.world.destroy(any());
                        break;
                    case 1:
                        spawn();
                        break;
                    default:
                        send();
                    }
                }
            };
            for (int i = 0; i < 20; ++i)
                spawn();
            s.recorder.setEnabled(true);
            for (int step = 0; step < 400; ++step) {
                budget = 12;
                switch (random.next() % 16) {
                case 1:
                    s.recorder.setRecorded(messageIdOf<Hit>(), random.next() % 4 != 0);
                    break;
                case 2:
                    s.world.tick();
                    break;
                case 3:
                    spawn();
                    break;
                case 4: {
                    const Lines lines = s.trace();
                    out.insert(out.end(), lines.begin(), lines.end());
                    break;
                }
                default:
                    send();
                }
            }
            const Lines lines = s.trace();
            out.insert(out.end(), lines.begin(), lines.end());
            const Lines heard = s.notes.take();
            out.insert(out.end(), heard.begin(), heard.end());
            return out;
        };
        std::size_t records = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const Lines fast = play(true, seed);
            const Lines slow = play(false, seed);
            for (std::size_t i = 0; i < std::min(fast.size(), slow.size()); ++i)
                QCOMPARE(QByteArray::fromStdString(fast[i]), QByteArray::fromStdString(slow[i]));
            QCOMPARE(fast.size(), slow.size());
            records += count(fast, "\"type\":\"test.Hit\"");
        }
        QVERIFY(records > 5000);
    }
    // Who switches the recorder within a handler has what follows go as short a way as ever: it takes no sequence.
    void switchedOffWithinAHandler() {
        Traced s;
        const EntityId id = s.spawn(s.typeOf("T", {{s.registry.find("A"), s.settings<A>()}}), "a");
        for (const bool toAll : {true, false}) {
            s.recorder.setEnabled(true);
            s.notes.act = [&](Component&, const std::string&) { s.recorder.setEnabled(false); };
            if (toAll)
                s.world.broadcast(Hit{1});
            else
                s.world.send(id, Hit{1});
            s.notes.act = nullptr;
            QVERIFY(!s.recorder.enabled());
            const std::uint64_t before = s.world.lastSequence();
            QCOMPARE(s.world.send(id, Hit{1}).receivers, 1U);
            QCOMPARE(s.world.lastSequence(), before);
            QCOMPARE(count(s.trace(), "\"type\":\"test.Hit\""), std::size_t(1));
        }
    }
    // Nothing is wrong with a million messages that nobody's handler sent: all arrive, all are there to be read.
    void aMillionDueInOneTick() {
        Traced s;
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        constexpr int Million = 1'000'000;
        for (int i = 0; i < Million; ++i)
            s.world.sendInTicks(a, Hit{i}, 1);
        s.recorder.setEnabled(true);
        s.world.tick();
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, Million);
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(0));
        int next = 0;
        bool whole = true;
        for (const auto& segment : s.segments())
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                whole = whole && record.note() == RecordNote::None && record.delayed() && record.reached() == 1
                        && static_cast<const Hit*>(record.payload())->amount == next++; // in order of sending
            }
        QVERIFY(whole);
        QCOMPARE(next, Million);
    }
    // Whichever way it is sent, ten times: how many it reached and how many were demanded.
    void tenThatReachTooFew() {
        Traced s;
        const auto t = s.type("T", {"Quiet"});
        const EntityId a = s.spawn(t, "a");
        s.spawn(t, "b", a);
        Hit hit{1};
        s.recorder.setEnabled(true);
        World& w = s.world;
        w.send(a, hit, {}, 2);
        w.send(a, Shout{}, {}, 1); // nobody here hears it
        w.sendToEntity(a, hit, {}, 3);
        w.send(*w.getComponent<Quiet>(a), Hit{1}, {}, 2);
        w.sendToComponent<Quiet>(a, Hit{1}, 1, {}, 1); // there is no second one
        w.sendToChildren(a, Hit{1}, {}, 3);
        w.sendToAncestors(a, Hit{1}, {}, 2);
        w.broadcast(Hit{1}, {}, 9);
        w.sendToType(*t, Hit{1}, {}, 10);
        w.sendToListeners(Hit{1}, {}, 1);
        Lines notes;
        for (const std::string& line : s.trace())
            if (part(line, "note") == "\"short\"")
                notes.push_back(part(line, "delivery") + " " + part(line, "receivers") + " of " + part(line, "minimum"));
        QCOMPARE(notes, (Lines{"\"immediate\" 1 of 2", "\"children\" 0 of 1", "\"immediate\" 1 of 3", "\"component\" 1 of 2",
                               "\"component\" 0 of 1", "\"children\" 2 of 3", "\"ancestors\" 1 of 2", "\"broadcast\" 2 of 9",
                               "\"broadcast\" 2 of 10", "\"listener\" 0 of 1"}));
        QCOMPARE(s.said().size(), std::size_t(10));
        QCOMPARE(s.said()[0], std::string("message test.Hit to a reached 1 receiver, 2 demanded"));
        QCOMPARE(w.measurements().undelivered, std::uint64_t(10));
        // Enough is not spoken of.
        w.broadcast(Hit{1}, {}, 2);
        QCOMPARE(w.measurements().undelivered, std::uint64_t(10));
    }
};

QTEST_GUILESS_MAIN(TestTraced)
#include "tst_traced.moc"
