# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tests of an `xdist_group`, which share what is costly to make, are on one worker.

Where pytest-xdist does not find the groups all tests pass, but each worker makes everything.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from horolog.programs import call

ROOT = Path(__file__).resolve().parents[2]

_TESTS = """\
import pytest


@pytest.mark.parametrize("number", range(20))
@pytest.mark.xdist_group("shared")
def test_in_a_group(number, worker_id):
    print(f"<{worker_id}>")


@pytest.mark.parametrize("number", range(20))
def test_alone(number, worker_id):
    print(f"<{worker_id}>")
"""


def workers(folder: Path, only: str) -> set[str]:
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-rP", "-k", only]
    done = call(command, seconds=600, folder=folder)
    assert done.status == 0, done.output + done.errors
    assert "20 passed" in done.output
    return set(re.findall("<(gw[0-9])>", done.output))


_NAMED = """\
import pytest


@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize("name", ["drone"])
def test_of_an_example(name, number, worker_id):
    print(f"<{worker_id}>")
"""


def test_tests_of_an_example_are_on_one_worker(tmp_path: Path) -> None:
    """As tests/system/conftest.py groups them; the hook of a folder that pytest begins with."""
    conftest = "from tests.system.conftest import pytest_collection_modifyitems\n"
    (tmp_path / "conftest.py").write_text(conftest, encoding="utf-8")
    (tmp_path / "test_some.py").write_text(_NAMED, encoding="utf-8")
    ini = f"[pytest]\npythonpath = {ROOT} {ROOT / 'src'}\n"
    (tmp_path / "pytest.ini").write_text(ini, encoding="utf-8")
    assert len(workers(tmp_path, "test_of_an_example")) == 1


def test_tests_of_a_group_are_on_one_worker(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(_TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    assert len(workers(tmp_path, "test_in_a_group")) == 1
    assert len(workers(tmp_path, "test_alone")) == 2
