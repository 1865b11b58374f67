# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what each step of the stores without a queue costs, and what cooperation adds.

A store is run with small systems of one to forty tasks that differ in how often each step is taken: more
interrupts for the same jobs, more tasks at one instant, more groups, chains or levels. What remains of the
kernel's instructions without the switches is the sum of the steps; their costs are those that meet all
runs best (fitting.py). The last system of each is a mixture of periods, as users have them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import clock_wraps_in, distinct_instants, streams, window_counts
from horolog.calibrate.fitting import fit
from horolog.calibrate.reach import within_reach
from horolog.model import QUEUES, Mode, Plan, System
from horolog.model.result import Side
from horolog.plan import NOTHING, STEP_STORES, STEPS, Cooperation, Costs, Prices, StepCosts
from horolog.plan.instants.counts_and_rates import NONE
from horolog.plan.mapping.mechanisms import propose
from horolog.plan.mapping.releasers import Proposal, as_group, one_shot_on, periodic_on
from horolog.plan.prediction.predict import forecast, predict
from horolog.plan.prices.static_costs import OF_LEVELS, steps_taken

__all__ = [
    "COOPERATIONS",
    "EXPERIMENTS",
    "MakeSystem",
    "Run",
    "Spec",
    "Together",
    "calibrate_cooperation",
    "calibrate_masks",
    "calibrate_steps",
    "switches",
]

_MS = Fraction(1, 1000)


@dataclass(frozen=True, slots=True)
class Spec:
    """A task of an experiment. `priority`: explicit, if any is."""

    period: Fraction
    offset: Fraction = Fraction(0)
    priority: int | None = None
    activations: int | None = None  # of a basic task
    terminates: bool = False


@dataclass(frozen=True, slots=True)
class _Experiment:
    title: str
    specs: tuple[Spec, ...]
    periodic: str = "gcd"  # the mechanism, of a periodic cell


def _tasks(*groups: tuple[int, int]) -> tuple[Spec, ...]:
    """So many tasks of each period, as (ms, tasks)."""
    return tuple(Spec(ms * _MS) for ms, tasks in groups for _ in range(tasks))


# Hyperperiods of 600, 1200, 160 and 60 ms, so that a mask table holds them.
_TWELVE = tuple((10 * factor, 1) for factor in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30))
_MANY = tuple(
    (ms, 1)
    for ms in (5, 6, 8, 10, 12, 15, 16, 20, 24, 25, 30, 40, 48, 50, 60, 75, 80, 100, 120, 150, 200)
)
_CHAIN = tuple((10 * 2**n, 5) for n in range(5))
_USUAL = tuple((ms, 4) for ms in (3, 4, 5, 6, 10, 12, 15, 20, 30, 60))

EXPERIMENTS = (
    _Experiment("one task", _tasks((10, 1))),
    _Experiment("one task and a tick", _tasks((10, 1)), "tick"),
    _Experiment("20 tasks of one period", _tasks((10, 20))),
    _Experiment("20 tasks of two periods", _tasks((10, 10), (20, 10))),
    _Experiment("20 tasks on 20 levels", tuple(Spec(10 * _MS, priority=n + 1) for n in range(20))),
    _Experiment("two tasks, two chains", _tasks((10, 1), (15, 1))),
    _Experiment("12 periods and a tick", _tasks(*_TWELVE), "tick"),
    _Experiment("21 periods and a tick", _tasks(*_MANY), "tick"),
    _Experiment("a chain of five periods", _tasks(*_CHAIN)),
    _Experiment("a mixture of periods", _tasks(*_USUAL)),
    _Experiment("two periods of a chain", _tasks((10, 1), (20, 1))),
    _Experiment("two periods of a chain and a tick", _tasks((7, 1), (14, 1)), "tick"),
    _Experiment("two tasks in turn", (Spec(10 * _MS), Spec(10 * _MS, 5 * _MS))),
    _Experiment("three primes and a tick", _tasks((7, 1), (11, 1), (13, 1)), "tick"),
    _Experiment("three even periods", _tasks((4, 1), (6, 1), (10, 1))),
    _Experiment("five multiples of three", _tasks((6, 1), (9, 1), (12, 1), (15, 1), (21, 1))),
)
"""What every store is run with. With a one-shot cell there is no tick: those are left out."""


@dataclass(frozen=True, slots=True)
class Together:
    """An experiment with cooperation: periods of the partners' tasks and of the one-shot cell's."""

    title: str
    partners: tuple[Spec, ...]
    others: tuple[Spec, ...]


COOPERATIONS = (
    Together("served never", (Spec(10 * _MS),), (Spec(10 * _MS, 5 * _MS),)),
    Together("served always", (Spec(10 * _MS),), (Spec(20 * _MS),)),
    Together("served seldom", (Spec(2 * _MS),), (Spec(5 * _MS),)),
    Together("a fast partner", (Spec(_MS / 10),), tuple(Spec(ms * _MS) for ms in (7, 11, 13, 17))),
    Together("two partners", (Spec(3 * _MS), Spec(5 * _MS)), (Spec(7 * _MS),)),
    Together("three partners", (Spec(3 * _MS), Spec(5 * _MS), Spec(7 * _MS)), (Spec(11 * _MS),)),
    Together("several others", (Spec(3 * _MS),), tuple(Spec(ms * _MS) for ms in (7, 11, 13, 17))),
    Together("others at one instant", (Spec(10 * _MS),), (Spec(20 * _MS, 5 * _MS),) * 4),
    Together(
        "several others, always",
        (Spec(10 * _MS),),
        tuple(Spec(ms * _MS) for ms in (20, 30, 40, 50)),
    ),
    Together(
        "several others, never",
        (Spec(10 * _MS),),
        tuple(Spec(ms * _MS, 5 * _MS) for ms in (20, 30, 40, 50)),
    ),
    Together(
        "several others, two partners",
        (Spec(3 * _MS), Spec(5 * _MS)),
        tuple(Spec(ms * _MS) for ms in (7, 11, 13, 17)),
    ),
    Together(
        "several others, three partners",
        (Spec(3 * _MS), Spec(5 * _MS), Spec(7 * _MS)),
        tuple(Spec(ms * _MS) for ms in (11, 13, 17, 19)),
    ),
)

_PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67)
_SCATTERED = tuple(Spec(ms * _MS, at * ms * _MS / 17) for at, ms in enumerate(_PRIMES))
_OF_MANY = (
    Together("16 others, seldom", (Spec(10 * _MS),), _SCATTERED),
    Together("16 others, often", (Spec(1 * _MS),), _SCATTERED),
    Together("16 others, two partners", (Spec(3 * _MS), Spec(5 * _MS)), _SCATTERED),
)
"""With a delay queue, as it is used: many tasks, so that what inserts rarely becomes the head."""

MakeSystem = Callable[[str, Sequence[Spec]], System]
Run = Callable[[str, System, Plan], Side]


def calibrate_steps(make: MakeSystem, run: Run, costs: Costs) -> dict[str, StepCosts]:
    """The costs of every store of STEP_STORES, in each mode that it has."""
    return {
        store: StepCosts({mode: _steps(store, mode, make, run, costs) for mode in STEPS[store]})
        for store in STEP_STORES
    }


def _fractions(make: MakeSystem) -> tuple[_Experiment, ...]:
    """With stores that serve such periods: some that are no whole numbers of counts on this board."""
    hz = make("the board", (Spec(_MS),)).board.clock.hz
    period = next(one for one in (Fraction(10, n) * _MS for n in (3, 7)) if (one * hz) % 1)
    return (
        _Experiment("a period of no whole counts", (Spec(period),)),
        _Experiment("two periods of no whole counts", (Spec(period), Spec(2 * period))),
        _Experiment(
            "five periods of no whole counts", tuple(Spec(n * period) for n in (1, 2, 3, 4, 5))
        ),
    )


def _steps(store: str, mode: Mode, make: MakeSystem, run: Run, costs: Costs) -> dict[str, Fraction]:
    runs = []
    in_fractions = _fractions(make) if "fraction" in STEPS[store][mode] else ()
    for experiment in (*EXPERIMENTS, *in_fractions):
        mechanism = experiment.periodic if mode is Mode.PERIODIC else "one-shot"
        if mode is Mode.ONE_SHOT and experiment.periodic == "tick":
            continue
        title = f"{store}, {mode.value}: {experiment.title}"
        system = make(title, experiment.specs)
        if mode is Mode.ONE_SHOT:
            system = within_reach(system)
        proposed = propose(system, mechanism)
        assert isinstance(proposed, Proposal)
        (releaser,) = proposed.releasers
        one = forecast(system, replace(releaser, store=store), NOTHING)
        chosen = Plan(mechanism, (one.releaser,), predict(system, [one], NOTHING))
        side = run(title, system, chosen)
        taken = steps_taken(system, one.work, store)
        left = side.counted.kernel - switches(system, side, costs)
        left -= taken.get("fraction", NONE).window * costs.fraction  # of the waits
        if releaser.part:
            left -= side.interrupts.taken * costs.stepped(releaser.part, basic=False)
        left -= clock_wraps_in(system) * costs.wrap
        runs.append(({name: amount.window for name, amount in taken.items()}, left))
    return fit([step for step in STEPS[store][mode] if step not in OF_LEVELS], runs)


def calibrate_cooperation(
    make: MakeSystem, run: Run, prices: Prices, store: str = "period-groups"
) -> Cooperation:
    """What periodic cells pay for serving a one-shot cell too, and what it saves. `prices`: of `store`.

    A delay queue that one task empties is a case apart: several tasks wait in those that are measured.
    """
    runs, kernels = [], []
    of_queue = tuple(one for one in COOPERATIONS if len(one.others) > 1) + _OF_MANY
    for together in of_queue if store in QUEUES else COOPERATIONS:
        title = f"cooperation, {store}: {together.title}"
        system = make(title, (*together.partners, *together.others))
        chosen = _together(system, together, replace(prices, cooperation=None), store)
        side = run(title, system, chosen)
        partners = [r for r in chosen.releasers if not r.cooperates]
        (own,) = [r for r in chosen.releasers if r.cooperates]
        taken = dict(chosen.prediction.interrupts_by_cell)
        visits = Fraction(sum(taken[r.cell] for r in partners))
        served = Fraction(distinct_instants(system, own.tasks) - taken[own.cell])
        more = side.counted.kernel - chosen.prediction.kernel_instructions
        steps = {
            "visit": visits,
            "partner": visits * len(partners),
            "saved": -served,
            "own": Fraction(taken[own.cell]),
        }
        runs.append((steps, more))
        kernels.append(Fraction(side.counted.kernel))  # `more` may be next to nothing
    return Cooperation(**fit(tuple(steps), runs, of=kernels))


def calibrate_masks(make: MakeSystem, run: Run, prices: Prices) -> Fraction:
    """What a wait in a delay queue costs more where masks release other threads."""
    title = "two tasks of a list beside one of masks"
    system = make(title, (Spec(10 * _MS), Spec(10 * _MS, 5 * _MS), Spec(40 * _MS)))
    of, hz = streams(system), system.board.clock.hz
    listed, masked = [stream for stream in of if 2 not in stream.tasks], [of[-1]]
    first, second = (system.board.cell(name) for name in system.cells[:2])
    made = periodic_on(system, [as_group(masked)], [second])
    assert isinstance(made, tuple)
    releasers = [one_shot_on(first, listed, hz), replace(made[0], store="period-groups")]
    forecasts = [forecast(system, one, prices) for one in releasers]
    predicted = predict(system, forecasts, prices)
    side = run(title, system, Plan("mixed", tuple(releasers), predicted))
    return (side.counted.kernel - predicted.kernel_instructions) / forecasts[0].waits.window


def _together(system: System, together: Together, prices: Prices, store: str) -> Plan:
    """The partners' tasks each on a periodic cell, the others on the next one; all with `store`."""
    of, hz = streams(system), system.board.clock.hz
    count = len(together.partners)
    cells = [system.board.cell(name) for name in system.cells]
    kept = [stream for stream in of if min(stream.tasks) < count]
    rest = [stream for stream in of if min(stream.tasks) >= count]
    made = periodic_on(system, [as_group([stream]) for stream in kept], cells[:count])
    assert isinstance(made, tuple)
    releasers = [*made, one_shot_on(cells[count], rest, hz, cooperates=True)]
    releasers = [replace(releaser, store=store) for releaser in releasers]
    end = window_counts(system)
    forecasts = [
        forecast(system, one, prices, made if one.cooperates else (), end) for one in releasers
    ]
    return Plan("mixed", tuple(releasers), predict(system, forecasts, prices))


def switches(system: System, side: Side, costs: Costs) -> Fraction:
    """Instructions of the switches of a system with short jobs: one a job, and one a release instant."""
    return (side.jobs + distinct_instants(system)) * costs.dispatch
