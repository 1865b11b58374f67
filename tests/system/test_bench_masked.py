# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench masked` on the emulated board: a part of it, compared with the evidence of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, tools

from horolog.model import Kind
from horolog_experiments.masked import DATA, Variant, measure_masked

MEASURED = ROOT / "docs" / "evidence" / "masked" / "measured.json"


@pytest.mark.emulator
@pytest.mark.golden
def test_a_part_of_the_run_is_a_part_of_the_evidence(tmp_path: Path) -> None:
    evidence = DATA.read(MEASURED.read_text())
    here = {f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}", f"QEMU {tools()['qemu']}"}
    held = {evidence.toolchain, evidence.platform.split(", ")[-1]}
    if held != here:
        pytest.skip(f"{LOUD}: docs/evidence/masked holds for {held}, here is {here}")
    variants = (
        Variant(Kind.THREAD, "tick", "mask-table"),
        Variant(Kind.BASIC, "tick", "mask-table"),
    )
    part = measure_masked(tmp_path, lambda text: None, (10, 100), variants)
    assert set(part.windows) <= set(evidence.windows), "regenerate: horolog bench masked"
    assert set(part.releases) <= set(evidence.releases), "regenerate: horolog bench masked"
    assert len(part.releases) == len(variants)
