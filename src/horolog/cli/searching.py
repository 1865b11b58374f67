# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Planning as a command does it: with a limit of seconds, progress, and a Ctrl-C that keeps the plan."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import FrameType

import click

from horolog.cli.streams import tell
from horolog.figures import number, significant
from horolog.model import Planned, Search, SearchEnd
from horolog.plan import Limit

__all__ = [
    "SECONDS",
    "gap_text",
    "search_text",
    "searching",
    "seconds_option",
    "tell_of_search",
]

SECONDS = Fraction(10)
"""How long planning looks for something better, if the user does not say."""

_SECONDS = r"[0-9]{1,9}(\.[0-9]{1,9})?"
_CLEAR = "\r\x1b[K"


def _as_seconds(context: click.Context, parameter: click.Parameter, value: str) -> Fraction:
    if re.fullmatch(_SECONDS, value) is None:
        raise click.BadParameter(f'"{value}" is no number of seconds: 10, 0.5 or 0')
    return Fraction(value)


seconds_option = click.option(
    "--seconds",
    callback=_as_seconds,
    default=str(SECONDS),
    metavar="N",
    show_default=True,
    help="Look for a better plan for so long at most; then the best one found is taken, which says so. "
    "Ctrl-C ends the search earlier.",
)


@contextmanager
def searching(seconds: Fraction) -> Iterator[Limit]:
    """A limit for planning. The first Ctrl-C ends the search, a second one the command."""
    shown = False

    def say(words: str) -> None:
        nonlocal shown
        shown = True
        click.echo(f"{_CLEAR}{words}", file=sys.stderr, nl=False)

    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    limit = Limit(seconds, say=say if on_terminal else None)
    try:
        with _interrupting(limit):
            yield limit
    finally:
        if shown:
            click.echo(_CLEAR, file=sys.stderr, nl=False)


@contextmanager
def _interrupting(limit: Limit) -> Iterator[None]:
    """While this lasts, the first SIGINT goes to `limit`."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        limit.interrupt()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def search_text(search: Search) -> str | None:
    """That a search was cut, and what is known of the plan; None: it ended by itself."""
    if search.end is SearchEnd.BY_ITSELF:
        return None
    if search.end is SearchEnd.INTERRUPTED:
        how = "interrupted: the best plan found until then"
    else:
        how = f"cut at its limit of {number(search.limit_s or Fraction(0))} s (--seconds)"
    return f"{how}; not proved the best: {gap_text(search)}"


def gap_text(search: Search) -> str:
    """How far the choice may be from the best."""
    least = f"no plan has fewer than {float(search.bound_per_second):,.1f}/s"
    return f"gap {significant(100 * search.gap)} % of its interrupts ({least})"


def tell_of_search(planned: Planned) -> None:
    """Say on standard error that the search for a plan was cut."""
    text = search_text(planned.search)
    if text is not None:
        tell(f"warning: the search for a plan was {text}")
