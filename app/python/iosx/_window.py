"""Opens the window on a run, and gets the run that the window shows."""

from __future__ import annotations

import os

from . import _core
from ._errors import Error


def program(name: str) -> str:
    """Returns the path of a program that was built or installed with this package, or that is in PATH."""
    import shutil

    here = os.path.dirname(os.path.realpath(_core.__file__))
    for place in ("bin", "../../bin", "../../../../bin"):
        path = os.path.join(here, place, name)
        if os.path.exists(path):
            return os.path.realpath(path)
    found = shutil.which(name)
    if found is None:
        raise Error(f"the program {name} is not installed", "", "build it with run.sh, or install its package")
    return found


def show(self) -> None:
    """Opens the window on this run in a separate process. The temporary file is removed when the process ends."""
    import subprocess
    import tempfile

    window = program("ios-explorer")
    folder = tempfile.mkdtemp(prefix="iosx-")
    path = os.path.join(folder, f"{self.network}.iosrun".replace("/", "_"))
    self.save(path)
    # A shell beside this process, which may end sooner, waits for the window.
    script = '("$1" "$2"; rm -rf "$3") &'
    subprocess.run(["sh", "-c", script, "sh", window, path, folder], start_new_session=True, check=True)


def sockets() -> list[str]:
    """Returns the sockets of the windows of this user; the last used window is first."""
    import glob

    folder = os.environ.get("XDG_RUNTIME_DIR") or f"/tmp/ios-explorer-{os.getuid()}"
    found = glob.glob(os.path.join(glob.escape(folder), "ios-explorer-*.socket"))
    used = []
    for path in found:
        try:
            status = os.stat(path)
        except OSError:  # it went meanwhile
            continue
        if status.st_uid == os.getuid():
            used.append((status.st_mtime, path))
    return [path for _, path in sorted(used, reverse=True)]


def attach():
    """Returns the run that the window shows. If several windows are open, the last used window counts.

    Raises:
        Error: No window is open, or the window shows no run.
    """
    import socket
    import tempfile

    for place in sockets():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(10)
            try:
                connection.connect(place)
                data = b"".join(iter(lambda: connection.recv(1 << 20), b""))
            except TimeoutError:
                raise Error("the window does not answer", place, "check whether the window waits for an input") from None
            except OSError:
                continue  # of a window that was killed
        if not data:
            raise Error("the window shows no run yet", "", "run optimize in the window, or open a run file")
        with tempfile.NamedTemporaryFile(suffix=".iosrun") as file:
            file.write(data)
            file.flush()
            return _core.open_run(file.name)
    raise Error("no window of IOS Explorer is open", "", "open one with ios-explorer, or with run.show()")


def install() -> None:
    """Adds the method show() to runs."""
    _core.Run.show = show
