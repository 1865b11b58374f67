# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Deadlines beyond the period: jobs of a task wait for each other, within the bound of their responses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of

_DESCRIPTION = """\
[system]
name = "beyond"
board = "{board}"
duration = "700 ms"
cells = ["timer0", "timer1"]

[[task]]
name = "a"
period = "10 ms"
wcet = "5 ms"
work = 78_000

[[task]]
name = "b"
period = "14 ms"
deadline = "{deadline} ms"
wcet = "6 ms"
work = 93_500
{waiting}
"""


def described(folder: Path, waiting: str, deadline: int = 20, board: str = "mps2-an385") -> Path:
    path = folder / "system.toml"
    text = _DESCRIPTION.format(board=board, deadline=deadline, waiting=waiting)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("mechanism", "waiting"),
    [
        ("one-shot", 'overrun = "queue"'),
        ("tick", 'overrun = "queue"'),
        ("chronos", 'kind = "basic"\nactivations = 2'),
    ],
)
def test_responses_beyond_the_period_are_within_their_bounds(
    tmp_path: Path, mechanism: str, waiting: str
) -> None:
    path = described(tmp_path, waiting)
    if "basic" in waiting:  # below the other, which is one, too
        path.write_text(
            path.read_text().replace('wcet = "5 ms"', 'wcet = "5 ms"\nkind = "basic"'),
            encoding="utf-8",
        )
    said = horolog("run", path, "--mechanism", mechanism, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["deadlines"]["hold"]
    side = json.loads(said.out)["horolog"]
    assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (70 + 50, 0, 0)
    system = read_system(path)
    planned = plan(system, mechanism=mechanism)
    bounds = analysis_of(system, planned.choice, read_prices(system.board)).bounds
    for task, bound in zip(system.tasks, bounds, strict=True):
        assert bound.response is not None
        assert side["response"][task.name]["max_ns"] <= bound.response * 10**9
    assert side["response"]["b"]["max_ns"] > 14_000_000, "else the deadline could be the period"


def test_a_job_that_is_late_misses(tmp_path: Path) -> None:
    said = horolog(
        "run", described(tmp_path, 'overrun = "queue"', 15), "--out", tmp_path / "out", "--json"
    )
    assert said.code == 1
    assert json.loads(said.out)["deadlines"]["missed"]
    side = json.loads(said.out)["horolog"]
    assert side["deadline_misses"] > 0
    assert side["overruns"] == 0


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        ("", 'overrun = "queue", or a deadline of at most 14 ms'),
        ('kind = "basic"', "activations = 2 or more"),
        ('period = { at_most = "14 ms" }\noverrun = "queue"', "or a fixed period"),
    ],
)
def test_what_skips_releases_has_no_such_deadline(
    tmp_path: Path, waiting: str, expected: str
) -> None:
    path = described(tmp_path, waiting)
    if "at_most" in waiting:
        path.write_text(path.read_text().replace('period = "14 ms"\n', ""), encoding="utf-8")
    said = horolog("check", path)
    assert said.code == 2
    assert "task.b.deadline: a deadline above " in said.err
    assert expected in said.err


def test_what_activates_a_task_has_none(tmp_path: Path) -> None:
    path = described(tmp_path, 'overrun = "queue"\npriority = 2')
    text = path.read_text().replace("work = 78_000", "work = 78_000\npriority = 3")
    text = text.replace("duration", 'priorities = "explicit"\nduration')
    text += '\n[[task]]\nname = "c"\nactivated_by = "task b"\nwork = 10\npriority = 1\n'
    path.write_text(text, encoding="utf-8")
    said = horolog("check", path)
    assert said.code == 2
    assert '"b" activates a task, and has a deadline above its period' in said.err


_SPORADIC = """\
[system]
name = "burst"
board = "mps2-an385"
duration = "60 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "talk"
period = "1 ms"
wcet = "10 us"
body = "talk"
waits = false
priority = 10

[[task]]
name = "urgent"
period = "6 ms"
work = 47_000
priority = 9

[[interrupt]]
name = "byte"
line = 24
priority = 2
min_gap = "900 us"
work = 10

[[task]]
name = "decode"
min_gap = "900 us"
activated_by = "interrupt byte"
deadline = "5 ms"
{kind}work = 4_000
priority = 5
"""
_TALK = """\
#include <hrl/interrupt.h>

void talk(void);

void talk(void)
{
    (void)hrl_interrupt_raise(24);
}
"""


@pytest.mark.parametrize("kind", ["", 'kind = "basic"\n'])
def test_activations_wait_while_the_deadline_allows_it(tmp_path: Path, kind: str) -> None:
    """While urgent runs for 3 ms, four jobs of decode wait, and none is lost."""
    (tmp_path / "bodies.c").write_text(_TALK, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(_SPORADIC.format(kind=kind), encoding="utf-8")
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    result = json.loads(said.out)
    assert result["deadlines"]["hold"]
    system = read_system(path)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    (bound,) = (one for one in found.bounds if system.all_tasks[one.task].name == "decode")
    assert bound.response is not None
    assert 3_000_000 < result["horolog"]["response"]["decode"]["max_ns"] <= bound.response * 10**9
