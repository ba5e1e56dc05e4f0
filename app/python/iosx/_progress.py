"""Listeners for the progress of a long call: a callback, a bar of tqdm, or none."""

import sys


class Quiet:
    """Sends notices to the logger "iosx"."""

    def progress(self, phase: str, done: int, total: int) -> None:
        pass

    def begin(self, phase: str) -> None:
        """Says that something begins whose progress nobody knows."""
        self.progress(phase, 0, 0)

    def notice(self, text: str) -> None:
        import logging

        logging.getLogger("iosx").warning("%s", text)

    def close(self) -> None:
        pass


class Callback(Quiet):
    """Calls a function of the user with (phase, done, total); total is 0 if it is unknown."""

    def __init__(self, function):
        self.function = function

    def progress(self, phase: str, done: int, total: int) -> None:
        self.function(phase, done, total)


class Bar(Quiet):
    """A bar of tqdm, a new one for each phase."""

    def __init__(self, tqdm):
        self.tqdm = tqdm
        self.bar = None
        self.phase = None

    def progress(self, phase: str, done: int, total: int) -> None:
        if self.bar is None or phase != self.phase:
            self.close()
            self.phase = phase
            self.bar = self.tqdm(total=total or None, desc=phase, leave=False, delay=0.5)
        self.bar.total = total or None
        self.bar.update(done - self.bar.n)

    def begin(self, phase: str) -> None:
        self.close()
        self.phase = phase
        self.bar = self.tqdm(desc=phase, leave=False, bar_format="{desc}")

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def listener(progress):
    """Returns the listener: for a callable, True (a bar), False (none), or None (a bar in a terminal or notebook)."""
    if callable(progress):
        return Callback(progress)
    if progress is None:
        progress = in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    if not isinstance(progress, bool):
        raise TypeError(f"progress must be a function, True or False, not {progress!r}")
    if progress:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return Quiet()
        return Bar(tqdm)
    return Quiet()
