# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench queues` on the emulated board, and the page that it left in docs/evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, horolog, tools

from horolog.bench.queues import LEVELS, MOST_TASKS, QUEUES, measure_queues
from horolog.bench.queues_page import queues_page

pytestmark = pytest.mark.emulator


def test_a_small_run_counts_calls_and_is_repeatable(tmp_path: Path) -> None:
    said = horolog("bench", "queues", "--up-to", "20", "--out", tmp_path / "a", "--json")
    assert said.code == 0, said.err
    assert said.err == ""
    assert said.object["written"] == [
        str(tmp_path / "a" / "result.json"),
        str(tmp_path / "a" / "queues.md"),
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
    assert (
        walked[20] - walked[15] == walked[15] - walked[10] > 0
    )  # every node passed costs the same

    again = horolog("bench", "queues", "--up-to", "20", "--out", tmp_path / "b")
    assert again.code == 0, again.err
    assert "running bucket -O2" in again.err
    for name in ("result.json", "queues.md"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.golden
@pytest.mark.slow
def test_the_evidence_is_what_the_command_writes(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "evidence" / "queues.md").read_text()
    head = page.split("## ")[0]
    here = {f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}", f"QEMU {tools()['qemu']}"}
    if not all(tool in head for tool in here):
        pytest.skip(f"{LOUD}: docs/evidence/queues.md holds for other versions than {here}")
    assert queues_page(measure_queues(tmp_path, MOST_TASKS, lambda text: None)) == page
