# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog schema: the JSON Schema of what the user writes."""

from __future__ import annotations

import click

from horolog.cli import echo_json, json_option
from horolog.read import board_schema, system_schema

__all__ = ["schema"]


@click.command()
@click.option("--board", "of_board", is_flag=True, help="The schema of board.toml instead.")
@json_option
def schema(of_board: bool, as_json: bool) -> None:
    """The JSON Schema of system.toml, so that editors complete and check it.

    For an editor with the Taplo language server (Even Better TOML): write it to a file and begin
    system.toml with `#:schema ./system.schema.json`.
    """
    echo_json(board_schema() if of_board else system_schema())
