# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our alarms, without the tool (bench/periodic-timers/horolog): over a delta list, in cells of both modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from horolog.build.firmware import build_step
from horolog.build.toolchain_file import toolchain_file
from horolog.data import data_root
from horolog.programs import call
from horolog.read import read_board
from horolog_experiments.periodic_timers.programs import UNO, Chip, constant

__all__ = ["AlarmImage", "board_of", "build_alarms"]

_SECONDS = 600


@dataclass(frozen=True, slots=True)
class AlarmImage:
    """A program: its file's name and what it is compiled with.

    `slice_counts`: between interrupts of a periodic cell that serves it; 0: a one-shot cell does.
    """

    name: str
    scenario: str
    defines: Mapping[str, int] = field(default_factory=dict)
    slice_counts: int = 0


def board_of(chip: Chip) -> str:
    """The board that has `chip`."""
    if chip == UNO:
        return "arduino-uno"
    return "atmega128" if chip.hz == 7_372_800 else f"atmega128-{chip.hz // 1_000_000}mhz"


def build_alarms(
    images: Sequence[AlarmImage], chip: Chip, clock_hz: int, folder: Path, *, checks: bool = False
) -> dict[str, Path]:
    """The ELF files of `images` by name, built below `folder` for a clock of so many counts a second.

    With `checks` the kernel checks its callers and its stacks.
    """
    root, board = data_root(), read_board(board_of(chip))
    options = {
        "CMAKE_TOOLCHAIN_FILE": str(toolchain_file(board, folder)),
        "CMAKE_BUILD_TYPE": "",
        "HRL_CPU": board.cpu,
        "HRL_ROOT": str(root),
        "HRL_BOARD": board.name,
        "HRL_BENCH_CHECKS": str(int(checks)),
        "HRL_PRESCALER": str(chip.hz // clock_hz),
        "HRL_BENCH_IMAGES": ",".join(
            f"{one.name}+{one.scenario}+{one.slice_counts}" for one in images
        ),
        **{
            f"HRL_BENCH_DEFINES_{one.name}": ";".join(
                f"{name}={constant(value)}" for name, value in one.defines.items()
            )
            for one in images
        },
    }
    source = root / "bench" / "periodic-timers"
    words = [f"-D{name}={value}" for name, value in options.items()]
    command = ["cmake", "-G", "Ninja", "-S", str(source), "-B", str(folder), *words]
    build_step("configuring", call(command, seconds=_SECONDS))
    build_step("building", call(["cmake", "--build", str(folder)], seconds=_SECONDS))
    return {one.name: folder / f"{one.name}.elf" for one in images}
