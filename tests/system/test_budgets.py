# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets on the boards: the hook is called when a job has executed for so long, and never else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.system.support import Run

from horolog.model import Plan, System, TargetFailed
from horolog.plan import plan
from horolog.read import read_system

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

ROUNDS, ROUND_US = 3, 2000
BUDGET_US, WORK_US, HIGH_US, HANDLER_US = 500, 900, 100, 150
LOW, HIGH = range(2)
LINES = {"host": 9, "mps2-an385": 24, "ibex-cells": 20}

SYSTEM = """
[system]
name = "budgets"
board = "{board}"
duration = "{duration} us"
sources = ["bodies.c"]

[[task]]
name = "low"
body = "low"
wcet = "{work} us"
budget = "{budget} us"

[[task]]
name = "high"
work = {high}

[[task]]
name = "mate"                # of low's level
work = 100

[[interrupt]]
name = "device"
line = {line}
priority = 3
min_gap = "{round} us"
work = {handler}

[[table]]
name = "t"
kind = "dispatcher"
round = "{round} us"
{monitoring}
point = [
    {{ offset = "0 us", activate = "low", deadline = "1900 us" }},
    {{ offset = "200 us", activate = "high" }},
    {{ offset = "1700 us", activate = "mate" }},
]
"""
BODIES = """
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>

static unsigned hooks, jobs;

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{{
    uint32_t due = {start}u + (jobs - 1u) * {round}u + {charged}u + {others}u;
    uint32_t late = (uint32_t)hrl_now() - due;

    hooks++;
    if (task != &hrl_gen_basic[0] || hrl_basic_budget_overruns(task) != hooks) {{
        hrl_assert_hook("another task", __FILE__, __LINE__);
    }}
    if (late > {tolerance}u) {{
        hrl_assert_hook("another instant", __FILE__, __LINE__);
    }}
    return {answer};
}}

void hrl_work(uint32_t turns);
void low(void);
void low(void)
{{
    if (hooks != jobs * {hooks}u) {{
        hrl_assert_hook("another number of hooks", __FILE__, __LINE__);
    }}
    jobs++;
    {first}
    (void)hrl_interrupt_raise({line});
    {then}
}}
"""


def described(
    folder: Path, board: str, answer: str, monitoring: str = "", budget: int = BUDGET_US
) -> System:
    """Three jobs, each interrupted and preempted once, before the budget is used up."""
    hz = 50_000_000 if board == "ibex-cells" else 25_000_000
    turn = 60 if board == "ibex-cells" else 64
    line = LINES[board]
    path = folder / "system.toml"
    path.write_text(
        SYSTEM.format(
            board=board,
            duration=ROUNDS * ROUND_US,
            work=WORK_US,
            budget=budget,
            high=HIGH_US * 1000 // turn,
            handler=HANDLER_US * 1000 // turn,
            round=ROUND_US,
            line=line,
            monitoring=monitoring,
        ),
        encoding="utf-8",
    )
    counts = {name: us * hz // 10**6 for name, us in (("round", ROUND_US), ("charged", budget))}
    is_host = board == "host"  # where the body's time passes behind it
    (folder / "bodies.c").write_text(
        BODIES.format(
            start=hz // 1000,
            others=(HIGH_US + HANDLER_US) * hz // 10**6 * 99 // 100,  # whole turns
            tolerance=hz // 10**6 * (3 if is_host else 40),
            answer=answer,
            hooks=int(budget < WORK_US),
            first="" if is_host else f"hrl_work({100 * 1000 // turn}u);",
            then="" if is_host else f"hrl_work({(WORK_US - 100) * 1000 // turn}u);",
            line=line,
            **counts,
        ).replace("void hrl_work(uint32_t turns);" if is_host else "\0", ""),
        encoding="utf-8",
    )
    return read_system(path)


def responses_us(run: Run) -> list[float]:
    """Of the jobs of `low`."""
    starts = [ns for ns, index in run.times("S") if index == LOW]
    ends = [ns for ns, index in run.times("E") if index == LOW]
    assert len(starts) == len(ends) == ROUNDS
    return [(end - start) / 1000 for start, end in zip(starts, ends, strict=True)]


BOARDS = [
    ("host", None),
    ("mps2-an385", "gcd"),
    ("mps2-an385", "sloth"),
    ("ibex-cells", "sloth"),  # the entry of the task's handler sets the cell
    ("ibex-cells", "gcd"),
]
TOO_MANY_CELLS = ("mps2-an385", "sloth", 'deadline_monitoring = "stringent"')
GUARDED = [
    one
    for monitoring in ("", 'deadline_monitoring = "stringent"')
    for board, mechanism in BOARDS
    if (one := (board, mechanism, monitoring)) != TOO_MANY_CELLS
]


ANSWERS = {"HRL_BUDGET_END": BUDGET_US, "HRL_BUDGET_CONTINUE": WORK_US}


def _marks(answer: str, board: str, monitoring: str) -> list[pytest.MarkDecorator]:
    """What continues is the kernel's alone: in RTL, which takes long, without monitoring is enough."""
    continues = answer == "HRL_BUDGET_CONTINUE" and board == "ibex-cells"
    return [pytest.mark.soak] if continues and monitoring else []


@pytest.mark.parametrize(
    ("answer", "board", "mechanism", "monitoring"),
    [
        pytest.param(answer, *one, marks=_marks(answer, one[0], one[2]))
        for answer in ANSWERS
        for one in GUARDED
    ],
)
def test_a_job_that_has_used_up_its_budget(
    answer: str,
    board: str,
    mechanism: str | None,
    monitoring: str,
    bench: Bench,
    tmp_path: Path,
) -> None:
    """It has executed for its budget alone; what came into it is not charged."""
    system = described(tmp_path, board, answer, monitoring)
    run = bench(system, plan(system, mechanism=mechanism).choice)
    assert run.side.overruns == 0
    expected = ANSWERS[answer] + HIGH_US + HANDLER_US
    for response in responses_us(run):
        assert expected * 0.99 <= response <= expected + 50


@pytest.mark.parametrize(("board", "mechanism"), BOARDS)
def test_a_budget_that_holds_causes_no_interrupt(
    board: str, mechanism: str | None, bench: Bench, tmp_path: Path
) -> None:
    """It is above what the job executes, and below its response."""
    budget = WORK_US + 60  # entering and leaving each interrupt is charged
    assert budget < WORK_US + HIGH_US
    system = described(tmp_path, board, "HRL_BUDGET_STOP", budget=budget)
    run = bench(system, plan(system, mechanism=mechanism).choice)
    assert run.side.jobs == 3 * ROUNDS
    assert min(responses_us(run)) > budget
    assert system.budget_cells is not None
    assert system.budget_cells.each == (board == "ibex-cells")
    handler = system.board.cell(system.budget_cells.names[0]).handler
    if board != "host":  # which counts no instructions
        assert handler not in run.side.counted.by_function


@pytest.mark.parametrize(("board", "mechanism"), BOARDS[:2])
def test_the_hook_can_stop_the_system(
    board: str, mechanism: str | None, bench: Bench, tmp_path: Path
) -> None:
    system = described(tmp_path, board, "HRL_BUDGET_STOP")
    with pytest.raises(TargetFailed, match="its hook stops the program"):
        bench(system, plan(system, mechanism=mechanism).choice)
