# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where an image waits for the lock of services, and where it gives it.

It waits in loops that load the ticket that is served, and gives by a load that counts that up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from horolog.model import Exit, HorologError
from horolog.programs import call, require

__all__ = ["GIVEN", "GOT", "POLL", "given", "lock_marks", "waiting_loops"]

POLL = "poll"
GOT = "got"
GIVEN = "given"
"""The marks of a lock: the load that asks, the holder's first instruction, and its load that gives it."""
_SERVED = 0x404
"""Where, behind the lock registers, a load counts up the ticket that is served by the first lock."""
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


def given(disassembly: str) -> Iterable[int]:
    """The address of each load that gives the first lock to the next that waits."""
    for found in filter(None, map(_INSTRUCTION.match, disassembly.splitlines())):
        if found["op"] == "lw" and f",{_SERVED}(" in found["rest"]:
            yield int(found["at"], 16)


def lock_marks(elf: Path) -> dict[int, str]:
    """The marks by address, of all places that take a lock or give it. HorologError (4) if there is none."""
    require(_OBJDUMP)
    done = call([_OBJDUMP, "-d", str(elf)], seconds=60)
    marks: dict[int, str] = {}
    for poll, got in waiting_loops(done.output):
        marks |= {poll: POLL, got: GOT}
    marks |= dict.fromkeys(given(done.output), GIVEN)
    if not {POLL, GIVEN} <= {*marks.values()}:
        raise HorologError(
            "the bench's firmware takes no lock", found=elf.name, exit=Exit.TARGET_FAILED
        )
    return marks
