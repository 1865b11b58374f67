# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from horolog.parts.probes import openocd_files, probe_name


@pytest.mark.parametrize(
    ("family", "files"),
    [
        ("STM32F4", ("interface/stlink.cfg", "target/stm32f4x.cfg")),
        ("STM32L4+", ("interface/stlink.cfg", "target/stm32l4x.cfg")),
        ("STM32C0", ()),
    ],
)
def test_openocd_has_files_for_families(family: str, files: tuple[str, ...]) -> None:
    assert openocd_files(family) == files


def test_a_part_is_called_without_its_core() -> None:
    assert probe_name("STM32H745ZI-CM7") == "STM32H745ZI"
    assert probe_name("STM32F446RE") == "STM32F446RE"
