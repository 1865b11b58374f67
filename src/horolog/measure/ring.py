# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a firmware that measures itself has written into its ring (kernel/trace/trace.h), as records with
costs.

A record takes time itself: before its stamp is read, and after. The firmware measures at start-up what
records cost that follow each other. `before` and `after` of a kind of record are such that every such sum
comes out; how a sum is divided between the two does not matter, as whatever is entered is left, and what
has begun ends.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

from horolog.model import TargetFailed

__all__ = [
    "CONTROL_BYTES",
    "HEADER_BYTES",
    "PLAIN_AT",
    "READ_AT",
    "WRITTEN_AT",
    "begun",
    "Cost",
    "Costs",
    "Header",
    "Kind",
    "Record",
    "read_header",
    "read_records",
]


class Kind(IntEnum):
    """Of a record, as ports/include/hrlp_ring.h numbers them."""

    EMPTY = 0
    ENTERED = 1
    LEFT = 2
    SWITCHED = 3
    BEGUN = 4
    ENDED = 5
    RELEASED = 6
    SERVED = 7
    MASK_LOW = 8
    MASK_HIGH = 9
    LOST = 10
    CALLED = 11
    RETURNED = 12
    MASK_MORE = 256  # as we call a MASK_HIGH of the same call as the MASK_LOW before it


class Record(NamedTuple):
    """What happened at `at`, counts after the start of the trace, unwrapped."""

    at: int
    kind: Kind
    about: int  # 24 bits


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a kind of record, in counts: before its stamp, and behind it."""

    before: Fraction
    after: Fraction

    @property
    def whole(self) -> Fraction:
        """Both."""
        return self.before + self.after


Costs = Mapping[Kind, Cost]


@dataclass(frozen=True, slots=True)
class Header:
    """struct hrli_trace."""

    capacity: int
    written: int
    lost: int
    window: int
    opened: int
    idle: int  # the idle thread: 24 bits of its address; 0: there are no threads
    costs: Costs


_RECORD = struct.Struct("<II")
_WORDS = 23
HEADER_BYTES = 4 * _WORDS
PLAIN_AT = 28  # what a record costs; 0: nothing counts
CONTROL_BYTES = 48  # of the control block of RTT, struct hrli_trace_rtt of kernel/trace/stream.h
WRITTEN_AT = 36  # in it
READ_AT = 40
_SPAN = 1 << 32


def read_header(data: bytes, *, streamed: bool = False) -> Header:
    """Reads what a debugger found in hrli_trace. HorologError (4) if that is no ring, or nothing counts.

    `streamed`: of a ring that is read as it fills, before its trace has begun.
    """
    if len(data) != HEADER_BYTES:
        raise _no_ring(f"{len(data)} bytes")
    words = struct.unpack(f"<{_WORDS}I", data)
    capacity, written, lost, window, opened, calls, idle = words[:7]
    if calls < 2 or not 0 <= written <= capacity:
        raise _no_ring(f"{written} of {capacity} records, {calls} calls")
    pairs = [
        (Fraction(whole, calls - 1), Fraction(inside, calls)) for whole, inside in _pairs(words[7:])
    ]
    if (written or streamed) and not any(whole for whole, _ in pairs):
        raise TargetFailed(
            "the counter that stamps the trace stands still",
            found="records that cost no time"
            if streamed
            else f"{written} records, all of them at {opened}",
            expected="a counter of cycles that counts, which DWT_CYCCNT in QEMU does not; or no cycles_hz in "
            "[probe] of board.toml: the stamps are the clock's then",
        )
    return Header(capacity, written, lost, window, opened, idle, _costs(pairs))


def begun(header: Header, data: bytes) -> Header:
    """`header`, which was read before the trace began, with what the first record of `data` says of that."""
    if len(data) < _RECORD.size:
        raise _no_ring(f"{len(data)} bytes")
    opened, word = _RECORD.unpack_from(data)
    if word >> 24 != Kind.EMPTY:
        raise _no_ring(f"a first record with the word {word:#010x}")
    written = len(data) // _RECORD.size
    return replace(header, written=written, opened=opened, idle=word & 0xFFFFFF)


def _no_ring(found: str) -> TargetFailed:
    return TargetFailed(
        "the firmware has not begun its trace",
        found=found,
        expected="a start that reaches hrl_start, by which the clock runs",
    )


def _pairs(words: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(words[::2], words[1::2], strict=True)


def _costs(pairs: Sequence[tuple[Fraction, Fraction]]) -> Costs:
    """By what was measured, in the order of struct hrli_trace.

    The interrupts and services of the calibration are calls: one branch there and one back more than is the
    ring's.
    """
    (plain, _), (called, _), (masked, _), (halves, _) = pairs[:4]
    (entered, inside), (switched, switched_inside), (service, in_service), (job, in_job) = pairs[4:]
    branch = (called - plain) / 2
    entered, inside = entered - 2 * branch, inside - branch
    switched = switched - branch
    service, in_service = service - 2 * branch, in_service - branch
    single = Cost(plain / 2, plain / 2)
    left = Cost(inside / 2, (entered - inside) / 2)
    enter = Cost(left.after, left.before)
    by_itself = Cost(switched_inside - enter.after, switched - switched_inside - enter.before)
    returned = Cost(in_service / 2, (service - in_service) / 2)
    end = Cost(in_job / 2, (job - in_job) / 2)
    found = dict.fromkeys(Kind, single)
    of_mask = Cost(masked / 2, masked / 2)
    more = Cost((halves - masked) / 2, (halves - masked) / 2)
    return found | {
        Kind.MASK_LOW: of_mask,
        Kind.MASK_HIGH: of_mask,
        Kind.MASK_MORE: more,
        Kind.ENTERED: enter,
        Kind.LEFT: left,
        Kind.SWITCHED: by_itself,
        Kind.CALLED: Cost(returned.after, returned.before),
        Kind.RETURNED: returned,
        Kind.BEGUN: Cost(end.after, end.before),
        Kind.ENDED: end,
    }


def read_records(header: Header, data: bytes) -> tuple[Record, ...]:
    """The records of a trace, from `data`, which begins with those that the header says are written.

    HorologError (4) if one is none.
    """
    found: list[Record] = []
    last, at = header.opened, 0
    for stamp, word in _RECORD.iter_unpack(data[: _RECORD.size * header.written]):
        at += (stamp - last) % _SPAN
        last = stamp
        try:
            kind, about = Kind(word >> 24), word & 0xFFFFFF
        except ValueError:
            raise TargetFailed(
                "the trace of the firmware cannot be read",
                found=f"record {len(found)} with the word {word:#010x}",
                expected="a ring that nothing else in the firmware writes to",
            ) from None
        low = found[-1] if kind is Kind.MASK_HIGH and found else None
        if low is not None and low.kind is Kind.MASK_LOW and low.about >> 16 == about >> 16:
            kind = Kind.MASK_MORE
        found.append(Record(at, kind, about))
    return tuple(found)
