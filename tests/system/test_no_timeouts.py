# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A described system without `timeouts`: code that asks for one stops in the assert hook, as promised."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import horolog

pytestmark = pytest.mark.emulator

SYSTEM = """\
[system]
name = "none"
board = "mps2-an385"
duration = "20 ms"
sources = ["bodies.c"]

[[task]]
name = "asks"
period = "5 ms"
wcet = "1 ms"
stack = 1024
body = "ask"
"""
ASKS = {
    "a sleep": "hrl_thread_sleep_for(HRL_MS(1));",
    "a wait until an instant": "hrl_semaphore_take(&never, hrl_now() + HRL_MS(1));",
    "an alarm": "hrl_alarm_start(&alarm, hrl_now() + HRL_MS(1));",
}
BODIES = """\
#include <hrl/alarm.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

HRL_SEMAPHORE_DEFINE(never, 0, 1);
HRL_ALARM_DEFINE_GIVE(alarm, never);

void ask(void)
{{
    {}
}}
"""


@pytest.mark.parametrize("options", [(), ("--checks",)], ids=["measured", "with-checks"])
@pytest.mark.parametrize("asks", ASKS)
def test_it_stops_in_the_assert_hook(asks: str, options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (tmp_path / "bodies.c").write_text(BODIES.format(ASKS[asks]), encoding="utf-8")
    said = horolog("run", tmp_path / "system.toml", "--out", tmp_path / "out", *options)
    assert said.code == 4
    assert "the system has no releaser for time-outs" in said.err
    assert "in thread 'asks'" in said.err


def test_without_asking_it_runs(tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (tmp_path / "bodies.c").write_text("void ask(void)\n{\n}\n", encoding="utf-8")
    said = horolog("run", tmp_path / "system.toml", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    image = (tmp_path / "out" / "cmake" / "mps2-an385" / "horolog.map").read_text(encoding="utf-8")
    assert "no_timeouts.c.obj" not in image  # what does not wait does not pay
