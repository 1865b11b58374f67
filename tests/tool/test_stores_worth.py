# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Read-only tables are taken where they save enough for their flash."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import Kind
from horolog.plan import plan
from horolog.plan.stores.worth import that_pay
from horolog.read import read_board, read_system

ROOT = Path(__file__).resolve().parents[2]
KIB = 1024
BOARD = read_board(
    "mps2-an385"
)  # 25 MHz, an instruction 32 ns: 31.25 instructions a second for a KiB


def paying(*options: tuple[int, Fraction]) -> list[tuple[int, Fraction]]:
    """Which of these tables pay, each with its bytes and its steps a second."""
    return that_pay(BOARD, options, lambda one: one[0], lambda one: one[1])


@pytest.mark.parametrize(("less", "pays"), [(Fraction(0), True), (Fraction(1, 1000), False)])
def test_a_table_has_to_save_a_millionth_for_each_kib(less: Fraction, pays: bool) -> None:
    plain, table = (0, Fraction(1000)), (4 * KIB, Fraction(1000) - Fraction(125) + less)
    assert paying(plain, table) == ([plain, table] if pays else [plain])


def test_a_small_table_need_not_save_anything() -> None:
    plain, small, more = (0, Fraction(5)), (KIB, Fraction(5)), (KIB + 1, Fraction(5))
    assert paying(plain, small, more) == [plain, small]


def test_the_smallest_is_always_left() -> None:
    assert paying((9 * KIB, Fraction(9)), (99 * KIB, Fraction(8))) == [(9 * KIB, Fraction(9))]


def test_without_a_known_speed_every_table_pays() -> None:
    board = replace(BOARD, runner=replace(BOARD.runner, ns_per_instruction=None))
    options = [(0, Fraction(5)), (99 * KIB, Fraction(5))]
    assert that_pay(board, options, lambda one: one[0], lambda one: one[1]) == options


def test_the_battery_monitor_takes_no_table_of_34_kib() -> None:
    system = read_system(ROOT / "examples" / "battery" / "system.toml", kind=Kind.BASIC)
    (choice,) = [one for one in plan(system).choice.queues if one.cell == "timer0"]
    assert choice.store == "sorted-list"
    assert choice.reason == "the least predicted cost but for tables that do not pay (mask-table)"
    table = next(one for one in choice.options if one.store == "mask-table")
    assert table.constants > 30 * KIB
    assert table.per_second < min(one.per_second for one in choice.options if one is not table)
