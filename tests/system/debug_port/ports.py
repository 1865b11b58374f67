# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A debug port with one memory access port (Arm Debug Interface v5), and its two wires (SWD)."""

from __future__ import annotations

import struct

from tests.system.debug_port.chip import Chip

DPIDR = 0x2BA01477
AP_IDR = 0x24770011  # an AHB-AP
AP_BASE = 0xE00FF003
POWER_ASKED = 0x50000000  # of CTRL/STAT; that it is there is said in the bits above
CTRL_STAT, SELECT, RDBUFF = 0x4, 0x8, 0xC
CSW, TAR, DRW, BD0, BASE, IDR = 0x00, 0x04, 0x0C, 0x10, 0xF8, 0xFC
PACKED, ENABLED = 0x20, 0x40  # of CSW; that it is enabled cannot be written
WRAPS_AT = 0x1000  # TAR's increment, in a Cortex-M3 and M4


class Ports:
    """Registers of the debug port by 0x0 to 0xC, of access port 0 by 0x00 to 0xFC; there is no other."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.control = self.select = self.buffer = 0
        self.access = {CSW: 0x23000052, TAR: 0, 0xF4: 0, BASE: AP_BASE, IDR: AP_IDR}

    def read_port(self, register: int) -> int:
        status = self.control | (self.control & POWER_ASKED) << 1
        bank = self.select & 0xF
        known = {0x0: DPIDR, CTRL_STAT: status if bank == 0 else 0, RDBUFF: self.buffer}
        return known.get(register & 0xC, 0)

    def write_port(self, register: int, word: int) -> None:
        if register & 0xC == SELECT:
            self.select = word
        elif register & 0xC == CTRL_STAT and self.select & 0xF == 0:
            self.control = word & ~(POWER_ASKED << 1)

    def selected(self, register: int) -> int:
        """The register of an access port that SELECT and two bits say; -1: of a port that is not there."""
        return -1 if self.select >> 24 else self.select & 0xF0 | register & 0xC

    def read_access(self, register: int) -> int:
        if register == DRW or BD0 <= register < BD0 + 0x10:
            return self.transfer(register, None)
        return self.access.get(register, 0)

    def write_access(self, register: int, word: int) -> None:
        if register == DRW or BD0 <= register < BD0 + 0x10:
            self.transfer(register, word)
        elif register == CSW:  # without packed transfers, as a host sees when it reads it
            self.access[CSW] = word & ~PACKED | ENABLED
        elif register == TAR:
            self.access[TAR] = word

    def transfer(self, register: int, word: int | None) -> int:
        """By DRW, of which the bytes are in the lanes of their addresses; or a word beside TAR."""
        width, address = 1 << (self.access[CSW] & 3), self.access[TAR]
        if register != DRW:
            width, address = 4, (address & ~0xF) + register - BD0
        lane = address & 3 & -width
        found = 0
        if word is None:
            data = self.chip.read(address, width)
            found = int.from_bytes(data, "little") << 8 * lane
        else:
            self.chip.write(address, struct.pack("<I", word)[lane : lane + width])
        if register == DRW and self.access[CSW] >> 4 & 3 == 1:
            self.access[TAR] = address & -WRAPS_AT | (address + width) % WRAPS_AT
        return found


class Wires:
    """SWD, bit by bit, without the bits of turnarounds, which the probe hides."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.ones = 0
        self.request: list[int] = []
        self.data: list[int] = []
        self.answer: list[int] = []  # bits that the target drives next
        self.wanted = 0  # bits of data that the host owes
        self.to = (0, 0)

    def out(self, bit: int) -> None:
        """The host drives `bit` for a clock."""
        self.answer = []
        self.ones = self.ones + 1 if bit else 0
        if self.ones >= 50:  # a line reset
            self.request, self.data, self.wanted = [], [], 0
        elif self.wanted:
            self.data.append(bit)
            if len(self.data) == self.wanted:
                self.write(sum(one << at for at, one in enumerate(self.data[:32])))
                self.data, self.wanted = [], 0
        elif self.request or bit:
            self.request.append(bit)
            if len(self.request) == 8:
                self.take()

    def into(self) -> int:
        """What the target drives for a clock."""
        return self.answer.pop(0) if self.answer else 0

    def take(self) -> None:
        _, is_access, reads, two, three, parity, stop, park = self.request
        self.request = []
        if stop or not park or parity != (is_access + reads + two + three) % 2:
            return
        self.to = (is_access, two << 2 | three << 3)
        self.answer = [1, 0, 0]
        if reads:
            word = self.read()
            bits = [word >> at & 1 for at in range(32)]
            self.answer += [*bits, sum(bits) % 2]
        else:
            self.wanted = 33

    def read(self) -> int:
        """An access port's value comes with the next read."""
        is_access, register = self.to
        if not is_access:
            return self.ports.read_port(register)
        before, at = self.ports.buffer, self.ports.selected(register)
        self.ports.buffer = self.ports.read_access(at) if at >= 0 else 0
        return before

    def write(self, word: int) -> None:
        is_access, register = self.to
        if not is_access:
            self.ports.write_port(register, word)
        elif self.ports.selected(register) >= 0:
            self.ports.write_access(self.ports.selected(register), word)
