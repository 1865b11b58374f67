# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
""".ci/run, with a stand-in for make: nothing of the machine's user gets in, and nothing stays."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKE = """#!/bin/sh
echo "made $*"
for folder in "$XDG_CACHE_HOME" "$XDG_CONFIG_HOME" "$TMPDIR"; do
    echo "$folder $(ls -A "$folder" | wc -l)"
    echo filled >"$folder/entry"
done
exit {status}
"""


@pytest.mark.parametrize("status", [0, 2])
def test_every_run_begins_with_folders_of_its_own(tmp_path: Path, status: int) -> None:
    program = tmp_path / "bin" / "make"
    program.parent.mkdir()
    program.write_text(MAKE.replace("{status}", str(status)), encoding="utf-8")
    program.chmod(0o755)
    users = {name: str(tmp_path / name) for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR")}
    for folder in users.values():
        Path(folder).mkdir()
    path = f"{program.parent}:{os.environ['PATH']}"
    seen: set[str] = set()
    for _ in range(2):
        done = subprocess.run(
            [ROOT / ".ci" / "run"],
            env={**os.environ, **users, "PATH": path, "MAKEFLAGS": "-j9"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        first, *folders = done.stdout.splitlines()[:4]
        assert first == "made check"
        assert all(line.endswith(" 0") for line in folders), "not empty"
        names = [line.split()[0] for line in folders]
        assert not {*names} & {*users.values()}
        assert not any(Path(name).exists() for name in names), "left behind"
        assert not seen & {*names}
        seen |= {*names}
    assert not (tmp_path / "XDG_CACHE_HOME" / "entry").exists()
