# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[chain]] tables of system.toml: tasks that hand data on, and how late an output may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from horolog.model import Chain, HorologError
from horolog.read.activated import Activators, by_task
from horolog.read.document import Document
from horolog.read.problems import choice_problems, listed, name_taken
from horolog.read.schema import ChainTable, SystemFile

__all__ = ["chain_problems", "chains"]


def chain_problems(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]], known: Activators
) -> Iterator[HorologError]:
    """Chains that lead nowhere. `named`: tasks that time releases by their names and their groups'."""
    names: set[str] = set()
    for index, table in enumerate(file.chain):
        if table.name in names:
            yield name_taken("chain", table.name, document.place("chain", index, "name"))
        names.add(table.name)
        single = [name for name, of in named.items() if len(of) == 1] + [*known.tables]
        aperiodic = [task.name for task in file.task if task.server is not None]
        yield from choice_problems(
            table.tasks,
            [*single, *aperiodic],  # read/aperiodic.py refuses them
            partial(document.place, "chain", index, "tasks"),
            absent="a chain goes from task to task, and there is no task",
            noun="task",
            shown=single[:8],
        )
        yield from _own_problems(document, index, table, known, file)


def _own_problems(
    document: Document, index: int, table: ChainTable, known: Activators, file: SystemFile
) -> Iterator[HorologError]:
    if len(table.tasks) < 2:
        yield HorologError(
            f'the chain "{table.name}" has no second task',
            place=document.place("chain", index, "tasks"),
            found=f'tasks = ["{table.tasks[0]}"]',
            expected="two tasks or more, in the order in which data goes",
        )
    yield from _link_problems(document, index, table, known)
    yield from _mode_problems(document, index, table, file)
    first = table.tasks[0]
    by_data = [name for name in table.tasks[1:] if name not in known.tables]
    if table.max_age is not None and first in known.tables and by_data:
        yield HorologError(
            f'nothing bounds the age of data in the chain "{table.name}"',
            place=document.place("chain", index, "max_age"),
            found=f'"{first}", which time does not release, in front of "{by_data[0]}", which it does',
            expected="deadline in its place, or a first task with a period",
        )
    if table.deadline is None and table.max_age is None:
        yield HorologError(
            f'nothing limits the chain "{table.name}"',
            place=document.place("chain", index),
            found="neither deadline nor max_age",
            expected='deadline = "50 ms", of the reaction time; or max_age, of the data',
        )


def _mode_problems(
    document: Document, index: int, table: ChainTable, file: SystemFile
) -> Iterator[HorologError]:
    """Tasks that run in other modes only than the first, which is the one whose chains are bounded."""
    if len(file.table) < 2:
        return
    first, *others = file.table
    own = {point.activate for point in first.point}
    for at, name in enumerate(table.tasks):
        modes = [of.mode for of in others if any(point.activate == name for point in of.point)]
        if modes and name not in own:
            yield HorologError(
                f'the chain "{table.name}" goes through a task that does not run in the first mode',
                place=document.place("chain", index, "tasks", at),
                found=f'"{name}", which has points in {listed([str(one) for one in modes], last="and")} only',
                expected=f'tasks with points in "{first.mode}", or of no table: chains are bounded in '
                "the mode in which the system starts",
            )


def _link_problems(
    document: Document, index: int, table: ChainTable, known: Activators
) -> Iterator[HorologError]:
    """Tasks that never run for the one before, or not as said."""
    said = False
    for at, (one, after) in enumerate(pairwise(table.tasks), 1):
        if after not in known.tables:
            if table.by == "activation" and not said:
                said = True
                yield HorologError(
                    f'in the chain "{table.name}" no task activates the next one',
                    place=document.place("chain", index, "by"),
                    found=f'"{after}", which is released by time and not by "{one}"',
                    expected='by = "data": each task reads what the one before it has written, or is '
                    "activated by it",
                )
            continue
        before = by_task(known.tables[after])
        if before != one:
            by = known.tables[after].activated_by or "the application"
            yield HorologError(
                f'the chain "{table.name}" goes through tasks that never meet',
                place=document.place("chain", index, "tasks", at),
                found=f'"{after}", which is activated by {by}, behind "{one}"',
                expected=f'"{after}" as the first task'
                + (f', or directly behind "{before}"' if before is not None else "")
                + ", or one with a period in its place",
            )


def chains(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]], known: Activators
) -> tuple[Chain, ...]:
    """The chains of a file that has no chain_problems."""
    periodic = len(known.periods)
    numbers = {name: of[0] for name, of in named.items() if len(of) == 1}
    numbers |= {name: periodic + at for at, name in enumerate(known.tables)}
    return tuple(
        Chain(
            table.name,
            tuple(numbers[name] for name in table.tasks),
            table.deadline,
            table.max_age,
            document.place("chain", index),
            frozenset(numbers[name] for name in table.tasks[1:] if name in known.tables),
        )
        for index, table in enumerate(file.chain)
    )
