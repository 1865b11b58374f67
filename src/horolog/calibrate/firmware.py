# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Firmware that is there to be measured: a CMake project below bench/ is built, and run under a plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from horolog.build.firmware import build_step
from horolog.build.toolchain_file import toolchain_file
from horolog.data import data_root
from horolog.model import Board, Exit, HorologError
from horolog.programs import call
from horolog.run.qemu import boot

__all__ = ["build_project", "counted", "finished"]

_SECONDS = 1800


def build_project(name: str, board: Board, out: Path, options: Iterable[str]) -> None:
    """Build bench/<name> for `board` in the folder `out`; `options` are <variable>=<value>."""
    root = data_root()
    configure = ["cmake", "-S", str(root / "bench" / name), "-B", str(out), "-G", "Ninja"]
    configure += [f"-D{option}" for option in options]
    configure += [
        f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file(board, out)}",
        f"-DHRL_CPU={board.cpu}",
    ]
    build_step("configuring", call(configure, seconds=_SECONDS))
    build_step("compiling", call(["cmake", "--build", str(out)], seconds=_SECONDS))


def counted(
    board: Board, elf: Path, plugin: Path, suffix: str, watch: Callable[[Path], str]
) -> str:
    """Boot `elf` on the emulated board; returns what the compiled `plugin` wrote.

    It writes beside `elf`, with that suffix; `watch` makes its configuration, which names this file.
    HorologError (4) if the firmware fails.
    """
    out, config = elf.with_suffix(suffix), elf.with_suffix(".watch")
    config.write_text(watch(out.resolve()), encoding="utf-8")
    done = boot(board, elf, plugin, config, outputs=(out,), seconds=_SECONDS)
    if done.status != 0 or not out.is_file():
        raise HorologError(
            f"the firmware {elf.name} failed",
            found=done.errors.strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return out.read_text(encoding="ascii")


def finished(text: str, start: str = "", count: int | None = None) -> list[str]:
    """The lines of `text`, which a plugin wrote, before the last one, `done`.

    They begin with `start`, and there are `count` of them, if that is not None. HorologError (4) if it is not
    so: the firmware did not come to its end.
    """
    *lines, last = text.splitlines() or [""]
    expected = last == "done" and all(line.startswith(start) for line in lines)
    if not expected or count not in (None, len(lines)):
        raise HorologError(
            "the bench's firmware did not come to its end",
            found=text[-200:],
            exit=Exit.TARGET_FAILED,
        )
    return lines
