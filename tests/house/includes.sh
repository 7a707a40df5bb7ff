#!/usr/bin/env bash
# includes.sh SOURCE CMAKE [FILE...]: what was changed lately compiles by itself. In unity batches and behind precompiled headers a
# file may do without an include that the file before it has; the preset dev compiles one by one, but not every day. Looks at FILE..., or
# at sources and headers of engine/, widgets/ and app/ in the working tree and the last eight commits: the newest 12.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source=$1 cmake=$2
shift 2
cd "$source" || exit 1
most=12

lately() {
    { git diff --name-only HEAD; git log -8 --format= --name-only; } 2>/dev/null |
        grep -E '^(engine|widgets|app)/.*\.(h|cpp)$' | awk '!seen[$0]++' | while IFS= read -r file; do [[ ! -f $file ]] || echo "$file"; done
}
if (($#)); then
    files=("$@")
else
    mapfile -t files < <(lately | head -n "$most")
fi
if ((${#files[@]} == 0)); then
    echo "nothing to look at: no history here, or no change to a source or header in it"
    exit 77
fi

# The flags of each file, and what the build writes that files include.
configured() {
    "$cmake" -S . -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DSBX_VALIDATE=ON -DSBX_BUILD_TESTS=OFF &&
        "$cmake" -DROOT="$PWD" -DHEADERS="$scratch/build/engine/plugin/headers.txt" -DVERSION=0 \
            -DOUTPUT="$scratch/build/generated/engine/plugin/engine_stamp.h" -P installer/cmake/EngineStamp.cmake || return
    local file # what moc writes needs nothing of the file that includes it
    mkdir -p "$scratch/moc"
    for file in "${files[@]}"; do : >"$scratch/moc/moc_$(basename "${file%.*}").cpp"; done
}
check "the tree is configured file by file" configured
python3 - "$scratch/build/compile_commands.json" "$PWD" "$scratch/moc" "${files[@]}" >"$scratch/commands" <<'PYTHON' || exit 1
import json, os, shlex, sys
root = sys.argv[2]
flags, folders = {}, {}
for entry in json.load(open(sys.argv[1])):
    words = shlex.split(entry["command"])
    words = words[next(i for i, w in enumerate(words) if "++" in os.path.basename(w)):]  # without the compiler cache
    words = words[:words.index("-o")]
    name = os.path.relpath(entry["file"], root)
    flags[name] = words
    folders.setdefault(os.path.dirname(name), words)
for name in sys.argv[4:]:
    folder = os.path.dirname(name)
    while folder and folder not in folders:  # detail/ has headers alone
        folder = os.path.dirname(folder)
    words = flags.get(name) or flags.get(os.path.splitext(name)[0] + ".cpp") or folders.get(folder)
    if words:
        print(name + "\t" + shlex.join(words + ["-I" + sys.argv[3], "-w", "-fsyntax-only", "-x", "c++", os.path.join(root, name)]))
PYTHON

export scratch
compile() { # NAME TAB COMMAND
    bash -c "${1#*$'\t'}" >"$scratch/said.$$" 2>&1 || { echo "${1%%$'\t'*} does not compile by itself:"; grep -m 3 -E 'error' "$scratch/said.$$"; return 1; }
}
export -f compile
alone() { tr '\n' '\0' <"$scratch/commands" | xargs -0 -P "$(nproc)" -n 1 bash -c 'compile "$1"' _; }
check "each of ${#files[@]} files compiles by itself" alone
finish
