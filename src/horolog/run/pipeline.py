# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The stages after the plan, in one call each: build, and build-run-measure-report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from horolog import __version__
from horolog.build.firmware import TARGETS, Firmware, Target, build_firmware
from horolog.build.freertos import HOW_TO_GET_IT, freertos_source, freertos_version
from horolog.build.own_vectors import NO_FREERTOS_BESIDE
from horolog.build.ring import Ring
from horolog.build.toolchains import tool_versions
from horolog.emit import Tick, as_run, baseline_tick, notify_tick, tick_of
from horolog.figures import plural
from horolog.measure.exceptions import exception_cycles, why_no_exceptions
from horolog.measure.measured import (
    FREERTOS,
    HOROLOG,
    Kernel,
    Measured,
    excesses,
    side,
)
from horolog.measure.watched import RequestLog
from horolog.model import (
    Baseline,
    Board,
    Deadlines,
    Exit,
    HorologError,
    NeverIdle,
    Place,
    Plan,
    Planned,
    System,
)
from horolog.model.result import (
    Excess,
    Result,
    Rival,
    Side,
    Suggestion,
    candidates,
    why_invalid,
)
from horolog.model.result_json import to_json
from horolog.read import duration_text, unreleased
from horolog.read.units import frequency_text
from horolog.run.by_debugger import refuse_unprobed, ring_for, run_by_debugger
from horolog.run.confine import confinement_gaps
from horolog.run.gdb_servers import Probe, check_probe, serving
from horolog.run.gdb_session import Remote
from horolog.run.host import run_on_host
from horolog.run.ibex import Waveform, run_on_ibex
from horolog.run.qemu import run_in_qemu
from horolog.run.rp2040 import run_on_rp2040
from horolog.run.simavr import run_on_simavr
from horolog.run.stm32 import run_on_stm32
from horolog.trace import are_seen

__all__ = [
    "Outcome",
    "Request",
    "Variant",
    "application_notes",
    "build",
    "kernel_of_freertos",
    "measure",
    "measure_baseline",
    "measure_by_probe",
    "measure_plan",
    "versions",
    "why_no_freertos",
]

Say = Callable[[str], None]
_BUILDING = " both kernels' firmware"
_CHECKED = "with checks: not for comparison"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A measured system: the result, and the events behind it."""

    result: Result
    horolog: Measured
    freertos: Mapping[Baseline, Measured]
    basic: Measured | None
    file: Path  # the result's


@dataclass(frozen=True, slots=True)
class Variant:
    """A system planned another way, to be measured beside the one that is asked for."""

    system: System
    planned: Planned


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be built and measured of a system, and the notes that its result has.

    `command` is the command as a user would repeat it. `compare` is with those `baselines`. With `checks` the
    kernel checks its callers, as build_firmware says; not together with `compare`, as then the sides would
    differ. `basic`, the plan of all tasks as basic tasks, is measured too, below `out`/basic; `no_basic` says
    why there is none.
    `waveform` is written of Horolog's run, if the board's runner can write it. With `probe` the firmware
    measures itself, on what is behind that gdb server.
    """

    system: System
    planned: Planned
    out: Path  # the folder of outputs
    say: Say
    command: str = ""
    compare: bool = False
    baselines: tuple[Baseline, ...] = (Baseline.STOCK,)
    checks: bool = False
    basic: Variant | None = None
    no_basic: str | None = None
    notes: tuple[str, ...] = ()
    deadlines: Deadlines | None = None
    suggestions: tuple[Suggestion, ...] = ()
    waveform: Waveform | None = None
    probe: Probe | None = None
    stream: bool = False  # then: its ring is read as it fills


def build(request: Request, *, baseline: bool = False, ring: Ring | None = None) -> Firmware:
    """Generate and compile, with `ring` in ours; with `baseline`, FreeRTOS's too if it can be had."""
    say = request.say
    source = freertos_source() if baseline and request.system.board.port.has_freertos else None
    say("building" + (_BUILDING if source else ""))
    plan = request.planned.choice
    firmware = build_firmware(
        request.system,
        plan,
        request.out,
        source,
        checks=request.checks,
        baselines=request.baselines,
        ring=ring,
    )
    for note in firmware.notes:
        say(f"note: {note}")
    for warned in firmware.warnings:
        say(warned.shown())
    if firmware.no_freertos is not None:
        say(f"note: FreeRTOS is not built: {firmware.no_freertos}")
    elif source and not request.compare:  # to compare, the result says it
        for one in request.baselines:
            if one not in firmware.baselines:
                why = firmware.unlinked.get(one) or tick_of(request.system, one).note
                say(f"note: {one.described} is not built: {why}")
    return firmware


def measure(request: Request) -> Outcome:
    """Build, run, measure, and write the result: to result.json to compare, else to run.json.

    HorologError (2) if no task is released within the duration, (4) if the firmware faults or hangs.
    """
    system, plan, say = request.system, request.planned.choice, request.say
    if request.waveform is not None and system.board.runner.kind not in ("ibex", "simavr"):
        raise HorologError(
            f"--vcd needs a board that is simulated cycle by cycle; {system.board.name} is not",
            expected="a board with the runner ibex or simavr, such as ibex-cells",
        )
    if request.probe is not None:
        return _measure_by_probe(request, request.probe)
    _refuse_unrunnable(system)
    late = unreleased(system)
    refused = _refusal(system, request.baselines) if request.compare else None
    comparing = request.compare and refused is None
    firmware = build(request, baseline=comparing)
    refused = refused or firmware.no_freertos
    _say_gaps(system, say)
    say(f"running Horolog, {plan.mechanism}, {duration_text(system.duration)} simulated")
    by, out = Kernel(HOROLOG, plan.mechanism), request.out
    ours = _run(system, plan, by, firmware.horolog, out, say, request.waveform)
    exceeded = excesses(system, ours)
    basic, no_basic = request.basic, request.no_basic
    also = None
    theirs: dict[Baseline, Measured] = {}
    overloaded = dict(firmware.unlinked)
    if basic is not None and not exceeded:
        also, no_basic = _basic(basic, request.out / "basic", say)
        exceeded = () if also is None else excesses(basic.system, also)
    invalid = why_invalid(exceeded)
    if invalid is not None:  # then there is nothing to compare
        refused = refused or invalid
        if basic is not None and also is None:
            no_basic = no_basic or invalid
    elif comparing:
        for one in firmware.baselines:
            try:
                theirs[one] = _baseline(request, firmware, one)
            except NeverIdle as error:  # what Horolog's side came to is worth showing all the same
                overloaded[one] = error.message
    sides = _Sides(ours, theirs, also, refused, no_basic, exceeded, overloaded)
    result = _result(request, firmware, sides, late)
    file = request.out / ("result.json" if request.compare else "run.json")
    file.write_text(to_json(result), encoding="utf-8")
    return Outcome(result, ours, theirs, also, file)


def _measure_by_probe(request: Request, probe: Probe) -> Outcome:
    """As measure, of a firmware that measures itself."""
    plan, out = request.planned.choice, request.out / "probe"
    refuse_unprobed(request.system)
    system = replace(request.system, board=request.system.board.on_silicon)
    check_probe(system.board, probe)
    late = unreleased(system)
    ring = ring_for(system, plan, streams=request.stream)
    firmware = build(replace(request, system=system, out=out), ring=ring)
    kernel = Kernel(HOROLOG, plan.mechanism)
    with serving(system.board, probe, out, request.say) as remote:
        lasts = duration_text(system.duration)
        request.say(f"loading {system.board.name} by {remote.text}, {lasts} to run")
        streamed = ring if request.stream else None
        found = run_by_debugger(system, plan, kernel, firmware.horolog, out, remote, streamed)
    exceeded = excesses(system, found.measured)
    sides = _Sides(found.measured, {}, None, None, None, exceeded, {})
    notes = found.notes(plan, request.system.board)
    noted = replace(request, system=system, notes=(*notes, *request.notes))
    result = replace(_result(noted, firmware, sides, late), by_itself=True)
    file = request.out / "run.json"
    file.write_text(to_json(result), encoding="utf-8")
    return Outcome(result, found.measured, {}, None, file)


@dataclass(frozen=True, slots=True)
class _Sides:
    """What was measured, and why something was not."""

    horolog: Measured
    freertos: Mapping[Baseline, Measured]
    basic: Measured | None
    not_compared: str | None
    no_basic: str | None
    exceeded: tuple[Excess, ...]
    overloaded: Mapping[Baseline, str]  # why FreeRTOS's sides cannot do the work, or be linked


def _result(
    request: Request,
    firmware: Firmware,
    sides: _Sides,
    late: tuple[str, ...],
) -> Result:
    """The result: `late` are notes on tasks never released."""
    system, planned, basic = request.system, request.planned, request.basic
    plan, also = planned.choice, sides.basic
    rivals = _rivals(request, sides) if request.compare else {}
    stock = rivals.pop(Baseline.STOCK, None)
    counted = sides.horolog.findings.exceptions is not None
    return Result(
        system=system.name,
        board=system.board.name,
        versions=versions(system, with_freertos=bool(sides.freertos)),
        commands=(request.command,),
        deadlines=request.deadlines,
        window_s=system.duration,
        horolog=_with_tables(side(system, plan, sides.horolog), planned),
        freertos=None if stock is None else stock.side,
        alternatives=candidates(planned),
        not_compared=None if stock is None else stock.refused,
        rivals=tuple(rivals.values()),
        suggestions=request.suggestions,
        exception_cycles=exception_cycles(system.board) if counted else None,
        no_exceptions=why_no_exceptions(system.board, counted=counted),
        notes=(
            *request.notes,
            *late,
            *planned.notes,
            *planned.warnings,
            *_verified_notes(planned),
            *_tick_notes(system, sides.freertos),
            *application_notes(system),
            *_round_notes(system, sides.horolog),
            *((_CHECKED,) if request.checks else ()),
        ),
        basic=None
        if also is None or basic is None
        else _with_tables(side(basic.system, basic.planned.choice, also), basic.planned),
        no_basic=sides.no_basic,
        warnings=tuple(one.beside(system.path.parent) for one in firmware.warnings),
        exceeded=sides.exceeded,
    )


def _with_tables(of: Side, planned: Planned) -> Side:
    """The side with the bytes of its tables, as the plan has them."""
    if of.memory is None or planned.memory is None:
        return of
    return replace(of, memory=replace(of.memory, tables=planned.memory.tables))


def _rivals(request: Request, sides: _Sides) -> dict[Baseline, Rival]:
    """Each FreeRTOS side that was asked for: what was measured, or why nothing was."""
    system, plan = request.system, request.planned.choice
    found = {}
    for one in request.baselines:
        measured, tick = sides.freertos.get(one), tick_of(system, one)
        if measured is None:
            why = sides.not_compared or sides.overloaded.get(one) or tick.note
            found[one] = Rival(one, None, why)
        else:
            run = side(as_run(system, tick), plan, measured)
            found[one] = Rival(one, replace(run, rounded=tick.rounded))
    return found


def _tick_notes(system: System, run: Iterable[Baseline]) -> tuple[str, ...]:
    """What a reader has to know of the ticks of the FreeRTOS sides that were run."""
    notes = (tick_of(system, one).note for one in run)
    return tuple(dict.fromkeys(note for note in notes if note is not None))


def _baseline(request: Request, firmware: Firmware, baseline: Baseline) -> Measured:
    """FreeRTOS with the same tasks."""
    system, plan = request.system, request.planned.choice
    tick = tick_of(system, baseline)
    kernel = kernel_of_freertos(tick, baseline)
    request.say(f"running {baseline.title}, {kernel.mechanism}")
    elf = firmware.baselines[baseline]
    return _run(as_run(system, tick), plan, kernel, elf, request.out, request.say)


def kernel_of_freertos(tick: Tick, baseline: Baseline, *, tickless: bool = False) -> Kernel:
    """How a FreeRTOS side is recognised that counts time by `tick`, which can express the system."""
    assert tick.hz is not None
    by = "tickless" if tickless else "tick" if tick.cell is None else tick.cell
    hz = round(tick.hz) if tick.rounded else tick.hz
    how = "one-shot" if tick.one_shot else frequency_text(hz)
    name = FREERTOS if baseline is Baseline.STOCK else baseline.title
    return Kernel(name, f"{by}, {how}", tick.hz, tick.start, tick.cell, tick.one_shot)


def _basic(basic: Variant, out: Path, say: Say) -> tuple[Measured | None, str | None]:
    """All tasks as basic tasks, built and run below `out`; or why they cannot be built so."""
    system, plan = basic.system, basic.planned.choice
    try:
        firmware = build_firmware(system, plan, out, None)
    except HorologError as error:
        if error.exit is not Exit.BAD_INPUT:
            raise
        return None, error.message
    say(f"running Horolog, basic tasks, {plan.mechanism}")
    kernel = Kernel(HOROLOG, plan.mechanism)
    return _run(system, plan, kernel, firmware.horolog, out, say), None


def measure_plan(system: System, plan: Plan, out: Path, log: RequestLog | None = None) -> Side:
    """Build and run Horolog alone by `plan`; what it came to. Writes no report.

    With `log`, also what cells requested; not on the host port.
    """
    firmware = build_firmware(system, plan, out, None)
    kernel = Kernel(HOROLOG, plan.mechanism)
    return side(system, plan, _run(system, plan, kernel, firmware.horolog, out, log=log))


def measure_by_probe(system: System, plan: Plan, out: Path, remote: Remote) -> Side:
    """As measure_plan, of a firmware that measures itself on what is behind `remote`.

    It counts cycles, if its board has a counter of them. The kernel's part is divided into HANDLERS, SWITCHES
    and CALLS of by_debugger.
    """
    refuse_unprobed(system)
    system = replace(system, board=system.board.on_silicon)
    out.mkdir(parents=True, exist_ok=True)
    firmware = build_firmware(system, plan, out, None, ring=ring_for(system, plan))
    kernel = Kernel(HOROLOG, plan.mechanism)
    found = run_by_debugger(system, plan, kernel, firmware.horolog, out, remote)
    return side(system, plan, found.measured)


def measure_baseline(
    system: System,
    plan: Plan,
    source: Path,
    out: Path,
    *,
    tickless: bool = False,
    tick: Tick | None = None,
    baseline: Baseline = Baseline.STOCK,
) -> Side:
    """Build and run FreeRTOS, from the source in folder `source`, alone on the tasks of `system`.

    With `tickless` the stock side stops its tick while nothing is due; `tick` is another than the usual one.
    HorologError if `baseline` cannot express the system exactly. `plan` plays no part in what is measured.
    """
    if tick is None:
        tick = notify_tick(system) if baseline is Baseline.NOTIFY else baseline_tick(system)
    if tick.hz is None:
        raise HorologError(tick.note or "no tick of FreeRTOS's can express this system")
    target = Target.FREERTOS_TICKLESS if tickless else TARGETS[baseline]
    firmware = build_firmware(system, plan, out, source, only=target, tick=tick)
    kernel = kernel_of_freertos(tick, baseline, tickless=tickless)
    assert firmware.freertos is not None
    run = as_run(system, tick)
    return side(run, plan, _run(run, plan, kernel, firmware.freertos, out))


def _refuse_unrunnable(system: System) -> None:
    """HorologError if the system's board has no emulator, before anything is built for it."""
    if system.board.runner.kind == "none":
        raise HorologError(
            f"no emulator runs the board {system.board.name}",
            place=Place(str(system.board.directory / "board.toml"), key="runner.kind"),
            found='"none"',
            expected="horolog build, which writes the firmware for it, or another board: --board",
        )


def _say_gaps(system: System, say: Say) -> None:
    """What firmware could reach on this machine, where the emulator cannot be confined."""
    emulator = system.board.port.emulator
    if system.board.runner.kind == "qemu" and emulator is not None:
        for gap in confinement_gaps(emulator):
            say(f"note: {gap}")


def _run(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    out: Path,
    say: Say = lambda text: None,
    waveform: Waveform | None = None,
    log: RequestLog | None = None,
) -> Measured:
    """Run `elf` until the window is over. HorologError (exit 4) on faults, hangs and silence."""
    kind = system.board.runner.kind
    if kind == "ibex":
        return run_on_ibex(system, plan, kernel, elf, out, say, waveform, log)
    if kind == "simavr":
        return run_on_simavr(system, plan, kernel, elf, out, waveform, log)
    if kind == "rp2040js":
        return run_on_rp2040(system, plan, kernel, elf, out, log)
    if system.board.runner.has_chip_file:
        return run_on_stm32(system, plan, kernel, elf, out, log)
    if kind == "qemu":
        return run_in_qemu(system, plan, kernel, elf, out, log)
    if kind == "host":
        return run_on_host(system, kernel, elf, out)
    _refuse_unrunnable(system)
    raise AssertionError(kind)


def _verified_notes(planned: Planned) -> tuple[str, ...]:
    """How the plan was chosen, if some were measured first, and what the model got wrong."""
    found = planned.verification
    if found is None:
        return ()
    ran = sum(one.measured is not None for one in found.trials)
    taken = f"{plural(ran, 'plan')} measured, of which this is the best: --verify"
    return taken, *(f"fault of the model: {fault}" for fault in found.faults)


def application_notes(system: System) -> tuple[str, ...]:
    """What a reader has to know where the application calls the kernel by itself, or its tasks end."""
    notes = []
    if system.uses_services:
        notes.append(
            "the application's own threads and its calls of the kernel are measured, but not predicted, and "
            "interrupts of its time-outs are counted in neither"
        )
    unseen = [
        one.task.name
        for one, seen in zip(system.sporadic, are_seen(system), strict=True)
        if not seen
    ]
    if unseen:
        notes.append(
            f"responses of {', '.join(unseen)} are not measured, only the longest jobs, as activations by "
            "the application and its counters, and by interrupts on the host, are not seen; horolog analyse "
            "has their bounds"
        )
    if system.releases is not None:
        notes.append(
            f"every task ends after {plural(system.releases, 'job')}; what is predicted is for tasks that "
            "go on"
        )
        if system.basic:
            notes.append(
                "a cell stops when all its basic tasks have ended; interrupts that it no longer makes are "
                "counted with the coalesced ones"
            )
    return tuple(notes)


def _round_notes(system: System, ours: Measured) -> tuple[str, ...]:
    """What a reader has to know where a run does not tell the rounds of controlled tables."""
    if system.control is None or ours.trace.rounds is not None:
        return ()
    tables = ", ".join(table.name for table in system.tables)
    return (
        f"jobs of {tables} are not judged and not counted: the application says when rounds begin, and this "
        "emulator does not let the firmware's memory be read",
    )


def _refusal(system: System, baselines: Sequence[Baseline]) -> str | None:
    """Why there can be no comparison with any of `baselines`, if so."""
    if system.board.port.is_process:
        return "no instructions are counted on the host port, so there is nothing to compare"
    if system.build.own_vectors:
        return f"FreeRTOS is not built: {NO_FREERTOS_BESIDE}"
    ticks = [tick_of(system, one) for one in baselines]
    if system.board.port.has_freertos and all(tick.hz is None for tick in ticks):
        return ticks[0].note
    return why_no_freertos(system.board)


def why_no_freertos(board: Board) -> str | None:
    """Why no FreeRTOS firmware can be built for `board` on this machine, if so."""
    if not board.port.has_freertos:
        return f"FreeRTOS is not built for {board.arch}"
    return HOW_TO_GET_IT if freertos_source() is None else None


def versions(system: System, *, with_freertos: bool) -> dict[str, str]:
    """The versions of whatever could change a number."""
    found = {"horolog": __version__, **tool_versions(system.board)}
    source = freertos_source() if with_freertos else None
    if source is not None:
        found["freertos"] = freertos_version(source) or "unknown"
    return found
