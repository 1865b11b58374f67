# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What all tests share: an empty configuration, a cache of compilations, and what is left to the soak."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browser.visits import NOT_VISITED

from horolog.build.rp2040 import rp2040_simulator
from horolog.model import HorologError

NOT_SIMULATED = "THE BOARD PICO WAS NOT SIMULATED"
NO_STM32 = "STM32 AND PICO-X2 NOT SIMULATED"
NO_VENDOR = "VENDORS' LIBRARIES NOT COMPILED"
_SOAK = Path(__file__).with_name("soak.toml")
IDLE_PATTERNS = pytest.StashKey[list[str]]()
"""The patterns of soak.toml that none of the collected tests has."""


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what soak.toml leaves to the soak, and keep the patterns that no test has (test_house_soak.py)."""
    left = tomllib.loads(_SOAK.read_text(encoding="utf-8"))["left"]
    patterns = [re.compile(rf"^tests/{one}") for group in left for one in group["tests"]]
    idle = set(patterns)
    for item in items:
        for pattern in patterns:
            if pattern.search(item.nodeid):
                idle.discard(pattern)
                item.add_marker(pytest.mark.soak)
    # Not raised here: a worker of xdist that ends with an error of use says nothing of it.
    config.stash[IDLE_PATTERNS] = sorted(one.pattern for one in idle)


@pytest.fixture(autouse=True)
def simulates_pico(request: pytest.FixtureRequest) -> None:
    """Tests that need rp2040js are run where it is. The summary says if it is not, and what to install."""
    if request.node.get_closest_marker("rp2040js") is None:
        return
    try:
        rp2040_simulator()
    except HorologError as error:
        pytest.skip(f"{NOT_SIMULATED}: {error.message}; {error.expected}")


@pytest.fixture(autouse=True)
def simulates_stm32(request: pytest.FixtureRequest) -> None:
    """Tests of STM32 boards are run where cargo compiles their simulator. The summary says if it cannot."""
    if request.node.get_closest_marker("stm32") is not None and shutil.which("cargo") is None:
        pytest.skip(f"{NO_STM32}: no cargo")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says loudly what was not run."""
    for what in (NOT_SIMULATED, NO_STM32, NO_VENDOR, NOT_VISITED):
        skipped = [
            report
            for report in terminalreporter.stats.get("skipped", [])
            if what in str(report.longrepr)
        ]
        if skipped:
            terminalreporter.section(f"WARNING: {what}", sep="!", red=True, bold=True)
            terminalreporter.line(str(skipped[0].longrepr[2]))
            for report in skipped:
                terminalreporter.line(report.nodeid)


@pytest.fixture(scope="session", autouse=True)
def no_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An empty configuration folder, so that the costs are those that come with Horolog."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("no-configuration")))
        patch.delenv("COLUMNS", raising=False)  # to which piped output would be fitted
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
