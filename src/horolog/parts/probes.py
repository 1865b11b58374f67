# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What OpenOCD, probe-rs and pyOCD call an STM32 part."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["openocd_files", "probe_name"]

_TARGETS: Mapping[str, str] = {
    "STM32F0": "stm32f0x",
    "STM32F1": "stm32f1x",
    "STM32F2": "stm32f2x",
    "STM32F3": "stm32f3x",
    "STM32F4": "stm32f4x",
    "STM32F7": "stm32f7x",
    "STM32G0": "stm32g0x",
    "STM32G4": "stm32g4x",
    "STM32H7": "stm32h7x",
    "STM32L0": "stm32l0",
    "STM32L1": "stm32l1",
    "STM32L4": "stm32l4x",
    "STM32L4+": "stm32l4x",
    "STM32L5": "stm32l5x",
    "STM32U5": "stm32u5x",
    "STM32WB": "stm32wbx",
    "STM32WL": "stm32wlx",
}
"""By family, files of scripts/target in OpenOCD 0.12."""


def openocd_files(family: str) -> tuple[str, ...]:
    """For OpenOCD's -f, with an ST-Link; () if OpenOCD 0.12 has none for the family."""
    target = _TARGETS.get(family)
    return () if target is None else ("interface/stlink.cfg", f"target/{target}.cfg")


def probe_name(part: str) -> str:
    """The part without the core of it that the data name behind a hyphen."""
    return part.partition("-")[0]
