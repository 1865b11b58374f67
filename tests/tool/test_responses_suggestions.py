# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What would be better: changes that are read and planned like a user's, with the line to write."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from click.testing import CliRunner

from horolog.cli.main import main
from horolog.cli.options import Options
from horolog.model.result import Suggestion

PERIODS = {"quick": "1 ms", "odd": "59 ms", "even": "100 ms", "slow": "1 s"}


def described(folder: Path, *, extra: str = "", cells: str = '"timer0"', **kinds: str) -> Path:
    rows = "".join(
        f'[[task]]\nname = "{name}"\nperiod = "{period}"\nwork = 100\n'
        + (f'kind = "{kinds[name]}"\n' if name in kinds else "")
        for name, period in PERIODS.items()
    )
    path = folder / "system.toml"
    path.write_text(
        f'[system]\nname = "s"\nboard = "mps2-an385"\nduration = "1 s"\ncells = [{cells}]\n{extra}\n{rows}'
    )
    return path


def found(
    path: Path, tries: int = 4, mechanism: str | None = None, objective: str | None = None
) -> tuple[Suggestion, ...]:
    of = Options(path, mechanism, None, objective, None, None, False)
    system, planned = of.planned()
    return of.suggestions(system, planned, tries)


def test_each_that_is_told_is_what_its_plan_costs(tmp_path: Path) -> None:
    cells = '"timer0", "timer1"'
    path = described(tmp_path, cells=cells)
    better = found(path)
    assert [one.line for one in better[:2]] == [
        'kind = "basic"  # of every task',
        'kind = "basic"  # of quick',
    ]
    assert 1 <= len(better) <= 3
    described(tmp_path, cells=cells, quick="basic")  # as the line says
    of = Options(path, None, None, None, None, None, False)
    _, planned = of.planned()
    quick = better[1]
    assert quick.after is not None
    assert quick.before is not None
    assert planned.choice.prediction.overhead_percent <= quick.after < quick.before
    assert quick.text.startswith("make quick basic: ")
    assert quick.text.endswith(" % of the processor, predicted")


def test_where_tasks_are_basic_cells_and_periods_are_left(tmp_path: Path) -> None:
    path = described(tmp_path, **dict.fromkeys(PERIODS, "basic"))
    better = found(path)
    assert better
    for one in better:
        assert "basic" not in one.line
        tomllib.loads(one.line)
    cells = next(one for one in better if one.line.startswith("cells"))
    assert cells.line == 'cells = ["timer0", "timer1"]'
    assert cells.text.startswith("one more cell, timer1: ")


def test_nothing_is_tried_where_the_user_has_chosen(tmp_path: Path) -> None:
    assert found(described(tmp_path), mechanism="one-shot") == ()
    assert found(described(tmp_path), objective="interrupts") == ()


def test_no_more_are_tried_than_were_asked_for(tmp_path: Path) -> None:
    path = described(tmp_path)
    assert found(path, tries=0) == ()
    assert [one.line for one in found(path, tries=1)] == ['kind = "basic"  # of every task']


def test_plan_says_them_and_has_them_in_json(tmp_path: Path) -> None:
    path = str(described(tmp_path))
    said = CliRunner().invoke(main, ["plan", path])
    assert said.exit_code == 0, said.output
    assert "better     make all tasks basic: " in said.output
    assert '           kind = "basic"  # of every task\n' in said.output
    data = json.loads(CliRunner().invoke(main, ["plan", path, "--json"]).stdout)
    first = data["suggestions"][0]
    assert first["line"] == 'kind = "basic"  # of every task'
    assert first["overhead_percent_then"] < first["overhead_percent"]
