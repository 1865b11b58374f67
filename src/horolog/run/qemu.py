# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: QEMU's system emulation with the measuring plugin."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from math import ceil
from pathlib import Path

from horolog.image import read_image
from horolog.measure.measured import Kernel, Measured
from horolog.measure.probe import compiled_plugin
from horolog.measure.watched import RequestLog, watched
from horolog.model import Board, HorologError, Plan, System, TargetFailed
from horolog.programs import Finished, call
from horolog.run.confine import confined, sandbox_options

__all__ = ["boot", "qemu_command", "run_in_qemu"]

_START_SECONDS = 60  # wall time for starting up and for a slow machine


def qemu_command(board: Board, elf: Path) -> list[str]:
    """The command that boots `elf`, deterministic: time is instructions executed.

    Several cores are threads of this machine's, in its time, and no two runs are alike: counting
    instructions, QEMU 7.2 does not always go on from a core that waits for another.

    Programs and networks are out of the firmware's reach; `confined` does the same for files.
    """
    time: tuple[str, ...] = ("-icount", f"shift={board.runner.icount_shift},sleep=off")
    if board.cores > 1:
        time = ("-smp", str(board.cores), "-accel", "tcg,thread=multi")
    elif board.runner.icount_shift is None:
        raise HorologError(f"board {board.name} has no icount_shift: its runs would differ")
    port = board.port
    if port.emulator is None:
        raise HorologError(f"no emulator runs arch {board.arch}, of board {board.name}")
    return [
        port.emulator,
        "-M",
        board.runner.machine,
        *_ram_options(board),
        "-nographic",
        "-monitor",
        "none",
        *sandbox_options(port.emulator),
        *port.emulator_options,
        *time,
        "-kernel",
        str(elf),
    ]


def _ram_options(board: Board) -> list[str]:
    if board.runner.ram_property is None:
        return []
    ram = next(one for one in board.memory if one.name == "ram")
    return ["-global", f"{board.runner.ram_property}={ram.length}"]


def run_in_qemu(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    log: RequestLog | None = None,
) -> Measured:
    """Boot `elf` and stop it when the window of `system` is over; files of the run go into `folder`."""
    run = watched(system, plan, kernel, read_image(elf), folder, elf.stem, log=log)
    seconds = _START_SECONDS + 20 * ceil(system.duration)
    plugin, watch = compiled_plugin(), run.watch
    outputs = [watch.out, watch.trace, *([] if watch.requests is None else [watch.requests])]
    done = boot(system.board, elf, plugin, run.config, outputs=outputs, seconds=seconds)
    return run.measured(done, seconds, try_next="horolog run --gdb")


def boot(
    board: Board,
    elf: Path,
    plugin: Path,
    config: Path,
    *,
    outputs: Sequence[Path],
    seconds: float,
) -> Finished:
    """Run `elf` under `plugin`, which reads `config` and writes `outputs`, for at most so long.

    The emulator can open no other files, so the firmware cannot either. If the first of `outputs` stays
    empty, it is not there afterwards. HorologError (4) if the firmware tries to start a program.
    """
    for output in outputs:
        output.write_bytes(b"")
    options = ["-plugin", f"{_escaped(plugin)},config={_escaped(config.resolve())}"]
    command = [*qemu_command(board, elf), *options]
    done = call(confined(command, reads=(elf, plugin, config), writes=outputs), seconds=seconds)
    if not outputs[0].stat().st_size:
        outputs[0].unlink()
    if done.status == -signal.SIGSYS:
        raise TargetFailed(
            f"the emulator's sandbox ended the firmware {elf.name}",
            found="a call that starts a program on this machine, such as semihosting's SYS_SYSTEM",
            expected="semihosting for the console and the exit only (SECURITY.md)",
        )
    return done


def _escaped(path: Path) -> str:
    """QEMU separates options by commas; one that belongs to a value is doubled."""
    return str(path).replace(",", ",,")
