# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks, their lines and their releasers' tables, in the form that templates print."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from horolog.analyse import (
    BasicLine,
    Dispatcher,
    all_dispatchers,
    ceiling,
    count_instant,
    doorbell,
    is_basic,
    numbered,
)
from horolog.emit.basic_groups import GroupStore, PartList, group_store
from horolog.emit.basic_objects import EmittedLine, EmittedServer, EmittedTask, Row
from horolog.emit.basic_rows import (
    RowTable,
    bits_of,
    names_of,
    part_list,
    row_table,
    rows_of_modes,
)
from horolog.emit.budgets import EmittedBudgets, emitted_budgets
from horolog.emit.deadlines import EmittedDeadlines, emitted_deadlines
from horolog.emit.dispatchers import dispatcher_part, emitted_modes
from horolog.emit.parts import Part, Value, driver_of, part, unsigned, word
from horolog.emit.static_data import steps_of
from horolog.model import (
    GROUP_STORES,
    MOST_COUNTED,
    Cell,
    HorologError,
    Line,
    Mode,
    Plan,
    Releaser,
    System,
)
from horolog.model import Part as CorePart
from horolog.read.units import duration_text

__all__ = ["BasicData", "EmittedReleaser", "basic_data", "with_threads"]

_LOWEST = 1  # of the controller's levels: of interrupts that concern nothing that it dispatches


@dataclass(frozen=True, slots=True)
class EmittedReleaser:
    """A releaser of basic tasks: its cell, and the data of its handler."""

    index: int
    cell: Cell
    driver: str
    mode: str
    method: str  # of release: lines, direct or none; groups: without a table
    level: int | None  # None: there is no controller
    is_clocks: bool  # it shares the clock's handler, which its level has to wait for
    period_text: str | None
    names: str
    first_stamp: int  # of the cell
    cell_period: int
    steps: tuple[str, ...]  # of a stepped cell (kernel/assemble/stepped_cell.h)
    table_first: int  # of the table
    rows: tuple[Row, ...]
    lead: int
    parts: tuple[PartList, ...]
    end: int  # index of the part that ends the rows
    lines: tuple[int, ...]  # that its rows raise, by index
    tasks: tuple[int, ...]
    raised_alone: int  # the set of its lines of one task without words
    limited: bool  # tasks have so many releases (System.releases)
    shared: bool
    task: int  # the first one's index
    body: str  # the function that is one job of that task
    line: int  # of a direct cell: its line's index
    ahead: int  # counts; no row lies further ahead when the one before it is served
    group_store: GroupStore | None  # of the method `groups`
    gaps: tuple[int, ...]  # of an offset table: the counts from each point to the next
    dispatcher: tuple[Part, ...] = ()  # the macros that define it, if its rows are a dispatcher's
    starts: Part | None = None  # of a dispatcher: what begins its first round

    @property
    def is_basic(self) -> bool:
        """Whether its interrupt is one of basic tasks."""
        return True

    @property
    def channel(self) -> tuple[str, str]:
        """Its cell, as macros take it: the driver and the channel."""
        return self.driver, unsigned(self.cell.instance)

    @property
    def compare(self) -> str:
        """Where its cell's comparison is, in the assembler's terms."""
        return f"{self.driver.upper()}_COMPARE_AT({self.cell.instance})"

    @property
    def served_lines(self) -> tuple[Value, ...]:
        """The lines without words, whether words are shared, and how far rows lie ahead."""
        return word(self.raised_alone), self.shared, word(self.ahead)

    @property
    def counted(self) -> bool:
        """Whether its handler counts interrupts until the next row (kernel/basic/counted_table.h)."""
        return (
            self.mode == "periodic"
            and self.method in ("lines", "none")
            and not (self.limited or self.dispatcher)
            and self.cell.can_count(self.interval)
            and self.ahead <= MOST_COUNTED * self.cell_period
        )

    @property
    def interval(self) -> Fraction:
        """Counts between interrupts of a periodic cell."""
        if not self.steps:
            return Fraction(self.cell_period)
        _, whole, part, of, _ = (int(number.rstrip("u")) for number in self.steps)
        return whole + Fraction(part, of)

    def intervals(self, counts: int) -> int:
        """How many of the cell's intervals a gap of that many counts is, of which it has some, to a count."""
        return round(counts / self.interval)

    def gap_of(self, one: Row) -> int:
        """From a row to the next, as its table has it."""
        return self.intervals(one.gap) if self.counted else one.gap

    @property
    def serve(self) -> tuple[Part | str, ...]:
        """The body of its handler behind the cell's acknowledge."""
        steps = (part("HRLI_STEP", self.index),) if self.steps else ()
        return (
            *steps,
            self._served,
            *self._armed,
            *(("HRLI_DISPATCH",) if self.level is None else ()),
        )

    @property
    def _served(self) -> Part | str:
        if self.group_store is not None:
            queue = (self.group_store.store.stem,) if self.group_store.store.is_queue else ()
            return part(f"HRLI_SERVE_LINE_{self.group_store.kind}", self.index, *queue)
        if self.dispatcher:
            return "HRLI_SERVE_DISPATCHER"
        if self.method == "none":
            return part("HRLI_SERVE_CELL_TASK", self.index, self.body)
        _, *rest = self.served_lines
        if self.method == "direct":
            return part("HRLI_SERVE_DIRECT", self.index, self.lead, self.line, *rest)
        if self.limited and self.mode == "periodic":
            return part("HRLI_SERVE_LIMITED_LINES", self.index, word(self.ahead))
        return part("HRLI_SERVE_LINES", self.index, *self.served_lines)

    @property
    def _armed(self) -> tuple[Part, ...]:
        if self.mode == "periodic" or self.method == "none" or self.dispatcher:
            return ()
        if self.group_store is None:
            return (part("HRLI_ARM_NEXT", self.index, *self.channel, word(self.ahead)),)
        reach = word(self.group_store.reach)
        return (part("HRLI_ARM_NEXT_GROUP", self.index, *self.channel, reach),)

    @property
    def catches_up(self) -> bool:
        """Whether its handler, which is the task, looks for instants that its cell may have missed."""
        return self.method == "none" and not self.steps and not self.dispatcher

    @property
    def observed(self) -> str:
        """The object in C by which the host's observer knows the releaser."""
        if self.group_store is not None:
            return f"hrl_gen_served_{self.index}"
        if self.dispatcher:
            return "hrl_gen_dispatcher"
        return f"hrl_gen_due_{self.index}" if self.method == "none" else f"table_{self.index}"


@dataclass(frozen=True, slots=True)
class BasicData:
    """The data of basic tasks for the templates."""

    tasks: tuple[EmittedTask, ...]
    counts: int
    lines: tuple[EmittedLine, ...]
    releasers: tuple[EmittedReleaser, ...]
    resources: tuple[tuple[str, int], ...]  # name and ceiling
    servers: tuple[EmittedServer, ...]
    doorbell: Line | None  # wakes them, on a board with a controller
    entered: bool  # by code that saves what the handler or body behind it may change
    reported_cells: tuple[
        tuple[Cell, int], ...
    ]  # of tasks with overruns that the controller reports
    overrun_handler: str  # by which it does
    limited: bool  # tasks have so many releases (System.releases), and their bodies count them
    with_threads: bool  # beside the basic tasks
    deadlines: EmittedDeadlines | None  # those that are monitored
    budgets: EmittedBudgets | None
    numbers: Sequence[int]  # of each job in names: with several cores, those of the whole system

    @property
    def reported(self) -> dict[str, int]:
        """The tasks of `reported_cells`, by handler."""
        return {cell.handler: task for cell, task in self.reported_cells}

    @property
    def reported_groups(self) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
        """Those of `reported` without offset tables, by 32 cells: the group's number, each bit's task."""
        groups: dict[int, list[tuple[int, int]]] = {}
        moved = {one.task for one in self.releasers if one.gaps}
        for cell, task in self.reported_cells:
            if task not in moved:
                group, bit = divmod(cell.instance, 32)
                groups.setdefault(group, []).append((bit, task))
        return tuple((group, tuple(sorted(some))) for group, some in sorted(groups.items()))

    @property
    def holds_groups(self) -> bool:
        """Whether some releaser has no table (kernel/assemble/basic_store.h)."""
        return any(one.group_store is not None for one in self.releasers)

    @property
    def queues(self) -> tuple[str, ...]:
        """The delay queues of such releasers, as their headers are named."""
        stores = [one.group_store.store for one in self.releasers if one.group_store is not None]
        return tuple(sorted({one.stem for one in stores if one.is_queue}))

    @property
    def bodies(self) -> dict[int, str]:
        """The function that is one job of each task, as it is called."""
        return {one.index: self._body(one) for one in self.tasks}

    def _body(self, task: EmittedTask) -> str:
        budgets = {} if self.budgets is None else self.budgets.bodies
        if task.job is not None:
            return budgets.get(task.index, f"hrl_gen_body_{task.job}")
        monitored = () if self.deadlines is None else self.deadlines.tasks
        return _body(task.index, self.numbers, self.limited, monitored, budgets)

    def pauses(self, level: int | None) -> bool:
        """Whether a handler of that level pauses the budget of the job that it has come into."""
        return self.budgets is not None and self.budgets.pauses(level)

    @property
    def counted(self) -> dict[int, str]:
        """The handlers of tasks with entries that set the cell of their budgets, by the tasks.

        These are alone on their lines, and what is behind the entry is the body itself.
        """
        if self.budgets is None or not self.entered:
            return {}
        wrapped: set[int] = set()
        if self.deadlines is not None:
            wrapped = {*self.deadlines.tasks} - self.deadlines.compares.keys()
        own = {one.task for one in self.budgets.cells}
        some = own - wrapped
        return {task: of for task, of in self._alone.items() if task in some}

    @property
    def _alone(self) -> dict[int, str]:
        """The tasks that are alone on their lines, and their handlers."""
        alone = {task: handler for handler, task in self.reported.items()}
        for line in self.lines:
            if line.handler is not None and line.words is None:
                alone[line.tasks[0]] = line.handler
        return alone

    @property
    def watched(self) -> dict[str, int]:
        """The handlers with entries that move the comparison of the cell that monitors; and their tasks."""
        if self.deadlines is None or not self.entered:
            return {}
        counted, compares = self.counted, self.deadlines.compares
        return {
            handler: task
            for task, handler in self._alone.items()
            if task in compares and handler != counted.get(task)
        }

    @property
    def addresses(self) -> dict[int, str]:
        """The address of the struct hrl_basic of each task."""
        return {
            one.index: f"&hrl_gen_basic[{at}]" if one.job is None else f"&basic_{one.name}"
            for at, one in enumerate(self.tasks)
        }

    def line_of(self, task: int) -> int:
        """The index of the line of `task`."""
        return next(one.line for one in self.tasks if one.index == task)

    def releaser_of(self, task: int) -> int:
        """The index of the releaser of `task`."""
        return next(one.index for one in self.releasers if task in one.tasks)

    def raise_set(self, lines: Iterable[int]) -> int:
        """Returns the set of bits that raises `lines`, given by index."""
        return _raise_set(self.lines, lines)


def _body(
    task: int,
    numbers: Sequence[int],
    limited: bool,
    monitored: Collection[int],
    budgets: Mapping[int, str],
) -> str:
    """Returns the function that is one job of a task that time releases."""
    if task in monitored:
        return f"hrl_gen_monitored_{numbers[task]}"
    if task in budgets:
        return budgets[task]
    return f"limited_{task}" if limited else f"hrl_gen_body_{numbers[task]}"


def _raise_set(lines: Sequence[EmittedLine], some: Iterable[int]) -> int:
    """Returns the set of bits that raises `some` of `lines`, given by index."""
    bits = {lines[line].bit for line in some}
    return sum(1 << bit for bit in bits if bit is not None)


def basic_data(
    system: System,
    plan: Plan,
    core: CorePart | None = None,
    before: int = 0,
    budgets_before: int = 0,
) -> BasicData:
    """Builds the data of basic tasks by `plan`. HorologError if it cannot be generated.

    As the part of a `core`, the system's tasks have other numbers in names, and so many releasers, and tasks
    with budgets, have numbers before its own. There are threads then: a core idles in one.
    """
    numbers = (
        core.jobs if core is not None else range(len(system.all_tasks) + len(system.interrupts))
    )
    end = "" if core is None else f"_on_{core.core}"
    found = numbered(system, plan)
    lines = tuple(_line(system, plan, at, before, end, *one) for at, one in enumerate(found))
    line_of = {task: line.index for line in lines for task in line.tasks}
    tasks, at = [], 0
    for index in (*system.basic, *system.sporadic_basic):
        task, line = system.task(index), lines[line_of[index]]
        rank = line.rank(index)
        by = next((r.tasks for r in plan.releasers if index in r.tasks), ())
        raised = line.words is not None and line.bit is not None
        together = sum(1 << (31 - line.rank(one)) for one in {*by} & {*line.tasks} if raised)
        tasks.append(
            EmittedTask(
                index,
                task.name,
                line.index,
                at,
                task.limit,
                rank,
                task.terminates,
                together,
                None if index < len(system.tasks) else numbers[system.job(index)],
            )
        )
        at += 1 if task.limit == 1 else 2
    budgets = emitted_budgets(system, numbers, None if core is None else budgets_before)
    guarded = {} if budgets is None else budgets.bodies
    deadlines = emitted_deadlines(system, guarded, numbers)
    monitored = () if deadlines is None else deadlines.tasks
    made = tuple(
        _releaser(system, plan, number, releaser, lines, line_of, numbers, monitored, guarded)
        for number, releaser in enumerate(plan.releasers, before)
        if is_basic(system, releaser)
    )
    resources = tuple(
        (one.name, ceiling(system, one)) for one in system.resources if one.has_ceiling
    )
    entered, rung = system.board.port.has_entries, doorbell(system, plan)
    only_basic = len(system.basic) == len(system.tasks)
    by_handlers = only_basic and all(line.server is None for line in lines)
    if system.releases is not None and (entered or not by_handlers):
        raise HorologError(
            "`releases` needs a board whose controller dispatches all tasks, and no threads",
            place=system.task((*system.basic, *system.sporadic_basic)[0]).place,
            found=f"releases = {system.releases}",
            expected="no releases, or --kind thread",
        )
    reports = system.board.port.overrun_handler is not None
    alone = [(one.cell, one.task) for one in made if one.method == "none"]
    alone += [
        (system.board.cell(line.cell), line.tasks[0])
        for line, _ in found
        if line.cell is not None and line.tasks[0] in system.cell_tasks
    ]
    reported = tuple(alone) if reports else ()
    return BasicData(
        tasks=tuple(tasks),
        counts=at,
        lines=lines,
        releasers=made,
        resources=resources,
        servers=_servers(system, lines),
        doorbell=None if rung is None else replace(rung, handler=rung.handler + end),
        entered=entered,
        reported_cells=reported,
        overrun_handler=(system.board.port.overrun_handler or "") + end,
        limited=system.releases is not None,
        with_threads=with_threads(system) or core is not None,
        deadlines=deadlines,
        budgets=budgets,
        numbers=numbers,
    )


def with_threads(system: System) -> bool:
    """Whether any thread may run: a task, a server of basic tasks, or the application's own."""
    by = all_dispatchers(system)
    own = system.timeouts is not None or system.start is not None
    return own or any(one is not Dispatcher.CONTROLLER for one in by)


def _servers(system: System, lines: Sequence[EmittedLine]) -> tuple[EmittedServer, ...]:
    """Builds a server for each level of lines that threads serve, with the stack of its largest task."""
    members: dict[int, list[int]] = {}
    for line in lines:
        if line.server is not None:
            members.setdefault(line.server, []).extend(line.tasks)
    return tuple(
        EmittedServer(
            level,
            system.board.port.stacks.server + max(system.task(task).stack for task in tasks),
            names_of(system, tasks),
        )
        for level, tasks in members.items()
    )


def _line(
    system: System,
    plan: Plan,
    index: int,
    before: int,
    end: str,
    line: BasicLine,
    own: Line | None,
) -> EmittedLine:
    general = any(system.task(task).is_general for task in line.tasks)
    words: str | None = None
    number, handler, is_cell = "0", None, False
    if line.cell is not None:
        releaser = next((at for at, r in enumerate(plan.releasers) if r.cell == line.cell), None)
        cell = system.board.cell(line.cell)
        number = _number(cell)
        is_cell = releaser is None or plan.releasers[releaser].store == "none"
        if not is_cell:
            words = f"&table_{before + (releaser or 0)}.words"
    elif own is not None:
        number, handler = str(own.number), own.handler + end
        by_words = any(r.words for r in plan.releasers if line.tasks[0] in r.tasks)
        if len(line.tasks) > 1 or general or by_words or not system.board.port.shows_active:
            words = f"&words_{index}" + ("" if system.releases is None else ".words")
    else:
        rung = doorbell(system, plan)
        number, words = str(index if rung is None else rung.number), f"&words_{index}"
    served = line.cell is None and own is None
    # Ceilings of the controller's hold off none of what is below a thread.
    below = served and system.board.controller is not None
    return EmittedLine(
        index=index,
        level=0 if below else line.level,
        number=number,
        tasks=line.tasks,
        names=names_of(system, line.tasks),
        words=words,
        handler=handler,
        catch_up_ranks=line.catch_up_ranks,
        general=general and not line.catch_up_ranks,
        is_cell=is_cell,
        server=line.level if served else None,
    )


def _level(system: System, releaser: Releaser) -> int | None:
    """Returns the controller's level of the releaser's interrupt: the lowest if it releases no task there."""
    if system.board.controller is None:
        return None
    return _LOWEST if releaser.level is None else releaser.level


def _number(cell: Cell) -> str:
    """Returns the controller's line of the cell, by its name in the device's header."""
    return f"{driver_of(cell.device).upper()}_LINE({cell.instance})"


def _releaser(
    system: System,
    plan: Plan,
    number: int,
    releaser: Releaser,
    lines: Sequence[EmittedLine],
    line_of: Mapping[int, int],
    numbers: Sequence[int],
    monitored: Collection[int],
    budgets: Mapping[int, str],
) -> EmittedReleaser:
    cell, level = system.board.cell(releaser.cell), _level(system, releaser)
    groups: GroupStore | None = None
    if releaser.store in GROUP_STORES:
        groups = group_store(
            system,
            releaser,
            lambda tasks, at: part_list(system, lines, bits_of(lines, line_of, tasks), tasks, at),
        )
        table = RowTable(
            groups.first_stamp - system.board.start_counts, (), 0, groups.lists, groups.ahead
        )
    elif releaser.dispatches:
        table = rows_of_modes(system, lines, line_of)
    else:
        table = row_table(system, releaser, lines, line_of)
    if budgets:
        cell = replace(cell, counts=False)  # as a handler that counts pauses none
    own = {line_of[task] for task in releaser.tasks}
    alone = _raise_set(lines, (line for line in own if lines[line].words is None))
    shared = _shared(system, plan, releaser, own, line_of)
    return EmittedReleaser(
        index=number,
        cell=cell,
        driver=driver_of(cell.device),
        mode=releaser.mode.value,
        method=_method(releaser),
        level=level,
        is_clocks=level is not None and cell.handler == system.board.clock.handler,
        period_text=None if releaser.period is None else duration_text(releaser.period),
        names=names_of(system, releaser.tasks),
        first_stamp=system.board.start_counts + releaser.first,
        cell_period=releaser.cell_period or 0,
        steps=steps_of(system, releaser),
        table_first=system.board.start_counts + table.first,
        rows=table.rows,
        lead=table.lead,
        parts=table.lists,
        end=table.end,
        lines=tuple(sorted(own)),
        tasks=releaser.tasks,
        raised_alone=alone,
        limited=system.releases is not None,
        shared=shared,
        task=releaser.tasks[0],
        body=_body(releaser.tasks[0], numbers, system.releases is not None, monitored, budgets),
        line=line_of[releaser.tasks[0]],
        ahead=table.ahead,
        group_store=groups,
        gaps=_gaps(system, releaser),
        dispatcher=_dispatcher(system, number, alone, shared=shared) if releaser.dispatches else (),
        starts=None
        if not releaser.dispatches or system.control is None or system.control.by_application
        else part("HRLI_START_DISPATCHER", unsigned(system.board.start_counts)),
    )


def _gaps(system: System, releaser: Releaser) -> tuple[int, ...]:
    """Returns the counts from each point to the next, of a task with an offset table."""
    if releaser.store != "none" or releaser.mode is not Mode.ONE_SHOT:
        return ()
    task, hz = system.tasks[releaser.tasks[0]], system.board.clock.hz
    at = [count_instant(offset, hz) for offset in task.offsets]
    return tuple(b - a for a, b in pairwise([*at, at[0] + count_instant(task.period, hz)]))


def _dispatcher(system: System, number: int, alone: int, *, shared: bool) -> tuple[Part, ...]:
    modes = emitted_modes(system)
    defined = (mode.part(number) for mode in modes)
    return (*defined, dispatcher_part(system, number, modes, alone, shared=shared))


def _method(releaser: Releaser) -> str:
    if releaser.store in GROUP_STORES:
        return "groups"
    return "none" if releaser.store == "none" else "direct" if releaser.direct else "lines"


def _shared(
    system: System, plan: Plan, releaser: Releaser, own: set[int], line_of: Mapping[int, int]
) -> bool:
    """Whether an interrupt that comes into this one may write the same words.

    The application's code may activate tasks, so with sources all is shared. Without a controller no cell
    interrupts another's handler.
    """
    if system.has_sources or system.start is not None:
        return True
    level = _level(system, releaser)
    return level is not None and any(
        (_level(system, other) or 0) > level and own & {line_of.get(task) for task in other.tasks}
        for other in plan.releasers
        if other is not releaser
    )
