#include "engine/audio/detail/kernel_table.h"

namespace sbx::audio {

const KernelTable& kernelTable(bool allowWide) {
#if defined(__x86_64__)
    if (allowWide && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return KernelsAvx2;
    }
#endif
    static_cast<void>(allowWide);
    return KernelsSse2;
}

} // namespace sbx::audio
