# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lock files: complete, hashed, and silent about where anything was downloaded from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "setup").glob("requirements-*.txt"))
_ENTRY = re.compile(r"^([\w.-]+)==(\S+)((?: ; [^\\]+)?) \\$")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def canonical(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def locked(path: Path) -> dict[str, str]:
    """Package and version of each entry."""
    matches = (_ENTRY.match(line) for line in path.read_text().splitlines())
    return {canonical(match[1]): match[2] for match in matches if match}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_every_line_is_an_exact_version_or_its_hash(path: Path) -> None:
    for line in path.read_text().splitlines():
        is_hash = re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line)
        assert is_hash or line.startswith("#") or _ENTRY.match(line), line


@pytest.mark.parametrize("path", [*LOCKS, ROOT / "pyproject.toml"], ids=lambda path: path.name)
def test_no_file_names_a_package_index(path: Path) -> None:
    assert "://" not in path.read_text()
    assert "index-url" not in path.read_text()


def test_what_runs_is_locked() -> None:
    wanted = {canonical(r) for r in project()["project"]["dependencies"]} | {"hatchling"}
    assert wanted <= locked(ROOT / "setup" / "requirements-run.txt").keys()


def test_what_tests_is_locked_and_runs_the_same_versions() -> None:
    groups = project()["dependency-groups"]
    wanted = {canonical(r) for r in groups["dev"] if isinstance(r, str)}
    dev = locked(ROOT / "setup" / "requirements-dev.txt")
    assert wanted <= dev.keys()
    assert locked(ROOT / "setup" / "requirements-run.txt").items() <= dev.items()


def test_cargo_lock_names_the_public_registry_only() -> None:
    lock = tomllib.loads((ROOT / "baselines/freertos/fetch/Cargo.lock").read_text())
    sources = {package.get("source") for package in lock["package"]}
    assert sources == {None, "registry+https://github.com/rust-lang/crates.io-index"}
    versions = {package["name"]: package["version"] for package in lock["package"]}
    assert versions["freertos-next"] == "0.12.0"
