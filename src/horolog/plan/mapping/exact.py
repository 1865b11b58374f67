# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The groups with the smallest sum of 1 / P: CHRONOS, section VI, with offsets, solved exactly.

A weighted set cover (docs/adr/0010-exact-mapping.md): rows are the streams that lie on no other's
instants, candidates are residue classes. Rows are taken in as they are needed: what covers
some of them costs no more than what covers all, so a cover of some rows that turns out to cover all of
them is optimal, and if none is cheaper than a known one, that is optimal. Often a few rows of a
thousand decide.

The limits below are in work, not in seconds, so that an answer is the same on every machine. They are
chosen so that any problem is answered within half a minute on a present-day one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.cp_sat import INSTALL_ORTOOLS, ortools_installed
from horolog.model import SearchEnd
from horolog.plan.instants.density import union_density
from horolog.plan.instants.residue_classes import (
    Candidates,
    Residues,
    TooMany,
    candidates,
    holds,
    join,
)
from horolog.plan.limit import Limit
from horolog.plan.mapping.grouping import NoGroups, Outcome, Problem, merge_cheapest
from horolog.plan.mapping.neighbourhoods import improved
from horolog.plan.mapping.search import Search
from horolog.plan.mapping.solver import ConstraintSearch

__all__ = ["SHARE", "Effort", "optimal", "solve"]

SHARE = 0.35
"""Of a limit's seconds: the division of the tasks among cells may take so many, mixtures have the others."""

_MOST_MERGED = 1_250  # rows: if nothing is found until the limit, pairs of so many are merged
_MOST_TERMS = 4_000  # of the density that is a bound, where there is none better


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work an answer may take before it comes with a gap."""

    rows: int = 128  # up to so many are taken in at once, and of more this many at first
    classes: int = 6_000  # candidates; with more, fewer rows are taken in
    first: int = 60_000  # branch and bound: steps of the bound times candidates
    improve: int = 2_000_000  # candidates tried to improve what that found
    second: int = 400_000  # branch and bound once more, below what that found
    solver: float = 24.0  # CP-SAT's deterministic time, about seconds, in all
    rounds: int = 24


def optimal(problem: Problem) -> Outcome | NoGroups:
    """`solve` with the usual effort and without a limit."""
    return solve(problem)


def solve(
    problem: Problem, effort: Effort | None = None, limit: Limit | None = None
) -> Outcome | NoGroups:
    """The best allowed groups, or those found within `effort` and a bound; else why there are none.

    It may take SHARE of the `limit`.
    """
    return _Solving(problem, effort or Effort(), limit or Limit()).outcome()


class _Solving:
    def __init__(self, problem: Problem, effort: Effort, limit: Limit) -> None:
        self.problem = problem
        self.effort = effort
        self.limit = limit
        self.heads = [group[0] for group in problem.joined]
        self.rows: list[Residues] = [
            (problem.periods[at], problem.offsets[at] % problem.periods[at]) for at in self.heads
        ]
        # No cover costs this much, and none at all if none costs less.
        self.under = Fraction(problem.most, max(1, problem.shortest, problem.grain)) + 1
        self.best: list[Residues] | None = None
        self.bound = Fraction(0)
        self.how: list[str] = []
        self.taken: list[Residues] = []
        self.solver_left = effort.solver
        self.settled = False  # there is nothing cheaper than `under`

    def outcome(self) -> Outcome | NoGroups:
        problem = self.problem
        if problem.most < 1 or not all(problem.allows(period) for period, _ in self.rows):
            return NoGroups.IMPOSSIBLE
        self._begin()
        self._rounds()
        cut = self.limit.end is not SearchEnd.BY_ITSELF
        if self.best is None and cut and self.effort.solver:  # not where little effort is asked for
            self._merge(_MOST_MERGED)
        if self.best is None:
            return NoGroups.IMPOSSIBLE if self.settled else NoGroups.LIMIT
        groups = self._groups(self.best)
        objective = problem.rate_of(groups)
        if self.bound < objective and self.limit.end is not SearchEnd.BY_ITSELF:
            # No cells together interrupt less often than there are distinct instants.
            self.bound = max(self.bound, union_density(self.rows, _MOST_TERMS, tight=True).low)
        bound = min(self.bound, objective)
        proved = bound >= objective
        words = ", ".join(dict.fromkeys(self.how))
        return Outcome(groups, objective, bound, words if proved else f"{words}: limit reached")

    def _begin(self) -> None:
        """Returns the first plan: one group for all, or the plan that merging pairs leads to."""
        everything = self.rows[0]
        for row in self.rows:
            everything = join(everything, row)
        if self.problem.allows(everything[0]):
            self._offer([everything])
        self._merge(self.effort.rows)

    def _merge(self, most: int) -> None:
        """Returns the plan that merging pairs leads to, where there are few enough rows."""
        if len(self.rows) <= most:
            merged = merge_cheapest(self.problem)
            if merged is not None:
                self._offer([self._class_of(group) for group in merged])

    def _class_of(self, group: Sequence[int]) -> Residues:
        period = self.problem.period_of(group)
        return period, self.problem.offsets[group[0]] % period

    def _offer(self, classes: list[Residues]) -> None:
        cost = sum((Fraction(1, period) for period, _ in classes), Fraction(0))
        if cost < self.under:
            self.best, self.under = classes, cost

    def _rounds(self) -> None:
        """Adds rows until a cover of these covers all, or none is cheaper than the best known."""
        order = _spread(len(self.rows))
        taken = order[: self.effort.rows]
        for _ in range(self.effort.rounds):
            if self._over():
                self.how.append("cut")
                return
            made = self._candidates(taken)
            if made is None:
                if self.how:
                    return
                taken = taken[: (len(taken) + 1) // 2]
                continue
            done, cover = self._covered(made)
            if cover is None:
                if done:
                    self.bound = self.under
                    self.settled = True
                return
            missed = self._extend(cover)
            if not done or self.bound >= self.under:
                return
            taken = taken + missed[: max(16, len(taken) // 2)]

    def _over(self) -> bool:
        return self.limit.over(SHARE, self._so_far)

    def _so_far(self) -> str:
        """For people."""
        if self.best is None:
            return f"dividing {len(self.rows)} streams among {self.problem.most} cells"
        found, least = (float(rate * self.problem.unit) for rate in (self.under, self.bound))
        return (
            f"dividing {len(self.rows)} streams among {self.problem.most} cells: {found:,.0f} interrupts/s, "
            f"at least {least:,.0f}"
        )

    def _candidates(self, taken: Sequence[int]) -> Candidates | None:
        """Returns the candidates for the rows `taken` that cost less than the best plan; None: too many."""
        problem = self.problem
        shortest = max(problem.shortest, self.under.denominator // self.under.numerator + 1)
        self.taken = [self.rows[at] for at in taken]
        try:
            return candidates(self.taken, problem.grain, shortest, self.effort.classes)
        except TooMany:
            return None

    def _covered(self, made: Candidates) -> tuple[bool, list[Residues] | None]:
        """Returns whether the search is complete, and the cheapest cover below the cost of the best plan."""
        effort, most = self.effort, self.problem.most
        self.how.append("branch and bound")
        search = Search(made, most, self.under, self._over)
        done = search.run(effort.first)
        cover = search.cover
        if not done and not self._over():
            cover, under = self._improved(made, search)
            search = Search(made, most, under, self._over)
            done = search.run(effort.second)
            cover = search.cover or cover
        self.bound = max(self.bound, search.bound)
        if done or self.solver_left <= 0 or self._over():
            return done, _named(made, cover)
        if not ortools_installed():  # another plan than with it, perhaps: so that is said
            self.how.append(f"CP-SAT is not installed ({INSTALL_ORTOOLS})")
            return done, _named(made, cover)
        self.how.append("CP-SAT")
        further = ConstraintSearch(made, search.left, most, search.under, search.bound)
        done = further.run(self.solver_left, self.limit, SHARE)
        self.solver_left -= further.spent
        self.bound = max(self.bound, further.bound)
        return done, _named(made, further.cover or cover)

    def _improved(self, made: Candidates, search: Search) -> tuple[list[int] | None, Fraction]:
        """Returns the plan that `search` found, or else the best plan improved, with its cost."""
        start = search.cover or self._as_cover(made)
        if start is None:
            return None, search.under
        cover = improved(
            made, search.costs, self.problem.most, start, self.effort.improve, self._over
        )
        cost = sum((Fraction(1, made.classes[at][0]) for at in cover), Fraction(0))
        return (cover, cost) if cost < search.under else (search.cover, search.under)

    def _as_cover(self, made: Candidates) -> list[int] | None:
        """Returns the best plan as a cover by candidates; None if it has a group that is not among them."""
        cover = []
        for one in self.best or ():
            inside = sum(1 << at for at, row in enumerate(self.taken) if holds(one, row))
            fitting = [at for at, mask in enumerate(made.covers) if mask & inside == inside]
            if not fitting:
                return None
            cover.append(fitting[0])
        return cover or None

    def _extend(self, cover: list[Residues]) -> list[int]:
        """Makes a plan of a cover of some rows. Returns the rows without a cover, the worst first.

        Each of those joins the class where that costs least, or gets one of its own.
        """
        missed = []
        classes = list(cover)
        for at in sorted(range(len(self.rows)), key=lambda at: self.rows[at]):
            row = self.rows[at]
            if any(holds(one, row) for one in classes):
                continue
            options = []
            if len(classes) < self.problem.most:
                options.append((Fraction(1, row[0]), len(classes), row))
            for place, one in enumerate(classes):
                joined = join(one, row)
                if self.problem.allows(joined[0]):
                    more = Fraction(1, joined[0]) - Fraction(1, one[0])
                    options.append((more, place, joined))
            if not options:
                missed.append((self.under, at))
                classes = []  # no plan comes of it
                break
            more, place, joined = min(options)
            missed.append((more, at))
            classes[place : place + 1] = [joined]
        if classes:
            self._offer(_without_held(classes))
        missed.sort(key=lambda entry: (-entry[0], entry[1]))
        return [at for _, at in missed]

    def _groups(self, classes: list[Residues]) -> tuple[tuple[int, ...], ...]:
        """Every stream in the first class that holds it, the longest period first."""
        classes = sorted(classes, key=lambda one: (-one[0], one[1]))
        groups: dict[Residues, list[int]] = {}
        for row, members in zip(self.rows, self.problem.joined, strict=True):
            home = next(one for one in classes if holds(one, row))
            groups.setdefault(home, []).extend(members)
        return tuple(tuple(sorted(members)) for members in groups.values())


def _named(made: Candidates, cover: Sequence[int] | None) -> list[Residues] | None:
    return None if cover is None else [made.classes[at] for at in cover]


def _without_held(classes: list[Residues]) -> list[Residues]:
    """`classes` without each class with instants that all belong to another class too."""
    kept: list[Residues] = []
    for one in sorted(set(classes)):
        if not any(holds(other, one) for other in kept):
            kept.append(one)
    return kept


def _spread(count: int) -> list[int]:
    """0 to count - 1 so that the first k lie evenly: by their binary digits, backwards."""
    width = max(1, (count - 1).bit_length())
    return sorted(range(count), key=lambda at: int(f"{at:0{width}b}"[::-1], 2))
