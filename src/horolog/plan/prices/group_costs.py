# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a releaser of basic tasks without a table costs: its groups, and the store that holds them.

A group is a stream, the tasks of one period and offset. Each release of one is a step, whatever else is due
with it: it raises lines, sets bits in the words of those that have words, and goes back into the store. In a
delay queue the price of that depends on where it goes, so the list's walk is simulated: which groups wait,
and in which order, follows from periods and offsets alone. The compiler knows how many groups and chains
there are, so a single one costs less.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from types import MappingProxyType

from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    count_instant,
    group_lines,
    group_walks,
    stream_wakes,
    tree_walk,
    wheel_walk,
)
from horolog.model import QUEUES, Mode, Releaser, System
from horolog.plan.cached_analysis import chains_of
from horolog.plan.instants.counts_and_rates import NONE, Amount, added
from horolog.plan.prices.curves import Curve, Over
from horolog.plan.prices.line_steps import add_jobs, instants_on, is_alone, streams_on
from horolog.plan.prices.static_costs import Work

__all__ = [
    "GROUP_STEPS",
    "NEW_GROUP_STEPS",
    "GROUP_STEP_MEANING",
    "LineQueueCosts",
    "group_steps",
    "group_release_method",
    "queue_cost",
    "queue_uncertain",
]

_COMMON = (
    *("release", "release_alone", "release_both", "part", "line"),
    *("job", "rank", "alone", "general", "ending"),
)
_QUEUE = ("interrupt", *_COMMON, "moved", "walk", "head")
_GROUPS = ("interrupt", "group", *_COMMON, "lone")
_FRACTION = ("fraction",)
GROUP_STEPS: Mapping[str, Mapping[Mode, tuple[str, ...]]] = MappingProxyType(
    {
        "queue": dict.fromkeys(Mode, _QUEUE + _FRACTION),
        "groups": {
            Mode.PERIODIC: ("row", *_GROUPS, *_FRACTION),
            Mode.ONE_SHOT: _GROUPS + _FRACTION,
        },
        "chains": {
            Mode.PERIODIC: (
                *("interrupt", "chain", *_COMMON, "lone", "whole"),
                *("several", "several_release", "several_whole"),
            )
        },
    }
)
"""Which steps a release method without a table takes, by mode."""

NEW_GROUP_STEPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("head", "lone", "fraction", "several", "several_release", "whole"), ()),
        "several_whole": ("whole",),
    }
)
"""Steps that files of earlier versions do not have: they are charged nothing there."""

GROUP_STEP_MEANING = MappingProxyType(
    {
        "release": "per group released, if all lines have words",
        "release_alone": "per group released, if no line has words, as each has one task",
        "release_both": "per group released, if only some lines have words",
        "fraction": "per group released, beyond that, if some period is no whole number of counts",
        "line": "per line that an instant releases to: the line's handler",
        "moved": "per insertion into a sorted list of a group that is not its first again",
        "walk": "per group that an insertion into a sorted list passes",
        "head": "per insertion into a sorted list from its head, beyond one from its end",
        "group": "per group and instant at which one is due",
        "lone": "per release of a group that is its releaser's only one, beyond that",
        "chain": "per chain and interrupt",
        "several": "per interrupt of several chains, beyond that",
        "several_release": "per group that one of several chains releases, beyond that",
        "whole": "per interrupt at which all levels of a single chain are due, beyond that",
        "several_whole": "likewise, per chain of several",
    }
)


@dataclass(frozen=True, slots=True)
class LineQueueCosts:
    """One delay queue of groups. What it costs beyond a sorted list in which nothing is passed."""

    over: Over  # one of LINE_OVER
    interrupt: Fraction  # per interrupt of the cell
    curve: Curve  # a point's `job`: per group released
    slot_walk: Fraction = Fraction(
        0
    )  # per group that an insertion into the wheel passes, beyond that


def group_release_method(store: str) -> str:
    """The one of GROUP_STEPS that a releaser with `store` takes."""
    if store in QUEUES:
        return "queue"
    return "groups" if store == "period-groups" else "chains"


def group_steps(system: System, work: Work, releaser: Releaser) -> dict[str, Amount]:
    """How often each step is taken by `releaser`, with one of GROUP_STORES; `work` is of the same cell."""
    method = group_release_method(releaser.store)
    known = GROUP_STEPS[method][releaser.mode]
    found = dict.fromkeys((step for step in known if step != "rank"), NONE)  # which few boards have
    hz = system.board.clock.hz
    served = _served(tuple(work.of), hz, work.end)
    found["interrupt"] = work.instants
    _release_steps(system, work, found, served)
    if "fraction" in found and any((stream.period * hz).denominator != 1 for stream in work.of):
        found["fraction"] = served
    if method == "queue":
        walks = group_walks(system, releaser.tasks)
        found |= {"moved": served * walks.moved, "walk": served * walks.passed}
        found["head"] = served * walks.by_head
    elif method == "groups":
        found["group"] = work.required * len(work.of)
        if "row" in found:  # a one-shot cell has one at each interrupt
            found["row"] = work.required
        found["lone"] = served if len(work.of) == 1 else NONE
    else:
        assert releaser.cell_period is not None
        counts = releaser.counts * releaser.divider
        chains = chains_of(system, releaser.tasks, releaser.origin, counts)
        every = work.instants * Fraction(1, releaser.divider)
        found["chain"] = every * len(chains)
        found["lone"] = served if len(work.of) == 1 else NONE
        cycles = [prod(level.every for level in chain.levels) for chain in chains]
        whole = every * sum((Fraction(1, cycle) for cycle in cycles), Fraction(0))
        if len(chains) == 1:
            found["whole"] = whole
        else:
            found |= {"several": every, "several_release": served, "several_whole": whole}
    return found


@lru_cache(maxsize=16)
def _served(of: tuple[Stream, ...], hz: int, end: int) -> Amount:
    """How often groups are served: at their releases, and at the hops of long periods."""
    return added(
        Amount(
            Fraction(stream_wakes(stream, hz, end)),
            (1 + (count_instant(stream.period, hz) - 1) // HOP_COUNTS) / stream.period,
        )
        for stream in of
    )


def _release_steps(system: System, work: Work, found: dict[str, Amount], served: Amount) -> None:
    """The steps of releases and dispatches, as for a table; but each group raises its lines by itself."""
    kinds: set[bool] = set()  # whether lines do without words
    for line in group_lines(system, work.releaser.tasks):
        at = streams_on(work, line)
        if not at:
            continue
        alone = is_alone(system, line)
        kinds.add(alone)
        add_jobs(system, work, line, at, found, alone=alone)
        if not alone:
            found["part"] += sum((work.releases[i] for i in at), NONE)
            found["line"] += instants_on(system, work, at)
    step = "release_both" if len(kinds) == 2 else "release_alone" if True in kinds else "release"
    found[step] = served


def queue_cost(system: System, work: Work, releaser: Releaser, costs: LineQueueCosts) -> Amount:
    """What the delay queue of `releaser` costs beyond a sorted list in which nothing is passed."""
    served = _served(tuple(work.of), system.board.clock.hz, work.end)
    each = costs.curve.at(_place(system, work, releaser, costs))
    if costs.slot_walk:
        hz = system.board.clock.hz
        each += costs.slot_walk * wheel_walk(tuple(work.of), hz, work.end or hz, groups=True)
    return served * each + work.instants * costs.interrupt


def queue_uncertain(
    system: System, work: Work, releaser: Releaser, costs: LineQueueCosts
) -> tuple[Fraction, Fraction]:
    """How much less and more that may be a second, by the points that were measured around."""
    served = _served(tuple(work.of), system.board.clock.hz, work.end).rate
    less, more = costs.curve.uncertain(_place(system, work, releaser, costs))
    return served * less, served * more


def _place(system: System, work: Work, releaser: Releaser, costs: LineQueueCosts) -> Fraction:
    """Where `releaser` lies on the curve."""
    if costs.over == "passed":
        return group_walks(system, releaser.tasks).from_head
    if costs.over == "depth":
        hz = system.board.clock.hz
        return tree_walk(tuple(work.of), hz, work.end or hz, groups=True)
    return Fraction(len(work.of))
