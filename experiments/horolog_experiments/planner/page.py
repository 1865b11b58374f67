# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Targets, rows, data and page of the experiment `planner`, from what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from horolog_experiments.harness import (
    NOT_MEASURED,
    Data,
    Target,
    entries,
    number,
    table,
    targets_table,
)
from horolog_experiments.harness import (
    Found as Reached,
)
from horolog_experiments.planner.families import FAMILIES
from horolog_experiments.planner.measure import LIMITS, Case, Found, Measured, Miqcp

__all__ = ["DATA", "TARGETS", "planner_page", "planner_rows"]


def _share(of: Sequence[Found], good: Sequence[Found]) -> Reached:
    """How many percent of the cases are good, and which are not."""
    share = Fraction(100 * len(good), len(of)) if of else None
    late = ", ".join(_label(one.case) for one in of if one not in good)
    reason = f"not so: {late}" if of else NOT_MEASURED
    said = {"note": f"{len(good)} of {len(of)} cases", "reason": reason}
    whole = share is not None and share.denominator == 1
    return Reached(share, said, shown=int(share) if share is not None and whole else None)


def _proved(key: str) -> Callable[[Measured], Reached]:
    """The share of the cases of a target that were proved within its limit."""

    def find(measured: Measured) -> Reached:
        of = [one for one in measured.found if one.case.target == key]
        return _share(of, [one for one in of if one.within and one.proved])

    return find


def _answered(measured: Measured) -> Reached:
    return _share(measured.found, [one for one in measured.found if one.answered])


TARGETS: Sequence[Target[Measured]] = (
    Target(
        "paper's sets, automotive, uniform, log-uniform, planted; n to 1,500, m to 16: share proved "
        "optimal within 1 s, %",
        "==",
        100,
        "%",
        _proved("usual"),
    ),
    Target(
        "smooth periods around 10^6, n = 100, m = 8 and 16: share proved within 20 s, %",
        "==",
        100,
        "%",
        _proved("smooth"),
    ),
    Target("any input: an answer within 30 s, with its gap, %", "==", 100, "%", _answered),
)
"""The lines of the issue's table that are about this, unchanged."""


def _label(case: Case) -> str:
    offsets = " with offsets" if case.offsets else ""
    return f"{case.family}{offsets} n = {case.n:,} m = {case.m} seed {case.seed}"


def planner_rows(measured: Measured) -> list[dict[str, Any]]:
    """The rows of result.json."""
    return [
        {
            "what": "sum of 1 / P, per unit of time",
            "family": one.case.family,
            "offsets": one.case.offsets,
            "n": one.case.n,
            "m": one.case.m,
            "seed": one.case.seed,
            "objective": str(one.objective),
            "bound": str(one.bound),
            "proved": one.proved,
            "how": one.how,
            "unit": "interrupts per unit of time",
            "platform": f"OR-Tools {measured.ortools}",
        }
        for one in measured.found
    ]


DATA = Data(Measured, head=("ortools", "scip"), lists=("found", "miqcp"))
"""No times, but which solver met the limits."""


def planner_page(measured: Measured) -> str:
    """docs/evidence/planner.md."""
    return f"""\
# Mapping tasks to cells

Written by `horolog bench planner`; do not edit. OR-Tools {measured.ortools}; \
{measured.scip or "SCIP was not installed"}.
Objective and bound are sums of 1 / P, interrupts per unit of time, exact as fractions in
planner/measured.json, and the same each time; docs/adr/0010-exact-mapping.md says how they are found.
Seconds are of one processor, without loading OR-Tools (half a second, once, and only where branch and
bound does not suffice); they stand in `times.json` beside result.json and are compared with nothing, except
that this page says which solver was within a limit.

## Targets

{targets_table(entries(TARGETS, measured), "cases")}
{limits_text()}

## The families

{table(["family", "periods"], [[f"`{name}`", text] for name, (text, _) in FAMILIES.items()])}
## Against the greedy plan

What the exact optimum saves over merging the cheapest pair again and again, which was the planner before:
the mean over the cases with up to 300 tasks, and the most.

{table(_SAVINGS, _greedy_rows(measured.found))}
## Smooth periods

{table(_HEADINGS, _rows(one for one in measured.found if one.case.target == "smooth"))}
## Objective against tasks and cells

Interrupts in 1,000 units of time, to three decimals; in brackets the gap in percent where it is not
proved. With more than a few tasks for each cell, and periods that have no common factor, one cell at the
greatest common divisor is the best there is.

{_by_size(measured.found)}
## With offsets, and other hard ones

{table(_HEADINGS, _rows(one for one in measured.found if one.case.target == "any"))}
## The MIQCP as the paper writes it

(VI.1) to (VI.9) in SCIP, under limits of nodes and time, beside the exact answer, at two feasibility
tolerances: SCIP's default 1e-06, and 1e-09. f P = 1 is a condition on floats, and SCIP may lose the optimum
on its way: where "the same" is "no" although SCIP says "optimal", the exact plan is the cheaper one, and its
fractions have been added up. "Accepted" says whether SCIP itself finds that plan in the model when the
timers' periods are fixed to the plan's.

{table(_SCIP, _miqcp_rows(measured.miqcp))}"""


def limits_text() -> str:
    """What the targets' words are taken to mean."""
    return (
        "The first is about the first nine families below, n = 10 to 1,500, m = 1 to 16, without\n"
        f"offsets, each within {LIMITS['usual']} s; the second about the three smooth families, three "
        f"draws each, within\n{LIMITS['smooth']} s; the third about these and all other cases of this "
        f"page, within {LIMITS['any']} s."
    )


_SAVINGS = ["family", "cases", "optimum below merged", "mean saving, %", "largest, %"]
_SCIP = ["family", "n", "m", "tolerance", "exact", "SCIP", "SCIP says", "the same", "accepted"]
_HEADINGS = [
    "family",
    "offsets",
    "n",
    "m",
    "draw",
    "rows",
    "objective x 1,000",
    "proved",
    "gap, %",
    "by",
]


def _rows(found: Iterable[Found]) -> list[list[str]]:
    return [
        [
            f"`{one.case.family}`",
            "yes" if one.case.offsets else "",
            f"{one.case.n:,}",
            str(one.case.m),
            str(one.case.seed),
            str(one.rows),
            number(1000 * one.objective, 3),
            "yes" if one.proved else "no",
            _gap(one),
            one.how,
        ]
        for one in found
    ]


def _gap(one: Found) -> str:
    if one.proved:
        return ""
    percent = 100 * (1 - one.bound / one.objective)
    return number(percent, 2) if percent >= Fraction(1, 200) else "< 0.01"


def _greedy_rows(found: Sequence[Found]) -> list[list[str]]:
    rows = []
    for family in FAMILIES:
        savings = [
            100 * (1 - one.objective / one.merged)
            for one in found
            if one.case.family == family and one.merged is not None
        ]
        if savings:
            better = sum(1 for saving in savings if saving > 0)
            mean = sum(savings, Fraction(0)) / len(savings)
            most = max(savings)
            rows.append(
                [f"`{family}`", str(len(savings)), str(better), number(mean, 1), number(most, 1)]
            )
    return rows


def _by_size(found: Sequence[Found]) -> str:
    usual = [one for one in found if one.case.target == "usual"]
    text = ""
    for family in dict.fromkeys(one.case.family for one in usual):
        mine = {(one.case.n, one.case.m): one for one in usual if one.case.family == family}
        cells = sorted({m for _, m in mine})
        rows = []
        for n in sorted({n for n, _ in mine}):
            shown = [f"{n:,}"]
            for m in cells:
                one = mine.get((n, m))
                gap = "" if one is None or one.proved else f" ({_gap(one)})"
                shown.append("" if one is None else number(1000 * one.objective, 3) + gap)
            rows.append(shown)
        text += f"`{family}`\n\n{table(['n', *(f'm = {m}' for m in cells)], rows)}\n"
    return text


def _miqcp_rows(miqcp: Sequence[Miqcp]) -> list[list[str]]:
    return [
        [
            f"`{one.case.family}`",
            str(one.case.n),
            str(one.case.m),
            f"{one.tolerance:g}",
            number(one.exact, 6),
            "nothing" if one.objective is None else f"{one.objective:g}",
            "optimal" if one.optimal else "limit reached",
            "yes" if one.same else "no",
            "yes" if one.accepted else "no",
        ]
        for one in miqcp
    ]
