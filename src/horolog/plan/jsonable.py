# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A planning outcome as plain data, for `horolog plan --json`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from horolog.analyse import lines_of, numbered
from horolog.model import (
    Alternative,
    Bounds,
    CostsOrigin,
    Mapping,
    Plan,
    Planned,
    Prediction,
    QueueChoice,
    QueueOption,
    Releaser,
    System,
)
from horolog.plan.cell_counts import ByCells
from horolog.plan.prediction.utilisation import Demand, demand_of

__all__ = ["curve_to_data", "to_data"]

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
        "objective": planned.objective,
        "notes": list(planned.notes),
        "warnings": list(planned.warnings),
        "demand": _demand(demand_of(system, planned.choice)),
        "bounds": None if planned.bounds is None else _bounds(planned.bounds),
        "costs": None if planned.costs is None else _costs(planned.costs),
        "choice": _plan(system, planned.choice),
        "alternatives": [_alternative(system, one, planned) for one in planned.alternatives],
    }


def curve_to_data(curve: Sequence[ByCells]) -> list[dict[str, Any]]:
    """The rows of `horolog plan --curve`."""
    return [
        {
            "cells": row.cells,
            "chronos": None
            if row.mapping is None or row.chronos is None
            else {
                "mapping": _mapping(row.mapping),
                "interrupts_per_second": _decimal(row.chronos.interrupts_per_second),
                "overhead_percent": _decimal(row.chronos.overhead_percent),
            },
            "chosen": row.chosen,
            "interrupts_per_second": _decimal(row.prediction.interrupts_per_second),
            "overhead_percent": _decimal(row.prediction.overhead_percent),
            "mechanisms": {
                name: {
                    "interrupts_per_second": _decimal(one.interrupts_per_second),
                    "kernel_per_second": _decimal(one.kernel_per_second),
                }
                for name, one in row.others
            },
        }
        for row in curve
    ]


def _demand(demand: Demand) -> dict[str, Any]:
    return {
        "tasks_percent": _decimal(100 * demand.tasks),
        "kernel_percent": None if demand.kernel is None else _decimal(100 * demand.kernel),
        "total_percent": _decimal(100 * demand.total),
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
    made: dict[str, Any] = {
        "mechanism": plan.mechanism,
        "releasers": [_releaser(system, releaser) for releaser in plan.releasers],
        "prediction": _prediction(plan.prediction),
        "queues": [_queue(choice) for choice in plan.queues],
        "mapping": None if plan.mapping is None else _mapping(plan.mapping),
        "mixture": None
        if plan.mixture is None
        else {"compared": plan.mixture.compared, "how": plan.mixture.how},
    }
    if system.basic:
        made["lines"] = _lines(system, plan)
    return made


def _lines(system: System, plan: Plan) -> list[dict[str, Any]]:
    """The lines of basic tasks. Of a plan that is not chosen they may be more than the board has."""
    try:
        found = numbered(system, plan)
    except ValueError:
        found = tuple((line, None) for line in lines_of(system, plan))
    return [
        {
            "level": line.level,
            "dispatched_by": line.by.value,
            "cell": line.cell,
            "handler": None if own is None else own.handler,
            "number": None if own is None else own.number,
            "tasks": [system.tasks[task].name for task in line.tasks],
        }
        for line, own in found
    ]


def _mapping(mapping: Mapping) -> dict[str, Any]:
    return {
        "interrupts_per_second": _decimal(mapping.interrupts_per_second),
        "bound_per_second": _decimal(mapping.bound_per_second),
        "proved_optimal": mapping.proved,
        "gap": float(mapping.gap),
        "how": mapping.how,
    }


def _bounds(bounds: Bounds) -> dict[str, Any]:
    return {
        "instants_per_second_at_least": _decimal(bounds.instants_low),
        "instants_per_second_at_most": _decimal(bounds.instants_high),
        "harmonic_chains": bounds.chains,
    }


def _costs(origin: CostsOrigin) -> dict[str, Any]:
    return {
        "file": origin.file,
        "kind": origin.kind,
        "toolchain": origin.toolchain,
        "flags": origin.flags,
    }


def _queue(choice: QueueChoice) -> dict[str, Any]:
    return {
        "cell": choice.cell,
        "store": choice.store,
        "reason": choice.reason,
        "shape": choice.shape,
        "tasks": choice.tasks,
        "walked": _decimal(choice.walked),
        "options": [_option(option) for option in choice.options],
        "misfits": [{"store": one.store, "reason": one.reason} for one in choice.misfits],
    }


def _option(option: QueueOption) -> dict[str, Any]:
    return {
        "store": option.store,
        "admissible": option.admissible,
        "linear_insert": option.linear,
        "instructions_per_job": _decimal(option.per_job),
        "kernel_per_second": _decimal(option.per_second),
        "ram_bytes": option.ram,
        "table_bytes": option.constants,
        "curve": {
            "over": option.over,
            "x": _decimal(option.x),
            "points": [[_decimal(x), _decimal(cost)] for x, cost in option.points],
        }
        if option.points
        else None,
        "steps": [
            {
                "name": step.name,
                "per_second": _decimal(step.per_second),
                "instructions": _decimal(step.instructions),
            }
            for step in option.steps
        ],
    }


def _releaser(system: System, releaser: Releaser) -> dict[str, Any]:
    made: dict[str, Any] = {
        "cell": releaser.cell,
        "mode": releaser.mode.value,
        "store": releaser.store,
        "first_counts": releaser.first,
        "cell_period_counts": releaser.cell_period,
        "divider": releaser.divider,
        "cooperates": releaser.cooperates,
        "period_s": None if releaser.period is None else _decimal(releaser.period),
        "tasks": [system.tasks[task].name for task in releaser.tasks],
    }
    if releaser.level is not None:
        made["interrupt"] = {"level": releaser.level, "direct": releaser.direct}
    return made


def _prediction(prediction: Prediction) -> dict[str, Any]:
    made: dict[str, Any] = {
        "interrupts": prediction.interrupts,
        "interrupts_by_cell": dict(prediction.interrupts_by_cell),
        "required": prediction.required,
        "not_required": prediction.not_required,
        "coincident": prediction.coincident,
        "interrupts_per_second": _decimal(prediction.interrupts_per_second),
        "required_per_second": _decimal(prediction.required_per_second),
        "not_required_per_second": _decimal(prediction.not_required_per_second),
        "coincident_per_second": _decimal(prediction.coincident_per_second),
        "kernel_instructions": _decimal(prediction.kernel_instructions),
        "kernel_per_second": _decimal(prediction.kernel_per_second),
        "overhead_percent": _decimal(prediction.overhead_percent),
        "rate_exact": prediction.rate_exact,
    }
    if prediction.disturbances_per_second is not None:
        made["disturbances_per_second"] = _decimal(prediction.disturbances_per_second)
    return made


def _decimal(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else round(float(value), _DIGITS)
