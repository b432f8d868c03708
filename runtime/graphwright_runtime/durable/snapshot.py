"""The result of a run as linked objects: ref → execution snapshot → receipts → results.

They are written from the log when the run ends. For a long run, receipts and results are only in the log, which the
snapshot identifies.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.content import content_of, regular_file
from graphwright_runtime.durable.canonical import canonical, parsed
from graphwright_runtime.durable.claims import Claim
from graphwright_runtime.durable.layout import Layout, replace_file
from graphwright_runtime.durable.objects import Objects
from graphwright_runtime.durable.runkey import known_key
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.trust.signing import Signer, from_text, to_text
from graphwright_runtime.values import Json
from graphwright_runtime.version import RUNTIME_VERSION

#: Maximum number of steps for which receipts and results are written as objects.
_STEPS: Final = 256
#: Maximum size of a ref in bytes; the ids in it are file names.
_LONGEST_REF: Final = 1 << 16
_RECEIPT: Final = ("cache_hit", "elapsed_ms", "error", "node_input_hash", "node_result_hash", "timestamp")
#: What a receipt has only if it applies.
_OPTIONAL: Final = ("cache_hits", "calls")


def write_snapshot(
    layout: Layout,
    graph: AnyGraph,
    state: Mapping[str, object],
    *,
    status: str,
    steps: int,
    log_sha256: str,
    log_bytes: int,
    signer: Signer,
) -> None:
    """Write the objects of a run that has ended, then its signed ref. Raises OSError and ValueError."""
    objects = Objects(layout.project)
    receipts = [objects.put(receipt) for receipt in _receipts(layout, objects)] if steps <= _STEPS else []
    snapshot = objects.put(
        {
            "graph_run_id": layout.run_id,
            "graph_id": graph.id,
            "graph_hash": graph.hash,
            "module_hash": _module_hash(graph),
            "runtime_version": RUNTIME_VERSION,
            "status": status,
            "steps": steps,
            "state_hash": objects.put(state),
            "node_receipts": receipts,
            "log_sha256": log_sha256,
            "log_bytes": log_bytes,
        }
    )
    signature = signer.sign("ref", _signed(snapshot, layout.run_id, graph.id))
    ref = {
        "execution_snapshot": snapshot,
        "graph_run_id": layout.run_id,
        "graph_id": graph.id,
        "key_id": signer.key.id,
        "signature": to_text(signature),
    }
    replace_file(layout.ref, canonical(ref))


class Reference(NamedTuple):
    """A verified ref and its execution snapshot: `name` is the hash of the snapshot, `key_id` the signer."""

    file: Path
    key_id: str
    name: str
    snapshot: Mapping[str, Json]

    @property
    def receipts(self) -> list[str]:
        """The hashes of the receipts, in the order of the log; empty for a long run."""
        return cast("list[str]", self.snapshot["node_receipts"])

    @property
    def state_hash(self) -> str:
        """The hash of the final state."""
        return str(self.snapshot["state_hash"])

    @property
    def claim(self) -> Claim:
        """The log that it was made from."""
        return Claim(self.file, cast("int", self.snapshot["log_bytes"]), str(self.snapshot["log_sha256"]))


def read_reference(layout: Layout) -> Reference | None:
    """Read and verify the ref of a run and its execution snapshot; None if there is no ref. Raises RefusedError."""
    try:
        data = content_of(layout.ref, _LONGEST_REF)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RefusedError(f"{layout.ref} cannot be read: {error.strerror}") from error
    try:
        ref = cast("dict[str, str]", parsed(data))
        name, run_id, graph_id = ref["execution_snapshot"], ref["graph_run_id"], ref["graph_id"]
        signature, key_id = from_text(ref["signature"]), ref["key_id"]
        signed = _signed(name, run_id, graph_id)
        exact = canonical(ref) == data
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RefusedError(f"{layout.ref} is not what the run wrote") from None
    key = known_key(key_id, layout.project, layout.ref)
    if run_id != layout.run_id or not exact or not key.verify("ref", signed, signature):
        raise RefusedError(f"{layout.ref} is not what the run wrote")
    snapshot = cast("dict[str, Json]", Objects(layout.project).get(name))
    return Reference(layout.ref, key_id, name, snapshot)


def verify_objects(project: Path, reference: Reference) -> None:
    """Verify the state and all receipts and results of a snapshot. Raises RefusedError."""
    objects = Objects(project)
    for number, each in enumerate(reference.receipts, 1):
        receipt = cast("dict[str, Json]", objects.get(each, f"the receipt of entry {number}"))
        if receipt["node_result_hash"] is not None:
            what = f"the result of step {receipt['step']}, `{receipt['node']}`"
            objects.get(str(receipt["node_result_hash"]), what)
    objects.get(reference.state_hash, "the final state")


def _signed(snapshot: str, run_id: str, graph_id: str) -> bytes:
    """The signed part of a ref."""
    return f"{snapshot}\n{run_id}\n{graph_id}".encode()


def _receipts(layout: Layout, objects: Objects) -> Iterator[dict[str, Json]]:
    """The receipts of all steps in the log. Stores the result of each as an object first."""
    with regular_file(layout.log) as log:
        for line in log:
            if not line.startswith(b'{"event_type":"step_completed"'):
                continue
            payload = cast("dict[str, dict[str, Json]]", parsed(line))["payload"]
            if "result" in payload:
                objects.put(payload["result"])
            yield receipt_of(payload)


def receipt_of(payload: Mapping[str, Json]) -> dict[str, Json]:
    """The receipt of a finished step as an object, from the step's event in the log."""
    receipt = cast("dict[str, Json]", payload["receipt"])
    found = {"node": payload["node"], "step": payload["step"], **{key: receipt.get(key) for key in _RECEIPT}}
    return found | {key: receipt[key] for key in _OPTIONAL if key in receipt}


def _module_hash(graph: AnyGraph) -> str | None:
    """The sha256 of the module's file; None if it has no file."""
    node = next(iter(graph.nodes.values()), None)
    module = sys.modules.get(getattr(node, "__module__", ""))
    file = getattr(module, "__file__", None)
    try:
        return hashlib.sha256(content_of(file)).hexdigest() if file is not None else None
    except OSError:
        return None
