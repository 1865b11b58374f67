# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog bench and horolog calibrate."""

from __future__ import annotations

from pathlib import Path

import click

from horolog.cli import echo_json, json_option

__all__ = ["bench", "calibrate"]


@click.command()
@click.argument("board", metavar="BOARD")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write; default: costs.toml beside the board's board.toml.",
)
@json_option
def calibrate(board: str, out: Path | None, as_json: bool) -> None:
    """Measure what the kernel's steps cost on BOARD and write its costs.toml.

    `horolog plan` chooses by these. Run it again when the compiler, its flags or the kernel change.
    """
    from horolog.bench import calibrate as measure
    from horolog.bench import costs_toml
    from horolog.read import read_board

    target = read_board(board)
    path = out if out is not None else target.directory / "costs.toml"
    found = measure(target, (lambda text: None) if as_json else lambda t: click.echo(t, err=True))
    path.write_text(costs_toml(found), encoding="utf-8")
    if as_json:
        echo_json({"board": target.name, "written": str(path)})
    else:
        click.echo(path)


_PAGE = Path("docs") / "evidence" / "queues.md"


@click.command()
@click.argument("name", type=click.Choice(["queues"]), metavar="NAME")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results; default: build/bench/NAME.",
)
@click.option(
    "--up-to",
    metavar="N",
    type=click.IntRange(min=9),
    help="Only what has at most N tasks; the page then goes beside the results.",
)
@json_option
def bench(name: str, out: Path | None, up_to: int | None, as_json: bool) -> None:
    """Run the experiment NAME and write its result.json and its page of evidence.

    queues: what each delay queue costs on mps2-an385, in instructions: alone, in the four families of the
    thesis on task dispatching, and inside the running kernel beside FreeRTOS. A few minutes.

    The page is docs/evidence/NAME.md of a checkout, its figures and the data behind them lie in
    docs/evidence/NAME/; an installed package writes all beside result.json. Figures need matplotlib.
    """
    import json

    from horolog.bench.queues import MOST_TASKS, measure_queues
    from horolog.bench.queues.evidence import write_evidence
    from horolog.bench.queues.targets import result_object
    from horolog.data import data_root

    folder = out if out is not None else Path("build") / "bench" / name
    most = MOST_TASKS if up_to is None else up_to
    say = (lambda text: None) if as_json else (lambda text: click.echo(text, err=True))
    results = measure_queues(folder, most, say)
    made = result_object(results)
    result = folder / "result.json"
    result.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    whole_checkout = most >= MOST_TASKS and (data_root() / "pyproject.toml").is_file()
    page = data_root() / _PAGE if whole_checkout else folder / _PAGE.name
    written, notes = write_evidence(results, page)
    paths = [str(path) for path in (result, *written)]
    if as_json:
        said = {"bench": name, "written": paths, "targets": made["targets"], "notes": notes}
        echo_json(said)
        return
    for one in made["targets"]:
        measured = "not measured" if one["measured"] is None else one["measured"]
        state = "met" if one["met"] else "not met"
        reason = "".join(f" ({one[key]})" for key in ("reason", "note") if key in one)
        click.echo(f"{one['name']}: {measured}, {one['sense']} {one['target']}: {state}{reason}")
    for path in paths:
        click.echo(path)
    for note in notes:
        click.echo(note, err=True)
