# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Curves from made-up calls, a queue's part in made-up kernels, and the page of predictions.

Real ones: tests/system/test_goldens.py and test_predictions.py.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

import horolog.build.toolchains as toolchain_module
from horolog.calibrate.curves import (
    BY_WALK,
    LADDER,
    Calls,
    curve_of,
    ladder_cases,
    nodes_passed,
    streams_of,
)
from horolog.calibrate.in_kernel import LONE, MECHANISMS, WORKLOAD, Footprint, Runs, in_kernel
from horolog.calibrate.workloads import Case
from horolog.model import QUEUES as DELAY_QUEUES
from horolog.model.result import Instructions, Interrupts, Side
from horolog.plan import SHAPES, shape_of
from horolog.plan.instants.interrupts import instants_of
from horolog_experiments.costs import (
    CHOSEN,
    EXPERIMENT,
    PredictionRow,
    predictions_page,
)
from horolog_experiments.harness import result_object
from horolog_experiments.queues import QUEUES


def test_every_ladder_is_of_its_shape_once_it_is_long_enough() -> None:
    ladders = ladder_cases()
    assert tuple(ladders) == SHAPES
    for shape, cases in ladders.items():
        assert [case.tasks for case in cases] == list(LADDER)[: len(cases)]
        for case in (
            cases[4:6] if shape == "distinct" else cases[4:]
        ):  # a density of many takes long
            of = streams_of(case)
            instants = instants_of(of, 25_000_000, 0)[0].rate
            assert shape_of(of, instants) == shape


def test_all_stores_are_known_to_the_bench() -> None:
    known = {queue.name for queue in QUEUES}
    assert {store.replace("-", "_") for store in DELAY_QUEUES} <= known
    assert set(BY_WALK) <= set(DELAY_QUEUES)


def test_the_nodes_passed_of_a_case() -> None:
    assert nodes_passed(Case("x", 9, groups=((10, 9),))) == 4
    # Every job of the slow one passes the fast one; one in two of the fast ones' the slow one.
    assert nodes_passed(Case("x", 2, groups=((20, 1), (10, 1)))) == Fraction(2 * 1 + 1 * 2, 2 * 3)


def test_a_curve_by_tasks_and_one_by_nodes_passed() -> None:
    cases = [Case("x", n, groups=((10, n),)) for n in (1, 3, 9)]
    calls = [Calls(Fraction(n), Fraction(7), Fraction(5)) for n in (10, 30, 90)]
    by_tasks = curve_of(cases, calls, "waiting")
    assert [[p.x, p.insert, p.first, p.pop] for p in by_tasks.points] == [
        [1, 10, 7, 5],
        [3, 30, 7, 5],
        [9, 90, 7, 5],
    ]
    assert [p.x for p in curve_of(cases, calls, "passed").points] == [0, 1, 4]
    twice = curve_of([cases[0], cases[0]], calls[:2], "passed")
    assert [p.insert for p in twice.points] == [10]


JOBS, TAKEN = 800, {"gcd": 80, "tick": 400, "one-shot": 50, LONE: 790}


def side(kernel: int, taken: int) -> Side:
    return Side(
        mechanism="made",
        jobs=JOBS,
        deadline_misses=0,
        overruns=0,
        interrupts=Interrupts(taken, taken, 0),
        instructions=Instructions(kernel + 100, 60, 40, {"f": kernel}),
        response={},
    )


def runs(
    a_job: int, armed: int, periodic: int, one_shot: int, ram: int, a_task: int, rom: int
) -> Runs:
    """Of a kernel with a queue of exactly these costs; a job of a one-shot cell costs `armed` more.

    Of lone tasks the calls take 3 more of each.
    """
    cost = {"gcd": periodic, "tick": periodic, "one-shot": one_shot, LONE: one_shot}
    job = {"gcd": a_job, "tick": a_job, "one-shot": a_job + armed, LONE: a_job + armed + 3}
    return Runs(
        {
            mechanism: side(
                100_000 + JOBS * job[mechanism] + TAKEN[mechanism] * cost[mechanism],
                TAKEN[mechanism],
            )
            for mechanism in (*MECHANISMS, LONE)
        },
        Footprint(4, ram + 4 * a_task, rom),
        Footprint(20, ram + 20 * a_task, rom + 2),
    )


def test_a_queues_part_of_the_kernel_is_found() -> None:
    found = in_kernel(
        {
            "sorted-list": runs(50, 12, 30, 90, 24, 0, 5000),
            "array-heap": runs(80, 21, 26, 95, 16, 4, 5300),
        },
        {
            "sorted-list": Calls(Fraction(40), Fraction(7), Fraction(5)),
            "array-heap": Calls(Fraction(10), Fraction(7), Fraction(60)),
        },
        {
            "sorted-list": Calls(Fraction(43), Fraction(7), Fraction(5)),
            "array-heap": Calls(Fraction(10), Fraction(7), Fraction(63)),
        },
    )
    heap = found["array-heap"]
    assert [heap.ram, heap.ram_per_task, heap.rom] == [16, 4, 300]
    assert [heap.interrupt_periodic, heap.interrupt_one_shot] == [-4, 5]
    assert heap.job == (80 - 50) - (77 - 52)
    assert heap.job_one_shot == heap.job + (21 - 12)
    none = found["sorted-list"]
    assert [none.job, none.interrupt_periodic, none.interrupt_one_shot, none.rom] == [0] * 4
    assert none.job_one_shot == 0


def test_the_ways_of_release_differ_in_their_interrupts() -> None:
    shortest = min(ms for ms, _ in WORKLOAD.groups)
    assert all(ms % shortest == 0 for ms, _ in WORKLOAD.groups)
    assert shortest > 1  # the tick's
    assert sum(tasks for _, tasks in WORKLOAD.groups) == WORKLOAD.tasks


ROWS = (
    PredictionRow("engine-control", "tick", CHOSEN, ("calendar",), 100, Fraction(20_000), 20_200),
    PredictionRow("engine-control", "tick", "bucket", ("bucket",), 100, Fraction(31_500), 30_000),
    PredictionRow("chronos", "tick", "bucket", ("bucket",), 100, Fraction(60_000), 30_000),
)


def test_predictions_and_how_far_they_are_off() -> None:
    made = result_object(EXPERIMENT, ROWS)
    (target,) = made["targets"]
    assert (target["measured"], target["met"]) == (5.0, True)
    assert [row["off_percent"] for row in made["rows"]] == [-0.99, 5.0, 100.0]
    assert made["rows"][0]["predicted"] == 200
    worse = replace(ROWS[1], measured=29_000)
    assert not result_object(EXPERIMENT, [worse])["targets"][0]["met"]


def test_the_page_of_predictions() -> None:
    page = predictions_page(ROWS)
    assert "| `bucket` | 315.0 | 300.0 | +5.0 % |" in page
    assert "| as chosen: `calendar` | 200.0 | 202.0 | -1.0 % |" in page
    assert "## chronos, tick" in page
    assert page.index("| target |") < page.index("## engine-control")


def test_up_to_is_for_the_other_bench(workshop: Workshop, tmp_path: Path) -> None:
    said = workshop.run("bench", "costs", "--up-to", "9", "--out", str(tmp_path))
    assert said.code == 2
    assert "the bench costs takes no --up-to" in said.err


# the tools that costs hold for


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    installed = {"arm-none-eabi-gcc": "12.2.1", "qemu-system-arm": "7.2.22"}
    monkeypatch.setattr(toolchain_module, "version", lambda program: installed[program])
    return installed


def test_other_tools_than_those_measured_with_are_told(here: dict[str, str]) -> None:
    named = toolchain_module.toolchain()
    assert named == "arm-none-eabi-gcc 12.2.1, qemu 7.2.22"
    assert toolchain_module.other_tools(named) == ()
    here["qemu-system-arm"] = "8.0"
    assert toolchain_module.other_tools(named) == (("qemu", "7.2.22", "8.0"),)
    here["qemu-system-arm"] = "absent"
    assert toolchain_module.other_tools(named) == ()
    assert toolchain_module.other_tools("clang 14, what, , ") == ()


def test_a_plan_by_other_tools_is_a_warning_and_no_failure(
    here: dict[str, str], workshop: Workshop
) -> None:
    here["arm-none-eabi-gcc"] = "99.0"
    here["qemu-system-arm"] = "absent"
    said = workshop.run("plan", str(workshop.write()), "--json")
    assert said.code == 0
    assert said.object["system"] == "demo"
    assert re_joined(said.err).startswith(
        "warning: boards/mps2-an385/costs.toml: meta.toolchain: measured with arm-none-eabi-gcc "
    )
    assert "here is 99.0" in re_joined(said.err)


def re_joined(text: str) -> str:
    return " ".join(text.split())
