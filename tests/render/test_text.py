"""The form for people, character by character."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphwright.diagnostic import Diagnostic, Label, Severity
from graphwright.record import replace
from graphwright.render.layout import width
from graphwright.render.text import render
from render.samples import NOTE, TARGET, TWICE, span

LINES = [""] * 30 + ["      next: count_line"]


def shown(*diagnostics: Diagnostic, lines: Sequence[str] = (), width: int = 100, colour: bool = False) -> str:
    return render(diagnostics, lambda _: lines, width=width, colour=colour)


def test_the_form_of_the_specification() -> None:
    assert shown(TARGET, lines=LINES) == (
        "error[GW202]: node `count_files` leads to `count_line`, which does not exist\n"
        "  --> graphs/stats.yaml:31:13\n"
        "   |\n"
        "31 |       next: count_line\n"
        "   |             ^^^^^^^^^^ no such node\n"
        "   |\n"
        "   = help: did you mean `count_lines`?\n"
        "\n"
    )


def test_two_places_on_one_line_and_one_in_another_file() -> None:
    lines = ["a: 1", "bc: 2", "", "  params: {retries: 1, retries: 5}"]
    assert shown(TWICE, lines=lines).splitlines()[1:] == [
        " --> graphs/stats.yaml:4:24",
        "  |",
        "4 |   params: {retries: 1, retries: 5}",
        "  |            -------     ^^^^^^^ duplicate",
        "  |            |",
        "  |            first here",
        " ::: other file.yaml:2:1",
        "  |",
        "2 | bc: 2",
        "  | -- and there",
        "",
    ]


def test_lines_between_two_places_are_left_out() -> None:
    lines = [f"line {number}" for number in range(1, 12)]
    far = replace(
        TARGET, span=span(9, 1, 5), help=None, related=(Label(span(1, 1, 5), "far"), Label(span(7, 1, 5), "near"))
    )
    assert shown(far, lines=lines).splitlines()[2:] == [
        "  |",
        "1 | line 1",
        "  | ---- far",
        "...",
        "7 | line 7",
        "  | ---- near",
        "8 | line 8",
        "9 | line 9",
        "  | ^^^^ no such node",
        "",
    ]


def test_carets_stand_below_wide_and_combining_characters_and_tabs() -> None:
    line = "\t日本é\u0301: x"
    place = span(1, line.index("x") + 1, line.index("x") + 2)
    text, mark = shown(replace(TARGET, span=place, note="", help=None), lines=[line]).splitlines()[3:5]
    assert text == "1 |     日本é\u0301: x"
    assert mark == "  |            ^"  # behind the margin: a tab of 4 cells, 2 + 2, 1 + 0, and two more


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "z" * 300 + " here " + "y" * 300
    short = replace(TARGET, message="here", span=span(1, 302, 306), help=None)
    text, mark = shown(short, lines=[line], width=60).splitlines()[3:5]
    assert len(text) <= 60
    assert text.startswith("1 | …zzz")
    assert text.endswith("yyy…")
    assert mark.index("^") == text.index("here")


def test_a_place_that_is_cut_off_is_marked_where_the_line_is_cut() -> None:
    line = "first: 1, " + "z" * 100 + ", second: 2, " + "y" * 100 + ", third: 3"
    place = span(1, line.index("second") + 1, line.index("second") + 7)
    related = tuple(Label(span(1, line.index(word) + 1, line.index(word) + 6), word) for word in ("first", "third"))
    cut = replace(TARGET, message="here", span=place, related=related, help=None)
    rows = shown(cut, lines=[line], width=60).splitlines()[3:8]
    text, marks = rows[0], rows[1]
    assert [text[place] for place, mark in enumerate(marks) if mark == "-"] == ["…", "…"]
    assert marks.index("^") == text.index("second")
    assert rows[2:] == [
        "  | |                        |                             |",
        "  | |                        |                         third",
        "  | |                        no such node",
    ]


def test_a_text_that_does_not_fit_beside_its_mark_stands_below() -> None:
    line = " " * 30 + "next: count_line"
    rows = shown(replace(TARGET, message="here", span=span(1, 37, 47), help=None), lines=[line], width=52).splitlines()
    assert rows[4:7] == [
        "  | " + " " * 36 + "^^^^^^^^^^",
        "  | " + " " * 36 + "|",
        "  | " + " " * 36 + "no such node",
    ]


def test_the_end_of_a_line_from_windows_is_not_shown() -> None:
    text, mark = shown(replace(TARGET, span=span(1, 4, 5), help=None), lines=["a: b\r", "\r"]).splitlines()[3:5]
    assert (text, mark) == ("1 | a: b", "  |    ^ no such node")


def test_ten_megabytes_in_one_line_are_no_trouble() -> None:
    rows = shown(replace(TARGET, span=span(1, 200, 201), help=None), lines=["[" * 10_000_000]).splitlines()
    assert max(map(len, rows)) <= 100


def test_a_place_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    several = replace(TARGET, span=span(1, 3, 4, end_line=3), help=None, note="")
    assert shown(several, lines=["a: |  ", "  b", "  c"]).splitlines()[4] == "  |   ^^".rstrip()


def test_a_place_behind_the_end_has_a_caret() -> None:
    assert shown(replace(TARGET, span=span(1, 9, 9), help=None, note=""), lines=["ab"]).splitlines()[4] == "  |   ^"


def test_a_whole_file_has_no_line() -> None:
    assert shown(NOTE, lines=["version: 1"]) == "note[GW211]: no return node\n --> graphs/stats.yaml:1:1\n\n"


def test_what_would_move_the_cursor_is_escaped() -> None:
    nasty = replace(TARGET, message="a\x1b[31m\nb", note="\u202e", span=span(1, 1, 2))
    text = shown(nasty, lines=["x\x1b[2J\u202e"])
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.startswith("error[GW202]: a\\x1b[31m\\nb\n")


def test_long_text_is_wrapped_with_its_indentation() -> None:
    wordy = replace(NOTE, help="word " * 25 + "end")
    rows = shown(wordy, width=60).splitlines()
    assert max(map(len, rows)) <= 60
    assert [row[:10] for row in rows[2:-1]] == ["  = help: ", "          ", "          "]


def test_wide_text_is_wrapped_by_its_cells() -> None:
    rows = shown(replace(NOTE, message="日本語 " * 20 + "🚀"), width=50).splitlines()
    assert max(map(width, rows)) <= 50
    assert max(map(width, rows)) > 42, "and not sooner"


def test_colour_changes_nothing_but_colour() -> None:
    coloured = shown(TWICE, TARGET, lines=LINES, colour=True)
    assert coloured != shown(TWICE, TARGET, lines=LINES)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown(TWICE, TARGET, lines=LINES)


def test_each_severity_has_its_name() -> None:
    heads = [shown(replace(NOTE, severity=severity)).partition("[")[0] for severity in Severity]
    assert heads == ["error", "warning", "note"]
