# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tasks that the end of another task's job activates: what is read, refused and generated; their bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.tool.factory import ms

from horolog.emit import generate
from horolog.model import HorologError, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of
from horolog.responses.kernel import MASKED_STEPS
from horolog.schedulability import Demand, End, Source, response_bounds, window_bounds

HEAD = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
priorities = "explicit"

[[task]]
name = "sense"
period = "10 ms"
wcet = "4 ms"
work = 5000
priority = 5
"""
FILTER = """
[[task]]
name = "filter"
activated_by = "task sense"
work = 3000
wcet = "2 ms"
priority = 9
"""
SEND = """
[[task]]
name = "send"
activated_by = "task filter"
work = 3000
priority = 2
"""


def read(folder: Path, text: str) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def task(number: int, level: int, period: int, cost: int) -> Source:
    return Source(f"t{number}", level, period, cost, ends=(End(number, cost, period),))


# The description


def test_its_gap_is_the_period_of_what_activates_it(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + FILTER + SEND)
    filters, send = system.sporadic
    assert (filters.task.period, filters.task.deadline, filters.after) == (ms(10), ms(10), 0)
    assert (send.task.period, send.after, send.interrupt) == (ms(10), 1, None)
    assert (filters.limit, send.limit) == (1, 2)
    assert system.activated_by(1) == (send,)
    given = read(tmp_path, HEAD + FILTER.replace("work", 'min_gap = "8 ms"\nwork'))
    assert given.sporadic[0].task.period == ms(8)
    shorter = HEAD.replace('"10 ms"', '{ at_most = "10 ms", at_least = "9 ms" }')
    assert read(tmp_path, shorter + FILTER).sporadic[0].task.period == ms(9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            FILTER.replace("task sense", "task sens"),
            [
                'system.toml:16:16: task.filter.activated_by: no such task activates "filter"',
                'did you mean "sense"?',
                'expected: "task sense"',
            ],
        ),
        (
            FILTER.replace("task sense", "task send") + SEND,
            [
                'task.filter.activated_by: the task "filter" activates itself, by way of send',
                'task.send.activated_by: the task "send" activates itself, by way of filter',
                "expected: tasks that lead back to one with a period",
            ],
        ),
        (
            FILTER.replace("task sense", "task filter"),
            ['the task "filter" activates itself\n', 'found:    "task filter"'],
        ),
        (
            FILTER.replace("work", 'min_gap = "11 ms"\nwork'),
            [
                'task.filter.min_gap: the task "sense" runs more often than "filter" may be activated',
                'found:    11 ms, and 10 ms of "sense"',
                "expected: at most 10 ms, or no min_gap",
            ],
        ),
        (FILTER.replace("priority", 'deadline = "11 ms"\npriority'), ["above the least gap"]),
        (FILTER.replace('"2 ms"', '"12 ms"'), ["longer than its least gap", "12 ms, of 10 ms"]),
        (FILTER.replace("work", 'period = "10 ms"\nwork'), ["is released by time"]),
    ],
)
def test_wrong_ones_are_refused(tmp_path: Path, text: str, said: list[str]) -> None:
    with pytest.raises(HorologError) as caught:
        read(tmp_path, HEAD + text)
    assert caught.value.exit == 2
    for one in said:
        assert one in str(caught.value)


def test_a_job_that_may_end_by_a_call_activates_none(tmp_path: Path) -> None:
    quick = 'name = "quick"\nperiod = "20 ms"\nwork = 10\nkind = "basic"\nterminates = true\n'
    quick = f"\n[[task]]\n{quick}priority = 9\n"
    with pytest.raises(HorologError, match='jobs of "quick" may end by a call'):
        read(tmp_path, HEAD + quick + FILTER.replace("sense", "quick"))


def test_the_end_of_a_job_gives_the_semaphore(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + FILTER + SEND)
    texts = generate(system, plan(system).choice)
    made = texts["hrl_gen_bodies.c"]
    assert "#include <hrl/semaphore.h>\n\nextern struct hrl_semaphore activate_filter;\n" in made
    for body, name in (("0, hrl_work(5000u)", "filter"), ("1, hrl_work(3000u)", "send")):
        (line,) = (one for one in made.splitlines() if body in one)
        assert line.startswith("HRLP_JOB_BODY_AND(")
        assert f"{line}\n    HRLP_JOB_ACTIVATES({name})\n)" in made
    assert "HRLI_SPORADIC(1, filter, 9u)\n" in texts["hrl_gen_system.c"]
    assert "HRLI_SPORADIC_QUEUED(2, send, 2u, 2u)\n" in texts["hrl_gen_system.c"]


# Bounds


def test_bounds_by_hand(tmp_path: Path) -> None:
    """sense: 4 + 2, as filter preempts it; filter: 2; low: 1 + 4 + 2."""
    low = '\n[[task]]\nname = "low"\nperiod = "40 ms"\nwork = 5000\nwcet = "1 ms"\npriority = 1\n'
    system = read(tmp_path, HEAD + FILTER + low)
    sense, below, filters = analysis_of(system, None).bounds
    assert (sense.response, filters.response, below.response) == (ms(6), ms(2), ms(7))
    chosen = plan(system).choice
    found = analysis_of(system, chosen, read_prices(system.board))
    assert found.holds
    first = found.bounds[0].response
    assert first is not None
    assert ms(6) < first < ms("6.1")
    (without,) = analysis_of(
        replace(system, sporadic=()), chosen, read_prices(system.board)
    ).bounds[:1]
    assert without.response is not None
    assert first - without.response > ms(2), "the kernel's work for filter is in it, too"


def test_the_give_is_charged_to_what_activates(tmp_path: Path) -> None:
    """middle, between sense and send, waits while sense activates send, which is below middle."""
    middle = '\n[[task]]\nname = "middle"\nperiod = "40 ms"\nwork = 5000\npriority = 3\n'
    system = read(tmp_path, HEAD + SEND.replace("task filter", "task sense") + middle)
    chosen, prices = plan(system).choice, read_prices(system.board)
    with_it = analysis_of(system, chosen, prices).bounds[1].response
    without = analysis_of(replace(system, sporadic=()), chosen, prices).bounds[1].response
    assert with_it is not None
    assert without is not None
    steps = (with_it - without) / (32 * Fraction(1, 10**9))
    assert steps >= 200


def test_an_activating_body_ends_where_it_has_activated(tmp_path: Path) -> None:
    """A job that preempts it behind its body and before the activation is in its own bound, and a chain's.

    A task that preempts it has not finished where the activated one of a higher priority could begin.
    """
    system = read(tmp_path, HEAD.replace("priority = 5", "priority = 1") + FILTER)
    chosen, prices = plan(system).choice, read_prices(system.board)
    ns = system.board.runner.ns_per_step
    assert ns is not None

    def work(of: System) -> tuple[int, int]:
        demanded = analysis_of(of, chosen, prices).demanded
        (source,) = (one for one in demanded.demand.sources if one.name == "sense")
        return source.ends[0].work * 10**9 // demanded.unit, source.cost * 10**9 // demanded.unit

    with_it, without = work(system), work(replace(system, sporadic=()))
    assert with_it[0] - without[0] == with_it[1] - without[1] == MASKED_STEPS * ns


def test_jitter_of_the_activating_tasks_release_counts() -> None:
    """The second activation may be 5 after the first, and waits: 2 * 7 + 2 - (10 - 5)."""
    sources = (task(0, 5, 10, 2), replace(task(1, 3, 10, 7), offset=None, lag=5))
    bound = response_bounds(Demand(sources, {}))[1]
    assert bound.response == 13
    assert bound.parts.total == 13
    assert bound.parts.before == -5


def test_a_release_that_may_be_late_is_jitter_of_what_it_activates(tmp_path: Path) -> None:
    late = HEAD.replace("priority = 5", 'priority = 5\njitter = "3 ms"')
    system = read(tmp_path, late + FILTER + SEND)
    sources = analysis_of(system, None).demanded.demand.sources
    of = {one.name: one.lag * 1000 // analysis_of(system, None).demanded.unit for one in sources}
    assert (of["filter"], of["send"], of["sense"]) == (3, 3, 0)


@dataclass(frozen=True)
class Drawn:
    """Tasks of levels of their own, some of which others activate."""

    demand: Demand
    after: tuple[int | None, ...]


def drawn(random: Random) -> Drawn:
    while True:
        number = random.randint(3, 6)
        levels = random.sample(range(9), number)
        sources: list[Source] = []
        after: list[int | None] = []
        for at, level in enumerate(levels):
            before = random.randrange(at) if at and random.random() < 0.6 else None
            period = random.choice((10, 14, 20, 30)) if before is None else sources[before].period
            cost = random.randint(1, max(1, 2 * period // number))
            sources.append(replace(task(at, level, period, cost), offset=None))
            after.append(before)
        demand = Demand(tuple(sources), {})
        bounds = window_bounds(demand)
        if any(one is not None for one in after) and all(one.holds for one in bounds):
            return Drawn(demand, tuple(after))


def longest_responses(of: Drawn, random: Random, length: int) -> list[int]:
    """Of each task, in a schedule step by step; jobs take their longest time or any shorter one.

    Phases are drawn again whenever the processor is idle.
    """
    sources = of.demand.sources
    left: list[list[tuple[int, int]]] = [[] for _ in sources]
    found, due = [0] * len(sources), [0] * len(sources)

    def release(at: int, now: int) -> None:
        cost = sources[at].cost
        left[at].append((now, cost if random.random() < 0.7 else random.randint(1, cost)))

    for now in range(length):
        for at, one in enumerate(sources):
            if of.after[at] is None and now >= due[at]:
                release(at, now)
                due[at] = now + one.period
        ready = [at for at in range(len(sources)) if left[at]]
        if not ready:
            due = [max(at, now + 1 + random.randrange(4)) for at in due]
            continue
        at = max(ready, key=lambda one: sources[one].level)
        began, rest = left[at][0]
        left[at][0] = (began, rest - 1)
        if rest == 1:
            left[at].pop(0)
            found[at] = max(found[at], now + 1 - began)
            for other, before in enumerate(of.after):
                if before == at:
                    release(other, now + 1)
    return found


def test_no_schedule_has_a_longer_response() -> None:
    """In 200 systems; and many come near their bounds."""
    random, nearest = Random(20), []
    for _ in range(200):
        of = drawn(random)
        seen = longest_responses(of, random, 2000)
        for one, took in zip(window_bounds(of.demand), seen, strict=True):
            assert one.response is not None
            assert took <= one.response, of
            nearest.append(took / one.response)
    assert sum(nearest) / len(nearest) > 0.7
    assert sum(one == 1 for one in nearest) > len(nearest) // 4
