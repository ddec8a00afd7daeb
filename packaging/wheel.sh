#!/usr/bin/env bash
# The Python wheel of a platform: the module, and the program beside it, so that `pip install undust`
# gives both. The wheel lies in dist/.
#
#   packaging/wheel.sh PROGRAM [OPTION OF maturin...]
#
# PROGRAM is a program for that platform; PROFILE names another profile than `release` for the module. For
# Linux a static one (target ...-linux-musl) runs everywhere; the module is linked with an old glibc by
# `--zig` (pip install 'maturin[zig]'):
#
#   packaging/wheel.sh target/x86_64-unknown-linux-musl/dist/undust --zig --compatibility manylinux_2_28
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."

# maturin puts what is here where the environment has its programs.
scripts=python/undust._undust.data/scripts
trap 'rm -rf python/undust._undust.data' EXIT
mkdir -p "$scripts"
install -m 755 "$program" "$scripts/$(basename "$program")"
maturin build --manifest-path python/Cargo.toml --locked --profile "${PROFILE:-release}" --out dist "${@:2}"
