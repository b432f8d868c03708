"""Lists all rules, and selects those that apply to a file.

A check of a graph without mistakes needs half of the families. Families that only phrase faults are imported if there
are any, and families about uncommon features if the graph uses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from graphwright.analysis.capability import called_id
from graphwright.rules.registry import RULES, Rule

if TYPE_CHECKING:
    from graphwright.facts import Facts

#: Families that report results of analyses, for every graph.
JUDGING: Final = (
    "authority", "caching", "constant_conditions", "contracts", "credentials", "edges", "environment", "flow", "inputs",
    "permissions", "state", "steering", "tools", "types", "unread", "writing",
)  # fmt: skip


def _runs_commands(facts: Facts) -> bool:
    from graphwright.analysis.commands import command_scalar

    return any(command_scalar(caller.action, facts.source) is not None for caller in facts.callers)


def _declares_destinations(facts: Facts) -> bool:
    """Whether a value is passed to a loop, a declared location, a directive, or a tool with known params."""
    from graphwright.ir import ForeachNode

    graph = facts.graph
    if graph is None:
        return False
    if graph.output_schema is not None or graph.state_schema is not None:
        return True
    loops = any(isinstance(node, ForeachNode) for node in facts.nodes.values())
    actions = (caller.action for caller in facts.callers)
    return loops or any(action.kind == "directive" or facts.contract(action) is not None for action in actions)


def _questions_contracts(facts: Facts) -> bool:
    """Whether all contracts have to be known, an id is misspelled, or code can contradict a tool's contract."""
    if facts.options.contracts == "complete" or any(facts.tools.near(each.action) for each in facts.callers):
        return True
    declared = (facts.tools.declaration(called_id(caller.action)) for caller in facts.callers)
    return any(each is not None and each.is_doubtful for each in declared)


def _is_beyond_ascii(facts: Facts) -> bool:
    return not facts.source.text.isascii()


#: Families about uncommon features, each with a function that tells whether the graph uses it; and their codes.
OCCASIONAL: Final[Mapping[str, tuple[Callable[[Facts], bool], tuple[str, ...]]]] = {
    "declared": (_questions_contracts, ("GW701", "GW705")),
    "destinations": (_declares_destinations, ("GW412",)),
    "injection": (_runs_commands, ("GW606",)),
    "lookalike": (_is_beyond_ascii, ("GW119",)),
}

#: Codes about the nodes, the state, the inputs and the permissions of a graph, which a file of hooks does not have.
_OF_WHOLE_GRAPHS: Final = (
    *("GW110", "GW204", "GW206", "GW207", "GW208", "GW209", "GW210", "GW211", "GW212", "GW214", "GW215", "GW216"),
    *("GW301", "GW302", "GW303", "GW304", "GW307", "GW308", "GW309", "GW503"),
)

#: Families that phrase the faults of reading and lowering, or of a command, each with its codes.
PHRASING: Final[Mapping[str, tuple[str, ...]]] = {
    "syntax": ("GW001",),
    "yaml": ("GW002", "GW003", "GW004", "GW005"),
    "files": ("GW006", "GW007", "GW008", "GW009"),
    "shape": ("GW101", "GW102", "GW103", "GW104", "GW106", "GW111", "GW114"),
    "schemas": ("GW105", "GW112", "GW117"),
    "actions": ("GW107", "GW108", "GW109", "GW118"),
    "targets": ("GW201", "GW202", "GW203", "GW205"),
    "loops": ("GW305", "GW306", "GW310"),
    "expressions": ("GW401", "GW402", "GW403", "GW404", "GW417"),
    "operators": ("GW405", "GW406"),
    "literals": ("GW411", "GW415", "GW416"),
    "trust": ("GW801", "GW802", "GW803", "GW804", "GW805", "GW901"),
}
_HOMES: Final = {code: family for family, codes in PHRASING.items() for code in codes}
#: Codes whose rules only apply in certain situations.
_WAITING: Final = _HOMES.keys() | {code for _, codes in OCCASIONAL.values() for code in codes}


@cache
def catalogue() -> Mapping[str, Rule]:
    """All rules by code."""
    _load((*JUDGING, *OCCASIONAL, *PHRASING))
    return {code: RULES[code] for code in sorted(RULES)}


def rules_for(facts: Facts) -> list[Rule]:
    """The rules that may have findings in a file, by code."""
    noted = facts.noted()
    met = {family: codes for family, (occurs, codes) in OCCASIONAL.items() if occurs(facts)}
    _load((*JUDGING, *met, *dict.fromkeys(_HOMES[code] for code in noted if code in _HOMES)))
    wanted = noted.union(*met.values())
    without = _OF_WHOLE_GRAPHS if facts.is_hooks else ()
    return [RULES[code] for code in sorted(RULES) if code not in without and (code in wanted or code not in _WAITING)]


def phrasing_rule(code: str) -> Rule:
    """The rule that phrases the faults with a code."""
    _load([_HOMES[code]])
    return RULES[code]


def _load(families: Iterable[str]) -> None:
    for family in families:
        import_module(f"graphwright.rules.{family}")
