"""GW6xx: permissions, shell injection, credentials; and what patterns can be proved to cover."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from checking import check_files, loud
from graphwright.analysis.credentials import credential
from graphwright.analysis.globs import GAP, can_match, proves
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from graphwright_runtime.pipes import quote
from rules.finding import CLEAN, Project, edit, findings, one, places

PERMISSION = "  - rye.execute.tool.tickets.*"


def permit(*patterns: str) -> tuple[str, str]:
    return PERMISSION, "\n".join(f"  - {pattern}" for pattern in patterns)


def test_uncovered_actions() -> None:
    text = edit(CLEAN, ("tool:tickets/count", "tool:mail/send"))
    found = one("GW601", text)
    assert found.help == "add `- rye.execute.tool.mail.send` to `permissions`"
    assert places("GW601", text) == ["21: tool:mail/send"]


@pytest.mark.parametrize(
    ("action", "pattern", "advice"),
    [
        (
            "primary: load, item_id: style/prose",
            "rye.load.knowledge.style.*",
            "did you mean `item_type: knowledge`? Oth",
        ),
        ("item_id: team/review", "rye.execute.directive.team.review", "did you mean `item_type: directive`? Otherwise"),
        (
            "item_type: knowledge, item_id: style/prose",
            "rye.load.knowledge.*",
            "knowledge is only read: write `primary:",
        ),
        ("primary: load, item_id: style/prose", "rye.load.knowledge.other", "add `- rye.load.tool.style.prose` to"),
    ],
)
def test_the_kind_of_item_that_would_be_permitted(action: str, pattern: str, advice: str) -> None:
    text = f"""\
tool_type: graph
permissions: [{pattern}]
config:
  start: read
  nodes:
    read: {{action: {{{action}}}, next: done}}
    done: {{type: return}}
"""
    assert str(one("GW601", text).help).startswith(advice)


@pytest.mark.parametrize(
    ("item", "pattern"),
    [
        ("tool:mail/send", "rye.*"),
        ("tool:mail/send", "rye.execute.tool.mail.?end"),
        ("tool:mail/send", "ryeos.execute.tool.mail.send"),
        ("tool:rye/agent/threads/internal/control", "rye.execute.tool.tickets.count"),
    ],
)
def test_covered_actions(item: str, pattern: str) -> None:
    text = edit(CLEAN, ("tool:tickets/count", item), permit("rye.execute.tool.tickets.*", pattern))
    assert findings("GW601", text) == []


def test_without_permissions_nothing_is_known() -> None:
    text = edit(CLEAN, ("permissions:\n" + PERMISSION + "\n", ""))
    assert findings("GW601", text) == findings("GW604", text) == []
    assert len(findings("GW601", edit(CLEAN, ("permissions:\n" + PERMISSION, "permissions: []")))) == 2


def test_search_and_load_are_capabilities_of_their_own() -> None:
    text = edit(CLEAN, ("item_id: tool:tickets/count", "primary: search"))
    assert one("GW601", text).help == "add `- rye.search.tool` to `permissions`"
    fetched = edit(CLEAN, ("item_id: tool:tickets/count", "primary: fetch\n        item_id: tool:tickets/count"))
    assert findings("GW601", edit(fetched, permit("rye.execute.tool.*", "rye.fetch.*"))) == []


def nested(*permissions: str) -> Facts:
    all_teams = edit(
        CLEAN, ("tool:tickets/count", "tool:reports/count"), permit("rye.execute.tool.reports.*", *permissions)
    )
    inner = edit(CLEAN, ("tool:tickets/count", "tool:mail/send"), permit("rye.*"))
    facts = Project({"all": all_teams, "reports/count": inner}).graph("all")
    assert facts is not None
    return facts


def test_the_graph_further_below_that_needs_it_is_told() -> None:
    middle = edit(CLEAN, ("tool:tickets/count", "tool:reports/count"))
    inner = edit(CLEAN, ("tool:tickets/count", "tool:mail/send"))
    outer = edit(CLEAN, ("tool:tickets/count", "tool:reports/middle"), permit("rye.execute.tool.[rt]*"))
    facts = Project({"all": outer, "reports/middle": middle, "reports/count": inner}).graph("all")
    assert facts is not None
    assert one("GW601", facts).message == (
        "node `count` calls graph `reports/middle`, which needs `rye.execute.tool.mail.send` for `reports/count`, "
        "but `permissions` does not cover that here"
    )


def test_a_circle_of_graphs_is_one_mistake() -> None:
    there = edit(CLEAN, ("tool:tickets/count", "tool:b"), permit("rye.execute.tool.b"))
    back = edit(CLEAN, ("tool:tickets/count", "tool:a"), permit("rye.execute.tool.*"))
    facts = Project({"a": there, "b": back}).graph("a")
    assert facts is not None
    assert [each.span.line for each in findings("GW601", facts)] == [14], "its own call that is not covered, no more"
    assert len([found for found in findings("GW704", facts) if "`a → b → a`" in found.message]) == 1


def test_a_misspelled_graph_is_no_missing_permission_alone() -> None:
    facts = Project({"all": edit(CLEAN, ("tool:tickets/count", "tool:reports/cuont")), "reports/count": CLEAN}).graph(
        "all"
    )
    assert facts is not None
    assert str(one("GW601", facts).help).endswith("; or did you mean graph `reports/count`?")


def test_actions_of_nested_graphs_must_be_covered_by_the_caller() -> None:
    found = findings("GW601", nested("rye.execute.tool.tickets.*"))
    assert [each.help for each in found] == ["add `- rye.execute.tool.mail.send` to `permissions`"]
    assert "`reports/count`" in found[0].message
    assert findings("GW601", nested("rye.execute.tool.tickets.*", "rye.execute.tool.mail.send")) == []
    assert findings("GW603", nested("rye.execute.tool.tickets.*", "rye.execute.tool.mail.send")) == []


def test_broad_and_unused_permissions() -> None:
    broad = edit(CLEAN, permit("rye.*", "rye.execute.tool.mail.send"))
    assert (
        one("GW602", broad).help
        == "write `- rye.execute.tool.tickets.count` and `- rye.execute.tool.tickets.list` instead"
    )
    assert places("GW603", broad) == ["4: rye.execute.tool.mail.send"]


@pytest.mark.parametrize(
    ("item", "advice"),
    [
        ("tool:mail/send", "replace it with what the actions need"),
        ("tool:mail/${inputs.team}", "replace it with what the actions need"),
        (None, "write `permissions: []` for a graph that calls nothing"),
    ],
)
def test_the_only_permission_is_not_used(item: str | None, advice: str) -> None:
    node = "{type: gate, next: b}" if item is None else f'{{action: {{item_id: "{item}"}}, next: b}}'
    text = (
        "tool_type: graph\npermissions: [rye.execute.tool.tickets.*]\nconfig:\n  start: a\n  nodes:\n"
        f"    a: {node}\n    b: {{type: return, output: 1}}\n"
    )
    assert one("GW603", text).help == advice


@pytest.mark.parametrize(
    "item", ["tool:${inputs.team}", "${inputs.team}", "directive:review", "tool:rye/agent/threads/thread_directive"]
)
def test_what_could_use_a_permission_keeps_it(item: str) -> None:
    text = edit(CLEAN, ("tool:tickets/count", f'"{item}"'), permit("rye.*", "rye.execute.tool.mail.send"))
    assert findings("GW602", text) == findings("GW603", text) == []


def test_hooks_use_permissions() -> None:
    hook = "\n  hooks: [{event: error, action: {item_id: tool:mail/send}}]"
    text = edit(CLEAN, ("start: fetch", "start: fetch" + hook))
    assert "hook 1" in one("GW601", text).message
    assert findings("GW603", edit(text, permit("rye.execute.tool.tickets.*", "rye.execute.tool.mail.send"))) == []


@pytest.mark.parametrize(
    ("item", "quiet"),
    [
        ("tool:tickets/${inputs.team}", True),
        ("tool:tick${inputs.team}", False),
        ("tool:mail/${inputs.team}", False),
        ("${inputs.team}", False),
        ("tool:rye/agent/threads/internal/${inputs.team}", True),
    ],
)
def test_dynamic_ids(item: str, quiet: bool) -> None:
    text = edit(CLEAN, ("tool:tickets/count", f'"{item}"'))
    assert (findings("GW604", text) == []) is quiet
    assert findings("GW601", text) == []


def test_a_dynamic_id_with_known_values_is_proved_value_by_value() -> None:
    text = edit(CLEAN, ("tool:tickets/count", '"tool:${inputs.team}"'))
    assert findings("GW604", edit(text, ("team: {type: string}", "team: {enum: [tickets/a, tickets/b]}"))) == []
    assert len(findings("GW604", edit(text, ("team: {type: string}", "team: {enum: [tickets/a, mail/b]}")))) == 1


@pytest.mark.parametrize(
    ("pattern", "known", "proved", "possible"),
    [
        ("a.*", ["a", ".", GAP], True, True),
        ("a.*", ["a", GAP], False, True),
        ("*", [GAP], True, True),
        ("a?", ["a", GAP], False, True),
        ("a.b", ["a", ".", GAP], False, True),
        ("b*", ["a", GAP], False, False),
        ("a.*.c", ["a", ".", GAP, ".", "c"], True, True),
        ("a.*.c", ["a", ".", GAP, "d"], False, False),
        ("[ab].*", ["b", ".", GAP], True, True),
        ("[!ab].*", ["b", ".", GAP], False, False),
        ("a**", ["a", GAP], True, True),
    ],
)
def test_globs(pattern: str, known: list[str | None], proved: bool, possible: bool) -> None:
    assert proves(pattern, known) is proved
    assert can_match(pattern, known) is possible


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [
        ("rye/execute/tool/tickets/*", "did you mean `rye.execute.tool.tickets.*`?"),
        ("rye/email/send", "did you mean `rye.execute.tool.rye.email.send`?"),
        ("'rye.execute.tool.tickets.*\"'", "did you mean `rye.execute.tool.tickets.*`?"),
        (
            "rye.execute.tool.mail.send\n    - rye.execute.tool.tickets.*",
            "start every `- ` of the list in the same column",
        ),
    ],
)
def test_malformed_patterns_are_read_as_they_were_meant(pattern: str, advice: str) -> None:
    text = edit(CLEAN, permit(pattern))
    assert one("GW605", text).help == advice
    assert len(findings("GW601", text)) == 2 * (pattern == "rye/email/send")


def test_malformed_patterns_do_not_cascade() -> None:
    text = edit(CLEAN, permit("tool:tickets/list", "tickets..", "rye.execute.tool.tickets.count"))
    assert len(findings("GW605", text)) == 2
    assert findings("GW601", text) == findings("GW603", text) == []


def bash(command: str, *changes: tuple[str, str]) -> str:
    return edit(
        CLEAN,
        ("tool:tickets/count", "tool:rye/bash"),
        ('{tickets: "${state.tickets}"}', '{command: "' + command.replace('"', '\\"') + '"}'),
        *changes,
    )


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("ls ${inputs.team}", ["inputs.team"]),
        ("ls ${inputs.team | quote}", []),
        ("ls ${inputs.team | quote | trim}", []),
        ("ls ${inputs.team} ${inputs.team} ${state.tickets}", ["inputs.team", "state.tickets"]),
        ("ls ${state.tickets | json}", ["state.tickets"]),
        ("head -${state.tickets | length} x", []),
        ("head -${inputs.team | int} x", []),
        ("echo ${'a' + inputs.team}", ["inputs.team"]),
        ("echo ${_run.id} ${_timestamp}", []),
        ("echo ${state._last_error.error}", ["state._last_error.error"]),
        ("cat <<'EOF'\\n${inputs.team}\\nEOF", ["inputs.team"]),
        ("cat <<'EOF'\\n${inputs.team | json}\\nEOF", []),
        ("true # ${inputs.team}", ["inputs.team"]),
        ("true # ${inputs.team | json}", []),
        ("sh -c 'ls \"$1\"' _ ${inputs.team | quote}", []),
        ("value=${inputs.team | quote}\\ncat <<EOF\\n$value\\nEOF", []),
        ("value=${inputs.team | quote}; eval 'ls \"$value\"'", []),
        ("cat <<EOF\\n${inputs.team}\\nEOF", ["inputs.team"]),
        ("${inputs.team}", ["inputs.team"]),
    ],
)
def test_shell_injection(command: str, found: list[str]) -> None:
    assert [place.split(": ", 1)[1] for place in places("GW606", bash(command))] == found


def test_types_make_inputs_harmless() -> None:
    for schema in ("{type: integer}", "{type: boolean}", "{enum: [red, blue]}"):
        assert findings("GW606", bash("ls ${inputs.team}", ("team: {type: string}", f"team: {schema}"))) == []
    assert len(findings("GW606", bash("ls ${inputs.team}", ("team: {type: string}", "team: {enum: [a, 'b; c']}")))) == 1


def test_taint_goes_through_the_state() -> None:
    relay = ("next: count", "next: relay")
    gate = '    relay: {type: gate, assign: {who: "${inputs.team}", copy: "${state.who}", fixed: abc}, next: count}\n'
    assert findings("GW606", bash("ls ${state.fixed}", relay) + gate) == []
    found = one("GW606", bash("ls ${state.copy}", relay) + gate)
    assert "`state.copy`" in found.message
    assert "the caller chooses it" in found.message


def test_each_kind_of_quotes_has_its_own_advice() -> None:
    command = "mkdir ${inputs.team} && echo \"in ${inputs.team}\" && echo 'in ${inputs.team}' && touch ${inputs.team}/x"
    bare, double, single = sorted(findings("GW606", bash(command)), key=lambda each: each.span.column)
    assert bare.help == "write `${inputs.team | quote}`, each time"
    assert "instead, so that it is outside the quotes" in str(double.help)
    assert "`'${inputs.team | quote}'`" in str(single.help)


def test_the_advice_fits_the_quotes_around_it() -> None:
    assert "outside the quotes" in str(one("GW606", bash("ls '${inputs.team}'")).help)
    assert "write `value=${inputs.team | quote}` on a line before" in str(
        one("GW606", bash("cat <<E\\n${inputs.team}\\nE")).help
    )
    assert one("GW606", bash("ls ${inputs.team}")).help == "write `${inputs.team | quote}`"
    assert one("GW606", bash("ls ${inputs.team | upper}")).help == "write `${inputs.team | upper | quote}`"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ('echo "team ${inputs.team | quote}"', "double quotes, in which the shell still runs a `$(…)`"),
        ("echo 'team ${inputs.team | quote}'", "single quotes, which its own quotes end"),
        ("cat <<E\\n${inputs.team | trim | quote}\\nE", "a heredoc, in which the shell still runs"),
        ('echo "$(ls ${inputs.team | quote})"', None),
        ('echo "a"${inputs.team | quote}"b" \'c\'', None),
        ('head -n "${inputs.team | length}"', None),
        ("cat <<'E'\\n${inputs.team | quote}\\nE", "a heredoc, which a line of it can end"),
        ("cat <<'E'\\n${inputs.team | json}\\nE", None),
        ("printf %s $'a ${inputs.team | quote}'", "`$'…'`, which its own quotes end"),
        ("eval ls ${inputs.team | quote}", "a string that a shell evaluates again"),
        ('cd x && eval "ls ${inputs.team | quote}"', "a string that a shell evaluates again"),
        ("sh -c 'ls ${inputs.team | quote}'", "a string that a shell evaluates again"),
        ('sudo /bin/bash -eu -c "ls ${inputs.team | quote}"', "a string that a shell evaluates again"),
        ("ssh host ls; bash -lc ${inputs.team | quote}", "a string that a shell evaluates again"),
        ("true # ${inputs.team | quote}", "a comment, which a line break in it ends"),
        ("echo $((${inputs.team | quote} + 1))", "arithmetic, in which the shell still runs a `$(…)`"),
        ("if ((1 << ${inputs.team | quote})); then ls; fi", "arithmetic, in which"),
        ('echo "$(( (${inputs.team | quote}) * 2 ))"', "arithmetic, in which"),
        ("echo $((${inputs.team | int} + 1)) $((1)) ${inputs.team | quote}", None),
        ("echo $(( $(wc -l < ${inputs.team | quote}) ))", None),
        ("( (ls ${inputs.team | quote}) ) && $( (ls ${inputs.team | quote}) )", None),
        ("a=((${inputs.team | quote}))", None),
        ("ls `basename ${inputs.team | quote}`", "backquotes, which a backquote in it ends"),
        ('ls "`basename $(echo ${inputs.team | quote})`"', "backquotes, which"),
        ("ls `pwd`/${inputs.team | quote}", None),
        ("sh -c 'ls \"$1\"' _ ${inputs.team | quote}", None),
        ("evaluate ${inputs.team | quote}", None),
        ("grep -c x ${inputs.team | quote}", None),
        ("bash script.sh -c ${inputs.team | quote}", None),
    ],
)
def test_quoted_text_inside_other_quotes(command: str, message: str | None) -> None:
    found = findings("GW606", bash(command))
    assert [message in each.message for each in found if message] == ([True] if message else [])
    assert bool(found) is (message is not None)


@pytest.mark.parametrize(
    ("command", "advice", "fixed"),
    [
        ("echo $((${inputs.team} + 1))", "write `${inputs.team | int}`: only a number is safe there", None),
        (
            "echo `basename ${inputs.team}`",
            "write `$(…)` instead of the backquotes, and `${inputs.team | quote}` in it",
            "echo $(basename {})",
        ),
    ],
)
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_where_quotes_do_not_protect(tmp_path: Path, command: str, advice: str, fixed: str | None, shell: str) -> None:
    """What a hostile value does to the command with `quote` is why; with the advice taken it does nothing."""
    assert one("GW606", bash(command)).help == advice
    hostile = ["a[$(touch planted)]", "`\ntouch planted\n`"]

    def plants(text: str) -> bool:
        for value in hostile:
            subprocess.run(
                [shell, "-c", text.replace("{}", str(quote(value)))], cwd=tmp_path, capture_output=True, check=False
            )
        planted = (tmp_path / "planted").exists()
        (tmp_path / "planted").unlink(missing_ok=True)
        return planted

    if shell == "bash":
        assert plants(command.replace("${inputs.team}", "{}"))
    if fixed is not None:
        assert not plants(fixed)


def test_what_a_dynamic_id_needs_is_told() -> None:
    whole = edit(CLEAN, ("tool:tickets/count", '"${inputs.team}"'))
    assert one("GW604", whole).message == (
        "node `count` calls `${inputs.team}`, which needs `rye.execute.*`: `permissions` may not cover its value"
    )
    other = one("GW604", edit(CLEAN, ("tool:tickets/count", '"tool:mail/${inputs.team}"')))
    assert other.message.endswith("which needs `rye.execute.tool.mail.*`: `permissions` does not cover it")
    some = one(
        "GW604",
        edit(
            CLEAN,
            ("team: {type: string}", "team: {enum: [list, count, drop, keep]}"),
            ("tool:tickets/count", '"tool:tickets/${inputs.team}"'),
            permit("rye.execute.tool.tickets.list", "rye.execute.tool.tickets.count"),
        ),
    )
    assert "which can need `rye.execute.tool.tickets.drop` or `rye.execute.tool.tickets.keep`" in some.message
    assert some.help == "add `- rye.execute.tool.tickets.drop` and `- rye.execute.tool.tickets.keep` to `permissions`"


def test_credentials_are_never_repeated() -> None:
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2
    found = one(
        "GW607", edit(CLEAN, ('{tickets: "${state.tickets}"}', f'{{tickets: "${{state.tickets}}", token: {token}}}'))
    )
    assert token not in found.message + str(found.help)
    assert "`token`" in found.message


def test_a_credential_under_an_escaped_name_is_one() -> None:
    given = 'params: {"tok\\u0065n": Zq8Lr2Vn5Xk9Tb4Wm7Yc}'
    assert "a secret (`token`)" in one("GW607", edit(CLEAN, ('params: {tickets: "${state.tickets}"}', given))).message


def test_a_credential_in_a_script_is_shown_on_its_line() -> None:
    script = "set -e\\ncurl -H 'Authorization: Bearer Zq8Lr2Vn5Xk9Tb4Wm7Yc' localhost"
    found = one("GW607", bash(script))
    assert "a bearer token in `command`: `Zq8L…` (20 characters)" in found.message
    assert found.span.column == bash(script).split("\n")[found.span.line - 1].index("Zq8L") + 1


@pytest.mark.parametrize(
    ("name", "value", "is_one"),
    [
        (None, "AKIA" + "IOSFODNN7ABCDEFG", True),
        (None, "-----BEGIN RSA PRIVATE KEY-----\nabc", True),
        (None, "postgres://app:hunter2x@db/app", True),
        (None, "postgres://app:${inputs.password}@db/app", False),
        ("token", "Zq8Lr2Vn5Xk9Tb4Wm7Yc", True),
        ("api_key", "3f786850e387550fdab836ed7e6dc881de23001b", True),
        ("password", "changeme-changeme-1", False),
        ("password", "xxxxxxxxxxxxxxxx", False),
        ("token", "${inputs.token}", False),
        ("token", "AAAAAAAAAAAAAAAAAAAAAAAA", False),
        ("secret", "secrets/db/2024-password-file", False),
        ("digest", "3f786850e387550fdab836ed7e6dc881de23001b", False),
        ("max_tokens", "Zq8Lr2Vn5Xk9Tb4Wm7Yc", False),
        ("token", "your-token-goes-here-123", False),
        ("password", "S3cr3t!pass", True),
        ("db_password", "Winter2024", True),
        ("password", "#login .password2", False),
        ("password", "vault:db/Password1", False),
        ("password", "required", False),
        ("password", "hunter2", True),
        ("smtp_password", "correct-horse", True),
        ("pwd", "/srv/app", False),
        ("password", "$SMTP_PASSWORD", False),
        ("password", "the password of the user", False),
        ("header", "Bearer 7Gf4kkQ2mmZ1a", True),
        ("header", "Bearer ${inputs.token}", False),
        ("text", "Bearer authentication is required", False),
        ("password_field", "Winter2024", False),
        ("command", "API_KEY=Zq8Lr2Vn5Xk9Tb4Wm7Yc ./run", True),
        ("command", "curl 'https://x/?access_token=Zq8Lr2Vn5Xk9Tb4Wm7Yc'", True),
        ("command", "API_KEY=$OTHER token=${inputs.token} secret: your_secret_here_A1", False),
        ("command", "token_count=12345678901234567890 max_token=aaaaaaaaaaaaaaaaaaaaaaaa", False),
        ("command", "echo 3f786850e387550fdab836ed7e6dc881de23001b 550e8400-e29b-41d4-a716-446655440000", False),
    ],
)
def test_what_looks_like_a_credential(name: str | None, value: str, is_one: bool) -> None:
    assert (credential(name, value) is not None) is is_one


def test_runtime_params() -> None:
    text = edit(CLEAN, ('{tickets: "${state.tickets}"}', '{tickets: "${state.tickets}", parent_depth: 3}'))
    assert places("GW608", text) == ["22: parent_depth"]


def test_rules_are_quiet_without_a_graph() -> None:
    for code in ("GW204", "GW301", "GW308", "GW503", "GW601", "GW606", "GW607", "GW704"):
        assert findings(code, Facts(read_text("a: [1"))) == []


def test_a_misspelled_permission_is_no_unused_one_as_well() -> None:
    text = edit(CLEAN, permit("rye.execute.tool.tickest.*"))
    assert findings("GW603", text) == []
    assert one("GW601", text).help == (
        "write `rye.execute.tool.tickets.*` instead of `rye.execute.tool.tickest.*` in `permissions`"
    )
    elsewhere = edit(CLEAN, permit("rye.execute.tool.tickets.list", "rye.execute.tool.mail.send"))
    assert len(findings("GW603", elsewhere)) == len(findings("GW601", elsewhere)) == 1


def test_a_file_in_place_of_an_internal_tool_needs_a_capability() -> None:
    text = edit(CLEAN, ("tool:tickets/count", "tool:rye/agent/threads/internal/control"))
    assert findings("GW601", text) == []
    tool = ".ai/tools/rye/agent/threads/internal/control.py"
    assert "GW601:21" in loud(check_files({".ai/tools/g.yaml": text, tool: "def execute(params, project_path): ..."}))
