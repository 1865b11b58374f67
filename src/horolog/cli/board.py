# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog board: a board of the user's own, by the part number of its chip."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from horolog.cli import console, echo, echo_json, json_option, plain_table, right
from horolog.model import HorologError
from horolog.parts import Wish, board_files, chosen, find_part, part_names, read_part
from horolog.read import read_board
from horolog.read.problems import listed
from horolog.read.units import frequency_text
from horolog.read.values import NAME_PATTERN

__all__ = ["board"]


@click.group()
def board() -> None:
    """A board of your own, made of what is known of its chip (STM32)."""


@board.command()
@click.option(
    "--part", "part_name", required=True, metavar="PART", help="The chip, such as STM32F446RE."
)
@click.option(
    "--name", metavar="NAME", help="What the board is called; default: the part, in small letters."
)
@click.option(
    "--hz", type=int, metavar="N", help="The core's clock; default: what it has after reset."
)
@click.option("--timer-hz", type=int, metavar="N", help="What the timers count; default: as --hz.")
@click.option(
    "--timers",
    metavar="TIM2,TIM3,...",
    help="The timers that Horolog may use; default: all.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Its folder; default: ./boards/NAME.",
)
@json_option
def new(
    part_name: str,
    name: str | None,
    hz: int | None,
    timer_hz: int | None,
    timers: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write a board.toml with its linker script and headers for a board with the chip PART.

    A timer of 32 bits is the clock, and its compare channels are one-shot cells; all other timers are cells,
    too. Another clock than the one after reset is for your own code to set: the function that `start` of
    [system] names.
    """
    wish = Wish(hz, timer_hz, None if timers is None else tuple(timers.split(",")))
    found = chosen(find_part(part_name), wish)
    called = _called(found.part.name.lower() if name is None else name)
    folder = Path("boards", called) if out is None else out
    files = board_files(found, called)
    _write(folder, dict(files))
    cells = [cell.name for cell in read_board(str(folder / "board.toml")).cells]
    said = {
        "part": found.part.name,
        "board": called,
        "directory": str(folder),
        "files": sorted(files),
        "hz": found.hz,
        "timer_hz": found.timer_hz,
        "after_reset": found.source is not None,
        "clock": listed([timer.name for timer in found.clock_timers], last="and"),
        "cells": cells,
        "lines": len(found.lines),
    }
    if as_json:
        echo_json(said)
        return
    source = f"the {found.source}, as after reset" if found.source else "set by your own code"
    echo(f"{folder} holds {listed(sorted(files), last='and')}: yours to change (0BSD).\n")
    echo(f"  chip    {found.part.name}, {found.core.cpu} at {frequency_text(found.hz)}, {source}")
    echo(f"  clock   {said['clock']}, {frequency_text(found.timer_hz)}, 32 bits")
    echo(f"  cells   {', '.join(cells)}")
    echo(f"  lines   {said['lines']} for basic tasks\n")
    where = folder if folder.is_absolute() else f"./{folder}"
    echo(
        f'In system.toml: board = "{where}". No emulator runs it, and it was never tried on silicon.'
    )


def _called(name: str) -> str:
    if not re.fullmatch(NAME_PATTERN, name) or len(name) > 64:
        raise HorologError(
            "a board cannot be called so",
            found=f'"{name}"',
            expected="a letter, then letters, digits, '_', '.' or '-', 64 at most",
        )
    return name


def _write(folder: Path, files: dict[str, str]) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise HorologError(
            f"{folder} is not a new or empty folder",
            found="a file"
            if not folder.is_dir()
            else listed(sorted(one.name for one in folder.iterdir())[:5]),
            expected="a folder that is new or empty: --out DIR",
        )
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@board.command()
@click.argument("filter_", required=False, metavar="[FILTER]")
@json_option
def parts(filter_: str | None, as_json: bool) -> None:
    """The parts of which there is something known, with FILTER in their name."""
    names = [name for name in part_names() if filter_ is None or filter_.upper() in name]
    if filter_ is not None and not names:
        find_part(filter_)  # says what is near
    rows = [_row(name) for name in names]
    if as_json:
        echo_json({"parts": rows})
        return
    table = plain_table("part", "core", *right("flash", "RAM", "timers"))
    for row in rows:
        sizes = (f"{row[key] // 1024} KiB" for key in ("flash_bytes", "ram_bytes"))
        table.add_row(row["part"], row["core"], *sizes, str(len(row["timers"])))
    console().print(table)
    echo(f"{len(rows)} parts")


def _row(name: str) -> dict[str, Any]:
    part = read_part(name)
    return {
        "part": name,
        "core": f"Cortex-{part.core.rstrip('fd').upper()}",
        "flash_bytes": sum(
            one.length for one in part.memory if one.kind == "flash" and one.name != "OTP"
        ),
        "ram_bytes": sum(
            one.length for one in part.memory if one.kind == "ram" and one.origin < 0x4000_0000
        ),
        "timers": [timer.name for timer in part.timers],
    }
