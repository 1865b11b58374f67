# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Looks for the division of least overhead of which every core is proved.

1. Of a few items all divisions are compared (exhaustive.py).
2. Else CP-SAT gives divisions of least bound (relaxed.py), one after the other. What a division fails by
   is kept from being on one core again.
3. First-, best-, worst- and next-fit with a proof as admission (packing.py). So what one of these
   proves is proved here, too. Where something is proved already and the items are many, they are left out.
4. Items move, and two change places, as long as that makes the division cheaper; or, as long as none is
   proved, brings it nearer to a proof.
5. The cheapest few are judged exactly, and the best of them is taken.

What is tried is limited by counts, not by time, so the outcome is the same on every machine; a limit in
seconds may cut it short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from horolog.divide.exhaustive import cheapest, nearest
from horolog.divide.packing import FITS, by_share_alone, packed
from horolog.divide.problem import Division, Judged, Part, Problem, parts_of
from horolog.divide.relaxed import Relaxed, in_order, relaxed

__all__ = ["ALL_COMPARED", "Effort", "Found", "search"]

ALL_COMPARED = "all divisions were compared"
"""How a division was found if none of all is better."""


_MOST_SWAPPED = 60


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried."""

    exhaustive: int = 5  # items, of which all divisions are compared
    first: float = 1.0  # of CP-SAT's deterministic time, for the bound
    next: float = 0.1  # for each further division
    rounds: int = 5
    packing: int = 500  # a packing that judges more tasks in parts is left out if it is not needed
    moving: int = 1_000  # for moves
    repairing: int = 1_500  # for moves as long as nothing is proved
    finalists: int = 2


@dataclass(frozen=True, slots=True)
class Found:
    """The division that was found. No division that is proved costs less than `bound`."""

    division: Division
    price: Fraction | None  # None: not all cores are proved; the division is the nearest to it
    bound: Fraction
    how: str
    compared: int = 0  # divisions of which each core is proved
    packed: dict[str, bool] = field(default_factory=dict)  # by FITS, whether it proves a division


@dataclass
class _Search:
    problem: Problem
    effort: Effort
    over: Callable[[], bool]
    left: Callable[[], float | None]
    quick: Judged
    exact: Judged
    proved: dict[Division, tuple[Fraction, str]] = field(default_factory=dict)
    nearest: tuple[tuple[Fraction, int], Division] | None = None
    packed: dict[str, bool] = field(default_factory=dict)
    bounds: dict[Part, Fraction] = field(default_factory=dict)

    def consider(self, division: Division, how: str) -> bool:
        """Keep a division, if it is proved; else the one that is nearest to that. Returns whether it is."""
        if division in self.proved:
            return True
        price = self.quick.price(division)
        if price is not None:
            self.proved[division] = price, how
            return True
        key = self.farness(division)
        if self.nearest is None or key < self.nearest[0]:
            self.nearest = key, division
        return False

    def farness(self, division: Division) -> tuple[Fraction, int]:
        """How far all cores together are from a proof, and how many have none."""
        failing = [one.excess for one in self.quick.of(division) if not one.proved]
        return sum(failing, Fraction(0)), len(failing)

    @property
    def best(self) -> tuple[Fraction, Division] | None:
        """The cheapest that is proved; among equals the first."""
        if not self.proved:
            return None
        division = min(self.proved, key=lambda one: self.proved[one][0])
        return self.proved[division][0], division

    def by_bounds(self) -> Relaxed:
        """Divisions by CP-SAT. Returns the first, with the bound of all."""
        first = one = relaxed(self.problem, self.effort.first, seconds=self.left())
        apart: list[Part] = []
        known: list[Division] = []
        for _ in range(self.effort.rounds):
            if one.division is None:
                break
            if not self.consider(one.division, "CP-SAT"):
                parts = parts_of(one.division, len(self.problem.kinds))
                failing = [
                    part for core, part in enumerate(parts) if not self.quick(part, core).proved
                ]
                apart += failing
            known.append(one.division)
            if self.over():
                break
            one = relaxed(
                self.problem,
                self.effort.next,
                apart=apart,
                except_for=known,
                seconds=self.left(),
            )
        return first

    def balanced(self) -> None:
        """Divisions with even loads."""
        by_share = by_share_alone(self.problem)
        if by_share is not None:
            self.consider(by_share, "worst-fit by the shares")
        if not self.proved:
            one = relaxed(
                self.problem, self.effort.next, balanced=True, hint=by_share, seconds=self.left()
            )
            if one.division is not None:
                self.consider(one.division, "the most even loads")

    def packings(self) -> None:
        """The four ways of packing: of n tasks, about n / 2 / cores are in each part that is judged."""
        size = sum(item.size for item in self.problem.items)
        dear = size**2 / (2 * len(self.problem.kinds)) > self.effort.packing
        for fit in FITS:
            if self.proved and (dear or self.over()):
                return
            division = packed(self.problem, fit, lambda part, core: self.quick(part, core).proved)
            self.packed[fit] = division is not None
            if division is not None:
                self.consider(division, f"{fit}-fit")

    def cheaper(self) -> None:
        """Moves from the best division on, as long as they make it cheaper."""
        limit = self.quick.effort + self.effort.moving
        while self.best is not None:
            price, division = self.best
            better = self._first_cheaper(division, price, limit)
            if better is None:
                return
            self.proved[better[1]] = better[0], "moves"

    def _first_cheaper(
        self, division: Division, price: Fraction, limit: int
    ) -> tuple[Fraction, Division] | None:
        bounds = {division: self._bound(division)}
        for one in _neighbours(self.problem, division):
            bounds[one] = self._bound(one)
        for one in sorted(bounds, key=lambda one: (bounds[one], one)):
            if one == division:
                continue
            if self.quick.effort >= limit or self.over():
                return None
            found = self.quick.price(one)
            if found is not None and found < price:
                return found, one
        return None

    def _bound(self, division: Division) -> Fraction:
        total = Fraction(0)
        for part in parts_of(division, len(self.problem.kinds)):
            if part not in self.bounds:
                self.bounds[part] = self.problem.bound(part)
            total += self.bounds[part]
        return total

    def repair(self) -> None:
        """Moves from the division that is nearest to a proof, as long as they bring it nearer."""
        limit = self.quick.effort + self.effort.repairing
        while self.nearest is not None and not self.proved:
            before, division = self.nearest
            for one in _neighbours(self.problem, division):
                if self.quick.effort >= limit or self.over():
                    return
                if self.consider(one, "moves") or self.nearest[0] < before:
                    break
            else:
                return

    def finals(self) -> tuple[Fraction, Division, str] | None:
        """The best by exact prices of the cheapest few."""
        found = None
        ranked = sorted(self.proved, key=lambda one: self.proved[one][0])
        for number, division in enumerate(ranked, 1):
            price = self.exact.price(division)
            if price is not None and (found is None or price < found[0]):
                found = price, division, self.proved[division][1]
            if found is not None and (number >= self.effort.finalists or self.over()):
                break
        return found


def search(
    problem: Problem,
    effort: Effort | None = None,
    over: Callable[[], bool] = lambda: False,
    left: Callable[[], float | None] = lambda: None,
) -> Found:
    """The best division that is found until `over` says that it is time to end, in `left` seconds."""
    exact = Judged(problem, problem.judge)
    quick = exact if problem.screen is None else Judged(problem, problem.screen)
    run = _Search(problem, effort or Effort(), over, left, quick, exact)
    if len(problem.items) <= run.effort.exhaustive:
        best = cheapest(problem, exact)
        if best is not None:
            return Found(best[1], best[0], best[0], ALL_COMPARED)
        division = nearest(problem, exact) or _nearest(run)
        return Found(division, None, Fraction(0), ALL_COMPARED)
    first = run.by_bounds()
    run.balanced()
    run.packings()
    if not run.proved:
        run.repair()
    run.cheaper()
    final = run.finals()
    bound = first.bound if first.bound is not None else Fraction(0)
    if final is None:
        return Found(_nearest(run), None, bound, "", 0, run.packed)
    price, division, how = final
    return Found(division, price, bound, how, len(run.proved), run.packed)


def _nearest(run: _Search) -> Division:
    """The division that is nearest to a proof; if there was none to consider, one by the shares."""
    if run.nearest is not None:
        return run.nearest[1]
    load = [Fraction(0)] * len(run.problem.kinds)
    found = [0] * len(run.problem.items)
    items = run.problem.items
    for at in sorted(range(len(items)), key=lambda at: (-items[at].share, at)):
        core = min(sorted(items[at].cores), key=lambda core: load[core])
        load[core] += items[at].share
        found[at] = core
    return tuple(found)


def _neighbours(problem: Problem, division: Division) -> Iterator[Division]:
    """One item on another core; then, if they are few, two items in each other's place."""
    count = len(division)
    seen: set[Division] = set()

    def new(one: Division) -> bool:
        key = in_order(problem, one)
        if key in seen or not problem.allows(one):
            return False
        seen.add(key)
        return True

    for at in range(count):
        for core in sorted(problem.items[at].cores):
            if core != division[at]:
                one = (*division[:at], core, *division[at + 1 :])
                if new(one):
                    yield one
    for at in range(count if count <= _MOST_SWAPPED else 0):
        for other in range(at + 1, count):
            if division[at] != division[other]:
                swapped = list(division)
                swapped[at], swapped[other] = division[other], division[at]
                one = tuple(swapped)
                if new(one):
                    yield one
