# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""build/<system>/result.json: a result as text.

Decimals appear only in this text. Two runs of the same system give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from horolog.model.baseline import Baseline
from horolog.model.result import (
    CYCLES,
    INSTRUCTIONS,
    Candidate,
    Excess,
    Result,
    Rival,
    Side,
    Suggestion,
)

__all__ = ["suggestion_data", "to_data", "to_json"]

_PERCENT = 4  # decimals
_TIMES = 3


def to_json(result: Result) -> str:
    """The text of result.json."""
    return json.dumps(to_data(result), indent=2, ensure_ascii=False) + "\n"


def to_data(result: Result) -> dict[str, Any]:
    """The object in result.json: keys in the documented order, names within maps sorted."""
    return {
        "system": result.system,
        "board": result.board,
        "versions": _sorted(result.versions),
        "commands": list(result.commands),
        "window_s": _exact(result.window_s),
        "deadlines": None
        if result.deadlines is None
        else {**result.deadlines.to_data(), "hint": result.hint},
        "horolog": _side(result, result.horolog),
        "freertos": None if result.freertos is None else _side(result, result.freertos),
        "alternatives": [_candidate(one) for one in result.alternatives],
        "ratio": _rounded(result.ratio, _PERCENT),
        "ratio_refused": result.ratio_refused,
        "basic": None if result.basic is None else _side(result, result.basic),
        "ratio_basic": _rounded(result.ratio_basic, _PERCENT),
        "ratio_basic_refused": result.ratio_basic_refused,
        "notes": list(result.notes),
        "warnings": list(result.warnings),
        "wcet_exceeded": [_excess(one) for one in result.exceeded],
        "caveat": result.caveat,
        "baselines": {one.baseline.value: _rival(result, one) for one in result.rivals},
        "strongest": _strongest(result),
        "suggestions": [suggestion_data(one) for one in result.suggestions],
        "exception_cycles": None
        if result.exception_cycles is None
        else asdict(result.exception_cycles),
        "exceptions_refused": result.no_exceptions,
        **_with_exceptions(result, Baseline.STOCK),
    }


def _with_exceptions(result: Result, of: Baseline) -> dict[str, Any]:
    """The ratios to a FreeRTOS side with the cycles of exceptions on both sides."""
    return {
        "ratio_exceptions": _rounded(result.ratio_with_exceptions(of), _PERCENT),
        "ratio_basic_exceptions": _rounded(result.ratio_with_exceptions(of, basic=True), _PERCENT),
    }


def suggestion_data(one: Suggestion) -> dict[str, Any]:
    """What would be better, for programs."""
    return {
        "text": one.text,
        "line": one.line,
        "overhead_percent": _rounded(one.before, _PERCENT),
        "overhead_percent_then": _rounded(one.after, _PERCENT),
    }


def _rival(result: Result, rival: Rival) -> dict[str, Any]:
    """A FreeRTOS side other than the stock one."""
    of = rival.baseline
    return {
        "side": None if rival.side is None else _side(result, rival.side),
        "ratio": _rounded(result.ratio_to(of), _PERCENT),
        "ratio_basic": _rounded(result.ratio_to(of, basic=True), _PERCENT),
        "ratio_refused": result.refused_to(of),
        **_with_exceptions(result, of),
    }


def _strongest(result: Result) -> dict[str, Any] | None:
    """The FreeRTOS side that costs least, the stock one among them."""
    of = result.strongest
    if of is None:
        return None
    return {
        "baseline": of.value,
        "ratio": _rounded(result.ratio_to(of), _PERCENT),
        "ratio_basic": _rounded(result.ratio_to(of, basic=True), _PERCENT),
        **_with_exceptions(result, of),
    }


def _exceptions(result: Result, side: Side) -> dict[str, Any] | None:
    """How many were taken, and what these take by the manual, if that is known."""
    of, each = side.exceptions, result.exception_cycles
    if of is None:
        return None
    return {
        **asdict(of),
        "per_job": _rounded(side.exceptions_per_job, _TIMES),
        "cycles": None if each is None else of.cycles(each),
        "kernel_with_cycles": result.with_exceptions(side),
    }


def _side(result: Result, side: Side) -> dict[str, Any]:
    return {
        "mechanism": side.mechanism,
        "jobs": side.jobs,
        "deadline_misses": side.deadline_misses,
        "overruns": side.overruns,
        "interrupts": asdict(side.interrupts),
        INSTRUCTIONS: _counted(side, INSTRUCTIONS),
        "kernel_per_job": _rounded(side.kernel_per_job, _TIMES),
        "overhead_percent": _rounded(side.overhead_percent, _PERCENT),
        "response": {
            task: {name: _rounded(ns, _TIMES) for name, ns in asdict(response).items()}
            for task, response in _sorted(side.response).items()
        },
        CYCLES: _counted(side, CYCLES),
        "interruptions": None if side.interruptions is None else asdict(side.interruptions),
        "memory": None if side.memory is None else asdict(side.memory),
        "exceptions": _exceptions(result, side),
        "cells": side.cells,
        "periods_rounded_percent": _rounded(100 * side.rounded, _PERCENT),
        **({} if not side.beside else _beside(side)),
        **({} if side.doorbells is None else {"doorbells": side.doorbells}),
    }


def _beside(side: Side) -> dict[str, Any]:
    """Of a system with budgets or tables: what was predicted with them, and of each."""
    return {
        "kernel_predicted": _rounded(side.kernel_predicted, _TIMES),
        "beside": [
            {
                "what": one.what,
                "cell": one.cell,
                "interrupts_predicted": one.predicted,
                "interrupts_taken": one.taken,
                "kernel_predicted": _rounded(one.kernel, _TIMES),
                "not_predicted": one.not_predicted,
            }
            for one in side.beside
        ],
    }


def _counted(side: Side, unit: str) -> dict[str, Any] | None:
    """What was counted, if in `unit`."""
    counted = side.instructions
    if counted is None or counted.unit != unit:
        return None
    return {
        "total": counted.total,
        "bodies": counted.bodies,
        "idle": counted.idle,
        "kernel": counted.kernel,
        **({} if counted.retired is None else {"instructions_in_bodies": counted.retired}),
        "by_function": _sorted(counted.by_function),
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return {
        **asdict(one),
        "cells": list(one.cells),
        "kernel_instructions": _rounded(one.kernel_instructions, _TIMES),
        "overhead_percent": _rounded(one.overhead_percent, _PERCENT),
    }


def _excess(one: Excess) -> dict[str, Any]:
    return {
        "task": one.task,
        "executed_ns": _rounded(one.executed * 10**9, _TIMES),
        "wcet_ns": _rounded(one.wcet * 10**9, _TIMES),
    }


def _sorted(names: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(names.items()))


def _rounded(value: Fraction | None, digits: int) -> int | float | None:
    """`value` to `digits` decimals, half to even."""
    if value is None:
        return None
    rounded = round(value, digits)
    return rounded.numerator if rounded.denominator == 1 else float(rounded)


def _exact(value: Fraction) -> int | float | str:
    """A number where its decimal text is exact, else "numerator/denominator"."""
    if value.denominator == 1:
        return value.numerator
    return float(value) if Fraction(repr(float(value))) == value else str(value)
