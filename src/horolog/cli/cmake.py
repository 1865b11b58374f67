# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog cmake: what CMake projects of the user's need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from horolog.build.image_checks import check_image, check_image_of_cores, check_memory
from horolog.build.project import project_sources, project_sources_for_cores
from horolog.cli import echo, echo_json, teller
from horolog.cli.options import Options, with_options
from horolog.data import data_root

__all__ = ["cmake"]


@click.group()
def cmake() -> None:
    """Horolog in a CMake project of your own: find_package(horolog), horolog_system(target system.toml)."""


@cmake.command("dir")
def folder() -> None:
    """The folder of horologConfig.cmake, for CMAKE_PREFIX_PATH or horolog_DIR; toolchain/ is below it."""
    echo(str(data_root() / "cmake"))


@cmake.command()
@with_options
def sources(of: Options) -> None:
    """Plan SYSTEM.toml and write the generated sources into --out. horolog_system calls this."""
    of = replace(of, cmake=True)
    several = of.cores_request()
    if several is not None:
        into = several.out
        project_sources_for_cores(several.system, several.plans, into)
    else:
        request = of.request()
        into = request.out
        project_sources(request.system, request.planned.choice, into)
    if of.as_json:
        echo_json({"generated": str(into)})


@cmake.command()
@with_options
@click.option(
    "--image",
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The linked program.",
)
def checks(of: Options, image: Path) -> None:
    """Check the program linked of SYSTEM.toml as `horolog build` does: calls of bodies, stacks, memory."""
    of = replace(of, cmake=True)
    several = of.cores_request()
    if several is not None:
        board, notes = (
            several.system.board,
            check_image_of_cores(several.system, several.plans, image),
        )
    else:
        request = of.request()
        board = request.system.board
        notes = check_image(request.system, request.planned.choice, image)
    check_memory(board, image)
    say = teller(of.as_json)
    for note in notes:
        say(f"note: {note}")
    if of.as_json:
        echo_json({"image": str(image), "notes": list(notes)})
