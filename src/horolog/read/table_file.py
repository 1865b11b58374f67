# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The rows of a file of comma-separated values, as spreadsheets save them."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Sequence
from functools import partial
from io import StringIO
from pathlib import Path

from horolog.model import HorologError, Place
from horolog.read.table_columns import COLUMNS, named

__all__ = ["rows_of", "text_of"]

_DELIMITERS = (",", ";", "\t")


def text_of(path: Path) -> str:
    """The text of a file; HorologError if it cannot be read, or is not UTF-8."""
    place = Place(str(path))
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise HorologError(
            f"cannot read it: {reason}", place=place, expected="a table of tasks as CSV"
        ) from None
    try:
        return raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise HorologError(
            "not UTF-8",
            place=Place(str(path), line),
            found=f"the byte 0x{raw[error.start]:02x}",
            expected='text in UTF-8: "CSV UTF-8" where a spreadsheet asks for the format',
        ) from None


def rows_of(file: str, text: str) -> tuple[str, list[tuple[int, list[str]]]]:
    """The delimiter, and the rows with their numbers, cells without spaces around them."""
    lines = StringIO(text, newline="").readlines()
    skipped = 0
    delimiter = None
    if lines and re.fullmatch(r"sep=[,;\t]\s*", lines[0]):  # Excel's own mark
        delimiter, skipped = lines[0][4], 1
    if delimiter is None:
        delimiter = max(_DELIMITERS, key=partial(_headings_known, lines))
    reader = csv.reader(lines[skipped:], delimiter=delimiter, skipinitialspace=True, strict=True)
    found = []
    try:
        for number, row in enumerate(reader, skipped + 1):
            found.append((number, [cell.strip() for cell in row]))
    except csv.Error as error:
        line = skipped + max(1, reader.line_num)
        raise HorologError(
            f"not a table: {error}",
            place=Place(file, line),
            expected='cells separated by commas, semicolons or tabs; quotes in pairs: "a, b"',
        ) from None
    return delimiter, found


def _headings_known(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """How many headings of the first row are known with that delimiter, and how many cells it has."""
    first = next((line for line in lines if line.strip()), "")
    cells = first.strip("\r\n").split(delimiter)
    return sum(named(cell.strip().strip('"'))[0] in COLUMNS for cell in cells), len(cells)
