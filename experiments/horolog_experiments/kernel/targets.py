# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The tables of targets beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from horolog.build.freertos import HOW_TO_GET_IT
from horolog_experiments.harness import Found, Target, number, plain
from horolog_experiments.kernel.results import Results
from horolog_experiments.kernel.rows import (
    BEST,
    DIRECT,
    ROM,
    ROWS,
    SIDES,
    TUNED,
    BestRow,
    TableRow,
    TunedRow,
)
from horolog_experiments.kernel.scenarios import OURS, THREADX

__all__ = ["TARGETS", "json_number", "row_title", "threadx_said"]


def _found(value: Fraction | float | int | None, said: str) -> Found:
    return Found(value, said, shown=json_number(value))


def _ours(scenario: str) -> Callable[[Results], Found]:
    """Our side of a scenario. A miss says where it goes, as far as it was measured."""
    row = next(row for row in ROWS if row.scenario == scenario)

    def measure(results: Results) -> Found:
        value = results.value(row, OURS)
        if value is None:
            return Found(None, _why_not(results, scenario))
        spans = results.spans[OURS, scenario]
        said = [f"best {spans.best:,}, worst {spans.worst:,}"]
        if spans.call:
            call = Fraction(spans.call, spans.samples)
            said[0] = f"call {number(call)}, wake {number(value - call)}; {said[0]}"
        theirs = results.value(row, row.side)
        if theirs is not None:
            said.append(f"FreeRTOS {number(theirs)}")
        said += [_tuned(results, tuned) for tuned in TUNED if tuned.row == row]
        return _found(value, "; ".join(filter(None, said)))

    return measure


def _tuned(results: Results, tuned: TunedRow) -> str:
    """What the row comes to with other settings; empty if it was not measured."""
    ours = results.value(tuned.row, OURS, tuned.ours)
    return "" if ours is None else f"tuned ({tuned.settings}) {number(ours)}"


_OTHERS = {"notify": "by notification", THREADX: "ThreadX"}


def _best(row: BestRow) -> Callable[[Results], Found]:
    """Our side of a row beside the best, and the others'; then the same by direct calls."""

    def measure(results: Results) -> Found:
        value = results.value(row, OURS)
        if value is None:
            return Found(None, _why_not(results, row.scenario))
        direct = next((one for one in DIRECT if one.title == row.title), None)
        said = [_beside(results, row)]
        if direct is not None and (directly := results.value(direct, OURS)) is not None:
            said.append(f"called directly {number(directly)} beside {_beside(results, direct)}")
        return _found(value, "; ".join(filter(None, said)))

    return measure


def _beside(results: Results, row: BestRow) -> str:
    """The others' figures."""
    others = {side: results.value(row, side) for side in (*row.sides, THREADX)}
    return ", ".join(
        f"{_OTHERS.get(side, 'FreeRTOS')} {number(other)}"
        + (f" ({threadx_said(results)})" if side == THREADX else "")
        for side, other in others.items()
        if other is not None
    )


def threadx_said(results: Results) -> str:
    """Whether ThreadX's figures are those of the run."""
    return "recorded" if results.threadx is None else "measured"


def _why_not(results: Results, scenario: str) -> str:
    return results.missing.get(scenario, "not measured: the run was limited")


def _gaps(results: Results) -> str:
    """Which rows there are no ratios of, and why; empty if there are all."""
    if results.freertos is None:
        return HOW_TO_GET_IT
    without = {row.scenario: row.title for row in results.without_ratio()}
    return "; ".join(
        f"without {title}: {results.missing.get(name, 'the run was limited')}"
        for name, title in without.items()
    )


def _lost(results: Results) -> Found:
    if all(results.ratio(row) is None for row in ROWS):
        return Found(None, _gaps(results) or "not measured")
    lost = [row_title(row) for row in results.lost()]
    said = "; ".join(filter(None, [", ".join(lost), _gaps(results)]))
    return Found(len(lost), said, met=_without_gaps(results))


def _mean(results: Results) -> Found:
    mean = results.geometric_mean()
    value = None if mean is None else round(mean, 3)
    return Found(value, _gaps(results), met=_without_gaps(results))


def _without_gaps(results: Results) -> bool | None:
    """False if there are gaps, as a row that is missing may be a lost one; else what comparing says."""
    return False if _gaps(results) else None


def _rom(results: Results) -> Found:
    row = next(row for row in ROWS if row.scenario == ROM)
    ratio = results.ratio(row)
    if ratio is None:
        return Found(None, _gaps(results))
    (tuned,) = (one for one in TUNED if one.row == row)
    said = f"{results.sizes[OURS, ROM]:,} bytes beside {results.sizes[row.side, ROM]:,}"
    tuned_ratio = results.tuned_ratio(tuned)
    if tuned_ratio is not None:
        ours, theirs = results.sizes[OURS, tuned.ours], results.sizes[row.side, tuned.theirs]
        said += f"; tuned ({tuned.settings}) {ours:,} beside {theirs:,}, {number(tuned_ratio, 3)}"
    return _found(ratio, said)


_COMPARED = ("rows of the table where FreeRTOS is better", "geometric mean of ours / FreeRTOS")
_I = "instructions"
TARGETS: Sequence[Target[Results]] = (
    *(
        Target(row.title, "<=", row.target, row.unit, _best(row))
        for row in BEST
        if row.target is not None
    ),
    Target("yield switch", "<=", 40, _I, _ours("yield")),
    Target("semaphore give + take, uncontended", "<=", 50, _I, _ours("semaphore")),
    Target(
        "semaphore give that wakes a higher thread, to its first instruction",
        "<=",
        110,
        _I,
        _ours("semaphore_wakes"),
    ),
    Target("mutex lock + unlock, uncontended", "<=", 60, _I, _ours("mutex")),
    Target("queue send + receive, 16 bytes", "<=", 110, _I, _ours("queue")),
    Target("event set that wakes", "<=", 120, _I, _ours("event_wakes")),
    Target("block pool take + give", "<=", 50, _I, _ours("pool")),
    Target(
        "interrupt to thread, first handler instruction to first thread instruction",
        "<=",
        110,
        _I,
        _ours("interrupt"),
    ),
    Target(
        "sleep 1 ms with 1,000 others asleep, call + wake",
        "<=",
        250,
        _I,
        _ours("sleep"),
    ),
    Target(_COMPARED[0], "==", 0, "rows", _lost),
    Target(f"{_COMPARED[1]} over all rows", "<=", 0.6, "ratio", _mean),
    Target(
        "ROM of a minimal application with two threads and a semaphore, bytes, ours / FreeRTOS",
        "<=",
        0.8,
        "ratio",
        _rom,
    ),
)
"""The targets measured here, the latest first."""


def json_number(value: Fraction | float | int | None) -> float | int | None:
    """A number for JSON; whole ones without a point."""
    if not isinstance(value, Fraction):
        return value
    return value.numerator if value.denominator == 1 else plain(value)


def row_title(row: TableRow) -> str:
    """The row's title, with the object that FreeRTOS does it with where there are several."""
    sides = [other.side for other in ROWS if other.scenario == row.scenario]
    if len(sides) == 1:
        return row.title
    objects = {"semaphore": "semaphore", "interrupt": "semaphore", "pool": "queue of pointers"}
    usual = objects[row.scenario.split("_")[0]]
    return f"{row.title} (FreeRTOS: {usual if row.side == 'freertos' else SIDES[row.side]})"
