# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of basic tasks and the levels of interrupts, as `horolog plan` shows them."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from horolog.cli import plain_table, right
from horolog.figures import first_names
from horolog.model import Plan, Releaser, System

__all__ = ["interrupt_text", "print_lines"]

_NAMES = 6


def interrupt_text(system: System, releaser: Releaser) -> str:
    """At which level a releaser interrupts, and how its tasks come to run."""
    from horolog.analyse import lines

    if releaser.level is None:
        return "threads" if not {*releaser.tasks} & {*system.basic} else "threads of lines"
    if releaser.direct:
        return f"level {releaser.level}, runs them"
    own = {*releaser.tasks}
    raised = sum(bool(own & {*line.tasks}) for line in lines(system))
    return f"level {releaser.level}, raises {raised} line{'s' * (raised != 1)}"


def print_lines(out: Console, system: System, plan: Plan) -> None:
    """Which line has which tasks, the most urgent first; nothing where there are no basic tasks."""
    from horolog.analyse import Dispatcher, numbered

    if not system.basic:
        return
    table = plain_table(*right("level", "tasks"), "line", "by rank")
    for line, own in numbered(system, plan):
        if line.cell is not None:
            of = f"of cell {line.cell}"
        elif own is not None:
            of = f"{own.number}, {own.handler}"
        else:
            of = "a thread's" if line.by is Dispatcher.LINE_THREAD else "none"
        names = first_names([system.tasks[task].name for task in line.tasks], _NAMES)
        table.add_row(str(line.level), str(len(line.tasks)), of, escape(", ".join(names)))
    out.print()
    out.print(table)
