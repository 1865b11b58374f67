# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rows of releasers of basic tasks: which tasks each releases, on which lines, and the next one's gap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from horolog.analyse import ReleaseRows, count_instant, release_rows
from horolog.emit.basic_groups import PartList
from horolog.emit.basic_objects import EmittedLine, Row
from horolog.emit.dispatchers import mode_rows
from horolog.model import HorologError, Releaser, System

__all__ = ["RowTable", "bits_of", "names_of", "part_list", "row_table", "rows_of_modes"]

_NAMES = 4  # so many tasks are named in a comment


@dataclass(frozen=True, slots=True)
class RowTable:
    """The rows of a releaser and what they share; `first` in counts after t = 0."""

    first: int
    rows: tuple[Row, ...]
    lead: int
    lists: tuple[PartList, ...]
    ahead: int

    @property
    def end(self) -> int:
        """The index of the part that follows all lists."""
        return sum(1 + len(one.parts) for one in self.lists)


def rows_of_modes(
    system: System, lines: Sequence[EmittedLine], line_of: Mapping[int, int]
) -> RowTable:
    """The rows of all modes of the dispatcher, one mode behind the other."""
    rows: list[Row] = []
    parts: dict[tuple[tuple[int, int], ...], PartList] = {}
    for table in system.tables:
        of_mode = mode_rows(system, table)
        ends = [at for at, _ in of_mode[1:]]
        ends.append(count_instant(table.round, system.board.clock.hz))
        for (at, released), end in zip(of_mode, ends, strict=True):
            rows.append(_row(system, lines, line_of, parts, end - at, released))
    return RowTable(0, tuple(rows), 0, tuple(parts.values()), 1 << 31)


def row_table(
    system: System, releaser: Releaser, lines: Sequence[EmittedLine], line_of: Mapping[int, int]
) -> RowTable:
    """The rows of a releaser, by the instants of its tasks. HorologError if they are too many."""
    found = release_rows(system, releaser.tasks)
    if found is None:
        raise HorologError(f"the table of cell {releaser.cell} is too long")
    parts: dict[tuple[tuple[int, int], ...], PartList] = {}
    rows = [
        _row(system, lines, line_of, parts, gap, released)
        for gap, released in zip(found.gaps, found.released, strict=True)
    ]
    return RowTable(
        found.first, tuple(rows), found.lead, tuple(parts.values()), _ahead(system, found)
    )


def _row(
    system: System,
    lines: Sequence[EmittedLine],
    line_of: Mapping[int, int],
    parts: dict[tuple[tuple[int, int], ...], PartList],
    gap: int,
    released: tuple[int, ...],
) -> Row:
    """A row that releases tasks; `parts` are those of the rows before it, and its own behind this."""
    key = bits_of(lines, line_of, released)
    if key not in parts:
        at = sum(1 + len(one.parts) for one in parts.values())
        parts[key] = part_list(system, lines, key, released, at)
    return Row(gap, parts[key].start, sum(bits for _, bits in key))


def bits_of(
    lines: Sequence[EmittedLine], line_of: Mapping[int, int], released: Iterable[int]
) -> tuple[tuple[int, int], ...]:
    """Returns the lines of the tasks `released`, by index, with the bits of these tasks on each."""
    bits: dict[int, int] = {}
    for task in released:
        line = lines[line_of[task]]
        bits[line.index] = bits.get(line.index, 0) | 1 << (31 - line.rank(task))
    return tuple(sorted(bits.items()))


def part_list(
    system: System,
    lines: Sequence[EmittedLine],
    bits: tuple[tuple[int, int], ...],
    released: Sequence[int],
    at: int,
) -> PartList:
    """What releases the tasks `released`, which have `bits`; it is part number `at` of the table's."""
    some = tuple((line, word) for line, word in bits if lines[line].words is not None)
    return PartList(at, tuple(line for line, _ in bits), some, names_of(system, released))


def _ahead(system: System, found: ReleaseRows) -> int:
    """Returns how far a row may lie ahead: a power of two, at most half of the range of a stamp.

    Where tasks end, rows without a task are skipped: up to a whole cycle of them.
    """
    furthest = max(found.furthest(system.board.start_counts), 2)
    if system.releases is not None:
        furthest = max(furthest, sum(found.gaps))
    return min(1 << 31, 1 << (furthest - 1).bit_length())


def names_of(system: System, tasks: Sequence[int]) -> str:
    """The names of tasks for a comment, the first few of them."""
    names = [system.task(task).name for task in tasks]
    if len(names) > _NAMES:
        names[_NAMES - 1 :] = [f"and {len(names) - _NAMES + 1} more"]
    return ", ".join(names)
