"""GW5xx and the shell text behind GW503."""

from __future__ import annotations

import pytest

from graphwright.analysis.commands import read_command
from graphwright.analysis.quoting import ShellContext
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from rules.finding import CLEAN, Project, edit, findings, one, places

GRAPH_ENV = ("config_schema:", "env_requires: [TICKETS_URL]\nconfig_schema:")
NODE_ENV = ("next: done", "env_requires: [TICKETS_URL]\n      next: done")


def test_malformed_names() -> None:
    text = edit(CLEAN, ("config_schema:", "env_requires: [TICKETS-TOKEN]\nconfig_schema:"))
    assert one("GW501", text).help == "did you mean `TICKETS_TOKEN`?"


def test_several_names_in_one_string_are_a_list() -> None:
    text = edit(CLEAN, ("config_schema:", "env_requires: TICKETS_URL, TICKETS_TOKEN\nconfig_schema:"))
    assert one("GW501", text).help == "write a list: `[TICKETS_URL, TICKETS_TOKEN]`"


def test_required_twice() -> None:
    found = one("GW502", edit(CLEAN, GRAPH_ENV, NODE_ENV))
    assert found.span.line == 26
    assert found.related[0].span.line == 4
    assert findings("GW502", edit(CLEAN, NODE_ENV)) == []


def test_absent_variables_name_everyone_who_needs_them() -> None:
    text = edit(CLEAN, GRAPH_ENV, NODE_ENV)
    found = findings("GW504", text, {})
    assert [each.message for each in found] == [
        "`TICKETS_URL` is not set in this environment; it is needed by the graph and node `count`"
    ]
    assert findings("GW504", text, {"TICKETS_URL": ""}) == [], "set to nothing is set"
    assert findings("GW504", text) == [], "nobody asked"


def test_nested_graphs_need_variables_too() -> None:
    project = Project(
        {"reports/all": edit(CLEAN, ("tool:tickets/count", "tool:sub/count")), "sub/count": edit(CLEAN, GRAPH_ENV)}
    )
    facts = project.graph("reports/all")
    assert facts is not None
    needs = facts.environment.required["TICKETS_URL"]
    assert [need.owner for need in needs] == ["graph `sub/count`, called by node `count`"]


def test_the_way_to_a_graph_further_below_is_told() -> None:
    calls = ("tool:tickets/count", "tool:sub/middle")
    project = Project(
        {
            "reports/all": edit(CLEAN, calls),
            "sub/middle": edit(CLEAN, ("tool:tickets/count", "tool:sub/count")),
            "sub/count": edit(CLEAN, GRAPH_ENV),
        }
    )
    facts = project.graph("reports/all")
    assert facts is not None
    (need,) = facts.environment.required["TICKETS_URL"]
    assert need.owner == "graph `sub/count`, called by node `count` through `sub/middle`"


def test_only_unreachable_nodes_need_it() -> None:
    lost = "    lost: {action: {item_id: tool:tickets/x}, env_requires: [TICKETS_URL], next: done}\n"
    assert places("GW505", edit(CLEAN, GRAPH_ENV) + lost) == ["4: TICKETS_URL"]
    assert places("GW505", CLEAN + lost) == ["29: TICKETS_URL"]
    assert findings("GW505", edit(CLEAN, GRAPH_ENV, NODE_ENV) + lost) == []
    assert findings("GW505", edit(CLEAN, GRAPH_ENV)) == []


def command(text: str, *changes: tuple[str, str]) -> str:
    """The clean graph with a shell command in `count`."""
    block = "\n".join(f"            {line}" for line in text.split("\n"))
    bash = (
        'tool:tickets/count\n        params: {tickets: "${state.tickets}"}',
        f"tool:rye/bash\n        params:\n          command: |\n{block}",
    )
    return edit(CLEAN, bash, *changes)


@pytest.mark.parametrize(
    ("shell", "found"),
    [
        ('curl -H "x: $TOKEN" "$${URL}/a"', ["$TOKEN", "$${URL}"]),
        ("curl $URL $URL", ["$URL"]),
        ("curl '$URL' \\$URL # $URL", []),
        ('x=1; for f in *; do echo "$x $f"; done', []),
        ("read -r a b; echo $a $b $c", ["$c"]),
        ("export X=1; echo $X $HOME $PATH $? $$ $1 $LC_ALL $BASH_VERSION", []),
        ("cat <<EOF\n$A \"$B\"\nEOF\ncat <<'EOF'\n$C\nEOF\necho $D", ["$A", "$B", "$D"]),
        ('echo "$(cat "$A")" `cat $B` $((C + 1))', ["$A", "$B"]),
        ("echo \"`grep 'a$A' f` $B\"", ["$B"]),
        (': "$${A:=1}"; cat <<E\n$${B=2}\nE\necho $A $B', []),
        ("echo $A; . ./env.sh; echo $B", ["$A"]),
        ('if x; then source env; fi; echo "$B"', []),
        ('set -a; eval "$(ssh-agent)"\necho $B', []),
        ("cp x . ; echo $A # . eval", ["$A"]),
        ("echo $${A:-1} $${B:=2} $${C:?no} $${D%.*}", ["$${C:?no}", "$${D%.*}"]),
        ("echo $'it\\'s $A' $B", ["$B"]),
        ("x=$((1 << 2)); cat <<< $A", ["$A"]),
        ("mapfile -t rows; printf -v n %d 1; local k; echo $rows $n $k", []),
        ("echo ${state.tickets | length}$A", ["$A"]),
    ],
)
def test_variables_of_a_command(shell: str, found: list[str]) -> None:
    assert [place.split(": ", 1)[1] for place in places("GW503", command(shell))] == found


def test_declared_variables() -> None:
    assert findings("GW503", command("curl $TICKETS_URL", GRAPH_ENV)) == []
    assert findings("GW503", command("curl $TICKETS_URL", NODE_ENV)) == []


def test_a_template_that_is_never_closed_hides_the_command_behind_it() -> None:
    assert findings("GW503", command("for f in ${inputs.team; do echo $f; done")) == []
    assert findings("GW503", command("for f in ${inputs.team do ${inputs.team}; echo $f")) == []


def test_other_tools_read_no_variables() -> None:
    text = edit(CLEAN, ('{tickets: "${state.tickets}"}', '{tickets: "${state.tickets}", command: "echo $X"}'))
    assert findings("GW503", text) == []


@pytest.mark.parametrize(
    "shell", ["'", '"', "$", "${", "$${", "$(", "`", "<<", "<<E", "$((", "cat <<'E\n$A", "a\\", "${x", "((", ")"]
)
def test_broken_shell_text_is_read_all_the_same(shell: str) -> None:
    read_command(shell)


def test_contexts_of_holes() -> None:
    text = "echo ${a.b} '${a.b}' \"${a.b}\" \"$(ls ${a.b})\" <<X <<'Y'\n${a.b}\nX\n${a.b}\nY\n"
    assert read_command(text).scan.holes == (
        ShellContext.BARE,
        ShellContext.SINGLE,
        ShellContext.DOUBLE,
        ShellContext.BARE,
        ShellContext.HEREDOC,
        ShellContext.QUOTED_HEREDOC,
    )


def test_offsets_lead_back_to_the_scalar() -> None:
    text = "a ${state.x} $${B} $C"
    read = read_command(text)
    assert [text[read.offsets[one.start] : read.offsets[one.end]] for one in read.scan.variables] == ["$${B}", "$C"]


def test_facts_of_a_lone_text_have_no_neighbours() -> None:
    assert Facts(read_text(CLEAN)).nested("reports/count") is None
