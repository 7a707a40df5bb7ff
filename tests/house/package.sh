#!/usr/bin/env bash
# package.sh BUILD CPACK: makes the DEBs, unpacks them elsewhere and runs what is in it, away from the source and build trees.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build=$1 cpack=$2
umask 022 # as installer/bootstrap packs

make_deb() { (cd "$build" && "$cpack" --config SignalboxPackage.cmake -G DEB -B "$scratch/packages"); }
check "the DEB is made" make_deb
deb=$(find "$scratch/packages" -maxdepth 1 -name 'signalbox_*.deb' | head -n 1)
if [[ -z $deb ]]; then finish; fi
there=$scratch/there
check "it unpacks" dpkg-deb -x "$deb" "$there"
check "it has no headers" test ! -e "$there/usr/include"
dev=$(find "$scratch/packages" -maxdepth 1 -name 'signalbox-dev_*.deb' | head -n 1)
check "there is a package for programmers" test -n "$dev"
check "  which unpacks beside it" dpkg-deb -x "$dev" "$there"
usr=$there/usr
sample=$usr/share/signalbox/projects/courtyard

field() { dpkg-deb -f "$deb" "$1"; }
check "the package is named signalbox" test "$(field Package)" = signalbox
check "it has a version" test -n "$(field Version)"
check "the headers depend on exactly that version" bash -c 'dpkg-deb -f "$1" Depends | grep -qF "signalbox (= $2)"' _ "$dev" "$(field Version)"
depends=$(field Depends)
check "its dependencies are computed" test -n "$depends"
for part in libc6 libstdc++6 libassimp5 libseccomp2 libsndfile1 libbullet libspdlog libqt6widgets6 libqt6gui6 libqscintilla2-qt6 libepoxy0; do
    check "it depends on $part" grep -qF "$part" <<<"$depends"
done
check "it needs no -dev package" bash -c '! grep -q -- "-dev" <<<"$1"' _ "$depends"

for file in bin/signalbox bin/signalbox-player share/applications/signalbox.desktop share/thumbnailers/signalbox.thumbnailer share/mime/packages/signalbox.xml \
    share/icons/hicolor/scalable/apps/signalbox.svg share/icons/hicolor/16x16/apps/signalbox.png \
    share/icons/hicolor/256x256/apps/signalbox.png share/doc/signalbox/copyright share/doc/signalbox/LICENSE \
    share/doc/signalbox/changelog.gz share/man/man1/signalbox.1.gz share/man/man1/signalbox-player.1.gz share/metainfo/signalbox.metainfo.xml \
    share/bash-completion/completions/signalbox share/bash-completion/completions/signalbox-player \
    share/doc/signalbox-dev/copyright share/doc/signalbox-dev/changelog.gz \
    share/doc/signalbox/licenses/LICENSE.GPL-3.0.txt share/doc/signalbox/licenses/THIRD-PARTY.md \
    share/signalbox/projects/courtyard/project.toml share/signalbox/projects/courtyard/entities.toml \
    share/signalbox/manual/index.md share/signalbox/manual/plugins.md share/signalbox/templates/plugin/project.toml \
    share/signalbox/templates/plugin/source/bouncer.cpp include/signalbox/engine/plugin/plugin.h \
    include/signalbox/engine/plugin/engine_stamp.h lib/cmake/Signalbox/SignalboxConfig.cmake \
    lib/signalbox/signalbox-plugin-check lib/signalbox/signalbox-import share/doc/signalbox/examples/server/signalbox-server@.service \
    share/doc/signalbox/examples/server/server.conf share/doc/signalbox/examples/server/Containerfile share/doc/signalbox/examples/server/make-container; do
    check "it holds $file" test -s "$usr/$file"
done
check "the engine library is private to the programs" bash -c 'compgen -G "$1/lib/signalbox/libsignalbox-engine.so*"' _ "$usr"
check "the desktop entry is valid" desktop-file-validate "$usr/share/applications/signalbox.desktop"
check "the file types are valid" bash -c 'mkdir -p "$2/packages" && cp "$1" "$2/packages/" && update-mime-database "$2" && grep -q "scene.toml" "$2/globs2" && grep -q ":project.toml" "$2/globs2"' _ \
    "$usr/share/mime/packages/signalbox.xml" "$scratch/mime"
check "every icon has the size of its folder" bash -c 'for f in "$1"/*x*/apps/signalbox.png; do s=${f%/apps/*}; s=${s##*/}; file "$f" | grep -q "${s/x/ x }" || { echo "$f"; exit 1; }; done' _ \
    "$usr/share/icons/hicolor"
check "no file belongs to a build user" bash -c '! dpkg-deb -c "$1" | grep -v " root/root "' _ "$deb"
check "no program names the build folder" bash -c '! grep -lF "$1" "$2"/bin/signalbox* "$2"/lib/signalbox/*' _ "$build/lib" "$usr"
# What is given away (preset release) is the same wherever and whenever it is made: the symbols for debugging, too, name no folder of this machine.
if grep -qE '^SBX_RELATIVE_PATHS:[A-Z]+=ON$' "$build/CMakeCache.txt"; then
    source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
    names_no_folder() {
        local file
        for file in "$scratch"/packages/*.{deb,ddeb}; do dpkg-deb -x "$file" "$scratch/all" || return 1; done
        grep -rlF -e "$source" -e "$build" "$scratch/all" >"$scratch/named"
        cat "$scratch/named"
        [[ ! -s $scratch/named ]]
    }
    check "nothing in the packages names the folders of the sources and the build" names_no_folder
fi
no_times() {
    find "$build" -name 'qrc_*.cpp' >"$scratch/compiled-in"
    find "$build" -name 'qrc_*.cpp' -exec grep -l 'int version = [^1]' {} + >"$scratch/timed"
    cat "$scratch/timed"
    [[ -s $scratch/compiled-in && ! -s $scratch/timed ]]
}
check "what is compiled into the programs has no times of files" no_times
packed_again() {
    local file
    (cd "$build" && TZ=Asia/Tokyo "$cpack" --config SignalboxPackage.cmake -G DEB -B "$scratch/again, elsewhere") || return 1
    for file in "$scratch"/packages/*.{deb,ddeb}; do cmp "$file" "$scratch/again, elsewhere/${file##*/}" || return 1; done
}
if grep -qE 'CPACK_SBX_SOURCE_DATE "[0-9]+"' "$build/SignalboxPackage.cmake"; then
    check "packed again, in another folder and time zone, they have the same bytes" packed_again
else
    echo "no checkout and no SOURCE_DATE_EPOCH: packages have the times of their making, and are not compared"
fi

player() { (cd "$scratch" && env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$scratch" "$usr/bin/signalbox-player" "$@"); }
check "the player finds all its libraries" bash -c '! ldd "$1" | grep "not found"' _ "$usr/bin/signalbox-player"
check "the player loads the packaged engine" bash -c 'ldd "$1" | grep -F "libsignalbox-engine.so" | grep -qF "$2"' _ "$usr/bin/signalbox-player" "$there"
check "the player runs the packaged sample" player "$sample" --headless --ticks 60 --seed 7 --digest "$scratch/one.digest"
check "  for sixty ticks" test "$(grep -c . "$scratch/one.digest")" -ge 60
player "$sample" --headless --ticks 60 --seed 7 --digest "$scratch/two.digest"
check "  with the same digest again" cmp "$scratch/one.digest" "$scratch/two.digest"
# As a file manager calls it: a picture of a project, and of a scene in it.
thumbnail() { # FILE
    local line
    line=$(sed -n 's/^Exec=signalbox-player //p' "$usr/share/thumbnailers/signalbox.thumbnailer")
    line=${line//%s/128} line=${line//%o/$scratch/thumbnail.png}
    rm -f "$scratch/thumbnail.png"
    # shellcheck disable=SC2086 # the words of the line; the file comes in their place
    player ${line//%i/$1} && file "$scratch/thumbnail.png" | grep -q "128 x 128"
}
check "a project has a thumbnail" thumbnail "$sample/project.toml"
check "a scene has a thumbnail" thumbnail "$sample/courtyard.scene.toml"
editor() { (cd "$scratch" && env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$scratch" "$usr/bin/signalbox" "$@"); }
check "a project with components of its own is made" editor --new-plugin "$scratch/My game"
check "  with a library of its name" grep -q "signalbox_add_plugin(my_game" "$scratch/My game/CMakeLists.txt"
check "  and a test" test -s "$scratch/My game/tests/jumper.cfg"
check "  and not where something is" bash -c '! "$1/bin/signalbox" --new-plugin "$2"' _ "$usr" "$scratch/My game"
check "the packaged player exports it" player courtyard --export "$scratch/game"
check "  with the libraries of the system" bash -c 'ldd "$1/bin/signalbox-player" | grep -F "libQt6Core.so.6 => $1/"' _ "$scratch/game"
check "  and what was exported runs" env -i PATH=/usr/bin:/bin HOME="$scratch" "$scratch/game/Courtyard" --headless --ticks 60 --seed 7 --digest "$scratch/three.digest"
check "  with the same digest" cmp "$scratch/one.digest" "$scratch/three.digest"
check "the import program finds all its libraries" bash -c '! ldd "$1" | grep "not found"' _ "$usr/lib/signalbox/signalbox-import"
check "the editor finds all its libraries" bash -c '! ldd "$1" | grep "not found"' _ "$usr/bin/signalbox"
finish
