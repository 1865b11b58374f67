# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""microbit, a Cortex-M0 with 16 KiB: a description beside FreeRTOS, the tick of which comes from TIMER0."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog, made_system, ms, task

from horolog.model import Kind, PriorityRule
from horolog.plan import NOTHING, plan
from horolog.programs import call
from horolog.run import measure_plan
from horolog.trace import read_trace
from horolog_experiments.kernel.sizes import ram_without_stacks, rom

pytestmark = pytest.mark.emulator

ENGINE = ROOT / "examples" / "engine-20" / "system.toml"
SIDES = ("horolog", "minimal")
JOBS = 2 * (1000 + 600 + 300 + 20 + 50 + 1)


@pytest.mark.freertos
def test_engine_20_beside_freertos(freertos: Path, tmp_path: Path) -> None:
    said = horolog("compare", ENGINE, "--json", "--out", tmp_path, "--baseline", "stock")
    assert said.code == 0, said.err
    ours, theirs = said.object["horolog"], said.object["freertos"]
    for side in (ours, theirs):
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (JOBS, 0, 0)
        assert "?" not in side["instructions"]["by_function"]
    assert ours["instructions"]["bodies"] == theirs["instructions"]["bodies"]
    assert theirs["interrupts"]["taken"] == 2000  # the tick is exact, with a counter that runs free
    assert said.object["ratio"] >= 3


@pytest.mark.soak  # 7 s
@pytest.mark.freertos
def test_engine_20_as_basic_tasks(freertos: Path, tmp_path: Path) -> None:
    said = horolog(
        *("compare", ENGINE, "--json", "--out", tmp_path, "--kind", "basic", "--baseline", "stock")
    )
    assert said.code == 0, said.err
    ours, theirs = said.object["horolog"], said.object["freertos"]
    assert (ours["jobs"], ours["deadline_misses"], ours["overruns"]) == (JOBS, 0, 0)
    assert ours["instructions"]["bodies"] == theirs["instructions"]["bodies"]
    assert ours["interrupts"]["taken"] == ours["interrupts"]["predicted"]
    assert said.object["ratio"] >= 12


RESOURCE = """\
[system]
name = "shares"
board = "microbit"
duration = "1 s"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "high"
period = "5 ms"
wcet = "500 us"
body = "high"
kind = "basic"
priority = 3

[[task]]
name = "low"
period = "20 ms"
offset = "4500 us"
wcet = "3 ms"
body = "low"
kind = "basic"
priority = 2

[[task]]
name = "below"
period = "20 ms"
offset = "9500 us"
wcet = "3 ms"
body = "below"
waits = false
stack = 512
priority = 1

[[resource]]
name = "bus"
tasks = ["high", "low", "below"]
hold = { high = "200 us", low = "2 ms", below = "2 ms" }
"""
BODIES = """\
#include <hrl/hooks.h>
#include <hrl/resource.h>
#include <hrl/time.h>

extern struct hrl_resource bus;

static volatile bool is_held;

static void hold(hrl_counts counts)
{
    hrl_counts start;

    hrl_resource_take(&bus);
    if (is_held) {
        hrl_assert_hook("two hold the bus", __FILE__, __LINE__);
    }
    is_held = true;
    start = hrl_now();
    while (hrl_now() - start < counts) {
    }
    is_held = false;
    hrl_resource_give(&bus);
}

void high(void);
void low(void);
void below(void);
void high(void) { hold(100); }
void low(void) { hold(1500); }
void below(void) { hold(1500); }
"""


@pytest.mark.soak  # 4 s each
@pytest.mark.parametrize("checks", [[], ["--checks"]], ids=["plain", "checks"])
def test_a_resource_masks_every_level(checks: list[str], tmp_path: Path) -> None:
    """`high` is released in the middle of each hold; its response has the hold in it, as the bound has."""
    path = tmp_path / "system.toml"
    path.write_text(RESOURCE, encoding="utf-8")
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    said = horolog("run", path, "--json", "--out", tmp_path / "out", *checks)
    assert said.code == 0, said.err
    ours = said.object["horolog"]
    assert (ours["jobs"], ours["deadline_misses"], ours["overruns"]) == (300, 0, 0)
    generated = (tmp_path / "out" / "gen" / "hrl_gen_system.c").read_text(encoding="utf-8")
    assert "HRL_RESOURCE_DEFINE(bus, 4u)" in generated  # above its most urgent user, as PRIMASK is
    analysed = horolog("analyse", path, "--json")
    assert analysed.code == 0, analysed.err
    (high,) = (one for one in analysed.object["tasks"] if one["name"] == "high")
    assert high["parts_ns"]["blocking"] >= 2_000_000


def test_a_cell_whose_task_overruns_goes_on(tmp_path: Path) -> None:
    """Its interrupt is the task: an instant during a job is an overrun, the next is a job."""
    first, second = (
        replace(
            task(name, ms(4), offset=ms(at), work=1), kind=Kind.BASIC, priority=3 - at, wcet=wcet
        )
        for name, at, wcet in (("a", 1, ms(6)), ("b", 2, None))
    )
    tasks = [replace(first, work=int(ms(6) * 10**9 / 128)), second]
    system = made_system(tasks, board="microbit", duration=ms(240))
    system = replace(system, priorities=PriorityRule.EXPLICIT)
    chosen = plan(system, mechanism="sloth", prices=NOTHING).choice
    assert [one.store for one in chosen.releasers] == ["none", "none"]
    side = measure_plan(system, chosen, tmp_path)
    starts = [
        (ns, index) for ns, kind, index in read_trace(tmp_path / "horolog.trace") if kind == "S"
    ]
    assert [ns // 1_000_000 for ns, index in starts if index == 0] == [1 + 8 * n for n in range(30)]
    assert [ns // 1_000_000 for ns, index in starts if index == 1] == [7 + 8 * n for n in range(30)]
    assert side.overruns == 60


@pytest.mark.soak  # 20 s
@pytest.mark.freertos
def test_the_memory_of_a_minimal_application_beside_freertos(
    freertos: Path, tmp_path: Path
) -> None:
    """Two threads and a semaphore, of `horolog bench kernel`: as they come, and tuned (store and report)."""
    images = [f"{side}-{name}-minimal" for name in ("plain", "tuned") for side in SIDES]
    configure = [
        *("cmake", "-S", str(ROOT / "bench" / "kernel"), "-B", str(tmp_path), "-G", "Ninja"),
        *(f"-DHRL_ROOT={ROOT}", "-DHRL_BOARD=microbit", f"-DHRL_FREERTOS={freertos}"),
        *("-DHRL_THREADX=", "-DHRL_BENCH_REPEATS=10", f"-DHRL_BENCH_IMAGES={','.join(images)}"),
        *("-DHRL_BENCH_STORE_tuned=sorted_list", "-DHRL_BENCH_REPORT_tuned=halt"),
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchain' / 'armv6m.cmake'}",
        "-DHRL_CPU=cortex-m0",
    ]
    for step in (configure, ["cmake", "--build", str(tmp_path)]):
        done = call(step, seconds=300)
        assert done.status == 0, (done.output + done.errors)[-3000:]
    sizes = {
        name: [(rom(elf), ram_without_stacks(elf)) for elf in elves]
        for name in ("plain", "tuned")
        for elves in [[tmp_path / f"{side}_{name}.elf" for side in SIDES]]
    }
    for name, ((own_rom, own_ram), (their_rom, their_ram)) in sizes.items():
        ratios = f"RAM {their_ram / own_ram:.2f}, ROM {their_rom / own_rom:.2f}"
        sys.stdout.write(f"{name}: FreeRTOS / ours, {ratios}\n")  # -s shows it
        assert their_ram / own_ram >= 1.2
        assert their_rom / own_rom >= 1.2
