# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What tests of applications without the tool share: how they are configured, built and run."""

from __future__ import annotations

from pathlib import Path

from tests.system.running import command
from tests.system.support import ROOT

from horolog.programs import call
from horolog.read import read_board

__all__ = ["build", "must", "options", "project", "run"]

_PLAIN = ROOT / "cmake" / "horolog.cmake"


def options(name: str) -> list[str]:
    """How a project is configured for board `name`."""
    board = read_board(name)
    if board.arch == "host":
        return [f"-DBOARD={name}"]
    toolchain = ROOT / "cmake" / "toolchain" / f"{board.arch}.cmake"
    fpu = [] if board.fpu is None else [f"-DHRL_FPU={board.fpu}"]
    return [
        f"-DBOARD={name}",
        f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
        f"-DHRL_CPU={board.cpu}",
        *fpu,
    ]


def project(folder: Path, arguments: str, main: Path) -> Path:
    """A project of the source `main`, with these `arguments` of horolog_application: plain.elf."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(plain C ASM)\nset(CMAKE_C_STANDARD 11)\n"
        f'include("{_PLAIN}")\n'
        f'horolog_application(plain BOARD ${{BOARD}} {arguments} SOURCES "{main}")\n'
    )
    return folder


def build(source: Path, out: Path, *more: str) -> None:
    """Configure and compile the project in `source`."""
    must("cmake", "-S", str(source), "-B", str(out), "-G", "Ninja", *more)
    must("cmake", "--build", str(out))


def run(name: str, elf: Path) -> str:
    """What the program prints on board `name`."""
    return must(*command(read_board(name), elf))


def must(*words: str, fails: str | None = None) -> str:
    """What this command says; it must succeed within a minute, or fail and say the words `fails`."""
    done = call(list(words), seconds=60)
    said = done.output + done.errors
    assert (done.status == 0) == (fails is None), said
    assert fails is None or fails in " ".join(said.split())
    return said
