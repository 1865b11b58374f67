# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel in a process (play.c) that plays one script after the other."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType

from tests.model.script import Script

__all__ = ["Player", "build"]

ROOT = Path(__file__).resolve().parents[2]


def build(target: str = "model_play") -> Path:
    """The program, where `make check` has built it by clang, or else where `make host-tests` builds it."""
    configured = ROOT / "build" / "coverage"
    folder = configured if (configured / target).is_file() else ROOT / "build" / "host-tests"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "model.lock").open("w") as lock:  # test processes run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder != configured:
            _run("cmake", "-S", ROOT / "tests", "-B", folder, "-G", "Ninja")
        _run("cmake", "--build", folder, "--target", target)
    return folder / target


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


class Player:
    """Plays scripts; begins anew after one that ended the process."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._process: subprocess.Popen[str] | None = None
        self._errors = TemporaryFile(mode="w+")  # noqa: SIM115 - lives as long as the player

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        self._errors.close()

    def _stop(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.kill()
            self._process.wait()
            self._process.stdin.close()
            self._process.stdout.close()
            self._process = None

    def play(self, script: Script) -> list[str]:
        """What happened, a line each; if the process ended, "died" and what it said come last."""
        if self._process is None:
            self._errors.seek(0)
            self._errors.truncate()
            self._process = subprocess.Popen(
                [self._program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                env={**os.environ, "LLVM_PROFILE_FILE": os.devnull},  # it counts for no coverage
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(str(script))
        self._process.stdin.flush()
        trace: list[str] = []
        for line in self._process.stdout:
            if line == ".\n":
                return trace
            trace.append(line[:-1])
        self._process.wait()
        self._errors.seek(0)
        trace += ["died", *self._errors.read().splitlines()]
        self._stop()
        return trace
