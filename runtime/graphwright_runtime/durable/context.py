"""The signed context of a run or thread, `thread.json`: what it may do, for what it starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.durable.layout import Layout, replace_file
from graphwright_runtime.trust.header import Header, digest
from graphwright_runtime.trust.signing import Signer


def write_context(project: Path, thread_id: str, fields: Mapping[str, object], signer: Signer) -> None:
    """Write a context and its signature; the id and the process are added to the fields. Raises OSError."""
    data = canonical({"thread_id": thread_id, "pid": os.getpid(), **fields})
    header = Header(digest(data), signer.sign("thread", data), signer.key.id)
    file = Layout(project, "", thread_id).context
    replace_file(file, data)
    replace_file(file.with_name(f"{file.name}.sig"), header.line())
