"""The exceptions of the package."""


class Error(Exception):
    """Something that IOS Explorer could not do: what, where, and what to do about it.

    Attributes:
        what: What went wrong.
        where: The file, operator or option that it is about; '' where there is none.
        remedy: What to do about it; '' where nobody knows.
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
    """Ctrl-C stopped a call that had found something: `result` is what the call would have returned, as far as it came.

    A second Ctrl-C while it ends, or one before anything was found, is a KeyboardInterrupt.
    """

    def __init__(self, result):
        super().__init__("interrupted; .result of this exception has what was found")
        self.result = result
