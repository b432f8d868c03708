"""The program in docs/durable.md that verifies a log."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from durability.kept import compiled, events, log_of, run
from graphwright_runtime.trust.signing import Key

PAGE = Path(__file__).parents[2] / "docs" / "durable.md"


def test_the_documented_program_verifies_logs(tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(import base64.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    with compiled() as module:
        run(module, tmp_path, run_id="r")
    log = log_of(tmp_path, "r")
    data = log.read_bytes()
    public_key = events(tmp_path, "r")[0]["public_key"]

    def verified(*arguments: str) -> str:
        command = [sys.executable, "-c", program, *(arguments or (str(log), public_key))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    for wrong in (
        (str(log),),
        (str(log), public_key, public_key),
        (str(log), "key"),
        (str(log), public_key[:10]),
        ("nowhere", public_key),
        (str(tmp_path), public_key),
    ):
        assert verified(*wrong).startswith("usage: verify_log.py LOG PUBLIC_KEY (")
        assert len(verified(*wrong).splitlines()) == 1
    assert "was changed" in verified(str(log), "00" * 32) or "line 2: " in verified(str(log), "00" * 32)
    assert verified() == f"{data.count(bytes([10]))} lines verified\n"
    for changed, said in (
        (data.replace(b'"delta":{"n":2}', b'"delta":{"n":3}'), "was changed"),
        (data[: data.rindex(b'{"event_type":"signature"')], "at the end are not signed"),
        (data.replace(b'{"event_type"', b'x{"event_type"', 1), "line 1: "),
        (data + b'{"event_type":"step_st', "line "),
        (b"", "not signed"),
    ):
        log.write_bytes(changed)
        assert said in verified()
        assert "Traceback" not in verified()


def test_objects_are_as_documented(tmp_path: Path) -> None:
    with compiled() as module:
        run(module, tmp_path, run_id="r")
    store = tmp_path / ".ai" / "state" / "objects"
    ref = json.loads((store / "refs" / "graphs" / "r.json").read_bytes())
    key = Key(bytes.fromhex(events(tmp_path, "r")[0]["public_key"]))
    text = "\n".join(ref[name] for name in ("execution_snapshot", "graph_run_id", "graph_id")).encode()
    signature = base64.urlsafe_b64decode(ref["signature"] + "==")
    assert key.id == ref["key_id"]
    assert key.verify_message(b"graphwright/v1 ref %d %b" % (len(text), text), signature)

    def read(name: str) -> Any:
        data = (store / f"{name}.json").read_bytes()
        assert hashlib.sha256(data).hexdigest() == name
        assert json.dumps(json.loads(data), sort_keys=True, separators=(",", ":")).encode() == data
        return json.loads(data)

    snapshot = read(ref["execution_snapshot"])
    receipts = [read(name) for name in snapshot["node_receipts"]]
    page = PAGE.read_text("utf-8").partition("## The format of the objects")[2].partition("## The format")[0]
    for found in (snapshot, receipts[0], ref):
        assert [name for name in found if f"`{name}`" not in page] == []
    assert [read(receipt["node_result_hash"]) for receipt in receipts if receipt["node_result_hash"]]
    assert read(snapshot["state_hash"]) == {"n": 3}
    log = log_of(tmp_path, "r").read_bytes()
    assert (snapshot["log_bytes"], snapshot["log_sha256"]) == (len(log), hashlib.sha256(log).hexdigest())
