# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the user asks of a system: the arguments that build, run and compare share, as one object."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from horolog.cli import json_option, kind_option, objective_option, teller, warn_of_plan
from horolog.cli.searching import SECONDS, searching, seconds_option, tell_of_search
from horolog.cli.verifying import tell_of_faults, verified, verify_folders, verify_option
from horolog.figures import number
from horolog.model import ALL_MECHANISMS, STORES, Kind, Planned, System

if TYPE_CHECKING:
    from horolog.run import Request

__all__ = ["CHECKS", "Asked", "asked"]

CHECKS = "--checks"


@dataclass(frozen=True, slots=True)
class Asked:
    """A description, and how it is to be planned and built."""

    path: Path
    mechanism: str | None
    queue: str | None
    objective: str | None
    kind: Kind | None
    board: str | None
    out: Path | None
    as_json: bool
    checks: bool = False
    seconds: Fraction = SECONDS
    verify: bool = False

    def planned(self, like: System | None = None) -> tuple[System, Planned]:
        """The system, and its plan, which the processor is fast enough for.

        What the system allows to move is moved as is best, or as in `like`.
        """
        from horolog.plan import moved_as, plan_moving, refuse_overload
        from horolog.read import read_system

        system = read_system(self.path, board=self.board, kind=self.kind)
        system = system if like is None else moved_as(system, like)
        with searching(self.seconds) as limit:
            system, planned = plan_moving(
                system,
                mechanism=self.mechanism,
                queue=self.queue,
                objective=self.objective,
                limit=limit,
            )
        refuse_overload(system, planned)
        if self.verify:
            planned = verified(
                system,
                planned,
                verify_folders(self.folder(system)),
                lambda mechanism, store: self._plan(system, mechanism, store or self.queue),
                may_name_store=self.queue is None,
                say=teller(self.as_json),
            )
        warn_of_plan(planned)
        tell_of_search(planned)
        if planned.verification is not None:
            tell_of_faults(planned.verification)
        return system, planned

    def _plan(self, system: System, mechanism: str | None, queue: str | None) -> Planned:
        from horolog.plan import plan

        with searching(self.seconds) as limit:
            return plan(
                system,
                mechanism=mechanism,
                queue=queue,
                objective=self.objective,
                limit=limit,
            )

    def of_kind(self, kind: Kind) -> Asked:
        """What is asked, with every task of `kind`; its plan is not verified."""
        return replace(self, kind=kind, verify=False)

    def folder(self, system: System) -> Path:
        """Where the outputs of `system` go."""
        return self.out if self.out is not None else Path("build") / system.name

    def request(self) -> Request:
        """What is to be built: the system as planned, in the folder of outputs."""
        from horolog.run import Request

        system, planned = self.planned()
        say = teller(self.as_json)
        return Request(system, planned, self.folder(system), say, checks=self.checks)

    def command(self, name: str) -> str:
        """The command `name` as a user would repeat it."""
        words = ["horolog", name, self.path.as_posix()]
        for option in ("mechanism", "queue", "objective"):
            value = getattr(self, option)
            words += [f"--{option}", value] if value else []
        words += ["--kind", self.kind.value] if self.kind else []
        words += ["--board", self.board] if self.board else []
        words += ["--seconds", number(self.seconds)] if self.seconds != SECONDS else []
        words += ["--verify"] if self.verify else []
        words += [CHECKS] if self.checks else []
        return shlex.join(words)


def asked(command: Callable[..., None]) -> Callable[..., None]:
    """Gives `command` the arguments of Asked as one, in front of its own options."""

    @wraps(command)
    def with_one_argument(**arguments: Any) -> None:
        own = {one.name: arguments.pop(one.name) for one in fields(Asked) if one.name in arguments}
        command(Asked(**own), **arguments)

    made: Callable[..., None] = with_one_argument
    for option in (
        json_option,
        click.option(
            "--out",
            type=click.Path(path_type=Path, file_okay=False),
            help="Where to write; default: ./build/<system>.",
        ),
        click.option("--board", metavar="BOARD", help="Another board than the description's."),
        click.option(
            "--queue",
            type=click.Choice((*STORES, "none")),
            help="Force the store of every releaser instead of the cheapest of each.",
        ),
        verify_option,
        seconds_option,
        objective_option,
        kind_option,
        click.option(
            "--mechanism",
            type=click.Choice(ALL_MECHANISMS),
            help="Force a release mechanism instead of the cheapest.",
        ),
        click.argument("path", metavar="SYSTEM.toml", type=click.Path(path_type=Path)),
    ):
        made = option(made)
    return made
