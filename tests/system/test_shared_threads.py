# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Shared threads in firmware: what they do under overload, what they cost, and bodies that may not share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.system.support import BOARD, example, horolog

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.xdist_group("shared-threads"),
]  # some runs serve several

# Three tasks that need 12 of every 10 ms, and say less; a more urgent one, and one that is less urgent.
LATE = """
[system]
name = "late"
board = "mps2-an385"
duration = "200 ms"
share = "{share}"

[[task_group]]
name = "group"
tasks = 2
period = "10 ms"
work = 54_687                     # 3.5 ms
wcet = "1 ms"

[[task]]
name = "last"
period = "10 ms"
work = 78_125                     # 5 ms
wcet = "1 ms"

[[task_group]]
name = "urgent"
tasks = 2
period = "5 ms"
work = 500                        # 32 us

[[task]]
name = "other"
period = "20 ms"
work = 1_000
"""


Side = dict[str, Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Side]:
    """What a description came to on a board by a mechanism and a queue; once each."""
    done: dict[tuple[str, ...], Side] = {}

    def run(text: str, board: str, mechanism: str, queue: str) -> Side:
        key = text, board, mechanism, queue
        if key not in done:
            folder = tmp_path_factory.mktemp("run")
            path = folder / "system.toml"
            path.write_text(text, encoding="utf-8")
            named = ("--board", board, "--mechanism", mechanism, "--queue", queue)
            said = horolog("run", path, "--json", "--out", folder / "build", *named)
            assert said.code in (0, 1), said.out + said.err  # 1: deadlines are missed
            done[key] = json.loads(said.out)["horolog"]
        return done[key]

    return run


def counts(side: dict[str, Any]) -> tuple[int, int, int]:
    return side["jobs"], side["overruns"], side["deadline_misses"]


@pytest.mark.parametrize("board", ["mps2-an385", "host"])
def test_late_jobs_and_overruns_are_those_of_separate_threads(
    board: str, run: Callable[..., Side]
) -> None:
    """Their order is not: a thread of a higher rank goes first when the running one was preempted."""
    found = {
        share: run(LATE.format(share=share), board, "gcd", "mask-table")
        for share in ("never", "auto")
    }
    assert counts(found["auto"]) == counts(found["never"])
    assert found["auto"]["overruns"] > 0


@pytest.mark.parametrize("board", ["mps2-an385", "host"])
def test_each_task_ends_after_its_own_jobs(board: str, run: Callable[..., Side]) -> None:
    """A task of a shared thread that had overruns still has jobs when others of that thread have ended."""
    text = LATE.replace("[system]", "[system]\nreleases = 4")
    found = {
        share: run(text.format(share=share), board, "gcd", "mask-table")
        for share in ("never", "auto")
    }
    assert found["auto"]["jobs"] == found["never"]["jobs"] == 6 * 4
    assert counts(found["auto"]) == counts(found["never"])
    assert found["auto"]["overruns"] > 0


@pytest.mark.parametrize(
    ("mechanism", "queue"),
    [
        ("gcd", "sorted-list"),
        ("gcd", "harmonic-array"),
        ("gcd", "period-groups"),
        ("one-shot", "sorted-list"),
        ("one-shot", "calendar"),
        ("one-shot", "mask-table"),
    ],
)
def test_the_store_changes_nothing(mechanism: str, queue: str, run: Callable[..., Side]) -> None:
    text = LATE.format(share="auto")
    table = run(text, BOARD, "gcd", "mask-table")
    other = run(text, BOARD, mechanism, queue)
    assert counts(other) == counts(table)


@pytest.mark.parametrize(
    ("name", "most"),
    [("engine-control", 638_000), pytest.param("chronos", 573_000, marks=pytest.mark.soak)],
)
def test_the_examples_cost_half_of_what_rate_groups_cost_under_freertos(
    name: str, most: int, tmp_path: Path
) -> None:
    """Half of 1,277,240 kernel instructions; and 1,434,384 by 2.5."""
    said = horolog("run", example(name), "--json", "--out", tmp_path)
    assert said.code == 0, said.err
    data = json.loads(said.out)
    kernel = data["horolog"]["instructions"]["kernel"]
    assert kernel <= most
    (chosen,) = [one for one in data["alternatives"] if one["chosen"]]
    assert kernel == pytest.approx(chosen["kernel_instructions"], rel=0.02)
    assert counts(data["horolog"])[1:] == (0, 0)


WAITING = """
[system]
name = "waiting"
board = "mps2-an385"
cells = ["timer0"]
timeouts = "timer1"
duration = "50 ms"
sources = ["bodies.c"]

[[task_group]]
name = "poll"
tasks = 2
period = "10 ms"
wcet = "50 us"
body = "poll"
"""
BODIES = """
#include <hrl/thread.h>

static void rest(void)
{
    hrl_thread_sleep_for(100u);
}

void poll(void);
void poll(void)
{
    rest();
}
"""


@pytest.mark.parametrize("said_so", ["waits = false\n", 'share = "always"\n'])
def test_a_body_that_waits_is_refused_with_the_path_of_calls(said_so: str, tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(WAITING + said_so, encoding="utf-8")
    said = horolog("build", path, "--out", tmp_path / "build")
    if said_so.startswith("waits"):
        path.write_text(
            (WAITING + said_so).replace('name = "waiting"', 'name = "waiting"\nshare = "auto"'),
            encoding="utf-8",
        )
        said = horolog("build", path, "--out", tmp_path / "build")
    assert said.code == 2
    assert 'task "poll.0" may share a thread, and calls hrl_thread_sleep_for' in said.err
    assert "poll calls" in said.err
    assert 'waits = true, or share = "never"' in said.err


HOOK = """
#include <hrl/hooks.h>
#include <hrl/thread.h>

void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due)
{
    (void)due;
    (void)hrl_thread_set_priority(thread, 2u);
}
"""
ON_LEVELS_OF_THEIR_OWN = """
[system]
name = "hook"
board = "mps2-an385"
cells = ["timer0"]
duration = "100 ms"
sources = ["hook.c"]

[[task]]
name = "fast"
period = "7 ms"
work = 10

[[task]]
name = "slow"
period = "11 ms"
work = 10
"""


def test_a_hook_that_changes_priorities_is_refused(tmp_path: Path) -> None:
    """Each thread stands in the ring of its level for ever (docs/adr/0018)."""
    (tmp_path / "hook.c").write_text(HOOK, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(ON_LEVELS_OF_THEIR_OWN, encoding="utf-8")
    said = horolog("build", path, "--out", tmp_path / "build")
    assert said.code == 2
    assert "hrl_overrun_hook calls hrl_thread_set_priority" in said.err
    assert 'share = "never"' in said.err
    path.write_text(
        ON_LEVELS_OF_THEIR_OWN.replace("[system]", '[system]\nshare = "never"'), encoding="utf-8"
    )
    said = horolog("build", path, "--out", tmp_path / "build")
    assert said.code == 0, said.err


def test_a_body_that_says_it_waits_has_a_thread_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    text = WAITING.replace('name = "waiting"', 'name = "waiting"\nshare = "always"')
    (tmp_path / "system.toml").write_text(text + "waits = true\n", encoding="utf-8")
    said = horolog("build", tmp_path / "system.toml", "--out", tmp_path / "build")
    assert said.code == 0, said.err
    made = (tmp_path / "build" / "gen" / "hrl_gen_system.c").read_text(encoding="utf-8")
    assert len(re.findall(r"^ +HRLI_PERIODIC_THREAD\(", made, re.MULTILINE)) == 2
    assert "SHARED" not in made
