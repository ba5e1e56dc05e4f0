"""What calls answer that are documents: text for people, a dict for programs, a table."""

from __future__ import annotations

from typing import Any, Optional


class Document:
    """A document of the core. str() of it is what the command line prints.

    Attributes:
        data: The dict that the command prints with --json; resources/help/command_line.md says what is in it.
        text: What it prints without.
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
    """Why a schedule is as it is."""


class Table(Document):
    """A document with a table.

    Attributes:
        csv: The table, RFC 4180, with a header line.
    """

    def __init__(self, data: dict[str, Any], text: str, table: str):
        super().__init__(data, text)
        self.csv = table

    def rows(self) -> list[dict[str, str]]:
        """Returns the table's rows as dicts of texts."""
        import csv
        import io

        return list(csv.DictReader(io.StringIO(self.csv)))

    def to_dataframe(self):
        """Returns the table as a pandas.DataFrame."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.csv))


class Sweep(Table):
    """What schedules take, value by value."""


class Experiment(Table):
    """What an experiment found.

    Attributes:
        run: The schedules that were compared, with their traces; None where there is no such comparison.
    """

    def __init__(self, data: dict[str, Any], text: str, table: str, run: Optional[Any]):
        super().__init__(data, text, table)
        self.run = run
