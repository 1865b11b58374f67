# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic basic tasks: activated by interrupts, tasks and the application; their ends come within bounds.

Time is virtual on the host port, and counted in instructions or cycles elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from random import Random

import pytest
from tests.support.activated_tasks import bounds_in_seconds, decode_and_keep, longest_jobs
from tests.system.support import BOARD, horolog

from horolog.build.firmware import build_firmware
from horolog.measure.measured import HOROLOG, Kernel
from horolog.model import System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of
from horolog.run.host import run_on_host
from horolog.run.qemu import run_in_qemu

_BOARDS = [
    pytest.param(BOARD, 24, marks=pytest.mark.emulator),
    pytest.param("ibex-cells", 30, marks=pytest.mark.emulator),
    ("host", 9),
]
_RTL_TAKES_LONG = pytest.param("ibex-cells", 30, marks=[pytest.mark.emulator, pytest.mark.soak])
"""Where what is asked for is the kernel's alone."""
_DESCRIPTION = """\
[system]
name = "parse"
board = "{board}"
duration = "60 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "talk"
period = "2 ms"
offset = "700 us"
wcet = "20 us"
body = "talk"
kind = "{kind}"
priority = 3

[[task]]
name = "urgent"
period = "1 ms"
work = 3000
kind = "{kind}"
priority = 9

[[task]]
name = "decode"
min_gap = "1900 us"
activated_by = "interrupt received"
body = "decode"
wcet = "300 us"
kind = "basic"
priority = {decode}

[[task]]
name = "after"
activated_by = "task decode"
work = 500
wcet = "100 us"
kind = "basic"
priority = {after}

[[task]]
name = "keep"
min_gap = "7 ms"
body = "keep"
wcet = "100 us"
kind = "basic"
priority = {keep}

[[interrupt]]
name = "received"
line = {line}
priority = 2
min_gap = "1900 us"
handler = "on_byte"
wcet = "100 us"
"""
_ACTIVATED = "#include <hrl/basic.h>\n\nextern const struct hrl_basic basic_keep;\n"
_ABOVE = {"decode": 11, "after": 10, "keep": 12}  # all of them above every thread
_BELOW = {"decode": 5, "after": 4, "keep": 1}  # threads of the kernel's run them


def described(
    folder: Path, board: str, line: int, kind: str, priorities: dict[str, int], **most: int
) -> Path:
    text = decode_and_keep(line, _ACTIVATED, "hrl_basic_activate(&basic_keep)", **most)
    (folder / "bodies.c").write_text(text, encoding="utf-8")
    path = folder / "system.toml"
    filled = _DESCRIPTION.format(board=board, line=line, kind=kind, **priorities)
    path.write_text(filled, encoding="utf-8")
    return path


@pytest.mark.parametrize(("board", "line"), _BOARDS)
@pytest.mark.parametrize(
    ("kind", "priorities"),
    [("thread", _ABOVE), ("thread", _BELOW), ("basic", _BELOW)],
    ids=["above threads", "below threads", "no threads"],
)
def test_every_activation_ends_within_its_bound(
    board: str, line: int, kind: str, priorities: dict[str, int], tmp_path: Path
) -> None:
    system = read_system(described(tmp_path, board, line, kind, priorities))
    most = bounds_in_seconds(system)
    hz = system.board.clock.hz
    # The body of decode counts from the raise, which the handler follows.
    handler = ceil(Fraction(1, 4000) * hz)
    counts = {name: ceil(most[name] * hz) + handler for name in ("decode", "keep")}
    path = described(tmp_path, board, line, kind, priorities, **counts)
    said = horolog("run", path, "--json", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    result = said.object
    assert result["horolog"]["overruns"] == 0
    (note,) = (one for one in result["notes"] if "are not measured" in one)
    seen = ["after", "decode"] if board != "host" else ["after"]
    assert note.startswith("responses of keep" if "decode" in seen else "responses of decode, keep")
    for name in seen:
        response = result["horolog"]["response"][name]
        assert 0 < response["min_ns"] <= response["max_ns"] <= most[name] * 10**9
    longest = longest_jobs(tmp_path / "out")
    assert all(longest[number] > 0 for number in (3, 4, 5)), "each of them ran"


# An activation while a job runs waits, the next is an overrun

_AGAIN = """\
[system]
name = "again"
board = "{board}"
duration = "30 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "begin"
period = "5 ms"
wcet = "20 us"
body = "begin"
stack = 1_024  # it may report a fault
priority = 3

[[task]]
name = "keep"
min_gap = "2 ms"
body = "keep"
wcet = "50 us"
kind = "basic"
priority = {priority}
"""
_AGAIN_BODIES = """\
#include <hrl/basic.h>
#include <hrl/hooks.h>

extern const struct hrl_basic basic_keep;

void begin(void);
void keep(void);

static volatile unsigned jobs, begun, told;

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    told += task == &basic_keep;
}

static void check(int holds)
{
    if (!holds) {
        hrl_assert_hook("not as it should be", __FILE__, __LINE__);
    }
}

void begin(void)
{
    check(jobs == 2 * begun);
    begun++;
    check(hrl_basic_activate(&basic_keep) == HRL_OK);
    check(jobs == (%(at_once)s ? 2 * begun : 2 * begun - 2));
}

void keep(void)
{
    unsigned before = jobs;

    if (before %% 2 == 0) {
        check(hrl_basic_activate(&basic_keep) == HRL_OK);
        check(hrl_basic_activate(&basic_keep) == HRL_FULL);
        check(hrl_basic_overruns(&basic_keep) == begun && told == begun);
        check(jobs == before);
    }
    jobs = before + 1;
}
"""


@pytest.mark.parametrize(("board", "line"), [_BOARDS[0], _RTL_TAKES_LONG, _BOARDS[2]])
@pytest.mark.parametrize("priority", [9, 1])
@pytest.mark.parametrize("checks", [(), ("--checks",)], ids=["", "checks"])
def test_an_activation_while_a_job_runs(
    board: str, line: int, priority: int, checks: tuple[str, ...], tmp_path: Path
) -> None:
    del line
    path = tmp_path / "system.toml"
    path.write_text(_AGAIN.format(board=board, priority=priority), encoding="utf-8")
    text = _AGAIN_BODIES % {"at_once": int(priority == 9)}
    (tmp_path / "bodies.c").write_text(text, encoding="utf-8")
    said = horolog("run", path, "--json", "--out", tmp_path / "out", *checks)
    assert said.code == 0, said.err
    assert longest_jobs(tmp_path / "out")[1] > 0


# A resource of sporadic tasks

_HELD = """\
[system]
name = "held"
board = "{board}"
duration = "30 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "low"
period = "5 ms"
wcet = "150 us"
body = "low"
stack = 1_024  # it may report a fault
priority = 3

[[task]]
name = "decode"
min_gap = "4 ms"
activated_by = "interrupt received"
body = "decode"
wcet = "50 us"
kind = "basic"
priority = 10

[[task]]
name = "above"
min_gap = "4 ms"
body = "above"
wcet = "50 us"
kind = "basic"
priority = 12

[[task]]
name = "send"
activated_by = "task decode"
body = "send"
wcet = "50 us"
stack = 1_024
priority = 5

[[interrupt]]
name = "received"
line = {line}
priority = 1
min_gap = "4 ms"
work = 100

[[resource]]
name = "bus"
tasks = ["low", "decode", "send"]
hold = {{ low = "150 us", decode = "50 us", send = "50 us" }}
"""
_HELD_BODIES = """\
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/resource.h>

extern const struct hrl_basic basic_above;
extern struct hrl_resource bus;

void low(void);
void decode(void);
void above(void);
void send(void);

static volatile unsigned lows, decoded, aboves, sent, inside;

static void check(int holds)
{
    if (!holds) {
        hrl_assert_hook("not held off", __FILE__, __LINE__);
    }
}

void low(void)
{
    check(decoded == lows && sent == lows);
    hrl_resource_take(&bus);
    inside = 1;
    lows++;
    (void)hrl_interrupt_raise(%(line)su);
    check(decoded == lows - 1);
    (void)hrl_basic_activate(&basic_above);
    check(aboves == lows);
    inside = 0;
    hrl_resource_give(&bus);
    check(decoded == lows && sent == lows);
}

static void use(void)
{
    hrl_resource_take(&bus);
    check(inside == 0);
    inside = 1;
    (void)hrl_basic_activate(&basic_above); /* too often: an overrun now and then */
    check(inside == 1);
    inside = 0;
    hrl_resource_give(&bus);
}

void decode(void)
{
    use();
    decoded++;
}

void above(void)
{
    aboves += inside != 0 && decoded == lows - 1 && aboves == lows - 1;
}

void send(void)
{
    use();
    sent++;
}
"""


@pytest.mark.parametrize(("board", "line"), [_BOARDS[0], _RTL_TAKES_LONG, _BOARDS[2]])
@pytest.mark.parametrize("checks", [(), ("--checks",)], ids=["", "checks"])
def test_a_resource_keeps_sporadic_tasks_off(
    board: str, line: int, checks: tuple[str, ...], tmp_path: Path
) -> None:
    """send, a thread, decode, a basic task, and low share; above, above the ceiling, does not wait."""
    path = tmp_path / "system.toml"
    path.write_text(_HELD.format(board=board, line=line), encoding="utf-8")
    (tmp_path / "bodies.c").write_text(_HELD_BODIES % {"line": line}, encoding="utf-8")
    most = bounds_in_seconds(read_system(path))
    said = horolog("run", path, "--json", "--out", tmp_path / "out", *checks)
    assert said.code == 0, said.err
    longest = longest_jobs(tmp_path / "out")
    assert all(longest[number] > 0 for number in (2, 3, 4)), "each of them ran"
    seen = ["send"] if board == "host" else ["decode", "send"]
    for name in seen if not checks else ():
        response = said.object["horolog"]["response"][name]
        assert 0 < response["max_ns"] <= most[name] * 10**9


# Random systems


def random_system(random: Random, board: str, folder: Path) -> System:
    """One with two to four sporadic basic tasks; bodies raise the lines of two interrupts."""
    line = 9 if board == "host" else 24
    text = [
        f'[system]\nname = "drawn"\nboard = "{board}"\nduration = "150 ms"\n'
        'priorities = "explicit"\nsources = ["bodies.c"]\n'
    ]
    levels = random.sample(range(1, 9), 8)
    kinds = random.choice((("thread",), ("basic",), ("thread", "basic")))

    def task(name: str, release: str, work: int, kind: str, body: str = "") -> None:
        does = f'body = "{body}"\nwcet = "30 us"' if body else f"work = {work}"
        text.append(
            f'[[task]]\nname = "{name}"\n{release}\n{does}\nkind = "{kind}"\npriority = {levels.pop()}\n'
        )

    periods = [random.choice((3, 4, 5, 7)) for _ in range(2)]
    for at, period in enumerate(periods):
        offset = random.choice((0, 300, 1000))
        release = f'period = "{period} ms"\noffset = "{offset} us"'
        task(f"raise_{at}", release, 0, random.choice(kinds), f"raise_{at}")
        gap = f'min_gap = "{period * 600} us"'
        of = f"line = {line + at}\npriority = {random.randint(1, 3)}\nwork = {random.randint(50, 900)}"
        text.append(f'[[interrupt]]\nname = "line_{at}"\n{gap}\n{of}\n')
    task("busy", f'period = "{random.choice((2, 6))} ms"', random.randint(500, 6000), kinds[0])
    last: list[str] = ["busy"]
    for at in range(random.randint(2, 4)):
        if random.random() < 0.5:
            by = random.randrange(2)
            release = f'min_gap = "{periods[by] * 600} us"\nactivated_by = "interrupt line_{by}"'
        else:
            release = f'activated_by = "task {random.choice(last)}"'
        task(f"s_{at}", release, random.randint(200, 4000), "basic")
        last.append(f"s_{at}")
    raises = "".join(
        f"void raise_{at}(void);\nvoid raise_{at}(void)\n"
        f"{{\n    (void)hrl_interrupt_raise({line + at}u);\n}}\n"
        for at in range(2)
    )
    bodies = f"#include <hrl/interrupt.h>\n{raises}"
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text("\n".join(text), encoding="utf-8")
    return read_system(path)


def provable(random: Random, board: str, folder: Path) -> System:
    """One whose deadlines all hold, and whose interrupts keep their gaps."""
    while True:
        system = random_system(random, board, folder)
        found = analysis_of(system, plan(system).choice, read_prices(system.board))
        steady = all(
            one.response is not None and one.response < system.tasks[one.task].period * 2 / 5
            for one in found.bounds
            if one.task < 2
        )
        if found.holds and steady:
            return system


@pytest.mark.parametrize(
    ("board", "number"),
    [
        *(("host", number) for number in range(6)),
        *(pytest.param(BOARD, number, marks=pytest.mark.emulator) for number in range(6, 10)),
    ],
)
def test_no_response_is_above_its_bound(board: str, number: int, tmp_path: Path) -> None:
    random = Random(f"sporadic basic {number}")
    system = replace(provable(random, board, tmp_path), name=f"drawn-{number}")
    chosen, prices = plan(system).choice, read_prices(system.board)
    most = {one.task: one.response for one in analysis_of(system, chosen, prices).bounds}
    folder = tmp_path / "out"
    elf = build_firmware(system, chosen, folder, None).horolog
    kernel = Kernel(HOROLOG, chosen.mechanism)
    for seed in range(3 if board == "host" else 1):
        if board == "host":
            draw = ["--draw", str(seed + 1), "--least-percents", "30"] if seed else []
            found = run_on_host(system, kernel, elf, folder, draw)
        else:
            found = run_in_qemu(system, chosen, kernel, elf, folder)
        seen = [one for one in found.activated if one.max_ns is not None]
        interrupts = [one.interrupt is not None for one in system.sporadic]
        assert len(seen) == len(interrupts) - (sum(interrupts) if board == "host" else 0)
        for row in seen:
            bound = most[row.task]
            assert bound is not None
            assert row.jobs > 3
            assert row.overruns == 0
            assert row.max_ns is not None
            assert row.max_ns <= bound * 10**9, system.all_tasks[row.task].name
