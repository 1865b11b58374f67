# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""bench/small-chip: its programs run to their ends, and what they take is counted in one way."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.image import read_image
from horolog_experiments.periodic_timers.small_chip import (
    FREERTOS,
    OURS,
    TICK_HOOK,
    small_chip_sizes,
)

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.freertos,
    pytest.mark.soak,
    pytest.mark.usefixtures("freertos"),
]


def test_the_programs_of_all_kernels(tmp_path: Path) -> None:
    found = small_chip_sizes(tmp_path)
    assert found.keys() == {OURS, FREERTOS, TICK_HOOK}
    assert found[TICK_HOOK].rom < found[FREERTOS].rom
    assert found[TICK_HOOK].ram < found[FREERTOS].ram
    for name, sizes in found.items():
        image = read_image(tmp_path / f"{name}.elf")
        # The same start-up code; stacks do not count, but the objects of the program do.
        assert {"hrlp_vectors", "hrlp_reset", "hrlp_idle_loop"} <= image.symbols.keys()
        objects = ("server", "worker", "token", "ticker")
        assert sum(image.sizes[one] for one in objects) < sizes.ram < 1024
        assert sizes.rom < 16_384
