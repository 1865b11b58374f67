# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""gdb in one batch: loads a firmware, the trace ring of which a relay reads as it fills."""

from __future__ import annotations

from pathlib import Path

from horolog.model import Board, TargetFailed
from horolog.run.gdb_session import (
    Remote,
    load_commands,
    refuse_unloaded,
    run_gdb,
    stands_at,
    tail,
)
from horolog.run.relay import START, Channel, Relay

__all__ = ["read_as_it_fills"]

_BEGUN = "hrli_trace_begun"


def read_as_it_fills(
    board: Board,
    elf: Path,
    remote: Remote,
    channel: Channel,
    header: tuple[str, str, str],
    counted: str,
    records: str,
    folder: Path,
    seconds: float,
) -> int | None:
    """Load `elf`, run it for the window of `channel`, and read its ring as it fills into the file `records`.

    `header` is memory to dump first: into a file, from one expression to another; `counted` is an expression
    which says by a 0 that it would be in vain. The files lie in `folder`.

    Returns how often the target was halted to be read; None: never, as its server knows RTT. HorologError
    (4), which says what of it was done.
    """
    file, low, high = header
    commands = [
        *load_commands(board, elf),
        f"thbreak {_BEGUN}",
        "echo @started\\n",
        "continue",
        "echo @stopped\\n",
        stands_at(_BEGUN),
        f"dump binary memory {file} {low} {high}",
        f"if {counted} == 0",
        "quit 3",
        "end",
        f"monitor {START}",
        "continue",
        "echo @halted\\n",
        "detach",
    ]
    with Relay(remote, channel, folder / records) as relay:
        done = run_gdb(elf, relay.remote, commands, folder, seconds)
    said, late = done.output + done.errors, done.status is None
    refuse_unloaded(board, remote, said, timed_out=late, seconds=seconds)
    if not relay.is_over:
        raise TargetFailed(
            f"the target behind {remote.text} stopped answering"
            if late
            else f"the firmware behind {remote.text} stopped before its window ended",
            found=f"nothing in {seconds:.0f} s after the start" if late else tail(said),
            expected="a firmware that runs until the end of its window, and a server that reads its ring",
        )
    return relay.halts
