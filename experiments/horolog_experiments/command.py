# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog bench, which horolog finds by the entry point of this package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from horolog.cli import echo, echo_json, json_option, tell, teller
from horolog.data import data_root
from horolog.model import Exit
from horolog_experiments.catalogue import CATALOGUE, experiment
from horolog_experiments.harness import Conducted, Experiment, Run, conduct

__all__ = ["bench", "bench_of"]

_ABOUT = "Run the experiment NAME and write its result.json and its page of evidence."
_WHERE = (
    "The page is docs/evidence/NAME.md of a checkout, its figures and the data behind them lie in "
    "docs/evidence/NAME/; docs/evidence/tools.md says which packages it was made with. Figures "
    "need matplotlib."
)


def bench_of(catalogue: Mapping[str, str]) -> click.Command:
    """The command `bench` for these experiments, by name and what they are about."""

    @click.command(help=_help(catalogue))
    @click.argument("name", type=click.Choice(list(catalogue)), metavar="NAME")
    @click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of the results; default: build/bench/NAME.",
    )
    @click.option(
        "--up-to",
        metavar="N",
        type=click.IntRange(min=9),
        help="Measure only systems of at most N tasks; the page then goes beside the results.",
    )
    @click.option(
        "--part",
        "parts",
        multiple=True,
        metavar="PART",
        help="Run only this part, where the bench has parts; its page keeps what it says of the others. May "
        "be given more than once. soak: queues, model, cores, faults, fuzz; releases: a board.",
    )
    @click.option(
        "--quick",
        is_flag=True,
        help="Measure a small part, where the bench can; the page then goes beside the results.",
    )
    @click.option(
        "--minutes",
        metavar="N",
        type=click.IntRange(min=1),
        help="Begin nothing more after N minutes, where the bench can; its page says how much was measured, "
        "and the next run goes on there.",
    )
    @click.option(
        "--status",
        is_flag=True,
        help="Run nothing; say which parts of the bench soak are to be run again, with exit status 1 if "
        "any.",
    )
    @json_option
    @click.pass_context
    def bench(
        ctx: click.Context,
        as_json: bool,
        name: str,
        out: Path | None,
        up_to: int | None,
        parts: tuple[str, ...],
        quick: bool,
        minutes: int | None,
        status: bool,
    ) -> None:
        if status:
            ctx.exit(_status(name, as_json))
        folder = out if out is not None else Path("build") / "bench" / name
        say = teller(as_json)
        run, asked = Run(folder, say, up_to, parts, quick, minutes), experiment(name)
        _refuse(name, run, asked)
        _print(name, conduct(asked, run), as_json)

    return bench


def _help(catalogue: Mapping[str, str]) -> str:
    about = [f"{name}: {text}" for name, text in catalogue.items()]
    return "\n\n".join([_ABOUT, *about, _WHERE])


def _refuse(name: str, run: Run, asked: Experiment[Any]) -> None:
    """UsageError for an option that the experiment does not take."""
    given = {
        "parts": (run.parts, "--part"),
        "quick": (run.quick, "--quick"),
        "up_to": (run.up_to is not None, "--up-to"),
        "minutes": (run.minutes is not None, "--minutes"),
    }
    for field, (is_given, option) in given.items():
        if is_given and field not in asked.takes:
            raise click.UsageError(f"the bench {name} takes no {option}")
    for part in run.parts:
        if part not in asked.parts:
            known = ", ".join(asked.parts)
            raise click.UsageError(f'the bench {name} has no part "{part}", but {known}')


def _print(name: str, done: Conducted, as_json: bool) -> None:
    """Targets, then the paths written, then the notes."""
    paths = [str(path) for path in done.written]
    targets = done.result["targets"]
    if as_json:
        echo_json({"bench": name, "written": paths, "targets": targets, "notes": list(done.notes)})
        return
    for one in targets:
        measured = "not measured" if one["measured"] is None else one["measured"]
        state = one.get("state") or ("met" if one["met"] else "not met")
        reason = "".join(f" ({one[key]})" for key in ("reason", "note") if key in one)
        echo(f"{one['name']}: {measured}, {one['sense']} {one['target']}: {state}{reason}")
    for path in paths:
        echo(path)
    for note in done.notes:
        tell(note)


def _status(name: str, as_json: bool) -> int:
    """Say what is out of date on the committed page; the exit status."""
    status = experiment(name).status
    if status is None:
        raise click.UsageError("--status is for the bench soak")
    state = status(data_root())
    if as_json:
        echo_json({"bench": name, "out_of_date": state})
    else:
        for part, why in state.items():
            again = f"{why}: horolog bench {name} --part {part}"
            echo(f"{part:8} {'holds for these sources' if why is None else again}")
    return int(Exit.DOES_NOT_HOLD if any(state.values()) else Exit.OK)


bench = bench_of(CATALOGUE)
