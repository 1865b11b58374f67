# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Version 3 of the Black Magic Probe's remote protocol, by which probe-rs drives it, also over TCP.

A request stands between ! and #, an answer between & and #. Words of ports go with the lowest byte first.
"""

from __future__ import annotations

import socket
import struct

from tests.system.debug_port.ports import Ports, Wires


class BlackMagic:
    def __init__(self, ports: Ports) -> None:
        self.ports, self.wires = ports, Wires(ports)

    def serve(self, host: socket.socket) -> None:
        rest = ""
        while data := host.recv(1 << 16).decode("ascii"):
            rest += data
            while "#" in rest:
                said, _, rest = rest.partition("#")
                if "!" in said:
                    host.sendall(f"&{self.answer(said.partition('!')[2])}#".encode("ascii"))

    def answer(self, said: str) -> str:
        if said == "GA":
            return "KStand-in for a Black Magic Probe"
        if said == "HC":
            return "K3"
        if said[:2] in ("SS", "So"):
            for at in range(int(said[2:4], 16) if len(said) > 2 else 0):
                self.wires.out(int(said[4:], 16) >> at & 1)
            return "K0"
        if said[:2] == "Si":
            bits = [self.wires.into() for _ in range(int(said[2:4], 16))]
            return f"K{sum(one << at for at, one in enumerate(bits)):x}"
        if said[0] == "G":
            return "K0"
        return self.port(said[1], said[2:]) if said[0] == "A" else "E1"

    def port(self, what: str, rest: str) -> str:
        """Registers of the ports (d, R, a, A) and memory (m, M), behind an index that is 0."""
        if what == "d":  # ff, register
            return "K" + swapped(self.ports.read_port(number(rest, 4, 4)))
        if what == "R":  # whether it reads, register, value
            self.ports.write_port(number(rest, 4, 4), number(rest, 8, 8))
            return "K0"
        is_there, register = number(rest, 2, 2) == 0, number(rest, 4, 4) & 0xFF
        if what == "a":  # port, register
            return "K" + swapped(self.ports.read_access(register) if is_there else 0)
        if what == "A":  # port, register, value
            self.ports.write_access(register, struct.unpack("<I", bytes.fromhex(rest[8:16]))[0])
            return "K0"
        if what == "m":  # port, CSW, address, length
            return "K" + self.read(number(rest, 12, 8), number(rest, 20, 8)).hex()
        if what == "M":  # port, CSW, alignment, address, length, bytes
            self.write(number(rest, 14, 8), bytes.fromhex(rest[30:]), 1 << number(rest, 12, 2))
            return "K0"
        return "E1"

    def read(self, address: int, length: int) -> bytes:
        """Registers by words, memory at once."""
        step = 4 if address >> 28 == 0xE and address % 4 == 0 else length
        parts = range(0, length, step)
        return b"".join(self.ports.chip.read(address + at, min(step, length - at)) for at in parts)

    def write(self, address: int, data: bytes, width: int) -> None:
        step = width if address >> 28 in (0x4, 0xE) else len(data)
        for at in range(0, len(data), step):
            self.ports.chip.write(address + at, data[at : at + step])


def number(said: str, at: int, digits: int) -> int:
    return int(said[at : at + digits], 16)


def swapped(word: int) -> str:
    return struct.pack("<I", word).hex()
