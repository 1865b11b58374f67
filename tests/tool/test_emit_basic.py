# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated sources of systems of basic tasks, as text and as data; test_basic_tasks.py runs them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_system, make_task, ms

from horolog.emit import generate, generated
from horolog.emit.basic_data import basic_data
from horolog.model import Kind, Overrun, Place, Plan, Resource, System
from horolog.plan import NOTHING, plan
from horolog.read import read_board

B = Kind.BASIC


def system(
    *periods: int, cells: int = 4, board_name: str = "mps2-an385", **changes: object
) -> System:
    tasks = [make_task(f"t{at}", ms(period), kind=B) for at, period in enumerate(periods)]
    tasks = [replace(task, body=None, work=5) for task in tasks]
    board = read_board(board_name)
    names = [cell.name for cell in board.cells][:cells]
    return replace(make_system(tasks=tasks, board=board, cells=names), **changes)  # type: ignore[arg-type]


def planned(of: System, mechanism: str) -> Plan:
    return plan(of, mechanism=mechanism, prices=NOTHING).choice


def text(of: System, mechanism: str, name: str = "hrl_gen_system.c") -> str:
    return generate(of, planned(of, mechanism))[name]


def framed(of: System, mechanism: str) -> Mapping[str, str]:
    """What emit says that it framed: exactly the macros that the generated text asks for."""
    made = generated(of, planned(of, mechanism))
    asked = set(re.findall(r"\bHRL_GEN_FRAME_\w+", made.texts["hrl_gen_system.c"]))
    assert set(made.framed) == asked
    return made.framed


def test_a_basic_system_links_no_threads() -> None:
    of = system(5, 10, 10)
    sources = generate(of, planned(of, "gcd"))
    assert "set(HRL_WITHOUT_THREADS 1)" in sources["system.cmake"]
    assert "set(HRL_BASIC_TASKS 1)" in sources["system.cmake"]
    assert "HRL_LINE_SERVERS" not in sources["system.cmake"]
    made = sources["hrl_gen_system.c"]
    for word in ("hrl_thread", "hrli_ready", '"core.h"', '"dispatch.h"', "idle_stack"):
        assert word not in made
    assert "HRLI_BASIC_START(" in made
    assert "HRLP_JOB_BODY(1, hrl_work(5u), 8u) /* t1 */\n" in sources["hrl_gen_bodies.c"]
    threads = replace(of, tasks=tuple(replace(task, kind=Kind.THREAD) for task in of.tasks))
    assert "HRL_BASIC_TASKS" not in text(threads, "gcd", "system.cmake")


def test_lines_of_one_task_and_of_several() -> None:
    made = text(system(5, 10, 10, cells=1), "gcd")
    assert "HRLI_HANDLER(PORT0_0_Handler, HRLI_SERVE_ALONE(hrl_gen_body_0))\n" in made
    assert ", HRLI_SERVE_LINE(1, &words_1))\n" in made
    assert "HRLI_SERVE_LINES(0, 0x01000000u, false, 0x00020000u)\n" in made
    assert "HRLI_ENABLE_LINE(24, 2u)\n" in made
    assert "HRLI_PREPARE_CELL_AT(hrlp_cmsdk_timer, 0u, 2u)\n" in made


def test_the_interrupt_is_the_task() -> None:
    made = text(system(10), "gcd")
    assert "HRLI_SERVE_CELL_TASK(0, hrl_gen_body_0)\n" in made
    assert "HRLP_CMSDK_TIMER_LINE(0), true, &hrl_gen_basic[0])\n" in made
    assert "HRLI_SERVE_LINE" not in made


def test_a_cell_that_runs_its_tasks() -> None:
    made = text(system(10, 10), "gcd")
    assert "HRLI_SERVE_DIRECT(0, 0, 0, false, 0x00040000u)\n" in made
    assert "    {250000u, 0xc0000000u},\n    {0u, 0u},\n" in made


def test_entries_of_timer_cells_save_what_is_behind_them() -> None:
    """A line or a cell of one task is entered straight to its body, unless what bodies leave is checked."""
    made = text(system(5, 10, 10, cells=1, board_name="ibex-cells"), "gcd")
    assert '#include "hrl_gen_frames.h"' in made
    assert (
        "HRLI_ALONE_ENTRY(Software_Handler0, hrl_gen_body_0, HRL_GEN_FRAME_Software_Handler0, 0)\n"
    ) in made
    assert framed(system(5, 10, 10, cells=1, board_name="ibex-cells"), "gcd") == {
        "HRL_GEN_FRAME_Software_Handler0": "hrl_gen_body_0",
        "HRL_GEN_FRAME_Software_Handler1": "Software_Handler1",
        "HRL_GEN_FRAME_Cell_Handler0": "Cell_Handler0",
    }
    assert "HRLI_ENABLE_LINE(0, 2u)\n" in made
    assert "HRLI_PREPARE_CELL_AT(hrlp_timer_cells, 0u, 2u)\n" in made
    assert "Overrun_Handler" not in made
    assert framed(system(5, 10, 10, cells=1), "gcd") == {}


ONLY_BASIC, WITH_A_THREAD = (B, B, B, B), (B, Kind.THREAD, B, B)
NEEDED = {(ONLY_BASIC, "sloth"): 3, (WITH_A_THREAD, "sloth"): 4}  # a cell for each level
FITTING = [
    (mechanism, cells, kinds)
    for kinds, least in ((ONLY_BASIC, 1), (WITH_A_THREAD, 2))
    for mechanism in ("sloth", "gcd", "one-shot", "mixed")
    for cells in (1, 2, 4)
    if cells >= NEEDED.get((kinds, mechanism), least)
]


@pytest.mark.parametrize(("mechanism", "cells", "kinds"), FITTING)
def test_what_is_framed_is_what_the_text_asks_for(
    mechanism: str, cells: int, kinds: tuple[Kind, ...]
) -> None:
    of = system(5, 7, 10, 10, cells=cells, board_name="ibex-cells")
    tasks = tuple(replace(task, kind=kind) for task, kind in zip(of.tasks, kinds, strict=True))
    found = framed(replace(of, tasks=tasks), mechanism)
    assert found
    assert set(found.values()) <= {
        *(f"hrl_gen_body_{i}" for i in range(4)),
        *(macro.removeprefix("HRL_GEN_FRAME_") for macro in found),
    }


def test_the_controller_tells_of_overruns_where_the_cell_is_the_task() -> None:
    made = text(system(5, 10, 10, board_name="ibex-cells"), "sloth")
    assert framed(system(5, 10, 10, board_name="ibex-cells"), "sloth") == {
        "HRL_GEN_FRAME_Cell_Handler0": "Cell_Handler0",
        "HRL_GEN_FRAME_Cell_Handler1": "hrl_gen_body_0",
        "HRL_GEN_FRAME_Overrun_Handler": "Overrun_Handler",
    }
    assert "HRLI_REPORT_OVERRUN(0, &hrl_gen_basic[0])" in made
    assert "    HRLI_ENABLE_OVERRUNS\n" in made
    assert "HRLI_SERVE_CELL_TASK" not in made
    assert "due_1" not in made
    assert "HRLI_ALONE_ENTRY(Cell_Handler1, hrl_gen_body_0, HRL_GEN_FRAME_Cell_Handler1, 0)" in made


def test_several_such_tasks_are_told_of_by_their_cells() -> None:
    made = text(system(5, 10, board_name="ibex-cells"), "sloth")
    assert "HRLI_REPORTED(0, [0] = &hrl_gen_basic[1], [1] = &hrl_gen_basic[0])\n" in made
    assert "    HRLI_REPORT_OVERRUNS(0, 0x00000003u)\n)" in made


def test_rows_release_due_tasks() -> None:
    of = system(4, 6, 6, cells=1)
    data = basic_data(of, planned(of, "gcd"))
    (releaser,) = data.releasers
    hz = of.board.clock.hz
    at = Fraction(0)
    for row in releaser.rows:
        due = {index for index, task in enumerate(of.tasks) if (at / task.period).denominator == 1}
        list = next(list for list in releaser.parts if list.start == row.parts)
        raised = {index for line in list.raised for index in data.lines[line].tasks}
        assert raised == due
        at += Fraction(row.gap, hz)
    assert at == ms(12)
    # All; the first; both others; the first again: heads, and a part of the line of two.
    assert [row.parts for row in releaser.rows] == [0, 2, 3, 2]
    assert [list.parts for list in releaser.parts] == [((1, 0xC0000000),), (), ((1, 0xC0000000),)]
    assert releaser.end == 5


def test_queued_releases_have_a_count_and_their_line_catches_up() -> None:
    of = system(5, 10, 10, cells=1)
    tasks = (*of.tasks[:2], replace(of.tasks[2], overrun=Overrun.QUEUE))
    data = basic_data(of := replace(of, tasks=tasks), planned(of, "gcd"))
    assert [task.limit for task in data.tasks] == [1, 1, 0xFFFF]
    assert data.counts == 4
    line = data.lines[1]
    assert (line.catch_up_ranks, line.count, [task.rank for task in data.tasks]) == (
        2,
        4,
        [0, 2, 3],
    )
    (releaser,) = data.releasers
    assert {bits for list in releaser.parts for _, bits in list.parts} == {0x30000000}
    emitted = text(of, "gcd")
    assert "HRLI_CATCH_UP_BODY(1)\n" in emitted
    assert "HRLI_SERVE_LINE(1, &words_1)" in emitted


def test_limits_have_catch_up_tasks_and_early_ends_the_general_handler() -> None:
    of = system(5, 10, 20, cells=1)
    limit = replace(of.tasks[0], activations=3)
    ends = replace(of.tasks[2], terminates=True)
    data = basic_data(
        of := replace(of, tasks=(limit, of.tasks[1], ends)), chosen := planned(of, "gcd")
    )
    assert [(task.limit, task.may_end) for task in data.tasks] == [
        (3, False),
        (1, False),
        (1, True),
    ]
    assert [(line.catch_up_ranks, line.general) for line in data.lines] == [
        (2, False),
        (0, False),
        (0, True),
    ]
    made = generate(of, chosen)["hrl_gen_system.c"]
    assert '&counts[0], HRLI_TEXT("t0"), 3u, 2u, false},' in made
    assert '&counts[3], HRLI_TEXT("t2"), 1u, 0u, true},' in made
    assert [f"HRLI_RUN_LINE({at})" in made for at in range(3)] == [
        False,
        False,
        True,
    ]
    assert [f"HRLI_CATCH_UP_BODY({at})\n" in made for at in range(3)] == [
        True,
        False,
        False,
    ]


def test_a_cell_is_no_task_that_may_end_early() -> None:
    of = system(10)
    of = replace(of, tasks=(replace(of.tasks[0], terminates=True),))
    assert "HRLI_CELL_TASK" not in text(of, "gcd")


def test_words_are_locked_only_where_they_are_shared() -> None:
    alone = basic_data(of := system(5, 10, cells=1), planned(of, "gcd"))
    assert [one.shared for one in alone.releasers] == [False]
    with_sources = replace(of, sources=(Path("bodies.c"),))
    data = basic_data(with_sources, planned(with_sources, "gcd"))
    assert [one.shared for one in data.releasers] == [True]


def test_resources_have_their_ceiling() -> None:
    of = system(5, 10, 20, cells=1, resources=(Resource("bus", (1, 2), Place("f")),))
    assert "HRL_RESOURCE_DEFINE(bus, 2u);" in text(of, "gcd")


def test_offsets_come_once_before_the_cycle() -> None:
    of = system(10, 5, cells=1)
    tasks = (replace(of.tasks[0], offset=ms(25)), of.tasks[1])
    data = basic_data(of := replace(of, tasks=tasks), planned(of, "gcd"))
    (releaser,) = data.releasers
    assert releaser.lead == 4  # to 15 ms, where the first task, begun earlier, would be due
    assert f"HRLI_NEXT_ROW(0, {releaser.lead})," in text(of, "gcd")


def test_other_kernels_keep_their_levels() -> None:
    periods = (1, 2, 5, 10, 20, 50, 100, 200, 1000)
    of = system(*periods)
    threads = replace(of, tasks=tuple(replace(task, kind=Kind.THREAD) for task in of.tasks))
    for name in ("hrl_gen_freertos.c", "hrl_gen_freertos_config.h", "hrl_gen_bodies.c"):
        assert text(of, "gcd", name) == text(threads, "gcd", name)


def test_the_clocks_own_line_gets_its_level_behind_the_start_of_the_clock() -> None:
    made = text(replace(system(10), cells=("dual0",)), "gcd")
    head, start = made.split("HRLI_BASIC_START(")
    assert "HRLI_PREPARE_CELL_AT" not in head
    assert "    HRLI_PREPARE_CELL_AT(hrlp_cmsdk_dualtimer, 0u, 1u)\n" in start


def test_limited_releases_are_counted_by_bodies_and_passed_over_by_tables() -> None:
    of = replace(system(5, 10, 10, cells=1), releases=3)
    made = text(of, "gcd")
    assert "HRLI_LIMITED_ALIVE(0, 0x03000000u)\n" in made
    assert "HRLI_LIMIT(2, 1, 0, 0x40000000u, 0xc0000000u, 0x02000000u)\n" in made
    assert "HRLI_LIMITED_TASK(0, 3u, NULL)\n" in made  # alone on its line, whose handler runs it
    assert "HRLI_LIMITED_TASK(2, 3u, &limit_2)\n" in made
    assert "HRLI_IN_WORDS(&words_1.words, 0xc0000000u)" in made
    assert "HRLI_LIMITED_ROWS(0, 0x01000000u, false, 0x00040000u)\n" in made
    assert "HRLI_SERVE_LIMITED_LINES(0, 0x00040000u)\n" in made
    assert "HRLI_SERVE_ALONE(limited_0)" in made
    made = text(replace(system(10), releases=3), "gcd")
    assert "HRLI_LIMITED_TASK(0, 3u, NULL)\n" in made
    assert "HRLI_SERVE_CELL_TASK(0, limited_0)" in made


def test_a_one_shot_cell_is_armed_from_row_to_row_whichever_tasks_have_ended() -> None:
    made = text(replace(system(5, 10, 10, cells=1), releases=3), "one-shot")
    assert "HRLI_SERVE_LINES(0, 0x" in made
    assert "HRLI_LIMIT(2, 1, 0, " in made


def test_a_queue_of_groups_and_its_one_shot_cell() -> None:
    of = replace(system(7, 11, 11, 13, cells=1), table_bytes=0)
    made = text(of, "one-shot")
    for line in (
        '#include "basic_store.h"',
        '#include "sorted_list.h"',
        "HRLI_QUEUE_CALLS(sorted_list)",
        "HRLI_LINE_QUEUE(sorted_list)",
        "HRLI_QUEUE(store_0, sorted_list, 3u, 128u, 16u)",
        "HRLI_LINE_GROUP(25000u, 1u, 175000u, 0u, 0u, 1u, 0u, 0x08000000u, &parts_0[0])",
        "HRLI_SERVE_LINE_QUEUE(0, sorted_list) HRLI_ARM_NEXT_GROUP(0, hrlp_cmsdk_timer, 0u, 0x80000000u)",
        "HRLI_PREPARE_LINE_QUEUE(0, sorted_list)",
        "HRLI_START_ONE_SHOT_GROUPS(hrlp_cmsdk_timer, 0u, 25000u, 0x80000000u)",
    ):
        assert line in made, line
    assert made.count("HRLI_LINE_GROUP(") == 3  # two tasks share a period and an offset
    assert "hrl_gen_rows" not in made


def test_groups_in_an_array_and_in_chains() -> None:
    of = system(5, 10, 20, cells=1)
    array = generate(of, plan(of, mechanism="gcd", queue="period-groups", prices=NOTHING).choice)
    made = array["hrl_gen_system.c"]
    assert "HRLI_LINE_GROUP_ARRAY(0, 25000u)" in made
    assert "HRLI_SERVE_LINE_GROUPS(0)" in made
    chained = generate(of, plan(of, mechanism="gcd", queue="harmonic-array", prices=NOTHING).choice)
    made = chained["hrl_gen_system.c"]
    assert "{&levels_0[0], 3u}," in made
    assert "HRLI_LINE_CHAINS(0, 25000u, 125000u)" in made
    assert "HRLI_SERVE_LINE_CHAINS(0)" in made


def test_what_groups_have_is_a_constant() -> None:
    """Long periods step in hops, and thirds of a count accumulate."""
    of = system(7, 11, cells=1)
    long = replace(of.tasks[1], period=Fraction(100), deadline=Fraction(100))
    third = replace(of.tasks[0], period=Fraction(1, 300), deadline=Fraction(1, 300))
    made = text(replace(of, tasks=(third, long)), "one-shot")
    assert "HRLI_LINE_GROUPS(0, 0x03000000u, 0x00020000u, false, false, true, true)" in made
    assert "83333u, 0u, 1u, 3u, 0u," in made
    assert "352516352u, 2u, 0u, 1u, 0u," in made


def counted(of: System, mechanism: str = "gcd") -> list[str]:
    return re.findall(r"\bHRLI_COUNTED_\w+\(.*", text(of, mechanism))


def test_a_periodic_cell_whose_entry_counts_has_no_table_of_counts() -> None:
    """A row is so many interrupts from the next, a fraction of a count notwithstanding."""
    several = system(5, 10, cells=1, board_name="atmega128-8mhz")
    made = counted(several)
    assert any("HRLI_COUNTED_TABLE(" in line for line in made)
    assert "HRLI_LINE_TABLE(" not in text(several, "gcd")
    one = system(5, cells=1, board_name="atmega128-8mhz")
    assert any("HRLI_COUNTED_TASK(" in line for line in counted(one))
    tasks = [replace(one.tasks[0], period=Fraction(1, 700), deadline=Fraction(1, 700))]
    made = counted(replace(one, tasks=tuple(tasks)))
    assert any("HRLI_COUNTED_PARTS_CELL(" in line for line in made)
    assert not counted(several, "one-shot")
    assert not counted(system(5, 10))
