# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the tool use each other as docs/architecture.md says; the files that it names are there."""

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


NAMED = re.compile(r"[\w.*/<>-]+/[\w.*<>-]*|[\w<>-]+\.(?:c|h|cpp|py|md|j2|toml|S|sv|css)")
"""What is a file, a folder or a pattern of them; <name> stands for any."""


def files_named(text: str) -> list[str]:
    """The files and folders that `text` names, in backquotes, in links and in its pictures."""
    pictures = "\n".join(re.findall(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    prose = re.sub(r"^```\n.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    quoted = [word for word in re.findall(r"`(?!hrl_gen_)([^`]+)`", prose) if NAMED.fullmatch(word)]
    linked = [f"docs/{name}" for name in re.findall(r"\]\(([\w./-]+)\)", prose)]
    drawn_here = re.findall(r"(?<![\w<])[a-z]+(?:/[\w.-]+)+|\b\w+\.[ch]\b", pictures)
    return [*quoted, *linked, *drawn_here]


def is_there(name: str) -> bool:
    """Below the root, the tool or a room of it; a name without a folder is somewhere in a room."""
    pattern = re.sub(r"<\w+>", "*", name)
    if "/" in pattern:
        path = pattern.rstrip("/")
        return any([*ROOT.glob(path), *TOOL.glob(path), *TOOL.glob(f"*/{path}")])
    return any(
        any((ROOT / folder).rglob(pattern))
        for folder in ("src", "kernel", "ports", "boards", "watch")
    )


def test_the_files_that_the_page_names_are_there() -> None:
    named = files_named(PAGE.read_text(encoding="utf-8"))
    assert len(named) > 80
    assert {name for name in named if not is_there(name)} == set()


def test_a_room_s_row_names_files_of_the_room() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \|([^|]+)\|[^|]*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    for room, holds in rows:
        for name in files_named(holds):
            assert (TOOL / room / name).exists(), f"{room}: {name}"


def test_a_file_that_is_gone_is_seen() -> None:
    text = (
        "`plan/choice.py`, `plan/words.py`, `gone.c`, `boards/<name>/board.toml`, [x](no-page)\n"
        "```\n kernel/core   kernel/task  jobs.c  none.c\n```\n"
    )
    assert [name for name in files_named(text) if not is_there(name)] == [
        "plan/words.py",
        "gone.c",
        "docs/no-page",
        "kernel/task",
        "none.c",
    ]
