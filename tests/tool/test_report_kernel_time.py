# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When the kernel ran: what interruptions took is no body's, and tails add up to what was counted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.tool.report_fixture import HOROLOG, NS_PER_INSTRUCTION
from tests.tool.report_reader import read, report, run

from horolog.report import page
from horolog.report.kernel_time import mean_tail, without_interruptions
from horolog.trace import Met, Segment, jobs_and_met, segments


def test_what_an_interruption_took_is_no_bodys() -> None:
    whole = [Segment(0, 100, 200, 0), Segment(1, 230, 300, 0)]
    met = [
        Met(120, 0, 0, None, 1),  # 10 ns in the middle
        Met(190, 0, 0, None, 3),  # up to the end, where another body begins
        Met(230, 0, 1, None, 2),  # at the very begin
        Met(260, 0, 1, None, None),  # not known
    ]
    assert without_interruptions(whole, met, 10) == [
        Segment(0, 100, 120, 0),
        Segment(0, 130, 190, 0),
        Segment(1, 250, 300, 0),
    ]
    assert without_interruptions(whole, [], 10) == whole


def test_tails_are_what_is_left() -> None:
    # The kernel: 10 to a body, 5 between two bodies, then a tail; an empty interrupt with a tail; 10; a tail.
    bodies = [Segment(0, 10, 40, 0), Segment(1, 45, 60, 0), Segment(0, 210, 240, 1)]
    interrupts = [0, 100, 200]
    for tail in (0, 7, 40):
        busy = 10 + 30 + 5 + 15 + tail + tail + 10 + 30 + tail
        assert mean_tail(bodies, interrupts, 1000, busy) == tail
    # What is more than fits before an interrupt is in the others.
    assert mean_tail(bodies, interrupts, 1000, 100 + 40 + 50 + 50) == 50
    assert mean_tail(bodies[:2], [0], 60, 60) is None
    assert mean_tail([], [], 1000, 0) == 0


def test_a_run_is_told_how_long_its_tails_are() -> None:
    """Of a simulated run; its trace has no switches, so it does not tell when a preempted body goes on."""
    target, result, _, trace, _ = run()
    _, met = jobs_and_met(trace, target)
    drawn = without_interruptions(segments(trace, target), met, NS_PER_INSTRUCTION)
    bodies = sum(one.end_ns - one.start_ns for one in drawn)
    counted = result.horolog.counted
    assert met
    assert bodies == pytest.approx(counted.bodies * NS_PER_INSTRUCTION, rel=0.005)
    calls = sorted(ns for ns, _ in trace.interrupts())
    busy = (counted.total - counted.idle) * NS_PER_INSTRUCTION
    tail = mean_tail(drawn, calls, int(target.duration * 10**9), busy)
    # Behind a job the kernel has its end to do, and mostly a switch or the next interrupt's releases.
    assert tail is not None
    assert HOROLOG.finish < tail < 2 * (HOROLOG.finish + HOROLOG.interrupt)
    first, second = json.loads(read(report()).data_block)["sides"]
    assert first["tail"] == tail
    assert second["tail"] > 0
    unknown = replace(result, horolog=replace(result.horolog, instructions=None), freertos=None)
    text = page(unknown, run()[2], target, trace)
    assert json.loads(read(text).data_block)["sides"][0]["tail"] is None
    assert "this board does not tell them apart" in read(text).words
    assert "this board does not tell them apart" not in read(report()).words
