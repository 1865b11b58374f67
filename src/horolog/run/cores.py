# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The stages after the plans of several cores: one image, one run, and what each core did in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from horolog.build.firmware import Firmware, build_firmware_for_cores
from horolog.build.freertos import freertos_source
from horolog.figures import plural
from horolog.image import CoreNames
from horolog.measure.measured import HOROLOG, Measured, excesses, side
from horolog.model import (
    ON_SEVERAL_CORES,
    Baseline,
    CorePlan,
    Deadlines,
    HorologError,
    System,
    first_releasers,
)
from horolog.model.core_result import CoreResult, CoresResult, Waits, cores_to_json, together
from horolog.model.result import Result, Side, candidates, why_invalid
from horolog.read import duration_text, unreleased
from horolog.run.cores_freertos import CoresRivals, measure_freertos, why_not_compared
from horolog.run.ibex import CoreRun, Waveform, run_cores_on_ibex, run_shared_cores_on_ibex
from horolog.run.pipeline import application_notes, versions
from horolog.run.shared_cores import changes_text, jobs_by_home
from horolog.trace import Event, Trace

__all__ = ["CoresOutcome", "CoresRequest", "build_cores", "jobs_of_cores", "measure_cores"]


@dataclass(frozen=True, slots=True)
class CoresRequest:
    """What is to be built and measured of a system on several cores, and the notes that its result has.

    `command` is the command as a user would repeat it; `compare`: with these `baselines`. `deadlines` are
    those of each core, and of all of them.
    """

    system: System  # each task with a core
    plans: tuple[CorePlan, ...]
    out: Path
    say: Callable[[str], None]
    command: str = ""
    compare: bool = False
    baselines: tuple[Baseline, ...] = ON_SEVERAL_CORES
    checks: bool = False
    notes: tuple[str, ...] = ()
    deadlines: tuple[Deadlines | None, ...] = ()
    all_deadlines: Deadlines | None = None
    how: str | None = None  # the tasks without a core were divided
    waveform: Waveform | None = None

    @property
    def busy(self) -> tuple[CorePlan, ...]:
        """The cores that have tasks."""
        return tuple(one for one in self.plans if one.planned is not None)


@dataclass(frozen=True, slots=True)
class CoresOutcome:
    """A measured system: the result, and what was seen on each core with tasks."""

    result: CoresResult
    measured: tuple[Measured, ...]
    file: Path


def build_cores(request: CoresRequest, *, baseline: bool = False) -> Firmware:
    """Generate and compile; with `baseline`, FreeRTOS's firmware too if it can be had."""
    source = freertos_source() if baseline else None
    request.say("building" + (", also with FreeRTOS" if source else ""))
    firmware = build_firmware_for_cores(
        request.system,
        request.plans,
        request.out,
        source,
        checks=request.checks,
        baselines=request.baselines,
    )
    for note in firmware.notes:
        request.say(f"note: {note}")
    for warned in firmware.warnings:
        request.say(warned.shown())
    return firmware


def measure_cores(request: CoresRequest) -> CoresOutcome:
    """Build, run, measure, and write the result: to result.json to compare, else to run.json.

    HorologError (2) if no task is released within the duration, (4) if the firmware faults or hangs.
    """
    system, board = request.system, request.system.board
    if board.runner.kind != "ibex":
        raise HorologError(
            f"systems on several cores are not run on {board.name} yet",
            found=f'the runner "{board.runner.kind}"',
            expected="a board with the runner ibex, such as ibex-cells-x2; horolog build builds it",
        )
    late = [unreleased(one.system) for one in request.busy]
    refused = why_not_compared(system, request.baselines) if request.compare else None
    firmware = build_cores(request, baseline=request.compare and refused is None)
    request.say(
        f"running Horolog on {plural(len(request.busy), 'core')}, {duration_text(system.duration)} simulated"
    )
    runs = [
        CoreRun(one.core, one.system, one.planned.choice, names)
        for one, names in zip(request.plans, core_names(request.plans), strict=True)
        if one.planned is not None
    ]
    found, notes = _ran(request, runs, firmware.horolog)
    measured = tuple(seen for seen, _ in found)
    sides = [side(one.system, one.plan, seen) for one, seen in zip(runs, measured, strict=True)]
    ours = together(sides)
    exceeded = tuple(
        excess
        for one, seen in zip(runs, measured, strict=True)
        for excess in excesses(one.system, seen)
    )
    theirs = None
    if request.compare:
        theirs = measure_freertos(
            system,
            runs[0].plan,
            request.baselines,
            firmware,
            ours,
            refused or firmware.no_freertos or why_invalid(exceeded),
            request.out,
            request.say,
        )
    late_notes = [*notes, *(note for one in late for note in one)]
    result = _result(request, firmware, sides, found, late_notes, theirs)
    file = request.out / ("result.json" if request.compare else "run.json")
    file.write_text(cores_to_json(result), encoding="utf-8")
    return CoresOutcome(result, measured, file)


def _ran(
    request: CoresRequest, runs: Sequence[CoreRun], elf: Path
) -> tuple[Sequence[tuple[Measured, Waits]], list[str]]:
    """What each of `runs` left, and what is to be said of it."""
    system = request.system
    rest = (elf, request.out, request.say, request.waveform)
    if not system.has_global:
        return run_cores_on_ibex(system.board, HOROLOG, runs, *rest), []
    found = run_shared_cores_on_ibex(system, HOROLOG, runs, *rest)
    seen = [one for one, _ in found]
    by_home = jobs_by_home([one.names.jobs for one in runs], seen)
    waits = [waits for _, waits in found]
    return tuple(zip(by_home, waits, strict=True)), [changes_text(system, seen), _BY_HOME]


_BY_HOME = (
    "jobs are counted with the core that releases them, cycles with the core that executes them"
)


def jobs_of_cores(plans: Sequence[CorePlan], measured: Sequence[Measured]) -> Measured:
    """The ends of all jobs and how long the longest were, with the tasks' numbers in the whole system.

    `plans` are of the cores that were `measured`; of the rest there is what the first core has.
    """
    longest: dict[int, int] = {}
    ends: list[tuple[int, str, int]] = []
    for one, seen in zip(plans, measured, strict=True):
        numbers = one.part.jobs
        longest |= {numbers[task]: steps for task, steps in seen.findings.longest.items()}
        ends += [(ns, kind, numbers[at]) for ns, kind, at in seen.trace if kind == Event.END.value]
    findings = replace(measured[0].findings, longest=longest)
    return replace(measured[0], findings=findings, trace=Trace.of(sorted(ends)))


def core_names(plans: Sequence[CorePlan]) -> list[CoreNames]:
    """What the names of each core are in the image."""
    found, described = [], 0
    for one, first in zip(plans, first_releasers(plans), strict=True):
        count = 0 if one.planned is None else len(one.planned.choice.releasers)
        releasers = range(first, first + count)
        found.append(CoreNames(one.core, one.part.jobs, releasers, described))
        described += len(one.system.basic) < len(one.system.tasks)  # of its threads
    return found


def _result(
    request: CoresRequest,
    firmware: Firmware,
    sides: Sequence[Side],
    found: Sequence[tuple[Measured, Waits]],
    late: Sequence[str],
    theirs: CoresRivals | None,
) -> CoresResult:
    system = request.system
    planned = [(one.core, one.planned) for one in request.busy if one.planned is not None]
    said = [note for _, one in planned for note in one.notes]
    said += [f"core {core}: {warning}" for core, one in planned for warning in one.warnings]
    idle = [one.core for one in request.plans[: system.cores_with_tasks] if one.planned is None]
    every = Result(
        system=system.name,
        board=system.board.name,
        versions=versions(system, with_freertos=theirs is not None and theirs.ran),
        commands=(request.command,),
        window_s=system.duration,
        horolog=together(sides),
        freertos=None if theirs is None else theirs.stock,
        alternatives=(),
        not_compared=None if theirs is None else theirs.not_compared,
        rivals=() if theirs is None else theirs.others,
        deadlines=request.all_deadlines,
        notes=(
            *request.notes,
            *((f"tasks divided among cores: {request.how}",) if request.how else ()),
            *late,
            *dict.fromkeys(said),
            *(f"core {core} has no tasks, and is not counted" for core in idle),
            *(() if theirs is None else theirs.notes),
            *application_notes(system),
            *(("with checks: not for comparison",) if request.checks else ()),
        ),
        warnings=tuple(one.beside(system.path.parent) for one in firmware.warnings),
    )
    deadlines = request.deadlines or (None,) * len(request.plans)
    cores = tuple(
        CoreResult(
            one.core,
            tuple(task.name for task in one.system.tasks),
            replace(
                every,
                horolog=counted,
                freertos=None,
                not_compared=None,
                rivals=(),
                alternatives=() if one.planned is None else candidates(one.planned),
                deadlines=deadlines[one.core],
                exceeded=excesses(one.system, seen),
                notes=(),
                warnings=(),
            ),
            waits,
        )
        for one, counted, (seen, waits) in zip(request.busy, sides, found, strict=True)
    )
    exceeded = tuple(one for core in cores for one in core.result.exceeded)
    by_core = () if theirs is None else theirs.by_core
    return CoresResult(replace(every, exceeded=exceeded), cores, by_core)
