# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Prescalers in board.toml and system.toml: what they mean, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conform.port.board import board_cmake
from tests.tool.prescaled import OWN_CELL, PRESCALED, write_board, write_prescaled

from horolog.data import data_root
from horolog.model import Board, HorologError
from horolog.programs import call
from horolog.read import read_board, read_system

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop


def board_of(folder: Path, *changes: tuple[str, str]) -> Board:
    write_board(folder, *changes)
    return read_board("./board.toml", relative_to=folder)


def test_a_board_is_read_behind_the_prescaler_of_plain(tmp_path: Path) -> None:
    board = board_of(tmp_path)
    assert (board.clock.hz, board.clock.prescaler) == (125_000, 64)
    assert board.clock.input_hz == 8_000_000
    assert board.clock.prescalers == (1, 8, 64, 256, 1024)
    assert [cell.min_counts for cell in board.cells] == [7] * 4  # 400 / 64
    assert {cell.hz for cell in board.cells} == {125_000}
    assert board.start_counts == 125


def test_without_plain_it_is_the_first_that_leaves_whole_hertz(tmp_path: Path) -> None:
    plain = PRESCALED[PRESCALED.index("[plain]") :]
    assert board_of(tmp_path, (plain, "")).clock.prescaler == 1


def test_another_prescaler(tmp_path: Path) -> None:
    board = board_of(tmp_path)
    assert board.with_prescaler(64) is board
    fine = board.with_prescaler(1)
    assert (fine.clock.hz, fine.clock.input_hz) == (8_000_000, 8_000_000)
    assert [cell.min_counts for cell in fine.cells] == [400] * 4
    assert fine.with_prescaler(64) == board
    assert [one.clock.prescaler for one in board.with_each_prescaler()] == [1, 8, 64, 256]
    with pytest.raises(ValueError, match="8,000,000 Hz / 1,024 is no whole number"):
        board.with_prescaler(1024)


def test_boards_without_prescalers_are_as_before() -> None:
    board = read_board("mps2-an385")
    assert (board.clock.prescaler, board.clock.prescalers) == (1, ())
    assert board.with_prescaler(1) is board
    assert board.with_each_prescaler() == (board,)


def test_a_cell_with_a_timer_of_its_own(tmp_path: Path) -> None:
    cell = board_of(tmp_path, ("[plain]", OWN_CELL + "[plain]")).cell("own")
    assert cell.prescalers == (8, 64, 1024)
    assert cell.whole_counts
    assert cell.step(1024) == 16
    assert cell.max_counts == 255 * 16


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ([("[1, 8, 64", "[8, 1, 64")], ["in ascending order", "expected: [1, 8, 64, 256, 1024]"]),
        ([("[1, 8, 64", "[1, 1, 64")], ["in ascending order, each once", "[1, 64, 256, 1024]"]),
        ([("[1, 8, 64, 256, 1024]", "[]")], ["clock.prescalers: is empty"]),
        ([("[1, 8, 64", "[0, 8, 64")], ["clock.prescalers[0]: too small", "1 or more"]),
        (
            [("[1, 8, 64, 256, 1024]", "[3, 1024]"), ("prescaler = 64", "prescaler = 3")],
            ["no prescaler leaves a whole number of counts a second", "3 and 1,024 for 8 MHz"],
        ),
        ([("prescaler = 64", "")], ["[plain] has no prescaler", "expected: prescaler = 1"]),
        ([("prescaler = 64", "prescaler = 7")], ["no such prescaler", "one of 1, 8, 64 or 256"]),
        ([("prescaler = 64", "prescaler = 1024")], ["leaves no whole number of hertz", "found:    1024"]),
        (
            [("prescalers = [1, 8, 64, 256, 1024]\n", "")],
            ["[plain] has a prescaler, and the clock has none"],
        ),
        ([("min_counts = 400", "min_counts = 100_000_000")], ["largest prescaler, 1,024", "67107840"]),
        (
            [
                ("prescalers = [1, 8, 64, 256, 1024]\n", ""),
                ("prescaler = 64", ""),
                ("[plain]", OWN_CELL + "[plain]"),
            ],
            ["a cell has prescalers, and the clock has none", "8, 64 or 1,024"],
        ),
        (
            [("[plain]", OWN_CELL.replace('["periodic"]', '["periodic", "one-shot"]') + "[plain]")],
            ["it is periodic only", 'modes = ["periodic"], or no prescalers'],
        ),
        (
            [("instance = 0", 'instance = 0\ntimer = "t"')],
            ["a timer is for cells with prescalers of their own", '"t"'],
        ),
        (
            [
                (
                    "[plain]",
                    OWN_CELL
                    + OWN_CELL.replace("own", "other", 1)
                    .replace("instance = 2", "instance = 3")
                    .replace("[8, 64, 1024]", "[8]")
                    + "[plain]",
                )
            ],
            ['"own" and "other" are of one timer', "found:    8", "expected: 8, 64 or 1,024"],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_board(
    tmp_path: Path, changes: list[tuple[str, str]], texts: list[str]
) -> None:
    with pytest.raises(HorologError) as caught:
        board_of(tmp_path, *changes)
    assert caught.value.exit == 2
    for text in texts:
        assert text in str(caught.value)


# --- what a description fixes --------------------------------------------------------------------


def test_a_description_fixes_the_clock(tmp_path: Path) -> None:
    system = read_system(write_prescaled(tmp_path, "[prescalers]\nclock = 8\n"))
    assert (system.board.clock.prescaler, system.board.clock.prescalers) == (8, (8,))


def test_a_cell_that_counts_as_the_clock_fixes_it_too(tmp_path: Path) -> None:
    text = "[prescalers]\nt1a = 256\nclock = 256\nown = 64\n"
    changes = ("[plain]", OWN_CELL + "[plain]")
    system = read_system(write_prescaled(tmp_path, text, changes))
    assert system.board.clock.prescalers == (256,)
    assert system.board.cell("own").prescalers == (64,)
    (tmp_path / "other").mkdir()
    alone = read_system(write_prescaled(tmp_path / "other", "[prescalers]\nown = 64\n", changes))
    assert alone.board.clock.prescalers == (1, 8, 64, 256, 1024)
    assert alone.board.cell("own").prescalers == (64,)
    assert read_system(tmp_path / "system.toml", board="host").board.clock.prescalers == ()


@pytest.mark.parametrize(
    ("fixed", "texts"),
    [
        ("clock = 7", ["prescalers.clock: clock cannot count by a prescaler of 7", "1, 8, 64 or 256"]),
        ("clock = 1024", ["clock cannot count by a prescaler of 1024"]),
        ("clock = 0", ["prescalers.clock: too small"]),
        ("t1 = 8", ['has no cell "t1"', "did you mean"]),
        ("own = 256", ["own cannot count by a prescaler of 256", "one of 8, 64 or 1,024"]),
        (
            "t1a = 8\nt1b = 64",
            ["t1a and t1b count by one prescaler, the clock's", "t1a = 8 and t1b = 64", "t1b = 8"],
        ),
        ("own = 8\nbeside = 64", ["own and beside count by one prescaler, that of shared"]),
        ("t1 = 8\nt1a = 64", ['has no cell "t1"']),
        ("clock = 8\nown = 64", []),
    ],
)  # fmt: skip
def test_what_a_description_cannot_fix(tmp_path: Path, fixed: str, texts: list[str]) -> None:
    beside = OWN_CELL.replace("own", "beside", 1).replace("instance = 2", "instance = 3")
    path = write_prescaled(
        tmp_path, f"[prescalers]\n{fixed}\n", ("[plain]", OWN_CELL + beside + "[plain]")
    )
    if not texts:
        assert read_system(path).board.clock.prescaler == 8
        return
    with pytest.raises(HorologError) as caught:
        read_system(path)
    for text in texts:
        assert text in str(caught.value)


def test_a_board_without_prescalers_fixes_none(workshop: Workshop) -> None:
    with pytest.raises(HorologError) as caught:
        workshop.read_with("\n[prescalers]\nclock = 8\n")
    assert 'the board "mps2-an385" has no prescalers' in str(caught.value)
    assert "all that there is counts at 25 MHz" in str(caught.value)


@pytest.mark.parametrize(
    ("fixed", "period", "texts"),
    [
        (
            "[prescalers]\nclock = 1024\n",
            "100 us",
            [
                "the period is too short for every cell",
                "100 us, 0.72 counts at 7.2 kHz",
                "at least 1250/9 us (about 139 us), which t1a can time by a prescaler of 1,024, which",
            ],
        ),
        ("", "20 us", ["20 us, 147.456 counts at 7.3728 MHz", "by a prescaler of 1"]),
        ("", "100 us", []),
    ],
)
def test_a_period_that_no_prescaler_gives(
    tmp_path: Path, fixed: str, period: str, texts: list[str]
) -> None:
    path = write_prescaled(
        tmp_path, fixed, ("8_000_000", "7_372_800"), period=period, duration="200 ms"
    )
    if not texts:
        read_system(path)
        return
    with pytest.raises(HorologError) as caught:
        read_system(path)
    for text in texts:
        assert text in str(caught.value)


# --- what the builds take ------------------------------------------------------------------------


def test_the_conformance_suite_counts_as_plain_applications() -> None:
    board = {
        "board": {"arch": "avr", "cpu": "atmega128"},
        "clock": {"device": "avr-timer16", "hz": 8_000_000, "prescalers": [1, 64]},
        "cell": [{"device": "avr-timer8", "instance": 2, "prescalers": [8, 64]}],
        "plain": {"prescaler": 64},
        "runner": {"kind": "simavr"},
    }
    text = board_cmake(board)
    assert "list(APPEND HRL_PRESCALERS HRL_BOARD_CLOCK_PRESCALER=64)\n" in text
    assert "list(APPEND HRL_PRESCALERS HRL_BOARD_AVR_TIMER8_2_PRESCALER=64)\n" in text
    board["cell"][0]["reload_counts"] = 0  # type: ignore[index]
    assert "list(APPEND HRL_PRESCALERS HRL_BOARD_AVR_TIMER8_RELOAD_COUNTS=0)\n" in board_cmake(
        board
    )
    del board["clock"]["prescalers"]  # type: ignore[attr-defined]
    assert "_PRESCALER=" not in board_cmake(board)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
@pytest.mark.parametrize(
    ("board", "chosen", "expected"),
    [
        ("prescaled", "", "hz 125000, prescalers <HRL_BOARD_CLOCK_PRESCALER=64>"),
        ("prescaled", "256", "hz 31250, prescalers <HRL_BOARD_CLOCK_PRESCALER=256>"),
        ("prescaled", "7", "a prescaler of prescaled is one of '1, 8, 64, 256, 1024' that divides"),
        ("prescaled", "1024", "divides 8000000 Hz, not"),
        ("host", "", "hz 25000000, prescalers <>"),
        ("lm3s6965evb", "", "hz 12500000, prescalers <HRL_BOARD_GPTM_RELOAD_COUNTS=0>"),
        ("host", "8", "a prescaler of host is one of '' that divides"),
    ],
)
def test_plain_builds_divide_the_clock(
    tmp_path: Path, board: str, chosen: str, expected: str
) -> None:
    (tmp_path / "boards" / "prescaled").mkdir(parents=True)
    write_board(tmp_path / "boards" / "prescaled")
    for name in ("host", "lm3s6965evb"):
        (tmp_path / "boards" / name).mkdir()
        shutil.copy(data_root() / "boards" / name / "board.toml", tmp_path / "boards" / name)
    script = tmp_path / "say.cmake"
    script.write_text(
        f"cmake_minimum_required(VERSION 3.22)\nset(HRL_ROOT {tmp_path})\n"
        f"include({data_root() / 'cmake' / 'plain_board.cmake'})\n"
        "macro(set_property)\nendmacro()\n"  # which only projects can
        f"set(HRL_PRESCALER {chosen})\n"
        f"hrl_plain_board({board})\n"
        'message("hz ${HRL_PLAIN_HZ}, prescalers <${HRL_PLAIN_PRESCALERS}>")\n',
        encoding="utf-8",
    )
    said = call(["cmake", "-P", str(script)], seconds=20)
    assert expected in " ".join((said.output + said.errors).split())
