# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Stands for OpenOCD in tests: a gdb server before an emulator's, whose monitor knows RTT.

    python rtt_stand_in.py GDB_PORT EMULATOR_PORT

It knows of RTT what the protocol says and nothing of Horolog: it looks for the control block by its id in
the memory that it is told to search, and reads the first up-channel while the target runs. A real probe reads
memory of a target that runs; this one halts the emulator, the time of which stands still then, and gdb does
not see that.
"""

from __future__ import annotations

import contextlib
import re
import select
import socket
import struct
import sys
from time import monotonic, sleep

from horolog.run.relay import Packets, expanded, packet

HERE = "127.0.0.1"
PAUSE = 0.001
CONNECT_SECONDS = 10.0


class StandIn:
    def __init__(self, gdb: socket.socket, emulator: socket.socket) -> None:
        self.gdb, self.emulator = gdb, emulator
        self.from_gdb, self.from_emulator = Packets(), Packets()
        self.found: list[bytes] = []
        self.resume: bytes | None = None
        self.searched: tuple[int, int, bytes] | None = None
        self.control: int | None = None
        self.listener: socket.socket | None = None
        self.sink: socket.socket | None = None
        self.acknowledges = True  # QEMU knows no other way
        self.owed = 0  # acknowledgements of the emulator for what gdb has not sent

    def run(self) -> None:
        while True:
            sockets = [self.gdb, self.emulator]
            sockets += [self.listener] if self.listener is not None and self.sink is None else []
            reads = self.resume is not None and self.sink is not None
            for one in select.select(sockets, [], [], PAUSE if reads else 1.0)[0][:1]:
                if one is self.listener:
                    self.sink = self.listener.accept()[0]
                    continue
                data = one.recv(1 << 16)
                if not data:
                    return
                if one is self.gdb:
                    for part in self.from_gdb.take(data):
                        self.hear(part)
                else:
                    self.found += self.from_emulator.take(data)
            while self.found:
                self.tell(self.found.pop(0))
            if self.resume is not None and self.sink is not None:
                self.drain()

    def hear(self, part: bytes) -> None:
        """What gdb says."""
        payload = part[1:-3] if part[:1] == b"$" else b""
        if payload.startswith(b"qRcmd,"):
            if self.acknowledges:
                self.gdb.sendall(b"+")
            command = bytes.fromhex(payload[6:].decode()).decode()
            sys.stderr.write(f"monitor {command}\n")
            sys.stderr.flush()
            said = self.monitor(command)
            if said:
                self.gdb.sendall(packet(b"O" + said.encode().hex().encode()))
            self.gdb.sendall(packet(b"OK"))
            return
        if payload.startswith((b"vCont;c", b"c")):
            self.resume = part
        elif part == b"\x03":
            self.resume = None  # the stop that follows is gdb's
        self.emulator.sendall(part)

    def tell(self, part: bytes) -> None:
        """What the emulator says."""
        if part == b"+" and self.owed:
            self.owed -= 1
            return
        if part[:1] == b"$" and part[1:2] in b"TSWX":
            self.resume = None
        self.gdb.sendall(part)

    def monitor(self, command: str) -> str:
        """As OpenOCD 0.12: rtt setup, start, polling_interval, server start; others it passes over."""
        setup = re.fullmatch(r'rtt setup (0x[0-9a-f]+) (\d+) "(.+)"', command)
        serve = re.fullmatch(r"rtt server start (\d+) 0", command)
        if setup is not None:
            self.searched = (int(setup[1], 16), int(setup[2]), setup[3].encode())
        elif command == "rtt start" and self.searched is not None:
            address, length, name = self.searched
            at = self.memory(address, length).find(name + b"\0")
            if at < 0:
                return "rtt: No control block found\n"
            self.control = address + at
        elif serve is not None and self.control is not None:
            self.listener = socket.create_server((HERE, int(serve[1])))
        return ""

    def drain(self) -> None:
        """Halts the emulator, sends on what the first up-channel holds, and lets it run."""
        assert self.resume is not None
        assert self.sink is not None
        assert self.control is not None
        self.emulator.sendall(b"\x03")
        stopped = self.answer()
        if stopped[1:2] in b"WX":
            self.tell(stopped)
            return
        up, down = struct.unpack("<II", self.memory(self.control + 16, 8))
        assert (up, down) == (1, 0)
        _, buffer, size, written, read, _ = struct.unpack("<6I", self.memory(self.control + 24, 24))
        assert max(written, read) < size
        ends = [(read, size), (0, written)] if written < read else [(read, written)]
        data = b"".join(self.memory(buffer + low, high - low) for low, high in ends)
        place = self.control + 24 + 16
        self.ask(b"M%x,4:%s" % (place, struct.pack("<I", written).hex().encode()))
        with contextlib.suppress(OSError):  # who reads may have had enough
            self.sink.sendall(data)
        self.send(self.resume)

    def memory(self, address: int, length: int) -> bytes:
        parts = range(0, length, 1024)
        asked = [b"m%x,%x" % (address + at, min(1024, length - at)) for at in parts]
        return b"".join(bytes.fromhex(self.ask(one).decode()) for one in asked)

    def send(self, part: bytes) -> None:
        """A packet that gdb knows nothing of."""
        self.emulator.sendall(part)
        self.owed += self.acknowledges

    def ask(self, payload: bytes) -> bytes:
        self.send(packet(payload))
        return expanded(self.answer()[1:-3])

    def answer(self) -> bytes:
        """The next packet of the emulator."""
        while True:
            while self.found:
                part = self.found.pop(0)
                if part[:1] != b"$":
                    self.tell(part)
                    continue
                if self.acknowledges:
                    self.emulator.sendall(b"+")
                return part
            self.found += self.from_emulator.take(self.emulator.recv(1 << 16))


def main(port: int, behind: int) -> None:
    end = monotonic() + CONNECT_SECONDS
    while True:
        try:
            emulator = socket.create_connection((HERE, behind), 1)
            break
        except OSError:
            if monotonic() > end:
                raise
            sleep(0.05)
    emulator.settimeout(None)
    with socket.create_server((HERE, port)) as listener:
        sys.stderr.write(f"Info : Listening on port {port} for gdb connections\n")
        sys.stderr.flush()
        gdb = listener.accept()[0]
    for one in (gdb, emulator):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    StandIn(gdb, emulator).run()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
