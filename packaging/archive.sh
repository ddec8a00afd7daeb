#!/usr/bin/env bash
# The program for a platform as an archive with its manual pages, completions and licences:
# dist/undust-VERSION-TARGET.tar.gz, and its checksum beside it.
#
#   packaging/archive.sh [TARGET [PROGRAM]]
#
# TARGET is the compiler's name of the platform; this machine's unless told. PROGRAM is a program
# that is built already; without it, it is built.
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc --print host-tuple)
target=${1:-$host}
version=$(grep -m 1 '^version' Cargo.toml | cut -d '"' -f 2)
name=undust-$version-$target
suffix=
[[ $target == *windows* ]] && suffix=.exe

program=${2:-}
if [ -z "$program" ]; then
  # The C code of zstd is compiled for musl, too.
  [[ $target == *-linux-musl ]] && export "CC_${target//-/_}=${CC:-musl-gcc}"
  cargo build --profile dist --locked --target "$target"
  program=target/$target/dist/undust$suffix
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p dist "$folder/$name/man" "$folder/$name/completions"
install -m 755 "$program" "$folder/$name/undust$suffix"
install -m 644 README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT train.toml "$folder/$name"
"$program" man "$folder/$name/man" >/dev/null
for shell in bash elvish fish powershell zsh; do
  "$program" completions "$shell" >"$folder/$name/completions/undust.$shell"
done

# Nothing of the time or of who packed it: the same program gives the same archive.
tar=$(command -v gtar || command -v tar) # macOS has GNU tar under this name
"$tar" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$folder" -cf - "$name" |
  gzip -9n >"dist/$name.tar.gz"
sum=$(command -v sha256sum || echo 'shasum -a 256')
(cd dist && $sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "dist/$name.tar.gz"
