# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Task sets that fit no grid: the families, and the systems drawn from them.

Draws are by planner/families.py's Draw, so that a case is the same with every Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from horolog.data import data_root
from horolog.model import Kind, System, Task
from horolog.read import read_system
from horolog_experiments.planner.families import Draw, smooth_numbers

__all__ = ["FAMILIES", "Case", "cases", "example_task", "system_of"]

_MS, _US, _NS = (Fraction(1, 10**power) for power in (3, 6, 9))
_AWKWARD = (7, 13, 17, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 333, 666)
_STUB_NS = 16 * 32  # what a body executes beside its turns, at most
_MOST_TASKS = 200
_OCTAVES = 8  # 200 is a little less than 2^8
_WINDOW = Fraction(1)


@dataclass(frozen=True, slots=True)
class Case:
    """One system. `offsets`: "none", "one" (the same for all) or "random". `load`: in percent."""

    number: int
    family: str
    n: int
    cells: int
    offsets: str
    load: int

    def __str__(self) -> str:
        return f"{self.number}: {self.family}, {self.n} tasks, {self.cells} cells, offsets {self.offsets}"


def _primes(low: int, high: int) -> list[int]:
    return [p for p in range(max(low, 2), high) if all(p % d for d in range(2, int(p**0.5) + 1))]


_PRIMES_MS, _PRIMES_US = _primes(2, 200), _primes(2_000, 20_000)
_RATES_MS = (1, 2, 5, 10, 20, 50, 100, 200)


def _prime_periods(draw: Draw, n: int) -> list[Fraction]:
    if draw.below(2):
        return [draw.one_of(_PRIMES_US) * _US for _ in range(n)]
    return [draw.one_of(_PRIMES_MS) * _MS for _ in range(n)]


def _parts_of_ms(draw: Draw, n: int) -> list[Fraction]:
    parts = draw.one_of((3, 7))
    return [Fraction(draw.within(parts, 100 * parts), parts) * _MS for _ in range(n)]


def _intruded(draw: Draw, n: int) -> list[Fraction]:
    rates = [Fraction(draw.one_of(_RATES_MS)) * _MS for _ in range(n)]
    rates[draw.below(n)] = draw.one_of(_AWKWARD) * _MS
    return rates


def _fast_loop(draw: Draw, n: int) -> list[Fraction]:
    loop = Fraction(1, draw.within(4, 20) * 1000)
    return [loop, *(draw.one_of(_AWKWARD) * _MS for _ in range(n - 1))]


def _planted(draw: Draw, n: int) -> list[Fraction]:
    hidden = [draw.within(1_000, 10_000) for _ in range(4)]
    return [draw.one_of(hidden) * draw.within(1, 20) * _US for _ in range(n)]


_SMOOTH = smooth_numbers((2, 3, 5, 7), 2_000, 200_000)

FAMILIES: Mapping[str, tuple[str, Callable[[Draw, int], list[Fraction]]]] = MappingProxyType(
    {
        "primes": ("primes from 2 to 200 ms, or from 2,000 to 20,000 us", _prime_periods),
        "awkward": (
            "59, 61, 333 ms and their like",
            lambda draw, n: [draw.one_of(_AWKWARD) * _MS for _ in range(n)],
        ),
        "steps-2.5us": (
            "multiples of 2.5 us, from 2 to 100 ms",
            lambda draw, n: [draw.within(800, 40_000) * Fraction(5, 2) * _US for _ in range(n)],
        ),
        "parts": ("thirds or sevenths of a millisecond, from 1 to 100 ms", _parts_of_ms),
        "intruder": ("rate groups of 1 to 200 ms, and one awkward period", _intruded),
        "fast-loop": ("a loop of 4 to 20 kHz, all else slow and awkward", _fast_loop),
        "planted": ("1 to 20 times one of four hidden periods of 1 to 10 ms, in us", _planted),
        "smooth": (
            "2 to 200 ms, numbers of us with no prime above 7",
            lambda draw, n: [draw.one_of(_SMOOTH) * _US for _ in range(n)],
        ),
    }
)
"""What each family is, and the function that draws n periods, in seconds."""


def cases(count: int, seed: int = 0) -> list[Case]:
    """The first `count` cases of `seed`, family by family in turn."""
    names = list(FAMILIES)
    found = []
    for number in range(count):
        draw = Draw(f"irregular {seed} {number}")
        high = 1 << draw.within(1, _OCTAVES)
        found.append(
            Case(
                number=number,
                family=names[number % len(names)],
                n=min(draw.within(high // 2, high - 1), _MOST_TASKS),
                cells=draw.within(1, 4),
                offsets=draw.one_of(("none", "one", "random")),
                load=draw.within(20, 70),
            )
        )
    return found


def system_of(case: Case, kind: Kind, seed: int = 0) -> System:
    """The system of `case` on mps2-an385, all tasks of `kind`.

    The load is divided at random; a task whose share is less than the smallest body gets that.
    """
    example = read_system(data_root() / "examples" / "chronos" / "system.toml")
    draw = Draw(f"irregular {seed} {case.number} {case.family}")
    periods = FAMILIES[case.family][1](draw, case.n)
    together = draw.below(10**6) * _NS
    weights = [draw.within(1, 1000) for _ in periods]
    share = Fraction(case.load, 100) / sum(weights)
    tasks = []
    for index, (period, weight) in enumerate(zip(periods, weights, strict=True)):
        work = _work(share * weight * period, example.board.work_ns)
        one = example_task(example, f"task.{index}", period, work=work)
        offset = _offset(draw, case.offsets, period, together)
        tasks.append(replace(one, offset=offset, kind=kind))
    return replace(
        example,
        name=f"irregular-{case.number}",
        cells=example.cells[: case.cells],
        tasks=tuple(tasks),
        duration=_WINDOW,
    )


def example_task(example: System, name: str, period: Fraction, *, work: int) -> Task:
    """A task like those of `example`, with a body of so many turns, and without an offset."""
    return replace(
        example.tasks[0],
        name=name,
        period=period,
        deadline=period,
        offset=Fraction(0),
        work=work,
        wcet=(work * example.board.work_ns + _STUB_NS) * _NS,
    )


def _offset(draw: Draw, offsets: str, period: Fraction, together: Fraction) -> Fraction:
    if offsets == "random":
        return draw.below(int(period / _NS)) * _NS
    return together % period if offsets == "one" else Fraction(0)


def _work(seconds: Fraction, turn_ns: Fraction) -> int:
    """The turns of a body that takes so long; at least 1."""
    return max(1, int((seconds / _NS - _STUB_NS) / turn_ns))
