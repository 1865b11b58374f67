# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that are about CHRONOS, and the rows of result.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from horolog_experiments.chronos.points import Row
from horolog_experiments.chronos.results import Breakdown, Results, at_least, geometric_mean
from horolog_experiments.chronos.sets import STRONGER, Point, Variant, method, scenario
from horolog_experiments.harness import Found, Target, number, plain

__all__ = ["TARGETS", "closed", "place_of", "prediction_error", "result_rows"]


def place_of(point: Point) -> str:
    """A point in words, without its method."""
    of = scenario(point.scenario)
    many = "" if point.tasks == 100 else f", {point.tasks} tasks"
    return f"{of.name} x {point.factor}{many}, {point.variant.value}"


def _ratios(
    results: Results, variant: Variant, name: str = "planner", base: str = "freertos"
) -> list[tuple[Fraction, Row]]:
    """The planner's choice beside FreeRTOS, at every point where both hold."""
    pairs = (
        (results.ratio(row, base), row)
        for row in results.rows
        if row.point.method == name and row.point.variant is variant
    )
    return [(ratio, row) for ratio, row in pairs if ratio is not None]


def _mean(
    variant: Variant, name: str = "planner", base: str = "freertos"
) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        found = _ratios(results, variant, name, base)
        ratios = [ratio for ratio, _ in found]
        by_scenario = []
        for of in results.scenarios():
            some = [ratio for ratio, row in found if row.point.scenario == of.name]
            if some:
                mean = geometric_mean(some)
                assert mean is not None
                by_scenario.append(f"{of.name} {mean:.2f} ({len(some)} points)")
        rows = [row for _, row in found]
        said = "; ".join([", ".join(by_scenario), *_stronger(results, rows, base)])
        return Found(geometric_mean(ratios), said, at_least(ratios, _MEAN))

    return find


def _stronger(results: Results, rows: Sequence[Row], but: str = "") -> list[str]:
    """The geometric mean of the same rows' ratios to each stronger baseline except `but`, in words."""
    said = []
    for base, title in STRONGER.items():
        if base == but:
            continue
        ratios = [ratio for row in rows if (ratio := results.ratio(row, base)) is not None]
        mean = geometric_mean(ratios)
        if mean is not None:
            points = "" if len(ratios) == len(rows) else f" ({len(ratios)} points)"
            said.append(f"against {title} {mean:.2f}{points}")
    return said


def _worst(name: str) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        found = _ratios(results, Variant.FIVE, name)
        if not found:
            return Found(None)
        ratio, row = min(found, key=lambda one: one[0])
        ours, theirs = row.per_job, ratio * row.per_job
        place = place_of(row.point)
        said = f"{place}: {number(ours)} a job against {number(theirs)}, by {row.plan}"
        return Found(ratio, "; ".join([said, *_stronger(results, [row])]))

    return find


def _lost(results: Results, name: str, better: Callable[[Row], bool]) -> list[Row]:
    """Rows of a method that do not hold where `better` says that they might."""
    return [
        row
        for row in results.rows
        if row.point.method == name and row.state != "refused" and not row.feasible and better(row)
    ]


def _against(better: Callable[[Results, Row], bool]) -> Callable[[Results], Found]:
    """Points at which the planner's choice misses deadlines, though `better` holds; the others' in words."""

    def find(results: Results) -> Found:
        lost = {
            name: _lost(results, name, lambda row: better(results, row))
            for name in dict.fromkeys(row.point.method for row in results.rows)
            if name not in ("freertos", *STRONGER)
        }
        if "planner" not in lost:
            return Found(None)
        said = [f"at {place_of(row.point)}" for row in lost["planner"]]
        others = [
            f"{name} {len(rows)}" for name, rows in lost.items() if name != "planner" and rows
        ]
        points = sum(row.point.method == "planner" for row in results.rows)
        said.append(f"of {points} points")
        if others:
            said.append("for the mechanisms by themselves: " + ", ".join(others))
        return Found(len(lost["planner"]), "; ".join(said))

    return find


def _freertos_holds(results: Results, row: Row) -> bool:
    point = row.point
    return bool(results.feasible(point.scenario, point.factor, point.variant, "freertos"))


def _ideal_holds(results: Results, row: Row) -> bool:
    point = row.point
    return results.ideals[point.scenario, point.factor, point.variant].feasible_with_more


def closed(results: Results, one: Breakdown) -> Fraction | None:
    """The share, in percent, of the gap between FreeRTOS and zero cost that a method closes."""
    of = {
        other.point.method: other.work
        for other in results.breakdowns
        if (other.point.scenario, other.point.factor, other.point.tasks)
        == (one.point.scenario, one.point.factor, one.point.tasks)
    }
    least, most = of.get("freertos"), of.get("ideal")
    if one.work is None or least is None or most is None or most <= least:
        return None
    return Fraction(100 * (one.work - least), most - least)


def _breakdown(results: Results) -> Found:
    found = [
        (share, one)
        for one in results.breakdowns
        if one.point.method == "planner" and one.point.factor == 1 and one.point.tasks == 100
        if (share := closed(results, one)) is not None
    ]
    if not found:
        return Found(None)
    said = ", ".join(f"{_family(one.point)} {number(share)} %" for share, one in found)
    return Found(min(share for share, _ in found), f"the worse of {said}")


def _family(point: Point) -> str:
    return "harmonic" if scenario(point.scenario).harmonic else "non-harmonic"


def _ours(results: Results) -> list[Row]:
    """Measured rows of ours without a miss."""
    return [
        row
        for row in results.rows
        if row.feasible and not method(scenario(row.point.scenario), row.point.method).freertos
    ]


def _interrupts(results: Results) -> Found:
    rows = _ours(results)
    if not rows:
        return Found(None)
    off = {id(row): abs(row.taken + row.coalesced - row.predicted) for row in rows}
    worst = max(rows, key=lambda row: off[id(row)])
    wrong = [row for row in rows if off[id(row)]]
    note = f"over {len(rows):,} points of our mechanisms without misses, both variants"
    if wrong:
        by_method = Counter(f"{row.point.method}, {row.point.variant.value}" for row in wrong)
        note += f"; {len(wrong)} differ ({_counted(by_method)}), the most {worst.point.method} at "
        note += place_of(worst.point)
    return Found(off[id(worst)], note)


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name}: {times}" for name, times in counter.items())


def prediction_error(row: Row) -> Fraction:
    """The error of the prediction, in percent of the measured kernel instructions."""
    return 100 * (row.predicted_kernel / row.kernel - 1)


def _predictions(results: Results) -> Found:
    rows = [row for row in _ours(results) if row.point.variant is Variant.CONTINUOUS]
    if not rows:
        return Found(None)
    worst = max(rows, key=lambda row: abs(prediction_error(row)))
    over = [row for row in rows if abs(prediction_error(row)) > _ERROR]
    note = (
        f"over {len(rows):,} points of the continuous variant without misses; the worst is "
        f"{worst.point.method} at {place_of(worst.point)}: "
        f"{number(prediction_error(worst), 2)} %, {worst.plan}"
    )
    if over:
        note += f"; above {_ERROR} %: {_counted(Counter(row.point.method for row in over))}"
    return Found(abs(prediction_error(worst)), note)


_MEAN = 4
_WORST = 2.5
_ERROR = 5
TARGETS: Sequence[Target[Results]] = (
    Target(
        "threads, planner's choice, kernel instructions against stock FreeRTOS, geometric mean over "
        "points without misses",
        ">=",
        _MEAN,
        "ratio",
        _mean(Variant.FIVE),
    ),
    Target("the same, worst point", ">=", _WORST, "ratio", _worst("planner")),
    Target(
        "the same, continuous variant, geometric mean",
        ">=",
        _MEAN,
        "ratio",
        _mean(Variant.CONTINUOUS),
    ),
    Target(
        "by default, tasks sharing threads, five releases, against stock FreeRTOS, worst point",
        ">=",
        _WORST,
        "ratio",
        _worst("shared"),
    ),
    Target(
        "the same, against tickless FreeRTOS, geometric mean",
        ">=",
        _MEAN,
        "ratio",
        _mean(Variant.FIVE, "shared", "tickless"),
    ),
    Target(
        "the same, against FreeRTOS with a tick at the gcd, geometric mean",
        ">=",
        _MEAN,
        "ratio",
        _mean(Variant.FIVE, "shared", "gcd-tick"),
    ),
    Target(
        "points that hold under FreeRTOS and not under ours",
        "==",
        0,
        "points",
        _against(_freertos_holds),
    ),
    Target(
        "points that hold with zero cost and 1.1 x the work and not under ours",
        "==",
        0,
        "points",
        _against(_ideal_holds),
    ),
    Target(
        "breakdown workload, 100 tasks factor 1, share of the gap between FreeRTOS and zero cost that "
        "is closed, %",
        ">=",
        75,
        "%",
        _breakdown,
    ),
    Target(
        "taken + coalesced interrupts against predicted, largest difference",
        "==",
        0,
        "interrupts",
        _interrupts,
    ),
    Target(
        "predicted against measured overhead, largest relative difference over points, %",
        "<=",
        _ERROR,
        "%",
        _predictions,
    ),
)
"""The issue's lines, unchanged. What was not measured is null; what is missed says why."""


def result_rows(results: Results) -> list[dict[str, Any]]:
    """The rows of result.json."""
    return [*_point_rows(results), *_breakdown_rows(results, results.breakdowns)]


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
                "way": point.method,
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
            "way": one.point.method,
            "work": one.work,
            "closed_percent": plain(closed(results, one)),
            "kernel_per_job": plain(one.kernel_per_job),
            "unit": "turns",
            "platform": results.platform,
        }
        for one in found
    ]
