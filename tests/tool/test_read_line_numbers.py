# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""By which numbers the lines of a chip are known where the vector table is the application's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from horolog.read import board_names, read_board
from horolog.read.own_vectors import line_numbers

BOARDS = [name for name in board_names() if read_board(name).port.own_vectors is not None]


@pytest.mark.parametrize("name", BOARDS)
def test_they_are_those_of_the_board(name: str) -> None:
    """Each of the lines of [controller] has a name in the list, at its number; so have the cells."""
    board = read_board(name)
    numbers = line_numbers(board)
    for line in () if board.controller is None else board.controller.lines:
        assert numbers[line.handler.removesuffix("_Handler")] == line.number
    assert {cell.handler.removesuffix("_Handler") for cell in board.cells} - {"SysTick"} <= set(
        numbers
    )


def test_a_row_in_a_comment_is_none(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.mkdir()
    (port / "hrlp_lines_controller.h").write_text(
        "/*\n * ROW(NAME) for each line\n */\n"
        "#define LINES(ROW) \\\n    ROW(ONE) ROW(TWO) \\\n    ROW(THREE) // ROW(FOUR)\n"
    )
    board = replace(read_board("mps2-an385"), directory=tmp_path)
    assert line_numbers(board) == {"ONE": 0, "TWO": 1, "THREE": 2}


def test_other_ports_have_no_list() -> None:
    assert line_numbers(read_board("ibex-cells")) == {}
