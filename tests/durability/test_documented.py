"""The program in docs/runtime.md that verifies a log."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from durability.kept import compiled, events, log_of, run

PAGE = Path(__file__).parents[2] / "docs" / "runtime.md"


def test_the_documented_program_verifies_logs(tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(import base64.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    with compiled() as module:
        run(module, tmp_path, run_id="r")
    log = log_of(tmp_path, "r")
    data = log.read_bytes()
    public_key = events(tmp_path, "r")[0]["public_key"]

    def verified() -> str:
        command = [sys.executable, "-c", program, str(log), public_key]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

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
