"""Writes iosx/_calls.pyi for type checkers: the functions of _calls.py with the options that the core knows for them.

    python3 stubs.py FOLDER    # in which the package iosx lies
"""

import ast
import inspect
import os
import sys


def stub_of(calls) -> str:
    """Returns the text for the module iosx._calls."""
    with open(calls.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    lines = ['"""Written by app/python/stubs.py."""']
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lines.append(ast.unparse(node))
        elif isinstance(node, ast.Assign) and not node.targets[0].id.startswith("_"):
            lines.append(ast.unparse(node))
        elif isinstance(node, ast.FunctionDef):
            public = not node.name.startswith("_")
            signature = inspect.signature(getattr(calls, node.name)) if public else "(*given: Any, **named: Any) -> Any"
            lines.append(f"def {node.name}{signature}: ...")
    return "\n".join(lines) + "\n"


def main(folder: str) -> None:
    """Imports the package there, and writes the file into it."""
    sys.path.insert(0, folder)
    from iosx import _calls

    with open(os.path.join(folder, "iosx", "_calls.pyi"), "w", encoding="utf-8") as file:
        file.write(stub_of(_calls))


if __name__ == "__main__":
    main(sys.argv[1])
