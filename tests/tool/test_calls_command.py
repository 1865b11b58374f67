# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog calls, on a firmware that is not the kernel's: quicker to build."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.call_programs import COMPILERS, compile_program
from tests.tool.conftest import Workshop
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.build.firmware import Firmware
from horolog.calls import analyse_calls, check_thread_stacks
from horolog.model import Exit, HorologError, Port, StackGuard

pytestmark = pytest.mark.skipif(
    any(shutil.which(command[0]) is None for command in COMPILERS.values()),
    reason="needs all cross compilers",
)

BODIES = """\
#include <hrl/thread.h>
volatile int v;
void (*volatile pointer)(void);
APART int twice(int x) { long room[200]; room[v] = x; return x ? twice(x - 1) + room[v] : 0; }
APART int wide(int x) { volatile long room[200]; room[v] = x; return room[v]; }
APART void call(void) { v = 9; }
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
    if arch != "rv32":
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
    assert (fast["registers"] is None) == (arch != "rv32")
    assert slow["stack_bytes"] is None
    assert slow["recursion"][0][0]["function"] == "twice"
    assert slow["not_followed"][0]["reason"] == "calls through a pointer"


def test_the_host_has_no_firmware_to_follow(workshop: Workshop) -> None:
    said = workshop.run("calls", str(workshop.write()), "--board", "host")
    assert said.code == 2
    assert "expected: a board with a processor of its own" in said.err


@pytest.mark.parametrize("arch", COMPILERS)
def test_check_shows_each_stack_beside_its_bound(
    arch: str, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    elf = compile_program(workshop.directory, arch, BODIES, "-O2", "-Wno-missing-prototypes").elf
    built = Firmware(workshop.directory, elf, None)
    monkeypatch.setattr("horolog.run.build", lambda *_, **__: built)
    path = workshop.write_changed(
        ('body = "fast_step"', 'body = "fast_step"\nstack = 1024'),
        ("work = 500", 'wcet = "1 ms"\nbody = "fast_step"'),
    )
    context = 72 + 4
    body = analyse_calls(elf, ["hrl_gen_body_0"]).bodies[0].followed_bytes
    said = workshop.run("check", str(path), "--stacks", "--json")
    assert said.code == 0
    fast, slow = said.object["stacks"]
    assert fast == {
        "task": "fast",
        "need_bytes": body + context,
        "given_bytes": 1024,
        "body_bytes": body,
        "is_bound": True,
        "unbounded": [],
    }
    assert (slow["task"], slow["given_bytes"], slow["is_bound"]) == ("slow", 512, False)
    assert any("calls through a pointer" in reason for reason in slow["unbounded"])
    said = workshop.run("check", str(path), "--stacks")
    lines = said.out.splitlines()
    assert f"fast {body + context} 1,024 {body}" in [" ".join(line.split()) for line in lines]
    assert 'task.slow: nothing visible bounds the stack of "slow": hrl_gen_body_1' in said.out
    assert "stack of" not in workshop.run("check", str(path)).out
    said = workshop.run("check", str(path), "--stacks", "--board", "host")
    assert (said.code, "--stacks reads firmware" in said.err) == (2, True)


@pytest.mark.parametrize("arch", COMPILERS)
def test_a_body_that_does_not_fit_on_its_stack_is_refused(arch: str, tmp_path: Path) -> None:
    """The figure is the body's and what comes on top; what cannot be followed is a note.

    This program has no loop of jobs, so none counts; the painted word and the context do.
    """
    elf = compile_program(tmp_path, arch, BODIES, "-O2", "-Wno-missing-prototypes").elf
    guards = (StackGuard("mpu", (make_board().cpu,), 32, 256),)
    port = Port("gcc", context_bytes=108, stack_guards=guards)
    fast, slow = (make_task(name, ms(10)) for name in ("fast", "slow"))

    def checked(stack: int, guard: str | None = None) -> tuple[str, ...]:
        tasks = [replace(fast, stack=stack), replace(slow, stack=4096)]
        made = make_system(tasks=tasks, board=replace(make_board(), port=port))
        return check_thread_stacks(replace(made, guard=guard), elf)

    need = analyse_calls(elf, ["hrl_gen_body_0"]).bodies[0].followed_bytes + 108 + 4
    with pytest.raises(
        HorologError, match=f'stack of task "fast" overflows.* {need:,} bytes'
    ) as error:
        checked(512)
    assert error.value.exit is Exit.DOES_NOT_HOLD
    assert error.value.expected == f"stack = {-(-need // 8) * 8} or more"
    notes = checked(need)
    assert len(notes) == 1
    assert 'task "slow": nothing visible bounds its stack' in notes[0]
    with pytest.raises(HorologError, match=f"{need + 32:,} bytes"):
        checked(need, "mpu")
    (work,) = make_system(tasks=[replace(fast, body=None, work=1, stack=8)]).tasks
    assert check_thread_stacks(make_system(tasks=[work]), elf) == ()
