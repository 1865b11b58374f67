# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Aperiodic tasks and their servers: what is read, refused and generated, and their bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.tool.factory import make_system, make_task, ms

from horolog.data import data_root
from horolog.emit import generate
from horolog.model import (
    AperiodicServer,
    HorologError,
    Kind,
    PriorityRule,
    ServerKind,
    Sporadic,
    System,
)
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import (
    analysis_of,
    factor_of,
    impossible_text,
    sensitivity_of,
    to_data,
)

HEAD = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "quick"
period = "5 ms"
wcet = "1 ms"
work = 5000
priority = 9

[[interrupt]]
name = "byte"
line = 24
priority = 2
min_gap = "1 ms"
work = 500

"""
SERVER = """\
[[server]]
name = "poll"
kind = "polling"
period = "10 ms"
jobs = 2
priority = 5

"""
DECODE = """\
[[task]]
name = "decode"
server = "poll"
activated_by = "interrupt byte"
body = "decode"
wcet = "1 ms"
waits = false
"""
LOW = '\n[[task]]\nname = "low"\nperiod = "20 ms"\nwork = 5000\nwcet = "1 ms"\npriority = 2\n'
BYTE = ms("0.032")
EXPLICIT = PriorityRule.EXPLICIT


def read(folder: Path, text: str, kind: Kind | None = None) -> System:
    (folder / "bodies.c").write_text("void decode(void)\n{\n}\n", encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, kind=kind)


# The description


def test_the_server_is_a_periodic_thread_and_its_task_is_none(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + SERVER + DECODE + LOW)
    assert [task.name for task in system.tasks] == ["quick", "poll", "low"]
    poll = system.tasks[1]
    assert (poll.period, poll.deadline, poll.wcet, poll.priority) == (ms(10), ms(10), ms(2), 5)
    assert (poll.kind, poll.shares, poll.may_wait, poll.offset_open) == (
        Kind.THREAD,
        False,
        False,
        False,
    )
    (one,) = system.sporadic
    assert one.server is not None
    assert (one.server.kind, one.server.task, one.server.jobs) == (ServerKind.POLLING, 1, 2)
    assert (one.interrupt, one.after, one.limit) == (0, None, 2)
    assert one.task.deadline == ms(10) + ms(10), "at the next release, and by the server's deadline"
    assert system.served == {1: 3}
    assert [task.name for task in system.all_tasks] == ["quick", "poll", "low", "decode"]
    assert system.utilisation == Fraction(1, 5) + Fraction(2, 10) + Fraction(1, 20) + BYTE / ms(1)
    five = read(tmp_path, HEAD + SERVER + DECODE + "pending = 5\nstack = 1_024\n")
    assert (five.sporadic[0].limit, five.sporadic[0].task.deadline) == (5, ms(40))
    assert five.tasks[1].stack == 1024, "where its jobs run"


def test_rate_monotonic_priorities_do(tmp_path: Path) -> None:
    """The server has a period, and its task the server's level."""
    text = (HEAD + SERVER + DECODE + LOW).replace('priorities = "explicit"\n', "")
    text = "".join(
        line
        for line in text.splitlines(keepends=True)
        if line == "priority = 2\n" or not line.startswith("priority")
    ).replace("priority = 2\n[[", "[[")
    text = text.removesuffix("priority = 2\n")
    system = read(tmp_path, text)
    found = analysis_of(system, None)
    rows = {one["name"]: one["level"] for one in to_data(system, found, None, None)["tasks"]}
    assert rows == {"quick": 3, "poll": 2, "low": 1, "decode": 2}


def test_others_remain_basic_tasks(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + SERVER + DECODE, kind=Kind.BASIC)
    assert [task.kind for task in system.tasks] == [Kind.BASIC, Kind.THREAD]


def test_what_is_generated(tmp_path: Path) -> None:
    texts = generate(
        system := read(tmp_path, HEAD + SERVER + DECODE + "pending = 3\n"), plan(system).choice
    )
    text, bodies = texts["hrl_gen_system.c"], texts["hrl_gen_bodies.c"]
    assert "HRLI_POLLING_SERVER(poll, 3, decode, 2u, 3u)\n" in text
    assert "HRLI_INTERRUPT_AND(0, 2,\n    HRLI_ACTIVATE(decode)\n)\n" in text
    assert "HRLI_MAIN(HRLI_ATTACH(0, 24u, 2u))\n" in text
    assert "void hrl_gen_serve_poll(void);\n" in bodies
    assert "HRLP_JOB_BODY(1, hrl_gen_serve_poll(), 0u) /* poll */\n" in bodies
    assert "HRLP_JOB_BODY(3, decode(), 25000u) /* decode */\n" in bodies


def test_a_deferrable_server_has_two_threads(tmp_path: Path) -> None:
    """One fills the capacity up, and one has the stack of the task and the level of the server."""
    text = HEAD + SERVER.replace("polling", "deferrable") + DECODE + "pending = 4\nstack = 1_024\n"
    system = read(tmp_path, text)
    (one,) = system.sporadic
    assert one.server is not None
    assert (one.server.kind, one.limit, one.most, one.has_thread) == (
        ServerKind.DEFERRABLE,
        3,
        4,
        True,
    )
    assert (system.tasks[1].stack, one.task.stack) == (512, 1024)
    assert one.task.deadline == 2 * ms(10) + ms(10)
    texts = generate(system, plan(system).choice)
    made = texts["hrl_gen_system.c"]
    assert "HRLI_STACK(3, 1024)\nHRLI_DEFERRABLE_SERVER(poll, 3, decode, 5u, 2u, 3u)\n" in made
    assert "HRLI_MAIN(HRLI_START_SPORADIC(3) HRLI_ATTACH(0, 24u, 2u))\n" in made
    assert '#include "deferrable_server.h"\n' in made
    assert '#include "polling_server.h"\n' not in made
    assert "HRLP_JOB_BODY(1, hrl_gen_serve_poll(), 0u) /* poll */\n" in texts["hrl_gen_bodies.c"]
    assert read(tmp_path, text.replace("pending = 4\n", "")).sporadic[0].most == 2
    alone = text.replace("jobs = 2", "jobs = 1").replace("pending = 4\n", "")
    assert read(tmp_path, alone).sporadic[0].most == 2, "the job that runs, and one behind it"
    with pytest.raises(HorologError) as caught:
        read(tmp_path, text.replace("pending = 4", "pending = 1"))
    assert "expected: pending = 2 or more" in str(caught.value)


def test_the_end_of_a_job_may_activate_it(tmp_path: Path) -> None:
    by_task = DECODE.replace("interrupt byte", "task quick")
    system = read(tmp_path, HEAD + SERVER + by_task)
    assert (system.sporadic[0].after, system.sporadic[0].interrupt) == (0, None)
    bodies = generate(system, plan(system).choice)["hrl_gen_bodies.c"]
    assert "HRLP_JOB_ACTIVATES(decode)" in bodies


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            'server = "poll"',
            'server = "pol"',
            [
                'task.decode.server: there is no server "pol"; did you mean "poll"?',
                'server.poll: the server "poll" serves no task',
                'expected: server = "poll" in one [[task]] in place of its period',
            ],
        ),
        (SERVER, "", ["a [[server]] with name", 'there is no server "poll"']),
        ('server = "poll"\n', "", ['or server = "NAME"', "has no least gap"]),
        ('server = "poll"\n', 'server = "poll"\nperiod = "1 ms"\n', ['"decode" has no period']),
        ('server = "poll"\n', 'server = "poll"\nmin_gap = "1 ms"\n', ['"decode" has no min_gap']),
        (
            "waits = false",
            "waits = false\npriority = 3",
            ['the aperiodic task "decode" has no priority', "which is the server's, or no server"],
        ),
        ("waits = false", 'waits = false\nkind = "basic"', ['found:    kind = "basic"']),
        ('"decode"\nserver', '"de.code"\nserver', ["needs a name of C"]),
        ('"decode"\nserver', '"quick"\nserver', ['the name "quick" is taken']),
        ('"decode"\nserver', '"poll"\nserver', ['the name "poll" is taken']),
        ('name = "poll"', 'name = "quick"', ['the name "quick" is taken']),
        ('body = "decode"', 'body = "code"', ['no function "code" in the sources']),
        ('body = "decode"\n', "", ["has nothing to do"]),
        ('byte"\nbody', 'bite"\nbody', ['no such interrupt activates "decode"']),
        ("interrupt byte", "task quack", ['no such task activates "decode"']),
        ("interrupt byte", "task decode", ['no such task activates "decode"']),
        (
            "jobs = 2",
            "jobs = 11",
            [
                'server.poll.jobs: the jobs of the server "poll" take longer than its period',
                "found:    11 of 1 ms in 10 ms",
                "expected: at most jobs = 10, or a longer period",
            ],
        ),
        ("jobs = 2", 'jobs = 2\ndeadline = "500 us"', ["than its deadline", "a longer period"]),
        ("jobs = 2", 'jobs = 2\ndeadline = "11 ms"', ["has a deadline above its period"]),
        ("jobs = 2", "jobs = 0", ["server.poll.jobs"]),
        ("jobs = 2", 'jobs = 2\noffset = "11 ms"', ["is first released after more than a period"]),
        ('"polling"', '"sporadic"', ["server.poll.kind"]),
        ("waits = false", "waits = false\npending = 0", ["task.decode.pending"]),
        ("priority = 5\n", "", ['the server "poll" has no priority although priorities']),
        ("waits = false", 'waits = false\ndeadline = "900 us"', ["is longer than its deadline"]),
        ('duration = "2 s"', 'duration = "2 s"\nreleases = 5', ["has releases without an end"]),
        ("work = 5000", "work = 5000\npending = 2", ['"quick" has no server']),
    ],
)
def test_wrong_ones_are_refused(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    text = HEAD + SERVER + DECODE
    assert old in text
    with pytest.raises(HorologError) as caught:
        read(tmp_path, text.replace(old, new))
    assert caught.value.exit == 2
    for one in texts:
        assert one in str(caught.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            '[[task]]\nname = "then"\nactivated_by = "task decode"\nwork = 10\npriority = 3\n',
            [
                'task.then.activated_by: the aperiodic task "decode" activates no task',
                'found:    "task decode"',
                'expected: hrl_semaphore_give in the body of "decode"',
            ],
        ),
        (
            '[[chain]]\nname = "all"\ntasks = ["quick", "decode"]\ndeadline = "50 ms"\n',
            ['chain.all.tasks[1]: the aperiodic task "decode" is in no chain'],
        ),
        (
            '[[resource]]\nname = "bus"\ntasks = ["quick", "decode"]\n',
            ['the aperiodic task "decode" cannot use the resource "bus"'],
        ),
    ],
)
def test_what_leads_through_it_is_refused(tmp_path: Path, more: str, said: list[str]) -> None:
    with pytest.raises(HorologError) as caught:
        read(tmp_path, HEAD + SERVER + DECODE + "\n" + more)
    for one in said:
        assert one in str(caught.value)
    assert "no such task" not in str(caught.value)
    assert "there is no task" not in str(caught.value)


def test_a_server_serves_one_task(tmp_path: Path) -> None:
    second = DECODE.replace('"decode"\nserver', '"other"\nserver')
    with pytest.raises(HorologError) as caught:
        read(tmp_path, HEAD + SERVER + DECODE + "\n" + second)
    assert 'the server "poll" serves several tasks' in str(caught.value)
    assert 'found:    "decode" and "other"' in str(caught.value)


def test_the_guides_example_is_read_and_holds(tmp_path: Path) -> None:
    guide = (data_root() / "docs" / "guide" / "interrupts.md").read_text(encoding="utf-8")
    snippets = re.findall(r"^```toml\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    texts = [one for one in snippets if "[[server]]" in one]
    assert texts
    texts += [one.replace("polling", "deferrable") for one in texts]
    bodies = "void log_line(void)\n{\n}\n"
    for text in texts:
        (tmp_path / "own.c").write_text(bodies, encoding="utf-8")
        system = read(tmp_path, HEAD.replace('"bodies.c"', '"bodies.c", "own.c"') + text)
        assert system.served
        assert analysis_of(system, plan(system).choice, read_prices(system.board)).holds


# Bounds


def test_bounds_by_hand(tmp_path: Path) -> None:
    """poll: 2 * 1 + quick and an interrupt each ms; decode: a period before; low: 1 + 2 + quick."""
    system = read(tmp_path, HEAD + SERVER + DECODE + LOW)
    found = analysis_of(system, None)
    quick, poll, low, decode = (one.response for one in found.bounds)
    assert quick == ms(1) + 2 * BYTE
    assert poll == ms(3) + 4 * BYTE
    assert decode == ms(10) + ms(3) + 4 * BYTE
    assert low == ms(4) + 5 * BYTE
    assert found.holds
    row = to_data(system, found, None, None)["tasks"][3]
    assert (row["name"], row["level"], row["deadline_ns"]) == ("decode", 5, 20_000_000)
    assert sum(found.bounds[3].parts.values()) == decode
    (note,) = (one for one in found.notes if "aperiodic" in one)
    assert "at most 2 of them waiting, and is its period and the response of the polling" in note


def test_a_deferrable_server_may_run_two_capacities_back_to_back(tmp_path: Path) -> None:
    """low: 1, quick, and 4 jobs of which two are the server's of the period before."""
    text = HEAD + SERVER.replace("polling", "deferrable") + DECODE + LOW
    found = analysis_of(read(tmp_path, text), None)
    _, poll, low, decode = (one.response for one in found.bounds)
    assert low == ms(1) + ms(4) + ms(2) + 8 * BYTE
    assert poll == ms(4) + ms(2) + 7 * BYTE
    assert decode == ms(10) + poll
    (note,) = (one for one in found.notes if "aperiodic" in one)
    assert "with at most 2 of them unfinished and no capacity left, and is its period and" in note


@pytest.mark.parametrize(("pending", "periods"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_what_waits_takes_further_periods(tmp_path: Path, pending: int, periods: int) -> None:
    system = read(tmp_path, HEAD + SERVER + DECODE + f"pending = {pending}\n")
    _, poll, decode = (one.response for one in analysis_of(system, None).bounds)
    assert decode is not None
    assert poll is not None
    assert decode == periods * ms(10) + poll


def test_the_kernels_work_for_it_is_counted(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + SERVER + DECODE)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    assert found.holds
    ten = replace(system.sporadic[0].server, jobs=10)  # type: ignore[type-var]
    more = replace(system, sporadic=(replace(system.sporadic[0], server=ten),))
    other = analysis_of(more, plan(system).choice, read_prices(system.board))
    assert found.bounds[1].parts["kernel"] + ms("0.02") < other.bounds[1].parts["kernel"]


def test_deadlines_of_both_limit_what_bodies_may_take(tmp_path: Path) -> None:
    """With a deadline of 13.2 ms the server has 3.2 ms: half of 0.2 ms, less the interrupts, for each job."""
    late = read(tmp_path, HEAD + SERVER + DECODE + 'deadline = "13100 us"\n')
    found = analysis_of(late, None)
    assert [one.task for one in found.failing] == [2]
    assert not found.certain, "nothing says that activations ever wait"
    fine = read(tmp_path, HEAD + SERVER + DECODE + 'deadline = "13200 us"\n')
    found = analysis_of(fine, None)
    assert found.holds
    assert 1 < factor_of(found) < Fraction(11, 10)
    grows = sensitivity_of(found)
    assert 0 < grows[0] <= ms("0.08")


def test_a_server_that_may_skip_releases_bounds_nothing(tmp_path: Path) -> None:
    text = HEAD.replace('wcet = "1 ms"', 'wcet = "3300 us"') + SERVER
    third = LOW.replace("low", "third").replace("1 ms", "4 ms").replace("= 2\n", "= 8\n")
    found = analysis_of(read(tmp_path, text + DECODE.replace('"1 ms"', '"450 us"') + third), None)
    poll, decode = found.bounds[1], found.bounds[3]
    assert poll.response is not None
    assert ms(10) < poll.response < ms(20)
    assert decode.response is None
    assert {one.task for one in found.failing} == {1, 3}


def test_no_order_of_priorities_is_sought_in_vain(tmp_path: Path) -> None:
    """The aperiodic task's own jobs are not counted beside the server's."""
    heavy = SERVER.replace("jobs = 2", "jobs = 7")
    system = read(tmp_path, HEAD + heavy + DECODE)
    assert system.utilisation < 1
    assert impossible_text(system) is None


# Sound: no schedule has a longer response


@dataclass
class Drawn:
    """Tasks of levels of their own, in whole milliseconds; one of them is a server."""

    system: System
    server: int

    @staticmethod
    def of(random: Random, kind: ServerKind) -> Drawn:
        """One of which all deadlines of periodic tasks are proved."""
        while True:
            number = random.randint(2, 5)
            server, jobs = random.randrange(number), random.randint(1, 3)
            tasks, each = [], 0
            for at, level in enumerate(random.sample(range(1, 9), number)):
                period = random.choice((10, 14, 20, 30))
                cost = random.randint(1, max(1, period // number))
                if at == server:
                    each, cost = cost, cost * jobs
                task = make_task(f"t{at}", ms(period), wcet=ms(cost))
                tasks.append(replace(task, priority=level, kind=Kind.THREAD))
            if sum((task.wcet or 0) / task.period for task in tasks) > 1:
                continue
            by = AperiodicServer(f"t{server}", kind, server, jobs)
            own = replace(tasks[server], name="own", wcet=ms(each))
            one = Sporadic(own, None, None, random.randint(1, 4), by)
            made = replace(make_system(tasks=tasks), sporadic=(one,), priorities=EXPLICIT)
            found = analysis_of(made, None)
            if all(bound.holds for bound in found.bounds[:-1]):
                return Drawn(made, server)

    def longest(self, random: Random, length: int) -> tuple[list[int], int]:
        """In a schedule step by step, the longest response of each of all tasks; and how many were lost.

        Jobs take their longest time or less. Activations come at any time, and just behind each look of the
        server for them that finds none or takes the last that it may, as many as there is room for or more.
        """
        tasks, (one,) = self.system.tasks, self.system.sporadic
        assert one.server is not None
        order = sorted(range(len(tasks)), key=lambda at: -(tasks[at].priority or 0))
        period = [int(task.period * 1000) for task in tasks]
        cost = [int((task.wcet or 0) * 1000) for task in tasks]
        each = cost[self.server] // one.server.jobs
        phase = [random.randrange(each) if random.random() < 0.7 else 0 for each in period]
        phase[self.server] = 0
        found, lost = [0] * (len(tasks) + 1), 0
        left: list[int | None] = [None] * len(tasks)
        began, waiting = [0] * len(tasks), list[int]()
        may, running = 0, 0

        def drawn(most: int) -> int:
            return most if random.random() < 0.7 else random.randint(1, most)

        def burst(now: int) -> None:
            nonlocal lost
            for _ in range(random.randint(1, one.limit + 1)):
                if len(waiting) < one.limit:
                    waiting.append(now)
                else:
                    lost += 1

        for now in range(length):
            for at in order:
                if now >= phase[at] and (now - phase[at]) % period[at] == 0:
                    assert left[at] is None, "a release is skipped"
                    began[at] = now
                    left[at] = 0 if at == self.server else drawn(cost[at])
                    may = one.server.jobs if at == self.server else may
            if random.random() < 0.03:
                burst(now)
            for at in order:
                rest = left[at]
                if rest is None:
                    continue
                if at == self.server and rest == 0:  # it looks
                    if may and waiting:
                        running, may, rest = waiting.pop(0), may - 1, drawn(each)
                    else:
                        left[at] = None
                        found[at] = max(found[at], now - began[at])
                        if random.random() < 0.5:
                            burst(now)
                        continue
                left[at] = rest - 1
                if left[at] == 0:
                    if at == self.server:
                        found[-1] = max(found[-1], now + 1 - running)
                        if may == 0 or not waiting:  # it looks at once
                            left[at] = None
                            found[at] = max(found[at], now + 1 - began[at])
                            if random.random() < 0.5:
                                burst(now + 1)
                    else:
                        left[at] = None
                        found[at] = max(found[at], now + 1 - began[at])
                break
        return found, lost

    def longest_deferred(self, random: Random, length: int) -> tuple[list[int], int]:
        """The same for a deferrable server, whose row has when its capacity was full again.

        Activations come at any time, and often just before the server's releases and behind its jobs. The
        thread that runs the jobs goes on while there is capacity, before the server's own of the same level.
        """
        tasks, (one,) = self.system.tasks, self.system.sporadic
        assert one.server is not None
        order = sorted(range(len(tasks)), key=lambda at: -(tasks[at].priority or 0))
        period = [int(task.period * 1000) for task in tasks]
        cost = [int((task.wcet or 0) * 1000) for task in tasks]
        each = cost[self.server] // one.server.jobs
        phase = [random.randrange(each) if random.random() < 0.7 else 0 for each in period]
        found, lost = [0] * (len(tasks) + 1), 0
        left: list[int] = [0] * len(tasks)
        began, unfinished = [0] * len(tasks), list[int]()
        capacity, is_due, ahead = one.server.jobs, False, random.randrange(2 * each)

        def drawn(most: int) -> int:
            return most if random.random() < 0.7 else random.randint(1, most)

        def burst(now: int) -> None:
            nonlocal lost
            for _ in range(random.randint(1, one.most + 1)):
                if len(unfinished) < one.most:
                    unfinished.append(now)
                else:
                    lost += 1

        for now in range(length):
            for at in order:
                if now >= phase[at] and (now - phase[at]) % period[at] == 0:
                    assert at == self.server or not left[at], "a release is skipped"
                    began[at] = now
                    is_due |= at == self.server
                    left[at] = left[at] if at == self.server else drawn(cost[at])
            to_next = (phase[self.server] - now) % period[self.server]
            if random.random() < 0.02 or (to_next == ahead and random.random() < 0.8):
                burst(now)
            for at in order:
                if at == self.server and not left[at]:
                    if is_due and not (unfinished and capacity):
                        capacity, is_due = one.server.jobs, False
                        found[at] = max(found[at], now - began[at])
                    if unfinished and capacity:
                        capacity -= 1
                        left[at] = drawn(each)
                if not left[at]:
                    continue
                left[at] -= 1
                if not left[at]:
                    since = unfinished.pop(0) if at == self.server else began[at]
                    row = -1 if at == self.server else at
                    found[row] = max(found[row], now + 1 - since)
                    if at == self.server and random.random() < 0.3:
                        burst(now + 1)
                break
        return found, lost


@pytest.mark.parametrize(
    ("kind", "least", "tight"),
    [(ServerKind.POLLING, 0.8, (0.1, 0.2)), (ServerKind.DEFERRABLE, 0.5, (0, 0.05))],
)
def test_no_schedule_has_a_longer_response(
    kind: ServerKind, least: float, tight: tuple[float, float]
) -> None:
    """In 60 systems; and some come to their bounds: of the aperiodic tasks, and of those below them."""
    random, nearest, below, lost = Random(21), list[float](), list[float](), 0
    for _ in range(60):
        of = Drawn.of(random, kind)
        polls = kind is ServerKind.POLLING
        seen, full = (of.longest if polls else of.longest_deferred)(random, 2000)
        lost += full
        server = of.system.tasks[of.server].priority or 0
        for bound, took in zip(analysis_of(of.system, None).bounds, seen, strict=True):
            assert bound.response is not None
            assert took <= bound.response * 1000, of
            near = float(took / (bound.response * 1000))
            if bound.task == len(of.system.tasks):
                nearest.append(near)
            elif (of.system.tasks[bound.task].priority or 0) < server:
                below.append(near)
    assert lost, "bursts are longer than what may wait"
    assert sum(nearest) / len(nearest) > least
    assert sum(one == 1 for one in nearest) >= tight[0] * len(nearest)
    assert sum(one == 1 for one in below) >= tight[1] * len(below)


def test_a_server_may_have_an_offset(tmp_path: Path) -> None:
    """Both come at the same instants each 10 ms, or 2 ms apart: then quick does not delay the server."""
    (tmp_path / "bodies.c").write_text("void decode(void) {}\n", encoding="utf-8")
    path, found = tmp_path / "system.toml", []
    described = HEAD.partition("[[interrupt]]")[0] + SERVER + DECODE
    for offset in ("0 ms", "2 ms"):
        text = described.replace("jobs = 2", f'jobs = 2\noffset = "{offset}"')
        path.write_text(text.replace('activated_by = "interrupt byte"\n', ""), encoding="utf-8")
        system = read_system(path)
        assert system.tasks[1].offset == Fraction(offset.split()[0]) / 1000
        bound = analysis_of(system, None).bounds[1].response
        assert bound is not None
        found.append(bound * 1000)
    assert found == [3, 2]


def test_a_server_bounds_no_handler(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    (tmp_path / "bodies.c").write_text("void decode(void) {}\n", encoding="utf-8")
    path.write_text((HEAD + SERVER + DECODE).replace('min_gap = "1 ms"\n', ""), encoding="utf-8")
    with pytest.raises(
        HorologError, match='nothing bounds how often the interrupt "byte"'
    ) as caught:
        read_system(path)
    assert 'the server of "decode" bounds its jobs, and not the handler' in str(caught.value)
