#!/usr/bin/env bash
# The Debian package: dist/undust_VERSION_ARCH.deb, of an archive that packaging/archive.sh made.
#
#   packaging/deb.sh dist/undust-VERSION-TARGET.tar.gz
#
# It needs cargo-deb (cargo install cargo-deb). With a static program (target ...-linux-musl) the
# package needs no other and installs on any Debian or Ubuntu.
set -euo pipefail
archive=$(realpath "$1")
cd "$(dirname "$0")/.."

target=$(basename "$archive" .tar.gz)
target=${target#undust-*-}
rm -rf dist/deb
trap 'rm -rf dist/deb' EXIT
mkdir -p dist/deb
tar -xzf "$archive" -C dist/deb --strip-components=1
cargo deb --no-build --no-strip --target "$target" --output dist/
