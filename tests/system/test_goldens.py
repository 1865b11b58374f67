# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Golden files: generated C, emulator output, the kernel's size and the board's costs.

`pytest tests/system --update-goldens` writes them anew; review the difference before committing it.
What depends on compiler and emulator holds for the versions that the files name (Debian 12's) and is
skipped, loudly, with others. boards/*/costs.toml are not written here: horolog calibrate does.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from tests.system.conftest import Goldens
from tests.system.support import (
    BOARD,
    BOARD_CELLS,
    ROOT,
    example,
    horolog,
    made_plan,
    one_shot,
    periodic,
    tools,
)

from horolog import __version__
from horolog.analyse import threads_apart
from horolog.build.toolchains import tool_versions
from horolog.calibrate import basic as calibrate_basic
from horolog.calibrate import board as calibrate_board
from horolog.calibrate import calibrate, costs_toml
from horolog.calibrate import stores as calibrate_stores
from horolog.calibrate.stores import COOPERATIONS, EXPERIMENTS
from horolog.emit import generate
from horolog.model import QUEUES, Kind, Mode, Plan, System
from horolog.plan import NOTHING, STEPS, plan
from horolog.plan.prices.basic_costs import BASIC_STEPS
from horolog.read import board_names, read_board, read_system

pytestmark = pytest.mark.golden

CALIBRATED = [
    name
    for name in board_names()
    if read_board(name).runner.ns_per_instruction
    and read_board(name).cores == 1
    and (read_board(name).directory / "costs.toml").is_file()
]

SMALL = Path(__file__).parent / "golden" / "small" / "system.toml"
SPORADIC = SMALL.with_name("sporadic.toml")


# --- generated C: any version of any tool ----------------------------------------------------------


def mixed(system: System) -> Plan:
    """Every device, both modes, a divider, a first instant after t = 0, a handler the clock shares."""
    return made_plan(
        periodic("timer0", [0], 62_500),
        one_shot("timer1", [2, 3]),
        periodic("dual0", [1], 125_000, first=31_250),
        periodic("systick", [4], 25_000_000, divider=2),
    )


PLANS: dict[str, Callable[[System], Plan]] = {
    # By a queue that is named, so that new costs do not change what is generated.
    "chosen": lambda system: plan(system, mechanism="chronos", queue="sorted-list").choice,
    "one-shot": lambda system: plan(system, mechanism="one-shot", queue="sorted-list").choice,
    "apart": lambda system: plan(system, mechanism="chronos", queue="sorted-list").choice,
    "mixed": mixed,
    "host": lambda system: plan(system, mechanism="one-shot").choice,
    "cells": lambda system: plan(system, mechanism="sloth", prices=NOTHING).choice,
    "sporadic": lambda system: plan(system, mechanism="one-shot", queue="sorted-list").choice,
}


@pytest.mark.parametrize("name", PLANS)
def test_generated_sources(name: str, goldens: Goldens) -> None:
    if name == "cells":  # one for each line: each task, and two that share a level
        system = read_system(SMALL, board="ibex-cells", kind=Kind.BASIC)
        system = replace(system, cells=tuple(cell.name for cell in system.board.cells[:4]))
    elif name == "sporadic":
        system = read_system(SPORADIC)
    else:
        system = read_system(SMALL, board="host" if name == "host" else None)
    if name == "apart":  # each task in a thread of its own
        system = threads_apart(system)
    chosen = PLANS[name](system)
    files = generate(system, chosen)
    for file, text in files.items():
        # REUSE-IgnoreStart
        assert "SPDX-License-Identifier: 0BSD" in text
        # REUSE-IgnoreEnd
        text = text.replace(str(ROOT), "ROOT").replace(__version__, "VERSION")
        goldens.check(f"generated/{name}/{file}.golden", text)
    kept = {
        path.name.removesuffix(".golden") for path in goldens.folder.glob(f"generated/{name}/*")
    }
    assert kept == set(files)


def test_a_fraction_of_a_count_is_in_the_golden_system_of_the_one_shot_plan() -> None:
    """So that the goldens cover what they say they do."""
    system = read_system(SMALL)
    tasks = (replace(system.tasks[0], period=system.tasks[0].period / 3), *system.tasks[1:])
    text = generate(replace(system, tasks=tasks), made_plan(one_shot("timer0", range(5))))
    assert "20833u, 0u, 1u, 3u, 0u" in text["hrl_gen_system.c"]


# --- emulator output -------------------------------------------------------------------------------


@pytest.mark.emulator
@pytest.mark.parametrize("name", ["result-chronos", "result-one-shot", "result-chronos-apart"])
def test_the_emulators_output(
    name: str, goldens: Goldens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mechanism = name.removeprefix("result-").removesuffix("-apart")
    apart = name.endswith("-apart")  # each task in a thread of its own
    name = f"{name}.json"
    named: dict[str, str] = {}
    if (goldens.folder / name).is_file():
        named = json.loads((goldens.folder / name).read_text(encoding="utf-8"))["versions"]
    goldens.need_versions(named)
    # The plan's predictions depend on costs.toml, which has a test of its own.
    for file in SMALL.parent.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    if apart:
        text = (tmp_path / "system.toml").read_text(encoding="utf-8")
        text = text.replace("[system]\n", '[system]\nshare = "never"\n', 1)
        (tmp_path / "system.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    how = ("--mechanism", mechanism, "--queue", "sorted-list")
    said = horolog("run", "system.toml", *how)
    assert said.code == 0, said.err
    data: dict[str, Any] = json.loads(Path("build/small/run.json").read_text(encoding="utf-8"))
    del data["alternatives"], data["deadlines"]
    data["versions"]["horolog"] = "VERSION"
    goldens.check(name, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


# --- sizes -----------------------------------------------------------------------------------------


def sizes(build: Path) -> dict[str, dict[str, int]]:
    """text, data and bss in bytes of the objects in each room, bodies and FreeRTOS left out."""
    found: dict[str, dict[str, int]] = defaultdict(lambda: {"text": 0, "data": 0, "bss": 0})
    for path in sorted(build.glob("CMakeFiles/*/**/*.obj")) + sorted(
        build.glob("CMakeFiles/*/**/*.o")
    ):
        room = path.relative_to(build / "CMakeFiles").parts[0].removesuffix(".dir")
        if room in ("hrl_bodies", "freertos") or room[0].isdigit():  # CMake's own trials
            continue
        with path.open("rb") as stream:
            for section in ELFFile(stream).iter_sections():
                flags = section["sh_flags"]
                if not flags & SH_FLAGS.SHF_ALLOC or section.name == ".hrl_layout":
                    continue
                if section.name.startswith(".hrl_stacks"):
                    continue  # what the user asked for
                if section["sh_type"] == "SHT_NOBITS":
                    kind = "bss"
                else:
                    kind = "data" if flags & SH_FLAGS.SHF_WRITE else "text"
                found[room][kind] += section["sh_size"]
    return {room: dict(found[room]) for room in sorted(found)}


def budget_toml(measured: dict[str, dict[str, int]], named: dict[str, str]) -> str:
    lines = [
        "# Bytes of the kernel's objects in the drone example, by room; `horolog` is what is generated.",
        "# A budget: a test fails above it. Written by pytest tests/system --update-goldens.",
        "",
        "[versions]",
        f'arm-none-eabi-gcc = "{named["arm-none-eabi-gcc"]}"',
        "",
        "[sizes]",
    ]
    for room, row in measured.items():
        row_text = ", ".join(f"{kind} = {row[kind]}" for kind in ("text", "data", "bss"))
        lines.append(f"{room} = {{ {row_text} }}")
    return "\n".join(lines) + "\n"


@pytest.mark.emulator
def test_the_kernel_keeps_to_its_budget_of_bytes(
    goldens: Goldens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no kept kernel: all objects
    path = goldens.folder / "sizes-armv7m.toml"
    budget: dict[str, Any] = {"versions": {}, "sizes": {}}
    if path.is_file():
        budget = tomllib.loads(path.read_text(encoding="utf-8"))
    goldens.need_versions({**tools(), **budget["versions"]})
    # By a mechanism and a queue that are named, so that new costs do not change what is linked.
    how = ("--mechanism", "chronos", "--queue", "sorted-list")
    said = horolog("build", example("drone"), *how, "--out", tmp_path)
    assert said.code == 0, said.err
    measured = sizes(tmp_path / "cmake" / BOARD)
    assert {"hrl_thread", "hrl_queue", "hrl_port", "hrl_start", "horolog"} <= set(measured)
    if goldens.update:
        goldens.check(path.name, budget_toml(measured, tools()))
        return
    over = [
        f"{room}.{kind}: {measured[room][kind]} bytes, budget {row.get(kind, 0)}"
        for room in measured
        for row in [budget["sizes"].get(room, {})]
        for kind in ("text", "data", "bss")
        if measured[room][kind] > row.get(kind, 0)
    ]
    assert over == []


def test_the_sizes_are_those_of_the_size_tool(tmp_path: Path) -> None:
    """Of one object: text counts read-only data, as `size` does."""
    from horolog.programs import call

    source = tmp_path / "a.c"
    source.write_text(
        "int zero[3]; int one = 1; const int two[2] = {2, 2}; int f(void) { return one; }\n"
    )
    room = tmp_path / "CMakeFiles" / "hrl_a.dir"
    room.mkdir(parents=True)
    made = call(["arm-none-eabi-gcc", "-c", "-mcpu=cortex-m3", "-mthumb", "-O2", str(source),
                 "-o", str(room / "a.c.obj")], seconds=60)  # fmt: skip
    assert made.status == 0, made.errors
    said = call(["arm-none-eabi-size", str(room / "a.c.obj")], seconds=60).output.splitlines()[1]
    text, data, bss = map(int, said.split()[:3])
    assert sizes(tmp_path) == {"hrl_a": {"text": text, "data": data, "bss": bss}}


# --- costs -----------------------------------------------------------------------------------------


def _of_stores() -> int:
    """Runs of small systems for the stores without a queue; with one-shot cells those without a tick."""
    ticks = sum(experiment.periodic == "tick" for experiment in EXPERIMENTS)
    return sum(
        len(EXPERIMENTS) - (ticks if mode is Mode.ONE_SHOT else 0)
        for modes in STEPS.values()
        for mode in modes
    )


@pytest.mark.soak  # 46 s
@pytest.mark.emulator
def test_a_part_of_the_calibration_is_a_part_of_the_costs(
    goldens: Goldens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps of threads, two stores and two release methods of basic tasks; a whole one takes minutes."""
    board = read_board(BOARD)
    committed = tomllib.loads((board.directory / "costs.toml").read_text(encoding="utf-8"))
    named = dict(part.rsplit(" ", 1) for part in committed["meta"]["toolchain"].split(", "))
    goldens.need_versions(named, tool_versions(board))
    # Shared threads are measured over groups, and lines that are served in order over their queue.
    stores, methods = ("mask-table", "period-groups"), ("direct", "queue")
    monkeypatch.setattr(calibrate_stores, "STEP_STORES", stores)
    monkeypatch.setattr(calibrate_basic, "BASIC_STEPS", {one: BASIC_STEPS[one] for one in methods})
    monkeypatch.setattr(calibrate_board, "calibrate_queues", lambda *_: {})
    monkeypatch.setattr(calibrate_board, "calibrate_handlers", lambda *_: {})
    monkeypatch.setattr(calibrate_board, "calibrate_sizes", lambda *_: None)
    # What it takes away from its measurements are the costs of all stores.
    monkeypatch.setattr(calibrate_board, "calibrate_cooperation", lambda *_: None)
    found = tomllib.loads(costs_toml(calibrate(board, lambda text: None)))
    run = f"run: horolog calibrate {BOARD} --shipped"
    left_out = {"queue", "cooperation", "cooperation-by-queue", "flash", "handler"}
    assert found.keys() == committed.keys() - left_out
    # What a wait of another store costs beside masks is measured against the prices of all stores.
    of_all = {key: cost for key, cost in committed["costs"].items() if key != "masks"}
    assert {key: cost for key, cost in found["costs"].items() if key != "masks"} == of_all, run
    assert found["store"] == {store: committed["store"][store] for store in stores}, run
    assert found["basic"] == {method: committed["basic"][method] for method in methods}, run


@pytest.mark.soak
@pytest.mark.emulator
@pytest.mark.parametrize("name", CALIBRATED)
def test_the_boards_costs_are_what_calibration_measures(name: str, goldens: Goldens) -> None:
    board = read_board(name)
    committed = (board.directory / "costs.toml").read_text(encoding="utf-8")
    made_with = tomllib.loads(committed)["meta"]["toolchain"]
    named = dict(part.rsplit(" ", 1) for part in made_with.split(", "))
    goldens.need_versions(named, tool_versions(board))
    steps: list[str] = []
    made = calibrate(board, steps.append)
    found = costs_toml(made)
    of_queues = 1 + 2 * len(QUEUES) if made.queues else 0
    of_cooperation = 0 if made.cooperation is None else len(COOPERATIONS)
    of_basic = sum(step.startswith("basic tasks") for step in steps)
    assert (of_basic > 0) == (board.controller is not None)
    beside = ("budgets", "no-table", "schedule-tables", "tables-in-cells")
    of_guards = sum(step.startswith(beside) for step in steps)
    of_wraps = 3 if board.clock.width < 32 else 0
    known = 8 + of_queues + _of_stores() + of_cooperation + of_wraps
    assert len(steps) == len(set(steps)) == known + of_basic + of_guards
    run = f"run: horolog calibrate {name} --shipped"
    assert tables(found) == tables(committed), run


def tables(text: str) -> dict[str, list[str]]:
    """The lines of a TOML file by the table that they are in; where a table stands means nothing."""
    return {part.split("\n", 1)[0]: part.splitlines() for part in text.split("\n[")}


def test_the_board_has_the_cells_that_the_mixed_plan_names() -> None:
    assert tuple(cell.name for cell in read_board(BOARD).cells) == BOARD_CELLS
