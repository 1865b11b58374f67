# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The data of static stores for the templates: release masks, chains, groups and tables."""

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
from horolog.emit.parts import Row, row, unsigned
from horolog.figures import first_names
from horolog.model import MASK_STORES, STATIC_STORES, HorologError, Mode, Plan, Releaser, System
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
    "period_of",
    "sharing_text",
    "static_data",
    "steps_of",
    "threads_by_bit",
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

    @property
    def fraction(self) -> tuple[str, str, str]:
        """The part beyond the whole counts, and where it begins, in C."""
        return unsigned(self.numerator), unsigned(self.denominator), unsigned(self.accumulated)


@dataclass(frozen=True, slots=True)
class MaskBit:
    """The place of a task in release masks: bit `bit` of the word of `level`."""

    level: int
    bit: int


@dataclass(frozen=True, slots=True)
class Mask:
    """One release mask: `count` parts, from part number `start` on."""

    start: int
    count: int
    parts: tuple[Part, ...]
    comment: str  # its number and its tasks

    @property
    def row(self) -> Row:
        """The struct hrli_release_mask."""
        return row(f"&hrl_gen_mask_parts[{self.start}]", unsigned(self.count))

    @property
    def part_rows(self) -> list[Row]:
        """Its parts, struct hrli_mask_part."""
        comments = [self.comment, *[""] * (len(self.parts) - 1)]
        return [
            row(unsigned(one.level), f"0x{one.bits:x}u", comment=text)
            for one, text in zip(self.parts, comments, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Masks:
    """Every release mask of a system, each once."""

    masks: tuple[Mask, ...]
    number: Mapping[tuple[Part, ...], int]

    def mask(self, parts: tuple[Part, ...]) -> Mask:
        """Returns the mask of these parts, which is one of them."""
        return self.masks[self.number[parts]]


@dataclass(frozen=True, slots=True)
class Chains:
    """The data of a harmonic array; `entry`: each task's place among the waiting tasks."""

    chains: tuple[Row, ...]
    levels: tuple[Row, ...]
    entry: Mapping[int, int]
    releases_at_once: int  # tasks that the first level releases at each instant from the first on


@dataclass(frozen=True, slots=True)
class Groups:
    """The data of period groups."""

    groups: tuple[Row, ...]
    first_stamp: int
    macro: str  # which makes the store of them


@dataclass(frozen=True, slots=True)
class Rows:
    """The data of a mask table; rows are gaps, and the number of the mask among all of the system."""

    rows: tuple[Row, ...]
    lead: int
    first_stamp: int
    comment: str


StaticData = Chains | Groups | Rows


def period_of(system: System, index: int, first: Fraction | None = None) -> Period:
    """Returns the period of task `index`. HorologError if the kernel cannot represent its fraction.

    `first`: the offset, where it is not that of the task's first release.
    """
    task, hz = system.tasks[index], system.board.clock.hz
    period, offset = task.period * hz, (task.offset if first is None else first) * hz
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


def steps_of(system: System, releaser: Releaser) -> tuple[str, ...]:
    """Returns the arguments of HRLI_CELL_STEPS behind the channel; empty: the cell does not step."""
    if not releaser.part:
        return ()
    assert releaser.cell_period is not None
    common = lcm(releaser.part.denominator, releaser.first_part.denominator)
    numbers = (
        system.board.start_counts + releaser.first,
        releaser.cell_period,
        int(releaser.part * common),
        common,
        int(releaser.first_part * common),
    )
    return tuple(map(unsigned, numbers))


def mask_bits(system: System, plan: Plan) -> dict[int, MaskBit]:
    """Returns the bit of every task that is released by masks."""
    masked = [r for r in plan.releasers if r.store in MASK_STORES]
    if not masked:
        return {}
    places = mask_places(system)
    return {task: MaskBit(*places[task]) for r in masked for task in r.tasks}


def threads_by_bit(bits: Mapping[int, MaskBit]) -> dict[int, tuple[int | None, ...]]:
    """Returns the task of each bit of each level with bits, by number; None: not released by masks."""
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
    """Returns the release masks of all releasers, in the order of their first use."""
    number: dict[tuple[Part, ...], int] = {}
    for releaser in plan.releasers:
        for parts in _mask_parts(system, releaser):
            number.setdefault(parts, len(number))
    task_at = {(at.level, at.bit): task for task, at in mask_bits(system, plan).items()}
    masks, start = [], 0
    for parts, at in number.items():
        tasks = [task_at[part.level, bit] for part in parts for bit in _bits(part)]
        masks.append(Mask(start, len(parts), parts, f"{at}: {_names(system, tasks)}"))
        start += len(parts)
    return Masks(tuple(masks), number)


def static_data(system: System, number: int, releaser: Releaser, masks: Masks) -> StaticData | None:
    """Builds the data of the store of releaser `number`; None: it has none.

    HorologError if it cannot have the store.
    """
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
        return _chains(system, number, releaser)
    if releaser.store == "period-groups":
        return _groups(system, releaser, masks)
    return _rows(system, releaser, masks)


def _mask_parts(system: System, releaser: Releaser) -> Iterable[tuple[Part, ...]]:
    if releaser.store == "period-groups":
        return [group.parts for group in groups_of(system, releaser.tasks)]
    if releaser.store == "mask-table":
        return table_of(system, releaser.tasks).masks
    return []


def _chains(system: System, number: int, releaser: Releaser) -> Chains:
    assert releaser.cell_period is not None
    instant = releaser.counts * releaser.divider
    made = chains_of(system, releaser.tasks, releaser.origin, instant)
    chains: list[Row] = []
    levels: list[Row] = []
    entry: dict[int, int] = {}
    for chain in made:
        first, waiting = f"&levels_{number}[{len(levels)}]", f"&waiting_{number}[{len(entry)}]"
        chains.append(row(first, unsigned(len(chain.levels)), waiting))
        for one in chain.levels:
            numbers = (unsigned(each) for each in (one.every, one.left, len(one.tasks)))
            levels.append(row(*numbers, comment=sharing_text(system, one.tasks)))
            for task in one.tasks:
                entry[task] = len(entry)
    first_level = made[0].levels[0]
    at_once = len(first_level.tasks) if first_level.every == first_level.left == 1 else 0
    return Chains(tuple(chains), tuple(levels), entry, at_once)


def _groups(system: System, releaser: Releaser, masks: Masks) -> Groups:
    groups = groups_of(system, releaser.tasks)
    made = []
    for group in groups:
        period = period_of(system, group.tasks[0])
        made.append(
            row(
                unsigned(_stamp(system, group)),
                row(unsigned(period.whole), "0u", *period.fraction),
                masks.mask(group.parts).row,
                comment=sharing_text(system, group.tasks),
            )
        )
    macro = "HRLI_PERIOD_GROUPS" + "_ONE_SHOT" * (releaser.mode is Mode.ONE_SHOT)
    return Groups(tuple(made), min(_stamp(system, group) for group in groups), macro)


def _rows(system: System, releaser: Releaser, masks: Masks) -> Rows:
    table = table_of(system, releaser.tasks)
    number = [masks.number[parts] for parts in table.masks]
    cycle = about_duration_text(
        Fraction(sum(one.gap for one in table.rows[table.lead :]), system.board.clock.hz)
    )
    once = f" The first {table.lead} come once, while offsets pass." if table.lead else ""
    return Rows(
        rows=tuple(row(unsigned(one.gap), unsigned(number[one.mask])) for one in table.rows),
        lead=table.lead,
        first_stamp=system.board.start_counts + table.first,
        comment=f"The release instants of {cycle}, which then repeat.{once}",
    )


def _stamp(system: System, group: Group) -> int:
    return system.board.start_counts + count_instant(group.offset, system.board.clock.hz)


def _bits(part: Part) -> list[int]:
    """Returns the numbers of the bits, the highest first."""
    return [bit for bit in reversed(range(part.bits.bit_length())) if part.bits >> bit & 1]


def sharing_text(system: System, tasks: Sequence[int]) -> str:
    """Returns the text of a comment on tasks of one period and one offset."""
    task = system.tasks[tasks[0]]
    later = f" from {duration_text(task.offset)} on" if task.offset else ""
    return f"every {duration_text(task.period)}{later}: {_names(system, tasks)}"


def _names(system: System, tasks: Sequence[int]) -> str:
    """Returns the text of a comment with the tasks' names."""
    return ", ".join(first_names([system.tasks[task].name for task in tasks], _NAMES))
