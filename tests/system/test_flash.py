# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The flash that a plan is predicted to take is that of its firmware, on both sides."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import example

from horolog.analyse import of_threads, with_threads_only
from horolog.build.firmware import build_firmware
from horolog.build.freertos import freertos_source
from horolog.image import read_image
from horolog.plan import plan, read_prices
from horolog.plan.prices.size_costs import predicted_flash
from horolog.read import read_system

pytestmark = [pytest.mark.emulator, pytest.mark.freertos]

_OFF = Fraction(1, 10)


@pytest.mark.parametrize(
    ("name", "mechanism", "store"),
    [
        ("engine-control", None, None),
        ("engine-control", "one-shot", "calendar"),
        ("engine-control", "tick", "period-groups"),
        ("chronos", None, None),
    ],
)
def test_predicted_flash_is_that_of_the_firmware(
    name: str, mechanism: str | None, store: str | None, tmp_path: Path
) -> None:
    system = read_system(example(name))
    chosen = plan(system, mechanism=mechanism, queue=store).choice
    prices = read_prices(system.board)
    assert prices.flash is not None
    threads = of_threads(system)
    releasers = with_threads_only(system, chosen).releasers
    ours, theirs = predicted_flash(threads, releasers, prices.flash.threads, prices.queues)
    firmware = build_firmware(system, chosen, tmp_path, freertos_source())
    assert firmware.freertos is not None
    for predicted, elf in ((ours, firmware.horolog), (theirs, firmware.freertos)):
        image = read_image(elf)
        assert image.memory is not None
        taken = image.memory.program - image.apart
        assert abs(predicted - taken) <= _OFF * taken


def test_the_main_stack_of_a_linker_script_is_in_no_row(tmp_path: Path) -> None:
    """ibex-cells places 16 KiB for it between code and variables; other boards have what is left over."""
    memory = {}
    for board in ("ibex-cells", "mps2-an385"):
        system = read_system(example("battery"), board=board)
        chosen = plan(system, mechanism="gcd", queue="sorted-list").choice
        image = read_image(build_firmware(system, chosen, tmp_path / board, None).horolog)
        assert image.memory is not None
        memory[board] = image.memory
    for one in memory.values():
        assert 1000 < one.variables < 3000
        assert 4000 < one.program < 9000
