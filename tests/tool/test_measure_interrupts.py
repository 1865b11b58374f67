# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Marks of releasers, and interrupts predicted, taken, coalesced and in excess, from what was counted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.image import Image, Layout
from horolog.measure.interrupts import interrupts_of, ticks_of
from horolog.measure.marks import mark_counts, marks_of
from horolog.measure.probe import Findings
from horolog.model import Clock, HorologError, Kind, Mode, Plan, Prediction, Releaser, System
from horolog.model.result import Interrupts

BASIC = make_system([ms(4), ms(6)], duration=ms(24), kind=Kind.BASIC)
THREADS = make_system([ms(4), ms(6)], duration=ms(24))
GCD = Releaser("cell0", Mode.PERIODIC, "mask-table", (0, 1), 0, 50_000)
OWN = (
    Releaser("cell0", Mode.PERIODIC, "none", (0,), 0, 100_000, direct=True),
    Releaser("cell1", Mode.PERIODIC, "none", (1,), 0, 150_000, direct=True),
)
LISTS = (
    Releaser("cell0", Mode.PERIODIC, "sorted-list", (0,), 0, 100_000),
    Releaser("cell1", Mode.PERIODIC, "sorted-list", (1,), 0, 150_000),
)


def plan_of(*releasers: Releaser, interrupts: tuple[int, ...]) -> Plan:
    by_cell = tuple((r.cell, n) for r, n in zip(releasers, interrupts, strict=True))
    nothing = Fraction(0)
    made = Prediction(sum(interrupts), by_cell, 0, nothing, nothing, nothing)
    return Plan("made", releasers, made)


def found(taken: dict[int, int], served: dict[int, int]) -> Findings:
    return Findings("done", 0, 0, 0, taken=taken, served=served)


TABLE = plan_of(GCD, interrupts=(12,))  # of these 8 with a row: 0 4 6 8 12 16 18 20
APART = plan_of(*LISTS, interrupts=(6, 4))


@pytest.mark.parametrize(
    ("taken", "served", "coalesced", "excess", "adds_up"),
    [
        (12, 8, 0, 0, True),
        (10, 8, 2, 0, True),  # two were not taken, and all rows served
        (12, 7, 0, 1, False),  # a row was never served
        (10, 7, 1, 0, False),
        (13, 8, 0, 1, False),  # one interrupt too many
        (12, 9, 1, 0, False),  # a row too many
    ],
)
def test_rows_of_a_table_are_counted(
    taken: int, served: int, coalesced: int, excess: int, adds_up: bool
) -> None:
    interrupts = interrupts_of(BASIC, TABLE, found({0: taken}, {0: served}))
    assert interrupts == Interrupts(12, taken, coalesced, excess)
    assert interrupts.adds_up == adds_up


def test_cells_that_the_board_has_not_count_nothing() -> None:
    """The host port simulates more of them than its board has."""
    beyond = len(BASIC.board.cells)
    counted = {0: 12, **dict.fromkeys(range(1, beyond + 4), 0)}
    assert interrupts_of(BASIC, TABLE, found(counted, {0: 8})) == Interrupts(12, 12, 0)


def test_too_many_interrupts_of_one_cell_do_not_make_up_for_too_few_of_another() -> None:
    served = {0: 6, 1: 4}
    assert interrupts_of(THREADS, APART, found({0: 6, 1: 4}, served)) == Interrupts(10, 10, 0)
    mixed = interrupts_of(THREADS, APART, found({0: 7, 1: 3}, served))
    assert mixed == Interrupts(10, 10, 1, excess=1)
    assert not mixed.adds_up
    more = interrupts_of(THREADS, APART, found({0: 9, 1: 4}, served))
    assert more == Interrupts(10, 13, 0, excess=3)


def test_cells_that_share_a_handler_and_the_clocks_wraps() -> None:
    cells = [make_cell("cell0"), replace(make_cell("cell1"), handler="cell0_handler")]
    board = replace(make_board(cells), clock=Clock("fake", 25_000_000, 32, 1, "cell0_handler"))
    system = replace(THREADS, board=board, duration=Fraction(172))
    by = plan_of(*LISTS, interrupts=(43_000, 28_667))
    served = {0: 43_000, 1: 28_667}
    interrupts = interrupts_of(system, by, found({0: 60_000}, served))
    assert interrupts == Interrupts(71_668, 60_000, 11_668)
    lost = interrupts_of(system, by, found({0: 60_000}, {0: 43_000, 1: 28_666}))
    assert not lost.adds_up
    # The clock wraps on the cell of time-outs: neither is counted.
    own = replace(board, clock=replace(board.clock, handler="cell2_handler"))
    own = replace(own, cells=(*make_board(cells).cells, make_cell("cell2")))
    apart = replace(system, board=own, timeouts="cell2")
    interrupts = interrupts_of(apart, by, found({0: 71_667, 2: 5}, served))
    assert interrupts == Interrupts(71_667, 71_667, 0)


def test_a_cell_that_stops_with_its_last_task_has_served_all_until_then() -> None:
    ends = replace(BASIC, releases=2, duration=ms(24))  # the last jobs are released at 4 and 6 ms
    for served, coalesced, excess in ((8, 8, 0), (4, 8, 0), (3, 8, 0), (2, 7, 0), (0, 5, 0)):
        interrupts = interrupts_of(ends, TABLE, found({0: 4}, {0: served}))
        assert interrupts == Interrupts(12, 4, coalesced, excess), served
        assert interrupts.adds_up == (served >= 3)  # 0, 4, 6
    # Where the cell runs its tasks itself, it does not stop.
    direct = replace(TABLE, releasers=(replace(GCD, direct=True),))
    assert not interrupts_of(ends, direct, found({0: 4}, {0: 7})).adds_up


def test_more_ticks_than_were_to_come() -> None:
    assert ticks_of(THREADS, 1000, found({0: 24}, {})) == Interrupts(24, 24, 0)
    assert ticks_of(THREADS, 1000, found({0: 25}, {})) == Interrupts(24, 25, 0, excess=1)
    assert ticks_of(THREADS, 1000, found({0: 4}, {})) == Interrupts(24, 4, 0)  # tickless


# --- marks ---------------------------------------------------------------------------------------


def image_of(symbols: dict[str, int], layout: Layout | None = None) -> Image:
    sizes = dict.fromkeys(symbols, 8 * 9)
    return Image(Path("made.elf"), (), symbols, sizes, layout)


def marks(system: System, by: Plan, image: Image) -> list[str]:
    return [str(mark) for mark in marks_of(system, by, image)]


def test_a_releaser_of_threads_stores_what_it_serves() -> None:
    symbols = {"hrl_gen_releaser_0": 0x100, "hrl_gen_releaser_1": 0x200}
    image = image_of(symbols, Layout(96, 16, 4))
    assert marks(THREADS, APART, image) == ["served 0x104 0 6", "served 0x204 1 4"]
    with pytest.raises(HorologError, match="does not say where its releasers note"):
        marks_of(THREADS, APART, image_of(symbols))
    with pytest.raises(HorologError, match="has no symbol hrl_gen_releaser_1"):
        marks_of(THREADS, APART, image_of({"hrl_gen_releaser_0": 0x100}, Layout(96, 16, 4)))


def test_rows_are_loaded_and_releases_noted() -> None:
    image = image_of({"hrl_gen_rows_0": 0x300})
    assert marks(BASIC, TABLE, image) == ["rows 0x300 8 0 0 8"]
    ends = replace(BASIC, releases=2)
    assert marks(ends, TABLE, image) == ["rows 0x300 8 1 0 8"]
    direct = plan_of(replace(GCD, direct=True), interrupts=(12,))
    assert marks(ends, direct, image) == ["rows 0x300 8 0 0 8"]
    small = replace(image, pointer_bytes=2)  # a row has a word and a pointer
    assert marks(BASIC, TABLE, small) == ["row_bytes 6\nrows 0x300 11 0 0 8"]
    assert marks(ends, direct, small) == ["rows 0x300 8 0 0 8"]
    single = plan_of(replace(GCD, mode=Mode.ONE_SHOT, cell_period=None), interrupts=(8,))
    assert marks(ends, single, image) == ["rows 0x300 8 0 0 8"]
    own = plan_of(*OWN, interrupts=(6, 4))
    assert marks(BASIC, own, image_of({"hrl_gen_due_1": 0x400})) == [
        "fires 0 0 6",
        "served 0x400 1 4",
    ]


def test_partners_serve_instants_of_a_cooperative_releaser() -> None:
    single = Releaser("cell1", Mode.ONE_SHOT, "sorted-list", (1,), 0, cooperates=True)
    by = plan_of(LISTS[0], single, interrupts=(6, 2))  # at 0 and 12 ms the partner interrupts
    assert mark_counts(THREADS, by) == (6, 4)
    interrupts = interrupts_of(THREADS, by, found({0: 6, 1: 2}, {0: 6, 1: 4}))
    assert interrupts == Interrupts(8, 8, 0)
    assert not interrupts_of(THREADS, by, found({0: 6, 1: 2}, {0: 6, 1: 3})).adds_up
