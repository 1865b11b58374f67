# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board of several cores in its simulator: a program on all of them, waits, cycles, what is watched.

A soak, as each number of cores is a simulator of its own, which takes a minute and more to build. What
the cores share is tested without them by tests/rtl/cores.py, in every run.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rtl.test_board import CYCLE_NS, Program, assembled, events

from horolog.build.rtl import simulator
from horolog.programs import call

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("rtl-cores")]

CELLS = 64
TARGETS = ("own", "shared", "others", "devices", "locks")
ROUNDS = 16


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return assembled("cores", tmp_path_factory.mktemp("cores") / "cores.elf", f"-DCELLS={CELLS}")


Traffic = dict[tuple[str, ...], list[int]]


def traffic(path: Path) -> Traffic:
    """The figures by the words, and the core's number, before them."""
    found = {}
    for line in path.read_text(encoding="ascii").splitlines():
        words = line.split()
        names = 3 if words[0] == "core" else 1
        found[tuple(words[:names])] = [int(word) for word in words[names:]]
    return found


def ran(program: Program, cores: int, folder: Path, *, ports: bool = False) -> Traffic:
    """Runs it to its end, with the events of each core in `folder`."""
    board = simulator("maxperf", cores=cores, cells=CELLS, shared_ports=ports)
    folder.mkdir()
    command = [str(board), "--elf", str(program.elf), "--max-cycles", "100000"]
    command += ["--cores", str(folder / "cores")]
    for core in range(cores):
        command += ["--events", f"{core}:{folder / f'events-{core}'}"]
    done = call(command, seconds=60)
    assert (done.status, done.output) == (0, f"{cores}\n"), done.errors
    return traffic(folder / "cores")


@pytest.mark.parametrize("cores", [2, 4])
def test_tickets_doorbells_cells_and_the_clock_on_all_cores(
    cores: int, program: Program, tmp_path: Path
) -> None:
    found = ran(program, cores, tmp_path / "once")
    for number in map(str, range(cores)):
        for target in TARGETS:
            accesses, waits, longest = found["core", number, target]
            assert longest <= cores - 1
            assert waits <= longest * accesses
        assert found["core", number, "own"][1] == 0
        assert found["core", number, "locks"][0] >= 3 * ROUNDS
    # What the hardware counts is what was seen from outside. Core 0 goes on for a while, alone.
    for core in range(cores):
        happened = events(tmp_path / "once" / f"events-{core}")
        memory, locks = [number for _, kind, number in happened if kind == "trace"]
        shared, others = (found["core", str(core), name][1] for name in ("shared", "others"))
        assert (memory, locks) == (shared + others, found["core", str(core), "locks"][1])
        assert [(kind, number) for _, kind, number in happened].count(("claim", 5)) == 2
    for target in ("shared", "locks"):
        assert sum(found["core", str(core), target][1] for core in range(cores)) > 0


def test_a_run_is_the_same_each_time(program: Program, tmp_path: Path) -> None:
    for name in ("once", "again"):
        ran(program, 2, tmp_path / name)
    for path in (tmp_path / "once").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def test_with_a_port_for_each_core_shared_memory_does_not_wait(
    program: Program, tmp_path: Path
) -> None:
    found = ran(program, 2, tmp_path / "ports", ports=True)
    assert [found["core", core, "shared"][1] for core in "01"] == [0, 0]


def test_a_core_is_watched_by_its_number(program: Program, tmp_path: Path) -> None:
    at = program.symbols
    config = tmp_path / "watch"
    config.write_text(
        "\n".join(
            [
                f"ns_per_instruction {CYCLE_NS}",
                "end_ns 20",
                f"limit_ns {50_000 * CYCLE_NS}",
                f"start_ns {50_000 * CYCLE_NS}",
                f"out {tmp_path / 'counts'}",
                f"function {at['vectors']:#x} {at['idle']:#x} k",
                f"function {at['idle']:#x} {at['idle_end']:#x} i",
                f"function {at['idle_end']:#x} {at['program_end']:#x} k",
                f"interrupt {at['rings']:#x} {10_000 * CYCLE_NS}",
                f"interrupt {at['on_cell']:#x} {10_000 * CYCLE_NS}",
                "raise 5 0",
            ]
        )
        + "\n",
        encoding="ascii",
    )
    cores = tmp_path / "cores"
    command = [str(simulator("maxperf", cores=2, cells=CELLS)), "--elf", str(program.elf)]
    done = call([*command, "--watch", f"1:{config}", "--cores", str(cores)], seconds=60)
    assert (done.status, done.output) == (0, ""), "it is over when core 1 is idle"
    counts: dict[str, list[int]] = {}
    lines = (tmp_path / "counts").read_text(encoding="ascii").splitlines()
    assert lines[0] == "status done"
    for line in lines[1:]:
        word, *numbers = line.split()
        counts.setdefault(word, []).append(int(numbers[-1]))
    assert counts["taken"] == [2, 1], "the source that core 0 raises, and the cell that is core 1's"
    assert counts["releases"] == [1], "the second time, from the window's begin on"
    assert sum(counts["function"]) + counts["elsewhere"][0] == counts["total"][0]
    figures = traffic(cores)
    assert figures["core", "1", "window"][0] + counts["total"][0] == figures["cycles",][0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--watch", "nowhere"), "--watch needs CORE:FILE, not nowhere"),
        (("--events", "2:nowhere"), "--events: the board has cores 0 to 1, not 2"),
        (("--visits", "one:nowhere"), "--visits needs a number, not one"),
        (("--watch", "1:nowhere"), "nowhere: cannot be read"),
        (("--cores", "/nowhere/at/all"), "/nowhere/at/all: cannot be written"),
    ],
)
def test_the_simulator_says_what_is_wrong(
    arguments: tuple[str, ...], says: str, program: Program
) -> None:
    board = simulator("maxperf", cores=2, cells=CELLS)
    done = call([str(board), "--elf", str(program.elf), *arguments], seconds=60)
    assert done.status == 125
    assert says in done.errors
