# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog build, run and compare."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from horolog.cli import (
    console,
    echo,
    echo_json,
    json_option,
    kind_option,
    objective_option,
    tell,
    warn_of_plan,
)
from horolog.cli.debugger import GDB_PORT, check_port, check_target, wait_for_debugger
from horolog.figures import plural
from horolog.model import ALL_MECHANISMS, STORES, Exit, HorologError, Kind, Mode, Planned, System

if TYPE_CHECKING:
    from horolog.model.result import Result
    from horolog.plan import ByCells
    from horolog.run import Variant, Waveform

__all__ = ["build", "compare", "run"]

F = TypeVar("F", bound=Callable[..., Any])


def _arguments(command: F) -> F:
    """What the three commands share."""
    for option in (
        json_option,
        click.option(
            "--out",
            type=click.Path(path_type=Path, file_okay=False),
            help="Where to write; default: ./build/<system>.",
        ),
        click.option("--board", metavar="BOARD", help="Another board than the description's."),
        click.option(
            "--queue",
            type=click.Choice((*STORES, "none")),
            help="Force the store of every releaser instead of the cheapest of each.",
        ),
        objective_option,
        kind_option,
        click.option(
            "--mechanism",
            type=click.Choice(ALL_MECHANISMS),
            help="Force a release mechanism instead of the cheapest.",
        ),
        click.argument("path", metavar="SYSTEM.toml", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


_CHECKS = "--checks"
_REPORTS = {"run": "run.html", "compare": "report.html"}  # neither takes the other's away
_MOST_TASKS_OVER_CELLS = 300
_checks_option = click.option(
    _CHECKS,
    is_flag=True,
    help="Let the kernel check its callers and stacks. Costs instructions: not for comparison.",
)


def _planned(
    path: Path,
    board: str | None,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
) -> tuple[System, Planned]:
    from horolog.plan import plan, refuse_overload
    from horolog.read import read_system

    system = read_system(path, board=board, kind=kind)
    planned = plan(system, mechanism=mechanism, queue=queue, objective=objective)
    refuse_overload(system, planned)
    warn_of_plan(planned)
    return system, planned


def _folder(system: System, out: Path | None) -> Path:
    return out if out is not None else Path("build") / system.name


@click.command()
@_arguments
@_checks_option
def build(
    path: Path,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
    board: str | None,
    out: Path | None,
    as_json: bool,
    checks: bool,
) -> None:
    """Generate the C sources for SYSTEM.toml and compile the firmware.

    With FreeRTOS's source at hand the same tasks are built for FreeRTOS too, but not with --checks.
    """
    from horolog.run import build as build_system

    system, planned = _planned(path, board, mechanism, queue, objective, kind)
    folder = _folder(system, out)
    firmware = build_system(
        system,
        planned,
        folder,
        baseline=not checks,
        say=(lambda text: None) if as_json else tell,
        checks=checks,
    )
    built = {
        "generated": str(folder / "gen"),
        "horolog": str(firmware.horolog),
        "freertos": None if firmware.freertos is None else str(firmware.freertos),
    }
    if as_json:
        of_sources = [one.beside(system.path.parent) for one in firmware.warnings]
        echo_json({**built, "warnings": [*planned.warnings, *of_sources]})
        return
    for name, where in built.items():
        if where is not None:
            echo(f"{name:10} {where}")


@click.command()
@_arguments
@_checks_option
@click.option("--gdb", is_flag=True, help="Boot, halt at reset and wait for a debugger.")
@click.option(
    "--gdb-port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help=f"The TCP port for the debugger, instead of {GDB_PORT}; implies --gdb.",
)
@click.option(
    "--vcd",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a waveform of Horolog's run, on a board that is simulated from its RTL.",
)
@click.option("--vcd-from", metavar="TIME", help='Where it begins, after reset: "1 ms".')
@click.option("--vcd-to", metavar="TIME", help="Where it ends.")
def run(
    path: Path,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
    board: str | None,
    out: Path | None,
    as_json: bool,
    checks: bool,
    gdb: bool,
    gdb_port: int | None,
    vcd: Path | None,
    vcd_from: str | None,
    vcd_to: str | None,
) -> None:
    """Build SYSTEM.toml, boot it on the board's emulator, measure it, and write the report.

    Result and report are run.json and run.html in the folder of outputs; those of compare stay.
    """
    from horolog.read import read_system

    if gdb or gdb_port is not None:
        port = GDB_PORT if gdb_port is None else gdb_port
        check_target(read_system(path, board=board, kind=kind).board)
        check_port(port)
        system, planned = _planned(path, board, mechanism, queue, objective, kind)
        wait_for_debugger(system, planned, _folder(system, out), port, checks=checks)
    else:
        waveform = _waveform(vcd, vcd_from, vcd_to)
        _measured(
            "run", path, mechanism, queue, objective, kind, board, out, as_json, checks, waveform
        )


@click.command()
@_arguments
@click.option(_CHECKS, is_flag=True, hidden=True)
def compare(
    path: Path,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
    board: str | None,
    out: Path | None,
    as_json: bool,
    checks: bool,
) -> None:
    """Run SYSTEM.toml, and the same tasks on FreeRTOS on the same machine; show both.

    Result and report are result.json and report.html in the folder of outputs; those of run stay.
    """
    if checks:
        raise HorologError(
            "compare does not take --checks: FreeRTOS beside it has none, so the sides would differ",
            expected="horolog run --checks",
        )
    _measured("compare", path, mechanism, queue, objective, kind, board, out, as_json, checks=False)


def _measured(
    command: str,
    path: Path,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
    kind: Kind | None,
    board: str | None,
    out: Path | None,
    as_json: bool,
    checks: bool,
    waveform: Waveform | None = None,
) -> None:
    from horolog.model.result import to_data
    from horolog.report import Basic, terminal, write_html
    from horolog.run import measure

    system, planned = _planned(path, board, mechanism, queue, objective, kind)
    folder = _folder(system, out)
    words = ["horolog", command, path.as_posix()]
    words += ["--mechanism", mechanism] if mechanism else []
    words += ["--queue", queue] if queue else []
    words += ["--objective", objective] if objective else []
    words += ["--kind", kind.value] if kind else []
    words += ["--board", board] if board else []
    words += [_CHECKS] if checks else []
    variant, no_basic = None, None
    if command == "compare" and kind is None:
        variant, no_basic = _as_basic(system, path, board, mechanism, queue, objective)
    outcome = measure(
        system,
        planned,
        folder,
        compare=command == "compare",
        argv=shlex.join(words),
        say=(lambda text: None) if as_json else tell,
        checks=checks,
        basic=variant,
        no_basic=no_basic,
        notes=_lent(system, path) if board else (),
        waveform=waveform,
    )
    basic = None
    if variant is not None and outcome.basic is not None:
        basic = Basic(variant.system, variant.planned, outcome.basic.trace)
    report = folder / _REPORTS[command]
    freertos = None if outcome.freertos is None else outcome.freertos.trace
    rows = _over_cells(system, mechanism, queue, objective)
    write_html(
        report, outcome.result, planned, system, outcome.horolog.trace, freertos, rows, basic
    )
    if as_json:
        echo_json(to_data(outcome.result))
    else:
        beside = None if basic is None else basic.planned
        console().print(terminal(outcome.result, planned, system, outcome.horolog.trace, beside))
        echo(f"\n{outcome.file}\n{report}")
    from horolog.read import HorologErrors

    failures = list(_failures(system, outcome.result))
    if failures:
        raise failures[0] if len(failures) == 1 else HorologErrors(failures)


def _failures(system: System, result: Result) -> Iterator[HorologError]:
    """Messages about each way in which the run did not hold what was planned."""
    from horolog.run import excess_error

    if result.exceeded:
        yield excess_error(system, result.exceeded)
    ours = result.horolog
    if ours.deadline_misses or ours.overruns:
        yield HorologError(
            f"{ours.deadline_misses} of {plural(ours.jobs, 'job')} missed their deadline, "
            f"{plural(ours.overruns, 'release')} overran",
            expected="none; the report shows which",
            exit=Exit.DOES_NOT_HOLD,
        )


def _as_basic(
    system: System,
    path: Path,
    board: str | None,
    mechanism: str | None,
    queue: str | None,
    objective: str | None,
) -> tuple[Variant | None, str | None]:
    """The system with all tasks as basic tasks, to be shown beside; or a note that says why there is none.

    Both are None if some tasks are basic already, or if the kernel would dispatch them.
    """
    from horolog.run import Variant

    if system.basic or system.board.controller is None:
        return None, None
    if system.uses_services:
        return None, "the application calls the kernel, and such a call may wait"
    try:
        return Variant(*_planned(path, board, mechanism, queue, objective, Kind.BASIC)), None
    except HorologError as error:
        return None, error.message


def _lent(system: System, path: Path) -> tuple[str, ...]:
    """A note about the cells, where another board than the description's own was named."""
    from horolog.read import read_system

    own = read_system(path)
    if own.cells == system.cells:
        return ()
    lent = ", ".join(system.cells)
    return (f"{system.board.name} lends its {lent} for cells of {own.board.name}",)


def _waveform(vcd: Path | None, start: str | None, end: str | None) -> Waveform | None:
    """What --vcd and its window ask for."""
    from horolog.run import Waveform

    if vcd is None:
        if start is not None or end is not None:
            raise HorologError("--vcd-from and --vcd-to say where --vcd FILE begins and ends")
        return None
    since = Fraction(0) if start is None else _time("--vcd-from", start, zero=True)
    return Waveform(vcd, since, None if end is None else _time("--vcd-to", end))


def _time(option: str, text: str, *, zero: bool = False) -> Fraction:
    from horolog.read import parse_duration

    try:
        return parse_duration(text, zero=zero)
    except ValueError as error:
        raise HorologError(
            f"{option}: {error}", found=f'"{text}"', expected='a number and a unit, such as "1 ms"'
        ) from None


def _over_cells(
    system: System, mechanism: str | None, queue: str | None, objective: str | None
) -> tuple[ByCells, ...]:
    """For the report's picture; none where they would take long, or no cell could be copied."""
    from horolog.plan import over_cells, plan

    periodic = any(Mode.PERIODIC in system.board.cell(name).modes for name in system.cells)
    if system.basic or not periodic or len(system.tasks) > _MOST_TASKS_OVER_CELLS:
        return ()
    try:
        return over_cells(
            system, lambda one: plan(one, mechanism=mechanism, queue=queue, objective=objective)
        )
    except HorologError:  # the mechanism that was named cannot do with fewer cells
        return ()
