#!/usr/bin/env python3
"""Counts instructions per item of a benchmark's rows: python3 tests/bench/instructions.py BINARY [REGEX] [ITERATIONS].

Each row runs alone under callgrind with N and with 3 N iterations (2 and 6, unless told); the difference is free of set-up. Of rows
that stop the clock within an iteration only what they measure is counted. The same binary, rows and N give the same count whatever
else the machine does.
"""
import os
import re
import subprocess
import sys


PART = "measured in part"


def collected(binary, row, iterations, only_measured=False):
    literal = re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", row)  # re.escape() escapes more than the benchmark's expressions allow
    environment = dict(os.environ, SBX_BENCH_ITERATIONS=str(iterations))
    options = ["--callgrind-out-file=/dev/null"] + (["--toggle-collect=*sbx::bench::measured*"] if only_measured else [])
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", *options, binary, f"--benchmark_filter=^{literal}(/|$)"],
        env=environment, capture_output=True, text=True)
    total = re.search(r"Collected : (\d+)", run.stderr)
    items = re.search(r"items-per-iteration ([\d.]+)", run.stdout)
    if not total or not items:
        sys.exit(f"{binary}: row {row} did not run under callgrind:\n{run.stdout}\n{run.stderr}")
    if PART in run.stdout and not only_measured:
        return collected(binary, row, iterations, True)
    return int(total[1]), float(items[1]), only_measured


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = sys.argv[1]
    pattern = sys.argv[2] if len(sys.argv) > 2 else "."
    iterations = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    listing = subprocess.run([binary, "--benchmark_list_tests=true"], capture_output=True, text=True, check=True)
    print(f"{'row':58} {'instructions/item':>18}")
    for row in listing.stdout.splitlines():
        row = re.sub(r"/(iterations|repeats|manual_time).*$", "", row)
        if re.search(pattern, row):
            first, items, only_measured = collected(binary, row, iterations)
            second, _, _ = collected(binary, row, 3 * iterations, only_measured)
            print(f"{row:58} {(second - first) / (2 * iterations * items):18.1f}", flush=True)


if __name__ == "__main__":
    main()
