# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An instruction as the analysis sees it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Instruction", "Memory", "Operand", "Shifted"]


@dataclass(frozen=True, slots=True)
class Memory:
    """An address: `base` + `offset`, or `base` + a register."""

    base: str
    offset: int = 0
    index: str | None = None
    plain: bool = True  # the register is added as it is: neither shifted nor subtracted


@dataclass(frozen=True, slots=True)
class Shifted:
    """A register that is shifted first."""

    register: str


Operand = str | int | Memory | Shifted | None
"""A register by name, a number, a place in memory; None: what the analysis does not look at."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; `conditional`: it stands in a Thumb IT block.

    Of RISC-V, `text` has the operands as objdump writes them, and `operands` is empty.
    """

    address: int
    size: int
    name: str
    text: str
    conditional: bool = False
    operands: tuple[Operand, ...] = ()
    writes_back: bool = False  # the address that it computed becomes the base register's
