# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets of tasks of several cores, on the RTL."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK
from tests.system.support import horolog

_BUDGETS = """\
[system]
name = "budgets"
board = "ibex-cells-x2"
duration = "10 ms"
sources = ["bodies.c"]

[[task]]
name = "calm"
kind = "basic"
period = "1 ms"
body = "calm"
wcet = "100 us"
budget = "150 us"
core = 0

[[task]]
name = "wild"
kind = "basic"
period = "2 ms"
body = "wild"
wcet = "350 us"
budget = "200 us"
core = 1

[[task]]
name = "mate"
kind = "basic"
period = "2 ms"
work = 500
budget = "200 us"
core = 1

[[task]]
name = "high"
kind = "basic"
period = "500 us"
work = 300
core = 1

[[task]]
name = "slow"
period = "5 ms"
work = 3_000
core = 1
"""
_ENDED = (
    """\
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/kernel.h>

void hrl_work(uint32_t turns);
void calm(void);
void wild(void);

extern const struct hrl_basic hrl_gen_basic_on_0[], hrl_gen_basic_on_1[];
static volatile unsigned hooks, jobs;

"""
    + CHECK
    + """\

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    hooks++;
    check(task == &hrl_gen_basic_on_1[0], __LINE__);
    check(hrl_basic_budget_overruns(task) == hooks, __LINE__);
    check(hrl_basic_budget_overruns(&hrl_gen_basic_on_0[0]) == 0, __LINE__);
    return HRL_BUDGET_END;
}

void calm(void)
{
    static unsigned number;

    check(hooks == (number + 1) / 2, __LINE__); /* of each second millisecond, and those are over */
    number++;
    hrl_work(1500);
}

void wild(void)
{
    check(hooks == jobs, __LINE__);
    jobs++;
    hrl_work(5500);
    check(0, __LINE__);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
@pytest.mark.parametrize("options", [[], ["--checks"]])
def test_each_core_enforces_the_budgets_of_its_tasks(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "bodies.c").write_text(_ENDED, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(_BUDGETS, encoding="utf-8")
    said = horolog("run", path, *options, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    jobs = [one["horolog"]["jobs"] for one in said.object["cores"]]
    assert jobs == [10, 32]
    beside = [one["horolog"]["beside"][0]["what"] for one in said.object["cores"]]
    assert beside == ["budgets of calm", "budgets of wild, mate"]
    path.write_text(_BUDGETS.replace('"200 us"', '"400 us"', 1), encoding="utf-8")
    late = horolog("run", path, *options, "--out", tmp_path / "out")
    assert late.code == 4
    assert "not as described" in late.err
