"""The graphs that are killed: loops, foreach nodes in turn and in parallel, retries, hooks, feedback, limits, timeouts,
graphs that call graphs or start them in the background, and results that are kept.
"""

from __future__ import annotations

from typing import Final

_HEAD: Final = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
"""

LOOP: Final = (
    _HEAD
    + """\
config:
  start: work
  max_steps: 1000
  state: {n: 0, seen: []}
  nodes:
    work:
      action: {item_id: tool:t/echo, params: {n: "${state.n + 1}"}}
      assign: {n: "${result.n}", seen: "${state.seen + [result.n]}"}
      next: check
    check:
      type: gate
      next:
        - {to: work, when: {path: state.n, op: lt, value: 40}}
        - {to: done}
    done: {type: return, output: {seen: "${state.seen}"}}
"""
)

FANS: Final = (
    _HEAD
    + """\
config:
  start: count
  max_steps: 1000
  on_error: continue
  state: {n: 0, total: 0, queue: [5, 6, 7, 8]}
  nodes:
    count: {action: {item_id: tool:t/echo, params: {n: "${state.n + 1}"}}, assign: {n: "${result.n}"}, next: turn}
    turn:
      type: foreach
      over: "${state.queue}"
      as: x
      action: {item_id: tool:t/echo, params: {n: "${x}"}}
      assign: {total: "${state.total + result.n}", queue: "${state.queue + [result.n]}"}
      collect: taken
      next: trim
    trim: {type: gate, assign: {queue: [5, 6, 7, 8]}, next: fan}
    fan:
      type: foreach
      over: "${[1, 2, 3, 4, 5, 6, 7, 8]}"
      as: x
      parallel: true
      max_concurrency: 3
      action: {item_id: tool:t/odd, params: {n: "${x}"}}
      collect: fanned
      next: check
    check:
      type: gate
      next:
        - {to: count, when: {path: state.n, op: lt, value: 6}}
        - {to: done}
    done: {type: return}
"""
)

RETRIES: Final = (
    _HEAD
    + """\
config:
  start: policy
  max_steps: 20
  builtin_hooks: false
  state: {n: 0}
  hooks:
    - {event: error, condition: {path: node, value: hooked}, action: {retry: true, max_retries: 4}}
    - {event: limit, action: {continue: true, additional_steps: 15}}
    - {event: after_step, condition: {path: node, value: learn}, action: {item_id: tool:t/echo, params: {n: 0}}}
  nodes:
    policy:
      action: {item_id: tool:t/third, params: {n: "${state.n}", at: policy}}
      retry: {attempts: 3, backoff_ms: 1, jitter: false}
      assign: {p: "${result.attempt}"}
      next: hooked
      on_error: rescue
    hooked:
      action: {item_id: tool:t/odd, params: {n: "${state.n}"}}
      next: learn
      on_error: rescue
    rescue: {type: gate, assign: {rescued: "${(state.rescued || 0) + 1}"}, next: learn}
    learn:
      action: {item_id: tool:t/learn, params: {n: "${state.n}"}}
      feedback: true
      max_visits: 100
      assign: {n: "${state.n + 1}", learned: "${result.learned}"}
      next:
        - {to: policy, when: {path: state.n, op: lt, value: 12}}
        - {to: done}
    done: {type: return, output: {n: "${state.n}", rescued: "${state.rescued}", learned: "${state.learned}"}}
"""
)

NESTED: Final = (
    _HEAD
    + """\
config:
  start: count
  max_steps: 1000
  state: {n: 0}
  nodes:
    count: {action: {item_id: tool:t/echo, params: {n: "${state.n + 1}"}}, assign: {n: "${result.n}"}, next: call}
    call:
      action: {item_id: tool:inner, params: {n: "${state.n}"}}
      retry: {attempts: 2, backoff_ms: 1, categories: [permanent, transient, timeout]}
      assign: {last: "${result.output}"}
      on_error: check
      next: fan
    fan:
      type: foreach
      over: "${[2, 4, 5]}"
      as: x
      parallel: true
      action: {item_id: tool:inner, params: {n: "${x}"}}
      collect: all
      next: trim
    trim: {type: gate, assign: {all: "${state.all | length}"}, next: check}
    check:
      type: gate
      next:
        - {to: count, when: {path: state.n, op: lt, value: 5}}
        - {to: done}
    done: {type: return, output: {n: "${state.n}", last: "${state.last}"}}
"""
)

INNER: Final = (
    _HEAD
    + """\
config_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
config:
  start: first
  builtin_hooks: false
  nodes:
    first: {action: {item_id: tool:t/echo, params: {n: "${inputs.n}"}}, assign: {a: "${result.n}"}, next: second}
    second: {action: {item_id: tool:t/third, params: {n: "${inputs.n}"}}, assign: {b: "${result.attempt}"}, next: done}
    done: {type: return, output: {a: "${state.a}", b: "${state.b}"}}
"""
)

#: Two graphs go on next to the loop, and after it.
BACKGROUND: Final = (
    _HEAD
    + """\
config:
  start: count
  max_steps: 1000
  state: {n: 0}
  nodes:
    count:
      action: {item_id: tool:t/echo, params: {n: "${state.n + 1}"}}
      assign: {n: "${result.n}"}
      next:
        - {to: start, when: {path: state.n, op: in, value: [2, 5]}}
        - {to: check}
    start:
      action: {item_id: tool:inner, params: {n: "${state.n}", async: true}}
      assign: {last: "${result.status}"}
      next: check
    check:
      type: gate
      next:
        - {to: count, when: {path: state.n, op: lt, value: 8}}
        - {to: done}
    done: {type: return, output: {n: "${state.n}"}}
"""
)

#: Results that are kept are those of one run: its id is among the params.
CACHED: Final = (
    _HEAD
    + """\
config_schema: {type: object, properties: {run: {type: string}}, required: [run]}
config:
  start: count
  max_steps: 1000
  state: {n: 0}
  nodes:
    count: {type: gate, assign: {n: "${state.n + 1}"}, next: kept}
    kept:
      action: {item_id: tool:t/kept, params: {n: 1, run: "${inputs.run}"}}
      cache_result: true
      assign: {last: "${result.n}"}
      next: fan
    fan:
      type: foreach
      over: "${[state.n, state.n + 1, state.n + 2, 20, 21]}"
      as: x
      parallel: true
      max_concurrency: 3
      action: {item_id: tool:t/kept, params: {n: "${x}", run: "${inputs.run}"}}
      cache_result: true
      collect: all
      next: check
    check:
      type: gate
      next:
        - {to: count, when: {path: state.n, op: lt, value: 20}}
        - {to: done}
    done: {type: return}
"""
)

LATE: Final = (
    _HEAD
    + """\
config:
  start: count
  max_steps: 1000
  timeout_s: 300
  on_error: continue
  builtin_hooks: false
  state: {n: 0}
  nodes:
    count: {action: {item_id: tool:t/echo, params: {n: "${state.n + 1}"}}, assign: {n: "${result.n}"}, next: wait}
    wait:
      action: {item_id: tool:t/hang, params: {n: "${state.n}"}}
      timeout_s: 0.01
      retry: {attempts: 3, backoff_ms: 1, jitter: false}
      on_error: fan
      next: fan
    fan:
      type: foreach
      over: "${[1, 2, 3, 4, 6]}"
      as: x
      parallel: true
      max_concurrency: 3
      action: {item_id: tool:t/odd, params: {n: "${x}"}}
      timeout_s: 100
      retry: {attempts: 3, backoff_ms: 1, jitter: false}
      collect: all
      next: check
    check:
      type: gate
      next:
        - {to: count, when: {path: state.n, op: lt, value: 5}}
        - {to: done}
    done: {type: return}
"""
)

#: A short one, for what is killed at each of its operations.
SHORT: Final = (
    _HEAD
    + """\
config:
  start: count
  builtin_hooks: false
  state: {n: 0}
  nodes:
    count: {action: {item_id: tool:t/echo, params: {n: 1}}, assign: {n: "${result.n}"}, next: pass}
    pass: {type: gate, assign: {passed: true}, next: fan}
    fan:
      type: foreach
      over: "${[7, 8, 9]}"
      as: x
      parallel: true
      action: {item_id: tool:t/echo, params: {n: "${x}"}}
      collect: all
      next: last
    last: {action: {item_id: tool:t/echo, params: {n: "${state.n + 1}"}}, assign: {n: "${result.n}"}, next: check}
    check:
      type: gate
      next: [{to: done, when: {path: state.passed, op: eq, value: true}}, {to: done}]
    done: {type: return}
"""
)

GRAPHS: Final = {
    "loop": LOOP,
    "fans": FANS,
    "retries": RETRIES,
    "nested": NESTED,
    "background": BACKGROUND,
    "cached": CACHED,
    "late": LATE,
}
