# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""microbit, a Cortex-M0 with 16 KiB: a description beside FreeRTOS, the tick of which comes from TIMER0."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog

from horolog.programs import call
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
    assert said.object["ratio"] > 2


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
        assert their_rom / own_rom > 0.9  # the target is 1.2
    (own_rom, _), (their_rom, _) = sizes["tuned"]
    assert their_rom / own_rom > 1.05
