"""What PyYAML says about a text that is not valid YAML, turned into where the author went wrong and the usual cause."""

from __future__ import annotations

import yaml

#: How deeply mappings and lists may nest, aliases followed.
MAX_DEPTH = 200


class UnreadableError(Exception):
    """Why there is no tree: the code that reports it, a place in the text (code points) and the facts of the fault."""

    def __init__(self, code: str, start: int, end: int, facts: dict[str, object]) -> None:
        super().__init__(code)
        self.code = code
        self.start = start
        self.end = end
        self.facts = facts


def bad_character(text: str) -> UnreadableError:
    """The first character that YAML does not allow."""
    for index, character in enumerate(text):
        printable = "\x20" <= character <= "\x7e" or character in "\t\r\n\x85" or "\xa0" <= character <= "\ufffd"
        if not printable and character < "\U00010000":
            facts: dict[str, object] = {"cause": "control", "found": f"U+{ord(character):04X}"}
            return UnreadableError("GW001", index, index + 1, facts)
    return UnreadableError("GW001", 0, 0, {"cause": "control", "found": "of this file's first"})


def explain(text: str, error: yaml.MarkedYAMLError) -> UnreadableError:
    """Turn PyYAML's complaint into ours: the place where the author went wrong, and the usual cause."""
    from graphwright.source.causes import likeliest, second_document  # for hardly any file, so not at every start
    from graphwright.source.causes.trouble import Trouble

    at = _index(text, error.problem_mark or error.context_mark)
    began = _index(text, error.context_mark or error.problem_mark)
    trouble = Trouble(text, at, began, error.context or "", error.problem or "")
    document = second_document(trouble)
    if document is not None:
        return UnreadableError("GW005", *document, {"limit": "documents"})
    if "nesting depth" in trouble.problem:
        return UnreadableError("GW005", at, at + 1, {"limit": "depth", "maximum": MAX_DEPTH})
    cause = likeliest(trouble)
    facts = {"cause": cause.kind, "found": cause.shown, "problem": trouble.problem, **cause.more}
    return UnreadableError("GW001", cause.start, cause.end, facts)


def _index(text: str, mark: yaml.Mark | None) -> int:
    return 0 if mark is None else min(int(mark.index), len(text))
