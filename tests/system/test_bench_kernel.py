# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench kernel` on the emulated board: a part of it, compared with the evidence of the whole."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT, horolog, tools

from horolog.programs import call
from horolog_experiments.kernel import (
    BEST,
    DATA,
    OURS,
    REPEATS,
    ROM,
    THREADX,
    Results,
    measure_kernel,
)
from horolog_experiments.kernel.page import kernel_page

pytestmark = pytest.mark.emulator

MEASURED = ROOT / "docs" / "evidence" / "kernel" / "measured.json"
QUICK = ("yield", "semaphore", "semaphore_wakes", "interrupt", "pool", "turn_pool", ROM, "counter")

FASTEST = ("TX_MAX_PRIORITIES 32", "TX_DISABLE_ERROR_CHECKING", "TX_INLINE_THREAD_RESUME_SUSPEND")


@pytest.fixture(autouse=True)
def without_threadx(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evidence does without, whatever the user has."""
    monkeypatch.delenv("THREADX", raising=False)


@pytest.fixture(scope="module")
def evidence() -> Results:
    """What is committed; with other tools than it was measured with, the test is skipped."""
    results = DATA.read(MEASURED.read_text())
    here = {f"arm-none-eabi-gcc {tools()['arm-none-eabi-gcc']}", f"QEMU {tools()['qemu']}"}
    held = {results.toolchain, results.platform.split(", ")[-1]}
    if held != here:
        pytest.skip(f"{LOUD}: docs/evidence/kernel holds for {held}, here is {here}")
    return results


SINGLE = ("yield", "interrupt_round")
TURNS = ("turn_yield", "direct_yield", "turn_interrupt", "direct_interrupt")

# One worker, that measures once.
alone = pytest.mark.xdist_group("bench-kernel-alone")


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results]:
    """Where it was built and what was measured with neither of the other kernels."""
    folder = tmp_path_factory.mktemp("ours")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("THREADX", raising=False)
        patch.setattr("horolog_experiments.kernel.run.freertos_source", lambda: None)
        patch.setenv("CCACHE_DISABLE", "1")  # it does not tell apart what files are called
        return folder, measure_kernel(folder, lambda text: None, (*SINGLE, *TURNS))


@alone
def test_ours_is_measured_without_freertos(ours: tuple[Path, Results]) -> None:
    folder, found = ours
    elves = [*folder.rglob("*.elf")]
    assert elves
    assert not [elf.name for elf in elves if b"freertos/" in elf.read_bytes()]
    assert set(found.spans) == {(OURS, name) for name in (*SINGLE, *TURNS)}
    assert found.freertos is None
    for name in SINGLE:
        # No timer comes in between, and nothing depends on what was before.
        spans = found.spans[OURS, name]
        assert 0 < spans.best == spans.worst


@alone
def test_a_turn_is_the_loop_and_what_the_five_threads_cost(ours: tuple[Path, Results]) -> None:
    """Through functions it costs more than directly, and each turn the same."""
    cost = {name: ours[1].spans[OURS, name] for name in TURNS}
    for one in cost.values():
        assert (one.samples, one.best) == (REPEATS, one.worst)
    assert cost["turn_yield"].best == cost["direct_yield"].best + 5, "a branch for each thread"
    assert cost["turn_interrupt"].best > cost["direct_interrupt"].best


STAND_IN = ROOT / "tests" / "system" / "threadx"
"""As much of ThreadX as runs one thread."""
FLAGS = ("-mcpu=cortex-m3", "-mthumb", "-O2", "-ffreestanding", "-DTX_INCLUDE_USER_DEFINE_FILE")


def built_stand_in(folder: Path, options: Sequence[str]) -> Path:
    """A copy of the stand-in in `folder`, built as ThreadX's own build leaves it, with `options` defined."""
    shutil.copytree(STAND_IN, folder)
    user = folder / "build" / "custom_inc" / "tx_user.h"
    user.parent.mkdir(parents=True)
    user.write_text("".join(f"#define {option}\n" for option in options))
    includes = [
        f"-I{path}"
        for path in (user.parent, folder / "common/inc", folder / "ports/cortex_m3/gnu/inc")
    ]
    objects = []
    for source in sorted(folder.glob("*.c")):
        objects.append(str(source.with_suffix(".o")))
        command = ["arm-none-eabi-gcc", *FLAGS, *includes, "-c", str(source), "-o", objects[-1]]
        done = call(command, seconds=60)
        assert done.status == 0, done.errors
    done = call(
        ["arm-none-eabi-ar", "rcs", str(folder / "build" / "libthreadx.a"), *objects], seconds=60
    )
    assert done.status == 0, done.errors
    return folder


def test_threadx_is_measured_where_it_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREADX", str(built_stand_in(tmp_path / "threadx", FASTEST)))
    monkeypatch.setattr("horolog_experiments.kernel.run.freertos_source", lambda: None)
    names = ("turn_semaphore", "direct_semaphore")
    measured = measure_kernel(tmp_path / "out", lambda text: None, names)
    assert (measured.threadx, measured.threadx_options) == ("6.0.99", FASTEST)
    assert set(measured.spans) == {(side, name) for side in (OURS, THREADX) for name in names}
    direct, turn = (measured.spans[THREADX, name] for name in reversed(names))
    # Take and give are at most eight instructions each with call and return, the loop about as many.
    assert 10 < direct.best == direct.worst < 32
    assert direct.best < turn.best == turn.worst < 50
    assert measured.value(BEST[0], THREADX) == turn.best
    page = kernel_page(measured)
    assert "ThreadX: 6.0.99, measured in this run." in page
    assert f"ThreadX (measured): {', '.join(f'`{one}`' for one in FASTEST)}." in page


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (None, "{folder}, without common/inc/tx_api.h and ports/cortex_m3/gnu/inc/tx_port.h"),
        (
            FASTEST[:2],
            "{folder}/build/custom_inc/tx_user.h, without TX_INLINE_THREAD_RESUME_SUSPEND",
        ),
    ],
)
def test_a_threadx_that_cannot_be_measured_is_bad_input(
    options: Sequence[str] | None, found: str, tmp_path: Path
) -> None:
    """Before anything is built."""
    folder = tmp_path / "threadx"
    if options is None:
        folder.mkdir()
    else:
        built_stand_in(folder, options)
    out = tmp_path / "out"
    said = horolog("bench", "kernel", "--out", out, env={"THREADX": str(folder)})
    assert said.code == 2, said.err
    assert f"found:    {found.format(folder=folder)}\n" in said.err
    assert "expected: " in said.err
    assert not (out / "cmake").exists()


@pytest.mark.golden
@pytest.mark.freertos
@pytest.mark.usefixtures("freertos")
def test_a_part_of_the_run_is_a_part_of_the_evidence(tmp_path: Path, evidence: Results) -> None:
    part = measure_kernel(tmp_path, lambda text: None, QUICK)
    assert {name for _, name in part.spans} == set(QUICK) - {ROM, "counter"}
    assert part.spans.items() <= evidence.spans.items(), "regenerate: horolog bench kernel"
    assert part.sizes.items() <= evidence.sizes.items(), "regenerate: horolog bench kernel"
    assert {what for _, what in part.sizes} == {ROM, "thread", "counter", "counter_ram"}


@pytest.mark.soak
@pytest.mark.freertos
@pytest.mark.usefixtures("freertos")
def test_the_evidence_is_what_the_command_measures(tmp_path: Path, evidence: Results) -> None:
    measured = measure_kernel(tmp_path, lambda text: None)
    assert DATA.text(measured) == MEASURED.read_text()
