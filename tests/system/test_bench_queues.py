# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench queues` on the emulated board: a part of it, compared with the evidence of the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, horolog, tools

from horolog_experiments.queues import (
    LEVELS,
    MOST_TASKS,
    QUEUES,
    Results,
    measure_queues,
    measured_from,
    measured_text,
)
from horolog_experiments.queues.systems import engine_control, run_system

pytestmark = pytest.mark.emulator

MEASURED = ROOT / "docs" / "evidence" / "queues" / "measured.json"


@pytest.fixture(scope="module")
def evidence() -> Results:
    """What is committed; with other tools than it was measured with, the test is skipped."""
    results = measured_from(MEASURED.read_text())
    here = {f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}", f"QEMU {tools()['qemu']}"}
    held = {results.toolchain, results.platform.split(", ")[-1]}
    if held != here:
        pytest.skip(f"{LOUD}: docs/evidence/queues holds for {held}, here is {here}")
    return results


@pytest.mark.soak  # two runs of 12 s
def test_a_small_run_counts_calls_and_is_repeatable(tmp_path: Path) -> None:
    said = horolog("bench", "queues", "--up-to", "10", "--out", tmp_path / "a", "--json")
    assert said.code == 0, said.err
    assert said.err == ""
    assert said.object["written"] == [
        str(tmp_path / "a" / "result.json"),
        str(tmp_path / "a" / "queues.md"),
        str(tmp_path / "a" / "tools.md"),
    ]
    rows = json.loads((tmp_path / "a" / "result.json").read_text())["rows"]
    calls = [row for row in rows if row["unit"] == "instructions"]
    assert {(row["queue"], row["level"]) for row in calls} == {
        (queue.name, f"-{level}") for queue in QUEUES for level in LEVELS
    }
    for row in calls:
        assert 0 < row["best"] <= row["average"] <= row["worst"]
    walked = {
        row["tasks"]: row["worst"]
        for row in calls
        if (row["queue"], row["level"], row["family"], row["operation"])
        == ("sorted_list", "-O2", "worst", "insert")
    }
    # Every node passed costs the same.
    assert walked[10] - walked[5] == 5 * (walked[2] - walked[1]) > 0

    again = horolog("bench", "queues", "--up-to", "10", "--out", tmp_path / "b")
    assert again.code == 0, again.err
    assert "running bucket -O2" in again.err
    for name in ("result.json", "queues.md", "tools.md"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.golden
def test_a_part_of_the_run_is_a_part_of_the_evidence(tmp_path: Path, evidence: Results) -> None:
    part = measure_queues(tmp_path, 10, lambda text: None)
    assert set(part.rows) <= set(evidence.rows), "regenerate: horolog bench queues"
    assert (part.ram, part.rom) == (evidence.ram, evidence.rom)


@pytest.mark.golden
def test_a_whole_system_costs_what_the_evidence_says(tmp_path: Path, evidence: Results) -> None:
    side = run_system(engine_control(85), "calendar", tmp_path)
    row = evidence.whole.row("calendar", 85)
    assert side.instructions is not None
    assert (side.jobs, side.deadline_misses) == (row.jobs, 0)
    assert (side.instructions.kernel, side.instructions.bodies) == (row.kernel, row.bodies)


@pytest.mark.soak
def test_the_evidence_is_what_the_command_measures(tmp_path: Path, evidence: Results) -> None:
    measured = measure_queues(tmp_path, MOST_TASKS, lambda text: None)
    assert measured_text(measured) == MEASURED.read_text()
