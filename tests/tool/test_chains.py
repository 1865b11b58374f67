# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Chains: bounds of reaction time and data age beside schedules step by step; and what is refused."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.tool.factory import ms

from horolog.model import HorologError, Kind, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of, chains_of, refuse_chains
from horolog.schedulability import (
    Demand,
    End,
    Link,
    Source,
    age_bound,
    reaction_bound,
    window_bounds,
)

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

_LENGTH = 600


def drawn(random: Random, activated: float = 0) -> list[Source]:
    """Tasks of levels of their own, which meet their deadlines, in the order of a chain.

    So many are activated by the one before: they have no offset.
    """
    while True:
        levels = random.sample(range(9), random.randint(2, 5))
        sources: list[Source] = []
        for at, level in enumerate(levels):
            is_activated = at > 0 and random.random() < activated
            period = random.choice((5, 7, 10, 14, 20, 30))
            period = sources[-1].period if is_activated else period
            cost = random.randint(1, max(1, period // len(levels)))
            ends = (End(at, cost, period),)
            offset = None if is_activated else random.randrange(period)
            sources.append(Source(f"t{at}", level, period, cost, offset=offset, ends=ends))
        if all(one.holds for one in window_bounds(Demand(tuple(sources), {}))):
            return sources


def schedule(sources: list[Source], random: Random) -> list[list[tuple[int, int, int]]]:
    """(release, start, end) of each job of each source; jobs take any time up to their longest."""
    jobs: list[list[tuple[int, int, int]]] = [[] for _ in sources]
    left: list[list[tuple[int, int]]] = [[] for _ in sources]  # (release, time left)
    starts: dict[int, int] = {}
    for now in range(_LENGTH):
        for at, one in enumerate(sources):
            if one.offset is None:
                continue
            if now >= one.offset and (now - one.offset) % one.period == 0:
                took = one.cost if random.random() < 0.7 else random.randint(1, one.cost)
                left[at].append((now, took))
        ready = [at for at in range(len(sources)) if left[at]]
        if not ready:
            continue
        at = max(ready, key=lambda one: sources[one].level)
        starts.setdefault(at, now)
        release, rest = left[at][0]
        left[at][0] = (release, rest - 1)
        if rest == 1:
            jobs[at].append((release, starts.pop(at), now + 1))
            left[at].pop(0)
            if at + 1 < len(sources) and sources[at + 1].offset is None:
                left[at + 1].append((now + 1, random.randint(1, sources[at + 1].cost)))
    return jobs


def reactions(jobs: list[list[tuple[int, int, int]]]) -> list[int]:
    """From just after each job of the first task has read, to the end of the first output after the next."""
    found = []
    for before, first in zip(jobs[0], jobs[0][1:], strict=False):
        end: int | None = first[2]
        for of in jobs[1:]:
            end = next((job[2] for job in of if end is not None and job[1] >= end), None)
        if end is not None:
            found.append(end - before[1])
    return found


def ages(jobs: list[list[tuple[int, int, int]]]) -> list[int]:
    """From the release behind each output's data to its end."""
    found = []
    for last in jobs[-1]:
        job: tuple[int, int, int] | None = last
        for of in reversed(jobs[:-1]):
            written = [one for one in of if job is not None and one[2] <= job[1]]
            job = written[-1] if written else None
        if job is not None:
            found.append(last[2] - job[0])
    return found


def links_of(sources: list[Source]) -> list[Link]:
    bounds = window_bounds(Demand(tuple(sources), {}))
    return [
        Link(
            one.period,
            bounds[at].response or 0,
            ahead=one.offset is not None
            and at + 1 < len(sources)
            and one.level > sources[at + 1].level,
            activates=at + 1 < len(sources) and sources[at + 1].offset is None,
        )
        for at, one in enumerate(sources)
    ]


@pytest.mark.parametrize("activated", [0, 0.6])
def test_no_schedule_reacts_later_or_has_older_data(activated: float) -> None:
    """300 systems with phases and execution times drawn; some come within a tenth of each bound."""
    random, nearest = Random(20), {"reaction": 0.0, "age": 0.0}
    for _ in range(300):
        sources = drawn(random, activated)
        links = links_of(sources)
        jobs = schedule(sources, random)
        for name, seen, bound in (
            ("reaction", reactions(jobs), reaction_bound(links)),
            ("age", ages(jobs), age_bound(links)),
        ):
            assert bound is not None
            assert max(seen) <= bound, (name, sources)
            nearest[name] = max(nearest[name], max(seen) / bound)
    assert min(nearest.values()) > 0.9


def test_the_bounds_by_hand() -> None:
    two = [Link(10, 3, early=1), Link(20, 5, early=1)]
    assert reaction_bound(two) == 1 + 10 + (3 + 1 + 20) + 5
    assert age_bound(two) == 1 + (10 + 3 + 1) + 5
    ahead = [Link(10, 3, ahead=True), two[1]]
    assert (reaction_bound(ahead), age_bound(ahead)) == (10 + 20 + 5, 10 + 5)
    late = [Link(10, 11), Link(20, 5)]
    assert (reaction_bound(late), age_bound(late)) == (None, None)


TASKS = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"

[[task]]
name = "sense"
period = "5 ms"
work = 5000

[[task_group]]
name = "can"
tasks = 2
period = "10 ms"
work = 5000

[[task]]
name = "act"
period = "20 ms"
work = 5000
"""
CHAIN = """
[[chain]]
name = "loop"
tasks = ["sense", "can.1", "act"]
deadline = "40 ms"
"""
PRIORITIES = {"sense": 9, "can": 7, "act": 2}
ACTIVATED = TASKS.replace('"2 s"', '"2 s"\npriorities = "explicit"')
for _name, _priority in PRIORITIES.items():
    ACTIVATED = ACTIVATED.replace(f'"{_name}"', f'"{_name}"\npriority = {_priority}')
for _name, _by, _priority in (("filter", "sense", 5), ("send", "filter", 4), ("byte", None, 3)):
    _activated = f'activated_by = "task {_by}"' if _by else 'min_gap = "10 ms"'
    ACTIVATED += f"""
[[task]]
name = "{_name}"
{_activated}
work = 5000
priority = {_priority}
"""


def read(folder: Path, text: str, kind: Kind | None = None) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, kind=kind)


def test_a_chain_of_a_system_with_and_without_a_plan(tmp_path: Path) -> None:
    system = read(tmp_path, TASKS + CHAIN)
    assert system.chains[0].tasks == (0, 2, 3)
    found = analysis_of(system, None)
    (ideal,) = chains_of(system, None, found)
    last = found.bounds[3].response
    assert last is not None
    assert ideal.reaction == ms(5) + ms(10) + ms(20) + last
    assert ideal.age == ms(5) + ms(10) + last
    for mechanism in ("tick", "chronos"):
        chosen = plan(system, mechanism=mechanism).choice
        bounds = analysis_of(system, chosen, read_prices(system.board))
        (one,) = chains_of(system, chosen, bounds)
        assert one.reaction is not None
        assert one.reaction > ideal.reaction
        same = len(chosen.releasers) == 1
        assert (one.reaction < ideal.reaction + ms("0.1")) == same, "cells apart: no order is known"


def test_a_chain_by_activation_and_by_data(tmp_path: Path) -> None:
    """sense activates filter and that send; act, with a period, reads what send has written."""
    text = ACTIVATED + CHAIN.replace('"can.1"', '"filter", "send"') + 'max_age = "40 ms"\n'
    only = CHAIN.replace('"can.1", "act"', '"filter"').replace("loop", "part")
    only += 'by = "activation"\nmax_age = "9 ms"\n'
    event = CHAIN.replace('"sense", "can.1"', '"byte"').replace("loop", "event")
    system = read(tmp_path, text + only + event)
    found = analysis_of(system, None)
    of = {system.all_tasks[one.task].name: one.response or ms(0) for one in found.bounds}
    bodies = of["sense"] + of["filter"] + of["send"]
    whole, part, first = chains_of(system, None, found)
    assert whole.reaction == ms(5) + bodies + ms(20) + of["act"]
    assert whole.age == bodies + ms(5) + of["act"]
    assert part.reaction == ms(5) + of["sense"] + of["filter"]
    assert part.age == of["sense"] + of["filter"]
    assert (first.reaction, first.age) == (of["byte"] + ms(20) + of["act"], None)
    chosen = plan(system).choice
    planned = analysis_of(system, chosen, read_prices(system.board))
    for one, ideal in zip(chains_of(system, chosen, planned), (whole, part, first), strict=True):
        assert one.holds
        assert one.reaction is not None
        assert ideal.reaction is not None
        assert 0 < one.reaction - ideal.reaction < ms("0.5")


def test_a_limit_that_is_passed_is_told(tmp_path: Path) -> None:
    system = read(tmp_path, TASKS + CHAIN + 'max_age = "15 ms"\n')
    (one,) = chains_of(system, None, analysis_of(system, None))
    assert one.slack is not None
    assert not one.holds
    with pytest.raises(HorologError, match="the data age of the chain") as e:
        refuse_chains(system, (one,))
    assert e.value.exit == 1
    assert 'of the chain "loop" may be 16.280 ms' in str(e.value)
    assert e.value.found == "sense -> can.1 -> act"
    assert str(e.value.expected).startswith("at most 15.000 ms")


def test_the_command_shows_chains(workshop: Workshop) -> None:
    chain = '\n[[chain]]\nname = "loop"\ntasks = ["fast", "slow"]\ndeadline = "%s"\n'
    path = str(workshop.write(workshop.text + chain % "1 s"))
    (one,) = workshop.run("analyse", path, "--json").object["chains"]
    assert one["name"] == "loop"
    assert one["holds"]
    assert one["slack_ns"] == one["deadline_ns"] - one["reaction_ns"]
    assert "loop" in workshop.run("analyse", path).out
    workshop.write(workshop.text + chain % "1 ms")
    said = workshop.run("analyse", path)
    assert said.code == 1
    assert 'the reaction time of the chain "loop" may be' in said.err


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            '"sense", "can.1", "act"',
            '"sense"',
            [
                'system.toml:46:9: chain.loop.tasks: the chain "loop" has no second task',
                'found:    tasks = ["sense"]',
            ],
        ),
        ('"can.1"', '"cam.1"', ['there is no task "cam.1"; did you mean "can.1"?']),
        ('"can.1"', '"can"', ['a chain goes from task to task, and there is no task "can"']),
        ('"can.1"', '"sense"', ['the task "sense" is listed twice']),
        (
            'deadline = "40 ms"',
            "",
            ['nothing limits the chain "loop"', "found:    neither deadline nor max_age"],
        ),
        (
            'deadline = "40 ms"',
            'deadline = "40 ms"\nby = "activation"',
            [
                'system.toml:48:6: chain.loop.by: in the chain "loop" no task activates the next one',
                'found:    "can.1", which is released by time and not by "sense"',
                'expected: by = "data"',
            ],
        ),
        (
            '"sense", "can.1"',
            '"sense", "send"',
            [
                'system.toml:46:19: chain.loop.tasks[1]: the chain "loop" goes through tasks that never meet',
                'found:    "send", which is activated by task filter, behind "sense"',
                'expected: "send" as the first task, or directly behind "filter"',
            ],
        ),
        (
            '"sense", "can.1"',
            '"sense", "byte"',
            [
                'found:    "byte", which is activated by the application, behind "sense"',
                'expected: "byte" as the first task, or one with a period in its place',
            ],
        ),
        (
            '"sense", "can.1", "act"]',
            '"byte", "act"]\nmax_age = "30 ms"',
            [
                "chain.loop.max_age: nothing bounds the age of data",
                'found:    "byte", which time does not release, in front of "act", which it does',
            ],
        ),
        (
            '"sense", "can.1", "act"]',
            '"sense", "filter", "act"]\nby = "activation"',
            ['found:    "act", which is released by time and not by "filter"'],
        ),
        ('deadline = "40 ms"', 'deadline = "0 ms"', ["chain.loop.deadline: a duration of zero"]),
        (CHAIN, CHAIN + CHAIN, ['the chain name "loop" is taken']),
    ],
)
def test_wrong_chains_are_refused(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    assert old in CHAIN
    with pytest.raises(HorologError) as caught:
        read(tmp_path, ACTIVATED + CHAIN.replace(old, new))
    assert caught.value.exit == 2
    for one in texts:
        assert one in str(caught.value)


def test_every_verdict_names_a_chain_above_its_limit(workshop: Workshop) -> None:
    """Two tasks hold; their chain takes a period and a response of each at least, more than 1 ms."""
    chain = '\n[[chain]]\nname = "loop"\ntasks = ["fast", "slow"]\ndeadline = "%s"\n'
    path = str(workshop.write(workshop.text + chain % "1 ms"))
    words = 'the reaction time of the chain "loop" is not proved: it may be'
    for command in ("check", "plan"):
        said = workshop.run(command, path)
        assert said.code == 0
        assert words in said.out
        deadlines = workshop.run(command, path, "--json").object["deadlines"]
        assert deadlines["hold"] is False
        assert words in deadlines["verdict"]
    data = workshop.run("analyse", path, "--json", "--no-way-out").object
    assert data["holds"] is False
    assert words in data["verdict"]
    workshop.write(workshop.text + chain % "1 s")
    for command in ("check", "plan", "analyse"):
        assert "all 2 deadlines and the chain hold" in workshop.run(command, path).out
