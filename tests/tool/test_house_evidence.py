# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The pages of evidence together: a target belongs to one of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

PAGES = sorted((Path(__file__).resolve().parents[2] / "docs" / "evidence").glob("*.md"))


def targets_of(page: Path) -> list[list[str]]:
    """The rows of a page's table of targets, without its head."""
    text = page.read_text(encoding="utf-8")
    if "\n## Targets\n" not in text:
        return []
    section = text.split("\n## Targets\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_no_page_has_a_target_that_another_page_measures() -> None:
    assert sum(bool(targets_of(page)) for page in PAGES) > 5
    elsewhere = [
        (page.name, row[0])
        for page in PAGES
        for row in targets_of(page)
        if row[2] == "not measured" and "horolog bench" in row[-1]
    ]
    assert elsewhere == []


def test_a_target_is_on_one_page() -> None:
    pages = Counter(
        (row[0], row[1]) for page in PAGES for row in targets_of(page) if "the same" not in row[0]
    )
    assert [target for target, number in pages.items() if number > 1] == []
