# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/tools.md: which packages each page of evidence was made with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

__all__ = ["TOOLS_PAGE", "tools_page", "write_tools"]

TOOLS_PAGE = "tools.md"
_ROW = re.compile(r"^\| \[(?P<page>[\w-]+)\.md\]\([^)]*\) \| (?P<packages>.*) \|$", re.MULTILINE)
_HEAD = """# The packages behind the pages

Written by `horolog bench NAME`, the row of its page; do not edit. The pages say how a compiler or an emulator
names its own version; these are the versions of the Debian packages that were installed then. A page without
a row is older than this one.

| page | packages |
|---|---|
"""


def tools_page(old: str, bench: str, packages: Mapping[str, str]) -> str:
    """`old`, the page as it was or "", with the row of `bench` anew."""
    rows = {row["page"]: row["packages"] for row in _ROW.finditer(old)}
    named = ", ".join(f"{name} {version}" for name, version in sorted(packages.items()))
    rows[bench] = named or "not Debian's"
    return _HEAD + "".join(f"| [{page}.md]({page}.md) | {rows[page]} |\n" for page in sorted(rows))


def write_tools(folder: Path, bench: str, packages: Mapping[str, str]) -> Path:
    """Bring the page in `folder` up to date for `bench`."""
    page = folder / TOOLS_PAGE
    old = page.read_text(encoding="utf-8") if page.is_file() else ""
    page.write_text(tools_page(old, bench, packages), encoding="utf-8")
    return page
