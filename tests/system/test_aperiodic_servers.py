# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Aperiodic tasks with servers: what is served when, what is lost, and responses within their bounds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.support.activated_tasks import CHECK, bounds_in_counts, longest_jobs
from tests.system.support import BOARD, Said, horolog

from horolog.read import read_system

_DESCRIPTION = """\
[system]
name = "bursts"
board = "{board}"
duration = "140 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "talk"
period = "10 ms"
offset = "700 us"
wcet = "60 us"
body = "talk"
stack = 1_024  # it may report a fault
priority = 3

[[task]]
name = "urgent"
period = "1 ms"
work = 3000
priority = 9

[[server]]
name = "poll"
kind = "{kind}"
period = "2 ms"
jobs = 2
priority = 5

[[task]]
name = "decode"
server = "poll"
body = "decode"
stack = 1_024
wcet = "200 us"
waits = false
pending = 3
"""
_BODIES = """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

extern struct hrl_semaphore activate_decode;

void talk(void);
void decode(void);

static volatile unsigned number, work;
static hrl_counts given;

%(check)s
%(talk)s
/* The last of a burst waits for the second release of the server behind the burst. */
void decode(void)
{
    hrl_counts since = hrl_now() - given;

    for (unsigned i = 0; i < 50; i++) {
        work += i;
    }
    number++;
    check(since < %(most)su && since >= (number %% %(of)s == 0 ? %(period)su : 0), __LINE__);
}
"""

_TALKS = {
    "polling": """\
/* All of the burst before has been served, and of four three find room. */
void talk(void)
{
    check(number % 3 == 0 && hrl_semaphore_count(&activate_decode) == 0, __LINE__);
    given = hrl_now();
    for (unsigned i = 0; i < 3; i++) {
        check(hrl_semaphore_give(&activate_decode) == HRL_OK, __LINE__);
    }
    check(hrl_semaphore_give(&activate_decode) == HRL_FULL, __LINE__);
}
""",
    "deferrable": """\
/* All of the burst before has been served. Two are served at once, by a thread above, and three wait. */
void talk(void)
{
    unsigned before = number;

    check(number % 5 == 0 && hrl_semaphore_count(&activate_decode) == 0, __LINE__);
    given = hrl_now();
    for (unsigned i = 1; i <= 5; i++) {
        check(hrl_semaphore_give(&activate_decode) == HRL_OK, __LINE__);
        check(number - before == (i < 2 ? i : 2), __LINE__);
    }
    check(hrl_semaphore_give(&activate_decode) == HRL_FULL, __LINE__);
}
""",
}
_OF = {"polling": 3, "deferrable": 5}


def described(folder: Path, board: str, kind: str, most: int, period: int) -> Path:
    known = {"check": CHECK, "talk": _TALKS[kind], "of": _OF[kind]}
    text = _BODIES % (known | {"most": most, "period": period})
    (folder / "bodies.c").write_text(text, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board, kind=kind), encoding="utf-8")
    return path


def run(path: Path, folder: Path) -> Said:
    return horolog("run", path, "--json", "--out", folder / "out")


def _marks(kind: str, board: str) -> list[pytest.MarkDecorator]:
    """The board in RTL takes 15 s for a kind; the kinds are told apart in C that is the same on all."""
    soak = [pytest.mark.soak] if (kind, board) == ("deferrable", "ibex-cells") else []
    return soak if board == "host" else [pytest.mark.emulator, *soak]


@pytest.mark.parametrize(
    ("kind", "board"),
    [
        pytest.param(kind, board, marks=_marks(kind, board))
        for kind in _OF
        for board in (BOARD, "ibex-cells", "host")
    ],
)
def test_a_burst_is_served_as_the_server_does(kind: str, board: str, tmp_path: Path) -> None:
    hz = read_system(described(tmp_path, board, kind, 1, 0)).board.clock.hz
    most = bounds_in_counts(read_system(described(tmp_path, board, kind, 1, 0)))["decode"]
    assert 4 * hz // 1000 < most < 6 * hz // 1000
    said = run(described(tmp_path, board, kind, most, 2 * hz // 1000), tmp_path)
    assert said.code == 0, said.out
    assert said.object["horolog"]["overruns"] == 0, "the application's activations are not seen"
    assert any(
        note.startswith("responses of decode are not measured") for note in said.object["notes"]
    )
    longest = longest_jobs(tmp_path / "out")
    assert longest[3] > longest[2], "decode has run, and its jobs are not the server's"
    late = run(described(tmp_path, board, kind, most // 3, 0), tmp_path)
    assert late.code == 4
    assert "not as described" in str(late.object)


@pytest.mark.emulator
def test_the_calls_of_all_tasks_are_shown(tmp_path: Path) -> None:
    path = described(tmp_path, BOARD, "deferrable", 10**9, 0)
    said = horolog("calls", path, "--out", tmp_path / "out")
    assert said.code == 0, said.err
    rows = {line.split()[0]: line for line in said.out.splitlines() if line}
    assert "hrl_gen_serve_poll" in rows["poll"]
    assert "hrl_semaphore_give" in rows["talk"]
    assert "decode" in rows


# Random systems on the host port, where jobs activate aperiodic tasks


def drawn(random: Random) -> str:
    """Two to four tasks with periods, of which one or two activate an aperiodic task each."""
    number = random.randint(2, 4)
    text = (
        '[system]\nname = "drawn"\nboard = "host"\nduration = "400 ms"\npriorities = "explicit"\n'
    )
    servers = random.sample(range(number), random.randint(1, 2))
    levels = random.sample(range(1, 20), number + len(servers))
    for at in range(number):
        period = random.choice((2000, 2500, 3100, 4700, 8000))
        text += f'\n[[task]]\nname = "t{at}"\nperiod = "{period} us"\npriority = {levels[at]}\n'
        text += f'work = 10\nwcet = "{random.randint(20, period // 8)} us"\n'
    for at, level in zip(servers, levels[number:], strict=True):
        kind = random.choice(("polling", "deferrable"))
        period, jobs = random.choice((1700, 2000, 3300)), random.randint(1, 3)
        text += f'\n[[server]]\nname = "s{at}"\nkind = "{kind}"\nperiod = "{period} us"\n'
        text += f"jobs = {jobs}\npriority = {level}\n"
        text += f'\n[[task]]\nname = "a{at}"\nserver = "s{at}"\nactivated_by = "task t{at}"\n'
        text += f'work = 10\nwcet = "{random.randint(20, period // 6 // jobs)} us"\n'
        text += f"pending = {random.randint(2, 4)}\n"
    return text


def test_no_response_of_random_systems_is_longer_than_its_bound(tmp_path: Path) -> None:
    random, nearest, seen = Random(20), [], 0
    while seen < 10:
        path = tmp_path / "system.toml"
        path.write_text(drawn(random), encoding="utf-8")
        said = horolog("analyse", path, "--json", "--no-way-out")
        bounds = {one["name"]: one["bound_ns"] for one in said.object["tasks"]}
        if None in bounds.values():
            continue
        seen += 1
        measured = run(path, tmp_path).object["horolog"]["response"]
        assert measured.keys() == bounds.keys()
        for name, response in measured.items():
            assert response["max_ns"] <= bounds[name], path.read_text(encoding="utf-8")
            if name.startswith("a"):
                nearest.append(response["max_ns"] / bounds[name])
    assert max(nearest) > 0.8


_LOSING = """\
[system]
name = "losing"
board = "mps2-an385"
duration = "20 ms"
priorities = "explicit"

[[task]]
name = "often"
period = "1 ms"
work = 100
priority = 9

[[server]]
name = "poll"
kind = "polling"
period = "10 ms"
jobs = 1
priority = 5

[[task]]
name = "log"
server = "poll"
activated_by = "task often"
work = 100
"""


def test_lost_activations_are_said_and_end_the_run_with_1(tmp_path: Path) -> None:
    """The server runs that of 0 ms at once, that of 1 ms at 10 ms, and has room for that of 11 ms."""
    path = tmp_path / "system.toml"
    path.write_text(_LOSING, encoding="utf-8")
    said = horolog("run", path, "--out", tmp_path / "out")
    assert said.code == 1
    assert '17 activations of "log" were lost: no job ran for them' in said.err
    assert "system.toml:20:1: task.log" in said.err
    assert "found:    an activation while 1 other was unfinished" in said.err
    assert (
        "expected: a larger pending, or more jobs or a shorter period of the server poll"
        in said.err
    )
    assert "missed their deadline" not in said.err
    page = (tmp_path / "out" / "run.html").read_text(encoding="utf-8")
    assert "<td>jobs of log: work 100</td>" in page
    assert "hrl_gen_serve_poll()" not in page
