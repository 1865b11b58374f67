# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What soak.toml leaves to the soak is there."""

from __future__ import annotations

import pytest
from tests.conftest import IDLE_PATTERNS


def test_each_pattern_of_the_soak_has_a_test(pytestconfig: pytest.Config) -> None:
    if pytestconfig.args != pytestconfig.getini("testpaths"):
        pytest.skip("only where all tests are collected")
    assert pytestconfig.stash[IDLE_PATTERNS] == []
