# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a CMSIS-SVD file says of a chip: its core, its interrupt lines, where its registers are.

Only what boards are made of is read: no clusters, and fields of the registers that are named. The format is
Arm's "CMSIS-SVD", schema 1.x.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from xml.etree import ElementTree

from horolog.model import HorologError, Place
from horolog.read.problems import shown

__all__ = ["Device", "Peripheral", "field_bits", "read_svd"]

_SHOWN = 60  # letters of a value that an error shows
_BITS = 32  # of a register


@dataclass(frozen=True, slots=True)
class Peripheral:
    """A peripheral; what it is derived from is in it already."""

    name: str
    base: int
    lines: tuple[str, ...]  # its interrupts, by their names
    registers: Mapping[str, int]  # offsets by names; of an array "CC[%s]" that of the first
    elements: tuple[ElementTree.Element, ...]  # its own, and those of what it is derived from


@dataclass(frozen=True, slots=True)
class Device:
    """A chip; `core`, `has_fpu` and `priority_bits` are None where the file says nothing."""

    file: str  # for errors
    name: str
    core: str | None  # CM0, CM4, ...
    has_fpu: bool | None
    priority_bits: int | None
    peripherals: Mapping[str, Peripheral]
    interrupts: Mapping[str, int]  # by their names, in order of their numbers


def read_svd(content: bytes, file: str) -> Device:
    """The chip that `content` describes. HorologError, with `file` and the element, if it is no SVD."""
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise HorologError(
            "this is no SVD file: it is no XML",
            place=Place(file, line, column + 1),
            found=str(error).partition(":")[0],
            expected="a chip's description in CMSIS-SVD, which begins with <device>",
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        raise HorologError(
            "this is no SVD file: its text cannot be read",
            place=Place(file),
            found=str(error),
            expected="a chip's description in CMSIS-SVD, in UTF-8",
        ) from None
    if root.tag != "device":
        raise HorologError(
            "this is no SVD file",
            place=Place(file, key=root.tag[:_SHOWN]),
            found=f"<{root.tag[:_SHOWN]}>",
            expected="<device>, a chip's description in CMSIS-SVD",
        )
    bits = root.findtext("cpu/nvicPrioBits")
    return Device(
        file=file,
        name=_text(root, "name", file, "device"),
        core=root.findtext("cpu/name"),
        has_fpu=_flag(root.findtext("cpu/fpuPresent"), file),
        priority_bits=None if bits is None else _number(bits, file, "device.cpu.nvicPrioBits"),
        peripherals=_peripherals(root, file),
        interrupts=dict(sorted(_interrupts(root, file).items(), key=lambda line: line[1])),
    )


def _text(element: ElementTree.Element, tag: str, file: str, key: str) -> str:
    found = (element.findtext(tag) or "").strip()
    if not found:
        raise HorologError(
            f"<{tag}> is missing",
            place=Place(file, key=f"{key}.{tag}"),
            found="nothing",
            expected=f"<{tag}>, as CMSIS-SVD has it",
        )
    return found


def _number(text: str | None, file: str, key: str) -> int:
    """A number as SVD writes it: 16, 0x10 or #10000."""
    said = (text or "").strip()
    try:
        return int(f"0b{said[1:]}" if said.startswith("#") else said, 2 if said[:1] == "#" else 0)
    except ValueError:
        raise HorologError(
            "not a number",
            place=Place(file, key=key),
            found=shown(said[:_SHOWN]),
            expected="a number such as 16 or 0x10",
        ) from None


def _flag(text: str | None, file: str) -> bool | None:
    known = {"1": True, "true": True, "0": False, "false": False}
    said = (text or "").strip().lower()
    if said and said not in known:
        raise HorologError(
            "not yes or no",
            place=Place(file, key="device.cpu.fpuPresent"),
            found=shown(said[:_SHOWN]),
            expected="true or false",
        )
    return known.get(said)


def _interrupts(root: ElementTree.Element, file: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for element in root.iter("interrupt"):
        name = _text(element, "name", file, "interrupt")
        number = _number(element.findtext("value"), file, f"interrupt.{name}.value")
        if found.setdefault(name, number) != number:
            raise HorologError(
                f"the interrupt {name} has two numbers",
                place=Place(file, key=f"interrupt.{name}.value"),
                found=f"{found[name]} and {number}",
                expected="one number for each name",
            )
    return found


def _peripherals(root: ElementTree.Element, file: str) -> dict[str, Peripheral]:
    """All, each after the one that it is derived from; a file may name that one later."""
    left = {_text(one, "name", file, "peripheral"): one for one in root.iter("peripheral")}
    found: dict[str, Peripheral] = {}
    while left:
        ready = [name for name, one in left.items() if one.get("derivedFrom") not in left]
        if not ready:
            name, one = next(iter(left.items()))
            raise HorologError(
                f"the peripheral {name} is derived from itself, or from one that is",
                place=Place(file, key=f"peripheral.{name}"),
                found=f'derivedFrom="{one.get("derivedFrom")}"',
                expected="a peripheral that has registers of its own",
            )
        for name in ready:
            found[name] = _peripheral(name, left.pop(name), found, file)
    return found


def _peripheral(
    name: str, element: ElementTree.Element, before: Mapping[str, Peripheral], file: str
) -> Peripheral:
    key = f"peripheral.{name}"
    source = element.get("derivedFrom")
    if source is not None and source not in before:
        raise HorologError(
            f"the peripheral {name} is derived from one that the file has not",
            place=Place(file, key=key),
            found=f'derivedFrom="{source[:_SHOWN]}"',
            expected="the name of a peripheral of the file",
        )
    own = Peripheral(
        name=name,
        base=_number(element.findtext("baseAddress"), file, f"{key}.baseAddress"),
        lines=tuple(_text(one, "name", file, key) for one in element.findall("interrupt")),
        registers={
            _text(one, "name", file, f"{key}.register"): _number(
                one.findtext("addressOffset"), file, f"{key}.register.addressOffset"
            )
            for one in element.findall("registers/register")
        },
        elements=(element,),
    )
    if source is None:
        return own
    of = before[source]
    return replace(
        own,
        registers={**of.registers, **own.registers},
        elements=(*own.elements, *of.elements),
    )


def field_bits(device: Device, peripheral: str, register: str) -> Mapping[str, int]:
    """The lowest bit of each field of a register, by the field's name in capitals.

    HorologError if a field has none. Files write it in three ways.
    """
    key = f"peripheral.{peripheral}.register.{register}.field"
    found: dict[str, int] = {}
    for element in device.peripherals[peripheral].elements:
        for one in element.findall("registers/register"):
            if one.findtext("name") == register:
                for field in one.findall("fields/field"):
                    name = _text(field, "name", device.file, key)
                    found.setdefault(name.upper(), _lowest(field, device.file, f"{key}.{name}"))
    return found


def _lowest(field: ElementTree.Element, file: str, key: str) -> int:
    """The bit at which `field` begins: of <bitRange>[21:20] the 20."""
    span = field.findtext("bitRange")
    offset = field.findtext("bitOffset") or field.findtext("lsb") or ""
    said = offset.strip() if span is None else span.strip().strip("[]").rpartition(":")[2]
    if not said.isdecimal() or not 0 <= int(said) < _BITS:
        raise HorologError(
            "no bit of a register",
            place=Place(file, key=f"{key}.bitOffset" if span is None else f"{key}.bitRange"),
            found=shown(said[:_SHOWN]),
            expected=f"a number from 0 to {_BITS - 1}",
        )
    return int(said)
