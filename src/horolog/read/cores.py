# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""On which of several cores tasks run, and what a system of several cores cannot have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import numbered, plural, significant
from horolog.model import Board, Exit, HorologError, Kind, System, parts_of, timeouts_on, undivided
from horolog.read.document import Document, Loc
from horolog.read.entries import Entry
from horolog.read.problems import listed
from horolog.read.schema import GroupTable, SystemFile, TaskTable
from horolog.read.values import AUTO

__all__ = [
    "Cores",
    "cell_share_problems",
    "core_problems",
    "cores_of",
    "entry_problems",
    "global_problems",
    "lent_cells",
    "one_core",
    "overload_of_cores",
    "timeouts_problems",
]

_NOT_YET = "a board of one core, or a later version of Horolog"


@dataclass(frozen=True, slots=True)
class Cores:
    """How many cores have tasks, and the core of what does not say; None: it has to say."""

    count: int
    usual: str | None

    def of(self, entry: Entry, board: Board) -> int | None:
        """The core of an entry's tasks; None: the board has one only, or the plan decides."""
        return None if board.cores == 1 else self.number(one_core(entry.table))

    def affinity(self, entry: Entry, board: Board) -> tuple[int, ...]:
        """The cores that may run an entry's tasks, the one that releases them first; empty: they have one."""
        named = entry.table.cores or ()
        return tuple(named) if board.cores > 1 and len(named) > 1 else ()

    def number(self, core: int | str | None) -> int | None:
        """The core of what says `core`, on a board of several; None: the plan decides."""
        core = self.usual if core is None else core
        return 0 if self.count == 1 else core if isinstance(core, int) else None


def cores_of(file: SystemFile, target: Board) -> Cores:
    """What `file` says of cores. One that says nothing is divided among all by the plan."""
    tables = (*file.task, *file.task_group)
    said = [one.core is None and one.cores is None for one in tables]
    said += [one.core is None for one in file.interrupt]
    silent = file.system.cores is None and all(said)
    count = target.cores if file.system.cores is None else file.system.cores
    return Cores(count, AUTO if silent else file.system.core)


def lent_cells(cells: int, cores: int, target: Board) -> list[str]:
    """What another board lends for so many cells: as many of each of its cores."""
    return [cell.name for core in range(cores) for cell in target.cells_of(core)[:cells]]


def core_problems(
    document: Document, file: SystemFile, entries: Iterable[Entry], target: Board
) -> Iterator[HorologError]:
    """Cores that there are not, tasks that do not say where they run, and what takes one core."""
    cores = cores_of(file, target)
    if cores.count > target.cores:
        yield HorologError(
            f'the board "{target.name}" has {plural(target.cores, "core")}',
            place=document.place("system", "cores"),
            found=f"cores = {cores.count}",
            expected=f"at most {target.cores}"
            if target.cores > 1
            else "1, or no cores; or a board of several cores",
        )
        return
    for entry in entries:
        if not entry.is_server:  # it has the core of its task
            yield from entry_problems(entry, cores)
    if target.cores > 1:
        yield from _unsupported(document, file)
        yield from _spinlock_problems(document, file, target)


def one_core(table: TaskTable | GroupTable) -> int | str | None:
    """What `table` says of its core, AUTO included; of a list with one core, that."""
    return table.cores[0] if table.cores else table.core


def _affinity_problems(entry: Entry) -> Iterator[HorologError]:
    """What is wrong with `cores` of an entry, but for cores that there are not."""
    affinity = entry.table.cores
    if affinity is None:
        return
    said = f"cores = {affinity}"
    if entry.table.core is not None:
        yield entry.error(
            f"{entry.title} has both core and cores", "cores", found=said, expected="one of the two"
        )
    if not affinity:
        yield entry.error(
            f"no core may run {entry.title}",
            "cores",
            found=said,
            expected="the number of a core, such as cores = [0], or no cores",
        )
    elif len({*affinity}) < len(affinity):
        yield entry.error(
            "a core stands there twice", "cores", found=said, expected="each core once"
        )
    elif len(affinity) > 1:
        why = _why_of_one_core(entry)
        if why is not None:
            yield entry.error(why, "cores", found=said, expected=f'one core, or core = "{AUTO}"')


def _why_of_one_core(entry: Entry) -> str | None:
    """Why several cores cannot run the tasks of `entry`, if so."""
    table = entry.table
    if entry.kind is Kind.BASIC:
        return "basic tasks belong to one core, whose controller dispatches them"
    if not entry.members or entry.is_server:
        return "sporadic tasks that several cores may run: not yet supported"
    if table.share == "always":
        return "tasks that share a thread belong to one core, which releases them"
    if table.overrun == "queue":
        return 'overrun = "queue" of tasks that several cores may run: not yet supported'
    return None


def global_problems(document: Document, file: SystemFile, system: System) -> Iterator[HorologError]:
    """What a system with tasks that several cores may run cannot have yet."""
    named = [task for task in system.tasks if task.affinity]
    if not named:
        return
    beside = f'beside "{named[0].name}", which several cores may run'
    open_tasks = [system.task(at) for at in undivided(system)]
    basic = [task for task in system.all_tasks if task.kind is Kind.BASIC]
    for tasks, what, expected in (
        (open_tasks, "tasks that the plan divides", "core = N of every other task"),
        (basic, "basic tasks", 'kind = "thread"'),
        ([one.task for one in system.sporadic], "sporadic tasks", "a period"),
    ):
        for task in tasks[:1]:
            yield HorologError(
                f"{what} {beside}: not yet supported",
                place=task.place,
                found=f'"{task.name}"',
                expected=expected,
            )
    tables: dict[str, tuple[str, int]] = {
        "interrupt": ("interrupts", len(file.interrupt)),
        "chain": ("chains", len(file.chain)),
        "resource": ("resources", len(file.resource)),
        "table": ("tables", len(file.table)),
    }
    for key, (what, count) in tables.items():
        if count:
            yield HorologError(
                f"{what} {beside}: not yet supported",
                place=document.place(key, 0),
                found=f"[[{key}]]",
                expected="one core for each task, or a later version of Horolog",
            )
    if system.timeouts is not None:
        yield HorologError(
            f"a cell for time-outs {beside}: not yet supported",
            place=document.place("system", "timeouts"),
            found=f'timeouts = "{system.timeouts}"',
            expected="no timeouts",
        )
    if system.releases is not None:
        yield HorologError(
            f"a number of jobs {beside}: not yet supported",
            place=document.place("system", "releases"),
            found=f"releases = {system.releases}",
            expected="no releases",
        )


def entry_problems(entry: Entry, cores: Cores) -> Iterator[HorologError]:
    """A core that there is not, an affinity that cannot be, or nothing said where something has to be."""
    core, affinity = one_core(entry.table), entry.table.cores
    named: Sequence[int | str | None] = affinity or [core]
    for one in named:
        if isinstance(one, int) and one >= cores.count:
            yield entry.error(
                f"there is no core {one}",
                "core" if affinity is None else "cores",
                found=f"{f'core = {one}' if affinity is None else f'cores = {affinity}'}, "
                f"with {plural(cores.count, 'core')}",
                expected=f"0 to {cores.count - 1}"
                if cores.count > 1
                else "0, or no core; or cores = N in [system], on a board of several",
            )
    yield from _affinity_problems(entry)
    if affinity is None and cores.count > 1 and core is None and cores.usual is None:
        yield entry.error(
            f"{entry.title} does not say on which of {cores.count} cores it runs",
            expected=f'core = 0 to {cores.count - 1}, or core = "{AUTO}", here or in [system]',
        )


def _unsupported(document: Document, file: SystemFile) -> Iterator[HorologError]:
    """What a system of several cores cannot have yet."""
    tables: dict[str, tuple[str, Sequence[object]]] = {
        "counter": ("software counters", file.counter),
    }
    for key, (what, given) in tables.items():
        for index in range(len(given)):
            yield _not_yet(what, document, (key, index), f"[[{key}]]")


def _not_yet(what: str, document: Document, loc: Loc, found: str) -> HorologError:
    return HorologError(
        f"{what} on a board of several cores: not yet supported",
        place=document.place(*loc),
        found=found,
        expected=_NOT_YET,
    )


def _spinlock_problems(
    document: Document, file: SystemFile, target: Board
) -> Iterator[HorologError]:
    """More resources that cores spin for than the board has locks."""
    spun = [index for index, table in enumerate(file.resource) if table.spin]
    most = target.port.spinlocks
    if len(spun) > most:
        yield HorologError(
            f'the board "{target.name}" has {plural(most, "lock")} between cores for applications',
            place=document.place("resource", spun[most], "spin"),
            found=f"{plural(len(spun), 'resource')} with spin = true",
            expected=f"at most {most}, or users on one core and no spin"
            if most
            else "users on one core, and no spin",
        )


def timeouts_problems(
    document: Document, cells: Sequence[str], timeouts: str | None, target: Board
) -> Iterator[HorologError]:
    """Cells for the tasks of a core that the core has for time-outs."""
    for core, name in enumerate(timeouts_on(target, timeouts) if target.cores > 1 else ()):
        if name in cells and name != timeouts:
            yield HorologError(
                f'the cell "{name}" is among cells, and core {core} has it for time-outs',
                place=document.place("system", "timeouts"),
                found=f'"{timeouts}", and each core has the cell at that place of its own',
                expected="a place at which no core has one of cells",
            )


def cell_share_problems(
    document: Document, cells: Sequence[str], cores: int, target: Board
) -> Iterator[HorologError]:
    """Cores that have none of the `cells` that the application leaves."""
    if 1 < cores <= target.cores and len(target.cells) < target.cores:
        yield HorologError(
            f'the board "{target.name}" has too few cells to release tasks on {plural(cores, "core")}: '
            "the cores do not share them",
            place=document.place("system", "board"),
            found=f"{plural(len(target.cells), 'cell')} in [[cell]]",
            expected="a board with a cell for each core; applications without the tool run on this one",
        )
        return
    for core in range(cores if 1 < cores <= target.cores else 0):
        own = [cell.name for cell in target.cells_of(core)]
        if not {*own} & {*cells}:
            yield HorologError(
                f"core {core} has no cell, so nothing can release its tasks",
                place=document.place("system", "cells"),
                found=f"cells {numbered(cells)}",
                expected=f"some of {listed(own)} among them, as the board routes these to core {core}",
            )


def overload_of_cores(document: Document, system: System) -> HorologError | None:
    """What to say of a system with more work than its cores can do, whatever the plan does."""
    total, counts = system.utilisation, system.board.runner.ns_per_step is not None
    cores = system.cores_with_tasks
    if total > cores or (total == cores and counts):
        return HorologError(
            f"the utilisation is {_number(total)}, on {plural(cores, 'core')}",
            place=document.place(),
            found=f"a sum of wcet / period of {_number(total)}",
            expected=f"below {cores}",
            exit=Exit.DOES_NOT_HOLD,
        )
    if undivided(system):
        return None
    for part in parts_of(system):
        own = part.system.utilisation
        if own > 1 or (own == 1 and counts):
            shares = sorted(
                ((t.wcet * t.rate, t.name) for t in part.system.tasks if t.wcet is not None),
                reverse=True,
            )
            names = [f"{name} {significant(share)}" for share, name in shares[:3]]
            return HorologError(
                f"the utilisation of core {part.core} is {_number(own)}",
                place=document.place(),
                found=f"a sum of wcet / period of {_number(own)} over {plural(len(part.tasks), 'task')}",
                expected=f"below 1; the largest shares: {listed(names, last='and')}",
                exit=Exit.DOES_NOT_HOLD,
            )
    return None


def _number(total: Fraction) -> str:
    return f"{float(total):.4f}"
