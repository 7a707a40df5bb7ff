# shellcheck shell=bash
# Sourced by the tests of this folder: named checks, counted.
set -uo pipefail
passed=0
failed=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/signalbox-house.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

check() { # NAME COMMAND...: the command must succeed
    if "${@:2}" >"$scratch/output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$1"
        sed 's/^/    /' "$scratch/output"
    fi
}

finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
    exit
}
