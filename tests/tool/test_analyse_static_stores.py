# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.system.support import example
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

from horolog.analyse import (
    MOST_ROWS,
    Chain,
    Part,
    Table,
    chains_of,
    fewest_chains,
    groups_of,
    hyperperiod,
    levels,
    mask_places,
    parts_of,
    releases,
    static_store_misfit,
    streams,
    table_of,
    table_size,
)
from horolog.model import HorologError, Mode, PriorityRule, System
from horolog.read import read_system

Released = list[tuple[int, frozenset[int]]]


def members(system: System, parts: tuple[Part, ...]) -> frozenset[int]:
    """The tasks that a mask stands for, found again by their places."""
    owner = {place: index for index, place in enumerate(mask_places(system))}
    return frozenset(
        owner[part.level, bit] for part in parts for bit in range(32) if part.bits >> bit & 1
    )


def played(system: System, table: Table, end: int) -> Released:
    """What a mask table releases before `end`."""
    at, instant, found = 0, table.first, []
    while instant < end:
        row = table.rows[at]
        found.append((instant, members(system, table.masks[row.mask])))
        assert row.gap > 0
        instant += row.gap
        at = at + 1 if at + 1 < len(table.rows) else table.lead
    return found


def cascaded(chains: tuple[Chain, ...], first: int, period: int, end: int) -> Released:
    """What a harmonic array releases before `end`: firings counted level by level."""
    left = [[level.left for level in chain.levels] for chain in chains]
    found = []
    for instant in range(first, end, period):
        due = [
            task
            for chain, counts in zip(chains, left, strict=True)
            for level in fired(chain, counts)
            for task in chain.levels[level].tasks
        ]
        if due:
            found.append((instant, frozenset(due)))
    return found


def fired(chain: Chain, left: list[int]) -> Iterator[int]:
    for at, level in enumerate(chain.levels):
        left[at] -= 1
        if left[at] > 0:
            return
        left[at] = level.every
        yield at


def expected(system: System, end: int) -> Released:
    of = streams(system)
    return [
        (instant, frozenset(task for at in positions for task in of[at].tasks))
        for instant, positions in releases(of, system.board.clock.hz, 0, end)
    ]


def one_hz(periods: list[Fraction], offsets: list[Fraction], *, board_levels: int = 31) -> System:
    """A clock of 1 Hz, so that seconds are counts, whole or not."""
    board = make_board([make_cell("cell0", hz=1)], hz=1, levels=board_levels)
    return make_system(periods, offsets=offsets, board=board)


@st.composite
def small_systems(draw: st.DrawFn, fractions: bool = True) -> System:
    parts = (1, 1, 2, 3) if fractions else (1,)
    times = st.builds(Fraction, st.integers(2, 14), st.sampled_from(parts)).filter(lambda p: p >= 1)
    shifts = st.builds(Fraction, st.integers(0, 40), st.sampled_from(parts))
    periods = draw(st.lists(times, min_size=1, max_size=6))
    return one_hz(
        periods,
        [draw(shifts) for _ in periods],
        board_levels=draw(st.integers(1, 6)),
    )


@settings(max_examples=300, deadline=None)
@given(small_systems())
def test_a_mask_table_releases_what_is_due_for_two_cycles_and_more(system: System) -> None:
    every = range(len(system.tasks))
    table = table_of(system, every)
    end = 45 + 2 * int(sum(row.gap for row in table.rows)) + 7
    assert played(system, table, end) == expected(system, end)
    assert len(set(table.masks)) == len(table.masks)
    size = table_size(system, every)
    assert size.exact
    assert (size.rows, size.bytes) == (len(table.rows), table.takes(4))
    assert size.cycle == sum(row.gap for row in table.rows[table.lead :])
    assert (size.cycle / hyperperiod(streams(system))).denominator == 1


def test_a_mask_table_without_offsets_has_no_lead_and_no_more_rows_than_instants() -> None:
    system = one_hz([Fraction(4), Fraction(6), Fraction(6)], [Fraction(0)] * 3)
    table = table_of(system, range(3))
    assert table.lead == 0
    assert table.first == 0
    assert [row.gap for row in table.rows] == [4, 2, 2, 4]
    assert [row.mask for row in table.rows] == [0, 1, 2, 1]
    assert [members(system, mask) for mask in table.masks] == [{0, 1, 2}, {0}, {1, 2}]
    # 4 rows, 3 masks of 8 bytes each, and 2 + 1 + 1 parts: levels 2 and 1.
    assert table.takes(4) == 4 * 8 + 3 * 8 + 4 * 8
    assert table.takes(2) == 4 * 6 + 3 * 6 + 4 * 8


def test_offsets_shorter_than_the_periods_need_no_lead() -> None:
    system = one_hz([Fraction(4), Fraction(6)], [Fraction(3), Fraction(5)])
    table = table_of(system, range(2))
    assert table.lead == 0
    assert table.first == 3
    assert sum(row.gap for row in table.rows) == 12


def test_longer_offsets_come_before_the_cycle() -> None:
    system = one_hz([Fraction(4), Fraction(6)], [Fraction(0), Fraction(14)])
    table = table_of(system, range(2))
    assert table.lead == 3  # 0, 4 and 8: from 9 on, all is as if the second had always run
    assert sum(row.gap for row in table.rows[table.lead :]) == 12


def test_a_hyperperiod_too_long_to_tabulate_is_said_with_its_length() -> None:
    system = read_system(example("chronos"))
    every = range(len(system.tasks))
    size = table_size(system, every)
    assert not size.exact
    assert size.cycle == hyperperiod(streams(system)) == Fraction("970.2")
    assert MOST_ROWS < size.rows <= 970.2 * 584.4
    with pytest.raises(HorologError, match="repeat too late for a mask table") as caught:
        table_of(system, every)
    assert "970.2 s" in str(caught.value)


def test_a_table_is_refused_before_it_is_built_if_its_lead_is_too_long() -> None:
    slow = one_hz([Fraction(1), Fraction(1)], [Fraction(0), Fraction(10 * MOST_ROWS)])
    assert not table_size(slow, range(2)).exact
    assert table_size(slow, range(1)).rows == 1


@settings(max_examples=300, deadline=None)
@given(small_systems(fractions=False))
def test_a_harmonic_array_releases_what_is_due(system: System) -> None:
    first = int(min(task.offset for task in system.tasks))
    period = gcd(
        *(int(task.period) for task in system.tasks),
        *(int(task.offset) - first for task in system.tasks),
    )
    chains = chains_of(system, range(len(system.tasks)), first, period)
    end = 400
    assert cascaded(chains, first, period, end) == expected(system, end)
    tasks = sorted(task for chain in chains for level in chain.levels for task in level.tasks)
    assert tasks == list(range(len(system.tasks)))


def test_harmonic_tasks_are_one_chain_and_the_others_as_few_as_can_be() -> None:
    two = [Fraction(n) for n in (2, 4, 8, 3, 6, 12, 24)]
    chains = chains_of(one_hz(two, [Fraction(0)] * 7), range(7), 0, 1)
    assert len(chains) == 2  # 12 and 8 have no common multiple of each other
    chain = chains_of(one_hz(two[:3], [Fraction(0)] * 3), range(3), 0, 2)
    assert [[(one.every, one.left) for one in c.levels] for c in chain] == [
        [(1, 1), (2, 1), (2, 1)]
    ]


def test_a_later_start_is_counted_in_firings_of_the_level_before() -> None:
    system = one_hz([Fraction(2), Fraction(4)], [Fraction(4), Fraction(10)])
    (chain,) = chains_of(system, range(2), 2, 2)
    assert [(one.every, one.left) for one in chain.levels] == [(1, 2), (2, 4)]
    # A task that starts earlier cannot hang on one that starts later, whatever their periods.
    early = one_hz([Fraction(2), Fraction(4)], [Fraction(10), Fraction(4)])
    assert len(chains_of(early, range(2), 4, 2)) == 2


def test_chains_of_periods_that_are_no_whole_counts() -> None:
    third = Fraction(1, 3)
    system = one_hz([5 * third, 10 * third, Fraction(20)], [third, 6 * third, 6 * third])
    (chain,) = chains_of(system, range(3), third, 5 * third)
    assert [(level.every, level.left) for level in chain.levels] == [(1, 1), (2, 2), (6, 1)]


@settings(max_examples=200, deadline=None)
@given(small_systems(), st.sampled_from(list(PriorityRule)))
def test_bits_fill_a_level_with_the_most_urgent_on_top(system: System, rule: PriorityRule) -> None:
    tasks = [
        make_task(f"t{i}", task.period, deadline=task.period / (1 + i % 3), priority=-i % 4)
        for i, task in enumerate(system.tasks)
    ]
    system = make_system(tasks=tasks, board=system.board, priorities=rule)
    places = mask_places(system)
    assert tuple(level for level, _ in places) == levels(system)
    for level in set(levels(system)):
        bits = [bit for at, bit in places if at == level]
        assert sorted(bits) == list(range(len(bits)))
    for i, one in enumerate(system.tasks):
        for j, other in enumerate(system.tasks):
            if places[i][0] != places[j][0]:
                continue
            if rule is PriorityRule.EXPLICIT:
                ahead = (-one.priority, i) < (-other.priority, j)  # type: ignore[operator]
            elif rule is PriorityRule.DEADLINE_MONOTONIC:
                ahead = (one.deadline, i) < (other.deadline, j)
            else:
                ahead = (one.period, i) < (other.period, j)
            assert (places[i][1] > places[j][1]) == ahead


def test_groups_share_period_and_offset_and_carry_their_mask() -> None:
    system = make_system([ms(5), ms(10), ms(5), ms(5)], offsets=[ms(0), ms(0), ms(0), ms(1)])
    groups = groups_of(system, range(4))
    assert [(g.period, g.offset, g.tasks) for g in groups] == [
        (ms(5), ms(0), (0, 2)),
        (ms(5), ms(1), (3,)),
        (ms(10), ms(0), (1,)),
    ]
    assert [g.parts for g in groups] == [(Part(2, 0b110),), (Part(2, 0b001),), (Part(1, 1),)]
    assert parts_of(system, range(4)) == (Part(2, 0b111), Part(1, 1))


def test_a_level_holds_32_tasks_of_a_mask_and_no_more() -> None:
    board = make_board(levels=1)
    full = make_system([ms(5)] * 32, board=board)
    assert sorted(bit for _, bit in mask_places(full)) == list(range(32))
    over = make_system([ms(5)] * 33, board=board)
    with pytest.raises(HorologError, match="too many tasks on one priority level") as caught:
        mask_places(over)
    assert "33 tasks" in str(caught.value)
    assert static_store_misfit(full, "mask-table", range(32), Mode.ONE_SHOT) is None
    assert "33 tasks" in str(static_store_misfit(over, "period-groups", range(33), Mode.PERIODIC))
    assert static_store_misfit(over, "harmonic-array", range(33), Mode.PERIODIC) is None


def test_what_a_static_store_cannot_hold_is_said() -> None:
    slow = make_system([ms(5), Fraction(43)])  # 2^30 counts of 25 MHz are 42.95 s
    for store in ("harmonic-array", "period-groups", "mask-table"):
        assert static_store_misfit(slow, store, [0], Mode.PERIODIC) is None
        assert "t1 has a period of more than 42.95 s" in str(
            static_store_misfit(slow, store, [0, 1], Mode.PERIODIC)
        )
    fine = make_system([Fraction(1, 3)])
    assert static_store_misfit(fine, "period-groups", [0], Mode.PERIODIC) is None
    assert static_store_misfit(fine, "harmonic-array", [0], Mode.PERIODIC) is None
    assert "periodic" in str(static_store_misfit(slow, "harmonic-array", [0], Mode.ONE_SHOT))


def test_chains_of_nothing_that_follows() -> None:
    assert fewest_chains([[], [], []]) == ((0,), (1,), (2,))
    assert fewest_chains([[1, 2], [2], []]) == ((0, 1, 2),)
