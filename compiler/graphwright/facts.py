"""The facts about one file that rules use, computed on demand.

Facts that no enabled rule uses are never computed. There are no reference cycles, so the memory of a file is freed as
soon as it has been checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.capability import Capability, called_id
from graphwright.analysis.constant_conditions import Conditions
from graphwright.analysis.coverage import Coverage
from graphwright.analysis.definitions import Definitions
from graphwright.analysis.environment import Environment
from graphwright.analysis.fallible import collects
from graphwright.analysis.flow import Flow
from graphwright.analysis.liveness import Liveness
from graphwright.analysis.mismatch import Mismatches, mismatches
from graphwright.analysis.reachability import the_only_root
from graphwright.analysis.tools import Contract
from graphwright.analysis.typing import Types
from graphwright.analysis.unassigned import without_nulls
from graphwright.contract.lookup import ToolContracts
from graphwright.diagnostic import Span
from graphwright.dialects.detect import foreign_dialect
from graphwright.fault import Fault, FaultLog
from graphwright.ir import visit
from graphwright.ir.visit import Caller
from graphwright.lower import lower_graph
from graphwright.model import GraphSpec
from graphwright.neighbours import has_file, nested_graphs
from graphwright.options import Options
from graphwright.parse import parse, parse_shared_hooks
from graphwright.record import replace
from graphwright.schema.check import check_schemas
from graphwright.source.reader import Source
from graphwright.suggest import Guesses

if TYPE_CHECKING:
    from graphwright.analysis.declarations import Declarations
    from graphwright.analysis.exits import FixedExit
    from graphwright.analysis.intent import Intent
    from graphwright.analysis.open_ends import OpenEnd
    from graphwright.analysis.taint import Taint
    from graphwright.contract.graphs import Signature
    from graphwright.neighbours import Neighbours


_F = TypeVar("_F", bound=Fault)


class Facts:
    """One file: its contents, its faults, and the results of the analyses.

    `graph_id` and `path` (relative to the project, posix) name the graph; `project` is None for a string without a
    project. `found` are faults that the caller found (two files for one module, not a graph, unused ignore comments).
    `hooks` is the file with the hooks of the project; with `is_hooks`, this is that file.
    """

    def __init__(
        self,
        source: Source,
        *,
        graph_id: str = "graph",
        path: str | None = None,
        project: Neighbours | None = None,
        options: Options | None = None,
        found: Iterable[Fault] = (),
        hooks: Facts | None = None,
        is_hooks: bool = False,
    ) -> None:
        self.source = source
        self.graph_id = graph_id
        self.path = source.path if path is None else path
        self.project = project
        self.options = options or Options()
        self._log = FaultLog((*source.faults, *found))
        self.nested = nested_graphs(project)
        self.hooks = hooks
        self.is_hooks = is_hooks

    # --- reading -------------------------------------------------------------------------------------------

    @cached_property
    def model(self) -> GraphSpec | None:
        """The graph as written; None if the file is not a graph of this dialect."""
        if self.is_hooks:
            return parse_shared_hooks(self.source, self._log)
        foreign = foreign_dialect(self.source)
        if foreign is not None:
            self._log = FaultLog([foreign])
            return None
        if self._log.codes() & {"GW006"}:
            return None
        return parse(self.source, self._log)

    @cached_property
    def graph(self) -> ir.Graph | None:
        """The IR; None if there is no graph, or none with nodes."""
        spec = self.model
        if spec is None:
            return None
        check_schemas(spec)
        graph = lower_graph(spec, graph_id=self.graph_id, path=self.path)
        shared = None if self.hooks is None else self.hooks.graph
        return graph if graph is None or shared is None else replace(graph, shared_hooks=shared.hooks)

    def faults(self, kind: type[_F]) -> tuple[_F, ...]:
        """The faults of a kind that reading and lowering found, by position."""
        _ = self.graph
        return self._log.of(kind)

    def fault(self, code: str, span: Span) -> Fault | None:
        """The fault with this code at a location."""
        return self._log.get(code, span)

    def noted(self) -> frozenset[str]:
        """The codes of all faults that reading and lowering found."""
        _ = self.graph
        return self._log.codes()

    @cached_property
    def guesses(self) -> Guesses:
        """Finds the nearest names for misspelled ones in this file, in bounded time."""
        return Guesses()

    def contract(self, action: ir.Action) -> Contract | None:
        """What the tool that an action calls takes and returns; None if unknown."""
        return self.tools.contract(action)

    def returns(self, action: ir.Action) -> Contract | None:
        """The same for a tool; for another graph, what a run of it returns to a node that waits for it."""
        item_id = called_id(action)
        if item_id is None or self.nested(item_id) is None:
            return self.contract(action)
        from graphwright.contract.outputs import returned

        return returned(self, item_id, action)

    @cached_property
    def tools(self) -> ToolContracts:
        """What the tools that the graph calls declare."""
        return ToolContracts(self.project, self.nested)

    @cached_property
    def nodes(self) -> Mapping[str, ir.Node]:
        """The nodes of all regions by name; empty if there is no graph."""
        return {} if self.graph is None else {node.name: node for node in visit.nodes(self.graph.body)}

    @cached_property
    def callers(self) -> tuple[Caller, ...]:
        """Every action in the file; empty if there is no graph."""
        return tuple(caller for caller in self.all_callers if not caller.is_shared)

    @cached_property
    def all_callers(self) -> tuple[Caller, ...]:
        """The same with the actions of the project's hooks."""
        return () if self.graph is None else tuple(visit.callers(self.graph))

    # --- analyses (only if there is a graph) --------------------------------------------------------------------

    @property
    def _present(self) -> ir.Graph:
        if self.graph is None:
            raise LookupError(f"{self.source.path}: there is no graph to analyse")
        return self.graph

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """The control flow of each region, outermost first; empty if there is no graph."""
        if self.graph is None:
            return ()
        exhaustive = Coverage(self.graph, self._rough_types).exhaustive
        return tuple(Flow(self.graph, exhaustive, region) for region in visit.regions_in(self.graph.body))

    @property
    def flow(self) -> Flow:
        """The control flow of the outermost region."""
        return self.flows[0]

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The nodes of all regions that a run can reach; all nodes if that is unknown."""
        return frozenset(name for flow in self.flows for name in flow.reachable)

    @cached_property
    def _rough_types(self) -> Types:
        """Types that do not depend on the assignment analysis."""
        return Types(self._present, contracts=self.returns)

    @cached_property
    def assignment(self) -> Assignment:
        """Which state keys are assigned where."""
        return self._assigned(self._present)

    def _assigned(self, graph: ir.Graph) -> Assignment:
        types = self._rough_types
        is_dead = Conditions(self._present, types).is_dead
        return Assignment(graph, self.flow, collects=partial(collects, self._present, types), is_dead=is_dead)

    @cached_property
    def filled(self) -> tuple[Assignment, frozenset[str]]:
        """The same if the keys that begin as null were unassigned, and those keys."""
        graph, nulls = without_nulls(self._present)
        return self._assigned(graph) if nulls else self.assignment, nulls

    @cached_property
    def liveness(self) -> Liveness:
        """Which assignments are read."""
        return Liveness(self.assignment)

    @cached_property
    def types(self) -> Types:
        """The types of values at each point of the graph."""
        assignment = self.assignment
        is_certain = not self.flow.uncertain and not self.flow.has_guesses
        definitions = Definitions(self._present, assignment.symbols, assignment.steps if is_certain else None)
        return Types(self._present, definite=assignment.is_definite, contracts=self.returns, definitions=definitions)

    @cached_property
    def signature(self) -> Signature | None:
        """The interface of the graph for callers; None if there is no graph."""
        from graphwright.contract.graphs import signature

        return None if self.graph is None else signature(self, self.graph)

    @cached_property
    def declarations(self) -> Declarations:
        """The declarations of `state_schema` and `output_schema`, and which of them are proved."""
        from graphwright.analysis.declarations import Declarations

        return Declarations(self._present, self.assignment)

    @cached_property
    def capability(self) -> Capability:
        """The capabilities that actions need, and those that are granted."""
        strings, known = self.types.strings, partial(has_file, self.project)
        return Capability(self._present, self.all_callers, self.nested, strings, known, self.tools.calls_others)

    @cached_property
    def environment(self) -> Environment:
        """The required environment variables, and what requires them."""
        return Environment(self._present, self.all_callers, self.nested, self.tools.variables)

    @cached_property
    def taint(self) -> Taint:
        """Where untrusted text can flow."""
        from graphwright.analysis.taint import Taint

        return Taint(self._present, self.types.of, is_open=self.is_hooks)

    @cached_property
    def mismatches(self) -> Mismatches:
        """Operations on values of types that they do not support."""
        return mismatches(self._present, self.types)

    @cached_property
    def conditions(self) -> Conditions:
        """Exhaustiveness and constant conditions."""
        return Conditions(self._present, self.types)

    @cached_property
    def coverage(self) -> Coverage:
        """The cases that the edges of nodes cover."""
        return Coverage(self._present, self.types)

    @cached_property
    def open_ends(self) -> tuple[OpenEnd, ...]:
        """The nodes whose conditions leave a case open."""
        from graphwright.analysis.open_ends import open_ends

        doubt = self._present.doubt
        return tuple(open_ends(self.nodes.values(), self.reachable, doubt, self.intent, self.coverage))

    @cached_property
    def forgotten(self) -> str | None:
        """The root of the only unreachable part, which a missing edge was probably meant to lead to."""
        return the_only_root(self.flow) if self.flows else None

    @cached_property
    def fixed_exits(self) -> tuple[FixedExit, ...]:
        """Exits of loops whose conditions no node of the loop can change, at least not after a failure."""
        from graphwright.analysis.exits import fixed_exits

        never_fails = self.coverage.never_fails
        return tuple(found for flow in self.flows for found in fixed_exits(flow, never_fails))

    @cached_property
    def intent(self) -> Intent:
        """What faulty conditions were meant to be."""
        from graphwright.analysis.intent import Intent  # few graphs need it

        return Intent(self.assignment, self.types, self.conditions, self.mismatches)
