#!/usr/bin/env bash
# take_pictures.sh EDITOR FOLDER: the editor as it looks: start page and layouts, in both themes, at 1280x720, at 1920x1080, and at 1280x720 scaled
# by 1.5. For looking at after a change of the looks, and for the manual. Wants a display; nothing of the user's settings is read or written.
set -euo pipefail
editor=$(realpath "$1")
folder=$2
projects=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../projects
mkdir -p "$folder"
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
cp -r "$projects/courtyard" "$draft/courtyard"

# picture NAME THEME SIZE SCALE [LAYOUT]
picture() {
    local arguments=(--theme "$2" --size "$3" --screenshot "$folder/$1-$2-$3-$4.png" --audio.volume=0)
    if [[ $# -gt 4 ]]; then
        echo "$5" >"$draft/layout.cfg"
        arguments=("$draft/courtyard" "${arguments[@]}" --exec "$draft/layout.cfg" --play --quit-after 4)
    fi
    HOME=$draft/home QT_SCALE_FACTOR=$4 "$editor" "${arguments[@]}" 2>>"$draft/said" || { cat "$draft/said" >&2; exit 1; }
}

for theme in dark light; do
    for size in "1280x720 1" "1920x1080 1" "1280x720 1.5"; do
        read -r pixels scale <<<"$size"
        rm -rf "$draft/home" && mkdir "$draft/home"
        picture start "$theme" "$pixels" "$scale"
        for layout in Author Traffic Network Sound; do
            rm -rf "$draft/home" && mkdir "$draft/home"
            picture "${layout,}" "$theme" "$pixels" "$scale" "view.layout$layout"
        done
    done
done
