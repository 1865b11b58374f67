# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the tool use each other as docs/architecture.md says, and in one direction."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "src" / "horolog"
PAGE = ROOT / "docs" / "architecture.md"


def drawn() -> dict[str, set[str]]:
    """The rows of the page's table: a room, and the rooms that it uses."""
    rows = re.findall(
        r"^\| `(\w+)` \|[^|]+\|([^|]*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {room: set(re.findall(r"\w+", used)) for room, used in rows}


def imported() -> dict[str, set[str]]:
    """By room, the rooms of which its modules import something."""
    rooms = {path.parent.name for path in TOOL.glob("*/__init__.py")}
    found: dict[str, set[str]] = {}
    for room in rooms:
        texts = (path.read_text(encoding="utf-8") for path in (TOOL / room).rglob("*.py"))
        names = {
            name
            for text in texts
            for name in re.findall(r"^ *(?:from|import) horolog\.(\w+)", text, re.M)
        }
        found[room] = names & rooms - {room}
    return found


def test_rooms_import_what_the_page_says() -> None:
    assert imported() == drawn()


def test_no_two_rooms_use_each_other() -> None:
    tuple(TopologicalSorter(imported()).static_order())  # CycleError
