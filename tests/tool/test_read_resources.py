# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks and what they share, as system.toml has them; and what is said where that cannot be."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from horolog.analyse import ceiling, of_threads
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
            '"slow"]',
            [
                'system.toml:26:9: resource.bus.tasks: no ceiling orders the users of the resource "bus"',
                "all are threads",
                "found:    1 user, and no basic task among them",
                "if threads alone use it",
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


def test_holds_of_all_users_and_of_each(tmp_path: Path) -> None:
    (bus,) = read(tmp_path, HEAD + TASKS + BUS).resources
    assert dict(bus.users) == dict.fromkeys(range(4))
    us = Fraction(1, 10**9)
    (bus,) = read(tmp_path, HEAD + TASKS + BUS + 'hold = "100 ns"\n').resources
    assert dict(bus.users) == dict.fromkeys(range(4), 100 * us)
    table = 'hold = { can = "100 ns", "can.1" = "50 ns" }\n'
    (bus,) = read(tmp_path, HEAD + TASKS + BUS + table).resources
    assert dict(bus.users) == {0: None, 1: 100 * us, 2: 50 * us, 3: 100 * us}


@pytest.mark.parametrize(
    ("hold", "texts"),
    [
        (
            'hold = "1 ms"',
            [
                'system.toml:27:8: resource.bus.hold: the resource "bus" is held for longer than a job of '
                '"quick" lasts',
                "found:    1 ms, with a WCET of 320 ns",
                "expected: at most 320 ns",
            ],
        ),
        (
            'hold = { can = "100 ns", quick = "321 ns" }',
            ["system.toml:27:34: resource.bus.hold.quick: ", "found:    321 ns, with a WCET"],
        ),
        (
            'hold = { slow = "100 ns" }',
            [
                'system.toml:27:10: resource.bus.hold.slow: "slow" is no user of the resource "bus"',
                "expected: some of quick and can",
            ],
        ),
        ('hold = { quik = "1 ns" }', ['"quik" is no user', 'did you mean "quick"?']),
        ('hold = "0 us"', ["resource.bus.hold: a duration of zero", "expected: more than zero"]),
        ('hold = { can = "0 us" }', ["resource.bus.hold.can: a duration of zero"]),
        ("hold = 5", ["resource.bus.hold: a duration needs a unit"]),
        ("hold = {}", ["resource.bus.hold: is empty"]),
    ],
)
def test_wrong_holds_are_refused(tmp_path: Path, hold: str, texts: list[str]) -> None:
    said = refused(tmp_path, HEAD + TASKS + BUS + hold + "\n")
    for one in texts:
        assert one in said


def test_a_thread_that_tasks_share_holds_as_long_as_one_of_them(tmp_path: Path) -> None:
    text = HEAD + TASKS + TASKS[TASKS.index('[[task]]\nname = "slow"') :].replace("slow", "late")
    text += (
        BUS.replace('can"]', 'can", "slow", "late"]')
        + 'hold = { slow = "50 ns", late = "80 ns" }\n'
    )
    system = read(tmp_path, text)
    (bus,) = of_threads(system).resources
    assert bus.users[-1] == (4, Fraction(80, 10**9))
    (bus,) = of_threads(read(tmp_path, text.replace('slow = "50 ns", ', ""))).resources
    assert bus.users[-1] == (4, None)


def test_forced_to_be_threads_they_have_no_ceiling(tmp_path: Path) -> None:
    said = refused(tmp_path, HEAD + TASKS + BUS, Kind.THREAD)
    assert "all are threads" in said


def test_threads_share_with_basic_tasks(tmp_path: Path) -> None:
    """The ceiling is that of the basic tasks: their levels are the controller's, not the threads'."""
    system = read(tmp_path, HEAD + TASKS + BUS.replace('"quick", ', '"slow", '))
    (bus,) = system.resources
    assert [system.tasks[index].name for index in bus.tasks] == ["can.0", "can.1", "can.2", "slow"]
    assert ceiling(system, bus) == 1
    assert system.uses_services, "no other kernel has resources"


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


def test_below_a_thread_the_ceiling_is_the_dispatchs(tmp_path: Path) -> None:
    """Their levels are the threads': a controller knows nothing of them."""
    text = EXPLICIT + basic(25, "thread") + basic(16) + basic(10)
    text += '[[resource]]\nname = "bus"\ntasks = ["basic16", "basic10"]\n'
    system = read(tmp_path, text)
    assert ceiling(system, system.resources[0]) == 1
    host = read(tmp_path, text.replace("mps2-an385", "host"))
    assert ceiling(host, host.resources[0]) == 16


def test_a_thread_above_the_basic_users_has_no_ceiling(tmp_path: Path) -> None:
    bus = '[[resource]]\nname = "bus"\ntasks = ["thread5", "basic3"]\n'
    said = refused(tmp_path, EXPLICIT + basic(5, "thread") + basic(3) + bus)
    assert "thread5, a thread, is above basic3, the most urgent basic task" in said
    assert "found:    priorities 5 and 3" in said
    below = EXPLICIT + basic(2, "thread") + basic(3) + bus.replace("thread5", "thread2")
    assert len(read(tmp_path, below).resources) == 1


def test_limits_and_early_ends(tmp_path: Path) -> None:
    text = HEAD + TASKS.replace('"basic"\n', '"basic"\nactivations = 3\nterminates = true\n', 1)
    system = read(tmp_path, text)
    assert [(task.limit, task.terminates) for task in system.tasks[:2]] == [(3, True), (1, False)]
    assert [task.is_general for task in system.tasks[:2]] == [True, False]
    assert system.uses_services, "no other kernel ends a job early"
    late = read(tmp_path, text.replace("activations = 3", 'overrun = "queue"'))
    assert late.tasks[0].limit == 65_535


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        (
            "activations = 3",
            [
                "system.toml:23:15: task.slow.activations: a limit of unfinished jobs is for basic",
                'tasks, which the task "slow" is not',
                "found:    activations = 3",
                'expected: kind = "basic"; or overrun = "queue"',
            ],
        ),
        (
            "terminates = true",
            [
                "system.toml:23:14: task.slow.terminates: an early end is for basic tasks",
                "found:    terminates = true",
                'expected: kind = "basic"',
            ],
        ),
        ("activations = 0", ["task.slow.activations: too small", "found:    0", "1 or more"]),
        ("activations = 65_536", ["too large", "found:    65536", "65535 or less"]),
        ('activations = "3"', ["wrong type", "a whole number"]),
        ("terminates = 1", ["wrong type", "true or false"]),
        (
            'kind = "basic"\nactivations = 1\noverrun = "queue"',
            [
                "task.slow.activations: ",
                "contradicts its overrun",
                'found:    activations = 1 and overrun = "queue"',
                'expected: overrun = "skip", or activations = 2 or more, or one of the two keys',
            ],
        ),
        (
            'kind = "basic"\nactivations = 2\noverrun = "skip"',
            ['found:    activations = 2 and overrun = "skip"', "activations = 1"],
        ),
    ],
)
def test_wrong_limits_and_ends_are_refused(tmp_path: Path, key: str, texts: list[str]) -> None:
    said = refused(tmp_path, HEAD + TASKS + key + "\n")
    for one in texts:
        assert one in said


def test_more_levels_than_the_controller_has(tmp_path: Path) -> None:
    ten = "".join(basic(priority) for priority in range(10, 20))
    said = refused(tmp_path, EXPLICIT + ten)
    assert 'the controller of the board "mps2-an385" has 8 levels' in said
    assert "and 10 are needed" in said
    assert "priorities 19 and 18 as 8; 17 as 7; 16 as 6; 15 as 5; 14 and 13 as 4" in said
    below = ten + basic(12, "thread")  # what is not above a thread takes no level of the controller
    assert len(read(tmp_path, EXPLICIT + below).basic) == 10


def test_priorities_above_the_boards_that_are_counted_are_not_reported_again(
    tmp_path: Path,
) -> None:
    forty = "".join(basic(priority) for priority in range(1, 41))
    said = refused(tmp_path, EXPLICIT.replace("mps2-an385", "ibex-cells") + forty)
    assert "has 30 levels for basic tasks, and 40 are needed" in said
    assert "priorities 40 and 39 as 30; 38 as 29" in said
    assert "priority levels" not in said
    few = "".join(basic(priority) for priority in (1, 40))
    said = refused(tmp_path, EXPLICIT.replace("mps2-an385", "ibex-cells") + few)
    assert 'task.basic40.priority: the board "ibex-cells" has 31 priority levels' in said


def test_releases_are_limited_of_tasks_of_one_kind(tmp_path: Path) -> None:
    text = HEAD.replace('"2 s"', '"2 s"\nreleases = 5')
    said = refused(tmp_path, text + TASKS)
    assert "system.releases: the task" in said
    assert "only if all tasks are of one kind" in said
    assert read(tmp_path, text + basic(1).replace("priority = 1\n", "")).releases == 5


SPUN = """
[[resource]]
name = "bus"
tasks = ["can", "slow"]
spin = true
hold = { can = "100 ns", slow = "50 ns", "can.1" = "80 ns" }
requests = { slow = 3, can = 2 }
"""


def test_resources_for_which_cores_spin(tmp_path: Path) -> None:
    (bus,) = read(tmp_path, HEAD + TASKS + SPUN).resources
    assert (bus.spin, bus.has_ceiling, bus.elsewhere) == (True, False, ())
    ns = Fraction(1, 10**9)
    assert dict(bus.users) == {1: 100 * ns, 2: 80 * ns, 3: 100 * ns, 4: 50 * ns}
    assert [bus.requests_of(task) for task in range(5)] == [1, 2, 2, 2, 3]
    text = SPUN.replace("requests = { slow = 3, can = 2 }", "requests = 4")
    assert read(tmp_path, HEAD + TASKS + text).resources[0].requests == (4, 4, 4, 4)
    (threads,) = read(tmp_path, HEAD + TASKS + SPUN, Kind.THREAD).resources
    assert threads.spin, "threads alone may use it"


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            "spin = true\n",
            "spin = false\n",
            [
                "system.toml:29:12: resource.bus.requests: how often a job takes the resource",
                "found:    requests, and no spin",
                "expected: spin = true, if tasks of several cores use it; or no requests",
            ],
        ),
        (
            "spin = true\n",
            'spin = true\nmutex = "ceiling"\n',
            [
                'resource.bus.spin: the resource "bus" is a mutex',
                'found:    spin = true, and mutex = "ceiling"',
                "expected: one of the two",
            ],
        ),
        (
            'hold = { can = "100 ns", slow = "50 ns", "can.1" = "80 ns" }\n',
            "",
            ['resource.bus.spin: for how long "can" holds', "no hold of can and slow", 'hold = "..."'],
        ),
        (' slow = "50 ns",', "", ['resource.bus.hold: for how long "slow" holds', "no hold of slow"]),
        ("slow = 3", "quick = 3", ['requests.quick: "quick" is no user', "some of can and slow"]),
        ("slow = 3", "slow = 0", ["resource.bus.requests.slow: too small", "1 or more"]),
        ("requests = {", 'within = ["bus"]\nrequests = {', ['no mutex: the resource "bus"']),
        ('"50 ns"', '"400 ns"', ['"bus" is held for longer than a job of "slow" lasts']),
    ],
)  # fmt: skip
def test_what_spinning_needs(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    assert old in SPUN
    said = refused(tmp_path, HEAD + TASKS + SPUN.replace(old, new))
    for one in texts:
        assert one in said


def test_a_resource_is_not_held_across_a_wait(tmp_path: Path) -> None:
    mutex = (
        '[[resource]]\nname = "disk"\ntasks = ["slow"]\nmutex = "inheritance"\nwithin = ["bus"]\n'
    )
    said = refused(tmp_path, HEAD + TASKS + BUS + mutex)
    assert (
        'system.toml:31:11: resource.disk.within[0]: the resource "bus" would be held across a wait'
        in said
    )
    assert 'a thread waits for the mutex "disk" while another owns it' in said
    assert 'found:    "bus", which is no mutex' in said
    assert 'expected: "bus" taken and given back while a thread owns "disk"' in said
    assert 'the resource "bus" would be held' in refused(tmp_path, HEAD + TASKS + SPUN + mutex)
    assert "is held for longer" not in said


@pytest.mark.parametrize(
    ("hold", "waits", "wrong"),
    [("1 us", "true", True), ("1 us", "false", False), ("900 ns", "true", False)],
)
def test_a_job_that_waits_has_given_it_back(
    tmp_path: Path, hold: str, waits: str, wrong: bool
) -> None:
    (tmp_path / "bodies.c").write_text("void slow(void) {}\n", encoding="utf-8")
    head = HEAD + 'sources = ["bodies.c"]\n'
    tasks = TASKS.replace(
        '"20 ms"\nwork = 5', f'"20 ms"\nbody = "slow"\nwcet = "1 us"\nwaits = {waits}'
    )
    text = (
        head
        + tasks
        + BUS.replace('"can"', '"slow"')
        + f'hold = {{ quick = "1 ns", slow = "{hold}" }}\n'
    )
    if not wrong:
        read(tmp_path, text)
        return
    said = refused(tmp_path, text)
    assert 'resource.bus.hold.slow: the resource "bus" is held across a wait' in said
    assert "found:    1 us, its WCET, with waits = true" in said
    assert (
        "expected: less than the WCET: it is given back before each wait; or waits = false" in said
    )
