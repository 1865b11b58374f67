# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What only basic tasks can have, what they cannot, and how many levels there are for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from horolog.model import Board, HorologError, Kind, Place, PriorityRule
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.problems import listed
from horolog.read.schema import SystemFile

__all__ = ["basic_problems", "level_problems"]


def basic_problems(
    document: Document, file: SystemFile, entries: Iterable[Entry]
) -> Iterator[HorologError]:
    """Errors about keys of basic tasks that contradict each other or the system, and keys of threads."""
    every = list(entries)
    basic = [entry for entry in every if entry.kind is Kind.BASIC]
    if basic and len(basic) < len(every) and file.system.releases is not None:
        yield HorologError(
            f"{basic[0].title} is basic, and releases can be limited only if all tasks are of one kind",
            place=document.place("system", "releases"),
            found=f"releases = {file.system.releases}",
            expected="no releases, or threads only, or basic tasks only",
        )
    for entry in every:
        yield from _ending_problems(entry) if entry in basic else _thread_problems(entry)


def _thread_problems(entry: Entry) -> Iterator[HorologError]:
    """Errors about keys of a thread that only basic tasks can have."""
    table = entry.table
    if table.activations is not None:
        yield entry.error(
            f"a limit of unfinished jobs is for basic tasks, which {entry.title} is not",
            "activations",
            found=f"activations = {table.activations}",
            expected='kind = "basic"; or overrun = "queue", for late jobs of a thread to run',
        )
    if table.terminates:
        yield entry.error(
            f"an early end is for basic tasks, which {entry.title} is not",
            "terminates",
            found="terminates = true",
            expected='kind = "basic"; or terminates = false: the body of a thread returns',
        )


def _ending_problems(entry: Entry) -> Iterator[HorologError]:
    """A limit of unfinished jobs that contradicts what happens to a release meanwhile."""
    table = entry.table
    if table.activations is None or "overrun" not in table.model_fields_set:
        return
    if (table.overrun == "queue") == (table.activations > 1):
        return
    fits = 'overrun = "skip"' if table.activations == 1 else 'overrun = "queue"'
    limit = "1" if table.overrun == "skip" else "2 or more"
    yield entry.error(
        f"{entry.title} has a limit of unfinished jobs that contradicts its overrun",
        "activations",
        found=f'activations = {table.activations} and overrun = "{table.overrun}"',
        expected=f"{fits}, or activations = {limit}, or one of the two keys",
    )


def level_problems(
    entries: Iterable[Entry],
    rule: PriorityRule,
    board: Board,
    sporadic: Sequence[tuple[Kind, int, Place]] = (),
    taken: int = 0,
    guarded: str | None = None,
) -> Iterator[HorologError]:
    """Explicit priorities above the board's; or, of those that its controller dispatches, too many.

    `sporadic`: kinds, priorities and places of the sporadic tasks. `taken`: the levels of tables.
    `guarded`: what takes a level above them, if anything does.
    """
    if rule is not PriorityRule.EXPLICIT:
        return
    given = {entry.loc: entry.table.priority or 0 for entry in entries}
    # Basic tasks that are not above all threads are run by threads of the kernel, not by the controller.
    threads = [given[e.loc] for e in entries if e.kind is Kind.THREAD]
    below = max([0, *threads, *(own for kind, own, _ in sporadic if kind is Kind.THREAD)])
    dispatched = [e for e in entries if e.kind is Kind.BASIC and given[e.loc] > below]
    places = [(given[e.loc], e.document.place(*e.loc, "priority")) for e in dispatched]
    places += [(own, at) for kind, own, at in sporadic if kind is Kind.BASIC and own > below]
    needed = sorted({priority for priority, _ in places}, reverse=True)
    counted: list[Entry] = []
    in_software = board.controller is None or board.basic_levels is None
    have = (
        board.levels
        if board.basic_levels is None
        else board.basic_levels - taken - (guarded is not None)
    )
    if not in_software and len(needed) > have > 0:
        counted = dispatched
        last = next(at for priority, at in places if priority == needed[have])
        yield _too_many_levels(last, needed, board.name, have, taken, guarded)
    most = board.levels - taken if in_software else board.levels
    beside = f", of which a table takes {taken}" if taken and in_software else ""
    for entry in entries:
        if given[entry.loc] > most > 0 and entry not in counted:
            yield entry.error(
                f'the board "{board.name}" has {board.levels} priority levels{beside}',
                "priority",
                found=str(given[entry.loc]),
                expected=f"1 to {most}, larger is more urgent",
            )


def _too_many_levels(
    place: Place, given: list[int], board: str, have: int, taken: int, guarded: str | None
) -> HorologError:
    """`given`: the priorities, the most urgent first; `taken`: the levels of tables, not in `have`."""
    shares: dict[int, list[int]] = {}
    for at, priority in enumerate(given):
        shares.setdefault(have - at * have // len(given), []).append(priority)
    taking = [f"the {taken} of a table"] if taken else []
    taking += [f"the one of {guarded}"] if guarded else []
    beside = f" beside {listed(taking, last='and')}" if taking else ""
    fits = "; ".join(f"{' and '.join(map(str, some))} as {level}" for level, some in shares.items())
    return HorologError(
        f'the controller of the board "{board}" has {have} levels for basic tasks{beside}, and '
        f"{len(given)} are needed",
        place=place,
        found=f"{len(given)} different priorities of basic tasks",
        expected=f"at most {have}; quantised they fit: priorities {fits}",
    )
