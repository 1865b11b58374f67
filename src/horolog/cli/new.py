# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog new: a starter system, copied from examples/drone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click

from horolog.cli import echo, echo_json, json_option
from horolog.data import data_root
from horolog.model import HorologError
from horolog.read import system_schema

__all__ = ["new"]

_SCHEMA = "system.schema.json"
_LICENCE = {"$comment": "Licence: 0BSD. From `horolog schema`."}


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@json_option
def new(directory: Path, as_json: bool) -> None:
    """Write a commented starter system with task bodies in C to DIR, which is new or empty."""
    files = _write(directory)
    if as_json:
        echo_json({"directory": str(directory), "files": files})
        return
    echo(f"{directory} holds {', '.join(files)}: a small drone, yours to change (0BSD).\n")
    echo("Next:")
    echo(f"  cd {directory}")
    echo("  horolog check system.toml      is it valid, how busy is it")
    echo("  horolog plan system.toml       which timer will release which task")
    echo("  horolog run system.toml        build it, boot it, measure it")
    echo("  horolog compare system.toml    the same, beside FreeRTOS")


def _write(directory: Path) -> list[str]:
    """The starter's files, written; their names."""
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
    starter = data_root() / "examples" / "drone"
    made = {file.name: file.read_text(encoding="utf-8") for file in _files(starter)}
    made["system.toml"] = made["system.toml"].replace(f"../../schema/{_SCHEMA}", f"./{_SCHEMA}")
    made[_SCHEMA] = json.dumps({**_LICENCE, **system_schema()}, indent=2) + "\n"
    created = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in made.items():
            (directory / name).write_text(text, encoding="utf-8")
    except OSError:
        if created:  # nothing half-written
            shutil.rmtree(directory, ignore_errors=True)
        raise
    return sorted(made)


def _files(starter: Path) -> list[Path]:
    return sorted(file for file in starter.iterdir() if file.suffix in (".toml", ".c", ".h", ".md"))
