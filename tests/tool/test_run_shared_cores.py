# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Jobs of tasks that several cores run: with the core that releases them; and their changes of core."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.tool.core_boards import system_on
from tests.tool.test_run_cores import Board, board, horolog

from horolog.measure.measured import HOROLOG, Kernel, Measured
from horolog.measure.probe import Findings
from horolog.model import System
from horolog.model.core_result import Waits
from horolog.read import read_system
from horolog.run import cores
from horolog.run.ibex import CoreRun
from horolog.run.shared_cores import changes_of_core, changes_text, jobs_by_home
from horolog.trace import Trace

__all__ = ["board"]  # a fixture


def wide_on(folder: Path) -> Path:
    """A system of which several cores may run the first task, "fast", and core 1 releases all others."""
    path = system_on(folder, core="1")
    text = path.read_text(encoding="utf-8").replace("core = 0", "cores = [0, 1]", 1)
    path.write_text(text, encoding="utf-8")
    return path


class SharedBoard(Board):
    """Each core's jobs with their numbers in the whole system; every other one of core 0 ends on core 1."""

    def run_shared(
        self, whole: System, kernel: str, runs: Sequence[CoreRun], *rest: Any
    ) -> tuple[tuple[Measured, Waits], ...]:
        found = self.run(whole.board, kernel, runs, *rest)
        seen = []
        moved: list[tuple[int, str, int]] = []
        for one, (measured, waits) in zip(runs, found, strict=True):
            events: list[tuple[int, str, int]] = []
            own = 0
            for ns, kind, index in measured.trace:
                task = one.names.jobs[index] if kind in "RSED" else index
                own += kind == "E"
                elsewhere = one.core == 0 and kind == "E" and own % 2 == 0
                (moved if elsewhere else events).append((ns, kind, task))
            if one.core == 1:
                events = sorted([*events, *moved], key=lambda event: event[0])
            longest = {one.names.jobs[at]: n for at, n in measured.findings.longest.items()}
            findings = replace(measured.findings, longest=longest)
            trace = Trace.of(events)
            seen.append(
                (replace(measured, trace=trace, findings=findings, changes_cores=True), waits)
            )
        return tuple(seen)


def test_a_run_with_changes_of_core(
    board: Board, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cores, "run_shared_cores_on_ibex", SharedBoard().run_shared)
    done = horolog("run", wide_on(tmp_path), "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert [one["horolog"]["jobs"] for one in result["cores"]] == [20, 11]
    assert result["horolog"]["deadline_misses"] == 0
    assert result["horolog"].get("interruptions") is None
    notes = " ".join(result["notes"])
    assert "changes of core by tasks that several cores may run: fast " in notes
    assert "predictions do not hold what tasks cost that several cores may run" in notes
    assert result["deadlines"]["hold"] is True


def test_what_the_analysis_says(tmp_path: Path) -> None:
    done = horolog("check", wide_on(tmp_path))
    assert done.exit_code == 0, done.output
    words = " ".join(done.output.split())
    assert (
        "all deadlines of 2 cores hold; core 0: the deadline holds, the kernel's own work" in words
    )
    done = horolog("analyse", wide_on(tmp_path))
    assert done.exit_code == 0, done.output
    words = " ".join(done.output.split())
    assert "all deadlines of 2 cores hold; core 0: the deadline holds; least slack" in words
    assert "cores 0 and 1 may run fast" in words
    assert "breakdown" not in words


def test_changes_are_counted_by_where_a_task_is_found(tmp_path: Path) -> None:
    system = read_system(wide_on(tmp_path))
    first = Trace.of([(0, "R", 0), (10, "D", 0), (11, "S", 0), (60, "S", 0), (80, "S", 1)])
    second = Trace.of([(20, "D", 0), (40, "E", 0), (70, "E", 0), (90, "E", 1)])
    measured = [bare(first), bare(second)]
    assert changes_of_core(system, measured) == {0: 3}  # another task's do not count
    assert changes_text(system, measured) == (
        "3 changes of core by tasks that several cores may run: fast 3"
    )
    home, other = jobs_by_home([(0,), (1, 2, 3, 4)], measured)
    assert list(home.trace) == [
        (0, "R", 0), (11, "S", 0), (40, "E", 0), (60, "S", 0), (70, "E", 0),
    ]  # fmt: skip
    assert list(other.trace) == [(80, "S", 0), (90, "E", 0)]


def bare(trace: Trace) -> Measured:
    findings = Findings(status="done", total=0, releases=0, library_in_bodies=0)
    return Measured(Kernel(HOROLOG, "made"), findings, trace, None, changes_cores=True)
