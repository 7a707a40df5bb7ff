#!/usr/bin/env bash
# server.sh SOURCE: the unit for servers is one that systemd takes, and make-container says what is wrong with its arguments.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
server=$1/installer/server

if command -v systemd-analyze >/dev/null; then
    cp "$server/signalbox-server@.service" "$scratch/signalbox-server@maze.service"
    unit() { XDG_RUNTIME_DIR=$scratch systemd-analyze --man=no verify "$scratch/signalbox-server@maze.service" 2>&1; }
    check "systemd takes the unit" unit
    check "  without a complaint" test -z "$(unit)"
    exposure() { systemd-analyze --threshold=20 --offline=true security "$scratch/signalbox-server@maze.service"; }
    check "  which leaves a server little to reach" exposure
fi

check "the example names what the unit needs" bash -c 'grep -q ^PROJECT= "$1" && ! grep -vE "^#|^$|^[A-Z]+=" "$1"' _ "$server/server.conf"

refuses() { # SAYS ARGUMENT...
    local says=$1 out
    shift
    out=$("$server/make-container" "$@" 2>&1) && return 1
    grep -qF -- "$says" <<<"$out" || { echo "$out"; return 1; }
}
touch "$scratch/there.tar.gz" "$scratch/no.deb"
check "make-container has a help" bash -c '"$1" --help | grep -q "^usage:"' _ "$server/make-container"
check "  and wants two arguments" refuses "usage: make-container"
check "  knows its options" refuses "unknown option --x; see --help" --x
check "  wants their values" refuses "--project needs a value" --project
check "  wants a package that is there" refuses "there is no such package" "$scratch/nowhere.deb" "$scratch/new.tar.gz"
check "  and is one" refuses "expected the package signalbox" "$scratch/no.deb" "$scratch/new.tar.gz"
if command -v shellcheck >/dev/null; then check "shellcheck has nothing to say" shellcheck "$server/make-container"; fi
finish
