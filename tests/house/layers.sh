#!/usr/bin/env bash
# layers.sh SOURCE CMAKE COMPILER: the layer check lets a good tree pass and stops each kind of bad one, naming the file.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source=$1 cmake=$2 compiler=$3

# A house of two engine rooms and two panels, as small as it can be.
tree() {
    rm -rf "${scratch:?}/house"
    mkdir -p "$scratch/house"/{engine/core,engine/physics,widgets/common,widgets/trace,widgets/graph}
    cd "$scratch/house" || exit 1
    cat >CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
set(CMAKE_CXX_COMPILER_FORCED TRUE)
project(House LANGUAGES CXX)
include($source/installer/cmake/SignalboxRooms.cmake)
add_library(sbx_warnings INTERFACE)
include(rooms.cmake)
sbx_check_layers()
TEXT
    cat >rooms.cmake <<'TEXT'
add_subdirectory(engine/core)
add_subdirectory(engine/physics)
TEXT
    echo 'sbx_engine_room(core)' >engine/core/CMakeLists.txt
    echo 'sbx_engine_room(physics USES core)' >engine/physics/CMakeLists.txt
    echo '#pragma once' | tee engine/core/a.h engine/physics/b.h widgets/common/c.h widgets/trace/d.h >widgets/graph/e.h
    printf '#include "engine/core/a.h"\n#include <vector>\n' >engine/core/a.cpp
    printf '#include "engine/physics/b.h"\n\n#include "engine/core/a.h"\n' >engine/physics/b.cpp
    printf '#include "widgets/graph/e.h"\n\n#include <QString>\n#include "widgets/common/c.h"\n#include "engine/core/a.h"\n' >widgets/graph/e.cpp
}

configure() { "$cmake" -S . -B out -G Ninja -DCMAKE_CXX_COMPILER="$compiler" >log 2>&1; }

passes() { configure || { cat log; return 1; }; }
refuses() { # PATTERN
    if configure; then
        echo "the tree was let through"
        return 1
    fi
    # The message may be broken over lines.
    tr -s ' \n' ' ' <log | grep -qE "$1" || { echo "refused, but not with '$1':"; cat log; return 1; }
}

tree
check "a house in order passes" passes

tree
echo '#include <QString>' >>engine/core/a.cpp
check "the engine includes a Qt class header" refuses 'a\.cpp: #include <QString>: the engine includes neither Qt'

tree
echo '#include <QtCore/qstring.h>' >>engine/core/a.h
check "the engine includes a Qt module header" refuses 'a\.h: #include <QtCore/qstring.h>: the engine includes neither Qt'

tree
mkdir engine/core/detail
echo '  #  include "QObject"' >engine/core/detail/deep.h
check "a Qt include hides in a subfolder" refuses 'deep\.h: .*the engine includes neither Qt'

tree
printf 'add_library(Qt6::Core INTERFACE IMPORTED)\nsbx_engine_room(core LINKS Qt6::Core)\n' >engine/core/CMakeLists.txt
check "the engine links Qt" refuses 'engine/core links Qt'

tree
echo '#include "widgets/common/c.h"' >>engine/physics/b.cpp
check "the engine includes a panel" refuses 'b\.cpp: .*the engine includes neither Qt nor widgets/'

tree
echo '#include "app/main_window.h"' >>engine/physics/b.cpp
check "the engine includes a program" refuses 'b\.cpp: .*nor app/'

tree
echo '#include "engine/physics/b.h"' >>engine/core/a.cpp
check "a room includes one that it does not use" refuses 'engine/core does not list physics under USES'

tree
echo 'sbx_engine_room(core USES physics)' >engine/core/CMakeLists.txt
check "an arrow points down" refuses 'engine/core must not use engine/physics'

tree
mkdir engine/attic
echo 'sbx_engine_room(attic)' >engine/attic/CMakeLists.txt
echo '#pragma once' >engine/attic/f.h
touch engine/attic/f.cpp
echo 'add_subdirectory(engine/attic)' >>rooms.cmake
check "a room that the plan does not know" refuses 'engine/attic: not a room'

tree
echo '#include "widgets/trace/d.h"' >>widgets/graph/e.cpp
check "a panel includes another" refuses 'e\.cpp: .*never each other'

tree
echo '#include "app/main_window.h"' >>widgets/graph/e.h
check "a panel includes a program" refuses 'e\.h: .*nothing uses app/'
finish
