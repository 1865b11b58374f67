# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A plan: which releaser owns which cell and releases which tasks, and what that is predicted to cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from horolog.model.board import Mode
from horolog.model.memory import MemoryEstimate
from horolog.model.queues import delay_queues

if TYPE_CHECKING:
    from horolog.model.verification import Verification

__all__ = [
    "ALL_MECHANISMS",
    "Alternative",
    "BASIC_MECHANISMS",
    "BASIC_STORES",
    "Bounds",
    "CostsOrigin",
    "GROUP_STORES",
    "HandlerBound",
    "LINEAR_STORES",
    "MASK_STORES",
    "MECHANISMS",
    "Mapping",
    "Mixture",
    "Move",
    "Moves",
    "OBJECTIVES",
    "Plan",
    "Planned",
    "Prediction",
    "Beside",
    "ByPrescaler",
    "QUEUES",
    "QueueChoice",
    "QueueOption",
    "Releaser",
    "STATIC_STORES",
    "STORES",
    "Search",
    "SearchEnd",
    "Step",
    "Sharing",
    "comes_at",
    "instants_between",
    "StoreMisfit",
    "UNBOUNDED_STORES",
]

MECHANISMS = (
    "tick",
    "gcd",
    "one-shot",
    "chronos",
    "chronos-const",
    "chronos-harmonic",
    "mixed",
)
"""Names that `--mechanism` takes for threads, in the order in which they are shown."""

BASIC_MECHANISMS = ("tick", "gcd", "one-shot", "chronos", "mixed", "sloth")
"""Names that `--mechanism` takes for basic tasks."""

ALL_MECHANISMS = (*MECHANISMS, "sloth")
"""Names for threads and for basic tasks, in the order in which they are shown."""

OBJECTIVES = ("overhead", "interrupts", "jitter", "slack", "memory")
"""What a plan may be the best in: kernel instructions or interrupts per second, longest handler, slack.

The planner takes slack for overhead; horolog.responses chooses by it."""

QUEUES = tuple(queue.name for queue in delay_queues())
"""Delay queues, in the order of kernel/queue/README.md; the others are compared with the first."""

STATIC_STORES = ("harmonic-array", "period-groups", "mask-table")
"""Stores laid out when the system is built, for periodic releases and nothing else."""

MASK_STORES = ("period-groups", "mask-table")
"""Static stores that release by OR-ing words: at most 32 tasks on one priority level."""

STORES = (*QUEUES, "unsorted-list", *STATIC_STORES)
"""Stores a releaser may have, in the order in which they are shown."""

GROUP_STORES = (*QUEUES, "harmonic-array", "period-groups")
"""Stores of basic tasks that hold groups of them, each of one period and one offset."""

BASIC_STORES = (*GROUP_STORES, "mask-table", "none")
"""Stores that basic tasks may have; none: the cell's interrupt is the task."""

UNBOUNDED_STORES = (*(queue.name for queue in delay_queues() if queue.unbounded), "unsorted-list")
"""The stores with a release of O(n) at worst, with interrupts off: never chosen unless named."""

LINEAR_STORES = tuple(queue.name for queue in delay_queues() if queue.linear)
"""The stores with insertions that pass all nodes at worst, with dispatch held off and interrupts on."""


def comes_at(period: int | Fraction, first: int | Fraction, instant: int) -> bool:
    """Whether `instant` is the whole counts of first + k * period for some k = 0, 1, ..."""
    return instant >= int(first) and (first - instant) % period < 1


def instants_between(
    period: int | Fraction, first: int | Fraction, start: int, end: int
) -> Sequence[int]:
    """The whole counts of first + k * period, k = 0, 1, ..., that lie in [start, end)."""
    unit = lcm(period.denominator, first.denominator)
    origin, step = int(first * unit), int(period * unit)
    begin = origin + max(0, -((origin - start * unit) // step)) * step
    found = range(begin, end * unit, step)
    return found if unit == 1 else [at // unit for at in found]


@dataclass(frozen=True, slots=True)
class Releaser:
    """One cell, when it interrupts, and the tasks it releases.

    A periodic cell interrupts at `first + k * cell_period` counts; every `divider`-th interrupt is an
    instant of the releaser (a period too long for the cell is counted in software), so the releaser's
    own period is `cell_period * divider`. A one-shot releaser has neither. A cell with a `part` steps:
    its interrupts come at the whole counts of `origin + k * counts`.
    """

    cell: str
    mode: Mode
    store: str
    tasks: tuple[int, ...]  # indices into System.tasks, ascending
    first: int  # counts after t = 0 of the first interrupt
    cell_period: int | None = None  # counts
    divider: int = 1
    period: Fraction | None = None  # seconds: cell_period * divider, for people
    cooperates: bool = False  # one-shot, and the plan's periodic cells serve it at their interrupts
    # Of basic tasks that a controller dispatches:
    level: int | None = None  # its interrupt's: that of the most urgent task that it releases
    direct: bool = False  # all its tasks have that level, and its interrupt runs them itself
    words: bool = False  # lines of one task have words, too, so that no instant asks the controller
    part: Fraction = Fraction(0)  # of a count, by which a periodic cell's period is longer
    first_part: Fraction = Fraction(0)  # of a count, by which the first instant is nominally later
    dispatches: bool = False  # it has the points of dispatcher tables that the application controls
    prescaler: int | None = None  # of a cell with prescalers of its own

    @property
    def counts(self) -> int | Fraction:
        """A periodic cell's period in counts, exactly."""
        assert self.cell_period is not None
        return self.cell_period + self.part if self.part else self.cell_period

    @property
    def origin(self) -> int | Fraction:
        """The first interrupt in counts after t = 0, as it is nominally."""
        return self.first + self.first_part if self.first_part else self.first

    def __hash__(self) -> int:
        return hash((self.cell, self.mode, self.tasks, self.cell_period))  # fractions' takes longer

    def interrupts_at(self, instant: int) -> bool:
        """Whether a periodic cell interrupts at `instant`."""
        return comes_at(self.counts, self.origin, instant)

    def between(self, start: int, end: int) -> Sequence[int]:
        """The interrupts of a periodic cell in [start, end), in counts after t = 0."""
        return instants_between(self.counts, self.origin, start, end)


@dataclass(frozen=True, slots=True)
class Beside:
    """Something that the kernel does beside the plan's releasers, and what is not predicted of it.

    Its `interrupts` are none of the prediction's own; None: it has no cell of its own, or they are not known.
    Its `kernel`, in the window, is part of the prediction's `kernel_instructions`; None: it is not predicted.
    """

    what: str  # for people, such as "budgets of navigate"
    cell: str | None
    interrupts: int | None
    kernel: Fraction | None
    kernel_per_second: Fraction
    not_predicted: str | None  # what is not, and why, for people; None: all of it is predicted


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a plan will cost. Interrupt numbers are exact for the window [0, duration)."""

    interrupts: int  # entries of timer-cell handlers, coalesced ones included
    interrupts_by_cell: tuple[tuple[str, int], ...]
    required: int  # interrupts at which at least one job of the cell's own tasks is released
    interrupts_per_second: Fraction
    kernel_instructions: Fraction  # in the window, by the board's costs.toml
    overhead_percent: Fraction
    kernel_per_second: Fraction = Fraction(0)  # in the long run: what mechanisms are ranked by
    rate_exact: bool = True  # False: rates come from a stretch of the hyperperiod
    required_per_second: Fraction = Fraction(0)
    coincident: int = 0  # interrupts at an instant at which another cell interrupts, all but one
    coincident_per_second: Fraction = Fraction(0)
    # How often an interrupt comes into a task of higher priority than all tasks that it releases,
    # estimated by the tasks' utilisation; None: no basic tasks.
    disturbances_per_second: Fraction | None = None
    # How much less and more `kernel_per_second` may be, as delay queues were measured with fewer and with
    # more tasks than a releaser has, and what they cost in between is a straight line.
    uncertain_per_second: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    beside: tuple[Beside, ...] = ()  # budgets and tables: their kernel is in the instructions above

    @property
    def kernel_range_per_second(self) -> tuple[Fraction, Fraction]:
        """Between which instructions a second the kernel's lie, by what was measured."""
        less, more = self.uncertain_per_second
        return self.kernel_per_second - less, self.kernel_per_second + more

    @property
    def not_required(self) -> int:
        """Interrupts that release no task."""
        return self.interrupts - self.required

    @property
    def not_required_per_second(self) -> Fraction:
        """Interrupts per second that release no task, in the long run."""
        return self.interrupts_per_second - self.required_per_second


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a store with a cost that is a sum of steps: how often a second, how many instructions."""

    name: str
    per_second: Fraction
    instructions: Fraction


@dataclass(frozen=True, slots=True)
class QueueOption:
    """One store that a releaser might have: a delay queue with a curve, or one of counted steps."""

    store: str
    # Of a queue, instructions of insert, first and pop; else those of a job's step.
    per_job: Fraction
    per_second: Fraction  # instructions of the whole releaser with this store, in the long run
    ram: int  # bytes, beside the tasks' own nodes
    over: str  # what the curve runs over: one of plan.OVER; "steps": no curve
    x: Fraction  # where the releaser lies on the curve
    points: tuple[tuple[Fraction, Fraction], ...]  # measured, around x: (x, a job's calls)
    admissible: bool  # False: taken only if the user names it
    linear: bool  # an insertion passes all tasks at worst, with dispatch held off
    constants: int = 0  # bytes of tables in read-only memory
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class StoreMisfit:
    """A store that a releaser cannot have, or that has no known cost, and the reason in one line."""

    store: str
    reason: str


@dataclass(frozen=True, slots=True)
class QueueChoice:
    """Why a releaser has its queue. `options`: those with a curve, the cheapest first."""

    cell: str
    store: str
    reason: str  # one line for people
    shape: str  # of the workload: which curve
    tasks: int
    passed: Fraction  # nodes that an insertion into a sorted list passes, on average
    options: tuple[QueueOption, ...]
    misfits: tuple[StoreMisfit, ...] = ()


@dataclass(frozen=True, slots=True)
class CostsOrigin:
    """Where a board's costs come from and what they hold for."""

    file: str
    kind: str  # "shipped", "the user's copy" or "beside board.toml"
    toolchain: str | None  # such as "arm-none-eabi-gcc 12.2.1, qemu 7.2.22"; None: not said
    flags: str | None


@dataclass(frozen=True, slots=True)
class Mapping:
    """How good a division of the tasks among periodic cells is, before dividers of long periods."""

    interrupts_per_second: Fraction
    bound_per_second: Fraction  # no division has fewer
    how: str  # how that was found, in words

    @property
    def proved(self) -> bool:
        """Whether the division is proved optimal."""
        return self.bound_per_second >= self.interrupts_per_second

    @property
    def gap(self) -> Fraction:
        """The share of its interrupts that a better division could save at most; 0 if proved optimal."""
        return max(Fraction(0), 1 - self.bound_per_second / self.interrupts_per_second)


@dataclass(frozen=True, slots=True)
class Mixture:
    """How a mixture of periodic cells and a one-shot one was found. It is not proved the best."""

    compared: int  # mixtures with a predicted cost
    how: str  # in words
    moved: int = 0  # further mixtures priced, with some tasks on other cells
    saved: Fraction = Fraction(0)  # of what the objective counts, by the best of these


@dataclass(frozen=True, slots=True)
class Bounds:
    """What holds for every plan of a system, in the long run."""

    instants_low: Fraction  # distinct release instants a second are at least so many
    instants_high: Fraction  # and at most so many; equal where they could be counted exactly
    chains: int  # the smallest number of harmonic chains that hold all tasks


@dataclass(frozen=True, slots=True)
class HandlerBound:
    """The interrupt handler of one cell, in instructions from its entry to its exit.

    No run is longer than `longest`; that is what it delays tasks by. None is shorter than `shortest`, but for
    one that comes while a thread uses the cell's delay queue: that leaves the releases to this thread.
    """

    cell: str
    longest: int | None  # None: `why` says why it is not known
    shortest: int | None
    why: str | None = None

    @property
    def varies(self) -> int | None:
        """By how much the handler's length varies at most."""
        if self.longest is None or self.shortest is None:
            return None
        return self.longest - self.shortest


@dataclass(frozen=True, slots=True)
class Plan:
    """A choice of releasers for every task, in counts of the board's clock."""

    mechanism: str
    releasers: tuple[Releaser, ...]
    prediction: Prediction
    queues: tuple[QueueChoice, ...] = ()  # one a releaser, where there are curves
    mapping: Mapping | None = None  # of a mechanism that divides tasks among cells
    mixture: Mixture | None = None  # of `mixed`
    handlers: tuple[HandlerBound, ...] = ()  # one a releaser; none where nothing is said of them

    @property
    def longest_handler(self) -> tuple[int, int] | None:
        """The longest handler of all, and the most by which one varies; None: not known of each."""
        longest = [one.longest for one in self.handlers if one.longest is not None]
        varies = [one.varies for one in self.handlers if one.varies is not None]
        known = len(longest) == len(self.releasers)
        return (max(longest), max(varies)) if known and longest else None


@dataclass(frozen=True, slots=True)
class Alternative:
    """One mechanism considered: its plan, or why it cannot serve this system."""

    mechanism: str
    plan: Plan | None
    reason: str  # why chosen, why not, or why impossible; one line for people


class SearchEnd(Enum):
    """How a search for a better plan came to its end."""

    BY_ITSELF = "by itself"  # the plan is the same on every machine
    AT_LIMIT = "at the limit"  # of seconds
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Search:
    """How the search for a plan ended, and how far the choice may be from the best.

    No plan interrupts less often than `bound_per_second`; `gap` is the share of the choice's interrupts
    that another plan could save at most.
    """

    end: SearchEnd = SearchEnd.BY_ITSELF
    limit_s: Fraction | None = None  # None: there was none
    bound_per_second: Fraction = Fraction(0)
    gap: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Threads that several tasks share, and what that saves beside a thread for each task."""

    threads: tuple[tuple[int, ...], ...]  # the tasks of each, in the order in which they run
    kernel_per_second: Fraction  # predicted instructions, of the mechanism chosen; 0 where none are
    stack_bytes: int


@dataclass(frozen=True, slots=True)
class Move:
    """A task that the planner moved, within what the user allows."""

    task: int  # index into System.tasks
    delay: Fraction  # seconds by which all its releases are later than nominal
    nominal_period: Fraction
    period: Fraction  # as planned


@dataclass(frozen=True, slots=True)
class Moves:
    """What was moved so that releases coincide, and what that saves beside the plan without it.

    All figures are predicted; negative if more is needed. `busy` is the processor's time that the tasks take
    by their WCETs, a share: where periods are shorter, there are more jobs.
    """

    moves: tuple[Move, ...]  # by task; none if no plan is the better for it
    ways: int  # of moving, or not
    compared: int  # of them with a plan; fewer only if a limit left no time
    interrupts: int | None  # in the window, exact; None: without moves there is no plan
    interrupts_per_second: Fraction
    kernel_per_second: Fraction  # instructions; 0 where none are counted
    busy: Fraction


@dataclass(frozen=True, slots=True)
class ByPrescaler:
    """The best plan behind one of the clock's prescalers, or why there is none."""

    prescaler: int
    hz: Fraction  # counts a second
    wraps_after: Fraction  # seconds from one interrupt of the clock's counter to the next
    plan: Plan | None
    reason: str  # why chosen, why not, or why impossible; one line for people


@dataclass(frozen=True, slots=True)
class Planned:
    """The outcome of planning: the choice, all alternatives in order of predicted cost, and a bound."""

    choice: Plan
    alternatives: tuple[Alternative, ...]
    forced: bool  # the user named the mechanism
    # Distinct release instants in the window: no mechanism interrupts less often.
    distinct_instants: int
    jobs: int  # releases in the window
    costs: CostsOrigin | None = None  # None: the board counts no instructions, or costs were given
    bounds: Bounds | None = None
    objective: str = "overhead"  # one of OBJECTIVES: what the alternatives are ordered by
    memory: MemoryEstimate | None = None  # None: a plan made elsewhere
    notes: tuple[str, ...] = ()  # what was not considered, and why
    warnings: tuple[str, ...] = ()  # what may go wrong with the choice
    sharing: Sharing | None = None  # None: each task has a thread of its own
    moves: Moves | None = None  # None: the user allows none
    search: Search = Search()
    verification: Verification | None = None  # None: nothing was measured
    prescalers: tuple[ByPrescaler, ...] = ()  # in ascending order; none: the clock has none
