# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A dispatcher table on one of several cores, on the RTL."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK
from tests.system.support import horolog

_TABLED = """\
[system]
name = "tabled"
board = "ibex-cells-x2"
duration = "10 ms"
{sources}
[[task]]
name = "looks"
kind = "basic"
period = "1 ms"
offset = "500 us"
{looks}
core = 0

[[task]]
name = "beside"
kind = "basic"
period = "3 ms"
work = 300
core = 0

[[task]]
name = "sense"
work = 400
{budget}
core = 1

[[task]]
name = "act"
{act}
core = 1

[[task]]
name = "slow"
period = "5 ms"
work = 3_000
core = 1

[[table]]
name = "control"
kind = "dispatcher"
round = "2 ms"
deadline_monitoring = "stringent"

[[table.point]]
offset = "0 us"
activate = "sense"
deadline = "300 us"

[[table.point]]
offset = "{second}"
activate = "sense"
deadline = "300 us"

[[table.point]]
offset = "600 us"
activate = "act"
deadline = "200 us"
"""
_MISSED = (
    """\
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/kernel.h>

void hrl_work(uint32_t turns);
void act(void);
void looks(void);

extern const struct hrl_basic hrl_gen_basic_on_1[];
static volatile unsigned hooks, jobs;

"""
    + CHECK
    + """\

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    hooks++;
    check(task == &hrl_gen_basic_on_1[1], __LINE__);
    check(hrl_basic_deadline_misses(task) == hooks, __LINE__);
}

void act(void)
{
    unsigned before = hooks;

    check(before == jobs / 2, __LINE__);
    hrl_work(jobs % 2 == 0 ? 1000 : 4000); /* 60 and 240 us */
    check(hooks == before + jobs % 2, __LINE__);
    jobs++;
}

void looks(void)
{
    static unsigned number; /* the jobs that are late have their deadlines at 2.8 and 6.8 ms */

    check(hooks == (number + 1) / 4, __LINE__);
    check(hrl_basic_deadline_misses(&hrl_gen_basic_on_1[1]) == hooks, __LINE__);
    check(hrl_basic_deadline_misses(&hrl_gen_basic_on_1[0]) == 0, __LINE__);
    number++;
}
"""
)


def tabled(folder: Path, *, late: bool, second: str = "1 ms", budget: str = "") -> Path:
    """A system with a table on core 1; `late`: half of the jobs of one of its tasks, and bodies that look."""
    (folder / "bodies.c").write_text(_MISSED, encoding="utf-8")
    body = 'body = "{0}"\nwcet = "{1} us"'
    text = _TABLED.format(
        sources='sources = ["bodies.c"]\n' if late else "",
        looks=body.format("looks", 20) if late else "work = 50",
        act=body.format("act", 100) if late else "work = 1_000",
        second=second,
        budget=budget,
    )
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
@pytest.mark.parametrize("second", ["1 ms", "900 us"])
def test_a_core_has_a_dispatcher_table(tmp_path: Path, second: str) -> None:
    path = tabled(tmp_path, late=False, second=second)
    found = horolog("analyse", path, "--json").object
    bounds = {
        row["name"]: row["bound_ns"] for one in found["cores"] for row in one["analysis"]["tasks"]
    }
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    assert [one["horolog"]["jobs"] for one in said.object["cores"]] == [14, 17]
    for one in said.object["cores"]:
        side = one["horolog"]
        assert (side["deadline_misses"], side["overruns"]) == (0, 0)
        interrupts = side["interrupts"]
        assert interrupts["predicted"] == interrupts["taken"] + interrupts["coalesced"]
    for name, response in said.object["horolog"]["response"].items():
        assert 0 < response["min_ns"] <= response["max_ns"] <= bounds[name], name


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
@pytest.mark.parametrize(
    ("options", "second", "budget"),
    [([], "1 ms", ""), (["--checks"], "1 ms", 'budget = "100 us"'), ([], "900 us", "")],
)
def test_a_core_tells_of_deadlines_that_its_table_misses(
    tmp_path: Path, options: list[str], second: str, budget: str
) -> None:
    path = tabled(tmp_path, late=True, second=second, budget=budget)
    said = horolog("run", path, *options, "--out", tmp_path / "out")
    assert said.code == 1, (
        said.err
    )  # and not 4: the bodies and the hook have found all as described
    assert "2 of 17 jobs missed their deadline, 0 releases overran" in said.err
    text = _MISSED.replace("hooks++;", "hooks += 2;")
    (tmp_path / "bodies.c").write_text(text, encoding="utf-8")
    wrong = horolog("run", path, *options, "--out", tmp_path / "out")
    assert wrong.code == 4
    assert "not as described" in wrong.err
