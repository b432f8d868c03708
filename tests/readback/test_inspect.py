"""`graphwright inspect`: a module is read back, whole and without being run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from commands import graphwright
from readback.graphs import TICKETS

EXAMPLES = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(project: Path) -> Path:
    """The project, built."""
    done = graphwright("build")
    assert done.code == 0, done.stderr
    return project


def inspected(target: str = "team/close-tickets") -> dict[str, object]:
    done = graphwright("inspect", target, "--format", "json")
    assert done.code == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_module_shows_its_graph() -> None:
    found = inspected()
    assert found["graph_id"] == "team/close-tickets"
    assert found["start"] == "fetch"
    assert found["permissions"] == ["rye.execute.tool.tickets.*", "rye.search.knowledge"]
    assert found["environment"] == {"TICKET_TOKEN": ["graph"]}
    assert found["initial_state"] == {"seen": 0}
    assert found["settings"] == {
        "max_steps": 50,
        "on_max_steps": "flag",
        "timeout_s": 300,
        "durability": None,
        "require_capabilities": False,
        "builtin_hooks": True,
        "limits": None,
    }
    tools = found["tools"]
    assert isinstance(tools, list)
    assert [tool["item_id"] for tool in tools] == ["tickets/list", "tickets/close", "tickets/tell"]
    assert found["hooks"] == [
        {"id": "tell", "event": "error", "layer": 1, "conditional": True, "does": "tool:tickets/tell"},
        {"id": None, "event": "limit", "layer": 1, "conditional": False, "does": "continue 5"},
    ]


def test_nodes_are_shown_with_their_ways_out() -> None:
    nodes = inspected()["nodes"]
    assert isinstance(nodes, dict)
    ways = {name: (node["kind"], node["next"], node["on_error"]) for name, node in nodes.items()}
    assert ways == {
        "fetch": ("action", ["none", "close"], "failed"),
        "close": ("foreach", ["pick"], None),
        "pick": ("action", ["done"], None),
        "none": ("gate", ["done"], None),
        "done": ("return", [None], None),
        "failed": ("return", [None], None),
    }
    lines = TICKETS.split("\n")
    assert all(lines[node["line"] - 1].startswith(f"    {name}:") for name, node in nodes.items())
    assert nodes["fetch"]["sets"] == ["tickets", "total"]
    assert nodes["fetch"]["options"] == {"timeout_s": "30"}
    assert nodes["fetch"]["retry"] == "4 attempts, backoff_ms 20"
    assert nodes["close"]["sets"] == ["closed"]
    assert nodes["close"]["reads"] == ["tickets"]
    assert nodes["pick"]["max_visits"] == 3
    assert nodes["pick"]["calls"] == {"primary": "execute", "kind": "tool", "item_id": None, "capability": None}


def test_types_are_shown_as_importers_see_them() -> None:
    types = inspected()["types"]
    assert isinstance(types, dict)
    assert types["Inputs"]["fields"] == {
        "team": {"type": "str", "required": True},
        "most": {"type": "int", "required": False, "default": 10},
        "mode": {"type": "Literal['fast', 'slow']", "required": False, "default": "fast"},
        "due-date": {"type": "str", "required": False},
    }
    assert types["State"]["fields"]["seen"] == {"type": "int", "required": True}
    assert set(types["Output"]["fields"]) == {"closed", "total"}


@pytest.mark.parametrize(
    "target",
    [
        "generated/team/close_tickets.py",
        "generated.team.close_tickets",
        "team/close-tickets",
        "graphs/team/close-tickets.yaml",
    ],
)
def test_a_module_has_four_names(target: str) -> None:
    assert inspected(target)["module"] == "generated/team/close_tickets.py"


def test_the_source_is_compared(here: Path) -> None:
    graph = here / "graphs/team/close-tickets.yaml"

    def state() -> object:
        source = inspected()["source"]
        assert isinstance(source, dict)
        assert source["path"] == "graphs/team/close-tickets.yaml"
        return source["state"]

    assert state() == "unchanged"
    graph.write_bytes(b"\xef\xbb\xbf" + TICKETS.replace("\n", "\r\n").encode())
    assert state() == "unchanged"
    graph.write_text(TICKETS + "# a remark\n", "utf-8")
    assert state() == "changed"
    graph.unlink()
    assert inspected("generated/team/close_tickets.py")["source"] != "unchanged"
    assert state() == "missing"


def test_nothing_of_a_module_is_executed(here: Path) -> None:
    module = here / "generated/team/close_tickets.py"
    planted = "open('planted', 'w').close()\n"
    module.write_text(module.read_text("utf-8").replace("\n\n# The types of", f"\n{planted}\n# The types of"), "utf-8")
    (here / "generated/__init__.py").write_text(planted, "utf-8")
    (here / "generated/team/__init__.py").write_text(planted, "utf-8")
    for target in ("team/close-tickets", "generated.team.close_tickets", str(module)):
        assert inspected(target)["graph_id"] == "team/close-tickets"
    assert not (here / "planted").exists()
    assert "generated" not in sys.modules


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("print(1)\n", "is not a module generated by graphwright"),
        ("def x(:\n", "is not valid Python: line 1"),
        ("x = " + "(" * 5000 + ")" * 5000 + "\n", ""),
        ("x = '\0'\n", ""),
    ],
)
def test_other_files_are_named_in_one_line(here: Path, text: str, complaint: str) -> None:
    (here / "other.py").write_text(text, "utf-8")
    done = graphwright("inspect", "other.py")
    assert (done.code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert complaint in done.stderr
    assert "other.py" in done.stderr


def test_edited_records_are_not_evaluated(here: Path) -> None:
    module = here / "generated/team/close_tickets.py"
    text = module.read_text("utf-8")
    module.write_text(text.replace("max_steps=MAX_STEPS", "max_steps=[n for n in (1,)][0]"), "utf-8")
    done = graphwright("inspect", "team/close-tickets")
    assert (done.code, done.stdout) == (2, "")
    assert "is not as graphwright generates modules" in done.stderr


def test_a_name_that_leads_nowhere_gets_advice(here: Path) -> None:
    assert "did you mean `team/close_tickets`?" in graphwright("inspect", "team/close_ticket").stderr
    (here / "graphs/new.yaml").write_text(TICKETS, "utf-8")
    assert "run `graphwright build`" in graphwright("inspect", "new").stderr
    for target in ("nowhere.py", "nowhere.yaml", "no.such.module", "../etc/passwd"):
        done = graphwright("inspect", target)
        assert (done.code, done.stdout, done.stderr.count("\n")) == (2, "", 1), target


def test_signatures_are_judged(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def signature(target: str = "release/publish") -> dict[str, object]:
        found = inspected(target)["signature"]
        assert isinstance(found, dict)
        return found

    assert signature("team/close-tickets")["reason"] == "unsigned"
    monkeypatch.chdir(EXAMPLES)
    valid = signature("generated/release/publish.py")
    assert valid["valid"] is True
    assert "b3709d02594ca4d8" in str(valid["key"])
    copy = here / "generated/publish.py"
    text = (EXAMPLES / "generated/release/publish.py").read_text("utf-8")
    copy.write_text(text, "utf-8")
    monkeypatch.chdir(here)
    assert signature("generated/publish.py")["reason"] == "unknown key"
    copy.write_text(text.replace("max_steps=MAX_STEPS", "max_steps=10000"), "utf-8")
    assert signature("generated/publish.py")["reason"] == "altered"


def test_people_see_the_same() -> None:
    shown = graphwright("inspect", "team/close-tickets").stdout
    for text in (
        "generated/team/close_tickets.py: graph team/close-tickets",
        "graphs/team/close-tickets.yaml: not changed since the build",
        "max_steps 50, then flag",
        "timeout_s 300",
        "TICKET_TOKEN (graph)",
        "tool:tickets/list, which needs rye.execute.tool.tickets.list",
        "signature    none",
        "none, close",
    ):
        assert text in shown
    assert len({line for line in shown.splitlines() if line.startswith("  most")}) == 1
