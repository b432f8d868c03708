"""Stands in for a classifier: looks for words."""

from __future__ import annotations

WORDS = {
    "bug": ("crash", "traceback", "error"),
    "spam": ("won", "lottery", "click here"),
    "question": ("how do i", "could you", "?"),
}


def execute(params: dict[str, str], project_path: str) -> dict[str, str]:
    """`kind`: bug, spam, question or other."""
    text = f"{params['subject']} {params['body']}".lower()
    for kind, words in WORDS.items():
        if any(word in text for word in words):
            return {"kind": kind}
    return {"kind": "other"}
