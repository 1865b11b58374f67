# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Standard output and error as a command uses them: what they cannot show is replaced, never a traceback."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import click

__all__ = ["degrade", "echo", "give_up", "shows_unicode", "tell", "visible"]

_PLAINLY = "horolog-plainly"
_PLAIN = {
    "\u00b5": "u",
    "\u03bc": "u",
    "\u00a0": " ",
    "\u202f": " ",
    "\u00d7": "x",
    "\u2013": "-",
    "\u2014": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2026": "...",
    "\u2260": "!=",
    "\u2264": "<=",
    "\u2265": ">=",
}
"""What outputs print beyond ASCII, in ASCII."""
_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)
}
"""Control characters but for tabs and the ends of lines, as C writes them."""


def echo(text: object = "") -> None:
    """A line on standard output. (click would choose another encoding where that one is ASCII.)"""
    click.echo(text, file=sys.stdout)


def tell(text: object) -> None:
    """A line on standard error."""
    click.echo(text, file=sys.stderr)


def visible(text: str) -> str:
    """`text`, which a file or a firmware may have said, without what would command a terminal."""
    return text.translate(_CONTROLS)


def degrade() -> None:
    """From now on, what standard output and error cannot encode is shown in ASCII, or as "?"."""
    codecs.register_error(_PLAINLY, _plainly)
    if sys.stdout is None:  # closed: as quiet as /dev/null
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # as long as we are
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_PLAINLY)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    failed = error.object[error.start : error.end]
    return "".join(_PLAIN.get(letter, "?") for letter in failed), error.end


def shows_unicode(stream: TextIO | None) -> bool:
    """Whether any letter can be printed to it."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return codecs.lookup(encoding).name.startswith("utf")


def give_up(stream: TextIO | None) -> None:
    """Nothing more can be written to `stream`: what is left in it goes nowhere, and without a word."""
    with suppress(OSError, ValueError, AttributeError):
        assert stream is not None
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
