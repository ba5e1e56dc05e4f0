"""The exceptions of the package."""


class Error(Exception):
    """An operation of IOS Explorer failed: the message says what happened, where, and what to do.

    Attributes:
        what: The problem.
        where: The file, operator or option of the problem; '' if there is none.
        remedy: What to do; '' if unknown.
    """

    def __init__(self, what: str, where: str = "", remedy: str = ""):
        super().__init__(what, where, remedy)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.remedy})" if self.remedy else text


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a call that already had a partial result: `result` contains it, in the form of the return value.

    A second Ctrl-C while the call ends, or a Ctrl-C before the first result, raises a KeyboardInterrupt.
    """

    def __init__(self, result):
        super().__init__("interrupted; .result of this exception contains the partial result")
        self.result = result
