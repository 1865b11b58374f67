# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/boards.md is what `horolog boards --page` prints, and says plainly what was never tried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.tool.conftest import Workshop

from horolog.data import data_root
from horolog.model import Runner
from horolog.read import board_names, read_board
from horolog.report.boards_page import boards_page


def test_the_page_is_what_the_command_prints(workshop: Workshop) -> None:
    """If this fails: `horolog boards --page > docs/boards.md`."""
    said = workshop.run("boards", "--page")
    assert said.code == 0
    assert said.out == (data_root() / "docs" / "boards.md").read_text(encoding="utf-8")


def test_every_board_has_a_row_and_a_section_that_says_what_was_not_tried() -> None:
    page = boards_page([read_board(name) for name in board_names()])
    for name in board_names():
        assert page.count(f"\n| [{name}](#{name}) |") == 1
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        (silicon,) = (line for line in section.splitlines() if line.startswith("- Silicon:"))
        assert "ever tried on silicon" in silicon or "no silicon" in silicon, name
        for cell in read_board(name).cells:
            assert f"`{cell.device}` | {cell.width} |" in section


def test_what_nothing_runs_and_what_has_no_costs_is_said(tmp_path: Path) -> None:
    board = read_board("microbit")
    assert board.silicon is not None
    alone = replace(board, runner=Runner("none", "chip", None, None))
    page = boards_page([alone])
    assert "Nothing runs it" in page
    assert f"nor in an emulator. {board.silicon}" in page
    page = boards_page([replace(board, directory=tmp_path)])
    assert "`horolog plan` and `run` refuse it" in page
    assert "| QEMU | 5 | no | no | never tried |" in page
