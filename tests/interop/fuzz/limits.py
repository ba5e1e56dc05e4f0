"""Refusals that resources/help/onnx_support.md announces: reasons by their wording, with what the page says."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "resources/help/onnx_support.md"

# (a pattern of the reason, the words of the page).
DOCUMENTED: list[tuple[str, str]] = [
    (r"\(Pad.*padding of mode 'wrap'", "Pad: constant, reflect, edge"),
    (r"\(If.*branches yield", "If: both branches must have the same output shapes"),
    (r"\(Conv.*samples at once in a model that mixes them", "Conv: at most 64 samples that the model mixes"),
    (r"\(FusedConv.*the activation '", "FusedConv: Relu, Sigmoid, Tanh or no activation"),
    (r"\(FusedMatMul.*batch axes that are transposed", "FusedMatMul: no transposed batch axes"),
    (r"\(Skip\w+.*the statistics of a normalisation", "normalisations: no output of the mean or the deviation"),
]


def documented(reason: str) -> str | None:
    """What the page says where it announces this refusal."""
    for pattern, words in DOCUMENTED:
        if re.search(pattern, reason):
            return words
    unknown = re.search(r"\((\w+)(?: '[^']*')?\): this program has no such operator", reason)
    if unknown and not re.fullmatch(r"F\d+", unknown[1]) and unknown[1] not in operators():  # functions are the model's
        return f"{unknown[1]} is not in the table"
    return None


def operators() -> set[str]:
    """The words of the page before the tables of test vectors, which name what is not executed."""
    return set(re.findall(r"\w+", PAGE.read_text(encoding="utf-8").split("## The test vectors")[0]))
