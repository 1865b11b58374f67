# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that this experiment measures, and the rows of result.json."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from horolog.model import Kind
from horolog_experiments.harness import Found, Target
from horolog_experiments.irregular.results import (
    SLOW,
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
        of = found.ratios(kind)
        said = f"{len(of)} systems, stock FreeRTOS"
        return _mean(of, lambda product, count: product >= least**count, said)

    return find


def _unaccounted(found: Irregular) -> Found:
    of = [
        abs(one.choice.interrupts[0] - sum(one.choice.interrupts[1:])) + one.choice.excess
        for one in _measured(found)
    ]
    return Found(max(of) if of else None)


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
    Target("FreeRTOS / ours, threads, geometric mean", ">=", 3, "ratio", _ratio(_THREADS, 3)),
    Target("FreeRTOS / ours, basic tasks, geometric mean", ">=", 9, "ratio", _ratio(_BASIC, 9)),
    Target(
        "interrupts predicted - (taken + coalesced), largest", "==", 0, "interrupts", _unaccounted
    ),
    Target(
        f"systems that take more than {SLOW} s of processor time to plan",
        "==",
        0,
        "systems",
        lambda found: Found(found.slow),
    ),
)
"""The lines of the issue's table that are measured here, unchanged."""


def irregular_rows(found: Irregular) -> list[dict[str, Any]]:
    """The rows of result.json: one for each system and kind of tasks."""
    theirs = dict(found.freertos)
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
                "freertos": theirs.get(case.number),
            }
        else:
            row["reason"] = one.said
        rows.append(row)
    return rows
