"""The fixed words of the language, and synonyms from other tools."""

from __future__ import annotations

from typing import Final

#: Targets with which other languages end a run.
END_WORDS: Final = frozenset({"end", "__end__", "exit", "finish", "finished", "stop", "return", "success", "complete"})

#: The words for null in other languages, which are strings here.
NULL_WORDS: Final = frozenset({"none", "nil", "undefined", "null"})

#: Targets with which other languages stop, go on or try again after a failure.
STOP_WORDS: Final = frozenset({"fail", "abort", "stop", "exit", "error", "raise", "terminate"})
CONTINUE_WORDS: Final = frozenset({"continue", "ignore", "skip"})
RETRY_WORD: Final = "retry"

PRIMARIES: Final = ("execute", "search", "load", "sign")
#: Other spellings that are accepted everywhere, including capability patterns.
PRIMARY_ALIASES: Final = {"fetch": "load"}
PRIMARY_SYNONYMS: Final = {
    "exec": "execute", "run": "execute", "call": "execute", "invoke": "execute", "get": "load", "read": "load",
    "fetch": "load", "find": "search", "query": "search",
}  # fmt: skip

#: The tool that starts, watches and ends graphs and threads, and its operation that starts several.
ORCHESTRATOR: Final = "rye/agent/threads/orchestrator"
SPAWN: Final = "spawn"

#: Kinds of item that an action names.
KINDS: Final = ("tool", "directive", "knowledge")

#: Ids of the tool that passes its `command` to a shell.
SHELL_TOOLS: Final = frozenset({"rye/bash", "rye/bash/bash"})

ON_ERROR: Final = ("fail", "continue")
ON_MAX_STEPS: Final = ("fail", "return", "flag")
#: The values of `status` in a return node, and their synonyms.
STATUSES: Final = ("completed", "error")
STATUS_SYNONYMS: Final = {
    "success": "completed", "succeeded": "completed", "complete": "completed", "ok": "completed", "done": "completed",
    "fail": "error", "failed": "error", "failure": "error", "errored": "error",
}  # fmt: skip
DURABILITIES: Final = ("process", "power", "exit", "off")

#: The categories of errors.
CATEGORIES: Final = ("transient", "rate_limited", "permanent", "cancelled", "timeout", "denied")

#: Types of node that are planned, and what to write instead until then.
PLANNED_TYPES: Final = {
    "graph": "call the graph as a tool: `action: {item_id: <its id>}`",
    "interrupt": "end the run with a return node and start another when the answer is there",
    "parallel": "use `type: foreach` with `parallel: true`",
}
TYPE_SYNONYMS: Final = {
    "end": "return", "finish": "return", "final": "return", "exit": "return", "stop": "return",
    "terminal": "return", "succeed": "return", "success": "return", "fail": "return", "loop": "foreach",
    "for_each": "foreach", "for-each": "foreach", "each": "foreach", "map": "foreach", "router": "gate",
    "switch": "gate", "condition": "gate", "branch": "gate", "choice": "gate", "tool": "action",
    "task": "action", "step": "action",
}  # fmt: skip
