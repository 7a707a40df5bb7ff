#!/usr/bin/env bash
# bootstrap.sh SOURCE: installer/bootstrap names what is wrong. Runs a copy in a small tree with stand-ins for the system's
# tools first in PATH, so that nothing is installed or built.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source=$1

house() {
    rm -rf "$scratch/house" "$scratch/tools"
    mkdir -p "$scratch/house/installer" "$scratch/house/resources/projects/courtyard" "$scratch/tools"
    cp "$source/installer/bootstrap" "$scratch/house/installer/"
    echo '{}' >"$scratch/house/CMakePresets.json"
    printf 'present-one # why\nabsent-one\n# a line of its own\nabsent-two   # why\n' >"$scratch/house/installer/packages.txt"
    # One package is installed; the others are unknown.
    tool dpkg-query 'echo "ii  present-one"; exit 1'
    tool apt-get 'echo "apt-get $*" >>"$LOG"'
    tool sudo 'echo "sudo $*" >>"$LOG"; [[ $1 != -n ]] || exit 1; exec env "$@"'
    tool cmake 'echo "cmake $*" >>"$LOG"; exit 0'
    tool df 'printf "Filesystem 1M-blocks Used Available Use%% Mounted\n/dev/x 90000 10000 80000 12%% /\n"'
    export LOG=$scratch/log
    : >"$LOG"
}
tool() {
    printf '#!/bin/bash\n%s\n' "$2" >"$scratch/tools/$1"
    chmod +x "$scratch/tools/$1"
}
bootstrap() { env -u DISPLAY -u WAYLAND_DISPLAY -u SBX_PRESET PATH="$scratch/tools:$PATH" "$scratch/house/installer/bootstrap" "$@" </dev/null >"$scratch/said" 2>&1; }
as_user() { # without a terminal; runs as nobody when the test itself is root
    if ((EUID == 0)); then
        chmod -R a+rwX "$scratch"
        env -u DISPLAY -u WAYLAND_DISPLAY PATH="$scratch/tools:$PATH" setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$scratch/house/installer/bootstrap" "$@" </dev/null >"$scratch/said" 2>&1
    else
        bootstrap "$@"
    fi
}

fails_saying() { # STATUS PATTERN COMMAND...
    "${@:3}"
    local status=$?
    cat "$scratch/said"
    ((status == $1)) && grep -qE -- "$2" "$scratch/said" || { echo "status $status; expected $1 and '$2'"; return 1; }
}

house
check "help succeeds" bootstrap help
check "help names both commands" grep -qE '^  (run|test) ' "$scratch/said"
check "an unknown command fails" fails_saying 1 "no such command: fly" bootstrap fly
check "an unknown preset fails" fails_saying 1 "no such preset: fast" bootstrap test fast
check "an unknown project fails" fails_saying 1 "no such project: nowhere" bootstrap run nowhere
check "too many projects fail" fails_saying 2 "usage" bootstrap run a b

house
check "no root and nobody to ask" fails_saying 1 "root is needed.*" as_user run
check "no root: says what to type" grep -q "apt-get install --no-install-recommends absent-one absent-two" "$scratch/said"
check "no root: installs nothing" bash -c '! grep -q "^apt-get" "$LOG"'

# What packages.txt names reaches apt-get as root: each line is a name, and no shell reads it.
refused_word() { # LINE PATTERN
    house
    printf 'present-one\n%s\n' "$1" >"$scratch/house/installer/packages.txt"
    fails_saying 1 "packages.txt:2: $2" bootstrap run && [[ ! -s $LOG && ! -e $scratch/owned ]]
}
for word in '$(>OWNED)' '`>OWNED`' ';>OWNED' '&&>OWNED' '-oDebug=1' '--reinstall' 'dash-' 'Upper' 'a' './local.deb' '/abs.deb' 'x=1.0' 'x/sid' \
    'x*' $'a\xc3\xa9' 'x:i386' '.hidden' "it's" '+x'; do
    word=${word//OWNED/"$scratch/owned"}
    check "a word that is no package: $(printf %q "$word")" refused_word "$word" "this is no Debian package name"
done
check "two words on a line" refused_word "absent-one; reboot" "(more than one word|this is no Debian package name)"
check "two names on a line" refused_word "absent-one absent-two" "more than one word"
house
printf 'present-one\ng++-12 # c++\nlibstdc++6\nlib1.2-dev' >"$scratch/house/installer/packages.txt"
check "plus, minus and point belong to names; the last line needs no end" fails_saying 1 "root is needed" as_user run
check "  all of them are missing" grep -q "install --no-install-recommends g++-12 lib1.2-dev libstdc++6" "$scratch/said"

# Through sudo, which may ask nothing here: it runs apt-get, and nothing else.
house
tool sudo 'echo "sudo $*" >>"$LOG"; [[ $1 != -n ]] || shift; exec env "$@"'
tool cmake 'echo "cmake $*" >>"$LOG"; exit 1'
if ((EUID == 0)); then with_sudo=as_user; else with_sudo=bootstrap; fi
check "sudo that does not ask" fails_saying 1 "configuring failed" "$with_sudo" run
check "  installs by name" grep -qE "^sudo .*apt-get .*install absent-one absent-two$" "$LOG"
check "  runs nothing but apt-get" bash -c '! grep "^sudo" "$LOG" | grep -vE "^sudo (-n )?([A-Z_]+=[^ ]* )*apt-get "'
check "  says nothing of root" bash -c '! grep -q "running as root" "$0"' "$scratch/said"

if ((EUID == 0)); then
    house
    tool cmake 'exit 1'
    bootstrap run
    check "as root: says so in one line" test "$(grep -c "bootstrap: warning: running as root: .*resources/projects/courtyard" "$scratch/said")" = 1
    house
    tool cmake 'echo "cmake $*" >>"$LOG"; exit 1'
    check "missing packages are installed, and only those" fails_saying 1 "installing these Debian packages.*as root" bootstrap run
    check "  by name" grep -q "no-install-recommends install absent-one absent-two" "$LOG"
    check "  after an update of the lists" grep -q "^apt-get .*update" "$LOG"
    check "  without sudo" bash -c '! grep -q sudo "$LOG"'
    check "a failing configuration is told with its log" fails_saying 1 "configuring failed .log: " bootstrap run

    house
    tool dpkg-query 'printf "ii  present-one\nii  absent-one\nhi  absent-two\n"'
    bootstrap test
    check "nothing missing: apt-get is not called" bash -c '! grep -q "^apt-get" "$LOG"'

    house
    tool apt-get 'echo "E: Failed to fetch http://deb.example/x  Temporary failure resolving deb.example"; exit 100'
    check "no network" fails_saying 1 "no network: the package servers cannot be reached" bootstrap run

    house
    tool apt-get 'echo "E: You don'"'"'t have enough free space in /var/cache/apt/archives/."; exit 100'
    check "the disk fills while installing" fails_saying 1 "disk full while installing" bootstrap run

    house
    tool df 'printf "Filesystem 1M-blocks Used Available Use%% Mounted\n/dev/x 10 10 3 99%% /\n"'
    check "no room for packages" fails_saying 1 "disk full: installing packages needs about 1024 MiB .* 3 MiB are free" bootstrap run

    house
    tool apt-get 'echo "E: Unable to locate package absent-one"; exit 100'
    check "a package nobody knows" fails_saying 1 "not known to this system: Unable to locate package absent-one" bootstrap run
fi

# The build tells how far it is. A build of four objects, of which a compiler has something to say.
house
tool dpkg-query 'printf "ii  present-one\nii  absent-one\nii  absent-two\n"'
tool ninja 'for i in 1 2 3 4; do echo "engine/core/CMakeFiles/x.dir/Unity/unity_$i.cxx.o"; done'
tool cmake 'echo "cmake $*" >>"$LOG"
case "$*" in *--build*) ;; *) exit 0 ;; esac
echo "[0/2] Re-checking globbed directories..."
for i in $(seq 1 ${STEPS:-4}); do
    echo "[$i/${STEPS:-4}] Building CXX object engine/core/CMakeFiles/x.dir/Unity/unity_$i.cxx.o"
    [[ $i != 2 ]] || echo "x.cpp:3:4: warning: odd"
done
[[ ! -e "$LOG.fails" ]] || { echo "ninja: build stopped: subcommand failed."; exit 1; }'
SBX_JOBS=1 bootstrap run
check "a build says how much there is to do" grep -qE "with 1 compilers at once: all of it takes about 30 seconds" "$scratch/said"
check "  how far it is, and what is left" grep -qE '^\[ 50 %\] 0:0[0-9], about [12]0 seconds left$' "$scratch/said"
check "  by the steps of the build, not those before it" grep -qE '^\[ 25 %\] ' "$scratch/said"
check "  when it is done" grep -qE '^\[100 %\] 0:0[0-9], nearly done$' "$scratch/said"
check "  what the compiler says, whole" grep -qxF "x.cpp:3:4: warning: odd" "$scratch/said"
STEPS=2 SBX_JOBS=1 bootstrap run
check "  of a build that was begun, what is left of it" grep -qE '^\[ 50 %\] 0:0[0-9], about 10 seconds left$' "$scratch/said"
SBX_JOBS=1 bootstrap run
check "  all of it in the log" test "$(grep -c 'Building' "$scratch/house/build/logs/build-release.log")" = 4
in_terminal() { script -qec "env -u DISPLAY -u WAYLAND_DISPLAY SBX_JOBS=1 PATH='$scratch/tools:$PATH' $scratch/house/installer/bootstrap run" /dev/null </dev/null >"$scratch/said" 2>&1; true; }
if command -v script >/dev/null; then
    in_terminal
    check "in a terminal, on one line that is written over" grep -qE $'\r\e\\[K\\[ 50 %\\] 0:0[0-9], about [12]0 seconds left  Building' "$scratch/said"
    check "  but for what the compiler says" grep -qE $'^(.*\e\\[K)?x.cpp:3:4: warning: odd' "$scratch/said"
fi
: >"$LOG.fails"
check "a failing build ends it" fails_saying 1 "the build failed: see above" bootstrap run

finish
