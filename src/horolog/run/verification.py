# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs several plans of a system, at the same time, and says what each came to."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from horolog.figures import significant
from horolog.model import Exit, HorologError, Plan, System, Trial, Verification
from horolog.programs import require
from horolog.run.pipeline import measure_plan

__all__ = ["verify"]

_MOST_LANES = 3
_INTERRUPTED = "interrupted"
_SIGNAL_SECONDS = 0.1


def verify(
    system: System,
    plans: Sequence[Plan],
    folders: Sequence[Path],
    *,
    objective: str,
    say: Callable[[str], None],
    interrupted: Callable[[], bool],
) -> Verification:
    """Measure `plans`, the choice first, each in one of `folders`, as many at a time as there are processors.

    When `interrupted` no further one is begun, and what was measured until then is kept. HorologError (2) if
    the board counts nothing, (3) if a tool is missing, or that of the choice if no plan can be built and run.
    """
    _check(system)
    free: SimpleQueue[Path] = SimpleQueue()
    lanes = min(_MOST_LANES, os.cpu_count() or 1, len(folders), len(plans))
    for folder in folders[:lanes]:
        free.put(folder)
    done = 0

    def one(plan: Plan) -> Trial | HorologError:
        nonlocal done
        if interrupted():
            return Trial(plan, why=_INTERRUPTED)
        folder = free.get()
        try:
            trial: Trial | HorologError = _measured(system, plan, folder)
        except HorologError as error:
            time.sleep(_SIGNAL_SECONDS)  # Ctrl-C ends the emulator before this process knows of it
            trial = error
        finally:
            free.put(folder)
        done += 1
        say(f"verified {done} of {len(plans)}: {_said(plan, trial)}")
        return trial

    say(f"verifying: building and running the {len(plans)} best predicted plans")
    with ThreadPoolExecutor(lanes) as pool:
        found = list(pool.map(one, plans))
    cut = interrupted()
    trials = []
    for plan, trial in zip(plans, found, strict=True):
        if isinstance(trial, HorologError):
            if trial.exit is Exit.NOT_INSTALLED:
                raise trial
            trial = Trial(plan, why=_INTERRUPTED if cut else trial.message)
        trials.append(trial)
    if not cut and all(trial.measured is None for trial in trials):
        raise next(one for one in found if isinstance(one, HorologError))
    return Verification(
        tuple(trials), objective, system.board.runner.unit, cut, _unjudged(system, plans[0])
    )


def _measured(system: System, plan: Plan, folder: Path) -> Trial:
    side = measure_plan(system, plan, folder)
    return Trial(
        plan,
        side.counted.kernel,
        side.interrupts.taken,
        side.deadline_misses + side.overruns,
    )


def _said(plan: Plan, trial: Trial | HorologError) -> str:
    if isinstance(trial, HorologError):
        return f"{Trial(plan).words}: {trial.message}"
    assert trial.off is not None
    return f"{trial.words}: {trial.measured:,} measured, predicted {significant(100 * trial.off)} % off"


def _check(system: System) -> None:
    """HorologError if nothing of `system` can be measured."""
    board = system.board
    if board.runner.ns_per_step is None:
        raise HorologError(
            f"--verify needs a board on which the kernel's {board.runner.unit} are counted; "
            f"{board.name} is not one",
            found=f'runner = "{board.runner.kind}"',
            expected="--board with an emulated board, such as mps2-an385 (horolog boards lists all)",
        )
    needed = [board.port.compiler, "cmake", "ninja"]
    if board.runner.kind == "qemu":
        needed += ["gcc", *([board.port.emulator] if board.port.emulator else [])]
    if board.runner.kind in ("simavr", "rp2040js"):
        needed.append("gcc")
    if board.runner.has_chip_file:
        needed += ["cargo", "gcc"]
    require(*needed)


def _unjudged(system: System, choice: Plan) -> str | None:
    """Why a difference is no fault of the model."""
    if system.uses_services:
        return "the application's calls of the kernel are measured, but not predicted"
    if system.releases is not None:
        return "every task ends, and predictions are for tasks that go on"
    if not choice.prediction.kernel_instructions:
        return "what these tasks cost is not predicted"
    return None
