# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog calibrate."""

from __future__ import annotations

from pathlib import Path

import click

from horolog.cli import echo_json, json_option

__all__ = ["calibrate"]


@click.command()
@click.argument("board", metavar="BOARD")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write; default: costs.toml beside the board's board.toml.",
)
@json_option
def calibrate(board: str, out: Path | None, as_json: bool) -> None:
    """Measure what the kernel's steps cost on BOARD and write its costs.toml.

    `horolog plan` chooses by these. Run it again when the compiler, its flags or the kernel change.
    """
    from horolog.bench import calibrate as measure
    from horolog.bench import costs_toml
    from horolog.read import read_board

    target = read_board(board)
    path = out if out is not None else target.directory / "costs.toml"
    found = measure(target, (lambda text: None) if as_json else lambda t: click.echo(t, err=True))
    path.write_text(costs_toml(found), encoding="utf-8")
    if as_json:
        echo_json({"board": target.name, "written": str(path)})
    else:
        click.echo(path)
