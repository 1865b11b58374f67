# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What stands between gdb and its server: a made-up target fills its ring, and gdb does not see who reads it.

The target fills as much of the ring as there is room for whenever it is let run, and says that it stopped
when it is interrupted.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path

import pytest

from horolog.model import Exit, TargetFailed
from horolog.run import Remote
from horolog.run.relay import START, Channel, Packets, Relay, expanded, packet

RAM = 0x20000000
CONTROL, BUFFER, RECORDS = RAM + 0x10, RAM + 0x100, 16
WRITTEN, READ = CONTROL + 36, CONTROL + 40
WINDOW = 1000
HERE = "127.0.0.1"


def channel(window: int = WINDOW) -> Channel:
    return Channel(
        control=CONTROL,
        control_bytes=48,
        written=WRITTEN,
        read=READ,
        buffer=BUFFER,
        buffer_bytes=8 * RECORDS,
        window=window,
    )


def trace(*stamps: int) -> bytes:
    return b"".join(struct.pack("<II", stamp % (1 << 32), i) for i, stamp in enumerate(stamps))


class Target:
    """A server with one target, for one connection."""

    def __init__(
        self,
        data: bytes,
        *,
        acknowledges: bool = False,
        runs: bool = False,
        serves_rtt: bool = False,
        exits_after: int | None = None,
        readable: bool = True,
    ) -> None:
        self.data, self.memory = data, bytearray(0x1000)
        self.acknowledges, self.compresses, self.serves_rtt = acknowledges, runs, serves_rtt
        self.exits_after, self.readable = exits_after, readable
        self.monitor: list[str] = []
        self.heard: list[bytes] = []
        self.interrupts = self.resumes = 0
        self._running = False
        self._rtt = ExitStack()  # its port, and who reads there
        self._listener = socket.create_server((HERE, 0))
        self.remote = Remote(HERE, self._listener.getsockname()[1])
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def word(self, address: int) -> int:
        return int(struct.unpack_from("<I", self.memory, address - RAM)[0])

    def _run(self) -> None:
        packets = Packets()
        with self._listener, self._rtt, suppress(OSError):
            self._gdb = self._listener.accept()[0]
            self._gdb.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._gdb:
                while data := self._gdb.recv(4096):
                    for part in packets.take(data):
                        self._hear(part)

    def _say(self, payload: bytes) -> None:
        self._gdb.sendall(packet(payload))

    def _hear(self, part: bytes) -> None:
        if part == b"\x03":
            self.interrupts += 1
            if self._running:
                self._running = False
                self._say(b"T02thread:01;")
        if part[:1] != b"$":
            return
        if self.acknowledges:
            self._gdb.sendall(b"+")
        self._answer(part[1:-3])

    def _answer(self, payload: bytes) -> None:
        self.heard.append(payload)
        if payload[:1] == b"m":
            self._read(payload)
        elif payload[:1] == b"M":
            where, _, text = payload[1:].partition(b":")
            at = int(where.split(b",")[0], 16) - RAM
            self.memory[at : at + len(text) // 2] = bytes.fromhex(text.decode())
            self._say(b"OK")
        elif payload.startswith(b"qRcmd,"):
            self._command(bytes.fromhex(payload[6:].decode()).decode())
        elif payload.startswith(b"vCont;c"):
            self._resume()
        elif payload == b"QStartNoAckMode":
            self._say(b"" if self.acknowledges else b"OK")
        else:
            self._say(b"OK")

    def _read(self, payload: bytes) -> None:
        at, length = (int(one, 16) for one in payload[1:].split(b","))
        if not self.readable:
            self._say(b"E0e")
            return
        text = self.memory[at - RAM : at - RAM + length].hex().encode()
        self._say(text.replace(b"00000", b"0*!") if self.compresses else text)

    def _command(self, command: str) -> None:
        self.monitor.append(command)
        if self.serves_rtt and command.startswith("rtt server start "):
            port = int(command.split()[3])
            self._rtt_listener = self._rtt.enter_context(socket.create_server((HERE, port)))
        self._say(b"O" + b"as you say\n".hex().encode())
        self._say(b"OK" if self.serves_rtt else b"E01")

    def _resume(self) -> None:
        self._running = True
        self.resumes += 1
        if self.serves_rtt:
            reader = self._rtt.enter_context(self._rtt_listener.accept()[0])
            for at in range(0, len(self.data), 100):  # which is no whole number of records
                reader.sendall(self.data[at : at + 100])
            return
        while self.data and (self.word(WRITTEN) + 8) % (8 * RECORDS) != self.word(READ):
            written = self.word(WRITTEN)
            start = BUFFER - RAM + written
            self.memory[start : start + 8], self.data = self.data[:8], self.data[8:]
            struct.pack_into("<I", self.memory, WRITTEN - RAM, (written + 8) % (8 * RECORDS))
        if self.exits_after == self.resumes:
            self._running = False
            self._say(b"W00")


class Gdb:
    """The side of gdb."""

    def __init__(self, remote: Remote) -> None:
        self.socket = socket.create_connection((remote.host, remote.port), 5)
        self._packets, self._found = Packets(), list[bytes]()
        self.acknowledged = 0

    def say(self, payload: bytes) -> None:
        self.socket.sendall(packet(payload))

    def hear(self) -> bytes:
        """The next packet's payload."""
        while True:
            while self._found:
                part = self._found.pop(0)
                self.acknowledged += part == b"+"
                if part[:1] == b"$":
                    return part[1:-3]
            data = self.socket.recv(4096)
            if not data:
                raise EOFError
            self._found += self._packets.take(data)

    def ask(self, payload: bytes) -> bytes:
        self.say(payload)
        return self.hear()

    def stream(self) -> bytes:
        """What gdb hears when it lets the target run."""
        assert self.ask(b"qRcmd," + START.encode().hex().encode()) == b"OK"
        return self.ask(b"vCont;c")


@contextmanager
def session(target: Target, file: Path, of: Channel | None = None) -> Iterator[tuple[Relay, Gdb]]:
    with Relay(target.remote, channel() if of is None else of, file) as relay:
        gdb = Gdb(relay.remote)
        try:
            assert gdb.ask(b"QStartNoAckMode") == (b"" if target.acknowledges else b"OK")
            yield relay, gdb
        finally:
            gdb.socket.close()


STAMPS = tuple(range(0, WINDOW + 1, 20))
"""51 records, of a ring that holds 15: three times round and more."""


def test_what_gdb_says_and_hears_is_passed_on(tmp_path: Path) -> None:
    target = Target(b"")
    with session(target, tmp_path / "records") as (_, gdb):
        target.memory[:4] = b"abcd"
        assert gdb.ask(b"m20000000,4") == b"61626364"
        assert gdb.ask(b"M20000000,2:3031") == b"OK"
        assert gdb.ask(b"qSupported") == b"OK"
    assert target.memory[:4] == b"01cd"
    assert target.interrupts == 0


@pytest.mark.parametrize("runs", [False, True], ids=["plain", "with runs"])
@pytest.mark.parametrize("acknowledges", [False, True], ids=["without acks", "with acks"])
def test_a_ring_is_read_as_it_fills_of_a_target_that_is_halted_for_it(
    tmp_path: Path, acknowledges: bool, runs: bool
) -> None:
    data = trace(*STAMPS)
    target = Target(data, acknowledges=acknowledges, runs=runs)
    with session(target, tmp_path / "records") as (relay, gdb):
        assert gdb.stream() == b"T02thread:01;"
        assert relay.halts == 4  # 15 records each, of 51
        assert relay.is_over
        assert gdb.ask(b"D") == b"OK"
        assert gdb.acknowledged == (
            4 if acknowledges else 0
        )  # each packet of its own, and no other
    assert (tmp_path / "records").read_bytes() == data
    assert target.word(READ) == target.word(WRITTEN)
    assert target.interrupts == target.resumes == 4
    assert target.monitor[0] == f'rtt setup {CONTROL:#x} 48 "SEGGER RTT"'  # and it knows none of it


def test_a_server_that_knows_rtt_is_asked_for_it_and_halts_nothing(tmp_path: Path) -> None:
    data = trace(*STAMPS, *range(WINDOW + 1, 20 * WINDOW))  # it goes on until it is halted
    target = Target(data, serves_rtt=True)
    with session(target, tmp_path / "records") as (relay, gdb):
        assert gdb.stream() == b"T02thread:01;"
        assert relay.halts is None
        assert relay.is_over
        assert gdb.ask(b"D") == b"OK"
    read = (tmp_path / "records").read_bytes()
    assert len(read) >= 8 * len(STAMPS)
    assert data.startswith(read)
    assert [one.rsplit(" ", 2)[0] if "server" in one else one for one in target.monitor] == [
        f'rtt setup {CONTROL:#x} 48 "SEGGER RTT"',
        "rtt polling_interval 1",
        "rtt start",
        "rtt server start",
    ]
    assert target.monitor[-1].endswith(" 0")  # the channel
    assert target.interrupts == 1  # at the end
    assert not [one for one in target.heard if one[:1] in b"mM"]


def test_stamps_may_wrap_as_often_as_they_like(tmp_path: Path) -> None:
    stamps = tuple(range(7, 7 + 6 * (1 << 32), 1 << 31))
    assert all(after - before == 1 << 31 for before, after in pairwise(stamps))
    target = Target(trace(*stamps))
    with session(target, tmp_path / "records", channel(5 << 32)) as (relay, gdb):
        assert gdb.stream() == b"T02thread:01;"
        assert relay.is_over


def test_a_program_that_ends_before_its_window_is_told(tmp_path: Path) -> None:
    target = Target(trace(*STAMPS), exits_after=2)
    with session(target, tmp_path / "records") as (relay, gdb):
        assert gdb.stream() == b"W00"
        assert not relay.is_over
        assert relay.halts == 1


def test_memory_that_cannot_be_read_ends_the_connection(tmp_path: Path) -> None:
    target = Target(trace(*STAMPS), readable=False)
    with session(target, tmp_path / "records") as (relay, gdb):
        with pytest.raises((EOFError, OSError)):
            gdb.stream()
        assert not relay.is_over


def test_no_server_is_said_before_gdb_starts(tmp_path: Path) -> None:
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    with (
        pytest.raises(TargetFailed) as caught,
        Relay(Remote(HERE, port), channel(), tmp_path / "r"),
    ):
        pass
    assert caught.value.exit is Exit.TARGET_FAILED
    assert caught.value.message == f"no gdb server answers at {HERE}:{port}"


def test_a_gdb_that_never_comes_is_no_trouble(tmp_path: Path) -> None:
    with Relay(Target(b"").remote, channel(), tmp_path / "records") as relay:
        pass
    assert (relay.halts, relay.is_over) == (None, False)


@pytest.mark.parametrize(
    ("sent", "parts"),
    [
        ((b"+$m0,4#fd",), (b"+", b"$m0,4#fd")),
        ((b"$m0", b",4#", b"f", b"d$OK#9a"), (b"$m0,4#fd", b"$OK#9a")),
        ((b"\x03",), (b"\x03",)),
    ],
)
def test_packets_are_found_however_they_come(sent: Sequence[bytes], parts: Sequence[bytes]) -> None:
    packets = Packets()
    assert tuple(part for data in sent for part in packets.take(data)) == tuple(parts)


@pytest.mark.parametrize(
    ("said", "meant"), [(b'0*"00', b"00000000"), (b"e8070* ", b"e8070000"), (b"12ab", b"12ab")]
)
def test_runs_of_an_answer_are_written_out(said: bytes, meant: bytes) -> None:
    assert expanded(said) == meant


def test_a_packet_has_its_sum() -> None:
    assert packet(b"OK") == b"$OK#9a"
