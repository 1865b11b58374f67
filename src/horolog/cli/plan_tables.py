# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tables of `horolog plan` beside that of releasers: divisions among cells, numbers of cells, lines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.table import Column

from horolog.analyse import Dispatcher, lines, numbered
from horolog.cli import plain_table, right
from horolog.figures import first_names, significant
from horolog.model import Bounds, Mapping, Plan, Planned, Releaser, System
from horolog.plan import ByCells
from horolog.read.units import about_duration_text, frequency_text

__all__ = [
    "clock_text",
    "interrupt_text",
    "print_curve",
    "print_lines",
    "print_mappings",
    "print_prescalers",
    "quality",
    "rate_text",
]

_NAMES = 6  # of the tasks of a line


def print_mappings(out: Console, planned: Planned) -> None:
    """How far each division of tasks is from the best, and the bounds that hold for all mechanisms."""
    out.print()
    for alternative in planned.alternatives:
        plan = alternative.plan
        # Other mechanisms of the same division have nothing more to say of it.
        if plan is not None and plan.mapping is not None and plan.mechanism == "chronos":
            mapping = plan.mapping
            text = f"{alternative.mechanism:<10} {rate_text(mapping.interrupts_per_second)} interrupts/s"
            if plan.prediction.interrupts_per_second != mapping.interrupts_per_second:
                text += " before dividers"
            out.print(f"{text}: {quality(mapping)} ({mapping.how})", soft_wrap=True)
        if plan is not None and plan.mixture is not None:
            out.print(f"mixed      {plan.mixture.how}", soft_wrap=True)
    if planned.bounds is not None:
        out.print(
            f"bound      {_instants(planned.bounds)} distinct release instants/s", soft_wrap=True
        )
        chains = planned.bounds.chains
        out.print(f"chains     {chains} harmonic chain{'' if chains == 1 else 's'} at least")


def quality(mapping: Mapping) -> str:
    """Whether a mapping is proved optimal, else how far it may be from that."""
    if mapping.proved:
        return "proved optimal"
    percent = float(100 * mapping.gap)
    gap = "less than 0.0001" if percent < 0.0001 else significant(percent)
    return f"gap {gap} %: none can have fewer than {rate_text(mapping.bound_per_second)}"


def print_curve(out: Console, system: System, rows: Sequence[ByCells]) -> None:
    """A row for each number of cells."""
    priced = system.board.runner.ns_per_step is not None
    table = plain_table(
        *right("cells", "chronos/s", "overhead", whole=True),
        *(Column(heading, no_wrap=True) for heading in ("", "chosen")),
        *right("interrupts/s", "overhead", whole=True),
    )
    for row in rows:
        chronos = ("impossible", "", "")
        if row.mapping is not None and row.chronos is not None:
            chronos = (
                rate_text(row.chronos.interrupts_per_second),
                _percent(row.chronos.overhead_percent, priced),
                quality(row.mapping),
            )
        table.add_row(
            str(row.cells),
            *chronos,
            row.chosen,
            rate_text(row.prediction.interrupts_per_second),
            _percent(row.prediction.overhead_percent, priced),
        )
    out.print()
    out.print(table)


def _instants(bounds: Bounds) -> str:
    if bounds.instants_low == bounds.instants_high:
        return rate_text(bounds.instants_low)
    return f"{rate_text(bounds.instants_low)} to {rate_text(bounds.instants_high)}"


def clock_text(system: System) -> str:
    """By what the clock counts, how fine that is, and how far its counter reaches."""
    clock = system.board.clock
    count, wraps = Fraction(1, clock.hz), Fraction(1 << clock.width, clock.hz)
    return (
        f"{clock.prescaler:,} of {frequency_text(clock.input_hz)}: a count is "
        f"{about_duration_text(count)}, and the counter wraps after {about_duration_text(wraps)}"
    )


def print_prescalers(out: Console, system: System, planned: Planned) -> None:
    """The best plan behind each prescaler of the clock, or why there is none; nothing without prescalers."""
    if not planned.prescalers:
        return
    priced = system.board.runner.ns_per_step is not None
    numbers = right("prescaler", "a count", "wraps after", "interrupts/s", whole=True)
    costs = right(f"{system.board.runner.unit}/s", "overhead", whole=True) if priced else []
    table = plain_table(*numbers, *costs, "mechanism")
    for one in planned.prescalers:
        plan = one.plan
        row = [f"{one.prescaler:,}", about_duration_text(1 / one.hz)]
        row.append(about_duration_text(one.wraps_after))
        prediction = None if plan is None else plan.prediction
        row.append("" if prediction is None else rate_text(prediction.interrupts_per_second))
        if priced:
            row.append("" if prediction is None else f"{float(prediction.kernel_per_second):,.0f}")
            row.append("" if prediction is None else _percent(prediction.overhead_percent, True))
        row.append("impossible" if plan is None else plan.mechanism)
        chosen = one.prescaler == system.board.clock.prescaler
        table.add_row(*row, style="bold" if chosen else "dim" if plan is None else "")
    out.print()
    out.print(table)
    out.print()
    for one in planned.prescalers:
        out.print(f"{one.prescaler:<16,} {escape(one.reason)}", soft_wrap=True)


def rate_text(rate: Fraction) -> str:
    """So many a second."""
    return f"{float(rate):,.1f}"


def _percent(value: Fraction, priced: bool) -> str:
    return f"{significant(value)} %" if priced else ""


def interrupt_text(system: System, releaser: Releaser) -> str:
    """At which level a releaser interrupts, and how its tasks come to run."""
    if releaser.level is None:
        return "threads" if not {*releaser.tasks} & {*system.basic} else "threads of lines"
    if releaser.direct:
        return f"level {releaser.level}, runs them"
    own = {*releaser.tasks}
    raised = sum(bool(own & {*line.tasks}) for line in lines(system))
    return f"level {releaser.level}, raises {raised} line{'s' * (raised != 1)}"


def print_lines(out: Console, system: System, plan: Plan) -> None:
    """Which line has which tasks, the most urgent first; nothing where there are no basic tasks."""
    if not system.has_basic:
        return
    table = plain_table(*right("level", "tasks"), "line", "by rank")
    for line, own in numbered(system, plan):
        if line.cell is not None:
            of = f"of cell {line.cell}"
        elif own is not None:
            of = f"{own.number}, {own.handler}"
        else:
            of = "a thread's" if line.by is Dispatcher.LINE_THREAD else "none"
        names = first_names([system.task(task).name for task in line.tasks], _NAMES)
        table.add_row(str(line.level), str(len(line.tasks)), of, escape(", ".join(names)))
    out.print()
    out.print(table)
