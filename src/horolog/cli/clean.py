# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog clean: what build, run and compare have written for a system is removed."""

from __future__ import annotations

import shutil
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
    folder = Path("build") / read_system(path).name if out is None else out
    files = [one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()]
    size = sum(one.stat().st_size for one in files)
    if folder.exists():
        _refuse_others(folder)
        shutil.rmtree(folder)
    if as_json:
        echo_json({"folder": str(folder), "files": len(files), "bytes": size})
    elif files:
        echo(f"removed {folder}: {len(files)} files, {size / 1e6:.1f} MB")
    else:
        echo(f"nothing to remove: there is no {folder}")


def _refuse_others(folder: Path) -> None:
    """HorologError unless `folder` is one that `horolog build` has written."""
    if folder.is_symlink() or not any(folder.glob(_WRITTEN)):
        raise HorologError(
            f"{folder} is not removed",
            found="a link" if folder.is_symlink() else f"no {_WRITTEN} in it",
            expected="a folder that horolog build, run or compare has written",
        )
