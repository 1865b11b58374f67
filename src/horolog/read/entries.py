# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[task]] and [[task_group]] tables of system.toml, and the tasks that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import plural
from horolog.model import Board, HorologError, Kind, Overrun, Task
from horolog.read.distributions import multiple_of, needs_seed, periods_of
from horolog.read.document import Document, Loc
from horolog.read.problems import listed
from horolog.read.schema import GroupTable, PeriodTable, SystemFile, TaskTable
from horolog.read.stacks import stack_of

__all__ = [
    "Entry",
    "entries_of",
    "in_file_order",
    "name_problems",
    "named",
    "sharing_problems",
    "tasks_of",
]

_NANOSECOND = Fraction(1, 10**9)
_SHORTER = Fraction(4, 5)  # a period that may be shorter may be so by a fifth, if not said


@dataclass(frozen=True, slots=True)
class Entry:
    """One [[task]], [[task_group]] or [[server]], and the tasks it stands for."""

    document: Document
    loc: Loc
    table: TaskTable | GroupTable
    members: tuple[tuple[str, Fraction], ...]  # name and period
    period_keys: tuple[tuple[Fraction, Loc], ...]  # each distinct period and where it was given
    kind: Kind
    table_level: int | None = None  # of a dispatcher table's task

    @property
    def may_shorten(self) -> PeriodTable | None:
        """The bounds of its period, if the planner may choose that."""
        period = self.table.period
        return period if isinstance(period, PeriodTable) else None

    def least_period(self, board: Board) -> Fraction | None:
        """The shortest that its period may be made; None: it is fixed."""
        bounds, table = self.may_shorten, self.table
        if bounds is None:
            return None
        if bounds.at_least is not None:
            return bounds.at_least
        busy = (table.wcet or self.work_time(board) or Fraction(0)) + (table.jitter or 0)
        least = max(_SHORTER * bounds.at_most, table.deadline or Fraction(0), busy)
        return min(least, bounds.at_most)

    @property
    def is_server(self) -> bool:
        """Whether it is a [[server]]; read/aperiodic.py makes the task's table of that."""
        return self.loc[0] == "server"

    @property
    def title(self) -> str:
        """What errors call it."""
        what = "the group" if isinstance(self.table, GroupTable) else "the task"
        what = "the server" if self.is_server else what
        return f'{what} "{self.table.name}"'

    def error(
        self, message: str, *keys: str | int, found: str | None = None, expected: str
    ) -> HorologError:
        """An error at one of the entry's keys, or at its header."""
        place = self.document.place(*self.loc, *keys)
        return HorologError(message, place=place, found=found, expected=expected)

    def work_time(self, board: Board) -> Fraction | None:
        """What its `work` lasts, if it has any."""
        if self.table.work is None:
            return None
        return self.table.work * board.work_ns * _NANOSECOND


def entries_of(
    document: Document, file: SystemFile, kind: Kind | None, levels: Mapping[str, int]
) -> tuple[list[Entry], list[HorologError]]:
    """Tasks and groups in the order of the file.

    With `kind`, all of that one, but for the tasks of tables, which are basic; `levels` are these tasks'.
    """
    entries = []
    problems: list[HorologError] = []
    for index, task in enumerate(file.task):
        loc: Loc = ("task", index)
        if task.period is None or task.min_gap is not None or task.server is not None:
            continue  # read/sporadic.py, read/aperiodic.py
        keys = _period_keys(task.period, (*loc, "period"))
        level = levels.get(task.name)
        own = (kind if level is None else None) or Kind(task.kind)
        entries.append(Entry(document, loc, task, ((task.name, keys[0][0]),), keys, own, level))
    for index, group in enumerate(file.task_group):
        loc = ("task_group", index)
        bare = Entry(document, loc, group, (), (), kind or Kind(group.kind))
        wrong = list(_group_problems(bare, group))
        problems += wrong
        entries.append(bare if wrong else _group_entry(bare, group))
    missing = any(task.period is None and task.min_gap is None for task in file.task)
    if not entries and not missing:
        problems.append(
            HorologError(
                "no tasks",
                place=document.place(),
                expected="at least one [[task]] or [[task_group]]",
            )
        )
    return in_file_order(entries), problems


def in_file_order(entries: Iterable[Entry]) -> list[Entry]:
    """By the lines of their headers."""
    return sorted(entries, key=lambda entry: _line(entry.document, entry.loc))


def _period_keys(period: Fraction | PeriodTable, loc: Loc) -> tuple[tuple[Fraction, Loc], ...]:
    """The period that the key at `loc` gives, and the shortest that it may be made, if given."""
    if isinstance(period, Fraction):
        return ((period, loc),)
    keys: list[tuple[Fraction, Loc]] = [(period.at_most, (*loc, "at_most"))]
    if period.at_least is not None:
        keys.append((period.at_least, (*loc, "at_least")))
    return tuple(keys)


def _line(document: Document, loc: Loc) -> tuple[int, int]:
    place = document.place(*loc)
    return place.line or 0, place.column or 0


def _group_problems(entry: Entry, group: GroupTable) -> Iterator[HorologError]:
    """Whether the group says in one way only how many tasks it has and of which periods."""
    ways = [key for key in ("period", "periods", "distribution") if getattr(group, key) is not None]
    if len(ways) != 1:
        yield entry.error(
            f"{entry.title} needs one of period, periods and distribution",
            *ways[1:2],
            found=listed(ways, last="and") or "none of them",
            expected='period = "10 ms", periods = ["5 ms", "10 ms"] or distribution = "automotive"',
        )
        return
    if group.tasks is None and group.periods is None:
        yield entry.error(f"{entry.title} does not say how many", expected="tasks = N")
    elif group.tasks is not None:
        step = 1
        if group.periods is not None:
            step = len(group.periods)
        elif group.distribution is not None:
            step = multiple_of(group.distribution)
        if group.tasks % step:
            yield entry.error(
                f"{entry.title} cannot share out {plural(group.tasks, 'task')} over its periods evenly",
                "tasks",
                found=str(group.tasks),
                expected=f"a multiple of {step}",
            )
    yield from _seed_problems(entry, group)


def _seed_problems(entry: Entry, group: GroupTable) -> Iterator[HorologError]:
    draws = group.distribution is not None and needs_seed(group.distribution)
    if draws and group.seed is None:
        yield entry.error(
            f'the distribution "{group.distribution}" draws its periods: it needs a seed',
            "distribution",
            expected="seed = N, any whole number",
        )
    elif group.seed is not None and not draws:
        yield entry.error(
            f"nothing in {entry.title} is drawn",
            "seed",
            found=f"seed = {group.seed}",
            expected='no seed, or distribution = "chronos"',
        )


def _group_entry(entry: Entry, group: GroupTable) -> Entry:
    """`entry` with its members; the group has no problems."""
    given: Sequence[tuple[Fraction, Loc]]
    if group.periods is not None:
        given = [(period, ("periods", i)) for i, period in enumerate(group.periods)]
        count = group.tasks or len(group.periods)
        periods = tuple(group.periods[i % len(group.periods)] for i in range(count))
    elif group.distribution is not None:
        periods = periods_of(group.distribution, group.tasks or 0, group.seed or 0)
        given = [(period, ("distribution",)) for period in dict.fromkeys(periods)]
    else:
        assert group.period is not None
        given = _period_keys(group.period, ("period",))
        periods = (given[0][0],) * (group.tasks or 0)
    return Entry(
        entry.document,
        entry.loc,
        group,
        tuple((f"{group.name}.{i}", period) for i, period in enumerate(periods)),
        tuple((period, (*entry.loc, *keys)) for period, keys in given),
        entry.kind,
    )


def name_problems(entries: Iterable[Entry]) -> Iterator[HorologError]:
    """Finds names of tasks and groups that are taken: one error for each entry."""
    owners: dict[str, Entry] = {}
    for entry in entries:
        named = [entry.table.name] if isinstance(entry.table, GroupTable) else []
        for name in (*named, *(name for name, _ in entry.members)):
            other = owners.setdefault(name, entry)
            if other is entry:
                continue
            line = entry.document.place(*other.loc).line
            yield entry.error(
                f'the name "{name}" is taken',
                "name",
                found=f'"{name}", which {other.title} of line {line} has',
                expected="a name of its own for each task",
            )
            break


def named(entries: Iterable[Entry]) -> dict[str, list[int]]:
    """The tasks, as System.tasks has them, by their names and by those of their groups."""
    found: dict[str, list[int]] = {}
    at = 0
    for entry in entries:
        found[entry.table.name] = list(range(at, at + len(entry.members)))
        for name, _ in entry.members:
            found[name] = [at]
            at += 1
    return found


def tasks_of(entry: Entry, board: Board, share: str) -> Iterator[Task]:
    """The tasks of an entry without problems. `share`: the system's, for entries that say nothing."""
    table = entry.table
    for name, period in entry.members:
        yield Task(
            name=name,
            period=period,
            offset=table.offset or Fraction(0),
            offset_open=table.offset is None,
            deadline=table.deadline or period,
            wcet=table.wcet or entry.work_time(board),
            body=table.body,
            work=table.work,
            stack=stack_of(table, board),
            overrun=Overrun(table.overrun),
            kind=entry.kind,
            priority=table.priority,
            place=entry.document.place(*entry.loc),
            activations=table.activations,
            terminates=table.terminates,
            shares=_shares(entry, share),
            may_wait=entry.kind is Kind.THREAD and table.work is None and table.waits is not False,
            jitter=table.jitter or Fraction(0),
            least_period=entry.least_period(board),
            table_level=entry.table_level,
            budget=table.budget if isinstance(table, TaskTable) else None,
        )


def _shares(entry: Entry, share: str) -> bool:
    """Whether the tasks of `entry` may share threads; `share` is what [system] says."""
    table = entry.table
    if entry.kind is not Kind.THREAD or table.overrun == "queue" or table.waits:
        return False
    known = table.waits is False or table.work is not None
    return {"never": False, "always": True, "auto": known}[table.share or share]


def sharing_problems(entries: Iterable[Entry]) -> Iterator[HorologError]:
    """Tasks that are to share a thread and say that they cannot."""
    for entry in entries:
        table = entry.table
        if table.waits and table.work is not None:
            yield entry.error(
                "work never waits",
                "waits",
                found="waits = true, with work",
                expected="a body, or no waits",
            )
        if table.share != "always" or entry.kind is not Kind.THREAD:
            continue
        if table.waits:
            yield entry.error(
                f"{entry.title} waits, so it cannot share a thread",
                "share",
                found='share = "always" and waits = true',
                expected="one of the two keys",
            )
        if table.overrun == "queue":
            yield entry.error(
                f"{entry.title} has late jobs that run at once, so it cannot share a thread",
                "share",
                found='share = "always" and overrun = "queue"',
                expected='overrun = "skip", or no share',
            )
