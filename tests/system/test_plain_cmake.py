# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel without the tool: examples/services and plain-cmake are CMake projects, run on every board."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tests.system.support import ROOT

from horolog.read import board_names, read_board
from horolog.run.programs import call
from horolog.run.qemu import qemu_command

pytestmark = pytest.mark.emulator

SAYS = "sample\n" * 5 + "the sampler has ended\nno more samples\ndone\n"
PLAIN = ROOT / "cmake" / "plain" / "horolog.cmake"


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


def build(source: Path, out: Path, *more: str) -> None:
    must("cmake", "-S", str(source), "-B", str(out), "-G", "Ninja", *more)
    must("cmake", "--build", str(out))


def run(name: str, elf: Path) -> str:
    """What the program prints on board `name`."""
    board = read_board(name)
    return must(*([str(elf)] if board.arch == "host" else qemu_command(board, elf)))


def must(*command: str) -> str:
    """What `command` says; it must succeed within a minute."""
    done = call(list(command), seconds=60)
    assert done.status == 0, done.output + done.errors
    return done.output + done.errors


@pytest.mark.parametrize("name", board_names())
def test_services(name: str, tmp_path: Path) -> None:
    build(ROOT / "examples" / "services", tmp_path, *options(name))
    assert run(name, tmp_path / "services.elf") == SAYS


def test_services_without_checks(tmp_path: Path) -> None:
    source = ROOT / "examples" / "services"
    build(source, tmp_path, *options("mps2-an385"), "-DHRL_PLAIN_FLAGS=-DHRL_CHECKS=0")
    assert run("mps2-an385", tmp_path / "services.elf") == SAYS


@pytest.mark.parametrize("name", board_names())
def test_a_project_of_ones_own_without_python(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder copied elsewhere, Horolog named by path; a Python that is called leaves a trace."""
    mine, programs, trace = tmp_path / "mine", tmp_path / "programs", tmp_path / "python-was-called"
    shutil.copytree(ROOT / "examples" / "plain-cmake", mine)
    programs.mkdir()
    for program in ("python", "python3"):
        (programs / program).write_text(f'#!/bin/sh\ntouch "{trace}"\nexit 1\n')
        (programs / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    out = tmp_path / "out"
    build(mine, out, *options(name), f"-DHOROLOG={ROOT}")
    assert run(name, out / "blinky.elf") == "on\noff\n" * 3 + "enough\n"
    assert not trace.exists()


def project(folder: Path, arguments: str) -> Path:
    """A project of the sources of examples/services, with these `arguments` of horolog_application."""
    main = ROOT / "examples" / "services" / "main.c"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(plain C ASM)\nset(CMAKE_C_STANDARD 11)\n"
        f'include("{PLAIN}")\n'
        f'horolog_application(plain BOARD ${{BOARD}} {arguments} SOURCES "{main}")\n'
    )
    return folder


@pytest.mark.parametrize("name", ["mps2-an385", "host"])
@pytest.mark.parametrize("store", ["STORE sorted_list", "STORE calendar SLOTS 32"])
def test_the_store_is_chosen(name: str, store: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(project(tmp_path / "project", store), out, *options(name))
    assert run(name, out / "plain.elf") == SAYS


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("mps2-an358", "", "there is no board 'mps2-an358'"),
        ("mps2-an385", "", "mps2-an385 wants -DHRL_CPU=cortex-m3"),
        ("host", "STORE heap", "STORE is calendar or sorted_list, not 'heap'"),
    ],
)
def test_what_is_wrong_is_said(name: str, arguments: str, said: str, tmp_path: Path) -> None:
    source = project(tmp_path / "project", arguments)
    out = str(tmp_path / "out")
    done = call(
        ["cmake", "-S", str(source), "-B", out, "-G", "Ninja", f"-DBOARD={name}"], seconds=60
    )
    assert done.status != 0
    assert said in " ".join(done.errors.split())
