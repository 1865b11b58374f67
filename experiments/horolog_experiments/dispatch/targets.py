# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The issue's target table beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from horolog_experiments.chronos.results import geometric_mean
from horolog_experiments.chronos.sets import STRONGER
from horolog_experiments.dispatch.memory import total
from horolog_experiments.dispatch.results import Chronos, Results
from horolog_experiments.dispatch.rows import ENDS, STARTS, Case, Row, ours_of
from horolog_experiments.dispatch.scenarios import (
    FREERTOS,
    MAXPERF,
    MINIMAL,
    OURS,
    SMALL,
    Platform,
)
from horolog_experiments.dispatch.visits import Part
from horolog_experiments.harness import Found, Target, number

__all__ = ["TARGETS", "chronos_mean", "parts_words", "per_job", "stronger_means"]

_OF_CHRONOS = "points of `horolog bench chronos`, its way `basic`"


def _worst(platform: Platform, rows: Sequence[Row]) -> Callable[[Results], Found]:
    """The longest of these rows."""

    def find(results: Results) -> Found:
        found = {row: one for row in rows if (one := ours_of(results, platform, row)) is not None}
        if not found:
            return _refused(results, platform.board, [row.scenario for row in rows])
        said = [
            f"{row.title}: {one.worst}" + (f" (least {one.best})" if one.best != one.worst else "")
            for row, one in found.items()
        ]
        row, worst = max(found.items(), key=lambda item: item[1].worst)
        made_of = results.parts.get((platform.name, OURS, row.scenario, row.span), ())
        if made_of:
            said.append(f"{row.title} is made of {parts_words(made_of)}")
        return Found(worst.worst, "worst; " + "; ".join(said))

    return find


def parts_words(parts: Iterable[Part]) -> str:
    """Functions and what was spent in them."""
    return ", ".join(
        f"{part.time} {part.name}" if " " in part.name else f"{part.time} `{part.name}`"
        for part in parts
    )


def _refused(results: Results, board: str, names: Iterable[str]) -> Found:
    """Why there is no figure of these systems."""
    reasons = {results.refused[board, name] for name in names if (board, name) in results.refused}
    return Found(None, f"not measured: {'; '.join(sorted(reasons))}") if reasons else Found(None)


def _of(rows: Iterable[Row], kind: str, case: Case = Case.PLAIN) -> tuple[Row, ...]:
    return tuple(row for row in rows if row.kind == kind and row.case is case)


def _interruptions(results: Results) -> Found:
    found = results.interruptions.get((MAXPERF.name, "figure-lines"))
    if found is None:
        return _refused(results, MAXPERF.board, ["figure-lines"])
    both = [
        one
        for platform in (MAXPERF, SMALL)
        if (one := results.interruptions.get((platform.name, "figure-lines"))) is not None
    ]
    others = [
        f"{title} {one.count} of {one.total:,} cycles in all"
        for image, title in (
            ("figure-one-cell", "one cell"),
            ("figure-above", "one cell that serves a task of a higher priority, too"),
            ("figure", "FreeRTOS"),
        )
        if (one := results.interruptions.get((MAXPERF.name, image))) is not None
    ]
    return Found(
        sum(one.count for one in both),
        f"in {found.jobs} jobs on each configuration; on maxperf, {', '.join(others)}",
    )


def _memory(memory: str) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        ours = {
            board: total(pieces, "kernel", memory)
            for (board, kernel), pieces in results.memory.items()
            if kernel == OURS
        }
        if not ours:
            return Found(None)
        theirs = [
            f"{total(pieces, 'kernel', memory):,} on {board}"
            for (board, kernel), pieces in results.memory.items()
            if kernel == FREERTOS
        ]
        said = ", ".join(
            [
                *(f"{bytes_:,} on {board}" for board, bytes_ in ours.items()),
                *(
                    f"not on {b}: {why}"
                    for (b, n), why in results.refused.items()
                    if n == MINIMAL.name
                ),
            ]
        )
        return Found(max(ours.values()), f"{said}; FreeRTOS {', '.join(theirs) or 'not measured'}")

    return find


def per_job(one: Chronos) -> Fraction | None:
    """Kernel instructions a job; None where deadlines are missed."""
    return Fraction(one.kernel, one.jobs) if one.kernel else None


def _chronos_at(factor: int) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        some = [o for o in results.chronos if o.variant == "continuous" and o.factor == factor]
        costs = {one.scenario: per_job(one) for one in some}
        compared = [cost for cost in costs.values() if cost is not None]
        if not compared:
            return Found(None)
        said, by = [], ""
        for one in some:
            cost = costs[one.scenario]
            if cost is None:
                said.append(f"{one.scenario} not counted: {one.said}")
            else:
                beside = (
                    f" (FreeRTOS {number(Fraction(one.theirs, one.jobs))})" if one.theirs else ""
                )
                said.append(f"{one.scenario} {number(cost)}{beside}")
                by = one.plan if cost == max(compared) else by
        return Found(max(compared), f"the worst of {', '.join(said)}; by {by}; {_OF_CHRONOS}")

    return find


def stronger_means(some: Iterable[Chronos]) -> dict[str, float]:
    """The geometric mean of a job's cost under each baseline over its cost here, by the baseline's name."""
    found = {}
    compared = [(one, cost) for one in some if (cost := per_job(one)) is not None]
    for base, title in STRONGER.items():
        ratios = [
            theirs / cost for one, cost in compared if (theirs := one.stronger(base)) is not None
        ]
        mean = geometric_mean(ratios)
        if mean is not None:
            found[title] = mean
    return found


def chronos_mean(results: Results) -> tuple[float | None, list[Fraction]]:
    """The geometric mean of FreeRTOS's kernel instructions over ours, and the ratios."""
    ratios = [Fraction(o.theirs, o.kernel) for o in results.chronos if o.kernel and o.theirs]
    if not ratios:
        return None, []
    return geometric_mean(ratios), ratios


def _mean(results: Results) -> Found:
    mean, ratios = chronos_mean(results)
    if mean is None:
        return Found(None)
    by_scenario = []
    for name in dict.fromkeys(one.scenario for one in results.chronos):
        some = [o for o in results.chronos if o.scenario == name and o.kernel and o.theirs]
        if some:
            of = geometric_mean(Fraction(o.theirs, o.kernel) for o in some)
            by_scenario.append(f"{name} {of:.2f} ({len(some)} points)")
    left = [one.said for one in results.chronos if one.said]
    if left:
        by_scenario.append(f"{len(left)} points do not count ({'; '.join(sorted(_kinds(left)))})")
    exact = _product(ratios) >= Fraction(20) ** len(ratios)
    said = f"{len(ratios)} points of both variants, {number(min(ratios))} to {number(max(ratios))}"
    beside = "".join(
        f"; against {title} {of:.2f}"
        for title, of in stronger_means(o for o in results.chronos if o.theirs).items()
    )
    return Found(round(mean, 3), f"{said}; {', '.join(by_scenario)}{beside}; {_OF_CHRONOS}", exact)


def _kinds(reasons: Iterable[str]) -> set[str]:
    """Reasons without what differs from point to point."""
    return {reason.partition(": ")[0] for reason in reasons}


def _product(ratios: Iterable[Fraction]) -> Fraction:
    made = Fraction(1)
    for ratio in ratios:
        made *= ratio
    return made


def _engine(results: Results) -> Found:
    one = results.engine
    if one is None:
        return Found(None)
    said = f"{one.jobs:,} jobs; {one.plan}"
    if one.threads is not None:
        said += f"; as threads {number(one.threads)}"
    if one.freertos is not None:
        said += f"; FreeRTOS {number(one.freertos)}"
    return Found(one.basic, said)


_I = "instructions"
_CYCLES = "cycles"


def _limits(
    name: str, rows: Sequence[Row], kind: str, case: Case, limits: Mapping[Platform, int]
) -> tuple[Target[Results], ...]:
    return tuple(
        Target(
            f"{name}, {case.value}, cycles, ibex {platform.configuration}",
            "<=",
            limit,
            _CYCLES,
            _worst(platform, _of(rows, kind, case)),
        )
        for platform, limit in limits.items()
    )


_START = "expiry to first instruction of a basic task, nesting on"
_END = "end of basic task to resumed code"
_THREAD = "expiry to first instruction of a thread"
TARGETS: Sequence[Target[Results]] = (
    *_limits(_START, STARTS, "basic", Case.PLAIN, {MAXPERF: 25, SMALL: 35}),
    *_limits(_START, STARTS, "basic", Case.DIVISION, {MAXPERF: 62, SMALL: 68}),
    *_limits(_START, STARTS, "basic", Case.WIDE, {MAXPERF: 34, SMALL: 52}),
    *_limits(_END, ENDS, "basic", Case.PLAIN, {MAXPERF: 20, SMALL: 28}),
    *_limits(_END, ENDS, "basic", Case.DIVISION, {MAXPERF: 20, SMALL: 28}),
    *_limits(_END, ENDS, "basic", Case.WIDE, {MAXPERF: 34, SMALL: 52}),
    *_limits(_THREAD, STARTS, "thread", Case.PLAIN, {MAXPERF: 110}),
    *_limits(_THREAD, STARTS, "thread", Case.BOTH_KINDS, {MAXPERF: 200}),
    Target(
        "kernel instructions per job, 100 CHRONOS tasks, basic, continuous variant, factor 1, mps2-an385",
        "<=",
        25,
        _I,
        _chronos_at(1),
    ),
    Target("the same, factor 15", "<=", 25, _I, _chronos_at(15)),
    Target(
        "kernel instructions, basic tasks against stock FreeRTOS, all CHRONOS points without misses, "
        "geometric mean",
        ">=",
        20,
        "ratio",
        _mean,
    ),
    Target(
        "examples/engine-control as basic tasks, kernel per job, mps2-an385", "<=", 20, _I, _engine
    ),
    Target(
        "interruptions of a higher-priority task by a lower-priority release, ibex-cells with a cell per "
        "line",
        "==",
        0,
        "interruptions",
        _interruptions,
    ),
    Target(
        "kernel RAM of a minimal application with one periodic basic task, start-up apart, bytes",
        "<=",
        8,
        "bytes",
        _memory("ram"),
    ),
    Target(
        "kernel ROM of a minimal application with one periodic basic task, start-up apart, bytes",
        "<=",
        600,
        "bytes",
        _memory("rom"),
    ),
)
"""The issue's table; a line with two entries is two. What was not measured is null."""
