#include "engine/audio/detail/kernel_table.h"

namespace sbx::audio {

#include "engine/audio/detail/kernels_body.inl"

const KernelTable KernelsAvx2 = {readRing,   transform256, blend3, multiplyPacked, approach, addTo,
                                 accumulate, mix,          peak,   hadamard16,     "AVX2"};

} // namespace sbx::audio
