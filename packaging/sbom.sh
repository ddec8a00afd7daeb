#!/usr/bin/env bash
# What is compiled into the program for a platform, by CycloneDX: dist/undust-VERSION-TARGET.cdx.json.
#
#   packaging/sbom.sh [TARGET]
#
# cargo-cyclonedx names what any set of features would bring in. Only crates that are part of this
# program are kept, and those that helped to build it.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:-$(rustc --print host-tuple)}
version=$(grep -m 1 '^version' Cargo.toml | cut -d '"' -f 2)
name=undust-$version-$target.cdx.json
trap 'find . -name sbom.all.json -not -path "./target/*" -delete' EXIT
cargo cyclonedx --quiet --format json --spec-version 1.5 --target "$target" --override-filename sbom.all
mkdir -p dist
cargo tree --locked -p undust-cli -e normal,build --target "$target" --prefix none --format '{p}' |
  python3 packaging/sbom.py sbom.all.json >"dist/$name"
echo "dist/$name"
