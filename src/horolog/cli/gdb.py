# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog gdb: the firmware in a debugger that knows the kernel's objects."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from horolog.cli.options import Options, with_options
from horolog.cli.probing import probe_option
from horolog.cli.streams import tell
from horolog.model import Board, HorologError, TargetFailed
from horolog.programs import require
from horolog.run import Probe, Remote, build, check_probe, serving
from horolog.run.confine import confined, confinement_gaps
from horolog.run.gdb_session import EVERYWHERE, GDB, check_chip, reset_commands, start_commands
from horolog.run.qemu import qemu_command
from horolog.run.stm32 import stm32_command

__all__ = ["gdb"]

_HERE = "127.0.0.1"
_SCRIPT = Path(__file__).with_name("threads.gdb")


@click.command()
@with_options
@probe_option
@click.option(
    "--execute",
    multiple=True,
    metavar="COMMAND",
    help="A command of gdb's to execute in place of the prompt, such as 'horolog threads'; may be repeated.",
)
def gdb(of: Options, probe: Probe | None, execute: tuple[str, ...]) -> None:
    """Debug SYSTEM.toml: build it, and open gdb on it, halted at reset.

    There it has the commands horolog threads, horolog ready, horolog releasers and horolog mutexes. Without
    --probe the board's emulator runs the firmware; with it, what is behind that probe, into which it is
    loaded.
    """
    board = of.system().board
    if probe is None and board.runner.kind != "qemu" and not board.runner.has_chip_file:
        raise HorologError(
            "horolog gdb needs a board that QEMU or the simulator of STM32 and pico2 runs, or a debug probe; "
            f"{board.name} has the runner {board.runner.kind}",
            found="no --probe",
            expected="--probe auto or remote=HOST:PORT, or another --board",
        )
    require(GDB)
    if probe is not None:
        check_probe(board, probe)
    request = of.request()
    elf = build(request).horolog
    if probe is not None:
        with serving(board, probe, request.out, request.say) as remote:
            check_chip(board, elf, remote, request.out)
            _debug(elf, remote, execute, start_commands(board, elf, load=True))
        return
    with _emulated(board, elf) as here:
        _debug(elf, here, execute, ())


def _debug(elf: Path, remote: Remote, execute: Sequence[str], first: Sequence[str]) -> None:
    """Run gdb on `elf`, with the terminal, or with `execute` in its place. HorologError (4) if it fails."""
    quiet = ["set confirm off", "set pagination off", *EVERYWHERE]
    setting = [*quiet, f"target remote {remote.text}", *reset_commands(remote), *first]
    options = [one for command in setting for one in ("-ex", command)]
    command = [GDB, "-q", "-nx", "-iex", "set auto-load off", *options, "-x", str(_SCRIPT)]
    if execute:
        command += ["-batch", *(one for each in execute for one in ("-ex", each))]
    command.append(str(elf))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is gdb's, which halts the target
    try:
        done = subprocess.run(command, check=False)
    finally:
        signal.signal(signal.SIGINT, before)
    if done.returncode:
        raise TargetFailed(
            f"gdb ended with status {done.returncode}",
            found="its messages above",
            expected=f"a target that answers at {remote.text}, and commands that it knows",
        )


@contextlib.contextmanager
def _emulated(board: Board, elf: Path) -> Iterator[Remote]:
    """The emulator with `elf`, halted at reset, until the end of the block."""
    with socket.socket() as free:
        free.bind((_HERE, 0))
        port = int(free.getsockname()[1])
    if board.runner.has_chip_file:
        command = [*stm32_command(board, elf), "--gdb", str(port)]
    else:
        emulator = board.port.emulator or ""
        require(emulator)
        for gap in confinement_gaps(emulator):
            tell(f"note: {gap}")
        command = [*qemu_command(board, elf), "-S", "-gdb", f"tcp:{_HERE}:{port}"]
        command = confined(command, reads=[elf], port=port)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is not the emulator's
    ) as emulation:
        try:
            yield Remote(_HERE, port)
        finally:
            emulation.kill()
