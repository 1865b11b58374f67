# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Several errors at once: a reader finds all that it can before it gives up."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from horolog.model import HorologError, Place

__all__ = ["HorologErrors", "choice_problems", "did_you_mean", "listed", "name_taken", "raise_all"]
__all__ += ["shown", "suggestion"]

_MOST_LISTED = 24
"""An error lists at most so many names, as a board can have hundreds of cells."""


class HorologErrors(HorologError):
    """More than one HorologError about the same input. Its text is theirs, one after the other."""

    def __init__(self, errors: Sequence[HorologError]) -> None:
        first = errors[0]
        super().__init__(
            first.message,
            place=first.place,
            found=first.found,
            expected=first.expected,
            exit=first.exit,
        )
        self.errors = tuple(errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def raise_all(errors: Iterable[HorologError]) -> None:
    """Raise what was found, each text once and in the order of the file; return if nothing."""
    distinct = {str(error): error for error in errors}
    found = sorted(distinct.values(), key=_line)
    if len(found) == 1:
        raise found[0]
    if found:
        raise HorologErrors(found)


def _line(error: HorologError) -> tuple[int, int]:
    place = error.place
    return (place.line or 0, place.column or 0) if place else (0, 0)


def choice_problems(
    words: Sequence[str],
    known: Iterable[str],
    place_of: Callable[[int], Place],
    *,
    absent: str,
    noun: str,
    shown: Sequence[str] | None = None,
) -> Iterator[HorologError]:
    """Which of `words`, a list of the user's, are not `known`, or there a second time.

    `absent`: what is said before the word that is not known; `shown`: of those known, what is listed.
    """
    known = list(known)
    seen: set[str] = set()
    for index, word in enumerate(words):
        if word not in known:
            yield HorologError(
                f'{absent} "{word}"{suggestion(word, known)}',
                place=place_of(index),
                found=f'"{word}"',
                expected=f"some of {listed(known if shown is None else shown, last='and')}",
            )
        elif word in seen:
            yield HorologError(
                f'the {noun} "{word}" is listed twice',
                place=place_of(index),
                found=f'"{word}" a second time',
                expected=f"each {noun} once",
            )
        seen.add(word)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, if any is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    if near:
        return near[0]
    folded = {k.lower().replace("-", "_"): k for k in known}
    return folded.get(word.lower().replace("-", "_"))


def suggestion(word: str, known: Iterable[str]) -> str:
    """How a message about an unknown `word` ends: it asks whether a known one is meant, if any is near."""
    near = did_you_mean(word, known)
    return f'; did you mean "{near}"?' if near else ""


def name_taken(noun: str, name: str, place: Place, each: str | None = None) -> HorologError:
    """The error for a name that another table of its kind has. `each`: what is named, if not `noun`."""
    return HorologError(
        f'the {noun} name "{name}" is taken',
        place=place,
        found=f'"{name}" a second time',
        expected=f"a name of its own for each {each or noun}",
    )


def listed(words: Iterable[str], *, last: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`; of many words the first two and the last."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    if len(words) > _MOST_LISTED:
        return f"{words[0]}, {words[1]}, ... {last} {words[-1]} ({len(words)} in all)"
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def shown(value: Any) -> str:
    """A TOML value as an error shows it."""
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 80 else f"{value[:77]}...", ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, dict):
        return "a table"
    return str(value)
