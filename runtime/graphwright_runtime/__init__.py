"""Runs the Python modules that graphwright compiles.

Emitted modules import only from `graphwright_runtime.abi`. Programs that run them only need the module's own `run`; the
interfaces for hosts, tools and listeners are in `graphwright_runtime.host`, `.context`, `.events` and `.progress`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graphwright_runtime.values import Json


def invoke(
    graph_id: str,
    parameters: Mapping[str, object] | None = None,
    async_: bool = False,
    resume_run_id: str | None = None,
    capabilities: Sequence[str] | None = None,
    depth: int | None = None,
    *,
    package: str = "generated",
    project: str | os.PathLike[str] | None = None,
) -> dict[str, Json]:
    """Run a graph by its id, and wait for its end.

    Args:
        graph_id: the id, `workflows/etl/process-sales`.
        parameters: the inputs of the graph.
        async_: do not wait; the run goes on in a process of its own.
        resume_run_id: the run to continue. It has its inputs: leave `parameters` out, or pass the same ones.
        capabilities: what the graph may do; None: what it declares itself.
        depth: how many levels of graphs and threads may follow below it, if fewer than its own limit.
        package: the package that `graphwright build` has generated.
        project: the folder in which the run is kept; the current one by default.

    Returns `{graph_run_id, status, state, steps}`, and `error` if the run did not complete; with `async_`
    `{success, graph_run_id, status, pid}` with the status `running`, or `error` if it could not start.

    Raises LookupError if there is no such graph, TypeError for an argument of the wrong type, ImportError if the module
    of the graph is refused, and RuntimeError inside a running event loop: await the `run` of the module there.
    """
    from graphwright_runtime.invocation import Task, check, run_elsewhere, run_here

    given = {} if parameters is None else parameters
    task = Task(graph_id, given, resume_run_id, capabilities, depth, package, project)
    check(task, async_)
    return (run_elsewhere if async_ else run_here)(task)


def _arm() -> None:
    """Turn on the verification that the environment requests; if that fails, end the process.

    If the runtime is installed in site-packages, a `.pth` file turns it on when Python starts. This covers a runtime
    that is only on the search path, and `python -S`. Raising an exception here would not stop the process.
    """
    try:
        from graphwright_runtime.loader import install_from_environment

        install_from_environment()
    except BaseException as error:
        text = " ".join(str(error).split()) or type(error).__name__
        shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
        try:
            os.write(2, f"graphwright: {shown}\n".encode("utf-8", "backslashreplace"))
            sys.stdout.flush()
        finally:
            os._exit(1)


if os.environ.get("GRAPHWRIGHT_VERIFY") or os.environ.get("GRAPHWRIGHT_TRUST_TOOLS"):
    _arm()
