# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A delay queue is named where it is described, and nowhere in a list of all queues besides.

A new queue is its header (with a .c for what is not inline), its unit tests, and its row of the
contract's table. Conformance, fuzzing, benches and the tool find it by that.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from horolog.model import LINEAR_STORES, QUEUES, UNBOUNDED_STORES
from horolog.model.queues import DelayQueue, read_queues
from horolog.programs import call
from horolog_experiments.queues import QUEUES as MEASURED

ROOT = Path(__file__).resolve().parents[2]
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
    assert lists == {"kernel/queue/README.md"}


def test_the_check_sees_a_list() -> None:
    assert lists_queues(" ".join(QUEUES))
    assert lists_queues("\n".join(sorted(NAMES)[1:]))
    assert not lists_queues("sorted_list and calendar")


def test_the_headers_the_contract_and_the_tool_name_the_same_queues() -> None:
    headers = "".join(path.read_text() for path in (ROOT / "kernel" / "queue").glob("*.h"))
    made = set(re.findall(r"^#define HRLI_INIT_(\w+)\b", headers, re.MULTILINE))
    assert made == NAMES
    assert {queue.name for queue in MEASURED if not queue.bench_only} == NAMES


def test_the_table_says_which_calls_pass_all_nodes() -> None:
    assert QUEUES[0] == "sorted-list", "costs.toml compares the others with it"
    assert {*LINEAR_STORES} & {"delta-list", "hashed-wheel", "array-heap"} == {
        "delta-list",
        "hashed-wheel",
    }
    assert {*UNBOUNDED_STORES} == {"pairing-heap", "unsorted-list"}


HEADING = """\
| queue | insert | first | pop | remove | queue | of a node |
|---|---|---|---|---|---|---|
"""


def test_a_row_of_the_table_is_a_queue(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(
        f"Words.\n{HEADING}"
        "| `one_list` | O(1) + those later | O(1) | O(1) | O(1) | 6 | 3 |\n"
        "| `heap` | O(log n) | O(1) | O(n) at worst | O(n) | 6 + capacity | 4 |\n"
        "\nMore words.\n| `no` | O(1) |\n"
    )
    assert read_queues(page) == (
        DelayQueue("one_list", linear=True, unbounded=False, node_words=3),
        DelayQueue("heap", linear=False, unbounded=True, node_words=4),
    )
    assert read_queues(page)[0].name == "one-list"


@pytest.mark.parametrize("row", ["| `heap` | O(1) |", "| heap | a | b | c | d | e | 4 |"])
def test_a_row_out_of_form_is_an_error_at_its_line(row: str, tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"Words.\n\n{HEADING}{row}\n")
    with pytest.raises(ValueError, match=re.escape(f"{page}:5: found {row!r}")):
        read_queues(page)


def test_a_page_without_the_table_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("Words.\n")
    with pytest.raises(ValueError, match="no table of delay queues"):
        read_queues(page)


SYSTEM = """\
[system]
name = "two"
board = "host"
duration = "100 ms"

[[task]]
name = "fast"
period = "10 ms"
work = 10

[[task]]
name = "slow"
period = "25 ms"
work = 10
"""


def test_a_queue_and_its_row_are_all_that_a_system_needs(tmp_path: Path) -> None:
    """A copy of the tool and the kernel gets a queue by its header, its source and its row, and runs it."""
    shutil.copytree(ROOT / "src" / "horolog", tmp_path / "src" / "horolog")
    shutil.copytree(ROOT / "kernel", tmp_path / "kernel")
    for folder in ("baselines", "boards", "cmake", "include", "ports", "setup", "systems"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    queues = tmp_path / "kernel" / "queue"
    for kind in "hc":
        text = (queues / f"sorted_list.{kind}").read_text()
        spare = text.replace("sorted_list", "spare_list").replace("SORTED_LIST", "SPARE_LIST")
        (queues / f"spare_list.{kind}").write_text(spare)
    last = "| `calendar` |"
    row = "| `spare_list` | O(n) | O(1) | O(1) | O(1) | 6 | 3 |\n"
    page = (queues / "README.md").read_text()
    (queues / "README.md").write_text(page.replace(last, row + last))
    (tmp_path / "system.toml").write_text(SYSTEM)

    options = ["--mechanism", "one-shot", "--queue", "spare-list", "--json"]
    ran = subprocess.run(
        [sys.executable, "-m", "horolog", "run", "system.toml", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    side = json.loads(ran.stdout)["horolog"]
    assert (side["jobs"], side["deadline_misses"]) == (10 + 4, 0)
    (made,) = tmp_path.rglob("hrl_gen_system.c")
    assert "HRLI_QUEUE_STORE(spare_list)" in made.read_text()


def test_every_queue_has_unit_tests() -> None:
    there = {path.stem for path in (ROOT / "tests" / "unit" / "queue").glob("test_*.c")}
    assert {f"test_{name}" for name in NAMES} <= there
