# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog clean: what build, run and compare have written for a system is removed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import click

from horolog.cli import echo, echo_json, json_option
from horolog.cli.options import out_option
from horolog.model import HorologError
from horolog.read import read_system

__all__ = ["clean"]

_WRITTEN = "gen/hrl_gen_*"  # what every build generates


@click.command()
@click.argument("path", metavar="SYSTEM.toml", type=click.Path(path_type=Path))
@out_option("What to remove; default: ./build/<system>.")
@json_option
def clean(path: Path, out: Path | None, as_json: bool) -> None:
    """Remove what build, run and compare have written for SYSTEM.toml, firmware and reports.

    Kernels that were compiled stay in your cache folder, for the next build.
    """
    system = read_system(path)
    folder = Path("build") / system.name if out is None else out
    if folder.exists():
        _refuse_others(folder, (path, *system.sources, Path.cwd()))
    files = [one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()]
    size = sum(one.stat().st_size for one in files)
    if folder.exists():
        shutil.rmtree(folder)
    if as_json:
        echo_json({"folder": str(folder), "files": len(files), "bytes": size})
    elif files:
        echo(f"removed {folder}: {len(files)} files, {size / 1e6:.1f} MB")
    else:
        echo(f"nothing to remove: there is no {folder}")


def _refuse_others(folder: Path, kept: Iterable[Path]) -> None:
    """HorologError unless `folder` is one that `horolog build` has written, with nothing of `kept` in it."""
    inside = [one for one in kept if one.resolve().is_relative_to(folder.resolve())]
    found = None
    if folder.is_symlink():
        found = "a link"
    elif inside:  # --out named a folder of the user's, such as the project's own
        found = f"{inside[0]} is in it"
    elif not any(folder.glob(_WRITTEN)):
        found = f"no {_WRITTEN} in it"
    if found is not None:
        raise HorologError(
            f"{folder} is not removed",
            found=found,
            expected="a folder that horolog build, run or compare has written, and nothing else in it",
        )
