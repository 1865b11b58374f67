# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is run: on each board some systems, in which every cell works in each of its modes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.model import Board, Cell, Mode
from horolog.read import read_board
from horolog_experiments.releases.boards import kind_of, stm32_board, timer8_board
from horolog_experiments.releases.plans import Line

__all__ = ["BENCHES", "Bench", "Case", "cases"]

RELEASES = 100_000
"""Of each device in each mode; of one cell that is alone of its kind in each."""
_QUICK, _ODD_PART = 100, 10
_DIVIDER = 16
_LONG = 2**19
_SLEEPERS = ("stm32", "rp2350", "ibex")
"""Simulators in which the processor may wait for interrupts: they need not execute its idle loop."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A board and the pace at which it is tried.

    `make` gets a folder for the files of a board that is written. `apart_us` is the time between two
    releases that finds the processor idle. `part`: the `releases` of each cell in each mode are so much
    less. `wraps`: whether a run also lasts until the clock's 32 bits have wrapped. `cells`: only the first so
    many. `near`: the shortest interval that is tried, in the least that board.toml says of the
    cell.
    """

    name: str
    make: Callable[[Path], Board]
    apart_us: Fraction
    part: int = 1
    wraps: bool = False
    cells: int | None = None
    near: int = 1
    alone: tuple[str, ...] = ()


def _board(name: str, prescaler: int = 0) -> Callable[[Path], Board]:
    def make(_: Path) -> Board:
        board = read_board(name)
        return board.with_prescaler(prescaler) if prescaler else board

    return make


_TIMER8_PRESCALER = 64


def _with_timer8(folder: Path) -> Board:
    board = timer8_board(folder).with_prescaler(8)
    return replace(board, cells=(board.cell("timer1a"), board.cell("timer2")))


def _part(name: str) -> Callable[[Path], Board]:
    return lambda folder: stm32_board(name, folder)


BENCHES: Sequence[Bench] = (
    Bench(
        "ibex-cells-small",
        _board("ibex-cells-small"),
        Fraction(12),
        part=4,
        cells=4,
        wraps=True,
    ),
    Bench(
        "nucleo-f446re",
        _board("nucleo-f446re"),
        Fraction(50),
        part=4,
        alone=("tim5",),
        wraps=True,
    ),
    Bench(
        "STM32G0B1RE",
        _part("STM32G0B1RE"),
        Fraction(50),
        part=8,
        alone=("tim6",),
        wraps=True,
    ),
    Bench("STM32F103CB", _part("STM32F103CB"), Fraction(100), part=4, wraps=True),
    Bench(
        "mps2-an385",
        _board("mps2-an385"),
        Fraction(60),
        part=4,
        wraps=True,
        alone=("timer0", "dual0", "systick"),
    ),
    Bench("lm3s6965evb", _board("lm3s6965evb"), Fraction(100), part=4, wraps=True),
    Bench("microbit", _board("microbit"), Fraction(120), part=4, wraps=True),
    Bench("qemu-virt-rv32", _board("qemu-virt-rv32"), Fraction(120), wraps=True),
    Bench("pico", _board("pico"), Fraction(10), part=4, wraps=True),
    Bench("pico2", _board("pico2"), Fraction(10), part=4, wraps=True),
    Bench("host", _board("host"), Fraction(20), part=4, wraps=True),
    Bench("arduino-uno", _board("arduino-uno", 1), Fraction(200), part=2, wraps=True, near=3),
    Bench("arduino-uno by 64", _board("arduino-uno", 64), Fraction(200), part=2, near=3),
    Bench("atmega128", _board("atmega128", 1), Fraction(400), part=6, near=3),
    Bench("atmega128 with timer 2", _with_timer8, Fraction(400), part=2),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One run: what each cell does, and for how many seconds."""

    name: str
    lines: tuple[Line, ...]
    duration: Fraction
    sleeps: bool = False  # the idle thread waits for interrupts


def cases(bench: Bench, board: Board, *, quick: bool) -> Iterator[Case]:
    """The runs of `bench`, with the modes one way and the other.

    Until a wrap there is a second run only if a kind of cell was not in one of its modes in the first.
    """
    cells = board.cells[: bench.cells]
    any_period = [
        one for one in cells if not one.prescalers
    ]  # the others have whole numbers of their counts
    releases = RELEASES // bench.part // (_QUICK if quick else 1)
    ways = [_modes(cells, turn) for turn in range(2)]
    ways = ways if ways[0] != ways[1] else ways[:1]
    for way, modes in enumerate(ways):
        yield _spread(f"spread {way + 1}", cells, modes, bench, releases)
        if len(any_period) == len(cells):
            yield _odd(f"odd {way + 1}", cells, modes, bench, releases // _ODD_PART)
    for cell in _pair(any_period):
        for mode in Mode:
            if mode in cell.modes:
                yield _near(bench, cell, mode, board, releases // _ODD_PART)
    for name in bench.alone:
        for mode in Mode:
            period = bench.apart_us / 10**6
            alone = Line(name, mode, period, (Fraction(0),))
            most = RELEASES // (_QUICK if quick else 1)
            yield Case(f"alone, {name} {mode.value}", (alone,), period * most)
    if bench.wraps and not quick:
        seen: set[tuple[str, int, str, Mode]] = set()
        for way, modes in enumerate(ways):
            kinds = ((one.device, one.width, kind_of(one)) for one in cells)
            new = {(*kind, mode) for kind, mode in zip(kinds, modes, strict=True)} - seen
            if new:
                yield replace(
                    _wrap(f"wrap {way + 1}", cells, modes, board),
                    sleeps=board.runner.kind in _SLEEPERS,
                )
            seen |= new


def _modes(cells: Sequence[Cell], turn: int) -> tuple[Mode, ...]:
    """In turn one mode and the other, where a cell has both."""
    both = (Mode.PERIODIC, Mode.ONE_SHOT)
    found = []
    for at, cell in enumerate(cells):
        wanted = both[(at + turn) % 2]
        found.append(wanted if wanted in cell.modes else next(iter(cell.modes)))
    return tuple(found)


def _own(cell: Cell) -> int | None:
    return _TIMER8_PRESCALER if cell.prescalers else None


def _pair(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Two cells, of different devices or widths if there are, that may be periodic."""
    able = [one for one in cells if Mode.PERIODIC in one.modes]
    first = able[0]
    others = [one for one in able[1:] if one.handler != first.handler]
    different = [one for one in others if (one.device, one.width) != (first.device, first.width)]
    return (first, *(different or others)[:1])


def _spread(
    name: str, cells: Sequence[Cell], modes: Sequence[Mode], bench: Bench, releases: int
) -> Case:
    """Every release finds the processor idle: one behind the other, at a distance of `apart_us`."""
    apart = bench.apart_us / 10**6
    period = apart * len(cells)
    lines = (
        Line(cell.name, mode, period, (apart * at,), prescaler=_own(cell))
        for at, (cell, mode) in enumerate(zip(cells, modes, strict=True))
    )
    return Case(name, tuple(lines), period * releases)


def _odd(
    name: str, cells: Sequence[Cell], modes: Sequence[Mode], bench: Bench, releases: int
) -> Case:
    """Periods that are no whole numbers of counts, all begun at once: some releases coincide."""
    shortest = bench.apart_us / 10**6 * len(cells) * 2
    lines = (
        Line(
            cell.name,
            mode,
            shortest * (1 + Fraction(2 * at + 1, 3 * len(cells) + 1)),
            (Fraction(0),),
        )
        for at, (cell, mode) in enumerate(zip(cells, modes, strict=True))
    )
    return Case(name, tuple(lines), shortest * releases)


def _near(bench: Bench, cell: Cell, mode: Mode, board: Board, releases: int) -> Case:
    """Intervals as short as the board says that a cell can time, or by `near` longer."""
    interval = Fraction(cell.min_counts * bench.near, board.clock.hz)
    period = _DIVIDER * interval
    if mode is Mode.PERIODIC:
        line = Line(cell.name, mode, period, (Fraction(0),), _DIVIDER)
    else:
        line = Line(cell.name, mode, period, (Fraction(0), interval))
    return Case(f"near, {cell.name} {mode.value}", (line,), period * (releases // 2))


def _wrap(name: str, cells: Sequence[Cell], modes: Sequence[Mode], board: Board) -> Case:
    """Until the clock's 32 bits have wrapped, and a little longer."""
    hz = board.clock.hz
    duration = Fraction(2**32 + 2**26, hz)
    lines = []
    for at, (cell, mode) in enumerate(zip(cells, modes, strict=True)):
        counts = min((1 << cell.width) - 1, _LONG) if mode is Mode.PERIODIC else _LONG
        offset = Fraction(counts * (2 * at + 1) // (2 * len(cells)), hz)
        lines.append(Line(cell.name, mode, Fraction(counts, hz), (offset,)))
    return Case(name, tuple(lines), duration)
