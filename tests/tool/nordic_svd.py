# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""SVD files for tests: what is read of a chip's, written by hand from Nordic's product specifications."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

__all__ = ["NRF51", "NRF52840", "put", "svd"]

_REGISTERS = {
    "TIMER0": {"PRESCALER": 0x510, "CC[%s]": 0x540},
    "RTC0": {"COUNTER": 0x504, "CC[%s]": 0x540},
}

NRF52840 = {
    **{"POWER_CLOCK": 0, "RADIO": 1, "UARTE0_UART0": 2, "SPIM0_SPIS0": 3, "SPIM1_SPIS1": 4},
    **{"NFCT": 5, "GPIOTE": 6, "SAADC": 7, "TIMER0": 8, "TIMER1": 9, "TIMER2": 10, "RTC0": 11},
    **{"TEMP": 12, "RNG": 13, "ECB": 14, "CCM_AAR": 15, "WDT": 16, "RTC1": 17, "QDEC": 18},
    **{"COMP_LPCOMP": 19, **{f"SWI{n}_EGU{n}": 20 + n for n in range(6)}},
    **{"TIMER3": 26, "TIMER4": 27, "PWM0": 28, "PDM": 29, "MWU": 32, "RTC2": 36, "SPIM3": 47},
}
"""The interrupt lines of an nRF52840, but for some above 31."""

NRF51 = {name: at for name, at in NRF52840.items() if at < 26}

_BASES = {
    **{f"TIMER{n}": 0x4000_8000 + 0x1000 * n for n in range(3)},
    **{"TIMER3": 0x4001_A000, "TIMER4": 0x4001_B000},
    **{"RTC0": 0x4000_B000, "RTC1": 0x4001_1000, "RTC2": 0x4002_4000},
}


def svd(
    name: str = "nrf52840",
    lines: Mapping[str, int] = NRF52840,
    cpu: str = "<name>CM4</name><fpuPresent>1</fpuPresent><nvicPrioBits>3</nvicPrioBits>",
) -> str:
    """A device with a peripheral for each line; timers are derived from TIMER0 and RTC0, the last of all."""
    peripherals = [
        _peripheral(line, _BASES.get(line, 0x4002_0000), number)
        for line, number in sorted(lines.items(), key=lambda one: one[0] in _REGISTERS)
    ]
    cpus = f"<cpu>{cpu}</cpu>" if cpu else ""
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<device schemaVersion="1.1"><name>{name}</name>{cpus}'
        f"<peripherals>{''.join(peripherals)}</peripherals></device>\n"
    )


def _peripheral(name: str, base: int, number: int) -> str:
    of_all = next((one for one in _REGISTERS if name.startswith(one[:-1]) and name != one), None)
    derived = "" if of_all is None else f' derivedFrom="{of_all}"'
    registers = "".join(
        f"<register><name>{of}</name><addressOffset>{at:#x}</addressOffset></register>"
        for of, at in _REGISTERS.get(name, {}).items()
    )
    registers = f"<registers>{registers}</registers>" if registers else ""
    return (
        f"<peripheral{derived}><name>{name}</name><baseAddress>{base:#x}</baseAddress>"
        f"<interrupt><name>{name}</name><value>{number}</value></interrupt>{registers}</peripheral>"
    )


def put(folder: Path, text: str | None = None, name: str = "chip.svd") -> Path:
    """A file in `folder` with `text`, or with the nRF52840's."""
    path = folder / name
    path.write_text(svd() if text is None else text, encoding="utf-8")
    return path
