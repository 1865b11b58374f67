# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog new: a starter system, copied from examples/drone, or a project for a board."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from horolog.cli import echo, echo_json, json_option
from horolog.data import data_root
from horolog.model import HorologError
from horolog.plan import read_prices
from horolog.project import chosen_board, project_files
from horolog.read import board_names, read_board, system_schema
from horolog.read.values import NAME_PATTERN

__all__ = ["new"]

_SCHEMA = "system.schema.json"
_LONGEST = 64  # letters of a system's name
_LICENCE = {"$comment": "Licence: 0BSD. From `horolog schema`."}


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--board",
    metavar="BOARD",
    help="For this board: of `horolog boards`, an ST kit (nucleo-f446re) or a part (STM32F446RE).",
)
@json_option
def new(directory: Path, board: str | None, as_json: bool) -> None:
    """Write a commented starter system with task bodies in C to DIR, which is new or empty.

    With --board it is a small system for that board, with what VS Code and CMake need to build and debug it.
    A board that does not come with Horolog is written, too, as by `horolog board new --part`.
    """
    if board is None:
        made = _drone()
    else:
        _refuse_used(directory)
        made = _project(_system_name(directory), board)
    _write(directory, made)
    if as_json:
        echo_json({"directory": str(directory), "files": sorted(made)})
        return
    holds = (
        f"{len(made)} files for {board}" if board else f"{', '.join(sorted(made))}: a small drone"
    )
    echo(f"{directory} holds {holds}, yours to change (0BSD).\n")
    echo("Next:")
    echo(f"  cd {directory}")
    echo("  horolog check system.toml      is it valid, how busy is it")
    echo("  horolog plan system.toml       which timer will release which task")
    if board is not None:
        echo("  horolog build system.toml      firmware, as .elf, .bin and .hex")
    if board is None or board in board_names():
        echo("  horolog run system.toml        build it, boot it, measure it")
        echo("  horolog compare system.toml    the same, beside FreeRTOS")


def _project(name: str, board: str) -> dict[str, str]:
    """The files of the project `name` for `board`."""
    chosen = chosen_board(board)
    with TemporaryDirectory(prefix="horolog-new-") as folder:
        _put(Path(folder), chosen.files)
        read = read_board(chosen.reference, relative_to=Path(folder))
    read_prices(read)  # a system is planned by them: HorologError if the board has none
    return {**project_files(name, chosen, read), _SCHEMA: _schema()}


def _system_name(directory: Path) -> str:
    name = directory.resolve().name
    if not re.fullmatch(NAME_PATTERN, name) or len(name) > _LONGEST:
        raise HorologError(
            "the system is called as its folder, and cannot be called so",
            found=f'"{name}"',
            expected=f"a folder's name: a letter, then letters, digits, '_', '.', '-', {_LONGEST} at most",
        )
    return name


def _drone() -> dict[str, str]:
    """The files of examples/drone, for a folder of the user's."""
    starter = data_root() / "examples" / "drone"
    made = {file.name: file.read_text(encoding="utf-8") for file in _files(starter)}
    made["system.toml"] = made["system.toml"].replace(f"../../schema/{_SCHEMA}", f"./{_SCHEMA}")
    return {**made, _SCHEMA: _schema()}


def _schema() -> str:
    return json.dumps({**_LICENCE, **system_schema()}, indent=2) + "\n"


def _refuse_used(directory: Path) -> None:
    if directory.exists() and not directory.is_dir():
        raise HorologError(
            f"{directory} is a file", expected="a folder that is new or empty", found="a file"
        )
    if directory.is_dir() and any(directory.iterdir()):
        raise HorologError(
            f"the folder {directory} is not empty",
            found=", ".join(sorted(entry.name for entry in directory.iterdir())[:5]),
            expected="a folder that is new or empty",
        )


def _write(directory: Path, made: Mapping[str, str]) -> None:
    """Write the files `made` into `directory`, which is new or empty, or none of them."""
    _refuse_used(directory)
    created = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    try:
        _put(directory, made)
    except OSError:
        if created:  # nothing half-written
            shutil.rmtree(directory, ignore_errors=True)
        raise


def _put(directory: Path, made: Mapping[str, str]) -> None:
    for path, text in made.items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _files(starter: Path) -> list[Path]:
    return sorted(file for file in starter.iterdir() if file.suffix in (".toml", ".c", ".h", ".md"))
