# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Blocking by mutexes: what is read, what is refused, and no simulated response above its bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.tool.factory import make_system, make_task, ms

from horolog.model import HorologError, MutexKind, Place, PriorityRule, Resource
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of
from horolog.responses.mutexes import Section, blocking, links, tops

PLACE = Place("system.toml")


def section(
    user: int, mutex: str, low: int, high: int, held: int, inherits: bool = True
) -> Section:
    return Section(user, mutex, low, high, held, inherits)


def test_one_section_of_each_thread_and_of_each_mutex() -> None:
    sections = [
        section(1, "a", 1, 3, 5),
        section(1, "b", 1, 3, 7),
        section(2, "b", 2, 3, 4),
    ]
    assert blocking(sections, 3, nested=False) == 7 + 4
    assert blocking(sections, 2, nested=False) == 7
    assert blocking(sections, 4, nested=False) == 0, "no thread so urgent waits for them"
    assert blocking([*sections, section(0, "b", 0, 3, 9)], 3, nested=False) == 5 + 9
    assert blocking([*sections, section(0, "b", 0, 3, 9)], 3, nested=True) == 7 + 4 + 9


def test_of_mutexes_with_ceilings_one_section() -> None:
    sections = [
        section(1, "a", 1, 3, 5, inherits=False),
        section(2, "b", 2, 3, 4, inherits=False),
        section(0, "c", 0, 3, 2),
    ]
    assert blocking(sections, 3, nested=False) == 5 + 2


def test_what_waits_for_an_outer_mutex_makes_the_owner_of_the_inner_one_urgent() -> None:
    def mutex(name: str, tasks: tuple[int, ...], *within: str) -> Resource:
        return Resource(name, tasks, PLACE, (), MutexKind.INHERITANCE, within)

    mutexes = [
        mutex("inner", (0, 1), "middle"),
        mutex("middle", (1,), "outer"),
        mutex("outer", (1, 2)),
    ]
    assert tops(mutexes, {0: 1, 1: 2, 2: 7}) == {"inner": 7, "middle": 7, "outer": 7}
    assert tops([mutex("inner", (0, 1)), mutexes[2]], {0: 1, 1: 2, 2: 7}) == {
        "inner": 2,
        "outer": 7,
    }


def test_owners_that_a_call_raises_are_as_many_as_mutexes_lie_in_each_other() -> None:
    def mutex(name: str, *within: str) -> Resource:
        return Resource(name, (0, 1, 2, 3), PLACE, (), MutexKind.INHERITANCE, within)

    assert links([]) == 0
    assert links([mutex("a"), mutex("b")]) == 1
    assert links([mutex("c", "b"), mutex("b", "a"), mutex("a"), mutex("d", "a")]) == 3
    deep = [mutex("a"), *(mutex(chr(98 + at), chr(97 + at)) for at in range(9))]
    assert links(deep) == 3, "four threads, of which one waits"


def test_calls_of_mutexes_hold_off_threads_above_all_users(tmp_path: Path) -> None:
    """The kernel brings owners' levels up to date with dispatch held off, one after the other."""

    def blocked(mutexes: int) -> Fraction:
        tasks = "".join(
            f'\n[[task]]\nname = "t{at}"\nperiod = "40 ms"\nwork = 100\n' for at in range(7)
        )
        for at in range(mutexes):
            within = f'within = ["m{at - 1}"]\n' if at else ""
            tasks += (
                f'\n[[resource]]\nname = "m{at}"\ntasks = ["t{at}", "t{at + 1}"]\n'
                f'mutex = "inheritance"\nhold = "1 us"\n{within}'
            )
        path = tmp_path / "system.toml"
        path.write_text(TEXT + tasks, encoding="utf-8")
        system = read_system(path)
        found = analysis_of(system, plan(system).choice, read_prices(system.board))
        assert system.tasks[0].name == "a"
        return found.bounds[0].parts["blocking"]

    few, many = blocked(1), blocked(6)
    assert few >= 3 * 200 * ms("0.000032"), "before and behind an owner's update, and in it"
    assert many - few >= 5 * 200 * ms("0.000032"), (
        "of each owner more a section with interrupts off"
    )


TEXT = """[system]
name = "m"
board = "mps2-an385"
duration = "1 s"

[[task]]
name = "a"
period = "10 ms"
work = 1000

[[task]]
name = "b"
period = "20 ms"
work = 1000
"""
R = '\n[[resource]]\nname = "r"\ntasks = ["a", "b"]\nmutex = "inheritance"\n'
S = R.replace('"r"', '"s"')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            R + 'within = ["s"]\n' + S + 'within = ["r"]\n',
            [
                "system.toml:20:10: resource.r.within: resources are locked within each other in a cycle",
                '"r" within "s" within "r"',
                'found:    within = ["s"]',
                "expected: one order in which all threads lock them",
            ],
        ),
        (R + 'within = ["r"]\n', ['the resource "r" is locked within itself']),
        (R + 'within = ["t"]\n', ['resource.r.within[0]: there is no mutex "t"', "some of r"]),
        (R.replace('mutex = "inheritance"', 'within = ["r"]'), ['no mutex: the resource "r"']),
        (R.replace('"inheritance"', '"none"'), ["resource.r.mutex"]),
        (
            R.replace('mutex = "inheritance"\n', ""),
            ['expected: mutex = "inheritance" or "ceiling"'],
        ),
        (
            R + 'hold = "1 ms"\n',
            ['"r" is held for longer than a job of "a" lasts', "a WCET of 64 us"],
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: list[str]) -> None:
    path = tmp_path / "system.toml"
    path.write_text(TEXT + text, encoding="utf-8")
    with pytest.raises(HorologError) as caught:
        read_system(path)
    assert caught.value.exit == 2
    for words in said:
        assert words in str(caught.value)


def test_a_basic_task_waits_for_no_mutex(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(TEXT.replace('"b"\n', '"b"\nkind = "basic"\n', 1) + R, encoding="utf-8")
    with pytest.raises(HorologError, match='a basic task cannot wait for the mutex "r"'):
        read_system(path)


@dataclass
class Job:
    task: int
    release: int
    steps: list[tuple[int, tuple[str, ...]]]  # for so long, with these mutexes
    done: int = 0

    def now(self) -> tuple[str, ...]:
        at = self.done
        for length, mutexes in self.steps:
            if at < length:
                return mutexes
            at -= length
        raise AssertionError


class Processor:
    """Runs jobs, one step of time after the other; the smaller the number of a task, the more urgent.

    A job owns a mutex from its first step with it to its last. With `ceilings` an owner has these
    priorities, else it inherits.
    """

    def __init__(self, ceilings: dict[str, int] | None) -> None:
        self.ceilings = ceilings
        self.ready: list[Job] = []
        self.owner: dict[str, Job] = {}

    def blocker(self, job: Job) -> Job | None:
        taken = (self.owner.get(mutex) for mutex in job.now())
        return next((by for by in taken if by is not None and by is not job), None)

    def urgency(self, job: Job) -> int:
        if self.ceilings is not None:
            owned = (self.ceilings[mutex] for mutex, by in self.owner.items() if by is job)
            return min([job.task, *owned])
        waiting = [one for one in self.ready if self.blocker(one) is job]
        return min([job.task, *map(self.urgency, waiting)])

    def step(self) -> Job | None:
        """The job that ends with this step, if one does."""
        able = [one for one in self.ready if self.blocker(one) is None]
        if not able:
            return None
        first = min(able, key=lambda one: (self.urgency(one), one.done == 0, one.task, one.release))
        self.owner |= dict.fromkeys(first.now(), first)
        first.done += 1
        ended = first.done == sum(length for length, _ in first.steps)
        kept = () if ended else first.now()
        for mutex in [name for name, by in self.owner.items() if by is first and name not in kept]:
            del self.owner[mutex]
        if not ended:
            return None
        self.ready.remove(first)
        return first


def simulated(
    jobs: Sequence[Job], until: int, *, ceilings: dict[str, int] | None
) -> dict[int, int]:
    """The longest response of each task."""
    longest: dict[int, int] = {}
    processor = Processor(ceilings)
    for now in range(until):
        processor.ready += [one for one in jobs if one.release == now]
        ended = processor.step()
        if ended is not None:
            response = now + 1 - ended.release
            longest[ended.task] = max(longest.get(ended.task, 0), response)
    return longest


@pytest.mark.parametrize("seed", range(60))
def test_no_simulated_response_is_above_its_bound(seed: int) -> None:
    """Four threads and three mutexes; in a third of the seeds each is locked within the one before, too."""
    random = Random(seed)
    nested, ceiling = seed % 3 == 0, seed % 3 == 1
    names, periods = ("x", "y", "z"), (16, 20, 24, 30)
    steps: list[list[tuple[int, tuple[str, ...]]]] = []
    holds: dict[str, dict[int, int]] = {name: {} for name in names}
    for task in range(4):
        mine: list[tuple[int, tuple[str, ...]]] = [(1, ())]
        at = random.randrange(3)
        held = random.randint(1, 3)
        mine.append((held, (names[at],)))
        longest = held
        if nested and at < 2:
            inner = random.randint(1, 2)
            mine += [(inner, (names[at], names[at + 1])), (1, (names[at],))]
            longest += inner + 1
            holds[names[at + 1]][task] = inner
        holds[names[at]][task] = max(longest, holds[names[at]].get(task, 0))
        steps.append([*mine, (random.randint(0, 1), ())])
    used = [name for name in names if holds[name]]
    resources = tuple(
        Resource(
            name,
            tuple(sorted(holds[name])),
            PLACE,
            tuple(ms(holds[name][task]) for task in sorted(holds[name])),
            MutexKind.CEILING if ceiling else MutexKind.INHERITANCE,
            tuple(one for one in used if nested and names.index(one) == names.index(name) - 1),
        )
        for name in used
    )
    wcets = [sum(length for length, _ in of) for of in steps]
    system = make_system(
        tasks=[
            make_task(str(task), ms(periods[task]), wcet=ms(wcets[task]), priority=4 - task)
            for task in range(4)
        ],
        priorities=PriorityRule.EXPLICIT,
    )
    system = replace(system, resources=resources)
    bounds = {one.task: one.response for one in analysis_of(system, None, most=0).bounds}
    for _ in range(12):
        offsets = [random.randrange(periods[task]) for task in range(4)]
        jobs = [
            Job(task, release, [one for one in steps[task] if one[0]])
            for task in range(4)
            for release in range(offsets[task], 160, periods[task])
        ]
        tops_of = {name: min(holds[name]) for name in used}
        found = simulated(jobs, 240, ceilings=tops_of if ceiling else None)
        for task, response in found.items():
            bound = bounds[task]
            assert bound is None or ms(response) <= bound, (task, offsets, steps)
    assert any(bound is not None for bound in bounds.values())


def test_long_orders_of_mutexes_are_searched_once(tmp_path: Path) -> None:
    """Each within all before it has 2^39 ways outwards, and one within the other is 1,200 deep."""
    for many, back in ((40, 40), (1200, 1)):
        text = ""
        for at in range(many):
            within = ", ".join(f'"m{one}"' for one in range(max(0, at - back), at))
            text += R.replace('"r"', f'"m{at}"') + f"within = [{within}]\n"
        path = tmp_path / "system.toml"
        path.write_text(TEXT + text, encoding="utf-8")
        assert len(read_system(path).resources) == many
