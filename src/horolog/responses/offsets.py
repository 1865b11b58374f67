# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Offsets as a decision: fewer releases at one instant, no bound of a task or chain larger than before.

Tasks whose description gives no offset may have any. Some assignments (schedulability/offsets.py) are planned
and analysed: on the grid of the greatest common divisor of all periods, on which no instant is new where some
period is that divisor, and on half of it. What makes a bound larger, or the overhead by more than a tenth, is
refused. Of the others the one with the fewest releases at one instant is taken, then that with the least
overhead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any

from horolog.model import HorologError, Plan, Planned, System
from horolog.plan import Limit, read_prices
from horolog.responses.analysis import analysis_of
from horolog.responses.chains import chains_of
from horolog.responses.telling import ms_text
from horolog.schedulability import apart_offsets, most_together

__all__ = ["Offsets", "OffsetFigures", "choose_offsets", "offsets_to_data"]

_LEAST_APART = Fraction(1, 10_000)  # seconds between offsets; what is nearer is served together
_MOST_MORE = Fraction(11, 10)  # of the overhead


@dataclass(frozen=True, slots=True)
class OffsetFigures:
    """What offsets are to make smaller."""

    together: int | None  # the most releases at one instant; None: too many cases to know
    longest_handler: int | None
    kernel_per_second: Fraction
    interrupts_per_second: Fraction


@dataclass(frozen=True, slots=True)
class Offsets:
    """A choice, by task or group of the file; none: `refused` says why, or there is nothing to choose."""

    chosen: tuple[tuple[str, Fraction], ...]
    before: OffsetFigures
    after: OffsetFigures
    refused: tuple[str, ...] = ()
    cut: bool = False  # by the limit, before all were compared


def choose_offsets(
    system: System, planned: Planned, again: Callable[[System], Planned], limit: Limit
) -> tuple[System, Planned, Offsets]:
    """The system with offsets, its plan, and what that gains; `system` and `planned` if nothing is gained.

    `again` plans another system in the same way.
    """
    before = _figures(system, planned.choice)
    free = _free(system)
    refused: list[str] = []
    best, cut = (system, planned, Offsets((), before, before)), False
    for grid, offsets in _assignments(system, free) if before.together is not None else ():
        if limit.over(1):
            cut = True
            break
        moved = _with_offsets(system, free, offsets)
        try:
            made = again(moved)
        except HorologError as error:
            refused.append(f"a grid of {ms_text(grid)} ms: {error.message}")
            continue
        after = _figures(moved, made.choice)
        why = _against(system, planned.choice, before, moved, made.choice, after)
        if why is not None:
            refused.append(f"a grid of {ms_text(grid)} ms: {why}")
        elif _key(after) < _key(best[2].after):
            given = tuple((name, offsets[name]) for name in free)
            best = moved, made, Offsets(given, before, after)
    return best[0], best[1], replace(best[2], refused=tuple(refused), cut=cut)


def _key(figures: OffsetFigures) -> tuple[int, Fraction, Fraction]:
    return figures.together or 0, figures.kernel_per_second, figures.interrupts_per_second


def _figures(system: System, planned: Plan) -> OffsetFigures:
    times = [time for task in system.tasks for time in (task.period, *task.offsets)]
    unit = lcm(*(time.denominator for time in times))
    sources = [
        (int(task.period * unit), int(offset * unit), 1)
        for task in system.tasks
        for offset in task.offsets
    ]
    handler, prediction = planned.longest_handler, planned.prediction
    return OffsetFigures(
        most_together(sources),
        None if handler is None else handler[0],
        prediction.kernel_per_second,
        prediction.interrupts_per_second,
    )


def _free(system: System) -> dict[str, list[int]]:
    """The tasks of each entry of the file that gives no offset and has not moved."""
    found: dict[str, list[int]] = {}
    for at, task in enumerate(system.tasks):
        if task.offset_open and not task.offset and not task.jitter:
            found.setdefault(task.entry, []).append(at)
    return found


def _assignments(
    system: System, free: Mapping[str, list[int]]
) -> Iterator[tuple[Fraction, dict[str, Fraction]]]:
    """Assignments of offsets to entries, each with its grid."""
    if not free:
        return
    times = [task.period for task in system.tasks] + [task.offset for task in system.tasks]
    unit = lcm(*(time.denominator for time in times), system.board.clock.hz)
    whole = gcd(*(int(time * unit) for time in times))
    taken = {at for tasks in free.values() for at in tasks}
    others = [at for at in range(len(system.tasks)) if at not in taken]
    entries = [*free.values(), *([at] for at in others)]
    periods = [gcd(*(int(system.tasks[at].period * unit) for at in one)) for one in entries]
    given = {
        at: int(system.tasks[other].offset * unit) for at, other in enumerate(others, len(free))
    }
    counts = unit // system.board.clock.hz  # units of a count of the clock
    for grid in (whole, whole // 2):
        if not grid or grid % counts:
            continue
        step = grid * ceil(_LEAST_APART * unit / grid)
        offsets = apart_offsets(periods, [len(one) for one in entries], given, step)
        found = {name: Fraction(offsets[at], unit) for at, name in enumerate(free)}
        if any(found.values()):
            yield Fraction(step, unit), found


def _with_offsets(
    system: System, free: Mapping[str, list[int]], offsets: Mapping[str, Fraction]
) -> System:
    tasks = list(system.tasks)
    for name, members in free.items():
        for at in members:
            tasks[at] = replace(tasks[at], offset=offsets[name])
    return replace(system, tasks=tuple(tasks))


def _against(
    system: System,
    planned: Plan,
    before: OffsetFigures,
    moved: System,
    made: Plan,
    after: OffsetFigures,
) -> str | None:
    """Why offsets are not taken; None: they may be."""
    if after.together is None or _key(after) >= _key(before):
        return "no fewer releases at one instant, and no less overhead"
    if after.kernel_per_second > _MOST_MORE * before.kernel_per_second:
        more = after.kernel_per_second / before.kernel_per_second - 1
        return f"{float(100 * more):.0f} % more overhead"
    prices = read_prices(system.board)
    one, other = analysis_of(system, planned, prices), analysis_of(moved, made, prices)
    if one.unknown:
        missing = ", ".join(f'"{system.all_tasks[at].name}"' for at in one.unknown)
        return f"whether a bound grows is not known: no wcet of {missing}"
    names = [task.name for task in system.all_tasks]
    pairs = [
        (f'the bound of "{names[was.task]}"', was.response, now.response)
        for was, now in zip(one.bounds, other.bounds, strict=True)
    ]
    for was, now in zip(
        chains_of(system, planned, one), chains_of(moved, made, other), strict=True
    ):
        pairs.append((f'the reaction time of "{was.chain.name}"', was.reaction, now.reaction))
        pairs.append((f'the data age of "{was.chain.name}"', was.age, now.age))
    for what, least, most in pairs:
        if least is not None and (most is None or most > least):
            grown = "has no bound then" if most is None else f"grows to {ms_text(most)} ms"
            return f"{what}, {ms_text(least)} ms, {grown}"
    return None


def offsets_to_data(found: Offsets) -> dict[str, Any]:
    """For --json. Offsets are nanoseconds, and exact fractions of a second."""

    def figures(one: OffsetFigures) -> dict[str, Any]:
        return {
            "releases_at_one_instant": one.together,
            "longest_handler": one.longest_handler,
            "kernel_per_second": float(one.kernel_per_second),
            "interrupts_per_second": float(one.interrupts_per_second),
        }

    return {
        "chosen": [
            {"name": name, "offset_ns": float(offset * 10**9), "offset_exact": str(offset)}
            for name, offset in found.chosen
        ],
        "before": figures(found.before),
        "after": figures(found.after),
        "refused": list(found.refused),
        "cut": found.cut,
    }
