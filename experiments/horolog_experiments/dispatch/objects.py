# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rows of result.json: one for each figure, with its unit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from horolog_experiments.dispatch.memory import total
from horolog_experiments.dispatch.results import Results
from horolog_experiments.dispatch.scenarios import PLATFORMS, Span
from horolog_experiments.dispatch.targets import per_job
from horolog_experiments.dispatch.visits import Part
from horolog_experiments.harness.tables import plain

__all__ = ["result_rows"]


def result_rows(results: Results) -> list[dict[str, Any]]:
    """All rows."""
    return [
        *_span_rows(results),
        *_rate_rows(results),
        *_interruption_rows(results),
        *_memory_rows(results),
        *_chronos_rows(results),
    ]


def _units() -> dict[str, str]:
    return {platform.name: platform.unit for platform in PLATFORMS}


def _span_rows(results: Results) -> list[dict[str, Any]]:
    units = _units()
    return [
        {
            "what": _WORDS[span],
            "scenario": scenario,
            "kernel": kernel,
            "worst": one.worst,
            "best": one.best,
            "mean": plain(one.mean),
            "samples": one.samples,
            **({"phases": one.phases} if one.phases else {}),
            **_made_of(results.parts.get((platform, kernel, scenario, span), ())),
            "unit": units[platform],
            "platform": platform,
        }
        for (platform, kernel, scenario, span), one in results.spans.items()
    ]


def _made_of(parts: Sequence[Part]) -> dict[str, Any]:
    return {"worst_made_of": {part.name: part.time for part in parts}} if parts else {}


_WORDS = {
    Span.START: "expiry to first instruction",
    Span.END: "end of the task to resumed code",
    Span.NEXT: "end of the task to the next task",
    Span.ROUND: "release, dispatch and end of all",
    Span.YIELD: "yield",
}


def _rate_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "shortest period without a lost activation",
            "way": wakeup,
            "measured": cycles,
            "unit": "cycles",
            "platform": platform,
        }
        for (platform, wakeup), cycles in results.rates.items()
    ]


def _interruption_rows(results: Results) -> list[dict[str, Any]]:
    units = _units()
    return [
        {
            "what": "interruptions of the urgent task",
            "way": image,
            "jobs": one.jobs,
            "count": one.count,
            "total": one.total,
            "worst": one.worst,
            "unit": units[platform],
            "platform": platform,
        }
        for (platform, image), one in results.interruptions.items()
    ]


def _memory_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "memory of the kernel",
            "kernel": kernel,
            "rom": total(pieces, "kernel", "rom"),
            "ram": total(pieces, "kernel", "ram"),
            "unit": "bytes",
            "platform": board,
        }
        for (board, kernel), pieces in results.memory.items()
    ]


def _chronos_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "CHRONOS, basic tasks",
            "scenario": one.scenario,
            "factor": one.factor,
            "variant": one.variant,
            "plan": one.plan,
            **({"said": one.said} if one.said else {}),
            "jobs": one.jobs,
            "kernel_per_job": plain(per_job(one)),
            "freertos_per_job": plain(Fraction(one.theirs, one.jobs)) if one.theirs else None,
            "tickless_per_job": plain(one.tickless),
            "gcd_tick_per_job": plain(one.gcd_tick),
            "rate_group_per_job": plain(one.rate_group),
            "rate_group_gcd_per_job": plain(one.rate_group_gcd),
            "unit": "instructions",
            "platform": "mps2-an385",
        }
        for one in results.chronos
    ]
