# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a store without a queue costs: a sum of steps, each measured by `horolog calibrate`.

How often each step is taken follows from periods, offsets and levels alone, as long as every job has
ended when its task is due again:

- unsorted-list: an instant at which a task is due looks at all waiting tasks. These are all tasks of
  the releaser, but for those that still run.
- harmonic-array: each instant looks at each chain; each level that fires leads to the next, and each
  priority level that is released to has a ring that fills and empties.
- period-groups: each instant looks at each group; those that are due advance, and release by parts.
- mask-table: each instant looks at the next row; a row that is due releases by parts.
- Where masks release whole levels, each release by a mask is a *levels* step, and the jobs of threads that
  are alone on their levels are *alone*, instead of a job and a part.

A *part* is one priority level that is released to: of a mask, or a ring that fills and empties. A *job*
is its release and its wait for the next one, without the switches. With a one-shot cell, `instant` is an
interrupt, entry and arming included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from horolog.analyse import WORD_OF_LEVELS, Stream, levels, mask_places, releases_levels
from horolog.model import MASK_STORES, STATIC_STORES, Mode, Releaser, Step, System
from horolog.plan.cached_analysis import chains_of, groups_of
from horolog.plan.instants.amount import NONE, Amount
from horolog.plan.instants.interrupts import instants_of

__all__ = [
    "NEW_STEPS",
    "STEPS",
    "STEP_MEANING",
    "STEP_STORES",
    "StepCosts",
    "Work",
    "steps_taken",
]

STEP_STORES = ("unsorted-list", *STATIC_STORES)
"""Stores with a cost that is a sum of steps."""

_OF_LEVELS = ("levels", "alone")

NEW_STEPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"levels": (), "alone": ("job", "part")}
)
"""Steps that files of earlier versions do not have, and those that are charged instead."""

STEPS: Mapping[str, Mapping[Mode, tuple[str, ...]]] = MappingProxyType(
    {
        "unsorted-list": {Mode.PERIODIC: ("instant", "required", "scanned", "job")},
        "harmonic-array": {Mode.PERIODIC: ("instant", "chain", "fired", "part", "job")},
        "period-groups": {
            Mode.PERIODIC: ("instant", "group", "fired", "part", "job", *_OF_LEVELS),
            Mode.ONE_SHOT: ("instant", "group", "fired", "part", "job", *_OF_LEVELS),
        },
        "mask-table": {
            Mode.PERIODIC: ("instant", "row", "part", "job", *_OF_LEVELS),
            Mode.ONE_SHOT: ("instant", "part", "job", *_OF_LEVELS),
        },
    }
)
"""Which steps a store takes, by mode: those that costs.toml has a figure for."""

STEP_MEANING = MappingProxyType(
    {
        "instant": "per interrupt, whatever is due",
        "required": "per instant at which a task is due",
        "scanned": "per task that waits, at each such instant",
        "chain": "per chain and instant",
        "group": "per group and instant",
        "fired": "per group or level that is due",
        "row": "per instant at which a task is due",
        "part": "per priority level that an instant releases to",
        "job": "per job: release and wait, without the switches",
        "levels": "per release by a mask of levels, beyond the rest",
        "alone": "per job of a thread that is alone on its level, instead of job and part",
    }
)


@dataclass(frozen=True, slots=True)
class StepCosts:
    """Instructions by step, for each mode that the store was measured in."""

    by_mode: Mapping[Mode, Mapping[str, Fraction]]
    # What an interrupt of a cell costs more than of the one that was measured, by the cell's device.
    cells: Mapping[Mode, Mapping[str, Fraction]] = field(default_factory=dict)

    def cost(self, taken: Mapping[str, Amount], mode: Mode) -> Amount:
        """Instructions of all steps `taken`."""
        each = self._each(mode)
        return sum((amount * each(name) for name, amount in taken.items()), NONE)

    def detail(self, taken: Mapping[str, Amount], mode: Mode) -> tuple[Step, ...]:
        """How often a second, and at what cost, for people."""
        each = self._each(mode)
        return tuple(
            Step(name, amount.rate, each(name))
            for name, amount in taken.items()
            if amount.rate or name not in NEW_STEPS
        )

    def _each(self, mode: Mode) -> Callable[[str], Fraction]:
        costs = self.by_mode[mode]

        def each(name: str) -> Fraction:
            instead = (name,) if name in costs else NEW_STEPS[name]
            return sum((costs[one] for one in instead), Fraction(0))

        return each


@dataclass(frozen=True, slots=True)
class Work:
    """What a releaser does, whatever its store."""

    releaser: Releaser
    end: int  # of the window, in counts
    of: Sequence[Stream]
    releases: Sequence[Amount]  # of each stream, however many tasks it has
    instants: Amount  # interrupts at which the store looks for due tasks
    required: Amount  # those at which a task is due
    jobs: Amount
    shared: Amount = NONE  # of them, those of threads that several tasks share
    bodies: Amount = NONE  # that these call beside the first of each


def steps_taken(system: System, work: Work, store: str) -> dict[str, Amount]:
    """How often each step of `store`, one of STEP_STORES, is taken."""
    mode = work.releaser.mode
    found = {"instant": work.instants, "job": work.jobs}
    alone: set[int] = set()
    if store in MASK_STORES:
        alone = {i for i in work.releaser.tasks if mask_places(system)[i][0] == WORD_OF_LEVELS}
        found["alone"] = sum(
            (
                amount * len(alone & {*stream.tasks})
                for amount, stream in zip(work.releases, work.of, strict=True)
            ),
            NONE,
        )
        found["job"] -= found["alone"]
        found["levels"] = NONE
    if store == "unsorted-list":
        found |= {"required": work.required, "scanned": work.required * len(work.releaser.tasks)}
    elif store == "harmonic-array":
        assert work.releaser.cell_period is not None
        counts = work.releaser.cell_period * work.releaser.divider
        chains = chains_of(system, work.releaser.tasks, work.releaser.first, counts)
        found |= {"chain": work.instants * len(chains), "fired": sum(work.releases, NONE)}
        found["part"] = _parts_of_rows(system, work, alone)  # a ring that fills and empties
    elif store == "period-groups":
        groups = groups_of(system, work.releaser.tasks)
        found |= {"group": work.instants * len(groups), "fired": sum(work.releases, NONE)}
        found["part"] = sum(
            (
                amount * sum(part.level != WORD_OF_LEVELS for part in group.parts)
                for amount, group in zip(work.releases, groups, strict=True)
            ),
            NONE,
        )
    else:
        found |= {"row": work.required, "part": _parts_of_rows(system, work, alone)}
    if alone or (store in MASK_STORES and releases_levels(system)):
        found["levels"] = found.get("fired", work.required)
    return {name: found[name] for name in STEPS[store][mode]}


def _parts_of_rows(system: System, work: Work, alone: Set[int]) -> Amount:
    """The parts of due rows: one for each level, however many streams of it are due; not of `alone` tasks."""
    hz, level = system.board.clock.hz, levels(system)
    streams_of: dict[int, list[int]] = {}
    for position, stream in enumerate(work.of):
        for on in {level[task] for task in stream.tasks if task not in alone}:
            streams_of.setdefault(on, []).append(position)
    total = NONE
    for positions in streams_of.values():
        if len(positions) == 1:
            total += work.releases[positions[0]]
        else:
            total += instants_of([work.of[at] for at in positions], hz, work.end)[0]
    return total


assert {*STEPS} == {*STEP_STORES}
assert {*MASK_STORES} < {*STEP_STORES}
