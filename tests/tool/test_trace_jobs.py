# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Jobs from a trace: their numbers under both overrun policies, their nesting, and, against a simulator
that steps through every nanosecond, their responses."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.report_fixture import MS, NS, chronos, system, task

from horolog.model.errors import Exit, HorologError
from horolog.model.system import Kind, Overrun, System, Task
from horolog.trace import (
    Job,
    Segment,
    Trace,
    all_released,
    jobs,
    release_count,
    response_table,
    responses,
    segments,
)

ns = Fraction(1, NS)


def one(overrun: Overrun, duration: int = 60, deadline: int = 10) -> System:
    """One task, released every 10 ns."""
    return fine(
        system([task("a", 10 * ns, ns, overrun=overrun, deadline=deadline * ns)], duration * ns)
    )


def fine(target: System) -> System:
    """The same on a clock that counts nanoseconds, so that no release may be early."""
    clock = replace(target.board.clock, hz=NS)
    return replace(target, board=replace(target.board, clock=clock))


def run(text: str) -> Trace:
    """A trace from "0S0 3E0": time, kind, index."""
    events = []
    for word in text.split():
        kind = next(letter for letter in word if letter.isalpha())
        time, index = word.split(kind)
        events.append((int(time), kind, int(index)))
    return Trace.of(events)


def numbers(trace: Trace, target: System) -> list[int]:
    return [job.number for job in jobs(trace, target)]


def test_skipped_releases_leave_gaps_in_the_numbers() -> None:
    trace = run("0R0 0S0 25E0 30R0 30S0 31E0 40R0 40S0 41E0 50R0 50S0 51E0")
    assert numbers(trace, one(Overrun.SKIP)) == [0, 3, 4, 5]
    (row,) = responses(jobs(trace, one(Overrun.SKIP)), one(Overrun.SKIP))
    assert (row.jobs, row.misses, row.overruns) == (4, 1, 2)
    assert row.min_ns == 1
    assert row.max_ns == 25


def test_wakes_at_hops_are_no_releases() -> None:
    """Release 1 finds job 0 unfinished; the thread wakes at two hops before release 2."""
    hop = 2**30
    target = fine(system([task("a", 3 * hop * ns, hop * ns, overrun=Overrun.SKIP)], 9 * hop * ns))
    wakes = [(4 * hop, "R", 0), (5 * hop, "R", 0), (6 * hop, "R", 0)]
    trace = Trace.of(
        [
            *((0, kind, 0) for kind in "RS"),
            (3 * hop + 5, "E", 0),
            *wakes,
            (6 * hop, "S", 0),
            (6 * hop + 5, "E", 0),
            (7 * hop, "R", 0),
        ]
    )
    seen = all_released(trace, target)
    assert [event for event in seen if event[1] == "R"] == [(0, "R", 0), wakes[-1]]
    assert numbers(seen, target) == [0, 2]
    assert all_released(trace, one(Overrun.SKIP)) is trace


def test_a_release_that_passed_while_the_thread_woke_at_a_hop_shows_none() -> None:
    """A more urgent task has the processor from the hop until behind release 1."""
    hop = 2**30
    target = fine(system([task("a", 2 * hop * ns, ns, overrun=Overrun.SKIP)], 4 * hop * ns))
    trace = Trace.of(
        (at, kind, 0)
        for at, kind in [
            (0, "R"),
            (0, "S"),
            (5, "E"),
            (hop, "R"),
            (2 * hop + 7, "S"),
            (2 * hop + 9, "E"),
        ]
    )
    assert numbers(all_released(trace, target), target) == [0, 1]


def test_without_release_events_the_nominal_instants_decide() -> None:
    trace = run("0S0 25E0 30S0 31E0 40S0 41E0 50S0 51E0")
    assert numbers(trace, one(Overrun.SKIP)) == [0, 3, 4, 5]


def test_a_release_at_the_very_end_of_a_job_is_answered() -> None:
    trace = run("0S0 10E0 10S0 12E0 20S0 21E0 30S0 31E0 40S0 41E0 50S0 51E0")
    assert numbers(trace, one(Overrun.SKIP)) == [0, 1, 2, 3, 4, 5]


def test_a_release_that_the_kernel_handled_late_is_answered() -> None:
    """Due at 10 while the job ran to 11, but the interrupt came after that."""
    trace = run("0R0 0S0 11E0 12R0 12S0 13E0 20R0 20S0 21E0")
    assert numbers(trace, one(Overrun.SKIP, 30)) == [0, 1, 2]
    assert numbers(run("0S0 11E0 12S0 13E0 20S0 21E0"), one(Overrun.SKIP, 30)) == [0, 1, 2]


def test_refused_releases_may_stand_in_the_trace() -> None:
    trace = run("0R0 0S0 10R0 20R0 25E0 30R0 35S0 36E0 40R0 40S0 41E0 50R0 50S0 51E0")
    assert numbers(trace, one(Overrun.SKIP)) == [0, 3, 4, 5]


def test_queued_releases_are_all_answered_in_order() -> None:
    trace = run("0S0 25E0 25S0 26E0 26S0 27E0 30S0 31E0 40S0 41E0 50S0 51E0")
    target = one(Overrun.QUEUE)
    assert numbers(trace, target) == [0, 1, 2, 3, 4, 5]
    (row,) = responses(jobs(trace, target), target)
    assert (row.misses, row.overruns) == (2, 2)
    assert row.max_ns == 25


def limited(most: int, duration: int = 60) -> System:
    """One basic task with a limit of unfinished jobs, released every 10 ns."""
    target = one(Overrun.SKIP, duration)
    return replace(target, tasks=(replace(target.tasks[0], kind=Kind.BASIC, activations=most),))


def test_up_to_a_limit_releases_are_answered_late() -> None:
    trace = run("0S0 25E0 25S0 26E0 30S0 31E0 40S0 41E0 50S0 51E0")
    assert numbers(trace, limited(2)) == [0, 1, 3, 4, 5]
    (row,) = responses(jobs(trace, limited(2)), limited(2))
    assert (row.misses, row.overruns) == (2, 2)  # one late, one dropped
    late = run("0S0 25E0 25S0 26E0 26S0 27E0 30S0 31E0 40S0 41E0 50S0 51E0")
    assert numbers(late, limited(3)) == numbers(late, one(Overrun.QUEUE)) == [0, 1, 2, 3, 4, 5]


def test_a_limit_of_one_is_a_skip() -> None:
    trace = run("0S0 25E0 30S0 31E0 40S0 41E0 50S0 51E0")
    assert jobs(trace, limited(1)) == jobs(trace, one(Overrun.SKIP))
    rows = [responses(jobs(trace, of), of) for of in (limited(1), one(Overrun.SKIP))]
    assert rows[0] == rows[1]


def test_behind_a_job_that_never_ends_as_many_wait_as_may() -> None:
    found = jobs(run("0S0"), limited(3))
    assert [(job.number, job.start_ns) for job in found] == [(0, 0), (1, None), (2, None)]
    (row,) = responses(found, limited(3))
    assert (row.unfinished, row.overruns) == (3, 5)  # two late ones, three dropped


def test_a_release_at_the_end_of_a_job_may_be_handled_behind_it() -> None:
    trace = run("0S0 21E0 21S0 22E0 22S0 24E0 30S0 31E0")
    assert numbers(trace, limited(2, 40)) == [0, 1, 2, 3]


def test_of_tasks_that_end_the_first_jobs_are_due() -> None:
    """The release behind them is in the trace; nothing comes of it."""
    queued = replace(one(Overrun.QUEUE), releases=2)
    assert numbers(run("0R0 0S0 1E0 10R0 10S0 12E0 20R0"), queued) == [0, 1]
    (row,) = responses(jobs(run("0S0 12E0 12S0 25E0"), queued), queued)
    assert (row.jobs, row.misses, row.unfinished) == (2, 2, 0)
    assert [job.start_ns for job in jobs(run("0S0 1E0"), queued)] == [0, None]
    assert numbers(run("0S0 1E0"), replace(queued, duration=10 * ns)) == [0]


def test_a_skipped_release_is_none_of_them() -> None:
    skipping = replace(one(Overrun.SKIP), releases=2)
    trace = run("0R0 0S0 25E0 30R0 30S0 31E0 40R0")
    assert numbers(trace, skipping) == [0, 3]
    (row,) = responses(jobs(trace, skipping), skipping)
    assert (row.jobs, row.overruns) == (2, 2)
    assert numbers(run("0R0 0S0 1E0 10R0"), skipping) == [0, 1]


def test_jobs_that_never_began_are_listed_and_missed() -> None:
    trace = run("0S0 1E0")
    queued = jobs(trace, one(Overrun.QUEUE))
    assert [job.start_ns for job in queued] == [0, None, None, None, None, None]
    (row,) = responses(queued, one(Overrun.QUEUE))
    assert (row.unfinished, row.misses) == (5, 4)  # the last one's deadline is the window's end
    skipped = jobs(trace, one(Overrun.SKIP))
    assert [(job.number, job.start_ns) for job in skipped] == [(0, 0), (1, None)]
    (row,) = responses(skipped, one(Overrun.SKIP))
    assert (row.unfinished, row.misses, row.overruns) == (1, 1, 4)


def test_a_run_without_events_misses_everything() -> None:
    (row,) = responses(jobs(run(""), one(Overrun.QUEUE)), one(Overrun.QUEUE))
    assert (row.jobs, row.unfinished, row.mean_ns) == (6, 6, None)
    assert response_table([row], one(Overrun.QUEUE)) == {}


def test_jobs_due_after_the_window_do_not_count() -> None:
    trace = run("0S0 1E0 10S0 15E0 20S0 21E0")
    assert numbers(trace, one(Overrun.SKIP, 20)) == [0, 1]
    assert numbers(trace, one(Overrun.QUEUE, 20)) == [0, 1]


def test_a_release_may_be_early_by_less_than_a_count() -> None:
    """1/3 ms at 25 MHz: the second release lies at 333333.3 ns, its count at 333320 ns."""
    target = system([task("a", MS / 3, ns)], MS)
    trace = run("0R0 0S0 9E0 333320R0 333320S0 333330E0 666640R0 666640S0 666700E0")
    found = jobs(trace, target)
    assert [job.number for job in found] == [0, 1, 2]
    assert found[1].release_ns == Fraction(1000000, 3)


@pytest.mark.parametrize("overrun", Overrun)
def test_responses_count_from_the_nominal_release(overrun: Overrun) -> None:
    """Released 4 ns late, at 4, 14, ...: the second job ends 11 ns after it was due, one after it may."""
    target = one(overrun, deadline=10)
    target = replace(target, tasks=(replace(target.tasks[0], offset=4 * ns, delay=4 * ns),))
    trace = run(
        "4R0 4S0 5E0 14R0 14S0 21E0 24R0 24S0 29E0 34R0 34S0 36E0 44R0 44S0 45E0 54R0 54S0 55E0"
    )
    found = jobs(trace, target)
    assert [job.release_ns for job in found] == [0, 10, 20, 30, 40, 50]
    (row,) = responses(found, target)
    assert (row.misses, row.overruns) == (1, 0)
    assert row.min_ns == 5
    assert row.max_ns == 11


def test_the_latest_started_job_runs() -> None:
    target = fine(system([task("slow", 100 * ns, ns), task("fast", 10 * ns, ns)], 20 * ns))
    trace = run("0S1 2E1 3S0 10S1 12E1 15E0")
    assert segments(trace) == [
        Segment(1, 0, 2, 0),
        Segment(0, 3, 10, 0),
        Segment(1, 10, 12, 1),
        Segment(0, 12, 15, 0),
    ]
    assert [job.executed_ns for job in jobs(trace, target)] == [10, 2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0S0 1S1 2E0 3E1", "task 0 ends a job while task 1, begun later, is unfinished"),
        ("0S0 1S0", "starts a job while its previous one is unfinished"),
        ("0E0", "ends a job that never started"),
        ("0S7 1E7", "task 7 of a system of 2 tasks"),
    ],
)
def test_bad_nesting_is_the_targets_fault(text: str, message: str) -> None:
    target = system([task("a", 10 * ns, ns), task("b", 10 * ns, ns)], 10 * ns)
    with pytest.raises(HorologError) as caught:
        jobs(run(text), target)
    assert message in str(caught.value)
    assert caught.value.exit is Exit.TARGET_FAILED


def basic_among_threads() -> System:
    """Tasks 0 and 1 are threads, 2 and 3 basic tasks, which preempt them."""
    rows = [task(name, 100 * ns, ns, deadline=90 * ns) for name in "abcd"]
    rows[2:] = [replace(row, kind=Kind.BASIC) for row in rows[2:]]
    return fine(system(rows, 100 * ns))


def test_when_a_basic_task_ends_what_it_interrupted_goes_on() -> None:
    """There is no dispatch to tell so: no thread has got the processor."""
    trace = run("0D0 0S0 5S2 7S3 8E3 9E2 12E0 13D1 13S1 14S3 15E3 20E1")
    assert segments(trace, basic_among_threads()) == [
        Segment(0, 0, 5, 0),
        Segment(2, 5, 7, 0),
        Segment(3, 7, 8, 0),
        Segment(2, 8, 9, 0),
        Segment(0, 9, 12, 0),
        Segment(1, 13, 14, 0),
        Segment(3, 14, 15, 1),
        Segment(1, 15, 20, 0),
    ]
    assert [job.executed_ns for job in jobs(trace, basic_among_threads())] == [8, 6, 3, 1]


def test_a_basic_task_that_wakes_a_thread_hands_over_to_it() -> None:
    trace = run("0D0 0S0 5S2 7E2 8D1 8S1 10E1 11D0 20E0")
    assert segments(trace, basic_among_threads()) == [
        Segment(0, 0, 5, 0),
        Segment(2, 5, 7, 0),
        Segment(0, 7, 8, 0),  # until the switch: interrupts and what follows them count as its own
        Segment(1, 8, 10, 0),
        Segment(0, 11, 20, 0),
    ]


def test_basic_tasks_in_the_idle_loop_leave_no_task_running() -> None:
    trace = run("0S2 3E2 10S3 11E3 20D0 20S0 21E0")
    assert [s.task for s in segments(trace, basic_among_threads())] == [2, 3, 0]
    assert sum(s.end_ns - s.start_ns for s in segments(trace, basic_among_threads())) == 5


@pytest.mark.parametrize(
    ("overrun", "expected"),
    # Releases every 10 ns; the job of release 0 takes until 25, so those of 10 and 20 find it unfinished.
    # A line that pends again while its task runs answers the last of them at once.
    [(Overrun.SKIP, [0, 2, 3, 4, 5]), (Overrun.QUEUE, [0, 1, 2, 3, 4, 5])],
)
def test_basic_tasks_answer_nominal_releases(overrun: Overrun, expected: list[int]) -> None:
    target = one(overrun)
    target = replace(target, tasks=(replace(target.tasks[0], kind=Kind.BASIC),))
    text = "0I0 0S0 25E0 25S0 26E0 30I0 30S0 31E0 40I0 40S0 41E0 50I0 50S0 51E0"
    if overrun is Overrun.QUEUE:
        text = text.replace("26E0", "26E0 27S0 28E0")
    assert numbers(run(text), target) == expected
    (row,) = responses(jobs(run(text), target), target)
    assert row.overruns == (1 if overrun is Overrun.SKIP else 2)


def test_freertos_may_resume_an_equal_first() -> None:
    """A is preempted, B of the same priority goes on instead; then the same happens to B."""
    text = "0S0 5S2 6E2 7S1 10S2 12E2 15E0 18E1"
    with pytest.raises(HorologError):
        segments(run(text))
    assert segments(run(text), nested=False) == [
        Segment(0, 0, 5, 0),
        Segment(2, 5, 6, 0),
        Segment(0, 6, 7, 0),
        Segment(1, 7, 10, 0),
        Segment(2, 10, 12, 1),
        Segment(0, 12, 15, 0),
        Segment(1, 15, 18, 0),
    ]


def test_a_job_that_waits_does_not_run_and_may_end_behind_another() -> None:
    """Job 0 waits at 5, and nothing runs until 8; it ends while job 1 waits, which goes on later."""
    text = "0D0 0S0 5N0 8D1 8S1 10D0 12E0 12N0 20D1 21E1"
    waiting = replace(chronos(tasks=4), timeouts="timer1")
    with pytest.raises(HorologError, match="contradicts itself"):
        segments(run(text), chronos(tasks=4))
    assert segments(run(text), waiting) == [
        Segment(0, 0, 5, 0),
        Segment(1, 8, 10, 0),
        Segment(0, 10, 12, 0),
        Segment(1, 20, 21, 0),
    ]
    ended = [job for job in jobs(run(text), waiting) if job.end_ns is not None]
    assert [(job.task, job.start_ns, job.end_ns) for job in ended] == [(0, 0, 12), (1, 8, 21)]


def test_a_million_events_are_no_trouble() -> None:
    """Not timed: it would only have to be quadratic to hang."""
    events = [(10 * n + k, letter, 0) for n in range(250_000) for k, letter in enumerate("IRSE")]
    target = one(Overrun.SKIP, 2_500_000)
    found = jobs(Trace.of(events), target)
    assert len(found) == 250_000
    assert responses(found, target)[0].mean_ns == 3


# ---- Against a simulator ---------------------------------------------------------------------------


@dataclass
class Ran:
    task: int
    number: int
    left: int
    start: int | None = None
    end: int | None = None
    executed: int = 0


def step_by_step(target: System, lasts: list[list[int]]) -> tuple[Trace, list[Ran]]:
    """Run `target` nanosecond by nanosecond, task 0 the most urgent; and what truly happened."""
    horizon = int(target.duration * NS)
    ready: list[deque[Ran]] = [deque() for _ in target.tasks]
    truth: list[Ran] = []
    events: list[tuple[int, str, int]] = []
    now = 0
    while now < horizon or any(ready):
        for index, row in enumerate(target.tasks):
            since = now - int(row.offset * NS)
            if now >= horizon or since < 0 or since % int(row.period * NS):
                continue
            if ready[index] and row.overrun is Overrun.SKIP:
                continue
            number = since // int(row.period * NS)
            job = Ran(index, number, lasts[index][number % len(lasts[index])])
            ready[index].append(job)
            truth.append(job)
            events.append((now, "R", index))
        queue = next((queue for queue in ready if queue), None)
        if queue is not None:
            job = queue[0]
            if job.start is None:
                job.start = now
                events.append((now, "S", job.task))
            job.left -= 1
            job.executed += 1
            if job.left == 0:
                job.end = now + 1
                events.append((now + 1, "E", job.task))
                queue.popleft()
        now += 1
    return Trace.of(events), sorted(truth, key=lambda job: (job.task, job.number))


@st.composite
def small_systems(draw: st.DrawFn) -> tuple[System, list[list[int]]]:
    tasks: list[Task] = []
    lasts = []
    for index in range(draw(st.integers(1, 4))):
        period = draw(st.integers(2, 15))
        tasks.append(
            task(
                f"t{index}",
                period * ns,
                ns,
                offset=draw(st.integers(0, 6)) * ns,
                deadline=draw(st.integers(1, 20)) * ns,
                overrun=draw(st.sampled_from(Overrun)),
            )
        )
        lasts.append(draw(st.lists(st.integers(1, 9), min_size=1, max_size=4)))
    return fine(system(tasks, draw(st.integers(10, 80)) * ns)), lasts


@settings(max_examples=200, deadline=None)
@given(small_systems(), st.booleans())
def test_jobs_are_those_that_ran(drawn: tuple[System, list[list[int]]], releases: bool) -> None:
    target, lasts = drawn
    trace, truth = step_by_step(target, lasts)
    if not releases:  # as from a kernel in which releases cannot be seen
        trace = Trace.of(event for event in trace if event[1] != "R")
    found = jobs(trace, target)
    assert found == tuple(
        Job(
            ran.task,
            ran.number,
            (target.tasks[ran.task].offset + ran.number * target.tasks[ran.task].period) * NS,
            ran.start,
            ran.end,
            ran.executed,
            target.tasks[ran.task].deadline,
        )
        for ran in truth
    )
    for row, described in zip(responses(found, target), target.tasks, strict=True):
        mine = [ran for ran in truth if ran.task == row.task]
        times = [
            ran.end - int((described.offset + ran.number * described.period) * NS)
            for ran in mine
            if ran.end is not None
        ]
        assert (row.jobs, row.unfinished) == (len(mine), 0)
        assert row.misses == sum(time > described.deadline * NS for time in times)
        if times:
            assert row.min_ns == min(times)
            assert row.max_ns == max(times)
            assert row.mean_ns == Fraction(sum(times), len(times))
        if described.overrun is Overrun.SKIP:
            assert row.overruns == release_count(described, target.duration) - len(mine)
    stretches = segments(trace)
    assert sum(s.end_ns - s.start_ns for s in stretches) == sum(ran.executed for ran in truth)
    assert all(a.end_ns <= b.start_ns for a, b in pairwise(stretches))


def test_every_release_of_the_fixture_is_a_job() -> None:
    from tests.tool.report_fixture import measured

    target = chronos(20, Fraction(1, 10))
    result, planned, trace, beside = measured(target)
    assert result.horolog.jobs == planned.jobs == len(jobs(beside, target))
    assert len(jobs(trace, target)) == planned.jobs
