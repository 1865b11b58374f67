# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Drives tests/rtl/cores_bench.sv from cocotb; compares bus, locks and memory with models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.cores_model import Bus, Locks, Memory, Request

__all__ = ["CORES", "Answer", "CoresBench", "Devices"]

CORES = 4
_CYCLE_NS = 20
_M32 = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What the locks answered to a port; None is an error. `waited`: so many cycles."""

    port: int
    value: int | None
    waited: int


@dataclass(frozen=True, slots=True)
class Devices:
    """What the shared devices show in a cycle; requests and expiries by core, cells as bits."""

    data: int
    time: int
    fired: tuple[int, ...]
    requests: tuple[int, ...]
    error: bool


class CoresBench:
    """Four ports; a request is held until it is granted, as a core does it."""

    def __init__(self, dut: Any) -> None:
        self._dut = dut
        self.bus, self.locks, self.memory = Bus(CORES), Locks(), Memory()
        self.asking: dict[int, Request] = {}
        self._since: dict[int, int] = {}
        self._expected: Answer | None = None
        self._loads: dict[int, int] = {}
        self.cycle = 0

    async def start(self) -> CoresBench:
        """Reset, and the clock runs."""
        from cocotb import start_soon

        self._dut.rst_ni.value = 0
        for port in (self._dut.bus_i, self._dut.ring_i, self._dut.devices_i):
            port.value = 0
        start_soon(Clock(self._dut.clk_i, _CYCLE_NS, "ns").start())
        for _ in range(2):
            await FallingEdge(self._dut.clk_i)
        self._dut.rst_ni.value = 1
        return self

    async def step(self, new: Mapping[int, Request] | None = None) -> Answer | None:
        """One cycle, in which ports that did not ask yet begin to. Returns the answer to the grant before."""
        for port, request in (new or {}).items():
            assert port not in self.asking
            self.asking[port] = request
            self._since[port] = self.cycle
        packed = 0
        for port, request in self.asking.items():
            flags = (2 | request.write) << 4 | request.enables
            packed |= ((flags << 12 | request.address) << 32 | request.data) << 50 * port
        self._dut.bus_i.value = packed
        await ReadOnly()
        answer = self._compare(self._dut.bus_o.value.integer)
        self.cycle += 1
        await FallingEdge(self._dut.clk_i)
        return answer

    async def answers(self, new: Mapping[int, Request]) -> list[Answer]:
        """Lets these ports ask in one cycle, and waits for all answers, in order of the grants."""
        found = [await self.step(new)]
        while self.asking or self._expected is not None:
            found.append(await self.step())
        return [one for one in found if one is not None]

    def _compare(self, seen: int) -> Answer | None:
        waits = list(self.bus.waits)
        granted = self.bus.grant(self.asking)
        grants = seen >> 288 & 0xF
        where = f"cycle {self.cycle}, {self.asking}"
        assert grants == (0 if granted is None else 1 << granted), f"{where}: grants {grants:04b}"
        assert waits == [seen >> 160 + 32 * port & _M32 for port in range(CORES)], where
        for port, value in self._loads.items():
            assert seen >> 32 + 32 * port & _M32 == value, f"{where}: memory, port {port}"
        self._loads = self.memory.access(self.asking)
        answer, self._expected = self._expected, None
        if answer is not None:
            error, value = bool(seen >> 292 & 1), seen & _M32
            assert error == (answer.value is None), f"{where}: error"
            assert error or value == answer.value, f"{where}: {value} is not {answer.value}"
        if granted is not None:
            found = self.locks.access(self.asking.pop(granted))
            self._expected = Answer(granted, found, self.cycle - self._since[granted])
        return answer

    async def ring(self, *stores: tuple[int, bool, int, int]) -> tuple[int, tuple[int, ...]]:
        """One cycle with these stores: (from, to MSIP or else RAISE_AT, of which core, data).

        Returns MSIP as it was before, as bits, and what is raised at each core.
        """
        packed = 0
        for core, msip, to, data in stores:
            packed |= ((2 if msip else 1) << 35 | to << 32 | data) << 37 * core
        self._dut.ring_i.value = packed
        await ReadOnly()
        seen = self._dut.ring_o.value.integer
        await FallingEdge(self._dut.clk_i)
        self._dut.ring_i.value = 0
        return seen >> 128, tuple(seen >> 32 * core & _M32 for core in range(CORES))

    async def devices(self, request: Request | None = None, run: tuple[int, ...] = ()) -> Devices:
        """One cycle of the shared devices, in which the control cells of the cores are so."""
        packed = sum(bits << 16 * core for core, bits in enumerate(run))
        if request is not None:
            flags = (2 | request.write) << 4 | request.enables
            packed |= ((flags << 32 | request.address) << 32 | request.data) << 64
        self._dut.devices_i.value = packed
        await ReadOnly()
        seen = self._dut.devices_o.value.integer
        await FallingEdge(self._dut.clk_i)
        self._dut.devices_i.value = 0

        def by_core(at: int) -> tuple[int, ...]:
            return tuple(seen >> at + 16 * core & 0xFFFF for core in range(CORES))

        return Devices(
            data=seen & _M32,
            time=seen >> 32 & 2**64 - 1,
            fired=by_core(96),
            requests=by_core(160),
            error=bool(seen >> 224 & 1),
        )

    async def store(self, address: int, data: int, enables: int = 0xF) -> bool:
        """A store to the shared devices; whether it is an error."""
        await self.devices(Request(address, True, data, enables))
        return (await self.devices()).error

    async def load(self, address: int) -> int:
        """A load from the shared devices."""
        await self.devices(Request(address))
        return (await self.devices()).data
