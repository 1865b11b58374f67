# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a confined program can open, and what is said where it cannot be confined."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from horolog.model import HorologError
from horolog.programs import call
from horolog.run import landlock
from horolog.run.confine import confined, confinement_gaps, has_sandbox, sandbox_options

there = pytest.mark.skipif(not landlock.landlock_version(), reason="this kernel has no Landlock")


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> str:
    """An emulator that is a script; its name."""
    program = folder / "emulator"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return program.name


def tried(action: str, path: Path, *, reads: list[Path], writes: list[Path]) -> str:
    """How a confined command did `action` to `path`: dd is one that only opens what it is told to."""
    operands = {"read": [f"if={path}", "of=/dev/null"], "write": ["if=/dev/null", f"of={path}"]}
    done = call(confined(["dd", *operands[action]], reads=reads, writes=writes), seconds=20)
    if done.status == 0:
        return "done"
    return "denied" if os.strerror(errno.EACCES) in done.errors else done.errors


@there
def test_only_the_files_that_are_given_are_opened(tmp_path: Path) -> None:
    mine, out, other = (tmp_path / name for name in ("mine", "out", "other"))
    for path in (mine, out, other):
        path.write_text(path.name, encoding="ascii")
    given = {"reads": [mine], "writes": [out]}
    assert tried("read", mine, **given) == "done"
    assert tried("write", out, **given) == "done"
    assert tried("write", mine, **given) == "denied"
    assert tried("read", other, **given) == "denied"
    assert tried("write", other, **given) == "denied"
    assert tried("write", tmp_path / "new", **given) == "denied"
    assert tried("read", Path("/etc/passwd"), **given) == "denied"
    assert other.read_text(encoding="ascii") == "other"


@there
def test_no_other_program_is_started(tmp_path: Path) -> None:
    done = call(confined(["env", "/usr/bin/true"], reads=[]), seconds=20)
    assert done.status == 126
    assert os.strerror(errno.EACCES) in done.errors


def test_a_kernel_without_it_runs_the_command_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "landlock_version", lambda: 0)
    landlock.restrict([("--read", "/nowhere")])
    assert Path(__file__).read_text(encoding="utf-8")


def test_what_is_lacking_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    emulator = fake(tmp_path, monkeypatch, "echo no -sandbox support >&2; exit 1")
    monkeypatch.setattr(landlock, "landlock_version", lambda: 0)
    assert not has_sandbox(emulator)
    assert sandbox_options(emulator) == ()
    programs, files = confinement_gaps(emulator)
    assert "has no -sandbox here: firmware can start programs" in programs
    assert "no Landlock: firmware can read and write your files" in files


def test_where_nothing_lacks_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    emulator = fake(tmp_path, monkeypatch, "exit 0")
    monkeypatch.setattr(landlock, "landlock_version", lambda: 1)
    assert confinement_gaps(emulator) == ()
    assert sandbox_options(emulator)[0] == "-sandbox"
    assert "spawn=deny" in sandbox_options(emulator)[1]


def test_an_emulator_that_is_not_there_is_named() -> None:
    assert not has_sandbox("no-such-emulator")
    for ask in (confinement_gaps, lambda name: confined([name], reads=[])):
        with pytest.raises(HorologError, match="not installed: no-such-emulator"):
            ask("no-such-emulator")


def test_the_program_needs_no_package_of_ours() -> None:
    """It starts in a Python without site-packages, once a run."""
    wrapper = str(Path(landlock.__file__))
    done = call(
        [sys.executable, "-I", "-S", wrapper, "--run", "/", "--", sys.executable, "--version"],
        seconds=20,
    )
    assert (done.status, done.errors) == (0, "")
