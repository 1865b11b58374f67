# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""OpenOCD's remote_bitbang protocol, a character an event, before the JTAG chain of an STM32F4.

The chain has a JTAG-DP (Arm Debug Interface v5), which is nearest to TDO, and a tap for boundary scans that
does nothing. OpenOCD 0.12 has no SWD by this protocol.
"""

from __future__ import annotations

import socket

from tests.system.debug_port.ports import Ports

IDCODE, BOUNDARY_IDCODE = 0x4BA00477, 0x06421041
DPACC, APACC, IDCODE_IR = 0xA, 0xB, 0xE
OK = 0b010

RESET, IDLE = "reset", "idle"
SELECT, CAPTURE, SHIFT, EXIT1, PAUSE, EXIT2, UPDATE = range(7)
NEXT = {
    SELECT: (CAPTURE, None),
    CAPTURE: (SHIFT, EXIT1),
    SHIFT: (SHIFT, EXIT1),
    EXIT1: (PAUSE, UPDATE),
    PAUSE: (PAUSE, EXIT2),
    EXIT2: (SHIFT, UPDATE),
}
"""Of both columns of the TAP controller: the state behind each, by TMS."""


class Tap:
    """Its instruction, and the register between TDI and TDO."""

    def __init__(self, length: int, idcode: int, identifies: int) -> None:
        self.length, self.idcode, self.identifies = length, idcode, identifies
        self.instruction = identifies
        self.bits: list[int] = []

    def capture(self, *, of_instructions: bool) -> None:
        if of_instructions:
            self.bits = bits(1, self.length)
        elif self.instruction == self.identifies:
            self.bits = bits(self.idcode, 32)
        else:
            self.bits = [0]

    def update(self, *, of_instructions: bool) -> None:
        if of_instructions:
            self.instruction = word(self.bits)

    def shift(self, tdi: int) -> int:
        self.bits.append(tdi)
        return self.bits.pop(0)


class DebugTap(Tap):
    def __init__(self, ports: Ports) -> None:
        super().__init__(4, IDCODE, IDCODE_IR)
        self.ports = ports
        self.result = 0

    def capture(self, *, of_instructions: bool) -> None:
        if not of_instructions and self.instruction in (DPACC, APACC):
            self.bits = bits(self.result << 3 | OK, 35)
        else:
            super().capture(of_instructions=of_instructions)

    def update(self, *, of_instructions: bool) -> None:
        super().update(of_instructions=of_instructions)
        if of_instructions or self.instruction not in (DPACC, APACC):
            return
        asked = word(self.bits)
        register, value = (asked >> 1 & 3) << 2, asked >> 3
        if self.instruction == DPACC:
            if asked & 1:
                self.result = self.ports.read_port(register)
            else:
                self.ports.write_port(register, value)
            return
        at = self.ports.selected(register)
        if asked & 1:
            self.result = self.ports.read_access(at) if at >= 0 else 0
        elif at >= 0:
            self.ports.write_access(at, value)


class Bitbang:
    def __init__(self, ports: Ports) -> None:
        self.taps = (Tap(5, BOUNDARY_IDCODE, 1), DebugTap(ports))  # from TDI to TDO
        self.state: str | tuple[bool, int] = RESET
        self.clock = 0

    def serve(self, host: socket.socket) -> None:
        while data := host.recv(1 << 16).decode("ascii"):
            answers = ""
            for one in data:
                if one == "Q":
                    return
                if one == "R":
                    answers += str(self.taps[-1].bits[0] if self.taps[-1].bits else 0)
                elif one in "01234567":
                    self.drive(int(one))
            if answers:
                host.sendall(answers.encode("ascii"))

    def drive(self, levels: int) -> None:
        clock, tms, tdi = levels >> 2, levels >> 1 & 1, levels & 1
        if clock and not self.clock:
            self.rise(tms, tdi)
        self.clock = clock

    def rise(self, tms: int, tdi: int) -> None:
        """A rising edge of TCK: what the state does, then the next one."""
        if isinstance(self.state, tuple):
            of_instructions, state = self.state
            if state == CAPTURE:
                for tap in self.taps:
                    tap.capture(of_instructions=of_instructions)
            elif state == SHIFT:
                for tap in self.taps:
                    tdi = tap.shift(tdi)
        self.go(tms)

    def go(self, tms: int) -> None:
        if self.state == RESET:
            self.state = RESET if tms else IDLE
        elif self.state == IDLE:
            self.state = (False, SELECT) if tms else IDLE
        else:
            assert isinstance(self.state, tuple)
            of_instructions, state = self.state
            if state == UPDATE:
                self.state = (False, SELECT) if tms else IDLE
            elif state == SELECT and tms:
                self.state = RESET if of_instructions else (True, SELECT)
                if self.state == RESET:
                    self.reset()
            else:
                following = NEXT[state][tms]
                assert following is not None
                self.state = (of_instructions, following)
                if following == UPDATE:
                    for tap in self.taps:
                        tap.update(of_instructions=of_instructions)

    def reset(self) -> None:
        for tap in self.taps:
            tap.instruction = tap.identifies


def bits(value: int, count: int) -> list[int]:
    """The lowest first."""
    return [value >> at & 1 for at in range(count)]


def word(found: list[int]) -> int:
    return sum(one << at for at, one in enumerate(found))
