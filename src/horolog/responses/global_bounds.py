# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bounds of a system of which several cores may run some tasks: of all cores at once, for each core's
analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from horolog.model import CorePlan, Overrun, PriorityRule, System, Task
from horolog.plan import NOTHING, read_prices
from horolog.responses.analysis import PARTS, Analysis, TaskBound, analysis_of
from horolog.responses.global_kernel import GlobalKernel, GlobalTask
from horolog.responses.kernel import BODY_STEPS, switch_steps
from horolog.responses.notes import about_unknown
from horolog.responses.units import Units
from horolog.schedulability import AffinityBound, End, Rival, Source, affinity_bound

__all__ = ["analysed_together"]

_MOST_PERIODS = 4  # a bound beyond so many periods, or deadlines, is none
_PARTS = 10**6
_NO_OFFSETS = "offsets are not used"


def analysed_together(plans: Sequence[CorePlan]) -> dict[int, tuple[System, Analysis]]:
    """The analysis of each core of `plans` that has tasks, and the system with the tasks of which it is.

    That has what a core's part does not: the bodies and the levels of tasks that several cores may run.
    """
    return _Together([one for one in plans if one.part.tasks], len(plans)).found()


class _Core:
    """One core's part, and what it alone asks for, in units of all of them."""

    def __init__(self, plan: CorePlan) -> None:
        self.plan = plan
        self.wide = dict(plan.part.wide)
        system = plan.system
        tasks = [
            task
            if at not in self.wide
            else replace(task, wcet=self.wide[at].wcet, priority=self.wide[at].priority)
            for at, task in enumerate(system.tasks)
        ]
        self.system = replace(system, tasks=tuple(tasks), priorities=PriorityRule.EXPLICIT)
        planned = plan.planned
        if planned is None:
            self.alone = analysis_of(system, None, NOTHING, 0)
        else:
            self.alone = analysis_of(system, planned.choice, read_prices(system.board), 0)

    def sources(self, unit: int) -> list[Source]:
        """What its analysis has, in units of which `unit` are a second."""
        by = unit // self.alone.demanded.unit
        return [_times(one, by) for one in self.alone.demanded.demand.sources]

    def level(self, source: Source) -> int:
        """In the one ranking."""
        return self.system.tasks[source.ends[0].task].priority or 0

    def affinity(self, source: Source) -> tuple[int, ...]:
        """Of the thread `source`."""
        task = self.wide.get(source.ends[0].task)
        return (self.plan.core,) if task is None else task.affinity

    def own(self, source: Source) -> list[Task]:
        """The tasks that have the thread `source`."""
        return [self.system.tasks[end.task] for end in source.ends]


def _times(source: Source, by: int) -> Source:
    ends = tuple(
        End(end.task, end.work * by, end.deadline * by, end.kernel * by) for end in source.ends
    )
    return replace(
        source,
        period=source.period * by,
        cost=source.cost * by,
        kernel=source.kernel * by,
        early=source.early * by,
        late=source.late * by,
        offset=None,
        shared=0,
        ends=ends,
    )


class _Together:
    """All threads of all cores, the most urgent first, and what is found of them."""

    def __init__(self, plans: Sequence[CorePlan], cores: int) -> None:
        self._cores = [_Core(one) for one in plans]
        self._unit = lcm(*(one.alone.demanded.unit for one in self._cores))
        board = self._cores[0].system.board
        self._units = Units(self._unit, board.clock.hz, board.runner.ns_per_step)
        self._planned = all(one.plan.planned is not None for one in self._cores)
        counted = self._planned and self._units.ns_per_step is not None
        self._port = board.port.global_threads if counted else None
        self._switch = switch_steps(read_prices(board)) if counted else 0
        self._count = cores
        self._interrupts: list[tuple[int, Source]] = []
        found = []
        for core in self._cores:
            for source in core.sources(self._unit):
                if source.ends:
                    found.append((core, self._task(core, source)))
                else:
                    self._interrupts.append((core.plan.core, source))
        self._of = sorted(found, key=lambda one: -one[1].level)
        self._bounds: dict[tuple[int, int], TaskBound] = {}  # by core, and task of its part
        self._open: set[tuple[int, int]] = set()

    def found(self) -> dict[int, tuple[System, Analysis]]:
        """By core."""
        for at, (core, task) in enumerate(self._of):
            self._of[at] = (core, self._bound(core, task))
        if any(
            one.overrun is Overrun.QUEUE and not self._bounds[core.plan.core, end.task].holds
            for core, task in self._of
            for end, one in zip(task.source.ends, core.own(task.source), strict=True)
        ):  # all bounds count one unfinished job of each task
            self._bounds = {
                key: replace(one, response=None, parts={}) for key, one in self._bounds.items()
            }
        kernel = self._kernel()
        return {one.plan.core: (one.system, self._analysis(one, kernel)) for one in self._cores}

    def _task(self, core: _Core, source: Source) -> GlobalTask:
        affinity = core.affinity(source)
        body: int | None = source.cost - source.kernel
        wcets = [task.wcet for task in core.own(source)]
        if len(affinity) > 1:
            of = sum((one or Fraction(0) for one in wcets), Fraction(0))
            body = self._units.most(of) + (self._units.steps(BODY_STEPS) if self._planned else 0)
        if None in wcets:
            body = None
        return GlobalTask(source, core.level(source), frozenset(affinity), affinity[0], body)

    def _kernel(self) -> GlobalKernel:
        return GlobalKernel(
            [one for _, one in self._of],
            self._interrupts,
            self._port,
            self._count,
            self._units.steps(1),
            self._switch,
            self._residue,
        )

    @cached_property
    def _residue(self) -> int:
        """For how long some thread holds off a dispatch of its core, or has its interrupts off."""
        longest = 0
        for core in self._cores:
            demanded = core.alone.demanded
            block = max((one.blocking for one in demanded.demand.levels.values()), default=0)
            longest = max(longest, block * (self._unit // demanded.unit))
        return longest

    def _bound(self, core: _Core, task: GlobalTask) -> GlobalTask:
        """Notes the bounds of the tasks of a thread. Returns it with its response, if that is within the
        period.
        """
        above = [one for _, one in self._of if one is not task and one.level >= task.level]
        rivals = [
            Rival(
                one.cores,
                one.source.period,
                one.body,
                one.source.early,
                one.source.late,
                one.response if one.level > task.level else None,
            )
            for one in above
        ]
        works = self._kernel().of(task)
        source, response = task.source, None
        for end in source.ends:
            body = end.work - end.kernel if not task.is_global else task.body
            most = _MOST_PERIODS * max(source.period, end.deadline)
            found = None
            if body is not None and task.body is not None:
                found = affinity_bound(body, sorted(task.cores), rivals, works, most)
            key = (core.plan.core, end.task)
            if found is None and (
                task.body is None
                or any(one.body is None and one.cores & task.cores for one in above)
            ):
                self._open.add(key)
            self._bounds[key] = self._as_bound(core, task, end, found, above)
            response = None if found is None else found.response + source.late
        within = response is not None and response + source.early <= source.period
        return replace(task, response=response if within else None)

    def _as_bound(
        self,
        core: _Core,
        task: GlobalTask,
        end: End,
        found: AffinityBound | None,
        above: Sequence[GlobalTask],
    ) -> TaskBound:
        one, unit = core.system.tasks[end.task], self._unit
        deadline = one.deadline
        share = sum(
            (
                Fraction(other.body or 0, other.source.period)
                for other in above
                if other.cores & task.cores
            ),
            Fraction(task.body or 0, task.source.period),
        )
        busy = share / len(task.cores)
        if found is None:
            return TaskBound(end.task, None, deadline, False, {}, busy)
        late = Fraction(task.source.late, unit) + one.delay
        next_release = Fraction(task.source.period - task.source.early, unit)
        if next_release < Fraction(found.response, unit) + late <= deadline:
            # The job that would be released then is not.
            return TaskBound(end.task, None, deadline, False, {}, busy)
        parts = dict.fromkeys(PARTS, Fraction(0))
        parts |= {
            "own": Fraction(found.work, unit),
            "higher": Fraction(found.waits, unit),
            "kernel": Fraction(found.kernel, unit),
            "jitter": late,
        }
        return TaskBound(
            end.task, Fraction(found.response, unit) + late, deadline, False, parts, busy
        )

    def _analysis(self, core: _Core, kernel: GlobalKernel) -> Analysis:
        number, alone, system = core.plan.core, core.alone, core.system
        bounds = tuple(self._bounds[number, at] for at in range(len(system.tasks)))
        open_here = frozenset(task for at, task in self._open if at == number)
        without = [at for at, task in enumerate(system.tasks) if task.wcet is None]
        notes = [one for one in alone.notes if not one.startswith(_NO_OFFSETS)]
        return replace(
            alone,
            bounds=bounds,
            kernel=None if self._port is None else Fraction(kernel.share(number, _PARTS), _PARTS),
            certain=frozenset(at for at in alone.certain if not bounds[at].holds),
            notes=(*notes, *about_unknown(system, without), *self._about(core)),
            unknown=tuple(sorted({*without, *open_here})),
            beyond=open_here,
            demanded=replace(
                alone.demanded,
                demand=alone.demanded.demand.replaced(
                    [
                        replace(one, level=core.level(one)) if one.ends else one
                        for one in alone.demanded.demand.sources
                    ]
                ),
                unknown=tuple(without),
            ),
        )

    def _about(self, core: _Core) -> Iterator[str]:
        for at, task in core.wide.items():
            cores = " and ".join(str(one) for one in sorted(task.affinity))
            share = (
                ""
                if task.wcet is None
                else f", {float(100 * task.wcet / core.system.tasks[at].period):.2f} %,"
            )
            yield (
                f"cores {cores} may run {task.name}: its bodies{share} are in no core's sum; "
                "its release is this core's"
            )
        yield "offsets are not used where several cores may run some tasks"
        if self._planned and self._port is None:
            yield "nothing is known of what the kernel takes here where several cores may run some tasks"
