# Compiler settings shared by every target: warnings (each with its reason), determinism, sanitizers, fast tools when present.

add_library(sbx_warnings INTERFACE)
target_compile_options(sbx_warnings INTERFACE
    -Wall -Wextra -Wpedantic
    -Wshadow                 # a hidden name is read as the wrong variable
    -Wconversion             # silent narrowing changes state and breaks digests
    -Wsign-conversion        # negative indices become huge ones
    -Wold-style-cast         # hides which conversion is meant
    -Wnon-virtual-dtor       # deleting through a base leaks
    -Woverloaded-virtual     # an override that is not one
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond> # the second branch never runs
    $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>      # & for &&
    -Wimplicit-fallthrough   # a forgotten break
    -Werror=return-type)     # undefined behaviour, always

# The simulation is deterministic: the compiler must not fuse multiply and add where it likes.
add_compile_options(-ffp-contract=off)
# Line tables are enough for backtraces and keep objects small.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

# What is packed has the same bytes wherever it was built: names of source files and run paths are relative to the source and build folders. Not in
# the presets for work on the code, where a debugger finds the sources by their full names.
if(SBX_RELATIVE_PATHS)
    add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
    set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()

# The trace says which line of code sent a message (SendSite): in builds for debugging, but under sanitizers, which are to see the path that
# messages take elsewhere.
if(NOT SBX_SANITIZE)
    add_compile_definitions($<$<CONFIG:Debug>:SBX_SEND_SITES>)
endif()
if(SBX_VALIDATE)
    add_compile_definitions(SBX_VALIDATE_ENABLED=1)
endif()
if(SBX_SANITIZE)
    add_compile_options(-fsanitize=${SBX_SANITIZE} -fno-omit-frame-pointer -g1 -O1)
    add_link_options(-fsanitize=${SBX_SANITIZE})
    if(SBX_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
endif()

if(SBX_FUZZ_INSTRUMENTED)
    # AddressSanitizer sees null pointers too, and what is asked of every member access takes the compiler a sixth of its time.
    set(flags -fsanitize=address,undefined -fno-sanitize=null,vptr,object-size -fno-sanitize-recover=undefined)
    add_compile_options(-fsanitize=fuzzer-no-link ${flags} -fno-omit-frame-pointer -g1 -O1)
    add_link_options(${flags})
    add_compile_definitions(SBX_VALIDATE_ENABLED=1)
endif()

# The compiler cache hits in every clone: paths below the root are hashed relative to the build folder, and debug information
# names that folder by a fixed word. The compiler's own list of what was included (depend mode) saves a run of the preprocessor, the
# inode cache another reading of each precompiled header of hundreds of megabytes.
find_program(SBX_CCACHE ccache)
if(SBX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_INODECACHE=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${SBX_CCACHE})
endif()
find_program(SBX_MOLD mold)
if(SBX_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

# moc 6.4 cannot parse libstdc++ 12's <concepts> and <compare> and needs neither: their include guards are set for moc alone.
set(CMAKE_AUTOMOC_MOC_OPTIONS -D_GLIBCXX_CONCEPTS=1 -D_COMPARE=1)
# The first format of Qt's resources has no times of files, which differ from checkout to checkout.
set(CMAKE_AUTORCC_OPTIONS --format-version 1)
