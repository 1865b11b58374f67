# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a core takes to wake a thread that another one activates, in cycles of the RTL, and its bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.read import read_board

SYSTEM = """\
[system]
name = "rung"
board = "ibex-cells-x2"
duration = "10 ms"
cores = 2
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "giver"
period = "250 us"
body = "giver"
wcet = "20 us"
priority = 3
core = 0

[[task]]
name = "low"
period = "1 ms"
work = 2_500
priority = 2
core = 1

[[task]]
name = "woken"
min_gap = "200 us"
body = "woken"
wcet = "5 us"
deadline = "100 us"
priority = 5
core = 1
"""
BODIES = """\
#include <hrl/semaphore.h>
extern struct hrl_semaphore activate_woken;
void hrl_work(uint32_t turns);
void giver(void) { (void)hrl_semaphore_give(&activate_woken); hrl_work(100); }
void woken(void) { hrl_work(10); }
"""
GIVEN = 40
HANDLER = (
    "hrlp_rv32_doorbell_entry",
    "hrli_core_rung_in_thread",
    "hrli_core_rung_in_handler",
    "hrli_core_rung",
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_the_doorbell_takes_what_bounds_allow_for_it(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM, encoding="utf-8")
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    said = horolog("analyse", path, "--json")
    assert said.code == 0, said.out
    bounds = {
        task["name"]: task["bound_ns"]
        for core in json.loads(said.out)["cores"]
        for task in core["analysis"]["tasks"]
    }
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    side = json.loads(said.out)["cores"][1]["horolog"]
    spent = side["cycles"]["by_function"]
    took = sum(spent.get(name, 0) for name in HANDLER)
    assert took > 50 * GIVEN, "each wakes a thread"
    assert took <= read_board("ibex-cells-x2").port.doorbell_steps * GIVEN
    for name, response in side["response"].items():
        assert response["max_ns"] <= bounds[name], name
