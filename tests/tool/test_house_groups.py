# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tests of an `xdist_group`, which share what is costly to make, are on one worker.

Where pytest-xdist does not find the groups all tests pass, but each worker makes everything.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from horolog.programs import call

ROOT = Path(__file__).resolve().parents[2]

_TESTS = """\
import pytest


@pytest.mark.parametrize("number", range(2))
@pytest.mark.xdist_group("shared")
def test_in_a_group(number, worker_id):
    print(f"<group {worker_id}>")


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("name", ["drone"])
def test_of_an_example(name, number, worker_id):
    print(f"<example {worker_id}>")


@pytest.mark.parametrize("number", range(20))
def test_alone(number, worker_id):
    print(f"<alone {worker_id}>")
"""


def test_tests_of_a_group_and_of_an_example_are_on_one_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of an example as tests/system/conftest.py does: the hook of a folder that pytest begins with.

    Two of each, as a worker with no more than two tests to do is given more: so both workers begin with one
    of the first two tests, unless these are a group.
    """
    conftest = "from tests.system.conftest import pytest_collection_modifyitems\n"
    (tmp_path / "conftest.py").write_text(conftest, encoding="utf-8")
    (tmp_path / "test_some.py").write_text(_TESTS, encoding="utf-8")
    ini = f"[pytest]\npythonpath = {ROOT} {ROOT / 'src'}\n"
    (tmp_path / "pytest.ini").write_text(ini, encoding="utf-8")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take as long as the tests
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "xdist",
        "-n",
        "2",
        "--dist",
        "loadgroup",
        "-rP",
    ]
    done = call(command, seconds=600, folder=tmp_path)
    assert done.status == 0, done.output + done.errors
    assert "24 passed" in done.output
    found: dict[str, set[str]] = {"group": set(), "example": set(), "alone": set()}
    for tests, worker in re.findall("<([a-z]+) (gw[0-9])>", done.output):
        found[tests].add(worker)
    counts = {tests: len(workers) for tests, workers in found.items()}
    assert counts == {"group": 1, "example": 1, "alone": 2}
