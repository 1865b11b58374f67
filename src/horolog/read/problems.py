# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Several errors at once: a reader finds all that it can before it gives up."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from horolog.model import HorologError

__all__ = ["HorologErrors", "did_you_mean", "listed", "raise_all"]


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


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, if any is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    if near:
        return near[0]
    folded = {k.lower().replace("-", "_"): k for k in known}
    return folded.get(word.lower().replace("-", "_"))


def listed(words: Iterable[str], *, last: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
