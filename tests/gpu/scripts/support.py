"""What the tests of the scripts in gpu/ share: a folder of its own for each test, and programs made up for it."""

import importlib.util
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GPU = Path(__file__).resolve().parents[3] / "gpu"
sys.dont_write_bytecode = True
sys.path.insert(0, str(GPU))


def load(script):
    """Returns the script as a module."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class ScriptTest(unittest.TestCase):
    """Runs scripts in a folder whose name has a space, as what users call theirs may have."""

    TIMEOUT = 240  # seconds, of a command: what hangs, not what a busy machine is slow at

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="made up ")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name).resolve()
        self.output = ""

    def environment(self, **changes):
        """Puts the programs made up for the test before all others."""
        return {**os.environ, "PATH": f"{self.folder}/path:{os.environ['PATH']}", **changes}

    def run_script(self, code, command, **changes):
        """Runs a command, whose exit code must be this one, and keeps what it prints."""
        self.assertEqual(self.run_any(command, **changes), code, f"{command}\n{self.output}")

    def run_any(self, command, **changes):
        """Runs a command, keeps what it prints, and returns its exit code."""
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=self.environment(**changes),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=self.TIMEOUT)
        self.output = done.stdout
        return done.returncode

    def says(self, text):
        self.assertIn(text, self.output)

    def write(self, path, text, mode=0o644):
        """Writes a file of the test's folder."""
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def read(self, path):
        return (self.folder / path).read_text()

    def instead(self, name, text):
        """Makes a shell script of that name, which comes before every other program."""
        self.write(f"path/{name}", f"#!/bin/sh\nhere={shlex.quote(str(self.folder))}\n{text}\n", 0o755)
