# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog bench."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from horolog.cli import echo, echo_json, json_option, tell
from horolog.model import Exit, HorologError

__all__ = ["bench"]

_PAGES = Path("docs") / "evidence"


@click.command()
@click.argument(
    "name",
    type=click.Choice(
        [
            "queues",
            "costs",
            "kernel",
            "masked",
            "switch",
            "soak",
            "planner",
            "chronos",
            "dispatch",
            "rtl",
        ]
    ),
    metavar="NAME",
)
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
    type=click.Choice(["queues", "model", "faults", "fuzz"]),
    help="Run only this part of the bench soak; may be given more than once.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Run a hundredth of the bench soak, some points of the bench chronos, the bench dispatch without "
    "whole systems; the page then goes beside the results.",
)
@click.option(
    "--status",
    is_flag=True,
    help="Run nothing; say which parts of the bench soak are to be run again, with exit status 1 if any.",
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
    status: bool,
) -> None:
    """Run the experiment NAME and write its result.json and its page of evidence.

    queues: what each delay queue costs on mps2-an385, in instructions: alone, in the four families of the
    thesis on task dispatching, and inside the running kernel beside FreeRTOS. A few minutes.

    costs: the planner's predictions for two examples beside what is measured, queue by queue.

    kernel: what the kernel's services cost on mps2-an385, in instructions, beside FreeRTOS's and ThreadX's.
    ThreadX's figures are recorded ones. They are measured anew where THREADX names a checkout of ThreadX
    that you have built for the Cortex-M3 in its folder build; the page then goes beside the results.

    chronos: the experiments of CHRONOS on mps2-an385, beside FreeRTOS, and the breakdown workload. About
    half an hour; what an interrupted run has measured is kept.

    dispatch: from a timer's expiry to a task and back, in cycles on the RTL board ibex-cells and in
    instructions on mps2-an385, beside FreeRTOS. A quarter of an hour.

    planner: how well and how fast tasks are mapped to cells, with proofs. A few minutes.

    masked: for how long each call keeps the interrupts off while up to 1,500 threads are asleep.

    switch: what a switch costs under each timing model of the 1+N paper, on mps2-an385 and -an386.

    rtl: how large the timer cells and the interrupt controller of ibex-cells are, counted by Yosys.

    soak: the long campaigns of the kernel's tests, in a checkout, on this machine: most of an hour.

    The page is docs/evidence/NAME.md of a checkout, its figures and the data behind them lie in
    docs/evidence/NAME/; docs/evidence/tools.md says which packages it was made with. An installed package
    writes all beside result.json. Figures need matplotlib.
    """
    import json

    from horolog.data import data_root
    from horolog.run.programs import package_versions
    from horolog_experiments.tools import write_tools

    if status:
        if name != "soak":
            raise click.UsageError("--status is for the bench soak")
        ctx.exit(_soak_status(data_root(), as_json))
    folder = out if out is not None else Path("build") / "bench" / name
    say = (lambda text: None) if as_json else tell
    folder.mkdir(parents=True, exist_ok=True)
    runs = {
        "queues": _queues,
        "costs": _costs,
        "kernel": _kernel,
        "masked": _masked,
        "switch": _switch,
        "planner": _planner,
        "rtl": _rtl,
    }
    runs["soak"] = partial(_soak, parts=parts, quick=quick)
    runs["chronos"] = partial(_chronos, quick=quick)
    runs["dispatch"] = partial(_dispatch, quick=quick)
    if (parts and name != "soak") or (quick and name not in ("soak", "chronos", "dispatch")):
        raise click.UsageError(
            "--part is for the bench soak, --quick for that and the benches chronos and dispatch"
        )
    run = runs[name]
    made, whole, write_pages = run(folder, up_to, say)
    result = folder / "result.json"
    result.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    in_checkout = whole and (data_root() / "pyproject.toml").is_file()
    pages = data_root() / _PAGES if in_checkout else folder
    written, notes = write_pages(pages / f"{name}.md")
    tools = write_tools(pages, name, package_versions())
    paths = [str(path) for path in (result, *written, tools)]
    if as_json:
        said = {"bench": name, "written": paths, "targets": made["targets"], "notes": notes}
        echo_json(said)
        return
    for one in made["targets"]:
        measured = "not measured" if one["measured"] is None else one["measured"]
        state = "met" if one["met"] else "not met"
        reason = "".join(f" ({one[key]})" for key in ("reason", "note") if key in one)
        echo(f"{one['name']}: {measured}, {one['sense']} {one['target']}: {state}{reason}")
    for path in paths:
        echo(path)
    for note in notes:
        tell(note)


_Pages = Callable[[Path], tuple[list[Path], list[str]]]
"""Writes the page of evidence there and what belongs to it; returns what it wrote, and notes."""


def _queues(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """result.json, whether everything was measured, and the function that writes the evidence."""
    from horolog_experiments.queues import MOST_TASKS, measure_queues
    from horolog_experiments.queues.evidence import write_evidence
    from horolog_experiments.queues.targets import result_object

    most = MOST_TASKS if up_to is None else up_to
    results = measure_queues(folder, most, say)
    return result_object(results), most >= MOST_TASKS, lambda page: write_evidence(results, page)


def _costs(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench costs; returns what _queues returns."""
    from horolog_experiments.predictions import (
        measure_predictions,
        predictions_object,
        predictions_page,
    )

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    rows = measure_predictions(folder, say)

    def write(page: Path) -> tuple[list[Path], list[str]]:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(predictions_page(rows), encoding="utf-8")
        return [page], []

    return predictions_object(rows), True, write


def _kernel(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench kernel; returns what _queues returns.

    Without FreeRTOS's source, or with ThreadX's, the page goes beside the results.
    """
    from horolog_experiments.kernel import measure_kernel
    from horolog_experiments.kernel.evidence import write_evidence
    from horolog_experiments.kernel.result import result_object

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    results = measure_kernel(folder, say)
    whole = results.freertos is not None and results.threadx is None
    return result_object(results), whole, lambda page: write_evidence(results, page)


def _masked(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench masked; returns what _queues returns."""
    from horolog_experiments.masked import masked_object, masked_page, masked_text, measure_masked

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    masked = measure_masked(folder, say)

    def write(page: Path) -> tuple[list[Path], list[str]]:
        data = page.parent / "masked" / "measured.json"
        data.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(masked_page(masked), encoding="utf-8")
        data.write_text(masked_text(masked), encoding="utf-8")
        return [page, data], []

    return masked_object(masked), True, write


def _rtl(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench rtl; returns what _queues returns."""
    from horolog_experiments.rtl import measure_sizes, sizes_object, sizes_page, sizes_text

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    sizes = measure_sizes(folder, say)

    def write(page: Path) -> tuple[list[Path], list[str]]:
        data = page.parent / "rtl" / "measured.json"
        data.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(sizes_page(sizes), encoding="utf-8")
        data.write_text(sizes_text(sizes), encoding="utf-8")
        return [page, data], []

    return sizes_object(sizes), True, write


def _switch(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench switch; returns what _queues returns. Without FreeRTOS's source it is not whole."""
    from horolog_experiments.switch import measure_switches, switch_object, switch_page, switch_text

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    switches = measure_switches(folder, say)

    def write(page: Path) -> tuple[list[Path], list[str]]:
        data = page.parent / "switch" / "measured.json"
        data.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(switch_page(switches), encoding="utf-8")
        data.write_text(switch_text(switches), encoding="utf-8")
        return [page, data], []

    return switch_object(switches), switches.freertos is not None, write


def _soak(
    folder: Path,
    up_to: int | None,
    say: Callable[[str], None],
    *,
    parts: tuple[str, ...],
    quick: bool,
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench soak; returns what _queues returns. The page keeps what it says of parts not run."""
    from horolog_experiments.soak import measure_soak, soak_from, soak_object, soak_page, soak_text

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    soak = measure_soak(folder, say, parts, quick=quick)

    def write(page: Path) -> tuple[list[Path], list[str]]:
        data = page.parent / "soak" / "measured.json"
        data.parent.mkdir(parents=True, exist_ok=True)
        whole = soak
        if not quick and data.is_file():
            whole = soak_from(data.read_text(encoding="utf-8")).with_parts_of(soak)
        page.write_text(soak_page(whole), encoding="utf-8")
        data.write_text(soak_text(whole), encoding="utf-8")
        return [page, data], []

    return soak_object(soak), not quick, write


def _soak_status(root: Path, as_json: bool) -> int:
    """Say what is out of date on the committed page; the exit status."""
    from horolog_experiments.soak import soak_from, soak_state
    from horolog_experiments.sources import sources_of

    data = root / _PAGES / "soak" / "measured.json"
    if not data.is_file():
        raise HorologError(
            "there is no page of the bench soak",
            found=f"no {data}",
            expected="a checkout of Horolog",
            exit=Exit.NOT_INSTALLED,
        )
    state = soak_state(soak_from(data.read_text(encoding="utf-8")), sources_of(root))
    if as_json:
        echo_json({"bench": "soak", "out_of_date": state})
    else:
        for part, why in state.items():
            again = f"{why}: horolog bench soak --part {part}"
            echo(f"{part:8} {'holds for these sources' if why is None else again}")
    return int(Exit.DOES_NOT_HOLD if any(state.values()) else Exit.OK)


def _planner(
    folder: Path, up_to: int | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench planner; returns what _queues returns.

    With `up_to` only cases of so many tasks: the page then goes beside the results, without the MIQCP.
    """
    import json
    from dataclasses import asdict

    from horolog_experiments.planner import (
        measure_planner,
        measured_text,
        planner_object,
        planner_page,
    )
    from horolog_experiments.planner.measure import cases

    some = None if up_to is None else [case for case in cases() if case.n <= up_to]
    measured, times = measure_planner(say, some)
    lines = [json.dumps({**asdict(case), "seconds": round(took, 3)}) for case, took in times]
    (folder / "times.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")

    def write(page: Path) -> tuple[list[Path], list[str]]:
        data = page.parent / "planner" / "measured.json"
        data.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(planner_page(measured), encoding="utf-8")
        data.write_text(measured_text(measured), encoding="utf-8")
        notes = [] if measured.scip or some is not None else ["SCIP is not installed: no MIQCP"]
        return [page, data], notes

    whole = some is None and measured.scip is not None
    return planner_object(measured), whole, write


def _chronos(
    folder: Path, up_to: int | None, say: Callable[[str], None], *, quick: bool
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench chronos; returns what _queues returns. Without FreeRTOS's source it is not whole."""
    from horolog_experiments.chronos import chronos_object, measure_chronos, write_evidence

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    results = measure_chronos(folder, say, quick=quick)
    whole = not quick and results.freertos is not None
    return chronos_object(results), whole, lambda page: write_evidence(results, page)


def _dispatch(
    folder: Path, up_to: int | None, say: Callable[[str], None], *, quick: bool
) -> tuple[dict[str, Any], bool, _Pages]:
    """Run the bench dispatch; returns what _queues returns. Without FreeRTOS's source it is not whole."""
    from horolog_experiments.dispatch import dispatch_object, measure_dispatch, write_evidence

    if up_to is not None:
        raise click.UsageError("--up-to is for the bench queues")
    results = measure_dispatch(folder, say, quick=quick)
    whole = not quick and results.freertos is not None
    return dispatch_object(results), whole, lambda page: write_evidence(results, page)
