# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random sets of tasks divided among cores: by four ways of packing, and by the plan (`core = "auto"`).

Each set takes 70 % of four cores. All use one analysis: a core is proved if the deadlines hold with one of
the plans of MECHANISMS, the kernel's own work counted in. A packing admits a task to a core only if that
core is proved with it. Draws are by `families.Draw`, so that they are the same with every Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.divide import Effort, divide, plain_part
from horolog.model import (
    Board,
    HorologError,
    Kind,
    Overrun,
    Place,
    PriorityRule,
    System,
    Task,
)
from horolog.plan import plan, read_prices
from horolog.read import read_board
from horolog.read.distributions import AUTOMOTIVE_SHARES
from horolog.responses import analysis_of
from horolog_experiments.planner.families import Draw

__all__ = [
    "CORES",
    "FITS",
    "SETS",
    "DividedSet",
    "divided_set",
    "divided_sets",
    "packed",
    "share_proved",
    "system_of",
]

SETS = 500
CORES = 4
UTILISATION = Fraction(7, 10)  # of all cores
FITS = ("first", "best", "worst", "next")
MECHANISMS = ("chronos-harmonic", "chronos", "one-shot", "gcd")
_SIZES = (8, 10, 12, 16, 20)
_DEADLINES = ((1, 1), (3, 4), (1, 2))  # the shortest deadlines, as parts of periods
_LITTLE = Effort(first=0.2, next=0.05, rounds=2, packing=0, moving=0, finalists=1)
"""What is left out makes divisions cheaper, and proves none that is not proved."""


@dataclass(frozen=True, slots=True)
class DividedSet:
    """A set, and who proves a division of it: each of FITS, and the plan."""

    number: int
    tasks: int
    family: str
    fits: tuple[bool, ...]
    auto: bool
    price: Fraction | None  # of the plan's division, cycles a second
    bound: Fraction | None  # no division costs less


def system_of(number: int, board: Board) -> tuple[System, str]:
    """The set of that number, and the family of its periods."""
    draw = Draw(f"divided {number}")
    family = draw.one_of(("automotive", "harmonic", "milliseconds"))
    count = draw.one_of(_SIZES)
    numerator, denominator = draw.one_of(_DEADLINES)
    shares = _shares(draw, count)
    tasks = []
    for at in range(count):
        period = Fraction(_period(draw, family), 1000)
        wcet = Fraction(max(1, int(period * shares[at] * 10**6)), 10**6)
        least = max(wcet, period * numerator / denominator)
        steps = Fraction(draw.below(1001), 1000)
        deadline = Fraction(int((least + (period - least) * steps) * 10**6), 10**6)
        tasks.append(_task(f"t{at}", period, deadline, wcet, at + 1))
    return System(
        name=f"divided{number}",
        path=Path("system.toml"),
        board=board,
        cells=tuple(cell.name for cell in board.cells),
        duration=Fraction(1),
        priorities=PriorityRule.DEADLINE_MONOTONIC,
        sources=(),
        tasks=tuple(tasks),
    ), family


def _shares(draw: Draw, count: int) -> list[Fraction]:
    """Utilisations of at most 9/10 each that sum up to UTILISATION of all cores; drawn until that holds."""
    while True:
        weights = [1 + draw.below(1000) for _ in range(count)]
        shares = [UTILISATION * CORES * one / sum(weights) for one in weights]
        if max(shares) <= Fraction(9, 10):
            return shares


def _period(draw: Draw, family: str) -> int:
    """In milliseconds."""
    if family == "automotive":
        pool = [period for period, share in AUTOMOTIVE_SHARES.items() for _ in range(share)]
        return draw.one_of(pool)
    if family == "harmonic":
        return draw.one_of((3, 5, 7)) << draw.below(6)
    return draw.within(5, 500)


def _task(name: str, period: Fraction, deadline: Fraction, wcet: Fraction, line: int) -> Task:
    return Task(
        name=name,
        period=period,
        offset=Fraction(0),
        deadline=deadline,
        wcet=wcet,
        body="body",
        work=None,
        stack=512,
        overrun=Overrun.SKIP,
        kind=Kind.THREAD,
        priority=None,
        place=Place("system.toml", line),
    )


class _Proofs:
    """The analysis that all ways have, of parts of one system."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._prices = read_prices(system.board)
        self._known: dict[frozenset[int], bool] = {frozenset(): True}

    def __call__(self, tasks: frozenset[int]) -> bool:
        """Whether a core with these tasks is proved; all cores are alike."""
        if tasks not in self._known:
            part = plain_part(self._system, CORES, tuple(sorted(tasks)), 0)
            self._known[tasks] = part.utilisation <= 1 and any(
                self._holds_with(part, name) for name in MECHANISMS
            )
        return self._known[tasks]

    def _holds_with(self, part: System, name: str) -> bool:
        """Whether a part is proved with the plan of a mechanism."""
        try:
            of = plan(part, mechanism=name, prices=self._prices, alone=True).choice
        except HorologError:
            return False
        return analysis_of(part, of, self._prices).holds


def packed(shares: Sequence[Fraction], fit: str, proved: Callable[[frozenset[int]], bool]) -> bool:
    """Whether a way of packing, one of FITS, by decreasing utilisation divides the tasks among CORES."""
    parts: list[frozenset[int]] = [frozenset()] * CORES
    current = 0
    for task in sorted(range(len(shares)), key=lambda at: (-shares[at], at)):
        load = [sum((shares[at] for at in part), Fraction(0)) for part in parts]
        order = list(range(CORES))
        if fit == "best":
            order.sort(key=lambda core: -load[core])
        elif fit == "worst":
            order.sort(key=lambda core: load[core])
        elif fit == "next":
            order = order[current:]
        for core in order:
            if proved(parts[core] | {task}):
                break
        else:
            return False
        parts[core] |= {task}
        current = core
    return True


def divided_set(number: int, board: Board) -> DividedSet:
    """The set of that number, divided in each way. What the plan divides is proved once more."""
    system, family = system_of(number, board)
    proved = _Proofs(system)
    shares = [(task.wcet or 0) * task.rate for task in system.tasks]
    fits = tuple(packed(shares, fit, proved) for fit in FITS)
    try:
        found = divide(system, CORES, effort=_LITTLE)
    except HorologError:
        return DividedSet(
            number, len(system.tasks), family, fits, auto=False, price=None, bound=None
        )
    parts = [
        frozenset(at for at, own in enumerate(found.cores) if own == core) for core in range(CORES)
    ]
    return DividedSet(
        number,
        len(system.tasks),
        family,
        fits,
        auto=all(proved(part) for part in parts),
        price=found.price.limit_denominator(1000),
        bound=None if found.bound is None else found.bound.limit_denominator(1000),
    )


def divided_sets(
    numbers: Iterable[int] = range(SETS),
    board: str = "ibex-cells",
    say: Callable[[str], None] = lambda text: None,
) -> tuple[DividedSet, ...]:
    """The sets of these numbers, divided on a board's cells."""
    target = read_board(board)
    target = replace(target, cores=1) if target.cores > 1 else target
    found: list[DividedSet] = []
    for number in numbers:
        if number % 20 == 0 or not found:
            say(f"set {number}")
        found.append(divided_set(number, target))
    return tuple(found)


def share_proved(found: Iterable[DividedSet]) -> tuple[Fraction, int, int]:
    """Of the sets that one or more of FITS prove, the share that the plan proves, in percent; how many these
    are; and how many only the plan proves.
    """
    found = tuple(found)
    packed_ones = [one for one in found if any(one.fits)]
    both = sum(one.auto for one in packed_ones)
    alone = sum(one.auto and not any(one.fits) for one in found)
    share = Fraction(100 * both, len(packed_ones)) if packed_ones else Fraction(0)
    return share, len(packed_ones), alone
