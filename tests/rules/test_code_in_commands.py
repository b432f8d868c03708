"""GW606: values in code that a command passes to another interpreter, where `quote` is no protection."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from checking import check_text, loud, only
from graphwright_runtime.pipes import quote
from rules.test_authority import bash

VALUE = "${inputs.team}"
QUOTED = "${inputs.team | quote}"
HOSTILE = ["'); open('planted', 'w') #", "x\nE\ntouch planted\n", "$(touch planted)", "'''\nopen('planted','w')\n'''"]


@pytest.mark.parametrize(
    "command",
    [
        f"""python3 -c "print('{VALUE}')\"""",
        f"""python3 -u -c 'print("{VALUE}")'""",
        f"""python -c "\nimport json\nprint(json.loads('{QUOTED}'))\n\"""",
        f"""node -e "console.log('{VALUE}')\"""",
        f"""perl -e "print '{QUOTED}'\"""",
    ],
)
def test_an_argument_that_is_code(command: str) -> None:
    help_text = only(check_text(bash(command.replace("\n", "\\n"))), "GW606").help
    assert help_text == f"pass it as an argument, `python3 -c '…' {QUOTED}`, and read it as `sys.argv[1]` in the code"


@pytest.mark.parametrize("command", [f"python3 - <<'E'\nprint('{VALUE}')\nE", f"python3 <<E\nprint('{VALUE}')\nE\nls"])
def test_a_heredoc_that_is_code(command: str) -> None:
    help_text = only(check_text(bash(command.replace("\n", "\\n"))), "GW606").help
    assert (
        help_text == f"pass it as an argument, `python3 - {QUOTED} <<'EOF'`, and read it as `sys.argv[1]` in the code"
    )


@pytest.mark.parametrize(
    "command",
    [
        f"python3 -c 'import sys; print(sys.argv[1])' {QUOTED}",
        f"python3 - {QUOTED} <<'E'\nimport sys\nprint(sys.argv[1])\nE",
        f"python3 tool.py --name {QUOTED}",
        "python3 <<'E'\nprint(${inputs.team | json})\nE",
    ],
)
@pytest.mark.parametrize("value", HOSTILE)
def test_what_the_advice_says_is_safe(command: str, value: str, tmp_path: Path) -> None:
    assert "GW606" not in {each.split(":")[0] for each in loud(check_text(bash(command.replace("\n", "\\n"))))}
    if "${inputs.team | json}" not in command and "tool.py" not in command:
        run = command.replace(QUOTED, str(quote(value)))
        done = subprocess.run(["bash", "-c", run], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=30)
        assert done.stdout == f"{value}\n"
    assert list(tmp_path.iterdir()) == []
