# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where the time went by records: of threads, of basic tasks, of interrupts that nest."""

from __future__ import annotations

from fractions import Fraction

from horolog.measure.ring import Cost, Header, Kind, Record
from horolog.measure.self_measured import Account, Objects, account

IDLE, FIRST, SECOND, OTHER = 0x900, 0x100, 0x200, 0x300
TIMER, SWITCH, UART = 24, 14, 30


def thread_of(address: int) -> int | None:
    return {FIRST: 0, SECOND: 1}.get(address)


OBJECTS = Objects({TIMER: 2}, {0x50: 0}, thread_of, {(3, 17): 1, (3, 0): 0})


def run(
    *events: tuple[int, Kind, int], each: int = 0, idle: int = IDLE, end: int = 10**6
) -> Account:
    """What `events` say, each of which costs `each` before its stamp and as much behind it."""
    costs = dict.fromkeys(Kind, Cost(Fraction(each), Fraction(each)))
    header = Header(100, len(events), 0, 10**6, 0, idle, costs)
    return account(
        header,
        [Record(*one) for one in events],
        OBJECTS,
        lambda at, found: at >= end,
        lambda at, cell, found: at < end,
    )


def times(found: Account) -> tuple[int, ...]:
    """The kernel's, bodies' and the idle loop's, which are whole counts if records cost some."""
    return tuple(int(one) for one in (found.kernel, found.bodies, found.idle))


THREAD = (
    (100, Kind.ENTERED, TIMER),
    (110, Kind.SERVED, 0x50),
    (112, Kind.RELEASED, FIRST + 8 - 8),
    (120, Kind.LEFT, IDLE),
    (121, Kind.ENTERED, SWITCH),
    (131, Kind.SWITCHED, FIRST),
    (140, Kind.BEGUN, 0),
    (240, Kind.ENDED, 0),
    (250, Kind.ENTERED, SWITCH),
    (255, Kind.SWITCHED, IDLE),
    (955, Kind.ENTERED, TIMER),
)


def test_a_thread_is_the_kernels_but_for_its_job() -> None:
    found = run(*THREAD)
    assert times(found) == (20 + 10 + 9 + 10 + 5, 100, 1 + 700)
    assert found.taken == {2: 2}
    assert found.entered == {TIMER: 2, SWITCH: 2}
    assert found.served == {0: 1}
    assert found.releases == 1
    assert found.longest == {0: 100}
    letters = "".join(kind for _, kind, _ in found.events)
    assert letters == "IRDSENI"
    assert found.events[0] == (0, "I", 2)


def test_what_records_cost_is_in_no_part_of_the_time() -> None:
    free, found = run(*THREAD), run(*THREAD, each=2)
    assert found.ring == 4 * (len(THREAD) - 1)
    assert found.kernel + found.bodies + found.idle + found.ring == 855
    assert free.bodies - found.bodies == 4
    assert free.kernel - found.kernel == 4 * 7


def test_it_ends_at_the_first_idle_instant_behind_the_end() -> None:
    found = run(*THREAD, end=140)  # in the job, counted from the first interrupt
    assert found.is_over
    assert found.idle == 1
    assert found.end == 155
    assert not run(*THREAD).is_over


def test_a_body_goes_on_behind_an_interrupt_that_found_it() -> None:
    found = run(
        (100, Kind.ENTERED, TIMER),
        (110, Kind.LEFT, FIRST),
        (115, Kind.BEGUN, 0),
        (120, Kind.ENTERED, TIMER),
        (121, Kind.MASK_LOW, 3 << 16 | 1),
        (122, Kind.MASK_HIGH, 3 << 16 | 2),
        (130, Kind.LEFT, FIRST),
        (150, Kind.ENDED, 0),
        (151, Kind.ENTERED, SWITCH),
    )
    assert times(found)[:2] == (10 + 5 + 10 + 1, 5 + 20)
    assert found.longest == {0: 25}
    kinds = [(kind, index) for _, kind, index in found.events]
    assert kinds == [
        ("I", 2),
        ("D", 0),
        ("S", 0),
        ("I", 2),
        ("R", 0),
        ("R", 1),
        ("K", 10),
        ("E", 0),
    ]


def test_basic_tasks_are_jobs_in_interrupts_which_nest() -> None:
    found = run(
        (100, Kind.ENTERED, TIMER),
        (103, Kind.BEGUN, 0),
        (110, Kind.ENTERED, UART),
        (112, Kind.BEGUN, 1),
        (122, Kind.ENDED, 1),
        (123, Kind.LEFT, 0),
        (133, Kind.ENDED, 0),
        (136, Kind.LEFT, 0),
        (200, Kind.ENTERED, TIMER),
        idle=0,
    )
    assert times(found) == (3 + 2 + 1 + 3, 10 + 17, 64)
    assert found.longest == {0: 17, 1: 10}
    assert found.taken == {2: 2}


def test_a_thread_of_the_applications_own_is_a_bodys() -> None:
    found = run(
        (100, Kind.ENTERED, TIMER),
        (110, Kind.LEFT, OTHER),
        (140, Kind.ENTERED, SWITCH),
        (145, Kind.SWITCHED, IDLE),
    )
    assert times(found)[:2] == (15, 30)


def test_nothing_is_counted_before_the_first_interrupt_of_a_cell() -> None:
    found = run((1, Kind.ENTERED, SWITCH), (50, Kind.SWITCHED, IDLE), *THREAD)
    assert found.entered == {TIMER: 2, SWITCH: 2}
    assert found.kernel == run(*THREAD).kernel


def test_a_run_without_an_interrupt_has_nothing() -> None:
    assert run().records == 0
    assert run((1, Kind.ENTERED, SWITCH)).end == 0


def test_a_job_that_does_not_end_stays_open() -> None:
    found = run(
        (100, Kind.ENTERED, TIMER),
        (110, Kind.LEFT, FIRST),
        (115, Kind.BEGUN, 0),
        (200, Kind.ENTERED, TIMER),
    )
    assert found.open_jobs == {0: 85}


def test_it_ends_where_records_are_missing() -> None:
    lost = (*THREAD[:6], (135, Kind.LOST, 4), *THREAD[6:])
    found = run(*lost)
    assert (found.lost, found.is_over, found.end) == (4, False, 31)
    assert found.bodies == 0


def test_records_that_are_missing_before_the_first_interrupt_are_not_passed_over() -> None:
    found = run((10, Kind.LOST, 7), *THREAD)
    assert (found.lost, found.end, found.releases) == (7, 0, 0)


def test_records_that_are_missing_behind_the_end_are_no_loss() -> None:
    found = run(*THREAD, (960, Kind.LOST, 4), end=140)
    assert (found.lost, found.is_over) == (0, True)


def test_a_service_is_the_kernels_wherever_it_waits() -> None:
    """A job calls two; in the second the thread waits, while the job of another one runs and calls one."""
    found = run(
        (100, Kind.ENTERED, TIMER),
        (110, Kind.LEFT, FIRST),
        (120, Kind.BEGUN, 0),
        (150, Kind.CALLED, 0),
        (157, Kind.RETURNED, 0),
        (200, Kind.CALLED, 0),
        (205, Kind.ENTERED, SWITCH),
        (210, Kind.SWITCHED, SECOND),
        (215, Kind.BEGUN, 1),
        (300, Kind.CALLED, 0),
        (303, Kind.RETURNED, 0),
        (310, Kind.ENDED, 1),
        (315, Kind.ENTERED, SWITCH),
        (320, Kind.SWITCHED, FIRST),
        (326, Kind.RETURNED, 0),
        (400, Kind.ENDED, 0),
        (405, Kind.ENTERED, SWITCH),
        (410, Kind.SWITCHED, IDLE),
        (955, Kind.ENTERED, TIMER),
    )
    kernel = 20 + 7 + (5 + 5 + 6) + 5 + 3 + (5 + 5) + (5 + 5)
    assert times(found) == (kernel, 855 - kernel - 545, 545)
    assert found.longest == {0: 30 + 43 + 74, 1: 85 + 7}


def test_services_of_basic_tasks_nest_with_their_interrupts() -> None:
    found = run(
        (100, Kind.ENTERED, TIMER),
        (110, Kind.BEGUN, 0),
        (120, Kind.CALLED, 0),
        (125, Kind.ENTERED, UART),
        (130, Kind.BEGUN, 1),
        (140, Kind.CALLED, 0),
        (142, Kind.RETURNED, 0),
        (150, Kind.ENDED, 1),
        (155, Kind.LEFT, IDLE),
        (160, Kind.RETURNED, 0),
        (200, Kind.ENDED, 0),
        (205, Kind.LEFT, IDLE),
        (955, Kind.ENTERED, TIMER),
    )
    assert found.longest == {0: 10 + 40, 1: 10 + 8}
    assert times(found) == (105 - 68, 68, 750)


def test_a_service_that_was_called_before_the_window_returns_to_what_is_known() -> None:
    found = run(
        (100, Kind.ENTERED, TIMER),
        (110, Kind.LEFT, OTHER),
        (120, Kind.RETURNED, 0),
        (150, Kind.ENTERED, SWITCH),
        (155, Kind.SWITCHED, IDLE),
        (955, Kind.ENTERED, TIMER),
    )
    assert times(found) == (15, 40, 800)
