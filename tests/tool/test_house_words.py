# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Texts call a thread a thread, not who, whom, nobody or somebody; and names use the field's words."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURSELVES = Path(__file__).resolve()

C_FOLDERS = (
    "baselines",
    "bench",
    "examples",
    "include",
    "kernel",
    "plugin",
    "ports",
    "rp2040",
    "rtl/cores/sim",
    "rtl/sim",
    "simavr",
    "stm32",
    "src",  # the templates, which reach users as generated C
    "systems",
    "watch",
)
C_ENDINGS = {".c", ".cpp", ".h", ".hpp", ".S", ".inc", ".j2"}
C_RIDDLES = re.compile(r"\b(?:who|whom|whose|whoever|nobody|somebody)\b", re.IGNORECASE)

FOLDERS = (
    ".",
    "boards",
    "cmake",
    "docs",
    "experiments",
    "rtl",
    "setup",
    "src",
    "tests",
    *C_FOLDERS,
)
ENDINGS = {".c", ".cmake", ".h", ".md", ".py", ".sh", ".sv", ".toml", ".txt"}
RIDDLES = re.compile(r"\b(?:whom|whoever|nobody|somebody)\b", re.IGNORECASE)
"""Elsewhere `who` is a person and `whose` stands for things, too: "a task whose deadline holds"."""

DATA = ("docs/evidence/", "tests/system/golden/")
"""Written by commands: their texts stand in the sources."""

NAMES_GONE = {
    "bell": "say doorbell",
    "mates": "say what they have in common: same_level, of_period",
    "sole": "say single or only",
    "strays": "say which instants they are",
    "told": "say what is given, and to what",
    "walked": "say passed",
}
"""Words that no name has any more (issue 18, section 5), and what to say instead. Names of tests are
sentences, and may have them."""


def riddles(text: str, words: re.Pattern[str] = C_RIDDLES) -> list[tuple[int, str]]:
    """The lines with such a word, from 1, and the word."""
    return [
        (number, found.group())
        for number, line in enumerate(text.splitlines(), 1)
        for found in words.finditer(line)
    ]


def sources(folders: tuple[str, ...], endings: set[str]) -> list[Path]:
    found = {
        path
        for folder in folders
        for path in (ROOT / folder).glob("*" if folder == "." else "**/*")
        if path.suffix in endings and path.is_file() and path != OURSELVES
    }
    return sorted(one for one in found if not one.relative_to(ROOT).as_posix().startswith(DATA))


def wrong_words(paths: list[Path], words: re.Pattern[str]) -> list[str]:
    names = [(path, path.relative_to(ROOT).as_posix()) for path in paths]
    return [
        f"{name}:{number}: {word!r}: name the thread, task, caller or handler, or say none"
        for path, name in names
        for number, word in riddles(path.read_text(encoding="utf-8"), words)
    ]


def names_in_c(text: str) -> Iterator[str]:
    """Identifiers outside of comments and strings."""
    bare = re.sub(r'/\*.*?\*/|//[^\n]*|\{#.*?#\}|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)
    return (found.group() for found in re.finditer(r"\b[A-Za-z_]\w*", bare))


def names_in_python(text: str) -> Iterator[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return (token.string for token in tokens if token.type == tokenize.NAME)


def names_gone(names: Iterator[str]) -> set[str]:
    """The names of which a part between underscores is a word that is gone."""
    return {name for name in names if not NAMES_GONE.keys().isdisjoint(name.lower().split("_"))}


def test_the_words_are_found_as_words_only() -> None:
    text = "/* Whose turn */\nint whole; /* the thread\n * nobody wakes, or\n * whom somebody wakes */\n"
    assert riddles(text) == [(1, "Whose"), (3, "nobody"), (4, "whom"), (4, "somebody")]
    assert riddles(text, RIDDLES) == [(3, "nobody"), (4, "whom"), (4, "somebody")]


@pytest.mark.parametrize(
    ("folders", "endings", "fewest"),
    [(C_FOLDERS, C_ENDINGS, 300), (FOLDERS, ENDINGS, 800), (("docs",), ENDINGS, 30)],
)
def test_there_are_sources_to_look_at(
    folders: tuple[str, ...], endings: set[str], fewest: int
) -> None:
    assert len(sources(folders, endings)) > fewest


def test_comments_and_messages_of_c_name_what_they_mean() -> None:
    wrong = wrong_words(sources(C_FOLDERS, C_ENDINGS), C_RIDDLES)
    assert not wrong, "\n".join(wrong)


def test_all_other_texts_name_what_they_mean() -> None:
    wrong = wrong_words(sources(FOLDERS, ENDINGS), RIDDLES)
    assert not wrong, "\n".join(wrong)


def test_a_name_is_seen_where_it_is_code() -> None:
    assert names_gone(
        names_in_c('/* sole */ int hrli_SOLE_task = "strays"; // sole\nconsole();')
    ) == {"hrli_SOLE_task"}
    assert names_gone(names_in_python('sole = "strays"  # strays\nconsole(the_strays)\n')) == {
        "sole",
        "the_strays",
    }


def test_names_use_the_words_of_the_field() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources((*C_FOLDERS, "experiments"), {*C_ENDINGS, ".py"})
        for name in sorted(
            names_gone(
                (names_in_python if path.suffix == ".py" else names_in_c)(
                    path.read_text(encoding="utf-8")
                )
            )
        )
    ]
    assert not wrong, f"{wrong}: {NAMES_GONE}"
