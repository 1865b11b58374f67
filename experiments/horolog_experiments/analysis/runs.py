# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runs of one system: built once, then run as often as the search for the longest responses asks.

On the host port the kernel takes what its program is told: so much in front of each cell's handler, in
front of each body and behind its end (ports/host/program.c). `host_prices` says the same to the analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from horolog.build.firmware import build_firmware
from horolog.measure.measured import HOROLOG, Kernel, Measured
from horolog.model import HorologError, Kind, NeverIdle, Plan, System
from horolog.plan import Prices
from horolog.plan.prediction.handlers import MARGIN
from horolog.plan.prices.costs import FREE, NOTHING, SharingCosts
from horolog.responses import BODY_STEPS, Demanded
from horolog.run.host import run_on_host
from horolog.run.ibex import run_on_ibex
from horolog.run.qemu import run_in_qemu
from horolog.schedulability import PARTS_OF_FACTOR
from horolog.trace import Job, jobs, responses
from horolog_experiments.analysis.activations import (
    device_instants,
    device_option,
    untimed_responses,
)
from horolog_experiments.analysis.draws import Case

__all__ = [
    "Longest",
    "Runner",
    "around_bodies",
    "cell_counts",
    "counted",
    "factor_found",
    "host_prices",
]

_NS = 10**9
_NS_PER_STEP = 40  # of the host port's clock: one step of the kernel is a count


@dataclass
class Longest:
    """The largest responses of all runs of a system, in seconds; jobs of the last run; misses of all."""

    responses: dict[int, Fraction] = field(default_factory=dict)
    misses: int = 0
    runs: int = 0

    def see(self, task: int, seconds: Fraction) -> None:
        """A response of `task`."""
        self.responses[task] = max(seconds, self.responses.get(task, seconds))

    def add(self, other: Longest) -> None:
        """What other runs came to."""
        for task, seconds in other.responses.items():
            self.see(task, seconds)
        self.misses += other.misses
        self.runs += other.runs


def host_prices(case: Case) -> Prices:
    """What the kernel takes on the host port, in steps of a count. The analysis adds its MARGIN."""
    cell, job = Fraction(case.interrupt_counts), Fraction(case.job_counts)
    costs = replace(
        FREE,
        interrupt_periodic=cell,
        interrupt_one_shot=cell,
        divider_skip=cell,
        dispatch=job,
        switch=job,
    )
    return replace(NOTHING, costs=costs, sharing=SharingCosts(Fraction(0), 2 * job, 2 * job))


def cell_counts(case: Case) -> int:
    """What an interrupt of a cell takes there: what the analysis charges with its margin, rounded down."""
    return int(case.interrupt_counts * (1 + MARGIN))


def counted(system: System) -> System:
    """`system` on a host port that counts steps: for the analysis only."""
    runner = replace(system.board.runner, ns_per_cycle=_NS_PER_STEP)
    return replace(system, board=replace(system.board, runner=runner))


def around_bodies(case: Case, demanded: Demanded, hz: int) -> tuple[int, int]:
    """Counts before each body and behind its end: what the analysis charges, rounded down.

    Of a basic task that is a switch to the thread that serves it, that one's loop, and a switch from it.
    """
    if case.kind == Kind.THREAD.value and not case.untimed:
        counts = int(case.job_counts * (1 + MARGIN))
        return counts, counts
    of, unit = [one for one in demanded.demand.sources if one.ends], demanded.unit
    before = min(one.ends[0].kernel for one in of) * hz // unit - BODY_STEPS
    return before, min(one.kernel - one.ends[-1].kernel for one in of) * hz // unit


class Runner:
    """A built system, with the kernel's work that `demanded` charges.

    `folder` has a file for bodies of tasks that hold resources.
    """

    def __init__(
        self, case: Case, system: System, plan: Plan, demanded: Demanded, folder: Path
    ) -> None:
        self._case, self._system, self._plan, self._folder = case, system, plan, folder
        self._around = around_bodies(case, demanded, int(system.board.clock.hz))
        self._kernel = Kernel(HOROLOG, plan.mechanism)
        built = system
        for source in system.sources:
            _write_bodies(system, source)
            built = _without_holds(system)
        self._elf = build_firmware(built, plan, folder, None).horolog

    def run(self, options: Sequence[str] = ()) -> Measured:
        """Run it once; `options` are the host port's. HorologError if it is never idle, and so on."""
        if self._case.board == "host":
            return run_on_host(
                self._system, self._kernel, self._elf, self._folder, [*self._costs(), *options]
            )
        if self._case.board == "ibex-cells":
            return run_on_ibex(
                self._system, self._plan, self._kernel, self._elf, self._folder, lambda text: None
            )
        return run_in_qemu(self._system, self._plan, self._kernel, self._elf, self._folder)

    def _costs(self) -> list[str]:
        """What the analysis charges with its margin, rounded down."""
        cell = cell_counts(self._case)
        before, after = map(str, self._around)
        found = ["--interrupt-counts", str(cell), "--job-counts", before, "--end-counts", after]
        polled = [
            str(self._system.job(at))
            for at, one in enumerate(self._system.sporadic, len(self._system.tasks))
            if one.is_polled
        ]
        return [*found, "--bare", ",".join(polled)] if polled else found

    def into(
        self, longest: Longest, options: Sequence[str] = (), firsts: Sequence[int] = ()
    ) -> tuple[Job, ...]:
        """Run it and note what it came to; its jobs.

        `firsts`: counts from t = 0 to the first interrupt of each device; without it none interrupts.
        """
        hz = int(self._system.board.clock.hz)
        devices = [
            option
            for one, first in zip(self._system.interrupts, firsts, strict=False)
            for option in device_option(one, first, hz)
        ]
        measured = self.run([*options, *devices])
        due = jobs(measured.trace, self._system)
        self._see_untimed(longest, measured, firsts)
        for row in responses(due, self._system):
            if row.max_ns is not None:
                longest.see(row.task, Fraction(row.max_ns) / _NS)
            longest.misses += row.misses
        longest.runs += 1
        return due

    def _see_untimed(self, longest: Longest, measured: Measured, firsts: Sequence[int]) -> None:
        """The responses of what time does not release; on the host, from the instants of its devices."""
        system, whole = self._system, measured.whole
        if whole is None:
            for row in measured.activated:
                if row.max_ns is not None:
                    longest.see(row.task, Fraction(row.max_ns) / _NS)
                longest.misses += row.misses
            return
        if not system.sporadic:
            return
        hz = int(system.board.clock.hz)
        raised = {
            at: device_instants(one, first, hz, whole.end_ns)
            for at, (one, first) in enumerate(zip(system.interrupts, firsts, strict=False))
        }
        for task, (ns, misses) in untimed_responses(whole, system, raised).items():
            longest.see(task, Fraction(ns, _NS))
            longest.misses += misses

    def misses(self, parts: int) -> bool:
        """Whether a deadline is missed if bodies take parts / PARTS_OF_FACTOR of their counts."""
        longest = Longest()
        try:
            self.into(longest, ["--body-parts", str(parts)])
        except HorologError as error:
            if not _never_idle(error):
                raise
            return True
        return longest.misses > 0


def _never_idle(error: HorologError) -> bool:
    return isinstance(error, NeverIdle) or "never idle" in error.message


def _write_bodies(system: System, source: Path) -> None:
    """A body takes its resource, holds it as long as it may, and gives it back; the rest passes behind it."""
    lines = ["#include <hrl/resource.h>", "void hrlp_host_consume(uint64_t counts);"]
    for resource in system.resources:
        lines.append(f"extern struct hrl_resource {resource.name};")
        for at, hold in resource.users:
            assert hold is not None
            counts = int(hold * system.board.clock.hz)
            lines += [
                f"void body_{at}(void);",
                f"void body_{at}(void)",
                "{",
                f"    hrl_resource_take(&{resource.name});",
                f"    hrlp_host_consume({counts}u);",
                f"    hrl_resource_give(&{resource.name});",
                "}",
            ]
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _without_holds(system: System) -> System:
    """With WCETs without the holds: what generated bodies let pass behind the functions that hold."""
    tasks = list(system.tasks)
    for resource in system.resources:
        for at, hold in resource.users:
            assert hold is not None
            tasks[at] = replace(tasks[at], wcet=(tasks[at].wcet or Fraction(0)) - hold)
    return replace(system, tasks=tuple(tasks))


def factor_found(runner: Runner, system: System) -> Fraction:
    """How many times as long bodies may take without a missed deadline in the run; to half a percent."""
    low, high = 0, int(PARTS_OF_FACTOR * Fraction(11, 10) / system.utilisation) + 1
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if runner.misses(middle) else (middle, high)
    return Fraction(low, PARTS_OF_FACTOR)
