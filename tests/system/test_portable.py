# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bodies that call the kernel by <hrl/portable.h>, on Horolog and on FreeRTOS: examples/telemetry."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.system.running import command
from tests.system.support import ROOT, Said, horolog

from horolog.programs import call
from horolog.read import read_board

pytestmark = pytest.mark.emulator

# What a second has brought near its end, and, before, calls that the example does not make: on both kernels.
_CHECK = """
#include <hrl/console.h>

HRL_PORTABLE_SEMAPHORE_DEFINE(tokens, 1, 2);
HRL_PORTABLE_QUEUE_DEFINE(one, 16, 1);
static uint32_t ticks, longest[2];

void make_more(void);
void make_more(void)
{
    make_objects();
    hrl_portable_semaphore_make(&tokens);
    hrl_portable_queue_make(&one);
}

void clock_tick(void);
void clock_tick(void)
{
    ticks++;
}

static void require(bool holds, int status)
{
    if (!holds) {
        hrl_program_end(status);
    }
}

static void try_calls(void)
{
    uint32_t message[4] = {1, 2, 3, 4}, other[4] = {0};
    uint32_t since = ticks;

    require(hrl_portable_semaphore_take(&tokens, HRL_PORTABLE_NO_WAIT), 11);
    require(!hrl_portable_semaphore_take(&tokens, HRL_PORTABLE_NO_WAIT), 12);
    require(!hrl_portable_semaphore_take(&tokens, HRL_PORTABLE_MS(5)), 13);
    longest[0] = ticks - since;
    require(longest[0] >= 4 && longest[0] <= 6, 14);
    require(hrl_portable_semaphore_give(&tokens) && hrl_portable_semaphore_give(&tokens), 15);
    require(!hrl_portable_semaphore_give(&tokens), 16);
    require(hrl_portable_queue_send(&one, message, HRL_PORTABLE_FOREVER), 17);
    since = ticks;
    require(!hrl_portable_queue_send(&one, other, HRL_PORTABLE_US(2500)), 18);
    longest[1] = ticks - since;
    require(longest[1] >= 2 && longest[1] <= 4, 19);
    require(hrl_portable_queue_receive(&one, other, HRL_PORTABLE_NO_WAIT), 20);
    for (uint32_t i = 0; i < 4; i++) {
        require(other[i] == message[i], 21);
    }
    require(!hrl_portable_queue_receive(&one, other, HRL_PORTABLE_MS(1)), 22);
    hrl_portable_sleep(HRL_PORTABLE_NO_WAIT);
}

void check(void);
void check(void)
{
    try_calls();
    require(telemetry.filtered == FILTERED, 31);
    require(telemetry.lost == 0, 32);
    require(telemetry.sent == 20 && telemetry.refused == 0, 33);
    require(telemetry.drawn == 10, 34);
}
"""
_TASKS = """
[[task]]
name = "clock_tick"
period = "1 ms"
wcet = "10 us"
body = "clock_tick"

[[task]]
name = "check"
period = "1 s"
offset = "965 ms"
wcet = "200 us"
body = "check"
"""
# A sample each 2 ms, filtered each 10 ms: `check` begins at 965 ms and waits for 9 ms or less.
_FILTERED = 486


def example(folder: Path, filtered: int = _FILTERED) -> Path:
    """A copy with a task that counts milliseconds, and one that tries the calls and looks at the counts."""
    shutil.copytree(ROOT / "examples" / "telemetry", folder / "telemetry")
    description, source = folder / "telemetry" / "system.toml", folder / "telemetry/telemetry.c"
    text = description.read_text(encoding="utf-8").replace("make_objects", "make_more")
    description.write_text(text + _TASKS, encoding="utf-8")
    check = _CHECK.replace("FILTERED", f"{filtered}u")
    source.write_text(source.read_text(encoding="utf-8") + check, encoding="utf-8")
    return description


def run_both(path: Path, board: str, out: Path) -> Said:
    return horolog("compare", path, "--board", board, "--baseline", "all", "--out", out)


@pytest.mark.parametrize("board", ["mps2-an385", pytest.param("microbit", marks=pytest.mark.soak)])
def test_both_kernels_do_the_same(board: str, tmp_path: Path) -> None:
    said = run_both(example(tmp_path), board, tmp_path / "out")
    assert said.code == 0, said.err
    result = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    ours, theirs = result["horolog"], result["freertos"]
    assert ours["jobs"] == theirs["jobs"] == 500 + 100 + 20 + 10 + 1000 + 1
    assert ours["deadline_misses"] == theirs["deadline_misses"] == 0
    assert ours["instructions"]["bodies"] == theirs["instructions"]["bodies"]
    assert result["ratio"] > 1
    refused = {name: one["ratio_refused"] for name, one in result["baselines"].items()}
    assert "delay the others" in refused["rate-group"]
    assert "is off here" in refused["notify"]


@pytest.mark.parametrize("kernel", ["horolog", "freertos"])
def test_a_difference_would_be_seen(kernel: str, tmp_path: Path) -> None:
    wrong = example(tmp_path, _FILTERED + 1)
    said = horolog("build", wrong, "--baseline", "stock", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    elf = tmp_path / "out" / "cmake" / "mps2-an385" / f"{kernel}.elf"
    assert call(command(read_board("mps2-an385"), elf), seconds=60).status == 31


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("void f(unsigned n) { hrl_portable_sleep(HRL_PORTABLE_MS(n)); }", "span_is_constant"),
        ("void f(void) { hrl_portable_sleep(HRL_PORTABLE_S(200)); }", "span_is_constant"),
        ("HRL_PORTABLE_SEMAPHORE_DEFINE(s, -1, 1);", "at least one token"),
        ("HRL_PORTABLE_SEMAPHORE_DEFINE(s, 2, 1);", "at least one token"),
        ("HRL_PORTABLE_QUEUE_DEFINE(q, 6, 1);", "multiple of 4 bytes"),
        ("HRL_PORTABLE_QUEUE_DEFINE(q, 4, 0);", "capacity"),
        ("void f(void) { hrl_portable_sleep(HRL_PORTABLE_S(171)); }", None),
        ("HRL_PORTABLE_SEMAPHORE_DEFINE(s, 300, 70000);", None),
    ],
)
def test_macros_refuse_values_that_would_go_wrong(
    line: str, wrong: str | None, tmp_path: Path
) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"#include <hrl/portable.h>\n{line}\n", encoding="utf-8")
    include = ("-I", str(ROOT / "include"))
    flags = ("-std=gnu11", "-Wall", "-DHRL_CLOCK_HZ=25000000u", *include)
    done = call(["arm-none-eabi-gcc", *flags, "-fsyntax-only", str(source)], seconds=60)
    assert (done.status == 0) == (wrong is None), done.errors
    assert wrong is None or wrong in done.errors
