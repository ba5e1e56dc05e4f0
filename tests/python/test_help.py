"""The help page: its code runs as it stands there, from top to bottom."""

import contextlib
import io
import os
import re
import unittest
import warnings

from support import Case, needs_cpu, needs_numpy

try:
    import torch
except ImportError:
    torch = None

PAGE = os.path.join(os.path.dirname(__file__), "../../resources/help/python.md")


def programs(page):
    """Returns what is indented in a page and is Python, with the number of its line."""
    found = []
    for block in re.finditer(r"(?:^    .*\n)+", page, re.MULTILINE):
        text = re.sub(r"^    ", "", block[0], flags=re.MULTILINE)
        try:
            found.append((page[: block.start()].count("\n") + 1, text, compile(text, PAGE, "exec")))
        except SyntaxError:  # the shell's
            pass
    return found


@needs_cpu
@needs_numpy
class Help(Case):
    def test_every_block_runs_as_it_stands(self):
        if not os.path.exists(PAGE):
            self.skipTest("these tests lie outside of the repository")
        with open(PAGE, encoding="utf-8") as file:
            blocks = programs(file.read())
        self.assertEqual(len(blocks), 4)
        before = os.getcwd()
        os.chdir(self.folder.name)
        self.addCleanup(os.chdir, before)
        names = {}
        warnings.simplefilter("ignore", ResourceWarning)  # the page leaves closing its file to Python
        self.addCleanup(warnings.resetwarnings)
        for line, text, program in blocks:
            if "torch" in text and torch is None:
                continue
            with self.subTest(line=line), contextlib.redirect_stdout(io.StringIO()) as said:
                exec(program, names)  # pylint: disable=exec-used
            if "print" in text:
                self.assertIn("times as fast as sequential", said.getvalue())
        self.assertGreater(os.path.getsize("squeezenet.html"), 10_000)
        self.assertEqual(names["merged"].stages, [[[("a", "b")]], [["both"]]])
        if torch:
            with torch.no_grad():
                torch.testing.assert_close(names["fast"](names["x"]), names["module"](names["x"]), rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
