# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables where the application has a say: modes, a start of its own, a global time.

Then one cell has the points of all tables (kernel/table/dispatcher.h). Between two rounds no job is
unfinished and no deadline is open: every deadline lies within its round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from horolog.analyse import LONGEST_MONITORED, all_digits
from horolog.model import Board, HorologError, Mode, Synchronisation, TableControl
from horolog.read.document import Document
from horolog.read.problems import listed, suggestion
from horolog.read.schema import DispatchTable, SyncTable, SystemFile
from horolog.read.units import duration_text

__all__ = ["control_problems", "is_controlled", "point_cell", "sync_rest"]

_TIMES = ("precision", "maximum_advance", "maximum_retard")
"""Keys about how far a table may deviate from a global time, and how it may be corrected."""


def is_controlled(file: SystemFile) -> bool:
    """Whether the application may change what the first table does."""
    if not file.table:
        return False
    first = file.table[0]
    return len(file.table) > 1 or first.start == "application" or first.sync is not None


def sync_rest(of: DispatchTable) -> Fraction:
    """From the sync point, which is the last deadline of the round, to its end."""
    if of.deadline_monitoring == "non-stringent":
        return Fraction(0)  # the kernel may look for a deadline as late as that
    ends = [of.round if p.deadline is None else p.offset + p.deadline for p in of.point]
    return of.round - max(ends)


def control_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    """What cannot be controlled."""
    for index, of in enumerate(file.table if board.cores == 1 else ()):
        yield from _mode_problems(document, file, index, of)
        for key in ("start", "sync", "point_cell") if index else ():
            if getattr(of, key) is not None:
                yield HorologError(
                    f'the table "{of.name}" says for all modes what the first table says',
                    place=document.place("table", index, key),
                    found=key,
                    expected=f'{key} in the table "{file.table[0].name}"',
                )
    if not is_controlled(file):
        if file.table and file.table[0].point_cell is not None:
            yield HorologError(
                f'the table "{file.table[0].name}" has a cell for its points, which the plan gives to cells',
                place=document.place("table", 0, "point_cell"),
                found=f'point_cell = "{file.table[0].point_cell}"',
                expected='no point_cell; or modes, sync, or start = "application"',
            )
        return
    if board.cores > 1:
        yield HorologError(
            "modes, a start by the application and a global time on a board of several cores: "
            "not yet supported",
            place=document.place("table", 1 if len(file.table) > 1 else 0),
            found=f"{len(file.table)} dispatcher tables"
            if len(file.table) > 1
            else 'start = "application"'
            if file.table[0].start == "application"
            else "sync",
            expected="one dispatcher table, which starts with the system; or a board of one core",
        )
        return
    if file.system.releases is not None:
        yield HorologError(
            "a table that the application starts, changes or synchronises runs for ever",
            place=document.place("system", "releases"),
            found=f"releases = {file.system.releases}",
            expected="no releases",
        )
    for index, of in enumerate(file.table):
        yield from _round_problems(document, index, of, board.clock.hz)
    yield from _sync_problems(document, file, board)


def _mode_problems(
    document: Document, file: SystemFile, index: int, of: DispatchTable
) -> Iterator[HorologError]:
    others = [one.mode for one in file.table[:index]]
    if of.mode is None and len(file.table) > 1:
        yield HorologError(
            f'the table "{of.name}" is one of several, and has no mode',
            place=document.place("table", index),
            found=f"{len(file.table)} dispatcher tables",
            expected='mode = "...", another one for each of them',
        )
    elif of.mode is not None and of.mode in others:
        first = file.table[others.index(of.mode)]
        yield HorologError(
            f'the tables "{first.name}" and "{of.name}" have one mode',
            place=document.place("table", index, "mode"),
            found=f'"{of.mode}"',
            expected="another mode",
        )
    first = file.table[0]
    if of.deadline_monitoring != first.deadline_monitoring:
        yield HorologError(
            f'the tables "{first.name}" and "{of.name}" do not monitor deadlines alike',
            place=document.place("table", index, "deadline_monitoring"),
            found=f'"{of.deadline_monitoring}", beside "{first.deadline_monitoring}"',
            expected="one deadline_monitoring for all modes",
        )


def _round_problems(
    document: Document, index: int, of: DispatchTable, hz: int
) -> Iterator[HorologError]:
    counts = of.round * hz
    if counts.denominator != 1 or counts > LONGEST_MONITORED:
        most = duration_text(Fraction(LONGEST_MONITORED, hz))
        yield HorologError(
            f'the round of "{of.name}" cannot be controlled: it is no whole number of counts below 2^29',
            place=document.place("table", index, "round"),
            found=f"{duration_text(of.round)}, which is {all_digits(counts)} counts",
            expected=f"a multiple of {duration_text(Fraction(1, hz))} up to {most}",
        )
    for at, point in enumerate(of.point):
        if point.deadline is not None and point.offset + point.deadline > of.round:
            yield HorologError(
                f'a deadline of the table "{of.name}" lies in the next round, which another mode may have',
                place=document.place("table", index, "point", at, "deadline"),
                found=f"{duration_text(point.deadline)}, at {duration_text(point.offset)}",
                expected=f"at most {duration_text(of.round - point.offset)}",
            )


def _sync_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    first = file.table[0]
    sync = first.sync
    if sync is None:
        return
    rounds = {of.round for of in file.table}
    if len(rounds) > 1:
        yield HorologError(
            "tables that follow a global time have one round",
            place=document.place("table", 0, "sync"),
            found=f"rounds of {listed([duration_text(one) for one in sorted(rounds)], last='and')}",
            expected="one length for all modes, as the global time is a position in the round",
        )
    if sync.strategy == "implicit":
        yield from _implicit_problems(document, sync)
        return
    for name in _TIMES:
        time = getattr(sync, name)
        if time is None:
            yield HorologError(
                "a global time that the application gives needs to know how rounds may follow it",
                place=document.place("table", 0, "sync"),
                found=f"no {name}",
                expected=f'{name} = "..."; or strategy = "implicit", if the clock is the global time',
            )
        elif time > first.round / 2:
            yield HorologError(
                f"{name} is above half the round, which no deviation is",
                place=document.place("table", 0, "sync", name),
                found=duration_text(time),
                expected=f"at most {duration_text(first.round / 2)}",
            )
    for index, of in enumerate(file.table):
        rest = sync_rest(of)
        if (sync.maximum_advance or 0) > 0 and rest * board.clock.hz < 2:
            yield HorologError(
                f'no round of "{of.name}" can be shorter: its last deadline is at its end',
                place=document.place("table", index),
                found="non-stringent monitoring, which looks for deadlines until the end"
                if of.deadline_monitoring == "non-stringent"
                else f"a point without a deadline, or one at {duration_text(of.round)}",
                expected='maximum_advance = "0 ms", or deadlines that leave time at the end of the round',
            )


def _implicit_problems(document: Document, sync: SyncTable) -> Iterator[HorologError]:
    """Keys about a deviation, where the counter is the global time."""
    for name in _TIMES:
        if getattr(sync, name) is not None:
            yield HorologError(
                f"a table whose counter is the global time has no {name}, as it never deviates",
                place=document.place("table", 0, "sync", name),
                found=f'{name}, with strategy = "implicit"',
                expected=f'no {name}; or strategy = "explicit", and a global time from the application',
            )


def _synchronisation(sync: SyncTable | None) -> Synchronisation | None:
    """How rounds follow a global time that the application gives; of a file without problems."""
    if sync is None or sync.strategy == "implicit":
        return None
    times = (sync.precision, sync.maximum_advance, sync.maximum_retard)
    return Synchronisation(*(time or Fraction(0) for time in times))


def point_cell(
    document: Document, file: SystemFile, own: Board, target: Board, cells: Sequence[str]
) -> tuple[TableControl | None, list[HorologError]]:
    """The cell of `target` that has all points: one of `cells`, which are left for tasks."""
    if not is_controlled(file):
        return None, []
    first = file.table[0]
    by_application = first.start == "application"
    how = _synchronisation(first.sync)
    implicit = first.sync is not None and first.sync.strategy == "implicit"
    able = [cell for cell in target.cells if cell.name in cells and Mode.ONE_SHOT in cell.modes]
    if not able:
        return None, [
            HorologError(
                f'the table "{first.name}" needs a cell for its points that can be armed for one instant',
                place=document.place("table", 0),
                found=f"cells {listed(list(cells)) or 'none'}",
                expected="one more cell; or one mode, which starts with the system, without sync",
            )
        ]
    if first.point_cell is not None:
        names = [cell.name for cell in own.cells if Mode.ONE_SHOT in cell.modes]
        if first.point_cell not in names or first.point_cell == file.system.timeouts:
            return None, [
                HorologError(
                    f'the cell "{first.point_cell}" cannot have points'
                    f"{suggestion(first.point_cell, names)}",
                    place=document.place("table", 0, "point_cell"),
                    found=f'"{first.point_cell}"',
                    expected=f"one of {listed([one for one in names if one != file.system.timeouts])}, "
                    "which can be armed for one instant",
                )
            ]
        if target.name == own.name:
            return TableControl(first.point_cell, by_application, how, implicit), []
    alone = [cell for cell in able if target.has_own_interrupt(cell, cells)]
    return TableControl((alone or able)[0].name, by_application, how, implicit), []
