# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The Thumb instructions of an ELF file, decoded by capstone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from capstone import CS_ARCH_ARM, CS_MODE_MCLASS, CS_MODE_THUMB, Cs, CsInsn
from capstone.arm import (
    ARM_OP_IMM,
    ARM_OP_MEM,
    ARM_OP_REG,
    ARM_SFT_INVALID,
    ArmOp,
)
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.calls.instruction import Instruction, Memory, Operand, Shifted

__all__ = ["thumb_instructions"]

_CODE, _DATA = "$t", "$d"
"""Symbols of the ABI that say where Thumb code and where data begins."""
_NUMBERED = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}


def thumb_instructions(file: ELFFile) -> dict[int, Instruction]:
    """By address. Data among the code is left out, and what is no instruction."""
    decoder = Cs(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS)
    decoder.detail = True
    found: dict[int, Instruction] = {}
    for low, code in _stretches(file):
        at = 0
        conditional = 0  # how many of the next instructions an IT governs
        while at < len(code):
            for one in decoder.disasm(code[at:], low + at):
                found[one.address] = _instruction(one, conditional > 0)
                conditional = max(0, conditional - 1)
                if one.mnemonic[:2] == "it" and set(one.mnemonic[2:]) <= {"t", "e"}:
                    conditional = len(one.mnemonic) - 1
                at = one.address + one.size - low
            at += _length(code[at : at + 2])  # behind what is none
    return found


def _length(start: bytes) -> int:
    """The bytes of an instruction that begins so (Armv7-M ARM, A5.1)."""
    return 4 if int.from_bytes(start, "little") >> 11 in (0b11101, 0b11110, 0b11111) else 2


def _stretches(file: ELFFile) -> Iterator[tuple[int, bytes]]:
    """Address and bytes of each stretch of code."""
    marks = sorted(
        (int(symbol["st_value"]), symbol.name[:2])
        for table in file.iter_sections()
        if isinstance(table, SymbolTableSection)
        for symbol in table.iter_symbols()
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


def _instruction(one: CsInsn, conditional: bool) -> Instruction:
    return Instruction(
        address=one.address,
        size=one.size,
        name=one.mnemonic,
        text=one.op_str,
        conditional=conditional,
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
