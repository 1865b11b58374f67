# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A plan: which releaser owns which cell and releases which tasks, and what that is predicted to cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horolog.model.board import Mode

__all__ = ["Alternative", "MECHANISMS", "Plan", "Planned", "Prediction", "Releaser", "STORES"]

MECHANISMS = ("tick", "gcd", "one-shot", "chronos")
"""Names that `--mechanism` takes, in the order in which they are shown."""

STORES = (
    "sorted-list",
    "delta-list",
    "bucket",
    "binary-tree",
    "array-heap",
    "pairing-heap",
    "red-black-tree",
    "tree-234",
    "timing-wheel",
    "hashed-wheel",
    "hierarchical-wheel",
    "calendar",
)
"""Stores a releaser may have; each is a file of kernel/queue/."""


@dataclass(frozen=True, slots=True)
class Releaser:
    """One cell, when it interrupts, and the tasks it releases.

    A periodic cell interrupts at `first + k * cell_period` counts; every `divider`-th interrupt is an
    instant of the releaser (a period too long for the cell is counted in software), so the releaser's
    own period is `cell_period * divider`. A one-shot releaser has neither.
    """

    cell: str
    mode: Mode
    store: str
    tasks: tuple[int, ...]  # indices into System.tasks, ascending
    first: int  # counts after t = 0 of the first interrupt
    cell_period: int | None = None  # counts
    divider: int = 1
    period: Fraction | None = None  # seconds: cell_period * divider, for people


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a plan will cost. Interrupt numbers are exact for the window [0, duration)."""

    interrupts: int  # entries of timer-cell handlers, coalesced ones included
    interrupts_by_cell: tuple[tuple[str, int], ...]
    required: int  # interrupts at which at least one job is released
    interrupts_per_second: Fraction
    kernel_instructions: Fraction  # in the window, by the board's costs.toml
    overhead_percent: Fraction
    kernel_per_second: Fraction = Fraction(0)  # in the long run: what mechanisms are ranked by
    rate_exact: bool = True  # False: both rates come from a stretch of the hyperperiod


@dataclass(frozen=True, slots=True)
class Plan:
    """A choice of releasers for every task, in counts of the board's clock."""

    mechanism: str
    releasers: tuple[Releaser, ...]
    prediction: Prediction


@dataclass(frozen=True, slots=True)
class Alternative:
    """One mechanism considered: its plan, or why it cannot serve this system."""

    mechanism: str
    plan: Plan | None
    reason: str  # why chosen, why not, or why impossible; one line for people


@dataclass(frozen=True, slots=True)
class Planned:
    """The outcome of planning: the choice, all alternatives in order of predicted cost, and a bound."""

    choice: Plan
    alternatives: tuple[Alternative, ...]
    forced: bool  # the user named the mechanism
    distinct_instants: (
        int  # distinct release instants in the window: no mechanism interrupts less often
    )
    jobs: int  # releases in the window
