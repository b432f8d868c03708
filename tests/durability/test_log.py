"""The log of a run: its content, and detection of every change to it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from nacl.signing import VerifyKey

from durability.kept import Crash, compiled, events, log_of, run
from graphwright_runtime.durable.errors import TamperedError
from graphwright_runtime.durable.reader import Verified, read_log
from graphwright_runtime.errors import RefusedError


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


@pytest.fixture
def failed(module: ModuleType, tmp_path: Path) -> Path:
    """A project with a run `r` that failed at its third call."""
    assert run(module, tmp_path, Crash(3), run_id="r", inputs={"limit": 5}).status == "error"
    return tmp_path


def test_the_events_of_a_run(module: ModuleType, tmp_path: Path) -> None:
    assert run(module, tmp_path, run_id="r", inputs={"limit": 1}).success
    lines = [json.loads(line) for line in log_of(tmp_path, "r").read_bytes().splitlines()]
    kinds = [line["event_type"] for line in lines]
    step = ["step_started", "step_completed", "signature"]
    assert kinds == ["graph_started", "signature", *step * 3, "graph_completed", "signature"]
    assert all(set(line) == {"event_type", "graph_run_id", "payload", "timestamp"} for line in lines)
    started = lines[0]["payload"]
    assert started["inputs"] == {"limit": 1}
    assert started["state"] == {"n": 0}
    assert started["graph_hash"] == module.GRAPH_HASH
    assert set(started["node_hashes"]) == {"work", "check", "done"}
    work = lines[3]["payload"]
    assert work["delta"] == {"n": 1} == work["result"]
    assert (work["node"], work["next_node"], work["step"], work["status"]) == ("work", "check", 1, "ok")
    called = b'{"item_id":"t/add","kind":"tool","params":{"n":0},"primary":"execute"}'
    assert work["receipt"]["node_input_hash"] == hashlib.sha256(called).hexdigest()
    assert work["receipt"]["node_result_hash"] == hashlib.sha256(b'{"n":1}').hexdigest()


def test_anybody_can_verify_a_log(failed: Path) -> None:
    digest, signed, signature = hashlib.sha256(), b"", ""
    for line in log_of(failed, "r").read_bytes().splitlines(keepends=True):
        event = json.loads(line)
        if event["event_type"] == "signature":
            assert event["payload"]["sha256"] == digest.hexdigest()
            signed, signature = digest.digest(), event["payload"]["signature"]
        digest.update(line)
    key = VerifyKey(bytes.fromhex(events(failed, "r")[0]["public_key"]))
    key.verify(b"graphwright/v1 log 32 " + signed, base64.urlsafe_b64decode(signature + "=="))


def refusal(module: ModuleType, project: Path) -> str:
    """Why the run `r` cannot be resumed."""
    tool = Crash()
    result = run(module, project, tool, resume="r")
    assert result.status == "error"
    assert not tool.keys
    assert result.steps == 0
    return str(result.error)


def verified(data: bytes, project: Path) -> Verified:
    return read_log(io.BytesIO(data), "r", project)


def test_a_changed_bit_is_found_wherever_it_is(failed: Path) -> None:
    data = log_of(failed, "r").read_bytes()
    assert verified(data, failed).size == len(data)
    chance = random.Random(1)
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << chance.randrange(8)
        with pytest.raises(RefusedError, match=r"line|key") as caught:
            verified(bytes(changed), failed)
        if isinstance(caught.value, TamperedError):  # else another key is named
            lines = data[:at].count(b"\n") + 1
            assert lines - 3 <= caught.value.line <= lines, (at, str(caught.value))


@pytest.mark.parametrize("seed", range(8))
def test_a_changed_log_is_not_resumed(module: ModuleType, failed: Path, seed: int) -> None:
    chance = random.Random(seed)
    log = log_of(failed, "r")
    data = bytearray(log.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    log.write_bytes(data)
    said = refusal(module, failed)
    assert said.startswith(f"the run 'r' cannot be resumed: {log}: ")
    assert log.read_bytes() == data


def changes(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Every line deleted, doubled, and swapped with the next; all but the last lines cut off."""
    for at in range(len(lines)):
        if at < len(lines) - 1:
            yield f"deleted {at}", [*lines[:at], *lines[at + 1 :]]
            yield f"swapped {at}", [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        if at > 0:
            yield f"cut at {at}", lines[:at]
        yield f"doubled {at}", [*lines[: at + 1], *lines[at:]]


def test_lines_that_are_deleted_inserted_swapped_or_cut_are_found(module: ModuleType, failed: Path) -> None:
    log = log_of(failed, "r")
    lines = log.read_bytes().splitlines(keepends=True)
    for what, changed in changes(lines):
        log.write_bytes(b"".join(changed))
        assert refusal(module, failed), what


def test_the_lines_of_another_run_are_found(module: ModuleType, failed: Path) -> None:
    run(module, failed, Crash(3), run_id="s", inputs={"limit": 5})
    shutil.copy(log_of(failed, "s"), log_of(failed, "r"))
    assert "line 1 is not an event of this run" in refusal(module, failed)


def test_a_log_signed_by_another_key_is_refused(
    module: ModuleType, failed: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("other")))
    assert "which is neither yours nor trusted here" in refusal(module, failed)


def test_a_view_that_was_changed_is_found(module: ModuleType, failed: Path) -> None:
    [view] = failed.glob(".ai/knowledge/graphs/**/r.md")
    view.write_bytes(view.read_bytes().replace(b'"n": 2', b'"n": 3'))
    assert f"{view} is not what the run wrote" in refusal(module, failed)
    view.unlink()
    assert run(module, failed, resume="r").output == {"n": 5}


def test_a_torn_end_is_cut_off_wherever_it_is(failed: Path) -> None:
    """A write that was interrupted after any byte: the log counts up to the last whole append."""
    data, boundary = log_of(failed, "r").read_bytes(), 0
    for end in range(len(data)):
        boundary = end if is_boundary(data, end) else boundary
        found = verified(data[:end], failed)
        assert (found.size, found.cut) == (boundary, end - boundary)


def test_a_run_goes_on_from_what_is_whole(module: ModuleType, tmp_path: Path) -> None:
    whole = project_in(tmp_path / "whole")
    assert run(module, whole, Crash(4), run_id="r", inputs={"limit": 5}).status == "error"
    data = log_of(whole, "r").read_bytes()
    for end in range(len(data) - 2600, len(data), 65):
        torn = project_in(tmp_path / f"torn-{end}")
        log_of(torn, "r").parent.mkdir(parents=True)
        log_of(torn, "r").write_bytes(data[:end])
        result = run(module, torn, resume="r")
        assert result.output == {"n": 5}, (end, result.error)
        assert len(result.path) == 11
        cut = verified(data[:end], torn).size
        assert log_of(torn, "r").read_bytes().startswith(data[:cut])


def is_boundary(data: bytes, at: int) -> bool:
    """Whether an append ends here."""
    return data[at - 1 : at] == b"\n" and b'"event_type":"signature"' in data[:at].splitlines()[-1]


def project_in(folder: Path) -> Path:
    folder.mkdir()
    return folder
