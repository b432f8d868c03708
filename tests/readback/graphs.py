"""Graphs that the tests of `inspect`, `diff` and `rename` share."""

from __future__ import annotations

TICKETS = """\
version: "1.0.0"
tool_type: graph
description: "Close the tickets of a team. \\"\\"\\" ${nothing}"
permissions: [rye.execute.tool.tickets.*, rye.search.knowledge]
env_requires: TICKET_TOKEN
config_schema:
  type: object
  properties:
    team: {type: string}
    most: {type: integer, default: 10}
    mode: {type: string, enum: [fast, slow], default: fast}
    "due-date": {type: string}
  required: [team]
config:
  start: fetch
  max_steps: 50
  timeout_s: 300
  on_max_steps: flag
  state: {seen: 0}
  hooks:
    - id: tell
      event: error
      condition: {path: classification.category, value: permanent}
      action: {item_id: "tool:tickets/tell"}
    - {event: limit, action: {continue: true, additional_steps: 5}}
  nodes:
    fetch:
      action: {item_id: "tool:tickets/list", params: {team: "${inputs.team}", most: "${inputs.most}"}}
      assign: {tickets: "${result.tickets}", total: "${result.total}"}
      retry: {attempts: 4, backoff_ms: 20}
      timeout_s: 30
      next:
        - {to: none, when: {path: result.total, value: 0}}
        - {to: close}
      on_error: failed
    close:
      type: foreach
      over: "${state.tickets}"
      as: ticket
      parallel: true
      action: {item_id: "tool:tickets/close", params: {id: "${ticket.id}"}, }
      collect: closed
      next: pick
    pick:
      max_visits: 3
      action: {item_id: "tool:tickets/${inputs.mode}", params: {n: "${state.total}"}}
      next: done
    none: {type: gate, assign: {total: 0}, next: done}
    done: {type: return, output: {closed: "${state.closed}", total: "${state.total}"}}
    failed: {type: return, status: error, error: "${state._last_error.error}"}
"""
"""Every kind of node, both kinds of hooks, inputs with and without defaults, settings that are not the default ones."""
