# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Shorter periods, where the user allows them, at which tasks share instants or a cell's period."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm

from horolog.model import System, Task

__all__ = ["shortened", "with_periods"]

_ROUNDS = 4
_MOST_OTHERS = 24
_MOST_GRIDS = 16


def shortened(system: System) -> tuple[System, ...]:
    """`system` with its periods shortened in some ways that may be worth it; none where none may be.

    Which of them is, a plan says. Each is within the bounds and has a utilisation below 1.
    """
    if not any(task.least_period is not None for task in system.tasks):
        return ()
    ways = (_onto_others(system.tasks), _onto_grid(system.tasks))
    found: list[System] = []
    for periods in ways:
        one = with_periods(system, periods)
        if one != system and one not in found and one.utilisation < 1:
            found.append(one)
    return tuple(found)


def with_periods(system: System, periods: Sequence[Fraction]) -> System:
    """`system` with those periods; deadlines that were the periods are the new ones."""
    return replace(
        system,
        tasks=tuple(
            replace(
                task,
                period=period,
                deadline=period if task.deadline == task.period else task.deadline,
            )
            for task, period in zip(system.tasks, periods, strict=True)
        ),
    )


def _onto_others(tasks: Sequence[Task]) -> list[Fraction]:
    """Periods at which the fewest of the releases are at instants of their own, if offsets allow.

    Tasks with the same bounds together, one such group after the other, the shortest period first, until none
    changes; of equal periods the longest.
    """
    periods = [task.period for task in tasks]
    groups: dict[tuple[Fraction, Fraction], list[int]] = defaultdict(list)
    for index in _movable(tasks):
        shortest, longest = _bounds(tasks[index])
        groups[longest, shortest].append(index)
    for _ in range(_ROUNDS):
        before = list(periods)
        for (longest, shortest), group in sorted(groups.items()):
            apart = {period for at, period in enumerate(periods) if at not in group}
            best = _least_alone(shortest, longest, sorted(apart)[:_MOST_OTHERS])
            for index in group:
                periods[index] = best
        if periods == before:
            break
    return periods


def _least_alone(shortest: Fraction, longest: Fraction, others: Sequence[Fraction]) -> Fraction:

    def alone(period: Fraction) -> Fraction:
        """The releases a second that are at none of the others' instants, at least."""
        shared = sum((1 / _multiple(period, other) for other in others), Fraction(0))
        return max(Fraction(0), 1 / period - shared)

    steps = {step for other in others for step in _in_step(other, shortest, longest)}
    return min(sorted(steps | {longest}), key=lambda period: (alone(period), -period))


def _in_step(other: Fraction, shortest: Fraction, longest: Fraction) -> Iterable[Fraction]:
    """The longest period within bounds that is a multiple of `other`, or that divides it."""
    many = floor(longest / other)
    if many and many * other >= shortest:
        yield many * other
    parts = ceil(other / longest)
    if other / parts >= shortest:
        yield other / parts


def _onto_grid(tasks: Sequence[Task]) -> list[Fraction]:
    """Periods that are multiples of the longest grid that all of them can be multiples of.

    A grid divides the periods that are fixed; where none is, it is a period that may be shortened, or
    a part of one.
    """
    movable = _movable(tasks)
    fixed = [task.period for task in tasks if task.least_period is None]
    first = _divisor(fixed) if fixed else min(task.period for task in tasks)
    for part in range(1, _MOST_GRIDS + 1):
        grid = first / part
        rounded = {index: floor(tasks[index].period / grid) * grid for index in movable}
        if all(rounded[index] >= _bounds(tasks[index])[0] for index in movable):
            return [rounded.get(index, task.period) for index, task in enumerate(tasks)]
    return [task.period for task in tasks]


def _movable(tasks: Sequence[Task]) -> list[int]:
    return [index for index, task in enumerate(tasks) if task.least_period is not None]


def _bounds(task: Task) -> tuple[Fraction, Fraction]:
    assert task.least_period is not None
    return task.least_period, task.period


def _divisor(periods: Sequence[Fraction]) -> Fraction:
    unit = lcm(*(period.denominator for period in periods))
    return Fraction(gcd(*(int(period * unit) for period in periods)), unit)


def _multiple(one: Fraction, other: Fraction) -> Fraction:
    return one * other / _divisor((one, other))
