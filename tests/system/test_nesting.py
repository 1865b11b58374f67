# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts of timer cells nest, four deep and more, and no register changes: tests/system/nesting.

The entries save the registers of a mask each (ports/rv32/cells). The background keeps all registers
full, and the cells' phases drift through everything. Times are true cycles.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.plain_cmake import build, options
from tests.system.running import command
from tests.system.support import ROOT

from horolog.programs import Finished, call
from horolog.read import read_board

pytestmark = pytest.mark.emulator

SOURCE = ROOT / "tests" / "system" / "nesting"
SMALL = pytest.param("ibex-cells-small", marks=pytest.mark.soak)
A2, T6 = 1 << 12, 1 << 31  # which a handler changes; which none of those does that MISSING is for


def nest(name: str, out: Path, threads: int, missing: int = 0) -> Finished:
    """Build the program, whose third cell does not save the registers `missing`, and run it."""
    build(SOURCE, out, *options(name), f"-DTHREADS={threads}", f"-DMISSING={missing:#x}")
    return call(command(read_board(name), out / "nesting.elf"), seconds=60)


@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize("name", ["ibex-cells", SMALL])
def test_every_register_is_kept(name: str, threads: int, tmp_path: Path) -> None:
    done = nest(name, tmp_path, threads)
    *reached, said = done.output.split()
    assert (done.status, said) == (0, "kept"), done.output + done.errors
    assert int(reached[0]) > 4000
    assert int(reached[3]) >= 10  # four of them at a time


@pytest.mark.parametrize("threads", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_a_register_that_is_not_saved_is_noticed(threads: int, tmp_path: Path) -> None:
    assert nest("ibex-cells", tmp_path / "with", threads, A2).status not in (0, None)
    assert nest("ibex-cells", tmp_path / "without", threads, T6).status == 0
