# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what a thread costs that several tasks share, and what masks of whole levels cost.

The threads of five periods are run with one body each, with a few and with many: what the kernel executes
more is the calls of the bodies. Threads that are alone on their levels are run over each store that releases
by masks; what remains of the kernel's instructions without the other steps is that of these threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from horolog.analyse import of_threads, with_all_tasks
from horolog.calibrate.fitting import fit
from horolog.calibrate.reach import within_reach
from horolog.calibrate.stores import MakeSystem, Run, Spec, switches
from horolog.model import MASK_STORES, Mode, Plan, System
from horolog.model.result import Side
from horolog.plan import NOTHING, Costs, SharingCosts, StepCosts
from horolog.plan.mapping.mechanisms import propose
from horolog.plan.mapping.releasers import Proposal
from horolog.plan.prediction.predict import Forecast, forecast, predict
from horolog.plan.prices.static_costs import OF_LEVELS, STEPS, steps_taken

__all__ = ["calibrate_levels", "calibrate_sharing"]

_MS = Fraction(1, 1000)
_PERIODS = (10, 20, 40, 80, 160)  # ms
_FEW, _MANY = 2, 10  # bodies of a thread
_TWELVE = (10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 300)
_LEVELS = {
    "one task alone": (Spec(10 * _MS),),
    "20 tasks alone on 20 levels": tuple(Spec(10 * _MS, priority=n + 1) for n in range(20)),
    "five periods alone": tuple(Spec(ms * _MS) for ms in _PERIODS),
    "twelve periods alone": tuple(Spec(ms * _MS) for ms in _TWELVE),
}


def calibrate_sharing(make: MakeSystem, run: Run) -> SharingCosts:
    """What shared threads cost beside threads of one task."""

    def kernel(bodies: int, mechanism: str, store: str) -> tuple[int, int]:
        """Instructions, and jobs of threads."""
        specs = [Spec(ms * _MS) for ms in _PERIODS for _ in range(bodies)]
        title = f"{bodies} bodies a thread, {mechanism}, {store}"
        side, _ = _run(_sharing(make(title, specs)), title, mechanism, store, run)
        return side.counted.kernel, side.jobs // bodies

    (single, jobs), (few, _), (many, _) = (
        kernel(bodies, "gcd", "period-groups") for bodies in (1, _FEW, _MANY)
    )
    by_clock = [kernel(bodies, "one-shot", "sorted-list")[0] for bodies in (_FEW, _MANY)]
    body = Fraction(many - few, (_MANY - _FEW) * jobs)
    return SharingCosts(
        thread=Fraction(few - single, jobs) - (_FEW - 1) * body,
        body=body,
        body_clock=Fraction(by_clock[1] - by_clock[0], (_MANY - _FEW) * jobs),
    )


def calibrate_levels(
    make: MakeSystem, run: Run, costs: Costs, stores: Mapping[str, StepCosts]
) -> dict[str, StepCosts]:
    """`stores`, with the steps of those that release whole levels."""
    found = dict(stores)
    for store in MASK_STORES:
        by_mode = {
            mode: {**stores[store].by_mode[mode], **_levels(store, mode, make, run, costs, stores)}
            for mode in STEPS[store]
        }
        found[store] = replace(stores[store], by_mode=by_mode)
    return found


def _levels(
    store: str,
    mode: Mode,
    make: MakeSystem,
    run: Run,
    costs: Costs,
    stores: Mapping[str, StepCosts],
) -> dict[str, Fraction]:
    runs = []
    for about, specs in _LEVELS.items():
        title = f"{store}, {mode.value}: {about}"
        system = _sharing(make(title, specs))
        mechanism = "gcd" if mode is Mode.PERIODIC else "one-shot"
        if mode is Mode.ONE_SHOT:
            system = within_reach(system)
        side, one = _run(system, title, mechanism, store, run)
        taken = steps_taken(system, one.work, store)
        known = {name: amount for name, amount in taken.items() if name not in OF_LEVELS}
        left = side.counted.kernel - switches(system, side, costs)
        left -= stores[store].cost(known, mode).window
        runs.append(({name: taken[name].window for name in OF_LEVELS}, left))
    return fit(OF_LEVELS, runs)


def _sharing(system: System) -> System:
    return replace(system, tasks=tuple(replace(task, shares=True) for task in system.tasks))


def _run(system: System, title: str, mechanism: str, store: str, run: Run) -> tuple[Side, Forecast]:
    """`system` on one cell with that store."""
    threads = of_threads(system)
    proposed = propose(threads, mechanism)
    assert isinstance(proposed, Proposal)
    (releaser,) = proposed.releasers
    one = forecast(threads, replace(releaser, store=store), NOTHING)
    chosen = Plan(mechanism, (one.releaser,), predict(threads, [one], NOTHING))
    return run(title, system, with_all_tasks(system, chosen)), one
