# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of all tasks of a system, what they are made of, and what is said of the whole; in seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import ceil

from horolog.analyse import in_mode, in_shortest_rounds
from horolog.model import Plan, System
from horolog.plan import NOTHING, Prices
from horolog.responses.demand_of import Demanded, demand_of
from horolog.schedulability import (
    MOST_STEPS,
    PARTS_OF_FACTOR,
    Bound,
    Demand,
    End,
    Jobs,
    Parts,
    Source,
    breakdown_factor,
    longest_work,
    missed_by,
    response_bounds,
)

__all__ = ["PARTS", "Analysis", "TaskBound", "analysis_of", "factor_of", "sensitivity_of"]

PARTS = tuple(field.name for field in fields(Parts))
"""The parts of a response, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class TaskBound:
    """The longest response of a task. `response` None: there is none, as jobs pile up."""

    task: int
    response: Fraction | None
    deadline: Fraction
    by_offsets: bool
    parts: dict[str, Fraction]  # by PARTS; none without a response
    busy: Fraction  # the share of the processor that its level and those above take

    @property
    def slack(self) -> Fraction | None:
        """What is left to the deadline; negative if it is missed."""
        return None if self.response is None else self.deadline - self.response

    @property
    def holds(self) -> bool:
        """Whether the deadline is met for certain."""
        return self.response is not None and self.response <= self.deadline


@dataclass(frozen=True, slots=True)
class Analysis:
    """All tasks, in the order of System.tasks, and the system."""

    bounds: tuple[TaskBound, ...]
    utilisation: Fraction  # of the bodies
    kernel: Fraction | None  # share of the processor, at most; None: not in it
    certain: frozenset[
        int
    ]  # of the first that fail: those that miss if all bodies take their WCETs
    notes: tuple[str, ...]
    unknown: tuple[
        int, ...
    ]  # tasks without a WCET or a bound of activations, as in System.all_tasks
    demanded: Demanded
    modes: tuple[Analysis, ...] = ()  # of each of System.tables, where several may run
    # Where several cores may run some tasks: those that one without a WCET holds off, or that have none.
    beyond: frozenset[int] | None = None

    @property
    def failing(self) -> tuple[TaskBound, ...]:
        """The tasks whose deadlines are not proved, the most urgent first."""
        level = _levels(self.demanded.demand)
        late = (one for one in self.bounds if not one.holds)
        return tuple(sorted(late, key=lambda one: (-level[one.task], one.task)))

    @property
    def first_failing(self) -> TaskBound | None:
        """Of `failing` the first that misses for certain, else the first."""
        late = self.failing
        certain = (one for one in late if one.task in self.certain)
        return next(certain, late[0] if late else None)

    @property
    def holds(self) -> bool:
        """Whether all deadlines are met for certain, apart from what is not covered."""
        return not self.unknown and all(one.holds for one in self.bounds)

    @property
    def open(self) -> frozenset[int]:
        """The tasks with bounds that are longer by as much as unknown bodies take."""
        if self.beyond is not None:
            return self.beyond
        if not self.unknown:
            return frozenset()
        level = _levels(self.demanded.demand)
        highest = max(level[task] for task in self.unknown)
        return frozenset(
            task for task in level if level[task] <= highest or self.demanded.held_unknown
        )

    @property
    def not_covered(self) -> tuple[str, ...]:
        """What may make a response longer than its bound, if it occurs."""
        return self.demanded.not_covered


def analysis_of(
    system: System, plan: Plan | None, prices: Prices = NOTHING, most: int = MOST_STEPS
) -> Analysis:
    """Bounds for `system` with `plan` and its board's prices; without a plan the kernel takes no time.

    `most`: how many releases are gone through to use offsets (phase_bounds); 0: offsets are ignored.
    """
    if system.control is None:
        return _analysis_of(system, plan, prices, most)
    cell = system.control.cell if _moves(system) else None
    sync = system.control.sync
    shortest = [in_shortest_rounds(table, sync) for table in system.tables]
    modes = tuple(
        _analysis_of(in_mode(system, table), plan, prices, most, cell) for table in shortest
    )
    worst: dict[int, TaskBound] = {}
    for one in (bound for mode in modes for bound in mode.bounds):
        if one.task not in worst or _slack_key(one) < _slack_key(worst[one.task]):
            worst[one.task] = one
    kernels = [mode.kernel for mode in modes if mode.kernel is not None]
    first = modes[0]
    between = tuple(_between_rounds(system))
    return replace(
        first,
        bounds=tuple(worst[task] for task in sorted(worst)),
        utilisation=max(in_mode(system, table).utilisation for table in system.tables),
        kernel=max(kernels, default=None),
        certain=frozenset[int]().union(*(mode.certain for mode in modes)),
        notes=tuple(dict.fromkeys(note for mode in modes for note in mode.notes)),
        demanded=replace(first.demanded, not_covered=(*first.not_covered, *between)),
        modes=modes,
    )


def _between_rounds(system: System) -> Iterator[str]:
    """What may happen between two rounds, of which bounds know nothing."""
    control = system.control
    if len(system.tables) > 1:
        yield "responses below the table across a change of mode"
        if system.chains:
            yield "chains while another mode than the first runs"
    if control is not None and control.sync is not None and system.chains:
        yield "chains across a round that is longer or shorter to follow the global time"


def _moves(system: System) -> bool:
    """Whether rounds of tables may begin at any instants, as the application says."""
    control = system.control
    if control is None:
        return False
    return control.by_application or control.sync is not None or len(system.tables) > 1


def _beside_moving(system: System, demanded: Demanded, cell: str) -> Demanded:
    """What is asked for where the table's rounds may begin at any instants: all else has any phase then.

    Points keep their places in a round; `cell` has them.
    """
    sources = [
        one
        if (system.tasks[one.ends[0].task].table_level is not None if of_task else one.name == cell)
        else replace(one, offset=None)
        for one in demanded.demand.sources
        for of_task in [bool(one.ends) and one.ends[0].task < len(system.tasks)]
    ]
    return replace(demanded, demand=demanded.demand.replaced(sources))


def _analysis_of(
    system: System,
    plan: Plan | None,
    prices: Prices,
    most: int,
    cell: str | None = None,
) -> Analysis:
    """The analysis where one table runs for ever, or none; `cell` has the points of one that moves."""
    demanded = demand_of(system, plan, prices)
    if cell is not None:
        demanded = _beside_moving(system, demanded, cell)
    demand = demanded.demand
    busy = _busy(demand)
    level = _levels(demand)
    worst: dict[int, TaskBound] = {}  # of a task with points, of the one with the least slack
    for of_end in response_bounds(demand, most):
        one = _bound(system, of_end, demanded, busy[level[of_end.task]])
        if one.task not in worst or _slack_key(one) < _slack_key(worst[one.task]):
            worst[one.task] = one
    found = sorted(worst.values(), key=lambda one: one.task)
    kernel = None
    counted = plan is not None and system.board.runner.ns_per_step is not None
    if counted and not system.beside_global:  # else global_bounds.py knows it
        kernel = Fraction(sum(one.share(_PARTS, one.kernel) for one in demand.sources), _PARTS)
    notes = list(demanded.notes)
    if any(task.offsets != (system.tasks[0].offset,) for task in system.tasks) and not any(
        one.by_offsets for one in found
    ):
        notes.append(
            "offsets are not used: without them the bounds are no longer, or releases repeat too late"
        )
    late = sorted((one for one in found if not one.holds), key=lambda one: -level[one.task])
    return Analysis(
        tuple(found),
        system.utilisation,
        kernel,
        _certain(system, demand, late),
        tuple(notes),
        demanded.unknown,
        demanded,
    )


def factor_of(analysis: Analysis, most: int = MOST_STEPS) -> Fraction:
    """How many times as long all bodies may take with all deadlines proved, as breakdown_factor."""
    return min(breakdown_factor(one.demanded.demand, most) for one in analysis.modes or (analysis,))


def sensitivity_of(analysis: Analysis, most: int = MOST_STEPS) -> dict[int, Fraction]:
    """By task, how much longer its body alone may take with all deadlines proved; empty if they are not.

    Holds of resources stay as long as they are.
    """
    found: dict[int, Fraction] = {}
    for mode in analysis.modes or (analysis,):
        demanded = mode.demanded
        for one in mode.bounds if analysis.holds else ():
            more = longest_work(demanded.demand, one.task, most)
            if more is not None:
                by = Fraction(more, demanded.unit)
                found[one.task] = min(by, found.get(one.task, by))
    return found


_PARTS = PARTS_OF_FACTOR**4
_MOST_STEPS_OF_SCHEDULES = 200_000  # releases, of all schedules together
_MOST_CERTAIN = 16  # of the tasks without a proof, the most urgent ones are looked at


def _slack_key(one: TaskBound) -> tuple[bool, Fraction]:
    return one.slack is not None, one.slack or Fraction(0)


def _bound(system: System, bound: Bound, demanded: Demanded, busy: Fraction) -> TaskBound:
    task, unit = system.all_tasks[bound.task], demanded.unit
    wait = Fraction(demanded.waits.get(bound.task, 0), unit)
    deadline = Fraction(bound.deadline, unit) if task.points else task.deadline
    skipped = bound.response is not None and wait and bound.response > task.period * unit
    if bound.response is None or skipped:  # a server that is late skips releases
        return TaskBound(bound.task, None, deadline, False, {}, busy)
    parts = {name: Fraction(getattr(bound.parts, name), unit) for name in PARTS}
    parts["jitter"] += task.delay + wait
    if not bound.parts.before:  # else some of it are earlier jobs of the task itself
        bodies_before = parts["own"] - min(parts["own"], _ceiled(task.wcet or Fraction(0), unit))
        parts["own"] -= bodies_before
        parts["level"] += bodies_before
    return TaskBound(
        bound.task,
        Fraction(bound.response, unit) + task.delay + wait,
        deadline,
        bound.by_offsets,
        parts,
        busy,
    )


def _ceiled(seconds: Fraction, unit: int) -> Fraction:
    return Fraction(ceil(seconds * unit), unit)


def _levels(demand: Demand) -> dict[int, int]:
    return {end.task: one.level for one in demand.sources for end in one.ends}


def _busy(demand: Demand) -> dict[int, Fraction]:
    """By level, the share that the level and those above take, rounded up."""
    total, found = 0, {}
    by_level: dict[int, int] = {}
    for one in demand.sources:
        by_level[one.level] = by_level.get(one.level, 0) + one.share(_PARTS)
    for level in sorted(by_level, reverse=True):
        total += by_level[level]
        found[level] = Fraction(total, _PARTS)
    return found


def _certain(system: System, demand: Demand, late: Sequence[TaskBound]) -> frozenset[int]:
    """Those of `late` of which a job misses its deadline where all bodies take their WCETs.

    The bodies alone decide, in a schedule of the threads and basic tasks of higher levels with the task. A
    body without a WCET may take no time: such a task is in no schedule, and none is made for it.
    """
    found, left = set(), _MOST_STEPS_OF_SCHEDULES
    served = {*system.served}  # nothing says that activations wait for a server at each release
    looked = late[:_MOST_CERTAIN]
    for at, bound in enumerate(looked):
        for mine in demand.sources:
            ends = [end for end in mine.ends if end.task == bound.task]
            if not ends or bound.task in found:
                continue
            share = left // (len(looked) - at)  # one that never misses takes no other's
            misses, steps = _misses(system, demand, mine, ends[0], served, share)
            left -= steps
            if misses:
                found.add(bound.task)
    return frozenset(found)


def _misses(
    system: System, demand: Demand, mine: Source, end: End, served: set[int], most: int
) -> tuple[bool, int]:
    """Whether a job of `mine` misses the deadline of `end` for certain, and how many steps that took."""
    if (
        mine.late
        or mine.offset is None
        or mine.streams
        or mine.ends[0].task in served
        or end.work == end.kernel
    ):
        return False, 0
    above = [
        one
        for one in demand.sources
        if one.ends
        and one.cost > one.kernel
        and one.level > mine.level
        and one.ends[0].task not in served
    ]
    if any(one.late for one in above):
        return False, 0
    release, steps = missed_by(
        [_jobs(system, one) for one in above if one.offset is not None and not one.streams],
        _jobs(system, mine),
        end.work - end.kernel,
        end.deadline + mine.early,
        most,
    )
    return release is not None, steps


def _jobs(system: System, source: Source) -> Jobs:
    """The bodies alone. A shared thread is late in a way of its own, which a schedule does not follow."""
    assert source.offset is not None
    limit = system.tasks[source.ends[0].task].limit if len(source.ends) == 1 else None
    work = source.cost - source.kernel
    return Jobs(source.level, source.period, source.offset, work, limit, system.releases)
