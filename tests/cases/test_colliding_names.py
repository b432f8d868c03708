"""Names that fold together stay apart, or are refused by name; never does one silently replace the other."""

from __future__ import annotations

import yaml

from cases.graphs import graph
from checking import check_files, only
from running import compile_text, run_text

NAMES = [
    "fetch-data",
    "fetch_data",
    "fetch.data",
    "Fetch_Data",
    "\ufb01le",
    "file",
    "2nd step",
    "数据",
    "🚀",
    "class",
    "run",
]


def chain(names: list[str]) -> str:
    nodes: dict[str, object] = {
        name: {"action": {"item_id": f"shop/{index}"}, "next": names[index + 1]}
        for index, name in enumerate(names[:-1])
    }
    nodes[names[-1]] = {"type": "return"}
    return graph(yaml.safe_dump({"start": names[0], "nodes": nodes}, allow_unicode=True, sort_keys=False))


def test_every_node_runs_once_in_its_turn() -> None:
    ran = run_text(chain(NAMES), {}, lambda item, params: {})
    assert ran.path == NAMES
    assert ran.called == [f"shop/{index}" for index in range(len(NAMES) - 1)]


def test_identifiers_do_not_depend_on_the_order_of_the_file() -> None:
    def names_of(code: str) -> set[str]:
        return {line.split("(")[0] for line in code.splitlines() if line.startswith("async def ")}

    assert names_of(compile_text(chain(NAMES))) == names_of(compile_text(chain([*reversed(NAMES[:-1]), NAMES[-1]])))


def test_two_files_for_one_module_are_refused() -> None:
    text = chain(["a", "done"])
    found = only(check_files({"Daily-Report.yaml": text, "daily_report.yaml": text}), "GW007")
    mentioned = f"{found.span.path} {found.message} {found.help} {found.related}"
    assert "Daily-Report.yaml" in mentioned
    assert "daily_report.yaml" in mentioned


def test_letters_that_look_like_digits_are_names_like_any_other() -> None:
    text = graph(
        yaml.safe_dump(
            {
                "start": "l",
                "state": {"l": 1, "I": 2},
                "nodes": {
                    "l": {"type": "gate", "assign": {"O": "${state.l + inputs.l}"}, "next": "I"},
                    "I": {"type": "return", "output": {"l": "${state.l}", "O": "${state.O}", "I": "${state.I}"}},
                },
            },
            sort_keys=False,
        )
    )
    schema = "config_schema: {type: object, properties: {l: {type: integer, default: 4}}}\n"
    assert run_text(schema + text, {}, lambda item, params: {}).result.output == {"l": 1, "O": 5, "I": 2}
