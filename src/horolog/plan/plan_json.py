# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A planning outcome as plain data, for `horolog plan --json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from typing import Any

from horolog.analyse import lines_of, numbered
from horolog.model import (
    MODEL_BOUND,
    Bounds,
    HandlerBound,
    Mapping,
    Moves,
    Plan,
    Planned,
    Prediction,
    QueueChoice,
    QueueOption,
    Releaser,
    Sharing,
    System,
    Trial,
    Verification,
)
from horolog.model.memory import ESTIMATE_ERROR, MemoryEstimate
from horolog.plan.cell_counts import ByCells
from horolog.plan.prediction.utilisation import Demand, demand_of

__all__ = ["curve_to_data", "to_data"]

_DIGITS = 6
_RATES = ("interrupts_per_second", "overhead_percent")


def to_data(system: System, planned: Planned) -> dict[str, Any]:
    """Returns an object for json.dumps. Fractions become decimals here and nowhere before."""
    data: dict[str, Any] = _plain(
        {
            "system": system.name,
            "board": system.board.name,
            "window_s": system.duration,
            **_some(
                planned, "jobs", "distinct_instants", "forced", "objective", "notes", "warnings"
            ),
            "demand": _demand(demand_of(system, planned.choice)),
            "search": {**_plain_value(planned.search), "gap": float(planned.search.gap)},
            "bounds": None if planned.bounds is None else _bounds(planned.bounds),
            "costs": planned.costs,
            "memory": None if planned.memory is None else _memory(planned.memory),
            "sharing": None if planned.sharing is None else _sharing(system, planned.sharing),
            "moves": None if planned.moves is None else _moves(system, planned.moves),
            "verification": None
            if planned.verification is None
            else _verification(planned.verification),
            **_clock(system, planned),
            "choice": _plan(system, planned.choice),
            "alternatives": [
                {
                    "mechanism": one.mechanism,
                    "admissible": one.plan is not None,
                    "chosen": one.plan is not None and one.mechanism == planned.choice.mechanism,
                    "reason": one.reason,
                    "plan": None if one.plan is None else _plan(system, one.plan),
                }
                for one in planned.alternatives
            ],
        }
    )
    return data


def curve_to_data(curve: Sequence[ByCells]) -> list[dict[str, Any]]:
    """The rows of `horolog plan --curve`."""
    rows: list[dict[str, Any]] = _plain([_by_cells(row) for row in curve])
    return rows


def _plain(data: Any) -> Any:
    return json.loads(json.dumps(data, default=_plain_value))


def _plain_value(value: Any) -> Any:
    """A fraction as a decimal, a choice as its word, any other object by its fields."""
    if isinstance(value, Fraction):
        whole = value.denominator == 1
        return value.numerator if whole else round(float(value), _DIGITS)
    if isinstance(value, Enum):
        return value.value
    return _some(value, *(field.name for field in fields(value)))


def _some(one: object, *names: str) -> dict[str, Any]:
    """Returns the attributes of `one` with these names."""
    return {name: getattr(one, name) for name in names}


def _by_cells(row: ByCells) -> dict[str, Any]:
    chronos = None
    if row.mapping is not None and row.chronos is not None:
        chronos = {"mapping": _mapping(row.mapping), **_some(row.chronos, *_RATES)}
    return {
        "cells": row.cells,
        "chronos": chronos,
        "chosen": row.chosen,
        **_some(row.prediction, *_RATES),
        "mechanisms": {
            name: _some(one, "interrupts_per_second", "kernel_per_second")
            for name, one in row.others
        },
    }


def _memory(memory: MemoryEstimate) -> dict[str, Any]:
    """An estimate, in bytes; what tables save is in percent of the processor."""
    return {
        "flash": None if memory.flash is None else round(memory.flash),
        "flash_error_percent": None if memory.flash is None else ESTIMATE_ERROR,
        "tables": memory.tables,
        "variables": None if memory.variables is None else round(memory.variables),
        "stacks": memory.stacks,
        "cells": memory.cells,
        "freertos_flash": None if memory.freertos_flash is None else round(memory.freertos_flash),
        "freertos_variables": None
        if memory.freertos_variables is None
        else round(memory.freertos_variables),
        "freertos_stacks": memory.freertos_stacks,
        "bought": [
            _some(one, "cell", "store", "bytes", "beside", "saves") for one in memory.bought
        ],
    }


def _demand(demand: Demand) -> dict[str, Any]:
    return {
        "tasks_percent": 100 * demand.tasks,
        "kernel_percent": None if demand.kernel is None else 100 * demand.kernel,
        "total_percent": 100 * demand.total,
    }


def _plan(system: System, plan: Plan) -> dict[str, Any]:
    made: dict[str, Any] = {
        "mechanism": plan.mechanism,
        "releasers": [_releaser(system, releaser) for releaser in plan.releasers],
        "prediction": _prediction(plan.prediction),
        "queues": [_queue(choice) for choice in plan.queues],
        "mapping": None if plan.mapping is None else _mapping(plan.mapping),
        "mixture": plan.mixture,
        "handlers": [_handler(one) for one in plan.handlers],
    }
    if system.has_basic:
        made["lines"] = _lines(system, plan)
    return made


def _clock(system: System, planned: Planned) -> dict[str, Any]:
    """By what the clock counts, and the best plan behind each prescaler; nothing without prescalers."""
    clock = system.board.clock
    if not clock.prescalers:
        return {}
    rows = [
        {
            **_some(one, "prescaler", "hz", "reason"),
            "count_s": float(1 / one.hz),
            "wraps_after_s": float(one.wraps_after),
            "mechanism": None if one.plan is None else one.plan.mechanism,
            "prediction": None if one.plan is None else _prediction(one.plan.prediction),
        }
        for one in planned.prescalers
    ]
    return {"clock": _some(clock, "hz", "prescaler", "input_hz"), "prescalers": rows}


def _handler(bound: HandlerBound) -> dict[str, Any]:
    return {
        **_some(bound, "cell", "longest", "shortest", "varies"),
        "not_known": bound.why,
    }


def _lines(system: System, plan: Plan) -> list[dict[str, Any]]:
    """The lines of basic tasks. Of a plan that is not chosen they may be more than the board has."""
    try:
        found = numbered(system, plan)
    except ValueError:
        found = tuple((line, None) for line in lines_of(system, plan))
    return [
        {
            "level": line.level,
            "dispatched_by": line.by,
            "cell": line.cell,
            "handler": None if own is None else own.handler,
            "number": None if own is None else own.number,
            "tasks": [system.task(task).name for task in line.tasks],
        }
        for line, own in found
    ]


def _mapping(mapping: Mapping) -> dict[str, Any]:
    return {
        **_some(mapping, "interrupts_per_second", "bound_per_second"),
        "proved_optimal": mapping.proved,
        "gap": float(mapping.gap),
        "how": mapping.how,
    }


def _bounds(bounds: Bounds) -> dict[str, Any]:
    return {
        "instants_per_second_at_least": bounds.instants_low,
        "instants_per_second_at_most": bounds.instants_high,
        "harmonic_chains": bounds.chains,
    }


def _queue(choice: QueueChoice) -> dict[str, Any]:
    return {**_plain_value(choice), "options": [_option(option) for option in choice.options]}


def _sharing(system: System, sharing: Sharing) -> dict[str, Any]:
    return {
        "threads": [[system.tasks[task].name for task in tasks] for tasks in sharing.threads],
        "saved_kernel_per_second": sharing.kernel_per_second,
        "saved_stack_bytes": sharing.stack_bytes,
    }


def _moves(system: System, found: Moves) -> dict[str, Any]:
    return {
        "tasks": [
            {
                "task": system.tasks[one.task].name,
                "delay_s": one.delay,
                "nominal_period_s": one.nominal_period,
                "period_s": one.period,
            }
            for one in found.moves
        ],
        "ways": found.ways,
        "compared": found.compared,
        "saved": _some(found, "interrupts", "interrupts_per_second", "kernel_per_second", "busy"),
    }


def _verification(found: Verification) -> dict[str, Any]:
    return {
        "unit": found.unit,
        "bound_percent": 100 * MODEL_BOUND,
        "interrupted": found.interrupted,
        "not_judged": found.unjudged,
        "faults": found.faults,
        "trials": [
            {**_trial(one), "chosen": one is found.chosen, "predicted_best": one is found.trials[0]}
            for one in found.trials
        ],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "mechanism": trial.plan.mechanism,
        "stores": [releaser.store for releaser in trial.plan.releasers],
        **_some(trial, "predicted", "measured"),
        "difference_percent": None if trial.off is None else 100 * trial.off,
        **_some(trial, "interrupts", "late"),
        "not_measured": trial.why or None,
    }


def _option(option: QueueOption) -> dict[str, Any]:
    return {
        **_some(option, "store", "admissible"),
        "linear_insert": option.linear,
        "instructions_per_job": option.per_job,
        "kernel_per_second": option.per_second,
        "ram_bytes": option.ram,
        "table_bytes": option.constants,
        "curve": {"over": option.over, "x": option.x, "points": option.points}
        if option.points
        else None,
        "steps": option.steps,
    }


def _releaser(system: System, releaser: Releaser) -> dict[str, Any]:
    made: dict[str, Any] = {
        **_some(releaser, "cell", "mode", "store"),
        "first_counts": releaser.first,
        "cell_period_counts": None if releaser.cell_period is None else releaser.counts,
        **_some(releaser, "divider", "cooperates"),
        "period_s": releaser.period,
        "tasks": [system.tasks[task].name for task in releaser.tasks],
    }
    if releaser.prescaler is not None:
        made["prescaler"] = releaser.prescaler
    if releaser.level is not None:
        made["interrupt"] = {"level": releaser.level, "direct": releaser.direct}
    return made


def _prediction(prediction: Prediction) -> dict[str, Any]:
    made = {
        "interrupts": prediction.interrupts,
        "interrupts_by_cell": dict(prediction.interrupts_by_cell),
        **_some(prediction, "required", "not_required", "coincident"),
        **_some(prediction, "interrupts_per_second", "required_per_second"),
        **_some(prediction, "not_required_per_second", "coincident_per_second"),
        **_some(prediction, "kernel_instructions", "kernel_per_second"),
        "kernel_range_per_second": list(prediction.kernel_range_per_second),
        **_some(prediction, "overhead_percent", "rate_exact"),
    }
    if prediction.disturbances_per_second is not None:
        made["disturbances_per_second"] = prediction.disturbances_per_second
    if prediction.beside:
        made["beside"] = [
            {
                **_some(one, "what", "cell", "interrupts"),
                "kernel_instructions": one.kernel,
                "kernel_per_second": None if one.kernel is None else one.kernel_per_second,
                "not_predicted": one.not_predicted,
            }
            for one in prediction.beside
        ]
    return made
