"""Unknown, misplaced and missing keys, wrong values: one fault each, and read on as what was meant."""

from __future__ import annotations

import pytest

from front.reading import codes_of, facts_of, faults_of, graph, lowered, only
from graphwright.faults.keys import (
    AsyncLoop,
    IdleHook,
    KeyOfOtherForm,
    KeyOfOtherType,
    MissingKey,
    NoControlHere,
    OlderSpelling,
    TwoControls,
    UnknownKey,
    UnknownWord,
    UnsupportedKey,
    WrongAmount,
    WrongValue,
)
from graphwright.faults.yaml import AmbiguousScalar, NotJson
from graphwright.ir import visit

WORK = "    work: {action: {item_id: tool:a/b}, next: done}\n"
DONE = "    done: {type: return}\n"
NODES = WORK + DONE


def acting(more: str) -> str:
    """A graph whose node `work` calls `a`, with `more` keys in front."""
    return graph(f"    work: {{action: {{item_id: a}}, {more}, next: done}}\n{DONE}")


def looping(more: str) -> str:
    """The same with a foreach."""
    return graph(f"    work: {{type: foreach, over: [1], action: {{item_id: a}}, {more}, next: done}}\n{DONE}")


#: Values of the wrong type or out of range, each with the key that is complained about.
WRONG_SETTINGS = [
    *(
        (graph(NODES, config=f"  {line}\n"), line.partition(":")[0])
        for line in [
            "max_steps: 0", "max_steps: ten", "max_steps: true", "max_steps: 1.5", "max_steps: null",
            "max_concurrency: 0", "timeout_s: 0", "timeout_s: soon", "state: [1]", "state_schema: x",
            "require_capabilities: maybe", "builtin_hooks: 1", "hooks: {event: error}", "on_error: [fail]",
            "durability: off",
        ]
    ),
    *(
        (graph(NODES, top=f"{line}\n"), line.partition(":")[0])
        for line in [
            "tags: a", "description: [a]", "limits: 5", "env_requires: {A: 1}", "config_schema: text",
            "output_schema: []", "name: 1", "category: 2.5", "executor_id: 3",
        ]
    ),
]  # fmt: skip
WRONG_NODES = [
    *(
        (acting(line), line.partition(":")[0])
        for line in [
            "assign: [1]", "timeout_s: -1", 'cache_result: "true"', "feedback: 1", "max_visits: 0", "retry: 3",
            "on_error: [done]", "description: {}", "comment: 7", "env_requires: {}",
        ]
    ),
    *(
        (looping(line), line.partition(":")[0])
        for line in [
            "as: 1", "as: two words", "as: 1st", "collect: 1.10", "collect: [x]", "parallel: 4", "max_concurrency: 0",
        ]
    ),
    *(
        (acting(f"retry: {{{line}}}"), line.partition(":")[0])
        for line in [
            "attempts: 0", "attempts: 11", "backoff_ms: -1", "multiplier: 0", "jitter: 2", "categories: timeout",
        ]
    ),
    *(
        (graph(f"    work: {{action: {{{line}}}, next: done}}\n{DONE}"), key)
        for key, line in [
            ("params", "item_id: a, params: [1]"), ("item_type", "item_id: a, item_type: 1"),
            ("async", "item_id: a, async: 2"), ("item_id", "item_id: 1.10"), ("item_id", "item_id: [a]"),
            ("item_id", 'item_id: ""'), ("item_id", 'item_id: "tool:"'), ("item_id", "item_id: null"),
        ]
    ),
]  # fmt: skip


class TestUnknownKeys:
    @pytest.mark.parametrize(
        ("written", "meant", "text"),
        [
            ("discription", "description", graph(NODES, top="discription: x\n")),
            ("max_step", "max_steps", graph(NODES, config="  max_step: 5\n")),
            (
                "on_eror",
                "on_error",
                graph("    work: {action: {item_id: tool:a/b}, on_eror: done, next: done}\n" + DONE),
            ),
            ("nxt", "next", graph("    work: {action: {item_id: tool:a/b}, nxt: done}\n" + DONE)),
            (
                "parameters",
                "params",
                graph("    work: {action: {item_id: tool:a/b, parameters: {}}, next: done}\n" + DONE),
            ),
            ("item_idd", "item_id", graph("    work: {action: {item_idd: tool:a/b}, next: done}\n" + DONE)),
            ("too", "to", graph("    work: {type: gate, next: [{too: done}]}\n" + DONE)),
            (
                "if",
                "when",
                graph("    work: {type: gate, next: [{to: done, if: {path: inputs.x, op: exists}}]}\n" + DONE),
            ),
            (
                "pth",
                "path",
                graph("    work: {type: gate, next: [{to: done, when: {pth: inputs.x, op: exists}}]}\n" + DONE),
            ),
            ("typ", "type", graph("    work: {typ: gate, next: done}\n" + DONE)),
            (
                "attempt",
                "attempts",
                graph("    work: {action: {item_id: a}, retry: {attempt: 2}, next: done}\n" + DONE),
            ),
            ("dept", "depth", graph(NODES, top="limits: {dept: 3}\n")),
        ],
    )
    def test_near_misses_are_adopted(self, written: str, meant: str, text: str) -> None:
        fault = only(text, UnknownKey)
        assert (fault.key, fault.suggestion, fault.taken) == (written, meant, False)
        line = text.split("\n")[fault.span.line - 1]
        assert line[fault.span.column - 1 : fault.span.end_column - 1] == written

    def test_adopted_keys_count(self) -> None:
        graph_ = facts_of(graph("    work: {action: {item_id: tool:a/b}, on_eror: done, nxt: done}\n" + DONE)).graph
        assert graph_ is not None
        rescue = graph_.nodes["work"].on_error
        assert rescue is not None
        assert rescue.target == "done"
        assert [edge.target for edge in graph_.nodes["work"].edges] == ["done"]

    def test_of_what_is_there_already_only_the_suggestion_is_left(self) -> None:
        fault = only(graph(NODES, top="description: x\ndiscription: z\n"), UnknownKey)
        assert (fault.suggestion, fault.taken) == ("description", True)

    @pytest.mark.parametrize(
        ("text", "key", "home"),
        [
            (graph(NODES, config="  env_requires: [A]\n"), "env_requires", "at the top level or on a node"),
            (graph(NODES, top="max_steps: 4\n"), "max_steps", "under `config`"),
            (
                graph("    work: {action: {item_id: a, timeout_s: 4}, next: done}\n" + DONE),
                "timeout_s",
                "on a node, next to `action`",
            ),
            (graph("    work: {action: {item_id: a}, params: {}, next: done}\n" + DONE), "params", "under `action`"),
        ],
    )
    def test_misplaced_keys_are_told_where_they_belong(self, text: str, key: str, home: str) -> None:
        fault = only(text, UnknownKey)
        assert (fault.key, fault.belongs) == (key, home)

    def test_keys_between_config_and_top_level_count_nevertheless(self) -> None:
        graph_ = facts_of(graph(NODES, config="  env_requires: [TOKEN]\n", top="max_steps: 7\n")).graph
        assert graph_ is not None
        assert [name.name for name in graph_.env] == ["TOKEN"]
        assert graph_.settings.max_steps == 7

    def test_far_misses_list_what_is_legal(self) -> None:
        fault = only(graph(NODES, config="  whatever: 5\n"), UnknownKey)
        assert fault.suggestion is None
        assert "max_steps" in fault.legal

    def test_free_keys_are_allowed_everywhere(self) -> None:
        node = "    work: {x-a: 1, action: {x-b: 2, item_id: a}, retry: {x-c: 3}, next: [{x-d: 4, to: done}]}\n"
        text = graph(
            node + DONE, top="x-e: 5\n", config="  x-f: 6\n  hooks: [{x-g: 7, event: error, action: {fail: true}}]\n"
        )
        assert codes_of(text) == []

    def test_two_spellings_of_one_key(self) -> None:
        text = graph("    work: {action: {item_id: a}, cache: true, cache_result: true, next: done}\n" + DONE)
        assert [fault.code for fault in faults_of(text)] == ["GW111", "GW002"]


class TestMissingKeys:
    @pytest.mark.parametrize(
        ("text", "key", "place"),
        [
            (graph("    work: {next: done}\n" + DONE), "action", "7:5"),
            (graph("    work: {type: action, next: done}\n" + DONE), "action", "7:5"),
            (graph("    work:\n" + DONE), "action", "7:5"),
            (graph("    work: {type: foreach, action: {item_id: a}, next: done}\n" + DONE), "over", "7:5"),
            (graph("    work: {type: foreach, over: [1], next: done}\n" + DONE), "action", "7:5"),
            (graph("    work: {action: {params: {}}, next: done}\n" + DONE), "item_id", "7:12"),
            (graph("    work: {action: , next: done}\n" + DONE), "item_id", "7:12"),
            (graph("    work: {type: gate, next: [{when: {path: inputs.x, op: exists}}]}\n" + DONE), "to", "7:31"),
            (graph("    work: {type: gate, next: [{to: done, when: {op: exists}}]}\n" + DONE), "path", "7:42"),
            (graph("    work: {type: gate, next: [{to: done, when: {any: [{op: exists}]}}]}\n" + DONE), "path", "7:56"),
            (graph("    work: {type: gate, next: [{to: done, when: {path: inputs.x}}]}\n" + DONE), "value", "7:49"),
            (graph(NODES, config="  hooks:\n    - action: {fail: true}\n"), "event", "7:7"),
            ("tool_type: graph\npermissions: []\n", "config", "1:1"),
            ("tool_type: graph\nconfig: {start: x}\n", "nodes", "2:1"),
            ("tool_type: graph\npermissions: []\nconfig: {nodes: {done: {type: return}}}\n", "start", "3:1"),
        ],
    )
    def test_reported_where_they_are_missed(self, text: str, key: str, place: str) -> None:
        fault = only(text, MissingKey)
        assert (fault.key, f"{fault.span.line}:{fault.span.column}") == (key, place)

    def test_a_search_needs_no_id(self) -> None:
        graph_ = lowered(graph("    work: {action: {primary: search, params: {query: x}}, next: done}\n" + DONE))
        [caller] = visit.callers(graph_)
        assert caller.action.capability == "rye.search.tool"


class TestKinds:
    @pytest.mark.parametrize(
        ("node", "key", "types"),
        [
            ("{type: gate, action: {item_id: a}, next: done}", "action", ("action", "foreach")),
            ("{type: return, next: done}", "next", ("action", "gate", "foreach")),
            ("{action: {item_id: a}, output: 1, next: done}", "output", ("return",)),
            ("{action: {item_id: a}, collect: x, next: done}", "collect", ("foreach",)),
            ("{type: gate, cache: true, next: done}", "cache", ("action", "foreach")),
            ("{type: foreach, over: [1], action: {item_id: a}, feedback: true, next: done}", "feedback", ("action",)),
        ],
    )
    def test_keys_of_other_kinds(self, node: str, key: str, types: tuple[str, ...]) -> None:
        fault = only(graph(f"    work: {node}\n{DONE}"), KeyOfOtherType)
        assert (fault.key, fault.types) == (key, types)

    def test_a_gate_with_an_action_is_read_as_what_it_was_meant_to_be(self) -> None:
        text = graph('    work: {type: gate, action: {item_id: a}, assign: {x: "${result.x}"}, next: done}\n' + DONE)
        assert codes_of(text) == ["GW104 7:24"]

    @pytest.mark.parametrize(
        ("written", "meant"), [("retrun", "return"), ("end", "return"), ("Gate", "gate"), ("router", "gate")]
    )
    def test_misspelled_types(self, written: str, meant: str) -> None:
        assert only(graph(f"    work: {{type: {written}}}\n"), UnknownWord).suggestion == meant

    @pytest.mark.parametrize("planned", ["graph", "interrupt", "parallel"])
    def test_planned_types_say_what_to_write_until_then(self, planned: str) -> None:
        fault = only(graph(f"    work: {{type: {planned}, next: done}}\n{DONE}"), UnknownWord)
        assert fault.planned

    def test_a_type_that_nobody_knows_silences_the_rest_of_the_node(self) -> None:
        assert codes_of(graph("    work: {type: teleport, over: [1], output: 2, next: done}\n" + DONE)) == [
            "GW106 7:18"
        ]

    def test_over_without_type(self) -> None:
        text = graph('    work: {over: [1], as: x, action: {item_id: a, params: {n: "${x}"}}, next: done}\n' + DONE)
        fault = only(text, KeyOfOtherType)
        assert (fault.key, fault.types) == ("over", ("foreach",))

    def test_over_without_type_and_action(self) -> None:
        assert only(graph("    work: {over: [1], next: done}\n" + DONE), MissingKey).alternative == "foreach"

    def test_output_without_type(self) -> None:
        assert only(graph("    work: {output: 1}\n"), MissingKey).alternative == "return"

    @pytest.mark.parametrize("key", ["remote", "thread"])
    def test_what_only_other_backends_can_do(self, key: str) -> None:
        fault = only(graph(f"    work: {{action: {{item_id: a}}, {key}: gpu, next: done}}\n{DONE}"), UnsupportedKey)
        assert fault.key == key

    def test_planned_reducers(self) -> None:
        assert codes_of(graph(NODES, config="  reducers: {x: add}\n")) == ["GW113 6:3"]

    def test_two_forms_of_a_condition(self) -> None:
        text = graph("    work: {type: gate, next: [{to: done, when: {any: [], path: inputs.x, value: 1}}]}\n" + DONE)
        assert only(text, KeyOfOtherForm).key == "any"


class TestWrongValues:
    @pytest.mark.parametrize(("text", "key"), [*WRONG_SETTINGS, *WRONG_NODES])
    def test_are_reported_at_the_value(self, text: str, key: str) -> None:
        fault = only(text, WrongValue)
        assert fault.key == key

    @pytest.mark.parametrize("spelling", ["2026-01-31", ".nan", "!!binary aGk="])
    def test_what_is_not_json_is_reported_as_such(self, spelling: str) -> None:
        only(graph(f"    work: {{action: {{item_id: {spelling}}}, next: done}}\n" + DONE), NotJson)

    @pytest.mark.parametrize("spelling", ["1.10", "0755", "yes", "12:30"])
    def test_positions_that_must_be_text_quote_the_spelling(self, spelling: str) -> None:
        fault = only(graph(f"    work: {{action: {{item_id: {spelling}}}, next: done}}\n" + DONE), WrongValue)
        assert fault.written == spelling

    @pytest.mark.parametrize("spelling", ["1.10", "0755", "yes", "12:30"])
    def test_a_text_that_only_people_read_is_warned_about(self, spelling: str) -> None:
        assert only(graph(NODES).replace('version: "1.0.0"', f"version: {spelling}"), AmbiguousScalar).text == spelling

    def test_a_target_that_reads_as_a_number_still_leads_to_its_node(self) -> None:
        text = graph('    work: {action: {item_id: a}, next: 1.10}\n    "1.10": {type: return}\n')
        assert codes_of(text) == ["GW102 7:40"]

    @pytest.mark.parametrize(
        "node",
        [
            "{action: {item_id: a}, next: {to: done}}",
            "{action: {item_id: a}, next: [done]}",
            "[1]",
            "text",
        ],
    )
    def test_other_shapes_of_edges_and_nodes(self, node: str) -> None:
        only(graph(f"    work: {node}\n{DONE}"), WrongValue)

    @pytest.mark.parametrize("key", ["assign", "next", "on_error", "description", "comment", "env_requires", "retry"])
    def test_an_absent_value_is_an_absent_key(self, key: str) -> None:
        nodes = f"    work:\n      action: {{item_id: a, params: }}\n      {key}:\n"
        assert codes_of(graph(nodes + DONE)) == []

    def test_names_without_sense(self) -> None:
        assert codes_of(graph('    "": {type: return}\n    work: {type: return}\n')) == ["GW102 7:5"]
        assert codes_of(graph('    "a\\tb": {type: return}\n    work: {type: return}\n')) == ["GW102 7:5"]


class TestWords:
    @pytest.mark.parametrize(
        ("text", "suggestion"),
        [
            (graph(NODES, config="  on_error: contine\n"), "continue"),
            (graph(NODES, config="  on_max_steps: stop\n"), None),
            (graph(NODES, config="  durability: procces\n"), "process"),
            (graph(NODES, config="  hooks: [{event: errors, action: {fail: true}}]\n"), "error"),
            (graph("    work: {action: {primary: exceute, item_id: a}, next: done}\n" + DONE), "execute"),
            (graph("    work: {action: {item_type: tol, item_id: a}, next: done}\n" + DONE), "tool"),
            (graph("    work: {action: {item_id: tol:a}, next: done}\n" + DONE), "tool"),
            (
                graph("    work: {action: {item_id: a}, retry: {categories: [timeouts]}, next: done}\n" + DONE),
                "timeout",
            ),
            (
                graph(NODES, top="executor_id: rye/core/runtimes/python/script\n"),
                "rye/core/runtimes/state-graph/runtime",
            ),
        ],
    )
    def test_unknown(self, text: str, suggestion: str | None) -> None:
        assert only(text, UnknownWord).suggestion == suggestion

    @pytest.mark.parametrize(
        "executor",
        [
            "rye/core/runtimes/state-graph/runtime",
            "ryeos/core/runtimes/state-graph/runtime",
            "rye/core/runtimes/state_graph_runtime",
        ],
    )
    def test_executors(self, executor: str) -> None:
        assert codes_of(graph(NODES, top=f"executor_id: {executor}\n")) == []


class TestHooks:
    @pytest.mark.parametrize(
        ("hook", "kind"),
        [
            ("{event: error}", IdleHook),
            ("{event: after_step, action: {retry: true}}", NoControlHere),
            ("{event: error, action: {continue: true}}", NoControlHere),
            ("{event: limit, action: {retry: true}}", NoControlHere),
            ("{event: error, action: {fail: true, max_retries: 2}}", WrongAmount),
            ("{event: error, action: {retry: true, fail: true}}", TwoControls),
        ],
    )
    def test_without_effect(self, hook: str, kind: type[IdleHook]) -> None:
        assert type(only(graph(NODES, config=f"  hooks: [{hook}]\n"), IdleHook)) is kind

    @pytest.mark.parametrize(
        "hook",
        [
            "{event: error, action: {retry: true, max_retries: 2}}",
            "{event: error, action: {abort: true}, layer: 3}",
            "{event: limit, action: {continue: true, additional_steps: 5}}",
            "{id: tell, event: graph_completed, action: {item_id: tool:a/b}}",
            "{event: after_step, condition: , action: {item_id: tool:a/b}}",
        ],
    )
    def test_with_effect(self, hook: str) -> None:
        assert len(lowered(graph(NODES, config=f"  hooks: [{hook}]\n")).hooks) == 1

    def test_values(self) -> None:
        assert (
            only(graph(NODES, config="  hooks: [{event: error, action: {retry: false}}]\n"), WrongValue).key == "retry"
        )
        assert only(graph(NODES, config="  hooks: [5]\n"), WrongValue).key == "hooks"
        assert only(graph(NODES, config="  hooks: [{event: error, layer: 4, action: {fail: true}}]\n"), WrongValue)

    @pytest.mark.parametrize("amount", ["0", "-1", "2.5", "true", "'2'", "many", "[2]", '"${state.n}"'])
    @pytest.mark.parametrize(
        ("event", "action", "key"), [("error", "retry", "max_retries"), ("limit", "continue", "additional_steps")]
    )
    def test_amounts_are_positive_whole_numbers(self, event: str, action: str, key: str, amount: str) -> None:
        hook = f"{{event: {event}, action: {{{action}: true, {key}: {amount}}}}}"
        assert only(graph(NODES, config=f"  hooks: [{hook}]\n"), WrongValue).key == key


class TestForeach:
    @pytest.mark.parametrize(
        "node",
        [
            "{type: foreach, over: [1], action: {item_id: a, async: true}, next: done}",
            "{type: foreach, over: [1], action: {item_id: a, params: {async: true}}, next: done}",
            "{type: foreach, over: [1], async: true, action: {item_id: a}, next: done}",
        ],
    )
    def test_old_async(self, node: str) -> None:
        only(graph(f"    work: {node}\n{DONE}"), AsyncLoop)

    def test_threads_in_the_background_are_something_else(self) -> None:
        text = graph(
            "    work: {type: foreach, over: [1], action: {item_id: a, params: {async_exec: true}}, next: done}\n"
            + DONE
        )
        [caller] = visit.callers(lowered(text))
        assert caller.action.async_exec

    def test_assign_in_parallel(self) -> None:
        text = graph(
            "    work: {type: foreach, over: [1], parallel: true, action: {item_id: a}, assign: {x: 1}, next: done}\n"
            + DONE
        )
        assert codes_of(text) == ["GW310 7:76"]


class TestOlderSpellings:
    def test_each_is_noted(self) -> None:
        edge = "{to: done, when: {path: inputs.x, operator: neq, value: 1}}"
        node = f"    work: {{action: {{item_id: a}}, cache: true, next: [{edge}]}}\n"
        text = graph(node + DONE).replace("tool_type: graph", "tool_type: state_graph")
        assert {fault.code for fault in faults_of(text)} == {"GW111"}
        found = [(fault.written, fault.modern) for fault in facts_of(text).faults(OlderSpelling)]
        assert found == [
            ("state_graph", "graph"),
            ("cache", "cache_result"),
            ("operator", "op"),
            ("neq", "ne"),
        ]


class TestNoCascades:
    """What is wrong with a value is said once, not again by whoever uses it."""

    @pytest.mark.parametrize(
        ("text", "codes"),
        [
            (graph(NODES).replace("[rye.execute.tool.*]", "rye.execute.tool.*"), ["GW102"]),
            (graph(NODES).replace("[rye.execute.tool.*]", "[5]"), ["GW102"]),
            (graph(NODES, top="env_requires: [1.10]\n"), ["GW102"]),
            (graph("    work: {action: {item_id: a}, next: 7}\n" + DONE), ["GW102"]),
            (graph("    work: {action: {item_id: a}, on_error: 7, next: done}\n" + DONE), ["GW102"]),
            (graph(NODES, start="7"), ["GW102"]),
            (graph(NODES).replace("[rye.execute.tool.*]", '["rye.execute.tool.${inputs.x}"]'), ["GW411"]),
            (graph(NODES, start='"${inputs.x}"'), ["GW411"]),
        ],
    )
    def test_once(self, text: str, codes: list[str]) -> None:
        assert [fault.code for fault in faults_of(text)] == codes

    def test_a_text_in_place_of_a_list_counts(self) -> None:
        found = facts_of(graph(NODES).replace("[rye.execute.tool.*]", "rye.execute.tool.*")).graph
        assert found is not None
        assert found.permissions is not None
        assert [permission.pattern for permission in found.permissions] == ["rye.execute.tool.*"]

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            (graph(NODES).replace("permissions:", "grants:"), "permissions"),
            (graph(NODES).replace("config:", "body:"), "config"),
            (graph(NODES).replace("start:", "begin:"), "start"),
            (graph(NODES).replace("nodes:", "steps:"), "nodes"),
            (graph("    work: {call: {item_id: tool:a/b}, next: done}\n" + DONE), "action"),
            (graph("    work: {action: {ref: tool:a/b}, next: done}\n" + DONE), "item_id"),
            (graph("    work: {action: {item_id: a, payload: {x: 1}}, next: done}\n" + DONE), "params"),
            (graph("    work: {action: {item_id: a}, store: {x: '${result.x}'}, next: done}\n" + DONE), "assign"),
            (graph("    work: {action: {item_id: a}, successor: done}\n" + DONE), "next"),
            (graph("    work: {class: gate, next: done}\n" + DONE), "type"),
            (graph("    work: {type: gate, next: [{go: done}]}\n" + DONE), "to"),
            (graph("    work: {type: gate, next: [{to: done, guard: {path: inputs.x, op: exists}}]}\n" + DONE), "when"),
            (
                graph("    work: {type: gate, next: [{to: done, when: {source: inputs.x, op: exists}}]}\n" + DONE),
                "path",
            ),
        ],
    )
    def test_a_strange_name_is_told_from_its_value(self, text: str, meant: str) -> None:
        assert only(text, UnknownKey).suggestion == meant

    def test_what_is_left_out_still_reads(self) -> None:
        lost = 'output: "${state.a} ${inputs.b | default(state.c)}", whatever: {path: state.d}'
        found = facts_of(graph(f"    work: {{type: gate, {lost}, next: done}}\n{DONE}")).graph
        assert found is not None
        assert [read.written for read in found.doubt.reads] == ["state.a", "inputs.b", "state.c", "state.d"]

    @pytest.mark.parametrize(
        "node", ["{next: done}", "{action: 5, next: done}", "{action: {item_id: a, params: 5}}", "text"]
    )
    def test_what_is_missing_may_read_anything(self, node: str) -> None:
        found = facts_of(graph(f"    work: {node}\n{DONE}")).graph
        assert found is not None
        assert ("state", ()) in [(read.written, read.path) for read in found.doubt.reads]
