# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which names of files and folders the programs of a build can take."""

from __future__ import annotations

import os
from pathlib import Path

from horolog.model import HorologError, Place

__all__ = ["unbuildable", "unbuildable_error"]

# CMake divides lists at semicolons outside of brackets, and reads the rest in its strings; Ninja has no
# escape for | and for the end of a line.
_REFUSED = {
    ";": "a semicolon",
    '"': "a quotation mark",
    "\\": "a backslash",
    "$": "a dollar sign",
    "[": "a bracket",
    "]": "a bracket",
    "|": "a vertical bar",
    "\n": "a line break",
    "\r": "a line break",
    "\0": "a NUL",
}


def unbuildable(path: str | Path) -> str | None:
    """What in `path` CMake, Ninja or a C string cannot take, in words; None if nothing is."""
    text = str(path)
    try:
        os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return "letters that are not UTF-8 in the names of files here"
    return next((f"{what} in it" for sign, what in _REFUSED.items() if sign in text), None)


def unbuildable_error(
    what: str, wrong: str, found: str, place: Place | None = None
) -> HorologError:
    """The error for `found`, the path of `what`, which has something `wrong` in it."""
    return HorologError(
        f"the build cannot take {what} with {wrong}",
        place=place,
        found=found,
        expected='a path without ; " \\ $ [ ] | and line breaks, in UTF-8',
    )
