# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Cores of interrupts and of the tasks that something activates: said, taken over, refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tool.core_boards import system_on

from horolog.divide import divided
from horolog.model import HorologError, System, parts_of, undivided
from horolog.read import read_system

INTERRUPT = """
[[interrupt]]
name = "{name}"
line = {line}
priority = 2
min_gap = "2 ms"
work = 20
"""
TASK = """
[[task]]
name = "{name}"
min_gap = "2 ms"
activated_by = "{by}"
work = 50
priority = {priority}
"""
NOTE = """
[[task]]
name = "note"
activated_by = "task {by}"
work = 10
priority = 1
"""


def described(folder: Path, more: str, *, cores: str = "cores = 2", core: str = "1") -> Path:
    """The system with explicit priorities; behind it `more`."""
    cores = f'priorities = "explicit"\n{cores}'
    path = system_on(folder, cores=cores, core=core, more=more)
    text = path.read_text(encoding="utf-8")
    for at, work in enumerate(("500", "5_000", "4_000")):
        text = text.replace(f"work = {work}\n", f"work = {work}\npriority = {5 - at}\n", 1)
    path.write_text(text, encoding="utf-8")
    return path


def both(core: str = "", *, of_task: str = "") -> str:
    """An interrupt with `core`, a task that it activates, `of_task`, and one behind that."""
    interrupt = INTERRUPT.format(name="bell", line=29) + core
    task = TASK.format(name="open", by="interrupt bell", priority=2) + of_task
    return interrupt + "\n" + task + "\n" + NOTE.format(by="open")


def refused(path: Path) -> str:
    with pytest.raises(HorologError) as caught:
        read_system(path)
    return str(caught.value)


def cores_in(system: System) -> tuple[list[int | None], list[int | None]]:
    """Of the activated tasks, and of the interrupts."""
    return [one.task.core for one in system.sporadic], [one.core for one in system.interrupts]


@pytest.mark.parametrize(
    ("core", "of_task"), [("core = 1", ""), ("", "core = 1"), ("core = 1",) * 2]
)
def test_what_does_not_say_is_where_the_other_is(tmp_path: Path, core: str, of_task: str) -> None:
    system = read_system(described(tmp_path, both(core, of_task=of_task)))
    assert cores_in(system) == ([1, 1], [1])
    first, second = parts_of(system)
    assert (first.tasks, first.jobs, first.system.interrupts) == ((0,), (0,), ())
    assert (second.tasks, second.jobs) == ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7))
    opens, note = second.system.sporadic
    assert (opens.interrupt, opens.after, note.interrupt, note.after) == (0, None, None, 4)
    assert second.system.job(5) == 6
    assert first.system.waits_elsewhere


def test_an_interrupt_that_activates_nothing(tmp_path: Path) -> None:
    bell = INTERRUPT.format(name="bell", line=29)
    said = refused(described(tmp_path, bell))
    assert 'interrupt.bell: the interrupt "bell" does not say on which of 2 cores it runs' in said
    assert said.endswith("expected: core = 0 to 1")
    system = read_system(described(tmp_path, bell + "core = 1\n"))
    assert [len(part.system.interrupts) for part in parts_of(system)] == [0, 1]
    assert [part.jobs for part in parts_of(system)] == [(0,), (1, 2, 3, 4, 5)]
    cores = 'cores = 2\ncore = "auto"'
    assert cores_in(read_system(described(tmp_path, bell, cores=cores)))[1] == [0]
    one = described(tmp_path, bell, cores="cores = 1", core="0")
    one.write_text(one.read_text(encoding="utf-8").replace("core = 1\n", ""), encoding="utf-8")
    assert cores_in(read_system(one))[1] == [0]


def test_a_task_that_the_application_activates_has_to_say(tmp_path: Path) -> None:
    alone = '[[task]]\nname = "keep"\nmin_gap = "9 ms"\nwork = 5\npriority = 1\n'
    said = refused(described(tmp_path, alone))
    assert 'the task "keep" does not say on which of 2 cores it runs' in said
    assert 'expected: core = 0 to 1, or core = "auto", here or in [system]' in said
    system = read_system(described(tmp_path, alone + "core = 0\n"))
    assert cores_in(system)[0] == [0]


@pytest.mark.parametrize("table", ["interrupt", "task"])
def test_cores_that_there_are_not(tmp_path: Path, table: str) -> None:
    core, of_task = ("core = 2", "") if table == "interrupt" else ("", "core = 2")
    said = refused(described(tmp_path, both(core, of_task=of_task)))
    assert "core: there is no core 2" in said
    assert "found:    core = 2, with 2 cores" in said
    assert "expected: 0 to 1" in said
    one = described(tmp_path, both(core, of_task=of_task), cores="cores = 1", core="0")
    assert "expected: 0, or no core; or cores = N in [system]" in refused(one)


def test_activations_of_another_core(tmp_path: Path) -> None:
    said = refused(described(tmp_path, both("core = 0", of_task="core = 1")))
    assert 'task.open.activated_by: the task "open" of core 1 is activated on core 0' in said
    assert 'found:    the interrupt "bell", which is on core 0' in said
    assert "expected: one core for both, as core = 0 here" in said
    assert "hrl_semaphore_give(&activate_open)" in said
    note = NOTE.format(by="fast") + "core = 1\n"
    said = refused(described(tmp_path, note))
    assert 'the task "note" of core 1 is activated on core 0' in said
    assert 'found:    the task "fast", which is on core 0' in said


AUTO = 'cores = 2\ncore = "auto"'


def test_the_plan_keeps_them_together(tmp_path: Path) -> None:
    alone = '[[task]]\nname = "keep"\nmin_gap = "9 ms"\nwork = 5\npriority = 1\n'
    system = read_system(described(tmp_path, both() + alone, cores=AUTO, core='"auto"'))
    assert cores_in(system) == ([None, None, None], [None])
    assert undivided(system) == (2, 3, 4, 5, 6, 7)  # "fast" and "slow" have one
    found = divided(system)
    of_open, of_note, of_keep = (one.task.core for one in found.system.sporadic)
    assert of_open == of_note
    assert of_keep is not None
    parts = parts_of(found.system)
    assert sorted(len(part.system.interrupts) for part in parts) == [0, 1]
    by_slack = divided(system, objective="slack")
    assert by_slack.how == "so that the cores have equally much to do"
    assert [len(part.tasks) for part in parts_of(by_slack.system)] == [6, 2]


def test_without_wcets_they_go_where_time_releases_some(tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text("void late(void) {}\n", encoding="utf-8")
    cores = AUTO + '\nsources = ["b.c"]'
    path = described(tmp_path, both(), cores=cores, core="1")
    text = path.read_text(encoding="utf-8").replace("work = 4_000", 'body = "late"')
    path.write_text(text.replace("core = 0\n", "core = 1\n"), encoding="utf-8")
    found = divided(read_system(path))
    assert found.how == "by the utilisation that is known, as WCETs are missing"
    assert [one.task.core for one in found.system.sporadic] == [1, 1]


def test_a_core_with_activated_tasks_alone(tmp_path: Path) -> None:
    path = described(tmp_path, both("core = 1"), core="0")
    text = path.read_text(encoding="utf-8").replace(
        "priority = 4\ncore = 1", "priority = 4\ncore = 0"
    )
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    with pytest.raises(HorologError) as caught:
        divided(system)
    assert "core 1 has no task that time releases" in str(caught.value)
    assert "expected: a task with a period on that core, too" in str(caught.value)
