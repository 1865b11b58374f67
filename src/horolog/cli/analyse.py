# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog analyse: do all deadlines hold, with the kernel's own work counted?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from horolog.analyse import levels
from horolog.cli import (
    console,
    echo_json,
    json_option,
    kind_option,
    objective_option,
    plain_table,
    right,
    warn_of_plan,
)
from horolog.cli.searching import searching, seconds_option
from horolog.figures import plural
from horolog.model import ALL_MECHANISMS, STORES, Kind, Plan, System
from horolog.responses import Analysis, ChainBound, TaskBound, ms_text

__all__ = ["analyse"]

_MOST_FOR_FACTOR = 200  # tasks; above, the factor is looked for only if it is asked for


@click.command()
@click.argument("system", type=click.Path(path_type=Path), metavar="SYSTEM.toml")
@click.option(
    "--mechanism",
    type=click.Choice(ALL_MECHANISMS),
    help="Force a release mechanism instead of the cheapest.",
)
@click.option(
    "--queue",
    type=click.Choice((*STORES, "none")),
    help="Force the store of every releaser instead of the cheapest of each.",
)
@objective_option
@kind_option
@click.option(
    "--board", metavar="BOARD", help="Another board than the description's: a name or a path."
)
@click.option("--all", "every", is_flag=True, help="A row for each task, also of a group.")
@click.option(
    "--offsets/--no-offsets",
    default=True,
    show_default=True,
    help="Use the tasks' offsets where the hyperperiod is short, or ignore them.",
)
@click.option(
    "--factor/--no-factor",
    default=None,
    help="Look for the breakdown factor: by how much all bodies may take longer. Default: up to 200 tasks.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Show for each task how much longer its body alone may take with all deadlines proved.",
)
@seconds_option
@json_option
def analyse(
    system: Path,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
    board: str | None,
    every: bool,
    offsets: bool,
    factor: bool | None,
    sensitivity: bool,
    seconds: Fraction,
    as_json: bool,
) -> None:
    """Do all deadlines hold? A bound of each task's response time, and what it is made of.

    The system is planned as for `horolog plan`; the plan's interrupts and the kernel's work for each job,
    by the board's costs, are part of the bounds. Exit status 1 when a deadline is not proved, with the
    first task that fails; 2 when the description is wrong or cannot be planned.
    """
    from horolog.plan import plan_moving, read_prices
    from horolog.read import read_system
    from horolog.responses import (
        analysis_of,
        chain_data,
        chains_of,
        factor_of,
        refuse_chains,
        refuse_misses,
        sensitivity_of,
        to_data,
    )
    from horolog.schedulability import MOST_STEPS

    valid = read_system(system, board=board, kind=kind)
    with searching(seconds) as limit:
        valid, planned = plan_moving(
            valid, mechanism=mechanism, queue=queue, objective=objective, limit=limit
        )
    warn_of_plan(planned)
    most = MOST_STEPS if offsets else 0
    found = analysis_of(valid, planned.choice, read_prices(valid.board), most)
    wanted = factor if factor is not None else len(valid.tasks) <= _MOST_FOR_FACTOR
    share = factor_of(found, most) if wanted else None
    grows = sensitivity_of(found, most) if sensitivity else None
    chains = chains_of(valid, planned.choice, found)
    if as_json:
        data = to_data(valid, found, share, planned.choice.mechanism, grows)
        echo_json({**data, "chains": [chain_data(one) for one in chains]})
    else:
        _print(console(), valid, planned.choice, found, share, every, grows)
        _print_chains(console(), chains)
    refuse_misses(valid, found, share)
    refuse_chains(valid, chains)


def _print(
    out: Console,
    system: System,
    plan: Plan,
    found: Analysis,
    factor: Fraction | None,
    every: bool,
    grows: Mapping[int, Fraction] | None,
) -> None:
    from horolog.responses import verdict_text

    colour = "green" if found.holds else "red"
    out.print(
        f"[bold]{escape(system.name)}[/] on {escape(system.board.title)}, released by {plan.mechanism}"
    )
    out.print(f"[bold {colour}]{escape(verdict_text(system, found))}[/]", soft_wrap=True)
    numbers: tuple[str, ...] = (
        "bound",
        "deadline",
        "slack",
        "own",
        "higher",
        "same",
        "interrupts",
        "kernel",
        "block",
    )
    more = any(_rest(one) for one in found.bounds)
    numbers += (*(("other",) if more else ()), *(() if grows is None else ("may grow",)))
    table = plain_table("task", *right("prio", *numbers, whole=True), "offsets")
    on = (*levels(system), *(one.task.priority or 0 for one in system.sporadic))
    for one, count in _rows(system, found, on, every):
        cells = _cells(system, one, count, on[one.task], more)
        if grows is not None:
            by = grows.get(one.task)
            cells.insert(-1, "none" if by is None else ms_text(by, up=False))
        table.add_row(*cells)
    out.print(table)
    out.print("times in ms; a row of several tasks is that with the least slack", style="dim")
    out.print(
        f"bodies     {float(100 * found.utilisation):.2f} % of the processor (wcet / period)"
        + (", those of interrupts among them" if system.interrupts else "")
    )
    if found.kernel is None:
        out.print("kernel     not counted: the board counts no instructions")
    else:
        out.print(
            f"kernel     at most {float(100 * found.kernel):.2f} %, timer interrupts included"
        )
    if factor is not None:
        out.print(
            f"breakdown  all deadlines hold with bodies that take up to {float(factor):.3f} times as long"
            if factor
            else "breakdown  no deadline holds for certain with bodies of any length"
        )
    for note in found.notes:
        out.print(f"note       {escape(note)}", soft_wrap=True)


def _print_chains(out: Console, chains: Sequence[ChainBound]) -> None:
    """A row for each chain."""
    if not chains:
        return
    table = plain_table(
        "chain", *right("reaction", "deadline", "data age", "max age", "slack", whole=True)
    )

    def shown(seconds: Fraction | None, absent: str, *, up: bool = False) -> str:
        return absent if seconds is None else ms_text(seconds, up=up)

    for one in chains:
        slack = shown(one.slack, "none")
        table.add_row(
            one.chain.name,
            shown(one.reaction, "none", up=True),
            shown(one.chain.deadline, ""),
            shown(one.age, "none", up=True),
            shown(one.chain.max_age, ""),
            slack if one.holds else f"[bold red]{slack}[/]",
        )
    out.print(table)


def _rest(bound: TaskBound) -> Fraction:
    """The parts without a column of their own."""
    names = ("jitter", "pending", "before")
    return sum((bound.parts.get(name, Fraction(0)) for name in names), Fraction(0))


def _rows(
    system: System, found: Analysis, on: tuple[int, ...], every: bool
) -> list[tuple[TaskBound, int]]:
    """The tasks, the most urgent first; of one entry and priority that with the least slack, and how many."""
    groups: dict[tuple[bool, int, int, int], list[TaskBound]] = {}
    for one in found.bounds:
        task = system.all_tasks[one.task]
        basic = task.kind is Kind.BASIC
        key = (not basic, -on[one.task], task.place.line or 0, one.task if every else 0)
        groups.setdefault(key, []).append(one)
    return [(min(groups[key], key=_slack), len(groups[key])) for key in sorted(groups)]


def _slack(bound: TaskBound) -> tuple[bool, Fraction]:
    return bound.slack is not None, bound.slack or Fraction(0)


def _cells(system: System, bound: TaskBound, count: int, level: int, more: bool) -> list[str]:
    task = system.all_tasks[bound.task]
    name = task.name if count == 1 else f"{task.name} (of {plural(count, 'task')})"
    deadline = ms_text(bound.deadline, up=False)
    start = [name, str(level)]
    if bound.response is None or bound.slack is None:
        return [*start, "none", deadline, "none", *[""] * (6 + more), ""]
    names = ("own", "higher", "level", "interrupts", "kernel", "blocking")
    parts = [ms_text(bound.parts[one]) for one in names]
    slack = ms_text(bound.slack, up=False)
    slack = slack if bound.holds else f"[bold red]{slack}[/]"
    rest = [ms_text(_rest(bound))] if more else []
    used = "used" if bound.by_offsets else "ignored"
    return [*start, ms_text(bound.response), deadline, slack, *parts, *rest, used]
