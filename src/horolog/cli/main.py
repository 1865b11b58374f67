# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The command `horolog`: its sub-commands, loaded when called; and how errors are shown."""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from horolog import __version__
from horolog.cli.exit_status import ClosedPipe, Ending, ended
from horolog.cli.streams import degrade
from horolog.model import NotInstalled

__all__ = ["main"]


_COMMANDS_OF_OTHERS = "horolog.commands"
"""The entry points by which other packages bring sub-commands."""


@dataclass(frozen=True, slots=True)
class _Command:
    """A sub-command that is not imported before it is called, so that starting is quick."""

    section: str
    help: str
    file: str | None = None  # of cli/; None: another package brings it, by an entry point

    def load(self, name: str) -> object:
        """The sub-command called `name`. HorologError if its package is not installed."""
        if self.file is not None:
            return getattr(importlib.import_module(f"horolog.cli.{self.file}"), name)
        for point in importlib.metadata.entry_points(group=_COMMANDS_OF_OTHERS, name=name):
            return point.load()
        raise NotInstalled(
            f'"horolog {name}" needs the package horolog-experiments, which is not installed',
            found=f"no entry point {name} of {_COMMANDS_OF_OTHERS} in this Python environment",
            expected="a checkout of Horolog, set up by `make setup-test`; there .venv/bin/horolog has it",
        )


_COMMANDS = {
    "new": _Command("Systems", "A commented starter system with its task bodies.", "new"),
    "check": _Command("Systems", "Is the description valid and plausible?", "check"),
    "analyse": _Command("Systems", "Do all deadlines hold, the kernel's work counted?", "analyse"),
    "plan": _Command("Systems", "The releasers chosen, and what they will cost.", "plan"),
    "build": _Command("Systems", "Generate the C configuration and the firmware.", "run"),
    "run": _Command("Systems", "Build, boot, measure and report.", "run"),
    "compare": _Command("Systems", "Run, and run the same tasks on FreeRTOS.", "run"),
    "gdb": _Command("Systems", "Debug the firmware, with the kernel's objects shown.", "gdb"),
    "flash": _Command("Systems", "Load the firmware into a target, and compare it.", "flash"),
    "calls": _Command("Systems", "What each task's code reaches; stack, recursion.", "calls"),
    "clean": _Command("Systems", "Remove what these have written for a system.", "clean"),
    "cmake": _Command("Set-up", "Horolog in a CMake project of your own.", "cmake"),
    "boards": _Command("Set-up", "What can be targeted.", "boards"),
    "board": _Command("Set-up", "A board of your own, by its chip's part number.", "board"),
    "doctor": _Command("Set-up", "What is installed and what is missing.", "doctor"),
    "schema": _Command("Set-up", "The JSON Schema of system.toml, for editors.", "schema"),
    "bench": _Command("Bench", "Run an experiment; write its evidence."),
    "calibrate": _Command("Bench", "Measure a board's costs.", "calibrate"),
}


class _Group(click.Group):
    """Loads sub-commands lazily and turns whatever goes wrong into text and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        try:
            command = _COMMANDS[cmd_name].load(cmd_name)
        except ModuleNotFoundError as error:
            raise NotInstalled(
                f'"horolog {cmd_name}" needs a Python module that is not installed',
                found=f"no module {error.name}",
                expected="an installed package: pip install .",
            ) from None
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section in dict.fromkeys(lazy.section for lazy in _COMMANDS.values()):
            with formatter.section(section):
                formatter.write_dl(
                    [(n, lazy.help) for n, lazy in _COMMANDS.items() if lazy.section == section]
                )

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run as a program: ends with one of the exit statuses of `Exit`."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        degrade()
        given = sys.argv[1:] if args is None else list(args)

        def command(ending: Ending) -> object:
            return super(_Group, self).main(
                given, prog_name, complete_var, standalone_mode=False, obj=ending, **extra
            )

        sys.exit(ended(command, given))

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parses; text that click prints itself, such as help, may meet a pipe that its reader has closed."""
        with _pipe():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _pipe():
            return super().invoke(ctx)


@contextmanager
def _pipe() -> Iterator[None]:
    """A closed pipe, past click, which would exit with 1."""
    try:
        yield
    except BrokenPipeError:
        raise ClosedPipe from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="horolog")
def main() -> None:
    """A real-time kernel whose timing is compiled.

    Describe your periodic tasks and your board's free timers in system.toml; horolog picks the
    cheapest correct way to release every job, builds it, runs it and shows what was measured.

    Exit status: 0 fine; 1 the system does not hold its deadlines or limits; 2 the input is wrong;
    3 something is not installed; 4 the target failed; 70 a fault of Horolog's; 130 interrupted;
    141 the reader of the output has gone.
    """
