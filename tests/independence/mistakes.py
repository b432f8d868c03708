"""A rich graph without a mistake, and mistakes to make in it: at least one for nearly every code.

Each is a replacement of a piece of text that occurs once. A mistake says which of the findings that belong to others it
may hide, and why; everything else has to be found as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_GRAPHS = Path(__file__).parent / "graphs"

CLAIMS = (_GRAPHS / "claims.yaml").read_text("utf-8")
LETTER = (_GRAPHS / "post" / "letter.yaml").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Mistake:
    """`old` becomes `new`, and `code` is found, with `also`; `hides`: codes of others, each with the reason. `shows`:
    codes that are found besides if others are made, too.
    """

    code: str
    old: str
    new: str
    hides: Mapping[str, str] = field(default_factory=dict, compare=False)
    also: frozenset[str] = frozenset()
    shows: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return f"{self.code}-{' '.join(self.new.split())[:40] or 'nothing'}".replace(" ", "-")


_COULD_READ = "what is missing could have read it"
_COULD_LEAD = "the edge could have led there, or to what reads it"
_COULD_USE = "what the action is nobody knows, so that it could use any permission"
_NO_ACTION = "the action that needs it is gone"
_IS_REPLACED = "what reads or assigns it is what was replaced"
_UNREADABLE = "what the condition leaves over nobody knows"
_HANDED_OUT = "a run that falls off the end hands out the whole state, so that this is only a note"

_NAMED = "the help names the only node that no edge leads to"
_NOT_NAMED = "where several nodes are left over, nobody knows which one an edge is missing to"

_IN_DOUBT = "a declaration with a mistake is in doubt as a whole, whether the input is optional included"

_BLANK = dict.fromkeys(("GW303", "GW304", "GW308"), _COULD_READ)
_ASTRAY = dict.fromkeys(("GW204", "GW302", "GW303", "GW304", "GW309"), _COULD_LEAD)
_ABSENT = _ASTRAY | dict.fromkeys(("GW301", "GW308", "GW603"), "the missing node could set, read or use it")
_SAME_TARGET = {"GW202": "every edge to one missing node is a label of one finding"}

MISTAKES = (
    Mistake("GW002", "      timeout_s: 60\n", "      timeout_s: 60\n      timeout_s: 61\n"),
    Mistake("GW002", "    day: {type: string}\n", "    day: {type: string}\n    day: {type: string}\n"),
    Mistake("GW003", "category: claims", "category: 2026-01-31"),
    Mistake("GW003", "name: north, rows", "name: 2026-01-31, rows"),
    Mistake("GW004", 'version: "2.1.0"', "version: 2.10"),
    Mistake("GW004", "name: south, rows", "name: yes, rows"),
    Mistake("GW101", "category: claims", "categroy: claims"),
    Mistake("GW101", "      description: All claims", "      descripton: All claims"),
    Mistake("GW101", "      max_visits: 20", "      max_visit: 20"),
    Mistake("GW101", "backoff_ms: 200", "backof_ms: 200"),
    Mistake("GW101", "limits: {depth: 3", "limits: {dept: 3"),
    Mistake("GW101", "additional_steps: 10", "aditional_steps: 10"),
    Mistake("GW101", "      collect: opinions", "      colect: opinions"),
    Mistake("GW102", "max_steps: 80", "max_steps: many"),
    Mistake("GW102", "timeout_s: 30", "timeout_s: soon"),
    Mistake("GW102", "attempts: 3,", "attempts: three,"),
    Mistake("GW102", "      parallel: true", "      parallel: 1"),
    Mistake("GW102", "  - rye.search.tool\n", "  - rye.search.tool\n  - 7\n"),
    Mistake("GW103", "  start: fetch\n", ""),
    Mistake("GW103", '      over: "${state.opinions}"\n', "", _BLANK),
    Mistake(
        "GW103",
        '      action: {item_id: tool:claims/desk, params: {name: north, rows: "${state.verdicts}"}}\n',
        "",
        _BLANK | {"GW601": _NO_ACTION, "GW603": _COULD_USE},
    ),
    Mistake("GW103", "        item_id: tool:claims/wait\n", "", {"GW601": _NO_ACTION, "GW603": _COULD_USE}),
    Mistake("GW103", "{path: state.count, op: eq, value: 0}", "{path: state.count, op: eq}"),
    Mistake("GW104", "    nothing:\n      type: return\n", "    nothing:\n      type: return\n      next: done\n"),
    Mistake("GW104", "    by_office:\n      type: gate\n", "    by_office:\n      type: gate\n      timeout_s: 4\n"),
    Mistake("GW104", "    handbook:\n      action:", "    handbook:\n      collect: pages\n      action:"),
    Mistake("GW105", "remark: {type: string}", "remark: {type: text}", {"GW309": _IN_DOUBT}),
    Mistake("GW105", "letters: {type: array}", "letters: {type: list}", {"GW412": "the schema is no measure"}),
    Mistake("GW105", "rounds: {type: integer}", "rounds: {type: whole}", {"GW412": "the schema is no measure"}),
    Mistake("GW106", "    look:\n      type: foreach", "    look:\n      type: foreahc"),
    Mistake("GW106", "primary: search", "primary: serach"),
    Mistake("GW106", "item_type: knowledge", "item_type: knowlegde"),
    Mistake("GW106", "event: after_step", "event: after_setp"),
    Mistake("GW106", "  on_error: fail", "  on_error: fial"),
    Mistake("GW106", "categories: [transient,", "categories: [transent,"),
    Mistake("GW106", "    by_office:\n      type: gate", "    by_office:\n      type: gaet"),
    Mistake("GW107", "item_id: tool:claims/wait", "item_id: tool:claims/wait\n        item_type: directive"),
    Mistake("GW108", 'id: "${claim.id}"', 'id: "${claim.id}"\n          async: true'),
    Mistake("GW109", "action: {continue: true, additional_steps: 10}", "action: {retry: true}"),
    Mistake(
        "GW110",
        CLAIMS[CLAIMS.index("permissions:") : CLAIMS.index("env_requires:")],
        "",
        dict.fromkeys(("GW601", "GW603", "GW604"), "without permissions there is nothing to hold against them"),
    ),
    Mistake("GW112", "default: 50", "default: fifty"),
    Mistake("GW112", "urgent: {type: boolean, default: false}", "urgent: {type: boolean, default: 0}"),
    Mistake("GW113", "    wait:\n", "    wait:\n      remote: north\n"),
    Mistake("GW201", "start: fetch", "start: ftech"),
    Mistake("GW201", "start: fetch", "start: elsewhere", _ABSENT | _SAME_TARGET),
    Mistake("GW202", "next: any_claims", "next: any_claim"),
    Mistake("GW202", "next: any_claims", "next: elsewhere", _ABSENT),
    Mistake("GW202", "- to: nothing", "- to: nohting"),
    Mistake("GW202", "- to: north_desk", "- to: norht_desk"),
    Mistake("GW202", "      next: look", "      next: lok"),
    Mistake("GW203", "collect: verdicts\n      on_error: sorry", "collect: verdicts\n      on_error: sory"),
    Mistake("GW203", "collect: verdicts\n      on_error: sorry", "collect: verdicts\n      on_error: nowhere", _ABSENT),
    Mistake("GW204", "        - to: nothing\n          when: {path: state.count, op: eq, value: 0}\n", ""),
    Mistake("GW204", "    nothing:\n", "    spare:\n      type: gate\n      next: nothing\n    nothing:\n"),
    Mistake(
        "GW205",
        "        - to: nothing\n          when: {path: state.count, op: eq, value: 0}\n",
        "        - to: nothing\n",
    ),
    Mistake("GW206", "value: south}", "value: north}", {"GW303": _HANDED_OUT}),
    Mistake("GW207", "        - to: wait\n    hurry", "    hurry", {"GW303": _HANDED_OUT, "GW204": _NAMED}),
    Mistake(
        "GW207",
        "        - to: south_desk\n          when: {path: inputs.office, value: south}\n",
        "",
        {"GW303": _HANDED_OUT, "GW204": _NAMED},
        shows={"GW204": _NOT_NAMED},
    ),
    Mistake(
        "GW208",
        '      type: return\n      output: {paid: 0, note: "no claims on ${inputs.day}"}',
        "      type: gate\n      next: nothing",
    ),
    Mistake(
        "GW213",
        "              - {path: state.rounds, op: gte, value: 3}\n",
        "              - {path: inputs.urgent, value: false}\n",
    ),
    Mistake("GW215", "item_id: claims/handbook\n", 'item_id: claims/handbook\n        params: {at: "${_now}"}\n'),
    Mistake("GW301", '"${state.verdicts}"\n          last', '"${state.verdict}"\n          last'),
    Mistake("GW301", 'south, rows: "${state.verdicts}"', 'south, rows: "${state.anything}"'),
    Mistake("GW301", 'claims: "${state.claims}"}', 'claims: "${state.clams}"}'),
    Mistake("GW302", "    rounds: 0\n", ""),
    Mistake("GW302", "\"${state._last_error.error || 'too many claims'}\"", '"${state.raw}"'),
    Mistake("GW303", "        stage: done\n", "        stage: done\n        extra: 1\n"),
    Mistake("GW303", "{state.raw | length}", "{state.claims | length}"),
    Mistake("GW304", '        raw: "${result.stdout}"\n', '        raw: "${result.stdout}"\n        count: 0\n'),
    Mistake("GW305", "hurry ${state.desk}", "hurry ${claim.id}"),
    Mistake(
        "GW305",
        '      as: opinion\n      action:\n        item_id: tool:claims/decide\n        params: {opinion: "${opinion}"',
        '      as: last\n      action:\n        item_id: tool:claims/decide\n        params: {opinion: "${last}"',
    ),
    Mistake("GW306", "        stage: done\n", "        stage: done\n        inputs: 1\n"),
    Mistake("GW306", "        stage: done\n", "        stage: done\n        _mine: 1\n"),
    Mistake("GW307", "no claims on ${inputs.day}", "no claims on ${inputs.dya}", {"GW415": _IS_REPLACED}),
    Mistake(
        "GW307", "{path: inputs.urgent, value: true}", "{path: inputs.urgnet, value: true}", {"GW213": _UNREADABLE}
    ),
    Mistake("GW308", "    remark: {type: string}\n", "    remark: {type: string}\n    unread: {type: string}\n"),
    Mistake("GW309", "minimum: 1, default: 50", "minimum: 1"),
    Mistake("GW309", 'on ${inputs.day}"', 'on ${inputs.remark}"'),
    Mistake("GW310", "      as: opinion\n", "      as: opinion\n      parallel: true\n"),
    Mistake("GW401", "${state.count} in all", "${state.count +} in all"),
    Mistake("GW401", "${result.ready}", "${}", _BLANK),
    Mistake("GW401", '"${state.rounds + 1}"', '"${state.rounds + 1"'),
    Mistake("GW401", "path: state.ready", "path: state..ready", {"GW207": _UNREADABLE}),
    Mistake("GW402", "${result.ready}", "${rsult.ready}"),
    Mistake("GW402", "{state.rounds + 1}", "{COUNT}", {"GW302": _IS_REPLACED}),
    Mistake("GW402", "path: state.count, op: eq", "path: count, op: eq"),
    Mistake("GW402", "path: classification.category", "path: klass.category"),
    Mistake("GW403", "from_json", "fromjson"),
    Mistake("GW404", 'so_far: "${state.paid}"', 'so_far: "${result.paid}"'),
    Mistake("GW404", 'count: "${state.claims | length}"', 'count: "${result.claims | length}"'),
    Mistake("GW405", "op: gt, value: 1000", "op: above, value: 1000"),
    Mistake("GW405", "op: gte, value: 3}", "op: atleast, value: 3}"),
    Mistake("GW406", "{path: state.ready, value: true}", "{path: state.ready, op: in, value: true}"),
    Mistake("GW406", "{path: state.ready, value: true}", "{path: state.ready, op: exists, value: false}"),
    Mistake("GW407", "op: gt, value: 1000", 'op: gt, value: "1000"'),
    Mistake("GW407", "${state.paid + 1}", "${state.paid + 'x'}"),
    Mistake("GW409", "${state.count} in all", "${state.seen} in all"),
    Mistake("GW410", 'desk: "${state.desk}", seconds', 'desk: "${state.desk}", raw: "${state.raw.length}", seconds'),
    Mistake("GW411", "on_error: sorry\n      next: look", 'on_error: "${state.desk}"\n      next: look', _ASTRAY),
    Mistake("GW411", "      collect: opinions", '      collect: "${inputs.day}"', {"GW301": "it could be collected"}),
    Mistake("GW411", "    stage: new", '    stage: "${inputs.day}"'),
    Mistake("GW411", "primary: search", 'primary: "${inputs.day}"', {"GW601": _NO_ACTION, "GW603": _COULD_USE}),
    Mistake("GW412", "output: {paid: 0,", "output: {paid: none,"),
    Mistake("GW415", "no claims on ${inputs.day}", "no claims on {input:day}", {"GW307": _IS_REPLACED}),
    Mistake("GW416", "seconds: 5}", "seconds: null}"),
    Mistake("GW501", "env_requires: [CLAIMS_TOKEN]", "env_requires: [CLAIMS_TOKEN, CLAIMS-KEY]"),
    Mistake("GW502", "      max_visits: 20\n", "      max_visits: 20\n      env_requires: [CLAIMS_TOKEN]\n"),
    Mistake("GW503", "set -eu", "set -eu $OTHER"),
    Mistake("GW601", "  - rye.search.tool\n", ""),
    Mistake("GW601", "item_id: tool:claims/wait", "item_id: tool:sleep/wait"),
    Mistake("GW603", "  - rye.search.tool\n", "  - rye.search.tool\n  - rye.execute.tool.mail.send\n"),
    Mistake("GW604", "item_id: tool:claims/wait", 'item_id: "${state.desk}"', {"GW603": _COULD_USE}),
    Mistake(
        "GW605",
        "  - rye.search.tool\n",
        "  - rye.search.tool\n  - execute tool\n",
        dict.fromkeys(("GW601", "GW604"), "it could have been meant to permit anything"),
    ),
    Mistake("GW606", "--day ${inputs.day | quote}", "--day ${inputs.day}"),
    Mistake("GW607", "seconds: 5}", "seconds: 5, token: Zq8Lr2Vn5Xk9Tb4Wm7Yc}"),
    Mistake("GW608", "seconds: 5}", "seconds: 5, parent_depth: 2}"),
    Mistake("GW704", "tool:post/letter", "tool:post/leter"),
    Mistake("GW704", '          head: "Claims', '          haed: "Claims'),
    Mistake("GW704", "result.output.letters", "result.output.leters"),
    Mistake("GW704", '          rows: "${state.verdicts}"\n          last', "          rows: 4\n          last"),
    Mistake("GW009", "    hurry:\n", "    # graphwright: ignore[GW607]\n    hurry:\n"),
)
