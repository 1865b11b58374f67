# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What `horolog plan` says of the division among cells: how good it is, bounds, and more cells or fewer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import Console
from rich.table import Column

from horolog.cli import plain_table, right
from horolog.figures import significant
from horolog.model import Bounds, Mapping, Planned, System
from horolog.plan import ByCells

__all__ = ["print_curve", "print_mappings", "quality", "rate_text"]


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


def rate_text(rate: Fraction) -> str:
    """So many a second."""
    return f"{float(rate):,.1f}"


def _percent(value: Fraction, priced: bool) -> str:
    return f"{significant(value)} %" if priced else ""
