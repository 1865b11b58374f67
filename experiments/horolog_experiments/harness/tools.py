# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a page of evidence was made with: compiler, emulator, and docs/evidence/tools.md, the packages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from horolog.model import Board
from horolog.programs import version

__all__ = ["TOOLS_PAGE", "compiler", "platform", "tools_page", "write_tools"]

TOOLS_PAGE = "tools.md"
_ROW = re.compile(r"^\| \[(?P<page>[\w-]+)\.md\]\([^)]*\) \| (?P<packages>.*) \|$", re.MULTILINE)
_HEAD = """# The packages behind the pages

Written by `horolog bench NAME`, the row of its page; do not edit. The pages say how a compiler or an emulator
names its own version; these are the versions of the Debian packages that were installed then. A page without
a row is older than this one.

| page | packages |
|---|---|
"""


def compiler() -> str:
    """The compiler for Cortex-M that is installed."""
    return f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}"


def platform(board: Board) -> str:
    """A board for Cortex-M, in the emulator that is installed."""
    return f"{board.title}, QEMU {version('qemu-system-arm')}"


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
