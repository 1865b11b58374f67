# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The text of costs.toml: a table for each kind of costs, with the meaning of each figure beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from math import ceil, floor

from horolog.calibrate.calibration import Calibration
from horolog.model import Mode
from horolog.model.result import INSTRUCTIONS
from horolog.plan import NEW_COSTS, Costs, Point, QueueCosts, StepCosts
from horolog.plan.prices.basic_costs import BASIC_STEP_MEANING
from horolog.plan.prices.budget_costs import BUDGET_MEANING, BudgetCosts
from horolog.plan.prices.expiry_costs import EXPIRY_MEANING, POINT_MEANING, ExpiryCosts
from horolog.plan.prices.group_costs import LineQueueCosts
from horolog.plan.prices.handler_costs import HANDLER_MEANING, HandlerCosts
from horolog.plan.prices.size_costs import SizeCosts
from horolog.plan.prices.static_costs import STEP_MEANING

__all__ = ["costs_toml", "size_lines", "handler_lines"]

_DIGITS = 2
_ROWS_A_LINE = 3

_MEANING = {
    "interrupt_periodic": "per interrupt, handler entry to exit, without releases",
    "interrupt_one_shot": "likewise, arming for the next instant included",
    "divider_skip": "per interrupt that only counts in software",
    "release": "per job released in a handler",
    "wait": "per job: the wait for the next release, without the walk",
    "walk": "per list node passed on insertion",
    "rearm": "per insertion that becomes the head of a one-shot releaser's list",
    "switch": "per job: switches in and out",
    "required": "per periodic interrupt that releases a task, beyond that",
    "wait_one_shot": "per job with a one-shot cell, beyond `wait`",
    "dispatch": "per switch",
    "fraction": "per job of a period that is no whole number of counts",
    "masks": "per wait for another store, where masks release other threads",
    "part": "per priority level that an instant releases to",
    "step": "per interrupt of a cell with a period that is no whole number of counts",
    "longer": "per interval of such a cell that is a count longer, beyond that",
    "step_basic": "per interrupt of such a cell of basic tasks",
    "own_levels": "per job less, if each thread has a priority level of its own",
    "own_levels_one_shot": "likewise per job with a one-shot cell, beyond that",
    "general": "per instant of a one-shot cell that releases several threads, or the only one",
    "wrap": "per wrap of the clock's counter",
}

_DEADLINE_MEANING = "per job of a basic task with a deadline that such a cell monitors"
_OWN_DEADLINE_MEANING = "the same, if the task has a cell of its own for that"
_OWN_DEADLINE_ALONE_MEANING = "and the interrupt of another cell is the task"
_DISPATCHED_MEANING = "per point of controlled dispatcher tables, beyond a one-shot cell's"
_MOVING_DEADLINE_MEANING = "per job with a monitored deadline of such a table"
_CELL_MEANING = "per interrupt of such a cell, beyond that"

_COOPERATION_MEANING = {
    "visit": "per interrupt of a periodic partner",
    "partner": "of that, per partner that there is",
    "saved": "per instant that a partner serves: what an interrupt of its own costs more",
    "own": "per interrupt of its own, beyond one of a cell that serves alone",
}


_SHARING_MEANING = {
    "thread": "per job of a thread that several tasks share, beside one of a single task",
    "body": "per body that it calls beyond the first",
    "body_clock": "likewise, of a delay queue on a one-shot cell",
}

_SIZES_MEANING = {
    "base": "the kernel with a periodic cell and a sorted list",
    "thread": "per thread",
    "body": "per further task of a thread that several share",
    "cell": "per cell beyond the first",
    "one_shot": "if a cell is one-shot",
    "masks": "if masks release threads, without their tables",
    "chains": "if harmonic arrays do",
    "freertos": "FreeRTOS without a task",
    "freertos_task": "per task of FreeRTOS's",
}
_BASIC_SIZES_MEANING = {
    "base": "the kernel with a periodic cell",
    "task": "per task",
    "line": "per line of the controller that has tasks",
    "cell": "per cell beyond the first",
    "one_shot": "if a cell is one-shot",
    "alone": "per cell that releases one task alone",
    "table": "if a mask table releases",
    "groups": "if period groups are in a list or a heap",
    "chains": "if harmonic arrays release",
}

_QUEUE_MEANING = {
    "over": "",
    "ram": "bytes",
    "ram_per_task": "bytes",
    "rom": "bytes of code beyond the sorted list's",
    "job": "per job: what the kernel makes of the calls, against the sorted list",
    "job_one_shot": "likewise, on a one-shot cell",
    "interrupt_periodic": "per instant, beyond the sorted list's",
    "interrupt_one_shot": "per interrupt, beyond the sorted list's",
}
_PASSED_MEANING = "x: nodes that an insertion into a sorted list passes"
_DEPTH_MEANING = "x: nodes that an insertion into the tree passes"
_OVER_MEANING = {
    "waiting": "x: tasks of the releaser",
    "passed": _PASSED_MEANING,
    "depth": _DEPTH_MEANING,
    "together": "x: jobs released at an instant; of `distinct`: tasks of the releaser",
}


def _room(calibration: Calibration) -> tuple[str, ...]:
    if calibration.ram is None:
        return ()
    kib = calibration.ram // 1024
    return (
        f"# Measured on an emulated chip with {kib} KiB of RAM, as its systems are larger than",
        "# those that the board can run. The instructions are the same.",
    )


def costs_toml(calibration: Calibration) -> str:
    """The text of costs.toml."""
    # REUSE-IgnoreStart
    lines = [
        "# SPDX-FileCopyrightText: 2026 The Horolog developers",
        "# SPDX-License-Identifier: Apache-2.0",
        # REUSE-IgnoreEnd
        "#",
        f"# Written by: horolog calibrate {calibration.board}",
        *_room(calibration),
        "",
        "[meta]",
        f'toolchain = "{calibration.toolchain}"',
        'flags = "-O2"',
        f'generated-by = "horolog calibrate {calibration.board}"',
        "",
        f"[costs]  # {calibration.unit}",
    ]
    for step in fields(Costs):
        value = getattr(calibration.costs, step.name)
        if value or step.name not in NEW_COSTS:
            lines.append(_line(step.name, value, _MEANING[step.name]))
    for mode, devices in calibration.cells.items():
        if devices:
            lines += ["", f"[costs.cell.{mode.value}]  # {calibration.unit}"]
            lines += [_line(device, more, _CELL_MEANING) for device, more in devices.items()]
    for name, devices, meaning in (
        ("deadline", calibration.deadlines, _DEADLINE_MEANING),
        ("own-deadline", calibration.own_deadlines, _OWN_DEADLINE_MEANING),
        (
            "own-deadline-alone",
            calibration.own_deadlines_alone,
            _OWN_DEADLINE_ALONE_MEANING,
        ),
        ("dispatched", calibration.dispatched, _DISPATCHED_MEANING),
        ("moving-deadline", calibration.moving_deadlines, _MOVING_DEADLINE_MEANING),
    ):
        if devices:
            lines += ["", f"[costs.{name}]  # {calibration.unit}"]
            lines += [_line(device, more, meaning) for device, more in devices.items()]
    lines += budget_lines(calibration.budgets, calibration.unit)
    lines += expiry_lines(calibration.expiries, calibration.points, calibration.unit)
    for store, steps in calibration.stores.items():
        for mode, by_step in steps.by_mode.items():
            lines += ["", f"[store.{store}.{mode.value}]  # {calibration.unit}"]
            lines += [_line(step, cost, STEP_MEANING[step]) for step, cost in by_step.items()]
    both = {
        "cooperation": calibration.cooperation,
        "cooperation-by-queue": calibration.cooperation_by_queue,
    }
    for name, cooperation in both.items():
        if cooperation is not None:
            lines += ["", f"[{name}]  # {calibration.unit}"]
            for key, meaning in _COOPERATION_MEANING.items():
                lines.append(_line(key, getattr(cooperation, key), meaning))
    if calibration.sharing is not None:
        lines += ["", f"[shared]  # {calibration.unit}"]
        for key, meaning in _SHARING_MEANING.items():
            lines.append(_line(key, getattr(calibration.sharing, key), meaning))
    lines += size_lines("flash", calibration.flash)
    lines += size_lines("variables", calibration.variables)
    lines += handler_lines(calibration.handlers, calibration.unit)
    lines += basic_lines(calibration.basic, calibration.unit)
    for name, line_queue in calibration.line_queues.items():
        lines += line_queue_lines(name, line_queue, calibration.unit)
    for name, queue in calibration.queues.items():
        lines += _queue_lines(name, queue)
    return "\n".join(lines) + "\n"


def size_lines(name: str, sizes: SizeCosts | None) -> list[str]:
    """The tables of what is taken of the memory `name`."""
    if sizes is None:
        return []
    unit = "bytes" if name == "flash" else "bytes of RAM, without stacks and what stores take"
    lines = ["", f"[{name}]  # {unit}"]
    lines += [_line(key, getattr(sizes.threads, key), text) for key, text in _SIZES_MEANING.items()]
    if sizes.basic is not None:
        lines += ["", f"[{name}.basic]  # bytes, where all tasks are basic"]
        lines += [
            _line(key, getattr(sizes.basic, key), text)
            for key, text in _BASIC_SIZES_MEANING.items()
        ]
    return lines


def handler_lines(
    handlers: Mapping[tuple[str, Mode], HandlerCosts], unit: str = INSTRUCTIONS
) -> list[str]:
    """The tables of how long a handler is."""
    lines = []
    for (store, mode), costs in handlers.items():
        lines += ["", f"[handler.{store}.{mode.value}]  # {unit}, at least and at most"]
        for step, (least, most) in costs.steps.items():
            # Rounded away from each other, so that they stay bounds.
            low, high = (
                Fraction(rounded(one * 100), 100) for rounded, one in ((floor, least), (ceil, most))
            )
            text = f"{step} = [{_decimal(low)}, {_decimal(high)}]"
            lines.append(f"{text:28}# {HANDLER_MEANING[step]}")
    return lines


def budget_lines(
    budgets: Mapping[tuple[str, str], BudgetCosts], unit: str = INSTRUCTIONS
) -> list[str]:
    """The tables of execution budgets."""
    lines = []
    for (way, device), costs in budgets.items():
        lines += ["", f"[budget.{way}.{device}]  # {unit}"]
        for step, meaning in BUDGET_MEANING.items():
            value = getattr(costs, step)
            if value or step in ("before", "after"):
                lines.append(_line(step, value, meaning))
    return lines


def expiry_lines(
    expiries: ExpiryCosts | None, points: Mapping[str, Fraction], unit: str = INSTRUCTIONS
) -> list[str]:
    """The tables of schedule tables: of those by the clock, and of those in timer cells."""
    lines = []
    if expiries is not None:
        lines += ["", f"[expiry]  # {unit}, typically, and the interrupt's part at most"]
        for step, (typical, most) in expiries.steps.items():
            up = Fraction(ceil(most * 100), 100)
            text = f"{step} = [{_decimal(typical)}, {_decimal(up)}]"
            lines.append(f"{text:27} # {EXPIRY_MEANING[step]}")
    if points:
        lines += ["", f"[cell-point]  # {unit}"]
        lines += [_line(step, cost, POINT_MEANING[step]) for step, cost in points.items()]
    return lines


def basic_lines(basic: Mapping[str, StepCosts], unit: str = INSTRUCTIONS) -> list[str]:
    """The tables of basic tasks."""
    lines = []
    for method, steps in basic.items():
        for mode, by_step in steps.by_mode.items():
            lines += ["", f"[basic.{method}.{mode.value}]  # {unit}"]
            lines += [_line(step, cost, BASIC_STEP_MEANING[step]) for step, cost in by_step.items()]
            cells = steps.cells.get(mode, {})
            if cells:
                lines += ["", f"[basic.{method}.{mode.value}.cell]  # {unit}"]
                lines += [_line(device, more, _CELL_MEANING) for device, more in cells.items()]
    return lines


def line_queue_lines(name: str, queue: LineQueueCosts, unit: str = INSTRUCTIONS) -> list[str]:
    """The table of a delay queue of groups of basic tasks."""
    text = f'over = "{queue.over}"'
    meaning = "x: groups" if queue.over == "waiting" else _OVER_MEANING[queue.over]
    rows = ", ".join(f"[{_decimal(p.x)}, {_decimal(p.insert)}]" for p in queue.curve.points)
    return [
        "",
        f"[line-queue.{name}]  # {unit}",
        f"{text:28}# {meaning}",
        _line("interrupt", queue.interrupt, "per interrupt, beyond a sorted list's"),
        *_slot_walk_lines(queue.slot_walk),
        "# x, per group released: beyond a sorted list in which nothing is passed",
        f"release = [{rows}]",
    ]


def _line(key: str, value: Fraction, meaning: str) -> str:
    text = f"{key} = {_decimal(value)}"
    return f"{text:28}# {meaning}"


def _slot_walk_lines(value: Fraction) -> list[str]:
    meaning = "per node that an insertion into the wheel passes, beyond the points"
    return [_line("slot_walk", value, meaning)] if value else []


def _queue_lines(name: str, queue: QueueCosts) -> list[str]:
    """One queue's table: figures, then a curve for each shape of workload."""
    lines = ["", f"[queue.{name}]"]
    for key, meaning in _QUEUE_MEANING.items():
        value = getattr(queue, key)
        text = f'{key} = "{value}"' if key == "over" else f"{key} = {_decimal(value)}"
        if key == "over":
            meaning = _OVER_MEANING[queue.over]
        lines.append(f"{text:28}# {meaning}")
    lines += _slot_walk_lines(queue.slot_walk)
    for shape, curve in queue.curves.items():
        lines.append(f"{shape} = [  # x, insert, first, pop")
        rows = [_row(point) for point in curve.points]
        lines += [
            f"    {', '.join(rows[at : at + _ROWS_A_LINE])},"
            for at in range(0, len(rows), _ROWS_A_LINE)
        ]
        lines.append("]")
    return lines


def _row(point: Point) -> str:
    values = (point.x, point.insert, point.first, point.pop)
    return f"[{', '.join(map(_decimal, values))}]"


def _decimal(value: Fraction) -> str:
    """`value` to _DIGITS, as a TOML number."""
    rounded = round(value, _DIGITS)
    return str(rounded) if rounded.denominator == 1 else f"{float(rounded):.{_DIGITS}f}".rstrip("0")
