# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic tasks that messages activate: each message is there in its job, which ends within its bound."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK, bounds_in_counts
from tests.system.support import horolog

from horolog.read import read_system

_DESCRIPTION = """\
[system]
name = "orders"
board = "{board}"
duration = "60 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "talk"
period = "2 ms"
wcet = "60 us"
body = "talk"
waits = false
stack = 1_024  # it may report a fault
priority = 9

[[task]]
name = "urgent"
period = "4 ms"
work = 3000
priority = 7

[[task]]
name = "obey"
min_gap = "2 ms"
activated_by = "message"
message_bytes = 8
body = "obey"
waits = false
stack = 1_024
wcet = "60 us"
priority = 5
"""
_BODIES = """\
#include <hrl/hooks.h>
#include <hrl/message_queue.h>
#include <hrl/time.h>
#include <string.h>

struct order {
    uint32_t number;
    uint32_t twice;
};

extern struct hrl_message_queue messages_obey;
extern uint32_t message_obey[2];

void talk(void);
void obey(void);

static hrl_counts sent;
static uint32_t number, obeyed;

%(check)s
void talk(void)
{
    struct order one = {++number, 2 * number};

    check(obeyed + 1 == number, __LINE__);
    sent = hrl_now();
    check(hrl_message_send(&messages_obey, &one, HRL_NO_WAIT) == HRL_OK, __LINE__);
    if (number == 9) { /* one goes straight to the thread, one has room, and none more */
        check(hrl_message_send(&messages_obey, &one, HRL_NO_WAIT) == HRL_OK, __LINE__);
        check(hrl_message_send(&messages_obey, &one, HRL_NO_WAIT) == HRL_WOULD_WAIT, __LINE__);
        obeyed--;
    }
}

void obey(void)
{
    struct order one;

    memcpy(&one, message_obey, sizeof one);
    check(one.number == number && one.twice == 2 * number, __LINE__);
    check(number == 9 || hrl_now() - sent <= %(most)su, __LINE__);
    obeyed++;
}
"""


def describe(folder: Path, board: str, most: int) -> Path:
    (folder / "bodies.c").write_text(_BODIES % {"check": CHECK, "most": most}, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board), encoding="utf-8")
    return path


@pytest.mark.parametrize("board", ["mps2-an385", "ibex-cells"])
def test_each_message_is_one_job_within_its_bound(board: str, tmp_path: Path) -> None:
    most = bounds_in_counts(read_system(describe(tmp_path, board, 0)))["obey"]
    said = horolog("run", describe(tmp_path, board, most), "--out", tmp_path / "out", "--checks")
    assert said.code == 0, said.err
    path = describe(tmp_path, board, most // 4)
    said = horolog("run", path, "--out", tmp_path / "out", "--checks")
    assert said.code == 4, "behind urgent it takes more than a quarter of its bound"
    assert "not as described" in said.err
