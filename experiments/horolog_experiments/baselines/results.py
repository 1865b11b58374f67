# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the experiment `baselines` found: of each example its sides, and why there is no ratio to one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horolog_experiments.harness import Data

__all__ = ["DATA", "EXAMPLES", "NEW", "BaselineExample", "BaselineSide", "Baselines"]

NEW = ("motor", "battery", "audio")
"""The systems with which new users came."""
EXAMPLES = ("engine-control", *NEW)


@dataclass(frozen=True, slots=True)
class BaselineSide:
    """A side of an example; `refused`: why it has no ratio to Horolog's threads, or was not run."""

    example: str
    name: str  # "threads" or "basic", Horolog's; else the baseline's
    mechanism: str
    jobs: int
    kernel: int | None  # instructions; None: it was not run
    with_exceptions: int | None  # and the cycles of its exceptions
    exceptions: int | None
    tail_chained: int | None
    program: int | None  # bytes
    variables: int | None
    stacks: int | None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class BaselineExample:
    """An example; `freertos`: whether its source was there."""

    name: str
    freertos: bool


@dataclass(frozen=True, slots=True)
class Baselines:
    """All examples, and the figures of exceptions."""

    platform: str
    compiler: str
    cycles: str
    examples: tuple[BaselineExample, ...]
    sides: tuple[BaselineSide, ...]

    def side(self, example: str, name: str) -> BaselineSide | None:
        """That side, if it was run."""
        found = (one for one in self.sides if (one.example, one.name) == (example, name))
        return next((one for one in found if one.kernel is not None), None)

    def others(self, example: str) -> tuple[BaselineSide, ...]:
        """FreeRTOS's sides."""
        return tuple(
            one
            for one in self.sides
            if one.example == example and one.name not in ("threads", "basic")
        )

    def compared(self, example: str) -> tuple[BaselineSide, ...]:
        """Those of FreeRTOS's sides that may be compared."""
        return tuple(
            one for one in self.others(example) if one.refused is None and one.kernel is not None
        )

    def ratio(
        self, example: str, ours: str, theirs: BaselineSide, *, exceptions: bool = False
    ) -> Fraction | None:
        """What `theirs` takes for each of ours; None if either was not measured."""
        own = self.side(example, ours)
        if own is None or theirs.refused is not None:
            return None
        both = (
            (theirs.with_exceptions, own.with_exceptions)
            if exceptions
            else (theirs.kernel, own.kernel)
        )
        return None if not both[0] or not both[1] else Fraction(both[0], both[1])


DATA = Data(Baselines, head=("platform", "compiler", "cycles"), lists=("examples", "sides"))
