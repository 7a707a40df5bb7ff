# Run as a script while building: writes OUTPUT, a header that tells which engine this is. HEADERS is a file with one public
# header a line; a plugin compiled against other headers must not be loaded, so their texts are part of the stamp.
file(STRINGS ${HEADERS} headers)
set(digests "")
foreach(header IN LISTS headers)
    file(SHA256 ${ROOT}/${header} digest)
    string(APPEND digests "${header} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
set(text "#pragma once
// Written by the build: which engine this is. See engine/plugin/plugin.h.

namespace sbx {

inline constexpr char EngineVersion[] = \"${VERSION}\";
inline constexpr char EngineHeaders[] = \"${digest}\"; // digest of every public header

} // namespace sbx
")
file(WRITE ${OUTPUT} "${text}")
