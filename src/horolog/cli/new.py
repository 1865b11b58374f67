# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog new: a starter system, copied from examples/, or a project for a board."""

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
from horolog.model import Board, HorologError, System
from horolog.plan import plan_moving, read_prices, refuse_overload
from horolog.project import chosen_board, project_files
from horolog.read import board_names, read_board, read_system, system_schema
from horolog.read.values import NAME_PATTERN

__all__ = ["new"]

_SCHEMA = "system.schema.json"
# REUSE-IgnoreStart
_IGNORED = "# SPDX-License-Identifier: 0BSD\nbuild/\n"
# REUSE-IgnoreEnd
_OF_A_REPOSITORY = (".git", "README", "LICENSE", "LICENCE")
_STARTER = "drone"
_TEMPLATES = {
    "control": ("motor", "a motor drive of 20 kHz, in C++"),
    "audio": ("audio", "sound in blocks of a third of a millisecond"),
    "battery": ("battery", "a battery monitor with periods of 59 and 333 ms"),
    "logger": ("logger", "tasks that send messages to a thread"),
    "minimal": ("minimal", "one task"),
}
"""What each template is: a folder of examples/, and what is in it."""

_LONGEST = 64  # letters of a system's name
_LICENCE = {"$comment": "Licence: 0BSD. From `horolog schema`."}


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--board",
    metavar="BOARD",
    help="For this board: of `horolog boards`, an ST kit (nucleo-f446re) or a part (STM32F446RE).",
)
@click.option(
    "--template",
    type=click.Choice(list(_TEMPLATES)),
    help="Another starter than the small drone: "
    + "; ".join(f"{name}, {text}" for name, (_, text) in _TEMPLATES.items())
    + ".",
)
@json_option
def new(directory: Path, board: str | None, template: str | None, as_json: bool) -> None:
    """Write a commented starter system with task bodies in C to DIR, which is new or empty.

    A Git repository without files of its own but .gitignore, README and LICENSE is empty, too; these stay.

    With --board it is a small system for that board, with what VS Code and CMake need to build and debug it;
    with --template, too, the template's system, if its tasks fit that board. A board that does not come with
    Horolog is written, too, as by `horolog board new --part`.
    """
    _refuse_used(directory)
    example, text = _TEMPLATES[template] if template is not None else (_STARTER, "a small drone")
    if board is None:
        made = _example(example)
    else:
        made = _project(_system_name(directory), board, template)
    kept = sorted({*_names(directory)} & made.keys())
    made = {path: text for path, text in made.items() if path not in kept}
    _write(directory, made)
    if as_json:
        echo_json({"directory": str(directory), "files": sorted(made), "kept": kept})
        return
    if kept:
        echo(f"Left as it is, since you have one: {', '.join(kept)}")
    holds = f"{len(made)} files for {board}" if board else f"{', '.join(sorted(made))}: {text}"
    echo(f"{directory} holds {holds}, yours to change (0BSD).\n")
    echo("Next:")
    echo(f"  cd {directory}")
    echo("  horolog check system.toml      is it valid, how busy is it")
    echo("  horolog plan system.toml       which timer will release which task")
    if board is not None:
        echo("  horolog build system.toml      firmware, as .elf, .bin and .hex")
    if board is None or (board in board_names() and read_board(board).runner.kind != "none"):
        echo("  horolog run system.toml        build it, boot it, measure it")
        echo("  horolog compare system.toml    the same, beside FreeRTOS")


def _project(name: str, board: str, template: str | None) -> dict[str, str]:
    """The files of the project `name` for `board`, with the tasks of `template` if one is named."""
    chosen = chosen_board(board)
    with TemporaryDirectory(prefix="horolog-new-") as folder:
        _put(Path(folder), chosen.files)
        read = read_board(chosen.reference, relative_to=Path(folder))
        read_prices(read)  # a system is planned by them: HorologError if the board has none
        made = {**project_files(name, chosen, read), _SCHEMA: _schema()}
        if template is None:
            return made
        example, about = _TEMPLATES[template]
        try:
            own = _fitted(example, name, chosen.reference, read)
            made = {path: text for path, text in made.items() if path not in _OF_A_BOARD} | own
            _put(Path(folder), made)
            _refuse_unfit(read_system(Path(folder) / "system.toml"))
        except HorologError as error:
            raise HorologError(
                f"the template {template} does not fit the board {board}",
                found=error.message + (f" ({error.found})" if error.found else ""),
                expected=f"another board for {about}, or --board {board} without a template",
                exit=error.exit,
            ) from None
    sources = ", ".join(f"`{path}`" for path in own if path != "system.toml")
    made["README.md"] = made["README.md"].replace("Three tasks on", f"The template {template} on")
    made["README.md"] = made["README.md"].replace("`tasks.c`", sources)
    return made


_OF_A_BOARD = ("system.toml", "tasks.c")  # of a project without a template
_LINE = r"(?m)^{} = [^#\n]*?(?=\s*(?:#|$))"


def _fitted(example: str, name: str, reference: str, board: Board) -> dict[str, str]:
    """The files of examples/`example` with `board`, called `reference`, and with cells of that."""
    made = _example(example)
    text = made["system.toml"]
    there = [cell.name for cell in board.cells]
    values = {"name": f'"{name}"', "board": f'"{reference}"'}
    if re.search(_LINE.format("timeouts"), text) is not None:
        if len(there) < 2:
            raise HorologError(
                "it needs two timer cells, one of them for time-outs", found=", ".join(there)
            )
        values["timeouts"] = f'"{there.pop()}"'
    listed = re.search(_LINE.format("cells"), text)
    if listed is not None:
        lent = there[: listed[0].count('"') // 2]
        values["cells"] = "[" + ", ".join(f'"{cell}"' for cell in lent) + "]"
    for key, value in values.items():
        text = re.sub(_LINE.format(key), f"{key} = {value}", text, count=1)
    kept = {path: text for path, text in made.items() if path not in (_SCHEMA, ".gitignore")}
    return {**kept, "system.toml": text}


def _refuse_unfit(system: System) -> None:
    """HorologError if the plan of `system` leaves no time. Whether it fits the memory, the linker knows."""
    if system.cores == 1:
        system, planned = plan_moving(system)
        refuse_overload(system, planned)


def _system_name(directory: Path) -> str:
    name = directory.resolve().name
    if not re.fullmatch(NAME_PATTERN, name) or len(name) > _LONGEST:
        raise HorologError(
            "the system is called as its folder, and cannot be called so",
            found=f'"{name}"',
            expected=f"a folder's name: a letter, then letters, digits, '_', '.', '-', {_LONGEST} at most",
        )
    return name


def _example(name: str) -> dict[str, str]:
    """The files of examples/`name`, for a folder of the user's."""
    starter = data_root() / "examples" / name
    made = {file.name: file.read_text(encoding="utf-8") for file in _files(starter)}
    made["system.toml"] = made["system.toml"].replace(f"../../schema/{_SCHEMA}", f"./{_SCHEMA}")
    return {**made, _SCHEMA: _schema(), ".gitignore": _IGNORED}


def _schema() -> str:
    return json.dumps({**_LICENCE, **system_schema()}, indent=2) + "\n"


def _refuse_used(directory: Path) -> None:
    if directory.exists() and not directory.is_dir():
        raise HorologError(
            f"{directory} is a file", expected="a folder that is new or empty", found="a file"
        )
    used = [name for name in _names(directory) if not name.startswith(_OF_A_REPOSITORY)]
    if used:
        raise HorologError(
            f"the folder {directory} is not empty",
            found=", ".join(used[:5]),
            expected="a folder that is new, or empty but for .git, .gitignore, README and LICENSE",
        )


def _names(directory: Path) -> list[str]:
    """What is in a folder, if there is one."""
    return sorted(entry.name for entry in directory.iterdir()) if directory.is_dir() else []


def _write(directory: Path, made: Mapping[str, str]) -> None:
    """Write the files `made` into `directory`, which holds none of them, or none of them."""
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
    return sorted(
        file for file in starter.iterdir() if file.suffix in (".toml", ".c", ".cpp", ".h", ".md")
    )
