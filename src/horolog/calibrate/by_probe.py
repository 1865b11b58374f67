# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what the kernel costs on a chip itself, behind a debug probe.

The experiments are those of calibrate.board, of firmware that measures itself. It knows how much of the
kernel's time went into interrupts, into switches, and into threads between their jobs, and no functions. That
is enough: of what threads do between jobs, only the walk along a list depends on how far it is; and a thread
with a one-shot cell inserts without a function of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from horolog.build.ring import RECORD_BYTES
from horolog.build.toolchains import tool_versions
from horolog.calibrate.board import INSERT, Experiments
from horolog.calibrate.calibration import Calibration
from horolog.model import Board, Exit, HorologError, Mode, Place, Plan, System
from horolog.model.result import Side
from horolog.run import Probe, Remote, check_probe, measure_by_probe, serving
from horolog.run.by_debugger import CALLS, HANDLERS, SWITCHES, ring_room

__all__ = ["calibrate_by_probe"]

_SPARE_RECORDS = 512
_LEAST_RECORDS = 4096  # 32 KiB, and as much RAM beside it, which the stacks of 80 tasks need


def calibrate_by_probe(board: Board, probe: Probe, say: Callable[[str], None]) -> Calibration:
    """Measure the chip behind `probe`, in cycles. HorologError (2) if `board` does not say what counts them.

    The costs that every plan needs come first, and what is wrong there is raised. Of the others those that
    the chip has no room or no timer for are left out, and `say` is told why; a target that fails is an error
    (4). Threads that several tasks share, and cells that cooperate, are not measured.
    """
    if board.probe is None or board.probe.cycles_hz is None:
        raise HorologError(
            f"nothing to calibrate on {board.name} itself: board.toml does not say what counts cycles",
            found="no cycles_hz in [probe]",
            expected="cycles_hz, the frequency of the core, on a processor with a cycle counter",
        )
    check_probe(board, probe)
    with tempfile.TemporaryDirectory(prefix="horolog-calibrate-") as name:
        folder = Path(name)
        with serving(board, probe, folder, say) as remote:
            return _measured(board.on_silicon, remote, folder, say)


def _measured(
    board: Board, remote: Remote, folder: Path, say: Callable[[str], None]
) -> Calibration:
    def measure(system: System, plan: Plan, out: Path) -> Side:
        return _as_functions(measure_by_probe(system, plan, out, remote), plan, board)

    room = ring_room(board)
    if room < _LEAST_RECORDS:
        raise HorologError(
            f"{board.name} has no room for the experiments and the trace of what they do",
            place=Place(str(board.directory / "board.toml"), key="memory"),
            found=f"RAM for {room:,} records of {RECORD_BYTES} bytes, which may take half of it",
            expected=f"RAM for {_LEAST_RECORDS:,} or more in one piece",
        )
    experiments = Experiments(board, folder, say, measure, room - _SPARE_RECORDS)
    compiler = board.port.compiler
    made = replace(
        experiments.calibration(), toolchain=f"{compiler} {tool_versions(board)[compiler]}"
    )

    def part(what: str, of: Callable[[Calibration], Calibration]) -> None:
        nonlocal made
        try:
            made = of(made)
        except HorologError as error:
            if error.exit is Exit.TARGET_FAILED:  # the probe is gone, or the firmware does not end
                raise
            say(f"left out, {what}: {error}")

    part("stores without a queue", experiments.with_stores)
    if board.controller is not None:
        part("basic tasks", lambda so_far: _with_basic(so_far, experiments))
        part("deadlines", lambda so_far: replace(so_far, deadlines=experiments.deadlines()))
        part("budgets", lambda so_far: replace(so_far, budgets=experiments.budgets()))
    part("schedule tables", lambda so_far: replace(so_far, expiries=experiments.expiries()))
    return made


def _with_basic(made: Calibration, experiments: Experiments) -> Calibration:
    costs = replace(made.costs, step_basic=experiments.basic_step(made.costs.longer))
    return replace(made, costs=costs, basic=experiments.basic(costs, experiments))


def _as_functions(side: Side, plan: Plan, board: Board) -> Side:
    """The parts of the kernel's time by the names of functions in which experiments look for them."""
    counted, first = side.counted, plan.releasers[0]
    switch = board.port.switch
    assert switch is not None  # of a port with a trace
    found = {
        board.cell(first.cell).handler: counted.by_function.get(HANDLERS, 0),
        switch: counted.by_function.get(SWITCHES, 0),
        INSERT if first.mode is Mode.PERIODIC else CALLS: counted.by_function.get(CALLS, 0),
    }
    return replace(side, instructions=replace(counted, by_function=found))
