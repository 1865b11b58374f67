# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the bench `cores` found, and its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from horolog_experiments.cores.cases import FREERTOS, MILLION, PINNED, WINDOW, Case
from horolog_experiments.harness import INLINE, Data

__all__ = ["DATA", "Results", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """A case and its figures, by name."""

    case: Case = field(metadata=INLINE)
    figures: Mapping[str, int]

    @property
    def mean(self) -> Fraction:
        """Of its samples."""
        return Fraction(self.figures["total"], self.figures["samples"])


@dataclass(frozen=True)
class Results:
    """Everything measured, in the order of the cases."""

    rows: tuple[Row, ...]
    toolchain: str
    freertos: str | None

    def row(self, case: Case) -> Row | None:
        """That of `case`; None if it was not measured."""
        return next((row for row in self.rows if row.case == case), None)

    def rate(self, case: Case) -> Fraction | None:
        """Switches a core, in a million cycles."""
        row = self.row(case)
        return (
            None
            if row is None
            else Fraction(row.figures["switches"] * MILLION, case.cores * WINDOW)
        )

    def freertos_rate(self, cores: int, threads: int, form: str = PINNED) -> Fraction | None:
        """The same of FreeRTOS, whose kernel of one core has no affinity."""
        return self.rate(Case("switches", FREERTOS, form, cores, threads))


DATA = Data(Results, head=("toolchain", "freertos"), lists=("rows",))
