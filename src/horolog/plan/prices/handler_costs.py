# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long a cell's interrupt handler is at an instant: at least and at most so many instructions a step.

`horolog calibrate` measures the longest and the shortest handler of small systems, and puts the steps so that
no handler that it saw lies outside. A handler's steps follow from the tasks that are due:

- a delay queue: each *job* is popped and made ready; in a tree or heap of n tasks the way up or down has the
  *height* of a binary one, the number of bits of n, once a job.
- unsorted-list: all tasks are *scanned* at an instant at which one is due.
- harmonic-array: each *chain* is looked at; each level that has *fired* is gone through, its *jobs* released.
- period-groups: each *group* is looked at; each that is due is a *release*.
- mask-table: the row that is due is a *release*.
- A release by a mask takes a *part* for each priority level; where masks release whole levels it is a
  *levels* step, and threads that are alone on their levels have no part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse import WORD_OF_LEVELS, Stream, parts_of, releases_levels
from horolog.model import QUEUES, STORES, Mode, Releaser, System
from horolog.plan.cached_analysis import chains_of, groups_of

__all__ = [
    "HANDLER_MEANING",
    "HANDLER_STEPS",
    "HandlerCosts",
    "handler_steps",
]

_BY_MASK = ("release", "levels", "part")
_TREES = (
    "binary-tree",
    "array-heap",
    "pairing-heap",
    "leftist-heap",
    "red-black-tree",
    "tree-234",
    "calendar",
)
_OWN: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_TREES, ("job", "height")),
    "unsorted-list": ("scanned", "job"),
    "harmonic-array": ("chain", "fired", "job"),
    "period-groups": ("group", *_BY_MASK),
    "mask-table": _BY_MASK,
}

HANDLER_STEPS: Mapping[str, tuple[str, ...]] = {
    store: ("interrupt", *_OWN.get(store, ("job",))) for store in STORES
}
"""The steps of each store."""

HANDLER_MEANING: Mapping[str, str] = {
    "interrupt": "a handler that releases no task",
    "job": "per task that is due",
    "height": "per task that is due and bit of the number of tasks",
    "scanned": "per task, if one is due",
    "chain": "per chain",
    "fired": "per level that is due",
    "group": "per group",
    "release": "per release by a mask",
    "levels": "per release by a mask of levels",
    "part": "per priority level of a mask",
}


@dataclass(frozen=True, slots=True)
class HandlerCosts:
    """The handler of a store in a mode: the least and the most instructions of each step."""

    steps: Mapping[str, tuple[Fraction, Fraction]]

    def least(self, taken: Mapping[str, int]) -> Fraction:
        """Of a handler that takes so many of each step."""
        return sum((self.steps[name][0] * count for name, count in taken.items()), Fraction(0))

    def most(self, taken: Mapping[str, int]) -> Fraction:
        """Of a handler that takes so many of each step."""
        return sum((self.steps[name][1] * count for name, count in taken.items()), Fraction(0))


def handler_steps(
    system: System,
    releaser: Releaser,
    store: str,
    of: Sequence[Stream],
    due: Sequence[int],
) -> dict[str, int]:
    """How often the handler of `releaser`, with `store`, takes each step where the streams `due` are.

    `of` are the streams of its tasks, and `due` positions in it. `system` is one of threads.
    """
    jobs = sum(len(of[at].tasks) for at in due)
    found = {"interrupt": 1}
    if store in QUEUES:
        found["job"] = jobs
        if "height" in HANDLER_STEPS[store]:
            found["height"] = jobs * len(releaser.tasks).bit_length()
    elif store == "unsorted-list":
        found |= {"scanned": len(releaser.tasks) if due else 0, "job": jobs}
    elif store == "harmonic-array":
        assert releaser.mode is Mode.PERIODIC
        assert releaser.cell_period is not None
        period = releaser.counts * releaser.divider
        chains = len(chains_of(system, releaser.tasks, releaser.origin, period))
        found |= {"chain": chains, "fired": len(due), "job": jobs}
    else:
        by_group = store == "period-groups"
        groups = groups_of(system, releaser.tasks) if by_group else ()
        masks = (
            [groups[at].parts for at in due]
            if by_group
            else [parts_of(system, [task for at in due for task in of[at].tasks])] * bool(due)
        )
        found |= {"group": len(groups)} if by_group else {}
        found["levels" if releases_levels(system) else "release"] = len(masks)
        found["part"] = sum(
            part.level != WORD_OF_LEVELS and part.bits != 0 for parts in masks for part in parts
        )
    return found
