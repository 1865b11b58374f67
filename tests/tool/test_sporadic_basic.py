# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic basic tasks: their levels, dispatchers and lines, what is generated, and their bounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tool.factory import ms

from horolog.analyse import (
    Dispatcher,
    all_dispatchers,
    all_levels,
    ceiling,
    dispatchers,
    levels,
    lines,
    lines_of,
    may_preempt,
    numbered,
    of_threads,
)
from horolog.emit import generate
from horolog.model import HorologError, Kind, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of
from horolog.trace import Trace, activated_responses

_HEAD = """\
[system]
name = "demo"
board = "{board}"
duration = "2 s"
priorities = "explicit"

[[task]]
name = "quick"
period = "5 ms"
wcet = "1 ms"
work = 5000
priority = {quick}

[[interrupt]]
name = "byte"
line = {line}
priority = 2
min_gap = "10 ms"
work = 500
"""
_DECODE = """
[[task]]
name = "decode"
min_gap = "10 ms"
activated_by = "interrupt byte"
work = 5000
wcet = "1 ms"
kind = "basic"
priority = 5
"""
_FILTER = """
[[task]]
name = "filter"
activated_by = "task decode"
work = 5000
wcet = "1 ms"
kind = "basic"
priority = 7
"""
_TICK = """
[[task]]
name = "tick"
period = "20 ms"
work = 300
kind = "basic"
priority = {priority}
"""
_SERVER = """
[[server]]
name = "logging"
kind = "polling"
period = "10 ms"
jobs = 2
priority = 4

[[task]]
name = "log"
server = "logging"
work = 100
"""
_SHARED = "".join(
    f'\n[[task]]\nname = "{name}"\nperiod = "40 ms"\nwork = 100\nwcet = "1 ms"\nshare = "always"\n'
    "priority = 1\n"
    for name in ("one", "two")
)


def read(
    folder: Path, *more: str, board: str = "mps2-an385", quick: int = 2, kind: Kind | None = None
) -> System:
    line = {"mps2-an385": 24, "host": 9, "ibex-cells": 30}[board]
    path = folder / "system.toml"
    head = _HEAD.format(board=board, line=line, quick=quick)
    path.write_text("".join((head, *more)), encoding="utf-8")
    return read_system(path, kind=kind)


def test_it_is_none_of_the_tasks_that_a_plan_releases(tmp_path: Path) -> None:
    system = read(tmp_path, _DECODE, _FILTER)
    assert [task.name for task in system.tasks] == ["quick"]
    assert system.basic == ()
    assert system.sporadic_basic == (1, 2)
    assert system.has_basic
    assert [system.task(index).name for index in range(3)] == ["quick", "decode", "filter"]
    assert [system.job(index) for index in range(3)] == [0, 2, 3], "the handler's stands between"
    decode, filters = (one.task for one in system.sporadic)
    assert (decode.limit, filters.limit) == (2, 2), "one runs, one waits"
    assert not decode.may_wait
    assert [set(one.tasks) for one in plan(system).choice.releasers] == [{0}]


def test_levels_are_ranked_with_all_basic_tasks(tmp_path: Path) -> None:
    system = read(tmp_path, _DECODE, _FILTER, _TICK.format(priority=6))
    assert levels(system) == (2, 2)
    assert all_levels(system) == (2, 2, 1, 3)
    assert set(all_dispatchers(system)[1:]) == {Dispatcher.CONTROLLER}
    assert dispatchers(system) == (Dispatcher.KERNEL, Dispatcher.CONTROLLER)


def test_a_thread_above_it_makes_the_kernel_run_it(tmp_path: Path) -> None:
    system = read(tmp_path, _DECODE, _FILTER, quick=6)
    assert all_dispatchers(system)[1:] == (Dispatcher.LINE_THREAD, Dispatcher.CONTROLLER)
    assert all_levels(system) == (6, 5, 1)
    on_host = read(tmp_path, _DECODE, _FILTER, board="host")
    assert set(all_dispatchers(on_host)[1:]) == {Dispatcher.LINE_THREAD}


def test_a_sporadic_thread_above_a_basic_task_counts_too(tmp_path: Path) -> None:
    thread = _DECODE.replace('kind = "basic"\n', "").replace("priority = 5", "priority = 8")
    system = read(tmp_path, thread, _TICK.format(priority=7))
    assert dispatchers(system)[1] is Dispatcher.LINE_THREAD
    assert all_levels(system) == (2, 7, 8)


def test_its_line_has_no_periodic_task(tmp_path: Path) -> None:
    same = _TICK.format(priority=5)
    system = read(tmp_path, _DECODE, _FILTER.replace("7", "5"), same)
    chosen = plan(system).choice
    found = [(one.level, set(one.tasks)) for one in lines_of(system, chosen) if one.cell is None]
    assert (1, {2, 3}) in found, "sporadic tasks of one level share a line"
    assert all(1 not in tasks for _, tasks in found if 2 in tasks)
    assert [set(one.tasks) for one in lines(system)] == [{1}, {2, 3}]
    own = [one for line, one in numbered(system, chosen) if 2 in line.tasks]
    assert own[0] is not None


def test_it_may_preempt_handlers_below_its_level(tmp_path: Path) -> None:
    system = read(tmp_path, _DECODE)
    (byte,) = system.interrupts
    assert all_levels(system)[1] == 1
    assert not may_preempt(system, 1, byte)
    ticks = [_TICK.format(priority=one).replace('"tick"', f'"t{one}"') for one in (2, 3, 4)]
    for priority, most in ((9, 4), (3, 2)):
        decode = _DECODE.replace("priority = 5", f"priority = {priority}")
        system = read(tmp_path, decode, *ticks, quick=1)
        (of,) = system.sporadic_basic
        assert all_levels(system)[of] == most
        assert may_preempt(system, of, byte) == (priority == 9), "the handler is of level 3"
    ibex = read(tmp_path, _DECODE, board="ibex-cells")
    assert may_preempt(ibex, 1, ibex.interrupts[0]), "levels do not compare"
    assert not may_preempt(read(tmp_path, _DECODE, board="host"), 1, byte)


def test_what_is_generated(tmp_path: Path) -> None:
    system = read(tmp_path, _DECODE, _FILTER)
    texts = generate(system, plan(system).choice)
    text = texts["hrl_gen_system.c"]
    row = 'hrl_gen_body_2, &hrl_gen_line_1, &counts[0], HRLI_TEXT("decode"), 2u, 2u, false'
    assert f"HRLI_SPORADIC_BASIC(decode, {row})\n" in text
    assert "HRLI_INTERRUPT_AND(0, 1,\n    HRLI_ACTIVATE_BASIC(decode)\n)\n" in text
    assert "hrl_gen_basic[" not in text, "no periodic task is basic"
    assert "HRLI_START_SPORADIC" not in text
    assert "catch_up_1, catch_up_1, hrl_gen_body_2" in text
    bodies = texts["hrl_gen_bodies.c"]
    assert "#include <hrl/basic.h>\n" in bodies
    assert "extern const struct hrl_basic basic_filter;\n" in bodies
    assert "    HRLP_JOB_ACTIVATES_BASIC(filter)\n)" in bodies
    assert "semaphore" not in bodies


def test_kind_of_all_tasks(tmp_path: Path) -> None:
    threads = _DECODE.replace('kind = "basic"\n', "")
    system = read(tmp_path, threads, kind=Kind.BASIC)
    assert system.sporadic_basic == (1,)
    assert read(tmp_path, _DECODE, kind=Kind.THREAD).sporadic_basic == ()


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            "priority = 5",
            "priority = 5\nterminates = true",
            ["and its body returns", "terminates = true"],
        ),
        ("priority = 5", "priority = 5\nactivations = 2", ['"decode" has no activations']),
        ("priority = 5", 'priority = 5\noverrun = "queue"', ['found:    overrun = "queue"']),
        (
            "interrupt byte",
            "interrupt bite",
            ['"task NAME", or no activated_by: the application activates basic_decode'],
        ),
        ("priority = 5\n", "", ["has no priority of the board"]),
    ],
)
def test_wrong_ones_are_refused(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    assert old in _DECODE
    with pytest.raises(HorologError) as caught:
        read(tmp_path, _DECODE.replace(old, new))
    assert caught.value.exit == 2
    for one in texts:
        assert one in str(caught.value)


def test_more_priorities_than_the_controller_has_levels(tmp_path: Path) -> None:
    ticks = [_TICK.format(priority=one).replace('"tick"', f'"t{one}"') for one in range(11, 19)]
    assert read(tmp_path, *ticks).basic
    with pytest.raises(HorologError) as caught:
        read(tmp_path, *ticks, _DECODE)
    said = str(caught.value)
    assert "system.toml" in said
    assert "task.decode.priority" in said
    assert "has 8 levels for basic tasks, and 9 are needed" in said
    assert read(tmp_path, *ticks, _DECODE, board="host").basic, "no controller has to order them"


def test_bounds_by_hand(tmp_path: Path) -> None:
    """decode: the handler, filter and itself; quick, a thread, waits for both; filter: itself."""
    system = read(tmp_path, _DECODE, _FILTER)
    quick, decode, filters = analysis_of(system, None).bounds
    byte = ms("0.032")
    assert filters.response == byte + ms(1)
    assert decode.response == byte + ms(2)
    assert quick.response == byte + ms(3)
    chosen = plan(system).choice
    found = analysis_of(system, chosen, read_prices(system.board))
    assert found.holds
    for before, after in zip((quick, decode, filters), found.bounds, strict=True):
        assert before.response is not None
        assert after.response is not None
        assert before.response < after.response < before.response + ms("0.1")


def test_the_response_counts_from_the_end_of_a_handler_that_it_may_interrupt(
    tmp_path: Path,
) -> None:
    events = [(100, "S", 1), (300, "E", 1), (300, "S", 2), (1000, "E", 2)]
    for board, took in (("mps2-an385", 900), ("ibex-cells", 700)):
        (row,) = activated_responses(Trace.of(events), read(tmp_path, _DECODE, board=board))
        assert row.jobs == 1
        assert row.max_ns == took


def test_beside_shared_threads_and_a_server(tmp_path: Path) -> None:
    """The analysis numbers threads, of which two tasks are one; the server has its level all the same."""
    system = read(tmp_path, _SHARED, _SERVER, _DECODE)
    names = [task.name for task in system.all_tasks]
    on = dict(zip(names, all_levels(system), strict=True))
    assert (on["log"], on["logging"], on["decode"], on["quick"]) == (4, 4, 1, 2)
    chosen = plan(system).choice
    found = analysis_of(system, chosen, read_prices(system.board))
    assert found.holds
    levels_of = {one.name: one.level for one in found.demanded.demand.sources}
    assert levels_of["logging"] == 4
    assert levels_of["decode"] > levels_of["logging"]


# Resources

_BUS = """
[[resource]]
name = "bus"
tasks = [{users}]
hold = {hold}
"""
_OF_TICK = '{ decode = "500 us", tick = "10 us" }'


def bus(*users: str, hold: str = '"500 us"') -> str:
    return _BUS.format(users=", ".join(f'"{user}"' for user in users), hold=hold)


def test_sporadic_tasks_count_for_the_ceiling(tmp_path: Path) -> None:
    hold = '{ decode = "200 us", quick = "400 us" }'
    system = read(tmp_path, _DECODE, _FILTER, bus("decode", "quick", hold=hold))
    (resource,) = system.resources
    assert resource.users == ((0, ms("0.4")), (1, ms("0.2")))
    assert ceiling(system, resource) == 1
    text = generate(system, plan(system).choice)["hrl_gen_system.c"]
    assert "HRL_RESOURCE_DEFINE(bus, 1u);\n" in text
    higher = read(tmp_path, _DECODE, _FILTER, bus("filter", "quick"))
    assert ceiling(higher, higher.resources[0]) == 2
    thread = _DECODE.replace('kind = "basic"\n', "").replace("priority = 5", "priority = 3")
    mixed = read(tmp_path, thread, _TICK.format(priority=9), bus("decode", "tick", hold=_OF_TICK))
    assert mixed.resources[0].tasks == (1, 2)


def test_a_resource_of_sporadic_tasks_blocks(tmp_path: Path) -> None:
    """decode waits for quick, a thread, and filter, above the ceiling, does not."""
    free = analysis_of(read(tmp_path, _DECODE, _FILTER), None)
    system = read(tmp_path, _DECODE, _FILTER, bus("decode", "quick"))
    held = analysis_of(system, None)
    for before, after, more in zip(free.bounds, held.bounds, ("0", "0.5", "0"), strict=True):
        assert before.response is not None
        assert after.response == before.response + ms(more)
    assert held.bounds[1].parts["blocking"] == ms("0.5")
    tick = _TICK.format(priority=8)
    above = analysis_of(read(tmp_path, _DECODE, tick, bus("decode", "tick", hold=_OF_TICK)), None)
    assert above.bounds[1].parts["blocking"] == ms("0.5"), "by decode, a sporadic task"


def test_resources_where_threads_are_shared(tmp_path: Path) -> None:
    system = read(tmp_path, _SHARED, _DECODE, bus("decode", "two"))
    (resource,) = of_threads(system).resources
    assert len(of_threads(system).tasks) == 2
    assert resource.tasks == (1, 2), "the thread of both, and decode behind it"
    assert ceiling(system, system.resources[0]) == ceiling(of_threads(system), resource) == 1
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    blocked = next(one for one in found.bounds if system.all_tasks[one.task].name == "decode")
    assert blocked.parts["blocking"] >= ms("0.5")


def test_what_resources_refuse(tmp_path: Path) -> None:
    threads = _DECODE.replace('kind = "basic"\n', "")
    cases = (
        ((threads, bus("quick", "decode")), ["all are threads"]),
        ((_DECODE, bus("quick", "decod")), ["there is no task", 'did you mean "decode"?']),
        (
            (_DECODE, bus("quick", "decode", hold='"2 ms"')),
            ["held for longer than a job of", "2 ms"],
        ),
        ((_DECODE, _FILTER, bus("decode", "filter")), ["have different dispatchers"]),
    )
    for parts, texts in cases:
        with pytest.raises(HorologError) as caught:
            read(tmp_path, *parts, quick=6 if "filter" in parts[-1] else 2)
        assert caught.value.exit == 2
        for one in texts:
            assert one in str(caught.value)


def test_a_task_of_a_server_uses_no_resource(tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read(tmp_path, _SERVER, _DECODE, bus("decode", "log"))
    said = str(caught.value)
    assert 'resource.bus.tasks[1]: the aperiodic task "log" cannot use the resource "bus"' in said
    assert "expected: tasks with a period or min_gap, or a mutex" in said
    assert "there is no task" not in said
