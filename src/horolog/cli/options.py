# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The options that plan, build, run and compare share, as one object."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from horolog.cli import (
    board_option,
    json_option,
    kind_option,
    objective_option,
    system_argument,
    teller,
    warn_of_plan,
)
from horolog.cli.searching import SECONDS, searching, seconds_option, tell_of_search
from horolog.cli.verifying import tell_of_faults, verified, verify_folders, verify_option
from horolog.figures import number
from horolog.model import (
    ALL_MECHANISMS,
    STORES,
    HorologError,
    Kind,
    Place,
    Planned,
    System,
)
from horolog.model.result import Suggestion
from horolog.plan import Limit, moved_as, plan, refuse_overload
from horolog.read import read_system
from horolog.read.document import read_document
from horolog.read.system import system_of

if TYPE_CHECKING:
    from horolog.divide import CoresPlanned
    from horolog.run import CoresRequest, Request

__all__ = ["CHECKS", "Options", "out_option", "refuse_cores", "with_options"]

CHECKS = "--checks"

F = TypeVar("F", bound=Callable[..., Any])


def out_option(help_text: str) -> Callable[[F], F]:
    """The option for the folder of outputs."""
    return click.option("--out", type=click.Path(path_type=Path, file_okay=False), help=help_text)


_out_option = out_option("Where to write; default: ./build/<system>.")


@dataclass(frozen=True, slots=True)
class Options:
    """A description, and how it is to be planned and built."""

    path: Path
    mechanism: str | None
    queue: str | None
    objective: str | None
    kind: Kind | None
    board: str | None
    as_json: bool
    out: Path | None = None
    checks: bool = False
    seconds: Fraction = SECONDS
    verify: bool = False
    cmake: bool = False  # a CMake target has the sources

    @property
    def named(self) -> dict[str, Any]:
        """What the plan shall be, as horolog.plan takes it."""
        return {"mechanism": self.mechanism, "queue": self.queue, "objective": self.objective}

    def system(self) -> System:
        """The system that is described, on the board and of the kind that are asked for."""
        return read_system(self.path, board=self.board, kind=self.kind, cmake=self.cmake)

    def planned(self, like: System | None = None) -> tuple[System, Planned]:
        """The system, and its plan, which the processor is fast enough for.

        What the system allows to move is moved as is best, or as in `like`.
        """
        system = self.system()
        refuse_cores(system, "firmware")
        system, planned = self.moved(system if like is None else moved_as(system, like))
        refuse_overload(system, planned)
        if self.verify:
            planned = self.verified(system, planned)
        warn_of_plan(planned)
        tell_of_search(planned)
        if planned.verification is not None:
            tell_of_faults(planned.verification)
        return system, planned

    def moved(self, system: System) -> tuple[System, Planned]:
        """`system`, moved where it allows that and as is best, and its plan."""
        from horolog.responses import plan_for

        with searching(self.seconds) as limit:
            return plan_for(system, limit=limit, **self.named)

    def planned_cores(self, system: System) -> CoresPlanned:
        """The system, each of its tasks on one of its several cores, and the plan of each core."""
        from horolog.divide import plans_for_cores

        with searching(self.seconds) as limit:
            found = plans_for_cores(system, limit=limit, **self.named)
        for one in found.plans:
            if one.planned is not None:
                warn_of_plan(one.planned)
                tell_of_search(one.planned)
        return found

    def plan(self, system: System, **named: str | None) -> Planned:
        """The plan of `system` as it stands; `named` goes before what is asked for."""
        with searching(self.seconds) as limit:
            return plan(system, limit=limit, **{**self.named, **named})

    def suggestions(self, system: System, planned: Planned, tries: int) -> tuple[Suggestion, ...]:
        """What would be better than the description, as far as that is found in so many tries."""
        from horolog.responses import plan_for, suggestions

        document = read_document(self.path)

        def read(change: Callable[[dict[str, Any]], None]) -> System:
            data = deepcopy(document.data)
            change(data)
            changed = replace(document, data=data)
            return system_of(changed, self.path, board=self.board, kind=self.kind)

        def planned_by(one: System, mechanism: str | None) -> tuple[System, Planned]:
            limit = Limit(self.seconds)
            if mechanism is None or any(task.jitter or task.least_period for task in one.tasks):
                return plan_for(one, limit=limit, **self.named)
            named = {**self.named, "mechanism": mechanism}
            return one, plan(one, limit=limit, alone=True, **named)

        return suggestions(system, planned, read, planned_by, tries)

    def verified(self, system: System, planned: Planned) -> Planned:
        """`planned` with the measured best of its best plans as its choice."""
        if planned.objective == "slack":
            raise HorologError(
                "--verify takes the plan of the least measured overhead",
                found="the objective slack",
                expected="--objective overhead or interrupts; or no --verify",
            )
        return verified(
            system,
            planned,
            verify_folders(self.folder(system)),
            lambda mechanism, store: self.plan(
                system, mechanism=mechanism, queue=store or self.queue
            ),
            may_name_store=self.queue is None,
            say=teller(self.as_json),
        )

    def of_kind(self, kind: Kind) -> Options:
        """Returns the same options with every task of `kind`; its plan is not verified."""
        return replace(self, kind=kind, verify=False)

    def folder(self, system: System) -> Path:
        """Returns the folder for the outputs of `system`."""
        return self.out if self.out is not None else Path("build") / system.name

    def request(self) -> Request:
        """What is to be built: the system as planned, in the folder of outputs."""
        from horolog.run import Request

        system, planned = self.planned()
        say = teller(self.as_json)
        return Request(system, planned, self.folder(system), say, checks=self.checks)

    def cores_request(self) -> CoresRequest | None:
        """What is to be built of a system on several cores; None: it is one of one core."""
        from horolog.responses import bounds_of_cores, chains_of_cores, deadlines_of_cores
        from horolog.run import CoresRequest

        given = self.system()
        if given.cores == 1:
            return None
        if self.verify:
            raise HorologError(
                "--verify on several cores: not yet supported",
                found="--verify",
                expected="no --verify, or a board of one core",
            )
        found = self.planned_cores(given)
        system, plans = found.system, found.plans
        for one in plans:
            if one.planned is not None:
                refuse_overload(one.system, one.planned)
        bounds = bounds_of_cores(plans)
        say = teller(self.as_json)
        return CoresRequest(
            system,
            plans,
            self.folder(system),
            say,
            checks=self.checks,
            deadlines=tuple(one.deadlines for one in bounds),
            all_deadlines=deadlines_of_cores(bounds, chains_of_cores(system, plans, bounds)),
            how=found.how,
        )

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


def refuse_cores(system: System, what: str) -> None:
    """HorologError about `what` takes a system of one core, if `system` has several."""
    if system.cores > 1:
        raise HorologError(
            f"{what} for several cores: not yet supported",
            place=Place(str(system.path)),
            found=f"{system.cores} cores of {system.board.name}",
            expected="horolog check, plan or analyse; or a board of one core",
        )


def with_options(command: Callable[..., None], *, out: bool = True) -> Callable[..., None]:
    """Gives `command` the arguments of Options as one, in front of its own options; `--out` if `out`."""

    @wraps(command)
    def with_one_argument(**arguments: Any) -> None:
        own = {
            one.name: arguments.pop(one.name) for one in fields(Options) if one.name in arguments
        }
        command(Options(**own), **arguments)

    made: Callable[..., None] = with_one_argument
    for option in (
        json_option,
        *([_out_option] if out else []),
        board_option,
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
        system_argument,
    ):
        made = option(made)
    return made
