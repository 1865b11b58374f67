# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Comments and messages in C call a thread a thread: not who, whose, nobody or somebody."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("baselines", "bench", "examples", "include", "kernel", "ports", "systems")
ENDINGS = {".c", ".h", ".S", ".inc"}
RIDDLES = re.compile(r"\b(?:who|whom|whose|whoever|nobody|somebody)\b", re.IGNORECASE)


def riddles(text: str) -> list[tuple[int, str]]:
    """The lines with such a word, from 1, and the word."""
    return [
        (number, found.group())
        for number, line in enumerate(text.splitlines(), 1)
        for found in RIDDLES.finditer(line)
    ]


def sources() -> list[Path]:
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in ENDINGS)


def test_the_words_are_found_as_words_only() -> None:
    text = "/* Whose turn */\nint whole; /* the thread\n * nobody wakes, or\n * whom somebody wakes */\n"
    assert riddles(text) == [(1, "Whose"), (3, "nobody"), (4, "whom"), (4, "somebody")]


def test_there_are_sources_to_look_at() -> None:
    assert len(sources()) > 200


def test_comments_and_messages_name_what_they_mean() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {word!r}: name the thread, task, caller or handler, or say none"
        for path in sources()
        for number, word in riddles(path.read_text())
    ]
    assert not wrong, "\n".join(wrong)
