# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts that disturbed a job without releasing a task at least as urgent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from tests.tool.factory import make_system, ms

from horolog.analyse import levels
from horolog.model.result import Interruptions
from horolog.trace import Trace, interruptions, jobs_and_met

# Periods of 1, 2 and 5 ms: urgencies 3, 2 and 1. Cell 0 releases the first, cell 1 the others.
SYSTEM = make_system([ms(1), ms(2), ms(5)], duration=ms(10))
CELLS = {0: [0], 1: [1, 2]}


def found(
    *events: tuple[float, str, int],
    released: Mapping[int, Sequence[int]] = CELLS,
    nested: bool = True,
) -> Interruptions:
    """Of a run whose events have times in microseconds."""
    trace = Trace.of([(int(us * 1000), kind, index) for us, kind, index in events])
    _, met = jobs_and_met(trace, SYSTEM, nested=nested)
    return interruptions(met, SYSTEM, levels(SYSTEM), released)


def test_a_less_urgent_release_while_a_job_runs_is_one() -> None:
    run = [(2000, "I", 0), (2001, "S", 0), (2002, "I", 1), (2050, "K", 31), (2050, "E", 0)]
    assert found(*run) == Interruptions(1, 31)


@pytest.mark.parametrize(
    ("running", "at_ms", "cell", "expected"),
    [
        (2, 3, 0, 0),  # a more urgent one
        (1, 4, 1, 0),  # one as urgent
        (0, 4, 1, 1),
        (2, 5, 1, 0),  # as urgent
        (1, 5, 1, 1),  # only the least urgent is due
        (2, 3, 1, 1),  # no task is due
    ],
)
def test_what_counts_is_which_task_is_released_by_then(
    running: int, at_ms: int, cell: int, expected: int
) -> None:
    before = at_ms * 1000 - 500
    run = [(before - 1, "I", 1), (before, "S", running), (at_ms * 1000, "I", cell)]
    assert found(*run).count == expected


def test_a_coalesced_interrupt_releases_at_both_instants() -> None:
    """The 2 ms task at 4 ms and the 5 ms task at 5 ms are served at once, late."""
    late = [(5000.0, "I", 1), (5001.0, "E", 1)]
    assert found((2000, "I", 1), (3900, "S", 1), *late).count == 0
    assert found((4100, "I", 1), (4200, "S", 1), *late).count == 1  # there was one between


def test_a_cell_that_came_a_little_early_still_served_its_instant() -> None:
    """t = 0 is the entry of the first interrupt, which may have been slower than others."""
    run = [(2999.9, "I", 0), (3000.5, "S", 0), (3900, "E", 0), (3950, "S", 2), (3999.9, "I", 0)]
    assert found(*run).count == 0


def test_without_a_running_job_none_is_interrupted() -> None:
    assert found((2000, "I", 0), (2001, "S", 0), (2100, "E", 0), (2200, "I", 1)).count == 0


def test_a_preempted_job_is_not_the_running_one() -> None:
    """No task has preempted the most urgent one; the least urgent lies below the 2 ms task."""
    run = [(0, "S", 2), (1, "S", 1), (2, "E", 1), (1000, "I", 0), (5000, "I", 1)]
    assert found(*run).count == 0  # both are as urgent as the least urgent


def test_other_handlers_are_no_release_handlers() -> None:
    assert found((2000, "S", 0), (2001, "I", 3)).count == 0


def test_how_long_is_known_only_if_the_trace_tells_of_all() -> None:
    one = [(2000, "S", 0), (2001, "I", 1), (2002, "K", 20)]
    assert found(*one, (2002, "I", 1)) == Interruptions(2, None)
    assert found(*one, (2002, "I", 1), (2003, "K", 5)) == Interruptions(2, 25)


def test_what_an_interrupt_of_the_idle_loop_took_is_not_added() -> None:
    """The probe tells of an open job, which may wait; then no job was interrupted."""
    run = [
        (0, "D", 0),
        (1, "S", 0),
        (2, "I", 1),
        (3, "K", 7),
        (3, "D", 1),
        (4, "I", 1),
        (5, "K", 9),
    ]
    assert found(*run, released={1: [2]}) == Interruptions(1, 7)


def test_a_task_that_has_ended_is_released_no_more() -> None:
    ends = replace(SYSTEM, releases=2)
    trace = Trace.of([(2_000_000, "I", 0), (2_900_000, "S", 2), (3_000_000, "I", 0)])
    _, met = jobs_and_met(trace, ends)
    assert interruptions(met, ends, levels(ends), CELLS).count == 1
    _, met = jobs_and_met(trace, SYSTEM)
    assert interruptions(met, SYSTEM, levels(SYSTEM), CELLS).count == 0


def test_equal_calendars_are_asked_once_for_the_most_urgent() -> None:
    explicit = make_system([ms(5), ms(5)], duration=ms(20))
    trace = Trace.of([(4_000_000, "S", 1), (5_000_000, "I", 0)])
    _, met = jobs_and_met(trace, explicit)
    assert interruptions(met, explicit, (1, 2), {0: [0, 1]}).count == 0
    assert interruptions(met, explicit, (1, 2), {0: [0]}).count == 1
