# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[server]] tables, each a thread that time releases, and the aperiodic tasks that they serve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from horolog.model import (
    AperiodicServer,
    Board,
    HorologError,
    Kind,
    Overrun,
    ServerKind,
    Sporadic,
    Task,
)
from horolog.read.activated import Activators, by_task, task_problems
from horolog.read.cores import one_core
from horolog.read.document import Document
from horolog.read.entries import Entry, in_file_order
from horolog.read.problems import listed, suggestion
from horolog.read.schema import ServerTable, SystemFile, TaskTable
from horolog.read.stacks import stack_of
from horolog.read.units import duration_text
from horolog.read.untimed import (
    activation_of,
    activation_problems,
    name_problems,
    wcet_of,
    work_problems,
)

__all__ = ["aperiodic_of", "aperiodic_problems", "server_problems", "with_servers"]

_FOREIGN = ("period", "min_gap", "offset", "jitter", "activations", "share", "priority")
"""Keys of tasks that have releases, a least gap or a priority of their own."""


def _tasks_of(file: SystemFile, server: str) -> list[TaskTable]:
    return [table for table in file.task if table.server == server]


def with_servers(
    document: Document, file: SystemFile, entries: Sequence[Entry], board: Board
) -> list[Entry]:
    """`entries`, and one for each [[server]], a thread: the jobs that it may run are one job of that."""
    found = [*entries]
    for index, server in enumerate(file.server):
        loc = ("server", index)
        served = _tasks_of(file, server.name)[:1]
        each = wcet_of(served[0], board) if served else None
        table = TaskTable.model_construct(
            name=server.name,
            period=server.period,
            deadline=server.deadline,
            priority=server.priority,
            body=f"hrl_gen_serve_{server.name}",  # kernel/assemble/polling_server.h and deferrable_server.h
            wcet=None if each is None else server.jobs * each,
            stack=served[0].stack if served and server.kind == ServerKind.POLLING.value else None,
            waits=served[0].waits if served and served[0].work is None else False,
            share="never",
            offset=server.offset or Fraction(0),
            core=one_core(served[0]) if served else None,
        )
        keys = ((server.period, (*loc, "period")),)
        members = ((server.name, server.period),)
        found.append(Entry(document, loc, table, members, keys, Kind.THREAD))
    return in_file_order(found)


def server_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    """Servers of no task or of several, and capacities that no period holds."""
    for index, server in enumerate(file.server):
        place = document.place("server", index)
        served = _tasks_of(file, server.name)
        if len(served) != 1:
            names = listed([f'"{one.name}"' for one in served], last="and")
            yield HorologError(
                f'the server "{server.name}" serves {"several tasks" if served else "no task"}',
                place=place,
                found=names or f'no task with server = "{server.name}"',
                expected="one task; a server for each"
                if served
                else f'server = "{server.name}" in one [[task]] in place of its period',
            )
        if file.system.releases is not None:
            yield HorologError(
                f'the server "{server.name}" has releases without an end',
                place=document.place("system", "releases"),
                found=f"releases = {file.system.releases}",
                expected="no releases in [system], or no server",
            )
        if server.deadline is not None and server.deadline > server.period:
            yield HorologError(
                f'the server "{server.name}" has a deadline above its period',
                place=document.place("server", index, "deadline"),
                found=f"{duration_text(server.deadline)}, with a period of {duration_text(server.period)}",
                expected=f"at most {duration_text(server.period)}",
            )
        if server.offset is not None and server.offset > server.period:
            yield HorologError(
                f'the server "{server.name}" is first released after more than a period',
                place=document.place("server", index, "offset"),
                found=f"{duration_text(server.offset)}, with a period of {duration_text(server.period)}",
                expected=f"at most {duration_text(server.period)}: an activation waits for no longer",
            )
        each = wcet_of(served[0], board) if len(served) == 1 else None
        if each is not None:
            yield from _capacity_problems(document, index, server, each)


def _capacity_problems(
    document: Document, index: int, server: ServerTable, each: Fraction
) -> Iterator[HorologError]:
    limit = min(server.period, server.deadline or server.period)
    if server.jobs * each <= limit:
        return
    fits = limit // each
    yield HorologError(
        f'the jobs of the server "{server.name}" take longer than its '
        + ("period" if limit == server.period else "deadline"),
        place=document.place("server", index, "jobs"),
        found=f"{server.jobs} of {duration_text(each)} in {duration_text(limit)}",
        expected=f"at most jobs = {fits}, or a longer period" if fits else "a longer period",
    )


def _least_pending(server: ServerTable) -> int:
    return 1 if server.kind == ServerKind.POLLING.value else 2


def aperiodic_problems(
    document: Document,
    file: SystemFile,
    board: Board,
    sources: Sequence[Path],
    names: Sequence[str],
    known: Activators,
) -> Iterator[HorologError]:
    """What is wrong with each task that has a server. `names`: those of all other tasks, groups, servers."""
    taken = set(names)
    yield from _chain_problems(document, file)
    for index, table in enumerate(file.task):
        if table.server is None:
            if table.pending is not None:
                yield HorologError(
                    f'the task "{table.name}" has no server for which activations wait',
                    place=document.place("task", index, "pending"),
                    found=f"pending = {table.pending}",
                    expected='server = "NAME" in place of the period, or no pending',
                )
            continue
        yield from _server_problems(document, file, index, table, taken)
        taken.add(table.name)
        yield from _key_problems(document, index, table)
        yield from work_problems(document, file, index, table, sources)
        yield from _deadline_problems(document, index, table, board)
        if by_task(table) is None:
            yield from activation_problems(document, file, index, table)
        yield from task_problems(document, index, table, known)


def _chain_problems(document: Document, file: SystemFile) -> Iterator[HorologError]:
    """Chains through aperiodic tasks."""
    aperiodic = {table.name: table.server for table in file.task if table.server is not None}
    for index, chain in enumerate(file.chain):
        for at, name in enumerate(chain.tasks):
            if name in aperiodic:
                yield HorologError(
                    f'the aperiodic task "{name}" is in no chain',
                    place=document.place("chain", index, "tasks", at),
                    found=f'"{name}", with server = "{aperiodic[name]}"',
                    expected="tasks with a period or min_gap",
                )


def _server_problems(
    document: Document, file: SystemFile, index: int, table: TaskTable, taken: set[str]
) -> Iterator[HorologError]:
    servers = [one.name for one in file.server]
    if table.server not in servers:
        yield HorologError(
            f'there is no server "{table.server}"{suggestion(table.server or "", servers)}',
            place=document.place("task", index, "server"),
            found=f'"{table.server}"',
            expected=listed([f'"{one}"' for one in servers])
            or f'a [[server]] with name = "{table.server}", kind, period and jobs',
        )
    elif table.pending is not None:
        least = _least_pending(file.server[servers.index(table.server)])
        if table.pending < least:
            yield HorologError(
                f'"{table.name}" has a deferrable server: with the job that runs, two may be unfinished',
                place=document.place("task", index, "pending"),
                found=f"pending = {table.pending}",
                expected=f"pending = {least} or more",
            )
    names_in_c = "its semaphore is activate_NAME"
    yield from name_problems(document, index, table, taken, "aperiodic task", names_in_c)


def _key_problems(document: Document, index: int, table: TaskTable) -> Iterator[HorologError]:
    for key in _FOREIGN:
        if getattr(table, key) is not None:
            yield HorologError(
                f'the aperiodic task "{table.name}" has no {key}',
                place=document.place("task", index, key),
                found=f'{key}, with server = "{table.server}"',
                expected=f"no {key}"
                + (", which is the server's" if key in ("period", "priority") else "")
                + ", or no server",
            )
    if table.kind != "thread" or table.overrun != "skip" or table.terminates:
        yield HorologError(
            f'the thread of the server "{table.server}" runs the jobs of "{table.name}"',
            place=document.place("task", index),
            found=f'kind = "{table.kind}", overrun = "{table.overrun}"'
            + (", terminates = true" if table.terminates else ""),
            expected='kind = "thread" and overrun = "skip", the defaults',
        )


def _deadline_problems(
    document: Document, index: int, table: TaskTable, board: Board
) -> Iterator[HorologError]:
    wcet = wcet_of(table, board)
    if table.deadline is not None and wcet is not None and wcet > table.deadline:
        yield HorologError(
            f'a job of "{table.name}" is longer than its deadline',
            place=document.place("task", index, "wcet" if table.wcet is not None else "work"),
            found=f"{duration_text(wcet)}, of {duration_text(table.deadline)}",
            expected=f"at most {duration_text(table.deadline)}",
        )


def aperiodic_of(
    document: Document,
    file: SystemFile,
    board: Board,
    known: Activators,
    numbers: dict[str, int],
) -> tuple[Sporadic, ...]:
    """The aperiodic tasks of a file without problems; `numbers`: the threads of servers, in System.tasks."""
    servers = {one.name: one for one in file.server}
    found = []
    for index, table in enumerate(file.task):
        if table.server is None:
            continue
        server = servers[table.server]
        serving = AperiodicServer(
            server.name, ServerKind(server.kind), numbers[server.name], server.jobs
        )
        pending = table.pending or max(server.jobs, _least_pending(server))
        waits = -(-pending // server.jobs) * server.period
        task = Task(
            name=table.name,
            period=server.period,
            offset=Fraction(0),
            deadline=table.deadline or waits + (server.deadline or server.period),
            wcet=wcet_of(table, board),
            body=table.body,
            work=table.work,
            stack=stack_of(table, board),
            overrun=Overrun.SKIP,
            kind=Kind.THREAD,
            priority=server.priority,
            place=document.place("task", index),
            may_wait=table.work is None and table.waits is not False,
        )
        interrupt, after = activation_of(file, table, known)
        # The thread of a deferrable server's task has taken one, and the others wait in the semaphore.
        limit = pending + 1 - _least_pending(server)
        found.append(Sporadic(task, interrupt, after, limit, serving))
    return tuple(found)
