# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""tests/coverage.py: what clang exports becomes what is left, and what is wrong with the list is said."""

from __future__ import annotations

import json
from pathlib import Path

from tests.coverage import ROOT as CHECKOUT
from tests.coverage import Checks, Left, listed, page, problems, reached_from

ROOT = Path("/checkout")
FILE = "kernel/room/a.c"
SOURCE = ["int f(int a)", "{", "    if (a)", "        g();", "    CHECK(a && b);", "}"]
TRACED = "SF:/checkout/kernel/room/a.c\nDA:2,9\nDA:3,9\nDA:4,0\nDA:5,9\nDA:6,9\nend_of_record\n"


def exported(*branches: list[int], macro: list[list[int]] | None = None) -> str:
    expansions = [{"source_region": [5, 5, 5, 10, 9, 0, 1, 1], "branches": macro or []}]
    file = {"filename": "/checkout/kernel/room/a.c", "branches": branches, "expansions": expansions}
    return json.dumps({"data": [{"files": [file]}]})


def test_what_one_user_of_an_inline_function_reaches_is_reached() -> None:
    at = [3, 9, 3, 10]
    reached = reached_from(exported([*at, 0, 4], [*at, 3, 0]), TRACED, ROOT)
    assert reached.left({FILE: SOURCE}) == [Left(FILE, "g();", "line")]
    assert reached.rooms() == {"room": (5, 4, 2, 2)}


def test_braces_say_nothing() -> None:
    traced = TRACED.replace("DA:6,9", "DA:6,0").replace("DA:2,9", "DA:2,0")
    reached = reached_from(exported([3, 9, 3, 10, 3, 1]), traced, ROOT)
    assert reached.left({FILE: SOURCE}) == [Left(FILE, "g();", "line")]
    assert reached.rooms() == {"room": (5, 2, 2, 2)}  # they count all the same


def test_a_constant_is_no_decision() -> None:
    reached = reached_from(exported([3, 9, 3, 10, 0, 0], [4, 9, 4, 10, 0, 0]), TRACED, ROOT)
    assert reached.rooms()["room"][2:] == (2, 0)  # that of the line that was not run
    assert reached.left({FILE: SOURCE}) == [Left(FILE, "g();", "line")]


def test_each_decision_of_a_macro_counts_on_the_line_that_uses_it() -> None:
    at = [7, 1, 7, 9]
    reached = reached_from(exported(macro=[[*at, 5, 0], [*at, 2, 3]]), TRACED, ROOT)
    assert Left(FILE, "CHECK(a && b);", "false") in reached.left({FILE: SOURCE})
    assert reached.rooms()["room"][2:] == (4, 3)


def test_the_list_is_complete_and_no_longer_than_that() -> None:
    reached = reached_from(exported([3, 9, 3, 10, 1, 1]), TRACED, ROOT)
    left = reached.left({FILE: SOURCE})
    too_few = problems(reached, left, [])
    assert too_few[0] == "lines: 80.00 % reached, 98 % wanted"
    assert "not reached and not listed" in too_few[1]
    gone = Left(FILE, "h();", "line")
    assert problems(reached, left, [*left, gone])[1:] == [f"listed, but reached or gone: {gone}"]
    assert "| `g();` | line | never called |" in page(reached, {left[0]: "never called"})


def test_lines_that_begin_alike_are_listed_once() -> None:
    at = [7, 1, 7, 9]
    reached = reached_from(exported(macro=[[*at, 5, 0]]), TRACED, ROOT)
    left = reached.left({FILE: SOURCE})
    calls = Checks(("CHECK(",), "false", "made elsewhere")
    rest = [one for one in left if one.line != "CHECK(a && b);"]
    assert len(rest) < len(left)
    assert not [one for one in problems(reached, left, rest, [calls]) if "listed" in one]
    unused = Checks(("ASSERT(",), "false", "")
    assert problems(reached, left, left, [unused])[-1].endswith("begins so is left: ASSERT(")
    assert "| any | `CHECK(`... | false | made elsewhere |" in page(reached, {}, [calls])


def test_every_line_of_the_list_is_there() -> None:
    """The run that measures finds this, too, after minutes."""
    files = {one.file for one in listed()[0]}
    texts = {
        file: {line.strip() for line in (CHECKOUT / file).read_text(encoding="utf-8").splitlines()}
        for file in files
    }
    assert [one for one in listed()[0] if one.line not in texts[one.file]] == []
