#!/usr/bin/env bash
# fresh_systems.sh PACKAGES [OLDER.deb]: what installer/bootstrap package wrote is installed, used, upgraded and removed in new, minimal Debian
# systems (chroots made by debootstrap), as a user would. With OLDER.deb, a package of an earlier commit, that is installed and used first.
#
# Not run by ctest: it needs root, a mirror of Debian, Xvfb, openbox, xdotool, and python3; about 5 GiB below $TMPDIR; ten minutes.
#   MIRROR=URL   where Debian's packages come from (default: http://deb.debian.org/debian)
#   ROOTS=FOLDER where the systems are made, and stay to be looked at; the minimal one is used again (default: a temporary folder)
#   ONLY="A B"   these systems alone: desktop (the DEB), developer (signalbox-dev), bare (archive and exported game, no Qt),
#                server (the unit for servers under a systemd that is booted by systemd-nspawn)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($# == 1 || $# == 2)) || { sed -n '2,10s/^# \?//p' "$0"; exit 2; }
packages=$(realpath "$1")
older=${2:+$(realpath "$2")}
mirror=${MIRROR:-http://deb.debian.org/debian}
((EUID == 0)) || { echo "fresh_systems.sh: root is needed, for chroot"; exit 77; }
for tool in debootstrap Xvfb openbox xdotool python3 setpriv; do
    command -v "$tool" >/dev/null || { echo "fresh_systems.sh: $tool is not installed"; exit 77; }
done
deb=$(find "$packages" -maxdepth 1 -name 'signalbox_*.deb') dev=$(find "$packages" -maxdepth 1 -name 'signalbox-dev_*.deb')
archive=$(find "$packages" -maxdepth 1 -name 'signalbox-*.sh')
for file in "$deb" "$dev" "$archive"; do
    [[ -f $file ]] || { echo "fresh_systems.sh: $packages: expected one DEB of signalbox, one of signalbox-dev and one self-extracting archive"; exit 2; }
done

python=/usr/bin/python3 # the system's: other users run it, too
[[ -x $python ]] || python=$(command -v python3)
roots=${ROOTS:-$scratch/roots}
mkdir -p "$roots"
chmod 755 "$scratch"
started=()
leave() {
    local pid
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
    wait
    rm -rf --one-file-system "$scratch"
}
trap leave EXIT

# --- systems --------------------------------------------------------------------------------------------------------

# Runs a line of shell in a system. Its mounts and processes are its own, and end with it; so does its /tmp, unless there is a folder SYSTEM.tmp for it.
# shellcheck disable=SC2016 # the inner shell's
inside() { # SYSTEM USER LINE
    unshare --mount --pid --fork --kill-child bash -c '
        mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 125
        if [[ -d $1.tmp ]]; then mount --bind "$1.tmp" "$1/tmp"; else mount -t tmpfs -o mode=1777 tmp "$1/tmp"; fi || exit 125
        mkdir -p "$1/tmp/.X11-unix" && mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix" || exit 125
        mkdir -p "$7" && mount --bind "$7" "$1/var/cache/apt/archives" || exit 125
        [[ ! -d $4 ]] || { mkdir -p "$1/tmp/packages" && mount --bind "$4" "$1/tmp/packages"; }
        [[ ! -f $5 ]] || { [[ -e $1/tmp/older.deb ]] || touch "$1/tmp/older.deb"; mount --bind "$5" "$1/tmp/older.deb"; }
        [[ $2 != root ]] || exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$1" bash -c "$3"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DISPLAY="$6" LIBGL_ALWAYS_SOFTWARE=1 chroot --userspec=1000:1000 "$1" env HOME=/home/tester bash -c "cd; $3"
    ' _ "$roots/$1" "$2" "$3" "$packages" "$older" "${DISPLAY:-}" "$roots/archives"
}

make_minimal() {
    [[ ! -f $roots/minimal.made ]] || return 0
    debootstrap --variant=minbase --include=ca-certificates bookworm "$roots/minimal" "$mirror" &&
        inside minimal root 'useradd -m -s /bin/bash tester' &&
        printf 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";\nAPT::Keep-Downloaded-Packages "true";\n' >"$roots/minimal/etc/apt/apt.conf.d/90keep" &&
        touch "$roots/minimal.made"
}

new_system() { # NAME
    rm -rf --one-file-system "${roots:?}/$1" "${roots:?}/$1.tmp"
    cp -a --reflink=auto "$roots/minimal" "$roots/$1" && inside "$1" root 'apt-get -q update'
}

# Every file of a system but what its package manager and its users keep.
files_of() { # SYSTEM
    (cd "$roots/$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./home -o -path ./root -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
        -o -path ./var/cache -o -path ./var/log \) -prune -o -print | sort)
}
# Every file and folder of a system, or of a part of it, with the time of its last change: one that was only read is the same, a folder in which
# something was made or removed is another.
changes_of() { # SYSTEM [FOLDER]
    local places=("$1/${2:-.}")
    [[ ! -d $roots/$1.tmp ]] || places+=("$1.tmp")
    (cd "$roots" && find "${places[@]}" -xdev -path "$1/./proc" -prune -o -printf '%p %y %s %C@\n' | sort)
    find /dev/shm -user 1000 -printf '%p %y %s %C@\n' | sort
}

# --- programs with windows ------------------------------------------------------------------------------------------

start_display() {
    : >"$scratch/display"
    Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp -noreset -ac 3>>"$scratch/display" >/dev/null 2>&1 &
    started+=("$!")
    within 20 test -s "$scratch/display" || return 1
    DISPLAY=:$(cat "$scratch/display")
    export DISPLAY
    openbox >/dev/null 2>&1 &
    started+=("$!")
}

within() { # SECONDS COMMAND...: it comes true in that time
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

start() { # SYSTEM LINE: as its user, beside us
    inside "$1" tester "$2" >"$scratch/program.log" 2>&1 &
    program=$!
    started+=("$program")
}
ends() { # SECONDS: the program started last ends by itself
    within "$1" bash -c '! kill -0 "$1" 2>/dev/null' _ "$program" || { cat "$scratch/program.log"; return 1; }
    wait "$program"
}
stop() { # the program started last, with all that it started: the system's first process ends them
    local outer inner
    outer=$(pgrep -P "$program") inner=$(pgrep -P "$outer")
    kill -KILL "$inner"
    wait "$program" 2>/dev/null
    within 20 bash -c '! kill -0 "$1" 2>/dev/null' _ "$inner"
}
window() { xdotool search --onlyvisible --name "$1" >/dev/null 2>&1; } # PATTERN

# One line of remote control (resources/manual/remote.md) to the editor with `--test-mode ~/run/s`; prints what it answers, or what a Python
# expression makes of its value. What is shown in a window: `rows` of a menu, tree or list, and `seen`, whether a widget lies in its window.
cat >"$scratch/remote.py" <<'PYTHON'
import json, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
stream = connection.makefile("rw")
print(sys.argv[2], file=stream, flush=True)
answer = json.loads(stream.readline())
value = answer.get("value")

def widgets(part):
    for one in part if isinstance(part, list) else [part]:
        yield one
        yield from widgets(one.get("children", []))

def rows(name):
    return [row for one in widgets(value) if one.get("name") == name for row in one.get("rows", [])]

def seen(name): # panels behind others are listed, too, far outside
    return any(one.get("name") == name and min(one["geometry"][:2]) >= 0 for one in widgets(value))

if answer["ok"] and len(sys.argv) > 3:
    print(eval(sys.argv[3]))
else:
    print(json.dumps(value) if value is not None else answer.get("output") or answer.get("error", ""))
sys.exit(0 if answer["ok"] else 1)
PYTHON
remote() { setpriv --reuid=1000 --regid=1000 --clear-groups "$python" "$scratch/remote.py" "$roots/$1/home/tester/run/s" "${@:2}"; } # SYSTEM LINE [EXPRESSION]
start_editor() { # SYSTEM ARGUMENTS [VARIABLE=VALUE...]
    start "$1" "mkdir -p -m 700 run; rm -f run/s; exec env ${*:3} signalbox $2 --test-mode run/s"
    within 60 test -S "$roots/$1/home/tester/run/s" || { cat "$scratch/program.log"; return 1; }
    within 60 remote "$1" wait.idle >/dev/null
}
shows() { # SYSTEM TEXT: something in the window has it
    remote "$1" ui.dump >"$scratch/dump" && grep -qF -- "$2" "$scratch/dump" || { cut -c 1-3000 "$scratch/dump"; return 1; }
}
quit_editor() { remote "$1" quit >/dev/null && ends 30; } # SYSTEM

# --- what is tried --------------------------------------------------------------------------------------------------

has_no_tools() { inside "$1" root '! command -v c++ g++ gcc cmake make && ! dpkg -l | grep -E "^ii +[^ ]*-dev[: ]"'; } # SYSTEM
check "a minimal system is made" make_minimal
check "a display is there" start_display
wanted() { [[ -z ${ONLY:-} || " $ONLY " == *" $1 "* ]]; }

instances() { grep -c '^\[\[entity\]\]' "$roots/desktop/home/tester/$1"; } # FILE
yard="Spiele/Mein Hof/courtyard.scene.toml"

# Keys for the window of that title, as soon as it takes them: until the scene on the disk is another.
doubles_and_saves() { # TITLE FILE
    local window before tries
    before=$(instances "$2")
    for ((tries = 0; tries < 10; ++tries)); do
        window=$(xdotool search --onlyvisible --name "$1" | head -n 1)
        # The sky: nothing is there to be selected, and the picture has the keys.
        xdotool windowactivate --sync "$window" mousemove --window "$window" 640 140 click 1 || return 1
        xdotool key --clearmodifiers --delay 300 ctrl+a ctrl+d ctrl+s
        ! within 5 bash -c '(($(grep -c "^\[\[entity\]\]" "$1") > $2))' _ "$roots/desktop/home/tester/$2" "$before" || return 0
    done
    echo "$2: $before entities, as before"
    return 1
}

use_older() {
    inside desktop tester 'mkdir -p Spiele && cp -r /usr/share/signalbox/projects/courtyard "Spiele/Mein Hof" && cp -r /usr/share/signalbox/projects/pinball Spiele/Flipper
        printf "view.layoutSound\nview.themeLight\nview.panel.definition\n" >work.cfg' || return 1
    # A window that somebody works in, and leaves by its menu: what it remembers is written then.
    start desktop "exec signalbox Spiele/Flipper --exec work.cfg"
    within 60 window Pinball || { cat "$scratch/program.log"; return 1; }
    # The settings are written some time after the lines of the script have been run; a layout takes its form within a moment.
    within 60 grep -qs '^theme=light' "$roots/desktop/home/tester/.config/signalbox/settings.ini" || return 1
    sleep 3
    leaves_by_menu || return 1
    start desktop "exec signalbox 'Spiele/Mein Hof'"
    within 60 window Courtyard || { cat "$scratch/program.log"; return 1; }
    doubles_and_saves Courtyard "$yard" && leaves_by_menu
}
leaves_by_menu() {
    local tries
    for ((tries = 0; tries < 10; ++tries)); do
        xdotool key --clearmodifiers ctrl+q
        ! within 5 bash -c '! kill -0 "$1" 2>/dev/null' _ "$program" || break
    done
    ends 1
}

# The layout Sound with the definition beside it, in light colours.
has_layout() { [[ $(remote desktop ui.dump 'seen("dock.probe"), seen("dock.definition"), seen("dock.entities")') == "(True, True, False)" ]]; }
has_theme() {
    local ticked
    remote desktop 'click menuBar row "View"' && remote desktop 'click menu.view row "Theme"' &&
        ticked=$(remote desktop ui.dump '[row["text"] for row in rows("menu.view.theme") if row.get("checked")]') &&
        remote desktop 'key menu.view.theme Escape' && remote desktop 'key menu.view Escape' || return 1
    [[ $ticked == "['Light']" ]]
}
shows_what_was_kept() {
    start_editor desktop "" && shows desktop "Mein Hof" && shows desktop "Flipper" && quit_editor desktop || return 1
    start_editor desktop "'Spiele/Mein Hof'" && has_layout && has_theme || return 1
    [[ $(remote desktop world.dump 'len(value["entities"])') == "$saved" ]] || return 1
    quit_editor desktop
}
# That the checks are of what was kept: somebody else gets another window.
starts_afresh() {
    start_editor desktop "courtyard" XDG_CONFIG_HOME=/tmp/c XDG_STATE_HOME=/tmp/s XDG_CACHE_HOME=/tmp/h && ! has_layout && ! has_theme &&
        ! shows desktop "Mein Hof" && quit_editor desktop
}

# A project and a scene, as the desktop opens them: by their types.
opens_by_type() { # FILE TYPE
    [[ $(inside desktop tester "gio info -a standard::content-type '$1' | sed -n 's/.*content-type: //p'") == "$2" ]] || return 1
    start desktop "gio open '$1'; sleep 60"
    within 60 window Courtyard || { cat "$scratch/program.log"; return 1; }
    stop
    within 10 bash -c '! xdotool search --onlyvisible --name Courtyard >/dev/null 2>&1'
}

if wanted desktop; then
    check "desktop: a system without development packages" new_system desktop
    check "  which has no compiler" has_no_tools desktop
    files_of desktop >"$scratch/before"
    if [[ -n $older ]]; then
        check "the older package is installed" inside desktop root 'apt-get install -qy /tmp/older.deb'
        check "  and used: settings, layout, two recent projects, an edit that is saved" use_older
        saved=$(instances "$yard")
        check "  which is on the disk: $saved entities" test "$saved" -gt "$(grep -c '^\[\[entity\]\]' "$roots/desktop/usr/share/signalbox/projects/courtyard/courtyard.scene.toml")"
        changes_of desktop home >"$scratch/home-older"
    fi
    check "the package is installed by one line" inside desktop root 'apt-get install -qy /tmp/packages/signalbox_*.deb'
    version_is() { [[ $(inside "$1" root 'dpkg-query -W -f "\${Version}" signalbox') == "$(dpkg-deb -f "$deb" Version)" ]]; }
    check "  in its version" version_is desktop
    check "  without development packages" has_no_tools desktop
    if [[ -n $older ]]; then
        changes_of desktop home >"$scratch/home-upgraded"
        check "the upgrade leaves the user's files as they were" diff "$scratch/home-older" "$scratch/home-upgraded"
        check "  and the new program shows settings, layout, recent projects and the saved edit" shows_what_was_kept
        check "  which somebody else does not see" starts_afresh
    fi
    check "signalbox --selftest passes" inside desktop tester 'signalbox --selftest'
    cp "$scratch/output" "$scratch/selftest-desktop"
    inside desktop tester 'mkdir -p Spiele && cp -r /usr/share/signalbox/projects/courtyard "Spiele/Höfe 1"'
    inside desktop root 'apt-get install -qy --no-install-recommends libglib2.0-bin shared-mime-info desktop-file-utils' >/dev/null 2>&1
    check "a project opens by its type" opens_by_type "Spiele/Höfe 1/project.toml" application/vnd.signalbox.project+toml
    check "  and a scene" opens_by_type "Spiele/Höfe 1/courtyard.scene.toml" application/vnd.signalbox.scene+toml
    inside desktop root 'dpkg -L signalbox' | sort >"$scratch/list"
    changes_of desktop home >"$scratch/home-before"
    check "the package is removed" inside desktop root 'apt-get purge -qy signalbox && apt-get autoremove -qy --purge'
    nothing_left() {
        local file bad=0
        while IFS= read -r file; do [[ -d $roots/desktop$file || ! -e $roots/desktop$file ]] || { echo "$file"; bad=1; }; done <"$scratch/list"
        files_of desktop | comm -13 "$scratch/before" - | grep -i signalbox >"$scratch/left"
        cat "$scratch/left"
        ((!bad)) && [[ ! -s $scratch/left ]] && inside desktop root '! dpkg-query -W signalbox'
    }
    check "  with every file of it" nothing_left
    changes_of desktop home >"$scratch/home-after"
    check "  and none of the user's" diff "$scratch/home-before" "$scratch/home-after"
fi

if wanted developer; then
    check "developer: a system with the package for programmers" new_system developer
    check "  which brings the tools" inside developer root 'apt-get install -qy --no-install-recommends /tmp/packages/signalbox_*.deb /tmp/packages/signalbox-dev_*.deb'
    check "  and no Qt headers" inside developer root '! dpkg -l | grep -E "^ii +qt6-[a-z]*-dev"'
    check "a component of one's own is made" inside developer tester 'signalbox --new-plugin "My games/Springs"'
    check "  built" inside developer tester 'cd "My games/Springs" && cmake -B build && cmake --build build'
    check "  tested" inside developer tester 'cd "My games/Springs" && ctest --test-dir build --output-on-failure'
    check "  and seen in the trace, handling a message" inside developer tester 'cd "My games/Springs" && signalbox-player . --headless --ticks 240 --trace ~/trace.jsonl &&
        grep "\"type\":\"Bounced\"" ~/trace.jsonl | grep "\"component\":\"Blinker\"" | head -n 1'
    sed 's/^/    /' "$scratch/output"
    check "signalbox --selftest builds a plugin, too" inside developer root 'apt-get install -qy libgl1-mesa-dri >/dev/null; exec su tester -c "DISPLAY='"$DISPLAY"' LIBGL_ALWAYS_SOFTWARE=1 signalbox --selftest"'
    cp "$scratch/output" "$scratch/selftest-developer"
fi

# No Qt, nothing of ours, no root: an archive in a folder of the user's, and a game that it exports. What is left to the system is there.
if wanted bare; then
    check "bare: a system without Qt" new_system bare
    inside bare root 'apt-get install -qy --no-install-recommends libgl1 libegl1 libgl1-mesa-dri libx11-6 libx11-xcb1 libgbm1 libwayland-client0 libwayland-egl1' >/dev/null
    check "  at all" inside bare root '! dpkg -l | grep -iE "libqt|libspdlog|libassimp|libbullet"'
    check "the archive unpacks as a user" inside bare tester 'mkdir "Spiele für mich" && sh /tmp/packages/signalbox-*.sh --skip-license --exclude-subdir --prefix="Spiele für mich"'
    check "  and passes --selftest" inside bare tester 'Spiele*/bin/signalbox --selftest'
    cp "$scratch/output" "$scratch/selftest-bare"
    opens_window() { # LINE PATTERN
        start bare "$1"
        within 60 window "$2" || { cat "$scratch/program.log"; return 1; }
        sleep 1
        stop
    }
    check "  opens a sample" opens_window 'Spiele*/bin/signalbox courtyard' Courtyard
    check "  plays it" inside bare tester 'Spiele*/bin/signalbox-player courtyard --headless --ticks 120 --seed 7 --digest ~/one.digest'
    check "  and exports it" inside bare tester 'Spiele*/bin/signalbox courtyard --export "Höfe und Bälle.tar.gz"'
    check "bare: a system for the game alone" bash -c 'mv "$1/home/tester/Höfe und Bälle.tar.gz" "$2/game.tar.gz" && mv "$1/home/tester/one.digest" "$2" && rm -r "$1"/home/tester/Spiele*' _ "$roots/bare" "$scratch"
    left_by_archive() {
        (cd "$roots/bare/home/tester" && find . -type f | grep -vE '^\./(\.bash|\.profile)') >"$scratch/left"
        cat "$scratch/left"
        ! grep -qvE '^\./(\.config|\.local/state|\.cache|Documents/Signalbox)/' "$scratch/left"
    }
    check "  since the archive is gone with its folder, but for settings, state, caches and the copy of the sample" left_by_archive
    mkdir -p "$roots/bare/home/tester/Games of mine"
    tar -xzf "$scratch/game.tar.gz" -C "$roots/bare/home/tester/Games of mine" && chown -R 1000:1000 "$roots/bare/home/tester"
    rm -rf "$roots"/bare/home/tester/.[a-z]*
    # From here on every change of the system counts, and its /tmp is looked at, too. What somebody asks for by an option goes to "asked".
    mkdir -m 1777 "$roots/bare.tmp"
    state=home/tester/.local/state/signalbox-games
    inside bare tester "mkdir -p /$state/Courtyard asked"
    changes_of bare >"$scratch/bare-before"
    own_state_only() {
        changes_of bare >"$scratch/bare-after"
        diff "$scratch/bare-before" "$scratch/bare-after" | sed -n 's/^[<>] //p' | grep -vE "^bare/./($state/Courtyard|home/tester/asked)[ /]" >"$scratch/elsewhere"
        cat "$scratch/elsewhere"
        [[ ! -s $scratch/elsewhere ]]
    }
    check "the game runs without a display" inside bare tester 'Games*/*/Courtyard --headless --ticks 120 --seed 7 --digest ~/asked/game.digest'
    check "  with the same digest" cmp "$scratch/one.digest" "$roots/bare/home/tester/asked/game.digest"
    plays_in_window() {
        start bare 'exec Games*/*/Courtyard'
        within 60 window Courtyard || { cat "$scratch/program.log"; return 1; }
        sleep 3
        xdotool windowactivate --sync "$(xdotool search --onlyvisible --name Courtyard | head -n 1)" key --clearmodifiers alt+F4
        ends 30
    }
    check "  and in a window" plays_in_window
    check "  writes nothing but its own state" own_state_only
    echo "bare: files of the game:"
    (cd "$roots/bare/$state" && find . -type f | sed 's,\(mesa_shader_cache\)/.*,\1/...,' | sort | uniq -c)
    # That the check sees what is written elsewhere, and also what was there for a moment only.
    for file in bare/home/tester/.config bare/home/tester/.cache/x "bare/home/tester/Games of mine/x" bare/$state/Other bare/var/tmp/x bare/etc/x bare.tmp/x; do
        mkdir -p "$roots/${file%/*}"
        changes_of bare >"$scratch/bare-before"
        touch "$roots/$file"
        check "  a file is seen: $file" eval '! own_state_only'
        rm "$roots/$file"
        check "  and also when it was removed" eval '! own_state_only'
    done
fi
# The unit for servers under a systemd of its own, booted: it starts, takes a client, comes back when it was killed, ends, writes its state alone.
if wanted server && ! command -v systemd-nspawn >/dev/null; then
    echo "server: systemd-nspawn (package systemd-container) is not installed: left out"
elif wanted server; then
    check "server: a system that boots" new_system server
    check "  with the package" inside server root 'apt-get install -qy --no-install-recommends systemd systemd-sysv dbus /tmp/packages/signalbox_*.deb'
    inside server root 'cp /usr/share/doc/signalbox/examples/server/signalbox-server@.service /etc/systemd/system/ && mkdir -p /etc/signalbox &&
        cp /usr/share/doc/signalbox/examples/server/server.conf /etc/signalbox/yard.conf && sed -i "s/^PORT=.*/PORT=40123/" /etc/signalbox/yard.conf &&
        printf "PROJECT=/nowhere\nPORT=40124\n" >/etc/signalbox/broken.conf &&
        systemctl enable signalbox-server@yard.service signalbox-server@broken.service'
    cat >"$roots/server/usr/local/bin/visit" <<'VISIT'
#!/bin/bash
# Runs in the booted system, once; writes what it saw to /visit.log.
exec >/visit.log 2>&1
unit=signalbox-server@yard.service
shown() { systemctl show -P "$1" "${2:-$unit}"; }
within() { for ((try = 0; try < 300; ++try)); do if "$@"; then return 0; fi; sleep 0.1; done; return 1; }
client() { HOME=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups signalbox-player courtyard --headless --connect 127.0.0.1:40123 --ticks 120; }
running() { [[ $(shown SubState) == running ]]; }
is() { if "${@:2}"; then echo "ok: $1"; else echo "NOT: $1"; systemctl status --no-pager "$unit"; journalctl -u "$unit" --no-pager | tail -n 30; fi; }
systemd-analyze --version | head -n 1
is "it runs" within running
is "a client plays on it" within client
pid=$(shown MainPID)
is "its user is its own" bash -c '[[ $(stat -c %u "/proc/$1") != 0 ]]' _ "$pid"
is "its state is its own" test -s /var/lib/private/signalbox-server/yard/.config/signalbox/server_key
is "it has a limit of memory" test "$(shown MemoryMax)" = 2147483648
echo "memory: $(shown MemoryCurrent), of the process: $(grep VmRSS "/proc/$pid/status")"
kill -KILL "$pid"
again() { [[ $(shown NRestarts) == 1 ]] && running; }
is "it comes back when it was killed" within again
is "a client plays on it again" within client
systemctl stop "$unit"
is "it ends when it is asked" test "$(shown Result) $(shown SubState)" = "success dead"
is "bad input is not tried again" test "$(shown SubState signalbox-server@broken) $(shown ExecMainStatus signalbox-server@broken) $(shown NRestarts signalbox-server@broken)" = "failed 2 0"
find /var/lib/private/signalbox-server -type f
systemctl poweroff
VISIT
    chmod 755 "$roots/server/usr/local/bin/visit"
    printf '[Unit]\nAfter=multi-user.target\n[Service]\nType=idle\nExecStart=/usr/local/bin/visit\n[Install]\nWantedBy=multi-user.target\n' >"$roots/server/etc/systemd/system/visit.service"
    inside server root 'systemctl enable visit.service' >/dev/null 2>&1
    # Registered nowhere: the machine at hand need not have a systemd of its own.
    check "  boots" timeout 300 systemd-nspawn --quiet --register=no --keep-unit --boot --directory="$roots/server" --machine="signalbox-$$"
    visited() { cat "$roots/server/visit.log" && ! grep -q "^NOT:" "$roots/server/visit.log" && (($(grep -c "^ok:" "$roots/server/visit.log") == 9)); }
    check "  and systemd runs the unit for servers" visited
    sed 's/^/    /' "$roots/server/visit.log"
fi
for file in "$scratch"/selftest-*; do
    [[ -f $file ]] || continue
    echo "${file##*/}:"
    sed 's/^/    /' "$file"
done
finish
