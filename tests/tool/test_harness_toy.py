# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A new experiment is a module and a line of the catalogue: command, result.json, data and page follow.

With its test that is three files. What `horolog bench` writes below docs/evidence is generated.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import horolog_experiments
from horolog_experiments.catalogue import CATALOGUE, experiment
from horolog_experiments.command import bench_of
from horolog_experiments.harness import Experiment

TOY = """\
from fractions import Fraction

from horolog_experiments.harness import (
    Experiment, Found, Target, entries, targets_table, text_of
)

TARGETS = (
    Target("turns", "<=", 0.5, "turns", lambda turns: Found(max(turns), f"of {len(turns)}")),
    Target("turns of the first", "==", 3, "turns", lambda turns: Found(turns[0], "no luck")),
    Target("others", ">=", 1, "turns", lambda turns: Found(None)),
)

EXPERIMENT = Experiment(
    "toy",
    measure=lambda run: [Fraction(1, 4), Fraction(1, 2)][: run.up_to],
    rows=lambda turns: [{"what": "turn", "turns": float(one), "unit": "turns"} for one in turns],
    page=lambda turns: "# Toy\\n\\n## Targets\\n\\n" + targets_table(entries(TARGETS, turns)),
    targets=TARGETS,
    head=lambda turns: {"toolchain": "none"},
    data=lambda turns: text_of({}, {"turns": map(str, turns)}),
    figures=lambda turns: {"a.svg": "<svg/>"},
    takes=("up_to",),
    notes=lambda turns, run: ["it is a toy"],
)
"""

PAGE = """\
# Toy

## Targets

| target | wanted | measured | unit | met | why, and what it is made of |
|---|---|---|---|---|---|
| turns | <= 0.5 | 0.5 | turns | yes | of 2 |
| turns of the first | == 3 | 0.25 | turns | no | no luck |
| others | >= 1 | not measured | turns | no | not measured: the run was limited |
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that looks like a checkout, and a package of experiments with a module more."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    path = [*horolog_experiments.__path__, str(tmp_path)]
    monkeypatch.setattr(horolog_experiments, "__path__", path)
    monkeypatch.setattr("horolog_experiments.harness.experiment.data_root", lambda: tmp_path)
    yield tmp_path
    sys.modules.pop("horolog_experiments.toy", None)


def test_a_module_and_a_line_are_an_experiment(checkout: Path) -> None:
    bench = bench_of({**CATALOGUE, "toy": "what a toy costs."})
    assert "toy: what a toy costs." in CliRunner().invoke(bench, ["--help"]).output
    pages = checkout / "docs" / "evidence"
    (pages / "toy").mkdir(parents=True)
    (pages / "toy" / "stale.svg").touch()

    said = CliRunner().invoke(bench, ["toy", "--out", str(checkout / "out"), "--json"])
    assert said.exit_code == 0, said.output
    result = json.loads((checkout / "out" / "result.json").read_text())
    assert list(result) == ["bench", "toolchain", "targets", "rows"]
    assert result["rows"][1] == {"what": "turn", "turns": 0.5, "unit": "turns"}
    assert [one["met"] for one in result["targets"]] == [True, False, False]
    assert (pages / "toy.md").read_text() == PAGE
    assert (pages / "toy" / "measured.json").read_text() == ('{\n"turns": [\n"1/4",\n"1/2"\n]\n}\n')
    assert sorted(path.name for path in (pages / "toy").iterdir()) == ["a.svg", "measured.json"]
    assert "| [toy.md](toy.md) |" in (pages / "tools.md").read_text()
    made = json.loads(said.stdout)
    assert made["targets"] == result["targets"]
    assert made["notes"] == ["it is a toy"]
    assert len(made["written"]) == 5


def test_an_option_that_an_experiment_does_not_take_is_refused(checkout: Path) -> None:
    bench = bench_of({**CATALOGUE, "toy": "what a toy costs."})
    for option in (["--part", "model"], ["--quick"], ["--status"]):
        said = CliRunner().invoke(bench, ["toy", *option, "--out", str(checkout / "out")])
        assert said.exit_code == 2, option
    assert not (checkout / "out").exists()
    said = CliRunner().invoke(bench, ["toy", "--up-to", "9", "--out", str(checkout / "out")])
    assert said.exit_code == 0, said.output


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_line_of_the_catalogue_has_its_experiment(name: str) -> None:
    found = experiment(name)
    assert isinstance(found, Experiment)
    assert found.name == name
