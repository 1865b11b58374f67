# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Deadlines that hold, for many rounds: their interrupts, which are to be none, and drift (Figure 6).

The same is run with a deadline that every round misses, to show that the counting sees interrupts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from horolog.data import data_root
from horolog.image import read_image
from horolog.model import Board, Exit, HorologError, Releaser, System
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.figure import Timeline, timeline
from horolog_experiments.dispatch.scenarios import Job, Platform, SystemImage
from horolog_experiments.dispatch.systems import build_planned
from horolog_experiments.dispatch.visits import Log
from horolog_experiments.dispatch.watching import Built, owner_numbers, watch
from horolog_experiments.tables.host import counts_of, run_host, starts_in
from horolog_experiments.tables.systems import duration

__all__ = [
    "HELD",
    "HELD_ROUND",
    "HOST",
    "IMAGES",
    "MISSED",
    "HeldImage",
    "Held",
    "deadline_marks",
    "drift_of",
    "held_text",
    "hold_on_board",
    "hold_on_host",
    "interrupts_of",
]

HOST = "host"
HELD_ROUND = 2003
"""Counts: a prime."""
_MORE_ROUNDS = 3
_CELLS = 6


@dataclass(frozen=True, slots=True)
class HeldImage:
    """Points of a table: offset, task, deadline and longest job, in counts. `sources`: of bench/tables."""

    name: str
    points: tuple[tuple[int, str, int, int], ...]
    sources: tuple[str, ...]


HELD = HeldImage(
    "held",
    ((0, "first", 700, 150), (250, "second", 700, 150), (500, "third", 1400, 1250)),
    ("held.c",),
)
"""The deadlines of the first two come while the third runs, as in the paper's figure."""
MISSED = HeldImage(
    "missed",
    ((0, "first", 160, 150), (30, "second", 700, 150), (500, "third", 1400, 1250)),
    ("held.c", "missed.c"),
)
"""The second task preempts the first, which so misses its deadline in every round."""
IMAGES = (HELD, MISSED)


@dataclass(frozen=True, slots=True)
class Held:
    """What `rounds` rounds had: jobs, monitored deadlines, and interrupts of the cells that monitor them.

    `drift`: the most counts that a point was away from its first instant and whole rounds. `latest`: the
    longest from a point to its task's first instruction.
    """

    rounds: int
    jobs: int
    deadlines: int
    interrupts: int
    drift: int
    latest: int


def held_text(image: HeldImage, board: Board) -> str:
    """The description of `image`."""
    bench, hz = (data_root() / "bench" / "tables").resolve(), board.clock.hz
    cells = ", ".join(f'"{cell.name}"' for cell in board.cells[:_CELLS])
    sources = ", ".join(f'"{bench / source}"' for source in image.sources)
    lines = [
        "[system]",
        f'name = "table-{image.name}"',
        f'board = "{board.name}"',
        f"cells = [{cells}]",
        'duration = "1 s"',
        f"sources = [{sources}]",
    ]
    for _, task, _, lasts in image.points:
        lines += ["", "[[task]]", f'name = "{task}"', f'body = "bench_held_{task}"']
        lines.append(f'wcet = "{duration(lasts, hz)}"')
    lines += [
        "",
        "[[table]]",
        'name = "table"',
        'kind = "dispatcher"',
        f'round = "{duration(HELD_ROUND, hz)}"',
        'deadline_monitoring = "stringent"',
    ]
    for offset, task, deadline, _ in image.points:
        lines += ["", "[[table.point]]", f'offset = "{duration(offset, hz)}"']
        lines += [f'activate = "{task}"', f'deadline = "{duration(deadline, hz)}"']
    return "\n".join(lines) + "\n"


def _read(image: HeldImage, board: Board, folder: Path) -> System:
    path = folder / f"{image.name}.toml"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(held_text(image, board), encoding="utf-8")
    return read_system(path)


def hold_on_host(image: HeldImage, rounds: int, folder: Path) -> Held:
    """Run `rounds` rounds of `image` on the host port. A job begins at the instant of its point there."""
    board = read_board(HOST)
    system = _read(image, board, folder)
    run = run_host(system, rounds * HELD_ROUND, folder)
    hz = board.clock.hz
    seen, drift, latest = [0] * len(image.points), 0, 0
    for ns, task in starts_in(run.trace):
        away = counts_of(ns, hz) - seen[task] * HELD_ROUND - image.points[task][0]
        drift = max(drift, abs(away))
        latest = max(latest, away)
        seen[task] += 1
    run.trace.unlink()
    _expect(seen, rounds, f"{image.name} on the host port")
    interrupts = sum(run.taken[board.cell(name).instance] for name in _monitors(system))
    return Held(rounds, sum(seen), sum(seen), interrupts, drift, latest)


def _monitors(system: System) -> tuple[str, ...]:
    """The cells that monitor deadlines."""
    (table,) = system.tables
    assert table.deadline_cells is not None
    return table.deadline_cells.names


def _expect(jobs: Sequence[int], rounds: int, where: str) -> None:
    if set(jobs) != {rounds}:
        raise HorologError(
            f"{where}: jobs of the table were lost",
            found=", ".join(map(str, jobs)),
            expected=f"{rounds} of each task",
            exit=Exit.TARGET_FAILED,
        )


def hold_on_board(
    image: HeldImage, platform: Platform, rounds: int, out: Path
) -> tuple[Held, Timeline]:
    """Run `rounds` rounds of `image` on the simulated core; the second round, drawn."""
    board = read_board(platform.board)
    system = _read(image, board, out / "systems")
    choice = plan(system).choice
    jobs = tuple(
        Job(task, f"bench_held_{task}", "table", 1, lasts=lasts)
        for _, task, _, lasts in image.points
    )
    built = build_planned(SystemImage(image.name, image.name, jobs, ()), system, choice, out).built
    cells = [_cell_of(system, choice.releasers, task) for task in range(len(jobs))]
    stem = f"{platform.name}-{image.name}"
    counts = (rounds + _MORE_ROUNDS) * HELD_ROUND
    log = watch(built, platform, counts, stem, functions=True)
    image_of = read_image(built.elf)
    entries = [image_of.address(f"{board.cell(name).handler}_entry") for name in _monitors(system)]
    end = log.expiries[cells[0]][0] + rounds * HELD_ROUND
    owners = log.of_owners()
    found = [
        _instants(owners, log.expiries[cell][:rounds], owner_numbers(built)[job.owner])
        for cell, job in zip(cells, jobs, strict=True)
    ]
    _expect([len(delays) for delays, _ in found], rounds, stem)
    held = Held(
        rounds,
        sum(len(delays) for delays, _ in found),
        rounds * len(image.points),
        interrupts_of(log, entries, end),
        max(drift for _, drift in found),
        max(max(delays) for delays, _ in found),
    )
    return held, _drawn(image, built, owners, log.expiries[cells[0]][1])


def _cell_of(system: System, releasers: Sequence[Releaser], task: int) -> str:
    """What a Log calls the expiries of the cell that releases `task` and no other."""
    (cell,) = (one.cell for one in releasers if one.tasks == (task,))
    return f"cell {system.board.cell(cell).instance}"


def _instants(owners: Log, expiries: Sequence[int], owner: int) -> tuple[list[int], int]:
    """From each expiry to its job's first instruction, if that came within a round; and their drift."""
    delays = []
    for expiry in expiries:
        for visit in owners.following(expiry):
            if visit.first >= expiry + HELD_ROUND:
                break
            if visit.owner == owner:
                delays.append(visit.first - expiry)
                break
    return delays, drift_of(expiries)


def drift_of(instants: Sequence[int]) -> int:
    """The most that one of `instants` is away from the first and whole rounds."""
    return max(abs(at - instants[0] - nth * HELD_ROUND) for nth, at in enumerate(instants))


def interrupts_of(log: Log, entries: Collection[int], end: int) -> int:
    """How often the processor came to one of the addresses `entries` before `end`."""
    return sum(visit.places[0] in entries for visit in log.visits if visit.first < end)


def _drawn(image: HeldImage, built: Built, owners: Log, due: int) -> Timeline:
    numbers = owner_numbers(built)
    begin = due - HELD_ROUND // 20
    releases = [(numbers[task], due + offset) for offset, task, _, _ in image.points]
    return timeline(owners, tuple(numbers), begin, begin + HELD_ROUND, releases)


def deadline_marks(image: HeldImage, drawn: Timeline) -> tuple[tuple[int, int], ...]:
    """The deadlines in the window of `drawn`: owner and time, as its releases."""
    releases: Mapping[int, int] = dict(drawn.releases)
    return tuple(
        (owner, releases[owner] + deadline)
        for _, task, deadline, _ in image.points
        if (owner := drawn.owners.index(task)) in releases
    )
