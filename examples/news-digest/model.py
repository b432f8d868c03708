"""Stands in for a language model: reads tasks and results as lines of JSON, and answers with calls and outputs.

It works offline and always gives the same answers. Long articles are more than it can remember: it hands over to a
successor, which gets its notes.
"""

import json
import re
import sys

#: Words of an article that fit into its memory.
MEMORY = 60


def asked(message: dict) -> dict:
    """The answer to one message."""
    memory = message.get("memory")
    if memory:
        return done(memory["headline"], memory["words"], "with the notes of another thread")
    if "prompt" in message:
        path = re.search(r"article (\S+)\. ", message["prompt"])
        return {"call": {"tool": "rye/file-system/read", "params": {"path": path[1] if path else ""}}}
    if "error" in message:
        return done("unreadable", 0, message["error"])
    text = message["result"]["content"]
    headline, words = text.strip().splitlines()[0].lstrip("# "), len(text.split())
    if words > MEMORY:
        return {"hand_over": {"headline": headline, "words": words}}
    return done(headline, words, "in one go")


def done(headline: str, words: int, how: str) -> dict:
    """The last answer."""
    return {"outputs": {"headline": headline, "words": words}, "text": f"{headline} ({words} words, read {how})"}


for line in sys.stdin:
    sys.stdout.write(f"{json.dumps(asked(json.loads(line)))}\n")
    sys.stdout.flush()
