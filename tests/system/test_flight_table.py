# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The example of a dispatcher table: on three boards it does what its table says, beside FreeRTOS too."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from tests.system.conftest import copy_example
from tests.system.support import BOARD, HOST, example, horolog_process, ms

from horolog.analyse import jobs_in
from horolog.emit import baseline_tick, notify_tick
from horolog.measure.probe import read_findings
from horolog.model import Kind, System
from horolog.read import read_system
from horolog.trace import Trace, read_trace, rounds_of

NAME = "flight-table"
RTL = "ibex-cells"
ROUNDS = {
    BOARD: 20,
    HOST: 20,
    RTL: 2,
}  # the simulation of the core's RTL takes a second for a round

_EVERYWHERE = {("navigate", "sense"), ("estimate", "sense")}
_LONG = _EVERYWHERE | {("navigate", "control"), ("navigate", "actuate")}
# Bodies take as long as they take on emulated boards, and their WCETs on the host.
PREEMPTED = {BOARD: _EVERYWHERE, RTL: _LONG, HOST: _LONG | {("navigate", "estimate")}}

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("flight-table")]


def shortened(folder: Path, board: str, *, synchronised: bool = True) -> System:
    """A copy of the example in `folder`, which lasts so many rounds; it follows the bus's time or none."""
    copy_example(NAME, folder)
    path = folder / "system.toml"
    text = path.read_text(encoding="utf-8")
    assert 'duration = "200 ms"' in text
    text = text.replace('"200 ms"', f'"{10 * ROUNDS[board]} ms"')
    if not synchronised:
        text, parts = re.subn(
            r'\[table\.sync\].*?\n\n|\[\[task\]\]\nname = "bus-time".*?\n\n', "", text, flags=re.S
        )
        assert parts == 2
    path.write_text(text, encoding="utf-8")
    return read_system(path, board=board)


def run(
    folder: Path, board: str, command: str = "run", *, synchronised: bool = True
) -> tuple[System, dict[str, object], Trace]:
    system = shortened(folder, board, synchronised=synchronised)
    said = horolog_process(command, "system.toml", "--board", board, "--json", folder=folder)
    assert said.code == 0, said.err
    result: dict[str, object] = json.loads(said.out)
    out = folder / "build" / NAME
    found = read_findings((out / "horolog.counts").read_text(encoding="ascii"))
    rounds = rounds_of(found.rounds, found.unread_rounds, system)
    return system, result, replace(read_trace(out / "horolog.trace"), rounds=rounds)


def preempted(system: System, trace: Trace) -> set[tuple[str, str]]:
    """Pairs of tasks of the table: a job of the first was unfinished when a job of the second began."""
    found, stack = set(), list[int]()
    for _, kind, task in trace:
        if kind not in "SE" or system.tasks[task].table_level is None:
            continue
        if kind == "S":
            found |= {(system.tasks[one].name, system.tasks[task].name) for one in stack}
            stack.append(task)
        else:
            assert stack.pop() == task
    return found


def test_the_table_is_one_to_learn_from() -> None:
    system = read_system(example(NAME))
    (table,) = system.tables
    often = [sum(point.task == task for point in table.points) for task in range(6)]
    assert often == [4, 4, 4, 2, 1, 1]
    assert all(point.deadline is not None for point in table.points)
    starts = [point.offset for point in table.points]
    assert starts == sorted(set(starts))
    kinds = [task.kind for task in system.tasks]
    assert kinds == 6 * [Kind.BASIC] + 5 * [Kind.THREAD]  # threads have the idle time
    assert {task.table_level for task in system.tasks[:6]} == {1, 2, 3}
    assert [task.name for task in system.tasks if task.budget is not None] == ["navigate"]
    assert system.control is not None
    assert system.control.sync is not None
    for note in (baseline_tick(system).note, notify_tick(system).note):
        assert note == "the application controls a dispatcher table, which FreeRTOS does not have"


@pytest.mark.parametrize("board", [BOARD, HOST, RTL])
def test_every_job_starts_at_its_point_and_ends_in_time(board: str, tmp_path: Path) -> None:
    system, result, trace = run(tmp_path, board)
    side = result["horolog"]
    assert isinstance(side, dict)
    assert side["jobs"] == sum(jobs_in(system))
    assert (side["deadline_misses"], side["overruns"]) == (0, 0)
    (table,) = system.tables
    assert trace.rounds is not None
    begins = [Fraction(one.begin, system.board.clock.hz) for one in trace.rounds]
    assert len(begins) == ROUNDS[board]
    due = [(begin + point.offset, point.task) for begin in begins for point in table.points]
    corrected = [after - before - table.round for before, after in pairwise(begins)]
    # The bus's round begins with its first frame, a little behind the table's; its clock is 100 ppm faster.
    assert corrected[0] == ms("0.02")
    if ROUNDS[board] > 10:
        assert all(-ms("0.0022") < by <= 0 for by in corrected[8:])
        assert 10 * ms("0.0009") < -sum(corrected[-10:]) < 10 * ms("0.0011")
    began = [
        (Fraction(ns, 10**9), task)
        for ns, kind, task in trace
        if kind == "S" and task in {point.task for point in table.points}
    ]
    began = [(at, task) for at, task in began if at < system.duration]  # more may follow
    assert [task for _, task in began] == [task for _, task in due]
    late = [start - at for (at, _), (start, _) in zip(due, began, strict=True)]
    assert min(late) >= 0
    assert max(late) < ms("0.02")  # the kernel's own instructions
    assert preempted(system, trace) == PREEMPTED[board]


@pytest.mark.freertos
@pytest.mark.parametrize("board", [BOARD, pytest.param(RTL, marks=pytest.mark.soak)])
def test_bodies_compute_the_same_on_both_kernels(
    board: str, tmp_path: Path, freertos: Path
) -> None:
    """To the instruction: no job's numbers depend on how long a kernel or another job takes.

    On RISC-V that holds only if the linker shortens no access to variables by where a kernel's own data lie.
    """
    _, result, _ = run(tmp_path, board, "compare", synchronised=False)
    ratio = result["ratio"]
    assert result["ratio_refused"] is None
    assert isinstance(ratio, float)
    assert ratio > 1
