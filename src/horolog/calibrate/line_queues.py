# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what each delay queue of groups of basic tasks costs, in the handler that serves it.

The same systems run over a sorted list and over each other queue: periods that have nothing in common, from
one task to two hundred, so that nearly every instant releases one group. What a queue takes beyond a list in
which nothing is passed is a point of its curve. An interrupt for which no group is due asks for the first
one, too: that comes from a tick.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import group_walks, jobs_in, streams, tree_walk, wheel_walk, window_counts
from horolog.calibrate.basic import MakeSystem, Run, groups_plan
from horolog.calibrate.curves import BY_SLOT, over_of, slot_walk_of
from horolog.calibrate.stores import Spec
from horolog.model import QUEUES, Mode, Plan, System
from horolog.plan import Point, StepCosts
from horolog.plan.prices.curves import LINE_OVER, Curve, Over
from horolog.plan.prices.group_costs import LineQueueCosts

__all__ = ["LADDER", "calibrate_line_queues", "untidy_periods"]

LADDER = (1, 2, 5, 10, 20, 50, 100, 200)
"""Numbers of groups that curves are measured at."""

_SHORTEST_US, _LONGEST_US = 5_003, 199_999
_LEVELS = 8
_STEPS = 2_000  # instructions or cycles for a job, with all that the kernel does for it
_BYTES = 256  # of flash, at most, that a task takes with all that it needs


def untidy_periods(many: int) -> tuple[Fraction, ...]:
    """Periods from 5 to 200 ms, in seconds, each longer than the one before by about the same factor."""
    ratio = _LONGEST_US / _SHORTEST_US
    return tuple(
        Fraction(round(_SHORTEST_US * ratio ** (at / many)) | 1, 10**6) for at in range(many)
    )


def calibrate_line_queues(
    make: MakeSystem, run: Run, steps: StepCosts
) -> dict[str, LineQueueCosts]:
    """The costs of every queue but the sorted list. `steps`: those of the release method `queue`."""
    cases = [_case(make, many) for many in _ladder(make)]
    ticks = [_case(make, 1, mechanism) for mechanism in ("tick", "gcd")]
    bases = {case: case.run(run, QUEUES[0]) for case in (*cases, *ticks)}
    known = steps.by_mode[Mode.ONE_SHOT]
    found = {}
    for name in QUEUES[1:]:
        tick, gcd = (case.run(run, name) - bases[case] for case in ticks)
        over = over_of(name)
        over = over if over in LINE_OVER else "waiting"
        interrupt = Fraction(tick - gcd, ticks[0].interrupts - ticks[1].interrupts)
        each: list[Fraction] = []
        for case in cases:
            walks = group_walks(case.system, case.tasks)
            beyond = Fraction(case.run(run, name) - bases[case], case.jobs)
            beyond -= interrupt * case.interrupts / case.jobs
            beyond += walks.passed * known["walk"] + walks.moved * known["moved"]
            beyond += walks.by_head * known["head"]
            each.append(beyond)
        slot_walk = Fraction(0)
        if name in BY_SLOT:
            passed = [case.slot_walk for case in cases]
            slot_walk = slot_walk_of(each, passed)
            each = [cost - slot_walk * walk for cost, walk in zip(each, passed, strict=True)]
        points: dict[Fraction, Point] = {}
        for case, cost in zip(cases, each, strict=True):
            x = case.x(over)
            points.setdefault(x, Point(x, cost, Fraction(0), Fraction(0)))
        curve = Curve(tuple(points[x] for x in sorted(points)))
        found[name] = LineQueueCosts(over, interrupt, curve, slot_walk)
    return found


def _ladder(make: MakeSystem) -> tuple[int, ...]:
    """LADDER as far as the board's flash has room for the tasks, and the processor time for their jobs."""
    board = make("its memory", [Spec(Fraction(1, 100))]).board
    flash = [region.length for region in board.memory if region.name == "flash"]
    step = board.runner.ns_per_step
    assert step is not None  # a board on which something is counted

    def has_time(many: int) -> bool:
        return sum(_STEPS * step / 10**9 / period for period in untidy_periods(many)) <= 1

    return tuple(
        many for many in LADDER if has_time(many) and (not flash or many <= max(flash) // _BYTES)
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Case:
    """A system that runs over each queue."""

    system: System
    plan: Plan
    many: int
    jobs: int

    @property
    def tasks(self) -> tuple[int, ...]:
        return tuple(range(self.many))

    def x(self, over: Over) -> Fraction:
        """The place of the system on a curve that runs over one of LINE_OVER."""
        if over == "passed":
            return group_walks(self.system, self.tasks).from_head
        if over == "depth":
            hz = self.system.board.clock.hz
            of = streams(self.system, self.tasks)
            return tree_walk(of, hz, window_counts(self.system), groups=True)
        return Fraction(self.many)

    @property
    def slot_walk(self) -> Fraction:
        """Groups that an insertion into a timing wheel passes, on average."""
        hz = self.system.board.clock.hz
        of = streams(self.system, self.tasks)
        return wheel_walk(of, hz, window_counts(self.system), groups=True)

    @property
    def interrupts(self) -> int:
        return self.plan.prediction.interrupts

    def run(self, run: Run, store: str) -> int:
        """The kernel's instructions over `store`."""
        (releaser,) = self.plan.releasers
        plan = replace(self.plan, releasers=(replace(releaser, store=store),))
        title = f"{self.system.name}-{store}"
        side = run(title, replace(self.system, name=title), plan)
        assert side.instructions is not None
        return side.instructions.kernel


def _case(make: MakeSystem, many: int, mechanism: str = "one-shot") -> _Case:
    specs = [
        Spec(period, offset=Fraction(at * 97, 10**6), priority=_LEVELS - at * _LEVELS // many)
        for at, period in enumerate(untidy_periods(many))
    ]
    if mechanism != "one-shot":
        specs = [Spec(Fraction(1, 100))]
    system = make(f"basic tasks, {many} groups by {mechanism}", specs)
    plan = groups_plan(system, QUEUES[0], mechanism)
    return _Case(system, plan, many, sum(jobs_in(system)))
