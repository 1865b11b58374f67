# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what systems take of flash and RAM, by what they are made of, and FreeRTOS with the same tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import of_threads, with_all_tasks
from horolog.build.firmware import Target, build_firmware
from horolog.build.freertos import freertos_source
from horolog.calibrate.fitting import Undetermined, fit
from horolog.calibrate.stores import MakeSystem, Spec
from horolog.image import read_image
from horolog.model import HorologError, Plan, System
from horolog.model.result import MemoryBytes
from horolog.plan import NOTHING, plan
from horolog.plan.prices.size_costs import (
    BasicSizes,
    SizeCosts,
    ThreadSizes,
    basic_parts,
    store_bytes,
    thread_parts,
)
from horolog.plan.stores.basic_tables import basic_constants, basic_ram
from horolog.plan.stores.sizes import constant_bytes

__all__ = ["Sizes", "calibrate_sizes"]

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


# Of basic tasks: how, with which store, how many, on how many levels.
_BASIC_BUILDS = (
    ("gcd", "mask-table", _FEW, 4),
    ("gcd", "mask-table", _MANY, 4),
    ("gcd", "mask-table", _FEW, 1),
    ("one-shot", "mask-table", _FEW, 4),
    ("chronos", "mask-table", _MANY, 4),
    ("gcd", "sorted-list", _FEW, 4),
    ("gcd", "period-groups", _MANY, 4),
    ("chronos", "harmonic-array", _MANY, 4),
    ("sloth", None, 2, 2),
    ("sloth", None, 4, 4),
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """What systems take of flash, and of RAM for variables."""

    flash: SizeCosts
    variables: SizeCosts


def calibrate_sizes(
    make: MakeSystem, make_basic: MakeSystem | None, out: Path, say: Callable[[str], None]
) -> Sizes | None:
    """What is built below the folder `out` takes; None without FreeRTOS's source, or a port of it.

    `make_basic` makes systems of basic tasks, where the board has a controller for them.
    """
    source = freertos_source()
    if source is None:
        return None
    few = _freertos(_system(make, _FEW), source, out, say)
    many = _freertos(_system(make, _MANY), source, out, say)
    threads = _sizes_of_threads(make, out, say)
    if few is None or many is None or not threads[0]:
        return None
    basic = None if make_basic is None else _sizes_of_basic(make_basic, out, say)
    if basic is not None and not basic[0]:
        basic = None

    return Sizes(
        _sizes(threads[0], few.program, many.program, None if basic is None else basic[0]),
        _sizes(threads[1], few.variables, many.variables, None if basic is None else basic[1]),
    )


_EACH = ("task", "line", "alone")
_Runs = list[tuple[dict[str, Fraction], Fraction]]


def _sizes(threads: _Runs, few: int, many: int, basic: _Runs | None) -> SizeCosts:
    """What the runs came to, with FreeRTOS of `few` bytes for the fewest tasks and `many` for the most.

    Nothing is said of basic tasks where the runs do not tell well enough what takes what: no run tells a cell
    with one task from the others, or a task, a line or such a cell would take less than nothing.
    """
    each = Fraction(many - few, _MANY - _FEW)
    values, _ = _fitted(threads)
    theirs = {"freertos": few - _FEW * each, "freertos_task": each}
    of_basic = None
    if basic is not None:
        found, unknown = _fitted(basic)
        is_known = not {"cell", "alone"} & unknown and min(found[one] for one in _EACH) >= 0
        of_basic = BasicSizes(**found) if is_known else None
    return SizeCosts(ThreadSizes(**values, **theirs), of_basic)


def _sizes_of_threads(
    make: MakeSystem, out: Path, say: Callable[[str], None]
) -> tuple[_Runs, _Runs]:
    """Of what firmware of threads is made, with its flash and with its variables."""
    found: tuple[_Runs, _Runs] = [], []
    for mechanism, store, tasks, shares in _BUILDS:
        system = _system(make, tasks, shares=shares)
        sharing = " in shared threads" if shares else ""
        say(f"size of {tasks} tasks{sharing}, {mechanism}, {store or 'its own store'}")
        threads = of_threads(system)
        chosen = _planned(threads, mechanism, store)
        if chosen is None:
            continue
        memory = _built(system, with_all_tasks(system, chosen), out)
        tables = sum(constant_bytes(threads, one, one.store) for one in chosen.releasers)
        stores = sum(store_bytes(threads, one, {}) for one in chosen.releasers)
        _add(found, memory, thread_parts(threads, chosen.releasers), tables, stores)
    return found


def _sizes_of_basic(make: MakeSystem, out: Path, say: Callable[[str], None]) -> tuple[_Runs, _Runs]:
    """The same where all tasks are basic."""
    found: tuple[_Runs, _Runs] = [], []
    for mechanism, store, tasks, levels in _BASIC_BUILDS:
        system = _system(make, tasks, levels=levels)
        on = f"{levels} level{'' if levels == 1 else 's'}"
        say(f"size of {tasks} basic tasks on {on}, {mechanism}, {store or 'its own store'}")
        chosen = _planned(system, mechanism, store)
        if chosen is None:
            continue
        memory = _built(system, chosen, out)
        tables = sum(basic_constants(system, one) for one in chosen.releasers)
        stores = sum(basic_ram(system, one) for one in chosen.releasers)
        _add(found, memory, basic_parts(system, chosen.releasers), tables, stores)
    return found


def _add(
    found: tuple[_Runs, _Runs],
    memory: MemoryBytes,
    parts: Mapping[str, int],
    tables: int,
    stores: Fraction | int,
) -> None:
    """A firmware of these parts, without its tables in flash and what its stores take of RAM."""
    counts = {name: Fraction(count) for name, count in parts.items()}
    found[0].append((counts, Fraction(memory.program - tables)))
    found[1].append((counts, memory.variables - Fraction(stores)))


def _planned(system: System, mechanism: str, store: str | None) -> Plan | None:
    """None: the board has too few cells for it, or cells that cannot do it."""
    try:
        return plan(system, mechanism=mechanism, queue=store, prices=NOTHING).choice
    except HorologError:
        return None


def _fitted(runs: _Runs) -> tuple[dict[str, Fraction], set[str]]:
    """What each part takes, and the parts that the board's runs do not tell from others: they take 0."""
    names, unknown = [*runs[0][0]], set[str]()
    while True:
        try:
            return fit(tuple(names), runs) | dict.fromkeys(unknown, Fraction(0)), unknown
        except Undetermined as undetermined:
            unknown.add(undetermined.args[0])
            names.remove(undetermined.args[0])


def _built(system: System, chosen: Plan, out: Path) -> MemoryBytes:
    firmware = build_firmware(system, chosen, out, None, only=Target.HOROLOG)
    return _without_bodies(firmware.horolog)


def _without_bodies(elf: Path) -> MemoryBytes:
    """What `elf` takes but for the code of bodies and of the libraries that they call."""
    image = read_image(elf)
    assert image.memory is not None
    return replace(image.memory, program=image.memory.program - image.apart)


def _system(
    make: MakeSystem, tasks: int, *, shares: bool = False, levels: int | None = None
) -> System:
    """So many tasks of four periods; on so many levels, or by their rates."""
    on = [None if levels is None else 1 + min(3 - at, levels - 1) for at in range(4)]
    specs = [Spec(_PERIODS[at % 4] * _MS, priority=on[at % 4]) for at in range(tasks)]
    system = make(f"{tasks} tasks", specs)
    return replace(system, tasks=tuple(replace(task, shares=shares) for task in system.tasks))


def _freertos(
    system: System, source: Path, out: Path, say: Callable[[str], None]
) -> MemoryBytes | None:
    say(f"size of {len(system.tasks)} tasks, FreeRTOS")
    chosen = _planned(system, "tick", None)
    if chosen is None:
        return None
    firmware = build_firmware(system, chosen, out, source, only=Target.FREERTOS)
    return None if firmware.freertos is None else _without_bodies(firmware.freertos)
