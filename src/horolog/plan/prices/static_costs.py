# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a store without a queue costs: a sum of steps, each measured by `horolog calibrate`.

How often each step is taken follows from periods, offsets and levels alone, as long as every job has
ended when its task is due again:

- unsorted-list: an instant at which a task is due looks at all waiting tasks. These are all tasks of
  the releaser, but for those that still run. Each priority level that is released to has a ring that fills
  and empties.
- harmonic-array: each instant looks at each chain; each level that fires leads to the next; rings as above.
  The compiler knows the shape of a single chain: its instants are *single*, if it has one level, or
  *chained*, and its jobs *chained_job*, as no loop over chains takes registers from theirs. The jobs of a
  single task that every interrupt releases are *direct*: their handler ends with the switch where the port
  can do that (kernel/thread/single_thread.h).
- period-groups: each instant looks at each group, or is *lone*, if there is a single one; those that are
  due advance, and release by parts.
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
from horolog.plan.instants.counts_and_rates import NONE, Amount
from horolog.plan.instants.interrupts import instants_of

__all__ = [
    "OF_LEVELS",
    "STEPS",
    "STEP_MEANING",
    "STEP_STORES",
    "StepCosts",
    "Work",
    "in_fractions",
    "new_steps",
    "parts_of",
    "steps_taken",
]

STEP_STORES = ("unsorted-list", *STATIC_STORES)
"""Stores with a cost that is a sum of steps."""

OF_LEVELS = ("levels", "alone")
"""Steps that are taken only where masks release whole levels."""

_LEVELS_INSTEAD = {"levels": (), "alone": ("job", "part")}
_NEW_STEPS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "unsorted-list": {"part": ()},
        "harmonic-array": {
            "single": ("instant", "chain"),
            "chained": ("instant", "chain"),
            "chained_job": ("job",),
            "direct": ("instant", "chain", "fired", "part", "job"),
        },
        "period-groups": {
            "lone": ("instant", "group"),
            "required": (),
            "fraction": (),
            **_LEVELS_INSTEAD,
        },
        "mask-table": _LEVELS_INSTEAD,
    }
)

STEPS: Mapping[str, Mapping[Mode, tuple[str, ...]]] = MappingProxyType(
    {
        "unsorted-list": {Mode.PERIODIC: ("instant", "required", "scanned", "part", "job")},
        "harmonic-array": {
            Mode.PERIODIC: (
                *("instant", "chain", "fired", "part", "job"),
                *("single", "chained", "chained_job", "direct"),
            )
        },
        "period-groups": {
            Mode.PERIODIC: (
                *("instant", "lone", "group", "required", "fired", "fraction", "part", "job"),
                *OF_LEVELS,
            ),
            Mode.ONE_SHOT: (
                *("instant", "lone", "group", "fired", "fraction", "part", "job"),
                *OF_LEVELS,
            ),
        },
        "mask-table": {
            Mode.PERIODIC: ("instant", "row", "part", "job", *OF_LEVELS),
            Mode.ONE_SHOT: ("instant", "part", "job", *OF_LEVELS),
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
        "fraction": "per group released with a period that is no whole number of counts",
        "row": "per instant at which a task is due",
        "single": "per interrupt of a single chain of one level, instead of instant and chain",
        "chained": "likewise, of a single chain of several levels",
        "chained_job": "per job of a single chain, instead of job",
        "direct": "per job of a single task that each interrupt releases, instead of all else",
        "lone": "per interrupt of a single group, instead of instant and group",
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
    # Steps without a figure, of files of earlier versions: what is charged instead.
    instead: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

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
            if amount.rate or name not in self.instead
        )

    def _each(self, mode: Mode) -> Callable[[str], Fraction]:
        costs = self.by_mode[mode]

        def each(name: str) -> Fraction:
            charged = (name,) if name in costs else self.instead[name]
            return sum((costs[one] for one in charged), Fraction(0))

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
        found["part"] = parts_of(system, work)
    elif store == "harmonic-array":
        found = _harmonic_steps(system, work)
    elif store == "period-groups":
        groups = groups_of(system, work.releaser.tasks)
        found |= {"group": work.instants * len(groups), "fired": sum(work.releases, NONE)}
        found["required"] = work.required
        found["fraction"] = in_fractions(system, work)
        if len(groups) == 1:
            found |= {"lone": work.instants, "instant": NONE, "group": NONE}
        found["part"] = sum(
            (
                amount * sum(part.level != WORD_OF_LEVELS for part in group.parts)
                for amount, group in zip(work.releases, groups, strict=True)
            ),
            NONE,
        )
    else:
        found |= {"row": work.required, "part": parts_of(system, work, alone)}
    if alone or (store in MASK_STORES and releases_levels(system)):
        found["levels"] = found.get("fired", work.required)
    return {name: found.get(name, NONE) for name in STEPS[store][mode]}


def _harmonic_steps(system: System, work: Work) -> dict[str, Amount]:
    """How often each step of a harmonic array is taken."""
    own = work.releaser
    assert own.cell_period is not None
    chains = chains_of(system, own.tasks, own.origin, own.counts * own.divider)
    first = chains[0].levels[0]
    handlers = [system.board.cell(name).handler for name in system.cells]
    unshared = handlers.count(system.board.cell(own.cell).handler) <= 1
    alone = len(own.tasks) == own.divider == first.every == first.left == 1
    if alone and unshared and not own.part:
        return {"direct": work.jobs}
    found = {"fired": sum(work.releases, NONE), "part": parts_of(system, work)}
    if len(chains) > 1:
        each = {"instant": work.instants, "chain": work.instants * len(chains), "job": work.jobs}
        return found | each
    shape = "single" if len(chains[0].levels) == 1 else "chained"
    return found | {shape: work.instants, "chained_job": work.jobs}


def parts_of(system: System, work: Work, alone: Set[int] = frozenset()) -> Amount:
    """The parts of instants: one for each level, however many streams of it are due; not of `alone` tasks."""
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


def in_fractions(system: System, work: Work) -> Amount:
    """Of the releases of streams, those with periods that are no whole number of counts."""
    hz = system.board.clock.hz
    return sum(
        (
            r
            for r, s in zip(work.releases, work.of, strict=True)
            if (s.period * hz).denominator != 1
        ),
        NONE,
    )


def new_steps(store: str) -> Mapping[str, tuple[str, ...]]:
    """Steps of `store` that files of earlier versions do not have, and those that are charged instead."""
    return _NEW_STEPS.get(store, {})


assert {*STEPS} == {*STEP_STORES}
assert {*MASK_STORES} < {*STEP_STORES}
