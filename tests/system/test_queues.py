# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Every delay queue inside the running kernel: the same system, whatever holds its tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from tests.system.support import BOARD, HOST, Run, example

from horolog.analyse import jobs_in
from horolog.model import QUEUES, Plan, System
from horolog.plan import plan
from horolog.read import read_system

# One worker, which plans once for all queues.
pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("queues")]

Bench = Callable[[System, Plan], Run]


@cache
def planned(board: str, mechanism: str) -> tuple[System, Plan]:
    """Half a second of the example, and its plan."""
    system = read_system(example("engine-control"), board=board)
    system = replace(system, duration=Fraction(1, 2))
    return system, plan(system, mechanism=mechanism, queue="sorted-list").choice


def engine_control(board: str, queue: str, mechanism: str, bench: Bench) -> Run:
    system, by = planned(board, mechanism)
    releasers = tuple(replace(one, store=queue) for one in by.releasers)
    return bench(system, replace(by, releasers=releasers))


@pytest.fixture(scope="module")
def with_a_list(bench: Bench) -> Run:
    return engine_control(BOARD, "sorted-list", "tick", bench)


@pytest.mark.parametrize("queue", [name for name in QUEUES if name != "sorted-list"])
def test_every_queue_releases_in_the_same_order(queue: str, with_a_list: Run, bench: Bench) -> None:
    run = engine_control(BOARD, queue, "tick", bench)
    assert run.side.jobs == sum(jobs_in(run.system))
    assert run.side.deadline_misses == run.side.overruns == 0
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    assert run.order("R") == with_a_list.order("R")


@pytest.mark.parametrize("queue", QUEUES)
def test_every_queue_runs_on_the_host_port(queue: str, bench: Bench) -> None:
    run = engine_control(HOST, queue, "one-shot", bench)  # under sanitizers
    assert run.side.jobs == sum(jobs_in(run.system))
    assert run.side.deadline_misses == run.side.overruns == 0
