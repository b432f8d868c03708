"""Graphs that start threads, and a directive that they follow."""

from __future__ import annotations

from pathlib import Path

HEAD = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
"""

#: Starts one thread, and returns its result; OPTIONS are more params.
ONE = (
    HEAD
    + """\
config:
  start: ask
  nodes:
    ask:
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params: {directive_name: team/review, inputs: {diff: "+1 -1"}OPTIONS}
      assign: {got: "${result}"}
      next: done
    done: {type: return, output: "${state.got}"}
"""
)

REVIEW = """\
```xml
<directive name="review" version="1.0.0">
  <metadata>
    <description>Review a change.</description>
    <limits turns="8" spend="0.5" />
    <permissions><execute><tool>rye.execute.tool.team.*</tool></execute></permissions>
  </metadata>
  <inputs>
    <input name="diff" type="string" required="true">What changed</input>
    <input name="tone" type="string" default="kind">How to say it</input>
  </inputs>
  <outputs>
    <output name="verdict" type="string" required="true">What to do</output>
    <output name="notes" type="array">More</output>
  </outputs>
</directive>
```
Review {input:diff}, and be {input:tone}.
"""


def one(options: str = "", head: str = "") -> str:
    """The graph with more params, and more top-level keys."""
    return head + ONE.replace("OPTIONS", options and f", {options}")


def with_directive(project: Path, text: str = REVIEW) -> Path:
    """The project, with the directive `team/review`."""
    file = project / ".ai" / "directives" / "team" / "review.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return project
