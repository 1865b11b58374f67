# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a debugger found in a ring, as records and costs."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from horolog.measure.ring import (
    HEADER_BYTES,
    PLAIN_AT,
    Header,
    Kind,
    Record,
    begun,
    read_header,
    read_records,
)
from horolog.model import Exit, HorologError

CALLS = 32


def head(*, capacity: int = 100, written: int = 3, opened: int = 0, calls: int = CALLS) -> bytes:
    """A header with costs in counts: plain 20, called 24, mask 30, interrupts 50, 60, service 80, job 44."""
    costs = ((20, 0), (24, 0), (30, 0), (55, 28), (50, 26), (60, 34), (80, 30), (44, 21))
    words = [capacity, written, 0, 1000, opened, calls, 0x228]
    for whole, inside in costs:
        words += [whole * (CALLS - 1), inside * CALLS]
    return struct.pack(f"<{len(words)}I", *words)


def test_costs_add_up_to_what_was_measured() -> None:
    header = read_header(head())
    costs, branch = header.costs, Fraction(2)  # half of a call there and back
    assert costs[Kind.SERVED].whole == costs[Kind.RELEASED].whole == 20
    assert costs[Kind.MASK_LOW].whole == costs[Kind.MASK_HIGH].whole == 30
    assert costs[Kind.MASK_MORE].whole == 55 - 30
    entered, left, ended = costs[Kind.ENTERED], costs[Kind.LEFT], costs[Kind.SWITCHED]
    assert entered.after + left.before == 26 - branch
    assert entered.whole + left.whole == 50 - 2 * branch
    assert entered.after + ended.before == 34
    assert entered.whole + ended.whole == 60 - branch
    called, returned = costs[Kind.CALLED], costs[Kind.RETURNED]
    assert called.after + returned.before == 30 - branch
    assert called.whole + returned.whole == 80 - 2 * branch
    begun, end = costs[Kind.BEGUN], costs[Kind.ENDED]
    assert begun.after + end.before == 21
    assert begun.whole + end.whole == 44


def test_the_header_says_what_the_ring_holds() -> None:
    header = read_header(head(capacity=64, written=7, opened=5))
    assert (header.capacity, header.written, header.lost) == (64, 7, 0)
    assert (header.window, header.opened, header.idle) == (1000, 5, 0x228)


@pytest.mark.parametrize(
    "data",
    [b"", head()[:-4], bytes(HEADER_BYTES), head(written=101), head(calls=0)],
    ids=["nothing", "short", "zeros", "more than it holds", "never calibrated"],
)
def test_memory_that_holds_no_ring_is_refused(data: bytes) -> None:
    with pytest.raises(HorologError, match="has not begun its trace") as caught:
        read_header(data)
    assert caught.value.exit is Exit.TARGET_FAILED


def records(header: Header, *words: tuple[int, int]) -> tuple[Record, ...]:
    return read_records(header, b"".join(struct.pack("<II", *one) for one in words))


def test_stamps_go_on_when_the_counter_wraps() -> None:
    header = read_header(head(opened=(1 << 32) - 10))
    found = records(header, ((1 << 32) - 4, 0x01000018), (6, 0x02000228), (7, 0x08051234))
    assert found == (
        Record(6, Kind.ENTERED, 0x18),
        Record(16, Kind.LEFT, 0x228),
        Record(17, Kind.MASK_LOW, 0x51234),
    )


def test_what_lies_behind_the_written_records_is_not_read() -> None:
    header = read_header(head(written=1))
    assert len(records(header, (1, 0x01000000), (2, 0xFF000000))) == 1


def test_the_second_half_of_a_mask_costs_less_than_one_of_another_call() -> None:
    header = read_header(head(written=4))
    words = (0x08050001, 0x09050001, 0x09060001, 0x08060001)
    found = records(header, *((at, word) for at, word in enumerate(words)))
    assert [one.kind for one in found] == [
        Kind.MASK_LOW,
        Kind.MASK_MORE,
        Kind.MASK_HIGH,
        Kind.MASK_LOW,
    ]


def test_a_word_of_no_kind_is_refused() -> None:
    with pytest.raises(HorologError, match="cannot be read") as caught:
        records(read_header(head()), (1, 0x01000000), (2, 0xFF000000))
    assert "record 1 with the word 0xff000000" in (caught.value.found or "")


def streamed(*words: tuple[int, int]) -> bytes:
    return b"".join(struct.pack("<II", *one) for one in words)


def test_a_ring_that_is_read_as_it_fills_begins_with_what_its_header_did_not_know_yet() -> None:
    data = streamed((77, 0x00000345), (80, 0x01000018), (95, 0x0A000003), (95, 0x02000345))
    header = begun(read_header(head(written=0), streamed=True), data)
    assert (header.opened, header.idle, header.written) == (77, 0x345, 4)
    found = read_records(header, data)
    assert [one.at for one in found] == [0, 3, 18, 18]
    assert found[2] == Record(18, Kind.LOST, 3)


@pytest.mark.parametrize("data", [b"", b"1234567", streamed((77, 0x01000018))])
def test_a_stream_that_begins_otherwise_is_refused(data: bytes) -> None:
    with pytest.raises(HorologError, match="has not begun its trace"):
        begun(read_header(head(written=0), streamed=True), data)


def test_a_counter_that_stands_still_is_refused_before_anything_is_read() -> None:
    words = bytearray(head(written=0))
    words[PLAIN_AT:] = bytes(HEADER_BYTES - PLAIN_AT)
    with pytest.raises(HorologError, match="stands still") as caught:
        read_header(bytes(words), streamed=True)
    assert caught.value.found == "records that cost no time"
    assert read_header(bytes(words)).written == 0  # of which nothing is known yet
