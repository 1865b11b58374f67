# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog calibrate."""

from __future__ import annotations

from pathlib import Path

import click

from horolog.cache import write_whole
from horolog.calibrate import calibrate as measure
from horolog.calibrate import calibrate_by_probe, costs_toml
from horolog.cli import echo, echo_json, json_option, teller
from horolog.cli.probing import probe_option
from horolog.model import HorologError
from horolog.plan import own_costs_path
from horolog.read import read_board
from horolog.run import Probe

__all__ = ["calibrate"]


@click.command()
@click.argument("board", metavar="BOARD")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write instead.",
)
@click.option(
    "--shipped",
    is_flag=True,
    help="Write the board's own file, as it comes with Horolog; for Horolog's developers.",
)
@probe_option
@json_option
def calibrate(
    board: str, out: Path | None, shipped: bool, probe: Probe | None, as_json: bool
) -> None:
    """Measure what the kernel's steps and queues cost on BOARD and write its costs.toml.

    BOARD is a name or a path. `horolog plan` chooses by these costs. Run it again when the compiler, its
    flags or the kernel change.

    For a board that comes with Horolog this writes your own copy, which goes before the one that came:
    $XDG_CONFIG_HOME/horolog/boards/BOARD/costs.toml, below ~/.config by default. Delete it to go back.
    For a board of your own it writes costs.toml beside your board.toml.

    With --probe the chip itself is measured, in its cycles: firmware that measures itself is loaded some
    two hundred times.
    """
    if out is not None and shipped:
        raise click.UsageError("--out and --shipped name two places")
    if probe is not None and shipped:
        raise click.UsageError(
            "--shipped is for what all users have, --probe for a chip of your own"
        )
    target = read_board(board)
    if target.cores > 1:
        raise HorologError(
            "calibration measures one core",
            found=f"{target.cores} cores of {target.name}",
            expected="a board of one core of the same kind, such as ibex-cells; its costs hold for each core",
        )
    if out is None:
        out = target.directory / "costs.toml" if shipped else own_costs_path(target)
    say = teller(as_json)
    found = measure(target, say) if probe is None else calibrate_by_probe(target, probe, say)
    write_whole(out, costs_toml(found))
    if as_json:
        echo_json({"board": target.name, "written": str(out)})
    else:
        echo(out)
