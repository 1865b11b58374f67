# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rows of result.json: one for each figure, with its unit."""

from __future__ import annotations

from typing import Any

from horolog_experiments.dispatch.memory import total
from horolog_experiments.dispatch.scenarios import PLATFORMS, Span
from horolog_experiments.harness.tables import plain
from horolog_experiments.tables.results import Results
from horolog_experiments.tables.sync import DISPATCHER, SCHEDULE

__all__ = ["result_rows"]

_WORDS = {
    Span.START: "expiry to first instruction",
    Span.END: "end of the task to resumed code",
}


def result_rows(results: Results) -> list[dict[str, Any]]:
    """All rows."""
    return [
        *_span_rows(results),
        *_call_rows(results),
        *_rate_rows(results),
        *_held_rows(results),
        *_following_rows(results),
        *_memory_rows(results),
    ]


_UNITS = {platform.name: platform.unit for platform in PLATFORMS}


def _span_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": _WORDS[span],
            "scenario": scenario,
            "kernel": kernel,
            "worst": one.worst,
            "best": one.best,
            "mean": plain(one.mean),
            "samples": one.samples,
            "unit": _UNITS[platform],
            "platform": platform,
        }
        for (platform, kernel, scenario, span), one in results.spans.items()
    ]


def _call_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "call of a schedule table",
            "call": call,
            "counter": counter,
            "worst": one.worst,
            "best": one.best,
            "mean": plain(one.mean),
            "samples": one.samples,
            "unit": _UNITS[platform],
            "platform": platform,
        }
        for (platform, counter, call), one in results.calls.items()
    ]


def _held_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "deadlines of many rounds",
            "way": image,
            "rounds": one.rounds,
            "deadlines": one.deadlines,
            "interrupts": one.interrupts,
            "drift": one.drift,
            "latest": one.latest,
            "unit": "counts",
            "platform": where,
        }
        for (where, image), one in results.held.items()
    ]


def _following_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "global time",
            "table": table,
            "ppm": ppm,
            "given": given,
            "converged": one.settled,
            "worst": one.worst,
            "rounds": one.rounds,
            "unit": "counts",
            "platform": "host",
        }
        for table, some in ((SCHEDULE, results.following), (DISPATCHER, results.dispatched))
        for (ppm, given), one in some.items()
    ]


def _rate_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "shortest round without a lost activation",
            "measured": cycles,
            "unit": "cycles",
            "platform": platform,
        }
        for (platform, _), cycles in results.rates.items()
    ]


def _memory_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "memory of the kernel",
            "image": name,
            "rom": total(pieces, "kernel", "rom"),
            "ram": total(pieces, "kernel", "ram"),
            "unit": "bytes",
            "platform": board,
        }
        for (board, name), pieces in results.memory.items()
    ]
