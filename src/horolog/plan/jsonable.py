# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A planning outcome as plain data, for `horolog plan --json`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from horolog.model import Alternative, Plan, Planned, Prediction, Releaser, System

__all__ = ["to_data"]

_DIGITS = 6


def to_data(system: System, planned: Planned) -> dict[str, Any]:
    """What json.dumps takes. Fractions become decimals here and nowhere before."""
    return {
        "system": system.name,
        "board": system.board.name,
        "window_s": _decimal(system.duration),
        "jobs": planned.jobs,
        "distinct_instants": planned.distinct_instants,
        "forced": planned.forced,
        "choice": _plan(system, planned.choice),
        "alternatives": [_alternative(system, one, planned) for one in planned.alternatives],
    }


def _alternative(system: System, one: Alternative, planned: Planned) -> dict[str, Any]:
    return {
        "mechanism": one.mechanism,
        "admissible": one.plan is not None,
        "chosen": one.plan is not None and one.mechanism == planned.choice.mechanism,
        "reason": one.reason,
        "plan": None if one.plan is None else _plan(system, one.plan),
    }


def _plan(system: System, plan: Plan) -> dict[str, Any]:
    return {
        "mechanism": plan.mechanism,
        "releasers": [_releaser(system, releaser) for releaser in plan.releasers],
        "prediction": _prediction(plan.prediction),
    }


def _releaser(system: System, releaser: Releaser) -> dict[str, Any]:
    return {
        "cell": releaser.cell,
        "mode": releaser.mode.value,
        "store": releaser.store,
        "first_counts": releaser.first,
        "cell_period_counts": releaser.cell_period,
        "divider": releaser.divider,
        "period_s": None if releaser.period is None else _decimal(releaser.period),
        "tasks": [system.tasks[task].name for task in releaser.tasks],
    }


def _prediction(prediction: Prediction) -> dict[str, Any]:
    return {
        "interrupts": prediction.interrupts,
        "interrupts_by_cell": dict(prediction.interrupts_by_cell),
        "required": prediction.required,
        "interrupts_per_second": _decimal(prediction.interrupts_per_second),
        "kernel_instructions": _decimal(prediction.kernel_instructions),
        "kernel_per_second": _decimal(prediction.kernel_per_second),
        "overhead_percent": _decimal(prediction.overhead_percent),
        "rate_exact": prediction.rate_exact,
    }


def _decimal(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else round(float(value), _DIGITS)
