"""What GW606 advises, typed into the command: the finding is gone, and no hostile value runs anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from graphwright_runtime.pipes import quote
from rules.finding import findings, one
from rules.test_authority import bash

VALUE = "${inputs.team}"
QUOTED = "${inputs.team | quote}"
NUMBER = "${inputs.team | int}"

HOSTILE = [
    "a[$(touch planted)]",
    "a[$(touch planted)]=1",
    "$(touch planted)",
    "`touch planted`",
    "; touch planted",
    "'; touch planted; '",
    '"; touch planted; "',
    "1]=$(touch planted) b[1",
    "x\nE\ntouch planted\n",
]

#: Each command with `{}` for the value; what the advice says; the command with the advice taken.
ARITHMETIC = [
    "echo $(({} + 1))",
    'echo "$(( ({}) * 2 ))"',
    "echo $(( '{}' ))",
    'echo $(( "{}" ))',
    "if (({} > 1)); then echo more; fi",
    "for ((i={}; i<1; i++)); do echo; done",
    "a[{}]=1",
    'a["{}"]+=1',
    "a=([{}]=1)",
    "declare -a a=([{}]=1)",
    "[[ {} -eq 1 ]]",
    '[[ -n x && 1 -lt "{}" ]]',
    "[[ -n x && '{}' -ge 1 || -n y ]]",
    "echo $[{} + 1]",
    'echo "$[{} + 1]"',
    "let {}",
    "let x={} y=2",
    "let 'x={}'",
    "true && let x={}",
    "declare -i x={}",
    "f() { local -ri x={}; }; f",
    "declare -i x; x={}",
    "echo $${a[{}]}",
    'echo "$${a[{}]}"',
    "x=abc; echo $${x:{}}",
    'x=abc; echo "$${x:0:{}}"',
    "read -r a[{}] <<<1",
    "printf -v a[{}] 1",
    "cat <<E\n$(({} + 1))\nE",
    "cat <<E\nx $${a[{}]} y\nE",
    "cat <<E\n$(echo $(({} + 1)))\nE",
]  # fmt: skip
NAMES = [
    "read {} <<<1",
    "read -rp hello x {} <<<1",
    "printf -v {} 1",
    "[ -v {} ] || echo unset",
    "[[ -n x && -v {} ]]",
    "test -v {}",
    "declare {}",
    'typeset "{}"',
    "declare -n r={}; echo $r",
]
OTHERS = [
    ("ls {}", f"write `{QUOTED}`", f"ls {QUOTED}"),
    ('echo "a {} b"', f'write `\\"{QUOTED}\\"` instead', f'echo "a "{QUOTED}" b"'),
    ("echo 'a {} b'", f"write `'{QUOTED}'` instead", f"echo 'a '{QUOTED}' b'"),
    ("echo $'a {} b'", f"write `'{QUOTED}$'` instead", f"echo $'a '{QUOTED}$' b'"),
    ("echo \\{}", f"write `{QUOTED}`, without the backslash", f"echo {QUOTED}"),
    ("echo a$\\{}", f"write `{QUOTED}`, without the backslash", f"echo a{QUOTED}"),
    ("echo a\\\\{}", f"write `{QUOTED}`", f"echo a\\\\{QUOTED}"),
    ('echo "a \\{} b"', f'write `\\"{QUOTED}\\"` instead', f'echo "a "{QUOTED}" b"'),
    ("cat <<E\n\\{}\nE", "and `$value` in the heredoc", f"value={QUOTED}\ncat <<E\n$value\nE"),
    ("cat <<E\nx {}\nE", "and `$value` in the heredoc", f"value={QUOTED}\ncat <<E\nx $value\nE"),
    ("cat $<<E\nx {}\nE", "and `$value` in the heredoc", f"value={QUOTED}\ncat $<<E\nx $value\nE"),
    ("cat <<'E'\nx {}\nE", "its delimiter without quotes", f"value={QUOTED}\ncat <<E\nx $value\nE"),
    ("cat <<E\n$(ls {})\nE", "and `$value` in the heredoc", f'value={QUOTED}\ncat <<E\n$(ls "$value")\nE'),
    ("cat <<E\n`ls {}`\nE", "and `$value` in the heredoc", f'value={QUOTED}\ncat <<E\n`ls "$value"`\nE'),
    ("echo `ls {}`", f"`$(…)` instead of the backquotes, and `{QUOTED}`", f"echo $(ls {QUOTED})"),
    ("true # {}", "remove it from the comment", "true #"),
    ("eval echo {}", "let `eval` read `\"$value\"`", f"value={QUOTED}; eval 'echo \"$value\"'"),
    ("sh -c 'echo {}'", "pass it as an argument", f"sh -c 'echo \"$1\"' _ {QUOTED}"),
    ("trap 'echo {}' EXIT", "set `value=", f"value={QUOTED}; trap 'echo \"$value\"' EXIT"),
    ("declare -A a; a[{}]=1", f"write `{QUOTED}`", f"declare -A a; a[{QUOTED}]=1"),
    ("read -p {} x <<<1", f"write `{QUOTED}`", f"read -p {QUOTED} x <<<1"),
    ("declare x={}", f"write `{QUOTED}`", f"declare x={QUOTED}"),
    ("[[ -n {} && $(nproc) -eq 1 ]]", f"write `{QUOTED}`", f"[[ -n {QUOTED} && $(nproc) -eq 1 ]]"),
    ("[ {} -eq 1 ]", f"write `{QUOTED}`", f"[ {QUOTED} -eq 1 ]"),
]  # fmt: skip
ADVICE = [
    *((command, f"write `{NUMBER}`: only a number", command.replace("{}", NUMBER)) for command in ARITHMETIC),
    *((command, f"`case {QUOTED} in name)", f"case {QUOTED} in b) read b <<<1;; esac") for command in NAMES),
    *OTHERS,
]

#: Where `| quote` undoes the harm in one place and leaves the rest: reported although it is quoted.
NOT_ENOUGH = [
    *ARITHMETIC,
    *NAMES,
    *(command for command, _, fixed in OTHERS if command.replace("{}", QUOTED) != fixed),
]


def typed(command: str) -> str:
    """A command as it stands inside double quotes of YAML."""
    return command.replace("\\", "\\\\").replace("\n", "\\n")


def planted(folder: Path, shell: str, command: str, value: str) -> bool:
    """Whether the value, in a command of a graph, runs what it holds."""
    text = (
        command.replace(NUMBER, "0").replace(QUOTED, str(quote(value))).replace("$${", "${")
    )  # `int` fails for all of the values
    subprocess.run(
        [shell, "-c", text], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=30
    )
    done = (folder / "planted").exists()
    (folder / "planted").unlink(missing_ok=True)
    return done


@pytest.mark.parametrize(("command", "advice", "fixed"), ADVICE, ids=[each[0] for each in ADVICE])
def test_the_advice_can_be_typed_and_helps(tmp_path: Path, command: str, advice: str, fixed: str) -> None:
    assert advice in str(one("GW606", bash(typed(command.replace("{}", VALUE)))).help)
    assert findings("GW606", bash(typed(fixed))) == []
    assert [value for shell in ("bash", "sh") for value in HOSTILE if planted(tmp_path, shell, fixed, value)] == []


TWICE = "${inputs.team | quote | quote}"
REMOTE = [
    ("ssh host echo {}", "", f"ssh host echo {TWICE}"),
    ("ssh -p 22 -o A=b host 'echo {}'", "end the quotes before it and ", f"ssh -p 22 -o A=b host 'echo '{TWICE}"),
    ('ssh host "echo a {} b"', "end the quotes before it and ", f'ssh host "echo a "{TWICE}" b"'),
    ("true | ssh host echo {} && true", "", f"true | ssh host echo {TWICE} && true"),
]


@pytest.mark.parametrize(("command", "first", "fixed"), REMOTE, ids=[each[0] for each in REMOTE])
def test_the_shell_of_another_host_reads_a_command_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, first: str, fixed: str
) -> None:
    for value in (VALUE, QUOTED):
        advice = str(one("GW606", bash(typed(command.replace("{}", value)))).help)
        assert advice.startswith(f"{first}write `{TWICE}`")
    assert findings("GW606", bash(typed(fixed))) == []
    ssh = tmp_path / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text('#!/bin/sh\nwhile [ "$1" != host ]; do shift; done; shift; exec sh -c "$*"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ssh.parent}:/usr/bin:/bin")
    again = fixed.replace(TWICE, "{}")
    found = [
        value for value in HOSTILE if planted(tmp_path, "sh", again.replace("{}", str(quote(quote(value)))), value)
    ]
    assert found == []
    assert any(planted(tmp_path, "sh", again.replace("{}", QUOTED), value) for value in HOSTILE)


def test_the_host_itself_is_one_word() -> None:
    assert findings("GW606", bash(typed(f"ssh -T {QUOTED} uptime; ls {QUOTED}"))) == []


@pytest.mark.parametrize("command", NOT_ENOUGH)
def test_quotes_that_are_not_enough_are_reported(command: str) -> None:
    one("GW606", bash(typed(command.replace("{}", QUOTED))))


@pytest.mark.parametrize("command", [*ARITHMETIC, *NAMES])
def test_bash_does_run_what_is_reported(tmp_path: Path, command: str) -> None:
    assert any(planted(tmp_path, "bash", command.replace("{}", QUOTED), value) for value in HOSTILE)


def test_only_a_word_begins_a_comment() -> None:
    assert findings("GW606", bash(typed(f"echo a}}#{QUOTED}"))) == []


def test_a_value_can_delimit_a_heredoc() -> None:
    assert "unquoted" in one("GW606", bash(typed(f"cat <<{VALUE}\na\n"))).message
