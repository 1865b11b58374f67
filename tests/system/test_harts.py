# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Applications on several cores of QEMU's, which run at once: nothing may depend on which comes first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.system.plain_cmake import build, must, options, project, run
from tests.system.support import ROOT, horolog

OF_TWO = ("qemu-virt-rv32-x2", "mps2-an521")
SHARED = (*OF_TWO, "pico-x2")
"""Boards of two cores that see the same memory; test_pico_cores.py runs the last one."""
TOGETHER = ROOT / "tests" / "system" / "cores"
SAYS = (
    *("every worker has ended", "the token has gone round", "every count counts"),
    *("behind the mutex is one thread", "time goes on from core to core"),
    "every message has come once",
)


@pytest.mark.emulator
@pytest.mark.parametrize(
    ("board", "runs"),
    [
        *((board, 1) for board in OF_TWO),
        *(
            pytest.param(board, 20, marks=pytest.mark.soak)
            for board in (*OF_TWO, "qemu-virt-rv32-x4")
        ),
    ],
)
def test_cores_use_the_same_services_at_once(board: str, runs: int, tmp_path: Path) -> None:
    build(TOGETHER, tmp_path, *options(board), "-DTIMING=none")
    for _ in range(runs):
        assert run(board, tmp_path / "together.elf") == "".join(f"{what}: yes\n" for what in SAYS)


@pytest.mark.parametrize("board", OF_TWO)
def test_a_model_of_slices_with_one_cell_for_all_is_refused(board: str, tmp_path: Path) -> None:
    configure = ("cmake", "-S", str(TOGETHER), "-B", str(tmp_path), "-G", "Ninja")
    for timing, says in (
        ("unified", "no cell that all cores share"),
        ("one_plus_n", "no second cell"),
    ):
        chosen = (*options(board), f"-DTIMING={timing}")
        must(*configure, *chosen, fails=f"{says} for TIMING {timing}")


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ("mps2-an521", "not for mps2-an521, where what a core has is thread-local"),
        ("pico-x2", "not for pico-x2, where what a core has is thread-local"),
        ("qemu-virt-rv32", "for boards of several cores; qemu-virt-rv32 has one"),
        ("qemu-virt-rv32-x2", "not for qemu-virt-rv32-x2, where what a core has is thread-local"),
    ],
)
def test_threads_of_several_cores_are_refused(board: str, says: str, tmp_path: Path) -> None:
    source = project(tmp_path / "project", "GLOBAL_THREADS", TOGETHER / "together.c")
    configure = ("cmake", "-S", str(source), "-B", str(tmp_path / "out"), "-G", "Ninja")
    must(*configure, *options(board), fails=f"GLOBAL_THREADS are {says}")


@pytest.mark.parametrize("board", SHARED)
def test_basic_tasks_are_refused(board: str, tmp_path: Path) -> None:
    source = project(tmp_path / "project", "BASIC", TOGETHER / "together.c")
    configure = ("cmake", "-S", str(source), "-B", str(tmp_path / "out"), "-G", "Ninja")
    says = f"BASIC is not for {board}, where all cores share one table of vectors"
    must(*configure, *options(board), fails=says)


@pytest.mark.parametrize("board", SHARED)
def test_descriptions_need_a_cell_for_each_core(board: str) -> None:
    system = ROOT / "examples" / "engine-control" / "system.toml"
    said = horolog("check", system, "--board", board)
    assert said.code == 2
    assert re.search(r"has too few cells to release tasks on 2 cores.*\n.*1 cell", said.err)
