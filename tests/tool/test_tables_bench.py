# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench tables: what is run, and the rows and targets that come of it, by hand-made data."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.data import data_root
from horolog.model import HorologError, Monitoring
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.figure import Timeline
from horolog_experiments.dispatch.scenarios import MAXPERF, MPS2, PLATFORMS, Span
from horolog_experiments.dispatch.visits import Log, Visit
from horolog_experiments.dispatch.watching import Built
from horolog_experiments.tables.holds import (
    HELD,
    HELD_ROUND,
    IMAGES,
    HeldImage,
    deadline_marks,
    drift_of,
    held_text,
    interrupts_of,
)
from horolog_experiments.tables.host import counts_of, is_done, starts_in
from horolog_experiments.tables.rows import ROWS, deadline_rows
from horolog_experiments.tables.scenarios import (
    BUDGETS,
    FREERTOS_SIDES,
    KEEPING,
    MINIMALS,
    PASTS,
    STEP,
    TABLES,
    Monitor,
    TableImage,
    can_monitor,
    minimal_name,
    table_image,
    table_name,
)
from horolog_experiments.tables.schedules import (
    ACTIVATIONS,
    CALL_OWNERS,
    COUNTERS,
    Activation,
    activation_name,
    call_spans,
    calls_name,
)
from horolog_experiments.tables.sync import (
    DISPATCHER,
    DURATION,
    PRECISION,
    error_of,
    following_of,
    sync_text,
)
from horolog_experiments.tables.systems import duration, planned_table, table_text


def test_scenarios_are_complete() -> None:
    names = [image.name for image in TABLES]
    assert len(set(names)) == len(names) == (3 * 2 + 1) * len(PASTS)
    assert [row.scenario for row in ROWS] == names
    for row in ROWS:
        image = table_image(row.scenario)
        assert image.points == row.points
        assert row.deadlines == (0 if row.monitor is Monitor.NONE else row.points)
    assert {image.name for image in FREERTOS_SIDES} == {
        f"{way}-{past}"
        for way in ("tick", "notify", "timer")
        for past in ("idle", "preempt", "preempt-div")
    }


def test_rows_of_a_target() -> None:
    without = deadline_rows(0, Monitor.OWN, division=False)
    assert {(row.past, row.points) for row in without} == {
        (past, points) for past in ("idle", "table", "thread") for points in (1, 2)
    }
    (one, other) = deadline_rows(2, Monitor.OWN, division=True)
    assert (one.past, other.past) == ("table-div", "thread-div")
    assert one.monitor is Monitor.OWN
    assert one.points == 2


def test_the_paper_stands_beside_the_rows_that_it_has() -> None:
    by_deadlines = {
        row.deadlines: row for row in ROWS if row.past == "idle" and row.monitor is not Monitor.ONE
    }
    for span, figures in ((Span.START, (14, 26, 34)), (Span.END, (14, 24, 34))):
        papers = [by_deadlines[number].paper(span) for number in range(3)]
        assert [paper.sloth for paper in papers if paper is not None] == list(figures)
    assert all(row.paper(Span.END) is None for row in ROWS if row.past == "table-div")


@pytest.mark.parametrize(
    "image", [*TABLES, *BUDGETS, *KEEPING, *MINIMALS], ids=lambda image: image.name
)
def test_descriptions_can_be_read(image: TableImage, tmp_path: Path) -> None:
    for platform in PLATFORMS:
        if not can_monitor(platform, image.monitor):
            continue
        system, choice = planned_table(image, platform.board, tmp_path)
        (table,) = system.tables
        assert sum(point.task == 0 for point in table.points) == image.points
        assert system.budgeted == (() if image.budget is None else (0,))
        assert [one.tasks for one in system.resources] == ([(0,)] if image.resource else [])
        assert all((point.deadline is None) == (image.monitor is Monitor.NONE or point.task > 0)
                   for point in table.points)  # fmt: skip
        if image.monitor is Monitor.NONE:
            assert table.deadline_cells is None
        else:
            assert table.monitoring is Monitoring.STRINGENT
            assert table.deadline_cells is not None
            assert table.deadline_cells.each == (image.monitor is Monitor.OWN)
        releasers = [one for one in choice.releasers if 0 in one.tasks]
        assert len(releasers) == 1
        assert releasers[0].tasks == (0,)  # the urgent task has a cell of its own


def test_only_boards_whose_cells_move_monitor_each_task() -> None:
    assert can_monitor(MAXPERF, Monitor.OWN)
    assert not can_monitor(MPS2, Monitor.OWN)
    assert can_monitor(MPS2, Monitor.ONE)
    assert minimal_name(MAXPERF) == "minimal-own"
    assert minimal_name(MPS2) == "minimal-one"


def test_both_points_meet_the_task_that_is_interrupted(tmp_path: Path) -> None:
    image = table_image(table_name("table", 2, Monitor.NONE))
    path = tmp_path / "system.toml"
    board = read_board("ibex-cells")
    path.write_text(table_text(image, board, data_root() / "bench"), encoding="utf-8")
    (table,) = read_system(path).tables
    offsets = [(int(point.offset * board.clock.hz), point.task) for point in table.points]
    assert offsets == [(0, 1), (STEP // 6, 0), (STEP // 6 + STEP, 0)]
    assert table.round * board.clock.hz == 2 * STEP


def test_durations_are_exact() -> None:
    assert duration(3001, 50_000_000) == "3001/50000 ms"


def test_sources_lie_where_the_build_looks_for_them() -> None:
    bench = data_root() / "bench"
    text = table_text(TABLES[0], read_board("ibex-cells"), bench)
    for name in ("dispatch", "tables"):
        assert f'"{bench / name / "bodies.c"}"' in text
        assert (bench / name / "bodies.c").is_file()


def _name_visits(*named: tuple[str, int, int, int]) -> Log:
    """A log of owners and functions: name, first, last, the address of the first instruction."""
    names = {"start": 1, "state": 2, "stop": 3, "kernel": 9}
    visits = tuple(
        Visit(names[name], first, last, (place, 0)) for name, first, last, place in named
    )
    return Log(visits, names={9: "kernel"})


def test_a_call_is_what_passes_between_the_functions_instructions() -> None:
    log = _name_visits(
        ("start", 0, 9, 0),
        ("kernel", 12, 30, 0),
        ("start", 40, 45, 0),
        ("state", 46, 50, 0),
        ("state", 54, 60, 0),
        ("stop", 61, 70, 0),  # it calls twice
        ("stop", 75, 76, 0),
        ("stop", 90, 95, 0),
        ("start", 100, 110, 0),  # the end of the log: not a call
    )
    built = Built(Path(), CALL_OWNERS, ())
    found = call_spans(built, log, 1)
    assert {call: one.worst for call, one in found.items()} == {"start": 30, "state": 3, "stop": 19}


def test_a_call_that_is_not_there_is_no_sample() -> None:
    with pytest.raises(HorologError, match="another path"):
        call_spans(Built(Path(), CALL_OWNERS, ()), _name_visits(("start", 0, 9, 0)), 1)


def test_interrupts_are_entries_before_the_end() -> None:
    log = _name_visits(
        ("kernel", 10, 12, 0x100),
        ("start", 13, 15, 0x40),
        ("kernel", 16, 20, 0x108),  # goes on behind a call: no entry
        ("kernel", 30, 31, 0x100),
        ("kernel", 50, 51, 0x100),
    )
    assert interrupts_of(log, [0x100], 50) == 2
    assert interrupts_of(log, [0x100], 51) == 3
    assert interrupts_of(log, [0x200], 51) == 0


def test_drift_is_the_most_that_an_instant_is_away() -> None:
    assert drift_of([7, 7 + HELD_ROUND, 7 + 2 * HELD_ROUND]) == 0
    assert drift_of([7, 9 + HELD_ROUND, 4 + 2 * HELD_ROUND]) == 3


@pytest.mark.parametrize("board", ["host", "ibex-cells"])
@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.name)
def test_held_deadlines_can_be_read(image: HeldImage, board: str, tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(held_text(image, read_board(board)), encoding="utf-8")
    system = read_system(path)
    (table,) = system.tables
    assert table.round * system.board.clock.hz == HELD_ROUND
    assert table.deadline_cells is not None
    assert table.deadline_cells.each == (board == "ibex-cells")
    if board == "ibex-cells":
        choice = plan(system).choice
        assert [releaser.tasks for releaser in choice.releasers] == [(0,), (1,), (2,)]


def test_two_deadlines_come_while_the_third_task_runs() -> None:
    (_, _, first, _), (second_at, _, second, _), (at, _, last, lasts) = HELD.points
    assert at < first < at + lasts
    assert at < second_at + second < at + lasts
    assert at + lasts < at + last < HELD_ROUND


def test_deadlines_are_marked_in_the_window() -> None:
    owners = ("idle", "first", "second", "third")
    drawn = Timeline(0, HELD_ROUND, owners, (), ((1, 100), (2, 350)))
    assert deadline_marks(HELD, drawn) == ((1, 800), (2, 1050))


@pytest.mark.parametrize("image", ACTIVATIONS, ids=lambda image: image.name)
def test_activations_of_schedule_tables(image: Activation) -> None:
    assert image.system.past == ("idle" if image.past == "idle" else "low")
    assert image.system.jobs[0].kind == image.kind
    assert image.name == activation_name(image.kind, image.past, image.by)


def test_images_of_calls_have_names_for_files() -> None:
    assert [calls_name(counter) for counter in COUNTERS] == [
        *("calls-software", "calls-clock", "calls-cells"),
        *("calls-cells-run-once", "calls-cells-followed"),
    ]


def test_the_error_of_a_table_is_its_position_less_the_global_time() -> None:
    assert error_of(DURATION, 0) == 0
    assert error_of(DURATION + 2000, 0) == -2000  # late: the global time is ahead
    assert error_of(DURATION - 2000, 0) == 2000
    assert error_of(100 * DURATION, 200) == -1000  # 200 ppm of 5,000,000 counts
    assert error_of(100 * DURATION, -200) == 1000


def test_when_a_table_has_converged() -> None:
    hz = 25_000_000
    late = [DURATION + 300, 2 * DURATION + 100, 3 * DURATION]
    rest = [nth * DURATION + 10 for nth in range(4, 300)]
    found = following_of(late + rest, 0, hz)
    assert found.settled == 2 * DURATION + 100
    assert found.worst == 10
    assert found.rounds == 200  # of 2 ms, from 200 ms to 600 ms
    assert found.shown[:3] == (
        (DURATION + 300, -300),
        (2 * DURATION + 100, -100),
        (3 * DURATION, 0),
    )
    assert found.shown[-1][0] < 0.4 * hz
    never = following_of([*late, *rest, 300 * DURATION + 1000], 0, hz)
    assert never.settled is None
    assert never.worst == 1000


def test_the_precision_is_that_of_the_source(tmp_path: Path) -> None:
    folder = data_root() / "bench" / "tables"
    text = (folder / "bench_synchronised.h").read_text(encoding="utf-8")
    assert f"BENCH_DURATION = {DURATION}," in text
    assert f"BENCH_PRECISION = {PRECISION}" in text
    path = tmp_path / "system.toml"
    board = read_board("host")
    sources = [folder / "master.c", folder / "dispatched.c"]
    path.write_text(sync_text(board, sources, DISPATCHER), encoding="utf-8")
    system = read_system(path)
    assert system.control is not None
    assert system.control.sync is not None
    assert system.control.sync.precision * board.clock.hz == PRECISION
    assert system.tables[0].round * board.clock.hz == DURATION


def test_the_trace_of_the_host_port(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    trace.write_text("0 I 0\n0 S 1\n4000 E 1\n80120 S 0\n", encoding="ascii")
    assert list(starts_in(trace)) == [(0, 1), (80120, 0)]
    assert counts_of(80120, 25_000_000) == 2003
    assert counts_of(33, 30_000_000) == 1  # whole nanoseconds of 33.3


def test_rounds_may_stand_in_front_of_the_status() -> None:
    assert is_done("status done\nwindow_ns 5\n")
    assert is_done("round 0 2000 400\nstatus done\n")
    assert not is_done("round 0 2000 400\nstatus late\n")
    assert not is_done("")
