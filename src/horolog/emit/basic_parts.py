# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks, their lines and their releasers as lines of generated C."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from horolog.emit.basic_data import BasicData, EmittedReleaser
from horolog.emit.basic_groups import PartList
from horolog.emit.basic_objects import EmittedLine, EmittedServer, EmittedTask
from horolog.emit.parts import Part, Row, Value, part, row, unsigned, word

__all__ = [
    "BasicParts",
    "basic_parts",
    "basic_prepare",
    "basic_start",
    "entry",
    "pausing",
    "prepare_cell",
    "report_overruns",
    "serve_alone",
]

_METHODS = {
    "none": "; the interrupt is the task",
    "direct": "; all have the cell's level, and its handler runs them",
}


@dataclass(frozen=True, slots=True)
class LineParts:
    """A line: the text of its comment, and the macros that define it."""

    index: int
    served: str
    names: str
    made: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ReleaserParts:
    """A releaser: the text of its comment, its arrays, and the macros before lines and behind the arrays."""

    index: int
    comment: str
    direct_rows: tuple[Row, ...]
    first: tuple[Part, ...]
    parts: tuple[Part, ...]
    rows: tuple[Row, ...]
    levels: tuple[Row, ...]
    chains: tuple[Row, ...]
    groups: tuple[Part, ...]
    offsets: tuple[Part, ...]  # of an offset table: that of the task
    task: int
    made: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class BasicParts:
    """The data that hrl_gen_basic_tasks.j2 prints."""

    counts: int
    limits: tuple[Part, ...]
    deadline_arrays: tuple[tuple[str, tuple[Part, ...]], ...]  # of monitored deadlines
    deadline_declared: tuple[Part | str, ...]
    deadlines: tuple[Part, ...]
    budgets: tuple[Part | str, ...]
    tasks: tuple[Row, ...]
    sporadic: tuple[Part, ...]
    resources: tuple[str, ...]
    releasers: tuple[ReleaserParts, ...]
    servers: tuple[EmittedServer, ...]
    lines: tuple[LineParts, ...]
    line_list: Part
    tables: tuple[ReleaserParts, ...]  # of the releasers with a table that raises lines
    queues: tuple[Part, ...]
    stores: tuple[ReleaserParts, ...]  # of those without a table
    doorbell: tuple[Part, ...]


def basic_parts(
    basic: BasicData, releases: int | None, queues_of_threads: Collection[str]
) -> BasicParts:
    """Builds the lines of C of `basic`. `queues_of_threads`: delay queues with calls of the threads'."""
    made = {one.index: _releaser(basic, one) for one in basic.releasers}
    doorbell = basic.doorbell
    return BasicParts(
        counts=basic.counts,
        limits=tuple(_limits(basic, releases)),
        deadline_arrays=() if basic.deadlines is None else basic.deadlines.arrays,
        deadline_declared=() if basic.deadlines is None else basic.deadlines.declared,
        deadlines=() if basic.deadlines is None else basic.deadlines.defined(basic.addresses),
        budgets=() if basic.budgets is None else basic.budgets.defined(basic.addresses),
        tasks=tuple(row(*_fields(basic, task)) for task in basic.tasks if task.job is None),
        sporadic=tuple(
            part("HRLI_SPORADIC_BASIC", task.name, *_fields(basic, task))
            for task in basic.tasks
            if task.job is not None
        ),
        resources=tuple(
            f"{part('HRL_RESOURCE_DEFINE', name, unsigned(level))};"
            for name, level in basic.resources
        ),
        releasers=tuple(made.values()),
        servers=basic.servers,
        lines=tuple(_line(basic, line) for line in basic.lines),
        line_list=part("HRLI_LINES", *(f"&hrl_gen_line_{line.index}" for line in basic.lines)),
        tables=tuple(made[one.index] for one in basic.releasers if one.method == "lines"),
        queues=tuple(_queues(basic, queues_of_threads)),
        stores=tuple(made[one.index] for one in basic.releasers if one.group_store is not None),
        doorbell=()
        if doorbell is None
        else (part("HRLI_HANDLER", doorbell.handler, "HRLI_RING_SERVERS"),),
    )


def _fields(basic: BasicData, task: EmittedTask) -> tuple[Value, ...]:
    """Returns what struct hrl_basic says of `task`, in its order.

    The kernel calls no body of a task that is its cell's interrupt and has overruns that the controller
    tells.
    """
    own = task.index in basic.reported.values() and task.job is None
    return (
        f"hrl_gen_body_{basic.numbers[task.index]}" if own else basic.bodies[task.index],
        f"&hrl_gen_line_{task.line}",
        f"&counts[{task.counts}]",
        part("HRLI_TEXT", f'"{task.name}"'),
        unsigned(task.limit),
        unsigned(task.rank),
        task.may_end,
    )


def _limits(basic: BasicData, releases: int | None) -> Iterator[Part]:
    """Yields the macros that count the jobs of tasks with `releases` releases."""
    if releases is None:
        return
    for line in basic.lines:
        if line.words is not None and line.bit is not None:
            yield part("HRLI_LINE_ENDS", line.index)
    together = {task.index for task in basic.tasks if task.together}
    for r in basic.releasers:
        if r.method != "lines":
            continue
        stops = not together.isdisjoint(r.tasks)
        if stops or r.mode == "periodic":
            yield part("HRLI_LIMITED_ALIVE", r.index, word(basic.raise_set(r.lines)))
        if stops:
            yield part("HRLI_LIMITED_STOP", r.index, *r.channel)
        if r.mode == "periodic":
            yield part("HRLI_LIMITED_ROWS", r.index, *r.served_lines)
    for task in (one for one in basic.tasks if one.job is None):
        limit = "NULL"
        if task.together:
            limit = f"&limit_{task.index}"
            at = (task.index, task.line, basic.releaser_of(task.index))
            bits = (1 << (31 - task.rank), task.together, basic.raise_set([task.line]))
            yield part("HRLI_LIMIT", *at, *map(word, bits))
        yield part("HRLI_LIMITED_TASK", task.index, unsigned(releases), limit)


def _line(basic: BasicData, line: EmittedLine) -> LineParts:
    of_level = f"level {line.level}"
    return LineParts(
        index=line.index,
        served=of_level if line.server is None else f"served by a thread of level {line.server}",
        names=line.names,
        made=tuple(_line_parts(basic, line)),
    )


def _line_parts(basic: BasicData, line: EmittedLine) -> Iterator[Part]:
    at, addresses = line.index, basic.addresses
    catch_up = range(line.catch_up_ranks)
    if line.words is not None and line.bit is not None and not basic.limited:
        yield part("HRLI_LINE_WORDS", at)
    yield part(
        "HRLI_LINE",
        at,
        line.words or "NULL",
        "NULL" if line.server is None else f"&server_{line.server}",
        unsigned(line.level),
        line.number,
        line.is_cell,
        *("NULL" for _ in catch_up),
        *(addresses[task] for task in line.tasks),
    )
    if catch_up:
        yield part("HRLI_CATCH_UP_BODY", at)
    if line.words is not None and not line.general and line.server is None:
        known = basic.bodies
        bodies = (known[task] for task in line.tasks)
        yield part("HRLI_BODIES", at, *(f"catch_up_{at}" for _ in catch_up), *bodies)
    if line.handler is None:
        return
    if line.words is None:
        yield from serve_alone(basic, line.handler, line.tasks[0], line.level)
        return
    served = part("HRLI_SERVE_LINE", at, line.words)
    served = part("HRLI_RUN_LINE", at) if line.general else served
    yield part("HRLI_HANDLER", line.handler, pausing(basic, line.level, served))
    yield from entry(basic, line.handler)


def entry(basic: BasicData, handler: str, function: str | None = None) -> Iterator[Part]:
    """Yields the entry of a handler, on a port with entries that save what the handler may change."""
    if basic.entered:
        macro = "HRLI_LINE_ENTRY" if function is None else "HRLI_ALONE_ENTRY"
        frame = f"HRL_GEN_FRAME_{handler}"
        yield part(macro, handler, function or handler, frame, int(basic.with_threads))


def pausing(basic: BasicData, level: int | None, served: Part) -> Part:
    """Returns `served`, what a handler of that level does, with the budget paused that it may come into."""
    return part("HRLI_PAUSING", served) if basic.pauses(level) else served


def serve_alone(
    basic: BasicData, handler: str, task: int, level: int | None = None
) -> Iterator[Part]:
    """Yields the handler, of that level, of a task that is its cell's interrupt."""
    body = basic.bodies[task]
    if not basic.entered:
        yield part("HRLI_HANDLER", handler, pausing(basic, level, part("HRLI_SERVE_ALONE", body)))
    compare = None if basic.deadlines is None else basic.deadlines.compares.get(task)
    if handler == basic.counted.get(task):
        yield _counted(basic, handler, task, body, compare)
        return
    frame, threads = f"HRL_GEN_FRAME_{handler}", int(basic.with_threads)
    if basic.entered and compare is not None:
        late = f"HRL_GEN_FRAME_LATE_{handler}"
        yield part(
            "HRLI_WATCHED_ENTRY", handler, basic.numbers[task], frame, threads, compare, late
        )
        return
    moved = next((one for one in basic.releasers if one.gaps and one.task == task), None)
    if moved is not None:
        yield part("HRLI_OFFSET_ENTRY", handler, task, body, frame, threads, moved.compare)
        return
    yield from entry(basic, handler, body)


def _counted(basic: BasicData, handler: str, task: int, body: str, compare: str | None) -> Part:
    """Returns the entry of a task that is alone on its line, with a cell that counts its budgets."""
    number = basic.numbers[task]
    deadlines = ("0", "0", "0")
    if compare is not None:
        deadlines = (compare, f"step_{number}", f"late_{number}")
    return part(
        "HRLI_COUNTED_ENTRY",
        handler,
        number,
        body,
        f"HRL_GEN_FRAME_{handler}",
        int(basic.with_threads),
        *deadlines,
        f"HRL_GEN_KEPT_{handler}",
        int(bool(basic.resources)),
    )


def report_overruns(basic: BasicData) -> Iterator[Part]:
    """Yields the handler of the controller's overrun interrupt, for tasks that are their cells' interrupts.

    The controller reports each release that comes while the task's job runs.
    """
    addresses = basic.addresses
    handler = basic.overrun_handler
    reports = [
        part("HRLI_REPORT_OFFSET_OVERRUN", basic.line_of(one.task), one.task, addresses[one.task])
        for one in basic.releasers
        if one.gaps
    ]
    if len(basic.reported) == 1 and not reports:
        (task,) = basic.reported.values()
        of = (basic.line_of(task), addresses[task])
        yield part("HRLI_HANDLER", handler, part("HRLI_REPORT_OVERRUN", *of))
    elif basic.reported:
        for group, tasks in basic.reported_groups:
            by_bit = (f"[{bit}] = {addresses[task]}" for bit, task in tasks)
            yield part("HRLI_REPORTED", group, *by_bit)
            bits = sum(1 << bit for bit, _ in tasks)
            reports.append(part("HRLI_REPORT_OVERRUNS", group, word(bits)))
        yield part("HRLI_HANDLER", handler, body=reports)
    if basic.reported:
        yield from entry(basic, handler)


def _how(r: EmittedReleaser) -> str:
    """How it releases, for its comment."""
    if r.method == "none" and r.counted:
        return "; its handler runs the job"
    return _METHODS.get(r.method, "")


def _releaser(basic: BasicData, r: EmittedReleaser) -> ReleaserParts:
    period = f", every {r.period_text}" if r.period_text else ""
    level = "" if r.level is None else f", at level {r.level}"
    direct = [row(unsigned(one.gap), word(one.bits)) for one in r.rows]
    rows = [row(unsigned(r.gap_of(one)), f"&parts_{r.index}[{one.parts}]") for one in r.rows]
    last = part("HRLI_NEXT_ROW", r.index, r.lead)
    if r.group_store is not None:
        last = part("HRLI_RAISE", "0u")
    return ReleaserParts(
        index=r.index,
        comment=f"{r.mode}{period}, on cell {r.cell.name}{level}: {r.names}{_how(r)}",
        direct_rows=(*direct, row("0u", "0u")) if r.method == "direct" else (),
        first=tuple(_before_lines(basic, r)),
        parts=tuple(_part_lists(basic, r.parts, last)),
        rows=(*rows, row("0u", f"&parts_{r.index}[{r.end}]")) if r.method == "lines" else (),
        levels=tuple(_levels(basic, r)),
        chains=tuple(_chains(r)),
        groups=tuple(_groups(basic, r)),
        task=r.task,
        offsets=tuple(
            part("HRLI_OFFSET", r.task, unsigned(gap), (at + 1) % len(r.gaps))
            for at, gap in enumerate(r.gaps)
        ),
        made=tuple(_made(r)),
    )


def _before_lines(basic: BasicData, r: EmittedReleaser) -> Iterator[Part]:
    """Yields the objects that lines refer to. The cell of a task with an entry in assembly needs none."""
    if r.steps and not r.counted:
        yield part("HRLI_CELL_STEPS", r.index, *r.channel, *r.steps)
    if r.gaps:
        yield part(
            "HRLI_OFFSET_CELL",
            *(r.task, *r.channel, r.line, basic.addresses[r.task]),
        )
    elif r.method == "none" and not (basic.entered or r.counted):
        task = basic.addresses[r.task]
        yield part("HRLI_CELL_TASK", r.index, *r.channel, unsigned(r.cell_period), task)
    elif r.method == "direct":
        yield part("HRLI_DIRECT_TABLE", r.index, unsigned(r.table_first))
    elif r.method == "lines" and not r.dispatcher and not r.counted:
        yield part("HRLI_LINE_TABLE_DECLARE", r.index)


def _part_lists(basic: BasicData, lists: tuple[PartList, ...], last: Part) -> Iterator[Part]:
    """Yields what each list raises, and the bits that it sets. Rows and groups name a list by its start."""
    for one in lists:
        raised = word(basic.raise_set(one.raised))
        yield part("HRLI_RAISE", raised, comment=f"{one.start}: {one.names}")
        for line, bits in one.parts:
            yield part("HRLI_IN_WORDS", basic.lines[line].words or "NULL", word(bits))
    yield last


def _levels(basic: BasicData, r: EmittedReleaser) -> Iterator[Row]:
    for one in () if r.group_store is None else r.group_store.levels:
        often = unsigned(one.every), unsigned(one.left)
        yield row(*often, *_list(basic, r, one.list), comment=one.text)


def _chains(r: EmittedReleaser) -> Iterator[Row]:
    for one in () if r.group_store is None else r.group_store.chains:
        yield row(f"&levels_{r.index}[{one.first_level}]", unsigned(one.count))


def _groups(basic: BasicData, r: EmittedReleaser) -> Iterator[Part]:
    for one in () if r.group_store is None else r.group_store.groups:
        numbers = (one.first_stamp, int(one.from_end), one.counts, one.hops)
        yield part(
            "HRLI_LINE_GROUP",
            *map(unsigned, numbers),
            *one.period.fraction,
            *_list(basic, r, one.list),
            comment=one.text,
        )


def _list(basic: BasicData, r: EmittedReleaser, parts: PartList) -> tuple[Value, Value]:
    """Returns the lines that a group raises, and its parts."""
    return word(basic.raise_set(parts.raised)), f"&parts_{r.index}[{parts.start}]"


def _made(r: EmittedReleaser) -> Iterator[Part]:
    """Yields the macros that use the arrays."""
    yield from r.dispatcher
    if r.method == "lines" and not r.dispatcher and not r.counted:
        yield part("HRLI_LINE_TABLE", r.index, unsigned(r.table_first))
        if r.mode != "periodic":
            yield part("HRLI_ARM_NEXT_BY", r.index, *r.channel)
    groups = r.group_store
    if groups is None:
        return
    alone, shared, ahead = r.served_lines
    has = (groups.has_parts, shared, groups.has_fractions, groups.has_hops)
    yield part("HRLI_LINE_GROUPS", r.index, alone, ahead, *has)
    first = unsigned(groups.first_stamp)
    if groups.kind == "QUEUE":
        sizes = (len(groups.groups), groups.slots, groups.bits)
        yield part("HRLI_QUEUE", f"store_{r.index}", groups.store.stem, *map(unsigned, sizes))
    elif groups.kind == "GROUPS":
        yield part("HRLI_LINE_GROUP_ARRAY", r.index, first)
    else:
        yield part("HRLI_LINE_CHAINS", r.index, first, unsigned(groups.instant))


def _queues(basic: BasicData, queues_of_threads: Collection[str]) -> Iterator[Part]:
    for queue in basic.queues:
        if queue not in queues_of_threads:
            yield part("HRLI_QUEUE_CALLS", queue)
        yield part("HRLI_LINE_QUEUE", queue)


def basic_prepare(basic: BasicData) -> Iterator[Part | str]:
    """Yields the steps before the clock starts: they enable the interrupts of lines and cells."""
    if basic.reported:
        yield "HRLI_ENABLE_OVERRUNS"
    for line in basic.lines:
        if line.handler is not None:
            yield part("HRLI_ENABLE_LINE", line.number, unsigned(line.level))
    if basic.doorbell is not None:
        yield part("HRLI_ENABLE_LINE", basic.doorbell.number, "1u")
    for r in basic.releasers:
        if r.method == "none" and not (basic.entered or r.counted):
            yield part("HRLI_FIRST_DUE", r.index, unsigned(r.first_stamp))
        elif r.group_store is not None and r.group_store.kind == "QUEUE":
            yield part("HRLI_PREPARE_LINE_QUEUE", r.index, r.group_store.store.stem)
        if not r.is_clocks:
            yield prepare_cell(r.channel, r.level)
    for cell in () if basic.deadlines is None else basic.deadlines.cells:
        if not cell.is_clocks and not cell.counts_budgets:
            yield prepare_cell(cell.channel, cell.level)
    for counting in () if basic.budgets is None else basic.budgets.cells:
        yield prepare_cell(counting.channel, counting.level)
        if counting.task is not None:
            counts = unsigned(counting.counts)
            of = (unsigned(counting.group), basic.line_of(counting.task), counts)
            yield part("HRLI_PREPARE_OWN_BUDGET", *counting.channel, *of)


def basic_start(basic: BasicData) -> Iterator[Part | str]:
    """Yields the steps after the clock's start, which sets the priority of a line that it shares."""
    for r in basic.releasers:
        if r.is_clocks:
            yield prepare_cell(r.channel, r.level)
    for cell in () if basic.deadlines is None else basic.deadlines.cells:
        if cell.is_clocks:
            yield prepare_cell(cell.channel, cell.level)
        if cell.starts is not None:
            yield cell.starts
    for r in basic.releasers:
        if r.dispatcher:
            yield from () if r.starts is None else (r.starts,)
        elif r.steps and not r.counted:
            yield part("HRLI_START_STEPPED", r.index)
        elif r.gaps:
            yield part("HRLI_START_ONE_SHOT", *r.channel, unsigned(r.first_stamp))
        elif r.mode == "periodic":
            counts = (r.first_stamp, r.cell_period)
            yield part("HRLI_START_PERIODIC", *r.channel, *map(unsigned, counts))
        elif r.group_store is not None:
            first = unsigned(r.group_store.first_stamp)
            yield part("HRLI_START_ONE_SHOT_GROUPS", *r.channel, first, word(r.group_store.reach))
        else:
            yield part("HRLI_START_ONE_SHOT", *r.channel, unsigned(r.table_first))


def prepare_cell(channel: tuple[str, str], level: int | None) -> Part:
    """Returns the step that prepares a cell, at a level where a controller has levels."""
    if level is None:
        return part("HRLI_PREPARE_CELL", *channel)
    return part("HRLI_PREPARE_CELL_AT", *channel, unsigned(level))
