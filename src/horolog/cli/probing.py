# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The option --probe: where a firmware runs that measures itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from horolog.model import HorologError
from horolog.run import Probe, Server, parse_remote

__all__ = ["probe_option", "refuse_beside_probe"]

F = TypeVar("F", bound=Callable[..., Any])

_REMOTE = "remote="
_SERVERS = tuple(one.value for one in Server)


def _probe(context: click.Context, parameter: click.Parameter, value: str | None) -> Probe | None:
    if value is None:
        return None
    if value in _SERVERS:
        return Server(value)
    try:
        if not value.startswith(_REMOTE):
            raise ValueError(value)
        return parse_remote(value.removeprefix(_REMOTE))
    except ValueError:
        raise HorologError(
            "--probe: no such probe",
            found=f'"{value}"',
            expected=f"{', '.join(_SERVERS)}, or {_REMOTE}HOST:PORT, where a gdb server listens",
        ) from None


def probe_option(command: F) -> F:
    """Adds the option."""
    return click.option(
        "--probe",
        metavar="PROBE",
        callback=_probe,
        help="The board itself, behind a debug probe: openocd, probe-rs or pyocd, which is started as "
        "[probe] of board.toml says; auto, the first of them that finds a probe; or remote=HOST:PORT, "
        "a gdb server that runs already.",
    )(command)


def refuse_beside_probe(options: Mapping[str, object]) -> None:
    """HorologError if one of `options` is given, which say something else of how the firmware runs."""
    for option, value in options.items():
        if value is not None and value is not False:
            raise HorologError(
                f"run takes --probe or {option}",
                found=f"both --probe and {option}",
                expected="one of the two",
            )
