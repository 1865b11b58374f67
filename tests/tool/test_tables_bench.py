# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench tables: what is run, and the rows and targets that come of it, by hand-made data."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.data import data_root
from horolog.model import Monitoring
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.scenarios import MAXPERF, MPS2, PLATFORMS, Span
from horolog_experiments.tables.rows import ROWS, deadline_rows
from horolog_experiments.tables.scenarios import (
    FREERTOS_SIDES,
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
from horolog_experiments.tables.systems import duration, planned_table, table_text


def test_scenarios_are_complete() -> None:
    names = [image.name for image in TABLES]
    assert len(set(names)) == len(names) == 3 * 2 * len(PASTS)
    assert [row.scenario for row in ROWS] == names
    for row in ROWS:
        image = table_image(row.scenario)
        assert image.points == row.points
        assert row.deadlines == (0 if row.monitor is Monitor.NONE else row.points)
    assert {image.name for image in FREERTOS_SIDES} == {
        f"{way}-{past}" for way in ("tick", "notify") for past in ("idle", "preempt", "preempt-div")
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


@pytest.mark.parametrize("image", [*TABLES, *MINIMALS], ids=lambda image: image.name)
def test_descriptions_can_be_read(image: TableImage, tmp_path: Path) -> None:
    for platform in PLATFORMS:
        if not can_monitor(platform, image.monitor):
            continue
        system, choice = planned_table(image, platform.board, tmp_path)
        (table,) = system.tables
        assert sum(point.task == 0 for point in table.points) == image.points
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
