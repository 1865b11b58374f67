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
from horolog.parts import (
    Chosen,
    Made,
    Raspberry,
    Wish,
    files_of,
    made_board,
    nordic_memory,
    part_names,
    raspberry_chips,
    raspberry_shipped,
    read_part,
)
from horolog.read import read_board
from horolog.read.problems import listed
from horolog.read.units import frequency_text
from horolog.read.values import NAME_PATTERN

__all__ = ["board"]


@click.group()
def board() -> None:
    """A board of your own, made of what is known of its chip (STM32, nRF51, nRF52, RP2040, RP2350)."""


@board.command()
@click.option(
    "--part",
    "part_name",
    required=True,
    metavar="PART",
    help="The chip, such as STM32F446RE, nRF52840 or RP2350.",
)
@click.option(
    "--name", metavar="NAME", help="What the board is called; default: the part, in small letters."
)
@click.option(
    "--hz",
    type=int,
    metavar="N",
    help="The core's clock; default: what it has after reset, or an RP's PLL makes.",
)
@click.option(
    "--timer-hz",
    type=int,
    metavar="N",
    help="What the timers count; default: as --hz, on an STM32.",
)
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
@click.option(
    "--svd",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The chip's SVD file, of an nRF or RP; default: that of pyOCD's package or the RP's crate.",
)
@json_option
def new(
    part_name: str,
    name: str | None,
    hz: int | None,
    timer_hz: int | None,
    timers: str | None,
    out: Path | None,
    svd: Path | None,
    as_json: bool,
) -> None:
    """Write a board.toml with its linker script and headers for a board with the chip PART.

    A timer of 32 bits is the clock, and its compare channels are cells; all other timers are cells,
    too. Another clock than the one after reset is for your own code to set: the function that `start` of
    [system] names. What is known of an nRF is its SVD file, and those of pyOCD are read if it is installed.
    Those of an RP2040 and RP2350 are in crates, which cargo fetches; the driver of their clock starts
    the PLL.
    """
    wish = Wish(hz, timer_hz, None if timers is None else tuple(timers.split(",")))
    found = made_board(part_name, wish, svd)
    called = _called(found.part.name.lower() if name is None else name)
    folder = Path("boards", called) if out is None else out
    files = files_of(found, called)
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
    bits = sum(timer.width for timer in found.clock_timers)
    source = f"the {found.source}, as after reset" if found.source else "set by your own code"
    if isinstance(found, Raspberry):
        source = "which the driver of the clock sets"
    echo(f"{folder} holds {listed(sorted(files), last='and')}: yours to change (0BSD).\n")
    echo(f"  chip    {found.part.name}, {found.core.cpu} at {frequency_text(found.hz)}, {source}")
    echo(f"  clock   {said['clock']}, {frequency_text(found.timer_hz)}, {bits} bits")
    echo(f"  cells   {', '.join(cells)}")
    lines = f"{said['lines']} for basic tasks" if found.lines else "none: threads serve basic tasks"
    echo(f"  lines   {lines}\n")
    where = folder if folder.is_absolute() else f"./{folder}"
    echo(f'In system.toml: board = "{where}". {_tried(found)}, and it was never tried on silicon.')


def _tried(made: Made) -> str:
    if isinstance(made, Raspberry) and raspberry_shipped(made) is not None:
        return "A simulator runs it"
    if isinstance(made, Chosen) and made.measured is not None:
        return "Horolog's simulator runs it"
    if isinstance(made, Chosen) and made.core.simulated:
        return "Horolog's simulator runs it once [runner] of board.toml says so"
    return "No emulator runs it"


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
    wanted = "" if filter_ is None else filter_.upper()
    rows = [_row(name) for name in part_names() if wanted in name]
    rows += [
        {"part": name, "core": _core(core), "flash_bytes": flash, "ram_bytes": ram, "timers": None}
        for name, (core, flash, ram) in nordic_memory().items()
        if wanted in name.upper()
    ]
    rows += [
        {
            "part": chip.name,
            "core": _core(chip.core),
            "flash_bytes": chip.flash,
            "ram_bytes": chip.ram,
            "timers": None,
        }
        for chip in raspberry_chips()
        if wanted in chip.name
    ]
    if filter_ is not None and not rows:
        made_board(filter_, Wish())  # says what is near
    if as_json:
        echo_json({"parts": rows})
        return
    table = plain_table("part", "core", *right("flash", "RAM", "timers"))
    for row in rows:
        sizes = (f"{row[key] // 1024} KiB" for key in ("flash_bytes", "ram_bytes"))
        timers = "by SVD" if row["timers"] is None else str(len(row["timers"]))
        table.add_row(row["part"], row["core"], *sizes, timers)
    console().print(table)
    echo(f"{len(rows)} parts")


def _core(name: str) -> str:
    """As people call what port.toml calls `name`."""
    return f"Cortex-{name.rstrip('fds').upper()}"


def _row(name: str) -> dict[str, Any]:
    part = read_part(name)
    return {
        "part": name,
        "core": _core(part.core),
        "flash_bytes": sum(
            one.length for one in part.memory if one.kind == "flash" and one.name != "OTP"
        ),
        "ram_bytes": sum(
            one.length for one in part.memory if one.kind == "ram" and one.origin < 0x4000_0000
        ),
        "timers": [timer.name for timer in part.timers],
    }
