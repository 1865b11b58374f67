# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""pico-x2, both cores of an RP2040, and its simulator: clock, faults, services, timing models, the bench."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.plain_cmake import build, options, project, run
from tests.system.running import command
from tests.system.support import ROOT
from tests.system.test_harts import SAYS, TOGETHER
from tests.system.test_plain_cmake import MAIN, SERVICES
from tests.system.test_two_m33 import ACROSS, WRAPS

from horolog.programs import call
from horolog.read import read_board
from horolog_experiments.pico import DATA, SHARES, WAKES, measure_pico, scheduler, turns

pytestmark = [pytest.mark.emulator, pytest.mark.stm32]

BOARD = "pico-x2"
EVIDENCE = ROOT / "docs" / "evidence" / "pico" / "measured.json"


@pytest.mark.soak  # compiles the crate without optimisation, for a minute
def test_the_simulators_own_tests_pass(tmp_path: Path) -> None:
    command = ["cargo", "test", "--locked", "--quiet", "--target-dir", str(tmp_path)]
    command += ["--manifest-path", str(ROOT / "rp2040" / "cores" / "Cargo.toml")]
    done = call(command, seconds=600)
    assert done.status == 0, done.output + done.errors
    assert "18 passed" in done.output


def test_the_clock_wraps_on_both_cores(tmp_path: Path) -> None:
    build(project(tmp_path / "project", "", WRAPS), tmp_path / "out", *options(BOARD))
    said = run(BOARD, tmp_path / "out" / "plain.elf")
    assert said == "".join(f"{what}: yes\n" for what in ACROSS)


@pytest.mark.parametrize("timing", ["none", "unified"])
def test_cores_use_the_same_services_at_once(tmp_path: Path, timing: str) -> None:
    build(TOGETHER, tmp_path, *options(BOARD), f"-DTIMING={timing}")
    said = run(BOARD, tmp_path / "together.elf")
    assert said == "".join(f"{what}: yes\n" for what in SAYS)


@pytest.mark.parametrize("timing", ["one_plus_n", "unified_ns"])
def test_services(tmp_path: Path, timing: str) -> None:
    build(
        project(tmp_path / "project", f"TIMING {timing}", MAIN), tmp_path / "out", *options(BOARD)
    )
    said = run(BOARD, tmp_path / "out" / "plain.elf")
    assert said == "".join(f"{what}: yes\n" for what in SERVICES)


FAULTS = (
    "a hard fault: an access or an instruction that does not exist, or one that is not aligned",
    "an interrupt without a handler, line 20",
)
"""By the number that faults.c is told, the first line of the report."""


def test_a_report_names_the_core(tmp_path: Path) -> None:
    source = ROOT / "tests" / "system" / "cores" / "faults.c"
    made = project(tmp_path / "project", "", source)
    for number, reason in enumerate(FAULTS):
        provoked = f"-DHRL_PLAIN_FLAGS=-DPROVOKED={number}"
        build(made, tmp_path / "out", provoked, *options(BOARD))
        done = call(command(read_board(BOARD), tmp_path / "out" / "plain.elf"), seconds=60)
        first, second, *_ = (done.output + done.errors).strip().splitlines()
        assert (done.status, first, second) == (
            4,
            f"fault: {reason}",
            "  in thread 'culprit' on core 1",
        )


def test_what_the_page_says_is_measured_again(tmp_path: Path) -> None:
    """A part of it: the target's cases, and that slices end under every model."""
    models = ("one_plus_n", "unified_ns", "unified")
    chosen = (*(scheduler(one, 2) for one in models), turns("one_plus_n", 2, 2), *SHARES, WAKES[-1])
    evidence = DATA.read(EVIDENCE.read_text(encoding="utf-8"))
    found = measure_pico(tmp_path, lambda text: None, chosen)
    if found.toolchain != evidence.toolchain:
        pytest.skip(
            f"{LOUD}: docs/evidence/pico holds for {evidence.toolchain}, here is {found.toolchain}"
        )
    for case in chosen:
        assert found.figures(case) == evidence.figures(case), "regenerate: horolog bench pico"
    for share in SHARES:
        figures = found.figures(share)
        assert figures is not None
        assert 7 <= figures["least"] <= figures["most"] <= 9  # of 1 ms each, in 8 ms
