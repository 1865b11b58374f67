# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The sizes of stacks: of the description, of the board's port, of a board that needs more than was said."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.emit import generate
from horolog.model import HorologError
from horolog.plan import NOTHING, plan
from horolog.read import read_system

TEXT = """\
[system]
name = "small"
board = "{board}"
duration = "100 ms"

[[task]]
name = "usual"
period = "10 ms"
work = 5

[[task_group]]
name = "given"
tasks = 2
period = "20 ms"
work = 5
stack = {stack}
"""


def written(folder: Path, board: str, stack: int) -> Path:
    path = folder / "system.toml"
    path.write_text(TEXT.format(board=board, stack=stack), encoding="utf-8")
    return path


def test_a_board_of_eight_bits_has_small_stacks(tmp_path: Path) -> None:
    path = written(tmp_path, "arduino-uno", 104)
    assert [task.stack for task in read_system(path).tasks] == [192, 104, 104]
    system = read_system(path)
    made = generate(system, plan(system, prices=NOTHING).choice)["hrl_gen_system.c"]
    assert "HRLI_IDLE(80)" in made
    assert "HRLI_STACK(1, 120)" in made  # both of the group, and what their calls take


def test_tables_take_what_the_port_says_unless_the_description_does(tmp_path: Path) -> None:
    path = written(tmp_path, "arduino-uno", 104)
    assert read_system(path).table_bytes == 8192
    assert read_system(path, board="mps2-an385").table_bytes == 128 * 1024
    path.write_text(path.read_text().replace("[[task]]", "table_bytes = 64\n\n[[task]]", 1))
    assert read_system(path).table_bytes == 64


def test_another_board_has_what_its_port_needs(tmp_path: Path) -> None:
    path = written(tmp_path, "arduino-uno", 104)
    on_arm = read_system(path, board="mps2-an385")
    assert [task.stack for task in on_arm.tasks] == [512, 256, 256]


@pytest.mark.parametrize(("board", "least"), [("arduino-uno", 96), ("mps2-an385", 256)])
def test_a_stack_that_is_too_small_is_refused(tmp_path: Path, board: str, least: int) -> None:
    path = written(tmp_path, board, least - 8)
    with pytest.raises(HorologError) as caught:
        read_system(path)
    assert str(caught.value).splitlines() == [
        f"{path}:16:9: task_group.given.stack: too small",
        f"  found:    {least - 8}",
        f"  expected: {least} or more on {board}",
    ]
    assert read_system(written(tmp_path, board, least)).tasks[1].stack == least
