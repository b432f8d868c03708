"""The example graphs in the documentation of the rules."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from graphwright.checking.inspection import catalogue

_EXAMPLE = re.compile(r"^(Fails|Passes):[ ]*\n((?:    .*\n|\n)+)", re.MULTILINE)


def examples(*labels: str) -> Iterator[tuple[str, str]]:
    """Each example graph under one of the labels (`Fails`, `Passes`), with the code of its rule."""
    for code, rule in catalogue().items():
        for found in _EXAMPLE.finditer(f"{rule.documentation}\n"):
            if found[1] in labels:
                yield code, textwrap.dedent(found[2])
