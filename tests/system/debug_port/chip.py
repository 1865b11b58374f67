# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a debug port reaches: the simulator's memory and devices, and the debug registers of an Armv7-M."""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

from horolog.run.relay import Packets, expanded, packet

T = TypeVar("T")
ROM_TABLE, PART_OF_ROM = 0xE00FF000, 0x4C3
COMPONENTS = {0xE000E000: 0x000, 0xE0001000: 0x002, 0xE0002000: 0x003}
"""Where a Cortex-M3 has its debug registers, DWT and breakpoint unit, and their numbers (CoreSight)."""
HERE = "127.0.0.1"
CONNECT_SECONDS = 10.0

AIRCR, DFSR, DHCSR, DCRSR, DCRDR, DEMCR = (
    *(0xE000ED0C, 0xE000ED30),
    *(0xE000EDF0, 0xE000EDF4, 0xE000EDF8, 0xE000EDFC),
)
FP_CTRL, FP_COMP, BREAKPOINTS = 0xE0002000, 0xE0002008, 6
DBGMCU_IDCODE, DBGMCU_LAST = 0xE0042000, 0xE0042010
FLASH_KEYS = {0x40023C04: 0x40023C10, 0x40022004: 0x40022010}  # of an F4 and an F1: KEYR, and CR
LAST_KEY, UNLOCKED = 0xCDEF89AB, b"\0\0\0\0"
HALTED, AT_BREAKPOINT, VECTOR_CATCH = 1, 2, 8
SYSRESETREQ, CATCH_RESET = 1 << 2, 1
PC, XPSR = 15, 16


def identity(part: int, kind: int) -> bytes:
    """The twelve words behind 0xFD0 of a component: of Arm's, its part and its class (CoreSight)."""
    peripheral = [0x04, 0, 0, 0, part & 0xFF, 0xB0 | part >> 8, 0x0B, 0]
    component = [0x0D, kind << 4, 0x05, 0xB1]
    return struct.pack("<12I", *peripheral, *component)


def debug_components() -> dict[int, bytes]:
    """The ROM table, by which pyOCD finds the processor, and what it points at."""
    rows = [(low - ROM_TABLE & 0xFFFFF000) | 3 for low in COMPONENTS]
    return {
        ROM_TABLE: struct.pack(f"<{len(rows) + 1}I", *rows, 0),
        ROM_TABLE + 0xFD0: identity(PART_OF_ROM, 1),
        **{low + 0xFD0: identity(part, 0xE) for low, part in COMPONENTS.items()},
    }


def connected(port: int) -> socket.socket:
    end = monotonic() + CONNECT_SECONDS
    while True:
        try:
            found = socket.create_connection((HERE, port), CONNECT_SECONDS)
        except OSError:
            if monotonic() > end:
                raise
            sleep(0.05)
        else:
            found.settimeout(None)
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return found


class Simulator:
    """Its gdb server. A run is one request of it, and lasts until the next one."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connect()

    def connect(self) -> None:
        self.connection, self.packets = connected(self.port), Packets()
        self.found: list[bytes] = []
        self.runs = self.locked_up = False

    def ask(self, payload: bytes) -> bytes:
        self.connection.sendall(packet(payload))
        return self.answer()

    def answer(self) -> bytes:
        while True:
            while self.found:
                part = self.found.pop(0)
                if part[:1] == b"$":
                    self.connection.sendall(b"+")
                    said = expanded(part[1:-3])
                    if said[:1] != b"O" or said == b"OK":
                        return said
            data = self.connection.recv(1 << 16)
            if not data:
                raise ConnectionError("the simulator has ended")
            self.found += self.packets.take(data)

    def go(self) -> None:
        self.connection.sendall(packet(b"c"))
        self.runs = True

    def has_stopped(self) -> bool:
        """Whether it runs no more; without waiting."""
        if self.runs:
            if select.select([self.connection], [], [], 0.0)[0]:
                self.found += self.packets.take(self.connection.recv(1 << 16))
            if any(part[:1] == b"$" for part in self.found):
                self.stop(self.answer())
        return not self.runs and not self.locked_up

    def halt(self) -> bool:
        """Whether it ran until now."""
        if self.has_stopped():
            return False
        if not self.locked_up:
            self.connection.sendall(b"\x03")
            self.stop(self.answer())
        return True

    def stop(self, said: bytes) -> None:
        """The run is over; if the program did what it cannot, a real processor has locked up."""
        self.runs = False
        if said[:1] in b"WX":
            self.connection.close()
            self.connect()
            self.reset()
            self.locked_up = True

    def reset(self) -> None:
        self.ask(b"qRcmd," + b"reset halt".hex().encode())
        self.locked_up = False

    def read(self, address: int, length: int) -> bytes | None:
        said = self.ask(b"m%x,%x" % (address, length))
        found = b"" if said[:1] == b"E" else bytes.fromhex(said.decode())
        return found if len(found) == length else None

    def write(self, address: int, data: bytes) -> bool:
        return self.ask(b"M%x,%x:%s" % (address, len(data), data.hex().encode())) == b"OK"

    def registers(self) -> list[int]:
        return list(struct.unpack("<17I", bytes.fromhex(self.ask(b"g").decode())))

    def set_registers(self, words: list[int]) -> None:
        assert self.ask(b"G" + struct.pack("<17I", *words).hex().encode()) == b"OK"


class Chip:
    """What a memory access port reaches. Addresses at which nothing is read as 0.

    A probe reads memory of a processor that runs. Here the simulator is halted for it, the time of which
    stands still then, so that the firmware sees nothing of it.
    """

    def __init__(self, simulator: Simulator, fixed: dict[int, bytes]) -> None:
        self.simulator, self.fixed = simulator, fixed
        self.halted, self.debugged, self.was_reset = True, False, False
        self.reasons, self.demcr, self.dcrdr = 0, 0, 0
        self.comparators = [0] * BREAKPOINTS
        self.stops: list[int] = []

    def read(self, address: int, length: int) -> bytes:
        if address % 4 == 0 and length == 4:
            word = self.read_own(address)
            if word is not None:
                return struct.pack("<I", word)
        for low, found in self.fixed.items():
            if low <= address and address + length <= low + len(found):
                return found[address - low :][:length]
        return self.beside_the_run(lambda: self.read_all(address, length))

    def read_all(self, address: int, length: int) -> bytes:
        found = self.simulator.read(address, length)
        if found is not None:
            return found
        single = [self.simulator.read(address + at, 1) for at in range(length)]
        return b"".join(one or b"\0" for one in single)

    def write(self, address: int, data: bytes) -> None:
        is_word = address % 4 == 0 and len(data) == 4
        if is_word and self.write_own(address, struct.unpack("<I", data)[0]):
            return
        self.beside_the_run(lambda: self.simulator.write(address, data))
        if address in FLASH_KEYS and data == struct.pack("<I", LAST_KEY):
            self.beside_the_run(lambda: self.simulator.write(FLASH_KEYS[address], UNLOCKED))

    def beside_the_run(self, do: Callable[[], T]) -> T:
        ran = not self.halted and self.simulator.halt()
        found = do()
        if ran and not self.simulator.locked_up:
            self.simulator.go()
        return found

    # --- The debug registers (Armv7-M Architecture Reference Manual, C1) ---------------------------

    def read_own(self, address: int) -> int | None:
        if address == DHCSR:
            self.look()
            word = 1 << 16 | self.halted << 17 | self.was_reset << 25 | self.debugged
            self.was_reset = False
            return word | self.halted << 1
        if address == DFSR:
            self.look()
            return self.reasons
        if FP_COMP <= address < FP_COMP + 4 * BREAKPOINTS:
            return self.comparators[(address - FP_COMP) // 4]
        return {DEMCR: self.demcr, DCRDR: self.dcrdr, FP_CTRL: BREAKPOINTS << 4 | 1, DCRSR: 0}.get(
            address
        )

    def write_own(self, address: int, word: int) -> bool:
        if address == DHCSR:
            self.control(word)
        elif address == DFSR:
            self.reasons &= ~word
        elif address == DCRDR:
            self.dcrdr = word
        elif address == DCRSR:
            self.transfer(word)
        elif address == DEMCR:
            self.demcr = word
            self.beside_the_run(lambda: self.simulator.write(address, struct.pack("<I", word)))
        elif address == AIRCR and word & SYSRESETREQ:
            self.reset()
        elif FP_COMP <= address < FP_COMP + 4 * BREAKPOINTS:
            self.comparators[(address - FP_COMP) // 4] = word
        else:
            return address == FP_CTRL or DBGMCU_IDCODE <= address < DBGMCU_LAST
        return True

    def look(self) -> None:
        if not self.halted and self.simulator.has_stopped():
            self.halted = True
            self.reasons |= AT_BREAKPOINT

    def control(self, word: int) -> None:
        if word >> 16 != 0xA05F:
            return
        begins, self.debugged = not self.debugged, bool(word & 1)
        if begins and not word & 2:
            return  # nothing was loaded yet: the simulated chip stands at its reset
        if self.debugged and word & 2:
            if not self.halted:
                self.simulator.halt()
                self.simulator.locked_up = False
                self.halted = True
                self.reasons |= HALTED
        elif self.halted and word & 4:
            self.simulator.ask(b"s")
            self.reasons |= HALTED
        elif self.halted:
            self.go()

    def go(self) -> None:
        """Comparators of the breakpoint unit are the simulator's breakpoints."""
        for at in self.stops:
            self.simulator.ask(b"z1,%x,2" % at)
        self.stops = [
            (word & 0x1FFFFFFC) + 2 * (half == 2)
            for word in self.comparators
            if word & 1
            for half in (1, 2)
            if word >> 30 & half
        ]
        if (
            self.simulator.registers()[PC] in self.stops
        ):  # there it halts again, before it executes that
            self.stops, self.reasons = [], self.reasons | AT_BREAKPOINT
            return
        for at in self.stops:
            assert self.simulator.ask(b"Z1,%x,2" % at) == b"OK"
        self.halted = False
        self.simulator.go()

    def transfer(self, word: int) -> None:
        """DCRSR: a register of the core by DCRDR. The main stack pointer is the one in use; others are 0."""
        number, words = word & 0x7F, self.simulator.registers()
        at = {17: 13}.get(number, number)
        writes = word >> 16 & 1
        if at > XPSR:
            self.dcrdr = self.dcrdr if writes else 0
        elif writes:
            words[at] = self.dcrdr & (~1 if at == PC else 0xFFFFFFFF)
            self.simulator.set_registers(words)
        else:
            self.dcrdr = words[at]

    def reset(self) -> None:
        self.simulator.halt()
        self.simulator.reset()
        self.halted = self.was_reset = True
        if self.demcr & CATCH_RESET:
            self.reasons |= VECTOR_CATCH
        else:
            self.go()
