"""Calls of directives, and threads that follow them, against what the directives declare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checking import check_files, loud, only
from graphwright.checking.cache import Cache
from graphwright.checking.checker import check
from graphwright.contract.directives import read_directive
from graphwright.diagnostic import Diagnostic
from graphwright_runtime.errors import NodeError
from graphwright_runtime.items.directive import accepted, parse_directive

DIRECTIVE = """\
<!-- rye:unsigned -->
# Review code

```xml
<directive name="code" version="1.0.0">
  <metadata>
    <description>Reviews a file.</description>
    <limits turns="4"/>
    <permissions>
      <execute><tool>rye.execute.tool.rye.file-system.*</tool></execute>
      <search>*</search>
    </permissions>
  </metadata>
  <inputs>
    <input name="code" type="string" required="true">What to review</input>
    <input name="depth" type="integer" required="true" default="2">How closely</input>
    <input name="labels" type="array">Labels</input>
    <input name="style" type="colour">Anything</input>
  </inputs>
  <outputs>
    <output name="verdict" type="string">pass or fail</output>
    <output name="score" type="number"/>
    <output name="notes"/>
  </outputs>
</directive>
```

Review {input:code}.
"""

GRAPH = """\
tool_type: graph
permissions: PERMISSIONS
config_schema: {type: object, properties: {text: {type: string, default: x}, many: {type: array, default: []}}}
config:
  start: call
  nodes:
    call:
      action: {item_id: ITEM, params: PARAMS}
      assign: {found: "${READ}"}
      next: done
    done: {type: return, output: {found: "${state.found}", text: "${inputs.text}", many: "${inputs.many}"}}
"""
ALLOWED = "[rye.execute.tool.rye.agent.threads.thread_directive, rye.execute.tool.rye.file-system.*]"


def started(
    inputs: str, read: str = "result", *, name: str = "review/code", more: str = "", allowed: str = ALLOWED
) -> str:
    params = f"{{directive_name: {name}, inputs: {inputs}{more}}}"
    text = GRAPH.replace("ITEM", "tool:rye/agent/threads/thread_directive").replace("PARAMS", params)
    return text.replace("READ", read).replace("PERMISSIONS", allowed)


def executed(params: str, read: str = "result", *, name: str = "review/code") -> str:
    text = GRAPH.replace("ITEM", f"directive:{name}").replace("PARAMS", params)
    return text.replace("READ", read).replace("PERMISSIONS", "[rye.execute.directive.review.*]")


def found_in(text: str, directive: str = DIRECTIVE) -> tuple[Diagnostic, ...]:
    return check_files({".ai/tools/ask.yaml": text, ".ai/directives/review/code.md": directive})


@pytest.mark.parametrize(
    "inputs",
    [
        "{code: x}",
        "{code: '${inputs.text}', depth: 3, labels: [a, b], style: [1]}",
        "{code: x, depth: null}",
        "{code: '${inputs.text}', labels: '${inputs.many}'}",
    ],
)
def test_inputs_that_fit(inputs: str) -> None:
    assert loud(found_in(started(inputs))) == []
    assert loud(found_in(executed(inputs))) == []


@pytest.mark.parametrize(
    ("inputs", "code", "at", "message", "advice"),
    [
        ("{depth: 1}", "GW702", None, "directive `review/code` without `code`, which it requires", "add `code: …` to"),
        ("{code: null}", "GW702", None, "without `code`", "add `code: …`"),
        ("{coed: x}", "GW702", "coed", "directive `review/code` has no input `coed`", "did you mean `code`?"),
        (
            "{code: x, colour: red}",
            "GW702",
            "colour",
            "has no input `colour`",
            "remove it; the inputs are `code`, `depth`, `labels` and `style`",
        ),
        (
            "{code: [x]}",
            "GW412",
            "[x]",
            "input `code` is a list of strings, but directive `review/code` takes a string",
            "pass a string",
        ),
        ("{code: '${inputs.many}'}", "GW412", "'${inputs.many}'", "input `code` is a list", "pass a string"),
        ("{code: x, depth: deep}", "GW412", "deep", "input `depth` is a string", "pass an integer"),
    ],
)
def test_inputs_that_do_not_fit(inputs: str, code: str, at: str | None, message: str, advice: str) -> None:
    for text, where in ((started(inputs), "inputs"), (executed(inputs), "params")):
        found = found_in(text)
        assert loud(found) == [f"{code}:8"]
        one = only(found, code)
        if at is not None:
            assert text.splitlines()[7][one.span.column - 1 : one.span.end_column - 1] == at
        assert message in one.message
        assert advice in (one.help or "")
        if advice.endswith(" to"):
            assert (one.help or "").endswith(f"to `{where}`")


def test_a_thread_without_any_inputs_lacks_those_that_are_required() -> None:
    text = started("X").replace(", inputs: X", "")
    one = only(found_in(text), "GW702")
    assert one.message == ("node `call` starts a thread with directive `review/code` without `code`, which it requires")


@pytest.mark.parametrize("name", ["input", "params"])
def test_inputs_under_another_name_are_one_mistake(name: str) -> None:
    text = started("{code: x}").replace("inputs: {code", f"{name}: {{code")
    found = only(found_in(text), "GW702")
    assert loud(found_in(text)) == ["GW702:8"]
    assert found.help == "did you mean `inputs`?"


def test_the_prefix_of_a_directive_is_not_part_of_its_id() -> None:
    assert loud(found_in(started("{code: x}", name="directive:review/code"))) == []
    assert loud(found_in(started("{coed: x}", name="directive:review/code"))) == ["GW702:8"]


def test_limits_among_the_inputs_are_one_mistake() -> None:
    found = found_in(started("{code: x, limit_overrides: {turns: 2}}"))
    assert "`limit_overrides` is inside `inputs`" in only(found, "GW702").message
    own = DIRECTIVE.replace('name="labels" type="array"', 'name="limit_overrides" type="object"')
    assert loud(found_in(started("{code: x, limit_overrides: {turns: 2}}"), own)) == []


@pytest.mark.parametrize(
    ("read", "advice"),
    [
        ("result.outputs.verdict", None),
        ("result.outputs.notes.anything", None),
        ("result.outputs.verdct", "did you mean `verdict`?"),
        ("result.outputs.verdict.text", "write `result.outputs.verdict`"),
    ],
)
def test_outputs_are_known(read: str, advice: str | None) -> None:
    found = found_in(started("{code: x}", read))
    assert loud(found) == ([] if advice is None else ["GW410:9"])
    if advice is not None:
        assert advice in (only(found, "GW410").help or "")


def test_a_thread_in_the_background_has_no_outputs() -> None:
    found = found_in(started("{code: x}", "result.outputs.verdict", more=", async: true"))
    assert loud(found) == ["GW703:9"]


@pytest.mark.parametrize(
    "text", [started("{depth: 1}", name="review/coed"), executed("{depth: 1}", name="review/coed")]
)
def test_a_misspelled_directive_is_named_and_judged_as_the_one_that_was_meant(text: str) -> None:
    found = found_in(text)
    assert loud(found) == ["GW704:8", "GW702:8"]
    one = only(found, "GW704")
    assert "directive `review/coed`, which does not exist" in one.message
    assert one.help == "did you mean `review/code`?"


@pytest.mark.parametrize("name", ["review/other", "elsewhere/code", "'${inputs.text}'", "'review/${inputs.text}'"])
def test_a_directive_that_nobody_here_knows_is_left_alone(name: str) -> None:
    assert loud(found_in(started("{anything: 1}", "result.outputs.anything", name=name))) == []


def test_a_call_that_does_not_fit_the_nearest_directive_does_not_mean_it() -> None:
    assert loud(found_in(started("{anything: 1}", name="review/coed"))) == []


def test_the_permissions_of_the_directive_have_to_be_covered() -> None:
    found = found_in(started("{code: x}", allowed="[rye.execute.tool.rye.agent.threads.*]"))
    one = only(found, "GW601")
    assert one.message == (
        "node `call` starts a thread with directive `review/code`, which declares "
        "`rye.execute.tool.rye.file-system.*`, but `permissions` does not cover that here"
    )
    assert one.help == "add `- rye.execute.tool.rye.file-system.*` to `permissions`"
    for allowed in ("[rye.*]", "[rye.execute.tool.rye.*]", "[rye.execute.*]"):
        assert loud(found_in(started("{code: x}", allowed=allowed))) == []
    narrower = "[rye.execute.tool.rye.agent.threads.*, rye.execute.tool.rye.file-system.read]"
    assert "GW601:8" in loud(found_in(started("{code: x}", allowed=narrower)))


def test_permissions_that_are_not_declared_are_named_with_those_of_the_directive() -> None:
    text = started("{code: x}").replace(f"permissions: {ALLOWED}\n", "")
    assert "rye.execute.tool.rye.file-system.*" in (only(found_in(text), "GW110").help or "")


def test_executing_a_directive_needs_none_of_its_permissions() -> None:
    assert loud(found_in(executed("{code: x}"))) == []


@pytest.mark.parametrize(
    "directive",
    [
        "Review {input:code}.\n",
        DIRECTIVE.replace("</inputs>", ""),
        DIRECTIVE.replace('<input name="code"', "<input"),
        DIRECTIVE.replace('name="depth"', 'name="code"'),
        DIRECTIVE.replace("<directive", "<!DOCTYPE x><directive"),
    ],
)
def test_nothing_is_said_of_a_directive_that_cannot_be_read(directive: str) -> None:
    text = started("{anything: 1}", "result.outputs.anything", allowed="[rye.execute.tool.rye.agent.threads.*]")
    assert loud(found_in(text, directive)) == []
    assert loud(found_in(executed("{anything: 1}"), directive)) == []


def test_bytes_that_are_not_text_declare_nothing() -> None:
    assert read_directive(b"\xff\xfe") == read_directive(b"")


NAMES = ("code", "depth", "flag")
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 9),
    st.sampled_from([0.5, -2.5]),
    st.sampled_from(["", "x", "1"]),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 3), max_size=2),
)


@st.composite
def declarations(draw: st.DrawFn) -> str:
    """A directive that declares some inputs, now and then badly."""
    inputs = []
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True)):
        kind = draw(st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "thing", None]))
        required = draw(st.sampled_from(["true", "false", "yes", None]))
        default = draw(st.sampled_from([None, None, "1", "x", "true", "[]"]))
        written = {"name": name, "type": kind, "required": required, "default": default}
        inputs.append(f"<input {' '.join(f'{key}={value!r}' for key, value in written.items() if value)}/>")
    return f"```xml\n<directive name='x'><inputs>{''.join(inputs)}</inputs></directive>\n```\nText\n"


@settings(max_examples=150, deadline=None)
@given(declarations(), st.dictionaries(st.sampled_from([*NAMES, "other"]), VALUES))
def test_the_verdict_is_that_of_a_run(directive: str, inputs: dict[str, object]) -> None:
    passed = json.loads(json.dumps({name: value for name, value in inputs.items() if value is not None}))
    try:
        accepted("review/code", parse_directive("review/code", directive), passed)
        refused = False
    except NodeError:
        refused = True
    codes = {each.partition(":")[0] for each in loud(found_in(executed(json.dumps(inputs)), directive))}
    wrong_default = "default=" in directive and not codes  # a default of the wrong type is refused by the run alone
    assert codes <= {"GW702", "GW412"}
    assert bool(codes) == refused or (refused and wrong_default)


def test_a_directive_that_changes_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    graph, directive = Path(".ai/tools/ask.yaml"), Path(".ai/directives/review/code.md")
    graph.parent.mkdir(parents=True)
    graph.write_text(started("{depth: 1}", name="review/coed"), "utf-8")
    cache = Cache(tmp_path / "cache", "compiler")

    def codes() -> list[str]:
        return [each.code for each in check([Path()], cache=cache).diagnostics]

    assert codes() == codes() == []
    directive.parent.mkdir(parents=True)
    directive.write_text(DIRECTIVE, "utf-8")
    assert codes() == codes() == ["GW704", "GW702"]
    directive.write_text(DIRECTIVE.replace('required="true"', ""), "utf-8")
    assert codes() == codes() == ["GW704"]
    directive.rename(directive.with_name("coed.md"))
    assert codes() == codes() == []


def test_directives_of_the_user_follow_those_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    own = tmp_path / ".ai/directives/review/code.md"
    own.parent.mkdir(parents=True)
    own.write_text(DIRECTIVE.replace('name="code" type', 'name="source" type'), "utf-8")
    text = started("{source: x}")
    assert loud(check_files({".ai/tools/ask.yaml": text})) == []
    assert loud(found_in(text)) == ["GW702:8"]


def test_a_directive_outside_the_folder_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".ai/tools").mkdir(parents=True)
    Path(".ai/directives/review").mkdir(parents=True)
    Path("elsewhere.md").write_text(DIRECTIVE, "utf-8")
    Path(".ai/directives/review/code.md").symlink_to(tmp_path / "elsewhere.md")
    Path(".ai/tools/ask.yaml").write_text(started("{depth: 1}"), "utf-8")
    assert check([Path()]).diagnostics == ()
