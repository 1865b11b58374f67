# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How tests run a firmware that is not measured, on any board, and which boards they take."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.system.support import BOARD, horolog

from horolog.build.rp2040_cores import RP2040_EMU, rp2040_cores_command
from horolog.build.rtl import simulator
from horolog.model import Board
from horolog.read import board_names, read_board
from horolog.run.ibex import board_simulator
from horolog.run.qemu import qemu_command
from horolog.run.rp2040 import rp2040_command
from horolog.run.simavr import simavr_command
from horolog.run.stm32 import stm32_command

__all__ = ["BOARDS", "EMULATED", "ROOMY", "command", "needs", "verdict"]

_MOST_CYCLES = 100_000_000  # two seconds of a 50 MHz board, and about one minute of a slow machine
_MOST_AVR_CYCLES = 2_000_000_000  # about one minute of a slow machine, too

_MOST_PICO_CYCLES = 1_000_000_000  # one minute of a slow machine

_LIKE_ANOTHER = ("ibex-cells-small", "atmega128", "pico", "nucleo-f446re", "stm32f405")
_GROUPS = {
    "rp2040js": pytest.mark.rp2040js,
    RP2040_EMU: pytest.mark.stm32,
    "stm32": pytest.mark.stm32,
    "rp2350": pytest.mark.stm32,
}
"""By kind of runner: the marker of tests that need what not every machine has."""


def needs(name: str) -> list[pytest.MarkDecorator]:
    """The markers of what not every machine has, of tests that run the board called so."""
    kind = read_board(name).runner.kind
    return [_GROUPS[kind]] if kind in _GROUPS else []


def _one_of_each(names: Iterable[str], *more_alike: str) -> list[object]:
    alike = (*_LIKE_ANOTHER, *more_alike)
    of_one_core = [name for name in names if read_board(name).cores == 1]
    marks = {
        name: [
            *([pytest.mark.soak] if name in alike else []),
            *needs(name),
        ]
        for name in of_one_core
    }
    return [pytest.param(name, marks=marks[name]) if marks[name] else name for name in of_one_core]


_RUN = [name for name in board_names() if read_board(name).runner.kind != "none"]

BOARDS = _one_of_each(_RUN)
"""All boards of one core that something runs; of two that differ in options or frequency only, CI takes one.
test_pico.py has the Pico, and test_stm32_runs.py the nucleo-f446re.
"""

_ROOM = 65_536  # bytes of RAM


def _has_room(name: str) -> bool:
    memory = read_board(name).memory
    return max((one.length for one in memory if one.name == "ram"), default=_ROOM) >= _ROOM


ROOMY = _one_of_each(
    (name for name in _RUN if _has_room(name)), "mps2-an386", "lm3s6965evb", "pico2"
)
"""Those with room for programs that were not written for small chips; test_avr_boards.py has what is.

mps2-an386 is mps2-an385 with an FPU, whose registers are the context's, and lm3s6965evb and pico2 have other
timers: the suites over BOARDS and EMULATED (port conformance, contexts, small systems) run on all, those over
services on one.
"""

EMULATED = _one_of_each(
    name for name in _RUN if _has_room(name) and read_board(name).runner.kind != "ibex"
)
"""Those of them on which a simulated second is no matter of a minute."""


def command(board: Board, elf: Path) -> list[str]:
    """What runs `elf` to its end."""
    if board.runner.kind == "host":
        return [str(elf)]
    if board.runner.configuration is not None:
        one = board.cores == 1
        program = simulator(board.runner.configuration) if one else board_simulator(board, print)
        return [str(program), "--elf", str(elf), "--max-cycles", str(_MOST_CYCLES)]
    if board.runner.kind == RP2040_EMU:
        return [*rp2040_cores_command(elf), "--cycles", str(_MOST_PICO_CYCLES)]
    if board.runner.has_chip_file:
        return [*stm32_command(board, elf), "--cycles", str(_MOST_AVR_CYCLES)]
    if board.runner.cycles_hz is not None:
        return [*simavr_command(board, elf), "--cycles", str(_MOST_AVR_CYCLES)]
    if board.runner.kind == "rp2040js":
        return [*rp2040_command(elf), "--cycles", str(_MOST_PICO_CYCLES)]
    return qemu_command(board, elf)


def verdict(folder: Path, system: str, source: Path, *options: str) -> str | None:
    """Returns what the firmware of `system`, described for BOARD, reports as its verdict; None: nothing.

    It is built in `folder` with a copy of `source` and those options of `horolog build`.
    """
    shutil.copy(source, folder)
    (folder / "system.toml").write_text(system, encoding="utf-8")
    said = horolog("build", folder / "system.toml", "--out", folder / "out", "--json", *options)
    assert said.code == 0, said.out + said.err
    called = command(read_board(BOARD), Path(said.object["horolog"]))
    done = subprocess.run(called, capture_output=True, text=True, check=False, timeout=120)
    found = re.search(r"^verdict: (.*)$", done.stdout + done.stderr, flags=re.MULTILINE)
    return None if found is None else found[1]
