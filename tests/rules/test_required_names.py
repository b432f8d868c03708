"""GW117: names in `required` that no property has, and what the rest of the check makes of them."""

from __future__ import annotations

import pytest

from checking import check_files
from graphwright.diagnostic import Severity
from rules.finding import CLEAN, edit, places

PROPERTIES = "    team: {type: string}\n  required: [team]\n"


def with_schema(schema: str) -> str:
    """A graph whose inputs have this schema, besides `team`."""
    return edit(CLEAN, (PROPERTIES, schema))


def with_declaration(keyword: str, name: str) -> str:
    """A graph that declares its output or its state, and requires a name of it."""
    schema = f"{keyword}: {{type: object, properties: {{total: {{}}, tickets: {{}}}}, required: [{name}]}}\n"
    place = "config:\n" if keyword == "state_schema" else "config_schema:\n"
    return edit(CLEAN, (place, f"{place}  {schema}" if keyword == "state_schema" else f"{schema}{place}"))


def test_a_misspelled_name_is_one_error_and_the_property_counts_as_required() -> None:
    text = edit(
        CLEAN, ("required: [team]", "required: [taem]"), ('{team: "${inputs.team}"}', '{t: "team ${inputs.team}"}')
    )
    found = [each for each in check_files({"graph.yaml": text}) if each.severity is not Severity.NOTE]
    assert [(each.code, each.severity, each.span.line) for each in found] == [("GW117", Severity.ERROR, 8)]


def test_a_property_that_everything_else_spells_differently_is_one_error() -> None:
    text = edit(CLEAN, ("    team: {type", "    tema: {type"))
    (found,) = (each for each in check_files({"graph.yaml": text}) if each.severity is not Severity.NOTE)
    assert (found.code, found.span.line) == ("GW117", 8)
    assert found.help == "rename the property `tema` to `team`"
    assert places("GW307", edit(text, ("  required: [team]\n", ""))) == ["14: inputs.team"]


def test_a_property_that_is_missing_is_one_error() -> None:
    text = edit(CLEAN, ("    team: {type: string}\n", "    owner: {type: string, default: me}\n"))
    found = check_files({"graph.yaml": text})
    assert [each.code for each in found if each.severity is Severity.ERROR] == ["GW307"]
    assert "GW117" not in {each.code for each in found}


def test_a_property_next_to_properties_is_one_error() -> None:
    schema = "    area: {type: string, default: eu}\n  team: {type: string}\n  required: [team]\n"
    found = check_files({"graph.yaml": with_schema(schema)})
    assert [each.code for each in found if each.severity is Severity.ERROR] == ["GW105"]
    assert "GW117" not in {each.code for each in found}


def test_a_name_like_no_property_is_a_warning() -> None:
    text = edit(CLEAN, ("required: [team]", "required: [team, requester]"))
    found = check_files({"graph.yaml": text})
    assert [(each.code, each.severity) for each in found if each.code == "GW117"] == [("GW117", Severity.WARNING)]


@pytest.mark.parametrize(
    "schema",
    [
        "    team: {type: string}\n  anyOf: [{required: [team]}, {properties: {lead: {}}, required: [lead]}]\n",
        "    team: {type: string}\n  required: [team, area]\n  additionalProperties: {type: string}\n",
        "    team: {type: string}\n  required: [team, area]\n  allOf: [{properties: {area: {type: string}}}]\n",
        "    team: {type: string}\n  required: [team]\n  not: {required: [owner]}\n",
        "    team: {}\n  required: [team, area]\n  $ref: '#/$defs/a'\n  $defs: {a: {properties: {area: {}}}}\n",
        "    team: {type: object, required: [lead]}\n  required: [team]\n",
        "    team: {type: string}\n    teams: {type: string}\n  required: [team, teams]\n",
    ],
    ids=["alternatives", "described", "all of", "denied", "reference", "no properties", "two alike"],
)
def test_names_that_something_declares_are_fine(schema: str) -> None:
    assert places("GW117", with_schema(schema)) == []


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ("    team: {type: object, properties: {name: {}}, required: [nmae]}\n  required: [team]\n", "7: nmae"),
        ("    team: {type: string}\n  anyOf: [{required: [taem]}, {required: [lead]}]\n", "8: taem"),
        ("    team: {type: string}\n  required: [taem]\n  additionalProperties: true\n", "8: taem"),
        ("    team: {type: array, items: {properties: {id: {}}, required: [key]}}\n  required: [team]\n", "7: key"),
    ],
    ids=["nested", "alternative", "open, but near", "items"],
)
def test_every_level_and_every_alternative_is_looked_at(schema: str, place: str) -> None:
    assert place in places("GW117", with_schema(schema))


@pytest.mark.parametrize("keyword", ["output_schema", "state_schema"])
def test_a_misspelled_name_is_not_also_called_missing(keyword: str) -> None:
    text = with_declaration(keyword, "totl")
    assert [each.code for each in check_files({"graph.yaml": text}) if each.severity is Severity.ERROR] == ["GW117"]


@pytest.mark.parametrize("keyword", ["output_schema", "state_schema"])
def test_what_an_output_or_a_state_lacks_is_said_once(keyword: str) -> None:
    text = with_declaration(keyword, "customer")
    assert [each.code for each in check_files({"graph.yaml": text}) if each.severity is Severity.ERROR] == ["GW412"]
    assert places("GW117", text) == []
