#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Counts the lines of the ports, and writes them into docs/guide/porting.md.

    python3 setup/port_sizes.py [--write]

A line counts if something is left of it without comments. Without --write the table is printed;
tests/tool/test_house_ports.py checks that the guide has it and that no port is too large.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["GUIDE", "LIMIT", "code_lines", "main", "port_sizes", "with_table"]

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide" / "porting.md"
LIMIT = 400
"""Lines of code that a port may have at most."""

SIMULATED = {"machine.c", "hrlp_host_machine.h", "jobs.c", "hrlp_host_jobs.h", "program.c"}
"""Files of ports/arch/host that are the simulated machine and its program, not the port to it."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TABLE = re.compile(r"(<!-- sizes: begin[^\n]*-->\n).*?(<!-- sizes: end -->)", re.DOTALL)


def code_lines(text: str) -> int:
    """The lines of C or assembly in which something stands beside comments."""
    return sum(1 for line in _COMMENT.sub("", text).splitlines() if line.strip())


def port_sizes() -> dict[str, int]:
    """Lines of code by folder of ports/arch, the folders below it apart, and ports/cell."""
    found: dict[str, int] = {}
    ports = ROOT / "ports"
    for folder in sorted(
        [*ports.glob("arch/*/"), *ports.glob("arch/*/*/"), *ports.glob("cell/*/")]
    ):
        sources = [
            file
            for file in sorted([*folder.glob("*.[chS]"), *folder.glob("*.inc")])
            if file.name not in SIMULATED
        ]
        name = folder.relative_to(ROOT).as_posix()
        found[name] = sum(code_lines(file.read_text(encoding="utf-8")) for file in sources)
    return found


def _table() -> str:
    rows = "".join(f"| `{folder}` | {lines} |\n" for folder, lines in port_sizes().items())
    return f"| folder | lines of code |\n|---|---|\n{rows}"


def with_table(text: str) -> str:
    """`text` with the present sizes between its marks. ValueError if it has none."""
    if _TABLE.search(text) is None:
        raise ValueError("there are no marks for the table")
    return _TABLE.sub(lambda match: f"{match[1]}\n{_table()}\n{match[2]}", text)


def main(arguments: Sequence[str]) -> int:
    """Print the table, or write it."""
    if "--write" in arguments:
        GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(_table(), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
