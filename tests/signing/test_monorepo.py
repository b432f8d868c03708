"""`graphwright verify` in a repository with several projects, each with its own trusted keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import graphwright

GRAPH = "tool_type: graph\npermissions: []\nconfig: {start: a, nodes: {a: {type: return, output: 1}}}\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two projects, each built with a key that only it trusts."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    top = tmp_path / "repository"
    for name in ("shop", "mail"):
        folder = top / name
        (folder / ".ai" / "tools").mkdir(parents=True)
        (folder / ".ai" / "tools" / f"{name}.yaml").write_text(GRAPH, "utf-8")
        (folder / "graphwright.toml").write_text("sign = true\n", "utf-8")
        monkeypatch.chdir(folder)
        key_id = graphwright("keys", "new", "-q", "--name", name).stdout.strip()
        assert graphwright("keys", "use", key_id).code == 0
        assert graphwright("keys", "trust", key_id).code == 0
        built = graphwright("build", "-q", "--no-typecheck")
        assert built.code == 0, built.stderr
    monkeypatch.chdir(top)
    return top


@pytest.mark.parametrize("paths", [["."], ["shop", "mail"], ["shop/generated", "mail/generated"]])
def test_each_project_is_judged_by_its_own_keys(repository: Path, paths: list[str]) -> None:
    done = graphwright("verify", *paths)
    assert done.code == 0, done.stderr
    assert "0 rejected" in done.stderr


def test_a_key_of_one_project_does_not_count_in_another(repository: Path) -> None:
    for file in (repository / "shop" / "generated").iterdir():
        if file.is_file():
            (repository / "mail" / "generated" / file.name).write_bytes(file.read_bytes())
    done = graphwright("verify", ".")
    assert done.code == 1
    assert "mail/generated" in done.stderr
    assert " --> shop/generated" not in done.stderr


def test_a_graph_of_another_project(repository: Path) -> None:
    for name in ("shop", "mail"):
        file = repository / name / ".ai" / "tools" / f"{name}.yaml"
        assert graphwright("sign", file).code == 0  # with the key that is used now: that of the second project
    assert graphwright("verify", "mail/.ai/tools/mail.yaml").code == 0
    assert graphwright("verify", "shop/.ai/tools/shop.yaml").code == 1
