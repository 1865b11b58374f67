# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whole systems, from TOML to a measured run. Times are the emulator's or the host port's virtual ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.system.support import (
    BOARD,
    EXAMPLES,
    Run,
    example,
    horolog_process,
    measured,
    tools,
)

from horolog.analyse import threads_apart
from horolog.build.freertos import freertos_source
from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import read_system

UPDATE = "--update-goldens"
LOUD = "GOLDEN FILES WERE NOT COMPARED"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        UPDATE,
        action="store_true",
        help="write tests/system/golden anew from what the tools do now, then review the diff",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if LOUD in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.section(f"WARNING: {LOUD}", sep="!", red=True, bold=True)
        for report in skipped:
            terminalreporter.line(f"{report.nodeid}: {report.longrepr[2]}")


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one example go to one worker (--dist loadgroup), so that it is measured once.

    Not those that have a group already.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is not None:
            continue
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            name = item.callspec.params.get("name")
            if name in EXAMPLES:
                item.add_marker(pytest.mark.xdist_group(name))


@dataclass(frozen=True)
class Goldens:
    """The files of tests/system/golden."""

    folder: Path
    update: bool

    def check(self, name: str, text: str) -> None:
        """`text` is what golden file `name` holds; with --update-goldens, from now on."""
        path = self.folder / name
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.is_file(), f"{name} is missing: pytest tests/system {UPDATE}"
        if path.read_text(encoding="utf-8") != text:
            # As lists of lines, so that pytest shows the difference.
            assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()
            pytest.fail(f"{name} differs in its line ends")

    def need_versions(self, named: dict[str, str], here: dict[str, str] | None = None) -> None:
        """Skip, loudly, unless the tools here are those that a golden file was made with.

        `here` are those that count for it, where they are not the usual board's.
        """
        here = tools() if here is None else here
        other = {name: here[name] for name in here if here[name] != named.get(name)}
        if other and not self.update:
            pytest.skip(f"{LOUD}: they hold for {named}, here is {other}")


@pytest.fixture(scope="session")
def goldens(request: pytest.FixtureRequest) -> Goldens:
    return Goldens(Path(__file__).parent / "golden", bool(request.config.getoption(UPDATE)))


@pytest.fixture(scope="session")
def freertos() -> Path:
    """FreeRTOS's source, or the test is skipped: the comparison is optional."""
    source = freertos_source()
    if source is None:
        pytest.skip("FreeRTOS's source is not here; make setup-run says how to get it")
    return source


@dataclass(frozen=True)
class Compared:
    """What `horolog compare` left in its folder."""

    folder: Path
    out: Path
    result: dict[str, Any]


@pytest.fixture(scope="session")
def compared(tmp_path_factory: pytest.TempPathFactory, freertos: Path) -> Callable[[str], Compared]:
    """`horolog compare system.toml` in a folder that holds a copy of an example; once each."""
    done: dict[str, Compared] = {}

    def compare(name: str) -> Compared:
        if name not in done:
            folder = tmp_path_factory.mktemp(name)
            copy_example(name, folder)
            said = horolog_process("compare", "system.toml", folder=folder)
            assert said.code == 0, said.err
            out = folder / "build" / name
            done[name] = Compared(folder, out, json.loads((out / "result.json").read_text()))
        return done[name]

    return compare


def copy_example(name: str, folder: Path) -> None:
    for source in example(name).parent.iterdir():
        (folder / source.name).write_bytes(source.read_bytes())


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Callable[[System, Plan], Run]:
    """Builds and runs a system by a plan. One build folder a board, so that the kernel is built once."""
    folder = tmp_path_factory.mktemp("bench")

    def run(system: System, by: Plan) -> Run:
        return measured(system, by, folder / system.board.name)

    return run


@pytest.fixture(scope="session")
def example_run(bench: Callable[[System, Plan], Run]) -> Callable[..., Run]:
    """An example run on a board by a mechanism, with the planner's stores or the one named; once each.

    With a store that is named each task has a thread of its own: many are to wait in it.
    """
    done: dict[tuple[str, str, str, str | None], Run] = {}

    def run(name: str, mechanism: str, board: str = BOARD, queue: str | None = None) -> Run:
        key = name, mechanism, board, queue
        if key not in done:
            system = read_system(example(name), board=board)
            if queue is not None:
                system = threads_apart(system)
            done[key] = bench(system, plan(system, mechanism=mechanism, queue=queue).choice)
        return done[key]

    return run
