# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: the Ibex core's RTL with our timer cells, simulated by Verilator; counts are cycles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.build.rtl import simulator
from horolog.image import CoreNames, read_image
from horolog.measure.measured import Kernel, Measured
from horolog.measure.probe import Shared
from horolog.measure.watched import Limits, RequestLog, SharedRun, Watched, first_ns, watched
from horolog.model import Board, HorologError, Plan, System
from horolog.model.core_result import Waits
from horolog.programs import Finished, follow

__all__ = [
    "CoreRun",
    "Waveform",
    "board_simulator",
    "run_cores_on_ibex",
    "run_on_ibex",
    "run_one_kernel_on_ibex",
    "run_shared_cores_on_ibex",
]

# From the expiry to a handler's own code it is 20 to 40 cycles, and twice that behind a division. A simulated
# second takes minutes, so a firmware that hangs is not watched for as many as QEMU's.
_LIMITS = Limits(early_counts=100, late_counts=300, grace_ns=100_000_000, start_ns=100_000_000)
_CYCLES_A_SECOND = 20_000  # simulated, on a slow and very busy machine
_START_SECONDS = 120
_SAY_SECONDS = 10.0  # between two lines about how far the simulation has come
_LAST_BYTES = 200  # of a trace: more than its longest line twice


@dataclass(frozen=True, slots=True)
class Waveform:
    """A stretch of a run to be written as VCD; times are seconds since reset."""

    path: Path
    start: Fraction = Fraction(0)
    end: Fraction | None = None  # None: to the end of the run

    def options(self, ns_per_cycle: int | Fraction) -> list[str]:
        """What asks the simulator for it."""
        asked = ["--vcd", str(self.path)]
        asked += ["--vcd-from", str(int(self.start * 10**9 / ns_per_cycle))]
        if self.end is not None:
            asked += ["--vcd-to", str(ceil(self.end * 10**9 / ns_per_cycle))]
        return asked


def run_on_ibex(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    say: Callable[[str], None],
    waveform: Waveform | None = None,
    log: RequestLog | None = None,
) -> Measured:
    """Simulate `elf` until the window of `system` is over; files of the run go into `folder`."""
    board = system.board
    lasts = _cycle_ns(board)
    program = board_simulator(board, say, vcd=waveform is not None)
    run = watched(system, plan, kernel, read_image(elf), folder, elf.stem, _LIMITS, log=log)
    command = [str(program), "--elf", str(elf), "--watch", str(run.config)]
    if waveform is not None:
        command += waveform.options(lasts)
    total = system.duration * 10**9
    seconds = _START_SECONDS + ceil(total / lasts / _CYCLES_A_SECOND)
    done = follow(
        command,
        seconds=seconds,
        every=_SAY_SECONDS,
        tell=_telling(say, run.watch.trace, run.opens_ns, total),
    )
    return run.measured(done, seconds, try_next="horolog run --vcd FILE")


@dataclass(frozen=True, slots=True)
class CoreRun:
    """What one core runs, to be watched."""

    core: int
    system: System  # of that core alone
    plan: Plan
    names: CoreNames


def run_cores_on_ibex(
    board: Board,
    kernel: str,
    runs: Sequence[CoreRun],
    elf: Path,
    folder: Path,
    say: Callable[[str], None],
    waveform: Waveform | None = None,
) -> tuple[tuple[Measured, Waits], ...]:
    """Simulate `elf` on all cores of `board` until the windows of those with `runs` are over."""
    return _cores_on_ibex(board, kernel, runs, [None] * len(runs), elf, folder, say, waveform)


def run_shared_cores_on_ibex(
    whole: System,
    kernel: str,
    runs: Sequence[CoreRun],
    elf: Path,
    folder: Path,
    say: Callable[[str], None],
    waveform: Waveform | None = None,
) -> tuple[tuple[Measured, Waits], ...]:
    """As run_cores_on_ibex, of cores that run each other's tasks: these have the numbers of `whole`.

    A core's trace has what happened there. HorologError if the first core's first release is not the first.
    """
    board = whole.board
    every, first = read_image(elf), runs[0]
    opens = first_ns(first.system, first.plan)
    sooner = [one for one in runs if first_ns(one.system, one.plan) < opens]
    if sooner:
        raise HorologError(
            f"core {sooner[0].core} releases a task before core {first.core} does: not yet measured where "
            "several cores may run a task",
            expected=f"a task of core {first.core} with the least offset",
        )
    shared = [
        SharedRun(
            Shared(every, one.names.jobs),
            len(whole.tasks),
            None if one is first else first.core,
            opens,
        )
        for one in runs
    ]
    return _cores_on_ibex(board, kernel, runs, shared, elf, folder, say, waveform)


def _cores_on_ibex(
    board: Board,
    kernel: str,
    runs: Sequence[CoreRun],
    shared: Sequence[SharedRun | None],
    elf: Path,
    folder: Path,
    say: Callable[[str], None],
    waveform: Waveform | None,
) -> tuple[tuple[Measured, Waits], ...]:
    """Simulates `elf` until the windows of all `runs` are over; what each has measured, and its waits.

    `shared` says of each what it runs of others' tasks, if it does.
    """
    program = board_simulator(board, say, vcd=waveform is not None)
    prepared = [
        watched(
            one.system,
            one.plan,
            Kernel(kernel, one.plan.mechanism),
            read_image(elf, one.names),
            folder,
            f"{elf.stem}.core{one.core}",
            _LIMITS,
            shared=of_others,
        )
        for one, of_others in zip(runs, shared, strict=True)
    ]
    total = max(one.system.duration for one in runs) * 10**9
    watches = [(one.core, run) for one, run in zip(runs, prepared, strict=True)]
    command = [str(program), *([] if waveform is None else waveform.options(_cycle_ns(board)))]
    done, seconds, waits = _simulate(command, board, elf, watches, folder, total, say)
    measured = [run.measured(done, seconds) for run in prepared]
    return tuple((seen, waits[one.core]) for one, seen in zip(runs, measured, strict=True))


def run_one_kernel_on_ibex(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    say: Callable[[str], None],
) -> tuple[tuple[Measured, Waits], ...]:
    """Simulate `elf`, a kernel that is one for all cores, over the window of `system`; what each core did.

    Tasks may change cores: of a core the trace has what happened there. `plan` plays no part.
    """
    board = system.board
    program, image = board_simulator(board, say), read_image(elf)
    prepared = [
        watched(system, plan, kernel, image, folder, f"{elf.stem}.core{core}", _LIMITS, core)
        for core in range(board.cores)
    ]
    total = system.duration * 10**9
    done, seconds, waits = _simulate(
        [str(program)], board, elf, list(enumerate(prepared)), folder, total, say
    )
    # One that has given up has ended the others, which have no results then.
    ended = [one for one in prepared if one.watch.out.is_file()] or prepared
    measured = [one.measured(done, seconds) for one in ended]
    return tuple((seen, waits[core]) for core, seen in enumerate(measured))


def _simulate(
    program: Sequence[str],
    board: Board,
    elf: Path,
    watches: Sequence[tuple[int, Watched]],
    folder: Path,
    total_ns: Fraction,
    say: Callable[[str], None],
) -> tuple[Finished, int, dict[int, Waits]]:
    """Runs `elf` by `program`, with options of its own, until all `watches`, by core, are over.

    How that ended, its limit in seconds, and the waits.
    """
    lasts = _cycle_ns(board)
    traffic = folder / f"{elf.stem}.cores"
    traffic.unlink(missing_ok=True)
    command = [*program, "--elf", str(elf), "--cores", str(traffic)]
    for core, run in watches:
        command += ["--watch", f"{core}:{run.config}"]
    seconds = board.cores * (_START_SECONDS + ceil(total_ns / lasts / _CYCLES_A_SECOND))
    _, first = watches[0]
    done = follow(
        command,
        seconds=seconds,
        every=_SAY_SECONDS,
        tell=_telling(say, first.watch.trace, first.opens_ns, total_ns),
    )
    written = traffic.read_text(encoding="ascii") if traffic.is_file() else ""
    return done, seconds, defaultdict(lambda: Waits(0, 0, 0), _waits(written))


def _cycle_ns(board: Board) -> int | Fraction:
    """What a cycle lasts. HorologError if `board` does not say it."""
    lasts = board.runner.ns_per_cycle
    if lasts is None:
        raise HorologError(f"board {board.name} does not say what a cycle lasts: ns_per_cycle")
    return lasts


def _waits(text: str) -> dict[int, Waits]:
    """What each core has waited for the others, by the file that rtl/cores/sim/traffic.hpp describes."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 6 and words[0] == "core" and words[2] != "own":
            found.setdefault(int(words[1]), []).append(tuple(map(int, words[3:])))
    return {
        core: Waits(sum(one[0] for one in of), sum(one[1] for one in of), max(one[2] for one in of))
        for core, of in found.items()
    }


def board_simulator(board: Board, say: Callable[[str], None], *, vcd: bool = False) -> Path:
    """The simulator for `board`, built if there is none yet; `say` is called before that."""
    if board.runner.configuration is None:
        raise HorologError(f"board {board.name} does not say how its core is configured")
    cells = sum(cell.device == board.clock.device for cell in board.cells)
    return simulator(board.runner.configuration, cores=board.cores, cells=cells, vcd=vcd, say=say)


def _telling(
    say: Callable[[str], None], trace: Path, opens_ns: int, total_ns: Fraction
) -> Callable[[], None]:
    """What tells of progress, where there has been any: events are written many at a time."""
    said = ""

    def tell() -> None:
        nonlocal said
        text = _progress(trace, opens_ns, total_ns)
        if text != said:
            say(text)
        said = text

    return tell


def _progress(trace: Path, opens_ns: int, total_ns: Fraction) -> str:
    """How far the simulation has come, by the last event that it has written."""
    now = opens_ns
    try:
        with trace.open("rb") as stream:
            stream.seek(max(0, trace.stat().st_size - _LAST_BYTES))
            whole = stream.read().splitlines(keepends=True)[1:]
        lines = [line.split() for line in whole if line.endswith(b"\n")]
        now += int(lines[-1][0]) if lines else 0
    except FileNotFoundError:
        pass  # it has not begun
    return f"  simulated {now // 10**6:,} of {ceil(total_ns / 10**6):,} ms"
