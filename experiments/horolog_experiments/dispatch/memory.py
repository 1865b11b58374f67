# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a minimal application takes of ROM and RAM, section by section, from the linker's map.

Every function and every object has a section of its own (-ffunction-sections, -fdata-sections), so the map
says which object file each byte comes from: the application's are apart from the kernel's, and start-up
code is what is listed here by name. A function of the compiler's libraries belongs to the object that the
linker took it in for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Piece", "pieces", "total"]


@dataclass(frozen=True, slots=True)
class Piece:
    """`part` is kernel, start-up, application or stack; `memory` is rom, ram, or both (initialised data)."""

    part: str
    memory: str
    name: str
    bytes: int
    file: str


_SECTION = re.compile(
    r"^ (?P<name>[.\w][^\s]*)\s+0x(?P<at>[0-9a-f]+)\s+0x(?P<bytes>[0-9a-f]+)\s+(?P<file>\S.*)$"
)
_OUTPUT = re.compile(r"^(?P<name>\.[\w.]+)\s*(0x|$)")
_PREFIX = re.compile(r"^\.(text|rodata|srodata|data|sdata|bss|sbss|vectors)\b\.?(?:unlikely\.)?")
_LOADED = {
    "text": "rom",
    "rodata": "rom",
    "srodata": "rom",
    "vectors": "rom",
    "data": "both",
    "sdata": "both",
    "bss": "ram",
    "sbss": "ram",
}
_OUTPUTS = (".text", ".data", ".bss", ".rodata", ".hrl_stacks")


def pieces(text: str) -> tuple[Piece, ...]:
    """All that the image of the map `text` holds, in the linker's order."""
    body = text[text.index("Linker script and memory map") :]
    users = _users(text)
    found = []
    output = ""
    for line in _joined(body.splitlines()):
        heading = _OUTPUT.match(line)
        if heading is not None:
            output = heading["name"]
        section = _SECTION.match(line)
        if section is None or output not in _OUTPUTS:
            continue
        size = int(section["bytes"], 16)
        if size:
            piece = _piece(section["name"], size, section["file"], users)
            if piece is not None:
                found.append(piece)
    return tuple(found)


def _joined(lines: Iterable[str]) -> Iterable[str]:
    """Long names stand on a line of their own, before the rest."""
    pending = ""
    for line in lines:
        if re.fullmatch(r" [.\w]\S*", line):
            pending = line
        else:
            yield pending + line
            pending = ""


_USED = re.compile(r"^(?P<member>\S+\.a\([^)]*\))\s+(?P<user>\S.*?) \([^)]*\)$")


def _users(text: str) -> dict[str, str]:
    """The object that the linker took in each member of a library for, from the first part of the map."""
    listed = text[: text.index("Linker script and memory map")].splitlines()
    found = {}
    for line, following in zip(listed, [*listed[1:], ""], strict=True):
        used = _USED.match(line if "(" in line.partition(")")[2] else f"{line} {following.strip()}")
        if used is not None:
            found[used["member"]] = used["user"]
    return found


def _piece(section: str, size: int, file: str, users: Mapping[str, str]) -> Piece | None:
    if section.startswith(".hrl_stacks"):
        return Piece("stack", "ram", section, size, _file(file))
    kind = _PREFIX.match(section)
    if kind is None:
        return None
    name = section[kind.end() :] or section
    if name.split(".")[0] in _FREERTOS_STACKS:
        return Piece("stack", "ram", name, size, _file(file))
    owner = file
    while _is_library(owner) and owner in users:
        owner = users[owner]
    part = _part(name, owner)
    if owner is not file and any(folder in owner for folder in _START_FOLDERS):
        part = "start-up"
    return Piece(part, _LOADED[kind[1]], name, size, _file(file))


_FREERTOS_STACKS = ("stacks", "idle_stack", "xISRStack")
_START_UP = frozenset(
    {
        *(".vectors", "hrlp_vectors"),
        *("Reset_Handler", "hrlp_reset"),
        *("fault_alias", "hrlp_fault_handler", "hrlp_trap_fault"),
        *("hrlp_cortex_m_line", "hrlp_armv7m_line"),  # its name in evidence of before
        *("hrlp_cpu_halt", "hrlp_idle"),
    }
)
"""Our start-up code: vectors, reset, faults and lines without a handler, a program's end, the idle loop."""
_START_FOLDERS = ("hrl_start.dir", "hrl_halt_start.dir")
"""Objects in these folders are start-up code; so is what they take of the compiler's libraries."""


def _is_library(file: str) -> bool:
    return re.search(r"/lib(c|c_nano|gcc|m)\.a\(", file) is not None


def _part(name: str, file: str) -> str:
    if name in _START_UP or file.endswith(("/start.S.obj", "idle.S.obj")):
        return "start-up"
    if "libhrl_bodies.a" in file or file.endswith("bodies.c.obj"):
        return "application"
    return "kernel"


def _file(path: str) -> str:
    """The source's name, without the machine's folders."""
    name = path.rsplit("/", 1)[-1]
    member = re.search(r"\(([^)]*)\)$", name)
    return re.sub(r"\.(obj|o)$", "", member[1] if member else name)


def total(found: Iterable[Piece], part: str, memory: str) -> int:
    """Bytes of `part` in `memory`, rom or ram."""
    return sum(one.bytes for one in found if one.part == part and one.memory in (memory, "both"))
