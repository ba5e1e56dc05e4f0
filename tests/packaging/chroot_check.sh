#!/usr/bin/env bash
# Installs a package of ours in a clean Debian system and uses both programs there. Not part of the tests: it needs root,
# debootstrap and a Debian mirror, which is the one that this machine's apt uses. See --help.
set -euo pipefail

usage() {
  cat <<HELP
usage: chroot_check.sh PACKAGE.deb [FOLDER]

Makes a minimal system of this Debian release in FOLDER (a new one in /var/tmp, removed at the end, where none is named; a
system that is there already is used again), installs PACKAGE.deb there with apt and nothing but its dependencies, runs
both programs as an ordinary user, and removes the package again.

Exit code: 0 all went well, 1 something did not, 2 the command line is wrong or something is missing.
HELP
}

missing() { echo "chroot_check.sh: $1; --help says more" >&2; exit 2; }
failed() { echo "FAILED: $1" >&2; exit 1; }

[[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
(($# == 1 || $# == 2)) || missing "a package is wanted"
[[ $1 == *.deb && -f $1 ]] || missing "$1 is no package"
((EUID == 0)) || missing "only root may do this"
for tool in debootstrap chroot apt-get; do
  command -v "$tool" >/dev/null || missing "$tool is not installed"
done
package=$(realpath "$1")
root=$(realpath -m "${2:-$(mktemp -d /var/tmp/ios-explorer-chroot.XXXXXX)}")

cleanup() {
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  if (($1 == 1)); then rm -rf --one-file-system "$root"; fi
}
# shellcheck disable=SC2064
trap "cleanup $(($# == 1))" EXIT

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' |
  awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }')
[[ -n $mirror ]] || missing "this machine's apt knows no mirror of $release"

if [[ ! -x $root/usr/bin/apt-get ]]; then
  echo "== a minimal $release from $mirror"
  debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 || { tail "$root.log" >&2; failed debootstrap; }
  rm -f "$root.log"
fi
chmod 755 "$root"  # mktemp's folders are for root alone, who is not the one who uses the programs
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# Proxies and the like.
apt-config dump Acquire::http Acquire::https >"$root/etc/apt/apt.conf.d/90machine" 2>/dev/null || true
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"

jail=$(command -v chroot)  # not in an ordinary user's path
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$jail" "$root" "$@"; }
as_user() { env -i PATH=/usr/bin:/bin HOME=/srv/guest LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen "$jail" --userspec=guest "$root" /bin/sh -c "cd && $1"; }
ran() { echo "ok: $1"; }
expect() {  # expect COMMAND PATTERN: the command ends well and prints a line that matches
  local said
  said=$(as_user "$1" 2>&1) || { echo "$said" >&2; failed "$1"; }
  grep -q -e "$2" <<<"$said" || { echo "$said" >&2; failed "$1 does not say $2"; }
  ran "$1"
}

echo "== installation"
cp "$package" "$root/tmp/package.deb"
inside apt-get update -q >/dev/null
inside apt-get install -q -y --no-install-recommends /tmp/package.deb >"$root/tmp/install.log" 2>&1 ||
  { tail -20 "$root/tmp/install.log" >&2; failed "apt-get install"; }
inside dpkg-query --show ios-explorer
inside id guest >/dev/null 2>&1 || inside useradd --create-home --home-dir /srv/guest guest
for program in iosx ios-explorer; do
  if inside ldd "/usr/bin/$program" | grep 'not found' >&2; then failed "a library that $program needs is not a dependency"; fi
done
ran "every library is there"

echo "== use"
version=$(inside dpkg-query --show --showformat='${Version}' ios-explorer)
expect "iosx --version" "$version"
expect "ios-explorer --version" "$version"
expect "iosx devices" "tesla-v100"
expect "iosx compare sample --device tesla-v100" "^ios-both"
expect "iosx compare sample --device cpu --verify --no-store --repeat 3" "^ios-both"
expect "ios-explorer --report out inception_v3 --device tesla-v100" "out/timeline.pdf"
for file in graph-ios-both.svg timeline.pdf utilization.png comparison.csv comparison.json trace.json; do
  [[ -s $root/srv/guest/out/$file ]] || failed "the report has no $file"
done
ran "the report is complete: $(find "$root/srv/guest/out" -type f | wc -l) files"
code=0
as_user "timeout 10 ios-explorer squeezenet" >"$root/tmp/window.log" 2>&1 || code=$?
((code == 124)) || { cat "$root/tmp/window.log" >&2; failed "the window ended by itself with $code"; }
# Qt's offscreen platform says so of itself.
sed -i '/^This plugin does not support/d' "$root/tmp/window.log"
[[ ! -s $root/tmp/window.log ]] || { cat "$root/tmp/window.log" >&2; failed "the window complained"; }
ran "the window opens and stays open"

echo "== desktop"
inside apt-get install -q -y --no-install-recommends shared-mime-info desktop-file-utils >/dev/null 2>&1
grep -q ':application/vnd.ios-explorer.run+zip:\*.iosrun' "$root/usr/share/mime/globs2" || failed "runs have no type"
grep -q ':application/vnd.ios-explorer.project+zip:\*.iosproj' "$root/usr/share/mime/globs2" || failed "projects have no type"
grep -q '^application/x-onnx=.*ios-explorer.desktop' "$root/usr/share/applications/mimeinfo.cache" || failed "ONNX models do not open with it"
ran "file types are known"

echo "== removal"
inside apt-get purge -q -y ios-explorer >/dev/null 2>&1
left=$(find "$root/usr" "$root/etc" "$root/var/lib" -name '*ios-explorer*' -not -path '*/dpkg/info/*' -not -name '*.list')
[[ -z $left && ! -e $root/usr/bin/iosx ]] || failed "left behind: $left"
ran "nothing is left behind"
