# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How a system starts: what is defined for that, its preparation, and the program's main function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from horolog.analyse import all_levels
from horolog.emit.basic_data import BasicData, EmittedReleaser
from horolog.emit.basic_parts import (
    basic_prepare,
    basic_start,
    prepare_cell,
)
from horolog.emit.cell_schedules import (
    ScheduleCell,
    schedule_parts,
    schedule_prepare,
)
from horolog.emit.parts import Part, part, unsigned
from horolog.emit.schedule_tables import Schedules
from horolog.emit.thread_parts import Driven, ThreadParts
from horolog.model import (
    AperiodicServer,
    MutexKind,
    Plan,
    Sporadic,
    System,
)

__all__ = ["before_cores", "releasers_of", "schedules_in_cells", "spinlocks", "start_up"]


def before_cores(system: System) -> tuple[str, ...]:
    """Returns what core 0 does before all cores start, on one line, if it does anything."""
    does = _call_of_start(system)
    does += [part("HRLI_START_GLOBAL", at) for at, one in enumerate(system.tasks) if one.affinity]
    return (" ".join(map(str, does)),) if does else ()


def releasers_of(
    basic: BasicData | None, threads: ThreadParts | None
) -> tuple[Driven | EmittedReleaser, ...]:
    """Returns the releasers of threads, then those of basic tasks."""
    own: tuple[Driven | EmittedReleaser, ...] = () if threads is None else threads.releasers
    return own if basic is None else (*own, *basic.releasers)


def schedules_in_cells(system: System, cells: Sequence[ScheduleCell]) -> Iterable[Part | str]:
    """Yields the tables in timer cells; what threads wait for is defined behind them."""
    by_cell = {one.thread for one in cells}
    for one in system.sporadic:
        if one.task.name in by_cell:
            yield part("HRLI_ACTIVATED_BY_CELL", one.task.name)
    yield from schedule_parts(system)


def start_up(
    system: System,
    plan: Plan,
    basic: BasicData | None,
    threads: ThreadParts | None,
    scheduled: Sequence[ScheduleCell],
    tables: Schedules | None,
    jobs: Sequence[int],
    *,
    with_main: bool,
) -> Iterable[Part | str]:
    """Yields the system's description, its preparation, and the program's main function.

    Without that, of one of several cores, it prepares what main would before the start. `jobs`: the numbers
    of jobs and handlers in names.
    """
    begin, behind = _before_start(system, tables), len(system.tasks) + len(system.interrupts)
    for mutex in system.resources:
        if mutex.mutex is MutexKind.INHERITANCE:
            yield f"{part('HRL_MUTEX_DEFINE', mutex.name)};"
        elif mutex.mutex is MutexKind.CEILING:
            most = max(all_levels(system)[task] for task in mutex.tasks)
            yield f"{part('HRL_MUTEX_DEFINE_CEILING', mutex.name, unsigned(most))};"
    if with_main:
        yield from spinlocks(system)
    for local, extra in enumerate(system.sporadic, behind):
        index, task = jobs[local], extra.task
        if extra.server is not None:
            yield from _server(system, index, extra, extra.server)
            continue
        if extra.is_basic:
            continue  # a line has it
        yield part("HRLI_STACK", index, task.stack)
        level = all_levels(system)[local - len(system.interrupts)]
        of = (index, task.name, unsigned(level))
        if extra.message is not None:
            size = unsigned(extra.message)
            yield part("HRLI_SPORADIC_MESSAGE", *of, size, unsigned(extra.limit))
        elif extra.limit == 1:
            by_cell = any(one.thread == task.name for one in scheduled)
            yield part("HRLI_SPORADIC_BY_CELL" if by_cell else "HRLI_SPORADIC", *of)
        else:
            yield part("HRLI_SPORADIC_QUEUED", *of, unsigned(extra.limit))
    for index in range(len(system.interrupts)):
        gives: list[Part | str] = [
            part("HRLI_ACTIVATE_BASIC" if one.is_basic else "HRLI_ACTIVATE", one.task.name)
            for one in system.sporadic
            if one.interrupt == index
        ]
        macro = "HRLI_INTERRUPT_AND" if gives else "HRLI_INTERRUPT"
        if basic is not None and basic.pauses(None):
            macro, gives = "HRLI_PAUSING_INTERRUPT", gives or [";"]
        yield part(macro, index, jobs[len(system.tasks) + index], body=gives)
    if threads is None:
        assert basic is not None
        yield part(
            "HRLI_BASIC_PREPARE", body=(*basic_prepare(basic), *schedule_prepare(system, scheduled))
        )
        yield part("HRLI_BASIC_START", body=basic_start(basic))
        yield part("HRLI_MAIN", *begin)
        return
    enrolment = "hrli_enrolment"
    servers: tuple[Part, ...] = ()
    if basic is not None:
        with_own = bool(threads.releasers)
        yield part(
            "HRLI_PREPARE_ALL",
            body=(*(["HRLI_PREPARE_THREADS"] if with_own else []), *basic_prepare(basic)),
        )
        clocks = (prepare_cell(r.channel, r.level) for r in threads.releasers if r.is_clocks)
        last = ["HRLI_START_THREADS"] if with_own else []
        yield part("HRLI_START_ALL", body=(*clocks, *basic_start(basic), *last))
        enrolment = "enrolment"
        servers = tuple(part("HRLI_PREPARE_SERVER", one.level) for one in basic.servers)
    yield threads.system(enrolment)
    prepare = [*threads.prepare(), *schedule_prepare(system, scheduled)]
    prepare += [] if tables is None else tables.prepare
    prepare += [] if with_main else _own_starts(system, jobs)
    yield part("HRLI_PREPARE", body=(*servers, *prepare))
    if system.board.port.is_process:
        yield from _process(system, plan, basic, threads, begin)
        return
    if threads.threads:
        yield "HRLI_LAYOUT"
    if with_main:
        yield part("HRLI_MAIN", *begin)


def spinlocks(system: System) -> Iterable[str]:
    """Yields the locks of resources for which cores spin: the last ones of the board, in their order.

    So an application has those with numbers from 1 on.
    """
    spun = [one for one in system.resources if one.spin]
    first = 1 + max(0, system.board.port.spinlocks - len(spun))
    for number, one in enumerate(spun, first):
        yield f"{part('HRL_SPINLOCK_DEFINE', one.name, number)};"


def _server(system: System, index: int, extra: Sporadic, server: AperiodicServer) -> Iterable[Part]:
    """Yields an aperiodic server and its task, number `index`."""
    of, jobs, most = (
        (server.name, index, extra.task.name),
        unsigned(server.jobs),
        unsigned(extra.limit),
    )
    if server.polls:
        yield part("HRLI_POLLING_SERVER", *of, jobs, most)
        return
    yield part("HRLI_STACK", index, extra.task.stack)
    level = unsigned(all_levels(system)[server.task])
    yield part("HRLI_DEFERRABLE_SERVER", *of, level, jobs, most)


def _before_start(system: System, schedules: Schedules | None) -> tuple[str, ...]:
    """Returns what the program does before it starts the kernel, on one line, if it does anything."""
    jobs = range(len(system.all_tasks) + len(system.interrupts))
    does = [*_call_of_start(system), *_own_starts(system, jobs)]
    does += [] if schedules is None else schedules.before
    return (" ".join(map(str, does)),) if does else ()


def _own_starts(system: System, jobs: Sequence[int]) -> list[Part]:
    """Returns what starts the threads of sporadic tasks, and attaches the application's handlers."""
    starts = [
        part("HRLI_START_SPORADIC", jobs[at])
        for at, one in enumerate(system.sporadic, len(system.tasks) + len(system.interrupts))
        if one.has_thread
    ]
    return starts + [
        part("HRLI_ATTACH", index, unsigned(one.line), unsigned(one.priority))
        for index, one in enumerate(system.interrupts)
    ]


def _call_of_start(system: System) -> list[Part]:
    """Returns the calls of C++'s constructors and of the application's function, if there are any."""
    own_vectors = system.board.port.own_vectors if system.build.own_vectors else None
    calls = [] if own_vectors is None else [own_vectors.begin]
    calls += ["hrl_gen_construct"] if system.constructs else []
    calls += [] if system.start is None else [system.start]
    return [part("HRLI_CALL", call) for call in calls]


def _process(
    system: System,
    plan: Plan,
    basic: BasicData | None,
    threads: ThreadParts,
    begin: Sequence[str],
) -> Iterable[Part]:
    """Yields a process, which says itself what is observed of it."""
    observed = {one.index: one.observed for one in releasers_of(basic, threads)}
    yield part("HRLP_PROCESS_RELEASERS", *(f"&{observed[at]}" for at in range(len(plan.releasers))))
    yield part("HRLP_PROCESS_THREADS", *([one.index for one in threads.threads] or [0]))
    watched = len(system.all_tasks) + len(system.interrupts)
    counts = (unsigned(number) for number in (len(threads.threads), watched))
    described = [
        part(
            "HRLP_PROCESS_ROUNDS",
            at,
            "&hrl_gen_dispatcher.begin",
            "&hrl_gen_dispatcher.row",
            f"hrl_gen_rows_{at}",
        )
        for at, releaser in enumerate(plan.releasers)
        if releaser.dispatches
    ]
    begin = (" ".join(map(str, [*described, *begin])),) if described else begin
    array = "&hrl_gen_threads[0].waiter" if threads.threads else "NULL"
    yield part("HRLP_PROCESS_MAIN", array, "sizeof(struct hrli_periodic_thread)", *counts, *begin)
