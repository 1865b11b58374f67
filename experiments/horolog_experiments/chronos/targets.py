# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that are about CHRONOS, and result.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from horolog_experiments.chronos.points import Row
from horolog_experiments.chronos.results import Breakdown, Results, at_least, geometric_mean
from horolog_experiments.chronos.sets import STRONGER, Point, Variant, scenario, way
from horolog_experiments.queues.tables import number, plain

__all__ = ["chronos_object", "chronos_targets", "closed", "place_of", "prediction_error"]

_WHOLE_RUN = "not measured: the run was limited"


@dataclass(frozen=True, slots=True)
class _Found:
    """What a target came to: None is not measured. `met` None: by comparing what was measured."""

    measured: Fraction | float | int | None
    note: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class _Target:
    name: str
    sense: str
    target: int | float
    unit: str
    find: Callable[[Results], _Found]


def chronos_targets(results: Results) -> list[dict[str, Any]]:
    """The issue's lines, unchanged. What was not measured is null; what is missed says why."""
    return [_entry(target, target.find(results)) for target in _TARGETS]


def _entry(target: _Target, found: _Found) -> dict[str, Any]:
    value = found.measured
    met = found.met
    if met is None:
        met = (
            value is not None
            and {
                ">=": lambda: value >= target.target,
                "<=": lambda: value <= target.target,
                "==": lambda: value == target.target,
            }[target.sense]()
        )
    entry: dict[str, Any] = {
        "name": target.name,
        "target": target.target,
        "sense": target.sense,
        "measured": round(value, 3) if isinstance(value, float) else plain(value),
        "unit": target.unit,
        "met": met,
    }
    if found.note or value is None:
        entry["note" if met else "reason"] = found.note or _WHOLE_RUN
    return entry


def place_of(point: Point) -> str:
    """A point in words, without its way."""
    of = scenario(point.scenario)
    many = "" if point.tasks == 100 else f", {point.tasks} tasks"
    return f"{of.name} x {point.factor}{many}, {point.variant.value}"


def _ratios(results: Results, *variants: Variant) -> list[tuple[Fraction, Row]]:
    """The planner's choice beside FreeRTOS, at every point where both hold."""
    pairs = (
        (results.ratio(row), row)
        for row in results.rows
        if row.point.way == "planner" and row.point.variant in variants
    )
    return [(ratio, row) for ratio, row in pairs if ratio is not None]


def _mean(*variants: Variant) -> Callable[[Results], _Found]:
    def find(results: Results) -> _Found:
        found = _ratios(results, *variants)
        ratios = [ratio for ratio, _ in found]
        by_scenario = []
        for of in results.scenarios():
            some = [ratio for ratio, row in found if row.point.scenario == of.name]
            if some:
                mean = geometric_mean(some)
                assert mean is not None
                by_scenario.append(f"{of.name} {mean:.2f} ({len(some)} points)")
        said = "; ".join([", ".join(by_scenario), *_stronger(results, [row for _, row in found])])
        return _Found(geometric_mean(ratios), said, at_least(ratios, _MEAN))

    return find


def _stronger(results: Results, rows: Sequence[Row]) -> list[str]:
    """The geometric mean of the same rows' ratios to each stronger baseline, in words."""
    said = []
    for base, title in STRONGER.items():
        ratios = [ratio for row in rows if (ratio := results.ratio(row, base)) is not None]
        mean = geometric_mean(ratios)
        if mean is not None:
            points = "" if len(ratios) == len(rows) else f" ({len(ratios)} points)"
            said.append(f"against {title} {mean:.2f}{points}")
    return said


def _worst(results: Results) -> _Found:
    found = _ratios(results, Variant.FIVE)
    if not found:
        return _Found(None)
    ratio, row = min(found, key=lambda one: one[0])
    ours, theirs = row.per_job, ratio * row.per_job
    return _Found(
        ratio,
        "; ".join(
            [
                f"{place_of(row.point)}: {number(ours)} a job against {number(theirs)}, by {row.plan}",
                *_stronger(results, [row]),
            ]
        ),
    )


def _lost(results: Results, name: str, better: Callable[[Row], bool]) -> list[Row]:
    """Rows of a way that do not hold where `better` says that they might."""
    return [
        row
        for row in results.rows
        if row.point.way == name and row.state != "refused" and not row.holds and better(row)
    ]


def _against(better: Callable[[Results, Row], bool]) -> Callable[[Results], _Found]:
    """Points at which the planner's choice misses deadlines, though `better` holds; the others' in words."""

    def find(results: Results) -> _Found:
        lost = {
            name: _lost(results, name, lambda row: better(results, row))
            for name in dict.fromkeys(row.point.way for row in results.rows)
            if name not in ("freertos", *STRONGER)
        }
        if "planner" not in lost:
            return _Found(None)
        said = [f"at {place_of(row.point)}" for row in lost["planner"]]
        others = [
            f"{name} {len(rows)}" for name, rows in lost.items() if name != "planner" and rows
        ]
        points = sum(row.point.way == "planner" for row in results.rows)
        said.append(f"of {points} points")
        if others:
            said.append("for the mechanisms by themselves: " + ", ".join(others))
        return _Found(len(lost["planner"]), "; ".join(said))

    return find


def _freertos_holds(results: Results, row: Row) -> bool:
    point = row.point
    return bool(results.holds(point.scenario, point.factor, point.variant, "freertos"))


def _ideal_holds(results: Results, row: Row) -> bool:
    point = row.point
    return results.ideals[point.scenario, point.factor, point.variant].holds_with_more


def closed(results: Results, one: Breakdown) -> Fraction | None:
    """The share, in percent, of the gap between FreeRTOS and zero cost that a way closes."""
    of = {
        other.point.way: other.work
        for other in results.breakdowns
        if (other.point.scenario, other.point.factor, other.point.tasks)
        == (one.point.scenario, one.point.factor, one.point.tasks)
    }
    least, most = of.get("freertos"), of.get("ideal")
    if one.work is None or least is None or most is None or most <= least:
        return None
    return Fraction(100 * (one.work - least), most - least)


def _breakdown(results: Results) -> _Found:
    found = [
        (share, one)
        for one in results.breakdowns
        if one.point.way == "planner" and one.point.factor == 1 and one.point.tasks == 100
        if (share := closed(results, one)) is not None
    ]
    if not found:
        return _Found(None)
    said = ", ".join(f"{_family(one.point)} {number(share)} %" for share, one in found)
    return _Found(min(share for share, _ in found), f"the worse of {said}")


def _family(point: Point) -> str:
    return "harmonic" if scenario(point.scenario).harmonic else "non-harmonic"


def _ours(results: Results) -> list[Row]:
    """Measured rows of ours without a miss."""
    return [
        row
        for row in results.rows
        if row.holds and not way(scenario(row.point.scenario), row.point.way).freertos
    ]


def _interrupts(results: Results) -> _Found:
    rows = _ours(results)
    if not rows:
        return _Found(None)
    off = {id(row): abs(row.taken + row.coalesced - row.predicted) for row in rows}
    worst = max(rows, key=lambda row: off[id(row)])
    wrong = [row for row in rows if off[id(row)]]
    note = f"over {len(rows):,} points of our mechanisms without misses, both variants"
    if wrong:
        by_way = Counter(f"{row.point.way}, {row.point.variant.value}" for row in wrong)
        note += f"; {len(wrong)} differ ({_counted(by_way)}), the most {worst.point.way} at "
        note += place_of(worst.point)
    return _Found(off[id(worst)], note)


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name}: {times}" for name, times in counter.items())


def prediction_error(row: Row) -> Fraction:
    """The error of the prediction, in percent of the measured kernel instructions."""
    return 100 * (row.predicted_kernel / row.kernel - 1)


def _predictions(results: Results) -> _Found:
    rows = [row for row in _ours(results) if row.point.variant is Variant.CONTINUOUS]
    if not rows:
        return _Found(None)
    worst = max(rows, key=lambda row: abs(prediction_error(row)))
    over = [row for row in rows if abs(prediction_error(row)) > _ERROR]
    note = (
        f"over {len(rows):,} points of the continuous variant without misses; the worst is "
        f"{worst.point.way} at {place_of(worst.point)}: {number(prediction_error(worst), 2)} %, {worst.plan}"
    )
    if over:
        note += f"; above {_ERROR} %: {_counted(Counter(row.point.way for row in over))}"
    return _Found(abs(prediction_error(worst)), note)


_MEAN = 4
_ERROR = 5
_TARGETS: Sequence[_Target] = (
    _Target(
        "threads, planner's choice, kernel instructions against stock FreeRTOS, geometric mean over "
        "points without misses",
        ">=",
        _MEAN,
        "ratio",
        _mean(Variant.FIVE),
    ),
    _Target("the same, worst point", ">=", 2.5, "ratio", _worst),
    _Target(
        "the same, continuous variant, geometric mean",
        ">=",
        _MEAN,
        "ratio",
        _mean(Variant.CONTINUOUS),
    ),
    _Target(
        "points that hold under FreeRTOS and not under ours",
        "==",
        0,
        "points",
        _against(_freertos_holds),
    ),
    _Target(
        "points that hold with zero cost and 1.1 x the work and not under ours",
        "==",
        0,
        "points",
        _against(_ideal_holds),
    ),
    _Target(
        "breakdown workload, 100 tasks factor 1, share of the gap between FreeRTOS and zero cost that "
        "is closed, %",
        ">=",
        75,
        "%",
        _breakdown,
    ),
    _Target(
        "taken + coalesced interrupts against predicted, largest difference",
        "==",
        0,
        "interrupts",
        _interrupts,
    ),
    _Target(
        "predicted against measured overhead, largest relative difference over points, %",
        "<=",
        _ERROR,
        "%",
        _predictions,
    ),
)


def chronos_object(results: Results) -> dict[str, Any]:
    """result.json, by ADR 0009."""
    return {
        "bench": "chronos",
        "toolchain": results.toolchain,
        "targets": chronos_targets(results),
        "rows": [*_point_rows(results), *_breakdown_rows(results, results.breakdowns)],
    }


def _point_rows(results: Results) -> list[dict[str, Any]]:
    made = []
    for row in results.rows:
        point = row.point
        counted = row.state == "measured"
        made.append(
            {
                "what": "point",
                "scenario": point.scenario,
                "factor": point.factor,
                "variant": point.variant.value,
                "way": point.way,
                "state": row.state,
                **({"said": row.said} if row.said else {}),
                "plan": row.plan,
                "jobs": row.jobs,
                "deadline_misses": row.misses,
                "interrupts": {
                    "predicted": row.predicted,
                    "taken": row.taken,
                    "coalesced": row.coalesced,
                },
                "kernel_instructions": row.kernel,
                "bodies": row.bodies,
                "total": row.total,
                "kernel_per_job": plain(row.per_job) if counted else None,
                "tick_and_delay_percent": plain(row.share) if counted else None,
                "ratio": plain(results.ratio(row)),
                **{
                    f"ratio_{base.replace('-', '_')}": plain(results.ratio(row, base))
                    for base in STRONGER
                },
                "unit": "instructions",
                "platform": results.platform,
            }
        )
    return made


def _breakdown_rows(results: Results, found: Iterable[Breakdown]) -> list[dict[str, Any]]:
    return [
        {
            "what": "breakdown",
            "set": _family(one.point),
            "tasks": one.point.tasks,
            "factor": one.point.factor,
            "way": one.point.way,
            "work": one.work,
            "closed_percent": plain(closed(results, one)),
            "kernel_per_job": plain(one.kernel_per_job),
            "unit": "turns",
            "platform": results.platform,
        }
        for one in found
    ]
