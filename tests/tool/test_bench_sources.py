# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which sources a figure was measured of: by a checkout made here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from horolog_experiments.sources import FOLDERS, changed_since, sources_of


def git(folder: Path, *words: str) -> str:
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    return subprocess.run(
        ["git", "-C", folder, *author, *words], check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    for folder in (*FOLDERS, "docs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text("1\n", encoding="utf-8")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "first")
    return tmp_path


def test_sources_are_a_commit_and_the_trees_in_it(checkout: Path) -> None:
    now = sources_of(checkout)
    assert now is not None
    assert not now.modified
    assert git(checkout, "rev-parse", "HEAD").startswith(now.commit)
    assert git(checkout, "rev-parse", "HEAD:ports").startswith(now.trees["ports"])
    assert f"`kernel/` {now.trees['kernel']}" in str(now)


def test_what_is_in_no_commit_is_marked(checkout: Path) -> None:
    before = sources_of(checkout)
    (checkout / "docs" / "file").write_text("2\n", encoding="utf-8")
    assert sources_of(checkout) == before
    for path in (checkout / "kernel" / "file", checkout / "ports" / "new"):
        path.write_text("2\n", encoding="utf-8")
        now = sources_of(checkout)
        assert now is not None
        assert before is not None
        assert now.modified
        assert "in no commit" in str(now)
        assert changed_since(before, now) == FOLDERS
        assert changed_since(now, before) == FOLDERS
        git(checkout, "stash", "--quiet", "--include-untracked")


def test_a_commit_elsewhere_changes_nothing(checkout: Path) -> None:
    then = sources_of(checkout)
    for folder, changed in (("docs", ()), ("kernel", ("kernel",)), ("ports", ("kernel", "ports"))):
        (checkout / folder / "file").write_text("2\n", encoding="utf-8")
        git(checkout, "commit", "--quiet", "--all", "--message", "later")
        now = sources_of(checkout)
        assert then is not None
        assert now is not None
        assert now.commit != then.commit
        assert changed_since(then, now) == changed


def test_without_a_checkout_there_are_none(tmp_path: Path) -> None:
    assert sources_of(tmp_path) is None
    git(tmp_path, "init", "--quiet")  # without a commit
    assert sources_of(tmp_path) is None
