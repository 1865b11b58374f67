# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The boards whose releases are measured, and how what their simulators show is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import Board, Cell, HorologError
from horolog.parts import Wish, board_files, chosen, find_part
from horolog.read import read_board
from horolog_experiments.releases.judged import Time

__all__ = ["Target", "kind_of", "stm32_board", "target", "timer8_board"]

_CLOCKS = {
    "cmsdk-dualtimer": 0x40002028,  # the second channel's control
    "systick-clock": 0xE000E010,  # SysTick's control
    "nrf-timer": 0x40008000,  # TIMER0's START
    "clint": 0x0200BFF8,  # MTIME
}
"""Of devices of the clock in QEMU: the register, a store to which starts it."""
_VECTORS = {
    "atmega328p": {"TIMER1_COMPA": 11, "TIMER1_COMPB": 12, "TIMER0_COMPA": 14},
    "atmega128": {
        "TIMER2_COMP": 9,
        "TIMER1_COMPA": 12,
        "TIMER1_COMPB": 13,
        "TIMER1_COMPC": 24,
        "TIMER3_COMPA": 26,
        "TIMER3_COMPB": 27,
        "TIMER3_COMPC": 28,
    },
}
"""Interrupts of AVRs, by their data sheets, counted from reset, which is 0."""
_QUIET = {
    "qemu": 220,
    "stm32": 450,
    "rp2350": 450,
    "rp2040js": 400,
    "simavr": 900,
    "ibex": 250,
    "host": 0,
}
"""Steps behind the last event, in which the kernel has become idle."""
_AVR_BITS = 16
_SLACK = {"nrf-timer": 1}
"""QEMU's model of that timer counts from the present moment, not from the count's begin: a count late at
most.
"""
_TIMER8 = """\
[[cell]]
name = "timer2"
device = "avr-timer8"
instance = 2
handler = "TIMER2_COMP_Handler"
width = 8
prescalers = [1, 8, 64, 256, 1024]
modes = ["periodic"]
min_counts = 512

[plain]
"""
_ADVANCED, _BASIC = ("tim1", "tim8", "tim20"), ("tim6", "tim7")
"""Timers of STM32 that are not general-purpose ones."""


def kind_of(cell: Cell) -> str:
    """The kind of timer, where the device has several."""
    if cell.device != "stm32-tim":
        return ""
    if "-" in cell.name:
        return "compare channel"
    return "advanced" if cell.name in _ADVANCED else "basic" if cell.name in _BASIC else "general"


@dataclass(frozen=True, slots=True)
class Target:
    """A board, and what its logs mean. `clock` is the log's address, `sources` are of the cells' requests."""

    board: Board
    time: Time
    clock: int | None
    sources: Mapping[str, int]

    def entry(self, cell: str) -> int:
        """The number of the entries of that cell's handler: that of the first cell with it."""
        handler = self.board.cell(cell).handler
        return next(at for at, one in enumerate(self.board.cells) if one.handler == handler)


def target(board: Board) -> Target:
    """How `board` is measured. HorologError if none of its emulators can be."""
    kind = board.runner.kind
    if kind == "host":
        time = Time(Fraction(10**9), board.clock.hz, at_start=-_start_ns(board), requests=False)
        return Target(board, time, None, {})
    lasts = board.runner.ns_per_step
    if lasts is None or kind not in _QUIET:
        raise HorologError(f"releases on the board {board.name} cannot be measured")
    steps_hz = 10**9 / Fraction(lasts)
    quiet = _QUIET[kind] / steps_hz
    bits = _AVR_BITS if kind == "simavr" else 32
    clock, sources = None, {cell.name: cell.instance for cell in board.cells}
    if kind == "qemu":
        clock, sources = _CLOCKS[board.clock.device], {}
    elif kind == "simavr":
        of = _VECTORS[board.runner.machine]
        sources = {one.name: of[one.handler.removesuffix("_Handler")] for one in board.cells}
    elif kind == "stm32":
        clock, bits, of_timers = _stm32(board)
        sources = dict(of_timers)
    elif kind == "rp2350":
        clock = _rp2350(board)
        sources = {cell.name: clock | cell.instance for cell in board.cells}
    slack = _SLACK.get(board.clock.device, 0) if kind == "qemu" else 0
    time = Time(steps_hz, board.clock.hz, bits, requests=kind != "qemu", quiet=quiet, slack=slack)
    return Target(board, time, clock, sources)


def _start_ns(board: Board) -> int:
    """The trace of the host port begins with t = 0."""
    return board.start_counts * 10**9 // board.clock.hz


def _stm32(board: Board) -> tuple[int, int, Mapping[str, int]]:
    """The clock's timer, its bits, and the base of each cell's timer with the number of its flag."""
    text = (board.directory / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    said = dict(re.findall(r"#define HRLP_STM32_TIM_(CLOCK\w*) (\w+?)u?\n", text))
    others, _, _ = text.partition("HRLP_STM32_TIM_OTHER_LINE(channel)")
    bases = {int(n): int(at, 16) for n, at in re.findall(r"== (\d+)u\s*\? (0x\w+)u", others)}
    clock = int(said["CLOCK"], 16)

    def source(instance: int) -> int:
        return clock | instance + 1 if instance < 4 else bases[instance]

    sources = {one.name: source(one.instance) for one in board.cells}
    return clock, int(said["CLOCK_BITS"]), sources


def _rp2350(board: Board) -> int:
    """The TIMER that is the clock. Its alarms are the numbers of its requests."""
    text = (board.directory / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    (base,) = re.findall(r"#define HRLP_RP_TIMER_BASE (\w+?)u", text)
    return int(base, 16)


def stm32_board(part: str, folder: Path) -> Board:
    """The board that `horolog board new --part` writes, in the simulator; its costs were never measured."""
    for path, text in board_files(chosen(find_part(part), Wish()), part.lower()).items():
        if path == "board.toml":
            (hz,) = re.findall(r"^hz = ([\d_]+)", text, re.MULTILINE)
            text = re.sub(
                '^kind = "none".*$', f'kind = "stm32"\ncycles_hz = {hz}', text, flags=re.MULTILINE
            )
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return read_board(str(folder))


def timer8_board(folder: Path) -> Board:
    """atmega128-8mhz with its timer of 8 bits as a cell, which no shipped board has."""
    shipped = data_root() / "boards" / "atmega128-8mhz"
    text = (shipped / "board.toml").read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "board.toml").write_text(text.replace("[plain]\n", _TIMER8, 1), encoding="utf-8")
    (folder / "link.ld").write_bytes((shipped / "link.ld").read_bytes())
    return read_board(str(folder))
