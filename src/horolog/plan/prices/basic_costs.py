# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the releases and dispatches of basic tasks cost: a sum of steps, each measured by `horolog calibrate`.

A releaser of basic tasks works by one of these methods:

- lines: its interrupt looks at the next row of a mask table; a row that is due sets bits in the words of
  its lines and raises these, and the controller dispatches them. Where a cell can count its interrupts
  (kernel/basic/counted_table.h), its handler runs the job of a single task.
- direct: all its tasks have one level, and the cell interrupts there. Its handler looks at the next row and
  runs the tasks itself.
- none: one task, and a periodic cell that has its period; or, as mode one-shot, a cell that is moved to
  each next point of the task's offset table. The interrupt is the task.
- queue, groups, chains: as lines, without a table (group_costs.py).

How often each step is taken follows from periods, offsets and levels alone, as long as every job has
ended when its task is due again, and no line is raised again before it has come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from types import MappingProxyType

from horolog.analyse import (
    Dispatcher,
    dispatchers,
    hyperperiod,
    levels,
    lines,
    releases,
    settled_counts,
)
from horolog.analyse.memo import remembered
from horolog.model import GROUP_STORES, QUEUES, Mode, Releaser, System
from horolog.plan.instants.counts_and_rates import NONE, Amount
from horolog.plan.prices.group_costs import (
    GROUP_STEP_MEANING,
    GROUP_STEPS,
    NEW_GROUP_STEPS,
    LineQueueCosts,
    group_release_method,
    group_steps,
    queue_cost,
)
from horolog.plan.prices.line_steps import add_jobs, instants_on, is_alone, streams_on
from horolog.plan.prices.narrow_tables import counts_for_task, has_far_rows
from horolog.plan.prices.static_costs import StepCosts, Work

__all__ = [
    "BASIC_STEPS",
    "BASIC_STEP_MEANING",
    "FEW_BOARDS_STEPS",
    "NEW_BASIC_STEPS",
    "RELEASE_METHODS",
    "PER_INTERRUPT",
    "basic_cost",
    "basic_steps",
    "cost_of_steps",
    "costs_on",
    "disturbances",
    "is_priced",
    "priced_as",
    "release_method",
]

RELEASE_METHODS = ("lines", "direct", "none", *GROUP_STEPS)

_LINES = (
    *("interrupt", "row", "row_alone", "row_both", "cycle", "part"),
    *("job", "rank", "alone", "general", "ending"),
)
_DIRECT = ("interrupt", "row", "job")
BASIC_STEPS: Mapping[str, Mapping[Mode, tuple[str, ...]]] = MappingProxyType(
    {
        "lines": {Mode.PERIODIC: (*_LINES, "counted"), Mode.ONE_SHOT: (*_LINES, "far")},
        "direct": {Mode.PERIODIC: _DIRECT, Mode.ONE_SHOT: _DIRECT},
        "none": {Mode.PERIODIC: ("job",), Mode.ONE_SHOT: ("job",)},
        **GROUP_STEPS,
    }
)
"""Which steps a release method takes, by mode: those that costs.toml has a figure for."""

FEW_BOARDS_STEPS = ("rank", "counted", "far")
"""Steps that most boards' kernels do not have; these have no figures for them."""

NEW_BASIC_STEPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {**NEW_GROUP_STEPS, **dict.fromkeys(FEW_BOARDS_STEPS, ())}
)
"""Steps that a file need not have, and those that are charged instead."""

BASIC_STEP_MEANING = MappingProxyType(
    {
        "interrupt": "per interrupt, whatever is due",
        "row": "per instant at which a task is due, if all lines have words",
        "row_alone": "per such instant, if no line has words, as each has one task",
        "row_both": "per such instant, if only some lines have words",
        "cycle": "per time that the table begins anew",
        "part": "per line that an instant releases to, the line's handler included",
        "job": "per job",
        "rank": "per job and task before its own on the line, beyond that",
        "alone": "per job of a task that has a line to itself",
        "general": "per job of a line with early ends, beyond `job`",
        "ending": "per job that may end early, beyond that",
        "counted": "per job of the only task of a cell that counts its interrupts",
        "far": "per interrupt of a cell with rows that lie far apart, beyond that",
        **GROUP_STEP_MEANING,
    }
)

PER_INTERRUPT = MappingProxyType(
    {method: "job" if method == "none" else "interrupt" for method in RELEASE_METHODS}
)
"""The step that each interrupt takes once, by release method: it has what differs by the cell's device."""

_SAMPLES = 4096
_WHOLE = 1 << 40  # shares of the processor are integers of so many parts


def release_method(releaser: Releaser) -> str:
    """The one of RELEASE_METHODS by which a releaser of basic tasks works."""
    if releaser.store == "none":
        return "none"
    if releaser.store in GROUP_STORES:
        return group_release_method(releaser.store)
    return "direct" if releaser.direct else "lines"


def basic_cost(
    system: System,
    work: Work,
    releaser: Releaser,
    known: Mapping[str, StepCosts],
    queues: Mapping[str, LineQueueCosts] = MappingProxyType({}),
) -> Amount:
    """Instructions of a releaser of basic tasks and of what it releases; NONE: that is not known.

    Without a figure for a store of groups it is taken to cost what a table does.
    """
    if not is_priced(releaser, known, queues) and releaser.store not in GROUP_STORES:
        return NONE
    of = priced_as(releaser, known, queues)
    if not is_priced(of, known, queues):
        return NONE
    return cost_of_steps(system, work, of, basic_steps(system, work, of), known, queues)


def cost_of_steps(
    system: System,
    work: Work,
    releaser: Releaser,
    taken: Mapping[str, Amount],
    known: Mapping[str, StepCosts],
    queues: Mapping[str, LineQueueCosts],
) -> Amount:
    """Instructions of `releaser`, which has a price, if it takes the steps of basic_steps."""
    costs = costs_on(system, releaser, known)
    if releaser.store not in QUEUES[1:]:
        return costs.cost(taken, releaser.mode)
    # What its own curve says is no step.
    found = costs.cost({**taken, "moved": NONE, "walk": NONE, "head": NONE}, releaser.mode)
    return found + queue_cost(system, work, releaser, queues[releaser.store])


def priced_as(
    releaser: Releaser, known: Mapping[str, StepCosts], queues: Mapping[str, LineQueueCosts]
) -> Releaser:
    """`releaser`; or as it would be with a table, if no price of its store of groups is known."""
    if releaser.store not in GROUP_STORES or is_priced(releaser, known, queues):
        return releaser
    return replace(releaser, store="mask-table")


def is_priced(
    releaser: Releaser,
    known: Mapping[str, StepCosts],
    queues: Mapping[str, LineQueueCosts] = MappingProxyType({}),
) -> bool:
    """Whether it is known what `releaser` costs by its release method and with its store."""
    method = release_method(releaser)
    if method not in known or releaser.mode not in known[method].by_mode:
        return False
    return releaser.store not in QUEUES[1:] or releaser.store in queues


def costs_on(system: System, releaser: Releaser, known: Mapping[str, StepCosts]) -> StepCosts:
    """What the steps of `releaser` cost with the cell that it has."""
    method, mode = release_method(releaser), releaser.mode
    costs, device = known[method], system.board.cell(releaser.cell).device
    more = costs.cells.get(mode, {}).get(device, Fraction(0))
    by_step, step = costs.by_mode[mode], PER_INTERRUPT[method]
    return StepCosts({mode: {**by_step, step: by_step[step] + more}}, instead=costs.instead)


def basic_steps(system: System, work: Work, releaser: Releaser) -> dict[str, Amount]:
    """How often each step is taken by `releaser`; `work` is of the same cell."""
    method = release_method(releaser)
    if method in GROUP_STEPS:
        return group_steps(system, work, releaser)
    if method == "none":
        return {"job": work.jobs}
    found = {"interrupt": work.instants, "row": work.required, "job": work.jobs}
    if method == "direct":
        return found
    found |= dict.fromkeys((step for step in _LINES[2:] if step != "rank"), NONE)
    if counts_for_task(system, releaser):
        return found | {"row": NONE, "job": NONE, "counted": work.jobs}
    if releaser.mode is Mode.ONE_SHOT and has_far_rows(system, releaser):
        found["far"] = work.instants
    cycle = hyperperiod(work.of)
    cycles = int(Fraction(work.end, system.board.clock.hz) / cycle)
    found["cycle"] = Amount(Fraction(cycles), 1 / cycle)
    kinds: set[bool] = set()  # whether lines do without words
    for line in lines(system):
        at = streams_on(work, line)
        if not at:
            continue
        alone = not releaser.words and is_alone(system, line)
        kinds.add(alone)
        add_jobs(system, work, line, at, found, alone=alone)
        if not alone:
            found["part"] += instants_on(system, work, at)
    if True in kinds:
        found["row_both" if False in kinds else "row_alone"] = work.required
        found["row"] = NONE
    return found


def disturbances(system: System, works: Sequence[Work]) -> Fraction:
    """How often a second an interrupt comes into a task of higher priority than all that it releases.

    An interrupt comes into tasks of all levels below its own. How often it finds such a task running, with
    a higher priority than the most urgent task released, is estimated by these tasks' utilisation, over a
    stretch that does not depend on the window.
    """
    return sum((_disturbing(system, work) for work in works), Fraction(0))


def _disturbing(system: System, work: Work) -> Fraction:
    level = work.releaser.level
    if level is None:
        return Fraction(0)
    busy = _busy(system)
    # Interrupts without a release disturb every task below their level.
    idle = (work.instants - work.required).rate
    total = idle * Fraction(sum(busy[:level]), _WHOLE)
    if work.releaser.direct:
        return total
    hz, of, on = system.board.clock.hz, work.of, levels(system)
    most_urgent = [max(on[task] for task in stream.tasks) for stream in of]
    start = settled_counts(of, hz)
    end = start + int(_SAMPLES * max(stream.period for stream in of) * hz) + 1
    seen = disturbed = 0
    for _, due in islice(releases(of, hz, start, end), _SAMPLES):
        top = max(most_urgent[at] for at in due)
        seen += 1
        disturbed += min(_WHOLE, sum(busy[top + 1 : level]))
    return total + work.required.rate * Fraction(disturbed, seen * _WHOLE).limit_denominator(10**6)


@remembered
def _busy(system: System) -> tuple[int, ...]:
    """The utilisation of each level of the controller, as parts of _WHOLE."""
    on, by = levels(system), dispatchers(system)
    shares = [Fraction(0)] * (max(on) + 2)
    for index, task in enumerate(system.tasks):
        if by[index] is Dispatcher.CONTROLLER:
            shares[on[index]] += (task.wcet or 0) * task.rate
    return tuple(int(share * _WHOLE) for share in shares)
