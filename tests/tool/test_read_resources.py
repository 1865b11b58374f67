# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks and what they share, as system.toml has them; and what is said where that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.model import HorologError, Kind, System
from horolog.read import read_system

HEAD = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
"""
TASKS = """
[[task]]
name = "quick"
period = "1 ms"
work = 5
kind = "basic"

[[task_group]]
name = "can"
tasks = 3
period = "10 ms"
work = 5
kind = "basic"

[[task]]
name = "slow"
period = "20 ms"
work = 5
"""
BUS = """
[[resource]]
name = "bus"
tasks = ["quick", "can"]
"""


def read(folder: Path, text: str, kind: Kind | None = None) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, kind=kind)


def refused(folder: Path, text: str, kind: Kind | None = None) -> str:
    with pytest.raises(HorologError) as caught:
        read(folder, text, kind)
    assert caught.value.exit == 2
    return str(caught.value).replace(f"{folder}/", "")


def test_kinds_and_resources(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + TASKS + BUS)
    assert system.basic == (0, 1, 2, 3)
    (bus,) = system.resources
    assert (bus.name, bus.tasks) == ("bus", (0, 1, 2, 3))
    assert bus.place.line == 26


def test_a_kind_can_be_forced(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD + TASKS, Kind.BASIC).basic == (0, 1, 2, 3, 4)
    assert read(tmp_path, HEAD + TASKS, Kind.THREAD).basic == ()


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            '"quick", "can"]',
            '"quik", "can"]',
            [
                'system.toml:26:10: resource.bus.tasks[0]: there is no task "quik"; did you mean "quick"?',
                'found:    "quik"',
                "expected: some of quick, can and slow",
            ],
        ),
        ('"quick", "can"]', "]", ["resource.bus.tasks: is empty", "at least one"]),
        ('"quick", "can"]', '"can", "can"]', ['the task "can" is listed twice']),
        ('"bus"', '"a bus"', ["resource.a bus.name: not a name", "C function or symbol"]),
        (BUS, BUS + BUS, ['the resource name "bus" is taken']),
        (
            '"quick", "can"]',
            '"quick", "slow"]',
            [
                'system.toml:26:9: resource.bus.tasks: no ceiling orders the users of the resource "bus"',
                "slow is a thread",
                "found:    1 thread among 2 users",
                "threads share by a mutex",
            ],
        ),
    ],
)
def test_wrong_resources_are_refused(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    text = HEAD + TASKS + BUS
    assert old in text
    said = refused(tmp_path, text.replace(old, new))
    for one in texts:
        assert one in said


def test_forced_to_be_threads_they_have_no_ceiling(tmp_path: Path) -> None:
    said = refused(tmp_path, HEAD + TASKS + BUS, Kind.THREAD)
    assert "quick is a thread" in said


def basic(priority: int, kind: str = "basic") -> str:
    return (
        f'[[task]]\nname = "{kind}{priority}"\nperiod = "10 ms"\nwork = 5\nkind = "{kind}"\n'
        f"priority = {priority}\n"
    )


EXPLICIT = HEAD + 'priorities = "explicit"\n'


def test_interleaved_users_have_no_ceiling(tmp_path: Path) -> None:
    text = EXPLICIT + basic(9) + basic(5, "thread") + basic(3)
    text += '[[resource]]\nname = "bus"\ntasks = ["basic9", "basic3"]\n'
    said = refused(tmp_path, text)
    assert "basic9 and basic3 have different dispatchers" in said
    assert "less urgent than a thread" in said


def test_more_levels_than_the_controller_has(tmp_path: Path) -> None:
    ten = "".join(basic(priority) for priority in range(10, 20))
    said = refused(tmp_path, EXPLICIT + ten)
    assert 'the controller of the board "mps2-an385" has 8 levels' in said
    assert "and 10 are needed" in said
    assert "priorities 19 and 18 as 8; 17 as 7; 16 as 6; 15 as 5; 14 and 13 as 4" in said
    below = ten + basic(12, "thread")  # what is not above a thread takes no level of the controller
    assert len(read(tmp_path, EXPLICIT + below).basic) == 10


def test_a_basic_task_cannot_stop(tmp_path: Path) -> None:
    text = HEAD.replace('"2 s"', '"2 s"\nreleases = 5')
    said = refused(tmp_path, text + TASKS)
    assert "system.releases: the task" in said
    assert "cannot wait for ever" in said
