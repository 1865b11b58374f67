# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The data behind a page as JSON that diffs well: one measured row a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["listed", "text_of"]


def listed(name: str, rows: Iterable[Any], separators: tuple[str, str] | None = None) -> str:
    """The member `name` of an object: a list with each of `rows` on a line of its own."""
    lines = (json.dumps(row, separators=separators) for row in rows)
    return f'"{name}": [\n' + ",\n".join(lines) + "\n]"


def text_of(
    head: Mapping[str, Any],
    lists: Mapping[str, Iterable[Any]],
    separators: tuple[str, str] | None = None,
) -> str:
    """An object with each value of `head` on a line, and then `lists`."""
    parts = [f'"{name}": {json.dumps(value)}' for name, value in head.items()]
    parts += [listed(name, rows, separators) for name, rows in lists.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"
