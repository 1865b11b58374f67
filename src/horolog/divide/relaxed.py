# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The division of least overhead with bounds in place of proofs and prices: CP-SAT.

A core holds shares of at most 1, as more is never proved. A price that several items have in common is paid
on each core where one of them is. Integers are rounded down, so no division costs less than what CP-SAT says
that none undercuts. Interchangeable cores come in the order of their first items. One worker, a fixed seed
and a limit in deterministic time make the answer the same each time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, lcm
from typing import TYPE_CHECKING

from horolog.cp_sat import INSTALL_ORTOOLS, ortools_installed
from horolog.divide.problem import Common, Division, Part, Problem
from horolog.model import NotInstalled

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

__all__ = ["Relaxed", "in_order", "relaxed", "without_singles"]

_SHARE_BITS = 40
_PRICE_BITS = 40  # of the sum of all prices
_MOST_COMMONS = 400


@dataclass(frozen=True, slots=True)
class Relaxed:
    """What CP-SAT found. No division costs less than `bound`; None: no division can be proved at all."""

    division: Division | None
    bound: Fraction | None


def without_singles(problem: Problem) -> tuple[Fraction, tuple[Common, ...]]:
    """What every division pays, and the prices that depend on it; of these the largest, if there are many.

    Each other one is paid on one core, at least.
    """
    least = problem.least
    several = []
    for one in problem.commons:
        if len(one.items) > 1:
            several.append(one)
        elif one.items:
            least += one.price
    several.sort(key=lambda one: (-one.price, sorted(one.items)))
    least += sum((one.price for one in several[_MOST_COMMONS:]), Fraction(0))
    return least, tuple(several[:_MOST_COMMONS])


def relaxed(
    problem: Problem,
    effort: float,
    *,
    apart: Collection[Part] = (),
    except_for: Collection[Division] = (),
    hint: Division | None = None,
    balanced: bool = False,
    seconds: float | None = None,
) -> Relaxed:
    """The division with the least bound that is found within `effort` of CP-SAT's deterministic time.

    `apart`: items of which not all may be on one core. `except_for`: divisions that are known. With these,
    `bound` is none of all divisions. `balanced`: the least load of the fullest core instead, and no bound.
    `seconds`: a limit besides. HorologError (3) without OR-Tools: packing alone would find other
    divisions, or none where there are some.
    """
    if not ortools_installed():
        raise NotInstalled(
            'core = "auto" needs OR-Tools, by which tasks are divided among cores',
            found="it is not installed",
            expected=f"{INSTALL_ORTOOLS}, or core = 0, 1, ... for each task",
        )
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cores = range(len(problem.kinds))
    on = [{core: model.new_bool_var("") for core in sorted(item.cores)} for item in problem.items]
    for able in on:
        model.add_exactly_one(able.values())
    fullest = model.new_int_var(0, 1 << _SHARE_BITS, "")
    for core in cores:
        loads = [
            able[core] * int(item.share * (1 << _SHARE_BITS))
            for item, able in zip(problem.items, on, strict=True)
            if core in able
        ]
        model.add(sum(loads) <= fullest)
    _symmetry(problem, model, on)
    for part in apart:
        for core in cores:
            if all(core in on[at] for at in part):
                model.add_bool_or([on[at][core].negated() for at in sorted(part)])
    for division in except_for:
        named = in_order(problem, division)
        model.add_bool_or([on[at][core].negated() for at, core in enumerate(named)])
    least, commons = without_singles(problem)
    scale = _scale(commons, len(problem.kinds))
    if balanced:
        model.minimize(fullest)
    elif commons:
        model.minimize(_paid(model, on, commons, scale, len(problem.kinds)))
    if hint is not None:
        for at, core in enumerate(in_order(problem, hint)):
            for other, takes in on[at].items():
                model.add_hint(takes, other == core)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = effort
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return Relaxed(None, None)
    bound = least
    if commons and not balanced:
        bound += max(Fraction(0), ceil(solver.best_objective_bound - 0.5) / scale)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Relaxed(None, bound)
    found = tuple(
        next(core for core, takes in able.items() if solver.boolean_value(takes)) for able in on
    )
    return Relaxed(found, bound)


def _scale(commons: tuple[Common, ...], cores: int) -> Fraction:
    """By what prices are multiplied: all of them are whole numbers then, if these are short enough."""
    total = sum((one.price * cores for one in commons), Fraction(0))
    whole = lcm(*(one.price.denominator for one in commons))
    if total * whole < 1 << _PRICE_BITS:
        return Fraction(whole)
    return (1 << _PRICE_BITS) / total


def _paid(
    model: CpModel,
    on: list[dict[int, IntVar]],
    commons: tuple[Common, ...],
    scale: Fraction,
    cores: int,
) -> IntVar:
    """The sum of all common prices, each on each core where one of its items is."""
    terms, most = [], 0
    for one in commons:
        price = int(one.price * scale)
        paid = []
        for core in range(cores):
            takes = [on[at][core] for at in sorted(one.items) if core in on[at]]
            if takes:
                some = model.new_bool_var("")
                for each in takes:
                    model.add_implication(each, some)
                paid.append(some)
        model.add_bool_or(paid)
        terms += [some * price for some in paid]
        most += price * len(paid)
    total = model.new_int_var(0, most, "")
    model.add(total == sum(terms))
    return total


def _symmetry(problem: Problem, model: CpModel, on: list[dict[int, IntVar]]) -> None:
    """An item is on a core only if an earlier one is on the core before, of those that are alike."""
    for same in _alike(problem):
        for before, core in pairwise(same):
            for at, able in enumerate(on):
                if core in able:
                    earlier = [on[other][before] for other in range(at) if before in on[other]]
                    model.add_bool_or([*earlier, able[core].negated()])


def _alike(problem: Problem) -> list[list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for core, first in enumerate(problem.classes):
        found[first].append(core)
    return list(found.values())


def in_order(problem: Problem, division: Division) -> Division:
    """The same division with interchangeable cores in the order of their first items."""
    free = {same[0]: list(same) for same in _alike(problem)}
    names: dict[int, int] = {}
    for core in division:
        if core not in names:
            names[core] = free[problem.classes[core]].pop(0)
    return tuple(names[core] for core in division)
