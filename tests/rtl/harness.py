# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Drives tests/rtl/bench.sv from cocotb and compares every cycle of it with the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.model import CELLS, Access, Board, Seen

__all__ = ["Bench", "cell"]

_CYCLE_NS = 20
_OWN, _SHARED = 0, 1

# Where the outputs stand in `seen` of bench.sv.
_FIRE, _SOURCE = 32, 48
_COMPLETE, _CLAIM, _EXTERNAL, _TIMER, _SOFTWARE, _ERROR = range(57, 63)
_CONSOLE_BYTE, _CONSOLE, _FINISH, _TRACE = 63, 71, 72, 73


def cell(number: int, register: int = 0) -> int:
    """The address of a cell's register."""
    return CELLS + 16 * number + register


class Bench:
    """The devices with a line for each cell, and those with shared lines; both get all accesses."""

    def __init__(self, dut: Any) -> None:
        self._dut = dut
        self.models = (Board(), Board(shared=True))
        self._bits = [0, 0]
        self._read = False  # the cycle before had an access that is answered
        self.cycle = 0

    async def start(self) -> Bench:
        """Reset, and the clock runs."""
        from cocotb import start_soon

        self._dut.rst_ni.value = 0
        self._dut.drive_i.value = 0
        start_soon(Clock(self._dut.clk_i, _CYCLE_NS, "ns").start())
        for _ in range(2):
            await FallingEdge(self._dut.clk_i)
        self._dut.rst_ni.value = 1
        return self

    async def step(self, access: Access | None = None) -> None:
        """One cycle with this access, or none."""
        if access is None:
            self._dut.drive_i.value = 0
        else:
            upper = 2 | access.write
            packed = (upper << 4 | access.enables) << 64 | access.address << 32 | access.data
            self._dut.drive_i.value = packed
        await ReadOnly()
        self._bits = [self._dut.own_o.value.integer, self._dut.shared_o.value.integer]
        for bits, model in zip(self._bits, self.models, strict=True):
            self._compare(bits, model, access)
            model.clock(access)
        self._read = access is not None
        self.cycle += 1
        await FallingEdge(self._dut.clk_i)

    async def idle(self, cycles: int) -> None:
        """So many cycles without an access."""
        for _ in range(cycles):
            await self.step()

    async def write(self, address: int, data: int, enables: int = 0xF) -> None:
        """One cycle, with a write."""
        await self.step(Access(address, True, data, enables))

    async def writes(self, pairs: Iterable[tuple[int, int]]) -> None:
        """One write a cycle."""
        for address, data in pairs:
            await self.write(address, data)

    async def read(self, address: int, *, shared: bool = False) -> int:
        """Two cycles: a read, and its answer. What it answers with shared lines, if so asked."""
        await self.step(Access(address))
        await self.step()
        return self._bits[_SHARED if shared else _OWN] & 0xFFFF_FFFF

    async def fails(self, access: Access) -> bool:
        """Whether an access is answered with an error."""
        await self.step(access)
        await self.step()
        return bool(self._bits[_OWN] >> _ERROR & 1)

    def irq(self, *, shared: bool = False) -> bool:
        """Whether the line to the core was up in the last cycle."""
        return bool(self._bits[_SHARED if shared else _OWN] >> _EXTERNAL & 1)

    def timer(self) -> bool:
        """Whether the timer's line was up in the last cycle."""
        return bool(self._bits[_OWN] >> _TIMER & 1)

    def software(self) -> bool:
        """Whether the software interrupt's line was up in the last cycle."""
        return bool(self._bits[_OWN] >> _SOFTWARE & 1)

    def fired(self) -> int:
        """The cells that expired with the end of the last cycle, as bits."""
        return self._bits[_OWN] >> _FIRE & 0xFFFF

    def said(self) -> tuple[int | None, bool, bool]:
        """The byte that was printed in the last cycle, and whether it was to finish or to trace."""
        bits = self._bits[_OWN]
        byte = bits >> _CONSOLE_BYTE & 0xFF if bits >> _CONSOLE & 1 else None
        return byte, bool(bits >> _FINISH & 1), bool(bits >> _TRACE & 1)

    def _compare(self, bits: int, model: Board, access: Access | None) -> None:
        claim, complete = bool(bits >> _CLAIM & 1), bool(bits >> _COMPLETE & 1)
        said = Seen(
            irq_software=bool(bits >> _SOFTWARE & 1),
            irq_timer=bool(bits >> _TIMER & 1),
            irq_external=bool(bits >> _EXTERNAL & 1),
            claim=claim,
            complete=complete,
            source=bits >> _SOURCE & 0x1FF if claim or complete else None,
            fire=bits >> _FIRE & 0xFFFF,
        )
        where = f"cycle {self.cycle}, shared {model.shared}, {access}"
        assert said == model.seen(access), f"{where}: {said} is not {model.seen(access)}"
        if self._read:
            assert bool(bits >> _ERROR & 1) == model.error, f"{where}: error"
            if model.answer is not None:
                answer = bits & 0xFFFF_FFFF
                assert answer == model.answer, f"{where}: {answer:#x} is not {model.answer:#x}"
