# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog gdb: what its commands show of a firmware that is halted in QEMU, behind gdb-multiarch."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.system.support import horolog_process

from horolog.model import Exit

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(
        shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is not installed"
    ),
]

SYSTEM = """
[system]
name = "halted"
board = "mps2-an385"
cells = ["timer0"]
duration = "50 ms"
sources = ["bodies.c"]

[[task]]
name = "often"
period = "2 ms"
body = "often"
wcet = "100 us"

[[task]]
name = "seldom"
period = "10 ms"
body = "seldom"
wcet = "3 ms"
"""

BODIES = """
#include <hrl/mutex.h>
#include <hrl/time.h>

HRL_MUTEX_DEFINE(bus);
HRL_MUTEX_DEFINE(left_out);
HRL_MUTEX_DEFINE_CEILING(log_lock, 31);
volatile int turns;

__attribute__((noinline)) void stop_here(void)
{
    turns++;
}

void often(void)
{
    (void)hrl_mutex_lock(&log_lock, HRL_FOREVER);
    hrl_mutex_unlock(&log_lock);
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
    hrl_mutex_unlock(&bus);
}

void seldom(void)
{
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
    for (int i = 0; i < 20000; i++) {
        turns++;
    }
    stop_here();
    hrl_mutex_unlock(&bus);
}
"""

SHOWN = ("horolog threads", "horolog ready", "horolog releasers", "horolog mutexes")


@pytest.mark.parametrize("byte", ["0xa5", "0xff", "0x20", "0x08"])
def test_before_start_up_memory_holds_no_kernel_and_they_say_so(byte: str, tmp_path: Path) -> None:
    """As on a board, RAM holds anything at a reset."""
    (tmp_path / "system.toml").write_text(SYSTEM)
    (tmp_path / "bodies.c").write_text(BODIES)
    fill = f"python gdb.selected_inferior().write_memory(0x20000000, bytes([{byte}]) * 0x20000)"
    options = [one for command in (fill, *SHOWN) for one in ("--execute", command)]
    path, out = str(tmp_path / "system.toml"), str(tmp_path / "out")
    said = horolog_process("gdb", path, "--out", out, *options, folder=tmp_path)
    assert said.code == Exit.OK, said.err
    assert "Python Exception" not in said.out + said.err
    assert "no kernel is in memory yet: let the firmware run to main first" in said.out


def test_the_commands_show_threads_releasers_and_mutexes(tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_text(SYSTEM)
    (tmp_path / "bodies.c").write_text(BODIES)
    commands = ["tbreak stop_here", "continue", *SHOWN]
    options = [one for command in commands for one in ("--execute", command)]
    path, out = str(tmp_path / "system.toml"), str(tmp_path / "out")
    said = horolog_process("gdb", path, "--out", out, *options, folder=tmp_path)
    assert said.code == Exit.OK, said.err
    text = said.out
    rows = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert re.search(r"^often +\d+ +waits +\d+ of \d+ ", rows["often"])  # for the mutex
    assert re.search(r"^seldom +\d+ +running +\d+ of \d+ ", rows["seldom"])
    assert re.search(r"^idle +0 +ready ", rows["idle"])
    assert re.search(r"^bus +seldom +inherits +often$", text, re.MULTILINE)
    assert re.search(r"^log_lock +- +31 +-$", text, re.MULTILINE)
    assert "left_out" not in rows  # nothing uses it
    assert re.search(r"^0 +\S+ +\d+ +\d+ +often, seldom$", text, re.MULTILINE)
    assert re.search(r"^\d+: seldom$", text, re.MULTILINE)
    assert re.search(r"^0: idle$", text, re.MULTILINE)
