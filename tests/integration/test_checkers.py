"""What type checkers say about emitted modules and about code that imports them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cases.graphs import graph
from running import compile_text, loaded

pytestmark = pytest.mark.slow

INPUTS = """\
count: {type: integer}
label: {type: string}
mode: {type: string, enum: [fast, slow], default: fast}
tags: {type: array, items: {type: string}, default: []}
ratio: {type: number, default: 1}
extra: {type: object, additionalProperties: {type: integer}}
"""
CONFIG = """\
start: a
state: {seen: 0}
nodes:
  a:
    action: {item_id: shop/a, params: {n: "${inputs.count}"}}
    assign: {total: "${inputs.count}", note: "n=${inputs.count}", when: "${_now}", ms: "${_timestamp}"}
    next:
      - {to: b, when: {path: inputs.mode, op: eq, value: slow}}
      - {to: done}
  b: {type: return}
  done: {type: return}
"""
IMPORTER = """\
from __future__ import annotations

import asyncio
from typing import get_type_hints

import module as m


async def main() -> None:
    out = await m.run({"count": 3, "mode": "slow"})
    n: int = out.state["total"]
    s: str = out.state["note"]
    print(n, s, get_type_hints(m.Inputs), get_type_hints(m.State))
    print(out.state["totl"])  # wrong
    await m.run({"count": "3"})  # wrong
    await m.run({"coun": 3})  # wrong


asyncio.run(main())
"""
WRONG = [number for number, line in enumerate(IMPORTER.splitlines(), 1) if line.endswith("# wrong")]
MYPY = "[mypy]\nstrict = true\ndisallow_any_explicit = true\nwarn_unused_ignores = true\nwarn_unreachable = true\n"
PYRIGHT = {
    "typeCheckingMode": "strict",
    "reportPrivateUsage": "error",
    "reportUnnecessaryComparison": "error",
    "reportUnnecessaryTypeIgnoreComment": "error",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("typed")
    required = "config_schema:\n  type: object\n  required: [count]\n"
    text = graph(CONFIG, inputs=INPUTS).replace("config_schema:\n  type: object\n", required)
    (folder / "module.py").write_text(compile_text(text), encoding="utf-8")
    (folder / "importer.py").write_text(IMPORTER, encoding="utf-8")
    (folder / "mypy.ini").write_text(MYPY, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    return folder


def test_mypy_reports_exactly_the_mistakes(project: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "module.py", "importer.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert sorted({line.split(":")[0] for line in errors}) == ["importer.py"], done.stdout
    assert sorted({int(line.split(":")[1]) for line in errors}) == WRONG, done.stdout


def test_pyright_reports_exactly_the_mistakes(project: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    found = json.loads(done.stdout)["generalDiagnostics"]
    places = sorted({(Path(entry["file"]).name, entry["range"]["start"]["line"] + 1) for entry in found})
    assert places == [("importer.py", line) for line in WRONG], found


ODD = f"""\
start: a
state: {{n: 3, b: true, rows: [1, {{k: 2}}], label: null}}
nodes:
  a:
    type: gate
    assign:
      label: ready
      copied: "${{state.label}}"
      again: "${{state.copied}}"
      mixed: "${{[[1, state.n, 'x'] || state.b, state.rows[-1].k] | json}}"
      default: "${{[[1, state.n, 'x'] | default(state.b), state.rows[-1].k] | json}}"
      sum: "${{{" + ".join(["state.n"] * 1000)}}}"
      first: "${{{" || ".join(["(state.rows.0 | int)"] * 1000)}}}"
    next: done
  done: {{type: return, output: {{"": "${{inputs.wide.p7}}", mixed: "${{state.mixed}}"}}}}
"""
ODD_INPUTS = f"""\
share: {{oneOf: [{{type: integer}}, {{type: number}}]}}
nameless: {{type: object, properties: {{"": {{type: object, properties: {{"": {{type: string}}}}}}, n: {{}}}}}}
wide: {{type: object, properties: {{{", ".join(f"p{number}: {{type: integer}}" for number in range(300))}}}}}
"""


def test_odd_but_right_graphs_pass_both_checkers(tmp_path: Path) -> None:
    """Types of which one must match, copies of constants, empty names, hundreds of keys, lists in fallbacks, chains."""
    (tmp_path / "module.py").write_text(compile_text(graph(ODD, inputs=ODD_INPUTS)), encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(MYPY, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--no-error-summary", "module.py"]
    pyright = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    for command in (mypy, pyright):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout


def test_type_hints_resolve_at_run_time() -> None:
    from typing import get_type_hints

    with loaded(compile_text(graph(CONFIG, inputs=INPUTS))) as module:
        assert set(get_type_hints(module.State)) >= {"total", "note", "seen"}
        assert set(get_type_hints(module.Inputs)) == {"count", "label", "mode", "tags", "ratio", "extra"}
        assert set(module.__all__) <= set(vars(module))
