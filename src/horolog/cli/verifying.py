# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The option `--verify`: the best predicted plans are run, and the measured best is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from horolog.cli import plain_table, right
from horolog.cli.searching import searching
from horolog.cli.streams import tell
from horolog.figures import number
from horolog.model import MODEL_BOUND, Alternative, Planned, System, Trial, Verification
from horolog.plan import best_predicted

__all__ = [
    "BEST",
    "print_verification",
    "tell_of_faults",
    "verified",
    "verify_folders",
    "verify_option",
]

Replan = Callable[[str, str | None], Planned]
"""Plans a mechanism with a store; None: the store that the user has named, or the best of each releaser."""

BEST = 3
"""So many of the best predicted plans are measured."""


verify_option = click.option(
    "--verify",
    is_flag=True,
    help=f"Build and run the {BEST} best predicted plans on the board's emulator, and take the measured "
    "best. Ctrl-C keeps what was measured until then.",
)


def verify_folders(out: Path) -> tuple[Path, ...]:
    """Where plans are built at the same time; the first is where the outputs lie."""
    return out, *(out / "verify" / str(lane) for lane in range(2, BEST + 1))


def verified(
    system: System,
    planned: Planned,
    folders: Sequence[Path],
    replan: Replan,
    *,
    may_name_store: bool,
    say: Callable[[str], None],
) -> Planned:
    """`planned` with the measured best of its best plans as its choice, and what was measured.

    HorologError as `horolog.run.verify` has it.
    """
    from horolog.run import verify

    of_store: dict[int, Planned] = {}

    def with_store(mechanism: str, store: str) -> Planned:
        made = replan(mechanism, store)
        of_store[id(made.choice)] = made
        return made

    plans = best_predicted(system, planned, BEST, with_store if may_name_store else None)
    with searching(Fraction(0)) as limit:
        found = verify(
            system,
            plans,
            folders,
            objective=planned.objective,
            say=say,
            interrupted=lambda: limit.interrupted,
        )
    best = found.chosen
    if best is found.trials[0]:
        return replace(planned, verification=found)
    again = of_store.get(id(best.plan)) or replan(best.plan.mechanism, None)
    return _taken(planned, found, again)


def _taken(planned: Planned, found: Verification, again: Planned) -> Planned:
    """`planned` with the measured best as its choice; `again`: planned for that."""
    first, best = found.trials[0], found.chosen
    mechanism, choice = best.plan.mechanism, best.plan
    if again.choice.releasers == choice.releasers:
        choice = again.choice  # it has more details
    alternatives = []
    for one in planned.alternatives:
        if one.mechanism == mechanism:
            why = f"chosen: the best measured; {first.words} was predicted to be better"
            alternatives.append(Alternative(mechanism, choice, why))
        elif one.plan is planned.choice:
            why = f"predicted to be the best; {best.words} was measured to be better"
            alternatives.append(replace(one, reason=why))
        else:
            alternatives.append(one)
    return replace(
        planned,
        choice=choice,
        alternatives=tuple(alternatives),
        warnings=again.warnings,
        sharing=again.sharing,
        search=again.search,
        verification=found,
    )


def print_verification(out: Console, found: Verification) -> None:
    """A row for each plan that was to be measured, and the faults of the model."""
    out.print()
    table = plain_table(
        "verified", "stores", *right("predicted", "measured", "difference", "late"), ""
    )
    for trial in found.trials:
        table.add_row(*_row(found, trial), style="bold" if trial is found.chosen else "")
    out.print(table)
    out.print(
        f"kernel {found.unit} in the window; late: deadlines missed, releases overrun", style="dim"
    )
    if found.interrupted:
        out.print("verified   interrupted: the best of what was measured until then is taken")
    if found.unjudged is not None:
        out.print(
            f"verified   differences are no fault of the model: {found.unjudged}", soft_wrap=True
        )
    for fault in found.faults:
        out.print(f"[bold red]fault[/] of the model: {escape(fault)}", soft_wrap=True)


def _row(found: Verification, trial: Trial) -> list[str]:
    mechanism, _, stores = trial.words.partition(", ")
    start = [mechanism, stores, f"{round(trial.predicted):,}"]
    if trial.measured is None or trial.off is None:
        return [*start, "-", "-", "-", escape(trial.why)]
    off = f"{float(100 * trial.off):+.2f} %"
    return [*start, f"{trial.measured:,}", off, f"{trial.late:,}", _remark(found, trial)]


def _remark(found: Verification, trial: Trial) -> str:
    said = []
    if trial is found.chosen:
        said.append("the measured best")
    if trial is found.trials[0]:
        said.append("the predicted best")
    if found.unjudged is None and found.is_wrong(trial):
        said.append(f"further off than {number(100 * MODEL_BOUND)} %")
    return ", ".join(said)


def tell_of_faults(found: Verification) -> None:
    """Say on standard error what the model got wrong."""
    for fault in found.faults:
        tell(f"warning: fault of the model: {fault}")
