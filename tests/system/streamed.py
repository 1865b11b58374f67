# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads the ring of a firmware as it fills, by a server that the test starts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from horolog.build.ring import Ring
from horolog.measure.measured import Kernel
from horolog.model import Plan, System, TargetFailed
from horolog.run import parse_remote
from horolog.run.by_debugger import SelfMeasured, run_by_debugger

__all__ = ["ATTEMPTS", "read_in_time"]

ATTEMPTS = 4
"""This machine may be too busy to read in time, which is an error as on a board, and no fault here."""


def read_in_time(
    server: Callable[[], AbstractContextManager[str]],
    system: System,
    chosen: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    ring: Ring,
) -> SelfMeasured:
    """What `elf` says of itself behind `server`, which gives HOST:PORT. If it is not read in time, anew."""

    def read() -> SelfMeasured:
        with server() as where:
            return run_by_debugger(system, chosen, kernel, elf, folder, parse_remote(where), ring)

    folder.mkdir()
    for _ in range(ATTEMPTS - 1):
        try:
            return read()
        except TargetFailed as error:
            if "not read as fast" not in error.message:
                raise
    return read()
