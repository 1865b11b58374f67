# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Long work says how much time is left, by the last time; a pipe has the plain lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from horolog.cli import teller
from horolog.cli.progress import Course, course


class Work:
    """A command that says these lines, each after so many seconds; the last has no line."""

    def __init__(self, file: Path, steps: Sequence[tuple[str, float]]) -> None:
        self.now = 100.0
        self.said: list[str] = []
        self.course = Course(file, self.said.append, lambda: self.now)
        for text, took in steps:
            self.now += took
            if text:
                self.course.say(text)


STEPS = [("build", 0.0), ("run", 20.0), ("run", 40.0), ("note", 30.0), ("", 300.0)]


def test_the_first_time_says_how_long_it_has_been_at_work(tmp_path: Path) -> None:
    assert Work(tmp_path / "a", STEPS).said == [
        "build",
        "run (20 s so far)",
        "run (60 s so far)",
        "note (90 s so far)",
    ]


def test_the_next_time_says_what_is_left_at_its_own_pace(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "a"
    Work(file, STEPS).course.finish()
    assert Work(file, STEPS).said == [
        "build (about 6 min left)",
        "run (about 6 min left)",
        "run (about 6 min left)",
        "note (about 5 min left)",
    ]
    fast = [("build", 0.0), ("run", 10.0), ("other", 1.0), ("run", 19.0), ("run", 1.0)]
    assert Work(file, fast).said == [
        "build (about 6 min left)",
        "run (about 3 min left)",
        "other (11 s so far)",
        "run (about 3 min left)",
        "run (31 s so far)",
    ]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[["a"]]', "\x00"])
def test_a_file_that_is_not_ours_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_text(text, encoding="utf-8")
    assert Work(tmp_path / "a", STEPS).said[1] == "run (20 s so far)"


def test_only_what_came_to_its_end_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = tmp_path / "horolog" / "progress"

    @click.command()
    @click.option("--fail", is_flag=True)
    def work(fail: bool) -> None:
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        assert teller(False) == teller(False)
        course()("building")
        if fail:
            raise click.ClickException("no")

    assert CliRunner().invoke(work, ["--fail"]).exit_code == 1
    assert not kept.exists()
    done = CliRunner().invoke(work, [])
    assert (done.exit_code, done.stderr) == (0, "building\n")
    assert len([*kept.iterdir()]) == 1


def test_a_pipe_has_the_plain_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    @click.command()
    def work() -> None:
        teller(False)("building")
        teller(True)("not said")

    assert CliRunner().invoke(work, []).stderr == "building\n"
    assert not (tmp_path / "horolog").exists()
