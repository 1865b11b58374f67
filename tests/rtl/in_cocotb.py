# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds the benches of tests/rtl with the RTL, and runs the modules of cocotb tests in them."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from horolog.cache import cache_folder, made_once
from horolog.programs import call

__all__ = ["MODULES", "ROOT", "build", "outcomes", "names_in"]

ROOT = Path(__file__).resolve().parents[2]
MODULES = {"bench": ("cells", "controller", "others"), "cores_bench": ("cores",)}
"""By bench, the modules that drive it."""
_FLAGS = ("--unroll-count", "300", "-Wno-fatal", "-Wno-PINCONNECTEMPTY")  # lint is another test's


def names_in(module: str) -> list[str]:
    """The names of a module's tests, from its source: only the simulator can import it."""
    source = (ROOT / "tests" / "rtl" / f"{module}.py").read_text(encoding="utf-8")
    return re.findall(r"^@cocotb\.test\(\)\nasync def (\w+)", source, re.MULTILINE)


def _runner() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it is experimental
        from cocotb.runner import get_runner
    return get_runner("verilator")


def build(bench: str, rtl: Path, into: Path | None = None) -> Path:
    """The simulator of a bench with the RTL in `rtl`: in a folder, or once in the user's cache."""
    if into is not None:
        _build(bench, rtl, into)
        return into
    digest = hashlib.sha256()
    folders = [rtl, rtl / "cores"] if bench == "cores_bench" else [rtl]
    sources = [path for folder in folders for path in folder.glob("*.sv")]
    for source in sorted([ROOT / "tests" / "rtl" / f"{bench}.sv", *sources]):
        digest.update(f"{source.name}\n".encode() + source.read_bytes())
    for tool in ("verilator", "g++"):
        digest.update(call([tool, "--version"], seconds=60).output.encode())
    digest.update(f"{_FLAGS} {sys.version} {sys.prefix}".encode())  # it is linked with cocotb's
    folder = cache_folder() / f"cocotb-{digest.hexdigest()[:16]}"
    return made_once(folder, lambda work: _build(bench, rtl, work / folder.name))


def _build(bench: str, rtl: Path, folder: Path) -> None:
    _runner().build(
        verilog_sources=[ROOT / "tests" / "rtl" / f"{bench}.sv"],
        hdl_toplevel=bench,
        build_dir=str(folder),
        build_args=["-y", str(rtl), "-y", str(rtl / "cores"), *_FLAGS],
        always=True,
    )


def outcomes(bench: str, built: Path, module: str, results: Path) -> dict[str, str | None]:
    """For each test of the module: None if it passed, or else what went wrong."""
    environment = {"PYTHONPATH": str(ROOT), "COCOTB_ANSI_OUTPUT": "0"}
    with warnings.catch_warnings(), _apart():
        warnings.simplefilter("ignore")
        _runner().test(
            hdl_toplevel=bench,
            hdl_toplevel_lang="verilog",
            test_module=f"tests.rtl.{module}",
            build_dir=str(built),
            test_dir=str(results.parent),
            results_xml=str(results),
            extra_env=environment,
            seed=1,
        )
    found: dict[str, str | None] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        failure = case.find("failure")
        found[str(case.get("name"))] = None if failure is None else str(failure.attrib)
    return found


@contextmanager
def _apart() -> Iterator[None]:
    """The simulator's Python finds the tests, and the runner leaves the results to us, not to pytest."""
    test = os.environ.pop("PYTEST_CURRENT_TEST", None)
    sys.path.insert(0, str(ROOT))
    try:
        yield
    finally:
        sys.path.remove(str(ROOT))
        if test is not None:
            os.environ["PYTEST_CURRENT_TEST"] = test
