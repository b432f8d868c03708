"""What lowering resolves: targets, namespaces, foreach variables, operators, capabilities, variables."""

from __future__ import annotations

import pytest

from front.reading import codes_of, facts_of, graph, lowered, only
from graphwright import ir
from graphwright.fault import Owner
from graphwright.faults.expressions import (
    InvalidExpression,
    NullParam,
    OtherSyntax,
    UnfitValue,
    UnknownOperator,
    UnreadTemplate,
)
from graphwright.faults.keys import ConflictingKinds
from graphwright.faults.names import (
    EdgeAfterDefault,
    HidesKey,
    HidesNamespace,
    InvalidPattern,
    InvalidVariable,
    LoopVariable,
    NoResult,
    OutsideLoop,
    ReservedKey,
    RuntimeParam,
    UnknownErrorTarget,
    UnknownName,
    UnknownNode,
    UnknownStart,
    UnknownTarget,
)
from graphwright.record import replace

DONE = "    done: {type: return}\n"
SCHEMA = "config_schema: {type: object, properties: {team: {type: string}}}\n"


def action(node: str, **more: str) -> ir.Action:
    found = lowered(graph(f"    work: {node}\n{DONE}", **more)).nodes["work"]
    assert isinstance(found, ir.CallingNode)
    assert found.action is not None
    return found.action


def param(expression: str) -> ir.Value:
    """What an expression in `params` is lowered to."""
    params = action(f'{{action: {{item_id: a, params: {{x: "${{{expression}}}"}}}}, next: done}}').params
    assert isinstance(params, ir.MapOf)
    template = params.entries[0][1]
    assert isinstance(template, ir.Template)
    return template.value


class TestTargets:
    def test_start(self) -> None:
        fault = only(graph("    fetch: {action: {item_id: a}}\n", start="fecth"), UnknownStart)
        assert (fault.target, fault.suggestion) == ("fecth", "fetch")

    @pytest.mark.parametrize(
        ("node", "kind", "place"),
        [
            ("{action: {item_id: a}, next: dnoe}", UnknownTarget, "7:40"),
            ("{type: gate, next: [{to: dnoe}]}", UnknownTarget, "7:36"),
            ('{type: gate, next: [{to: "dnoe"}]}', UnknownTarget, "7:36"),
            ("{action: {item_id: a}, on_error: dnoe, next: done}", UnknownErrorTarget, "7:44"),
        ],
    )
    def test_misspelled_targets_lead_to_what_they_meant(self, node: str, kind: type[UnknownNode], place: str) -> None:
        text = graph(f"    work: {node}\n{DONE}")
        fault = only(text, kind)
        assert f"{fault.span.line}:{fault.span.column}" == place
        assert (fault.target, fault.suggestion) == ("dnoe", "done")
        found = facts_of(text).graph
        assert found is not None
        work = found.nodes["work"]
        assert "done" in (work.on_error, *(edge.target for edge in work.edges))

    def test_names_are_exact(self) -> None:
        assert only(graph("    work: {action: {item_id: a}, next: Done}\n" + DONE), UnknownTarget).suggestion == "done"

    def test_nothing_near(self) -> None:
        text = graph("    work: {action: {item_id: a}, next: elsewhere}\n" + DONE)
        assert only(text, UnknownTarget).suggestion is None
        found = facts_of(text).graph
        assert found is not None
        assert found.nodes["work"].edges[0].target is None

    @pytest.mark.parametrize("when", ["", "when: , ", "when: {}, "])
    def test_edges_behind_an_unconditional_one(self, when: str) -> None:
        text = graph(f"    work: {{type: gate, next: [{{{when}to: done}}, {{to: work}}, {{to: work}}]}}\n{DONE}")
        fault = only(text, EdgeAfterDefault)
        assert (fault.target, fault.rest, fault.default_target) == ("work", 2, "done")

    @pytest.mark.parametrize(
        ("node", "place"),
        [
            ('{action: {item_id: a}, next: "${state.x}"}', "next"),
            ('{type: gate, next: [{to: "${state.x}"}]}', "to"),
            ('{action: {item_id: a}, on_error: "${state.x}", next: done}', "on_error"),
            ('{action: {item_id: a, primary: "${state.x}"}, next: done}', "primary"),
            ('{action: {item_id: a, item_type: "${state.x}"}, next: done}', "item_type"),
            ('{type: foreach, over: [1], as: "${state.x}", action: {item_id: a}, next: done}', "as"),
            ('{type: foreach, over: [1], collect: "${state.x}", action: {item_id: a}, next: done}', "collect"),
            ('{type: gate, next: [{to: done, when: {path: "${state.x}", op: exists}}]}', "path"),
        ],
    )
    def test_templates_where_none_is_read(self, node: str, place: str) -> None:
        fault = only(graph(f"    work: {node}\n{DONE}", config="  state: {x: 1}\n"), UnreadTemplate)
        assert fault.place == place

    @pytest.mark.parametrize("text", ["${inputs.a}", "a ${inputs.a}", "${unclosed"])
    def test_state_is_literal(self, text: str) -> None:
        found = only(graph(DONE, start="done", config=f"  state: {{deep: [{{x: '{text}'}}]}}\n"), UnreadTemplate)
        assert found.key == "deep[0].x"

    def test_escaped_templates_in_the_state_are_text(self) -> None:
        found = lowered(graph(DONE, start="done", config="  state: {x: '$$${y}'}\n"))
        assert found.state == {"x": "$$${y}"}


class TestNamespaces:
    @pytest.mark.parametrize(
        ("expression", "root", "path"),
        [
            ("state.a.b", ir.Root.STATE, ("a", "b")),
            ("state", ir.Root.STATE, ()),
            ("state.inputs.a", ir.Root.INPUTS, ("a",)),
            ("state.inputs", ir.Root.INPUTS, ()),
            ("inputs.a[0]['b c']", ir.Root.INPUTS, ("a", 0, "b c")),
            ("_now", ir.Root.NOW, ()),
            ("_timestamp", ir.Root.TIMESTAMP, ()),
            ("_run.graph_id", ir.Root.RUN, ("graph_id",)),
        ],
    )
    def test_reads(self, expression: str, root: ir.Root, path: tuple[str | int, ...]) -> None:
        read = param(expression)
        assert isinstance(read, ir.Read)
        assert (read.root, read.path, read.written) == (root, path, expression)

    def test_operations(self) -> None:
        value = param("state.a || inputs.b + 1 | default('x')")
        assert isinstance(value, ir.Pipe)
        assert (value.name, value.arguments) == ("default", (ir.Const("x"),))
        assert isinstance(value.operand, ir.FirstOf)
        assert isinstance(value.operand.operands[1], ir.Arithmetic)

    @pytest.mark.parametrize(
        ("expression", "suggestion"),
        [
            ("total", "state.total"),
            ("team", "inputs.team"),
            ("stat.total", "state.total"),
            ("input.team", "inputs.team"),
            ("totl.deep[0]", "state.total.deep[0]"),
            ("_run.stp", "_run.step"),
            ("now", "_now"),
            ("_run", None),
            ("HOME", None),
            ("nowhere.near", None),
        ],
    )
    def test_unknown(self, expression: str, suggestion: str | None) -> None:
        node = f'    work: {{action: {{item_id: a, params: {{x: "a ${{{expression}}}"}}}}, next: done}}\n'
        fault = only(graph(node + DONE, config="  state: {total: 1}\n", top=SCHEMA), UnknownName)
        assert fault.suggestion == suggestion
        assert fault.environment == ("HOME" if expression == "HOME" else None)
        assert fault.shell is None
        assert (fault.span.column, fault.span.end_column - fault.span.column) == (50, len(expression))

    def test_constant_expressions_are_constants(self) -> None:
        params = action(
            "{action: {item_id: a, params: {x: '${-5}', y: '${[1, \"a\"]}', z: '$${x}'}}, next: done}"
        ).params
        assert params == ir.Const({"x": -5, "y": [1, "a"], "z": "${x}"})

    def test_a_bare_key_in_a_condition(self) -> None:
        text = graph(
            "    work: {type: gate, next: [{to: done, when: {path: total, value: 1}}]}\n" + DONE,
            config="  state: {total: 1}\n",
        )
        fault = only(text, UnknownName)
        assert fault.suggestion == "state.total"
        found = facts_of(text).graph
        assert found is not None
        condition = found.nodes["work"].edges[0].when
        assert isinstance(condition, ir.Compare)
        assert (condition.left.root, condition.left.path) == (ir.Root.STATE, ("total",))

    @pytest.mark.parametrize(
        ("node", "place"),
        [
            ('{action: {item_id: a, params: {x: "${result.x}"}}, next: done}', "action"),
            ('{action: {item_id: "tool:${result.x}"}, next: done}', "action"),
            ('{type: gate, assign: {x: "${result.x}"}, next: done}', "gate"),
            ("{type: gate, next: [{to: done, when: {path: result.x, op: exists}}]}", "gate"),
            ('{type: foreach, over: "${result.x}", action: {item_id: a}, next: done}', "over"),
            (
                "{type: foreach, over: [], action: {item_id: a}, next: [{to: done, when: {path: result, value: 1}}]}",
                "foreach next",
            ),
        ],
    )
    def test_result_where_there_is_none(self, node: str, place: str) -> None:
        assert only(graph(f"    work: {node}\n{DONE}"), NoResult).place == place

    def test_result_of_a_return(self) -> None:
        assert only(graph('    work: {type: return, output: "${result.x}"}\n'), NoResult).place == "output"

    def test_broken_expressions_are_one_fault(self) -> None:
        fault = only(
            graph('    work: {action: {item_id: a, params: {x: "${state.a && nowhere}"}}, next: done}\n' + DONE),
            InvalidExpression,
        )
        assert fault.owner == Owner("node `work`", "work")

    def test_directive_inputs(self) -> None:
        node = "    work: {action: {item_id: a, params: {x: 'see {input:team} {input:other}'}}, next: done}\n"
        fault = only(graph(node + DONE, top=SCHEMA), OtherSyntax)
        assert (fault.replacement, fault.span.column) == ("${inputs.team}", 50)


class TestVariables:
    LOOP = "    work: {type: foreach, over: [1], as: city, collect: cities, action: {item_id: a}, next: done}\n"

    def test_inside(self) -> None:
        text = graph(
            '    work: {type: foreach, over: [1], as: city, action: {item_id: "tool:${city}"},'
            ' assign: {x: "${city.name} ${result.y}"}, next: done}\n' + DONE
        )
        assert isinstance(lowered(text).nodes["work"].assigns[0].value, ir.Template)

    def test_outside(self) -> None:
        fault = only(graph(self.LOOP + '    done: {type: return, output: "${city.name}"}\n'), OutsideLoop)
        assert (fault.loops, fault.suggestion) == (("work",), "state.cities")

    def test_in_the_edges_of_its_own_node(self) -> None:
        edge = "{to: done, when: {path: city, op: exists}}"
        node = f"    work: {{type: foreach, over: [1], as: city, action: {{item_id: a}}, next: [{edge}]}}\n"
        only(graph(node + DONE), OutsideLoop)

    @pytest.mark.parametrize(
        ("name", "kind"), [("state", HidesNamespace), ("_run", HidesNamespace), ("total", HidesKey)]
    )
    def test_shadows(self, name: str, kind: type[LoopVariable]) -> None:
        node = f"    work: {{type: foreach, over: [1], as: {name}, action: {{item_id: a}}, next: done}}\n"
        assert only(graph(node + DONE, config="  state: {total: 1}\n"), kind).variable == name

    @pytest.mark.parametrize(
        ("node", "key"),
        [
            ("{type: gate, assign: {inputs: 1}, next: done}", "inputs"),
            ("{type: gate, assign: {_last_error: 1}, next: done}", "_last_error"),
            ("{type: foreach, over: [1], collect: _all, action: {item_id: a}, next: done}", "_all"),
        ],
    )
    def test_reserved_keys(self, node: str, key: str) -> None:
        assert only(graph(f"    work: {node}\n{DONE}"), ReservedKey).key == key


class TestOperators:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("equals", "eq"),
            ("==", "eq"),
            ("'!='", "ne"),
            ("gtt", "gt"),
            ("matches", "regex"),
            ("xyzzy", None),
            ("=", "eq"),
        ],
    )
    def test_unknown(self, written: str, meant: str | None) -> None:
        node = f"    work: {{type: gate, next: [{{to: done, when: {{path: inputs.x, op: {written}, value: a}}}}]}}\n"
        assert only(graph(node + DONE), UnknownOperator).suggestion == meant

    @pytest.mark.parametrize(
        ("op", "value", "problem"),
        [
            ("in", "open", "list"), ("in", "null", "list"), ("regex", '"([a-z"', "pattern"), ("regex", "5", "pattern"),
            ("exists", "false", "false"), ("exists", "1", "truth"), ("gt", "[1]", "order"), ("lte", "null", "order"),
            ("lt", "true", "order"),
        ],
    )  # fmt: skip
    def test_values_that_do_not_fit(self, op: str, value: str, problem: str) -> None:
        node = f"    work: {{type: gate, next: [{{to: done, when: {{path: inputs.x, op: {op}, value: {value}}}}}]}}\n"
        assert only(graph(node + DONE), UnfitValue).problem == problem

    @pytest.mark.parametrize(
        ("op", "value"),
        [
            ("in", "[1]"),
            ("in", '"${inputs.y}"'),
            ("regex", "'b0[0-9]'"),
            ("exists", "true"),
            ("contains", "null"),
            ("gt", "5"),
            ("eq", "null"),
        ],
    )
    def test_values_that_fit(self, op: str, value: str) -> None:
        node = f"    work: {{type: gate, next: [{{to: done, when: {{path: inputs.x, op: {op}, value: {value}}}}}]}}\n"
        assert codes_of(graph(node + DONE)) == []

    def test_exists_has_no_value(self) -> None:
        either = "{any: [{path: inputs.x, op: exists}, {path: inputs.y, value: 1}]}"
        node = f"    work: {{type: gate, next: [{{to: done, when: {{not: {either}}}}}]}}\n"
        condition = lowered(graph(node + DONE)).nodes["work"].edges[0].when
        assert isinstance(condition, ir.Not)
        assert isinstance(condition.condition, ir.AnyOf)
        first, second = condition.condition.conditions
        assert isinstance(first, ir.Compare)
        assert isinstance(second, ir.Compare)
        assert (first.op, first.right, first.right_at) == ("exists", ir.Const(True), None)
        assert (second.op, second.right) == ("eq", ir.Const(1))


class TestItems:
    @pytest.mark.parametrize(
        ("written", "kind", "capability"),
        [
            ("item_id: rye/bash/bash", "tool", "rye.execute.tool.rye.bash.bash"),
            ("item_id: tool:rye/bash", "tool", "rye.execute.tool.rye.bash"),
            ("item_type: tool, item_id: tool:a", "tool", "rye.execute.tool.a"),
            ("item_id: directive:a/b", "directive", "rye.execute.directive.a.b"),
            ("kind: knowledge, primary: fetch, item_id: a", "knowledge", "rye.load.knowledge.a"),
            ("primary: sign, item_id: a", "tool", "rye.sign.tool.a"),
            ('item_id: "tool:${state.x}"', "tool", None),
            ('item_id: "${state.x}/a"', "tool", None),
            ('item_id: "${state.x}"', None, None),
            ('item_type: directive, item_id: "${state.x}"', "directive", None),
        ],
    )
    def test_kinds_and_capabilities(self, written: str, kind: str | None, capability: str | None) -> None:
        found = action(f"{{action: {{{written}}}, next: done}}", config="  state: {x: 1}\n")
        assert (found.kind, found.capability) == (kind, capability)

    def test_the_prefix_is_not_part_of_the_id(self) -> None:
        found = action('{action: {item_id: "tool:jobs/${state.x}"}, next: done}').item_id
        assert isinstance(found, ir.Template)
        assert isinstance(found.value, ir.Text)
        assert found.value.parts[0] == "jobs/"
        assert action("{action: {item_id: tool:jobs/x}, next: done}").item_id == ir.Const("jobs/x")

    def test_two_kinds(self) -> None:
        fault = only(
            graph("    work: {action: {item_type: directive, item_id: tool:a}, next: done}\n" + DONE), ConflictingKinds
        )
        assert (fault.item_type, fault.prefix, fault.span.column) == ("directive", "tool", 32)

    @pytest.mark.parametrize("key", ["parent_thread_id", "parent_depth", "parent_limits", "parent_capabilities"])
    def test_what_the_runtime_owns(self, key: str) -> None:
        node = f"    work: {{action: {{item_id: a, params: {{{key}: 1, deep: {{{key}: 2}}}}}}, next: done}}\n"
        assert only(graph(node + DONE), RuntimeParam).key == key

    def test_literal_nulls_will_be_dropped(self) -> None:
        node = "    work: {action: {item_id: a, params: {a: null, b: {c: ~}, d: [null, {e: }]}}, next: done}\n"
        assert [fault.key for fault in facts_of(graph(node + DONE)).faults(NullParam)] == ["a", "b.c", "d.1.e"]

    @pytest.mark.parametrize(
        ("written", "flag"),
        [
            ("params: {async: true}", True),
            ("params: {async_exec: true}", True),
            ("params: {async: false}", False),
        ],
    )
    def test_background(self, written: str, flag: bool) -> None:
        assert action(f"{{action: {{item_id: a, {written}}}, next: done}}").async_exec is flag


class TestHeader:
    @pytest.mark.parametrize(
        ("name", "suggestion"),
        [
            ("TICKETS-TOKEN", "TICKETS_TOKEN"),
            ("$HOME", "HOME"),
            ("'${HOME}'", "HOME"),
            ("A=1", "A"),
            ("1ST", "_1ST"),
            ("'?'", None),
        ],
    )
    def test_variables(self, name: str, suggestion: str | None) -> None:
        assert (
            only(graph(DONE, start="done", top=f"env_requires: [OK, {name}]\n"), InvalidVariable).suggestion
            == suggestion
        )
        node = f"    work: {{action: {{item_id: a}}, env_requires: {name}, next: done}}\n"
        assert only(graph(node + DONE), InvalidVariable).owner.node == "work"

    @pytest.mark.parametrize(
        ("pattern", "suggestion"),
        [
            ("tool:tickets/list", "rye.execute.tool.tickets.list"), ("tickets/list", "rye.execute.tool.tickets.list"),
            ("directive:a", "rye.execute.directive.a"), ("rye.exceute.tool.x", "rye.execute.tool.x"),
            ("rye.execute.tools.x", "rye.execute.tool.x"), ("rye.execute.tool.a/b", "rye.execute.tool.a.b"),
            ("execute.tool.x", "rye.execute.tool.x"), ("rey.execute.tool.x", "rye.execute.tool.x"), ("rye", "rye.*"),
            ("'rye.execute. tool.x'", "rye.execute.tool.x"), ("rye..tool", None), ("'  '", None), ("hello", None),
        ],
    )  # fmt: skip
    def test_malformed_patterns(self, pattern: str, suggestion: str | None) -> None:
        text = graph(DONE, start="done").replace("[rye.execute.tool.*]", f"[{pattern}]")
        assert only(text, InvalidPattern).suggestion == suggestion

    @pytest.mark.parametrize(
        ("pattern", "modern"),
        [
            ("rye.execute.tool.a.*", "rye.execute.tool.a.*"), ("ryeos.execute.tool.a", "rye.execute.tool.a"),
            ("rye.fetch.*", "rye.load.*"), ("ryeos.fetch.tool.x", "rye.load.tool.x"), ("'*'", "*"), ("rye.*", "rye.*"),
            ("'rye.[es]*.tool.x'", "rye.[es]*.tool.x"), ("rye.execute.tool.rye.bash*", "rye.execute.tool.rye.bash*"),
        ],
    )  # fmt: skip
    def test_patterns(self, pattern: str, modern: str) -> None:
        found = lowered(graph(DONE, start="done").replace("[rye.execute.tool.*]", f"[{pattern}]"))
        assert found.permissions is not None
        assert [permission.pattern for permission in found.permissions] == [modern]

    def test_defaults(self) -> None:
        assert lowered(graph(DONE, start="done")).settings == ir.Settings()
        assert (ir.Settings().max_steps, ir.Settings().max_concurrency) == (100, 16)

    def test_everything_written(self) -> None:
        config = (
            "  max_steps: 7\n  on_error: continue\n  on_max_steps: flag\n  max_concurrency: 3\n  timeout_s: 1.5\n"
            "  require_capabilities: true\n  builtin_hooks: false\n  durability: power\n"
        )
        found = lowered(graph(DONE, start="done", config=config, top="limits: {depth: 2, spend: 0.5}\n"))
        assert replace(found.settings, max_steps_at=None) == ir.Settings(
            7, None, "continue", "flag", 3, 1.5, True, False, "power"
        )
        assert found.limits == {"depth": 2, "spend": 0.5}

    def test_retry_defaults(self) -> None:
        text = graph("    work: {action: {item_id: a}, retry: {attempts: 2, jitter: false}, next: done}\n" + DONE)
        found = lowered(text).nodes["work"]
        assert isinstance(found, ir.ActionNode)
        assert found.retry == ir.Retry(attempts=2, jitter=False)


class TestHookScopes:
    @pytest.mark.parametrize(
        ("event", "path", "legal"),
        [
            ("error", "classification.category", True), ("error", "state.x", True), ("error", "result.x", False),
            ("after_step", "result.x", True), ("after_step", "inputs.x", False), ("graph_started", "inputs.x", True),
            ("limit", "current_max", True), ("graph_completed", "_run.id", True), ("graph_completed", "item", False),
        ],
    )  # fmt: skip
    def test_what_an_event_knows(self, event: str, path: str, legal: bool) -> None:
        hook = f'  hooks: [{{event: {event}, action: {{item_id: a, params: {{x: "${{{path}}}"}}}}}}]\n'
        assert codes_of(graph(DONE, start="done", config=hook)) == (
            [] if legal else [f"GW402 6:{hook.index('${') + 3}"]
        )

    def test_likely_paths(self) -> None:
        hook = "  hooks: [{event: error, condition: {path: clasification.category, value: x}, action: {fail: true}}]\n"
        fault = only(graph(DONE, start="done", config=hook), UnknownName)
        assert fault.suggestion == "classification.category"
