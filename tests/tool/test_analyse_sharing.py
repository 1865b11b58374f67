# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which tasks share a thread, the system of threads, and what generated code and plans make of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop
from tests.tool.factory import make_system, make_task, ms

from horolog.analyse import (
    WORD_OF_LEVELS,
    mask_places,
    of_threads,
    own_levels,
    parts_of,
    releases_levels,
    shared_threads,
    thread_of,
    threads_apart,
    with_all_tasks,
    with_threads_only,
)
from horolog.emit import generate
from horolog.model import HorologError, Kind, PriorityRule, System, Task
from horolog.plan import plan, read_prices
from horolog.read import read_board, read_system
from horolog.trace import Trace, all_released


def task(name: str, period: int, **changes: object) -> Task:
    made = replace(make_task(name, ms(period)), body=None, work=5, wcet=ms(1) / 10, shares=True)
    return replace(made, **changes)  # type: ignore[arg-type]


def system(*tasks: Task, **changes: object) -> System:
    board = read_board("mps2-an385")
    names = [cell.name for cell in board.cells]
    return replace(make_system(tasks=tasks, board=board, cells=names), **changes)  # type: ignore[arg-type]


def test_tasks_of_one_period_and_offset_share_a_thread() -> None:
    of = system(task("a", 10), task("b", 5), task("c", 10), task("d", 10, offset=ms(1)))
    assert shared_threads(of) == ((0, 2),)
    assert thread_of(of) == (0, 1, 0, 3)
    threads = of_threads(of)
    assert [one.name for one in threads.tasks] == ["a (+1)", "b", "d"]
    assert threads.tasks[0].wcet == ms(1) / 5
    assert [one.bodies for one in threads.tasks] == [2, 1, 1]
    assert shared_threads(threads) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"shares": False},
        {"kind": Kind.BASIC},
        {"offset": ms(2)},
        {"period": ms(20)},
    ],
)
def test_others_have_a_thread_of_their_own(changes: dict[str, object]) -> None:
    of = system(task("a", 10), replace(task("b", 10), **changes))  # type: ignore[arg-type]
    assert shared_threads(of) == ()
    assert of_threads(of) is of


def test_priorities_and_long_periods_keep_tasks_apart() -> None:
    explicit = [task("a", 10, priority=2), task("b", 10, priority=1), task("c", 10, priority=2)]
    of = system(*explicit, priorities=PriorityRule.EXPLICIT)
    assert shared_threads(of) == ((0, 2),)
    assert shared_threads(system(task("a", 43_000), task("b", 43_000))) == ()  # in hops
    assert shared_threads(system(task("a", 42_000), task("b", 42_000))) == ((0, 1),)
    assert shared_threads(system(task("a", 10), task("b", 10), releases=5)) == (
        (0, 1),
    )  # each ends
    deadlines = system(
        task("a", 10), task("b", 10, deadline=ms(9)), priorities=PriorityRule.DEADLINE_MONOTONIC
    )
    assert shared_threads(deadlines) == ()


def test_the_stack_is_the_largest_and_a_little_more() -> None:
    of = of_threads(system(task("a", 10, stack=512), task("b", 10, stack=1024)))
    assert [one.stack for one in of.tasks] == [1024 + 32]


def test_a_plan_of_threads_is_told_for_all_tasks_and_back() -> None:
    of = system(task("a", 10), task("b", 5), task("c", 10), task("d", 20))
    whole = plan(of).choice
    assert sorted(i for r in whole.releasers for i in r.tasks) == [0, 1, 2, 3]
    threads = with_threads_only(of, whole)
    assert sorted(i for r in threads.releasers for i in r.tasks) == [0, 1, 2]
    assert with_all_tasks(of, threads) == whole


def test_alone_on_a_level_is_a_bit_of_the_word_of_levels() -> None:
    of = of_threads(system(task("a", 10), task("b", 5), task("c", 10), task("d", 5, offset=ms(1))))
    assert releases_levels(of)
    assert mask_places(of) == ((WORD_OF_LEVELS, 1), (2, 1), (2, 0))
    assert [(p.level, p.bits) for p in parts_of(of, [0, 1])] == [(WORD_OF_LEVELS, 2), (2, 2)]
    assert [(p.level, p.bits) for p in parts_of(of, [1])] == [(WORD_OF_LEVELS, 0), (2, 2)]


@pytest.mark.parametrize(
    "changes", [{"timeouts": "timer1"}, {"start": "begin"}, {"releases": 3}], ids=str
)
def test_levels_are_released_only_where_no_thread_does_anything_else(
    changes: dict[str, object],
) -> None:
    tasks = [task("a", 10), task("b", 5)]
    assert releases_levels(system(*tasks))
    assert not releases_levels(system(*tasks, **changes))
    assert not releases_levels(system(tasks[0], replace(tasks[1], shares=False)))
    same = [task("a", 10, priority=1), task("b", 5, priority=1)]
    assert not releases_levels(system(*same, priorities=PriorityRule.EXPLICIT))


def test_each_thread_has_a_level_of_its_own_only_where_no_thread_does_anything_else() -> None:
    tasks = [task("a", 10), task("b", 5)]
    assert own_levels(system(*tasks))
    assert not own_levels(system(*tasks, timeouts="timer1"))
    assert not own_levels(system(*tasks, start="begin"))
    assert not own_levels(system(tasks[0], replace(tasks[1], shares=False)))
    assert not own_levels(of_threads(system(*tasks, task("c", 10, offset=ms(1)))))
    assert own_levels(of_threads(system(*tasks, task("c", 10))))  # shared by a and c


def test_the_build_is_told_of_levels_of_their_own() -> None:
    def told(of: System, queue: str) -> bool:
        files = generate(of, plan(of, mechanism="gcd", queue=queue).choice)
        return "set(HRL_OWN_PRIORITIES 1)" in files["system.cmake"]

    of = system(task("a", 10), task("b", 5))
    assert told(of, "sorted-list")
    assert not told(of, "mask-table")  # its masks release the levels
    assert not told(system(task("a", 10), task("b", 10, offset=ms(1))), "sorted-list")


def test_the_generated_thread_calls_its_bodies_in_order() -> None:
    of = system(task("a", 10), task("b", 5), task("c", 10), task("d", 10))
    text = generate(of, plan(of, mechanism="gcd", queue="sorted-list").choice)["hrl_gen_system.c"]
    assert (
        "HRLI_SHARED_THREAD(0, 0u, HRLI_SHARED_BY_SERVICE(hrl_gen_releaser_0.base), "
        "HRLI_SHARED_JOB(0, 0u, hrl_gen_body_0) HRLI_SHARED_JOB(0, 1u, hrl_gen_body_2) "
        "HRLI_SHARED_LAST_JOB(hrl_gen_body_3))"
    ) in text
    assert 'HRLI_SHARED_TASK(hrl_gen_body_2, "c"),' in text
    assert len(re.findall(r"^ +HRLI_PERIODIC_THREAD\(", text, re.MULTILINE)) == 2
    assert 'HRLI_PERIODIC_THREAD(0, "a (+2)", 1u, 0u, NULL, 0,' in text
    assert "run_shared_0, shared)," in text
    assert "hrl_gen_body_1, false)," in text
    assert "HRLI_STACK(0, 544)" in text
    assert "HRLI_STACK(2," not in text
    shot = generate(of, plan(of, mechanism="one-shot", queue="sorted-list").choice)
    assert "0u, HRLI_SHARED_BY_CLOCK, HRLI_SHARED_JOB" in shot["hrl_gen_system.c"]


def test_generated_masks_release_levels() -> None:
    of = system(task("a", 10), task("b", 5), task("c", 10))
    files = generate(of, plan(of, mechanism="gcd", queue="mask-table").choice)
    assert "set(HRL_RELEASE_PRIORITIES 1)" in files["system.cmake"]
    assert 'HRLI_PERIODIC_ALONE(0, "a (+1)", 1u, NULL, 0,' in files["hrl_gen_system.c"]
    assert "{32u, 0x6u}," in files["hrl_gen_system.c"]
    apart = threads_apart(of)
    files = generate(apart, plan(apart, mechanism="gcd", queue="mask-table").choice)
    assert "HRL_RELEASE_PRIORITIES" not in files["system.cmake"]
    assert "HRLI_PERIODIC_ALONE" not in files["hrl_gen_system.c"]


def test_a_release_of_the_thread_is_one_of_each_task() -> None:
    of = system(task("a", 10), task("b", 5), task("c", 10))
    seen = Trace.of([(0, "R", 0), (0, "R", 1), (1, "S", 1), (2, "E", 1), (2, "S", 0), (3, "E", 0)])
    assert [*all_released(seen, of)][:3] == [(0, "R", 0), (0, "R", 2), (0, "R", 1)]
    assert len(all_released(seen, of)) == len(seen) + 1
    assert all_released(seen, of_threads(of)) is seen


def test_the_plan_says_what_sharing_saves() -> None:
    of = system(*(task(f"t{n}", 10) for n in range(4)), task("other", 5))
    planned = plan(of, mechanism="gcd")
    assert planned.jobs == 4 * 200 + 400
    assert planned.sharing is not None
    assert planned.sharing.threads == ((0, 1, 2, 3),)
    assert planned.sharing.stack_bytes == 4 * 512 - (512 + 32)
    apart = threads_apart(of)
    alone = plan(apart, mechanism="gcd")
    assert alone.sharing is None
    saved = alone.choice.prediction.kernel_per_second - planned.choice.prediction.kernel_per_second
    assert planned.sharing.kernel_per_second == saved > 0


def test_costs_without_figures_of_sharing_charge_what_they_know() -> None:
    of = system(task("a", 10), task("b", 10), task("c", 5))
    prices = read_prices(of.board)
    old = replace(
        prices,
        sharing=None,
        stores={
            name: replace(
                steps,
                by_mode={
                    mode: {k: v for k, v in each.items() if k not in ("levels", "alone")}
                    for mode, each in steps.by_mode.items()
                },
            )
            for name, steps in prices.stores.items()
        },
    )
    planned = plan(of, mechanism="gcd", queue="mask-table", prices=old)
    assert any("a shared thread's bodies" in note for note in planned.notes)
    known = plan(of, mechanism="gcd", queue="mask-table")
    assert not any("a shared thread's bodies" in note for note in known.notes)
    threads = Fraction(100 + 200)
    table = prices.stores["mask-table"].by_mode[known.choice.releasers[0].mode]
    less = (table["job"] + table["part"] - table["alone"]) * threads - table["levels"] * 200
    assert prices.sharing is not None
    more = (prices.sharing.thread + prices.sharing.body) * 100
    difference = (
        planned.choice.prediction.kernel_per_second - known.choice.prediction.kernel_per_second
    )
    assert difference == less - more


# --- descriptions ----------------------------------------------------------------------------------

HEAD = '[system]\nname = "s"\nboard = "mps2-an385"\nduration = "1 s"\nsources = ["b.c"]\n'
BODY = '[[task]]\nname = "b"\nperiod = "10 ms"\nwcet = "1 us"\nbody = "f"\n'
WORK = '[[task]]\nname = "w"\nperiod = "10 ms"\nwork = 5\n'


def shares(folder: Path, text: str) -> list[bool]:
    (folder / "b.c").write_text("void f(void);\nvoid f(void)\n{\n}\n", encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return [one.shares for one in read_system(path).tasks]


@pytest.mark.parametrize(
    ("share", "body", "found"),
    [
        ("auto", "", [False, True]),
        ("auto", "waits = false\n", [True, True]),
        ("auto", "waits = true\n", [False, True]),
        ("auto", 'share = "always"\n', [True, True]),
        ("auto", 'waits = false\nshare = "never"\n', [False, True]),
        ("always", "", [True, True]),
        ("always", "waits = true\n", [False, True]),
        ("always", 'overrun = "queue"\n', [False, True]),
        ("always", 'kind = "basic"\n', [False, True]),
        ("never", "waits = false\n", [False, False]),
        ("never", 'share = "auto"\nwaits = false\n', [True, False]),
    ],
)
def test_which_tasks_may_share(share: str, body: str, found: list[bool], tmp_path: Path) -> None:
    assert shares(tmp_path, f'{HEAD}share = "{share}"\n{BODY}{body}{WORK}') == found


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (f'{BODY}share = "always"\nwaits = true\n', "waits, so it cannot share a thread"),
        (f'{BODY}share = "always"\noverrun = "queue"\n', "late jobs that run at once"),
        (f"{WORK}waits = true\n", "work never waits"),
    ],
)
def test_contradictions_are_refused(more: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HorologError, match=message) as caught:
        shares(tmp_path, HEAD + more)
    assert caught.value.place is not None
    assert caught.value.place.line is not None


def test_the_command_says_it(workshop: Workshop) -> None:
    text = HEAD.replace('sources = ["b.c"]\n', 'share = "auto"\n')
    text += '[[task_group]]\nname = "g"\ntasks = 6\nperiod = "10 ms"\nwork = 5\n'
    path = workshop.directory / "s.toml"
    path.write_text(text, encoding="utf-8")
    said = workshop.run("plan", str(path), "--explain")
    assert "shared     6 tasks in 1 thread: saves " in said.out
    assert "g.0, g.1, g.2, and 3 more" in said.out
    data = json.loads(workshop.run("plan", str(path), "--json").out)["sharing"]
    assert data["threads"] == [[f"g.{n}" for n in range(6)]]
    assert data["saved_stack_bytes"] == 5 * 512 - 32
    assert data["saved_kernel_per_second"] > 0
