"""GW1xx, as far as JSON Schemas go: valid ones, and defaults that fit them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import meant

#: What to do about problems of certain sorts (`schema.structure.Problem`).
_MENDS: Final = {
    "remote": "copy the schema into `$defs` of this file and refer to it with `#/$defs/…`",
    "no schema": "write a schema such as `{type: string}`; does the line stand in the right column?",
    "slipped": "does the line stand in the right column, with a blank behind its colon? A schema is `{type: string}`",
}


@rule("GW105", Severity.ERROR, "no valid JSON Schema")
def invalid_schema(facts: Facts) -> Iterator[Finding]:
    """`config_schema`, `output_schema` or `state_schema` breaks the rules of JSON Schema (draft 2020-12), or refers
    to a schema outside of the file. Nothing is ever fetched: a graph means the same without a network. A keyword that
    is a letter or two off (`propeties`) would be allowed and ignored, and is reported as well.

    Fails:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties:
            team: {type: text}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team || 'none'}"}

    Passes:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties:
            team: {type: string}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team || 'none'}"}
    """
    for fault in facts.faults("GW105"):
        wrong = "" if fault.facts["sort"] == "keyword" else " is no valid JSON Schema"
        message = f"`{fault.facts['schema']}`{wrong}: {fault.facts['problem']}"
        mend = _MENDS.get(str(fault.facts["sort"]))
        yield Finding(fault.span, message, help=meant(fault.facts["suggestion"]) or mend)


@rule("GW112", Severity.ERROR, "default violates its own schema")
def bad_default(facts: Facts) -> Iterator[Finding]:
    """A default in `config_schema` that the schema beside it refuses: a run that relies on it would be refused too.

    Fails:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties:
            limit: {type: integer, minimum: 1, default: 0}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.limit}"}

    Passes:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties:
            limit: {type: integer, minimum: 1, default: 10}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.limit}"}
    """
    for fault in facts.faults("GW112"):
        message = f"the default of `{fault.facts['name']}` violates its own schema: {fault.facts['reason']}"
        yield Finding(fault.span, message, note="not allowed by the schema", help="change the default or the schema")
