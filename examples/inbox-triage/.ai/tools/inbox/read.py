"""Reads a mail from a file."""

from __future__ import annotations

from email import message_from_string
from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, str]:
    """`mail`, relative to the project -> `sender`, `subject` and `body`."""
    message = message_from_string(Path(project_path, params["mail"]).read_text(encoding="utf-8"))
    return {
        "sender": str(message["From"]),
        "subject": str(message["Subject"]),
        "body": str(message.get_payload()).strip(),
    }
