# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a description allows the planner to move: `jitter`, and periods with `at_most`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from horolog.model import HorologError
from horolog.read import read_system

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

MS, US = Fraction(1, 1000), Fraction(1, 10**6)
FAST = 'period = "5 ms"'


def test_without_the_keys_nothing_may_move(workshop: Workshop) -> None:
    for task in workshop.read().tasks:
        assert task.jitter == task.delay == 0
        assert task.least_period is None
        assert task.nominal_offset == task.offset


def test_a_jitter(workshop: Workshop) -> None:
    fast, slow = workshop.read((FAST, f'{FAST}\njitter = "20 us"')).tasks
    assert [fast.jitter, slow.jitter] == [20 * US, Fraction(0)]


def test_a_jitter_of_a_group_is_that_of_each_task(workshop: Workshop) -> None:
    system = workshop.read(
        ('[[task]]\nname = "slow"', '[[task_group]]\nname = "slow"\ntasks = 2\njitter = "1/3 ms"')
    )
    assert [task.jitter for task in system.tasks] == [0, MS / 3, MS / 3]


def test_a_period_that_may_be_shorter(workshop: Workshop) -> None:
    fast = workshop.read((FAST, 'period = { at_most = "60 ms", at_least = "20 Hz" }')).tasks[0]
    assert (fast.period, fast.least_period, fast.deadline) == (60 * MS, 50 * MS, 60 * MS)


def test_by_default_it_may_be_shorter_by_a_fifth(workshop: Workshop) -> None:
    fast = workshop.read((FAST, 'period = { at_most = "60 ms" }')).tasks[0]
    assert fast.least_period == 48 * MS


def test_but_not_shorter_than_the_deadline(workshop: Workshop) -> None:
    text = 'period = { at_most = "60 ms" }\ndeadline = "55 ms"'
    assert workshop.read((FAST, text)).tasks[0].least_period == 55 * MS


def test_nor_than_wcet_and_jitter(workshop: Workshop) -> None:
    text = 'period.at_most = "130 us"\njitter = "10 us"'
    assert workshop.read((FAST, text)).tasks[0].least_period == 130 * US


def test_a_group_of_one_period_may_have_a_shorter_one(workshop: Workshop) -> None:
    system = workshop.read(
        ('[[task]]\nname = "slow"', '[[task_group]]\nname = "slow"\ntasks = 2'),
        ('period = "20 ms"', 'period = { at_most = "20 ms", at_least = "19 ms" }'),
    )
    assert [task.least_period for task in system.tasks] == [None, 19 * MS, 19 * MS]


WRONG = {
    "jitter without a unit": ((FAST, f"{FAST}\njitter = 20"), "a duration needs a unit", 10),
    "negative jitter": ((FAST, f'{FAST}\njitter = "-1 us"'), "negative", 10),
    "jitter that reaches the next release": (
        (FAST, f'{FAST}\njitter = "5 ms"'),
        "the jitter and the WCET together are above the period",
        10,
    ),
    "jitter that leaves too little time": (
        (FAST, f'{FAST}\njitter = "0.9 ms"\ndeadline = "1 ms"'),
        "the jitter and the WCET together are above the deadline",
        10,
    ),
    "jitter that leaves too little time before a longer deadline": (
        (FAST, f'{FAST}\njitter = "5 ms"\ndeadline = "6 ms"\noverrun = "queue"'),
        "the jitter and the WCET together are above the period",
        10,
    ),
    "nothing about the longest": (
        (FAST, 'period = { at_least = "5 ms" }'),
        '"at_most" is missing',
        9,
    ),
    "an unknown key": (
        (FAST, 'period = { at_most = "5 ms", at_lest = "4 ms" }'),
        'unknown key "at_lest"; did you mean "at_least"?',
        9,
    ),
    "a bound without a unit": (
        (FAST, "period = { at_most = 5 }"),
        "a duration needs a unit",
        9,
    ),
    "a key of a task that is a word of the reader's own": (
        (FAST, f'{FAST}\n"a period" = 3'),
        'task.fast.a period: unknown key "a period"',
        10,
    ),
    "a key of a period that is one": (
        (FAST, 'period = { "a table" = 3, at_most = "3 ms" }'),
        'task.fast.period.a table: unknown key "a table"',
        9,
    ),
    "the wrong way round": (
        (FAST, 'period = { at_most = "4 ms", at_least = "5 ms" }'),
        "the shortest period is above the longest",
        9,
    ),
    "a deadline above the shortest": (
        (FAST, 'period = { at_most = "5 ms", at_least = "4 ms" }\ndeadline = "4.5 ms"'),
        "a deadline above a period that may be shorter",
        10,
    ),
    "a WCET above the shortest": (
        (FAST, 'period = { at_most = "5 ms", at_least = "100 us" }'),
        "the WCET is above the period",
        10,
    ),
    "too short for every cell": (
        (FAST, 'period = { at_most = "5 ms", at_least = "1 us" }\ndeadline = "1 us"'),
        "the period is too short for every cell",
        9,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_its_place(name: str, workshop: Workshop) -> None:
    change, message, line = WRONG[name]
    path = workshop.write_changed(change)
    with pytest.raises(HorologError) as caught:
        read_system(path)
    said = str(caught.value)
    assert message in said
    assert f"system.toml:{line}:" in said, said


def test_the_key_of_a_bound_is_named(workshop: Workshop) -> None:
    path = workshop.write_changed((FAST, 'period = { at_most = "5 m" , at_least = "1 parsec" }'))
    with pytest.raises(HorologError) as caught:
        read_system(path)
    assert "task.fast.period.at_least" in str(caught.value)


def test_what_may_move_is_counted_by_its_nominal_utilisation(workshop: Workshop) -> None:
    movable = workshop.read((FAST, 'period = { at_most = "5 ms" }'))
    assert movable.utilisation == workshop.read().utilisation
