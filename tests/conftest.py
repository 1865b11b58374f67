# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What all tests share: nothing of the developer's own configuration gets in, and a cache of compilations."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An empty configuration folder, so that the costs are those that come with Horolog."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("no-configuration")))
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The kernel is built some hundred times, mostly from the same sources with the same flags.

    The tool keeps those of its own builds (build/compiled.py). ccache has the rest: FreeRTOS, CMake projects,
    what Verilator writes. It compares sources and flags. It does not see what the assembler includes, so a
    cache is of one run, in which that is not edited. A test of what a compiler makes of a folder's name sets
    CCACHE_DISABLE.
    """
    ccache = shutil.which("ccache")
    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    with pytest.MonkeyPatch.context() as patch:
        if ccache is not None:
            patch.setenv("CMAKE_C_COMPILER_LAUNCHER", ccache)
            patch.setenv("OBJCACHE", ccache)  # of the makefiles that Verilator writes
            patch.setenv("CCACHE_DIR", str(run / "ccache"))
            # Where something is built is part of its debug information, but of nothing that is tested.
            patch.setenv("CCACHE_NOHASHDIR", "1")
        yield
