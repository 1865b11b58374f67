# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The search for the worst release phases: a system is built again with others, analysed anew, and run.

The plan stays, but for the instants at which its cells begin. So a bound that uses no offsets holds for the
responses at other phases, too, unless a one-shot cell interrupts more often there: where tasks of one
period that were released together are so no more. All responses are held to the bounds of those phases
besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from horolog.analyse import streams
from horolog.model import Mode, Plan, System
from horolog.plan import read_prices
from horolog.responses import Analysis, ChainBound, analysis_of, chains_of
from horolog.trace import Job
from horolog_experiments.analysis.draws import Case
from horolog_experiments.analysis.phasing import (
    Phasing,
    at_rest,
    behind_activation,
    behind_blocker,
    from_run,
    placed,
    source_of,
    together,
)
from horolog_experiments.analysis.runs import (
    Longest,
    Runner,
    around_bodies,
    cell_counts,
    counted,
    host_prices,
)
from horolog_experiments.analysis.search import search

__all__ = ["Elsewhere", "Planned", "above", "more_instants", "search_phases"]

_RUNS = 2  # of each phasing


@dataclass(frozen=True)
class Planned:
    """A system of a case, its plan, and its bounds."""

    case: Case
    system: System
    plan: Plan

    @cached_property
    def _asked(self) -> System:
        return counted(self.system) if self.case.board == "host" else self.system

    def _analysed(self, **options: int) -> Analysis:
        on_host = self.case.board == "host"
        prices = host_prices(self.case) if on_host else read_prices(self.system.board)
        return analysis_of(self._asked, self.plan, prices, **options)

    @cached_property
    def analysis(self) -> Analysis:
        """Its bounds."""
        return self._analysed()

    @cached_property
    def bounds(self) -> dict[int, Fraction]:
        """By task, in seconds; those that there are."""
        return {one.task: one.response for one in self.analysis.bounds if one.response}

    @cached_property
    def anywhere(self) -> dict[int, Fraction]:
        """The bounds that hold whatever the phases are."""
        found = self._analysed(most=0)
        return {one.task: one.response for one in found.bounds if one.response}

    @property
    def free(self) -> set[int]:
        """The tasks whose bounds use no offsets."""
        return {one.task for one in self.analysis.bounds if one.response and not one.by_offsets}

    def chains(self) -> tuple[ChainBound, ...]:
        """Bounds of its chains."""
        return chains_of(self._asked, self.plan, self.analysis)

    def runner(self, folder: Path) -> Runner:
        """Build it."""
        return Runner(self.case, self.system, self.plan, self.analysis.demanded, folder)


@dataclass
class Elsewhere:
    """What runs at other phases came to. `above`: tasks with a response above a bound of those phases."""

    longest: Longest = field(default_factory=Longest)  # beside the bounds of the system as drawn
    above: set[int] = field(default_factory=set)
    phasings: int = 0
    runs: int = 0
    misses: int = 0
    late_chains: int = 0


@dataclass(frozen=True)
class _Ran:
    """A phasing that was run."""

    phasing: Phasing
    longest: Longest
    seen: Sequence[tuple[Job, ...]]

    def job(self, task: int) -> Job | None:
        """The job of `task` with the longest response."""
        ended = [one for due in self.seen for one in due if one.task == task and one.end_ns]
        return max(ended, key=lambda one: (one.end_ns or 0) - one.release_ns, default=None)


def search_phases(
    drawn: Planned,
    found: Longest,
    seen: Sequence[tuple[Job, ...]],
    folder: Path,
    most: int,
    below: Callable[[int], int],
    late_chains: Callable[[Sequence[ChainBound], Sequence[tuple[Job, ...]]], int],
) -> Elsewhere:
    """At most `most` other phasings of `drawn`, of which `found` and `seen` are the runs as drawn.

    First all tasks together, and the predicted critical instants of the tasks whose responses are the
    furthest from their bounds; then changes of what has come closest to the bounds.
    """
    search_of = _Search(drawn, found, folder, late_chains, below)
    search_of.ran.append(_Ran(at_rest(drawn.system), found, seen))
    most = most if drawn.free else 1
    for _ in range(3 * most):  # some of the proposals are no others
        if search_of.elsewhere.phasings >= most:
            break
        proposed = search_of.proposal()
        if proposed is None:
            break
        search_of.look(proposed)
    return search_of.elsewhere


class _Search:
    def __init__(
        self,
        drawn: Planned,
        found: Longest,
        folder: Path,
        late_chains: Callable[[Sequence[ChainBound], Sequence[tuple[Job, ...]]], int],
        below: Callable[[int], int],
    ) -> None:
        self._drawn, self._folder, self._below = drawn, folder, below
        self._late_chains = late_chains
        self._best = dict(found.responses)
        self._tried: set[Phasing] = set()
        self._instants = {tuple(task.offset for task in drawn.system.tasks)}
        self._victims: set[int] = set()
        self.ran: list[_Ran] = []
        self.elsewhere = Elsewhere()
        hz = int(drawn.system.board.clock.hz)
        self._around = around_bodies(drawn.case, drawn.analysis.demanded, hz)
        # A cell's interrupt, what passes before the body, and two counts in which it begins.
        self._begins = cell_counts(drawn.case) + self._around[0] + 2

    def ratio(self, task: int) -> Fraction:
        """How near to its bound `task` has come."""
        return self._best.get(task, Fraction(0)) / self._drawn.bounds[task]

    def proposal(self) -> Phasing | None:
        """The next phasing; None: nothing is left to try."""
        system, demand = self._drawn.system, self._drawn.analysis.demanded.demand
        first = together(system)
        if first not in self._tried:
            return first
        tasks = self._drawn.free or {*self._drawn.bounds}
        while left := tasks - self._victims:
            by_level: dict[
                int, int
            ] = {}  # of each level the task that is the furthest from its bound
            order = sorted(left, key=lambda task: (self.ratio(task), task))
            self._victims.add(order[0])
            if order[0] >= len(system.tasks):
                found = behind_activation(system, order[0], self._begins, self._around)
            else:
                for task in order:
                    if task < len(system.tasks):
                        by_level.setdefault(source_of(demand, task).level, task)
                found = behind_blocker(system, demand, tuple(by_level.values()), self._begins)
            if found not in self._tried:
                return found
        return self._changed(tasks)

    def _changed(self, tasks: set[int]) -> Phasing | None:
        """A change of the best phasing: it begins where the task furthest from its bound had to wait most."""
        best = max(self.ran, key=lambda one: _value(one.longest, self._drawn.anywhere))
        tasks = {task for task in tasks if task < len(self._drawn.system.tasks)}
        victim = min(tasks, key=lambda task: (self.ratio(task), task), default=None)
        job = None if victim is None else best.job(victim)
        if job is None:
            return None
        system, demand = self._drawn.system, self._drawn.analysis.demanded.demand
        found = from_run(system, demand, best.phasing, job, self._below)
        return None if found in self._tried else found

    def look(self, phasing: Phasing) -> None:
        """Build `phasing`, if that can be planned, and run it."""
        self._tried.add(phasing)
        drawn = self._drawn
        there = placed(drawn.system, drawn.plan, phasing)
        if there is None:
            return
        system, chosen = there
        instants = tuple(task.offset for task in system.tasks)
        if instants in self._instants:
            return
        self._instants.add(instants)
        here = Planned(drawn.case, system, chosen)
        longest, seen = search(
            here.runner(self._folder), system, here.bounds, _RUNS, self._below, phasing.critical
        )
        self.ran.append(_Ran(phasing, longest, seen))
        other = self.elsewhere
        other.phasings += 1
        other.runs += longest.runs
        other.misses += longest.misses
        other.above |= above(here.bounds, longest.responses)
        other.late_chains += self._late_chains(here.chains(), seen)
        if more_instants(drawn.system, system, chosen):
            return
        other.above |= above(drawn.anywhere, longest.responses)
        for at in drawn.free & longest.responses.keys():
            other.longest.see(at, longest.responses[at])
            self._best[at] = max(longest.responses[at], self._best.get(at, Fraction(0)))


def more_instants(drawn: System, here: System, plan: Plan) -> bool:
    """Whether a one-shot cell of `plan` serves more streams of some period `here` than in `drawn`."""

    def streams_of(system: System, tasks: Sequence[int]) -> Counter[Fraction]:
        return Counter(stream.period for stream in streams(system, tasks))

    one_shot = [one.tasks for one in plan.releasers if one.mode is Mode.ONE_SHOT]
    return any(streams_of(here, tasks) - streams_of(drawn, tasks) for tasks in one_shot)


def _value(longest: Longest, bounds: Mapping[int, Fraction]) -> Fraction:
    both = bounds.keys() & longest.responses.keys()
    return sum((longest.responses[at] / bounds[at] for at in both), Fraction(0))


def above(bounds: Mapping[int, Fraction], largest: Mapping[int, Fraction]) -> set[int]:
    """The tasks with a response above their bound."""
    return {at for at in bounds.keys() & largest.keys() if largest[at] > bounds[at]}
