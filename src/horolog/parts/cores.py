# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which port serves a chip's core, and what is said of a part that can have no board."""

from __future__ import annotations

from horolog.model import HorologError, PartCore
from horolog.read.ports import ports

__all__ = ["no_board", "port_of"]


def port_of(part: str, core: str) -> tuple[str, str, PartCore]:
    """The folders of the port for `core`, a name of `[parts]` of its port.toml, and what that says of it."""
    for (arch, controller), port in ports().items():
        for known in port.part_cores:
            if known.name == core:
                return arch, controller, known
    raise no_board(part, f"there is no port for its core, a Cortex-{core.upper()}")


def no_board(part: str, why: str) -> HorologError:
    """The error of a part of which no board can be made."""
    return HorologError(f"{part} has no board: {why}", expected="another part")
