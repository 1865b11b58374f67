# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog calls, on a firmware that is not the kernel's: quicker to build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.tool.call_programs import COMPILERS, compile_program
from tests.tool.conftest import Workshop

from horolog.build.firmware import Firmware

pytestmark = pytest.mark.skipif(
    any(shutil.which(command[0]) is None for command in COMPILERS.values()),
    reason="needs both cross compilers",
)

BODIES = """\
#include <hrl/thread.h>
volatile int v;
void (*volatile pointer)(void);
__attribute__((noipa)) int twice(int x) { int room[200]; room[v] = x; return x ? twice(x - 1) + room[v] : 0; }
__attribute__((noipa)) int wide(int x) { volatile int room[200]; room[v] = x; return room[v]; }
__attribute__((noipa)) void call(void) { v = 9; }
void hrl_gen_body_0(void) { v = wide(v); hrl_thread_sleep_for(7); v = 1; }
void hrl_gen_body_1(void) { v = twice(v); pointer = call; pointer(); v = 2; }
"""


@pytest.fixture(params=COMPILERS)
def arch(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    elf = compile_program(tmp_path, name, BODIES, "-O2", "-Wno-missing-prototypes").elf
    monkeypatch.setattr("horolog.cli.calls.build", lambda *_, **__: Firmware(tmp_path, elf, None))
    return name


def test_the_table(arch: str, workshop: Workshop) -> None:
    said = workshop.run("calls", str(workshop.write()))
    assert said.code == 0
    heading, fast, slow, *notes = said.out.splitlines()
    columns = [
        "task",
        "kind",
        "stack",
        "given",
        "registers",
        "functions",
        "calls",
        "of",
        "the",
        "kernel",
    ]
    if arch == "armv7m":
        columns.remove("registers")
    assert heading.split() == columns
    stack = int(fast.split()[2])
    assert 800 <= stack <= 900
    assert fast.split()[-2:] == ["1", "hrl_thread_sleep_for"]
    assert slow.split()[:3] == ["slow", "thread", "unknown"]
    text = "\n".join(notes)
    assert f"note fast: {stack} bytes of stack, and 512 are given" in text
    assert "note slow: hrl_gen_body_1 (" in text
    assert "bodies.c:8) calls through a pointer" in text
    assert "note slow: recursion: twice (" in text
    assert "a call through a pointer may reach call" in text


def test_the_same_for_programs(arch: str, workshop: Workshop) -> None:
    said = workshop.run("calls", str(workshop.write()), "--json")
    fast, slow = said.object["tasks"]
    assert fast["functions"] == ["wide"]
    (wait,) = fast["for_threads"]
    assert (wait["call"], wait["certain"]) == ("hrl_thread_sleep_for", True)
    assert wait["path"][0]["source"].endswith("bodies.c:7")
    assert (fast["registers"] is None) == (arch == "armv7m")
    assert slow["stack_bytes"] is None
    assert slow["recursion"][0][0]["function"] == "twice"
    assert slow["not_followed"][0]["reason"] == "calls through a pointer"


def test_the_host_has_no_firmware_to_follow(workshop: Workshop) -> None:
    said = workshop.run("calls", str(workshop.write()), "--board", "host")
    assert said.code == 2
    assert "expected: a board with a processor of its own" in said.err
