# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads system.toml into a System: whole, valid, defaults filled in; or says all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path

from horolog.figures import plural, significant
from horolog.model import Board, Exit, HorologError, Kind, PriorityRule, System, timeouts_on
from horolog.read.activated import activators, by_task
from horolog.read.activated_cores import (
    activated_core_problems,
    elsewhere_problems,
    with_activated_cores,
)
from horolog.read.aperiodic import (
    aperiodic_of,
    aperiodic_problems,
    server_problems,
    with_servers,
)
from horolog.read.basic import basic_problems, level_problems
from horolog.read.boards import read_board
from horolog.read.budgets import budget_problems, has_budgets, order_problems
from horolog.read.build_options import build_options_of
from horolog.read.c_names import c_name_problems
from horolog.read.cell_needs import cell_needs_problems
from horolog.read.cell_schedules import cell_schedules, schedule_cells
from horolog.read.cells import (
    cell_problems,
    cell_time_problems,
    timeouts_cell,
)
from horolog.read.chains import chain_problems, chains
from horolog.read.core_budgets import core_budget_problems
from horolog.read.core_tables import core_table_problems, given_on_core, of_table_core
from horolog.read.cores import (
    cell_share_problems,
    core_problems,
    cores_of,
    global_problems,
    lent_cells,
    overload_of_cores,
    timeouts_problems,
)
from horolog.read.dispatch_tables import (
    dispatcher_tables,
    monitoring_problems,
    table_level_problems,
    with_tables,
)
from horolog.read.document import Document, read_document
from horolog.read.entries import (
    Entry,
    entries_of,
    name_problems,
    named,
    sharing_problems,
    tasks_of,
)
from horolog.read.guard_cells import GivenCells, given_cells
from horolog.read.interrupts import interrupt_problems, interrupts_of, without_lines
from horolog.read.nearest import with_what_fits
from horolog.read.own_vectors import own_vectors_problems, with_own_vectors
from horolog.read.ports import guard_problems
from horolog.read.prescalers import prescaler_problems, with_fixed_prescalers
from horolog.read.problems import listed, raise_all
from horolog.read.resources import (
    ceiling_problems,
    hold_problems,
    resource_problems,
    resources,
    shared_problems,
    waiting_problems,
)
from horolog.read.schedule_tables import split_tables, with_schedules
from horolog.read.schema import SystemFile
from horolog.read.sources import (
    body_or_work_problems,
    body_problems,
    portable_problems,
    sources_of,
    start_problems,
)
from horolog.read.sporadic import (
    lonely_problems,
    release_problems,
    sporadic_of,
    sporadic_priorities,
    sporadic_problems,
)
from horolog.read.stacks import stack_problems
from horolog.read.units import duration_text
from horolog.read.validation import validate

__all__ = ["read_system", "system_of"]


def read_system(
    path: Path, *, board: str | None = None, kind: Kind | None = None, cmake: bool = False
) -> System:
    """The system that `path` describes; `board` (a name, or a path from here) replaces its own.

    `kind` replaces that of every task. `cmake`: a CMake target has the sources, whether `path` says so or
    not. The cells that a description names are its own board's; another board lends as many of its cells, in
    its order.

    Raises HorologError: the first stage that finds anything wrong (syntax, then keys and values,
    then what they mean together) reports all that it finds; a utilisation above 1, or
    of 1 where the kernel takes time, has Exit.DOES_NOT_HOLD.
    """
    return system_of(read_document(path), path, board=board, kind=kind, cmake=cmake)


def system_of(
    document: Document,
    path: Path,
    *,
    board: str | None = None,
    kind: Kind | None = None,
    cmake: bool = False,
) -> System:
    """The system that `document` describes, as read_system; `path` is where it is, or would be."""
    read = partial(_system_of, path=path, board=board, kind=kind, cmake=cmake)
    try:
        return read(document)
    except HorologError as error:
        raise with_what_fits(error, document, read) from None


def _system_of(
    document: Document, path: Path, board: str | None, kind: Kind | None, cmake: bool
) -> System:
    document, schedules = split_tables(document)
    file = validate(SystemFile, document)
    if cmake:
        file = file.model_copy(update={"build": file.build.model_copy(update={"cmake": True})})
    own = _board(document, file, path, None)
    raise_all(prescaler_problems(document, file, own))
    target = own if board is None else _board(document, file, path, board)
    raise_all(own_vectors_problems(document, file, target))
    own, target = (
        with_own_vectors(with_fixed_prescalers(one, file, own), file) for one in (own, target)
    )
    file, scheduled = with_schedules(document, schedules, file, (own, target))
    file, tabled = with_tables(document, file, target)
    sources, problems = sources_of(document, file, path)
    build, wrong = build_options_of(document, file, path, sources)
    problems += wrong
    problems += scheduled.event_problems(sources, others=build.by_project)
    problems += cell_problems(document, file, own)
    entries, grouping = entries_of(document, file, kind, tabled.levels)
    problems += grouping
    problems += body_problems(file, entries, sources)
    entries = with_servers(document, file, entries, target)
    servers = {entry.table.name for entry in entries if entry.is_server}
    problems += name_problems(entries)
    problems += stack_problems(document, file, own)
    cores = cores_of(file, target)
    problems += core_problems(document, file, entries, target)
    problems += core_table_problems(document, schedules, file, cores, target)
    problems += activated_core_problems(document, file, cores, target)
    problems += server_problems(document, file, target)
    aperiodic = [table.name for table in file.task if table.server is not None]
    rule = PriorityRule(file.system.priorities)
    problems += start_problems(document, file, sources)
    problems += portable_problems(document, file, sources, path)
    problems += basic_problems(document, file, entries)
    problems += sharing_problems(entries)
    all_named = named(entries)
    tasks_by_name = {name: of for name, of in all_named.items() if name not in servers}
    known = activators(file, entries, target)
    behind = sum(len(entry.members) for entry in entries)
    users = tasks_by_name | {name: [at] for at, name in enumerate(known.tables, behind)}
    problems += resource_problems(document, file, users, aperiodic)
    problems += c_name_problems(document, file, kind)
    problems += chain_problems(document, file, tasks_by_name, known)
    problems += release_problems(document, file)
    problems += sporadic_problems(
        document, file, target, sources, list(all_named), known, kind, scheduled.arrivals
    )
    names = [*all_named, *known.tables]
    problems += aperiodic_problems(document, file, target, sources, names, known)
    timeouts, wrong = timeouts_cell(document, file, own, target)
    problems += wrong
    problems += guard_problems(document, file, target)
    problems += interrupt_problems(document, file, own, target, sources)
    cells = file.system.cells or [cell.name for cell in own.cells if cell.name != timeouts]
    if target.name != own.name:
        lent = [cell.name for cell in target.cells if cell.name != timeouts][: len(cells)]
        cells = lent if target.cores == 1 else lent_cells(len(cells), cores.count, target)
    elif target.cores > 1:
        problems += timeouts_problems(document, file.system.cells or (), timeouts, target)
        usable = {one.name for core in range(cores.count) for one in target.cells_of(core)}
        cells = [name for name in cells if name in usable]
    if target.cores > 1:
        of_timeouts = timeouts_on(target, timeouts)
        cells = [name for name in cells if name not in of_timeouts]
    problems += cell_share_problems(document, cells, cores.count, target)
    taken = {timeouts, *(cells if file.system.cells else ())}
    groups, wrong = schedule_cells(scheduled, file, (own, target), {one for one in taken if one})
    problems += wrong
    cells = [name for name in cells if not any(name in group.names for group in groups)]
    problems += monitoring_problems(document, file, target)
    problems += budget_problems(document, file, entries, target)
    given = GivenCells(tuple(cells))
    on = of_table_core(file, entries, (own, target), cores, timeouts)
    if on is not None:
        given = given_on_core(document, on, cells)
        problems += given.problems
    else:
        too_few = [*cell_needs_problems(document, file, entries, (own, target), cells)]
        problems += too_few
        if not too_few and target.cores == 1:
            given = given_cells(document, file, entries, (own, target), cells, len(groups))
            problems += given.problems
    for entry in entries:
        if not entry.is_server:  # what it runs is another entry's
            problems += body_or_work_problems(entry)
            problems += _time_problems(entry, target)
            problems += _activating_problems(entry, [*map(by_task, known.tables.values())])
        problems += cell_time_problems(entry, file, target, given.cells)
        problems += _priority_problems(entry, rule, target)
    untabled = [entry for entry in entries if entry.table_level is None]
    sporadic = [*sporadic_priorities(document, file, kind)]
    above = "the interrupt of budgets" if has_budgets(file) else None
    if above is None and scheduled.needs_level(file, target, kind):
        above = "the interrupt of schedule tables"
    problems += level_problems(untabled, rule, target, sporadic, tabled.needed, above)
    there = untabled if on is None else [one for one in on.entries if one.table_level is None]
    basic = [entry for entry in there if entry.kind is Kind.BASIC]
    others = bool(basic) or any(own is Kind.BASIC for own, _, _ in sporadic)
    problems += table_level_problems(
        document, file if on is None else on.file, tabled, target, others=others
    )
    raise_all(problems)
    interrupts = interrupts_of(document, file, own, target)
    shared = resources(document, file, users)
    of_mutexes = {at for one in shared if one.mutex is not None for at in one.tasks}
    tasks = [
        replace(
            task,
            core=cores.of(entry, target),
            affinity=cores.affinity(entry, target),
            shares=task.shares and not cores.affinity(entry, target),
        )
        for entry in entries
        for task in tasks_of(entry, target, file.system.share)
    ]
    sporadic_tasks = (
        *scheduled.sporadic(
            sporadic_of(document, file, target, known, kind, scheduled.activated_by_cells)
        ),
        *aperiodic_of(
            document, file, target, known, {name: all_named[name][0] for name in servers}
        ),
    )
    numbers = {one.task.name: at for at, one in enumerate(sporadic_tasks, len(tasks))}
    system = System(
        name=file.system.name,
        path=path,
        board=without_lines(target, interrupts),
        cells=given.cells,
        duration=file.system.duration,
        priorities=rule,
        sources=tuple(sources),
        tasks=tuple(
            replace(
                task,
                shares=task.shares and at not in of_mutexes,
                monitored=task.name in tabled.monitored,
                points=tabled.points.get(task.name, ()),
                dormant=task.name in tabled.dormant,
            )
            for at, task in enumerate(tasks)
        ),
        cores=target.cores,
        cores_with_tasks=cores.count,
        timeouts=timeouts,
        start=file.system.start,
        portable=file.system.portable,
        build=build,
        releases=file.system.releases,
        objective=file.system.objective,
        table_bytes=target.most_table_bytes
        if file.system.table_bytes is None
        else file.system.table_bytes,
        resources=shared,
        guard=file.system.guard,
        interrupts=interrupts,
        chains=chains(document, file, tasks_by_name, known),
        control=given.control,
        tables=dispatcher_tables(
            document, file, {name: at[0] for name, at in all_named.items()}, given.deadlines
        ),
        cell_schedules=cell_schedules(scheduled, groups, numbers),
        budget_cells=given.budgets,
        sporadic=sporadic_tasks,
        counters=scheduled.counters,
        schedules=scheduled.numbered(sporadic_tasks, sources, others=build.by_project),
    )
    if system.cores > 1:
        system = with_activated_cores(system, file, cores)
    raise_all(
        [
            *ceiling_problems(system),
            *elsewhere_problems(document, file, system),
            *hold_problems(document, system),
            *waiting_problems(document, system),
            *shared_problems(system),
            *lonely_problems(system),
            *(order_problems(system) if system.cores == 1 else ()),
            *core_budget_problems(document, file, system),
            *global_problems(document, file, system),
        ]
    )
    if system.cores > 1:
        raise_all([one for one in [overload_of_cores(document, system)] if one is not None])
    else:
        _refuse_overload(document, system)
    return system


def _board(document: Document, file: SystemFile, path: Path, override: str | None) -> Board:
    if override is not None:
        return read_board(override)
    place = document.place("system", "board")
    return read_board(file.system.board, relative_to=path.parent, place=place)


def _time_problems(entry: Entry, board: Board) -> Iterator[HorologError]:
    """Compares WCET, deadline and period. A group has one error, for its shortest period."""
    if not entry.members:
        return
    yield from _bound_problems(entry)
    least = entry.least_period(board)
    period = min(period for _, period in entry.members) if least is None else least
    table = entry.table
    deadline = table.deadline
    if deadline is not None and deadline > period:
        yield from _long_deadline_problems(entry, deadline, period)
    wcet = table.wcet or entry.work_time(board)
    if wcet is None:
        return
    key = "wcet" if table.wcet is not None else "work"
    what = "the WCET" if table.wcet is not None else f"the time that {table.work} turns take"
    limit, named = period, "period" if entry.table_level is None else "time to its next point"
    if deadline is not None and deadline < period:
        limit, named = deadline, "deadline"
    if wcet > limit:
        yield entry.error(
            f"{what} is above the {named}",
            key,
            found=f"{duration_text(wcet)}, with a {named} of {duration_text(limit)}",
            expected=f"at most {duration_text(limit)}",
        )
    elif table.jitter and wcet + table.jitter > limit:
        yield entry.error(
            f"the jitter and {what} together are above the {named}",
            "jitter",
            found=f"{duration_text(table.jitter)}, with {duration_text(wcet)} of {duration_text(limit)}",
            expected=f"at most {duration_text(limit - wcet)}: responses count from the nominal release",
        )


def _long_deadline_problems(
    entry: Entry, deadline: Fraction, period: Fraction
) -> Iterator[HorologError]:
    """Such a deadline lets a job be released while earlier ones are unfinished: none may be skipped."""
    table, most = entry.table, ceil(deadline / period)
    found = f"{duration_text(deadline)}, with a period of {duration_text(period)}"
    if entry.may_shorten is not None:
        yield entry.error(
            "a deadline above a period that may be shorter",
            "deadline",
            found=found,
            expected=f"at most {duration_text(period)}, or a fixed period",
        )
    elif entry.kind is Kind.THREAD and table.overrun != "queue":
        yield entry.error(
            "a deadline above the period needs releases that wait while a job is unfinished",
            "deadline",
            found=f'{found}, and overrun = "{table.overrun}"',
            expected=f'overrun = "queue", or a deadline of at most {duration_text(period)}',
        )
    elif entry.kind is Kind.BASIC and table.overrun != "queue" and (table.activations or 1) < most:
        yield entry.error(
            "a deadline above the period needs releases that wait while a job is unfinished",
            "deadline",
            found=f"{found}, and activations = {table.activations or 1}",
            expected=f"activations = {most} or more, or a deadline of at most {duration_text(period)}",
        )


def _activating_problems(entry: Entry, activating: Sequence[str | None]) -> Iterator[HorologError]:
    """Jobs that wait for each other may end closer together than the tasks that they activate allow."""
    deadline = entry.table.deadline
    for name, period in entry.members:
        if name in activating and deadline is not None and deadline > period:
            yield entry.error(
                f'"{name}" activates a task, and has a deadline above its period',
                "deadline",
                found=f"{duration_text(deadline)}, with a period of {duration_text(period)}",
                expected=f"at most {duration_text(period)}",
            )


def _bound_problems(entry: Entry) -> Iterator[HorologError]:
    """A period that may not be longer than one, nor shorter than a longer one."""
    bounds = entry.may_shorten
    if bounds is None or bounds.at_least is None or bounds.at_least <= bounds.at_most:
        return
    yield entry.error(
        "the shortest period is above the longest",
        "period",
        "at_least",
        found=f"{duration_text(bounds.at_least)}, with at_most = {duration_text(bounds.at_most)}",
        expected=f"at most {duration_text(bounds.at_most)}",
    )


def _priority_problems(entry: Entry, rule: PriorityRule, board: Board) -> Iterator[HorologError]:
    priority = entry.table.priority
    if entry.table_level is not None:
        return
    if rule is not PriorityRule.EXPLICIT:
        if priority is not None:
            yield entry.error(
                f'priority is given although priorities = "{rule.value}"',
                "priority",
                found=f"priority = {priority}",
                expected='no priority, or priorities = "explicit" in [system]',
            )
    elif priority is None:
        yield entry.error(
            f'{entry.title} has no priority although priorities = "explicit"',
            expected=f"priority = N, 1 to {board.levels}, larger is more urgent",
        )


def _refuse_overload(document: Document, system: System) -> None:
    total = system.utilisation
    counts = system.board.runner.ns_per_step is not None  # else the kernel takes no time
    if total < 1 or (total == 1 and not counts):
        return
    shares = [
        (task.wcet * task.rate, task.name) for task in system.demanding if task.wcet is not None
    ]
    shares += [(one.wcet * one.rate, one.name) for one in system.interrupts]
    shares.sort(reverse=True)
    largest = listed([f"{name} {significant(share)}" for share, name in shares[:3]], last="and")
    exact = f" ({total})" if 1 < total.denominator < 10**6 else ""
    above = "above 1" if total > 1 else "and the kernel needs time, too"
    raise HorologError(
        f"the utilisation is {_above_one(total)}, {above}",
        place=document.place(),
        found=f"a sum of wcet / period of {_above_one(total)}{exact} over {_counted(system)}",
        expected=f"{'at most' if total > 1 else 'below'} 1; the largest shares: {largest}",
        exit=Exit.DOES_NOT_HOLD,
    )


def _counted(system: System) -> str:
    tasks = plural(sum(task.wcet is not None for task in system.demanding), "task")
    handlers = len(system.interrupts)
    return f"{tasks} and {plural(handlers, 'interrupt')}" if handlers else tasks


def _above_one(total: Fraction) -> str:
    text = f"{float(total):.4f}"
    return text if text != "1.0000" else "1" if total == 1 else f"1 + {significant(total - 1)}"
