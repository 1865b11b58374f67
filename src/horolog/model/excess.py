# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A body that took longer than its task's WCET: then what was planned, and analysed, does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Excess", "why_invalid"]


@dataclass(frozen=True, slots=True)
class Excess:
    """The longest job of a task, in seconds of execution, and how long it was allowed to be."""

    task: str
    executed: Fraction
    wcet: Fraction


def why_invalid(exceeded: Sequence[Excess]) -> str | None:
    """Why a run with these `exceeded` is not valid; None: it is valid."""
    return f'task "{exceeded[0].task}" ran longer than its WCET' if exceeded else None
