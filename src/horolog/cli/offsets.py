# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What `horolog plan --choose-offsets` has chosen, for people."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from horolog.figures import plural
from horolog.model import System
from horolog.read import duration_text
from horolog.responses import OffsetFigures, Offsets

__all__ = ["print_offsets"]


def print_offsets(out: Console, system: System, found: Offsets) -> None:
    """The offsets as lines of TOML and what they gain, or why there are none."""
    if found.chosen:
        gain = _gain(system, found.before, found.after)
        out.print(f"offsets    {gain}; no bound is larger", soft_wrap=True)
        for name, offset in found.chosen:
            text = duration_text(offset) if offset else "0 ms"
            out.print(f'           {escape(name)}: offset = "{text}"')
    else:
        why = "; ".join(found.refused) or "no task without an offset of its own can be moved"
        out.print(f"offsets    none chosen: {escape(why)}", soft_wrap=True)
    if found.cut:
        out.print("           the limit of --seconds ended the comparison")


def _gain(system: System, before: OffsetFigures, after: OffsetFigures) -> str:
    parts = []
    if before.together is not None and after.together is not None:
        fewer = plural(after.together, "release")
        parts.append(f"at most {fewer} at one instant instead of {before.together:,}")
    unit = system.board.runner.unit
    if before.longest_handler is not None and after.longest_handler is not None:
        parts.append(
            f"longest handler {after.longest_handler:,} {unit} instead of {before.longest_handler:,}"
        )
    if before.kernel_per_second:
        parts.append(
            f"overhead {float(after.kernel_per_second):,.0f} {unit}/s instead of "
            f"{float(before.kernel_per_second):,.0f}"
        )
    parts.append(
        f"{float(after.interrupts_per_second):,.1f} interrupts/s instead of "
        f"{float(before.interrupts_per_second):,.1f}"
    )
    return ", ".join(parts)
