#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Distils what `horolog board new` must know of STM32 parts from the crate stm32-metapac (MIT OR Apache-2.0).

    cargo new --lib /tmp/it && cd /tmp/it && cargo add stm32-metapac@=21.0.0 && cargo vendor
    python3 setup/distil_stm32.py /tmp/it/vendor/stm32-metapac

writes src/horolog/parts/stm32.json.xz, and ports/cell/stm32-tim/stm32_tim_registers.h: the same bytes for the
same crate. Developers need it, users do not.

The crate's statics are Rust as its formatter lays it out, so that expressions read them. Parts share nearly
all of it: a list of memory regions, timers or interrupts stands in the file once, and parts name its place.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "src" / "horolog" / "parts" / "stm32.json.xz"
REGISTERS = ROOT / "ports" / "cell" / "stm32-tim" / "stm32_tim_registers.h"

_CORES = {
    "STM32C0": "m0+",
    "STM32F0": "m0",
    "STM32F1": "m3",
    "STM32F2": "m3",
    "STM32F3": "m4f",
    "STM32F4": "m4f",
    "STM32G0": "m0+",
    "STM32G4": "m4f",
    "STM32H5": "m33f",
    "STM32L0": "m0+",
    "STM32L1": "m3",
    "STM32L4": "m4f",
    "STM32L4+": "m4f",
    "STM32L5": "m33f",
    "STM32N6": "m55",
    "STM32U0": "m0+",
    "STM32U3": "m33f",
    "STM32U5": "m33f",
    "STM32WB": "m4f",
    "STM32WB0": "m0+",
    "STM32WBA": "m33f",
    "STM32WL": "m4",
}
"""The core of each family, which the crate does not name; f, d: with a unit for float, for double too."""

_FLOAT_ONLY = re.compile(r"STM32F7[2-5]")  # of the Cortex-M7: those of F74x and F75x, F72x and F73x


def main() -> None:
    """Reads the crate, writes the file, says what is in it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("crate", type=Path, help="the crate's folder")
    args = parser.parse_args()
    found = distilled(args.crate)
    packed = compressed(found)
    OUTPUT.write_bytes(packed)
    REGISTERS.write_text(timer_header(args.crate), encoding="utf-8")
    count = {name: len(value) for name, value in found.items() if name != "source"}
    sys.stdout.write(f"{OUTPUT}: {len(packed):,} bytes; {count}\n")


def compressed(found: dict[str, Any]) -> bytes:
    """The file's bytes."""
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=True)
    return lzma.compress(text.encode(), format=lzma.FORMAT_XZ, preset=9 | lzma.PRESET_EXTREME)


def distilled(crate: Path) -> dict[str, Any]:
    """What the file holds, of the crate in that folder."""
    version = _one(r'^version = "([^"]+)"', (crate / "Cargo.toml").read_text(encoding="utf-8"))
    shared = {name: _Shared() for name in ("memories", "interrupts", "timers", "timer_lists")}
    parts: dict[str, Any] = {}
    for folder in sorted((crate / "src" / "chips").iterdir()):
        if folder.is_dir():
            text = (folder / "metadata.rs").read_text(encoding="utf-8")
            rest = folder.parent / f"{_one(r'include!..../(metadata_[0-9]+).rs', text)}.rs"
            name, part = _part(folder.name.upper(), text)
            rcc, timers, interrupts = _of_chip(rest)
            indices = [shared["timers"].index(timer) for timer in timers]
            parts[name] = [
                *part[:4],
                shared["memories"].index(part[4]),
                shared["interrupts"].index(interrupts),
                shared["timer_lists"].index(indices),
                rcc,
            ]
    source = {"crate": "stm32-metapac", "version": version, "licence": "MIT OR Apache-2.0"}
    keys = ["family", "line", "core", "priority_bits", "memory", "interrupts", "timers", "rcc"]
    return {
        "source": source,
        "keys": keys,
        **{n: s.values for n, s in shared.items()},
        "parts": parts,
    }


class _Shared:
    """Values, each once, in the order in which they came."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def index(self, value: Any) -> int:
        """The place of `value`."""
        place = self._places.setdefault(json.dumps(value), len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


def _one(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"the crate is not as it was: nothing matches {pattern}")
    return found.group(1)


def _part(name: str, text: str) -> tuple[str, list[Any]]:
    """What a part's own file says, the first of its memories if options of the chip choose among several."""
    family = _one(r'^    family: "([^"]+)"', text)
    memory = re.split(r"\]\s*,\s*&\[", _one(r"(?s)memory: &\[(.*?)\n    peripherals:", text))[0]
    regions = [
        [found["name"], found["kind"].lower(), int(found["address"], 16), int(found["size"])]
        for found in re.finditer(
            r'name: "(?P<name>\w+)",\s+kind: MemoryRegionKind::(?P<kind>\w+),\s+'
            r"address: (?P<address>0x[0-9a-f]+),\s+size: (?P<size>\d+),",
            memory,
        )
    ]
    bits = int(_one(r"nvic_priority_bits: Some\((\d)\)", text))
    return name, [family, _one(r'^    line: "([^"]+)"', text), _core(family, name), bits, regions]


def _core(family: str, name: str) -> str:
    if name.endswith("-CM0P"):
        return "m0+"
    if name.endswith("-CM4"):
        return "m4" if family == "STM32WL" else "m4f"
    if family in ("STM32F7", "STM32H7"):
        return "m7f" if _FLOAT_ONLY.match(name) else "m7d"
    return _CORES[family]


@cache
def _of_chip(file: Path) -> tuple[int, list[Any], dict[str, int]]:
    """The address of the RCC, the timers, and the interrupts' numbers: what parts of one chip share."""
    text = file.read_text(encoding="utf-8")
    blocks = re.split(r"(?m)^    Peripheral \{$", text.split("static INTERRUPTS", 1)[0])[1:]
    peripherals = {_one(r'^        name: "(\w+)"', block): block for block in blocks}
    registers = file.parent.parent / "registers"
    rcc = peripherals["RCC"]
    version = _one(r'version: "(\w+)"', rcc)
    timers = [
        _timer(name, block, registers / f"rcc_{version}.rs")
        for name, block in peripherals.items()
        if 'kind: "timer"' in block
    ]
    listed = text.split("static INTERRUPTS", 1)[1]
    found = re.finditer(r'Interrupt \{\s+name: "(\w+)",\s+number: (\d+),', listed)
    interrupts = {one[1]: int(one[2]) for one in found}
    return int(_one(r"address: (0x[0-9a-f]+)", rcc), 16), timers, interrupts


def _timer(name: str, block: str, rcc: Path) -> list[Any]:
    """Name, kind, address, bus, the register that enables it with its bit, and its lines by signal."""
    enable = re.search(
        r'enable: Some\(PeripheralRccRegister \{\s+register: "(\w+)",\s+field: "(\w+)"', block
    )
    signals = re.finditer(r'signal: "(\w+)",\s+interrupt: "(\w+)"', block)
    return [
        name,
        _one(r'block: "(\w+)"', block),
        int(_one(r"address: (0x[0-9a-f]+)", block), 16),
        _one(r'bus_clock: "(\w+)"', block) if "bus_clock" in block else None,
        None if enable is None else _enable(rcc, enable[1].lower(), enable[2].lower()),
        {one[1]: one[2] for one in signals},
    ]


def _enable(rcc: Path, register: str, field: str) -> list[int] | None:
    """The register's offset and the field's bit, by the RCC's description."""
    offsets, fields = _registers(rcc)
    if register not in offsets:
        return None
    offset, fieldset = offsets[register]
    bit = fields.get((fieldset, field))
    return None if bit is None else [offset, bit]


@cache
def _registers(rcc: Path) -> tuple[dict[str, tuple[int, str]], dict[tuple[str, str], int]]:
    text = re.sub(r"\s+", "", rcc.read_text(encoding="utf-8"))  # the formatter has two layouts
    offsets = {}
    for item in re.split(r"BlockItem\{name:", text)[1:]:
        found = re.match(r'"(\w+)",.*?byte_offset:(0x[0-9a-f]+),.*?fieldset:Some\(,?"(\w+)"', item)
        if found is not None:
            offsets[found[1]] = int(found[2], 16), found[3]
    return offsets, dict(_fields(text))


def _fields(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    for block in re.split(r"FieldSet\{name:", text)[1:]:
        fieldset = _one(r'"(\w+)"', block)
        for field in re.split(r"Field\{name:", block)[1:]:
            found = re.match(r'"(\w+)",.*?(?:RegularBitOffset\{offset:|ranges:&\[)(\d+)', field)
            if found is not None:
                yield (fieldset, found[1]), int(found[2])


def timer_header(crate: Path) -> str:
    """The registers of timers as a C header: a general-purpose one has all that the others have."""
    text = re.sub(r"\s+", "", (crate / "src/registers/timer_v1.rs").read_text(encoding="utf-8"))
    blocks = {one[: one.index('"')]: one for one in re.split(r'Block\{name:"', text)[1:]}
    offsets = {}
    for block in ("TimCore", "TimBasicNoCr2", "TimGp16"):
        for item in re.split(r'BlockItem\{name:"', blocks[block].split("fieldsets:")[0])[1:]:
            offsets[item[: item.index('"')]] = int(_one(r"byte_offset:(0x[0-9a-f]+)", item), 16)
    bits = dict(_fields(text))
    lines = [_define(name, f"{offsets[name]:#04x}u") for name in _TIMER_REGISTERS]
    lines += [_define(name, f"(1u << {bits[field]})") for name, field in _TIMER_BITS.items()]
    if (bits[("DierGp16", "uie")], bits[("EgrGp16", "ug")]) != (bits[("SrGp16", "uif")],) * 2:
        raise SystemExit("an update's bits have different places in SR, DIER and EGR")
    if (bits[("DierGp16", "ccie")], bits[("EgrGp16", "ccg")]) != (bits[("SrGp16", "ccif")],) * 2:
        raise SystemExit("a comparison's bits have different places in SR, DIER and EGR")
    lines.append(_define("ts_shift", str(bits[("SmcrGp16", "ts")])))
    lines.append(_define("mms_update", f"(2u << {bits[('Cr2Gp16', 'mms')]})"))
    lines.append(_define("sms_external", f"(7u << {bits[('SmcrGp16', 'sms')]})"))
    return _HEADER.format("\n".join(lines))


_TIMER_REGISTERS = ("cr1", "cr2", "smcr", "dier", "sr", "egr", "cnt", "psc", "arr", "ccr")
_TIMER_BITS = {
    "cen": ("Cr1Gp16", "cen"),
    "urs": ("Cr1Gp16", "urs"),
    "opm": ("Cr1Gp16", "opm"),
    "arpe": ("Cr1Gp16", "arpe"),
    "uif": ("SrGp16", "uif"),
    "ccif": ("SrGp16", "ccif"),
    "ug": ("EgrGp16", "ug"),
}
_HEADER = """/* SPDX-FileCopyrightText: The stm32-data authors */
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef STM32_TIM_REGISTERS_H
#define STM32_TIM_REGISTERS_H

/* Written by setup/distil_stm32.py: offsets of registers, bits, values. CCR and CCIF are of channel 1. */
{}

#endif
"""


def _define(name: str, value: str) -> str:
    return f"#define HRLP_STM32_TIM_{name.upper()} {value}"


if __name__ == "__main__":
    main()
