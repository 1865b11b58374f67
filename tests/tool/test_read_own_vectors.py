# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What handlers are called where the vector table is the application's."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.emit import generate
from horolog.model import HorologError, System
from horolog.plan import plan
from horolog.read import read_system

SYSTEM = """
[system]
name = "own"
board = "{board}"
duration = "20 ms"

[build]
vectors = "{vectors}"

[[task]]
name = "a"
period = "5 ms"
work = 10
"""


def read(folder: Path, board: str, vectors: str = "own") -> System:
    path = folder / "system.toml"
    path.write_text(SYSTEM.format(board=board, vectors=vectors), encoding="utf-8")
    return read_system(path)


def test_lines_have_the_names_of_cmsis(tmp_path: Path) -> None:
    ours, theirs = (read(tmp_path, "nucleo-f446re", of).board for of in ("horolog", "own"))
    for was, is_now in zip(ours.cells, theirs.cells, strict=True):
        assert is_now.handler == was.handler.replace("_Handler", "_IRQHandler")
    assert ours.controller is not None
    assert theirs.controller is not None
    assert [line.handler for line in theirs.controller.lines] == [
        line.handler.replace("_Handler", "_IRQHandler") for line in ours.controller.lines
    ]


def test_exceptions_of_the_processor_keep_theirs(tmp_path: Path) -> None:
    handlers = [cell.handler for cell in read(tmp_path, "mps2-an385").board.cells]
    assert "SysTick_Handler" in handlers
    assert "TIMER0_IRQHandler" in handlers


def test_main_begins_with_what_the_application_does_not_know(tmp_path: Path) -> None:
    system = read(tmp_path, "mps2-an385")
    texts = generate(system, plan(system).choice)
    assert "HRLI_CALL(hrlp_own_vectors_begin)" in texts["hrl_gen_system.c"]
    assert "set(HRL_OWN_VECTORS 1)" in texts["system.cmake"]
    system = read(tmp_path, "mps2-an385", "horolog")
    texts = generate(system, plan(system).choice)
    assert not any("own_vectors" in text.lower() for text in texts.values())


@pytest.mark.parametrize("board", ["ibex-cells", "mps2-an521", "arduino-uno"])
def test_others_are_refused(tmp_path: Path, board: str) -> None:
    with pytest.raises(HorologError, match="has no vector table of the application's own"):
        read(tmp_path, board)
