# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An ELF file's instructions and constants: Thumb by capstone, RISC-V and AVR as objdump writes them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from capstone import CS_ARCH_ARM, CS_MODE_MCLASS, CS_MODE_THUMB, Cs, CsInsn
from capstone.arm import (
    ARM_CC_AL,
    ARM_CC_INVALID,
    ARM_INS_IT,
    ARM_OP_IMM,
    ARM_OP_MEM,
    ARM_OP_REG,
    ARM_SFT_INVALID,
    ArmOp,
)
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.image import Function, Image, read_image, symbols_of
from horolog.model import TargetFailed
from horolog.programs import call

__all__ = [
    "Code",
    "Instruction",
    "Memory",
    "Operand",
    "Shifted",
    "read_code",
    "source_lines",
    "thumb_instructions",
]

_CODE, _DATA = "$t", "$d"
"""Symbols of the ABI that say where Thumb code and where data begins."""
_NUMBERED = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
_PREFIX = {"EM_ARM": "arm-none-eabi-", "EM_RISCV": "riscv64-unknown-elf-", "EM_AVR": "avr-"}
_AVR_CORE, _AVR_LARGE = 0x7F, 6  # the bits of e_flags; the core with more than 128 KiB of code
_UNCHANGED = ("hrl_gen_system", "hrli_enrolment", "enrolment")
_SECONDS = 120
_COMMENT = re.compile(r"\s+#\s")
_PLACE = re.compile(r"(.+:[1-9][0-9]*)(?: \(discriminator \d+\))?")


@dataclass(frozen=True, slots=True)
class Memory:
    """An address: `base` + `offset`, or `base` + a register."""

    base: str
    offset: int = 0
    index: str | None = None
    plain: bool = True  # the register is added as it is: neither shifted nor subtracted


@dataclass(frozen=True, slots=True)
class Shifted:
    """A register that is shifted first."""

    register: str


Operand = str | int | Memory | Shifted | None
"""A register by name, a number, a place in memory; None: what the analysis does not look at."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; `conditional`: it is Thumb, and its name ends with the condition under which it acts.

    Of RISC-V and AVR, `text` has the operands as objdump writes them, and `operands` is empty.
    """

    address: int
    size: int
    name: str
    text: str
    conditional: bool = False
    operands: tuple[Operand, ...] = ()
    writes_back: bool = False  # the address that it computed becomes the base register's


@dataclass(frozen=True, slots=True)
class Code:
    """What can be executed, and what can be read but not written."""

    image: Image
    machine: str  # as pyelftools names it
    instructions: dict[int, Instruction]
    # Address and contents of sections without write access.
    constants: tuple[tuple[int, bytes], ...]
    entries: frozenset[int]  # where functions begin
    lows: tuple[int, ...]  # where image.functions begin, in order
    names: dict[int, tuple[str, ...]]  # all names of an address
    return_bytes: int = 0  # that a call puts on the stack, whatever is called

    def function(self, address: int) -> Function | None:
        """The function that `address` lies in."""
        index = bisect_right(self.lows, address) - 1
        found = self.image.functions[index] if index >= 0 else None
        return found if found is not None and address < found.high else None

    def end(self, function: Function) -> int:
        """Where `function` ends by its symbol: others may begin in it, which it runs into."""
        return max(function.high, function.low + self.image.sizes.get(function.name, 0))

    def name(self, address: int) -> str:
        """The name of the function at `address`, or how far into one that is."""
        found = self.function(address)
        if found is None:
            return f"{address:#x}"
        return found.name if found.low == address else f"{found.name}+{address - found.low:#x}"

    def read(self, address: int, size: int) -> int | None:
        """The constant of `size` bytes at `address`; None: none is there, or it is variable."""
        for low, data in self.constants:
            if low <= address and address + size <= low + len(data):
                return int.from_bytes(data[address - low : address - low + size], "little")
        return None


def read_code(elf: Path) -> Code:
    """Disassemble `elf`. HorologError (4) for another machine; (3) without its objdump; Thumb needs none.

    The last answer is kept, as a build asks for the bodies' stacks and for the main stack.
    """
    now = elf.stat()
    return _code(elf, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=1)
def _code(elf: Path, mtime_ns: int, size: int) -> Code:
    """The code of `elf` as it was written at that time, with that size."""
    image = read_image(elf)
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        machine = str(file["e_machine"])
        if machine not in _PREFIX:
            raise TargetFailed(f"{elf.name} is for {machine}")
        constants = tuple(
            (int(section["sh_addr"]), bytes(section.data()))
            for section in file.iter_sections()
            if section["sh_type"] == "SHT_PROGBITS"
            and section["sh_flags"] & SH_FLAGS.SHF_ALLOC
            and not section["sh_flags"] & SH_FLAGS.SHF_WRITE
        )
        if machine == "EM_AVR":
            constants += tuple(_unchanged(file, image))
        thumb = thumb_instructions(file) if machine == "EM_ARM" else None
        return_bytes = 0
        if machine == "EM_AVR":
            return_bytes = 3 if file["e_flags"] & _AVR_CORE == _AVR_LARGE else 2
    lows = tuple(function.low for function in image.functions)
    names: dict[int, list[str]] = {}
    for name, address in image.symbols.items():
        names.setdefault(address, []).append(name)
    return Code(
        image,
        machine,
        _dumped(elf, machine) if thumb is None else thumb,
        constants,
        frozenset(lows),
        lows,
        {address: tuple(found) for address, found in names.items()},
        return_bytes,
    )


def _unchanged(file: ELFFile, image: Image) -> Iterator[tuple[int, bytes]]:
    """What is constant in the kernel and lies among variables, as an AVR's constants do."""
    for name in _UNCHANGED:
        low, size = image.symbols.get(name, 0), image.sizes.get(name, 0)
        for section in file.iter_sections():
            inside = section["sh_addr"] <= low < section["sh_addr"] + section["sh_size"]
            if low and section["sh_type"] == "SHT_PROGBITS" and inside:
                at = low - section["sh_addr"]
                yield low, bytes(section.data()[at : at + size])


def _dumped(elf: Path, machine: str) -> dict[int, Instruction]:
    """Returns objdump's instructions by address, without data among the code."""
    command = [_PREFIX[machine] + "objdump", "-d", "-M", "no-aliases", str(elf)]
    done = call(command, seconds=_SECONDS)
    if done.status != 0:
        raise TargetFailed(f"{command[0]} failed", found=done.errors)
    found: dict[int, Instruction] = {}
    for line in done.output.splitlines():
        parts = line.split("\t")
        if len(parts) < 3 or not parts[0].endswith(":"):
            continue
        name = parts[2].strip()
        if name.startswith("."):
            continue
        address = int(parts[0].strip()[:-1], 16)
        text = _COMMENT.split(parts[3])[0].strip() if len(parts) > 3 else ""
        size = len(parts[1].replace(" ", "")) // 2
        found[address] = Instruction(address, size, name, text)
    return found


def thumb_instructions(file: ELFFile) -> dict[int, Instruction]:
    """Returns the instructions by address, without data among the code."""
    decoder = Cs(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS)
    decoder.detail = True
    found: dict[int, Instruction] = {}
    for low, code in _stretches(file):
        at = 0
        while at < len(code):
            for one in decoder.disasm(code[at:], low + at):
                found[one.address] = _instruction(one)
                at = one.address + one.size - low
            at += _length(code[at : at + 2])  # behind what is none
    return found


def _length(start: bytes) -> int:
    """The bytes of an instruction that begins so (Armv7-M ARM, A5.1)."""
    return 4 if int.from_bytes(start, "little") >> 11 in (0b11101, 0b11110, 0b11111) else 2


def _stretches(file: ELFFile) -> Iterator[tuple[int, bytes]]:
    """Address and bytes of each stretch of code."""
    marks = sorted(
        (symbol.value, symbol.name[:2])
        for table in file.iter_sections()
        if isinstance(table, SymbolTableSection)
        for symbol in symbols_of(table)
        if symbol.name.split(".")[0] in (_CODE, _DATA)
    )
    for section in file.iter_sections():
        if not section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR or section["sh_type"] == "SHT_NOBITS":
            continue
        low, data = int(section["sh_addr"]), bytes(section.data())
        end = low + len(data)
        own = [(at, kind) for at, kind in marks if low <= at < end]
        for (at, kind), (behind, _) in pairwise([*own, (end, _DATA)]):
            if kind == _CODE:
                yield at, data[at - low : behind - low]


def _instruction(one: CsInsn) -> Instruction:
    return Instruction(
        address=one.address,
        size=one.size,
        name=one.mnemonic,
        text=one.op_str,
        conditional=one.cc not in (ARM_CC_INVALID, ARM_CC_AL) and one.id != ARM_INS_IT,
        operands=tuple(_operand(one, operand) for operand in one.operands),
        writes_back=bool(one.writeback),
    )


def _operand(one: CsInsn, operand: ArmOp) -> Operand:
    if operand.type == ARM_OP_IMM:
        return int(operand.imm)
    shifted = operand.shift.type != ARM_SFT_INVALID
    if operand.type == ARM_OP_REG:
        name = _register(one, operand.reg)
        return Shifted(name) if shifted else name
    if operand.type == ARM_OP_MEM:
        index = _register(one, operand.mem.index) if operand.mem.index else None
        plain = not shifted and not operand.subtracted and operand.mem.scale == 1
        return Memory(_register(one, operand.mem.base), int(operand.mem.disp), index, plain)
    return None


def _register(one: CsInsn, number: int) -> str:
    name = str(one.reg_name(number))
    return _NUMBERED.get(name, name)


def source_lines(elf: Path, machine: str, addresses: set[int]) -> dict[int, str]:
    """file:line of each of `addresses` that has debugging information."""
    if not addresses:
        return {}
    ordered = sorted(addresses)
    command = [_PREFIX[machine] + "addr2line", "-e", str(elf), *map(hex, ordered)]
    done = call(command, seconds=_SECONDS)
    found = {}
    for address, line in zip(ordered, done.output.splitlines(), strict=False):
        place = _PLACE.fullmatch(line.strip())
        if place is not None and not line.startswith("?"):
            found[address] = _short(place.group(1))
    return found


def _short(place: str) -> str:
    """`place` without the build's folder, for names mapped to ".", or without the current folder."""
    return place.rpartition("/./")[2].removeprefix(f"{Path.cwd()}/")
