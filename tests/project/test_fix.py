"""Fixes edit exactly their spans; every fix of every rule removes its own finding and keeps what the graph does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphwright.checking.fix import apply_fixes, decode, encode
from graphwright.checking.inspection import inspect
from graphwright.diagnostic import Edit, Fix, Span
from graphwright.facts import Facts
from graphwright.ir.printer import graph_digest
from graphwright.source.reader import read_text
from graphwright_runtime.atomic import replace_file
from rules.documented import examples


def edit(line: int, column: int, end_column: int, text: str, end_line: int | None = None) -> Edit:
    return Edit(Span("a.yaml", line, column, end_line or line, end_column), text)


def test_edits_count_in_code_points_and_keep_line_ends() -> None:
    text = "é: 日本 x\r\nb: old\r\n"
    fixed = apply_fixes(text, [Fix((edit(2, 4, 7, "new"),)), Fix((edit(1, 7, 8, "y"), edit(1, 1, 2, "e")))])
    assert fixed == ("e: 日本 y\r\nb: new\r\n", 2)


def test_an_edit_may_take_lines_out() -> None:
    assert apply_fixes("a\nb\nc\n", [Fix((edit(2, 1, 1, "", end_line=3),))]).text == "a\nc\n"


def test_of_fixes_at_one_place_the_first_counts() -> None:
    fixes = [Fix((edit(1, 2, 4, "B"),)), Fix((edit(1, 1, 3, "A"),)), Fix((edit(1, 5, 6, "C"),))]
    assert apply_fixes("abcdef", fixes) == ("AcdCf", 2)


def test_a_fix_applies_as_a_whole_or_not_at_all() -> None:
    fixes = [Fix((edit(1, 1, 2, "X"), edit(1, 5, 6, "X"))), Fix((edit(1, 3, 4, "Y"), edit(1, 5, 6, "Y")))]
    assert apply_fixes("abcdef", fixes) == ("XbcdXf", 1)


def test_the_same_edit_twice_is_one() -> None:
    assert apply_fixes("abc", [Fix((edit(1, 2, 3, "X"),))] * 2) == ("aXc", 1)


def test_two_insertions_at_one_place_do_not_race() -> None:
    assert apply_fixes("ab", [Fix((edit(1, 2, 2, "1"),)), Fix((edit(1, 2, 2, "2"),))]).applied == 1


@given(st.text(alphabet="ab\n\r日", max_size=30), st.data())
def test_nothing_outside_of_the_spans_changes(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    number = data.draw(st.integers(0, len(lines) - 1))
    start = data.draw(st.integers(0, len(lines[number])))
    end = data.draw(st.integers(start, len(lines[number])))
    before = sum(len(line) + 1 for line in lines[:number])
    fixed = apply_fixes(text, [Fix((edit(number + 1, start + 1, end + 1, "NEW"),))]).text
    assert fixed == text[: before + start] + "NEW" + text[before + end :]


def test_a_byte_order_mark_stays() -> None:
    data = b"\xef\xbb\xbfa: 1\r\n"
    assert decode(data) == "a: 1\r\n"
    assert encode(decode(data), data) == data


def test_a_file_is_replaced_as_a_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    file.chmod(0o640)
    (tmp_path / "link.yaml").symlink_to(file)
    replace_file(tmp_path / "link.yaml", b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link.yaml").is_symlink()
    assert {each.name for each in tmp_path.iterdir()} == {"a.yaml", "link.yaml"}


def test_a_link_that_is_not_followed_is_replaced_itself(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    (tmp_path / "link.yaml").symlink_to(file)
    replace_file(tmp_path / "link.yaml", b"new", follow=False)
    assert (file.read_bytes(), (tmp_path / "link.yaml").read_bytes()) == (b"old", b"new")
    assert not (tmp_path / "link.yaml").is_symlink()


@pytest.mark.parametrize("linked", [False, True])
def test_what_is_no_file_is_not_replaced(tmp_path: Path, linked: bool) -> None:
    """`--depfile /dev/null` of a build that runs as root would take the device away from everybody."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        replace_file(tmp_path / "link" if linked else pipe, b"new")
    assert pipe.is_fifo()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_failing_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")

    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.yaml"]  # noqa: PTH208 - the names are the point


def test_new_files_get_the_usual_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mask of the process decides and stays as it is: other threads make files at the same time."""
    plain, made = tmp_path / "plain", tmp_path / "made"
    plain.write_bytes(b"")
    monkeypatch.delattr(os, "umask")
    replace_file(made, b"new")
    assert made.stat().st_mode == plain.stat().st_mode
    made.chmod(0o640)
    replace_file(made, b"newer")
    assert (made.read_bytes(), made.stat().st_mode & 0o777) == (b"newer", 0o640)
    assert sorted(tmp_path.iterdir()) == [made, plain]


#: What these fix is that the graph does something else than it says.
CHANGING = {"GW415"}

OLD = """\
tool_type: state_graph
permissions: [ryeos.execute.tool.shop.list]
config:
  start: list
  max_step: 5
  nodes:
    list:
      cache: true
      action: {item_id: "tool:shop/list", params: {at: 2026-01-31, on: yes}}
      assign: {n: "${result.n}"}
      next:
        - {to: list, when: {path: state.n, operator: neq, value: 1}}
        - to: doen
    done: {type: retrun}
"""


TEXTS = [*examples("Fails", "Passes"), ("many", OLD)]
FIXABLE = [(code, text) for code, text in TEXTS if any(each.fix for each in inspect(Facts(read_text(text))).findings)]


@pytest.mark.parametrize(("code", "text"), FIXABLE, ids=[code for code, _ in FIXABLE])
def test_a_fix_removes_its_finding(code: str, text: str) -> None:
    before = Facts(read_text(text))
    found = [each for each in inspect(before).findings if each.fix]
    fixed = text
    for _ in range(10):
        fixes = [each.fix for each in inspect(Facts(read_text(fixed))).findings if each.fix]
        if not fixes:
            break
        fixed = apply_fixes(fixed, fixes).text
    after = Facts(read_text(fixed))
    left = {each.code for each in inspect(after).findings}
    assert not [each for each in inspect(after).findings if each.fix]
    assert not {each.code for each in found} & left
    assert before.graph is not None
    assert after.graph is not None
    if not {each.code for each in found} & CHANGING:
        assert graph_digest(after.graph) == graph_digest(before.graph)


def test_some_rules_have_fixes() -> None:
    assert {"GW101", "GW106", "GW111", "many"} <= {code for code, _ in FIXABLE}


def test_a_version_gets_quotes_and_an_input_stays_what_it_is() -> None:
    text = (
        "tool_type: graph\nversion: 1.10\npermissions: []\n"
        "config_schema: {type: object, properties: {land: {type: string, enum: [SE, NO]}}, required: [land]}\n"
        'config: {start: done, nodes: {done: {type: return, output: "${inputs.land}"}}}\n'
    )
    found = [each for each in inspect(Facts(read_text(text))).findings if each.code == "GW004"]
    assert [each.help for each in found] == ['put it in quotes: "1.10"', 'put it in quotes: "NO"']
    assert apply_fixes(text, [each.fix for each in found if each.fix]).text == text.replace("1.10", '"1.10"')
