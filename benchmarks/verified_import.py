"""The time of a verified import, compared with compiling the module's text: the goal is at most 1.3 times.

A graph of 200 nodes is compiled and signed. Each sample is a new process that has already imported the runtime, as a
program has for its second module; the signature, the manifest and the trust file are read and verified from scratch.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from graphwright.building.compile import compile_source
from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.manifest import MANIFEST, Entry, signed_manifest
from graphwright_runtime.trust.signing import Signer
from graphwright_runtime.trust.truststore import PROJECT_FILE

GOAL = 1.3
NODES = 200
SAMPLES = 15

_HEAD = """\
tool_type: graph
permissions: [rye.execute.tool.bench.step]
config:
  start: n0
  max_steps: 1000
  state: {count: 0}
  nodes:
"""
_NODE = """\
    n{at}:
      action: {{item_id: tool:bench/step, params: {{count: "${{state.count}}", text: "node {at} of ${{state.count}}"}}}}
      assign: {{count: "${{result.count}}"}}
      next:
        - {{to: n{after}, when: {{path: state.count, op: lt, value: {at}}}}}
        - {{to: n{after}}}
"""
_MEASURE = """
import importlib, sys, time
import graphwright_runtime.abi
from graphwright_runtime import loader
text = open("generated/bench.py", encoding="utf-8").read()
start = time.perf_counter()
compile(text, "generated/bench.py", "exec")
compiled = time.perf_counter() - start
loader.install("generated")
sys.path.insert(0, "")
start = time.perf_counter()
importlib.import_module("generated.bench")
print(compiled, time.perf_counter() - start)
"""


def module_text() -> bytes:
    """The module of a graph with 200 nodes."""
    nodes = "".join(_NODE.format(at=at, after=at + 1) for at in range(NODES - 1))
    compiled = compile_source(
        f"{_HEAD}{nodes}    n{NODES - 1}: {{type: return}}\n", graph_id="bench", path="bench.yaml"
    )
    if compiled.text is None:
        raise SystemExit(f"the graph does not compile: {compiled.diagnostics[0].message}")
    return compiled.text.encode()


def main() -> None:
    """Print the ratio."""
    signer = Signer(bytes(32))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        add_key(folder / PROJECT_FILE, signer.key, "bench")
        package = folder / "generated"
        package.mkdir()
        texts = {"__init__.py": b"", "bench.py": module_text()}
        for path, text in texts.items():
            (package / path).write_bytes(seal("module", text, signer))
        entries = {"__init__.py": Entry.of(b""), "bench.py": Entry.of(texts["bench.py"], "bench")}
        (package / MANIFEST).write_bytes(signed_manifest(entries, {}, signer))
        samples = []
        for _ in range(SAMPLES):
            done = subprocess.run(
                [sys.executable, "-c", _MEASURE], cwd=folder, capture_output=True, text=True, check=True, timeout=60
            )
            samples.append([float(word) for word in done.stdout.split()])
    compiled, imported = (statistics.median(column) for column in zip(*samples, strict=True))
    ratio = statistics.median(after / before for before, after in samples)
    verdict = "within" if ratio <= GOAL else "above"
    print(f"verified import, {NODES} nodes: {imported * 1e3:.1f} ms; compile(): {compiled * 1e3:.1f} ms")
    print(f"  ratio {ratio:.2f}, {verdict} {GOAL}")


if __name__ == "__main__":
    main()
