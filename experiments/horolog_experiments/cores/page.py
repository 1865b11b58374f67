# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page docs/evidence/cores.md, and the rows of result.json."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from horolog.build.freertos import HOW_TO_GET_IT
from horolog_experiments.cores.cases import (
    CORES,
    FREERTOS,
    GLOBAL,
    MILLION,
    MODEL,
    OURS,
    PINNED,
    WINDOW,
    Case,
)
from horolog_experiments.cores.jobs import TASKS, kernel_a_job
from horolog_experiments.cores.results import Results, Row
from horolog_experiments.cores.sets_page import sets_part
from horolog_experiments.cores.targets import TARGETS, jobs, scheduler
from horolog_experiments.harness import entries, number, table, targets_table

__all__ = ["cores_page", "result_rows"]

_MODELS = {
    "tick": "tick",
    "unified_ns": "unified, nanoseconds inside",
    "unified": "unified, counts inside",
    "one_plus_n": "1+N",
}
_FORMS = {
    **{(OURS, model): f"Horolog, {words}" for model, words in _MODELS.items()},
    (FREERTOS, PINNED): "FreeRTOS, tasks with a core",
    (FREERTOS, GLOBAL): "FreeRTOS, without affinity",
}


_PAPER = {"unified_ns": 232_284, "one_plus_n": 407_326}
"""Its Table 1, switches a second."""


def result_rows(results: Results) -> list[dict[str, Any]]:
    """The rows of result.json: a case, and its figures in cycles."""
    return [
        {
            "what": row.case.what,
            "kernel": row.case.side,
            "form": row.case.form,
            "cores": row.case.cores,
            "threads": row.case.threads,
            "busy": row.case.busy,
            "seed": row.case.seed,
            "shared_ports": row.case.ports,
            **row.figures,
        }
        for row in results.rows
    ]


def cores_page(results: Results) -> str:
    """docs/evidence/cores.md."""
    return "\n".join(
        part
        for part in (
            _head(results),
            "## Targets\n\n" + targets_table(entries(TARGETS, results), "what it is made of"),
            _paper(results),
            _shares(results),
            _switches(results),
            _wakes(results),
            _instants(results),
            _locks(results),
            _jobs(results),
            sets_part(results),
            _TEXT,
        )
        if part
    )


def _head(results: Results) -> str:
    freertos = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    return f"""\
# Many cores

Written by `horolog bench cores`; do not edit. Platform: the RTL board of N Ibex cores
([datasheet](../guide/multi-core-board.md)), all options of the core that save cycles, 64 timer cells,
50 MHz; N = 1 is `ibex-cells`. {results.toolchain}; FreeRTOS: {freertos},
SMP by the port in `baselines/freertos/smp`. Figures are **cycles** of the simulated RTL, exact and the same
in each run.
"""


def _paper(results: Results) -> str:
    header = ["", "RP2040, a second", *(f"N = {cores}" for cores in CORES)]
    rows = [
        [
            words,
            f"{_PAPER[model]:,}" if model in _PAPER else "",
            *(_rate(results, results.row(scheduler(model, cores))) for cores in CORES),
        ]
        for model, words in _MODELS.items()
    ]
    ratios = [
        _divided(results.rate(scheduler("one_plus_n", n)), results.rate(scheduler("unified_ns", n)))
        for n in CORES
    ]
    theirs = Fraction(_PAPER["one_plus_n"], _PAPER["unified_ns"])
    rows.append(["1+N by unified, nanoseconds", number(theirs, 2), *ratios])
    return f"""\
## Table 1 of the 1+N paper, for N cores

Trips through the scheduler in a million cycles, a core's, while one thread of each core goes there for ever;
in brackets the cycles of one. Beside it what Terraneo and Cattaneo measured, on two cores of 200 MHz. Each
core has a ready set of its own. Under the unified models all cores share one cell. Under the others each has
a cell for its wake-ups, and a quantum cell or a tick.

{table(header, rows)}

The paper's listing converts the match while it holds the lock. Here a core converts its own instant before,
so the lock is held only while the least of N instants is searched and the cell is armed: the harder rival."""


def _shares(results: Results) -> str:
    rows = []
    for model, words in _MODELS.items():
        row = results.row(Case("share", OURS, model, 4))
        if row is not None:
            one = row.figures
            rows.append([words, f"{one['least']} to {one['most']}"])
    return (
        "### That the slices end\n\nTwo threads of each of four cores that never wait, in a million cycles, "
        "which are 20 slices: so often the one follows the other on a core.\n\n"
        + table(["", "slices that ended on a core"], rows)
    )


def _divided(of: Fraction | None, by: Fraction | None) -> str:
    return "" if of is None or by is None else number(of / by, 2)


def _switches(results: Results) -> str:
    parts = [
        """\
## Yields in a million cycles

A core's, mean of all cores, while all cores yield at once; in brackets the cycles of one. FreeRTOS runs with
its tick of 1 kHz on. Two threads of a core have equal priorities and yield to one another.

![yields by cores](cores/switches.svg)
"""
    ]
    for threads, title in ((1, "One thread a core"), (2, "Two threads a core")):
        rows = []
        for ports in (False, True):
            for (side, form), words in _FORMS.items():
                cases = [Case("switches", side, form, n, threads, ports=ports) for n in CORES]
                found = [results.row(case) for case in cases]
                if any(found):
                    more = ", N-port shared memory" * ports
                    rows.append([words + more, *(_rate(results, row) for row in found)])
        header = ["", *(f"N = {cores}" for cores in CORES)]
        parts.append(f"### {title}\n\n{table(header, rows)}")
    parts.append(_fairness(results))
    return "\n".join(parts)


def _rate(results: Results, row: Row | None) -> str:
    rate = None if row is None else results.rate(row.case)
    return "" if rate is None else f"{number(rate, 0)} ({number(MILLION / rate, 0)})"


def _fairness(results: Results) -> str:
    """How evenly the cores share, and what they waited for: of two threads a core."""
    rows = []
    for (side, form), words in _FORMS.items():
        for cores in CORES[1:]:
            row = results.row(Case("switches", side, form, cores, 2))
            if row is None:
                continue
            one = row.figures
            rows.append(
                [
                    f"{words}, N = {cores}",
                    f"{one['least']:,} to {one['most']:,}",
                    *(_waits(row, target) for target in ("shared", "locks")),
                ]
            )
    header = [
        "",
        f"yields of the slowest and the fastest core in {WINDOW:,} cycles",
        "waits for shared memory",
    ]
    return (
        "### Where the cycles go, two threads a core\n\nWaits in cycles an access, by the arbiters' counts; "
        "polling a lock is an access.\n\n" + table([*header, "waits for lock registers"], rows)
    )


def _waits(row: Row, target: str) -> str:
    accesses, waits = row.figures[f"{target}_accesses"], row.figures[f"{target}_waits"]
    return f"{number(1000 * waits // max(accesses, 1), 0)} / 1,000 of {accesses:,} accesses"


def _spreads(results: Results, what: str, busy: Iterable[bool]) -> list[list[str]]:
    rows = []
    for others in busy:
        for (side, form), words in _FORMS.items():
            for cores in CORES[1:]:
                row = results.row(Case(what, side, form, cores, busy=others))
                if row is None:
                    continue
                one = row.figures
                rows.append(
                    [
                        f"{words}, N = {cores}{', other cores yield' * others}",
                        number(row.mean),
                        f"{one['least']:,}",
                        f"{one['worst']:,}",
                        f"{one['samples']:,}",
                    ]
                )
    return rows


_SPREAD = ("mean", "least", "worst", "samples")


def _wakes(results: Results) -> str:
    return (
        "## A wake-up across cores\n\nFrom the call that gives a semaphore on core 0 to the first "
        "instruction behind the call that took it on core 1, which was idle. The other cores are idle, too, "
        "or they have two threads each that yield to one another.\n\n![wake-up by cores](cores/wake.svg)\n\n"
        + table(["", *_SPREAD], _spreads(results, "wake", (False, True)))
    )


def _instants(results: Results) -> str:
    rows = []
    for (side, form), words in _FORMS.items():
        for cores in CORES:
            row = results.row(Case("instant", side, form, cores))
            if row is None:
                continue
            one = row.figures
            rows.append(
                [
                    f"{words}, N = {cores}",
                    f"{one['requests_apart']:,}" if side == OURS and "first" in one else "",
                    number(row.mean),
                    f"{one['worst']:,}",
                    *(f"{one[name]:,}" if name in one else "" for name in ("first", "last")),
                    f"{one['samples']:,}",
                ]
            )
    header = [
        "",
        "requests apart, worst",
        "first instructions apart, mean",
        "worst",
        "from the instant, least",
        "worst",
        "samples",
    ]
    return f"""\
## One instant on all cores: release jitter

On each core a thread sleeps until the same instants, 2 ms apart. Cycles between the first core's cell that
expires and the last core's, where each core has a cell; between the first core's first instruction and the
last core's; and from the instant to a core's first instruction. For FreeRTOS, whose tick is core 0's and
which rings the others, the instant is that at which core 0 takes the tick's interrupt.

{table(header, rows)}"""


def _locks(results: Results) -> str:
    rows = []
    for form, busy in ((MODEL, False), (MODEL, True), (GLOBAL, False)):
        for cores in CORES[1:]:
            row = results.row(Case("lock", OURS, form, cores, busy=busy))
            if row is not None:
                rows.append(_lock_row(row))
    header = [
        "",
        "times",
        "held, mean",
        "worst",
        "bound",
        "passed on, worst",
        "waited, mean",
        "worst",
        "bound",
        "measured / bound: held",
        "waited",
    ]
    return f"""\
## The lock of services

On each core two threads use semaphores, queues, events, pools and alarms together with those of the next
core: what one gives, the other waits for, and some waits end by time. So all cores ask for the lock faster
than it can be passed on. Cycles that a core holds it; from there to the next one that waits; and from a
core's first load that asks for its ticket until it has the lock. The bounds are those of the port's
header (`hrlp_cores_controller.h`). In the rows below, cores 0 and 1 do so, and the others load from shared
memory, where the objects are, without a pause. That lengthens what is held, for which the bound of the wait
has room, as these cores do not wait for the lock.

In an image with threads that any core may run, each dispatch holds that lock as well, so the header has
other bounds for it. In the last rows four such threads for each core, of all priorities, use the services
but alarms.

{table(header, rows)}"""


def _lock_row(row: Row) -> list[str]:
    one, case = row.figures, row.case
    means = (Fraction(one[f"{name}total"], one[f"{name}samples"]) for name in ("", "held_"))
    waited, held = (number(mean) for mean in means)
    more = ", two of them, others load" * case.busy
    return [
        f"N = {case.cores}{', threads that any core may run' if case.form == GLOBAL else more}",
        f"{one['samples']:,}",
        held,
        f"{one['held_worst']:,}",
        "" if case.busy else f"{one['held']:,}",
        f"{one['passed_worst']:,}",
        waited,
        f"{one['worst']:,}",
        f"{one['wait']:,}",
        "" if case.busy else number(Fraction(one["held_worst"], one["held"]), 2),
        number(Fraction(one["worst"], one["wait"]), 2),
    ]


def _jobs(results: Results) -> str:
    rows = []
    for cores in CORES:
        row = results.row(jobs(cores))
        if row is not None:
            one = row.figures
            rows.append(
                [
                    f"N = {cores}",
                    f"{one['jobs']:,}",
                    number(Fraction(one["kernel"], one["jobs"])),
                    number(kernel_a_job(one)),
                    f"{one['late']}",
                ]
            )
    header = ["", "jobs", "kernel cycles a job", "on the core where they are most", "late"]
    return (
        f"## {TASKS} tasks of CHRONOS on each core\n\nThe tasks of the CHRONOS paper, section VII, with its "
        "low workload, as threads by the plans that the tool makes for their description.\nAll cores have "
        "the same set, so all cores release at the same instants.\n\n" + table(header, rows)
    )


_TEXT = """\
## How it was measured

- A mark of a scenario (`bench/cores`) is an address; the simulator says in which cycle which core begins
  to execute what is there. Nothing in the firmware measures.
- FreeRTOS's RISC-V port is for one core. `baselines/freertos/smp` makes of it, as it is fetched, one for
  N: its context switch and its tick are used unchanged. What the port keeps for a core (the nesting of
  critical sections, the interrupt stack, the running task) is in that core's private memory, at one
  address on all cores, without waits. Its two locks are ticket locks of the board's registers, with the
  count of how often the core has them in private memory. With test-and-set, which the port for the RP2040
  has, two of four cores that yielded all the time never got a lock in the simulation, whose arbiter takes
  turns, and all cores together did fewer switches. With eight cores, one that is not the next to be
  served asks less often, which our locks do not. `portYIELD_CORE` is a store to MSIP.
- Its kernel has all data of the scheduler in shared memory, and the two locks are taken at each switch.
  That is its design: a ready set for all cores.
- *Tasks with a core*: configUSE_CORE_AFFINITY, each task pinned, its stack in its core's memory. *Without
  affinity*: that configuration is off, any core may run any task, and stacks are in shared memory.
- At N = 1 FreeRTOS is its kernel for one core, with its port as it is.
- *Unified* on several cores is the paper's Listing 2: one cell with a match that is the least of all cores'
  slice ends and wake-ups. It is set at each switch, under a ticket lock of the board. With nanoseconds
  inside, all instants are nanoseconds, and a core converts its own before it takes the lock: the paper's
  listing converts behind it, which holds the others up. The cell interrupts core 0, which calls the cores
  that are due by a software interrupt.
- Everything is compiled with the flags of all our firmware, `-O2`, without asserts.
"""
