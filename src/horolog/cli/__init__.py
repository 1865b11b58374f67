# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The command line: a sub-command parses, calls one function, prints. What they share is here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.console import Console

from horolog.model import OBJECTIVES, CostsOrigin, HorologError, Kind, Planned

__all__ = [
    "console",
    "echo_json",
    "error_object",
    "json_option",
    "kind_option",
    "objective_option",
    "warn_of_plan",
]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """The option `--json`, passed on as `as_json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object, errors included."
    )(command)


def objective_option(command: F) -> F:
    """The option `--objective`."""
    return click.option(
        "--objective",
        type=click.Choice(OBJECTIVES),
        help="What is to be small, instead of what the description says: kernel instructions, or "
        "interrupts.",
    )(command)


def kind_option(command: F) -> F:
    """The option `--kind`: a Kind, or None."""

    def as_kind(context: click.Context, parameter: click.Parameter, value: Any) -> Kind | None:
        return None if value is None else Kind(value)

    return click.option(
        "--kind",
        type=click.Choice([kind.value for kind in Kind]),
        callback=as_kind,
        help="Make every task of this kind, whatever the description says.",
    )(command)


def console() -> Console:
    """Where tables go: as wide as the terminal, and wide enough for a table when there is none."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=120)


def echo_json(value: Any) -> None:
    """Print `value` as JSON, keys in the order given."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def warn_of_plan(planned: Planned) -> None:
    """Say on standard error what is likely to go wrong with a plan, or makes its predictions doubtful."""
    for warning in planned.warnings:
        click.echo(f"warning: {warning}", err=True)
    _warn_of_other_tools(planned.costs)


def _warn_of_other_tools(origin: CostsOrigin | None) -> None:
    """If the costs were measured with other tools than those installed."""
    from horolog.run.toolchains import other_tools

    if origin is None or origin.toolchain is None:
        return
    for name, wanted, here in other_tools(origin.toolchain):
        click.echo(
            f"warning: {origin.file}: meta.toolchain: measured with {name} {wanted}, here is {here}: "
            "predictions may be off; horolog calibrate BOARD measures anew",
            err=True,
        )


def error_object(error: HorologError) -> dict[str, Any]:
    """An error for programs. Several at once: the first, and all of them under `all`."""
    made = _one_error(error)
    several = getattr(error, "errors", ())
    if several:
        made["all"] = [_one_error(one) for one in several]
    return {"error": made}


def _one_error(error: HorologError) -> dict[str, Any]:
    place = error.place
    return {
        "message": error.message,
        "place": place
        and {
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "key": place.key,
        },
        "found": error.found,
        "expected": error.expected,
        "exit": int(error.exit),
    }
