"""What type checkers must refuse of the options: each line that is wrong says so."""

from __future__ import annotations

from modules import routing


async def main() -> None:
    await routing.run({"team": "x"}, tols={})  # wrong: misspelled
    await routing.run({"team": "x"}, {})  # wrong: options are keywords
    await routing.run()  # wrong: inputs are missing
    await routing.run({"team": "x"}, durability="forever")  # wrong: no such level
    await routing.run({"team": "x"}, resume=3)  # wrong: of another type
    await routing.run(project="here")  # wrong: neither inputs nor a run to resume
    await routing.run(resume="before")  # wrong: inputs are missing
    await routing.run({"team": 3})  # wrong: of another type
    (await routing.run({"team": "x"})).output["totl"]  # wrong: no such key


routing.run_sync({"team": "x"}, run_id=7)  # wrong: of another type
routing.run_sync({"team": "x"}, on_event="log")  # wrong: not a function
