# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems that fit no grid, as real descriptions are: awkward periods, offsets to the nanosecond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from tests.system.support import BOARD, made_system, task

from horolog.model import Kind, Overrun, System, Task

__all__ = ["untidy_system"]

_PRIMES_MS = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)
_AWKWARD_US = (3_750, 59_000, 61_000, 33_300, 2_500, 16_667, 8_333, 12_345)


def _period(random: Random, family: str) -> Fraction:
    """In seconds."""
    if family == "primes":
        return Fraction(random.choice(_PRIMES_MS), 1000)
    if family == "awkward":
        return Fraction(random.choice(_AWKWARD_US), 10**6)
    if family == "steps":  # of 2.5 us
        return Fraction(random.randint(800, 20_000) * 5, 2 * 10**6)
    return Fraction(random.randint(4, 200), random.choice((3, 7)) * 1000)  # thirds and sevenths


def _offset(random: Random, kind: str, one: Fraction) -> Fraction:
    if kind == "none":
        return Fraction(0)
    return one if kind == "one" else Fraction(random.randint(0, 20_000_000), 10**9)


def untidy_system(
    seed: int,
    *,
    board: str = BOARD,
    cells: Sequence[str] | None = None,
    most: int = 54,
    duration: Fraction = Fraction(1, 10),
    overrun: Overrun = Overrun.SKIP,
) -> System:
    """3 to `most` basic tasks, which take a fifth of the time at most."""
    random = Random(seed)
    many = random.randint(3, most)
    families = ("primes", "awkward", "steps", "parts")
    family, offsets = random.choice((*families, "all")), random.choice(("none", "one", "any"))
    common = Fraction(random.randint(0, 9_999_999), 10**9)
    rows: list[Task] = []
    for number in range(many):
        period = _period(random, random.choice(families) if family == "all" else family)
        turns = int(period / many / 5 / Fraction(64, 10**9))
        made = task(
            f"t{number}",
            period,
            offset=_offset(random, offsets, common),
            work=random.randint(2, max(2, min(200, turns))),
            overrun=overrun,
        )
        rows.append(replace(made, kind=Kind.BASIC))
    return made_system(rows, board=board, cells=cells, duration=duration, name=f"untidy{seed}")
