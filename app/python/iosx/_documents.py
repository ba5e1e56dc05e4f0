"""Documents that calls return: text for people, a dict for programs, a table."""

from __future__ import annotations

from typing import Any, Optional


class Document:
    """A document of the core. str() returns the text that the command line prints.

    Attributes:
        data: The dict that the command prints with --json; resources/help/command_line.md describes it.
        text: The text that the command prints without --json.
    """

    def __init__(self, data: dict[str, Any], text: str):
        self.data = data
        self.text = text

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.data.get('graph') or self.data.get('network')}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.text)}</pre>"


class Explanation(Document):
    """The explanation of a schedule."""


class Table(Document):
    """A document with a table.

    Attributes:
        csv: The table, RFC 4180, with a header line.
    """

    def __init__(self, data: dict[str, Any], text: str, table: str):
        super().__init__(data, text)
        self.csv = table

    def rows(self) -> list[dict[str, str]]:
        """Returns the rows of the table as dicts of strings."""
        import csv
        import io

        return list(csv.DictReader(io.StringIO(self.csv)))

    def to_dataframe(self):
        """Returns the table as a pandas.DataFrame."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.csv))


class Sweep(Table):
    """The latencies of schedules for each value of a parameter."""


class Experiment(Table):
    """The result of an experiment.

    Attributes:
        run: The compared schedules with their traces; None if the experiment compares none.
    """

    def __init__(self, data: dict[str, Any], text: str, table: str, run: Optional[Any]):
        super().__init__(data, text, table)
        self.run = run
