# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""setup/distil_stm32.py, on a crate of two parts in the two layouts of stm32-metapac."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from types import ModuleType

import pytest
from tests.tool.setup_scripts import load_script

from horolog.parts.stm32 import FILE

ROOT = Path(__file__).resolve().parents[2]

PART = """\
include!("../metadata_0000.rs");
pub static METADATA: Metadata = Metadata {
    name: "STM32F4%s",
    family: "STM32F4",
    line: "STM32F4xx",
    memory: &[%s
        MemoryRegion {
            name: "SRAM",
            kind: MemoryRegionKind::Ram,
            address: 0x20000000,
            size: 4096,
            settings: None,
        },
    %s
    peripherals: PERIPHERALS,
    nvic_priority_bits: Some(4),
};
"""
CHIP = """\
pub(crate) static PERIPHERALS: &[Peripheral] = &[
    Peripheral {
        name: "RCC",
        address: 0x40023800,
        registers: Some(PeripheralRegisters {
            kind: "rcc",
            version: "f4",
            block: "RCC",
        }),
    },
    Peripheral {
        name: "TIM2",
        address: 0x40000000,
        registers: Some(PeripheralRegisters {
            kind: "timer",
            version: "v1",
            block: "TIM_GP32",
        }),
        rcc: Some(PeripheralRcc {
            bus_clock: "PCLK1",
            enable: Some(PeripheralRccRegister {
                register: "APB1ENR",
                field: "TIM2EN",
            }),
        }),
        interrupts: &[
            PeripheralInterrupt {
                signal: "CC",
                interrupt: "TIM2",
            },
            PeripheralInterrupt {
                signal: "UP",
                interrupt: "TIM2",
            },
        ],
    },
];
pub(crate) static INTERRUPTS: &[Interrupt] = &[
    Interrupt {
        name: "TIM2",
        number: 28,
    },
];
"""
WIDE = """\
Block { items: &[
    BlockItem { name: "apb1enr", byte_offset: 0x40,
      inner: Register(Register { fieldset: Some("Apb1enr"), }), },
    BlockItem { name: "apb2enr", byte_offset: 0x44,
      inner: Register(Register { fieldset: Some("Apb2enr"), }), },
] }
FieldSet { name: "Apb2enr", fields: &[
    Field { name: "tim2en", bit_offset: BitOffset::Regular(RegularBitOffset { offset: 9 }), }, ] }
FieldSet { name: "Apb1enr", fields: &[
    Field { name: "tim3en", bit_offset: BitOffset::Regular(RegularBitOffset { offset: 1 }), },
    Field { name: "tim2en", bit_offset: BitOffset::Regular(RegularBitOffset { offset: 4 }), }, ] }
"""
NARROW = (
    WIDE.replace(" ", "\n  ").replace("(Register\n", "(\n Register\n").replace('Some("', 'Some(\n"')
)


@pytest.fixture(name="distil")
def _distil() -> ModuleType:
    """Anew for each test: it remembers what it has read."""
    return load_script("distil_stm32")


def crate(folder: Path, registers: str) -> Path:
    for path, text in {
        "Cargo.toml": 'version = "1.2.3"\n',
        "src/chips/stm32f4a/metadata.rs": PART % ("A", "&[", "]],"),
        "src/chips/stm32f4b/metadata.rs": PART % ("B", "\n    &[", "],\n],"),
        "src/chips/metadata_0000.rs": CHIP,
        "src/registers/rcc_f4.rs": registers,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("registers", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_parts_share_stands_there_once(
    distil: ModuleType, tmp_path: Path, registers: str
) -> None:
    found = distil.distilled(crate(tmp_path, registers))
    assert found["source"]["version"] == "1.2.3"
    assert found["memories"] == [[["SRAM", "ram", 0x2000_0000, 4096]]]
    assert found["interrupts"] == [{"TIM2": 28}]
    lines = {"CC": "TIM2", "UP": "TIM2"}
    assert found["timers"] == [["TIM2", "TIM_GP32", 0x4000_0000, "PCLK1", [0x40, 4], lines]]
    row = ["STM32F4", "STM32F4xx", "m4f", 4, 0, 0, 0, 0x4002_3800]
    assert found["parts"] == {"STM32F4A": row, "STM32F4B": row}


def test_the_same_crate_gives_the_same_bytes(distil: ModuleType, tmp_path: Path) -> None:
    found = distil.distilled(crate(tmp_path, WIDE))
    assert distil.compressed(found) == distil.compressed(distil.distilled(tmp_path))


def test_the_file_here_is_one_that_it_writes(distil: ModuleType) -> None:
    held = json.loads(lzma.decompress(FILE.read_bytes()))
    assert json.loads(lzma.decompress(distil.compressed(held))) == held
    assert held["source"] == {
        "crate": "stm32-metapac",
        "version": "21.0.0",
        "licence": "MIT OR Apache-2.0",
    }


def test_a_crate_that_has_changed_is_refused(distil: ModuleType, tmp_path: Path) -> None:
    changed = crate(tmp_path, WIDE) / "src" / "chips" / "metadata_0000.rs"
    changed.write_text(CHIP.replace("address: 0x40000000", "base: 0x40000000"), encoding="utf-8")
    with pytest.raises(SystemExit, match="the crate is not as it was"):
        distil.distilled(tmp_path)
