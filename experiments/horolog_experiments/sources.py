# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which sources of the kernel something was measured of, by git's names, and whether these are they still."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from horolog.programs import call

__all__ = ["FOLDERS", "Sources", "changed_since", "sources_of"]

FOLDERS = ("kernel", "include", "ports")
_SECONDS = 60
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Sources:
    """A commit and the trees of FOLDERS in it; `modified`: they had changes that are in no commit."""

    commit: str
    modified: bool
    trees: Mapping[str, str]

    def __str__(self) -> str:
        trees = ", ".join(f"`{folder}/` {tree}" for folder, tree in self.trees.items())
        modified = ", with changes that are in no commit" if self.modified else ""
        return f"{self.commit}{modified} ({trees})"


def sources_of(root: Path) -> Sources | None:
    """What the checkout `root` holds now; None if that is no git checkout, or there is no git."""
    if not (root / ".git").exists():
        return None
    names = _git(root, "rev-parse", "HEAD", *(f"HEAD:{folder}" for folder in FOLDERS))
    changes = _git(root, "status", "--porcelain", "--", *FOLDERS)
    if names is None or changes is None:
        return None
    commit, *trees = (name[:_SHORT] for name in names.split())
    return Sources(commit, bool(changes.strip()), dict(zip(FOLDERS, trees, strict=True)))


def changed_since(then: Sources, now: Sources) -> tuple[str, ...]:
    """Which of FOLDERS are others now than `then`; all, where one of the two has changes in no commit.

    By their trees, so that a commit that changes none of them, or another name for it, makes no difference.
    """
    if then.modified or now.modified:
        return FOLDERS
    return tuple(folder for folder in FOLDERS if then.trees.get(folder) != now.trees[folder])


def _git(root: Path, *words: str) -> str | None:
    done = call(["git", "-C", str(root), *words], seconds=_SECONDS)
    return done.output if done.status == 0 else None
