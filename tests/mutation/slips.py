"""Mistakes that need a particular place: each is one replacement in one of the clean graphs.

The complaint belongs on the line of `anchor` in the changed text; where there is none, on the line of what was put in.
"""

from __future__ import annotations

from dataclasses import dataclass

ORDERS = "graphs/orders.yaml"
DEPLOY = "graphs/deploy.yaml"
DAY = "graphs/reports/day.yaml"
AUDIT = "repository-audit/.ai/tools/audit/repository.yaml"
CRAWL = "local-crawl/.ai/tools/site/crawl.yaml"
REVIEW = "review-with-limits/.ai/tools/review/chapters.yaml"
RELEASE = "release-pipeline/.ai/tools/release/publish.yaml"
TRIAGE = "inbox-triage/.ai/tools/inbox/triage.yaml"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old`, which occurs once, by `new`."""

    kind: str
    path: str
    old: str
    new: str
    code: str
    anchor: str = ""

    def __str__(self) -> str:
        return f"{self.code}-{self.kind}".replace(" ", "-")


DECIDE = """\
        - to: expensive
          when: {path: state.total, op: gt, value: 100}
"""

SICK = """\
            any:
              - {path: state.sick, op: gt, value: 0}
              - {path: state.rounds, op: gte, value: 10}"""

COUNT = """\
        files: "${result.stdout | int}"
      next:
        - to: nothing_to_do
          when: {path: state.files, op: eq, value: 0}"""

STOCK = """\
      as: row
      parallel: true
      max_concurrency: 4
      action:
        item_id: tool:shop/stock
        params: {row: "${row}\""""

EDITS = [
    Edit(
        "missing colon",
        ORDERS,
        "      action: {item_id: tool:shop/desk, params: {name: red",
        "      action {item_id: tool:shop/desk, params: {name: red",
        "GW001",
    ),
    Edit("second colon", ORDERS, "  start: load", "  start: load: now", "GW001"),
    Edit("bracket not closed", ORDERS, "  required: [day]", "  required: [day", "GW001"),
    Edit(
        "a date without quotes",
        ORDERS,
        'day: "${inputs.day}"\n          note',
        "day: 2026-01-31\n          note",
        "GW003",
    ),
    Edit("yes without quotes", ORDERS, 'answer: "yes"', "answer: yes", "GW004"),
    Edit("no without quotes", DEPLOY, 'dry: "no"', "dry: no", "GW004"),
    Edit("yes and no in a list", ORDERS, '["yes", "no"]', '["yes", no]', "GW004"),
    Edit("minutes in sixties", DEPLOY, "timeout_s: 600", "timeout_s: 10:00", "GW004"),
    Edit("version without quotes", ORDERS, 'version: "1.0.0"', "version: 1.10", "GW004"),
    Edit("number in words", ORDERS, "max_steps: 40", "max_steps: forty", "GW102"),
    Edit("list for a name", ORDERS, "      next: any_orders", "      next: [any_orders, price]", "GW102"),
    Edit("start left out", ORDERS, "  start: load\n", "", "GW103", "config:\n"),
    Edit(
        "action left out",
        ORDERS,
        '      action: {item_id: tool:shop/desk, params: {name: red, rows: "${state.stocks}"}}\n',
        "",
        "GW103",
        "    red_desk:",
    ),
    Edit("over left out", ORDERS, '      over: "${state.orders}"\n', "", "GW103", "    price:"),
    Edit("to left out", ORDERS, "        - to: nothing\n          when:", "        - when:", "GW103"),
    Edit(
        "action on a gate",
        ORDERS,
        "    any_orders:\n      type: gate",
        "    any_orders:\n      type: gate\n      action: {item_id: tool:shop/load}",
        "GW104",
        "      action: {item_id: tool:shop/load}",
    ),
    Edit(
        "next on a return",
        ORDERS,
        "    nothing:\n      type: return",
        "    nothing:\n      type: return\n      next: done",
        "GW104",
        "      next: done\n      output",
    ),
    Edit(
        "two forms of a condition",
        DEPLOY,
        "          when: {path: state.healthy, op: eq",
        "          when: {all: [], path: state.healthy, op: eq",
        "GW104",
    ),
    Edit("no JSON Schema", ORDERS, "limit: {type: integer", "limit: {type: int", "GW105"),
    Edit(
        "two kinds of item",
        DEPLOY,
        "item_id: tool:ops/wait",
        "item_id: tool:ops/wait\n        item_type: directive",
        "GW107",
        "item_type: directive",
    ),
    Edit(
        "async on a loop",
        ORDERS,
        'params: {row: "${row}", colour',
        'params: {async: true, row: "${row}", colour',
        "GW108",
    ),
    Edit(
        "hook without action",
        DEPLOY,
        "      action: {retry: true, max_retries: 2}\n",
        "",
        "GW109",
        "    - id: try-again",
    ),
    Edit(
        "permissions left out",
        DAY,
        "permissions:\n  - rye.execute.tool.reports.render\n",
        "",
        "GW110",
        'version: "1.0.0"',
    ),
    Edit(
        "default of another type",
        ORDERS,
        "limit: {type: integer, minimum: 1, default: 500}",
        'limit: {type: integer, minimum: 1, default: "500"}',
        "GW112",
    ),
    Edit("elsewhere", DEPLOY, "    wait:\n", "    wait:\n      remote: east\n", "GW113", "      remote: east"),
    Edit("conditional edge dropped", ORDERS, DECIDE, "", "GW204", "    expensive:"),
    Edit(
        "next left out",
        ORDERS,
        "      collect: stocks\n      next: route",
        "      collect: stocks",
        "GW204",
        "    route:",
    ),
    Edit(
        "the same condition twice",
        ORDERS,
        "when: {path: inputs.colour, op: eq, value: green}",
        "when: {path: inputs.colour, op: eq, value: red}",
        "GW206",
        "        - to: green_desk",
    ),
    Edit(
        "the wider condition first",
        ORDERS,
        'op: gte, value: "${inputs.limit}"}',
        "op: gt, value: 200}",
        "GW206",
        "        - to: ask\n          when: {path: state.total",
    ),
    Edit(
        "a value of an enum forgotten",
        ORDERS,
        "        - to: blue_desk\n          when: {path: inputs.colour, op: eq, value: blue}\n",
        "",
        "GW207",
        "      next:\n        - to: red_desk",
    ),
    Edit(
        "no way out",
        REVIEW,
        "        - {to: finished, when: {not: {path: state.chapter, op: exists}}}\n",
        "",
        "GW204",
        "    finished:",
    ),
    Edit("round and round", DAY, "      next: done", "      next: render", "GW208", "    render:"),
    Edit(
        "error edge to itself",
        DEPLOY,
        "      on_error: roll_back\n      next: wait",
        "      on_error: roll_out\n      next: wait",
        "GW212",
        "      on_error: roll_out",
    ),
    Edit(
        "never one and the other",
        DEPLOY,
        SICK,
        SICK.replace("any:", "all:").replace("state.sick, op: gt", "state.rounds").replace("op: gte, ", ""),
        "GW213",
        "            all:",
    ),
    Edit("value that no enum has", ORDERS, "op: eq, value: red}", "op: eq, value: rde}", "GW213"),
    Edit(
        "nothing of any",
        DEPLOY,
        SICK,
        "            any: []",
        "GW213",
    ),
    Edit(
        "failure takes the default",
        CRAWL,
        "      on_error: gave_up\n      next: read_pages",
        "      next:\n        - {to: gave_up, when: {path: result.pages, value: []}}\n        - {to: read_pages}",
        "GW214",
        "result.pages, value",
    ),
    Edit("initial state left out", ORDERS, "    attempts: 0\n", "", "GW302", '        attempts: "${state'),
    Edit(
        "assigned in one branch only",
        ORDERS,
        'name: blue, rows: "${state.stocks}"}}\n      assign: {desk: "${result.id}"}',
        'name: blue, rows: "${state.stocks}"}}',
        "GW302",
        '          desk: "${state.desk}"\n          summary',
    ),
    Edit(
        "read behind an error edge",
        RELEASE,
        'params: {archive: "${state.archive}"}',
        'params: {archive: "${state.archive}", url: "${state.url}"}',
        "GW302",
    ),
    Edit(
        "reserved key",
        ORDERS,
        '        orders: "${result.orders}"\n',
        '        orders: "${result.orders}"\n        _retries: 0\n',
        "GW306",
        "        _retries: 0",
    ),
    Edit(
        "input as a state key",
        ORDERS,
        '        orders: "${result.orders}"\n',
        '        orders: "${result.orders}"\n        inputs: 0\n',
        "GW306",
        "        inputs: 0",
    ),
    Edit(
        "input declared twice over",
        ORDERS,
        "    note: {type: string}\n",
        "    note: {type: string}\n    notes: {type: string}\n",
        "GW308",
        "    notes: {type",
    ),
    Edit(
        "default left out",
        ORDERS,
        "limit: {type: integer, minimum: 1, default: 500}",
        "limit: {type: integer, minimum: 1}",
        "GW309",
        'value: "${inputs.limit}"',
    ),
    Edit("not required", ORDERS, "  required: [day]", "  required: []", "GW309", "on ${inputs.day}, first"),
    Edit(
        "assign in parallel",
        ORDERS,
        "      as: order\n",
        "      as: order\n      parallel: true\n",
        "GW310",
        "      assign:\n        total",
    ),
    Edit("shell variable in braces", DEPLOY, '--token "$DEPLOY_TOKEN"', '--token "${DEPLOY_TOKEN}"', "GW402"),
    Edit("key without namespace", ORDERS, "when: {path: state.approved", "when: {path: approved", "GW402"),
    Edit("comparison in a template", ORDERS, '"${state.attempts + 1}"', '"${state.attempts == 1}"', "GW401"),
    Edit(
        "pipe without its argument", DEPLOY, "${state.rolled_back || false}", "${state.rolled_back | default}", "GW403"
    ),
    Edit(
        "result in a gate", ORDERS, 'count: "${state.orders | length}"', 'count: "${result.orders | length}"', "GW404"
    ),
    Edit("result in a return", ORDERS, 'count: "${state.count}"', 'count: "${result.count}"', "GW404"),
    Edit("operator of another language", ORDERS, "op: gt, value: 100", 'op: ">", value: 100', "GW405"),
    Edit("in without a list", ORDERS, 'value: ["yes", "no"]', 'value: "yes"', "GW406"),
    Edit("bad pattern", TRIAGE, '"@(lottery|casino)\\\\."', '"@(lottery|casino"', "GW406"),
    Edit(
        "exists is false",
        REVIEW,
        "{not: {path: state.chapter, op: exists}}",
        "{path: state.chapter, op: exists, value: false}",
        "GW406",
    ),
    Edit("number compared with text", ORDERS, "op: gt, value: 100", 'op: gt, value: "100"', "GW407"),
    Edit("number and text added", ORDERS, '"${state.attempts + 1}"', "\"${state.attempts + '1'}\"", "GW407"),
    Edit(
        "text of a command ordered",
        AUDIT,
        COUNT,
        COUNT.replace(" | int", "").replace("eq, value: 0", 'lt, value: "1"'),
        "GW408",
        'value: "1"',
    ),
    Edit(
        "text of a command and a number",
        AUDIT,
        COUNT,
        COUNT.replace(" | int", "").replace("eq, value: 0", "lt, value: 1"),
        "GW407",
        "op: lt, value: 1",
    ),
    Edit(
        "field of a text",
        DEPLOY,
        '"${state.digest}"\n        text',
        '"${state.digest.short}"\n        text',
        "GW410",
        "state.digest.short",
    ),
    Edit(
        "template for a target",
        ORDERS,
        "        - to: report\n          when: {path: state.approved",
        '        - to: "${state.answer}"\n          when: {path: state.approved',
        "GW411",
        '"${state.answer}"\n          when',
    ),
    Edit("loop over a number", ORDERS, '      over: "${state.orders}"', '      over: "${state.count}"', "GW412"),
    Edit("syntax of directives", ORDERS, "no orders on ${inputs.day}", "no orders on {input:day}", "GW415"),
    Edit("variable name with a dash", DEPLOY, "  - DEPLOY_TOKEN", "  - DEPLOY-TOKEN", "GW501"),
    Edit("variable not declared", DEPLOY, "env_requires:\n  - DEPLOY_TOKEN\n", "", "GW503", '"$DEPLOY_TOKEN"'),
    Edit(
        "permission misspelled",
        ORDERS,
        "  - rye.execute.tool.reports.*",
        "  - rye.execute.tool.report.*",
        "GW601",
        "item_id: tool:reports/day",
    ),
    Edit(
        "permission left over",
        ORDERS,
        "  - rye.execute.tool.reports.*",
        "  - rye.execute.tool.reports.*\n  - rye.execute.tool.mail.*",
        "GW603",
        "mail.*",
    ),
    Edit("dynamic id", ORDERS, "item_id: tool:shop/approve", 'item_id: "tool:${state.answer}/approve"', "GW604"),
    Edit("credential", DEPLOY, '          dry: "no"', "          token: Zq8Lr2Vn5Xk9Tb4Wm7Yc", "GW607"),
    Edit("param of the runtime", DEPLOY, '          dry: "no"', "          parent_depth: 3", "GW608"),
    Edit("graph misspelled", ORDERS, "tool:reports/day", "tool:reports/dya", "GW704"),
    Edit(
        "input of a graph misspelled",
        ORDERS,
        'day: "${inputs.day}"\n          rows',
        'dai: "${inputs.day}"\n          rows',
        "GW704",
        "dai:",
    ),
    Edit(
        "input of a graph left out",
        ORDERS,
        '          day: "${inputs.day}"\n          rows',
        "          rows",
        "GW704",
        '        params:\n          rows: "${state.stocks}"\n      assign:\n        report',
    ),
    Edit(
        "input of a graph of another type",
        ORDERS,
        'rows: "${state.stocks}"\n      assign',
        "rows: 3\n      assign",
        "GW704",
    ),
    Edit("output of a graph misspelled", ORDERS, "${result.output.text}", "${result.output.txet}", "GW704"),
    Edit("output of a graph without output", ORDERS, "${result.output.text}", "${result.text}", "GW704"),
    Edit(
        "exit never changes",
        DAY,
        "      next: done",
        "      next:\n        - {to: done, when: {path: inputs.day, value: today}}\n        - {to: render}",
        "GW209",
        "inputs.day, value",
    ),
    Edit("too few steps", ORDERS, "max_steps: 40", "max_steps: 1", "GW210"),
    Edit(
        "cached by the time",
        DEPLOY,
        'version: "${state.version}"}\n      cache_result: false',
        'at: "${_now}"}\n      cache_result: true',
        "GW215",
        "cache_result: true",
    ),
    Edit("never read", ORDERS, '        report: "${state.report}"\n', "", "GW303", '        report: "${result'),
    Edit(
        "overwritten",
        ORDERS,
        '        orders: "${result.orders}"\n',
        '        orders: "${result.orders}"\n        count: 0\n',
        "GW304",
        "        count: 0",
    ),
    Edit(
        "variable outside its loop",
        ORDERS,
        "\"${state.last || 'none'}\"",
        '"${order.id}"',
        "GW305",
        'last: "${order.id}"',
    ),
    Edit(
        "variable named like a key",
        ORDERS,
        STOCK,
        STOCK.replace("as: row", "as: desk").replace("${row}", "${desk}"),
        "GW305",
        "      as: desk",
    ),
    Edit(
        "list in a text", DEPLOY, "${inputs.hosts | json}", "${inputs.hosts}", "GW409", "installed on ${inputs.hosts}"
    ),
]
