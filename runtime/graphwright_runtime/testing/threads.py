"""Threads whose results a test wrote down."""

from __future__ import annotations

import copy
import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import cast

from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.testing.scripted import answered
from graphwright_runtime.values import Json


class ScriptedThreads:
    """Runs threads by a script: for each directive, what its threads give.

    A list (or tuple) has one answer for each thread, in order, those that continue others included; anything else
    answers every thread. An answer is a result (`{"outputs": …}`, `{"status": "continued", "continuation_thread_id":
    …}`); a `Fails`, `Delayed` or `Crashes`; an exception, which is raised; or a function of the `Thread`.

    Pass it to the host, `InProcessHost(threads=…)` or `FrozenHost(threads=…)`, or as the tool
    `rye/agent/threads/thread_directive`. `threads` has the threads in order, `unexpected` says which the script has no
    answer for.
    """

    def __init__(self, script: Mapping[str, object]) -> None:
        self._script = dict(script)
        self._made: Counter[str] = Counter()
        self.threads: list[Thread] = []
        self.unexpected: list[str] = []

    def of(self, directive: str) -> Sequence[Thread]:
        """The threads that follow a directive, in order."""
        return [thread for thread in self.threads if thread.directive == directive]

    async def __call__(self, params: dict[str, Json], context: Context) -> object:
        """As the tool that starts threads."""
        return await context.run_thread(params, self)

    async def run(self, thread: Thread) -> Mapping[str, object]:
        """Give what the script says."""
        self.threads.append(thread)
        self._made[thread.directive] += 1
        answer = await answered(self._next(thread), f"the thread {thread.thread_id}")
        if callable(answer):
            result = cast("Callable[[Thread], object]", answer)(thread)
            answer = await cast("Awaitable[object]", result) if inspect.isawaitable(result) else result
        return cast("Mapping[str, object]", copy.deepcopy(answer))

    def _next(self, thread: Thread) -> object:
        """What the script says of a thread. Raises NodeError where it says nothing."""
        directive, number = thread.directive, self._made[thread.directive]
        if directive not in self._script:
            known = ", ".join(f"`{name}`" for name in self._script) or "nothing"
            raise self._surprise(f"a thread follows `{directive}`, but the script has only {known}")
        answer = self._script[directive]
        if isinstance(answer, (list, tuple)) and not hasattr(answer, "_fields"):
            answers = cast("Sequence[object]", answer)
            if number > len(answers):
                raise self._surprise(
                    f"{number} threads follow `{directive}`, but the script has {len(answers)} answers"
                )
            return answers[number - 1]
        return answer

    def _surprise(self, text: str) -> NodeError:
        self.unexpected.append(text)
        return NodeError(text, category="permanent")
