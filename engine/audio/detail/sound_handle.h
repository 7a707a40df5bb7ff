#pragma once
// An open file of libsndfile, closed with its owner. The only header of the engine that includes sndfile.h.

#include <sndfile.h>

#include <memory>

namespace sbx::audio {

struct SoundFileCloser {
    void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFileHandle = std::unique_ptr<SNDFILE, SoundFileCloser>;

} // namespace sbx::audio
