# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The issue's target table beside what was measured, and result.json."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from horolog.bench.kernel.results import Results
from horolog.bench.kernel.rows import OURS, ROM, ROWS, SIDES, TableRow
from horolog.bench.queues.tables import number, plain
from horolog.run.freertos import HOW_TO_GET_IT

__all__ = ["result_object", "row_object", "row_title", "targets"]


@dataclass(frozen=True, slots=True)
class _Target:
    """One line: `measure` gives the value and what there is to say of it; (None, why) without a value."""

    name: str
    sense: str
    target: float
    unit: str
    measure: Callable[[Results], tuple[Fraction | float | int | None, str]]


def _ours(scenario: str) -> Callable[[Results], tuple[Fraction | None, str]]:
    """Our side of a scenario. A miss says where it goes, as far as it was measured."""
    row = next(row for row in ROWS if row.scenario == scenario)

    def measure(results: Results) -> tuple[Fraction | None, str]:
        value = results.value(row, OURS)
        if value is None:
            return None, results.missing.get(scenario, "not measured: the run was limited")
        spans = results.spans[OURS, scenario]
        said = f"best {spans.best:,}, worst {spans.worst:,}"
        if spans.call:
            call = Fraction(spans.call, spans.samples)
            said = f"call {number(call)}, wake {number(value - call)}; {said}"
        theirs = results.value(row, row.side)
        return value, said if theirs is None else f"{said}; FreeRTOS {number(theirs)}"

    return measure


def _elsewhere(bench: str) -> Callable[[Results], tuple[None, str]]:
    return lambda results: (None, f"measured by horolog bench {bench}, not here")


def _gaps(results: Results) -> str:
    """Which rows there are no ratios of, and why; empty if there are all."""
    if results.freertos is None:
        return HOW_TO_GET_IT
    without = {row.scenario: row.title for row in results.without_ratio()}
    return "; ".join(
        f"without {title}: {results.missing.get(name, 'the run was limited')}"
        for name, title in without.items()
    )


def _lost(results: Results) -> tuple[int | None, str]:
    if all(results.ratio(row) is None for row in ROWS):
        return None, _gaps(results) or "not measured"
    lost = [row_title(row) for row in results.lost()]
    return len(lost), "; ".join(filter(None, [", ".join(lost), _gaps(results)]))


def _mean(results: Results) -> tuple[float | None, str]:
    mean = results.geometric_mean()
    return (None if mean is None else round(mean, 3)), _gaps(results)


def _rom(results: Results) -> tuple[Fraction | None, str]:
    row = next(row for row in ROWS if row.scenario == ROM)
    ratio = results.ratio(row)
    if ratio is None:
        return None, _gaps(results)
    ours, theirs = results.rom[OURS], results.rom[row.side]
    return ratio, f"{ours:,} bytes beside {theirs:,}{_reported(results, row.side)}"


def _reported(results: Results, side: str) -> str:
    """The same with the full report of faults on both sides; empty if it was not measured."""
    ours, theirs = (results.rom.get(f"{name}_reported") for name in (OURS, side))
    if ours is None or theirs is None:
        return ""
    ratio = number(Fraction(ours, theirs), 3)
    return f"; with our report of faults on both sides {ours:,} beside {theirs:,}, {ratio}"


_COMPARED = ("rows of the table where FreeRTOS is better", "geometric mean of ours / FreeRTOS")
_I = "instructions"
_TARGETS: Sequence[_Target] = (
    _Target("yield switch", "<=", 40, _I, _ours("yield")),
    _Target("semaphore give + take, uncontended", "<=", 50, _I, _ours("semaphore")),
    _Target(
        "semaphore give that wakes a higher thread, to its first instruction",
        "<=",
        110,
        _I,
        _ours("semaphore_wakes"),
    ),
    _Target("mutex lock + unlock, uncontended", "<=", 60, _I, _ours("mutex")),
    _Target("queue send + receive, 16 bytes", "<=", 110, _I, _ours("queue")),
    _Target("event set that wakes", "<=", 120, _I, _ours("event_wakes")),
    _Target("block pool take + give", "<=", 50, _I, _ours("pool")),
    _Target(
        "interrupt to thread, first handler instruction to first thread instruction",
        "<=",
        110,
        _I,
        _ours("interrupt"),
    ),
    _Target(
        "sleep 1 ms with 1,000 others asleep, call + wake",
        "<=",
        250,
        _I,
        _ours("sleep"),
    ),
    _Target(_COMPARED[0], "==", 0, "rows", _lost),
    _Target(f"{_COMPARED[1]} over all rows", "<=", 0.6, "ratio", _mean),
    _Target(
        "1+N against unified with nanoseconds inside, switches per million instructions",
        ">=",
        1.4,
        "ratio",
        _elsewhere("switch"),
    ),
    _Target("1+N against tick, same unit", ">=", 0.9, "ratio", _elsewhere("switch")),
    _Target("count to nanoseconds, worst over the four clocks", "<=", 35, _I, _elsewhere("switch")),
    _Target("nanoseconds to count, worst over the four clocks", "<=", 70, _I, _elsewhere("switch")),
    _Target(
        "longest interrupts-off window, n = 1,500 against n = 10",
        "<=",
        1.05,
        "ratio",
        _elsewhere("masked"),
    ),
    _Target("longest interrupts-off window, any call", "<=", 120, _I, _elsewhere("masked")),
    _Target(
        "ROM of a minimal application with two threads and a semaphore, bytes, ours / FreeRTOS",
        "<=",
        0.8,
        "ratio",
        _rom,
    ),
)


def targets(results: Results) -> list[dict[str, Any]]:
    """The issue's table, unchanged. What was not measured is null; what is missed says why."""
    return [_entry(target, results) for target in _TARGETS]


def _entry(target: _Target, results: Results) -> dict[str, Any]:
    value, said = target.measure(results)
    met = (
        value is not None
        and {
            "<=": value <= target.target,
            ">=": value >= target.target,
            "==": value == target.target,
        }[target.sense]
    )
    if target.name.startswith(_COMPARED) and _gaps(results):
        met = False  # a row that is missing may be a lost one
    entry = {
        "name": target.name,
        "target": target.target,
        "sense": target.sense,
        "measured": _plain(value),
        "unit": target.unit,
        "met": met,
    }
    if said:
        entry["note" if met else "reason"] = said
    return entry


def _plain(value: Fraction | float | int | None) -> float | int | None:
    """A number for JSON; whole ones without a point."""
    if not isinstance(value, Fraction):
        return value
    return value.numerator if value.denominator == 1 else plain(value)


def row_title(row: TableRow) -> str:
    """The row's title, with the way in which FreeRTOS does it where there are several."""
    ways = [other.side for other in ROWS if other.scenario == row.scenario]
    if len(ways) == 1:
        return row.title
    way = {"semaphore": "semaphore", "interrupt": "semaphore", "pool": "queue of pointers"}
    usual = way[row.scenario.split("_")[0]]
    return f"{row.title} (FreeRTOS: {usual if row.side == 'freertos' else SIDES[row.side]})"


def row_object(results: Results, row: TableRow) -> dict[str, Any]:
    """One row for result.json: averages, best and worst of a whole sample, and the ratio."""
    made: dict[str, Any] = {"what": row_title(row), "scenario": row.scenario, "side": row.side}
    for name, side in (("horolog", OURS), ("freertos", row.side)):
        made[name] = _plain(results.value(row, side))
        spans = results.spans.get((side, row.scenario))
        if spans is not None:
            made[f"{name}_samples"] = spans.samples
            made[f"{name}_best"] = _plain(Fraction(spans.best, row.divisor))
            made[f"{name}_worst"] = _plain(Fraction(spans.worst, row.divisor))
    made |= {
        "ratio": _plain(results.ratio(row)),
        "unit": row.unit,
        "platform": results.platform,
    }
    if made["horolog"] is None:
        made["reason"] = results.missing.get(row.scenario, "the run was limited")
    elif made["freertos"] is None:
        made["reason"] = "the run was limited" if results.freertos else HOW_TO_GET_IT
    return made


def result_object(results: Results) -> dict[str, Any]:
    """result.json, by ADR 0009."""
    return {
        "bench": "kernel",
        "toolchain": results.toolchain,
        "freertos": results.freertos,
        "targets": targets(results),
        "rows": [row_object(results, row) for row in ROWS],
    }
