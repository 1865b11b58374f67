# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where an image waits for a lock: the loops that load the ticket that is served."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from horolog.model import Exit, HorologError
from horolog.programs import call, require

__all__ = ["GOT", "POLL", "lock_marks", "waiting_loops"]

POLL = "poll"
GOT = "got"
"""The marks of a lock: the load that asks, and the first instruction of the holder."""
_OBJDUMP = "riscv64-unknown-elf-objdump"
_INSTRUCTION = re.compile(r"^\s*(?P<at>[0-9a-f]+):\s+[0-9a-f]+\s+(?P<op>\S+)\s*(?P<rest>.*)$")
_TO = re.compile(r"(?P<to>[0-9a-f]+) <")


def waiting_loops(disassembly: str) -> Iterable[tuple[int, int]]:
    """Of each loop of two instructions, a load and a branch back to it: its address, and what follows."""
    found = [m for m in map(_INSTRUCTION.match, disassembly.splitlines()) if m]
    for (load, branch), (_, behind) in pairwise(pairwise(found)):
        target = _TO.search(branch["rest"])
        if load["op"] == "lw" and branch["op"] == "bne" and target and target["to"] == load["at"]:
            yield int(load["at"], 16), int(behind["at"], 16)


def lock_marks(elf: Path) -> dict[int, str]:
    """POLL and GOT by address, for every lock that the image takes. HorologError (4) if there is none."""
    require(_OBJDUMP)
    done = call([_OBJDUMP, "-d", str(elf)], seconds=60)
    marks: dict[int, str] = {}
    for poll, got in waiting_loops(done.output):
        marks |= {poll: POLL, got: GOT}
    if not marks:
        raise HorologError(
            "the bench's firmware takes no lock", found=elf.name, exit=Exit.TARGET_FAILED
        )
    return marks
