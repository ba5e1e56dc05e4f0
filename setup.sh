# shellcheck shell=bash
# What run.sh and test.sh share; sourced by them from the root of the repository.

# One package a line in packages.txt; the rest of a line from # on is a comment.
listed_packages() {
  sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' packages.txt
}

# Installs the listed packages that are missing. Does nothing where all are there, and says so plainly where it cannot help.
install_missing_packages() {
  local packages missing installed
  mapfile -t packages < <(listed_packages)
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian system, so nothing is installed. packages.txt lists what Debian 12 calls the packages" >&2
    echo "that you need; if the build below misses one, install what your system calls it and start again." >&2
    return
  fi
  # dpkg-query fails if it does not know one of the names, but lists the others all the same.
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  missing=()
  local package
  for package in "${packages[@]}"; do
    grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$installed" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Packages are missing and sudo is not there to install them. Run this as root, then start again:" >&2
      echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update --quiet
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
}

# configure PRESET: once; after that the build itself notices changed CMake files.
configure() {
  if [[ -f build/$1/build.ninja ]]; then return; fi
  cmake --preset "$1"
}

# build PRESET [TARGET...]: everything without a target. Silent if there is nothing to do.
build() {
  local preset=$1 targets=()
  shift
  if (($# > 0)); then targets=(--target "$@"); fi
  configure "$preset"
  cmake --build --preset "$preset" "${targets[@]}" |
    sed --unbuffered -e '/^ninja: no work to do\.$/d' -e '/Re-checking globbed directories/d'
}
