"""Every rule there is, and which of them a file has to be asked about.

A check of a good graph needs half of the families: those that only phrase what reading the file noted are imported
where something was noted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Final

from graphwright.rules.registry import RULES, Rule

#: Families that judge what the analyses found: every graph is asked.
JUDGING: Final = (
    "authority", "caching", "conditions", "contracts", "destinations", "edges", "environment", "flow", "injection",
    "inputs", "lookalike", "permissions", "state", "steering", "tools", "types", "unread", "writing",
)  # fmt: skip

#: Families that phrase the faults of reading and lowering, or of a command, each with its codes.
PHRASING: Final[Mapping[str, tuple[str, ...]]] = {
    "syntax": ("GW001",),
    "yaml": ("GW002", "GW003", "GW004", "GW005"),
    "files": ("GW006", "GW007", "GW008", "GW009"),
    "shape": ("GW101", "GW102", "GW103", "GW104", "GW106"),
    "schemas": ("GW105", "GW112"),
    "actions": ("GW107", "GW108", "GW109"),
    "dialects": ("GW111", "GW114"),
    "targets": ("GW201", "GW202", "GW203", "GW205"),
    "loops": ("GW305", "GW306", "GW310"),
    "expressions": ("GW401", "GW402", "GW403", "GW404"),
    "operators": ("GW405", "GW406"),
    "literals": ("GW411", "GW415", "GW416"),
    "signatures": ("GW801", "GW804"),
    "trust": ("GW802", "GW803", "GW805", "GW901"),
}
_HOMES: Final = {code: family for family, codes in PHRASING.items() for code in codes}


@cache
def catalogue() -> Mapping[str, Rule]:
    """Every rule, by code."""
    _load((*JUDGING, *PHRASING))
    return {code: RULES[code] for code in sorted(RULES)}


def rules_for(noted: Collection[str]) -> list[Rule]:
    """The rules that can have something to say about a file with faults of these codes, by code."""
    _load((*JUDGING, *dict.fromkeys(_HOMES[code] for code in noted if code in _HOMES)))
    return [RULES[code] for code in sorted(RULES) if code in noted or code not in _HOMES]


def phrasing_rule(code: str) -> Rule:
    """The rule that phrases the faults of one code."""
    _load([_HOMES[code]])
    return RULES[code]


def _load(families: Iterable[str]) -> None:
    for family in families:
        import_module(f"graphwright.rules.{family}")
