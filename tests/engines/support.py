"""What the tests of resources/engines share: an adapter as the program talks to it."""

import json
import subprocess
import sys
from pathlib import Path

ENGINES = Path(__file__).resolve().parents[2] / "resources" / "engines"
ADAPTERS = sorted(path for path in ENGINES.glob("*.py") if path.name != "protocol.py")
sys.dont_write_bytecode = True


class Adapter:
    """A running adapter. What it writes to standard error is kept in a file, which is closed with it."""

    def __init__(self, path, folder, python=(sys.executable,)):
        self.log = open(Path(folder) / "stderr", "w+b")
        self.process = subprocess.Popen([*python, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, cwd=folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for each in (self.process.stdin, self.process.stdout, self.log):
            each.close()

    def send(self, line):
        """The answer to a line of bytes."""
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise AssertionError(f"no answer to {line[:200]}; exit code {self.process.wait()}\n{self.said()[-4000:]}")
        return json.loads(answer)

    def ask(self, do, **fields):
        return self.send(json.dumps({"do": do, **fields}).encode())

    def said(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def end(self):
        """What is left of its answers after the input ends, and its exit code."""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return rest, self.process.wait(timeout=60)
