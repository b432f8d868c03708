"""Stands in for a writer, human or not: takes its last draft and follows the reviewer's remarks."""

from __future__ import annotations

from typing import NotRequired, TypedDict

ADDITIONS = {
    "no greeting": "Hello,\n\n{draft}",
    "no closing": "{draft}\n\nKind regards,\nyour support team",
}


class Previous(TypedDict):
    """What this tool returned the last time."""

    text: str


class Feedback(TypedDict):
    """What `feedback: true` adds from the second visit on."""

    visit: int
    previous: Previous


class Params(TypedDict):
    """What the graph hands over."""

    subject: str
    sender: str
    remarks: list[str]
    feedback: NotRequired[Feedback]


def execute(params: Params, project_path: str) -> dict[str, str]:
    """The draft as `text`; one remark is followed at a time."""
    feedback = params.get("feedback")
    if feedback is None:
        return {"text": f'About your question "{params["subject"]}": the answer is in Settings, under Account.'}
    draft = feedback["previous"]["text"]
    for remark in params["remarks"][:1]:
        draft = ADDITIONS.get(remark, "{draft}").format(draft=draft)
    return {"text": draft}
