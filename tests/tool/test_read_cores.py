# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Cores in descriptions and boards: where tasks run, and what is said of what cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tool.core_boards import board_of, system_on

from horolog.data import data_root
from horolog.divide import plans_for_cores
from horolog.emit import generated_for_cores
from horolog.model import (
    CorePlan,
    HorologError,
    Releaser,
    first_releasers,
    on_cores,
    parts_of,
    undivided,
)
from horolog.read import read_board, read_system
from horolog.read.ports import ports


def refused(path: Path, board: str | None = None) -> str:
    with pytest.raises(HorologError) as caught:
        read_system(path, board=board)
    return str(caught.value)


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_each_core_has_its_share_of_the_cells(tmp_path: Path) -> None:
    board = read_board(str(board_of(tmp_path, 4)))
    assert board.cores == 4
    names = [[cell.name for cell in board.cells_of(core)] for core in range(4)]
    assert [len(one) for one in names] == [16] * 4
    assert names[3][0] == "cell48"
    assert [name for one in names for name in one] == [cell.name for cell in board.cells]
    assert read_board("ibex-cells").cores == 1
    assert len(read_board("ibex-cells").cells_of(0)) == 64


def test_a_system_and_its_parts(tmp_path: Path) -> None:
    system = read_system(system_on(tmp_path))
    assert (system.cores, [task.core for task in system.tasks]) == (2, [0, 1, None, None, None])
    assert undivided(system) == (2, 3, 4)
    with pytest.raises(ValueError, match=r"no core yet for late\.0"):
        parts_of(system)
    first, second = parts_of(on_cores(system, [0, 1, 1, 0, 1]))
    assert (first.core, first.tasks) == (0, (0, 3))
    assert [task.name for task in second.system.tasks] == ["slow", "late.0", "late.2"]
    assert second.system.cores == second.system.board.cores == 1
    assert second.system.cells[0] == "cell32"
    assert {cell.name for cell in second.system.board.cells} == {*second.system.cells}
    assert not second.system.waits_elsewhere  # work does not wait


def test_a_system_of_one_core_is_its_only_part(tmp_path: Path) -> None:
    path = changed(system_on(tmp_path, cores="cores = 1", core="0"), "core = 1", "core = 0")
    system = read_system(path, board="ibex-cells")
    assert undivided(system) == ()
    (part,) = parts_of(system)
    assert part.system is system


def test_fewer_cores_than_the_board_has(tmp_path: Path) -> None:
    path = changed(system_on(tmp_path, cores="cores = 1", core='"auto"'), "core = 1", "")
    system = read_system(path)
    assert (system.cores, system.cores_with_tasks) == (2, 1)
    assert [task.core for task in system.tasks] == [0] * 5
    assert [len(part.tasks) for part in parts_of(system)] == [5, 0]


def test_a_description_that_says_nothing_runs_on_all_cores(tmp_path: Path) -> None:
    path = system_on(tmp_path, cores="", core="0")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("core = 0\n", "").replace("core = 1\n", ""), encoding="utf-8")
    system = read_system(path)
    assert (system.cores, undivided(system)) == (2, (0, 1, 2, 3, 4))
    assert read_system(path, board="ibex-cells").cores == 1
    assert undivided(read_system(path, board="ibex-cells")) == ()


def test_auto_for_all(tmp_path: Path) -> None:
    path = changed(system_on(tmp_path, cores='cores = 2\ncore = "auto"'), "core = 1\n", "")
    assert [task.core for task in read_system(path).tasks] == [0, None, None, None, None]


def test_another_board_lends_cells_of_each_core(tmp_path: Path) -> None:
    path = system_on(tmp_path, cores="", core="0")
    text = path.read_text(encoding="utf-8")
    text = text.replace("core = 0\n", "").replace("core = 1\n", "")
    text = text.replace(str(board_of(tmp_path, 2)), "mps2-an385")
    path.write_text(text.replace("[[task]]", 'cells = ["timer0", "timer1"]\n[[task]]', 1), "utf-8")
    assert read_system(path).cores == 1
    system = read_system(path, board=str(board_of(tmp_path, 2)))
    assert system.cells == ("cell0", "cell1", "cell32", "cell33")


@pytest.mark.parametrize(
    ("cores", "core", "texts"),
    [
        (
            "cores = 3",
            "2",
            [
                'system.toml:5:9: system.cores: the board "cells-x2" has 2 cores',
                "found:    cores = 3",
                "expected: at most 2",
            ],
        ),
        (
            "cores = 2",
            "2",
            [
                "system.toml:24:8: task_group.late.core: there is no core 2",
                "found:    core = 2, with 2 cores",
                "expected: 0 to 1",
            ],
        ),
        ("cores = 2", '"any"', ['found:    "any"', 'its number, 0 for the first, or "auto"']),
        ("cores = 2", "-1", ["found:    -1"]),
        ("cores = 0", "0", ["system.cores: too small", "expected: 1 or more"]),
    ],
)
def test_cores_that_there_are_not(tmp_path: Path, cores: str, core: str, texts: list[str]) -> None:
    said = refused(system_on(tmp_path, cores=cores, core=core))
    for text in texts:
        assert text in said


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("cores = []", ["system.toml:17:9: task.slow.cores: no core may run", "found:    cores = []"]),
        ("cores = [0, 2]", ["there is no core 2", "found:    cores = [0, 2], with 2 cores"]),
        ("cores = [1, 1]", ["a core stands there twice", "expected: each core once"]),
        ("cores = [1]\ncore = 1", ['the task "slow" has both core and cores']),
        ("cores = [-1]", ["task.slow.cores"]),
        ('cores = [0, 1]\nshare = "always"', ["tasks that share a thread belong to one core"]),
        ('cores = [0, 1]\noverrun = "queue"', ['overrun = "queue" of tasks that several cores may run']),
        ('cores = [0, 1]\nkind = "basic"', ["basic tasks belong to one core", "expected: one core, or core"]),
    ],
)  # fmt: skip
def test_cores_that_may_not_run_it(tmp_path: Path, said: str, texts: list[str]) -> None:
    found = refused(changed(system_on(tmp_path, core="0"), "core = 1", said))
    for text in texts:
        assert text in found


def test_several_cores_may_run_a_task(tmp_path: Path) -> None:
    system = read_system(changed(system_on(tmp_path, core="0"), "core = 1", "cores = [1, 0]"))
    slow = system.tasks[1]
    assert (slow.core, slow.affinity, slow.shares) == (1, (1, 0), False)
    assert system.has_global
    first, second = parts_of(system)
    assert first.system.beside_global
    (released,) = second.system.tasks
    assert (released.wcet, released.priority) == (None, 31)  # the release alone is that core's
    assert first.system.utilisation > 0
    text = (tmp_path / "system.toml").read_text(encoding="utf-8").replace("core = 0\n", "")
    (tmp_path / "system.toml").write_text(text.replace("cores = 2\n", "cores = 1\n"), "utf-8")
    assert "there is no core 1" in refused(tmp_path / "system.toml")


RESOURCE = """
[[resource]]
name = "bus"
tasks = ["fast", "late"]
spin = true
hold = "1 us"
"""
CHAIN = """
[[chain]]
name = "way"
tasks = ["fast", "slow"]
deadline = "1 s"
"""
INTERRUPT = """
[[interrupt]]
name = "received"
line = 29
priority = 2
min_gap = "2 ms"
work = 10
wcet = "50 us"
core = 1
"""
BASIC_TASK = """
[[task]]
name = "spark"
kind = "basic"
period = "5 ms"
work = 10
core = 1
"""
TABLE = """
[[task]]
name = "row"
work = 10
core = 1

[[table]]
name = "round"
kind = "dispatcher"
round = "2 ms"
point = [{ offset = "0 ms", activate = "row" }]
"""
BESIDE = 'beside "slow", which several cores may run: not yet supported'


@pytest.mark.parametrize(
    ("core", "more", "what"),
    [
        ('"auto"', "", "tasks that the plan divides"),
        ("0", RESOURCE, "resources"),
        ("0", CHAIN, "chains"),
        ("0", INTERRUPT, "interrupts"),
        ("0", BASIC_TASK, "basic tasks"),
        ("0", TABLE, "tables"),
    ],
)
def test_what_there_cannot_be_beside_such_tasks(
    tmp_path: Path, core: str, more: str, what: str
) -> None:
    path = changed(system_on(tmp_path, core=core), "core = 1", "cores = [0, 1]")
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert f"{what} {BESIDE}" in refused(path)


def test_sporadic_tasks_have_one_core(tmp_path: Path) -> None:
    more = '\n[[task]]\nname = "burst"\nmin_gap = "5 ms"\nwork = 10\ncores = [0, 1]\n'
    said = refused(system_on(tmp_path, core="0", more=more))
    assert "sporadic tasks that several cores may run: not yet supported" in said


def test_such_tasks_do_not_end(tmp_path: Path) -> None:
    path = system_on(tmp_path, cores="cores = 2\nreleases = 3", core="0")
    said = refused(changed(path, "core = 1", "cores = [0, 1]"))
    assert f"a number of jobs {BESIDE}" in said
    assert "found:    releases = 3" in said
    path = system_on(tmp_path, cores='cores = 2\ntimeouts = "cell0"', core="0")
    said = refused(changed(path, "core = 1", "cores = [0, 1]"))
    assert f"a cell for time-outs {BESIDE}" in said


def test_a_list_of_one_core_is_that_core(tmp_path: Path) -> None:
    system = read_system(changed(system_on(tmp_path, core="0"), "core = 1", "cores = [1]"))
    assert [task.core for task in system.tasks] == [0, 1, 0, 0, 0]
    path = changed(system_on(tmp_path, cores="", core="0"), "core = 1", "cores = [0]")
    assert read_system(path, board="ibex-cells").cores == 1
    path = changed(path, "core = 0\n", "")
    assert "does not say on which of 2 cores it runs" in refused(path)  # as one says it


def test_a_board_of_one_core(tmp_path: Path) -> None:
    said = refused(system_on(tmp_path), board="ibex-cells")
    assert 'the board "ibex-cells" has 1 core' in said
    assert "expected: 1, or no cores; or a board of several cores" in said
    said = refused(system_on(tmp_path, cores=""), board="ibex-cells")
    assert "there is no core 1" in said
    assert "found:    core = 1, with 1 core" in said


def test_a_task_that_does_not_say(tmp_path: Path) -> None:
    said = refused(changed(system_on(tmp_path), "core = 1\n", ""))
    assert 'system.toml:13:1: task.slow: the task "slow" does not say on which of 2 cores' in said
    assert 'expected: core = 0 to 1, or core = "auto", here or in [system]' in said


def test_a_core_without_a_cell(tmp_path: Path) -> None:
    said = refused(system_on(tmp_path, cores='cores = 2\ncells = ["cell0", "cell1"]'))
    assert "system.cells: core 1 has no cell, so nothing can release its tasks" in said
    assert "found:    cells cell0, cell1" in said
    assert "expected: some of cell32, cell33, ... or cell63" in said


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ('[[counter]]\nname = "v"\nmaximum = 99\n', "software counters on a board of several cores"),
    ],
)  # fmt: skip
def test_what_takes_one_core(tmp_path: Path, more: str, text: str) -> None:
    said = refused(system_on(tmp_path, core="0", more=more))
    assert f"{text}: not yet supported" in said
    assert "expected: a board of one core, or a later version of Horolog" in said


RESOURCE = '[[resource]]\nname = "bus"\ntasks = ["fast", "slow", "late"]\n{}\n'


def test_users_on_several_cores(tmp_path: Path) -> None:
    for key, what, instead in (
        ("", "resource", ""),
        ('mutex = "ceiling"', "mutex", " in place of mutex"),
    ):
        said = refused(system_on(tmp_path, core="0", more=RESOURCE.format(key)))
        assert f'resource.bus.tasks: the {what} "bus" has users on 2 cores' in said
        assert 'found:    "fast" on core 0 and "slow" on core 1' in said
        assert f"expected: users on one core; or spin = true{instead}, with hold" in said
        assert "no ceiling" not in said
    spun = read_system(
        system_on(tmp_path, core="0", more=RESOURCE.format('spin = true\nhold = "20 us"'))
    )
    one, other = (part.system.resources[0] for part in parts_of(spun))
    assert (one.tasks, other.tasks) == ((0, 1, 2, 3), (0,))
    assert len(one.elsewhere) == len(other.elsewhere) == 1


def test_users_on_one_core_of_several(tmp_path: Path) -> None:
    more = RESOURCE.format('mutex = "inheritance"').replace('"fast", ', "")
    system = read_system(system_on(tmp_path, core="1", more=more))
    none, own = (part.system for part in parts_of(system))
    assert none.resources == ()
    assert own.resources[0].tasks == (0, 1, 2, 3)
    assert none.waits_elsewhere


def test_more_resources_than_locks(tmp_path: Path) -> None:
    spun = RESOURCE.format('spin = true\nhold = "1 us"')
    more = "".join(spun.replace("bus", f"r{at}") for at in range(30))
    said = refused(system_on(tmp_path, core="0", more=more))
    assert (
        'resource.r29.spin: the board "cells-x2" has 29 locks between cores for applications'
        in said
    )
    assert "found:    30 resources with spin = true" in said
    assert "expected: at most 29, or users on one core and no spin" in said
    fewer = more.removesuffix(spun.replace("bus", "r29"))
    assert len(read_system(system_on(tmp_path, core="0", more=fewer)).resources) == 29


def test_the_port_has_the_locks_that_it_says() -> None:
    header = (data_root() / "ports/rv32/cells/hrlp_cores_controller.h").read_text(encoding="utf-8")
    kernel = (data_root() / "kernel/core/sync_lock.h").read_text(encoding="utf-8")
    locks = re.search(r"#define HRLP_LOCKS (\d+)u", header)
    ours = re.search(r"HRLI_LOCKS_OF_KERNEL = (\d+)", kernel)
    assert locks is not None
    assert ours is not None
    assert ports()["rv32", "cells"].spinlocks == int(locks[1]) - int(ours[1])


def test_a_cell_for_time_outs_of_each_core(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0", cores='cores = 2\ntimeouts = "cell41"')
    system = read_system(path)
    assert system.timeouts == "cell41"
    assert not {"cell9", "cell41"} & {*system.cells}
    assert [part.system.timeouts for part in parts_of(system)] == ["cell9", "cell41"]
    found = plans_for_cores(system)
    assert first_releasers(found.plans) == [0, len(_releasers_of(found.plans[0])) + 1]
    text = generated_for_cores(found.system, found.plans).texts["hrl_gen_core_1.c"]
    assert re.search(r"HRLI_TIMEOUTS\(\d+, ", text)
    assert "HRLI_NO_TIMEOUTS" not in text
    own = 'cores = 2\ntimeouts = "cell41"\ncells = ["cell9", "cell40"]'
    said = refused(system_on(tmp_path, core="0", cores=own))
    assert 'timeouts: the cell "cell9" is among cells, and core 0 has it for time-outs' in said
    assert 'found:    "cell41", and each core has the cell at that place of its own' in said


def _releasers_of(plan: CorePlan) -> tuple[Releaser, ...]:
    assert plan.planned is not None
    return plan.planned.choice.releasers


def test_a_function_before_the_start(tmp_path: Path) -> None:
    said = refused(system_on(tmp_path, cores='cores = 2\nstart = "begin"'))
    assert "system.start: " in said
    (tmp_path / "begin.c").write_text("void begin(void) {}\n", encoding="utf-8")
    path = system_on(tmp_path, cores='cores = 2\nsources = ["begin.c"]\nstart = "begin"')
    system = read_system(path)
    assert system.start == "begin"
    parts = parts_of(on_cores(system, [0, 1, 0, 0, 0]))
    assert all(part.system.waits_elsewhere for part in parts)  # as its threads may


def test_a_guard_that_the_port_has_not(tmp_path: Path) -> None:
    said = refused(system_on(tmp_path, cores='cores = 2\nguard = "mpu"'))
    assert 'system.guard: the board "cells-x2" has no guard "mpu"' in said
    assert "expected: no guard, or a board with cpu = cortex-m3 or" in said


def test_more_work_than_the_cores_can_do(tmp_path: Path) -> None:
    path = changed(system_on(tmp_path, core="0"), "4_000", "300_000")
    said = refused(path)
    assert (
        "the utilisation of core 0 is 1.08" in said or "the utilisation of core 0 is 1.09" in said
    )
    assert "the largest shares: late" in said
    path = changed(system_on(tmp_path), "4_000", "700_000")
    said = refused(path)
    assert "on 2 cores" in said
    assert "expected: below 2" in said
    path = changed(system_on(tmp_path), "4_000", "600_000")  # together 2.16 + 0.02: too much, too
    assert "on 2 cores" in refused(path)
    path = changed(system_on(tmp_path), "4_000", "400_000")
    assert 1 < read_system(path).utilisation < 2
