# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The guide to writing a port is true of those that there are, their sizes included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tool.setup_scripts import load_script

ROOT = Path(__file__).resolve().parents[2]


sizes = load_script("port_sizes")
GUIDE: str = sizes.GUIDE.read_text(encoding="utf-8")


def test_a_board_links_the_files_of_its_port() -> None:
    found = sizes.board_sizes()
    assert set(found) == {path.parent.name for path in (ROOT / "boards").glob("*/board.toml")}
    assert all(processor > 200 and timers > 50 for processor, timers in found.values())
    ports = ROOT / "ports"
    folders = ("rv32", "rv32/cells", "rv32/cells/threads")
    own = [
        file
        for folder in folders
        for file in (ports / folder).glob("*.*")
        if file.suffix != ".toml"
    ]
    lines = sum(sizes.code_lines(file.read_text(encoding="utf-8")) for file in own)
    assert found["ibex-cells"][0] == lines


def test_of_a_file_and_its_form_for_an_fpu_one_is_linked() -> None:
    (without, timers), (with_fpu, same) = (
        sizes.board_sizes()[name] for name in ("mps2-an385", "mps2-an386")
    )
    armv7m = ROOT / "ports" / "armv7m"
    plain, fpu = (
        sum(
            sizes.code_lines((armv7m / f"{stem}{form}.c").read_text(encoding="utf-8"))
            for stem in ("switch", "yield")
        )
        for form in ("", "_fpu")
    )
    assert with_fpu - without == fpu - plain
    assert timers == same


def test_the_guide_has_the_sizes_of_today() -> None:
    assert sizes.with_table(GUIDE) == GUIDE, "run: python3 setup/port_sizes.py --write"


def test_a_guide_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no marks"):
        sizes.with_table("nothing")


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 0), ("/* a\n b */\n", 0), ("int a; /* why */\n\nint b;\n", 2), ("/* x */ int a;\n", 1)],
)
def test_comments_and_empty_lines_are_no_code(text: str, lines: int) -> None:
    assert sizes.code_lines(text) == lines


def test_the_guide_names_every_promise_of_the_contract() -> None:
    """Each function that ports/include declares stands in the guide."""
    declared: set[str] = set()
    for header in (ROOT / "ports" / "include").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        declared |= set(re.findall(r"\b(hrl[pi]_\w+)\(", text))
    assert len(declared) > 15
    assert {name for name in declared if name not in GUIDE} == set()


def test_the_files_that_the_guide_names_exist() -> None:
    named = re.findall(r"`((?:ports|tests|cmake|boards|setup|src)/[\w./-]+)`", GUIDE)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []
