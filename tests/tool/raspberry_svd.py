# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""SVD files for tests: what is read of Raspberry Pi's chips, written by hand from their datasheets."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["rp2040_svd", "rp2350_svd"]

_ALARMS = {
    **{"TIMEHW": 0x00, "ALARM0": 0x10, "ALARM1": 0x14, "ALARM2": 0x18, "ALARM3": 0x1C},
    **{"ARMED": 0x20, "TIMERAWH": 0x24, "TIMERAWL": 0x28},
}
_XOSC = {"CTRL": 0x00, "STATUS": 0x04, "STARTUP": 0x0C}
_PLL = {"CS": 0x00, "PWR": 0x04, "FBDIV_INT": 0x08, "PRIM": 0x0C}
_RESETS = {"RESET": 0x00, "WDSEL": 0x04, "RESET_DONE": 0x08}
_CLOCKS = {
    **{"CLK_REF_CTRL": 0x30, "CLK_REF_SELECTED": 0x38, "CLK_SYS_CTRL": 0x3C},
    **{"CLK_SYS_SELECTED": 0x44, "CLK_PERI_CTRL": 0x48},
}


def rp2040_svd() -> str:
    """Of an RP2040; its lines but for some."""
    lines = {f"TIMER_IRQ_{n}": n for n in range(4)}
    others = {"PWM_IRQ_WRAP": 4, "USBCTRL_IRQ": 5, "I2C0_IRQ": 23, "I2C1_IRQ": 24, "RTC_IRQ": 25}
    return _device(
        "RP2040",
        "<name>CM0PLUS</name><nvicPrioBits>2</nvicPrioBits><fpuPresent>false</fpuPresent>",
        [
            _peripheral("RESETS", 0x4000_C000, _RESETS, {"timer": "21", "pll_sys": "12"}),
            _peripheral("XOSC", 0x4002_4000, _XOSC),
            _peripheral("PLL_SYS", 0x4002_8000, _PLL),
            _peripheral("CLOCKS", 0x4000_8000, _CLOCKS),
            _peripheral("WATCHDOG", 0x4005_8000, {"TICK": 0x2C}),
            _peripheral("OTHERS", 0x4006_0000, {}, lines=others),
            _peripheral("TIMER", 0x4005_4000, {**_ALARMS, "INTR": 0x34, "INTE": 0x38}, lines=lines),
        ],
    )


def rp2350_svd() -> str:
    """Of an RP2350; TIMER1 is derived from TIMER0, and stands before it."""
    of_0 = {f"TIMER0_IRQ_{n}": n for n in range(4)}
    of_1 = {f"TIMER1_IRQ_{n}": 4 + n for n in range(4)}
    ticks = {
        **{"TIMER0_CTRL": 0x18, "TIMER0_CYCLES": 0x1C, "TIMER1_CTRL": 0x24, "TIMER1_CYCLES": 0x28}
    }
    resets = {"TIMER1": "24", "TIMER0": "23", "PLL_SYS": "14"}
    return _device(
        "RP2350",
        "<name>CM33</name><nvicPrioBits>4</nvicPrioBits><fpuPresent>true</fpuPresent>",
        [
            _peripheral("TIMER1", 0x400B_8000, {}, lines=of_1, derived="TIMER0"),
            _peripheral("RESETS", 0x4002_0000, _RESETS, resets),
            _peripheral("XOSC", 0x4004_8000, _XOSC),
            _peripheral("PLL_SYS", 0x4005_0000, _PLL),
            _peripheral("CLOCKS", 0x4001_0000, _CLOCKS),
            _peripheral("TICKS", 0x4010_8000, ticks),
            _peripheral("OTHERS", 0x4006_0000, {}, lines={"SIO_IRQ_BELL": 26, "SPI0_IRQ": 31}),
            _peripheral("TIMER0", 0x400B_0000, {**_ALARMS, "INTR": 0x3C, "INTE": 0x40}, lines=of_0),
        ],
    )


def _device(name: str, cpu: str, peripherals: list[str]) -> str:
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<device schemaVersion="1.1"><name>{name}</name>'
        f"<cpu>{cpu}</cpu><peripherals>{''.join(peripherals)}</peripherals></device>\n"
    )


def _peripheral(
    name: str,
    base: int,
    registers: Mapping[str, int],
    resets: Mapping[str, str] | None = None,
    *,
    lines: Mapping[str, int] | None = None,
    derived: str | None = None,
) -> str:
    fields = "".join(
        f"<field><name>{of}</name><bitRange>[{bit}:{bit}]</bitRange></field>"
        for of, bit in (resets or {}).items()
    )
    its = "".join(
        f"<register><name>{of}</name><addressOffset>{at:#x}</addressOffset>"
        + (f"<fields>{fields}</fields>" if of == "RESET" else "")
        + "</register>"
        for of, at in registers.items()
    )
    interrupts = "".join(
        f"<interrupt><name>{of}</name><value>{number}</value></interrupt>"
        for of, number in (lines or {}).items()
    )
    of_which = "" if derived is None else f' derivedFrom="{derived}"'
    body = f"<registers>{its}</registers>" if its else ""
    return (
        f"<peripheral{of_which}><name>{name}</name><baseAddress>{base:#x}</baseAddress>"
        f"{interrupts}{body}</peripheral>"
    )
