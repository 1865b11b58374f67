# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `masked`: for how many instructions interrupts are off, by each call and by each releaser.

A plugin of the emulator follows the instructions that mask and unmask, and the handlers at the kernel's
priority, from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from horolog.programs import require
from horolog.read import read_board
from horolog_experiments.harness import Experiment
from horolog_experiments.harness.tools import compiler, platform
from horolog_experiments.masked.page import TARGETS, masked_page, masked_rows
from horolog_experiments.masked.releases import VARIANTS, Variant, measure_releases
from horolog_experiments.masked.results import DATA, Masked, Release, Window
from horolog_experiments.masked.services import NUMBERS, measure_services

__all__ = [
    "DATA",
    "EXPERIMENT",
    "NUMBERS",
    "TARGETS",
    "VARIANTS",
    "Masked",
    "Release",
    "Variant",
    "Window",
    "masked_page",
    "measure_masked",
]

_BOARD = "mps2-an385"


def measure_masked(
    out: Path,
    say: Callable[[str], None],
    numbers: Sequence[int] = NUMBERS,
    variants: Sequence[Variant] = VARIANTS,
) -> Masked:
    """Measure both below the folder `out`. HorologError (3) if a tool is missing, (4) if a firmware fails."""
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    board = read_board(_BOARD)
    out.mkdir(parents=True, exist_ok=True)
    return Masked(
        windows=measure_services(board, out, say, numbers),
        releases=measure_releases(out, say, variants),
        platform=platform(board),
        toolchain=compiler(),
    )


EXPERIMENT = Experiment[Masked](
    "masked",
    measure=lambda run: measure_masked(run.folder, run.say),
    rows=masked_rows,
    page=masked_page,
    targets=TARGETS,
    head=lambda masked: {"toolchain": masked.toolchain},
    data=DATA.text,
)
