# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench switch` on one emulated board, compared with the evidence of both."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, tools

from horolog.build.freertos import freertos_source
from horolog_experiments.switch import BOARDS, DATA, Switches, measure_switches

MEASURED = ROOT / "docs" / "evidence" / "switch" / "measured.json"


NEAR = 200
"""One in so many instructions of a loop: when the first tick comes depends on how long the start takes."""


def shape(switches: Switches, board: str) -> dict[str, int]:
    """What does not depend on the first tick: single calls without interrupts, by image."""
    return {
        one.image: one.spans.best
        for one in switches.measured
        if one.board == board and not one.image.endswith("_whole")
    }


@pytest.mark.emulator
@pytest.mark.golden
@pytest.mark.parametrize("board", BOARDS)
def test_a_board_is_a_part_of_the_evidence(board: str, tmp_path: Path) -> None:
    evidence = DATA.read(MEASURED.read_text())
    here = f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}, QEMU {tools()['qemu']}"
    if evidence.toolchain != here:
        pytest.skip(f"{LOUD}: docs/evidence/switch holds for {evidence.toolchain}, here is {here}")
    part = measure_switches(tmp_path, lambda text: None, (board,))
    held = shape(evidence, board)
    if freertos_source() is None:
        held = {name: cost for name, cost in held.items() if not name.startswith("freertos")}
    assert shape(part, board) == held, "regenerate: horolog bench switch"
    for one in part.measured:
        whole = evidence.spans(board, one.image)
        assert whole is not None
        if one.image.endswith("_whole"):
            assert abs(one.spans.total - whole.total) <= whole.total // NEAR, one.image
