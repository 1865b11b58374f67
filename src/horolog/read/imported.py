# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems of tables of tasks: on a board, as of a system.toml, or without one: the kernel takes no time."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from horolog.model import (
    Board,
    Clock,
    Kind,
    Overrun,
    Port,
    PriorityRule,
    Runner,
    Sporadic,
    System,
    Task,
)
from horolog.read.boards import is_board_path, read_board
from horolog.read.document import Document
from horolog.read.spreadsheet import TableTask
from horolog.read.system import system_of
from horolog.read.units import duration_text
from horolog.read.values import LONGEST_RUN

__all__ = ["system_of_table", "system_without_board", "toml_of_table"]

_SHARE_OF_WCET = Fraction(9, 10)
"""Of the WCET, what the loop takes that stands for a body: the rest is for the call."""
_MOST_WORK = 2**32 - 1
_LEAST_RUN, _PERIODS = Fraction(1), 4


def system_without_board(path: Path, tasks: Sequence[TableTask], kind: Kind | None) -> System:
    """A system of the tasks of `path` on a processor with enough priorities, of which nothing else is known.

    `kind` replaces that of every task.
    """
    return System(
        name=_name(path),
        path=path,
        board=_no_board(len(tasks) + max(task.priority or 0 for task in tasks)),
        cells=(),
        duration=_duration(tasks),
        priorities=_rule(tasks),
        sources=(),
        tasks=tuple(_task(task, kind) for task in tasks if not task.is_sporadic),
        sporadic=_sporadic(tasks, kind),
    )


def _sporadic(tasks: Sequence[TableTask], kind: Kind | None) -> tuple[Sporadic, ...]:
    periodic = [task for task in tasks if not task.is_sporadic]
    others = [task for task in tasks if task.is_sporadic]
    number = {task.name: at for at, task in enumerate([*periodic, *others])}
    return tuple(
        Sporadic(
            _task(task, kind),
            None,
            None if task.after is None else number[task.after],
            len(tasks),  # none is lost
        )
        for task in others
    )


def system_of_table(
    path: Path, tasks: Sequence[TableTask], board: str, kind: Kind | None
) -> System:
    """The system of the tasks of `path` on `board`, a name or a path; errors have places in the table."""
    target = read_board(board)
    data = _data(path, tasks, board, target)
    keys: dict[tuple[str | int, ...], tuple[int, int]] = {}
    for index, task in enumerate(tasks):
        row = task.place.line or 0
        keys[("task", index)] = (row, 1)
        keys |= {("task", index, name): (row, number) for name, number in task.cells.items()}
    return system_of(Document(str(path), data, keys, keys), path, kind=kind)


def toml_of_table(path: Path, tasks: Sequence[TableTask], board: str) -> str:
    """A system.toml of the tasks of `path` on `board`."""
    data = _data(path, tasks, board, read_board(board))
    lines = [
        f"# Made from {path.name} by horolog analyse --import.",
        "# `work` is a loop that stands for the body, somewhat shorter than wcet. For your own function:",
        '# sources = ["bodies.c"] in [system], and body = "function" in place of work.',
        "",
        "[system]",
        *_pairs(data["system"]),
    ]
    for task in data["task"]:
        lines += ["", "[[task]]", *_pairs(task)]
    return "\n".join(lines) + "\n"


def _pairs(table: dict[str, Any]) -> list[str]:
    """TOML's strings are JSON's."""
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()]


def _data(path: Path, tasks: Sequence[TableTask], board: str, target: Board) -> dict[str, Any]:
    """What a TOML file of these tasks would say."""
    system = {
        "name": _name(path),
        "board": str(Path(board).resolve()) if is_board_path(board) else board,
        "duration": duration_text(_duration(tasks)),
        "priorities": _rule(tasks).value,
    }
    return {"system": system, "task": [_table(task, target) for task in tasks]}


def _table(task: TableTask, board: Board) -> dict[str, Any]:
    turns = int(task.wcet * _SHARE_OF_WCET * 10**9 / board.work_ns)
    table: dict[str, Any] = {
        "name": task.name,
        **_releases(task),
        "wcet": duration_text(task.wcet),
        "work": min(max(1, turns), _MOST_WORK),
    }
    for name in ("deadline", "offset", "jitter"):
        if name in task.cells:
            table[name] = duration_text(getattr(task, name))
    if task.priority is not None:
        table["priority"] = task.priority
    if task.kind is not Kind.THREAD:
        table["kind"] = task.kind.value
    return table


def _releases(task: TableTask) -> dict[str, str]:
    if not task.is_sporadic:
        return {"period": duration_text(task.period)}
    found = {"min_gap": duration_text(task.period)} if "min_gap" in task.cells else {}
    return found if task.after is None else found | {"activated_by": f"task {task.after}"}


def _rule(tasks: Sequence[TableTask]) -> PriorityRule:
    """Priorities as the table has them, else by deadlines: where these are the periods, by periods."""
    if tasks[0].priority is not None:
        return PriorityRule.EXPLICIT
    by_period = all(task.deadline == task.period for task in tasks)
    return PriorityRule.RATE_MONOTONIC if by_period else PriorityRule.DEADLINE_MONOTONIC


def _name(path: Path) -> str:
    """A name of a system that is like that of the file."""
    words = re.sub(r"[^A-Za-z0-9_.-]+", "-", path.stem).strip("-.")[:60]
    return words if words[:1].isalpha() else f"table-{words}".strip("-")


def _duration(tasks: Sequence[TableTask]) -> Fraction:
    longest = max(task.offset + _PERIODS * task.period for task in tasks)
    return min(max(_LEAST_RUN, longest), LONGEST_RUN)


def _no_board(levels: int) -> Board:
    return Board(
        name="none",
        title="no board",
        directory=Path(),
        arch="none",
        cpu="none",
        levels=levels,
        work_ns=Fraction(1),
        clock=Clock("none", 1, 64),
        cells=(),
        memory=(),
        runner=Runner("none", "none", None, None),
        port=Port("none"),
    )


def _task(task: TableTask, kind: Kind | None) -> Task:
    return Task(
        name=task.name,
        period=task.period,
        offset=task.offset,
        deadline=task.deadline,
        wcet=task.wcet,
        body=None,
        work=1,
        stack=0,
        overrun=Overrun.QUEUE,  # no release is dropped
        kind=kind or task.kind,
        priority=task.priority,
        place=task.place,
        jitter=task.jitter,
    )
