# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a releaser's read-only table saves enough for the flash that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from horolog.model import Board

__all__ = ["that_pay"]

T = TypeVar("T")

_WORTH_OF_KIB = Fraction(1, 1_000_000)
"""The share of the processor that a KiB has to save: 31 instructions a second on mps2-an385."""
_FREE_BYTES = 1024  # that need not save anything: as much as the code of a store


def that_pay(
    board: Board,
    options: Sequence[T],
    constants: Callable[[T], int],
    per_second: Callable[[T], Fraction],
) -> list[T]:
    """The `options` with tables that pay, in the same order: at least one.

    `constants` are the bytes of an option's tables, `per_second` are its steps. A table pays if it saves a
    millionth of the processor for each KiB that another option's are smaller by. On boards with a
    processor of no known speed all do.
    """
    ns = board.runner.ns_per_step
    if ns is None:
        return list(options)
    worth = Fraction(10**9, ns) * _WORTH_OF_KIB / 1024  # steps a second, of a byte
    sized = [(one, constants(one), per_second(one)) for one in options]
    return [
        one
        for one, size, cost in sized
        if not any(
            size - other > _FREE_BYTES and than - cost < worth * (size - other)
            for _, other, than in sized
        )
    ]
