"""The signature line: one way to write it, and nothing changed passes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphwright_runtime.trust.header import Header, HeaderError, digest, seal, split
from graphwright_runtime.trust.items import check_item
from graphwright_runtime.trust.manifest import MANIFEST, Entry, Manifest, ManifestError, parse, render, signed_manifest
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.truststore import PROJECT_FILE, TrustStore, load_trust
from graphwright_runtime.trust.verification import Refusal, Verified, check
from signing.packages import ALICE, MALLORY, ROOT, module_text, standard_modules, trusting

TRUST = trusting(ALICE)
MODULE = seal("module", module_text("invoices"), ALICE)
ENTRIES = {path: Entry.of(*rest) for path, rest in standard_modules().items()}
OTHER = seal("module", module_text("refunds"), ALICE)
LISTING = signed_manifest(ENTRIES, {"demo/look": "0" * 64}, ALICE)


def flips(data: bytes, step: int = 1) -> Iterator[bytes]:
    """`data` with one bit changed, for every bit (or every `step`-th one)."""
    for bit in range(0, len(data) * 8, step):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << (bit % 8)
        yield bytes(changed)


def vouched(listing: bytes, trust: TrustStore = TRUST) -> dict[str, Entry | str]:
    """What the lines of a manifest say that verify."""
    try:
        found = parse(listing)
    except ManifestError:
        return {}
    good = [subject for subject in found.lines if isinstance(found.verdict(subject, trust), Verified)]
    return {name: found.modules[name] if kind == "module" else found.tools[name] for kind, name in good}


def test_every_single_bit_of_a_module_counts() -> None:
    assert isinstance(check("module", MODULE, TRUST), Verified)
    passed = [at for at, changed in enumerate(flips(MODULE)) if isinstance(check("module", changed, TRUST), Verified)]
    assert passed == []


def test_every_single_bit_of_a_line_of_a_manifest_counts() -> None:
    whole = vouched(LISTING)
    assert whole == {**ENTRIES, "demo/look": "0" * 64}
    lines = LISTING.splitlines(keepends=True)
    for at, line in enumerate(lines):
        for changed in flips(line, step=1 if line.startswith(b"{") else 5):
            found = vouched(b"".join((*lines[:at], changed, *lines[at + 1 :])))
            assert found.items() <= whole.items()
            assert found != whole or not line.startswith(b"{")


@pytest.mark.parametrize("purpose", ["tool", "directive", "knowledge", "source", "thread", "state", "history"])
def test_bits_of_everything_else_that_is_signed_count(purpose: Purpose) -> None:
    data = seal(purpose, b"#!/bin/sh\necho one\n" if purpose == "tool" else b"one: 1\n", ALICE)
    assert isinstance(check_item(purpose, data, TRUST), Verified)
    assert all(isinstance(check_item(purpose, changed, TRUST), Refusal) for changed in flips(data, step=3))


def test_bits_of_everything_that_this_repository_publishes_count() -> None:
    """Sampled: some bits of each signed module, wherever they fall."""
    folder = ROOT / "generated"
    trust = load_trust(ROOT / PROJECT_FILE)
    files = sorted(folder.rglob("*.py"))
    assert len(files) > 3
    assert set(vouched((folder / MANIFEST).read_bytes(), trust)) == {
        each.relative_to(folder).as_posix() for each in files
    }
    for number, file in enumerate(files):
        data = file.read_bytes()
        assert isinstance(check("module", data, trust), Verified), file
        for changed in flips(data, step=max(1, len(data) * 8 // 40 + number % 7)):
            assert isinstance(check("module", changed, trust), Refusal), file


@pytest.mark.parametrize("above", ["module", "manifest", "tool"])
def test_a_signature_line_above_another_covers_it_and_stands_alone(above: Purpose) -> None:
    """Only the first of two lines is used; a line that another user adds makes the file theirs or unsigned."""
    line = MODULE[: MODULE.index(b"\n") + 1]
    assert isinstance(check("module", line + MODULE, TRUST), Refusal)
    header = Header(digest(MODULE), MALLORY.sign(above, MODULE), MALLORY.key.id)
    assert isinstance(check("module", header.line() + MODULE, TRUST), Refusal)
    if above != "module":
        header = Header(digest(MODULE), ALICE.sign(above, MODULE), ALICE.key.id)
        assert isinstance(check("module", header.line() + MODULE, TRUST), Refusal)


@pytest.mark.parametrize("change", [b"\n", b" ", b"\x00", b"# comment\n"])
def test_nothing_can_be_added_at_either_end(change: bytes) -> None:
    assert isinstance(check("module", MODULE + change, TRUST), Refusal)
    assert isinstance(check("module", change + MODULE, TRUST), Refusal)
    assert isinstance(check("module", MODULE[:-1], TRUST), Refusal)


def test_the_line_is_the_one_of_the_specification() -> None:
    line = MODULE.split(b"\n", 1)[0].decode()
    mark, digest, signature, key_id = line.removeprefix("# ").rsplit(":", 3)
    assert line.startswith("# graphwright:signed:")
    assert mark == "graphwright:signed"
    assert (len(digest), len(signature), key_id) == (64, 86, ALICE.key.id)


@pytest.mark.parametrize("purpose", ["module", "tool", "source"])
def test_what_is_no_text_has_it_behind_a_hash_alone(purpose: Purpose) -> None:
    data = seal(purpose, b"one: 1\n", ALICE)
    line, feed, rest = data.partition(b"\n")
    verdict = check(purpose, b"<!-- " + line.removeprefix(b"# ") + b" -->" + feed + rest, TRUST)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == "malformed"


def test_markdown_has_it_in_a_comment() -> None:
    data = seal("knowledge", b"# Title\n", ALICE, markdown=True)
    assert data.startswith(b"<!-- graphwright:signed:")
    assert data.split(b"\n")[0].endswith(b" -->")
    assert isinstance(check("knowledge", data, TRUST), Verified)


def test_a_script_keeps_its_first_line_and_signs_it_too() -> None:
    data = seal("tool", b"#!/bin/sh\necho one\n", ALICE)
    assert data.startswith(b"#!/bin/sh\n# graphwright:signed:")
    verdict = check("tool", data, TRUST)
    assert isinstance(verdict, Verified)
    assert verdict.body == b"#!/bin/sh\necho one\n"
    assert isinstance(check("tool", data.replace(b"/bin/sh", b"/tmp/sh"), TRUST), Refusal)


def test_signing_again_replaces_the_line() -> None:
    assert seal("module", seal("module", module_text("invoices"), MALLORY), ALICE) == MODULE


@pytest.mark.parametrize(
    ("reason", "data"),
    [
        ("unsigned", module_text("invoices")),
        ("unknown key", seal("module", module_text("invoices"), MALLORY)),
        ("altered", MODULE.replace(b"clean", b"dirty")),
        ("malformed", MODULE.replace(ALICE.key.id.encode(), b"", 1)),
        ("malformed", MODULE.replace(b"# graphwright", b"#  graphwright", 1)),
        ("forged", MODULE.replace(MODULE[86:130], OTHER[86:130], 1)),
        ("whitespace", MODULE.replace(b"\n", b"\r\n")),
        ("whitespace", MODULE.rstrip(b"\n")),
        ("whitespace", b"\xef\xbb\xbf" + MODULE),
        ("moved", b"# Copyright\n" + MODULE),
    ],
)
def test_a_refusal_names_its_reason(reason: str, data: bytes) -> None:
    verdict = check("module", data, TRUST)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == reason
    assert verdict.advice


def test_a_signature_for_one_purpose_is_none_for_another() -> None:
    verdict = check("tool", MODULE, TRUST)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == "forged"


SOURCE = module_text("invoices")


@pytest.mark.parametrize(
    "formatted",
    [
        SOURCE.replace(b'"key"', b"'key'").replace(b"'a \"quoted\" text'", b'"a \\"quoted\\" text"'),
        SOURCE.replace(b'("clean", (1, 2), ', b'(\n    "clean",\n    (1, 2),\n    '),
        SOURCE.replace(b"from typing import Final, Literal", b"from typing import Final\nfrom typing import Literal"),
        SOURCE.replace(b"from typing import Final, Literal", b"from typing import (\n    Literal,\n    Final,\n)"),
    ],
)
def test_a_change_of_layout_is_named_as_such_and_refused(formatted: bytes) -> None:
    signed = MODULE.split(b"\n", 1)[0] + b"\n" + formatted
    assert formatted != SOURCE
    verdict = check("module", signed, TRUST, layout=Entry.of(SOURCE).layout)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == "layout"
    assert "formatting only" in verdict.text


def test_a_change_of_a_word_is_no_change_of_layout() -> None:
    verdict = check("module", MODULE.replace(b"clean", b"cleam"), TRUST, layout=Entry.of(SOURCE).layout)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == "altered"


@given(st.binary(max_size=300))
def test_noise_is_never_verified_and_never_raises(noise: bytes) -> None:
    for data in (noise, b"# graphwright:signed:" + noise, MODULE[:200] + noise):
        assert isinstance(check("module", data, TRUST), Refusal)


@given(
    st.text("0123456789abcdefABCDEF", min_size=62, max_size=66),
    st.text("ABCZabcz019-_+/=", min_size=84, max_size=88),
    st.text("0123456789abcdefg", min_size=15, max_size=17),
    st.sampled_from(["\n", "\r\n", "", " \n"]),
    st.sampled_from(["# ", "#", "<!-- ", "", "## "]),
)
def test_lines_that_look_like_headers_split_or_say_that_they_are_damaged(
    digest: str, signature: str, key_id: str, end: str, start: str
) -> None:
    line = f"{start}graphwright:signed:{digest}:{signature}:{key_id}{end}".encode()
    try:
        header, body = split("tool", line + b"body\n")
    except HeaderError:
        return
    if header is None:
        assert body == line + b"body\n"
    else:
        assert header.line() == line


@given(st.binary(max_size=200))
def test_a_manifest_is_read_or_refused(noise: bytes) -> None:
    head = LISTING.partition(b"{")[0]
    for data in (noise, head + noise, head + b'{"module": ' + noise + b" " + b"A" * 86 + b":" + b"0" * 16 + b"\n"):
        with contextlib.suppress(ManifestError):
            assert isinstance(parse(data), Manifest)


def test_a_manifest_reads_back_and_does_not_depend_on_order() -> None:
    found = parse(LISTING)
    assert (found.modules, found.tools) == (ENTRIES, {"demo/look": "0" * 64})
    assert render(dict(reversed(list(found.lines.items())))) == LISTING


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: b"<<<<<<< ours\n" + text + b"=======\n>>>>>>> theirs\n", "merge conflict markers"),
        (lambda text: text.replace(b"\n", b"\r\n"), "line endings were changed"),
        (lambda text: text + text.splitlines()[-1].replace(b"000", b"111") + b"\n", "two lines for demo/look"),
        (lambda text: text.replace(b'"}', b'"'), "is damaged"),
        (lambda text: text.replace(b'"graph"', b'"grape"'), "not a manifest of modules"),
        (lambda text: text.partition(b"\n")[2], "not a manifest of this version"),
        (lambda text: text[:-20], "is damaged"),
        (lambda _: b"", "not a manifest of this version"),
    ],
)
def test_a_damaged_manifest_says_how(change: Callable[[bytes], bytes], reason: str) -> None:
    with pytest.raises(ManifestError, match=reason):
        parse(change(LISTING))


def test_the_same_line_twice_is_one() -> None:
    """As after a merge of two branches that pinned the same tool."""
    again = signed_manifest({}, {"demo/look": "0" * 64}, MALLORY).splitlines(keepends=True)[-1]
    assert vouched(LISTING + again) == vouched(LISTING)
