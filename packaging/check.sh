#!/usr/bin/env bash
# Installs what packaging/ makes, as users would, and takes it away again: of the program that is built
# (target/release/undust unless another is named). Where a tool is missing, its part says so.
#
#   packaging/check.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "${1:-target/release/undust}")
version=$("$program" --version | sed -n '1s/^undust //p')
work=$(mktemp -d)
trap 'rm -rf "$work"; ! command -v podman >/dev/null || podman rm --force undust-check >/dev/null 2>&1 || true' EXIT
url='http://wiki.example.test/mediawiki/index.php?title=Special:UserLogin&returnto=Main+Page'
form=http://wiki.example.test/mediawiki/index.php/Special:UserLogin

# Whether a command is the program: its version, its answer, its exit codes, and what a signal does to it.
answers() {
  [ "$("$@" --version | head -n 1)" = "undust $version" ]
  [ "$(echo "$url" | "$@" translate --models models)" = "$form" ]
  local code=0
  "$@" no-such-command 2>/dev/null || code=$?
  [ "$code" -eq 2 ]
  code=0
  timeout --foreground --preserve-status -s TERM 2 "$@" serve -q --listen 127.0.0.1:0 --models models 2>/dev/null || code=$?
  [ "$code" -eq 0 ]
}

missing() { echo "not run: $2, for lack of $1" | tee -a "${NOT_RUN:-/dev/null}"; }

echo "== the archive"
target=$(rustc --print host-tuple)
packaging/archive.sh "$target" "$program"
first=$(sha256sum <"dist/undust-$version-$target.tar.gz")
packaging/archive.sh "$target" "$program" >/dev/null
[ "$first" = "$(sha256sum <"dist/undust-$version-$target.tar.gz")" ]
(cd dist && sha256sum --quiet -c "undust-$version-$target.tar.gz.sha256")
mkdir "$work/archive"
tar -xzf "dist/undust-$version-$target.tar.gz" -C "$work/archive" --strip-components=1
answers "$work/archive/undust"
for file in man/undust.1 man/undust-train.1 completions/undust.bash LICENSE-MIT LICENSE-APACHE; do
  [ -s "$work/archive/$file" ]
done

echo "== npm"
if command -v npm >/dev/null; then
  node packaging/npm/build.mjs "$work/npm" "linux-x64=$program" >/dev/null
  for package in "$work/npm/undust" "$work/npm/@undust/linux-x64"; do
    npm pack --silent --pack-destination "$work" "$package" >/dev/null
  done
  mkdir "$work/app"
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$work/app" "$work"/undust-*.tgz >/dev/null
  answers "$work/app/node_modules/.bin/undust"
  rm -r "$work/app/node_modules/@undust"
  ! "$work/app/node_modules/.bin/undust" --version 2>"$work/told"
  grep -q 'the package @undust/linux-x64 is not installed' "$work/told"
else
  missing npm "the npm packages"
fi

echo "== the Debian package"
if cargo deb --version >/dev/null 2>&1 && command -v dpkg >/dev/null; then
  packaging/deb.sh "dist/undust-$version-$target.tar.gz" >/dev/null
  package=$(ls dist/undust_*.deb)
  mkdir -p "$work/root/var/lib/dpkg/info" "$work/root/var/lib/dpkg/updates"
  touch "$work/root/var/lib/dpkg/status"
  dpkg --root="$work/root" --force-depends --install "$package" >/dev/null 2>&1
  answers "$work/root/usr/bin/undust"
  [ -s "$work/root/usr/share/man/man1/undust.1.gz" ]
  dpkg --root="$work/root" --purge undust >/dev/null 2>&1
  [ ! -e "$work/root/usr/bin/undust" ] && [ ! -e "$work/root/usr/share/doc/undust" ]
else
  missing "cargo-deb and dpkg" "the Debian package"
fi

echo "== the wheel"
maturin=${MATURIN:-target/python/venv/bin/maturin}
if [ -x "$maturin" ]; then
  rm -f dist/*.whl
  PATH=$PWD/$(dirname "$maturin"):$PATH CARGO_TARGET_DIR=$PWD/target/python PROFILE=quick \
    packaging/wheel.sh "$program" --quiet --interpreter python3
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --no-index --no-deps dist/*.whl
  answers "$work/venv/bin/undust"
  [ "$("$work/venv/bin/python" -c 'import undust; print(undust.__version__)')" = "$version" ]
  [ "$(stat -c %s dist/*.whl)" -lt $((25 << 20)) ]
else
  missing maturin "the wheel"
fi

# Whether podman makes and starts the image. Where the base cannot be had, on none.
podman_starts_image() {
  local base=gcr.io/distroless/static-debian12:nonroot
  podman pull --quiet "$base" >/dev/null 2>&1 || base=scratch
  cp "$program" "$work/undust"
  podman build --quiet --format docker -f packaging/Containerfile --build-arg BASE="$base" \
    --build-arg PROGRAM=undust -t undust-check "$work" >/dev/null || return 1
  podman run --rm --read-only undust-check --version >"$work/version" || return 1
  echo "   by podman, on $base"
}
image_answers() {
  [ "$(head -n 1 "$work/version")" = "undust $version" ]
  podman run --detach --read-only --name undust-check -e UNDUST_TOKEN=check -v "$PWD/models:/models:ro" undust-check >/dev/null
  for _ in $(seq 50); do
    podman healthcheck run undust-check >/dev/null 2>&1 && break
    sleep 0.1
  done
  podman healthcheck run undust-check >/dev/null
  [ "$(echo "$url" | podman exec -i undust-check /usr/bin/undust translate --models /models)" = "$form" ]
  podman stop --time 5 undust-check >/dev/null
  [ "$(podman inspect --format '{{.State.ExitCode}} {{.Config.User}}' undust-check)" = "0 65532:65532" ]
  podman rm undust-check >/dev/null
  podman rmi undust-check >/dev/null
}
image_without_an_engine() {
  mkdir -p "$work/image/usr/bin"
  cp "$program" "$work/image/usr/bin/undust"
  cp -r models "$work/image/models"
  chmod -R a-w "$work/image"
  in_image() { chroot --userspec=65532:65532 "$work/image" /usr/bin/undust "$@"; }
  [ "$(echo "$url" | in_image translate --models /models)" = "$form" ]
  in_image serve -q --models /models --listen 127.0.0.1:17878 2>/dev/null &
  local server=$!
  for _ in $(seq 50); do
    in_image serve --check 127.0.0.1:17878 2>/dev/null && break
    sleep 0.1
  done
  in_image serve --check 127.0.0.1:17878
  kill "$server" && wait "$server"
  chmod -R u+w "$work/image"
}
echo "== the SBOM"
if cargo cyclonedx --version >/dev/null 2>&1; then
  packaging/sbom.sh "$target"
  sbom=$(cat "dist/undust-$version-$target.cdx.json")
  [[ $sbom == *'"pkg:cargo/serde@'* ]] && [[ $sbom != *'pkg:cargo/wgpu@'* ]] && [[ $sbom != *file://* ]]
else
  missing cargo-cyclonedx "the SBOM"
fi

echo "== the image"
if ! file "$program" 2>/dev/null | grep -qE 'static(ally|-pie) linked' || [ "$(id -u)" -ne 0 ]; then
  missing "a static program, or the rights of root" "the image"
elif command -v podman >/dev/null && podman_starts_image 2>/dev/null; then
  image_answers
else
  echo "   without an engine"
  image_without_an_engine
fi
echo "== what packaging/ makes can be installed"
