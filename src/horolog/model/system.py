# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A system: periodic tasks on a board, as the user described them, checked and with defaults filled in.

All times are exact fractions of a second.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.model.board import Board
from horolog.model.build_options import CXX_SUFFIXES, BuildOptions
from horolog.model.dispatch_tables import DispatcherTable, TableControl
from horolog.model.errors import Place
from horolog.model.port import TABLE_BYTES, StackGuard
from horolog.model.schedule_tables import CellSchedule, ScheduleTable, SoftwareCounter

__all__ = [
    "AperiodicServer",
    "Arrivals",
    "BudgetCells",
    "Chain",
    "Interrupt",
    "Kind",
    "MOST_ACTIVATIONS",
    "MOST_KERNEL_AWARE",
    "MutexKind",
    "TaskPoint",
    "Overrun",
    "PriorityRule",
    "Resource",
    "ServerKind",
    "Sporadic",
    "System",
    "Task",
]

MOST_ACTIVATIONS = 0xFFFF
"""How many unfinished jobs a basic task may have at most: what struct hrl_basic has room for."""

MOST_KERNEL_AWARE = 3
"""The highest priority of an interrupt whose handler may call the kernel (HRL_INTERRUPT_KERNEL)."""

"""How many bytes the constant tables of releases may take in all, unless the user says otherwise."""


class Overrun(Enum):
    """What happens to a release while the task's previous job is unfinished."""

    SKIP = "skip"
    QUEUE = "queue"


class Kind(Enum):
    """How a task is dispatched.

    A thread has a stack of its own and may wait. A basic task runs to completion on a stack that all
    share, dispatched by the interrupt controller where the board has one.
    """

    THREAD = "thread"
    BASIC = "basic"


class PriorityRule(Enum):
    """Where priorities come from."""

    RATE_MONOTONIC = "rate-monotonic"
    DEADLINE_MONOTONIC = "deadline-monotonic"
    EXPLICIT = "explicit"


@dataclass(frozen=True, slots=True)
class TaskPoint:
    """One of the releases of a task in each of its periods. Times in seconds."""

    offset: Fraction  # of the first; less than the period
    deadline: Fraction  # from the release


@dataclass(frozen=True, slots=True)
class Task:
    """One periodic task. Exactly one of `body` and `work` is set."""

    name: str
    period: Fraction
    offset: Fraction
    deadline: Fraction
    wcet: Fraction | None  # None: not given (only with `body`)
    body: str | None  # name of a C function: void f(void)
    work: int | None  # turns of the assembly loop
    stack: int  # bytes; of a basic task, what it uses of the stack that all share
    overrun: Overrun
    kind: Kind
    priority: int | None  # only with PriorityRule.EXPLICIT; larger is more urgent
    place: Place  # of the [[task]] or [[task_group]] header
    activations: int | None = None  # unfinished jobs of a basic task; None: as `overrun` says
    terminates: bool = False  # a basic task that may end its job early, or chain to another
    shares: bool = False  # a thread that may be one with others, as it never waits
    may_wait: bool = False  # a thread whose body may wait for something other than its release
    bodies: int = 1  # of a thread that several tasks share: how many (analyse/sharing.py)
    # What the user allows the planner to move (plan/moved.py), and what was moved:
    jitter: Fraction = Fraction(0)  # releases may be so much later than nominal, all of them alike
    least_period: Fraction | None = None  # the period may be shortened to that; None: it is fixed
    delay: Fraction = Fraction(0)  # releases are so much later than nominal; part of `offset`
    offset_open: bool = False  # none is given, so the planner may choose one if asked to
    table_level: int | None = None  # of a dispatcher table's: among those of the table, from 1 on
    monitored: bool = False  # of a dispatcher table's: the kernel monitors its deadlines
    budget: Fraction | None = None  # of a basic task: for how long a job may execute, enforced
    # Of a dispatcher table's with points that are no even steps with one deadline: all of them, in order.
    # Then `period` is the round, `offset` the first point's, and `deadline` the shortest.
    points: tuple[TaskPoint, ...] = ()
    arrivals: tuple[Arrivals, ...] = ()  # of a schedule table's: what its points say beside the gap
    # Of a dispatcher table's: it has no points in the mode in which the system starts.
    dormant: bool = False
    core: int | None = None  # which one runs it, of several; None: the plan divides the tasks
    # The cores that may run its jobs, `core` first, which releases them; empty: no other one may.
    affinity: tuple[int, ...] = ()

    @property
    def offsets(self) -> tuple[Fraction, ...]:
        """Its releases in a period, each repeated every period; in order. A dormant task has none."""
        if self.dormant:
            return ()
        return tuple(point.offset for point in self.points) or (self.offset,)

    @property
    def rate(self) -> Fraction:
        """Releases a second, at most."""
        most = (one.count / one.within for one in self.arrivals)
        return min([len(self.offsets) / self.period, *most])

    @property
    def least_gap(self) -> Fraction:
        """The shortest time between two releases that follow each other."""
        following = (*self.offsets[1:], self.offset + self.period)
        if self.dormant:
            return self.period
        return min(after - at for at, after in zip(self.offsets, following, strict=True))

    @property
    def is_even(self) -> bool:
        """Whether its releases are equally far apart."""
        return self.dormant or self.least_gap * len(self.offsets) == self.period

    def release(self, number: int) -> Fraction:
        """When its release of that number, from 0 on, comes."""
        period, place = divmod(number, len(self.offsets))
        return period * self.period + self.offsets[place]

    def deadline_of(self, number: int) -> Fraction:
        """The deadline of the job of that nominal release, from 0 on."""
        return self.points[number % len(self.points)].deadline if self.points else self.deadline

    @property
    def entry(self) -> str:
        """The name of its table in the file: the task's, or that of the group that it is of."""
        group = (self.place.key or "").removeprefix("task_group.")
        in_group = group != self.place.key and self.name.startswith(f"{group}.")
        return group if in_group else self.name

    @property
    def limit(self) -> int:
        """How many unfinished jobs it may have; above 1, a job released behind an unfinished one is late."""
        if self.activations is not None:
            return self.activations
        return MOST_ACTIVATIONS if self.overrun is Overrun.QUEUE else 1

    @property
    def nominal_offset(self) -> Fraction:
        """When its first release is due: responses and deadlines count from there. It comes at `offset`."""
        return self.offset - self.delay

    @property
    def is_general(self) -> bool:
        """Whether the handler of a basic task's line has to know more than the task's body."""
        return self.limit > 1 or self.terminates


class MutexKind(Enum):
    """Which priority the owner of a mutex has."""

    INHERITANCE = (
        "inheritance"  # that of the most urgent thread that waits for it, if higher than its own
    )
    CEILING = "ceiling"  # that of the most urgent thread that uses it


@dataclass(frozen=True, slots=True)
class Resource:
    """What tasks, basic ones among them, use one at a time; its holder runs at its priority ceiling.

    With `mutex` it is a mutex of threads, and `within` are those that a thread may own when it
    locks this one. With `spin` its users may be on several cores: a core waits for it busily, and nothing
    preempts a user that waits for it or has it.
    """

    name: str  # a C identifier
    tasks: tuple[int, ...]  # the tasks that use it: indices into System.all_tasks, ascending
    place: Place
    holds: tuple[Fraction | None, ...] = ()  # of each of them: for how long at most; None: not said
    mutex: MutexKind | None = None
    within: tuple[str, ...] = ()  # names of resources
    spin: bool = False
    requests: tuple[int, ...] = ()  # of each of them: how often a job takes it; empty: once
    # Of a part (model/cores.py): the longest sections that other cores may have of it while one waits.
    elsewhere: tuple[Fraction, ...] = ()

    @property
    def has_ceiling(self) -> bool:
        """Whether the controller or the dispatch keeps the other users away: it is no lock."""
        return self.mutex is None and not self.spin

    def requests_of(self, task: int) -> int:
        """How often a job of one of its tasks takes it, at most."""
        return dict(zip(self.tasks, self.requests, strict=False)).get(task, 1)

    @property
    def users(self) -> tuple[tuple[int, Fraction | None], ...]:
        """Its tasks, each with the longest time for which it holds the resource; None: not said."""
        return tuple(zip(self.tasks, self.holds or (None,) * len(self.tasks), strict=True))


@dataclass(frozen=True, slots=True)
class Arrivals:
    """No more than `count` interrupts of a line come in any time of `within`."""

    count: int
    within: Fraction


@dataclass(frozen=True, slots=True)
class Interrupt:
    """An interrupt of the application, raised by a device or by software; `handler` or `work` is set."""

    name: str
    line: int  # as the controller numbers it
    priority: (
        int  # 1 to 7 (hrl/interrupt.h); up to MOST_KERNEL_AWARE its handler may call the kernel
    )
    gap: Fraction  # two are at least so far apart
    wcet: Fraction
    handler: str | None  # name of a C function: void f(void)
    work: int | None  # turns of the assembly loop
    place: Place  # of the [[interrupt]] header
    arrivals: tuple[Arrivals, ...] = ()
    core: int | None = None  # whose controller has it, of several; None: that of its tasks

    @property
    def rate(self) -> Fraction:
        """How many come in a second, at most, in the long run."""
        return min([1 / self.gap, *(one.count / one.within for one in self.arrivals)])


class ServerKind(Enum):
    """How an aperiodic server runs jobs (Buttazzo, "Hard Real-Time Computing Systems", chapter 5)."""

    POLLING = "polling"  # at each of its releases, those that wait then
    DEFERRABLE = "deferrable"  # at any time; its releases fill the capacity up


@dataclass(frozen=True, slots=True)
class AperiodicServer:
    """What bounds the jobs of an aperiodic task: so many of them each period of a thread, `task`.

    The thread of a polling server runs them. That of a deferrable one fills the capacity up, and a thread
    of the aperiodic task's own runs them.
    """

    name: str
    kind: ServerKind
    task: int  # its thread, an index of System.tasks; `wcet` is that of all these jobs
    jobs: int

    @property
    def polls(self) -> bool:
        """Whether it is a polling server."""
        return self.kind is ServerKind.POLLING


@dataclass(frozen=True, slots=True)
class Sporadic:
    """A task that time does not release: a thread that waits for its semaphore, activate_<name>.

    Or a basic task, basic_<name>, which hrl_basic_activate makes ready. Its `period` is
    the least gap between two activations, from which its response and deadline count; if a task activates it,
    that of the instants at which that task is released. With a `server` it is aperiodic: there is no least
    gap, and its `period` and level are the server's.
    """

    task: Task
    # What gives the semaphore or activates the basic task; None and None: the application.
    interrupt: int | None  # an index of System.interrupts
    after: int | None = None  # the end of each job of a task: an index of System.all_tasks
    limit: int = 1  # how many activations may wait: those that the semaphore holds
    server: AperiodicServer | None = None
    message: int | None = None  # bytes of the messages that activate it, in place of its semaphore
    unbounded: str | None = None  # nothing says how often it is activated; why, for people

    @property
    def is_basic(self) -> bool:
        """Whether it is a basic task."""
        return self.task.kind is Kind.BASIC

    @property
    def is_polled(self) -> bool:
        """Whether the thread of a polling server runs its jobs, of activations that wait until then."""
        return self.server is not None and self.server.polls

    @property
    def has_thread(self) -> bool:
        """Whether its jobs run in a thread of its own, which takes an activation before it runs it."""
        return not self.is_polled and not self.is_basic

    @property
    def most(self) -> int:
        """How many activations may be unfinished before the next job begins."""
        return self.limit + (not self.is_polled)


@dataclass(frozen=True, slots=True)
class Chain:
    """Tasks of which each reads what the one before it has written, and what limits that; one of the two."""

    name: str
    tasks: tuple[int, ...]  # in the order of the data: indices into System.all_tasks
    deadline: Fraction | None  # of the reaction time
    max_age: Fraction | None  # of the data behind an output
    place: Place  # of the [[chain]] header
    activated: frozenset[int] = frozenset()  # those of `tasks` that the one before activates


@dataclass(frozen=True, slots=True)
class BudgetCells:
    """The cells that count the execution budgets of tasks: none of System.cells."""

    names: tuple[str, ...]
    each: bool = False  # one for each task, in the order of the tasks; else one for all
    groups: tuple[int, ...] = ()  # then the group of each, which follows the task's line


@dataclass(frozen=True, slots=True)
class System:
    """A valid description: names unique, cells exist, utilisation at most 1.

    `tasks` keeps file order, groups expanded in place (`can.0`, `can.1`, ...). `sources` are absolute.
    """

    name: str
    path: Path
    board: Board
    cells: tuple[str, ...]  # names of the board's cells that Horolog may use, in the user's order
    duration: Fraction  # simulated seconds
    priorities: PriorityRule
    sources: tuple[Path, ...]
    tasks: tuple[Task, ...]
    timeouts: str | None = None  # the cell for sleeps and time-outs, none of `cells`
    start: str | None = None  # a C function, void f(void), called before the kernel starts
    portable: bool = False  # sources call the kernel by <hrl/portable.h> alone
    releases: int | None = None  # jobs of each task, which then waits for ever; None: no end
    objective: str = "overhead"  # one of model.plan.OBJECTIVES: what the planner is to make small
    table_bytes: int = TABLE_BYTES  # what mask tables may take, all together
    resources: tuple[Resource, ...] = ()
    guard: str | None = None  # what guards stacks: a folder of the port's; None: nothing does
    interrupts: tuple[Interrupt, ...] = ()  # in the order of the file
    chains: tuple[Chain, ...] = ()
    sporadic: tuple[Sporadic, ...] = ()  # none of `tasks`: no plan releases them
    tables: tuple[DispatcherTable, ...] = ()  # one a mode, the initial one first
    control: TableControl | None = None  # of `tables`; None: the first one runs for ever
    cell_schedules: tuple[CellSchedule, ...] = ()
    budget_cells: BudgetCells | None = None  # None: no task has a budget
    counters: tuple[SoftwareCounter, ...] = ()  # software counters
    schedules: tuple[ScheduleTable, ...] = ()
    cores: int = 1  # of the board; each runs tasks for itself (model/cores.py)
    cores_with_tasks: int = 1  # the first so many may have some
    # Of a part, as all cores have one kernel: some thread of another core waits for more than its release,
    # and threads of another core share a level, or there are basic tasks beside the part's threads.
    waits_elsewhere: bool = False
    shares_levels_elsewhere: bool = False
    beside_global: bool = False  # and tasks that several cores may run (Task.affinity)
    build: BuildOptions = field(default_factory=BuildOptions)
    sharing_services: int = (
        0  # so many other cores may have the lock of services when one asks for it
    )

    @property
    def has_global(self) -> bool:
        """Whether several cores may run some task: then all cores' dispatches take a lock."""
        return self.beside_global or any(task.affinity for task in self.tasks)

    @property
    def constructs(self) -> bool:
        """Whether constructors of static objects, and C functions that are such, run before the start."""
        has_cxx = any(source.suffix in CXX_SUFFIXES for source in self.sources)
        may_construct = has_cxx or self.build.constructs or self.build.by_project
        return may_construct and self.board.port.constructs and self.cores == 1

    @property
    def has_sources(self) -> bool:
        """Whether there is code of the application's beside the bodies that are `work = N`."""
        return bool(self.sources) or self.build.by_project

    @property
    def budgeted(self) -> tuple[int, ...]:
        """The tasks with an execution budget: indices into `tasks`, ascending."""
        return tuple(i for i, task in enumerate(self.tasks) if task.budget is not None)

    @property
    def stack_guard(self) -> StackGuard | None:
        """What finds that a stack overflows, besides the kernel's own checks."""
        return next((one for one in self.board.stack_guards if one.name == self.guard), None)

    @property
    def has_guards(self) -> bool:
        """Whether the interrupts of deadlines or budgets take a level of the controller, above all tasks."""
        return self.monitored is not None or self.budget_cells is not None

    @property
    def shares_guards(self) -> bool:
        """Whether one cell monitors deadlines and counts budgets, as cells do not suffice for two."""
        table, budgets = self.monitored, self.budget_cells
        if table is None or table.deadline_cells is None or budgets is None:
            return False
        return not {*table.deadline_cells.names}.isdisjoint(budgets.names)

    def budget_counts(self, task: int) -> int:
        """The budget of one of `budgeted`, in counts of the clock; never less than it says."""
        budget = self.tasks[task].budget
        assert budget is not None
        return ceil(budget * self.board.clock.hz)

    def schedules_of(self, sporadic: int) -> tuple[ScheduleTable, ...]:
        """The schedule tables that activate a task, an index of `sporadic`."""
        return tuple(table for table in self.schedules if sporadic in table.tasks)

    def has_table_on_time(self, sporadic: int) -> bool:
        """Whether a schedule table by the clock or in cells activates a task, an index of `sporadic`."""
        by_clock = any(table.counter is None for table in self.schedules_of(sporadic))
        return by_clock or self.is_activated_by_cells(sporadic)

    def is_activated_by_cells(self, sporadic: int) -> bool:
        """Whether a schedule table in timer cells activates a task, an index of `sporadic`."""
        task = len(self.tasks) + sporadic
        return any(task in point.tasks for table in self.cell_schedules for point in table.points)

    @property
    def clock_schedules(self) -> tuple[ScheduleTable, ...]:
        """The schedule tables that the clock drives, by the cell for time-outs."""
        return tuple(table for table in self.schedules if table.counter is None)

    @property
    def monitored(self) -> DispatcherTable | None:
        """The table with monitored deadlines, if there is one."""
        return next((table for table in self.tables if table.monitoring is not None), None)

    @property
    def monitored_tasks(self) -> frozenset[int]:
        """The tasks with deadlines that the kernel monitors: indices into `tasks`."""
        return frozenset(i for i, task in enumerate(self.tasks) if task.monitored)

    @property
    def basic(self) -> tuple[int, ...]:
        """The basic tasks: indices into `tasks`, ascending."""
        return tuple(i for i, task in enumerate(self.tasks) if task.kind is Kind.BASIC)

    @property
    def sporadic_basic(self) -> tuple[int, ...]:
        """The sporadic basic tasks: indices into `all_tasks`, ascending."""
        behind = len(self.tasks)
        return tuple(behind + at for at, one in enumerate(self.sporadic) if one.is_basic)

    @property
    def cell_tasks(self) -> dict[int, str]:
        """The basic tasks that are the interrupt of their only point in a table, and its cell, by index.

        The board's port has entries of handlers for that. Nothing else activates them.
        """
        if not self.board.port.has_entries or self.releases is not None:
            return {}
        uses = [(p, cell) for of in self.cell_schedules for p, cell in of.point_cells]
        times = Counter(task for point, _ in uses for task in point.tasks)
        found = {}
        for point, cell in uses:
            task = point.tasks[0] if len(point.tasks) == 1 and not point.events else None
            if task is not None and times[task] == 1:
                one = self.sporadic[task - len(self.tasks)]
                if one.is_basic and not one.task.is_general:
                    found[task] = cell
        return found

    @property
    def has_basic(self) -> bool:
        """Whether any task is basic."""
        return bool(self.basic) or any(one.is_basic for one in self.sporadic)

    @property
    def locks_services(self) -> bool:
        """Whether tasks or handlers call what takes the lock of services, on several cores."""
        mutexes = any(one.mutex is not None for one in self.resources)
        waits = any(task.may_wait for task in self.tasks)
        return bool(mutexes or waits or self.sporadic or self.interrupts or self.start is not None)

    @property
    def uses_services(self) -> bool:
        """Whether the application calls the kernel, or handlers and tasks do for it."""
        return self.portable or self.needs_horolog

    @property
    def needs_horolog(self) -> bool:
        """Whether it calls what no other kernel has: more than <hrl/portable.h> maps to both."""
        calls = self.resources or self.interrupts or any(task.terminates for task in self.tasks)
        own = self.timeouts is not None or self.start is not None
        return bool(self.sporadic or calls or (own and not self.portable))

    @property
    def all_tasks(self) -> tuple[Task, ...]:
        """`tasks`, and behind them the sporadic ones: the analysis numbers them so."""
        return (*self.tasks, *(one.task for one in self.sporadic))

    def task(self, index: int) -> Task:
        """all_tasks[index]."""
        behind = index - len(self.tasks)
        return self.tasks[index] if behind < 0 else self.sporadic[behind].task

    def job(self, index: int) -> int:
        """The number of the jobs of all_tasks[index] in generated code, where handlers stand between them."""
        return index if index < len(self.tasks) else index + len(self.interrupts)

    def root(self, task: int) -> Task:
        """Where the activations of `task`, an index of `all_tasks`, begin: a task that no task activates."""
        while task >= len(self.tasks):
            after = self.sporadic[task - len(self.tasks)].after
            if after is None:
                break
            task = after
        return self.all_tasks[task]

    def activated_by(self, task: int) -> tuple[Sporadic, ...]:
        """The sporadic tasks that the end of each job of `task` activates; it is an index of `all_tasks`."""
        return tuple(one for one in self.sporadic if one.after == task)

    @property
    def unbounded(self) -> dict[int, str]:
        """The tasks of which nothing says how often they are activated, by `all_tasks`; and why."""
        behind = enumerate(self.sporadic, len(self.tasks))
        return {at: one.unbounded for at, one in behind if one.unbounded is not None}

    @property
    def served(self) -> dict[int, int]:
        """By the thread of each server, an index of `tasks`, its aperiodic task, an index of `all_tasks`."""
        behind = enumerate(self.sporadic, len(self.tasks))
        return {one.server.task: at for at, one in behind if one.server is not None}

    @property
    def demanding(self) -> tuple[Task, ...]:
        """Those of `all_tasks` that take time of their own; jobs of aperiodic tasks are their servers'."""
        own = (one.task for one in self.sporadic if one.server is None and one.unbounded is None)
        return (*self.tasks, *own)

    @property
    def utilisation(self) -> Fraction:
        """Sum of wcet * rate over the tasks with a known wcet, and of what interrupts take at most."""
        handlers = sum((one.wcet * one.rate for one in self.interrupts), Fraction(0))
        return handlers + sum(
            (t.wcet * t.rate for t in self.demanding if t.wcet is not None), Fraction(0)
        )
