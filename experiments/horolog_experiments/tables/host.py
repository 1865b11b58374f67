# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems on the host port, in virtual time: what the process writes about its interrupts and its jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from horolog.build.firmware import Target, build_firmware
from horolog.model import Exit, HorologError, System
from horolog.plan import plan
from horolog.programs import call

__all__ = ["HostRun", "counts_of", "is_done", "run_host", "starts_in"]

_SECONDS = 900


@dataclass(frozen=True, slots=True)
class HostRun:
    """`taken`: interrupts of each cell, by its instance. `trace`: a line for each event."""

    taken: dict[int, int]
    trace: Path


def run_host(system: System, counts: int, folder: Path) -> HostRun:
    """Build `system` below `folder`, and run it for so many counts behind t = 0."""
    elf = build_firmware(
        system, plan(system).choice, folder, None, only=Target.HOROLOG
    ).horolog.resolve()
    trace, result = folder / "trace", folder / "result"
    result.unlink(missing_ok=True)
    command = [
        str(elf),
        *("--duration-counts", str(counts)),
        *("--start-counts", str(system.board.start_counts)),
        *("--limit-counts", str(counts + system.board.clock.hz)),
        *("--wall-seconds", str(_SECONDS)),
        *("--trace", str(trace)),
        *("--result", str(result)),
    ]
    done = call(command, seconds=_SECONDS + 20)
    text = result.read_text(encoding="ascii") if result.is_file() else ""
    if done.status != 0 or not is_done(text):
        raise HorologError(
            f"the bench's system {system.name} failed on the host port",
            found=(done.errors.strip() or text)[-1000:],
            exit=Exit.TARGET_FAILED,
        )
    words = [line.split() for line in text.splitlines()]
    return HostRun({int(one[1]): int(one[2]) for one in words if one[0] == "taken"}, trace)


def is_done(result: str) -> bool:
    """Whether the process says that it came to the end; rounds that it has seen stand in front of that."""
    return "status done" in result.splitlines()


def counts_of(ns: int, hz: int) -> int:
    """So many nanoseconds in counts; the trace rounds down to whole nanoseconds."""
    return round(ns * hz / 10**9)


def starts_in(trace: Path) -> Iterator[tuple[int, int]]:
    """When each job begins, in nanoseconds, and the number of its task."""
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            time, kind, number = line.split()
            if kind == "S":
                yield int(time), int(number)
