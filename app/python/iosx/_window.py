"""The window: opens it on a run, and gets the run that it shows."""

from __future__ import annotations

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from . import _core
from ._errors import Error


def program(name: str) -> str:
    """Returns the path of a program that was built or installed with this package, or that PATH finds."""
    here = pathlib.Path(__file__).resolve().parent
    for place in ("bin", "../../bin", "../../../../bin"):
        if (here / place / name).exists():
            return str((here / place / name).resolve())
    found = shutil.which(name)
    if found is None:
        raise Error(f"the program {name} is not installed", "", "build it with run.sh, or install its package")
    return found


def show(run) -> None:
    """Opens the window on this run, in a process of its own."""
    window = program("ios-explorer")
    folder = tempfile.mkdtemp(prefix="iosx-")
    path = os.path.join(folder, f"{run.network}.iosrun".replace("/", "_"))
    run.save(path)
    subprocess.Popen([window, path], start_new_session=True)  # pylint: disable=consider-using-with


def sockets() -> list[pathlib.Path]:
    """Returns where windows of this user listen, the one that was used last first."""
    folder = pathlib.Path(os.environ.get("XDG_RUNTIME_DIR") or f"/tmp/ios-explorer-{os.getuid()}")
    found = [each for each in folder.glob("ios-explorer-*.socket") if each.stat().st_uid == os.getuid()]
    return sorted(found, key=lambda each: each.stat().st_mtime, reverse=True)


def attach():
    """Returns the run that the window shows: of several windows, that which was used last.

    Raises:
        Error: No window is open, or it shows no run.
    """
    for place in sockets():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(10)
            try:
                connection.connect(str(place))
            except (ConnectionRefusedError, FileNotFoundError):
                continue  # of a window that was killed
            data = b"".join(iter(lambda: connection.recv(1 << 20), b""))
        if not data:
            raise Error("the window shows no run yet", "", "optimize there, or open a run file")
        with tempfile.NamedTemporaryFile(suffix=".iosrun") as file:
            file.write(data)
            file.flush()
            return _core.open_run(file.name)
    raise Error("no window of IOS Explorer is open", "", "open one with ios-explorer, or with run.show()")


def install() -> None:
    """Gives runs the method show()."""
    _core.Run.show = show
