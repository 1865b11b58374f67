# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What texts and comments refer to is in the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURSELVES = Path(__file__).relative_to(ROOT).as_posix()
DOCUMENT = re.compile(r"(?<![\w/.-])(?:docs/(?!evidence/NAME)[\w/-]+\.md|design\.md)\b")
DECISION = re.compile(r"\bADR (\d{4})\b")


def files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a checkout")
    return [name for name in listed.stdout.splitlines() if name != OURSELVES]


def text_of(name: str) -> str:
    path = ROOT / name
    if not path.is_file() or path.stat().st_size > 2**20:
        return ""  # removed, or data
    return path.read_bytes().decode("utf-8", "replace")


def missing(text: str, decisions: set[str]) -> list[str]:
    """The documents and decisions that `text` names and that are not there."""
    named = [path for path in DOCUMENT.findall(text) if not (ROOT / path).is_file()]
    return named + [f"ADR {number}" for number in DECISION.findall(text) if number not in decisions]


def test_every_document_that_is_named_is_there() -> None:
    decisions = {path.name[:4] for path in (ROOT / "docs" / "adr").glob("*.md")}
    found = {name: missing(text_of(name), decisions) for name in files()}
    assert {name: of for name, of in found.items() if of} == {}


def test_the_check_sees_what_is_missing() -> None:
    text = "see design.md, docs/adr/0001-layers.md, docs/none.md, ADR 0001 and ADR 9999"
    assert missing(text, {"0001"}) == ["design.md", "docs/none.md", "ADR 9999"]
