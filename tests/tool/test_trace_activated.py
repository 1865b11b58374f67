# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Responses of sporadic tasks from a trace: from the handler's begin or the activating job's end."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.model import Interrupt, Place, Sporadic, System
from horolog.trace import Trace, activated_responses, are_seen

_US = Fraction(1000)


@pytest.fixture
def system() -> System:
    """One task, number 0; a handler, 1; decode, 2, by it; filter, 3, by the task; send, 4, by filter."""
    board = make_board()
    board = replace(board, port=replace(board.port, is_process=False))
    line = Interrupt("byte", 24, 2, ms(1), ms("0.1"), None, 10, Place("system.toml"))
    names = (
        ("decode", 0, None, 1),
        ("filter", None, 0, 1),
        ("send", None, 2, 2),
        ("own", None, None, 1),
    )
    sporadic = tuple(
        Sporadic(replace(make_task(name, ms(1)), deadline=ms("0.5")), by, after, limit)
        for name, by, after, limit in names
    )
    made = make_system(tasks=[make_task("sense", ms(10))], board=board)
    return replace(made, interrupts=(line,), sporadic=sporadic)


def trace(text: str) -> Trace:
    """Of events such as "10 S1": microseconds, what happens, of what."""
    events = (one.split() for one in text.split(","))
    return Trace.of((int(us) * 1000, what[0], int(what[1:])) for us, what in events)


def test_from_the_event_to_the_end(system: System) -> None:
    seen = trace(
        "10 S1, 20 E1, 30 S2, 60 E2, 100 S0, 150 E0, 160 S3, 180 E3, 190 S4, 250 E4,"
        "1010 S1, 1020 E1, 1030 S2, 1040 E2"
    )
    decode, filters, send = activated_responses(seen, system)
    assert (decode.task, filters.task, send.task) == (1, 2, 3)
    assert (decode.jobs, decode.min_ns, decode.max_ns) == (2, 30 * _US, 50 * _US)
    assert decode.mean_ns == 40 * _US
    assert (filters.max_ns, send.max_ns) == (30 * _US, 70 * _US)
    assert not any(one.misses or one.overruns or one.unfinished for one in (decode, filters, send))


def test_jobs_answer_activations_in_order_and_some_find_no_room(system: System) -> None:
    """The first runs, the second waits, the third is lost; the second misses its deadline of 500 us."""
    seen = trace(
        "0 S1, 1 E1, 5 S2, 10 S1, 11 E1, 20 S1, 21 E1, 400 E2, 410 S2, 600 E2, 900 S0, 901 E0"
    )
    decode, filters, _ = activated_responses(seen, system)
    assert (decode.jobs, decode.overruns, decode.misses) == (2, 1, 1)
    assert (decode.min_ns, decode.max_ns) == (400 * _US, 590 * _US)
    assert (filters.jobs, filters.unfinished, filters.misses, filters.max_ns) == (1, 1, 0, None)
    late = trace("0 S0, 1 E0, 900 S0, 901 E0")
    assert activated_responses(late, system)[1].misses == 1, "unfinished, with its deadline past"


def test_a_semaphore_that_holds_more(system: System) -> None:
    """send may have two activations waiting, behind the one that runs."""
    seen = trace("0 S3, 1 E3, 2 S3, 3 E3, 4 S3, 5 E3, 6 S3, 7 E3, 10 S4, 20 E4")
    send = activated_responses(seen, system)[2]
    assert (send.jobs, send.unfinished, send.overruns, send.max_ns) == (3, 2, 1, 19 * _US)


def test_what_a_trace_shows(system: System) -> None:
    assert are_seen(system) == [True, True, True, False]
    port = replace(system.board.port, is_process=True)
    host = replace(system, board=replace(system.board, port=port))
    assert are_seen(host) == [False, True, True, False]
    assert [one.task for one in activated_responses(trace("0 S0, 1 E0"), host)] == [2, 3]
