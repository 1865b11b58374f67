# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A delay queue is named where it is described, and nowhere in a list of all queues besides.

A new queue is its header (with a .c for what is not inline), its unit tests, its row of the
contract's table and its name for the tool. Conformance, fuzzing and benches find it by that.
"""

from __future__ import annotations

import re
from pathlib import Path

from horolog.model import QUEUES
from horolog.programs import call
from horolog_experiments.queues import QUEUES as MEASURED

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "kernel" / "queue" / "README.md"
FORMS = {"loose_calendar"}
"""Queues of another one's header that the tool does not choose."""

NAMES = {name.replace("-", "_") for name in QUEUES}
MEASUREMENTS = re.compile(r"docs/evidence/.*|boards/[^/]+/costs\.toml")


def lists_queues(text: str) -> bool:
    """Whether it names nearly all of them, in C's words or in the tool's."""
    named = sum(bool(re.search(rf"\b{name}\b", text.replace("-", "_"))) for name in NAMES)
    return named > len(NAMES) * 3 // 4


def test_no_other_file_has_a_list_of_all_queues() -> None:
    files = call(["git", "ls-files", "-z"], folder=ROOT, seconds=60).output.split("\0")
    lists = set()
    for name in filter(None, files):
        path = ROOT / name
        if path.suffix in {".png", ".svg", ".vcd"} or MEASUREMENTS.fullmatch(name):
            continue
        if path.is_file() and lists_queues(path.read_text(encoding="utf-8", errors="replace")):
            lists.add(name)
    assert lists == {"kernel/queue/README.md", "src/horolog/model/plan.py"}


def test_the_check_sees_a_list() -> None:
    assert lists_queues(" ".join(QUEUES))
    assert lists_queues("\n".join(sorted(NAMES)[1:]))
    assert not lists_queues("sorted_list and calendar")


def test_the_headers_the_contract_and_the_tool_name_the_same_queues() -> None:
    headers = "".join(path.read_text() for path in (ROOT / "kernel" / "queue").glob("*.h"))
    made = set(re.findall(r"^#define HRLI_INIT_(\w+)\b", headers, re.MULTILINE))
    rows = set(re.findall(r"^\| `(\w+)` \|.*\| \d+ \|$", TABLE.read_text(), re.MULTILINE))
    assert made - FORMS == NAMES == rows
    assert {queue.name for queue in MEASURED if not queue.bench_only} == NAMES


def test_every_queue_has_unit_tests() -> None:
    there = {path.stem for path in (ROOT / "tests" / "unit" / "queue").glob("test_*.c")}
    assert {f"test_{name}" for name in NAMES} <= there
