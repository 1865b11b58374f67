# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Stands between gdb and its server, and reads the trace ring of the target while gdb lets it run.

gdb's remote protocol (gdb's manual, "Remote Protocol") has no way to read memory of a target that runs.
Servers that know SEGGER's RTT (OpenOCD, pyOCD) read the ring themselves, and serve what they read at a TCP
port: they are told so by commands of their monitor, which both have. With any other the relay halts the
target, reads, and lets it run on, of which gdb sees nothing. When a record from behind the window was read,
the target is halted, and gdb is told.
"""

from __future__ import annotations

import re
import selectors
import socket
import struct
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from horolog.run.gdb_session import Remote, no_server

__all__ = ["START", "Channel", "Packets", "Relay", "expanded", "packet"]

START = "horolog stream"
"""Of gdb's `monitor`: reading begins when gdb lets the target run next."""

_HERE = "127.0.0.1"
_RECORD = struct.Struct("<II")
_WORD = struct.Struct("<I")
_ANSWER_SECONDS = 10.0
_CONNECT_SECONDS = 3.0
_CHUNK = 1024  # bytes of memory in one packet: servers have room for 2,048 or more
_SHORTEST, _LONGEST = 0.0005, 0.1  # seconds between two halts
_RTT_PORT = 19021  # of a server elsewhere: the one that SEGGER's have
_INTERRUPT = b"\x03"


@dataclass(frozen=True, slots=True)
class Channel:
    """A ring that is read as it fills (kernel/trace/stream.h), by addresses, and for how long."""

    control: int  # the control block of RTT
    control_bytes: int
    written: int  # in it
    read: int
    buffer: int
    buffer_bytes: int
    window: int  # counts of stamps behind that of the first record


def packet(payload: bytes) -> bytes:
    """`payload` as the protocol sends it."""
    return b"$" + payload + b"#" + b"%02x" % (sum(payload) % 256)


class Packets:
    """Takes bytes as they come, and gives packets and what stands between them, each as it was sent."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, data: bytes) -> list[bytes]:
        """What `data` completes: packets, and single bytes (acknowledgements, an interrupt)."""
        self._rest += data
        found: list[bytes] = []
        while self._rest:
            if self._rest[:1] != b"$":
                found.append(self._rest[:1])
                self._rest = self._rest[1:]
                continue
            end = self._rest.find(b"#")
            if end < 0 or len(self._rest) < end + 3:
                break
            found.append(self._rest[: end + 3])
            self._rest = self._rest[end + 3 :]
        return found


def _payload(part: bytes) -> bytes:
    return part[1:-3] if part[:1] == b"$" else b""


def expanded(payload: bytes) -> bytes:
    """An answer with its runs written out: a byte, `*`, and a byte n + 29 are that first one and n more."""
    return _RUN.sub(lambda run: run[1] * (run[2][0] - 28), payload)


_RUN = re.compile(rb"(.)\*(.)", re.S)


class _Stream:
    """Records, as they are read, in a file, and how far they reach."""

    def __init__(self, file: Path, window: int) -> None:
        self._file = file.open("wb")
        self._window = window
        self._rest = b""
        self._last: int | None = None
        self._reached = 0

    def take(self, data: bytes) -> None:
        """Keeps `data`, the records that come next."""
        self._file.write(data)
        self._rest += data
        whole = len(self._rest) // _RECORD.size * _RECORD.size
        for stamp, _ in _RECORD.iter_unpack(self._rest[:whole]):
            if self._last is not None:
                self._reached += (stamp - self._last) % (1 << 32)
            self._last = stamp
        self._rest = self._rest[whole:]

    @property
    def is_over(self) -> bool:
        """Whether a record came from behind the window."""
        return self._reached >= self._window

    def close(self) -> None:
        """No more will come."""
        self._file.close()


class Relay:
    """A gdb server of this machine, behind which is `remote`; what it reads of `channel` goes into `file`."""

    def __init__(self, remote: Remote, channel: Channel, file: Path) -> None:
        self._behind, self._channel = remote, channel
        self._stream = _Stream(file, channel.window)
        self._listener = socket.create_server((_HERE, 0))
        self.remote = Remote(_HERE, self._listener.getsockname()[1], remote.reset)
        self.halts: int | None = None  # so often the target was halted to be read; None: never
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether all of the window was read."""
        return self._stream.is_over

    def __enter__(self) -> Self:
        """HorologError (4) if nothing listens where the server should."""
        where = (self._behind.host, self._behind.port)
        try:
            self._server = socket.create_connection(where, _CONNECT_SECONDS)
        except OSError as error:
            self._listener.close()
            self._stream.close()
            raise no_server(self._behind, str(error)) from None
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):  # wakes the thread, if it waits for gdb
            socket.create_connection((_HERE, self.remote.port), 1).close()
        self._thread.join(_ANSWER_SECONDS)
        self._listener.close()
        self._stream.close()

    def _run(self) -> None:
        """Ends with the connection of gdb, or with that of the server, as gdb then sees."""
        with self._listener.accept()[0] as gdb, self._server as server, suppress(OSError, EOFError):
            for one in (gdb, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server.settimeout(_ANSWER_SECONDS)
            with closing(_Session(gdb, server, self)) as session:
                session.run()


class _Session:
    """One connection of gdb's, through to the server."""

    def __init__(self, gdb: socket.socket, server: socket.socket, relay: Relay) -> None:
        self._gdb, self._server, self._relay = gdb, server, relay
        self._channel, self._stream = relay._channel, relay._stream
        self._from_gdb, self._from_server = Packets(), Packets()
        self._waiting: list[bytes] = []  # of the server, read beyond an answer
        self._acknowledges = True
        self._asked_for_none = False
        self._owed = 0  # acknowledgements that the server owes for what gdb has not sent
        self._streams = False
        self._resume: bytes | None = None  # by which gdb let the target run, while it runs
        self._rtt: socket.socket | None = None  # the port of a server that reads the ring itself
        self._pause = _SHORTEST
        self._next = 0.0

    def close(self) -> None:
        """Leaves what the session has opened."""
        if self._rtt is not None:
            self._rtt.close()

    def run(self) -> None:
        """Until a side closes its connection: EOFError, OSError."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._gdb, selectors.EVENT_READ)
            ready.register(self._server, selectors.EVENT_READ)
            while True:
                halts = self._streams and self._resume is not None and self._rtt is None
                left = max(0.0, self._next - monotonic()) if halts else None
                while self._waiting:
                    self._hear_server(self._waiting.pop(0))
                for key, _ in ready.select(left)[:1]:  # as what is done may read what else there is
                    data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                    if not data:
                        raise EOFError
                    if key.fileobj is self._gdb:
                        for part in self._from_gdb.take(data):
                            self._hear_gdb(part, ready)
                    elif key.fileobj is self._server:
                        for part in self._from_server.take(data):
                            self._hear_server(part)
                    elif self._resume is not None:
                        self._keep(data)
                if halts and self._resume is not None and monotonic() >= self._next:
                    self._halt()

    def _hear_gdb(self, part: bytes, ready: selectors.BaseSelector) -> None:
        payload = _payload(part)
        if payload == b"qRcmd," + START.encode().hex().encode():
            if self._acknowledges:
                self._gdb.sendall(b"+")
            self._streams = True
            self._rtt = self._served()
            if self._rtt is not None:
                ready.register(self._rtt, selectors.EVENT_READ)
            else:
                self._relay.halts = 0
            self._gdb.sendall(packet(b"OK"))
            return
        if payload == b"QStartNoAckMode":
            self._asked_for_none = True
        if part == _INTERRUPT:
            self._streams = False  # the stop that follows is gdb's
        if _RESUMES.match(payload):
            self._resume = part
            self._next = monotonic() + self._pause
        self._server.sendall(part)

    def _hear_server(self, part: bytes) -> None:
        payload = _payload(part)
        if self._asked_for_none and part[:1] == b"$":
            self._acknowledges = payload != b"OK"
            self._asked_for_none = False
        if part == b"+" and self._owed:
            self._owed -= 1
            return
        if payload and payload[:1] in _STOPS:
            self._resume = None
        self._gdb.sendall(part)

    def _keep(self, data: bytes) -> None:
        """Halts the target, once, when the window is over."""
        self._stream.take(data)
        if self._stream.is_over and self._streams:
            self._streams = False
            self._server.sendall(_INTERRUPT)

    def _halt(self) -> None:
        """Halts the target, reads what the ring holds, and lets it run on; or tells gdb that it has ended."""
        assert self._resume is not None
        self._server.sendall(_INTERRUPT)
        stopped = self._answer(_STOPS)
        if stopped[1:2] in (b"W", b"X"):
            self._resume = None
            self._gdb.sendall(stopped)
            return
        self._relay.halts = (self._relay.halts or 0) + 1
        self._stream.take(self._unread())
        if self._stream.is_over:
            self._streams, self._resume = False, None
            self._gdb.sendall(stopped)
            return
        self._send(self._resume)
        self._next = monotonic() + self._pause

    def _unread(self) -> bytes:
        """What the channel holds, which is empty then."""
        of = self._channel
        written, read = self._word(of.written), self._word(of.read)
        held = (written - read) % of.buffer_bytes
        first = min(held, of.buffer_bytes - read)
        data = self._memory(of.buffer + read, first) + self._memory(of.buffer, held - first)
        self._ask(b"M%x,4:%s" % (of.read, _WORD.pack(written).hex().encode()))
        if 4 * held > of.buffer_bytes:
            self._pause = max(_SHORTEST, self._pause / 2)
        elif 16 * held < of.buffer_bytes:
            self._pause = min(_LONGEST, self._pause * 2)
        return data

    def _word(self, address: int) -> int:
        return int(_WORD.unpack(self._memory(address, _WORD.size))[0])

    def _memory(self, address: int, length: int) -> bytes:
        data = b""
        while len(data) < length:
            part = min(_CHUNK, length - len(data))
            text = self._ask(b"m%x,%x" % (address + len(data), part))
            if not _HEX.fullmatch(text):
                raise EOFError
            data += bytes.fromhex(text.decode())
        return data

    def _ask(self, payload: bytes) -> bytes:
        """What the server answers; EOFError if that is an error."""
        self._send(packet(payload))
        found = expanded(_payload(self._answer(b"")))
        if _ERROR.fullmatch(found):
            raise EOFError
        return found

    def _send(self, part: bytes) -> None:
        """A packet that gdb knows nothing of."""
        self._server.sendall(part)
        self._owed += self._acknowledges

    def _answer(self, kinds: bytes) -> bytes:
        """The next packet of the server, of one of these kinds; what else comes is for gdb."""
        while True:
            while self._waiting:
                part = self._waiting.pop(0)
                if part[:1] != b"$":
                    self._hear_server(part)
                    continue
                if self._acknowledges:
                    self._server.sendall(b"+")
                if not kinds or part[1:2] in kinds:
                    return part
                self._gdb.sendall(part)
            data = self._server.recv(1 << 16)
            if not data:
                raise EOFError
            self._waiting += self._from_server.take(data)

    def _served(self) -> socket.socket | None:
        """A connection to the server's port for the ring; None: it serves none."""
        of, host = self._channel, self._behind_host
        port = _port(host)
        for command in (
            f'rtt setup {of.control:#x} {of.control_bytes} "SEGGER RTT"',
            "rtt polling_interval 1",  # milliseconds; pyOCD does not know it
            "rtt start",
            f"rtt server start {port} 0",
        ):
            self._send(packet(b"qRcmd," + command.encode().hex().encode()))
            while _payload(said := self._answer(b""))[:1] == b"O" and said != packet(b"OK"):
                pass  # what the monitor prints
        try:
            return socket.create_connection((host, port), _CONNECT_SECONDS)
        except OSError:
            return None

    @property
    def _behind_host(self) -> str:
        return self._relay._behind.host


_RESUMES = re.compile(rb"vCont;[cCsS]|[cCsS](?:[0-9a-f;]|$)")
_STOPS = b"TSWX"
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2})+")
_ERROR = re.compile(rb"E[0-9a-fA-F]{2}")


def _port(host: str) -> int:
    """Where a server is to serve: a port that is free, if it runs on this machine."""
    with socket.socket() as free:
        try:
            free.bind((host, 0))
        except OSError:
            return _RTT_PORT
        return int(free.getsockname()[1])
