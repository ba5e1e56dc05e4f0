"""The program iosx: python3 -m iosx compare squeezenet."""

import os
import sys


def main() -> None:
    from ._window import program

    path = program("iosx")
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
