# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The stages after the plan, in one call each: build, and build-run-measure-report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from horolog import __version__
from horolog.emit import Tick, baseline_tick
from horolog.figures import plural
from horolog.model import Exit, HorologError, Plan, Planned, System
from horolog.model.excess import why_invalid
from horolog.model.result import Result, Side, candidates, to_json
from horolog.read import duration_text, unreleased
from horolog.read.units import frequency_text
from horolog.run.confine import confinement_gaps
from horolog.run.firmware import Firmware, Target, build_firmware, has_baseline
from horolog.run.freertos import HOW_TO_GET_IT, freertos_source, freertos_version
from horolog.run.host import HostRunner
from horolog.run.ibex import IbexRunner, Waveform
from horolog.run.measure import (
    FREERTOS,
    HOROLOG,
    Kernel,
    Measured,
    Runner,
    excesses,
    side,
)
from horolog.run.qemu import QemuRunner
from horolog.run.toolchains import tool_versions

__all__ = ["Outcome", "Variant", "build", "measure", "measure_baseline", "measure_plan"]

Say = Callable[[str], None]
_CHECKED = "with checks: not for comparison"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A measured system: the result, and the events behind it."""

    result: Result
    horolog: Measured
    freertos: Measured | None
    basic: Measured | None
    file: Path  # the result's


@dataclass(frozen=True, slots=True)
class Variant:
    """A system planned another way, to be measured beside the one that is asked for."""

    system: System
    planned: Planned


def build(
    system: System, planned: Planned, out: Path, *, baseline: bool, say: Say, checks: bool = False
) -> Firmware:
    """Generate and compile below `out`; with `baseline`, FreeRTOS's firmware too if it can be had.

    `checks` as build_firmware takes it.
    """
    source = freertos_source() if baseline else None
    say("building" + (" both firmwares" if source else ""))
    firmware = build_firmware(system, planned.choice, out, source, checks=checks)
    for note in firmware.notes:
        say(f"note: {note}")
    for warned in firmware.warnings:
        say(warned.shown())
    if firmware.no_freertos is not None:
        say(f"note: FreeRTOS is not built: {firmware.no_freertos}")
    return firmware


def measure(
    system: System,
    planned: Planned,
    out: Path,
    *,
    compare: bool,
    argv: str,
    say: Say,
    checks: bool = False,
    basic: Variant | None = None,
    no_basic: str | None = None,
    notes: tuple[str, ...] = (),
    waveform: Waveform | None = None,
) -> Outcome:
    """Build, run, measure, and write the result below `out`: to result.json with `compare`, else to run.json.

    `argv` is the command as a user would repeat it; `checks` as build_firmware takes it, but not with
    `compare`, as then the two sides would differ. `basic`, the plan of all tasks as basic tasks, is
    measured too, below `out`/basic; `no_basic` says why there is none. `notes` are for the reader of
    the result. `waveform` is written of Horolog's run, if the board's runner can write it. HorologError
    (2) if no task is released within the duration, (4) if the firmware faults or hangs.
    """
    late = unreleased(system)
    refused, about = _refusal(system) if compare else (None, ())
    comparing = compare and refused is None
    firmware = build(system, planned, out, baseline=comparing, say=say, checks=checks)
    refused = refused or firmware.no_freertos
    _say_gaps(system, say)
    runner = _runner(system, firmware, out, say, waveform)
    say(f"running Horolog, {planned.choice.mechanism}, {duration_text(system.duration)} simulated")
    ours = runner.measure(system, planned.choice, Kernel(HOROLOG, planned.choice.mechanism))
    exceeded = excesses(system, ours)
    also = theirs = None
    if basic is not None and not exceeded:
        also, no_basic = _basic(basic, out / "basic", say)
        exceeded = () if also is None else excesses(basic.system, also)
    invalid = why_invalid(exceeded)
    if invalid is not None:  # then there is nothing to compare
        refused = refused or invalid
        if basic is not None and also is None:
            no_basic = no_basic or invalid
    elif comparing and firmware.freertos is not None:
        theirs = _baseline(system, planned.choice, firmware, out, say)
    result = Result(
        system=system.name,
        board=system.board.name,
        versions=_versions(system, with_freertos=theirs is not None),
        commands=(argv,),
        window_s=system.duration,
        horolog=side(system, planned.choice, ours),
        freertos=None if theirs is None else side(system, planned.choice, theirs),
        alternatives=candidates(planned),
        not_compared=refused if compare else None,
        notes=notes
        + late
        + planned.notes
        + planned.warnings
        + about
        + _application_notes(system)
        + ((_CHECKED,) if checks else ()),
        basic=None
        if also is None or basic is None
        else side(basic.system, basic.planned.choice, also),
        no_basic=no_basic,
        warnings=tuple(one.beside(system.path.parent) for one in firmware.warnings),
        exceeded=exceeded,
    )
    file = out / ("result.json" if compare else "run.json")
    file.write_text(to_json(result), encoding="utf-8")
    return Outcome(result, ours, theirs, also, file)


def _baseline(system: System, plan: Plan, firmware: Firmware, out: Path, say: Say) -> Measured:
    """FreeRTOS with the same tasks."""
    tick = baseline_tick(system)
    assert tick.hz is not None
    say(f"running FreeRTOS, tick {frequency_text(tick.hz)}")
    kernel = Kernel(FREERTOS, f"tick, {frequency_text(tick.hz)}", tick.hz, tick.start)
    return _runner(system, firmware, out, say).measure(system, plan, kernel)


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
    return _runner(system, firmware, out, say).measure(system, plan, kernel), None


def measure_plan(system: System, plan: Plan, out: Path) -> Side:
    """Build and run Horolog alone by `plan`; what it came to. Writes no report."""
    firmware = build_firmware(system, plan, out, None)
    return side(
        system,
        plan,
        _runner(system, firmware, out).measure(system, plan, Kernel(HOROLOG, plan.mechanism)),
    )


def measure_baseline(
    system: System,
    plan: Plan,
    source: Path,
    out: Path,
    *,
    tickless: bool = False,
    tick: Tick | None = None,
) -> Side:
    """Build and run FreeRTOS, from the source in folder `source`, alone on the tasks of `system`.

    With `tickless` it stops its tick while nothing is due; `tick` is another than the usual one. HorologError
    if no tick of FreeRTOS's can express the system. `plan` plays no part in what is measured.
    """
    tick = baseline_tick(system) if tick is None else tick
    if tick.hz is None:
        raise HorologError(tick.note or "no tick of FreeRTOS's can express this system")
    target = Target.FREERTOS_TICKLESS if tickless else Target.FREERTOS
    firmware = build_firmware(system, plan, out, source, only=target, tick=tick)
    mechanism = f"{'tickless' if tickless else 'tick'}, {frequency_text(tick.hz)}"
    kernel = Kernel(FREERTOS, mechanism, tick.hz, tick.start)
    return side(system, plan, _runner(system, firmware, out).measure(system, plan, kernel))


def _silent(text: str) -> None:
    """Says nothing."""


def _say_gaps(system: System, say: Say) -> None:
    """What firmware could reach on this machine, where the emulator cannot be confined."""
    emulator = system.board.port.emulator
    if system.board.runner.kind == "qemu" and emulator is not None:
        for gap in confinement_gaps(emulator):
            say(f"note: {gap}")


def _runner(
    system: System,
    firmware: Firmware,
    out: Path,
    say: Say = _silent,
    waveform: Waveform | None = None,
) -> Runner:
    kind = system.board.runner.kind
    if kind == "ibex":
        return IbexRunner(firmware, out, say, waveform)
    if waveform is not None:
        raise HorologError(
            f"--vcd needs a board that is simulated from its RTL; {system.board.name} is not",
            expected="a board with the runner ibex, such as ibex-cells",
        )
    if kind == "qemu":
        return QemuRunner(firmware, out)
    if kind == "host":
        return HostRunner(firmware, out)
    raise HorologError(
        f'board {system.board.name} has no runner "{kind}"',
        expected="qemu, ibex or host",
    )


def _application_notes(system: System) -> tuple[str, ...]:
    """What a reader has to know where the application calls the kernel by itself, or its tasks end."""
    notes = []
    if system.uses_services:
        notes.append(
            "the application's own threads and its calls of the kernel are measured, but not predicted, and "
            "interrupts of its time-outs are counted in neither"
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


def _refusal(system: System) -> tuple[str | None, tuple[str, ...]]:
    """Why there can be no comparison, if so; and what to say about the one there is."""
    if system.board.arch == "host":
        return "no instructions are counted on the host port, so there is nothing to compare", ()
    if not has_baseline(system.board):
        return f"FreeRTOS is not built for {system.board.arch}", ()
    tick = baseline_tick(system)
    if tick.hz is None:
        return tick.note, ()
    if freertos_source() is None:
        return HOW_TO_GET_IT, ()
    return None, () if tick.note is None else (tick.note,)


def _versions(system: System, *, with_freertos: bool) -> dict[str, str]:
    found = {"horolog": __version__, **tool_versions(system.board)}
    source = freertos_source() if with_freertos else None
    if source is not None:
        found["freertos"] = freertos_version(source) or "unknown"
    return found
