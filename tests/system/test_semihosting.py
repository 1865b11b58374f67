# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Firmware that attacks the machine that emulates it, through semihosting.

Held to what SECURITY.md promises: the console and the exit, no programs and none of the user's files.
"""

from __future__ import annotations

import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest
from tests.system.support import BOARD, ROOT, horolog

from horolog.model import Exit
from horolog.programs import Finished, call
from horolog.read import read_board
from horolog.run.confine import confined, confinement_gaps
from horolog.run.qemu import qemu_command

EMULATOR = "qemu-system-arm"
SOURCE = ROOT / "tests" / "system" / "semihosting"
pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(
        bool(confinement_gaps(EMULATOR)), reason="; ".join(confinement_gaps(EMULATOR))
    ),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What there is to attack."""
    target = tmp_path / "target"
    target.mkdir()
    for name in ("secret", "gone"):
        (target / name).write_text(name, encoding="ascii")
    return target


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def without(command: list[str], option: str) -> list[str]:
    at = command.index(option)
    return command[:at] + command[at + 2 :]


@pytest.fixture
def bare(tmp_path: Path, folder: Path) -> Path:
    """A firmware without a kernel that attacks `folder`, then ends."""
    elf = tmp_path / "bare.elf"
    command = [
        *("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1", "-ffreestanding", "-nostdlib"),
        f'-DFOLDER="{folder}"',
        *("-Wl,--section-start=.vectors=0", "-Wl,-Ttext=0x100", "-Wl,-e,reset"),
        *("-Wl,--defsym=stack_top=0x20010000", "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none"),
        *(str(SOURCE / "bare.c"), "-o", str(elf)),
    ]
    built = call(command, seconds=60)
    assert built.status == 0, built.errors
    return elf


def run(command: list[str]) -> Finished:
    return call(command, seconds=60)


def test_an_emulator_that_is_not_confined_serves_every_call(bare: Path, folder: Path) -> None:
    """Otherwise the tests below would show nothing."""
    done = run(without(qemu_command(read_board(BOARD), bare), "-sandbox"))
    assert done.status == 0
    assert done.errors == "made\nread\nremoved\nattacked\ncommanded\n"
    assert left(folder) == {"secret", "made", "ran"}


def test_the_sandbox_ends_what_starts_a_program(bare: Path, folder: Path) -> None:
    done = run(qemu_command(read_board(BOARD), bare))
    assert done.status == -signal.SIGSYS
    assert "commanded" not in done.errors
    assert "ran" not in left(folder)


def test_files_are_out_of_reach(bare: Path, folder: Path) -> None:
    done = run(confined(qemu_command(read_board(BOARD), bare), reads=[bare]))
    assert done.status == -signal.SIGSYS  # at the command behind
    assert done.errors == "attacked\n"
    assert left(folder) == {"secret", "gone"}


def test_programs_are_out_of_reach_of_an_emulator_without_a_sandbox(
    bare: Path, folder: Path
) -> None:
    command = without(qemu_command(read_board(BOARD), bare), "-sandbox")
    done = run(confined(command, reads=[bare]))
    assert done.status == 0
    assert left(folder) == {"secret", "gone"}


def test_a_debugger_connects_and_another_port_is_out_of_reach(bare: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        port, other = one.getsockname()[1], two.getsockname()[1]
    command = [*qemu_command(read_board(BOARD), bare), "-S", "-gdb"]
    done = run(confined([*command, f"tcp:127.0.0.1:{other}"], reads=[bare], port=port))
    assert done.status == 1
    assert "Permission denied" in done.errors
    listening = confined([*command, f"tcp:127.0.0.1:{port}"], reads=[bare], port=port)
    with subprocess.Popen(listening, stdin=subprocess.DEVNULL) as emulator:
        try:
            assert answer(port, b"$?#3f").startswith(b"+$T05")
        finally:
            emulator.kill()


def answer(port: int, packet: bytes) -> bytes:
    """What the emulator, which is starting, says to a debugger's first packet."""
    for _ in range(200):
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)) as to:
            to.settimeout(20)
            to.sendall(packet)
            said = to.recv(100)
            return said if len(said) > 1 else said + to.recv(100)
        sleep(0.05)
    return b""


# --- the same from a task of a described system --------------------------------------------------

SYSTEM = """
[system]
name = "attacker"
board = "mps2-an385"
duration = "20 ms"
sources = ["bodies.c"]

[[task]]
name = "attack"
period = "10 ms"
wcet = "2 ms"
body = "step"
"""


def described(tmp_path: Path, folder: Path, attack: str) -> Path:
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM, encoding="utf-8")
    body = f'#define FOLDER "{folder}"\n#include "{SOURCE / "attack.h"}"\n'
    body += f"void step(void)\n{{\n    {attack}();\n}}\n"
    (tmp_path / "bodies.c").write_text(body, encoding="utf-8")
    return path


def test_a_task_that_opens_files_finds_none(tmp_path: Path, folder: Path) -> None:
    path = described(tmp_path, folder, "attack_files")
    said = horolog("run", path, "--out", tmp_path / "out")
    assert said.code == Exit.OK, said.err
    assert left(folder) == {"secret", "gone"}


def test_a_task_that_starts_a_program_is_ended_and_named(tmp_path: Path, folder: Path) -> None:
    path = described(tmp_path, folder, "attack_command")
    said = horolog("run", path, "--out", tmp_path / "out")
    assert said.code == Exit.TARGET_FAILED
    assert "the emulator's sandbox ended the firmware horolog.elf" in said.err
    assert "SYS_SYSTEM" in said.err
    assert left(folder) == {"secret", "gone"}


def test_the_build_s_own_files_are_out_of_reach(tmp_path: Path) -> None:
    """What the next build would run: the emulator may write the run's two outputs, not their folder."""
    out = tmp_path / "out"
    made = out / "cmake" / BOARD
    path = described(tmp_path, made, "attack_files")
    said = horolog("run", path, "--out", out)
    assert said.code == Exit.OK, said.err
    assert not (made / "made").exists()
