# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The same small system on every board: no job is lost, and a second run counts the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.system.running import EMULATED
from tests.system.support import BOARD, ROOT, Run, horolog

from horolog.analyse import jobs_in
from horolog.model import Plan, System
from horolog.plan import NOTHING, plan
from horolog.read import board_names, read_board, read_system

pytestmark = pytest.mark.emulator

SMALL = ROOT / "tests" / "system" / "golden" / "small" / "system.toml"
COUNTED = [
    name
    for name in board_names()
    if read_board(name).runner.ns_per_instruction and read_board(name).cores == 1
]


def priced(name: str) -> bool:
    """Whether the board has been calibrated, so that `horolog build` and `run` take it."""
    return (read_board(name).directory / "costs.toml").is_file()


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
@pytest.mark.parametrize("board", EMULATED)
def test_no_job_is_lost(board: str, mechanism: str, bench: Callable[[System, Plan], Run]) -> None:
    system = read_system(SMALL, board=board)
    run = bench(system, plan(system, mechanism=mechanism, prices=NOTHING).choice)
    assert run.side.jobs == sum(jobs_in(system))
    assert run.side.deadline_misses == run.side.overruns == 0
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    again = bench(system, run.plan)
    assert again.findings == run.findings


@pytest.mark.parametrize("board", COUNTED)
def test_each_instruction_belongs_to_a_function(
    board: str, bench: Callable[[System, Plan], Run]
) -> None:
    system = read_system(SMALL, board=board)
    run = bench(system, plan(system, mechanism="one-shot", prices=NOTHING).choice)
    assert run.side.instructions is not None
    assert "?" not in run.side.instructions.by_function
    assert "(library)" not in run.side.instructions.by_function


@pytest.mark.parametrize(  # three builds a board, which differ in what the compiler is told
    "board",
    [
        pytest.param(n, marks=pytest.mark.soak) if n != "mps2-an385" else n
        for n in COUNTED
        if priced(n)
    ],
)
def test_checks_are_linked_where_they_are_asked_for(board: str, tmp_path: Path) -> None:
    reason = b"hrl_release_wait: for periodic threads"
    for checks, linked in ([], False), (["--checks"], True), ([], False):  # in one folder
        said = horolog("build", SMALL, "--board", board, "--json", "--out", tmp_path, *checks)
        assert said.code == 0, said.err
        assert (reason in Path(said.object["horolog"]).read_bytes()) is linked
        if checks:
            assert said.object["freertos"] is None
    said = horolog("run", SMALL, "--board", board, "--json", "--out", tmp_path, "--checks")
    assert said.code == 0, said.err
    *noted, checked = said.object["notes"]
    assert checked == "with checks: not for comparison"
    lent = [note for note in noted if not note.startswith("flash: about")]
    if board == "qemu-virt-rv32":  # which has one cell
        assert lent == [
            "qemu-virt-rv32 lends its mtimecmp for cells of mps2-an385",
            "mixed: not considered, the costs do not hold cooperation",
            "horolog calibrate qemu-virt-rv32 measures what is missing",
        ]
    else:
        assert lent == []


def test_the_usual_board_is_among_them() -> None:
    assert BOARD in COUNTED
