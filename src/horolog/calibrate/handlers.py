# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures how long the handlers of a cell are at least and at most, for every store and mode.

Each store is run with systems that differ in how often a handler takes each step
(plan/prices/handler_costs.py). The costs of the steps are such that no handler was longer than at most, nor
shorter than at least.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import static_store_misfit, streams
from horolog.calibrate.envelope import envelope
from horolog.calibrate.handler_lengths import handler_lengths
from horolog.calibrate.stores import MakeSystem, Spec
from horolog.model import MASK_STORES, QUEUES, STORES, Mode, Plan
from horolog.plan import NOTHING
from horolog.plan.mapping.mechanisms import propose
from horolog.plan.mapping.releasers import Proposal
from horolog.plan.prediction.handlers import dues_of
from horolog.plan.prediction.predict import forecast, predict
from horolog.plan.prices.handler_costs import HANDLER_STEPS, HandlerCosts, handler_steps

__all__ = ["HANDLER_EXPERIMENTS", "calibrate_handlers"]

_MS = Fraction(1, 1000)
_PERIODIC_ONLY = ("unsorted-list", "harmonic-array")


@dataclass(frozen=True, slots=True)
class _Experiment:
    title: str
    specs: tuple[Spec, ...]
    periodic: str = "gcd"
    levels: bool = False  # of use to stores that go through levels or chains
    masks: bool = False  # threads that never wait, so that masks may release whole levels


def _tasks(*groups: tuple[int, int]) -> tuple[Spec, ...]:
    return tuple(Spec(ms * _MS) for ms, tasks in groups for _ in range(tasks))


_LEVELS = tuple(Spec(10 * _MS, priority=n + 1) for n in range(20))
_USUAL = _tasks(*((ms, 4) for ms in (3, 4, 5, 6, 10, 12, 15, 20, 30, 60)))

HANDLER_EXPERIMENTS = (
    _Experiment("one task", _tasks((10, 1))),
    _Experiment("one task and a tick", _tasks((10, 1)), "tick"),
    _Experiment("30 tasks of one period", _tasks((10, 30))),
    _Experiment("20 tasks on 20 levels", _LEVELS, levels=True),
    _Experiment("30 instants", tuple(Spec(40 * _MS, n * _MS) for n in range(30))),
    _Experiment(
        "a chain of periods", _tasks((10, 2), (20, 3), (40, 5), (80, 7), (160, 9)), levels=True
    ),
    _Experiment("a mixture", _USUAL),
    _Experiment("20 tasks alone on their levels", _LEVELS, masks=True),
    _Experiment(
        "some alone on their levels",
        tuple(
            Spec(ms * _MS, priority=p) for ms, p in ((10, 1), (20, 1), (10, 2), (30, 3), (20, 4))
        ),
        masks=True,
    ),
)


def calibrate_handlers(
    make: MakeSystem, out: Path, say: Callable[[str], None]
) -> dict[tuple[str, Mode], HandlerCosts]:
    """The costs of every store in each mode, with firmware built and run below the folder `out`."""
    return {
        (store, mode): _costs(store, mode, make, out, say)
        for store in STORES
        for mode in Mode
        if mode is Mode.PERIODIC or store not in _PERIODIC_ONLY
    }


def _costs(
    store: str, mode: Mode, make: MakeSystem, out: Path, say: Callable[[str], None]
) -> HandlerCosts:
    seen: list[tuple[Mapping[str, int], int]] = []
    for experiment in HANDLER_EXPERIMENTS:
        if mode is Mode.ONE_SHOT and experiment.periodic == "tick":
            continue
        if experiment.masks and store not in MASK_STORES:
            continue
        if experiment.levels and store in QUEUES:
            continue
        system = make(experiment.title, experiment.specs)
        system = replace(
            system, tasks=tuple(replace(task, shares=experiment.masks) for task in system.tasks)
        )
        proposed = propose(system, experiment.periodic if mode is Mode.PERIODIC else "one-shot")
        assert isinstance(proposed, Proposal)
        (releaser,) = proposed.releasers
        releaser = replace(releaser, store=store)
        if static_store_misfit(system, store, releaser.tasks, mode) is not None:
            continue
        say(f"handlers, {store}, {mode.value}: {experiment.title}")
        one = forecast(system, releaser, NOTHING)
        chosen = Plan("handlers", (one.releaser,), predict(system, [one], NOTHING))
        found = handler_lengths(system, chosen, out)[releaser.cell]
        of = streams(system, releaser.tasks)
        steps = [
            handler_steps(system, releaser, store, of, due) for due in dues_of(system, releaser)
        ]
        seen.append((max(steps, key=_size), found.longest))
        seen.append((min(steps, key=_size), found.shortest))
    names = [name for name in HANDLER_STEPS[store] if any(taken.get(name) for taken, _ in seen)]
    most, least = envelope(names, seen, above=True), envelope(names, seen, above=False)
    return HandlerCosts({name: (least[name], most[name]) for name in names})


def _size(steps: Mapping[str, int]) -> int:
    return sum(steps.values())
