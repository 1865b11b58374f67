# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog run --gdb: boots, halts at reset and waits for a debugger."""

from __future__ import annotations

import contextlib
import socket
import subprocess

from horolog.cli.streams import tell
from horolog.model import Board, HorologError, TargetFailed
from horolog.programs import require
from horolog.run import Request, build
from horolog.run.confine import confined, confinement_gaps
from horolog.run.qemu import qemu_command
from horolog.run.simavr import simavr_command
from horolog.run.stm32 import stm32_command

__all__ = ["GDB_PORT", "check_port", "check_target", "wait_for_debugger"]

GDB_PORT = 1234
_HERE = "127.0.0.1"


def check_target(board: Board) -> None:
    """HorologError unless a debugger can halt `board`."""
    if board.runner.kind == "ibex":
        raise HorologError(
            f"--gdb is not available on {board.name}: nothing halts a core that is simulated from "
            "its RTL",
            expected="--vcd FILE for what happens inside, or --gdb with an emulated --board",
        )
    if board.runner.kind not in ("qemu", "simavr") and not board.runner.has_chip_file:
        raise HorologError(
            f"--gdb needs an emulated board; {board.name} is not one",
            expected="on the host port: gdb on the program that horolog build makes",
        )


def check_port(port: int) -> None:
    """HorologError if another program has it: the emulator would end at once."""
    try:
        _bind(port)
    except OSError as error:
        raise HorologError(
            f"port {port} is taken: a debugger could not connect",
            found=(error.strerror or str(error)).lower(),
            expected=f"--gdb-port with a free one, such as {_bind(0)}, or an end to what has it",
        ) from None


def _bind(port: int) -> int:
    """A port that is free at this moment: `port`, or any for 0. OSError if `port` is not."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the emulator does
        probe.bind((_HERE, port))
        return int(probe.getsockname()[1])


def wait_for_debugger(request: Request, port: int) -> None:
    """Build, and boot until the debugger or Ctrl-C ends it. HorologError (4) otherwise."""
    board = request.system.board
    kind = board.runner.kind
    if kind == "qemu":
        emulator = board.port.emulator or ""
        require(emulator)
        for gap in confinement_gaps(emulator):
            tell(f"note: {gap}")
    elf = build(request).horolog
    debugger = "avr-gdb" if kind == "simavr" else "gdb-multiarch"
    tell(
        "halted at reset; in another terminal:\n"
        f"  {debugger} {elf} -ex 'target remote localhost:{port}'\n"
        "Ctrl-C ends it"
    )
    if kind == "simavr":
        command = [*simavr_command(board, elf), "--gdb", str(port)]
    elif board.runner.has_chip_file:
        command = [*stm32_command(board, elf), "--gdb", str(port)]
    else:
        command = [*qemu_command(board, elf), "-S", "-gdb", f"tcp:{_HERE}:{port}"]
        command = confined(command, reads=[elf], port=port)
    with contextlib.suppress(KeyboardInterrupt):
        done = subprocess.run(command, check=False)
        if done.returncode:
            raise TargetFailed(
                f"the emulator ended with status {done.returncode}",
                found="the emulator's or the firmware's messages above",
                expected="the debugger or Ctrl-C to end it",
            )
