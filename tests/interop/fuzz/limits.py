"""Refusals that resources/help/onnx_support.md announces: reasons by their wording, with what the page says."""

import re

# (a pattern of the reason, the words of the page).
DOCUMENTED: list[tuple[str, str]] = [
    (r"\(Pad.*padding of mode 'wrap'", "Pad: constant, reflect, edge"),
    (r"\(Conv.*samples at once in a model that mixes them", "Conv: at most 16 samples that the model mixes"),
]


def documented(reason: str) -> str | None:
    """What the page says where it announces this refusal."""
    for pattern, words in DOCUMENTED:
        if re.search(pattern, reason):
            return words
    return None
