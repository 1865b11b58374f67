# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that this experiment measures, and the rows of result.json."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from horolog.figures import plural
from horolog.model import ON_ONE_CORE, Baseline, Kind
from horolog.plan.prices.size_costs import FLASH_RATIO
from horolog_experiments.harness import Found, Target, number
from horolog_experiments.irregular.others import EXAMPLES
from horolog_experiments.irregular.results import (
    SLOW,
    Alone,
    Irregular,
    Measured,
    geometric_mean,
    percentile,
)

__all__ = ["TARGETS", "irregular_rows"]

_THREADS, _BASIC = Kind.THREAD.value, Kind.BASIC.value
_KINDS = (_THREADS, _BASIC)
_Find = Callable[[Irregular], Found]


def _measured(found: Irregular) -> list[Measured]:
    return [one for kind in _KINDS for one in found.of(kind)]


def _off(percent: int) -> _Find:
    def find(found: Irregular) -> Found:
        of = _measured(found)
        if not of:
            return Found(None)
        values = [abs(one.choice.off) * 100 for one in of]
        worst = max(of, key=lambda one: abs(one.choice.off))
        return Found(percentile(values, percent), f"worst: case {worst.case} as {worst.kind} tasks")

    return find


def _mean_regret(found: Irregular) -> Found:
    of = [one.regret for one in _measured(found)]
    return Found(sum(of, Fraction(0)) / len(of) if of else None)


def _worst_regret(found: Irregular) -> Found:
    of = _measured(found)
    if not of:
        return Found(None)
    worst = max(of, key=lambda one: one.regret)
    best = min(worst.tried, key=lambda one: one.measured)
    return Found(
        worst.regret,
        f"case {worst.case} as {worst.kind} tasks: {worst.choice.words} taken, {best.words} is best",
    )


def _refused(found: Irregular) -> Found:
    of = found.of(_BASIC, "refused")
    return Found(len(of), of[0].said if of else "")


def _more_interrupts(found: Irregular) -> Found:
    """Choices on the host port that make more interrupts than another listed plan.

    Interrupts a second in the long run decide there. Within a window that begins with all phases at 0 another
    plan may make a few less; how many is said.
    """
    if not found.wide:
        return Found(None)
    refused = [one for one in found.wide if not one.mechanism]
    more = [one for one in found.wide if one.mechanism and one.rate > one.fewest_rate]
    in_window = [one for one in found.wide if one.mechanism and one.interrupts[0] > one.fewest]
    said = f"{len(found.wide)} systems as threads, of which {len(refused)} are refused"
    if more:
        worst = max(more, key=lambda one: one.rate - one.fewest_rate)
        rates = f"{float(worst.rate):,.2f} a second instead of {float(worst.fewest_rate):,.2f}"
        said += f"; the worst is case {worst.case}: {rates}"
    if in_window:
        most = max(one.interrupts[0] - one.fewest for one in in_window)
        said += f"; in the window of a second {len(in_window)} have more than another, by {most} at most"
    return Found(len(more) + len(refused), said)


def _mean(of: Sequence[Fraction], is_met: Callable[[Fraction, int], bool], said: str) -> Found:
    """The geometric mean of `of`; whether it meets the target says their product, which is exact."""
    if not of:
        return Found(None)
    return Found(geometric_mean(of), said, met=is_met(prod(of, start=Fraction(1)), len(of)))


def _per_job(kind: str, most: int) -> _Find:
    def find(found: Irregular) -> Found:
        of = [one.choice.per_job for one in found.of(kind)]
        left = len(found.of(kind, "refused")) + len(found.of(kind, "overloaded"))
        said = f"{len(of)} systems; {left} refused or overloaded are not in it"
        return _mean(of, lambda product, count: product <= most**count, said)

    return find


def _ratio(kind: str, least: int) -> _Find:
    def find(found: Irregular) -> Found:
        of = found.ratios(kind, found.kernels(Baseline.STOCK.value))
        said = f"{plural(len(of), 'system')}, {Baseline.STOCK.described}"
        for baseline in ON_ONE_CORE:
            others = found.ratios(kind, found.kernels(baseline.value))
            if baseline is not Baseline.STOCK and others:
                mean = geometric_mean(others)
                systems = plural(len(others), "system")
                said += f"; against {baseline.described} {mean:.2f} ({systems})"
        return _mean(of, lambda product, count: product >= least**count, said)

    return find


def _whole(example: str, kind: str) -> _Find:
    def find(found: Irregular) -> Found:
        ours = found.whole(example, kind)
        theirs = found.whole(example, Baseline.RATE_GROUP.value)
        if ours is None or theirs is None:
            return Found(None)
        if ours.misses or theirs.misses or ours.jobs != theirs.jobs:
            return Found(None, "a deadline is missed, or the jobs differ")
        said = f"{theirs.kernel:,} / {ours.kernel:,} kernel instructions"
        for baseline in ON_ONE_CORE:
            other = found.whole(example, baseline.value)
            if baseline is not Baseline.RATE_GROUP and other is not None and not other.misses:
                said += f"; against {baseline.described} {other.kernel / ours.kernel:.2f}"
        return Found(Fraction(theirs.kernel, ours.kernel), said)

    return find


def _alone(found: Irregular) -> Found:
    """The best store of each seed; the worst of these."""
    best: dict[int, Alone] = {}
    for one in found.alone:
        known = best.get(one.seed)
        if known is None or one.kernel * known.jobs < known.kernel * one.jobs:
            best[one.seed] = one
    if not best:
        return Found(None)
    worst = max(best.values(), key=lambda one: Fraction(one.kernel, one.jobs))
    said = ", ".join(f"seed {one.seed}: {one.store}" for one in best.values())
    return Found(Fraction(worst.kernel, worst.jobs), f"{said}; the worse of them")


def _large(found: Irregular) -> Found:
    of = found.large
    if not of:
        return Found(None)
    left = [f"{one.family}, seed {one.seed}" for one in of if not (one.mechanism and one.within)]
    gaps = {
        family: max(one.gap for one in of if one.family == family)
        for family in dict.fromkeys(one.family for one in of)
    }
    shown = ", ".join(f"{family} {number(100 * gap)} %" for family, gap in gaps.items())
    said = f"{len(of)} systems; largest gaps: {shown}"
    said += f"; not within the limit: {'; '.join(left)}" if left else ""
    return Found(Fraction(100 * (len(of) - len(left)), len(of)), said)


def _heavy(found: Irregular) -> Found:
    if not found.flash:
        return Found(None)
    above = [one for one in found.flash if one.ratio > FLASH_RATIO]
    silent = [one for one in above if not one.said]
    built = sum(one.built for one in found.flash)
    said = f"{len(above)} of {len(found.flash)} systems are above; FreeRTOS was built for {built}"
    if silent:
        worst = max(silent, key=lambda one: one.ratio)
        said += f"; of those it is silent about the worst is case {worst.number}: {number(worst.ratio, 3)}"
    return Found(len(silent), f"{said}, as threads")


def _unaccounted(found: Irregular) -> Found:
    made = [(one.choice.interrupts, one.choice.excess) for one in _measured(found)]
    boards = len(made)
    made += [(one.interrupts, one.excess) for one in found.wide]
    of = [
        abs(predicted - taken - coalesced) + excess
        for (predicted, taken, coalesced), excess in made
    ]
    said = f"{boards} plans on mps2-an385, {len(found.wide)} on 5 to 8 cells of the host port"
    return Found(max(of) if of else None, said)


TARGETS: Sequence[Target[Irregular]] = (
    Target("predicted against measured overhead, 95th percentile", "<=", 5, "percent", _off(95)),
    Target("predicted against measured overhead, worst", "<=", 10, "percent", _off(100)),
    Target("measured cost of the choice / best measured, mean", "<=", 1.01, "ratio", _mean_regret),
    Target(
        "measured cost of the choice / best measured, worst", "<=", 1.05, "ratio", _worst_regret
    ),
    Target("legal systems refused as basic tasks", "==", 0, "systems", _refused),
    Target(
        "kernel instructions a job, threads", "<=", 170, "instructions", _per_job(_THREADS, 170)
    ),
    Target(
        "kernel instructions a job, basic tasks", "<=", 60, "instructions", _per_job(_BASIC, 60)
    ),
    *(
        Target(
            f"{example}, rate-group FreeRTOS / ours, {words}",
            ">=",
            least,
            "ratio",
            _whole(example, kind),
        )
        for kind, words, limits in (
            (_THREADS, "threads", (2, 2.5)),
            (_BASIC, "basic tasks", (5, 8)),
        )
        for example, least in zip(EXAMPLES, limits, strict=True)
    ),
    Target("FreeRTOS / ours, threads, geometric mean", ">=", 3, "ratio", _ratio(_THREADS, 3)),
    Target("FreeRTOS / ours, basic tasks, geometric mean", ">=", 9, "ratio", _ratio(_BASIC, 9)),
    Target(
        "one-shot over the best store, 25 distinct tasks, a job", "<=", 170, "instructions", _alone
    ),
    Target(
        "1,500 tasks on 64 cells: share with a plan and its gap within the limit of 10 s",
        "==",
        100,
        "percent",
        _large,
    ),
    Target(
        "interrupts predicted - (taken + coalesced), largest", "==", 0, "interrupts", _unaccounted
    ),
    Target(
        "5 to 8 cells of the host port: choices refused, or with more interrupts a second than another plan",
        "==",
        0,
        "systems",
        _more_interrupts,
    ),
    Target(
        f"systems that take more than {SLOW} s of processor time to plan",
        "==",
        0,
        "systems",
        lambda found: Found(found.slow),
    ),
    Target(
        "flash of a plan above 1.25 x FreeRTOS's without a word about it",
        "==",
        0,
        "systems",
        _heavy,
    ),
)
"""The lines of the issue's table that are measured here; and one for the families on the host port."""


def irregular_rows(found: Irregular) -> list[dict[str, Any]]:
    """The rows of result.json: one for each system and kind of tasks."""
    theirs = {one.value: found.kernels(one.value) for one in ON_ONE_CORE}
    flash = {one.number: one for one in found.flash}
    rows = []
    for one in found.measured:
        case = one.case
        row: dict[str, Any] = {
            "what": "system",
            "number": case.number,
            "family": case.family,
            "tasks": case.n,
            "cells": case.cells,
            "offsets": case.offsets,
            "load": case.load,
            "kind": one.kind,
            "state": one.state,
            "unit": "instructions",
        }
        if one.state == "measured":
            choice = one.choice
            row |= {
                "plan": choice.words,
                "predicted": choice.predicted,
                "measured": choice.measured,
                "jobs": choice.jobs,
                "deadline_misses": choice.misses,
                "tried": len(one.tried),
                "regret": round(float(one.regret), 4),
                **{_KEYS[name]: of.get(case.number) for name, of in theirs.items()},
            }
            if one.kind == _THREADS and case.number in flash:
                of_case = flash[case.number]
                row |= {"flash": of_case.ours, "flash_freertos": of_case.theirs}
        else:
            row["reason"] = one.said
        rows.append(row)
    return rows + _other_rows(found)


_KEYS = {
    Baseline.STOCK.value: "freertos",
    Baseline.RATE_GROUP.value: "freertos_rate_group",
    Baseline.NOTIFY.value: "freertos_notify",
}


def _other_rows(found: Irregular) -> list[dict[str, Any]]:
    return [
        *(
            {
                "what": "example",
                "example": one.example,
                "side": one.side,
                "measured": one.kernel,
                "jobs": one.jobs,
                "deadline_misses": one.misses,
                "unit": "instructions",
            }
            for one in found.wholes
        ),
        *(
            {
                "what": "alone",
                "seed": one.seed,
                "store": one.store,
                "measured": one.kernel,
                "jobs": one.jobs,
                "unit": "instructions",
            }
            for one in found.alone
        ),
        *(
            {
                "what": "large",
                "family": one.family,
                "seed": one.seed,
                "plan": one.mechanism,
                "gap": round(float(one.gap), 6),
                "within": one.within,
            }
            for one in found.large
        ),
        *(
            {
                "what": "wide",
                "number": one.case.number,
                "family": one.case.family,
                "tasks": one.case.n,
                "cells": one.case.cells,
                "plan": one.mechanism,
                "interrupts": {
                    "predicted": one.interrupts[0],
                    "taken": one.interrupts[1],
                    "coalesced": one.interrupts[2],
                },
                "fewest": one.fewest,
                "per_second": round(float(one.rate), 3),
                "fewest_per_second": round(float(one.fewest_rate), 3),
                "deadline_misses": one.misses,
                "unit": "interrupts",
            }
            for one in found.wide
        ),
    ]
