"""Compiles a case's graph, runs the module with the scripted tools, and compares everything that the case states."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from conformance.case import Case, read_case
from graphwright_runtime.testing.compare import difference, multiset_difference, show, unequal
from graphwright_runtime.tooling import Call
from running import Ran, compile_text, loaded, run_module

#: Seconds that a run may take; nothing in a case waits for anything.
PATIENCE = 20


def judge(folder: Path) -> str | None:
    """The first difference between what a case expects and what comes out; None where there is none."""
    case = read_case(folder)
    with loaded(compile_text(case.graph, path=f"graphs/{folder.name}.yaml")) as module:
        return _compare(case.expect, asyncio.run(_run(case, module)))


async def _run(case: Case, module: ModuleType) -> Ran:
    async with asyncio.timeout(PATIENCE):
        return await run_module(
            module,
            case.inputs,
            lambda item_id, params: case.script.answer(item_id),
            capabilities=case.capabilities,
            env=case.env,
        )


def _compare(expect: Mapping[str, object], ran: Ran) -> str | None:
    result = ran.result
    if expect.get("status") != result.status:
        return f"{unequal(expect.get('status'), result.status, 'status')} ({result.node}: {result.error})"
    comparisons = [
        _error(expect.get("error"), result.node, result.error),
        _calls(expect, [_as_case(call) for call in ran.calls]),
    ]
    exact = {
        "path": ran.path,
        "suppressed": [entry.node for entry in result.errors or ()],
        "state": result.state,
        "output": result.output,
        "steps": result.steps,
    }
    comparisons += [difference(expect[key], value, key) for key, value in exact.items() if key in expect]
    if "result_has" in expect:
        comparisons.append(difference({"$has": expect["result_has"]}, result.to_dict(), "result"))
    return next((found for found in comparisons if found is not None), None)


def _error(expected: object, node: str | None, text: str | None) -> str | None:
    if not isinstance(expected, Mapping):
        return None if text is None else unequal(expected, text, "error")
    if text is None:
        return unequal(expected, None, "error")
    if expected.get("node") not in {None, node}:
        return unequal(expected["node"], node, "error.node")
    contains = str(expected.get("contains") or "")
    if contains.lower() not in text.lower():
        return f"error: expected a text with {show(contains)}, got {show(text)}"
    return None


def _as_case(call: Call) -> dict[str, object]:
    return {"primary": call.primary, "kind": call.kind, "item_id": call.item_id, "params": call.params}


def _calls(expect: Mapping[str, object], calls: list[dict[str, object]]) -> str | None:
    if "calls" not in expect:
        return None
    expected = expect["calls"]
    if expect.get("calls_unordered") and isinstance(expected, list):
        return multiset_difference(expected, calls, "calls")
    return difference(expected, calls, "calls")
