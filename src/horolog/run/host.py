# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: the host port, a Linux process in virtual time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

from horolog.analyse import window_counts
from horolog.measure.measured import Kernel, Measured
from horolog.measure.probe import read_findings
from horolog.measure.watched import of_tasks
from horolog.model import System, TargetFailed
from horolog.programs import call
from horolog.trace import activated_responses, all_released, read_trace, rounds_of, write_trace

__all__ = ["run_on_host"]

_START_SECONDS = 20  # wall time, beside what the simulation takes
_MORE_SECONDS = 20  # until a program that does not even end itself is killed


def run_on_host(
    system: System, kernel: Kernel, elf: Path, folder: Path, options: Sequence[str] = ()
) -> Measured:
    """Run the process `elf` over the window of `system`, and read back what it saw of itself.

    `options`: what else the program is told (ports/host/program.c), as what the kernel takes.
    """
    trace, out = folder / "horolog.trace", folder / "horolog.counts"
    out.unlink(missing_ok=True)
    window = window_counts(system)
    seconds = _START_SECONDS + 10 * ceil(system.duration)
    command = [
        str(elf),
        "--duration-counts",
        str(window),
        "--start-counts",
        str(system.board.start_counts),
        "--clock-hz",
        str(system.board.clock.hz),
        "--limit-counts",
        str(window + system.board.clock.hz),
        "--wall-seconds",
        str(seconds),
        "--trace",
        str(trace),
        "--result",
        str(out),
        *options,
    ]
    done = call(command, seconds=seconds + _MORE_SECONDS)
    said = done.errors.strip()[-4000:] or "no output"

    def hangs(found: str) -> TargetFailed:
        return TargetFailed(
            f"{kernel.name} on the host port hangs: it was ended after {seconds} s",
            found=found,
            expected="bodies that return: virtual time stands still while one runs",
        )

    if done.status is None:
        raise hangs(said)
    if not out.is_file() or done.status != 0:
        raise TargetFailed(
            f"{kernel.name} on the host port ended with status {done.status}",
            found=said,
        )
    findings = read_findings(out.read_text(encoding="ascii"))
    if findings.status == "hang":
        names = ", ".join(
            f'"{system.tasks[task].name}"' for task in findings.open_job if task < len(system.tasks)
        )
        raise hangs(f"in a job of task {names or '(none: start-up)'}")
    if findings.status != "done":
        names = ", ".join(
            system.tasks[task].name for task in findings.open_job if task < len(system.tasks)
        )
        raise TargetFailed(
            f"the system was never idle after the window ({findings.status})",
            found=f"unfinished: {names or 'nothing'}",
        )
    whole = read_trace(trace)
    seen = all_released(of_tasks(whole, system), system)
    write_trace(trace, seen)
    seen = replace(seen, rounds=rounds_of(findings.rounds, findings.unread_rounds, system))
    return Measured(
        kernel, findings, seen, None, activated=activated_responses(whole, system), whole=whole
    )
