# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A board with prescalers, like an AVR's: a clock of 16 bits, and channels that count as it does."""

from __future__ import annotations

import shutil
from pathlib import Path

from horolog.data import data_root

__all__ = ["OWN_CELL", "PRESCALED", "write_board", "write_prescaled"]

PRESCALED = """\
[board]
name = "prescaled"
title = "A board with prescalers"
arch = "armv7m"
cpu = "cortex-m3"
levels = 31
work_ns = "250"

[runner]
kind = "qemu"
machine = "none"
ns_per_instruction = 125

[clock]
device = "cmsdk-dualtimer"
instance = 1
handler = "DUALTIMER_Handler"
hz = 8_000_000
width = 16
prescalers = [1, 8, 64, 256, 1024]

[[cell]]
name = "t1a"
device = "cmsdk-timer"
instance = 0
handler = "TIMER0_Handler"
width = 16
modes = ["periodic", "one-shot"]
min_counts = 400

[[cell]]
name = "t1b"
device = "cmsdk-timer"
instance = 1
handler = "TIMER1_Handler"
width = 16
modes = ["periodic", "one-shot"]
min_counts = 400

[[cell]]
name = "t3a"
device = "cmsdk-dualtimer"
instance = 0
handler = "TIMER3_Handler"
width = 16
modes = ["periodic", "one-shot"]
min_counts = 400

[[cell]]
name = "t3b"
device = "systick"
instance = 0
handler = "TIMER3B_Handler"
width = 16
modes = ["periodic", "one-shot"]
min_counts = 400

[[memory]]
name = "ram"
origin = 0
length = 65536

[plain]
time = "t1a"
prescaler = 64
"""
"""Prices are those of mps2-an385."""

OWN_CELL = """\
[[cell]]
name = "own"
device = "cmsdk-timer"
instance = 2
handler = "TIMER2_Handler"
width = 8
modes = ["periodic"]
min_counts = 400
prescalers = [8, 64, 1024]
timer = "shared"

"""
"""A cell of 8 bits with a timer that does not count as the clock does, for PRESCALED."""


def write_board(folder: Path, *changes: tuple[str, str]) -> Path:
    """PRESCALED with each `old` replaced by its `new` where it comes first, as board.toml of `folder`."""
    text = PRESCALED
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "board.toml"
    path.write_text(text, encoding="utf-8")
    shutil.copy(data_root() / "boards" / "mps2-an385" / "costs.toml", folder)
    return path


def write_prescaled(
    folder: Path,
    tail: str = "",
    *changes: tuple[str, str],
    period: str = "10 ms",
    duration: str = "1 s",
    more: str = "",
) -> Path:
    """A system of a task with `period`, on such a board. `tail` ends it; `more` belongs to [system]."""
    write_board(folder, *changes)
    path = folder / "system.toml"
    path.write_text(
        f'[system]\nname = "s"\nboard = "./board.toml"\nduration = "{duration}"\n{more}\n'
        f'[[task]]\nname = "a"\nperiod = "{period}"\nwork = 10\n\n{tail}',
        encoding="utf-8",
    )
    return path
