# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""No function has more than 60 lines.

clang-tidy says so for what the host compiles (.clang-tidy); this sees the ports of other machines too. It
trusts the formatter: a function's braces, and no others, stand alone at the beginning of their lines.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("include", "kernel", "ports", "systems")
MOST = 60


def functions(text: str) -> list[tuple[int, int]]:
    """The first line of each function's body, from 1, and how many lines the definition has."""
    found = []
    lines = text.splitlines()
    start = None  # extern "C" has no brace of its own line, only one behind it
    for at, line in enumerate(lines):
        if line == "{":
            start = at
        elif line == "}" and start is not None:
            head = start
            while head > 0 and lines[head - 1] and not lines[head - 1].endswith(("*/", "}", ";")):
                head -= 1
            found.append((start + 1, at - head + 1))
            start = None
    return found


def sources() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.[ch]"))


def test_functions_are_found_with_their_heads() -> None:
    text = (
        "/* why */\nstatic int\nf(void)\n{\n    if (1) {\n    }\n}\n\nstruct a {\n    int b;\n};\n"
        'int g(void)\n{\n}\nextern "C" {\n}\n'
    )
    assert functions(text) == [(4, 6), (13, 3)]


def test_there_are_functions_to_look_at() -> None:
    assert sum(len(functions(path.read_text())) for path in sources()) > 400


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_function_is_longer_than_a_screen(path: Path) -> None:
    for line, length in functions(path.read_text()):
        assert length <= MOST, f"{path.relative_to(ROOT)}:{line}: a function of {length} lines"
