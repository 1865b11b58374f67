# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The families of task sets that the planner is measured on; periods are whole numbers of a unit.

Draws are by `random.Random(text)` and `getrandbits` alone, so that they are the same with every Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from types import MappingProxyType
from typing import TypeVar

from horolog.analyse import Stream
from horolog.plan import Problem
from horolog.plan.mapping.grouping import frame
from horolog.read.distributions import AUTOMOTIVE_SHARES

__all__ = ["FAMILIES", "Draw", "Tasks", "drawn", "problem_of", "smooth_numbers"]

Tasks = list[tuple[int, int]]
"""Period and offset of each task."""

_Item = TypeVar("_Item")
_OCTAVES = 10  # 2^10 is about a thousand: 1 ms to 1 s
_SMOOTH_LOW, _SMOOTH_HIGH = 500_000, 2_000_000


class Draw:
    """Random numbers that depend on `text` alone."""

    def __init__(self, text: str) -> None:
        self._random = random.Random(text)

    def below(self, count: int) -> int:
        """One of 0 to count - 1, each as likely."""
        bits = (count - 1).bit_length()
        while (value := self._random.getrandbits(bits) if bits else 0) >= count:
            pass
        return value

    def within(self, low: int, high: int) -> int:
        """One of `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """One of `items`, each as likely."""
        return items[self.below(len(items))]


def _power(k: int) -> int:
    """2^40 * 2^(k / 64), rounded down: by integer roots, so that no float decides."""
    value = 1 << (40 * 64 + k)
    for _ in range(6):
        value = isqrt(value)
    return value


_POWERS = tuple(_power(k) for k in range(64 * _OCTAVES + 1))


def _log_uniform(draw: Draw, low: int) -> int:
    """From `low` up to 1024 times that; within a 64th of an octave, uniform."""
    k = draw.below(len(_POWERS) - 1)
    first, last = (low * _POWERS[at] >> 40 for at in (k, k + 1))
    return draw.within(first, max(first, last - 1))


def smooth_numbers(primes: tuple[int, ...], low: int, high: int) -> list[int]:
    """The numbers from `low` to `high` that are products of `primes`, ascending."""
    found = [1]
    for prime in primes:
        more = []
        for value in found:
            while value <= high:
                more.append(value)
                value *= prime
        found = more
    return sorted(value for value in found if value >= low)


def _paper(factors: tuple[int, ...]) -> Callable[[Draw, int, int], list[int]]:
    return lambda draw, n, m: [draw.one_of((3, 5, 7, 11)) * draw.one_of(factors) for _ in range(n)]


def _automotive(draw: Draw, n: int, m: int) -> list[int]:
    pool = [period for period, share in AUTOMOTIVE_SHARES.items() for _ in range(share)]
    return [draw.one_of(pool) for _ in range(n)]


def _planted(draw: Draw, n: int, m: int) -> list[int]:
    """Multiples of m hidden periods."""
    hidden = [draw.within(1_000, 20_000) for _ in range(m)]
    return [draw.one_of(hidden) * draw.within(2, 50) for _ in range(n)]


def _smooth(primes: tuple[int, ...]) -> Callable[[Draw, int, int], list[int]]:
    def draws(draw: Draw, n: int, m: int) -> list[int]:
        pool = smooth_numbers(primes, _SMOOTH_LOW, _SMOOTH_HIGH)
        return [pool.pop(draw.below(len(pool))) for _ in range(min(n, len(pool)))]

    return draws


FAMILIES: Mapping[str, tuple[str, Callable[[Draw, int, int], list[int]]]] = MappingProxyType(
    {
        "chronos": ("3, 5, 7 or 11 ms times 1 to 10 (the paper's)", _paper(tuple(range(1, 11)))),
        "chronos-15": ("the same, factors up to 15", _paper(tuple(range(1, 16)))),
        "chronos-harmonic": ("the same, factors 1, 2, 4, 8, 16", _paper((1, 2, 4, 8, 16))),
        "automotive": ("Kramer et al.: 1 to 1,000 ms, drawn by share", _automotive),
        "uniform-ms": (
            "1 to 1,000 ms in steps of 1 ms",
            lambda draw, n, m: [draw.within(1, 1000) for _ in range(n)],
        ),
        "uniform-us": (
            "1 ms to 1 s in steps of 1 us",
            lambda draw, n, m: [draw.within(1000, 1_000_000) for _ in range(n)],
        ),
        "log-uniform-ms": (
            "10 ms to 10 s, rounded to 1 ms",
            lambda draw, n, m: [_log_uniform(draw, 10) for _ in range(n)],
        ),
        "log-uniform-us": (
            "1 ms to 1 s, rounded to 1 us",
            lambda draw, n, m: [_log_uniform(draw, 1000) for _ in range(n)],
        ),
        "planted": ("2 to 50 times one of m hidden periods of 1 to 20 ms, in us", _planted),
        "smooth-5": ("0.5 to 2 million, primes up to 5", _smooth((2, 3, 5))),
        "smooth-7": ("0.5 to 2 million, primes up to 7", _smooth((2, 3, 5, 7))),
        "smooth-13": ("0.5 to 2 million, primes up to 13", _smooth((2, 3, 5, 7, 11, 13))),
    }
)
"""What each family is, and the function that draws n periods for m cells."""


def drawn(family: str, n: int, m: int, seed: int, offsets: bool) -> Tasks:
    """N tasks, with offsets below their periods or without."""
    draw = Draw(f"{family} {n} {m} {seed}")
    periods = FAMILIES[family][1](draw, n, m)
    return [(period, draw.below(period) if offsets else 0) for period in periods]


def problem_of(tasks: Tasks, m: int) -> Problem:
    """The mapping of `tasks` to `m` cells that can time any whole number of units."""
    streams = [
        Stream(Fraction(period), Fraction(offset), ()) for period, offset in sorted(set(tasks))
    ]
    return frame(streams, 1, m, 1)
