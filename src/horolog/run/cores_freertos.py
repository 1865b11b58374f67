# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's sides on several cores: one kernel for all of them, so each run is one of all tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from horolog.build.firmware import Firmware
from horolog.emit import as_run, tick_on_cores
from horolog.figures import plural
from horolog.measure.measured import Measured, instructions_of, side
from horolog.measure.probe import Findings
from horolog.model import ON_SEVERAL_CORES, Baseline, NeverIdle, Plan, System
from horolog.model.core_result import CoreShare, RivalCores, Waits
from horolog.model.result import Rival, Side
from horolog.run.ibex import run_one_kernel_on_ibex
from horolog.run.pipeline import kernel_of_freertos, why_no_freertos
from horolog.trace import Event, Trace

__all__ = ["CoresRivals", "measure_freertos", "merged", "why_not_compared"]

_OF_ONE_CORE = "it is built for boards of one core only"
_OF_JOBS = (Event.START.value, Event.END.value)
_Seen = Sequence[tuple[Measured, Waits]]


@dataclass(frozen=True, slots=True)
class CoresRivals:
    """FreeRTOS's sides, as a result of several cores has them: what was measured, or why nothing was."""

    stock: Side | None
    not_compared: str | None
    others: tuple[Rival, ...]
    by_core: tuple[RivalCores, ...]
    notes: tuple[str, ...]

    @property
    def ran(self) -> bool:
        """Whether one was measured."""
        return bool(self.by_core)


def why_not_compared(system: System, baselines: Sequence[Baseline]) -> str | None:
    """Why there can be no comparison with any of `baselines`, if so."""
    if not {*baselines} & {*ON_SEVERAL_CORES}:
        return _OF_ONE_CORE
    tick = tick_on_cores(system)
    if system.board.port.has_freertos and tick.hz is None:
        return tick.note
    return why_no_freertos(system.board)


def measure_freertos(
    system: System,
    plan: Plan,
    baselines: Sequence[Baseline],
    firmware: Firmware,
    ours: Side,
    refused: str | None,
    out: Path,
    say: Callable[[str], None],
) -> CoresRivals:
    """Runs the images of `baselines`, unless it is `refused`; files of the runs go into `out`.

    Shares are of the cycles of `ours`, which may have left cores without tasks. `plan` plays no part.
    """
    tick = tick_on_cores(system)
    sides: dict[Baseline, Side] = {}
    cores: list[RivalCores] = []
    why = dict(firmware.unlinked)
    for one in () if refused else firmware.baselines:
        kernel = kernel_of_freertos(tick, one)
        say(f"running {one.title}, {kernel.mechanism}, on {plural(system.cores, 'core')}")
        run = as_run(system, tick)
        try:
            seen = run_one_kernel_on_ibex(run, plan, kernel, firmware.baselines[one], out, say)
        except NeverIdle as error:  # what Horolog's side came to is worth showing all the same
            why[one] = error.message
            continue
        shares = _shares(system, seen)
        found = side(run, plan, merged(system, [measured for measured, _ in seen]))
        sides[one] = replace(
            found,
            interruptions=None,  # the tick's core is not that of the jobs
            rounded=tick.rounded,
            share_of=None if ours.instructions is None else ours.instructions.total,
            doorbells=sum(share.doorbells for share in shares),
        )
        cores.append(RivalCores(one, shares))
    reasons = {
        one: refused or why.get(one) or (_OF_ONE_CORE if one is Baseline.NOTIFY else tick.note)
        for one in baselines
        if one not in sides
    }
    return CoresRivals(
        sides.get(Baseline.STOCK),
        reasons.get(Baseline.STOCK),
        tuple(
            Rival(one, sides.get(one), reasons.get(one))
            for one in baselines
            if one is not Baseline.STOCK
        ),
        tuple(cores),
        _notes(tick.note) if sides else (),
    )


def _notes(of_tick: str | None) -> tuple[str, ...]:
    said = (
        "FreeRTOS is its SMP kernel (baselines/freertos/smp); its tasks have the cores that the plan "
        "chose, without affinity any. What its cores spend is said in per cent of the same cycles as "
        "Horolog's"
    )
    return (said,) if of_tick is None else (said, of_tick)


def _shares(system: System, seen: _Seen) -> tuple[CoreShare, ...]:
    """What each core did; what bodies executed there is its own, wherever their jobs began."""
    shares = []
    for core, (measured, waits) in enumerate(seen):
        counted = instructions_of(measured)
        assert counted is not None
        doorbells = measured.findings.taken.get(len(system.board.cells), 0)
        shares.append(CoreShare(core, counted, waits, doorbells))
    return tuple(shares)


def merged(system: System, of_cores: Sequence[Measured]) -> Measured:
    """What all cores did, as if one had: sums of what was counted, and the jobs. The first has the tick."""
    found = [one.findings for one in of_cores]
    first = of_cores[0]
    executed: Counter[int] = Counter()
    longest: Counter[int] = Counter()
    for one in found:
        executed.update(one.function)
        longest |= Counter(one.longest)
    cells = len(system.board.cells)  # behind them stand the doorbells
    findings = Findings(
        status="done",
        total=sum(one.total for one in found),
        releases=sum(one.releases for one in found),
        library_in_bodies=sum(one.library_in_bodies for one in found),
        taken={cell: n for cell, n in first.findings.taken.items() if cell < cells},
        function=dict(executed),
        elsewhere=sum(one.elsewhere for one in found),
        longest=dict(longest),
        retired=sum(one.retired or 0 for one in found),
    )
    events = sorted(
        (event for one in of_cores for event in one.trace if event[1] in _OF_JOBS),
        key=lambda event: event[0],
    )
    return replace(first, findings=findings, trace=Trace.of(events))
