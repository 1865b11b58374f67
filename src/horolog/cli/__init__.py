# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The command line: each sub-command parses, calls one function and prints. Shared helpers are here."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Column, Table

from horolog.cli.exit_status import ClosedPipe, Ending
from horolog.cli.progress import course
from horolog.cli.streams import echo, tell
from horolog.model import OBJECTIVES, CostsOrigin, Kind, Planned

__all__ = [
    "board_option",
    "console",
    "echo",
    "echo_json",
    "json_option",
    "kind_option",
    "objective_option",
    "plain_table",
    "right",
    "system_argument",
    "tell",
    "teller",
    "warn_of_plan",
]

_FEWEST_COLUMNS = 20

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, errors included."
)
system_argument = click.argument("path", metavar="SYSTEM.toml", type=click.Path(path_type=Path))
board_option = click.option(
    "--board", metavar="BOARD", help="Another board than the description's: a name or a path."
)
objective_option = click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    help="What the plan makes small, instead of the description's objective: kernel instructions, "
    "interrupts, the longest interrupt handler and its variability, or flash (memory); or slack, the least "
    "share of a deadline that is left, which it makes large.",
)
kind_option = click.option(
    "--kind",
    type=click.Choice([kind.value for kind in Kind]),
    callback=lambda context, parameter, value: value and Kind(value),
    help="Make every task of this kind, whatever the description says.",
)


def console() -> Console:
    """Where tables go: as wide as the terminal, and wide enough for a table when there is none.

    Into a pipe or a file tables have 120 columns and other lines are not broken, unless the environment has
    COLUMNS: then all fit it.
    """
    out = _Console(highlight=False)
    if out.is_terminal:
        return out
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) >= _FEWEST_COLUMNS:
        return _Console(highlight=False, width=int(columns), soft_wrap=False)
    return _Console(highlight=False, width=120)


class _Console(Console):
    """One that leaves it to the command how to end when the reader of the output has gone.

    `soft_wrap`: what all lines have, whatever they are printed with.
    """

    def __init__(self, *, soft_wrap: bool | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._wraps = soft_wrap

    def print(self, *objects: Any, soft_wrap: bool | None = None, **options: Any) -> None:
        """As Console's."""
        wraps = soft_wrap if self._wraps is None else self._wraps
        super().print(*objects, soft_wrap=wraps, **options)

    def on_broken_pipe(self) -> None:
        raise ClosedPipe


def plain_table(*columns: str | Column) -> Table:
    """A table without lines."""
    return Table(*columns, box=None, pad_edge=False)


def right(*headings: str, whole: bool = False) -> list[Column]:
    """Columns of numbers, in which no line is broken if `whole`."""
    return [Column(heading, justify="right", no_wrap=whole) for heading in headings]


def teller(as_json: bool) -> Callable[[str], None]:
    """What says how far a command has come; nothing where the output is one JSON object."""
    return (lambda text: None) if as_json else course()


def echo_json(value: dict[str, Any]) -> None:
    """Have `value` printed as JSON when the command ends, keys in the order given."""
    ending = click.get_current_context().find_object(Ending)
    if ending is None:  # not run as a program
        echo(json.dumps(value, indent=2))
    else:
        ending.made = value


def warn_of_plan(planned: Planned) -> None:
    """Say on standard error what is likely to go wrong with a plan, or makes its predictions doubtful."""
    for warning in planned.warnings:
        tell(f"warning: {warning}")
    _warn_of_other_tools(planned.costs)


def _warn_of_other_tools(origin: CostsOrigin | None) -> None:
    """If the costs were measured with other tools than those installed."""
    from horolog.build.toolchains import other_tools

    if origin is None or origin.toolchain is None:
        return
    for name, wanted, here in other_tools(origin.toolchain):
        tell(
            f"warning: {origin.file}: meta.toolchain: measured with {name} {wanted}, here is {here}: "
            "predictions may be off; horolog calibrate BOARD measures anew"
        )
