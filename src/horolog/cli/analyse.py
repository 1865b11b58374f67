# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog analyse: do all deadlines hold, with the kernel's own work counted?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from horolog.analyse import all_levels
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
from horolog.cli.core_tables import core_heading, core_objects
from horolog.cli.earlier import earlier_hint
from horolog.cli.importing import NO_BOARD, imported, one_description
from horolog.cli.searching import searching, seconds_option
from horolog.figures import plural
from horolog.model import ALL_MECHANISMS, STORES, HorologError, Kind, Plan, Planned, System
from horolog.responses import Analysis, Asked, ChainBound, TaskBound, Ways, ms_text

__all__ = ["analyse"]

_MOST_FOR_FACTOR = 200  # tasks; above, the factor is looked for only if it is asked for


@click.command()
@click.argument(
    "path", type=click.Path(path_type=Path), metavar="[SYSTEM.toml]", required=False, default=None
)
@click.option(
    "--import",
    "table",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="TABLE.csv",
    help="A table of tasks of a spreadsheet in place of SYSTEM.toml: name, period, wcet, perhaps deadline, "
    "offset, priority, jitter, kind. Without --board the kernel's work is not counted.",
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="SYSTEM.toml",
    help="With --import and --board: write the table as a description, to go on with.",
)
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
@click.option(
    "--way-out/--no-way-out",
    "way_out",
    default=True,
    show_default=True,
    help="Where a deadline is not proved, look for a change with which all are, for up to --seconds.",
)
@seconds_option
@json_option
def analyse(
    path: Path | None,
    table: Path | None,
    write: Path | None,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
    board: str | None,
    every: bool,
    offsets: bool,
    factor: bool | None,
    sensitivity: bool,
    way_out: bool,
    seconds: Fraction,
    as_json: bool,
) -> None:
    """Do all deadlines hold? A bound of each task's response time, and what it is made of.

    The tasks are those of SYSTEM.toml, or of a spreadsheet (--import). The system is planned as for
    `horolog plan`; the plan's interrupts and the kernel's work for each job, by the board's costs, are part
    of the bounds. Exit status 1 when a deadline is not proved, with the first task that fails and a way out,
    if one is found; 2 when the description is wrong or cannot be planned.
    """
    from horolog.read import read_system
    from horolog.responses import (
        chain_data,
        chains_of,
        deadlines_of,
        factor_of,
        refuse_chains,
        refuse_misses,
        round_data,
        round_text,
        rounds_left,
        sensitivity_of,
        to_data,
        verdict_text,
        way_to_data,
    )
    from horolog.schedulability import MOST_STEPS

    one_description(path, table, write)
    of_plan = {"mechanism": mechanism, "queue": queue, "objective": objective}
    most = MOST_STEPS if offsets else 0
    if path is not None:
        system = read_system(path, board=board, kind=kind)
    else:
        assert table is not None
        system = imported(table, board, kind, write, of_plan)
    if system.cores > 1:
        shown = _Shown(every, factor, sensitivity, most)
        _analyse_cores(system, of_plan, seconds, shown, as_json)
        return
    valid, planned, found = _analysed(
        system, board is not None or table is None, of_plan, seconds, most
    )
    wanted = factor if factor is not None else len(valid.tasks) <= _MOST_FOR_FACTOR
    share = factor_of(found, most) if wanted and not found.unknown else None
    grows = sensitivity_of(found, most) if sensitivity else None
    plan = None if planned is None else planned.choice
    chains = () if plan is None else chains_of(valid, plan, found)
    rounds = rounds_left(valid, found)
    proved = found.holds and all(one.holds for one in chains)
    ways = None
    if planned is not None and way_out and not proved and not found.unknown:
        asked = _asked(system, path, board, of_plan, most)
        ways = _ways_out(asked, valid, planned, seconds)
    verdict = verdict_text(valid, found, chains)
    hint = earlier_hint(valid, deadlines_of(valid, found, chains)) if path is not None else None
    if as_json:
        data = to_data(valid, found, share, None if plan is None else plan.mechanism, grows)
        if plan is None:
            data["board"] = None
        data["holds"], data["verdict"] = proved, verdict
        data["hint"] = hint
        data["rounds"] = [round_data(one) for one in rounds]
        data["chains"] = [chain_data(one) for one in chains]
        echo_json({**data, "way_out": None if ways is None else way_to_data(ways)})
    else:
        _print_verdict(console(), valid, plan, verdict, proved)
        if hint is not None:
            console().print(f"[dim]{escape(hint)}[/]", soft_wrap=True)
        _print(console(), valid, plan, found, share, every, grows)
        for one in rounds:
            console().print(f"round      {escape(round_text(one))}", soft_wrap=True)
        _print_chains(console(), chains)
        _print_ways(console(), ways)
    way = None if ways is None or ways.found is None else ways.text
    refuse_misses(valid, found, share, way)
    refuse_chains(valid, chains, way)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is to be shown of each core."""

    every: bool
    factor: bool | None
    sensitivity: bool
    most: int


def _analyse_cores(
    system: System,
    of_plan: Mapping[str, str | None],
    seconds: Fraction,
    shown: _Shown,
    as_json: bool,
) -> None:
    """The bounds of each core, by its own plan. No way out is looked for."""
    from horolog.divide import plans_for_cores
    from horolog.responses import (
        bounds_of_cores,
        chain_data,
        chains_of_cores,
        deadlines_of_cores,
        factor_of,
        refuse_chains,
        refuse_core_misses,
        sensitivity_of,
        to_data,
    )

    with searching(seconds) as limit:
        planned_all = plans_for_cores(system, limit=limit, **of_plan)
    whole, plans = planned_all.system, planned_all.plans
    bounds = bounds_of_cores(plans, shown.most)
    chains = chains_of_cores(whole, plans, bounds)
    deadlines = deadlines_of_cores(bounds, chains)
    objects = core_objects(system, plans, bounds)
    out = console()
    if not as_json:
        out.print(f"[bold]{escape(whole.name)}[/]{escape(f' on {whole.board.title}')}")
        tone = "green" if deadlines.hold else "red"
        out.print(f"[bold {tone}]{escape(deadlines.text)}[/]", soft_wrap=True)
    for at, (one, bound) in enumerate(zip(plans, bounds, strict=True)):
        found, planned = bound.analysis, one.planned
        if found is None or planned is None:
            continue
        warn_of_plan(planned)
        few = len(one.system.tasks) <= _MOST_FOR_FACTOR
        wanted = (few if shown.factor is None else shown.factor) and not found.unknown
        alone = found.beyond is None  # else bounds hang together over the cores
        share = factor_of(found, shown.most) if wanted and alone else None
        grows = sensitivity_of(found, shown.most) if shown.sensitivity and alone else None
        plan = planned.choice
        objects[at]["analysis"] = to_data(bound.system, found, share, plan.mechanism, grows)
        if not as_json:
            out.print(f"\n[bold]{core_heading(one)}, released by {escape(plan.mechanism)}[/]")
            _print(out, bound.system, plan, found, share, shown.every, grows)
    if as_json:
        echo_json(
            {
                "system": whole.name,
                "board": whole.board.name,
                "holds": deadlines.hold,
                "verdict": deadlines.text,
                "cores": objects,
                "chains": [chain_data(one) for one in chains],
            }
        )
    else:
        _print_chains(out, chains)
    refuse_core_misses(plans, bounds)
    refuse_chains(whole, chains)


def _asked(
    system: System,
    path: Path | None,
    board: str | None,
    of_plan: Mapping[str, str | None],
    most: int,
) -> Asked:
    """What to look for a way out of. A table is of threads only."""
    from horolog.read import read_system

    def as_basic() -> System:
        if path is None:
            raise HorologError("a table is of threads", expected="SYSTEM.toml")
        return read_system(path, board=board, kind=Kind.BASIC)

    return Asked(system, as_basic, **of_plan, most=most)


def _ways_out(asked: Asked, system: System, planned: Planned, seconds: Fraction) -> Ways:
    from horolog.responses import ways_out

    with searching(seconds) as limit:
        return ways_out(asked, system, planned, limit)


def _analysed(
    system: System,
    on_board: bool,
    of_plan: Mapping[str, str | None],
    seconds: Fraction,
    most: int,
) -> tuple[System, Planned | None, Analysis]:
    """The system as planned, its plan and its bounds; without a board as it is, and no plan."""
    from horolog.plan import read_prices
    from horolog.responses import analysis_of, plan_for

    if not on_board:
        found = analysis_of(system, None, most=most)
        return system, None, replace(found, notes=(*found.notes, NO_BOARD))
    with searching(seconds) as limit:
        valid, planned = plan_for(
            system,
            mechanism=of_plan["mechanism"],
            queue=of_plan["queue"],
            objective=of_plan["objective"],
            limit=limit,
        )
    warn_of_plan(planned)
    return valid, planned, analysis_of(valid, planned.choice, read_prices(valid.board), most)


def _print_verdict(
    out: Console, system: System, plan: Plan | None, verdict: str, holds: bool
) -> None:
    """The system, how it is released, and the verdict."""
    where = (
        f" on {system.board.title}, released by {plan.mechanism}" if plan else ", without a board"
    )
    out.print(f"[bold]{escape(system.name)}[/]{escape(where)}")
    out.print(f"[bold {'green' if holds else 'red'}]{escape(verdict)}[/]", soft_wrap=True)


def _print(
    out: Console,
    system: System,
    plan: Plan | None,
    found: Analysis,
    factor: Fraction | None,
    every: bool,
    grows: Mapping[int, Fraction] | None,
) -> None:
    """A row for each task or group, and what holds for all of them."""
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
    on = all_levels(system)
    for one, count in _rows(system, found, on, every):
        cells = _cells(system, found, one, count, on[one.task])
        if grows is not None:
            by = grows.get(one.task)
            cells.insert(-1, "none" if by is None else ms_text(by, up=False))
        table.add_row(*cells)
    out.print(table)
    out.print("times in ms; a row of several tasks is that with the least slack", style="dim")
    least = "at least " if found.unknown else ""
    out.print(
        f"bodies     {least}{float(100 * found.utilisation):.2f} % of the processor (wcet / period)"
        + (", those of interrupts among them" if system.interrupts else "")
    )
    if found.kernel is None:
        why = "no board" if plan is None else "the board counts no instructions"
        if plan is not None and system.board.runner.ns_per_step is not None:
            why = "nothing is known of it where several cores may run some tasks"
        out.print(f"kernel     not counted: {why}")
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


def _print_ways(out: Console, ways: Ways | None) -> None:
    """A way out, with what to write into the file."""
    if ways is None:
        return
    out.print(f"way out    {escape(ways.text)}", soft_wrap=True)
    for name, number in () if ways.found is None else ways.found.priorities:
        out.print(f"           {escape(name)}: priority = {number}")


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


def _cells(system: System, found: Analysis, bound: TaskBound, count: int, level: int) -> list[str]:
    more = any(_rest(one) for one in found.bounds)
    task = system.all_tasks[bound.task]
    name = task.name if count == 1 else f"{task.name} (of {plural(count, 'task')})"
    deadline = ms_text(bound.deadline, up=False)
    start = [name, str(level)]
    if bound.task in found.open:
        return [*start, "not known", deadline, "not known", *[""] * (6 + more), ""]
    if bound.response is None or bound.slack is None:
        return [*start, "none", deadline, "none", *[""] * (6 + more), ""]
    names = ("own", "higher", "level", "interrupts", "kernel", "blocking")
    parts = [ms_text(bound.parts[one]) for one in names]
    slack = ms_text(bound.slack, up=False)
    slack = slack if bound.holds else f"[bold red]{slack}[/]"
    rest = [ms_text(_rest(bound))] if more else []
    used = "used" if bound.by_offsets else "ignored"
    return [*start, ms_text(bound.response), deadline, slack, *parts, *rest, used]
