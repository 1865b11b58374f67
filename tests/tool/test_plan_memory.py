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
from horolog.model.memory import ESTIMATE_ERROR, MemoryEstimate
from horolog.model.port import TABLE_BYTES
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
    assert said[0] == (
        f"memory     about 21,200 bytes of flash (FreeRTOS 7,900), {table.bytes:,} of them tables; 4,300 of "
        "variables (FreeRTOS 7,000); 4,864 of stacks (FreeRTOS 43,520)"
    )
    assert said[1].endswith(f"estimated: within {ESTIMATE_ERROR} % in examples on mps2-an385")
    assert said[2].startswith(
        f"table      mask-table on timer0: {table.bytes:,} bytes save 0.0824 %"
    )
    data = to_data(system, planned)["memory"]
    assert data["flash"] == round(found.flash)
    assert data["flash_error_percent"] == ESTIMATE_ERROR
    assert data["variables"] == round(found.variables or 0)
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


def test_of_basic_tasks() -> None:
    found = memory(plan(example("battery", Kind.BASIC)))
    assert found.flash is not None
    assert found.variables is not None
    assert found.freertos_flash is not None
    assert found.flash < found.freertos_flash < 5000
    assert found.variables < 400
    assert found.stacks == 0


@pytest.mark.parametrize("name", ["flight-table", "logger", "combustion"])
def test_where_more_than_cells_releases_tasks_tables_and_stacks_are_known(name: str) -> None:
    found = memory(plan(example(name)))
    assert (found.flash, found.variables, found.freertos_flash) == (None, None, None)
    assert memory_texts(found)[0] == (
        f"memory     {found.tables:,} bytes of tables, {found.stacks:,} of stacks (FreeRTOS "
        f"{found.freertos_stacks:,}); other memory is not estimated"
    )


def test_services_do_not_change_which_plan_takes_least() -> None:
    """They take the same in all plans; what all takes is then not said."""
    system = example("engine-control")
    several = replace(system, cells=("timer0", "timer1", "systick"))
    least = plan(several, objective="memory").choice.mechanism
    planned = plan(replace(several, timeouts="dual0"), objective="memory")
    assert planned.choice.mechanism == least
    assert memory(planned).flash is None
    assert not [note for note in planned.notes if note.startswith("flash:")]


def test_boards_without_a_flash_take_what_the_port_says() -> None:
    host = replace(read_board("host"), memory=())
    assert host.most_table_bytes == TABLE_BYTES


def test_tables_take_a_quarter_of_the_flash_at_most() -> None:
    board = read_board("mps2-an385")
    assert board.most_table_bytes == TABLE_BYTES
    small = replace(board, memory=(Memory("flash", 0, 0x8000), Memory("ram", 0, 0x1000)))
    assert small.most_table_bytes == 0x2000


def without_code(system: System) -> System:
    """The same tasks with work, so that no code or variable of the application's is in the firmware."""
    tasks = tuple(replace(task, body=None, work=100) for task in system.tasks)
    return replace(system, sources=(), tasks=tasks)


@pytest.mark.soak
@pytest.mark.parametrize("kind", [None, Kind.BASIC])
@pytest.mark.parametrize(
    "name", ["engine-control", "battery", "motor", "audio", "chronos", "drone"]
)
def test_the_estimate_is_off_by_no_more_than_is_said(
    name: str, kind: Kind | None, tmp_path: Path
) -> None:
    system = without_code(example(name, kind))
    planned = plan(system)
    built = build_firmware(system, planned.choice, tmp_path, None, only=Target.HOROLOG)
    image, found = read_image(built.horolog), memory(planned)
    assert image.memory is not None
    assert found.flash is not None
    assert found.variables is not None
    taken = image.memory.program - image.apart
    assert 100 * abs(found.flash - taken) <= ESTIMATE_ERROR * taken
    off = abs(found.variables - image.memory.variables)
    assert off <= 32 or 100 * off <= ESTIMATE_ERROR * image.memory.variables
    assert image.memory.stacks == found.stacks


def test_threads_that_share_beside_basic_tasks(tmp_path: Path) -> None:
    """The plan numbers the threads, of which some have several tasks."""
    text = '[system]\nname = "s"\nboard = "mps2-an385"\nduration = "100 ms"\n'
    text += '[[task_group]]\nname = "late"\ntasks = 3\nperiod = "50 ms"\nwork = 40\n'
    text += '[[task]]\nname = "b"\nkind = "basic"\nperiod = "9 ms"\nwork = 5\n'
    path = tmp_path / "system.toml"
    path.write_text(text)
    found = memory(plan(read_system(path)))
    assert (found.flash, found.variables) == (None, None)
    assert found.freertos_flash is not None
    assert memory_texts(found)[0].endswith("other memory is not estimated")
