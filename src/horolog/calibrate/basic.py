# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what the release and the dispatch of basic tasks cost, step by step.

Each release method (plan/prices/basic_costs.py) is run with small systems that differ in how often each step
is taken: more interrupts for the same jobs, more tasks on a line, more lines. There is no thread, so all of
the kernel's instructions are the steps'; their costs are those that meet all runs best (fitting.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import clock_wraps_in
from horolog.calibrate.fitting import fit
from horolog.calibrate.reach import within_reach
from horolog.calibrate.stores import Run, Spec
from horolog.model import QUEUES, Cell, Mode, Plan, Releaser, System
from horolog.plan import FREE, NOTHING, Costs, StepCosts
from horolog.plan.basic_plans import with_interrupt
from horolog.plan.mapping.mechanisms import propose
from horolog.plan.mapping.offset_cells import offset_cells
from horolog.plan.mapping.releasers import Proposal
from horolog.plan.prediction.predict import forecast, predict
from horolog.plan.prices.basic_costs import (
    BASIC_STEPS,
    FEW_BOARDS_STEPS,
    PER_INTERRUPT,
    RELEASE_METHODS,
    basic_steps,
)
from horolog.plan.prices.group_costs import GROUP_STEPS

__all__ = [
    "BASIC_EXPERIMENTS",
    "BasicExperiment",
    "MakeSystem",
    "Run",
    "calibrate_basic",
    "calibrate_basic_step",
    "groups_plan",
]

_MS = Fraction(1, 1000)

MakeSystem = Callable[[str, Sequence[Spec]], System]


@dataclass(frozen=True, slots=True)
class BasicExperiment:
    """Tasks, and how they are released by a periodic cell; with a one-shot cell there is no tick."""

    title: str
    specs: tuple[Spec, ...]
    periodic: str = "gcd"
    lines: int | None = None  # so many free lines; by default all that the board has

    @property
    def levels(self) -> int:
        """How many priorities there are."""
        return len({spec.priority for spec in self.specs})


def _on(*groups: tuple[int, int, int]) -> tuple[Spec, ...]:
    """Tasks as (ms, tasks, priority)."""
    return tuple(
        Spec(ms * _MS, priority=priority) for ms, tasks, priority in groups for _ in range(tasks)
    )


_EIGHT = range(1, 9)

_CHAIN = _on((4, 3, 8), (8, 5, 7), (16, 7, 6), (32, 8, 5))
_TWO_CHAINS = _on((4, 3, 8), (8, 5, 7), (6, 7, 6), (12, 8, 5))
_THREE_CHAINS = _on((4, 1, 8), (8, 5, 7), (6, 1, 6), (12, 8, 5), (10, 4, 4), (20, 7, 3))

_GROUPS = (
    BasicExperiment("one task", _on((10, 1, 1))),
    BasicExperiment("one task and a tick", _on((10, 1, 1)), "tick"),
    BasicExperiment("8 tasks of one period", _on(*[(10, 1, n) for n in _EIGHT])),
    BasicExperiment("8 periods", _on(*[(2 * n, 1, 9 - n) for n in _EIGHT])),
    BasicExperiment("20 periods", _on(*[(2 * n, 1, 1 + n % 8) for n in range(3, 23)])),
    BasicExperiment(
        "20 periods and a tick", _on(*[(2 * n, 1, 1 + n % 8) for n in range(3, 23)]), "tick"
    ),
    BasicExperiment("20 tasks on a line", _on((10, 20, 1)), lines=1),
    BasicExperiment("two periods on a line", _on((10, 3, 1), (15, 3, 1), (30, 4, 1)), lines=1),
    BasicExperiment("two lines", _on((5, 2, 2), (10, 4, 1), (14, 3, 1), (21, 3, 2)), lines=2),
    BasicExperiment("16 tasks on 8 lines", _on(*[(10, 2, n) for n in _EIGHT]), lines=8),
    BasicExperiment(
        "two periods on 8 lines", _on(*[(ms, 2, n) for n in _EIGHT for ms in (10, 15)]), lines=8
    ),
    BasicExperiment(
        "20 periods on two lines", _on(*[(2 * n, 1, 1 + n % 2) for n in range(3, 23)]), lines=2
    ),
    BasicExperiment("one task alone", _on((5, 1, 2), (10, 4, 1)), lines=2),
    BasicExperiment("8 lines and many alone", _on((4, 5, 8), (10, 12, 7), (20, 12, 6), (40, 9, 5))),
    BasicExperiment("two chains alone", _TWO_CHAINS),
    BasicExperiment("two chains on lines", _TWO_CHAINS, lines=4),
    BasicExperiment("a chain on lines", _CHAIN, lines=4),
    BasicExperiment("a chain alone", _CHAIN),
    BasicExperiment(
        "a chain, some alone", _on((4, 1, 8), (8, 5, 7), (16, 1, 6), (32, 8, 5)), lines=4
    ),
    BasicExperiment("three chains, some alone", _THREE_CHAINS, lines=6),
    BasicExperiment("a chain alone and a tick", _CHAIN, "tick"),
    BasicExperiment("three chains, some alone, and a tick", _THREE_CHAINS, "tick", lines=6),
    BasicExperiment("two chains of a level", _on((4, 1, 8), (6, 5, 7)), lines=6),
    BasicExperiment("two chains of a level on lines", _on((4, 3, 8), (6, 5, 7)), lines=2),
)
"""With all lines each task has its own."""

_CHAINS = (
    BasicExperiment("a chain of a level alone", _on((2, 3, 8))),
    BasicExperiment("a chain of two levels alone", _on((2, 3, 8), (4, 2, 7))),
    BasicExperiment("a chain of two levels alone, one of four", _on((2, 1, 8), (8, 1, 7))),
    BasicExperiment("a chain of three levels alone", _on((2, 1, 8), (4, 1, 7), (8, 1, 6))),
    BasicExperiment("a chain of two levels on lines", _on((2, 3, 8), (4, 2, 7)), lines=2),
    BasicExperiment("a chain of two levels, one alone", _on((2, 1, 8), (4, 2, 7)), lines=2),
)
"""Short chains alone on a cell, as plans have them: the compiler unrolls them."""

BASIC_EXPERIMENTS: dict[str, tuple[BasicExperiment, ...]] = {
    "lines": (
        BasicExperiment("one task", _on((10, 1, 1))),
        BasicExperiment("one task and a tick", _on((10, 1, 1)), "tick"),
        BasicExperiment("8 tasks on 8 lines", _on(*[(10, 1, n) for n in _EIGHT])),
        BasicExperiment("20 tasks on a line", _on((10, 20, 1))),
        BasicExperiment("20 tasks on a line and a tick", _on((10, 20, 1)), "tick"),
        BasicExperiment("16 tasks on 8 lines", _on(*[(10, 2, n) for n in _EIGHT])),
        BasicExperiment("two periods on a line", _on((10, 3, 1), (15, 3, 1), (30, 4, 1))),
        BasicExperiment("a long table, one line", _on((5, 2, 1), (100, 4, 1))),
        BasicExperiment("a long table, two lines", _on((5, 2, 2), (10, 4, 1), (200, 3, 1))),
        BasicExperiment(
            "another mixture", _on((5, 1, 8), (5, 4, 7), (10, 2, 6), (100, 3, 5), (200, 1, 4))
        ),
        BasicExperiment(
            "a mixture", _on((2, 1, 8), (4, 3, 7), (5, 6, 6), (10, 9, 5), (20, 12, 4), (40, 1, 3))
        ),
        BasicExperiment(
            "a mixture and a tick",
            _on((5, 3, 8), (10, 5, 7), (20, 8, 6), (50, 3, 5), (100, 1, 4)),
            "tick",
        ),
    ),
    "direct": (
        BasicExperiment("one task", _on((10, 1, 1))),
        BasicExperiment("one task and a tick", _on((10, 1, 1)), "tick"),
        BasicExperiment("20 tasks", _on((10, 20, 1))),
        BasicExperiment("two periods", _on((10, 3, 1), (15, 3, 1), (30, 4, 1))),
        BasicExperiment("a mixture", _on((3, 2, 1), (4, 3, 1), (6, 4, 1), (12, 5, 1))),
    ),
    "none": (BasicExperiment("one task", _on((10, 1, 1))),),
    **dict.fromkeys(("queue", "groups"), _GROUPS),
    "chains": (*_GROUPS, *_CHAINS),
}
"""What each release method is run with; priorities are explicit, and one line each."""

_STORES = {
    "none": "none",
    "queue": QUEUES[0],
    "groups": "period-groups",
    "chains": "harmonic-array",
}
"""The store of a release method, where it is no table."""

_GENERAL = ("general", "ending")
_TWO_LINES = _on((10, 4, 2), (20, 8, 1))
_EARLY_ENDS = (
    BasicExperiment("early ends", tuple(replace(spec, terminates=True) for spec in _TWO_LINES)),
    BasicExperiment(
        "early ends of one task a line",
        tuple(
            replace(spec, terminates=at in (0, len(_TWO_LINES) - 1))
            for at, spec in enumerate(_TWO_LINES)
        ),
    ),
)
"""What the handler of lines with such tasks takes beyond the other's, if no task ends early."""

_FRACTIONS = (
    BasicExperiment("thirds", (Spec(Fraction(10, 3) * _MS, priority=1),)),
    BasicExperiment(
        "sevenths", tuple(Spec(Fraction(n, 7) * _MS, priority=n % 8 + 1) for n in range(20, 30))
    ),
)
"""Periods that are no whole number of counts."""


def _experiments(method: str, mode: Mode, system: System) -> tuple[BasicExperiment, ...]:
    """What the steps of a release method are measured with; `system` is any on the board."""
    steps, found = BASIC_STEPS[method][mode], BASIC_EXPERIMENTS[method]
    ascending = method == "lines" and system.board.port.lines_ascend
    if (
        ascending
    ):  # or no tasks would share lines, but those that are too many for lines of their own
        found = (*found, *(_with_line_a_level(one) for one in found if len(one.specs) > one.levels))
    # What early ends take occurs in their runs alone, so that the other steps' costs do not depend on it.
    if {*_GENERAL} <= {*steps}:
        # Or other tasks of these lines would have lines of their own.
        lines = 2 if ascending or method in GROUP_STEPS else None
        found = (*found, *(replace(one, lines=lines) for one in _EARLY_ENDS))
    found += _FRACTIONS if "fraction" in steps else ()
    return tuple(one for one in found if mode is Mode.PERIODIC or one.periodic != "tick")


def _with_line_a_level(one: BasicExperiment) -> BasicExperiment:
    return replace(one, title=f"{one.title}, a line a level", lines=one.levels)


def calibrate_basic(
    make: MakeSystem, run: Run, costs: Costs, methods: Sequence[str] = RELEASE_METHODS
) -> dict[str, StepCosts]:
    """The costs of `methods`, in each mode that they have. `make` gives basic tasks.

    `costs`: what an interrupt of a cell that steps takes, beside the methods' steps.
    """
    return {
        method: StepCosts(
            {mode: _steps(method, mode, make, run, costs) for mode in modes},
            {mode: _cells(method, mode, make, run) for mode in modes},
        )
        for method, by_mode in BASIC_STEPS.items()
        if method in methods
        for modes in [[mode for mode in by_mode if _can(method, mode, make)]]
    }


def _can(method: str, mode: Mode, make: MakeSystem) -> bool:
    """Whether the board has that mode of a release method.

    A task's interrupt is armed where it is moved; and where cells have no levels, one counts for one task.
    """
    if method not in ("direct", "none"):
        return True
    system = make("cells that are moved", BASIC_EXPERIMENTS[method][0].specs)
    if method == "direct":
        return system.board.port.cells_at_levels
    if mode is Mode.ONE_SHOT:
        return bool(offset_cells(system))
    return system.board.port.cells_at_levels or any(cell.counts for cell in system.board.cells)


def calibrate_basic_step(make: MakeSystem, run: Run, longer: Fraction) -> Fraction:
    """What an interrupt of a cell that steps costs more, beside `longer` where its interval is longer.

    It is run with a period of half a count more than a whole number.
    """
    (spec,) = BASIC_EXPERIMENTS["lines"][0].specs
    each = []
    for half in (Fraction(0), Fraction(1, 2)):
        title = f"basic tasks, a period of {half} of a count more"
        whole = make(title, (spec,))
        period = whole.tasks[0].period + half / whole.board.clock.hz
        system = replace(whole, tasks=(replace(whole.tasks[0], period=period, deadline=period),))
        side = run(title, system, _plan(system, "lines", "gcd"))
        assert side.instructions is not None
        each.append(Fraction(side.instructions.kernel, side.interrupts.taken))
    return each[1] - each[0] - longer / 2


def _steps(
    method: str, mode: Mode, make: MakeSystem, run: Run, costs: Costs
) -> dict[str, Fraction]:
    def of(experiment: BasicExperiment) -> tuple[dict[str, Fraction], Fraction]:
        return _run(experiment, method, mode, make, run, costs=costs)

    system = make("the board", BASIC_EXPERIMENTS[method][0].specs)
    runs = [of(experiment) for experiment in _experiments(method, mode, system)]
    steps = [
        step
        for step in BASIC_STEPS[method][mode]
        if step not in FEW_BOARDS_STEPS or any(step in taken for taken, _ in runs)
    ]
    # A task is due at each interrupt of a one-shot cell, so that what a row costs cannot be told apart.
    apart = [step for step in steps if mode is Mode.PERIODIC or step != "row"]
    if (
        not system.board.port.shows_active
    ):  # all lines have words, so that some steps are never taken
        apart = [step for step in apart if any(taken.get(step) for taken, _ in runs)]
    fitted = fit(apart, runs)
    return {step: fitted.get(step, Fraction(0)) for step in steps}


def _cells(method: str, mode: Mode, make: MakeSystem, run: Run) -> dict[str, Fraction]:
    """What an interrupt costs more than of the cell that the steps were measured with, by device."""
    experiment = BASIC_EXPERIMENTS[method][0]
    of_device: dict[str, Cell] = {}
    for cell in make(experiment.title, experiment.specs).board.cells:
        if mode in cell.modes:
            of_device.setdefault(cell.device, cell)
    if len(of_device) == 1:
        return {}
    runs = {
        device: _run(experiment, method, mode, make, run, cell.name)
        for device, cell in of_device.items()
    }
    taken, first = next(iter(runs.values()))
    interrupts = taken[PER_INTERRUPT[method]]
    return {
        device: (kernel - first) / interrupts
        for device, (_, kernel) in runs.items()
        if kernel != first
    }


def _run(
    experiment: BasicExperiment,
    method: str,
    mode: Mode,
    make: MakeSystem,
    run: Run,
    cell: str | None = None,
    costs: Costs = FREE,
) -> tuple[dict[str, Fraction], Fraction]:
    """How often each step is taken, and what the kernel executes in all; with the first cell, or `cell`.

    Without what the cell takes that steps, and the clock that wraps.
    """
    title = f"basic tasks, {method}, {mode.value}: {experiment.title}"
    title += f" on {cell}" if cell else ""
    system = _expressed(experiment, mode, title, make)
    if cell:
        system = replace(system, cells=(cell,))
    if method == "lines" and mode is Mode.ONE_SHOT:
        system = within_reach(system)
    chosen = _plan(system, method, experiment.periodic if mode is Mode.PERIODIC else "one-shot")
    side = run(title, system, chosen)
    assert side.instructions is not None
    (releaser,) = chosen.releasers
    taken = basic_steps(system, forecast(system, releaser, NOTHING).work, releaser)
    amounts = {name: amount.window for name, amount in taken.items()}
    stepped = costs.stepped(releaser.part, basic=True) if releaser.part else Fraction(0)
    rest = side.interrupts.taken * stepped + clock_wraps_in(system) * costs.wrap
    return amounts, side.instructions.kernel - rest


def _expressed(experiment: BasicExperiment, mode: Mode, title: str, make: MakeSystem) -> System:
    """The system of `experiment`; if no tick has the periods that `make` shortens, with longer ones."""
    system = _with_lines(make(title, experiment.specs), experiment.lines)
    if mode is not Mode.PERIODIC or isinstance(propose(system, experiment.periodic), Proposal):
        return system
    times = experiment.specs[0].period / system.tasks[0].period
    longer = [replace(spec, period=times * spec.period) for spec in experiment.specs]
    return _with_lines(make(title, longer), experiment.lines)


def _with_lines(system: System, number: int | None) -> System:
    """`system` on its board with no more than `number` lines free."""
    controller = system.board.controller
    if number is None or controller is None:
        return system
    few = replace(controller, lines=controller.lines[:number])
    return replace(system, board=replace(system.board, controller=few))


def _plan(system: System, method: str, mechanism: str) -> Plan:
    """All tasks on one cell, released as `method` says."""
    proposed = propose(system, mechanism)
    assert isinstance(proposed, Proposal)
    releaser = with_interrupt(system, proposed.releasers[0])
    store = _STORES.get(method, "mask-table")
    direct = method in ("direct", "none") and system.board.port.cells_at_levels
    return _by(system, replace(releaser, store=store, direct=direct), mechanism)


def groups_plan(system: System, store: str, mechanism: str) -> Plan:
    """All tasks on one cell, over `store`, which is one of groups."""
    proposed = propose(system, mechanism)
    assert isinstance(proposed, Proposal)
    releaser = with_interrupt(system, proposed.releasers[0])
    return _by(system, replace(releaser, store=store, direct=False), mechanism)


def _by(system: System, releaser: Releaser, mechanism: str) -> Plan:
    one = forecast(system, releaser, NOTHING)
    return Plan(mechanism, (releaser,), predict(system, [one], NOTHING))
