# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A firmware under the plugin that follows what masks and unmasks (plugin/horolog_masked.c)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from pathlib import Path

from horolog.image import Image
from horolog.measure.probe import compiled_plugin
from horolog.model import Board, Exit, HorologError
from horolog.run.qemu import boot

__all__ = ["HANDLERS", "longest_windows", "mark_address", "read_windows", "watch_text"]

HANDLERS = ("TIMER1_Handler",)
"""At the kernel's priority, in bench/masked: what software raises. The handlers of the timer cells and of the
clock have lower ones, at which only what is between lock and unlock counts."""
_SECONDS = 600


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
    elf = image.path
    out, config = elf.with_suffix(".masked"), elf.with_suffix(".watch")
    config.write_text(watch_text(image, lines, out.resolve()), encoding="utf-8")
    plugin = compiled_plugin("horolog_masked")
    done = boot(board, elf, plugin, config, outputs=(out,), seconds=_SECONDS)
    if done.status != 0 or not out.is_file():
        raise HorologError(
            f"the firmware {elf.name} failed",
            found=done.errors.strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return read_windows(out.read_text(encoding="ascii"), image)


def read_windows(text: str, image: Image) -> list[tuple[int, int, str]]:
    """What the plugin wrote, with the names of functions from `image`."""
    lines = text.splitlines()
    if not lines or lines[-1] != "done":
        raise HorologError(
            "the bench's firmware did not come to its end",
            found=text[-200:],
            exit=Exit.TARGET_FAILED,
        )
    lows = [function.low for function in image.functions]
    found = []
    for line in lines[:-1]:
        _, windows, longest, at = map(int, line.split()[1:])
        found.append((windows, longest, image.functions[bisect(lows, at) - 1].name))
    return found
