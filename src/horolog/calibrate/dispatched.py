# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what dispatcher tables cost more that the application controls (kernel/table/dispatcher.h).

A table is run as a plan has it, and by the dispatcher's cell as the first of two modes; then with a global
time that nothing tells, with monitored deadlines and without. The jobs are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from horolog.calibrate.stores import Run
from horolog.model import Board, Cell, Mode
from horolog.plan.choice import plan
from horolog.plan.prices.costs import NOTHING
from horolog.read.boards import read_board
from horolog.read.system import read_system

__all__ = ["calibrate_dispatched"]

_POINTS = """\
    { offset = "0 ms", activate = "first", deadline = "1 ms" },
    { offset = "0.5 ms", activate = "second", deadline = "1 ms" },
    { offset = "2 ms", activate = "first", deadline = "1 ms" },
    { offset = "2.5 ms", activate = "third", deadline = "1 ms" },
"""
_SYNC = """
[table.sync]
precision = "10 us"
maximum_advance = "100 us"
maximum_retard = "100 us"
"""


@dataclass(frozen=True, slots=True)
class _Ran:
    kernel: int
    jobs: int
    interrupts: int


def calibrate_dispatched(
    board: Board, run: Run, folder: Path
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """By the device of the tables' cell, what a point costs beyond one of a one-shot cell.

    And per job, by the device of the cell that monitors deadlines which a global time moves.
    """
    able: dict[str, Cell] = {}
    for cell in board.cells:
        if Mode.ONE_SHOT in cell.modes and board.has_own_interrupt(cell):
            able.setdefault(cell.device, cell)
    points: dict[str, Fraction] = {}
    moving: dict[str, Fraction] = {}
    if len(board.cells) < 3 or not able:
        return points, moving
    for device, cell in sorted(able.items()):
        of = _Measure(board, run, folder, cell)
        plain = of.ran("as planned")
        modes = of.ran("two modes", controlled=True, modes=2)
        points[device] = Fraction(modes.kernel - plain.kernel, plain.interrupts)
    first = next(iter(able.values()))
    for device, cell in sorted(able.items()):
        other = next((one for one in able.values() if one is not cell), None) or next(
            (one for one in board.cells if one not in (cell, first)), first
        )
        of = _Measure(board, run, folder, other)
        beside = f"deadlines beside {cell.name}"
        without = of.ran(beside, controlled=True, sync=True)
        watched = of.ran(f"deadlines by {cell.name}", controlled=True, sync=True, monitor=cell.name)
        moving[device] = Fraction(watched.kernel - without.kernel, watched.jobs)
    return points, moving


@dataclass(frozen=True, slots=True)
class _Measure:
    board: Board
    run: Run
    folder: Path
    cell: Cell

    def ran(
        self,
        title: str,
        *,
        controlled: bool = False,
        modes: int = 1,
        sync: bool = False,
        monitor: str | None = None,
    ) -> _Ran:
        """A run with the tables' cell."""
        title = f"dispatcher tables on {self.cell.name}, {title}"
        other = next(one.name for one in self.board.cells if one != self.cell)
        cells = [self.cell.name] + ([other] if controlled else [])
        if monitor is not None and monitor not in cells:
            cells.append(monitor)
        lines = [
            "[system]",
            f'name = "{title.replace(" ", "-").replace(",", "")}"',
            f'board = "{self._board_file()}"',
            f"cells = [{', '.join(repr(cell) for cell in cells)}]",
            # In cycles a second is simulated in minutes, and all rounds are alike.
            f'duration = "{1000 if self.board.runner.ns_per_cycle is None else 60} ms"',
        ]
        for task in ("first", "second", "third"):
            lines += ["", "[[task]]", f'name = "{task}"', "work = 10"]
        for mode in range(modes):
            lines += ["", "[[table]]", f'name = "table_{mode}"', 'kind = "dispatcher"']
            lines += [f'mode = "mode_{mode}"'] if modes > 1 else []
            lines += [f'point_cell = "{self.cell.name}"'] if controlled and mode == 0 else []
            if monitor is not None:
                lines += ['deadline_monitoring = "stringent"', f'deadline_cell = "{monitor}"']
            lines += [f'round = "{self._round_ms()} ms"', "point = [", _POINTS.rstrip(), "]"]
            lines += [_SYNC] if sync else []
        path = self.folder / "dispatched.toml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        system = read_system(path)
        side = self.run(
            system.name, system, plan(system, mechanism="one-shot", prices=NOTHING).choice
        )
        return _Ran(side.counted.kernel, side.jobs, side.interrupts.predicted)

    def _board_file(self) -> str:
        """By its file: a board of the user's own has no name that is known."""
        return str(self.board.directory / "board.toml")

    def _round_ms(self) -> int:
        """A round that is a whole number of counts on the board as it is shipped: the file names that."""
        hz = read_board(self._board_file()).clock.hz
        return next(ms for ms in (4, 5) if ms * hz % 1000 == 0)
