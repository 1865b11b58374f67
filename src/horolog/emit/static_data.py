# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The static stores' data as the templates write it: release masks, chains, groups and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from horolog.analyse import (
    WORD_OF_LEVELS,
    Group,
    Part,
    chains_of,
    count_instant,
    groups_of,
    mask_places,
    static_store_misfit,
    table_of,
)
from horolog.figures import first_names
from horolog.model import MASK_STORES, STATIC_STORES, HorologError, Plan, Releaser, System
from horolog.read.units import about_duration_text, duration_text

__all__ = [
    "Chains",
    "Groups",
    "MaskBit",
    "Masks",
    "Period",
    "Rows",
    "StaticData",
    "mask_bits",
    "masks_of",
    "threads_by_bit",
    "period_of",
    "sharing_text",
    "static_data",
    "steps_of",
]

_LARGEST_DENOMINATOR = 1 << 31
_NAMES = 4  # so many tasks are named in a comment


@dataclass(frozen=True, slots=True)
class Period:
    """A period and an offset as the kernel's struct hrli_period steps them."""

    whole: int  # counts
    numerator: int
    denominator: int
    accumulated: int


@dataclass(frozen=True, slots=True)
class MaskBit:
    """Where release masks have a task: bit `bit` of the word of `level`."""

    level: int
    bit: int


@dataclass(frozen=True, slots=True)
class Mask:
    """One release mask: `count` parts, from part number `start` on."""

    start: int
    count: int
    parts: tuple[Part, ...]
    names: str


@dataclass(frozen=True, slots=True)
class Masks:
    """Every release mask of a system, each once."""

    masks: tuple[Mask, ...]
    number: Mapping[tuple[Part, ...], int]

    def mask(self, parts: tuple[Part, ...]) -> Mask:
        """The mask of these parts, which is one of them."""
        return self.masks[self.number[parts]]


@dataclass(frozen=True, slots=True)
class HarmonicLevel:
    """struct hrli_harmonic_level, and what its comment says."""

    every: int
    left: int
    tasks: int
    text: str


@dataclass(frozen=True, slots=True)
class HarmonicChain:
    """struct hrli_harmonic_chain: where its levels and entries are among those of the releaser."""

    first_level: int
    count: int
    first_entry: int


@dataclass(frozen=True, slots=True)
class Chains:
    """The data of a harmonic array; `entry`: each task's place among the waiting tasks."""

    chains: tuple[HarmonicChain, ...]
    levels: tuple[HarmonicLevel, ...]
    entry: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PeriodGroup:
    """struct hrli_period_group, and what its comment says."""

    first_stamp: int
    period: Period
    mask: Mask
    text: str


@dataclass(frozen=True, slots=True)
class Groups:
    """The data of period groups."""

    groups: tuple[PeriodGroup, ...]
    first_stamp: int


@dataclass(frozen=True, slots=True)
class Rows:
    """The data of a mask table; rows are (gap, number of the mask among all of the system)."""

    rows: tuple[tuple[int, int], ...]
    lead: int
    first_stamp: int
    cycle_text: str


StaticData = Chains | Groups | Rows


def period_of(system: System, index: int) -> Period:
    """Task `index`'s. HorologError if the kernel cannot represent its fraction of a count."""
    task, hz = system.tasks[index], system.board.clock.hz
    period, offset = task.period * hz, task.offset * hz
    common = lcm(period.denominator, offset.denominator)
    if common >= _LARGEST_DENOMINATOR:
        raise HorologError(
            f'the period of task "{task.name}" is too fine a fraction of a clock count',
            place=task.place,
            found=f"{period} counts, offset {offset} counts",
            expected=f"a common denominator below 2^31, here {common}",
        )
    return Period(
        whole=int(period),
        numerator=int((period - int(period)) * common),
        denominator=common,
        accumulated=int((offset - int(offset)) * common),
    )


def steps_of(system: System, releaser: Releaser) -> str:
    """What HRLI_CELL_STEPS is told of a stepped cell behind its instance; empty: it does not step."""
    if not releaser.part:
        return ""
    assert releaser.cell_period is not None
    common = lcm(releaser.part.denominator, releaser.first_part.denominator)
    numbers = (
        system.board.start_counts + releaser.first,
        releaser.cell_period,
        int(releaser.part * common),
        common,
        int(releaser.first_part * common),
    )
    return ", ".join(f"{number}u" for number in numbers)


def mask_bits(system: System, plan: Plan) -> dict[int, MaskBit]:
    """The bit of every task that is released by masks."""
    masked = [r for r in plan.releasers if r.store in MASK_STORES]
    if not masked:
        return {}
    places = mask_places(system)
    return {task: MaskBit(*places[task]) for r in masked for task in r.tasks}


def threads_by_bit(bits: Mapping[int, MaskBit]) -> dict[int, tuple[int | None, ...]]:
    """For each level with bits the task of each, by number; None: not released by masks."""
    found: dict[int, dict[int, int]] = {}
    for task, place in bits.items():
        if place.level == WORD_OF_LEVELS:
            continue
        found.setdefault(place.level, {})[place.bit] = task
    return {
        level: tuple(tasks.get(bit) for bit in range(max(tasks) + 1))
        for level, tasks in sorted(found.items(), reverse=True)
    }


def masks_of(system: System, plan: Plan) -> Masks:
    """The release masks of all releasers, in the order in which they are first used."""
    number: dict[tuple[Part, ...], int] = {}
    for releaser in plan.releasers:
        for parts in _mask_parts(system, releaser):
            number.setdefault(parts, len(number))
    task_at = {(at.level, at.bit): task for task, at in mask_bits(system, plan).items()}
    masks, start = [], 0
    for parts in number:
        tasks = [task_at[part.level, bit] for part in parts for bit in _bits(part)]
        masks.append(Mask(start, len(parts), parts, _names(system, tasks)))
        start += len(parts)
    return Masks(tuple(masks), number)


def static_data(system: System, releaser: Releaser, masks: Masks) -> StaticData | None:
    """The data of a releaser's store; None: it has none. HorologError if it cannot have the store."""
    if releaser.store not in STATIC_STORES:
        return None
    fault = static_store_misfit(system, releaser.store, releaser.tasks, releaser.mode)
    if fault is not None:
        raise HorologError(
            f"the releaser on cell {releaser.cell} cannot have the store {releaser.store}",
            found=fault,
            expected="another store, or another mechanism",
        )
    if releaser.store == "harmonic-array":
        return _chains(system, releaser)
    if releaser.store == "period-groups":
        return _groups(system, releaser, masks)
    return _rows(system, releaser, masks)


def _mask_parts(system: System, releaser: Releaser) -> Iterable[tuple[Part, ...]]:
    if releaser.store == "period-groups":
        return [group.parts for group in groups_of(system, releaser.tasks)]
    if releaser.store == "mask-table":
        return table_of(system, releaser.tasks).masks
    return []


def _chains(system: System, releaser: Releaser) -> Chains:
    assert releaser.cell_period is not None
    instant = releaser.counts * releaser.divider
    chains: list[HarmonicChain] = []
    levels: list[HarmonicLevel] = []
    entry: dict[int, int] = {}
    for chain in chains_of(system, releaser.tasks, releaser.origin, instant):
        chains.append(HarmonicChain(len(levels), len(chain.levels), len(entry)))
        for level in chain.levels:
            text = sharing_text(system, level.tasks)
            levels.append(HarmonicLevel(level.every, level.left, len(level.tasks), text))
            for task in level.tasks:
                entry[task] = len(entry)
    return Chains(tuple(chains), tuple(levels), entry)


def _groups(system: System, releaser: Releaser, masks: Masks) -> Groups:
    groups = groups_of(system, releaser.tasks)
    made = tuple(
        PeriodGroup(
            first_stamp=_stamp(system, group),
            period=period_of(system, group.tasks[0]),
            mask=masks.mask(group.parts),
            text=sharing_text(system, group.tasks),
        )
        for group in groups
    )
    return Groups(made, min(group.first_stamp for group in made))


def _rows(system: System, releaser: Releaser, masks: Masks) -> Rows:
    table = table_of(system, releaser.tasks)
    number = [masks.number[parts] for parts in table.masks]
    cycle = sum(row.gap for row in table.rows[table.lead :])
    return Rows(
        rows=tuple((row.gap, number[row.mask]) for row in table.rows),
        lead=table.lead,
        first_stamp=system.board.start_counts + table.first,
        cycle_text=about_duration_text(Fraction(cycle, system.board.clock.hz)),
    )


def _stamp(system: System, group: Group) -> int:
    return system.board.start_counts + count_instant(group.offset, system.board.clock.hz)


def _bits(part: Part) -> list[int]:
    """The numbers of the bits, the highest first."""
    return [bit for bit in reversed(range(part.bits.bit_length())) if part.bits >> bit & 1]


def sharing_text(system: System, tasks: Sequence[int]) -> str:
    """Tasks of one period and one offset, for a comment."""
    task = system.tasks[tasks[0]]
    later = f" from {duration_text(task.offset)} on" if task.offset else ""
    return f"every {duration_text(task.period)}{later}: {_names(system, tasks)}"


def _names(system: System, tasks: Sequence[int]) -> str:
    """The tasks' names, for a comment."""
    return ", ".join(first_names([system.tasks[task].name for task in tasks], _NAMES))
