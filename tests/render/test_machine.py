"""The forms for programs."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from graphwright.record import replace
from graphwright.render import concise, github, gitlab, sarif
from graphwright.render import json as as_json
from graphwright.rules.catalogue import catalogue
from render.samples import NOTE, TARGET, TWICE, span

ALL = (NOTE, TWICE, TARGET)
SARIF_SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-excerpt.json").read_text("utf-8"))


def test_concise_is_one_line_each() -> None:
    lines = concise.render(ALL).splitlines()
    assert len(lines) == len(ALL)
    assert lines[2] == (
        "graphs/stats.yaml:31:13: error[GW202] node `count_files` leads to `count_line`, which does not exist; "
        "did you mean `count_lines`?"
    )


def test_json_has_exactly_the_documented_keys() -> None:
    document = json.loads(as_json.render(ALL))
    place = {"path": "graphs/stats.yaml", "line": 31, "column": 13, "end_line": 31, "end_column": 23}
    assert set(document) == {"version", "diagnostics"}
    assert document["version"] == 1
    assert document["diagnostics"][2] == {
        "code": "GW202",
        "severity": "error",
        **place,
        "message": TARGET.message,
        "help": "did you mean `count_lines`?",
        "related": [],
        "fix": {"edits": [{**place, "text": "count_lines"}]},
        "data": {"target": "count_line", "suggestion": "count_lines"},
    }
    assert document["diagnostics"][1]["related"][0]["message"] == "first here"
    assert document["diagnostics"][0]["fix"] is None
    assert document["diagnostics"][0]["data"] == {}


def test_github_escapes_what_the_runner_would_read() -> None:
    lines = github.render((*ALL, replace(TARGET, span=span(1, 2, 3, path="a,b:c.yaml")))).splitlines()
    assert lines[0] == "::notice file=graphs/stats.yaml,line=1,col=1,endLine=1,endColumn=1,title=GW211::no return node"
    assert "100%25 sure" in lines[1]
    assert "%0Adid you mean" in lines[2]
    assert "file=a%2Cb%3Ac.yaml," in lines[3]


def test_gitlab_has_unique_fingerprints_that_survive_moved_lines() -> None:
    issues = json.loads(gitlab.render((*ALL, TARGET)))
    moved = json.loads(gitlab.render([replace(each, span=span(99, 1, 2)) for each in (*ALL, TARGET)]))
    prints = [issue["fingerprint"] for issue in issues]
    assert prints == [issue["fingerprint"] for issue in moved]
    assert len(set(prints)) == len(prints)
    assert issues[2]["location"] == {"path": "graphs/stats.yaml", "lines": {"begin": 31, "end": 31}}
    assert {issue["severity"] for issue in issues} == {"info", "major"}


def test_sarif_is_valid_against_its_schema() -> None:
    document = json.loads(sarif.render(ALL, catalogue().values(), "0.1.0"))
    jsonschema.validate(document, SARIF_SCHEMA, cls=jsonschema.Draft7Validator)
    run = document["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(catalogue())
    assert all(rule["help"]["text"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert (
        run["results"][1]["relatedLocations"][1]["physicalLocation"]["artifactLocation"]["uri"] == "other%20file.yaml"
    )
    replacement = run["results"][2]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert run["results"][2]["properties"] == {"data": TARGET.data}
    assert "properties" not in run["results"][0]
    assert replacement["deletedRegion"] == {"startLine": 31, "startColumn": 13, "endLine": 31, "endColumn": 23}


def test_the_excerpt_of_the_schema_has_teeth() -> None:
    document = json.loads(sarif.render(ALL, (), "0.1.0"))
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert not jsonschema.Draft7Validator(SARIF_SCHEMA).is_valid(document)
