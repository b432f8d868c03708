"""What type checkers must refuse of the options: each line that is wrong says so."""

from __future__ import annotations

from modules import routing


async def main() -> None:
    # wrong [call-arg | reportCallIssue]: misspelled
    await routing.run({"team": "x"}, tols={})
    # wrong [call-arg | reportCallIssue]: options are keywords
    await routing.run({"team": "x"}, {})
    # wrong [call-arg | reportCallIssue]: inputs are missing
    await routing.run()
    # wrong [arg-type | reportArgumentType]: no such level
    await routing.run({"team": "x"}, durability="forever")
    # wrong [arg-type | reportArgumentType]: of another type
    await routing.run({"team": "x"}, resume=3)
    # wrong [call-arg | reportCallIssue]: neither inputs nor a run to resume
    await routing.run(project="here")
    # wrong [call-arg | reportCallIssue]: inputs are missing
    await routing.run(resume="before")
    # wrong [typeddict-item | reportArgumentType]: of another type
    await routing.run({"team": 3})
    # wrong [index typeddict-item | reportGeneralTypeIssues reportOptionalSubscript]: no such key
    (await routing.run({"team": "x"})).output["totl"]


# wrong [arg-type | reportArgumentType]: of another type
routing.run_sync({"team": "x"}, run_id=7)
# wrong [arg-type | reportArgumentType]: not a function
routing.run_sync({"team": "x"}, on_event="log")
