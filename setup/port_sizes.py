#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Counts the lines of the ports, and writes them into docs/guide/porting.md.

    python3 setup/port_sizes.py [--write]

For each board: the lines of what a system with threads links of ports/. A line counts if
something is left of it without comments. Without --write the table is printed;
tests/tool/test_house_ports.py checks that the guide has it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["GUIDE", "board_sizes", "code_lines", "main", "with_table"]

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide" / "porting.md"

SIMULATED = {
    *("machine.c", "hrlp_host_machine.h", "jobs.c", "hrlp_host_jobs.h", "program.c"),
    "hrlp_process.h",
}
"""Files of ports/host that are the simulated machine and its program, not the port to it."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TABLE = re.compile(r"(<!-- sizes: begin[^\n]*-->\n).*?(<!-- sizes: end -->)", re.DOTALL)


def code_lines(text: str) -> int:
    """The lines of C or assembly in which something stands beside comments."""
    return sum(1 for line in _COMMENT.sub("", text).splitlines() if line.strip())


def board_sizes() -> dict[str, tuple[int, int]]:
    """By board, the lines of code for its processor, interrupt controller included, and for its timers."""
    found = {}
    for path in sorted(ROOT.glob("boards/*/board.toml")):
        board = tomllib.loads(path.read_text(encoding="utf-8"))
        has_fpu = "fpu" in board["board"]
        folders = list(_processor(board))
        processor = sum(_lines(folder, has_fpu) for folder in folders)
        processor += _own(path.parent / "port", folders)
        devices = {board["clock"]["device"], *(cell["device"] for cell in board["cell"])}
        timers = sum(_lines(ROOT / "ports" / "cell" / device, has_fpu) for device in devices)
        found[path.parent.name] = (processor, timers)
    return found


def _processor(board: dict[str, Any]) -> Iterator[Path]:
    """The folders that cmake/port.cmake takes for `board`, without guard and with the full report."""
    arch = ROOT / "ports" / board["board"]["arch"]
    yield arch
    yield arch / "semihosting"
    controller = board.get("controller", {}).get("device")
    for path in arch.glob("*/port.toml"):
        port = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.parent.name == controller or (controller is None and port.get("usual", False)):
            yield path.parent
            yield path.parent / "threads"
            if "family" in port:
                yield ROOT / "ports" / port["family"]
                yield ROOT / "ports" / port["family"] / "semihosting"


def _own(port: Path, folders: list[Path]) -> int:
    """What the headers of a board's own have more than those of the same names, which they replace."""
    own = list(port.glob("*.h"))
    replaced = [folder / file.name for file in own for folder in folders]
    own_lines, others = (
        sum(code_lines(file.read_text(encoding="utf-8")) for file in files if file.is_file())
        for files in (own, replaced)
    )
    return own_lines - others


def _lines(folder: Path, has_fpu: bool) -> int:
    """Of a file and its form for a floating-point unit, <name>_fpu, one is linked."""
    files = [*folder.glob("*.[chS]"), *folder.glob("*.inc")]
    names = {file.name for file in files}
    taken = [
        file for file in files if file.name not in SIMULATED and _is_taken(file, names, has_fpu)
    ]
    return sum(code_lines(file.read_text(encoding="utf-8")) for file in taken)


def _is_taken(file: Path, names: set[str], has_fpu: bool) -> bool:
    if file.stem.endswith("_fpu"):
        return has_fpu
    return not (has_fpu and f"{file.stem}_fpu{file.suffix}" in names)


def _table() -> str:
    rows = "".join(
        f"| `{board}` | {processor} | {timers} | {processor + timers} |\n"
        for board, (processor, timers) in board_sizes().items()
    )
    return f"| board | processor and interrupt controller | timers | together |\n|---|---|---|---|\n{rows}"


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
