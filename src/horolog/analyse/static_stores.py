# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the static stores of kernel/release/ know of their tasks before the system starts.

All of it follows from the tasks' periods, offsets and levels: which bit a task has in its level's
words, which tasks share a period and an offset (period groups), which tasks each instant of the
hyperperiod releases (mask table), and which streams' instants lie on another's (harmonic array). Times
are counts of the board's clock after t = 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from horolog.analyse.chains import fewest_chains
from horolog.analyse.large import large_text
from horolog.analyse.levels import levels, rank
from horolog.analyse.memo import remembered
from horolog.analyse.releases import (
    HOP_COUNTS,
    Stream,
    count_instant,
    distinct_releases,
    hyperperiod,
    streams,
)
from horolog.analyse.releases import releases as releases_of
from horolog.figures import plural
from horolog.model import HorologError, Mode, System

__all__ = [
    "MOST_ON_A_LEVEL",
    "MOST_ROWS",
    "WORD_OF_LEVELS",
    "Chain",
    "ChainLevel",
    "Group",
    "Part",
    "ReleaseRows",
    "Row",
    "Table",
    "TableSize",
    "chains_of",
    "groups_of",
    "mask_places",
    "parts_of",
    "release_rows",
    "own_levels",
    "releases_levels",
    "row_bytes",
    "static_store_misfit",
    "table_of",
    "table_size",
]

MOST_ON_A_LEVEL = 32
"""Tasks of one level that a release mask can hold: one word a level."""

MOST_ROWS = 1 << 16
"""A longer mask table is not built: half a megabyte of rows."""

WORD_OF_LEVELS = 32
"""In the place of a level, where a release mask has the threads that are always alone on theirs: one word of
all levels, each thread with the bit of its own.
"""

_WORD_BYTES = 4
_PART_BYTES = 8  # struct hrli_mask_part: level and bits


@dataclass(frozen=True, slots=True)
class Part:
    """The tasks of one level in a release mask."""

    level: int
    bits: int


@dataclass(frozen=True, slots=True)
class Group:
    """Tasks that are always released together, and their release mask."""

    period: Fraction  # seconds
    offset: Fraction
    tasks: tuple[int, ...]  # indices into System.tasks, ascending
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One release instant of a mask table."""

    gap: int  # counts to the next row's instant; from the last row to the cycle's first
    mask: int  # index into the table's masks


@dataclass(frozen=True, slots=True)
class Table:
    """The release instants of a set of tasks, and the tasks released at each.

    The rows before `lead` come once, while offsets pass; the others repeat for ever.
    """

    first: int  # the first row's instant
    rows: tuple[Row, ...]
    lead: int  # index of the first row of the cycle
    masks: tuple[tuple[Part, ...], ...]  # each one once

    def takes(self, pointer_bytes: int) -> int:
        """How many bytes of read-only memory it takes."""
        return _table_bytes(pointer_bytes, len(self.rows), self.masks)


@dataclass(frozen=True, slots=True)
class ReleaseRows:
    """The release instants of a set of tasks, as in a Table, and the tasks released at each."""

    first: int  # the first instant
    gaps: tuple[int, ...]  # counts from each to the next; from the last to the cycle's first
    released: tuple[tuple[int, ...], ...]  # at each: indices into System.tasks, ascending
    lead: int  # so many come once, while offsets pass

    def furthest(self, start: int) -> int:
        """How far a row may lie ahead of the one before it; the first one, of the clock's start.

        `start`: counts from that to t = 0.
        """
        return max(*self.gaps, start + self.first)


@dataclass(frozen=True, slots=True)
class TableSize:
    """How long a mask table is, or would be."""

    cycle: Fraction  # seconds until its instants repeat to the count
    rows: int
    bytes: int
    exact: bool  # False: too long to be built, and rows and bytes are at least so many


@dataclass(frozen=True, slots=True)
class ChainLevel:
    """The tasks of a harmonic chain that share a period and an offset.

    The level fires at firings of the level before it, the first one at instants of the releaser: the
    first time at the `left`-th of them, then at every `every`-th.
    """

    every: int
    left: int
    tasks: tuple[int, ...]  # indices into System.tasks, ascending


@dataclass(frozen=True, slots=True)
class Chain:
    """Levels; all instants of a level are also instants of the level before it."""

    levels: tuple[ChainLevel, ...]


_Held = tuple[int, int, tuple[int, ...]]
"""Period, offset, tasks."""


@remembered
def mask_places(system: System) -> tuple[tuple[int, int], ...]:
    """(level, bit) of every task: of the n threads on a level the most urgent has bit n - 1.

    Tasks of one rank stand in the system's order. Of basic tasks the bit is 0 and says nothing. HorologError
    if a level has more than MOST_ON_A_LEVEL threads.
    """
    on, basic = levels(system), {*system.basic}
    members: dict[int, list[int]] = {}
    for index in sorted(range(len(on)), key=lambda at: (rank(system, at), at)):
        if index not in basic:
            members.setdefault(on[index], []).append(index)
    bit = dict.fromkeys(basic, 0)
    for level, tasks in members.items():
        if len(tasks) > MOST_ON_A_LEVEL:
            raise HorologError(
                f"too many tasks on one priority level for a release mask (level {level})",
                found=f"{len(tasks)} tasks, such as {system.tasks[tasks[0]].name}",
                expected=f"at most {MOST_ON_A_LEVEL} on a level, or another store",
            )
        bit.update((index, len(tasks) - 1 - at) for at, index in enumerate(tasks))
    alone = releases_levels(system)
    return tuple(
        (WORD_OF_LEVELS, level) if alone and len(members[level]) == 1 else (level, bit[index])
        for index, level in enumerate(on)
    )


@remembered
def releases_levels(system: System) -> bool:
    """Whether masks release threads that are always alone on their levels by one word of all levels.

    No thread of the system, which is one of of_threads, waits for anything but its release, nor gets another
    level, and there are no others; and some are alone.
    """
    on = levels(system)
    return _wait_for_releases_only(system) and any(on.count(level) == 1 for level in on)


def own_levels(system: System) -> bool:
    """Whether every thread of the system, which is one of of_threads, is always alone on its level.

    None waits for anything but its release, nor gets another level, and there are no others.
    """
    on = levels(system)
    alone = len({*on}) == len(on) and not system.shares_levels_elsewhere
    return alone and _wait_for_releases_only(system)


def _wait_for_releases_only(system: System) -> bool:
    return (
        all(task.shares for task in system.tasks)
        and not system.waits_elsewhere
        and not system.uses_services
        and system.releases is None
    )


def parts_of(system: System, tasks: Iterable[int]) -> tuple[Part, ...]:
    """The release mask of `tasks`, the most urgent level first."""
    return _parts(mask_places(system), tasks, releases_levels(system))


def groups_of(system: System, tasks: Iterable[int]) -> tuple[Group, ...]:
    """`tasks` by period and offset, the shortest period first."""
    places, first = mask_places(system), releases_levels(system)
    return tuple(
        Group(one.period, one.offset, one.tasks, _parts(places, one.tasks, first))
        for one in streams(system, tasks)
    )


def table_of(system: System, tasks: Iterable[int]) -> Table:
    """The mask table of `tasks`. HorologError if it has more than MOST_ROWS rows."""
    tasks = tuple(tasks)
    table = _table(system, tasks)
    if table is None:
        size = table_size(system, tasks)
        raise HorologError(
            f"the release instants of {plural(len(tasks), 'task')} repeat too late for a mask table",
            found=f"a hyperperiod of {large_text(size.cycle)} s with at least "
            f"{large_text(size.rows)} release instants, {large_text(size.bytes)} bytes",
            expected=f"at most {MOST_ROWS} release instants, or another store",
        )
    return table


def table_size(system: System, tasks: Iterable[int]) -> TableSize:
    """How long the mask table of `tasks` is; a table of more than MOST_ROWS rows is not built."""
    of, hz = streams(system, tasks), system.board.clock.hz
    settled, cycle = _settled(of, hz), _cycle(of, hz)
    most = _most_of_one(of, Fraction(cycle, hz))
    found = None
    if most <= MOST_ROWS:
        found = distinct_releases(of, hz, 0, settled + cycle, MOST_ROWS)
    if found is None:
        rows = max(MOST_ROWS + 1, most)
        return TableSize(Fraction(cycle, hz), rows, rows * row_bytes(system), exact=False)
    rows, sets = found
    places, first = mask_places(system), releases_levels(system)
    masks = {
        _parts(places, (task for at in positions for task in of[at].tasks), first)
        for positions in sets
    }
    return TableSize(
        Fraction(cycle, hz),
        rows,
        _table_bytes(system.board.port.pointer_bytes, rows, masks),
        exact=True,
    )


def chains_of(
    system: System, tasks: Iterable[int], first: int | Fraction, period: int | Fraction
) -> tuple[Chain, ...]:
    """The fewest harmonic chains that hold `tasks`.

    The releaser's instants are the whole counts of first + k * period, and all releases lie on them. The
    least element of each chain decides its place: the shortest period, the earliest offset.
    """
    hz = system.board.clock.hz
    of = streams(system, tasks)
    rows: list[_Held]
    if period.denominator == 1:
        first = int(first)
        rows = [(int(one.period * hz), count_instant(one.offset, hz), one.tasks) for one in of]
    else:  # in parts of a count
        unit = lcm(first.denominator, period.denominator)
        unit = lcm(unit, *((t * hz).denominator for one in of for t in (one.period, one.offset)))
        first, period = int(first * unit), period * unit
        rows = [(int(s.period * hz * unit), int(s.offset * hz * unit), s.tasks) for s in of]
    followers = [
        [behind for behind in range(ahead + 1, len(rows)) if _holds(rows[ahead], rows[behind])]
        for ahead in range(len(rows))
    ]
    return tuple(
        Chain(_chain_levels([rows[at] for at in chain], first, int(period)))
        for chain in fewest_chains(followers)
    )


def static_store_misfit(system: System, store: str, tasks: Sequence[int], mode: Mode) -> str | None:
    """Why a releaser of `mode` cannot have the static store `store` for `tasks`; None if it can.

    A mask table's length is not asked: table_size says it.
    """
    hz = system.board.clock.hz
    for index in tasks:
        task = system.tasks[index]
        if task.period * hz > HOP_COUNTS:
            return (
                f"{task.name} has a period of more than {float(Fraction(HOP_COUNTS, hz)):,.2f} s, "
                f"which {store} cannot count"
            )
    if store == "harmonic-array":
        return None if mode is Mode.PERIODIC else "harmonic-array is for periodic cells"
    try:
        mask_places(system)
    except HorologError as error:
        return f"{error.message}: {error.found}"
    return None


def row_bytes(system: System) -> int:
    """The bytes of a row of a mask table."""
    return _row_bytes(system.board.port.pointer_bytes)


def _row_bytes(pointer_bytes: int) -> int:
    """The size of struct hrli_mask_row: the gap, and the mask's index, which an unsigned int holds."""
    return _WORD_BYTES + pointer_bytes


def _table_bytes(pointer_bytes: int, rows: int, masks: Collection[Sequence[Part]]) -> int:
    mask_bytes = pointer_bytes + _WORD_BYTES  # struct hrli_release_mask: its parts, and how many
    parts = sum(map(len, masks))
    return rows * _row_bytes(pointer_bytes) + len(masks) * mask_bytes + parts * _PART_BYTES


def _parts(
    places: Sequence[tuple[int, int]], tasks: Iterable[int], levels_first: bool
) -> tuple[Part, ...]:
    bits: dict[int, int] = {WORD_OF_LEVELS: 0} if levels_first else {}
    for index in tasks:
        level, bit = places[index]
        bits[level] = bits.get(level, 0) | 1 << bit
    return tuple(Part(level, bits[level]) for level in sorted(bits, reverse=True))


def _cycle(of: Sequence[Stream], hz: int) -> int:
    """After how many counts the releases of all tasks repeat."""
    return (hyperperiod(of) * hz).numerator


def _settled(of: Sequence[Stream], hz: int) -> int:
    """From here on the releases repeat: no stream, had it begun a period earlier, would add one."""
    return max(0, *(count_instant(one.offset - one.period, hz) + 1 for one in of))


def _most_of_one(of: Sequence[Stream], cycle: Fraction) -> int:
    """The number of releases of the stream that has most of them in a cycle."""
    return max(ceil(cycle / one.period) for one in of)


def release_rows(system: System, tasks: Sequence[int]) -> ReleaseRows | None:
    """Which of `tasks` each instant of a cycle releases; None: there are more than MOST_ROWS instants."""
    of, hz = streams(system, tasks), system.board.clock.hz
    settled, cycle = _settled(of, hz), _cycle(of, hz)
    if _most_of_one(of, Fraction(cycle, hz)) > MOST_ROWS:
        return None
    instants: list[int] = []
    released: list[tuple[int, ...]] = []
    for instant, positions in releases_of(of, hz, 0, settled + cycle):
        if len(instants) == MOST_ROWS:
            return None
        instants.append(instant)
        released.append(positions)
    lead = sum(instant < settled for instant in instants)
    ends = [*instants[1:], instants[lead] + cycle]
    sets: dict[tuple[int, ...], tuple[int, ...]] = {}
    for positions in released:
        if positions not in sets:
            sets[positions] = tuple(sorted(task for at in positions for task in of[at].tasks))
    return ReleaseRows(
        instants[0],
        tuple(end - instant for instant, end in zip(instants, ends, strict=True)),
        tuple(sets[positions] for positions in released),
        lead,
    )


def _table(system: System, tasks: Sequence[int]) -> Table | None:
    """The mask table of `tasks`; None: it has more than MOST_ROWS rows."""
    found = release_rows(system, tasks)
    if found is None:
        return None
    places, first = mask_places(system), releases_levels(system)
    number: dict[tuple[Part, ...], int] = {}
    known: dict[tuple[int, ...], int] = {}
    for released in found.released:
        if released not in known:
            known[released] = number.setdefault(_parts(places, released, first), len(number))
    rows = (
        Row(gap, known[released]) for gap, released in zip(found.gaps, found.released, strict=True)
    )
    return Table(found.first, tuple(rows), found.lead, tuple(number))


def _holds(one: tuple[int, int, object], other: tuple[int, int, object]) -> bool:
    """Whether the instants of `other` are instants of `one`, from the first one on."""
    return other[0] % one[0] == 0 and other[1] >= one[1] and (other[1] - one[1]) % one[0] == 0


def _chain_levels(
    rows: Sequence[tuple[int, int, tuple[int, ...]]], first: int, period: int
) -> tuple[ChainLevel, ...]:
    found = []
    for counts, offset, tasks in rows:
        assert counts % period == 0
        assert offset >= first
        assert (offset - first) % period == 0
        found.append(ChainLevel(counts // period, (offset - first) // period + 1, tasks))
        first, period = offset, counts
    return tuple(found)
