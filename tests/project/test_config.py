"""Settings: where they are read from, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphwright.checking.levels import Levels, is_firm, verify
from graphwright.diagnostic import Severity
from graphwright.project.config import Config, ConfigError, Trust, find_config
from graphwright.project.projects import Projects
from graphwright.record import replace
from render.samples import TARGET

UNASSIGNED = replace(TARGET, code="GW301")

ALL = """
roots = ["graphs"]
output = "out"
exclude = ["old/*"]
contracts = "complete"
typecheck = false
sign = false
templates = "layout"

[rules]
GW301 = "off"
GW3 = "error"

[per-file-rules]
"legacy/**" = {GW302 = "note"}

[trust]
modules = "require"
"""


def written(folder: Path, text: str, name: str = "graphwright.toml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_every_setting_is_read(tmp_path: Path) -> None:
    written(tmp_path, ALL)
    config = find_config(tmp_path)
    assert config is not None
    assert config.roots == ("graphs",)
    assert (config.output, config.exclude, config.contracts) == ("out", ("old/*",), "complete")
    assert (config.typecheck, config.sign, config.templates) == (False, False, "layout")
    assert config.rules == {"GW301": "off", "GW3": "error"}
    assert config.per_file_rules == {"legacy/**": {"GW302": "note"}}
    assert config.trust == Trust(modules="require")
    assert "rules" in config.given


def test_pyproject_needs_its_table(tmp_path: Path) -> None:
    file = written(tmp_path, '[project]\nname = "graphwright-user"\n', "pyproject.toml")
    assert find_config(tmp_path) is None
    file.write_text('[tool.graphwright]\noutput = "gen"\n', "utf-8")
    assert find_config(tmp_path) == Config(file=file, given=frozenset({"output"}), output="gen")


def test_the_nearest_file_wins_as_a_whole(tmp_path: Path) -> None:
    written(tmp_path, 'output = "far"\ntypecheck = false\n')
    written(tmp_path / "inner", '[tool.graphwright]\noutput = "near"\n', "pyproject.toml")
    (tmp_path / "inner" / "deep").mkdir()
    near = Projects().of(tmp_path / "inner" / "deep")
    assert (near.folder, near.config.output, near.config.typecheck) == (tmp_path / "inner", "near", True)
    assert Projects().of(tmp_path).config.output == "far"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ruls = {}", "`ruls` is not a known setting; did you mean `rules`?"),
        ("[trust]\nmodule = 'off'", "`trust.module` is not a known setting; did you mean `modules`?"),
        ("roots = 'graphs'", "`roots` must be a list of strings, not 'graphs'"),
        ("output = ''", "`output` must not be empty"),
        ("typecheck = 1", "`typecheck` must be true or false, not 1"),
        ("[rules]\nGW301 = 'warn'", "`rules.GW301` must be one of 'error', 'warning', 'note', 'off', not 'warn'"),
        ("[trust]\ntools = true", "`trust.tools` must be one of 'off', 'warn', 'require', not True"),
        ("rules = [", "is not valid TOML"),
        (f"output = {'9' * 5000}", "is not valid TOML"),
    ],
)
def test_a_wrong_setting_names_the_file_and_the_key(tmp_path: Path, text: str, says: str) -> None:
    written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        find_config(tmp_path)
    assert says in str(caught.value)
    assert "graphwright.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"GW999": "off"}, "`GW999` is not a code"),
        ({"GW31": "off"}, None),
        ({"": "off"}, "is not a code"),
        ({"GW101": "off"}, "`GW101` cannot be disabled or lowered"),
        ({"GW101": "error"}, None),
        ({"GW1": "off"}, None),
        ({"GW407": "warning"}, None),
        ({"GW202": "off"}, "`GW202` cannot be disabled or lowered"),
        ({"GW2": "off"}, None),
        ({"GW204": "off"}, None),
        ({"GW306": "off"}, None),
    ],
)
def test_codes_are_verified(tmp_path: Path, rules: dict[str, str], says: str | None) -> None:
    config = Config(file=tmp_path / "graphwright.toml", rules=rules)
    if says is None:
        verify(config)
    else:
        with pytest.raises(ConfigError, match=says):
            verify(config)


def test_the_longest_prefix_counts_and_per_file_rules_come_first(tmp_path: Path) -> None:
    rules = {"GW3": "note", "GW301": "warning"}
    config = Config(file=tmp_path / "x.toml", rules=rules, per_file_rules={"old/": {"GW3": "off"}})
    levels = Levels(config)
    adjusted = levels.adjust(UNASSIGNED, tmp_path / "new" / "a.yaml")
    assert adjusted is not None
    assert adjusted.severity is Severity.WARNING
    assert levels.adjust(UNASSIGNED, tmp_path / "old" / "a.yaml") is None
    other = levels.adjust(replace(UNASSIGNED, code="GW307"), tmp_path / "a.yaml")
    assert other is not None
    assert other.severity is Severity.NOTE


def test_what_stops_generation_stays(tmp_path: Path) -> None:
    levels = Levels(Config(file=tmp_path / "x.toml", rules={"GW": "off"}))
    stubborn = replace(TARGET, code="GW101")
    assert levels.adjust(stubborn, tmp_path / "a.yaml") is stubborn
    assert levels.adjust(replace(stubborn, severity=Severity.WARNING), tmp_path / "a.yaml") is None
    assert not is_firm("GW407", Severity.ERROR)
