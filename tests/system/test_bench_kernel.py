# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench kernel` on the emulated board: a part of it, compared with the evidence of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, tools

from horolog.bench.kernel import (
    OURS,
    ROM,
    Results,
    measure_kernel,
    measured_from,
    measured_text,
)

pytestmark = pytest.mark.emulator

MEASURED = ROOT / "docs" / "evidence" / "kernel" / "measured.json"
QUICK = ("yield", "semaphore", "semaphore_wakes", "interrupt", "pool", ROM)


@pytest.fixture(scope="module")
def evidence() -> Results:
    """What is committed; with other tools than it was measured with, the test is skipped."""
    results = measured_from(MEASURED.read_text())
    here = {f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}", f"QEMU {tools()['qemu']}"}
    held = {results.toolchain, results.platform.split(", ")[-1]}
    if held != here:
        pytest.skip(f"{LOUD}: docs/evidence/kernel holds for {held}, here is {here}")
    return results


def test_ours_is_measured_without_freertos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("horolog.bench.kernel.run.freertos_source", lambda: None)
    monkeypatch.setenv("CCACHE_DISABLE", "1")  # it does not tell apart what files are called
    alone = measure_kernel(tmp_path, lambda text: None, ("yield", "interrupt_round"))
    elves = [*tmp_path.rglob("*.elf")]
    assert elves
    assert not [elf.name for elf in elves if b"freertos/" in elf.read_bytes()]
    assert set(alone.spans) == {(OURS, "yield"), (OURS, "interrupt_round")}
    assert alone.freertos is None
    for spans in alone.spans.values():
        # No timer comes in between, and nothing depends on what was before.
        assert 0 < spans.best == spans.worst


@pytest.mark.golden
@pytest.mark.freertos
@pytest.mark.usefixtures("freertos")
def test_a_part_of_the_run_is_a_part_of_the_evidence(tmp_path: Path, evidence: Results) -> None:
    part = measure_kernel(tmp_path, lambda text: None, QUICK)
    assert {name for _, name in part.spans} == set(QUICK) - {ROM}
    assert part.spans.items() <= evidence.spans.items(), "regenerate: horolog bench kernel"
    assert part.rom == evidence.rom, "regenerate: horolog bench kernel"
    assert set(part.rom) == {"horolog", "minimal", "horolog_reported", "minimal_reported"}


@pytest.mark.soak
@pytest.mark.freertos
@pytest.mark.usefixtures("freertos")
def test_the_evidence_is_what_the_command_measures(tmp_path: Path, evidence: Results) -> None:
    measured = measure_kernel(tmp_path, lambda text: None)
    assert measured_text(measured) == MEASURED.read_text()
