# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rows of all tables, as they stand in result.json."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from horolog.build.freertos import HOW_TO_GET_IT
from horolog_experiments.kernel.recorded import recorded
from horolog_experiments.kernel.results import Results
from horolog_experiments.kernel.rows import BEST, DIRECT, ROWS, TUNED, BestRow, TableRow, TunedRow
from horolog_experiments.kernel.scenarios import OURS, THREADX
from horolog_experiments.kernel.targets import json_number, row_title, threadx_said

__all__ = ["head", "result_rows"]


def head(results: Results) -> dict[str, Any]:
    """What the figures hold for."""
    return {
        "toolchain": results.toolchain,
        "freertos": results.freertos,
        "threadx": f"{results.threadx or recorded().version}, {threadx_said(results)}",
    }


def result_rows(results: Results) -> list[dict[str, Any]]:
    """The rows of all tables."""
    return [
        *(_row(results, row) for row in ROWS),
        *(_tuned_row(results, tuned) for tuned in TUNED),
        *(_best_row(results, row) for row in BEST + DIRECT),
    ]


def _row(results: Results, row: TableRow) -> dict[str, Any]:
    """Averages, best and worst of a whole sample, and the ratio."""
    made: dict[str, Any] = {
        "table": "beside FreeRTOS",
        "what": row_title(row),
        "scenario": row.scenario,
        "side": row.side,
    }
    for name, side in (("horolog", OURS), ("freertos", row.side)):
        made[name] = json_number(results.value(row, side))
        spans = results.spans.get((side, row.scenario))
        if spans is not None:
            made[f"{name}_samples"] = spans.samples
            made[f"{name}_best"] = json_number(Fraction(spans.best, row.divisor))
            made[f"{name}_worst"] = json_number(Fraction(spans.worst, row.divisor))
    made |= {
        "ratio": json_number(results.ratio(row)),
        "unit": row.unit,
        "platform": results.platform,
    }
    if made["horolog"] is None:
        made["reason"] = results.missing.get(row.scenario, "the run was limited")
    elif made["freertos"] is None:
        made["reason"] = "the run was limited" if results.freertos else HOW_TO_GET_IT
    return made


def _tuned_row(results: Results, tuned: TunedRow) -> dict[str, Any]:
    row = tuned.row
    return {
        "table": "tuned",
        "what": row_title(row),
        "scenario": tuned.ours,
        "settings": tuned.settings.replace("`", ""),
        "horolog": json_number(results.value(row, OURS, tuned.ours)),
        "freertos": json_number(results.value(row, row.side, tuned.theirs)),
        "ratio": json_number(results.tuned_ratio(tuned)),
        "unit": row.unit,
        "platform": results.platform,
    }


def _best_row(results: Results, row: BestRow) -> dict[str, Any]:
    names = {"notify": "freertos_notification"}
    return {
        "table": "called directly" if row.target is None else "beside the best",
        "what": row.title,
        "scenario": row.scenario,
        "horolog": json_number(results.value(row, OURS)),
        **{
            names.get(side, "freertos"): json_number(results.value(row, side)) for side in row.sides
        },
        "threadx": json_number(results.value(row, THREADX)),
        "threadx_is": threadx_said(results),
        "best_other": json_number(results.best_other(row)),
        "unit": row.unit,
        "platform": results.platform,
    }
