# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What docs/guide/multi-core-board.md says of buses, locks and memory, as models cycle by cycle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["INCREMENT", "LOCKS", "SET", "VALUE", "Bus", "Locks", "Memory", "Request"]

M32 = 2**32 - 1
LOCKS = 16
VALUE, INCREMENT, SET = 0x000, 0x400, 0x800


@dataclass(frozen=True, slots=True)
class Request:
    """What a core asks for in a cycle."""

    address: int
    write: bool = False
    data: int = 0
    enables: int = 0xF


@dataclass(slots=True)
class Bus:
    """Turns: of those that ask, the first one behind that of the last turn."""

    ports: int
    last: int = -1
    waits: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.last = self.ports - 1
        self.waits = [0] * self.ports

    def grant(self, asking: Mapping[int, Request]) -> int | None:
        """The port that has this turn; the others that ask have waited."""
        for step in range(1, self.ports + 1):
            port = (self.last + step) % self.ports
            if port in asking:
                self.last = port
                for other in asking:
                    self.waits[other] += other != port
                return port
        return None


@dataclass(slots=True)
class Locks:
    """The registers, and what the access of a cycle returns: a value, or None for an error."""

    values: list[int] = field(default_factory=lambda: [0] * LOCKS)

    def access(self, request: Request) -> int | None:
        """Does it."""
        window, index = request.address & 0xC00, (request.address & 0x3FF) // 4
        if index >= LOCKS or request.enables != 0xF or window == 0xC00:
            return None
        before = self.values[index]
        if request.write:
            if window != VALUE:
                return None
            self.values[index] = request.data
        elif window == INCREMENT:
            self.values[index] = before + 1 & M32
        elif window == SET:
            self.values[index] = 1
        return before


@dataclass(slots=True)
class Memory:
    """A memory with several ports; None is what was never stored."""

    bytes: dict[int, int] = field(default_factory=dict)

    def access(self, asking: Mapping[int, Request]) -> dict[int, int]:
        """Does all of a cycle; returns what the loads return, of words that were stored whole."""
        loads = {}
        for port, request in asking.items():
            at = request.address & 0x3C
            found = [self.bytes.get(at + byte) for byte in range(4)]
            if not request.write and None not in found:
                loads[port] = sum((one or 0) << 8 * n for n, one in enumerate(found))
        for _, request in sorted(asking.items()):
            for byte in range(4):
                if request.write and request.enables >> byte & 1:
                    at = (request.address & 0x3C) + byte
                    self.bytes[at] = request.data >> 8 * byte & 0xFF
        return loads
