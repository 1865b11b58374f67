# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Pictures, figures and the packed run of the page."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise

from tests.system.support import example
from tests.tool.report_fixture import (
    chronos,
)
from tests.tool.report_reader import pack_of, run

from horolog.read import read_system
from horolog.report.pictures import groups, histogram, instants, response_scale
from horolog.report.wording import ns_text, percent
from horolog.trace import jobs, segments


def test_the_instants_are_counted_as_planned() -> None:
    target, _, planned, *_ = run()
    picture = instants(target, planned.choice)
    assert 0 < picture.span <= target.duration
    for row in picture.rows:
        assert row.empty_count == 0
        assert row.needed.count("M") == row.needed_count
    assert picture.distinct <= sum(row.needed_count for row in picture.rows)
    tick = next(a.plan for a in planned.alternatives if a.mechanism == "tick")
    assert tick is not None
    (row,) = instants(target, tick).rows
    assert row.empty_count > 0


def test_few_tasks_have_a_row_each_many_share_their_levels() -> None:
    few = groups(chronos(10))
    assert sorted(index for group in few for index in group.tasks) == list(range(10))
    assert all(len(group.tasks) == 1 for group in few)
    many = groups(chronos(100))
    assert sorted(index for group in many for index in group.tasks) == list(range(100))
    assert [group.level for group in many] == sorted({g.level for g in many}, reverse=True)


def test_levels_of_a_controller_and_those_of_threads_are_not_one() -> None:
    """A table's tasks are above the threads, though levels of both have the same numbers."""
    system = read_system(example("flight-table"))
    names = [task.name for task in system.tasks]
    tabled = {at for at, task in enumerate(system.tasks) if task.table_level is not None}
    by_level = groups(system, at_most=0)
    assert [{*one.tasks} <= tabled for one in by_level] == [True] * 3 + [False] * 4
    assert [names[one.tasks[0]] for one in by_level][-4:] == [
        "receiver",
        "bus-time",
        "health",
        "maps",
    ]
    order = [at for one in groups(system) for at in one.tasks]
    assert {*order[: len(tabled)]} == tabled


def test_the_response_axis_holds_everything() -> None:
    scale = response_scale([0.004, 0.3])
    assert (scale.low, scale.high, scale.deadline) == (0.001, 1.0, 100.0)
    assert [tick.label for tick in scale.ticks] == [
        f"{text}\u202f%" for text in ("0.1", "1", "10", "100")
    ]
    late = response_scale([0.5, 2.3])
    assert late.high >= 2.3
    assert late.deadline < 100
    assert histogram([0.5, 2.3, 0.5], late).jobs == 3
    assert histogram([], late).worst is None


def test_histograms_have_lanes_and_no_colour_lies_on_another() -> None:
    scale = response_scale([0.5, 0.1])
    shares = [0.5, 0.5, 0.1]
    pictures = [histogram(shares, scale, lane=lane, lanes=3) for lane in range(3)]
    edges = [(one.top, one.foot) for one in pictures]
    assert all(above[1] < below[0] for above, below in pairwise(edges))
    assert edges[0][0] >= 0
    assert edges[-1][1] <= 100
    for one in pictures:
        bars = re.findall(r"M([\d.]+) ([\d.]+)h[\d.]+v-([\d.]+)", one.path)
        assert len(bars) == 2
        for _, foot, height in bars:
            assert one.top <= float(foot) - float(height) < float(foot) <= one.foot + 0.05
    assert "opacity" not in re.sub(r"[^}]*placeholder[^}]*", "", style())


def style() -> str:
    return (files("horolog.report") / "templates" / "style.css").read_text(encoding="utf-8")


def test_times_and_percentages() -> None:
    assert ns_text(999) == "999\u202fns"
    assert ns_text(Fraction(999_700)) == "1.00\u202fms"
    assert ns_text(12_345_678) == "12.3\u202fms"
    assert ns_text(None) == percent(None) == "\u2013"


def integers(packed: str) -> Iterator[int]:
    value = shift = 0
    for byte in zlib.decompress(base64.b64decode(packed)):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def test_the_packed_run_unpacks() -> None:
    """The reader of timeline_run.js, in Python."""
    target, _, _, trace, _ = run()
    stream = integers(pack_of(trace, target))
    unpacked, time = [], 0
    for _ in range(next(stream)):
        index, number = next(stream), next(stream)
        time += next(stream)
        lasted = next(stream)
        unpacked.append((index, number, time, time + lasted - 1 if lasted else None))
    assert sorted(unpacked) == [
        (j.task, j.number, j.start_ns, j.end_ns) for j in jobs(trace, target)
    ]
    assert next(stream) == 0
    job = time = 0
    stretches = []
    for _ in range(next(stream)):
        zigzag = next(stream)
        job += -(zigzag + 1) // 2 if zigzag & 1 else zigzag // 2
        start = time + next(stream)
        time = start + next(stream)
        stretches.append((unpacked[job][0], start, time))
    assert stretches == [(s.task, s.start_ns, s.end_ns) for s in segments(trace)]
    calls, time = [], 0
    for _ in range(next(stream)):
        cell = next(stream)
        time += next(stream)
        calls.append((time, cell))
    assert calls == list(trace.interrupts())
    assert list(stream) == []
