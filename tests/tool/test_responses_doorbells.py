# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds hold the interrupts by which other cores wake a thread that they activate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.test_read_activated_cores import INTERRUPT, TASK, described
from tests.tool.test_read_core_servers import SERVED

from horolog.model import Plan, System, parts_of
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of, demand_of
from horolog.responses.kernel import MASKED_STEPS
from horolog.schedulability import Source

WOKEN = """
[[task]]
name = "woken"
min_gap = "2 ms"
work = 50
priority = 4
"""
ON_ONE = 'core = 1\nkind = "basic"\n'


def planned(path: Path) -> tuple[tuple[System, Plan], ...]:
    """The part of each core with tasks, and its plan."""
    system = read_system(path)
    return tuple(
        (part.system, plan(part.system, prices=read_prices(part.system.board)).choice)
        for part in parts_of(system)
        if part.tasks
    )


def doorbells(part: tuple[System, Plan]) -> list[Source]:
    system, choice = part
    sources = demand_of(system, choice, read_prices(system.board)).demand.sources
    return [one for one in sources if one.name.startswith("doorbell")]


def test_a_thread_without_activated_by_has_one_on_its_core(tmp_path: Path) -> None:
    """So often as it may be activated; with the wait for a section of the other core."""
    path = described(tmp_path, WOKEN + "core = 1\n")
    first, second = planned(path)
    assert doorbells(first) == []
    (found,) = doorbells(second)
    system, choice = second
    demanded = demand_of(system, choice, read_prices(system.board))
    steps = system.board.port.doorbell_steps + MASKED_STEPS + system.board.port.spinlock_steps
    assert system.board.port.doorbell_steps > 0
    assert found.cost == found.kernel == steps * 20 * demanded.unit // 10**9
    assert found.period == demanded.unit // 500
    assert found.level > max(one.level for one in demanded.demand.sources if one.ends)
    without = demand_of(system, None).demand.sources
    assert not [one for one in without if one.name.startswith("doorbell")]


def test_responses_are_longer_by_each_ring(tmp_path: Path) -> None:
    path = described(tmp_path, WOKEN + "core = 1\n")
    _, (system, choice) = planned(path)
    prices, port = read_prices(system.board), system.board.port
    found = []
    for steps in (0, 1000):
        board = replace(system.board, port=replace(port, doorbell_steps=steps))
        of = analysis_of(replace(system, board=board), choice, prices)
        found.append({system.all_tasks[one.task].name: one.response for one in of.bounds})
    for name, response in found[0].items():
        longer = found[1][name]
        assert response is not None
        assert longer is not None
        rings = -(-longer // system.sporadic[0].task.period)
        assert 0 < (longer - response) * system.board.clock.hz <= 1000 * rings, name


@pytest.mark.parametrize(
    "more",
    [
        INTERRUPT.format(name="bell", line=29)
        + "core = 1\n"
        + TASK.format(name="open", by="interrupt bell", priority=2),
        WOKEN + ON_ONE,
        SERVED.format(kind="polling", keys="core = 1"),
    ],
    ids=["by an interrupt", "basic", "polling"],
)
def test_what_no_other_core_wakes_has_none(tmp_path: Path, more: str) -> None:
    for part in planned(described(tmp_path, more)):
        assert doorbells(part) == []


def test_one_core_has_none(tmp_path: Path) -> None:
    path = described(tmp_path, WOKEN + "core = 0\n", cores="cores = 1", core="0")
    text = path.read_text(encoding="utf-8").replace("core = 1\n", "core = 0\n")
    path.write_text(text, encoding="utf-8")
    (part,) = planned(path)
    assert doorbells(part) == []


def test_a_deferrable_server_is_woken_for_each_job_and_once_more(tmp_path: Path) -> None:
    second = planned(described(tmp_path, SERVED.format(kind="deferrable", keys="core = 1")))[1]
    (found,) = doorbells(second)
    (one,) = doorbells(planned(described(tmp_path, WOKEN + "core = 1\n"))[1])
    assert found.cost == 3 * one.cost
    assert found.period == found.lag == 5 * one.period
