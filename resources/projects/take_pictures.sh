#!/usr/bin/env bash
# take_pictures.sh PLAYER: draws the picture of each sample that the start page shows, with ImageMagick's convert.
set -euo pipefail
player=$1
cd "$(dirname "${BASH_SOURCE[0]}")"
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
for project in */project.toml; do
    folder=$(dirname "$project")
    "$player" "$folder" --headless --ticks 200 --screenshot "$draft/picture.png"
    convert "$draft/picture.png" -filter Lanczos -resize 480x270 -alpha off -colors 256 -strip "$folder/picture.png"
done
