# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an experiment gives, and how it is conducted: measured, compared, stored and put on its page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from horolog.data import data_root
from horolog.programs import package_versions
from horolog_experiments.harness.drawing import HOW_TO_DRAW, can_draw
from horolog_experiments.harness.targets import Target, entries
from horolog_experiments.harness.tools import write_tools

__all__ = ["EVIDENCE", "MEASURED", "Conducted", "Experiment", "Run", "conduct", "result_object"]
__all__ += ["notes_of", "write_evidence"]

EVIDENCE = Path("docs") / "evidence"
"""Where a checkout has the pages."""
MEASURED = "measured.json"
"""The data that a page is made from; in the folder of the experiment's name beside the page."""

_Results = TypeVar("_Results")
_Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Run:
    """How much is to be measured, and below which folder; `say` tells what happens.

    `up_to`: systems of so many tasks at most. `parts`: these only; empty: all. `quick`: less of everything.
    `minutes`: nothing more begins after so long.
    """

    folder: Path
    say: Callable[[str], None]
    up_to: int | None = None
    parts: tuple[str, ...] = ()
    quick: bool = False
    minutes: int | None = None


@dataclass(frozen=True)
class Experiment(Generic[_Results]):
    """One experiment. All but `measure` are functions of its results, and run nothing.

    `head`: what result.json says before targets and rows. `data`: the text of MEASURED, which `figures`
    draws as <name>.svg, for results with `has_data`. `files`: what else belongs in the folder beside the
    page, by name.
    `is_whole`: whether so much was measured that the page is evidence; else it goes beside result.json.
    `notes`: what a person has to know. `kept`: the results to write, from these and from the text of the
    data that is there. `takes`: the fields of Run that it heeds; `parts`: what Run.parts
    may hold. `status`: for a checkout, by part, None or
    why it is to be measured again.
    """

    name: str
    measure: Callable[[Run], _Results]
    rows: Callable[[_Results], _Rows]
    page: Callable[[_Results], str]
    targets: Sequence[Target[_Results]] = ()
    head: Callable[[_Results], Mapping[str, Any]] = lambda results: {}
    data: Callable[[_Results], str] | None = None
    has_data: Callable[[_Results], bool] = lambda results: True
    figures: Callable[[_Results], Mapping[str, str]] | None = None
    files: Callable[[_Results], Mapping[str, str]] = lambda results: {}
    is_whole: Callable[[_Results, Run], bool] = lambda results, run: True
    notes: Callable[[_Results, Run], list[str]] = lambda results, run: []
    kept: Callable[[_Results, str, Run], _Results] | None = None
    takes: Sequence[str] = ()
    parts: Sequence[str] = ()
    status: Callable[[Path], Mapping[str, str | None]] | None = None


@dataclass(frozen=True, slots=True)
class Conducted:
    """What came of an experiment: result.json, the paths written, and what a person has to know."""

    result: Mapping[str, Any]
    written: tuple[Path, ...]
    notes: tuple[str, ...]


def result_object(experiment: Experiment[_Results], results: _Results) -> dict[str, Any]:
    """result.json, by ADR 0009."""
    targets, rows = entries(experiment.targets, results), list(experiment.rows(results))
    last = {"targets": targets, "rows": rows} if targets else {"rows": rows, "targets": targets}
    return {"bench": experiment.name, **experiment.head(results), **last}


def write_evidence(experiment: Experiment[_Results], results: _Results, page: Path) -> list[Path]:
    """Write the page, and what belongs to it in a folder beside it; returns the paths."""
    folder = page.parent / experiment.name
    texts = {page: experiment.page(results)}
    if experiment.data is not None and experiment.has_data(results):
        texts[folder / MEASURED] = experiment.data(results)
    texts |= {folder / name: text for name, text in experiment.files(results).items()}
    if _has_figures(experiment, results):
        for stale in folder.glob("*.svg"):
            stale.unlink()
        drawn = experiment.figures(results) if experiment.figures and can_draw() else {}
        texts |= {folder / name: text for name, text in drawn.items()}
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def _has_figures(experiment: Experiment[_Results], results: _Results) -> bool:
    return experiment.figures is not None and experiment.has_data(results)


def notes_of(experiment: Experiment[_Results], results: _Results, run: Run) -> tuple[str, ...]:
    """What a person has to know, that there are no figures among it."""
    missing = [HOW_TO_DRAW] if _has_figures(experiment, results) and not can_draw() else []
    return (*missing, *experiment.notes(results, run))


def conduct(experiment: Experiment[_Results], run: Run) -> Conducted:
    """Measure, and write result.json, the page and the row of tools.md."""
    name, root = experiment.name, data_root()
    run.folder.mkdir(parents=True, exist_ok=True)
    results = experiment.measure(run)
    made = result_object(experiment, results)
    result = run.folder / "result.json"
    result.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    in_checkout = experiment.is_whole(results, run) and (root / "pyproject.toml").is_file()
    pages = root / EVIDENCE if in_checkout else run.folder
    there = pages / name / MEASURED
    if experiment.kept is not None and there.is_file():
        results = experiment.kept(results, there.read_text(encoding="utf-8"), run)
    written = write_evidence(experiment, results, pages / f"{name}.md")
    tools = write_tools(pages, name, package_versions())
    return Conducted(made, (result, *written, tools), notes_of(experiment, results, run))
