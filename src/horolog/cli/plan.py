# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog plan: the releasers chosen for a system, what they will cost, and what else was possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from horolog.analyse import expiry_interrupts
from horolog.cli import console, echo_json, warn_of_plan
from horolog.cli.core_tables import core_heading, core_objects, core_table
from horolog.cli.offsets import print_offsets
from horolog.cli.options import Options, with_options
from horolog.cli.plan_tables import (
    print_curve,
)
from horolog.cli.plan_text import (
    deadlines_style,
    print_choice,
    print_explanation,
    print_suggestions,
)
from horolog.cli.schedules import schedule_objects
from horolog.cli.searching import searching
from horolog.cli.verifying import print_verification
from horolog.figures import plural, significant
from horolog.model import (
    CorePlan,
    HorologError,
    Planned,
    System,
)
from horolog.model.result_json import suggestion_data
from horolog.plan import (
    ByCells,
    curve_to_data,
    hypothetical,
    over_cells,
    read_prices,
    refuse_overload,
    to_data,
)
from horolog.read import duration_text
from horolog.responses import (
    Analysis,
    Offsets,
    analysis_of,
    bounds_of_cores,
    chains_of,
    chains_of_cores,
    choose_offsets,
    deadlines_of,
    deadlines_of_cores,
    offsets_to_data,
    on_core,
    overhead_of_cores,
    refuse_core_misses,
    refuse_misses,
    slack_of,
)

__all__ = ["plan"]

_TRIED = 2  # changes that might be better, each of which takes about as long as the plan


@click.command()
@partial(with_options, out=False)
@click.option(
    "--explain", is_flag=True, help="Show every alternative, and why it was not taken, on a page."
)
@click.option(
    "--explain-all", is_flag=True, help="The same with every queue of every cell, and its curve."
)
@click.option(
    "--cells",
    type=click.IntRange(1, 16),
    metavar="K",
    help="Plan for K copies of the board's widest periodic cell, 1 to 16, on each core; not to be built.",
)
@click.option(
    "--curve",
    is_flag=True,
    help="Show the cost with 1 to 16 such cells, of chronos and of the mechanism chosen.",
)
@click.option(
    "--choose-offsets",
    "choose",
    is_flag=True,
    help="Choose offsets of the tasks that give none, so that fewer are released at one instant, if no bound "
    "becomes larger; print them for the description, and plan with them.",
)
def plan(
    of: Options,
    explain: bool,
    explain_all: bool,
    cells: int | None,
    curve: bool,
    choose: bool,
) -> None:
    """Choose the cheapest way to release every job, and predict what it costs.

    Exit status 1 when the plan needs more than the processor has, or a deadline is missed for certain if all
    bodies take their WCETs, 2 when the description is wrong, or when
    no mechanism, or not the one named, can serve the system. With --verify, 3 when a tool is missing and 4
    when the firmware fails on the emulator.
    """
    given = of.system()
    why = partial(print_explanation, whole=explain_all) if explain or explain_all else None
    if given.cores > 1:
        if of.verify:
            raise HorologError(
                "--verify on several cores: not yet supported",
                found="--verify",
                expected="a plan without --verify, or a board of one core",
            )
        valid = given if cells is None else hypothetical(given, cells)
        _plan_cores(of, valid, why, curve=curve, choose=choose)
        return
    valid = given if cells is None else hypothetical(given, cells)
    if of.verify and cells is not None:
        raise HorologError(
            "--verify runs what it plans, and --cells plans for a board that cannot be built",
            expected="one of the two",
        )
    valid, planned = of.moved(valid)
    chosen = None
    if choose:
        valid, planned, chosen = _choose_offsets(of, valid, planned)
    behind = given.board.with_prescaler(valid.board.clock.prescaler)
    given = replace(given, tasks=valid.tasks, board=behind)
    if of.verify:
        refuse_overload(valid, planned)
        planned = of.verified(valid, planned)
    warn_of_plan(planned)
    rows = over_cells(given, of.plan) if curve else ()
    found = analysis_of(valid, planned.choice, read_prices(valid.board))
    deadlines = deadlines_of(valid, found, chains_of(valid, planned.choice, found))
    better = () if cells is not None or choose else of.suggestions(valid, planned, _TRIED)
    if of.as_json:
        data = {**to_data(valid, planned), "deadlines": deadlines.to_data()}
        data["suggestions"] = [suggestion_data(one) for one in better]
        if planned.objective == "slack":
            data["slack"] = _slack_data(valid, planned)
        if valid.schedules or valid.cell_schedules:
            data["schedules"] = schedule_objects(valid)
            data["expiry_interrupts"] = expiry_interrupts(valid)
        if chosen is not None:
            data["offsets"] = offsets_to_data(chosen)
        echo_json({**data, "curve": curve_to_data(rows)} if curve else data)
        _refuse(valid, planned, found)
        return
    out = console()
    print_choice(out, valid, planned, deadlines)
    if chosen is not None:
        print_offsets(out, valid, chosen)
    if planned.verification is not None:
        print_verification(out, planned.verification)
    print_suggestions(out, better)
    if why is not None:
        why(out, valid, planned)
    if curve:
        print_curve(out, valid, rows)
    _refuse(valid, planned, found)


@dataclass(frozen=True, slots=True)
class _OfCore:
    """What was asked for beside the plan of a core."""

    offsets: Offsets | None
    rows: tuple[ByCells, ...]  # of the curve over the number of cells

    def to_data(self) -> dict[str, Any]:
        """For programs: nothing of what was not asked for."""
        data = {} if self.offsets is None else {"offsets": offsets_to_data(self.offsets)}
        return {**data, "curve": curve_to_data(self.rows)} if self.rows else data


def _asked_of_cores(
    of: Options, plans: Sequence[CorePlan], *, curve: bool, choose: bool
) -> tuple[tuple[CorePlan, ...], tuple[_OfCore, ...]]:
    """The plans of the cores, with offsets that are chosen, and what was asked for beside them.

    A group that is on several cores keeps its offset, as it has one in the description.
    """
    on: dict[str, set[int]] = {}
    for one in plans:
        for task in one.system.tasks:
            on.setdefault(task.entry, set()).add(one.core)
    made, found = [], []
    for one in plans:
        offsets = None
        if choose and one.planned is not None:
            tasks = tuple(
                replace(task, offset_open=task.offset_open and len(on[task.entry]) == 1)
                for task in one.system.tasks
            )
            system, planned, offsets = _choose_offsets(
                of, replace(one.system, tasks=tasks), one.planned
            )
            one = CorePlan(replace(one.part, system=system), planned)
        try:
            rows = over_cells(one.system, of.plan) if curve and one.planned is not None else ()
        except HorologError as error:
            raise on_core(error, one.core) from None
        made.append(one)
        found.append(_OfCore(offsets, rows))
    return tuple(made), tuple(found)


def _plan_cores(
    of: Options,
    given: System,
    why: Callable[[Console, System, Planned], None] | None,
    *,
    curve: bool,
    choose: bool,
) -> None:
    """The plan of each core, and what they come to together."""
    planned = of.planned_cores(given)
    whole = planned.system
    plans, asked = _asked_of_cores(of, planned.plans, curve=curve, choose=choose)
    bounds = bounds_of_cores(plans)
    deadlines = deadlines_of_cores(bounds, chains_of_cores(whole, plans, bounds))
    overhead = overhead_of_cores(plans)
    chosen = [one.planned.choice for one in plans if one.planned is not None]
    interrupts = sum(one.prediction.interrupts for one in chosen)
    if of.as_json:
        objects = core_objects(given, plans, bounds)
        echo_json(
            {
                "system": whole.name,
                "board": whole.board.name,
                "deadlines": deadlines.to_data(),
                "interrupts": interrupts,
                "overhead_percent": float(overhead),
                "overhead_percent_exact": str(overhead),
                "division": planned.how,
                "cores": [
                    {
                        **data,
                        "plan": None if one.planned is None else to_data(one.system, one.planned),
                        **more.to_data(),
                    }
                    for data, one, more in zip(objects, plans, asked, strict=True)
                ],
            }
        )
    else:
        out = console()
        window = duration_text(whole.duration)
        out.print(
            f"[bold]{escape(whole.name)}[/] on {escape(whole.board.title)}: "
            f"{plural(len(whole.tasks), 'task')} on {plural(len(chosen), 'core')}, {window}"
        )
        out.print(f"[{deadlines_style(deadlines)}]{escape(deadlines.text)}[/]", soft_wrap=True)
        out.print(core_table(given, plans))
        if planned.how is not None:
            out.print(f"divided    {escape(planned.how)}", soft_wrap=True)
        out.print(
            f"predicted  {plural(interrupts, 'interrupt')} in {window}; overhead "
            f"{significant(overhead)} % of what {plural(len(chosen), 'core')} can execute"
        )
        for one, found, more in zip(plans, bounds, asked, strict=True):
            out.print(f"\n[bold]{core_heading(one)}[/]")
            if one.planned is None or found.deadlines is None:
                out.print("nothing to release")
                continue
            print_choice(out, one.system, one.planned, found.deadlines)
            if more.offsets is not None:
                print_offsets(out, one.system, more.offsets)
            if why is not None:
                why(out, one.system, one.planned)
            if more.rows:
                print_curve(out, one.system, more.rows)
    for one in plans:
        if one.planned is not None:
            refuse_overload(one.system, one.planned)
    if deadlines.missed:
        refuse_core_misses(plans, bounds)


def _refuse(system: System, planned: Planned, found: Analysis) -> None:
    """HorologError (1) for a plan that needs more than the processor has, or a deadline that is missed."""
    refuse_overload(system, planned)
    if found.certain:
        refuse_misses(system, found)


def _choose_offsets(
    of: Options, system: System, planned: Planned
) -> tuple[System, Planned, Offsets]:
    with searching(of.seconds) as limit:
        return choose_offsets(system, planned, lambda moved: of.moved(moved)[1], limit)


def _slack_data(system: System, planned: Planned) -> list[dict[str, Any]]:
    """Of each plan that is listed, the least share of a deadline that it leaves."""
    plans = [one.plan for one in planned.alternatives if one.plan is not None]
    found = [(one.mechanism, slack_of(system, one)) for one in plans]
    return [
        {
            "mechanism": mechanism,
            "share": None if one.share is None else float(one.share),
            "share_exact": None if one.share is None else str(one.share),
            "least": one.name,
        }
        for mechanism, one in found
    ]
