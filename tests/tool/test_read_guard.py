# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`guard` in [system]: what boards have, and what is said of one that has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.emit import generate
from horolog.model import HorologError
from horolog.plan import plan
from horolog.read import read_system

TEXT = """\
[system]
name = "demo"
board = "{board}"
duration = "2 s"
guard = "{guard}"

[[task]]
name = "slow"
period = "20 ms"
work = 5
"""


def write(folder: Path, board: str, guard: str = "mpu") -> Path:
    path = folder / "system.toml"
    path.write_text(TEXT.format(board=board, guard=guard), encoding="utf-8")
    return path


@pytest.mark.parametrize("board", ["mps2-an385", "mps2-an386"])
def test_the_build_is_told(tmp_path: Path, board: str) -> None:
    system = read_system(write(tmp_path, board))
    assert system.guard == "mpu"
    files = generate(system, plan(system).choice)
    assert "set(HRL_GUARD mpu)" in files["system.cmake"]
    path = tmp_path / "system.toml"
    path.write_text(path.read_text("utf-8").replace('guard = "mpu"\n', ""), encoding="utf-8")
    system = read_system(path)
    assert system.guard is None
    assert "HRL_GUARD" not in generate(system, plan(system).choice)["system.cmake"]


@pytest.mark.parametrize(
    ("board", "cpu"),
    [("qemu-virt-rv32", "rv32imac"), ("ibex-cells", "rv32imc"), ("host", "native")],
)
def test_a_board_that_has_none(tmp_path: Path, board: str, cpu: str) -> None:
    with pytest.raises(HorologError) as caught:
        read_system(write(tmp_path, board))
    said = str(caught.value)
    assert f'system.toml:5:9: system.guard: the board "{board}" has no guard "mpu"' in said
    assert f'found:    guard = "mpu", and cpu = "{cpu}"' in said
    able = "cortex-m3 or cortex-m4 or cortex-m7"
    assert f"expected: no guard, or a board with cpu = {able}" in said
    with pytest.raises(HorologError, match="has no guard"):
        read_system(write(tmp_path, "mps2-an385"), board=board)


def test_a_board_whose_unit_is_another(tmp_path: Path) -> None:
    """Armv8-M's memory protection unit has other registers, and no regions that nothing may touch."""
    with pytest.raises(HorologError) as caught:
        read_system(write(tmp_path, "mps2-an521"))
    said = str(caught.value)
    assert 'system.toml:5:9: system.guard: the board "mps2-an521" has no guard "mpu"' in said
    assert 'found:    guard = "mpu", and cpu = "cortex-m33+nodsp"' in said
    assert 'expected: guard = "stack-limit", or a board with cpu = cortex-m3 or' in said


def test_a_limit_is_for_armv8m(tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read_system(write(tmp_path, "mps2-an385", "stack-limit"))
    said = str(caught.value)
    assert 'expected: guard = "mpu", or a board with cpu = cortex-m33' in said


def test_another_word(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="guard"):
        read_system(write(tmp_path, "mps2-an385", "pmp"))
