# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with how a schedule table is started, and with how it follows a global time."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

from horolog.model import HorologError
from horolog.read.document import Document, Loc
from horolog.read.problems import listed
from horolog.read.schema import ScheduleTableTable

__all__ = ["start_problems", "sync_problems"]

_FURTHEST = 2**30 - 1  # steps from the start of the kernel to a first point


class _Grid(Protocol):
    """What is asked of a counter (schedule_problems.Grid)."""

    @property
    def maximum(self) -> int: ...
    @property
    def min_cycle(self) -> int: ...
    @property
    def hz(self) -> int | None: ...
    def steps(self, value: int | Fraction) -> int: ...
    def text(self, steps: int) -> str: ...
    def limit_text(self, steps: int) -> str: ...


def start_problems(
    document: Document, index: int, table: ScheduleTableTable, grid: _Grid
) -> Iterator[HorologError]:
    """None or several ways to start; a value that the counter never has; a start that sync does not allow."""
    start = table.autostart
    if start is None:
        return
    given = [
        key for key in ("relative", "absolute", "synchronous") if getattr(start, key) is not None
    ]
    place = document.place("table", index, "autostart")
    if len(given) != 1:
        yield HorologError(
            f'the autostart of the table "{table.name}" is one of relative, absolute and synchronous',
            place=place,
            found=listed(given, last="and") or "none of them",
            expected='autostart = { relative = "1 ms" }, or no autostart',
        )
        return
    if table.sync == "implicit" and given != ["absolute"]:
        yield HorologError(
            f'the table "{table.name}" has a counter that is the global time: it is started at a value',
            place=place,
            found=f'{given[0]}, with sync = "implicit"',
            expected="autostart = { absolute = 0 }",
        )
    if start.synchronous is not None and table.sync != "explicit":
        yield HorologError(
            f'the table "{table.name}" gets no global time that it could wait for',
            place=place,
            found=f'synchronous, with sync = "{table.sync}"',
            expected='sync = "explicit", or another autostart',
        )
    if start.absolute is not None and grid.hz is not None:
        yield HorologError(
            f'the table "{table.name}" goes by the clock, whose value at the start is the board\'s',
            place=document.place("table", index, "autostart", "absolute"),
            found=f"absolute = {start.absolute}",
            expected='relative = "1 ms", after the first instant at which tasks are released',
        )
    elif start.absolute is not None and start.absolute > grid.maximum:
        yield HorologError(
            f'the counter of the table "{table.name}" never has that value',
            place=document.place("table", index, "autostart", "absolute"),
            found=str(start.absolute),
            expected=f"at most {grid.maximum}",
        )
    if start.relative is not None:
        first = grid.steps(table.point[0].offset)
        most = min(grid.maximum, _FURTHEST) - first
        if grid.steps(start.relative) > most:
            yield HorologError(
                f'the table "{table.name}" starts later than its counter can tell',
                place=document.place("table", index, "autostart", "relative"),
                found=grid.text(grid.steps(start.relative)),
                expected=f"at most {grid.limit_text(most)}",
            )


def sync_problems(
    document: Document, index: int, table: ScheduleTableTable, grid: _Grid
) -> Iterator[HorologError]:
    """Keys of a strategy that the table has not; corrections that could never be made."""
    lasts = grid.steps(table.round)
    if table.sync == "implicit" and lasts != grid.maximum + 1:
        yield HorologError(
            f'the counter of the table "{table.name}" is the global time: the table lasts as long as it',
            place=document.place("table", index, "round"),
            found=grid.text(lasts),
            expected=f"{grid.maximum + 1:,}, the counter's maximum + 1"
            if grid.hz is None
            else 'sync = "explicit" or "none": the clock goes round in 2^32 counts',
        )
    if table.sync != "explicit":
        loose: list[tuple[str, Loc, int | Fraction | None]] = [
            ("precision", ("precision",), table.precision)
        ]
        for at, point in enumerate(table.point):
            loose.append(("max_retard", ("point", at, "max_retard"), point.max_retard))
            loose.append(("max_advance", ("point", at, "max_advance"), point.max_advance))
        for key, loc, value in loose:
            if value is not None:
                yield HorologError(
                    f'the table "{table.name}" is not corrected',
                    place=document.place("table", index, *loc),
                    found=f'{key}, with sync = "{table.sync}"',
                    expected=f'no {key}, or sync = "explicit"',
                )
        return
    if table.precision is not None and grid.steps(table.precision) >= lasts:
        yield HorologError(
            f'a deviation of the table "{table.name}" is never so large',
            place=document.place("table", index, "precision"),
            found=grid.text(grid.steps(table.precision)),
            expected=f"less than {grid.text(lasts)}",
        )
    offsets = [grid.steps(point.offset) for point in table.point]
    for at, point in enumerate(table.point):
        behind = offsets[at + 1] if at + 1 < len(offsets) else lasts
        most = max(0, behind - offsets[at] - grid.min_cycle)
        if point.max_advance is not None and grid.steps(point.max_advance) > most:
            yield HorologError(
                f'a point of the table "{table.name}" could not be followed so soon',
                place=document.place("table", index, "point", at, "max_advance"),
                found=grid.text(grid.steps(point.max_advance)),
                expected=f"at most {grid.text(most)}: what follows is "
                f"{grid.text(behind - offsets[at])} later, and points are {grid.text(grid.min_cycle)} apart",
            )
        if point.max_retard is not None and grid.steps(point.max_retard) >= lasts:
            yield HorologError(
                f'a point of the table "{table.name}" would be followed a round too late',
                place=document.place("table", index, "point", at, "max_retard"),
                found=grid.text(grid.steps(point.max_retard)),
                expected=f"less than {grid.text(lasts)}",
            )
