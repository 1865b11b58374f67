# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog analyse, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from horolog.cli.main import main
from horolog.data import data_root

TWO = """[system]
name = "two"
board = "mps2-an385"
duration = "1 s"

[[task]]
name = "fast"
period = "10 ms"
wcet = "5 ms"
work = 1_000

[[task]]
name = "slow"
period = "14 ms"
wcet = "6 ms"
work = 1_000
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    code = ended.value.code
    assert isinstance(code, int)
    return code, out, err


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "two.toml"
    path.write_text(TWO, encoding="utf-8")
    return path


def test_a_missed_deadline_ends_with_1_and_its_reason(
    two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "analyse", str(two))
    assert code == 1
    assert 'the deadline of "slow" is missed: a job may take 16.0' in out
    assert "two.toml:12:1: task.slow" in err
    assert "10.000 ms tasks of higher priority" in err
    assert "breakdown  all deadlines hold with bodies that take up to 0.9" in out


def test_json_has_every_task(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "analyse", str(two), "--json", "--no-factor")
    data = json.loads(out)
    assert code == 1
    assert [(one["name"], one["holds"]) for one in data["tasks"]] == [
        ("fast", True),
        ("slow", False),
    ]
    assert data["tasks"][1]["parts_ns"]["higher"] == 10_000_000
    assert data["breakdown_factor"] is None


def test_an_example_holds_in_a_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = data_root() / "examples" / "engine-control" / "system.toml"
    code, out, _ = run(capsys, "analyse", str(path))
    assert code == 0
    assert "all 85 deadlines hold" in out
    assert "wear.3 (of 4 tasks)" in out
    _, out, _ = run(capsys, "analyse", str(path), "--all", "--kind", "basic", "--no-offsets")
    assert "wear.0 " in out
    assert "averages of calibration" in out


def test_a_board_that_counts_nothing(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "analyse", str(two), "--board", "host")
    assert code == 1
    assert "kernel     not counted" in out


def test_check_has_the_verdict(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", str(two))
    assert code == 1
    assert 'the deadline of "slow" is missed: a job may take 16.000 ms' in out
    assert "\na valid description of a system that misses a deadline, 2 to look at\n" in out
    assert "horolog analyse has a bound of each response" in out
    code, out, _ = run(capsys, "check", str(two), "--json")
    assert code == 1
    deadlines = json.loads(out)["deadlines"]
    assert (deadlines["hold"], deadlines["missed"]) == (False, True)
    two.write_text(TWO.replace('"6 ms"', '"4 ms"'), encoding="utf-8")
    code, out, _ = run(capsys, "check", str(two))
    assert code == 0
    assert "all 2 deadlines hold, the kernel's own work not counted" in out


def test_how_much_longer_each_body_may_take(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two.write_text(TWO.replace('"6 ms"', '"4 ms"'), encoding="utf-8")
    code, out, _ = run(capsys, "analyse", str(two), "--json", "--sensitivity", "--no-factor")
    assert code == 0
    fast, slow = (one["may_grow_ns"] for one in json.loads(out)["tasks"])
    # 9 ms of the first 10 are used, and a little more by the kernel.
    assert 900_000 < fast < 1_000_000
    assert 900_000 < slow < 1_000_000
    longer = TWO.replace('"6 ms"', f'"{4 * 10**6 + slow} ns"')
    two.write_text(longer, encoding="utf-8")
    assert run(capsys, "analyse", str(two), "--no-factor")[0] == 0
    two.write_text(TWO.replace('"6 ms"', '"5 ms"'), encoding="utf-8")
    code, out, _ = run(capsys, "analyse", str(two), "--sensitivity", "--no-factor")
    assert code == 1
    assert "may grow" in out
