#!/usr/bin/env bash
# rules.sh SOURCE: what every folder and file of the tree keeps to.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$1" || exit 1

files() { # tracked files, or all of an exported tree
    git ls-files 2>/dev/null || find . -type f -not -path './build*' | sed 's|^\./||'
}

readmes_everywhere() {
    local list folder missing=0
    for list in engine/*/CMakeLists.txt widgets/*/CMakeLists.txt app/CMakeLists.txt app/*/CMakeLists.txt; do
        [[ -f $list ]] || continue
        folder=$(dirname "$list")
        [[ -s $folder/README.md ]] || { echo "$folder has no README.md"; missing=1; }
    done
    ((missing == 0))
}
check "every room has a README" readmes_everywhere

own_header_first() { # the header then includes what it needs, or the source does not compile in preset dev
    local source header bad=0
    while IFS= read -r source; do
        header=${source%.cpp}.h
        [[ -f $header ]] || continue
        [[ $(grep -m 1 '^#include' "$source") == "#include \"$header\"" ]] || { echo "$source does not include $header first"; bad=1; }
    done < <(files | grep -E '^(engine|widgets|app)/.*\.cpp$')
    ((bad == 0))
}
check "every source includes its own header first" own_header_first

one_writer() { # what people own is written by writeFileSafely() or LineFile, which see a full disk
    # Besides those two: libsndfile writes WAV, and cue points go behind its samples; a plugin under trial has /dev/null, and the copy that is loaded lies in a temporary folder; a program that crashes has only calls of the system; a page and a probe in a temporary folder; a stream
    # of bytes in memory, as of a preview that is kept; an export, which has its name only when all of it is there, and the standard error of what it asks; a file of any size that is copied into a project has its name only when all of it is on the disk; an import process tells the system that it goes first; the older messages of a trace lie in a file without a name, which goes with the process.
    ! files | grep -E '^(engine|widgets|app)/.*\.(h|cpp)$' | grep -vE '^(engine/core/(whole_file|line_file)\.cpp)$' |
        xargs grep -nE 'QSaveFile|std::o?fstream|fopen\(|(QIODevice|QFile|QFileDevice)::(WriteOnly|ReadWrite|Append)|O_WRONLY|O_RDWR|SFM_WRITE|_write_to_file|copy_file\(|(QFile::|\bfile\.)copy\(|\.save\([^&)]*"' |
        grep -vE '^(app/import/confine\.cpp|engine/audio/sound_(file|marks)\.cpp|engine/message/segment_spill\.cpp|engine/plugin/plugin_(library|host)\.cpp|app/common/crash_handler\.cpp|app/export/(export_writer|needed_libraries)\.cpp|app/editor/(manual|self_test)\.cpp|widgets/common/(journal|ini_text)\.cpp|widgets/assets/asset_(import|previews)\.cpp):'
}
check "whole files have one writer, growing files one" one_writer

no_qsettings() { # it writes its file itself, through QSaveFile; ui::UserSettings reads and writes what it had written
    ! files | grep -E '^(engine|widgets|app)/.*\.(h|cpp)$' | xargs grep -nE '^[^/]*QSettings'
}
check "settings go through the one writer" no_qsettings

one_file_dialog() { # it says in the dialog what cannot be read, and opens where the project is
    ! files | grep -E '^(engine|widgets|app)/.*\.(h|cpp)$' | grep -vE '^widgets/common/file_dialog\.(h|cpp)$' | xargs grep -nE 'QFileDialog'
}
check "every question for a file is asked by the one dialog" one_file_dialog

commands_ask_where() { # a console command that writes a file asks where the line it stands in may write
    local source bad=0
    while IFS= read -r source; do
        grep -q 'fileToWrite(' "$source" || { echo "$source: commands write files without fileToWrite()"; bad=1; }
    done < <(files | grep -E '^engine/.*\.cpp$' | xargs grep -lE 'CommandContext' | xargs grep -lE 'writeFileSafely\(|->record\(|LineFile::create|std::filesystem::(rename|remove|copy)')
    ((bad == 0))
}
check "commands that write ask where they may" commands_ask_where

no_machine_paths() {
    local pattern
    pattern="(^|[^[:alnum:]_.\$}/-])/(wor""k|hom""e/[a-z]+|tm""p/bash_jobs)/"
    ! files | xargs -d '\n' grep -nIE "$pattern" --
}
check "no path of a build machine in a tracked file" no_machine_paths

no_build_output() { ! files | grep -E '^build/|\.(o|so|a|deb)$|/CMakeCache\.txt$'; }
check "no build output is tracked" no_build_output

scripts_parse() {
    local script bad=0
    while IFS= read -r script; do
        bash -n "$script" || bad=1
        [[ -x $script || $script == */common.sh ]] || { echo "$script is not executable"; bad=1; }
    done < <(files | xargs -d '\n' grep -lIE '^#!/usr/bin/env bash' -- | grep -v '\.md$')
    ((bad == 0))
}
check "every script parses and can be run" scripts_parse

names_of_checks() { sed -n '/^Checks:/,/^[A-Z][A-Za-z]*:/p' .clang-tidy | grep -E '^ +' ; }
tidy_lines_have_commas() { ! names_of_checks | sed '$d' | grep -nvE '^ +-?[a-z][a-z0-9.*-]*,$|^ +-\*,$'; }
check "one check a line, each with its comma, in .clang-tidy" tidy_lines_have_commas

tidy_names_exist() {
    local known name bad=0
    # Without our file above it, clang-tidy lists every check it has.
    known=$(cd / && clang-tidy --list-checks --checks='*' | sed -n 's/^ \+//p')
    while IFS= read -r name; do
        [[ $name != '*' ]] || continue
        # shellcheck disable=SC2053 # the name is a pattern
        grep -qE "^${name//\*/.*}\$" <<<"$known" || { echo "no such check: $name"; bad=1; }
    done < <(names_of_checks | sed 's/^ *-\{0,1\}//; s/,$//')
    ((bad == 0))
}
tidy_settings_parse() { ! clang-tidy --dump-config 2>&1 >/dev/null | grep .; }
if command -v clang-tidy >/dev/null; then
    check "every name in .clang-tidy is a check" tidy_names_exist
    check "clang-tidy reads .clang-tidy" tidy_settings_parse
fi
if command -v clang-format >/dev/null; then
    check "clang-format reads .clang-format" clang-format --dump-config
fi

packages_are_listed_once() { ! sed 's/#.*//' installer/packages.txt | awk 'NF { print $1 }' | sort | uniq -d | grep .; }
check "no package is listed twice" packages_are_listed_once

licences_are_whole() {
    grep -q 'MIT License' LICENSE && grep -q 'WITHOUT WARRANTY OF ANY KIND' LICENSE &&
        grep -q 'GNU GENERAL PUBLIC LICENSE' resources/licenses/LICENSE.GPL-3.0.txt &&
        grep -q 'How to Apply These Terms' resources/licenses/LICENSE.GPL-3.0.txt
}
check "the licences are whole" licences_are_whole

readme_targets_exist() {
    local target bad=0
    while IFS= read -r target; do
        [[ -e $target ]] || { echo "README.md points at $target, which is not there"; bad=1; }
    done < <(grep -oE '\]\([^)#:]+\)|src="[^":]+"' README.md | sed -E 's/^\]\(|\)$|^src="|"$//g')
    ((bad == 0))
}
check "what README.md points at is there" readme_targets_exist
finish
