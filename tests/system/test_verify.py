# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`--verify`: the best predicted plans on the emulator."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import horolog
from tests.tool.test_plan_command import TEXT

from horolog.model import Exit
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "system.toml"
    made.write_text(TEXT, encoding="utf-8")
    return made


@pytest.mark.parametrize("kind", ["thread", "basic"])
def test_the_measured_best_of_three_is_taken(path: Path, kind: str, tmp_path: Path) -> None:
    data = horolog("plan", path, "--verify", "--json", "--kind", kind).object
    trials = data["verification"]["trials"]
    assert len(trials) == 3
    assert all(one["late"] == 0 and one["not_measured"] is None for one in trials)
    best = min(trials, key=lambda one: one["measured"])
    assert [one for one in trials if one["chosen"]] == [best]
    assert data["choice"]["mechanism"] == best["mechanism"]
    assert [one["store"] for one in data["choice"]["releasers"]] == best["stores"]
    if kind == "thread":
        system = read_system(path)
        first = measure_plan(system, plan(system).choice, tmp_path / "alone")
        assert trials[0]["measured"] == first.counted.kernel  # beside other runs or alone


def test_run_takes_the_measured_best_and_says_so(path: Path) -> None:
    said = horolog("run", path, "--verify", "--json")
    assert said.code == Exit.OK, said.err
    assert said.object["commands"] == [f"horolog run {path} --verify"]
    (note,) = [one for one in said.object["notes"] if "measured" in one]
    assert note == "3 plans measured, of which this is the best: --verify"
