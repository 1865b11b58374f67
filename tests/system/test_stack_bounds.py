# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A thread whose stack is as large as its bound has room for everything, and hardly any more than that.

Its body is preempted where its stack is deepest, so that frame and registers of a switch lie below it; the
kernel's checks look at the painted word at each switch. Emulated.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import Said, horolog

from horolog.calls import thread_stacks
from horolog.read import read_system

pytestmark = pytest.mark.emulator

_DESCRIPTION = """\
[system]
name = "deep"
board = "{board}"
duration = "60 ms"
sources = ["bodies.c"]

[[task]]
name = "quick"
period = "1 ms"
work = 50

[[task]]
name = "deep"
period = "10 ms"
wcet = "6 ms"
body = "deep"
waits = false
stack = {stack}

[[task]]
name = "look"
period = "20 ms"
offset = "15 ms"
wcet = "1 ms"
body = "look"
stack = 1024
"""
_BODIES = """\
#include <hrl/hooks.h>
#include <hrl/thread.h>

void deep(void);
void look(void);

static volatile %(type)s turns;
static unsigned jobs;
static const struct hrl_thread *thread;

__attribute__((noipa)) static %(type)s below(unsigned at)
{
    volatile %(type)s room[60];

    for (unsigned i = 0; i < 60; i++) {
        room[i] = (%(type)s)i;
    }
    for (turns = 0; turns < 10000; turns++) {
        room[at] += turns;
    }
    return room[at] + turns;
}

void deep(void)
{
    thread = hrl_thread_current();
    turns = below(jobs++ %% 60);
}

void look(void)
{
    uint32_t unused = hrl_thread_stack_unused(thread);

    if (unused < %(least)su || unused > %(most)su) {
        hrl_assert_hook("unused bytes of the stack, as a line", __FILE__, (int)unused);
    }
}
"""
_CANARY, _SLACK = 4, 40  # bytes: of the slack 7 to a multiple of 8, the others to align frames
_ANY = 1 << 20


def run(folder: Path, board: str, kind: str, stack: int, least: int, most: int) -> Said:
    text = _BODIES % {"type": kind, "least": least, "most": most}
    (folder / "bodies.c").write_text(text, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board, stack=stack), encoding="utf-8")
    return horolog("run", path, "--checks", "--out", folder / "out")


@pytest.mark.parametrize(
    ("board", "kind"),
    [("mps2-an385", "unsigned"), ("mps2-an386", "float"), ("qemu-virt-rv32", "unsigned")],
)
def test_a_stack_as_large_as_its_bound_is_enough_and_used(
    tmp_path: Path, board: str, kind: str
) -> None:
    said = run(tmp_path, board, kind, 2048, 0, _ANY)
    assert said.code == 0, said.err
    (elf,) = (tmp_path / "out").rglob("horolog.elf")
    found, _ = thread_stacks(read_system(tmp_path / "system.toml"), elf)
    assert found.given == 2048
    bound = -(-found.need // 8) * 8
    said = run(tmp_path, board, kind, bound, _CANARY, _CANARY + _SLACK)
    assert said.code == 0, said.err
    said = run(tmp_path, board, kind, bound - 8, 0, _ANY)
    assert said.code == 1
    assert f'the stack of task "deep" overflows: it needs {found.need} bytes' in said.err
    assert f"expected: stack = {bound} or more" in said.err


def test_a_stack_without_room_for_the_registers_of_a_switch_overflows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its check the build takes it, and the kernel stops at the overflow."""
    monkeypatch.setattr("horolog.build.image_checks.check_thread_stacks", lambda *_: ())
    said = run(tmp_path, "mps2-an385", "unsigned", 2048, 0, _ANY)
    (elf,) = (tmp_path / "out").rglob("horolog.elf")
    found, _ = thread_stacks(read_system(tmp_path / "system.toml"), elf)
    said = run(tmp_path, "mps2-an385", "unsigned", (found.need - 36) // 8 * 8, 0, _ANY)
    assert said.code == 4
    assert "stack overflow" in said.err


_SPORADIC = """
[[task]]
name = "alone"
min_gap = "10 ms"
{kind}wcet = "1 ms"
body = "alone"
priority = 4
stack = {stack}
"""
_SERVER = """
[[server]]
name = "serve"
kind = "deferrable"
period = "10 ms"
jobs = 1
priority = 4
"""
_ALONE = """
void alone(void);
static volatile unsigned alones;

void alone(void)
{
    volatile unsigned room[60];

    for (unsigned i = 0; i < 60; i++) {
        room[i] = alones;
    }
    alones += room[alones % 60] + 1;
}
"""


def sporadic(folder: Path, stack: int, kind: str = "", *, served: bool = False) -> Said:
    """deep activates alone, a thread above it; if `served` that of a deferrable server."""
    text = _BODIES % {"type": "unsigned", "least": 0, "most": _ANY}
    (folder / "bodies.c").write_text(text + _ALONE, encoding="utf-8")
    path = folder / "system.toml"
    described = _DESCRIPTION.format(board="mps2-an385", stack=2048)
    for name, priority in (("quick", 3), ("deep", 2), ("look", 1)):
        header = f'[[task]]\nname = "{name}"\n'
        described = described.replace(header, f"{header}priority = {priority}\n")
    described = described.replace("sources", 'priorities = "explicit"\nsources')
    alone = _SPORADIC.format(kind=kind, stack=stack).replace(
        'min_gap = "10 ms"', 'activated_by = "task deep"'
    )
    if served:
        alone = alone.replace("priority = 4", 'server = "serve"\npending = 2') + _SERVER
    path.write_text(described + alone, encoding="utf-8")
    return horolog("run", path, "--checks", "--out", folder / "out")


@pytest.mark.parametrize("served", [False, True])
def test_the_stack_of_a_thread_that_waits_for_activations(tmp_path: Path, served: bool) -> None:
    said = sporadic(tmp_path, 2048, served=served)
    assert said.code == 0, said.err
    (elf,) = (tmp_path / "out").rglob("horolog.elf")
    system = read_system(tmp_path / "system.toml")
    found = thread_stacks(system, elf)[-1]
    assert (system.task(found.task).name, found.given, found.fits) == ("alone", 2048, True)
    assert 240 <= found.body < 300, "60 words, and what is saved"
    assert found.around > 72 + 4
    assert found.wait > 0
    bound = -(-found.need // 8) * 8
    assert sporadic(tmp_path, bound, served=served).code == 0
    said = sporadic(tmp_path, bound - 8, served=served)
    assert said.code == 1
    assert f'the stack of task "alone" overflows: it needs {found.need} bytes at worst' in said.err
    assert f"expected: stack = {bound} or more" in said.err
    if not served:
        assert sporadic(tmp_path, bound - 8, 'kind = "basic"\n').code == 0, (
            "on the stack of a server"
        )
