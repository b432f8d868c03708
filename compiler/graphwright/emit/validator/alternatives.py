"""Emits the checks of `anyOf` and `oneOf`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from graphwright.emit.literals import strings
from graphwright.emit.validator import kinds
from graphwright.emit.validator.blocks import alternatives, when
from graphwright.emit.validator.instance import Instance
from graphwright.ir import Json
from graphwright.schema.walk import listed, mapping

if TYPE_CHECKING:
    from graphwright.emit.validator.compiler import Compiler


def alternatives_checked(compiler: Compiler, schema: dict[str, Json], instance: Instance) -> list[str]:
    """Statements for the alternatives of a simplified schema.

    If a value matches none, the runtime gets their functions, to tell what is wrong with the one that was meant.
    """
    lines: list[str] = []
    for keyword in ("anyOf", "oneOf"):
        options = listed(schema.get(keyword))
        if not options:
            continue
        functions = [compiler.function(option, instance) for option in options]
        tests = [compiler.tested(option, name, instance) for option, name in zip(options, functions, strict=True)]
        arguments = [instance.shown, instance.variable, *filter(None, functions)]
        constants = Counter(key for option in options for key in _constants(compiler, option))
        if tags := tuple(key for key, count in constants.items() if count > 1):
            arguments.append(f"tags={strings(tags)}")
        if keyword == "anyOf":
            test = kinds.negated(alternatives(tests))
        else:
            test = f"(matching := sum([{', '.join(tests)}])) != 1"
            arguments.append("matching=matching")
        lines += when(test, [f"problem.none_of({', '.join(arguments)})"])
    return lines


def _constants(compiler: Compiler, option: Json) -> list[str]:
    """The keys for which an alternative declares constants."""
    reference = mapping(option).get("$ref")
    parts = [option, compiler.simplifier.target(reference)] if isinstance(reference, str) else [option]
    properties = [item for part in parts for item in mapping(mapping(part).get("properties")).items()]
    return list(dict.fromkeys(key for key, part in properties if "enum" in mapping(part)))
