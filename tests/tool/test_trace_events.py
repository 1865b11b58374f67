# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The trace file: read as written, and refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horolog.model.errors import Exit, HorologError
from horolog.trace import Trace, read_trace, write_trace

EVENTS = st.lists(
    st.tuples(st.integers(0, 2**40), st.sampled_from("IRSE"), st.integers(0, 2000))
).map(lambda events: sorted(events, key=lambda event: event[0]))


@given(EVENTS)
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[int, str, int]]
) -> None:
    path = tmp_path_factory.mktemp("trace") / "trace.txt"
    write_trace(path, Trace.of(events))
    trace = read_trace(path)
    assert list(trace) == events
    assert trace == Trace.of(events)
    assert len(trace) == len(events)


def test_an_empty_file_is_an_empty_trace(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("")
    assert len(read_trace(path)) == 0
    assert read_trace(path).end_ns == 0


@pytest.mark.parametrize("line", ["12 S", "12 X 0", "x S 0", "12 S -1", "", "9" * 30 + " S 0"])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "trace.txt"
    path.write_text(f"1 S 0\n{line}\n")
    with pytest.raises(HorologError) as caught:
        read_trace(path)
    assert caught.value.exit is Exit.TARGET_FAILED
    assert caught.value.place is not None
    assert caught.value.place.line == 2


def test_time_does_not_run_backwards(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("5 S 0\n4 E 0\n")
    with pytest.raises(HorologError, match="runs backwards"):
        read_trace(path)
    with pytest.raises(HorologError, match="earlier"):
        Trace.of([(5, "S", 0), (4, "E", 0)])


def test_interrupts_are_told_from_the_rest() -> None:
    trace = Trace.of([(0, "I", 2), (1, "R", 0), (2, "S", 0), (3, "I", 1), (4, "E", 0)])
    assert list(trace.interrupts()) == [(0, 2), (3, 1)]
    assert trace.end_ns == 4
