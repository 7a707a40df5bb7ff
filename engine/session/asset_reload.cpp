#include "engine/session/asset_reload.h"

#include "engine/components/sound_system.h"
#include "engine/components/visual_system.h"
#include "engine/core/import_process.h"
#include "engine/session/session.h"
#include "engine/simulation/asset_uses.h"
#include "engine/simulation/content.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace sbx {

namespace {

FileIdentity identityNow(const std::filesystem::path& folder, const std::string& name) {
    const Result<FileIdentity> now = inspectAsset({folder, name});
    return now ? *now : FileIdentity{};
}

} // namespace

struct AssetReload::Shared : std::enable_shared_from_this<Shared> {
    // What a session has read, as its thread says.
    struct Known {
        struct Sound {
            std::string name;
            FileIdentity identity;
            std::vector<std::pair<double, bool>> forms;
        };
        std::filesystem::path folder;
        std::vector<render::MeshLibrary::File> meshes;
        std::vector<Sound> sounds;
    };
    using Identities = std::vector<FileIdentity>;

    Session& session;
    mutable std::mutex mutex;
    std::condition_variable wake;
    std::optional<Known> asked;
    bool busy = false; // a look is under way
    bool ends = false;
    std::uint64_t changes = 0;
    std::uint64_t looks = 0;
    std::map<std::string, std::string> faults;
    std::filesystem::path folder; // whose faults they are
    std::atomic<bool> cancelled = false;
    std::thread worker;

    // Of the worker alone: files that were other than known at the last look, and how they were then.
    std::map<std::string, Identities> moving;

    explicit Shared(Session& s) : session(s) {}

    static Known knownTo(Session& of) {
        Known out;
        if (of.simulation().content() == nullptr)
            return out;
        out.folder = of.simulation().content()->project.folder;
        out.meshes = of.meshes().files();
        audio::SoundLibrary& sounds = of.simulation().sounds().library();
        for (const auto& [name, identity] : sounds.files())
            out.sounds.push_back({name, identity, sounds.forms(name)});
        return out;
    }

    void run() {
        while (true) {
            std::unique_lock lock(mutex);
            wake.wait(lock, [this] { return ends || asked; });
            if (ends)
                return;
            const Known known = *std::exchange(asked, std::nullopt);
            if (folder != known.folder) {
                folder = known.folder;
                moving.clear();
                faults.clear();
                ++changes;
            }
            lock.unlock();
            for (const render::MeshLibrary::File& file : known.meshes)
                lookAt(known, file);
            for (const Known::Sound& sound : known.sounds)
                lookAt(known, sound);
            // Ends once the session has taken what was read: the next look sees it.
            session.postAside([self = shared_from_this()](Session&) {
                const std::scoped_lock done(self->mutex);
                self->busy = false;
                ++self->looks;
            });
        }
    }

    // Whether it has another identity than known, and had this one at the last look already.
    bool isSettled(const std::string& name, const Identities& before, const Identities& now) {
        if (before == now) {
            moving.erase(name);
            return false;
        }
        const auto [seen, fresh] = moving.try_emplace(name, now);
        if (!fresh && seen->second == now) {
            moving.erase(seen);
            return true;
        }
        seen->second = now;
        return false;
    }

    void lookAt(const Known& known, const render::MeshLibrary::File& file) {
        Identities before;
        Identities now;
        for (const render::MeshPart& part : file.parts) {
            before.push_back(part.identity);
            now.push_back(identityNow(known.folder, part.name));
        }
        if (cancelled || !isSettled(file.name, before, now))
            return;
        render::MeshLibrary::File read = file;
        ImportOptions options;
        options.cancelled = &cancelled;
        Result<render::MeshData> mesh = render::loadMesh({known.folder, file.name}, read.parts, options);
        if (cancelled)
            return;
        if (read.parts.empty()) // it cannot be opened; what it was made of is not known any more
            read.parts = {{file.name, FileIdentity{}}};
        if (!mesh) {
            take(file.name, mesh.error().message, [read](Session& s) -> Result<void> {
                s.meshes().keepOld(read);
                return {};
            });
            return;
        }
        take(file.name, {}, [read, data = std::make_shared<render::MeshData>(std::move(*mesh))](Session& s) -> Result<void> {
            if (Result<void> done = s.meshes().replace(read, std::move(*data)); !done) {
                s.meshes().keepOld(read);
                return done;
            }
            s.world().service<VisualSystem>().adoptMeshes();
            return {};
        });
    }

    void lookAt(const Known& known, const Known::Sound& sound) {
        const FileIdentity now = identityNow(known.folder, sound.name);
        if (cancelled || !isSettled(sound.name, {sound.identity}, {now}))
            return;
        Result<audio::SoundLibrary::Reread> read = audio::SoundLibrary::reread({known.folder, sound.name}, now, sound.forms);
        if (cancelled)
            return;
        if (!read) {
            take(sound.name, read.error().message, [name = sound.name, now](Session& s) -> Result<void> {
                s.simulation().sounds().library().keepOld(name, now);
                return {};
            });
            return;
        }
        take(sound.name, {}, [read = std::move(*read)](Session& s) -> Result<void> {
            Result<void> done = s.simulation().sounds().library().replace(read);
            if (!done)
                s.simulation().sounds().library().keepOld(read.name, read.identity);
            return done;
        });
    }

    // On the session's thread, between two ticks. A project that was opened meanwhile has files of its own.
    void take(const std::string& name, const std::string& why, std::function<Result<void>(Session&)> command) {
        session.post([self = shared_from_this(), name, why, command = std::move(command), of = folder](Session& s) {
            if (s.simulation().content() == nullptr || s.simulation().content()->project.folder != of)
                return;
            const Result<void> done = command(s);
            std::string fault = !why.empty() ? why : done ? std::string() : done.error().message;
            while (fault.ends_with('.')) // more is said behind it
                fault.pop_back();
            // A name that a file had before it was renamed: nothing refers to it any more.
            if (!fault.empty()) {
                const std::vector<AssetUse> uses = assetUses(*s.simulation().content(), s.catalog().schema);
                if (std::none_of(uses.begin(), uses.end(), [&name](const AssetUse& use) { return use.asset == name; })) {
                    const std::scoped_lock lock(self->mutex);
                    ++self->changes;
                    self->faults.erase(name);
                    return;
                }
            }
            {
                const std::scoped_lock lock(self->mutex);
                ++self->changes;
                if (fault.empty())
                    self->faults.erase(name);
                else
                    self->faults[name] = fault;
            }
            if (fault.empty())
                s.log().info("assets", name + " has changed and was read again");
            else
                s.log().warning("assets", fault + "; what was read before stays in use");
        });
    }
};

AssetReload::AssetReload(Session& session) : m_shared(std::make_shared<Shared>(session)), m_session(session) {
    m_shared->worker = std::thread([shared = m_shared.get()] { shared->run(); });
}

AssetReload::~AssetReload() {
    {
        const std::scoped_lock lock(m_shared->mutex);
        m_shared->ends = true;
        m_shared->cancelled = true;
    }
    m_shared->wake.notify_all();
    m_shared->worker.join();
}

void AssetReload::look() {
    {
        const std::scoped_lock lock(m_shared->mutex);
        if (std::exchange(m_shared->busy, true))
            return;
    }
    m_session.postAside([shared = m_shared](Session& session) {
        Shared::Known known = Shared::knownTo(session);
        const std::scoped_lock lock(shared->mutex);
        shared->asked = std::move(known);
        shared->wake.notify_all();
    });
}

std::vector<AssetReload::Fault> AssetReload::faults() const {
    std::vector<Fault> out;
    const std::scoped_lock lock(m_shared->mutex);
    for (const auto& [asset, why] : m_shared->faults)
        out.push_back({asset, why});
    return out;
}

std::uint64_t AssetReload::changes() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->changes;
}

std::uint64_t AssetReload::looks() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->looks;
}

} // namespace sbx
