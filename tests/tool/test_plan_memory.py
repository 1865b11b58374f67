# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a plan takes of memory, as estimated; what tables buy, and the objective that saves flash."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.build.firmware import Target, build_firmware
from horolog.cli.plan_text import memory_texts
from horolog.data import data_root
from horolog.image import read_image
from horolog.model import Kind, Memory, Planned, System
from horolog.model.board import TABLE_BYTES
from horolog.model.memory import ESTIMATE_ERROR, MemoryEstimate
from horolog.plan import plan, to_data
from horolog.read import read_board, read_system


def example(name: str, kind: Kind | None = None) -> System:
    return read_system(data_root() / "examples" / name / "system.toml", kind=kind)


def memory(planned: Planned) -> MemoryEstimate:
    assert planned.memory is not None
    return planned.memory


def test_what_threads_take_and_what_a_table_buys() -> None:
    system = example("engine-control")
    planned = plan(system)
    found = memory(planned)
    assert found.flash is not None
    assert found.freertos_flash is not None
    assert found.flash > found.freertos_flash > 5000
    assert 8000 < found.tables < found.flash
    assert (found.stacks, found.freertos_stacks, found.cells) == (4864, 85 * 512, 1)
    (table,) = found.bought
    assert (table.cell, table.store, table.beside) == ("timer0", "mask-table", "sorted-list")
    assert table.bytes == found.tables
    assert 0 < table.saves < 1
    said = memory_texts(found)
    assert said[0].startswith("memory     about 22,200 bytes of flash without bodies and libraries")
    assert said[1].startswith(
        f"table      mask-table on timer0: {table.bytes:,} bytes save 0.0824 %"
    )
    data = to_data(system, planned)["memory"]
    assert data["flash"] == round(found.flash)
    assert data["flash_error_percent"] == ESTIMATE_ERROR
    assert data["bought"][0]["beside"] == "sorted-list"


def test_less_flash_is_taken_where_that_is_the_objective() -> None:
    system = example("engine-control")
    usual, small = memory(plan(system)), plan(system, objective="memory")
    found = memory(small)
    assert found.flash is not None
    assert usual.flash is not None
    assert found.flash < usual.flash * Fraction(2, 3)
    assert "mask-table" not in [one.store for one in small.choice.releasers]
    assert found.bought == ()
    reason = next(one.reason for one in small.alternatives if one.plan is small.choice)
    assert reason.startswith("chosen: least flash, without mask tables, as was asked for; ")


def test_of_basic_tasks_tables_and_stacks_are_known() -> None:
    found = memory(plan(example("battery", Kind.BASIC)))
    assert (found.flash, found.freertos_flash, found.stacks) == (None, None, 0)
    (said,) = memory_texts(found)
    assert said == (
        f"memory     {found.tables:,} bytes of tables, 0 bytes of stacks (2,048 in FreeRTOS with a task "
        "each); other flash is not estimated"
    )
    host = replace(read_board("host"), memory=())
    assert host.most_table_bytes == TABLE_BYTES


def test_tables_take_a_quarter_of_the_flash_at_most() -> None:
    board = read_board("mps2-an385")
    assert board.most_table_bytes == TABLE_BYTES
    small = replace(board, memory=(Memory("flash", 0, 0x8000), Memory("ram", 0, 0x1000)))
    assert small.most_table_bytes == 0x2000


@pytest.mark.soak
@pytest.mark.parametrize("name", ["engine-control", "battery", "motor", "audio"])
def test_the_estimate_is_off_by_no_more_than_is_said(name: str, tmp_path: Path) -> None:
    system = example(name)
    planned = plan(system)
    built = build_firmware(system, planned.choice, tmp_path, None, only=Target.HOROLOG)
    image = read_image(built.horolog)
    assert image.memory is not None
    apart = sum(one.high - one.low for one in image.functions if one.owner in ("body", "library"))
    flash = memory(planned).flash
    assert flash is not None
    taken = image.memory.program - apart
    assert 100 * abs(flash - taken) <= ESTIMATE_ERROR * taken
    assert image.memory.stacks == memory(planned).stacks
