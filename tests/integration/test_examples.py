"""The examples: clean, compiled to what is committed, and doing what their README says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GENERATED = ROOT / "generated"
EXAMPLE_KEY = (EXAMPLES / "example-key.txt").read_text("ascii").splitlines()[-1]

Answer = dict[str, Any]
Run = Callable[..., Answer]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a graph in a fresh copy of an example; returns the result as `graphwright run` prints it."""

    def run_graph(example: str, graph: str, **inputs: object) -> Answer:
        project = tmp_path / example
        if not project.exists():
            shutil.copytree(EXAMPLES / example, project)
        monkeypatch.chdir(project)
        options = [part for name, value in inputs.items() for part in ("-i", f"{name}={value}")]
        result: Answer = json.loads(graphwright("run", "--quiet", graph, *options).stdout)
        return result

    return run_graph


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but bytecode."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_no_error_and_no_warning() -> None:
    outcome = graphwright("check", "--strict", "--no-cache", EXAMPLES)
    assert outcome.code == 0, outcome.stderr


def test_golden_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`generated/` is what the examples compile to, signed with the example key; `make golden` rewrites it."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", EXAMPLE_KEY)
    output = GENERATED if os.environ.get("GRAPHWRIGHT_GOLDEN") else tmp_path / "generated"
    outcome = graphwright("build", "--no-typecheck", "--output", output, "examples")
    assert outcome.code == 0, outcome.stderr
    built, committed = files(output), files(GENERATED)
    assert sorted(built) == sorted(committed), "`make golden` rewrites generated/"
    for path, data in built.items():
        assert data == committed[path], f"{path} is stale: `make golden` rewrites generated/"


def test_what_is_committed_is_verified_when_it_is_imported(tmp_path: Path) -> None:
    environment = {**os.environ, "GRAPHWRIGHT_VERIFY": "require:generated", "XDG_CONFIG_HOME": str(tmp_path)}
    statement = "from generated.billing import invoices; print(invoices.GRAPH_ID)"
    command = [sys.executable, "-c", statement]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "billing/invoices\n"


def test_the_example_key_is_trusted_in_this_repository_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(ROOT)
    assert graphwright("verify", "generated").code == 0
    shutil.copytree(GENERATED, tmp_path / "generated")
    monkeypatch.chdir(tmp_path)
    outcome = graphwright("verify", "generated")
    assert outcome.code == 1
    assert "is not trusted" in outcome.stderr


def test_repository_audit(run: Run) -> None:
    result = run("repository-audit", "audit/repository", directory="sample")
    assert result["output"] == {
        "verdict": "untidy",
        "files": 3,
        "lines": 34,
        "largest": ["20 sample/shop/basket.py", "13 sample/shop/checkout.py", "1 sample/shop/__init__.py"],
        "breakpoints": ["sample/shop/checkout.py:12:        breakpoint()"],
    }
    assert run("repository-audit", "audit/repository", directory="sample", allowed_breakpoints=1)["ended_at"] == "tidy"
    assert run("repository-audit", "audit/repository", directory=".ai")["ended_at"] == "nothing_to_do"


def test_invoice_pipeline(run: Run) -> None:
    assert run("invoice-pipeline", "billing/invoices", batch="data/invoices.csv")["output"] == {
        "posted": 3,
        "total_cents": 51170,
    }
    refused = run("invoice-pipeline", "billing/invoices", batch="data/broken.csv")
    assert refused["status"] == "completed"
    assert refused["output"]["posted"] == 0
    assert "2024-005" in refused["output"]["reason"]
    assert run("invoice-pipeline", "billing/invoices")["status"] == "error"


def test_release_pipeline(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELEASE_TOKEN", raising=False)
    assert "RELEASE_TOKEN" in str(run("release-pipeline", "release/publish")["error"])
    monkeypatch.setenv("RELEASE_TOKEN", "secret")
    first = run("release-pipeline", "release/publish", channel="stable")
    assert (first["ended_at"], first["output"]["version"], first["output"]["url"]) == (
        "released",
        "1.4.2",
        "index/stable/greet-1.4.2.zip",
    )
    second = run("release-pipeline", "release/publish", channel="stable")
    assert second["output"]["released"] is False
    assert "v1.4.2" in second["output"]["reason"]
    assert run("release-pipeline", "release/publish", simulate_outages=9)["ended_at"] == "rolled_back"
    announced = Path("out/announcements.txt").read_text("utf-8").splitlines()
    assert announced[:2] == ["releasing to stable", "release ended: completed"]
    assert announced[3].startswith("tag failed: ")


def test_local_crawl(run: Run) -> None:
    result = run("local-crawl", "site/crawl")
    assert result["status"] == "completed_with_errors"
    assert result["output"] == {
        "pages": 5,
        "broken": [{"page": "about.html", "link": "team.html"}, {"page": "guide/next.html", "link": "prices.html"}],
        "unreadable": ["guide/old.html"],
    }
    assert run("local-crawl", "site/crawl", folder="nowhere")["ended_at"] == "gave_up"


@pytest.mark.parametrize(
    ("mail", "drafts", "output"),
    [
        ("question", 3, {"done": "answered", "drafts": 3}),
        ("question", 1, {"done": "escalated", "drafts": 1}),
        ("bug", 3, {"done": "ticket", "ticket": 1}),
        ("spam", 3, {"done": "archived"}),
        ("other", 3, {"done": "escalated", "drafts": 0}),
    ],
)
def test_inbox_triage(run: Run, mail: str, drafts: int, output: Answer) -> None:
    result = run("inbox-triage", "inbox/triage", mail=f"mail/{mail}.txt", drafts=drafts)
    answer = result["output"].pop("answer", None)
    assert result["output"] == output
    assert (answer is None) == (output["done"] != "answered")


def test_review_with_limits(run: Run) -> None:
    result = run("review-with-limits", "review/chapters")
    assert result["steps"] == 14
    assert result["output"] == {
        "chapters": 5,
        "findings": [
            "02-first-day.md: has an unfinished passage",
            "03-tools.md:3: line is too long",
            "04-on-call.md: has an unfinished passage",
        ],
    }
    for number in range(6, 9):
        Path(f"docs/{number:02}-more.md").write_text("fine\n", encoding="utf-8")
    spent = run("review-with-limits", "review/chapters")
    assert (spent["status"], spent["max_steps_reached"], spent["steps"]) == ("completed", True, 16)


def test_news_digest(run: Run) -> None:
    result = run("news-digest", "news/digest")
    assert result["cost"] == {"turns": 5, "spend": 0.05}
    bridge, library = result["output"]["summaries"]
    assert bridge["outputs"] == {"headline": "The old bridge is open again", "words": 31}
    assert library["result"] == "The library stays open on Sundays (96 words, read with the notes of another thread)"
    assert library["outputs"] == {"headline": "The library stays open on Sundays", "words": 96}
    assert library["cost"] == {"turns": 3, "spend": 0.03, "model": "counter-1"}
    Path("model.py").write_text("raise SystemExit\n", encoding="utf-8")
    assert [each["status"] for each in run("news-digest", "news/digest")["output"]["summaries"]] == ["error", "error"]


def test_supervised_research(run: Run) -> None:
    result = run("supervised-research", "research/supervise")
    index, short, long = result["output"]["outcomes"].values()
    assert index["result"] == {"files": ["sources/almanac.md", "sources/ledger.md"], "sources": 2}
    assert short == {"status": "completed", "result": "read 2 of 2 pages", "outputs": {"pages": 2}}
    assert long["result"].endswith("of 500 pages, because it was told to finish with what you have")
    assert (long["status"], result["output"]["rounds"]) == ("completed", 1)
    impatient = Path(".ai/tools/rye/agent/threads/thread_directive.py")
    impatient.write_text(impatient.read_text("utf-8").replace(" and not thread.messages", ""), "utf-8")
    stubborn = run("supervised-research", "research/supervise", patience=0.4)
    statuses = [each["status"] for each in stubborn["output"]["outcomes"].values()]
    assert statuses == ["completed", "completed", "cancelled"]
    assert stubborn["output"]["rounds"] == 3
