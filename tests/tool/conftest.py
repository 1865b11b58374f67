# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the tool share: a system to change, and the command line to run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import settings

from horolog.cli.main import main
from horolog.model import System
from horolog.read import read_system

# The same cases every time, however slow the machine; `--hypothesis-profile soak` draws new ones.
settings.register_profile("check", derandomize=True, deadline=None)
settings.register_profile("soak", max_examples=5000, deadline=None)
settings.load_profile("check")

SYSTEM = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
sources = ["bodies.c"]

[[task]]
name = "fast"
period = "5 ms"
wcet = "120 us"
body = "fast_step"

[[task]]
name = "slow"
period = "20 ms"
work = 500
"""
"""A valid system: line 1 is [system], line 7 and line 13 are its tasks."""

BODIES = """\
void fast_step(void)
{
}
"""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit status."""

    out: str
    err: str
    code: int

    @property
    def object(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.out)
        return made


def assert_refused(said: Said, *texts: str, code: int = 2) -> None:
    """It ended with status `code`, printed nothing, and said all `texts`."""
    assert said.code == code
    assert said.out == ""
    assert "Traceback" not in said.err
    for text in texts:
        assert text in said.err


@dataclass(frozen=True)
class Workshop:
    """A folder with a system in it, and what can be done with that."""

    directory: Path
    text: str = SYSTEM

    @staticmethod
    def run(*arguments: str) -> Said:
        """Run the command line; anything but a clean exit fails the test."""
        result = CliRunner().invoke(main, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.stdout, result.stderr, result.exit_code)

    def write(self, text: str = SYSTEM, *, bodies: str = BODIES) -> Path:
        (self.directory / "bodies.c").write_text(bodies, encoding="utf-8")
        path = self.directory / "system.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def write_changed(self, *changes: tuple[str, str]) -> Path:
        """SYSTEM with each `old` replaced by its `new`; `old` has to be there."""
        text = SYSTEM
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        return self.write(text)

    def read(self, *changes: tuple[str, str]) -> System:
        return read_system(self.write_changed(*changes))

    def read_with(self, tail: str) -> System:
        """SYSTEM with `tail` after it."""
        return read_system(self.write(SYSTEM + "\n" + tail))

    def check(self, *changes: tuple[str, str]) -> Said:
        return self.run("check", str(self.write_changed(*changes)))

    def check_with(self, tail: str) -> Said:
        return self.run("check", str(self.write(SYSTEM + "\n" + tail)))


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)
