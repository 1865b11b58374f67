# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Times that were computed from the tasks' own, as text: a hyperperiod, a common divisor."""

from __future__ import annotations

from fractions import Fraction

from horolog.analyse import large_text
from horolog.read import duration_text

__all__ = ["time_text"]

_LONGEST = 48  # characters: two numbers as long as a description may have them


def time_text(seconds: Fraction, longest: int = _LONGEST) -> str:
    """`seconds` exactly, as duration_text has it, in up to so many characters; else in rounded seconds."""
    top, bottom = seconds.as_integer_ratio()
    # Or to write the digits may take long, or be refused by str().
    if max(top, bottom) < 10**longest:
        text = duration_text(seconds)
        if len(text) <= longest:
            return text
    return f"{large_text(seconds)} s"
