# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The reader of SVD files: what it takes, and what it says of files that are wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.nordic_svd import NRF52840, svd

from horolog.model import HorologError
from horolog.parts.svd import Device, read_svd


def read(text: str) -> Device:
    return read_svd(text.encode(), "chip.svd")


def test_a_chip_is_read() -> None:
    device = read(svd())
    assert (device.name, device.core, device.has_fpu, device.priority_bits) == (
        "nrf52840",
        "CM4",
        True,
        3,
    )
    assert dict(device.interrupts) == NRF52840
    assert list(device.interrupts) == sorted(NRF52840, key=lambda name: NRF52840[name])


def test_a_derived_peripheral_has_the_registers_of_the_one_that_comes_later() -> None:
    text = svd()
    assert text.index("<name>TIMER3<") < text.index("<name>TIMER0<")
    three = read(text).peripherals["TIMER3"]
    assert (three.base, three.lines) == (0x4001_A000, ("TIMER3",))
    assert dict(three.registers) == {"PRESCALER": 0x510, "CC[%s]": 0x540}


def test_what_a_file_does_not_say_is_not_known() -> None:
    device = read(svd(cpu=""))
    assert (device.core, device.has_fpu, device.priority_bits) == (None, None, None)


@pytest.mark.parametrize("said", ["8", "0x8", "0X08", "#1000"])
def test_numbers_are_written_in_several_ways(said: str) -> None:
    text = svd(lines={"TIMER0": 8}).replace("<value>8</value>", f"<value>{said}</value>")
    assert read(text).interrupts["TIMER0"] == 8


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</device>", "", ["chip.svd:3:1: this is no SVD file: it is no XML", "CMSIS-SVD"]),
        ("<device", "<html><device", ["it is no XML"]),
        ("utf-8", "klingon", ["its text cannot be read", "klingon"]),
        ("<name>nrf52840</name>", "", ["device.name: <name> is missing", "found:    nothing"]),
        ("<value>8<", "<value>eight<", ['TIMER0.value: not a number\n  found:    "eight"']),
        ("<value>8<", "<value><", ["interrupt.TIMER0.value", 'found:    ""']),
        ("0x40008000", "0xZ", ["peripheral.TIMER0.baseAddress: not a number"]),
        ("<fpuPresent>1", "<fpuPresent>maybe", ["fpuPresent: not yes or no", '"maybe"']),
        ("<nvicPrioBits>3", "<nvicPrioBits>x", ["cpu.nvicPrioBits: not a number"]),
        ('derivedFrom="TIMER0"', 'derivedFrom="UART9"', ["one that the file has not", '"UART9"']),
        ("<peripheral><name>TIMER0", '<peripheral derivedFrom="TIMER1"><name>TIMER0', ["itself"]),
        ("<name>TIMER1</name><value>9", "<name>TIMER0</name><value>9", ["two numbers", "9 and 8"]),
    ],
)
def test_a_wrong_file_is_refused(old: str, new: str, said: list[str]) -> None:
    text = svd()
    assert old in text
    with pytest.raises(HorologError) as refused:
        read(text.replace(old, new))
    assert str(refused.value).startswith("chip.svd")
    for words in said:
        assert words in str(refused.value)


def test_another_kind_of_xml_is_refused() -> None:
    with pytest.raises(HorologError, match=r"chip\.svd: svg: this is no SVD file") as refused:
        read("<svg><name>nrf52840</name></svg>")
    assert "found:    <svg>" in str(refused.value)


@given(st.integers(0, len(svd())), st.binary(max_size=8))
def test_a_broken_file_is_read_or_refused(at: int, bytes_: bytes) -> None:
    whole, said = svd().encode(), "chip.svd is read"
    try:
        read_svd(whole[:at] + bytes_ + whole[at + len(bytes_) :], "chip.svd")
    except HorologError as error:
        said = str(error)
    assert said.startswith("chip.svd")
