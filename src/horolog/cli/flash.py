# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog flash: the firmware into the target behind a debug probe, and compared with what is there then."""

from __future__ import annotations

import click

from horolog.cli import echo, echo_json
from horolog.cli.options import Options, with_options
from horolog.cli.probing import probe_option
from horolog.image import loaded_bytes
from horolog.model import HorologError
from horolog.run import Probe, build, check_probe, serving
from horolog.run.gdb_session import flash as flash_elf

__all__ = ["flash"]


@click.command()
@with_options
@probe_option
def flash(of: Options, probe: Probe | None) -> None:
    """Build SYSTEM.toml, load it into what is behind a debug probe, compare it there, and let it run.

    An error says whether nothing was loaded, or a part of it.
    """
    if probe is None:
        raise HorologError(
            "horolog flash needs a debug probe, or a gdb server that runs already",
            found="no --probe",
            expected="--probe auto, openocd, probe-rs, pyocd or remote=HOST:PORT",
        )
    request = of.request()
    board = request.system.board
    check_probe(board, probe)
    elf = build(request).horolog
    with serving(board, probe, request.out, request.say) as remote:
        request.say(f"loading {board.name} by {remote.text}")
        flash_elf(board, elf, remote, request.out)
    size = loaded_bytes(elf)
    if of.as_json:
        echo_json({"horolog": str(elf), "bytes": size, "verified": True})
    else:
        echo(
            f"{size} bytes loaded and compared; gdb let go of the target at the start of the firmware\n{elf}"
        )
