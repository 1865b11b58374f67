# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[chain]] tables of system.toml: tasks that hand data on, and how late an output may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from horolog.model import Chain, HorologError
from horolog.read.document import Document
from horolog.read.problems import choice_problems, name_taken
from horolog.read.schema import ChainTable, SystemFile

__all__ = ["chain_problems", "chains"]


def chain_problems(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]]
) -> Iterator[HorologError]:
    """Chains that lead nowhere. `named`: tasks by their names and their groups'."""
    known: set[str] = set()
    for index, table in enumerate(file.chain):
        if table.name in known:
            yield name_taken("chain", table.name, document.place("chain", index, "name"))
        known.add(table.name)
        single = [name for name, of in named.items() if len(of) == 1]
        yield from choice_problems(
            table.tasks,
            single,
            partial(document.place, "chain", index, "tasks"),
            absent="a chain goes from task to task, and there is no task",
            noun="task",
            shown=single[:8],
        )
        yield from _own_problems(document, index, table)


def _own_problems(document: Document, index: int, table: ChainTable) -> Iterator[HorologError]:
    if len(table.tasks) < 2:
        yield HorologError(
            f'the chain "{table.name}" has no second task',
            place=document.place("chain", index, "tasks"),
            found=f'tasks = ["{table.tasks[0]}"]',
            expected="two tasks or more, in the order in which data goes",
        )
    elif table.by == "activation":
        first, second = table.tasks[:2]
        yield HorologError(
            f'in the chain "{table.name}" no task activates the next one',
            place=document.place("chain", index, "by"),
            found=f'"{second}", which is released by time and not by "{first}"',
            expected='by = "data": each task reads what the one before it has written',
        )
    if table.deadline is None and table.max_age is None:
        yield HorologError(
            f'nothing limits the chain "{table.name}"',
            place=document.place("chain", index),
            found="neither deadline nor max_age",
            expected='deadline = "50 ms", of the reaction time; or max_age, of the data',
        )


def chains(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]]
) -> tuple[Chain, ...]:
    """The chains of a file that has no chain_problems."""
    return tuple(
        Chain(
            table.name,
            tuple(named[name][0] for name in table.tasks),
            table.deadline,
            table.max_age,
            document.place("chain", index),
        )
        for index, table in enumerate(file.chain)
    )
