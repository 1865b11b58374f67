# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated sources of systems whose basic tasks run in threads of the kernel's, as text and as data."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.tool.factory import make_system, make_task, ms

from horolog.emit import generate
from horolog.emit.basic_data import basic_data
from horolog.model import HorologError, Kind, Overrun, PriorityRule, System
from horolog.plan import NOTHING, plan
from horolog.read import read_board

B, T = Kind.BASIC, Kind.THREAD


def system(board: str, *given: tuple[int, Kind], **changes: object) -> System:
    """Tasks as (period in ms, kind)."""
    tasks = [make_task(f"t{at}", ms(period), kind=kind) for at, (period, kind) in enumerate(given)]
    tasks = [replace(task, body=None, work=5) for task in tasks]
    of = read_board(board)
    names = [cell.name for cell in of.cells]
    return replace(make_system(tasks=tasks, board=of, cells=names), **changes)  # type: ignore[arg-type]


def text(of: System, name: str = "hrl_gen_system.c", mechanism: str | None = None) -> str:
    return generate(of, plan(of, mechanism=mechanism, prices=NOTHING).choice)[name]


def between(made: str, head: str, tail: str) -> str:
    return made.split(head, 1)[1].split(tail, 1)[0]


@pytest.mark.parametrize("board", ["host", "qemu-virt-rv32"])
def test_without_a_controller_each_level_has_a_thread(board: str) -> None:
    of = system(board, (5, B), (10, B), (10, B))
    made = text(of)
    assert "HRLI_SERVER(2, " in made
    prepare = between(made, "HRLI_PREPARE(", "\n)\n")
    assert [f"HRLI_PREPARE_SERVER({level})" in prepare for level in (1, 2, 3)] == [
        True,
        True,
        False,
    ]
    assert "HRLI_LINE(0, &words_0, &server_2, 2u, 0, false, &hrl_gen_basic[0])\n" in made
    assert "HRLI_LINE(1, &words_1, &server_1, 1u, 1, false, &hrl_gen_basic[1], &hrl" in made
    assert "HRLI_SERVE_LINES(0, 0x00000000u, false, 0x" in made
    assert " HRLI_DISPATCH" in made
    assert "hrl_gen_threads" not in made
    cmake = text(of, "system.cmake")
    assert "set(HRL_BASIC_TASKS 1)" in cmake
    assert "set(HRL_LINE_SERVERS 1)" in cmake  # for ports that have lines, too, on other boards
    assert "HRL_WITHOUT_THREADS" not in cmake


def test_a_servers_stack_holds_any_of_its_tasks_and_the_kernel() -> None:
    of = system("qemu-virt-rv32", (10, B), (10, B), (20, B))
    stacks = (512, 1024, 2048)
    of = replace(
        of, tasks=tuple(replace(t, stack=s) for t, s in zip(of.tasks, stacks, strict=True))
    )
    found = basic_data(of, plan(of, prices=NOTHING).choice).servers
    assert [(one.level, one.stack) for one in found] == [(2, 1024 + 384), (1, 2048 + 384)]
    assert "HRLI_SERVER(1, 2432)\n" in text(of)


def test_more_lines_than_a_word_has_bits() -> None:
    board = replace(read_board("host"), basic_levels=31)
    given = [(period, B) for period in range(1, 12) for _ in range(65)]  # three lines a level
    of = replace(system("host", *given), board=board)
    with pytest.raises(HorologError) as caught:
        plan(of, prices=NOTHING)
    said = str(caught.value)
    assert (
        "33 interrupt lines are needed for basic tasks; without a controller the kernel tells 32 apart"
        in said
    )
    plan(replace(of, tasks=of.tasks[:-1]), prices=NOTHING)


def test_the_host_port_is_told_which_tasks_are_threads() -> None:
    made = text(system("host", (5, B), (10, T), (20, B), (40, T)))
    assert "HRLP_PROCESS_THREADS(1, 3)\n" in made
    assert "sizeof(struct hrli_periodic_thread), 2u, 4u)\n" in made


def test_threads_below_all_basic_tasks_have_the_lowest_interrupts() -> None:
    of = system("mps2-an385", (5, B), (10, B), (10, T), (20, T))
    made = text(of)
    prepare = between(made, "HRLI_PREPARE(", "\n)\n")
    (thread_cell,) = {line for line in prepare.splitlines() if "CELL_AT" in line}
    assert thread_cell.endswith(", 1u)")
    start = between(made, "HRLI_START_ALL(", "\n)\n")
    assert "HRLI_START_THREADS" in start
    assert "hrli_server_run" not in made
    assert "hrlp_irq_lock" not in made, "the kernel locks where it has to"


def test_the_clocks_own_line_gets_the_lowest_level_behind_the_start_of_the_clock() -> None:
    of = system("mps2-an385", (5, B), (10, T), cells=("timer0", "dual0"))
    made = text(of)
    assert "dualtimer" not in between(made, "HRLI_PREPARE(", "\n)\n")
    assert "HRLI_PREPARE_CELL_AT(hrlp_cmsdk_dualtimer, 0u, 1u)" in between(
        made, "HRLI_START_ALL(", "\n)\n"
    )


def interleaved(*kinds: Kind) -> System:
    """One task a priority, the most urgent first."""
    of = system("mps2-an385", *[(10 * at, kind) for at, kind in enumerate(kinds, 1)])
    tasks = tuple(replace(task, priority=len(kinds) - at) for at, task in enumerate(of.tasks))
    return replace(of, tasks=tasks, priorities=PriorityRule.EXPLICIT)


def test_a_basic_task_below_a_thread_has_a_server_and_the_doorbell() -> None:
    of = interleaved(B, T, B, T)
    made = text(of)
    data = basic_data(of, plan(of, prices=NOTHING).choice)
    assert [(line.level, line.server) for line in data.lines] == [(1, None), (0, 2)]
    doorbell = data.doorbell
    assert doorbell is not None
    assert f"HRLI_HANDLER({doorbell.handler}, HRLI_RING_SERVERS)\n" in made
    assert f"HRLI_ENABLE_LINE({doorbell.number}, 1u)\n" in made
    assert data.lines[1].number == str(doorbell.number)
    assert doorbell.number not in {line.bit for line in data.lines if line.server is None}
    assert "HRLI_PREPARE_SERVER(2)\n" in made
    assert "HRLI_SERVER(2, " in made


def test_the_doorbell_takes_a_line() -> None:
    of = interleaved(*[B] * 8, T, B)
    board = of.board
    assert board.controller is not None
    lines = board.controller.lines[:8]
    of = replace(of, cells=("timer0", "timer1"))
    few = replace(of, board=replace(board, controller=replace(board.controller, lines=lines)))
    with pytest.raises(HorologError, match="9 interrupt lines are needed"):
        plan(few, mechanism="gcd", prices=NOTHING)
    assert basic_data(of, plan(of, mechanism="gcd", prices=NOTHING).choice).doorbell is not None


def test_time_outs_beside_basic_tasks_only() -> None:
    of = system("mps2-an385", (5, B), cells=("timer0",), timeouts="timer1")
    made = text(of)
    assert re.search(r"^HRLI_QUEUE\(store_1, leftist_heap, ", made, re.MULTILINE)
    assert "HRLI_TIMEOUTS(1, leftist_heap, " in made
    assert "hrl_gen_threads" not in made
    assert "HRL_WITHOUT_THREADS" not in text(of, "system.cmake")
    start = text(replace(of, timeouts=None, start="begin"))
    assert "HRLI_MAIN(HRLI_CALL(begin))\n" in start
    assert "HRLI_DISPATCH_DEFINE" in start, "it may start threads"


def test_threads_that_masks_release_are_numbered_among_threads() -> None:
    of = system("mps2-an385", (5, B), (10, T), (10, T), cells=("timer0", "timer1"))
    chosen = plan(of, mechanism="gcd", prices=NOTHING).choice
    masks = tuple(replace(one, store="mask-table") for one in chosen.releasers)
    made = generate(of, replace(chosen, releasers=masks))["hrl_gen_system.c"]
    assert "    HRLI_THREAD_NODE(1), HRLI_THREAD_NODE(0),\n" in made
    assert "HRLI_THREAD_NODE(2)" not in made


def test_entries_of_timer_cells_leave_the_stacks_of_threads() -> None:
    of = system("ibex-cells", (5, B), (10, T))
    made = text(of, mechanism="sloth")
    assert '#include "hrl_gen_frames.h"' in made
    reports = between(made, "HRLI_HANDLER(Overrun_Handler,", "HRLI_PREPARE_ALL")
    assert "HRLI_LINE_ENTRY(Overrun_Handler, Overrun_Handler, HRL_GEN_FRAME_" in reports
    entries = [line for line in made.splitlines() if "_ENTRY(" in line]
    assert [line.split("(")[1].split(",")[0] for line in entries] == [
        "Cell_Handler0",
        "Overrun_Handler",
    ]
    assert all(line.endswith(", 1)") for line in entries)


def test_a_released_job_waits_in_a_server_too() -> None:
    of = system("host", (5, B))
    of = replace(of, tasks=(replace(of.tasks[0], overrun=Overrun.QUEUE),))
    assert '&counts[0], HRLI_TEXT("t0"), 65535u, 0u, false},' in text(of)
