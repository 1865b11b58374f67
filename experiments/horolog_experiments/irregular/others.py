# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems other than the drawn ones: two examples, lone instants, 1,500 tasks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import ON_ONE_CORE, HorologError, Kind, System
from horolog.plan import Limit, plan
from horolog.read import read_board, read_system
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.irregular.families import FAMILIES, Case, cases, example_task, system_of
from horolog_experiments.irregular.results import Alone, Large, Whole, Wide
from horolog_experiments.planner.families import Draw, drawn

__all__ = [
    "CELLS",
    "EXAMPLES",
    "LARGE",
    "LIMIT",
    "WIDE",
    "WIDE_QUICK",
    "alone_system",
    "large_system",
    "measure_alone",
    "measure_large",
    "measure_wholes",
    "measure_wide",
    "wide_system",
]

EXAMPLES = ("engine-control", "chronos")
LARGE = ("planted", "smooth", "uniform-us")
"""The families of 1,500 tasks."""
CELLS = 64
LIMIT = Fraction(10)
_TASKS, _SEEDS = 1_500, 3
_ALONE, _ALONE_SEEDS = 25, (1, 20)
_SHORTEST_NS, _LONGEST_NS = 500_000, 62_000_000
_STORES = 4  # of the lone instants: the choice, and so many others, the next best predicted
_NS, _US = Fraction(1, 10**9), Fraction(1, 10**6)
_LARGE_BOARD = "ibex-cells"
WIDE = 40
WIDE_QUICK = 4
_WIDE_CELLS = 8


def measure_wholes(source: Path | None, out: Path, say: Callable[[str], None]) -> tuple[Whole, ...]:
    """The examples as both kinds of tasks, and FreeRTOS's sides if there is its source."""
    found = []
    for name in EXAMPLES:
        path = data_root() / "examples" / name / "system.toml"
        for kind in Kind:
            say(f"{name} as {kind.value} tasks")
            system = read_system(path, kind=kind)
            side = measure_plan(system, plan(system).choice, out / name)
            found.append(
                Whole(name, kind.value, side.counted.kernel, side.jobs, side.deadline_misses)
            )
        system = read_system(path)
        any_plan = plan(system).choice
        for baseline in ON_ONE_CORE if source is not None else ():
            say(f"{name}, {baseline.described}")
            assert source is not None
            try:
                side = measure_baseline(system, any_plan, source, out / name, baseline=baseline)
            except HorologError as error:
                say(f"{name}: {error.message}")
                continue
            kernel, misses = side.counted.kernel, side.deadline_misses
            found.append(Whole(name, baseline.value, kernel, side.jobs, misses))
    return tuple(found)


def alone_system(seed: int) -> System:
    """25 tasks of 0.5 to 62 ms with offsets to the nanosecond, on one cell of mps2-an385.

    Drawn by a generator of Numerical Recipes'.
    """
    example, state = read_system(data_root() / "examples" / "chronos" / "system.toml"), seed
    tasks = []
    for index in range(_ALONE):
        values = []
        for _ in range(2):
            state = (state * 1664525 + 1013904223) % 2**32
            values.append(state)
        period = _SHORTEST_NS + values[0] * (_LONGEST_NS - _SHORTEST_NS) // 2**32
        one = example_task(example, f"task.{index}", period * _NS, work=20)
        tasks.append(replace(one, offset=(values[1] * period // 2**32) * _NS))
    return replace(
        example,
        name="alone",
        cells=example.cells[:1],
        tasks=tuple(tasks),
        duration=Fraction(1),
    )


def measure_alone(out: Path, say: Callable[[str], None]) -> tuple[Alone, ...]:
    """The lone instants on a one-shot cell: the planner's store first, then others."""
    found = []
    for seed in _ALONE_SEEDS:
        system = alone_system(seed)
        planned = plan(system, mechanism="one-shot")
        own = planned.choice.releasers[0].store
        options = [one.store for one in planned.choice.queues[0].options if one.admissible]
        for store in [own, *(one for one in options if one != own)][:_STORES]:
            say(f"25 tasks alone, seed {seed}: {store}")
            choice = plan(system, mechanism="one-shot", queue=store).choice
            side = measure_plan(system, choice, out)
            found.append(Alone(seed, store, side.counted.kernel, side.jobs))
    return tuple(found)


def large_system(family: str, seed: int, tasks: int = _TASKS) -> System:
    """So many tasks of `family` on the 64 cells of ibex-cells."""
    example = read_system(data_root() / "examples" / "chronos" / "system.toml", board=_LARGE_BOARD)
    if family == "smooth":
        draw = Draw(f"irregular large {family} {seed}")
        periods = FAMILIES[family][1](draw, tasks)
    else:
        rows = drawn(family, tasks, CELLS, seed, offsets=False)
        periods = [period * _US for period, _ in rows]
    cells = tuple(cell.name for cell in example.board.cells[:CELLS])
    return replace(
        example,
        name=f"large-{family}-{seed}",
        cells=cells,
        tasks=tuple(
            example_task(example, f"task.{index}", period, work=1)
            for index, period in enumerate(periods)
        ),
        duration=Fraction(1),
    )


def measure_large(say: Callable[[str], None], *, quick: bool) -> tuple[Large, ...]:
    """Plans with a limit, one of each family if `quick`.

    One is within it that took no more seconds of the clock, or of a processor that has other work, too.
    """
    found = []
    for family in LARGE:
        for seed in range(1 if quick else _SEEDS):
            say(f"1,500 tasks on 64 cells: {family}, seed {seed}")
            system = large_system(family, seed)
            start, busy = time.monotonic(), time.process_time()
            try:
                planned = plan(system, limit=Limit(LIMIT))
            except HorologError:
                found.append(Large(family, seed, "", Fraction(1), within=False))
                continue
            took = min(time.monotonic() - start, time.process_time() - busy)
            gap = planned.search.gap.limit_denominator(10**6)
            found.append(
                Large(family, seed, planned.choice.mechanism, gap, within=took <= float(LIMIT))
            )
    return tuple(found)


def wide_system(case: Case, seed: int) -> System:
    """`case`, whose cells are 1 to 4, as threads on four more cells of the host port."""
    board = read_board("host")
    cells = tuple(
        replace(board.cells[0], name=f"cell{at}", instance=at, handler=f"host_cell{at}")
        for at in range(_WIDE_CELLS)
    )
    system = system_of(case, Kind.THREAD, seed)
    names = tuple(cell.name for cell in cells[: case.cells + _WIDE_CELLS // 2])
    return replace(system, board=replace(board, cells=cells), cells=names)


def measure_wide(out: Path, say: Callable[[str], None], count: int, seed: int) -> tuple[Wide, ...]:
    """So many cases on 5 to 8 cells of the host port, which counts interrupts and no instructions."""
    found = []
    for case in cases(count, seed + 1):
        system = wide_system(case, seed + 1)
        say(f"on {len(system.cells)} cells of the host: {case}")
        try:
            planned = plan(system)
        except HorologError as error:
            found.append(Wide(case, "", str(error), (0, 0, 0), 0, 0, 0, Fraction(0), Fraction(0)))
            continue
        side = measure_plan(system, planned.choice, out)
        listed = [one.plan.prediction for one in planned.alternatives if one.plan is not None]
        made = side.interrupts
        found.append(
            Wide(
                case=replace(case, cells=len(system.cells)),
                mechanism=planned.choice.mechanism,
                said="",
                interrupts=(made.predicted, made.taken, made.coalesced),
                excess=made.excess,
                fewest=min(one.interrupts for one in listed),
                misses=side.deadline_misses,
                rate=planned.choice.prediction.interrupts_per_second,
                fewest_rate=min(one.interrupts_per_second for one in listed),
            )
        )
    return tuple(found)
