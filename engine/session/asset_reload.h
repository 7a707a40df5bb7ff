#pragma once
// Reads mesh and sound files again after another program has written them, while the project is open.
//
// Data flow: look() -> the session's thread names the files it has -> a worker thread compares them with the disk and reads what has
// changed, in a process of its own as always -> the session's thread takes the new data -> changes() counts.
//
// When: the data is taken by a posted command, so between two ticks; all of a tick sees the same meshes and sounds. A run in which no
// file changes is not touched, and stays the same bytes; a run in which one changes is no longer the run of the seed alone, as after any
// edit while it plays. What that means:
// - Pictures: the new mesh is drawn at once. The simulation does not depend on them.
// - Bodies with the shape of a mesh keep the shape they were made with until Stop or the next Play; those made later have the new one.
// - Sounds: what begins from then on is the new sound, with its new length; what sounds once ends as it began; a loop starts over. Client
//   worlds of the same program keep theirs until they end.
//
// A file that has become bad, or is gone, keeps what was read before, and is one of faults() until it can be read again. A file counts as
// changed when it looks the same at two looks in a row, so that a program which is still writing is left alone.
//
// Thread: look(), faults() and changes() from any. The session outlives this object; ends its thread with it.

#include "engine/core/asset_file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sbx {

class Session;

class AssetReload {
public:
    struct Fault {
        std::string asset; // as the project names it
        std::string why;   // a sentence without its full stop
    };

    explicit AssetReload(Session& session);
    ~AssetReload();
    AssetReload(const AssetReload&) = delete;
    AssetReload& operator=(const AssetReload&) = delete;

    // Starts a look at the disk unless one is under way. Returns at once. To be called a few times a second.
    void look();
    // Files that have changed since they were read and cannot be read now, by name.
    [[nodiscard]] std::vector<Fault> faults() const;
    // Counts what was read again, and what is new in faults().
    [[nodiscard]] std::uint64_t changes() const;
    // Looks that have ended: for tests.
    [[nodiscard]] std::uint64_t looks() const;

private:
    struct Shared;
    std::shared_ptr<Shared> m_shared;
    Session& m_session;
};

} // namespace sbx
