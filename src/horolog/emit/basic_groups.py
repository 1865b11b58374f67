# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The groups of basic tasks that a releaser without a table holds, and their store, for the templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from horolog.analyse import (
    HOP_COUNTS,
    WHEEL_SLOTS,
    Stream,
    chains_of,
    count_instant,
    group_walks,
    streams,
    wheel_slot_bits,
)
from horolog.emit.static_data import Period, period_of, sharing_text
from horolog.emit.stores import Store, store
from horolog.model import Releaser, System

__all__ = ["GroupStore", "LineLevel", "PartList", "ReleasedGroup", "group_store"]

_MOST_AHEAD = 1 << 31


@dataclass(frozen=True, slots=True)
class PartList:
    """The lines that a row or a group raises, and the bits that it sets; `start`: the head's index."""

    start: int
    raised: tuple[int, ...]  # lines by index
    parts: tuple[tuple[int, int], ...]  # line by index, and bits
    names: str


@dataclass(frozen=True, slots=True)
class ReleasedGroup:
    """struct hrli_line_group."""

    first_stamp: int
    counts: int
    hops: int
    period: Period
    list: PartList
    from_end: bool  # of a sorted list, it is put in
    text: str


@dataclass(frozen=True, slots=True)
class LineLevel:
    """struct hrli_line_level."""

    every: int
    left: int
    list: PartList
    text: str


@dataclass(frozen=True, slots=True)
class LineChain:
    """struct hrli_line_chain: where its levels are among those of the releaser."""

    first_level: int
    count: int


@dataclass(frozen=True, slots=True)
class GroupStore:
    """The store of a releaser's groups, and which features the groups use (kernel/assemble/basic_store.h)."""

    store: Store
    groups: tuple[ReleasedGroup, ...]
    levels: tuple[LineLevel, ...]  # of chains, which have no groups
    chains: tuple[LineChain, ...]
    instant: int  # counts between two instants of a releaser with chains
    lists: tuple[PartList, ...]
    first_stamp: int
    reach: int  # of a one-shot cell, in counts
    slots: int
    bits: int  # of a slot of a wheel
    ahead: int
    has_fractions: bool
    has_hops: bool

    @property
    def has_parts(self) -> bool:
        """Whether some line has words."""
        return any(one.parts for one in self.lists)

    @property
    def kind(self) -> str:
        """QUEUE, GROUPS or CHAINS, a part of the macros' names."""
        if self.store.is_queue:
            return "QUEUE"
        return "CHAINS" if self.chains else "GROUPS"


def group_store(
    system: System, releaser: Releaser, list_of: Callable[[Sequence[int], int], PartList]
) -> GroupStore:
    """Builds the store of `releaser`. `list_of` makes the parts of tasks released together, from an index on.

    HorologError if the kernel cannot represent a period.
    """
    of, hz = streams(system, releaser.tasks), system.board.clock.hz
    lists = _lists([stream.tasks for stream in of], list_of)
    by_tasks = dict(zip([stream.tasks for stream in of], lists, strict=True))
    groups: list[ReleasedGroup] = []
    chains: list[LineChain] = []
    levels: list[LineLevel] = []
    instant = 0
    if releaser.store == "harmonic-array":
        assert releaser.cell_period is not None
        assert not releaser.part
        instant = releaser.cell_period * releaser.divider
        for chain in chains_of(system, releaser.tasks, releaser.first, instant):
            chains.append(LineChain(len(levels), len(chain.levels)))
            for one in chain.levels:
                text = sharing_text(system, one.tasks)
                levels.append(LineLevel(one.every, one.left, by_tasks[one.tasks], text))
    else:
        ends = group_walks(system, releaser.tasks).from_end
        groups = [
            _group(system, stream, by_tasks[stream.tasks], end)
            for stream, end in zip(of, ends, strict=True)
        ]
    start = system.board.start_counts
    first = min(count_instant(stream.offset, hz) for stream in of)
    shortest = min(int(stream.period * hz) for stream in of)
    return GroupStore(
        store=store(releaser.store),
        groups=tuple(groups),
        levels=tuple(levels),
        chains=tuple(chains),
        instant=instant,
        lists=lists,
        first_stamp=start + (releaser.first if chains else first),
        reach=1 << (system.board.cell(releaser.cell).width - 1),
        slots=WHEEL_SLOTS,
        bits=wheel_slot_bits(hz, shortest),
        ahead=_ahead(system, of, instant, releaser),
        has_fractions=any(group.period.numerator for group in groups),
        has_hops=any(group.hops for group in groups),
    )


def _lists(
    released: Sequence[Sequence[int]], list_of: Callable[[Sequence[int], int], PartList]
) -> tuple[PartList, ...]:
    found: list[PartList] = []
    at = 0
    for tasks in released:
        found.append(list_of(tasks, at))
        at += 1 + len(found[-1].parts)
    return tuple(found)


def _group(system: System, stream: Stream, parts: PartList, from_end: bool) -> ReleasedGroup:
    period = period_of(system, stream.tasks[0], stream.offset)
    hops = (period.whole - 1) // HOP_COUNTS
    return ReleasedGroup(
        first_stamp=system.board.start_counts + count_instant(stream.offset, system.board.clock.hz),
        counts=period.whole - hops * HOP_COUNTS,
        hops=hops,
        period=period,
        list=parts,
        from_end=from_end,
        text=sharing_text(system, stream.tasks),
    )


def _ahead(system: System, of: Sequence[Stream], instant: int, releaser: Releaser) -> int:
    """Returns how far a first instant may lie ahead: a power of two, at most half of the range of a stamp.

    The first instant is never later than the next one of any group, which is a step away after its offset.
    """
    hz, start = system.board.clock.hz, system.board.start_counts
    if instant:
        furthest = max(instant, start + releaser.first)
    else:
        furthest = min(
            max(min(int(one.period * hz) + 1, HOP_COUNTS), start + count_instant(one.offset, hz))
            for one in of
        )
    return min(_MOST_AHEAD, 1 << (max(furthest, 2) - 1).bit_length())
