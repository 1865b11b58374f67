# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Applications on several cores: what of theirs runs beside the tasks that time releases, on the RTL."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK, decode_and_keep
from tests.system.support import horolog

_STARTS = """\
[system]
name = "starts"
board = "ibex-cells-x2"
duration = "10 ms"
sources = ["bodies.c"]
start = "begin"

[[task]]
name = "other"
period = "1 ms"
work = 300
core = 0

[[task]]
name = "ask"
period = "1 ms"
body = "ask"
wcet = "20 us"
core = 1
"""
_ACTIVATED = """\
[system]
name = "parse"
board = "ibex-cells-x2"
duration = "20 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "calm"
period = "1 ms"
work = 300
priority = 5
core = 0

[[task]]
name = "ring"
period = "2 ms"
offset = "300 us"
wcet = "10 us"
body = "ring"
priority = 3
core = 0

[[task]]
name = "talk"
period = "2 ms"
offset = "700 us"
wcet = "20 us"
body = "talk"
priority = 3
core = 1

[[task]]
name = "urgent"
period = "1 ms"
work = 300
priority = 9
core = 1

[[task]]
name = "decode"
min_gap = "1900 us"
activated_by = "interrupt received"
body = "decode"
stack = 1_024  # it may report a fault
wcet = "300 us"
priority = 5

[[task]]
name = "note"
activated_by = "task decode"
work = 100
priority = 4

[[task]]
name = "keep"
min_gap = "7 ms"
body = "keep"
stack = 1_024  # it may report a fault
wcet = "100 us"
priority = 1
core = 1

[[task]]
name = "spark"
kind = "basic"
min_gap = "1900 us"
activated_by = "interrupt ringing"
work = 50
priority = 2

[[interrupt]]
name = "received"
line = 29
priority = 2
min_gap = "1900 us"
handler = "on_byte"
wcet = "100 us"
core = 1

[[interrupt]]
name = "ringing"
line = 28
priority = 1
min_gap = "1900 us"
work = 20
core = 0
"""
_KEEPS = "#include <hrl/semaphore.h>\n\nextern struct hrl_semaphore activate_keep;\n"
_RINGS = """
void ring(void);
void ring(void)
{
    (void)hrl_interrupt_raise(28);
}
"""
_FOLLOWER = (
    """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <stddef.h>

void begin(void);
void ask(void);

static volatile unsigned asked, answered;
static HRL_SEMAPHORE_DEFINE(questions, 0, 100);

"""
    + CHECK
    + """\

static void answer(void *argument)
{
    (void)argument;
    for (;;) {
        hrl_semaphore_take_forever(&questions);
        answered++;
    }
}
HRL_THREAD_DEFINE_ON(1, follower, answer, NULL, 1, 512);

void begin(void)
{
    hrl_thread_start(&follower);
}

void ask(void)
{
    check(answered == asked, __LINE__);
    asked++;
    (void)hrl_semaphore_give(&questions);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_a_function_before_the_start_starts_a_thread_of_another_core(tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text(_FOLLOWER, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(_STARTS, encoding="utf-8")
    said = horolog("run", path, "--checks", "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    for one in said.object["cores"]:
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (10, 0, 0)
        assert side["interrupts"]["predicted"] == side["interrupts"]["taken"] == 10
    (tmp_path / "bodies.c").write_text(_FOLLOWER.replace("answered++", ""), encoding="utf-8")
    late = horolog("run", path, "--checks", "--out", tmp_path / "out")
    assert late.code == 4
    assert "not as described" in late.err


def described(folder: Path, **most: int) -> Path:
    """A system with interrupts of both cores; `most` as decode_and_keep has it."""
    text = decode_and_keep(29, _KEEPS, "hrl_semaphore_give(&activate_keep)", **most)
    (folder / "bodies.c").write_text(text + _RINGS, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_ACTIVATED, encoding="utf-8")
    return path


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_each_core_has_its_interrupts_and_what_they_activate(tmp_path: Path) -> None:
    found = horolog("analyse", described(tmp_path), "--json").object
    bounds = {
        row["name"]: row["bound_ns"] for one in found["cores"] for row in one["analysis"]["tasks"]
    }
    assert {*bounds} == {"calm", "ring", "talk", "urgent", "decode", "note", "keep", "spark"}
    most = {name: ceil(bounds[name] / 20) for name in ("decode", "keep")}  # cycles
    path = described(tmp_path, **most)
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    for one in said.object["cores"]:
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (30, 0, 0)
        assert side["interrupts"]["predicted"] == side["interrupts"]["taken"] == 30
    seen = said.object["horolog"]["response"]
    assert {*bounds} - {*seen} == {"keep"}  # which a body activates
    for name, response in seen.items():
        assert 0 < response["min_ns"] <= response["max_ns"] <= bounds[name], name
    fifth = {name: bound // 5 for name, bound in most.items()}
    late = horolog("run", described(tmp_path, **fifth), "--out", tmp_path / "out")
    assert late.code == 4
    assert "later than its bound" in late.err


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


_WAITS = """\
[system]
name = "waits"
board = "ibex-cells-x2"
duration = "10 ms"
sources = ["bodies.c"]
timeouts = "cell20"

[[task]]
name = "first"
period = "1 ms"
body = "first"
stack = 1_024  # it may report a fault
wcet = "20 us"
core = 0

[[task]]
name = "second"
period = "1 ms"
body = "second"
stack = 1_024  # it may report a fault
wcet = "20 us"
core = 1
"""
_WAITING = (
    """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

void first(void);
void second(void);

static HRL_SEMAPHORE_DEFINE(never, 0, 1);
static HRL_SEMAPHORE_DEFINE(neither, 0, 1);

"""
    + CHECK
    + """\

static void wait(struct hrl_semaphore *semaphore, uint32_t us)
{
    hrl_counts begun = hrl_now();
    hrl_counts until = begun + HRL_US(us);

    check(hrl_semaphore_take(semaphore, until) == HRL_TIMED_OUT, __LINE__);
    check(hrl_now() >= until && hrl_now() - until < HRL_US(20), __LINE__);
}

void first(void)
{
    wait(&never, 100);
}

void second(void)
{
    wait(&neither, 150);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_each_core_has_time_outs(tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text(_WAITING, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(_WAITS, encoding="utf-8")
    said = horolog("run", path, "--checks", "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    for core, one in enumerate(said.object["cores"]):
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (10, 0, 0)
        (response,) = side["response"].values()
        assert response["min_ns"] > (100_000, 150_000)[core]


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


_SERVED = """\
[system]
name = "served"
board = "ibex-cells-x2"
duration = "10 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "calm"
kind = "basic"
period = "1 ms"
work = 300
priority = 6
core = 0

[[task]]
name = "ask"
period = "1 ms"
body = "ask"
stack = 1_024  # it may report a fault
wcet = "30 us"
priority = 5
core = 1

[[task]]
name = "slow"
period = "5 ms"
work = 3_000
priority = 1
core = 1

[[server]]
name = "polls"
kind = "polling"
period = "2 ms"
jobs = 2
priority = 3

[[task]]
name = "polled"
server = "polls"
body = "polled"
wcet = "30 us"
core = 1

[[server]]
name = "defers"
kind = "deferrable"
period = "2 ms"
jobs = 2
priority = 4

[[task]]
name = "deferred"
server = "defers"
body = "deferred"
wcet = "30 us"
core = 1
"""
_SERVES = (
    """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>

void hrl_work(uint32_t turns);
void ask(void);
void polled(void);
void deferred(void);

extern struct hrl_semaphore activate_polled, activate_deferred;
static volatile unsigned asked, polls, defers;

"""
    + CHECK
    + """\

void ask(void)
{
    check(defers == asked, __LINE__); /* each before the next one asks */
    check(polls >= (asked & ~1u) - (asked >= 2 ? 2u : 0u), __LINE__);
    asked++;
    check(hrl_semaphore_give(&activate_polled) == HRL_OK, __LINE__);
    check(hrl_semaphore_give(&activate_deferred) == HRL_OK, __LINE__);
}

void polled(void)
{
    polls++;
    hrl_work(100);
}

void deferred(void)
{
    defers++;
    hrl_work(100);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_a_core_has_servers(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(_SERVED, encoding="utf-8")
    (tmp_path / "bodies.c").write_text(_SERVES, encoding="utf-8")
    found = horolog("analyse", path, "--json").object
    bounds = {
        row["name"]: row["bound_ns"] for one in found["cores"] for row in one["analysis"]["tasks"]
    }
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    assert [one["horolog"]["deadline_misses"] for one in said.object["cores"]] == [0, 0]
    interrupts = [one["horolog"]["interrupts"] for one in said.object["cores"]]
    assert all(one["predicted"] == one["taken"] + one["coalesced"] for one in interrupts)
    seen = said.object["horolog"]["response"]
    assert {"ask", "polls", "defers"} <= {*seen}
    for name, response in seen.items():
        assert 0 < response["min_ns"] <= response["max_ns"] <= bounds[name], name
    text = _SERVED.replace("jobs = 2", "jobs = 1")
    path.write_text(text, encoding="utf-8")
    late = horolog("run", path, "--out", tmp_path / "out")
    assert late.code == 4, late.err
    assert "not as described" in late.err
