# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench switch` on one emulated board, compared with the evidence of both."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, tools

from horolog.bench.switch import measure_switches, switches_from
from horolog.run.freertos import freertos_source

MEASURED = ROOT / "docs" / "evidence" / "switch" / "measured.json"


@pytest.mark.emulator
@pytest.mark.golden
@pytest.mark.parametrize("board", ["mps2-an385", "mps2-an386"])
def test_a_board_is_a_part_of_the_evidence(board: str, tmp_path: Path) -> None:
    evidence = switches_from(MEASURED.read_text())
    here = f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}, QEMU {tools()['qemu']}"
    if evidence.toolchain != here:
        pytest.skip(f"{LOUD}: docs/evidence/switch holds for {evidence.toolchain}, here is {here}")
    part = measure_switches(tmp_path, lambda text: None, (board,))
    held = {one for one in evidence.measured if one.board == board}
    if freertos_source() is None:
        held = {one for one in held if not one.image.startswith("freertos")}
    assert set(part.measured) == held, "regenerate: horolog bench switch"
