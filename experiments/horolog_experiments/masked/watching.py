# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A firmware under the plugin that follows what masks and unmasks (plugin/horolog_masked.c)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from pathlib import Path

from horolog.calibrate.firmware import counted, finished
from horolog.image import Image
from horolog.measure.probe import compiled_plugin
from horolog.model import Board

__all__ = ["HANDLERS", "longest_windows", "mark_address", "read_windows", "watch_text"]

HANDLERS = ("TIMER1_Handler",)
"""At the kernel's priority, in bench/masked: what software raises. The handlers of the timer cells and of the
clock have lower ones, at which only what is between lock and unlock counts."""


def mark_address(image: Image, name: str) -> str:
    """The address of symbol `name`, as the plugin reads it."""
    return f"{image.address(name):#x}"


def watch_text(image: Image, lines: Iterable[str], out: Path) -> str:
    """The plugin's configuration, as plugin/horolog_masked.c describes it."""
    idle = image.address("hrlp_idle_loop")
    end = idle + image.sizes["hrlp_idle_loop"]
    return "\n".join([f"out {out}", f"idle {idle:#x} {end:#x}", *lines]) + "\n"


def longest_windows(board: Board, image: Image, lines: Iterable[str]) -> list[tuple[int, int, str]]:
    """For each `call` of `lines`: how many windows, the longest, and the function that masks.

    HorologError (4) if the firmware fails.
    """
    lines = list(lines)
    plugin = compiled_plugin("horolog_masked")
    text = counted(board, image.path, plugin, ".masked", lambda out: watch_text(image, lines, out))
    return read_windows(text, image)


def read_windows(text: str, image: Image) -> list[tuple[int, int, str]]:
    """What the plugin wrote, with the names of functions from `image`."""
    lows = [function.low for function in image.functions]
    found = []
    for line in finished(text):
        _, windows, longest, at = map(int, line.split()[1:])
        found.append((windows, longest, image.functions[bisect(lows, at) - 1].name))
    return found
