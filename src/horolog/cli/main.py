# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The command `horolog`: its sub-commands, loaded when called; and how errors are shown."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import click

from horolog import __version__
from horolog.cli import echo_json, error_object
from horolog.model import Exit, HorologError

__all__ = ["main"]

_JSON = "horolog.json"  # key of click's meta: whether this call prints JSON


@dataclass(frozen=True, slots=True)
class _Lazy:
    """A sub-command that is not imported before it is called, so that starting is quick."""

    module: str
    section: str
    help: str


_COMMANDS = {
    "new": _Lazy("horolog.cli.new", "Systems", "A commented starter system with its task bodies."),
    "check": _Lazy("horolog.cli.check", "Systems", "Is the description valid and plausible?"),
    "plan": _Lazy("horolog.cli.plan", "Systems", "The releasers chosen, and what they will cost."),
    "build": _Lazy("horolog.cli.run", "Systems", "Generate the C configuration and the firmware."),
    "run": _Lazy("horolog.cli.run", "Systems", "Build, boot, measure and report."),
    "compare": _Lazy("horolog.cli.run", "Systems", "The same, beside FreeRTOS."),
    "calls": _Lazy(
        "horolog.cli.calls", "Systems", "What each task's code reaches; stack, recursion."
    ),
    "boards": _Lazy("horolog.cli.boards", "Set-up", "What can be targeted."),
    "doctor": _Lazy("horolog.cli.doctor", "Set-up", "What is installed and what is missing."),
    "schema": _Lazy("horolog.cli.schema", "Set-up", "The JSON Schema of system.toml, for editors."),
    "bench": _Lazy("horolog.cli.bench", "Bench", "Run an experiment; write its evidence."),
    "calibrate": _Lazy("horolog.cli.bench", "Bench", "Measure a board's costs."),
}


class _Group(click.Group):
    """Loads sub-commands lazily and turns every HorologError into text and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        lazy = _COMMANDS.get(cmd_name)
        if lazy is None:
            return None
        try:
            command = getattr(importlib.import_module(lazy.module), cmd_name)
        except ModuleNotFoundError as error:
            raise HorologError(
                f'"horolog {cmd_name}" needs a Python module that is not installed',
                found=f"no module {error.name}",
                expected="an installed package: pip install .",
                exit=Exit.NOT_INSTALLED,
            ) from None
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section in dict.fromkeys(lazy.section for lazy in _COMMANDS.values()):
            with formatter.section(section):
                formatter.write_dl(
                    [(n, lazy.help) for n, lazy in _COMMANDS.items() if lazy.section == section]
                )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_JSON] = (
            "--json" in args
        )  # known before the sub-command is, whose errors it concerns
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HorologError as error:
            shown = error
        except click.UsageError as error:
            if not ctx.meta[_JSON]:
                raise
            shown = HorologError(error.format_message())
        except click.ClickException:
            raise
        except BrokenPipeError:
            raise
        except OSError as error:
            shown = HorologError(
                f"cannot read or write: {(error.strerror or str(error)).lower()}",
                found=str(error.filename) if error.filename is not None else None,
            )
        if ctx.meta[_JSON]:
            echo_json(error_object(shown))
        else:
            _show(shown)
        raise click.exceptions.Exit(int(shown.exit))


def _show(error: HorologError) -> None:
    several = getattr(error, "errors", (error,))
    for one in several:
        text = str(one)
        head, newline, rest = text.partition("\n")
        prefix = "" if one.place else "error: "
        click.echo(click.style(prefix + head, bold=True) + newline + rest, err=True)
    if len(several) > 1:
        click.echo(f"{len(several)} errors", err=True)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="horolog")
def main() -> None:
    """A real-time kernel whose timing is compiled.

    Describe your periodic tasks and your board's free timers in system.toml; horolog picks the
    cheapest correct way to release every job, builds it, runs it and shows what was measured.

    Exit status: 0 fine; 1 the system does not hold its deadlines or limits; 2 the input is wrong;
    3 something is not installed; 4 the target failed.
    """
