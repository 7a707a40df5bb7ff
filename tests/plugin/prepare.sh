#!/usr/bin/env bash
# prepare.sh BUILD SCRATCH GENERATOR CXX FLAGS: installs the build below SCRATCH and builds the test's plugins against it, in
# copies of their sources, as somebody without the source tree would.
set -euo pipefail
build=$1 scratch=$2 generator=$3 cxx=$4 flags=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Of the somebody's own: what is built is trusted there.
export XDG_CONFIG_HOME=$scratch/user
rm -rf "$scratch/prefix" "$scratch/user"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log" || { tail -n 5 "$scratch/install.log"; exit 1; }

make() { # SOURCE NAME
    rm -rf "${scratch:?}/$2/source"
    mkdir -p "$scratch/$2"
    cp -r "$1" "$scratch/$2/source"
    CXXFLAGS=$flags cmake -S "$scratch/$2/source" -B "$scratch/$2/build" -G "$generator" -DCMAKE_CXX_COMPILER="$cxx" \
        -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$scratch/prefix"
    cmake --build "$scratch/$2/build"
}
make "$here/parts" parts
make "$scratch/prefix/share/signalbox/templates/plugin" template
ctest --test-dir "$scratch/template/build" --output-on-failure
