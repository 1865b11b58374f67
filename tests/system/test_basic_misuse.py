# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks that do what they must not: what the build says, and where it cannot see it, the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.plain_cmake import build, must, options, project
from tests.system.running import ROOMY, command
from tests.system.support import BOARD, horolog

from horolog.read import read_board

pytestmark = pytest.mark.emulator

_BODY = """\
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

HRL_SEMAPHORE_DEFINE(never, 0, 1);
volatile hrl_counts until;
volatile int value;

static __attribute__((noinline)) int deep(int n)
{
    volatile int kept = n;
    return n == 0 ? 0 : kept + deep(n - 1);
}

void body(void);
void body(void)
{
    %s;
}
"""
_TASK = """\
[system]
name = "misuse"
board = "{board}"
duration = "10 ms"
sources = ["body.c"]

[[task]]
name = "guilty"
period = "5 ms"
wcet = "100 us"
body = "body"
kind = "basic"
"""
_RECURSION = [
    "reaches a recursion: nothing bounds its part of the common stack",
    "deep calls deep at",
]


@pytest.mark.parametrize("board", [BOARD, "ibex-cells"])
@pytest.mark.parametrize(
    ("statement", "texts"),
    [
        pytest.param(
            "hrl_thread_yield()",
            [
                "calls hrl_thread_yield, which is for threads alone",
                "body calls hrl_thread_yield at",
            ],
            id="for-threads",
        ),
        pytest.param(
            "(void)hrl_semaphore_take(&never, HRL_FOREVER)",
            ["waits in hrl_semaphore_take", 'kind = "thread", or not to wait: HRL_NO_WAIT'],
            id="wait",
        ),
        pytest.param(
            "(void)hrl_semaphore_take(&never, until)",
            ["calls hrl_semaphore_take, and there are no threads in the system"],
            id="until-whenever",
        ),
        pytest.param("value = deep(value)", _RECURSION, id="recursion"),
    ],
)
def test_the_build_names_task_and_call(
    board: str, statement: str, texts: list[str], tmp_path: Path
) -> None:
    """Also where nothing would link, as a system of basic tasks only has no threads."""
    (tmp_path / "system.toml").write_text(_TASK.format(board=board), encoding="utf-8")
    (tmp_path / "body.c").write_text(_BODY % statement, encoding="utf-8")
    said = horolog("build", tmp_path / "system.toml", "--out", tmp_path / "out")
    assert said.code == 2
    for text in [f'{tmp_path}/system.toml:7:1: task.guilty: basic task "guilty" ', *texts]:
        assert text in said.err


def test_other_errors_of_the_linker_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_text(_TASK.format(board=BOARD), encoding="utf-8")
    source = _BODY % "extern void absent(void); absent()"
    (tmp_path / "body.c").write_text(source, encoding="utf-8")
    said = horolog("build", tmp_path / "system.toml", "--out", tmp_path / "out")
    assert said.code == 2
    assert "undefined reference to `absent'" in said.err


_MAIN = """\
#include <hrl/basic.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>

HRL_SEMAPHORE_DEFINE(never, 0, 1);
static void body(void)
{
    volatile hrl_counts until = hrl_now() + 1000;
    (void)hrl_semaphore_take(&never, until);
}

HRL_BASIC_DEFINE(innocent, body, line, 1);
HRL_BASIC_DEFINE(guilty, body, line, 0);
HRL_LINE_DEFINE(line, 2, &guilty, &innocent);
HRL_LINES(&line);

int main(void)
{
    (void)hrl_basic_activate(&guilty);
    hrl_start();
    return 0;
}
"""


@pytest.mark.parametrize("name", ROOMY)
def test_a_wait_ends_in_a_report_that_names_the_task(name: str, tmp_path: Path) -> None:
    main = tmp_path / "main.c"
    main.write_text(_MAIN, encoding="utf-8")
    build(project(tmp_path / "p", "BASIC", main), tmp_path / "out", *options(name))
    said = must(*command(read_board(name), tmp_path / "out" / "plain.elf"), fails="guilty")
    assert "wait" in said
    assert "innocent" not in said
