# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog build, run and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from horolog.build.firmware import Firmware
from horolog.build.flash_images import flash_images
from horolog.cli import console, echo, echo_json
from horolog.cli.debugger import GDB_PORT, check_port, check_target, wait_for_debugger
from horolog.cli.options import CHECKS, Options, with_options
from horolog.cli.probing import probe_option, refuse_beside_probe
from horolog.figures import numbered, plural
from horolog.measure.measured import Measured, lost_errors
from horolog.measure.wcets import (
    WcetProposal,
    proposals,
    proposals_data,
    proposals_text,
    refuse_uncounted,
)
from horolog.model import (
    ON_ONE_CORE,
    ON_SEVERAL_CORES,
    Baseline,
    Exit,
    HorologError,
    Kind,
    Mode,
    System,
)
from horolog.model.core_result import cores_to_data
from horolog.model.result import Result
from horolog.model.result_json import to_data
from horolog.plan import ByCells, over_cells, plan, read_prices
from horolog.read import HorologErrors, parse_duration, read_system
from horolog.report import Basic, CoreSeen, cores_page, cores_terminal, page, terminal
from horolog.responses import Analysis, analysis_of, chains_of, deadlines_of
from horolog.run import (
    CoresRequest,
    Outcome,
    Probe,
    Request,
    Variant,
    Waveform,
    build_cores,
    excess_error,
    jobs_of_cores,
    measure,
    measure_cores,
    probe_text,
    why_no_freertos,
    why_not_compared,
)
from horolog.run import build as build_system

__all__ = ["build", "compare", "run"]

F = TypeVar("F", bound=Callable[..., Any])

_ALL = "all"
_REPORTS = {"run": "run.html", "compare": "report.html"}  # neither takes the other's away
_MOST_TASKS_OVER_CELLS = 300
_MARGIN = 20  # per cent
_TRIED = 4  # changes that might be better
_checks_option = click.option(
    CHECKS,
    is_flag=True,
    help="Let the kernel check its callers and stacks. Costs instructions: not for comparison.",
)


def _baseline_option(default: str, *, named: bool = False) -> Callable[[F], F]:
    """The option `--baseline`; with `named` it is None unless it was named."""
    return click.option(
        "--baseline",
        type=click.Choice((*(one.value for one in Baseline), _ALL)),
        default=None if named else default,
        show_default=not named,
        help="How FreeRTOS runs the tasks: a FreeRTOS task each (stock), one a rate (rate-group), or one a "
        "rate that a timer's interrupt notifies (notify; on one core). On several cores tasks belong to "
        "those that the plan chose, or to none (any-core)."
        + (f"  [default: {default}]" if named else ""),
    )


def _baselines(named: str, cores: int = 1) -> tuple[Baseline, ...]:
    """The sides that are `named`, of a system on so many cores. HorologError if there are none."""
    if named == _ALL:
        return ON_ONE_CORE if cores == 1 else ON_SEVERAL_CORES
    one = Baseline(named)
    if cores == 1 and one not in ON_ONE_CORE:
        raise HorologError(
            f"--baseline {named} is for several cores",
            found="a system on one core",
            expected=", ".join(each.value for each in ON_ONE_CORE),
        )
    return (one,)


@click.command()
@with_options
@_checks_option
@_baseline_option(Baseline.STOCK.value, named=True)
def build(of: Options, baseline: str | None) -> None:
    """Generate the C sources for SYSTEM.toml and compile the firmware.

    Beside the ELF file are the same as Intel HEX and, if it has no long gaps, as a plain image: for
    programmers.

    With FreeRTOS's source at hand the same tasks are built for FreeRTOS too, but not with --checks. A side
    that is named and cannot be built is said with the reason.
    """
    if of.checks and baseline is not None:
        raise HorologError(
            "build takes --baseline or --checks: FreeRTOS has none, so the sides would differ",
            expected="one of the two",
        )
    several = of.cores_request()
    if several is not None:
        _build_cores(several, of, baseline)
        return
    request = replace(of.request(), baselines=_baselines(baseline or Baseline.STOCK.value))
    firmware = build_system(request, baseline=not of.checks)
    missing = why_no_freertos(request.system.board) if baseline is not None else None
    if missing is not None:
        request.say(f"note: {missing}")
    sides = {one.value: str(elf) for one, elf in firmware.baselines.items()}
    built = {"generated": str(request.out / "gen"), "horolog": str(firmware.horolog)}
    is_process = request.system.board.port.is_process
    images = () if is_process else flash_images(firmware.horolog)
    if of.as_json:
        of_sources = [one.beside(request.system.path.parent) for one in firmware.warnings]
        theirs = {"freertos": sides.get(Baseline.STOCK.value), "baselines": sides}
        warnings = [*request.planned.warnings, *of_sources]
        flash = [str(image) for image in images]
        echo_json({**built, "flash": flash, **theirs, "warnings": warnings})
        return
    stock = {"freertos": sides.pop(Baseline.STOCK.value)} if Baseline.STOCK.value in sides else {}
    to_flash = {"": ", ".join(image.name for image in images) + " beside it, to be flashed"}
    for name, where in (built | (to_flash if images else {}) | stock | sides).items():
        echo(f"{name:10} {where}")


def _build_cores(request: CoresRequest, of: Options, baseline: str | None) -> None:
    """Build for several cores, with FreeRTOS's side `baseline` if it is named."""
    sides = _baselines(baseline or Baseline.STOCK.value, request.system.cores)
    firmware = build_cores(replace(request, baselines=sides), baseline=not of.checks)
    _say_not_built(request, firmware, sides, named=baseline is not None)
    theirs = {one.value: str(elf) for one, elf in firmware.baselines.items()}
    generated = str(request.out / "gen")
    if of.as_json:
        of_sources = [one.beside(request.system.path.parent) for one in firmware.warnings]
        built = {"generated": generated, "horolog": str(firmware.horolog)}
        of_freertos = {"freertos": theirs.get(Baseline.STOCK.value), "baselines": theirs}
        echo_json({**built, **of_freertos, "warnings": of_sources})
        return
    stock = {"freertos": theirs.pop(Baseline.STOCK.value)} if Baseline.STOCK.value in theirs else {}
    built = {"generated": generated, "horolog": str(firmware.horolog), **stock, **theirs}
    for name, where in built.items():
        echo(f"{name:10} {where}")


def _say_not_built(
    request: CoresRequest, firmware: Firmware, sides: Sequence[Baseline], *, named: bool
) -> None:
    """Which of FreeRTOS's `sides` there are not, and why, if one was named."""
    for one in sides if named else ():
        if one not in firmware.baselines:
            why = why_not_compared(request.system, sides) or firmware.unlinked.get(one)
            request.say(f"note: {one.described} is not built: {why}")


@click.command()
@with_options
@_checks_option
@click.option(
    "--wcet",
    is_flag=True,
    help="Propose a wcet for each body: its longest job in this run and a margin, as TOML. Not a proof.",
)
@click.option(
    "--margin",
    type=click.IntRange(0, 1000),
    metavar="PERCENT",
    help=f"How much --wcet adds to the longest job, instead of {_MARGIN} %; implies --wcet.",
)
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
    help="Write a waveform of Horolog's run, on a board that is simulated cycle by cycle.",
)
@click.option("--vcd-from", metavar="TIME", help='Where it begins, after reset: "1 ms".')
@click.option("--vcd-to", metavar="TIME", help="Where it ends.")
@probe_option
@click.option(
    "--stream",
    is_flag=True,
    help="With --probe: read the ring as it fills, by RTT if the server knows it. RAM then limits no window.",
)
def run(
    of: Options,
    wcet: bool,
    margin: int | None,
    gdb: bool,
    gdb_port: int | None,
    vcd: Path | None,
    vcd_from: str | None,
    vcd_to: str | None,
    probe: Probe | None,
    stream: bool,
) -> None:
    """Build SYSTEM.toml, boot it on the board's emulator, measure it, and write the report.

    Result and report are run.json and run.html in the folder of outputs; those of compare stay. With
    --probe the firmware runs where the probe says, and measures itself.
    """
    if stream and probe is None:
        raise HorologError(
            "--stream is of a firmware that measures itself",
            found="no --probe",
            expected="--probe beside it, or no --stream: emulators count from outside",
        )
    if probe is not None:
        refuse_beside_probe(
            {"--gdb": gdb, "--gdb-port": gdb_port, "--vcd": vcd, "--verify": of.verify}
        )
    if gdb or gdb_port is not None:
        check_target(of.system().board)
    several = of.cores_request()
    if several is not None:
        _refuse_on_cores({"--gdb": gdb, "--gdb-port": gdb_port, "--probe": probe})
        margin = _MARGIN if wcet and margin is None else margin
        several = replace(several, waveform=_waveform(vcd, vcd_from, vcd_to))
        _measured_cores("run", of, several, margin=margin)
    elif gdb or gdb_port is not None:
        port = GDB_PORT if gdb_port is None else gdb_port
        check_port(port)
        wait_for_debugger(of.request(), port)
    else:
        if wcet or margin is not None:
            refuse_uncounted(of.system())
            margin = _MARGIN if margin is None else margin
        _measured(
            "run", of, _waveform(vcd, vcd_from, vcd_to), margin=margin, probe=probe, stream=stream
        )


@click.command()
@with_options
@click.option(CHECKS, is_flag=True, hidden=True)
@_baseline_option(_ALL)
def compare(of: Options, baseline: str) -> None:
    """Run SYSTEM.toml, and the same tasks on FreeRTOS on the same machine; show both.

    The headline is about the FreeRTOS side that costs least. Result and report are result.json and
    report.html in the folder of outputs; those of run stay.
    """
    if of.checks:
        raise HorologError(
            "compare does not take --checks: FreeRTOS beside it has none, so the sides would differ",
            expected="horolog run --checks",
        )
    several = of.cores_request()
    if several is not None:
        sides = _baselines(baseline, several.system.cores)
        chosen = "" if baseline == _ALL else f" --baseline {baseline}"
        _measured_cores("compare", of, replace(several, baselines=sides), chosen)
        return
    _measured("compare", of, baseline=None if baseline == _ALL else Baseline(baseline))


def _measured(
    command: str,
    of: Options,
    waveform: Waveform | None = None,
    baseline: Baseline | None = None,
    margin: int | None = None,
    probe: Probe | None = None,
    *,
    stream: bool = False,
) -> None:
    """Measure for `command`; to compare with `baseline`, or with all; with `margin` propose WCETs."""
    request = of.request()
    system, planned = request.system, request.planned
    comparing = command == "compare"
    variant, no_basic = None, None
    if comparing and of.kind is None:
        variant, no_basic = _as_basic(system, of)
    analysis = analysis_of(system, planned.choice, read_prices(system.board))
    chosen = "" if baseline is None else f" --baseline {baseline.value}"
    chosen += "" if probe is None else f" --probe {probe_text(probe)}"
    chosen += " --stream" if stream else ""
    outcome = measure(
        replace(
            request,
            command=of.command(command) + chosen,
            compare=comparing,
            baselines=_baselines(_ALL if baseline is None else baseline.value),
            basic=variant,
            no_basic=no_basic,
            deadlines=deadlines_of(system, analysis, chains_of(system, planned.choice, analysis)),
            suggestions=of.suggestions(system, planned, _TRIED) if comparing else (),
            notes=_lent(system, of.path) if of.board else (),
            waveform=waveform,
            probe=probe,
            stream=stream,
        )
    )
    report = request.out / _REPORTS[command]
    _write_report(report, request, of, outcome, variant, analysis)
    proposed = () if margin is None else proposals(system, outcome.horolog, margin)
    if of.as_json:
        wcets = {} if margin is None else {"wcets": proposals_data(proposed, margin)}
        echo_json({**to_data(outcome.result), **wcets})
    else:
        beside = None if variant is None or outcome.basic is None else variant.planned
        console().print(terminal(outcome.result, planned, system, outcome.horolog.trace, beside))
        if margin is not None:
            _print_proposals(system, proposed, outcome.horolog, margin)
        echo(f"\n{outcome.file}\n{report}")
    failures = list(_failures(system, outcome.result, outcome.horolog))
    if failures:
        raise failures[0] if len(failures) == 1 else HorologErrors(failures)


def _refuse_on_cores(options: Mapping[str, object]) -> None:
    """HorologError if one of `options` is given, which take a system of one core."""
    for option, value in options.items():
        if value is not None and value is not False:
            raise HorologError(
                f"{option} on several cores: not yet supported",
                found=option,
                expected=f"no {option}, or a board of one core",
            )


def _measured_cores(
    command: str,
    of: Options,
    request: CoresRequest,
    chosen: str = "",
    margin: int | None = None,
) -> None:
    """As _measured, of a system on several cores, with the option `chosen`."""
    outcome = measure_cores(
        replace(
            request,
            command=of.command(command) + chosen,
            compare=command == "compare",
            notes=_lent(request.system, of.path) if of.board else (),
        )
    )
    seen = [
        CoreSeen(one, measured.trace, measured.activated)
        for one, measured in zip(request.busy, outcome.measured, strict=True)
    ]
    report = request.out / _REPORTS[command]
    text = cores_page(outcome.result, request.system, seen)
    report.write_text(text, encoding="utf-8", newline="\n")
    whole, system = jobs_of_cores(request.busy, outcome.measured), request.system
    proposed = () if margin is None else proposals(system, whole, margin)
    if of.as_json:
        wcets = {} if margin is None else {"wcets": proposals_data(proposed, margin)}
        echo_json({**cores_to_data(outcome.result), **wcets})
    else:
        console().print(cores_terminal(outcome.result, system, seen))
        if margin is not None:
            _print_proposals(system, proposed, whole, margin)
        echo(f"\n{outcome.file}\n{report}")
    failures = [
        failure
        for one, core, measured in zip(
            request.busy, outcome.result.cores, outcome.measured, strict=True
        )
        for failure in _failures(one.system, core.result, measured)
    ]
    if failures:
        raise failures[0] if len(failures) == 1 else HorologErrors(failures)


def _print_proposals(
    system: System, proposed: Sequence[WcetProposal], measured: Measured, margin: int
) -> None:
    echo("")
    for line in proposals_text(system, proposed, measured.unit, margin):
        echo(line)


def _write_report(
    report: Path,
    request: Request,
    of: Options,
    outcome: Outcome,
    variant: Variant | None,
    analysis: Analysis,
) -> None:
    basic = None
    if variant is not None and outcome.basic is not None:
        basic = Basic(variant.system, variant.planned, outcome.basic.trace)
    ours = outcome.horolog.trace
    theirs = {one: measured.trace for one, measured in outcome.freertos.items()}
    rows = _over_cells(request.system, of)
    text = page(
        outcome.result, request.planned, request.system, ours, theirs, rows, basic, analysis
    )
    report.write_text(text, encoding="utf-8", newline="\n")


def _failures(system: System, result: Result, measured: Measured) -> Iterator[HorologError]:
    """Messages about each way in which the run did not hold what was planned."""
    if result.exceeded:
        yield excess_error(system, result.exceeded)
    ours = result.horolog
    yield from lost_errors(system, measured)
    overruns = ours.overruns - sum(one.overruns for one in measured.activated)
    if ours.deadline_misses or overruns:
        yield HorologError(
            f"{ours.deadline_misses} of {plural(ours.jobs, 'job')} missed their deadline, "
            f"{plural(overruns, 'release')} overran",
            expected="none; the report shows which",
            exit=Exit.DOES_NOT_HOLD,
        )


def _as_basic(system: System, of: Options) -> tuple[Variant | None, str | None]:
    """The system with all tasks as basic tasks, to be shown beside; or a note that says why there is none.

    Both are None if some tasks are basic already, or if the kernel would dispatch them.
    """
    if system.basic or system.board.controller is None:
        return None, None
    if system.uses_services:
        return None, "the application calls the kernel, and such a call may wait"
    try:
        return Variant(*of.of_kind(Kind.BASIC).planned(system)), None
    except HorologError as error:
        return None, error.message


def _lent(system: System, path: Path) -> tuple[str, ...]:
    """A note about the cells, where another board than the description's own was named."""
    own = read_system(path)
    if own.cells == system.cells:
        return ()
    lent = numbered(system.cells)
    if system.cores > 1:
        each = plural(len(own.cells), "cell")
        return (
            f"{system.board.name} lends {lent}: to each core for the {each} of {own.board.name}",
        )
    return (f"{system.board.name} lends its {lent} for cells of {own.board.name}",)


def _waveform(vcd: Path | None, start: str | None, end: str | None) -> Waveform | None:
    """What --vcd and its window ask for."""
    if vcd is None:
        if start is not None or end is not None:
            raise HorologError("--vcd-from and --vcd-to say where --vcd FILE begins and ends")
        return None
    since = Fraction(0) if start is None else _time("--vcd-from", start, zero=True)
    return Waveform(vcd, since, None if end is None else _time("--vcd-to", end))


def _time(option: str, text: str, *, zero: bool = False) -> Fraction:
    try:
        return parse_duration(text, zero=zero)
    except ValueError as error:
        raise HorologError(
            f"{option}: {error}", found=f'"{text}"', expected='a number and a unit, such as "1 ms"'
        ) from None


def _over_cells(system: System, of: Options) -> tuple[ByCells, ...]:
    """For the report's picture; none where they would take long, or no cell could be copied."""
    periodic = any(Mode.PERIODIC in system.board.cell(name).modes for name in system.cells)
    if system.basic or not periodic or len(system.tasks) > _MOST_TASKS_OVER_CELLS:
        return ()
    try:
        return over_cells(system, lambda one: plan(one, **of.named))
    except HorologError:  # the mechanism that was named cannot do with fewer cells
        return ()
