"""Graphs that the tests of the command line share."""

from __future__ import annotations

CLEAN = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.shop.list]
config:
  start: list
  nodes:
    list: {action: {item_id: "tool:shop/list", params: {open: true}}, assign: {items: "${result.items}"}, next: done}
    done: {type: return, output: {items: "${state.items}"}}
"""
#: An error (GW202), a warning (GW004) and a note (GW602).
FAULTY = CLEAN.replace("next: done", "next: dnoe").replace("shop.list]", "shop.*]").replace("true", "yes")
#: Two fixes: the older spelling of a key, and of an operator.
OLD = """\
# a remark that stays
version: "1.0.0"   # this one too
tool_type: graph
permissions: [rye.execute.tool.shop.list]
config:
  start: list
  nodes:
    list:
      cache:   true   # spaces stay
      action: {item_id: 'tool:shop/list'}
      assign: {n: "${result.n}"}
      next:
        - {to: list, when: {path: state.n, operator: neq, value: 1}}
        - to: done
    done: {type: return, output: {n: "${state.n}"}}
"""
