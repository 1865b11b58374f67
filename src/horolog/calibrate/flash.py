# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures how much flash systems take, by what they are made of, and FreeRTOS with the same tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import of_threads, with_all_tasks
from horolog.build.firmware import Target, build_firmware
from horolog.build.freertos import freertos_source
from horolog.calibrate.fitting import fit
from horolog.calibrate.stores import MakeSystem, Spec
from horolog.image import loaded_bytes
from horolog.model import Plan, System
from horolog.plan import NOTHING, plan
from horolog.plan.prices.flash_costs import FlashCosts, flash_parts
from horolog.plan.stores.sizes import constant_bytes

__all__ = ["calibrate_flash"]

_MS = Fraction(1, 1000)
_PERIODS = (3, 5, 7, 11)
_FEW, _MANY = 4, 32
_BUILDS = (
    ("gcd", "sorted-list", _FEW, False),
    ("gcd", "sorted-list", _MANY, False),
    ("one-shot", "sorted-list", _FEW, False),
    ("chronos", "sorted-list", _MANY, False),
    ("gcd", "period-groups", _MANY, False),
    ("chronos-harmonic", None, _MANY, False),
    ("gcd", "sorted-list", _MANY, True),
    ("chronos", "mask-table", _MANY, True),
)


def calibrate_flash(make: MakeSystem, out: Path, say: Callable[[str], None]) -> FlashCosts | None:
    """What is built below the folder `out` takes; None without FreeRTOS's source."""
    source = freertos_source()
    if source is None:
        return None
    runs = []
    for mechanism, store, tasks, shares in _BUILDS:
        system = _system(make, tasks, shares=shares)
        say(f"flash of {tasks} tasks, {mechanism}, {store or 'its own store'}")
        threads = of_threads(system)
        chosen: Plan = plan(threads, mechanism=mechanism, queue=store, prices=NOTHING).choice
        firmware = build_firmware(
            system, with_all_tasks(system, chosen), out, None, only=Target.HOROLOG
        )
        tables = sum(constant_bytes(threads, one, one.store) for one in chosen.releasers)
        parts = flash_parts(threads, chosen.releasers)
        whole = Fraction(loaded_bytes(firmware.horolog) - tables)
        runs.append(({name: Fraction(count) for name, count in parts.items()}, whole))
    found = fit(tuple(runs[0][0]), runs)
    few, many = (_freertos(_system(make, tasks), source, out, say) for tasks in (_FEW, _MANY))
    each = Fraction(many - few, _MANY - _FEW)
    return FlashCosts(**found, freertos=few - _FEW * each, freertos_task=each)


def _system(make: MakeSystem, tasks: int, *, shares: bool = False) -> System:
    system = make(f"{tasks} tasks", [Spec(_PERIODS[at % 4] * _MS) for at in range(tasks)])
    return replace(system, tasks=tuple(replace(task, shares=shares) for task in system.tasks))


def _freertos(system: System, source: Path, out: Path, say: Callable[[str], None]) -> int:
    say(f"flash of {len(system.tasks)} tasks, FreeRTOS")
    chosen = plan(system, mechanism="tick", prices=NOTHING).choice
    firmware = build_firmware(system, chosen, out, source, only=Target.FREERTOS)
    assert firmware.freertos is not None
    return loaded_bytes(firmware.freertos)
