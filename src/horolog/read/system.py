# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads system.toml into a System: whole, valid, defaults filled in; or says all that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from horolog.model import (
    Board,
    Exit,
    HorologError,
    Kind,
    Mode,
    Overrun,
    PriorityRule,
    System,
    Task,
)
from horolog.read.boards import read_board
from horolog.read.bodies import CFunction, functions_of
from horolog.read.distributions import multiple_of, needs_seed, periods_of
from horolog.read.document import Document, Loc, read_document
from horolog.read.files import GroupTable, SystemFile, TaskTable
from horolog.read.problems import did_you_mean, listed, raise_all
from horolog.read.resources import ceiling_problems, resource_problems, resources
from horolog.read.units import duration_text
from horolog.read.validation import validate

__all__ = ["read_system"]

_NANOSECOND = Fraction(1, 10**9)


def read_system(path: Path, *, board: str | None = None, kind: Kind | None = None) -> System:
    """The system that `path` describes; `board` (a name, or a path from here) replaces its own.

    `kind` replaces that of every task.

    The cells that a description names are its own board's; another board lends as many of its cells,
    in its order.

    Raises HorologError: the first stage that finds anything wrong (syntax, then keys and values,
    then what they mean together) reports all that it finds; a utilisation above 1 has
    Exit.DOES_NOT_HOLD.
    """
    document = read_document(path)
    file = validate(SystemFile, document)
    own = _board(document, file, path, None)
    target = own if board is None else _board(document, file, path, board)
    sources, problems = _sources(document, file, path)
    problems += _cell_problems(document, file, own)
    entries, grouping = _entries(document, file, kind)
    problems += grouping
    problems += _name_problems(entries)
    problems += _body_problems(file, entries, sources)
    rule = PriorityRule(file.system.priorities)
    problems += _start_problems(document, file, sources)
    problems += _basic_problems(document, file, entries)
    named = _named(entries)
    problems += resource_problems(document, file, named)
    timeouts, wrong = _timeouts(document, file, own, target)
    problems += wrong
    cells = file.system.cells or [cell.name for cell in own.cells if cell.name != timeouts]
    if target.name != own.name:
        cells = [cell.name for cell in target.cells if cell.name != timeouts][: len(cells)]
    for entry in entries:
        problems += _body_or_work_problems(entry)
        problems += _time_problems(entry, target)
        problems += _cell_time_problems(entry, target, cells)
        problems += _priority_problems(entry, rule, target)
    problems += _level_problems(entries, rule, target)
    raise_all(problems)
    system = System(
        name=file.system.name,
        path=path,
        board=target,
        cells=tuple(cells),
        duration=file.system.duration,
        priorities=rule,
        sources=tuple(sources),
        tasks=tuple(task for entry in entries for task in _tasks(entry, target)),
        timeouts=timeouts,
        start=file.system.start,
        releases=file.system.releases,
        objective=file.system.objective,
        table_bytes=file.system.table_bytes,
        resources=resources(document, file, named),
    )
    raise_all(ceiling_problems(system))
    _refuse_overload(document, system)
    return system


@dataclass(frozen=True, slots=True)
class _Entry:
    """One [[task]] or [[task_group]], and the tasks it stands for."""

    document: Document
    loc: Loc
    table: TaskTable | GroupTable
    members: tuple[tuple[str, Fraction], ...]  # name and period
    period_keys: tuple[tuple[Fraction, Loc], ...]  # each distinct period and where it was given
    kind: Kind

    @property
    def title(self) -> str:
        what = "the group" if isinstance(self.table, GroupTable) else "the task"
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


def _board(document: Document, file: SystemFile, path: Path, override: str | None) -> Board:
    if override is not None:
        return read_board(override)
    place = document.place("system", "board")
    return read_board(file.system.board, relative_to=path.parent, place=place)


def _sources(
    document: Document, file: SystemFile, path: Path
) -> tuple[list[Path], list[HorologError]]:
    found: list[Path] = []
    problems = []
    for index, name in enumerate(file.system.sources):
        source = (path.parent / name).resolve()
        reason = None
        if not source.is_file():
            reason = f'there is no source file "{name}"'
        elif source.suffix != ".c":
            reason = f'"{name}" is not a C file'
        elif source in found:
            reason = f'the source file "{name}" is listed twice'
        if reason is None:
            found.append(source)
            continue
        place = document.place("system", "sources", index)
        expected = f"C files (*.c), each once, in {path.parent}"
        problems.append(HorologError(reason, place=place, found=f'"{name}"', expected=expected))
    return found, problems


def _cell_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    names = [cell.name for cell in board.cells]
    chosen: set[str] = set()
    for index, name in enumerate(file.system.cells or ()):
        place = document.place("system", "cells", index)
        if name not in names:
            near = did_you_mean(name, names)
            yield HorologError(
                f'the board "{board.name}" has no cell "{name}"'
                + (f'; did you mean "{near}"?' if near else ""),
                place=place,
                found=f'"{name}"',
                expected=f"some of {listed(names, last='and')}",
            )
        elif name in chosen:
            yield HorologError(
                f'the cell "{name}" is listed twice',
                place=place,
                found=f'"{name}" a second time',
                expected="each cell once",
            )
        chosen.add(name)


def _timeouts(
    document: Document, file: SystemFile, own: Board, target: Board
) -> tuple[str | None, list[HorologError]]:
    """The cell of `target` for time-outs; another board than its own lends its last one."""
    name = file.system.timeouts
    if name is None:
        return None, []
    place = document.place("system", "timeouts")
    able = [cell.name for cell in own.cells if Mode.ONE_SHOT in cell.modes]
    reason = None
    if name not in [cell.name for cell in own.cells]:
        near = did_you_mean(name, able)
        reason = f'the board "{own.name}" has no cell "{name}"'
        reason += f'; did you mean "{near}"?' if near else ""
    elif name not in able:
        reason = f'the cell "{name}" of the board "{own.name}" cannot be armed for one instant'
    elif name in (file.system.cells or ()):
        reason = f'the cell "{name}" is among cells, too'
        able = [other for other in able if other not in (file.system.cells or ())]
    elif len(own.cells) == 1:
        reason = f'the cell "{name}" is the only one of the board "{own.name}"'
        able = []
    if reason is not None:
        expected = f"one of {listed(able)}" if able else "another board: tasks need a cell, too"
        return name, [HorologError(reason, place=place, found=f'"{name}"', expected=expected)]
    if target.name == own.name:
        return name, []
    lent = [cell.name for cell in target.cells if Mode.ONE_SHOT in cell.modes]
    if not lent or len(target.cells) == 1:
        return name, [
            HorologError(
                f'the board "{target.name}" has no cell left for time-outs',
                place=place,
                found=f"{len(target.cells)} in all",
                expected="a board with two: one for the tasks, one that can be armed",
            )
        ]
    return lent[-1], []


def _start_problems(
    document: Document, file: SystemFile, sources: list[Path]
) -> Iterator[HorologError]:
    """A start function that no source defines as void f(void)."""
    name = file.system.start
    if name is None or len(sources) < len(file.system.sources):
        return  # a source that is missing has been reported
    defined = _functions(sources)
    if sum(function.name == name and function.is_body for function in defined) == 1:
        return
    near = did_you_mean(name, [function.name for function in defined if function.is_body])
    yield HorologError(
        f'no function "{name}" in the sources' + (f'; did you mean "{near}"?' if near else ""),
        place=document.place("system", "start"),
        found=f'"{name}"',
        expected=f"one void {name}(void), not static, in one of [system] sources",
    )


def _functions(sources: Iterable[Path]) -> list[CFunction]:
    return [
        function
        for source in sources
        for function in functions_of(source.read_text(encoding="utf-8", errors="replace"))
    ]


def _entries(
    document: Document, file: SystemFile, kind: Kind | None
) -> tuple[list[_Entry], list[HorologError]]:
    """Tasks and groups in the order of the file; with `kind`, all of that one."""
    entries = []
    problems: list[HorologError] = []
    for index, task in enumerate(file.task):
        loc: Loc = ("task", index)
        keys = ((task.period, (*loc, "period")),)
        own = kind or Kind(task.kind)
        entries.append(_Entry(document, loc, task, ((task.name, task.period),), keys, own))
    for index, group in enumerate(file.task_group):
        loc = ("task_group", index)
        bare = _Entry(document, loc, group, (), (), kind or Kind(group.kind))
        wrong = list(_group_problems(bare, group))
        problems += wrong
        entries.append(bare if wrong else _group_entry(bare, group))
    if not entries:
        problems.append(
            HorologError(
                "no tasks",
                place=document.place(),
                expected="at least one [[task]] or [[task_group]]",
            )
        )
    entries.sort(key=lambda entry: _line(entry.document, entry.loc))
    return entries, problems


def _line(document: Document, loc: Loc) -> tuple[int, int]:
    place = document.place(*loc)
    return place.line or 0, place.column or 0


def _group_problems(entry: _Entry, group: GroupTable) -> Iterator[HorologError]:
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
                f"{entry.title} cannot share out {group.tasks} tasks over its periods evenly",
                "tasks",
                found=str(group.tasks),
                expected=f"a multiple of {step}",
            )
    yield from _seed_problems(entry, group)


def _seed_problems(entry: _Entry, group: GroupTable) -> Iterator[HorologError]:
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


def _group_entry(entry: _Entry, group: GroupTable) -> _Entry:
    """`entry` with its members; the group has no problems."""
    given: list[tuple[Fraction, Loc]]
    if group.periods is not None:
        given = [(period, ("periods", i)) for i, period in enumerate(group.periods)]
        count = group.tasks or len(group.periods)
        periods = tuple(group.periods[i % len(group.periods)] for i in range(count))
    elif group.distribution is not None:
        periods = periods_of(group.distribution, group.tasks or 0, group.seed or 0)
        given = [(period, ("distribution",)) for period in dict.fromkeys(periods)]
    else:
        assert group.period is not None
        periods = (group.period,) * (group.tasks or 0)
        given = [(group.period, ("period",))]
    return _Entry(
        entry.document,
        entry.loc,
        group,
        tuple((f"{group.name}.{i}", period) for i, period in enumerate(periods)),
        tuple((period, (*entry.loc, *keys)) for period, keys in given),
        entry.kind,
    )


def _name_problems(entries: Iterable[_Entry]) -> Iterator[HorologError]:
    owners: dict[str, _Entry] = {}
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


def _named(entries: Iterable[_Entry]) -> dict[str, list[int]]:
    """The tasks, as System.tasks has them, by their names and by those of their groups."""
    found: dict[str, list[int]] = {}
    at = 0
    for entry in entries:
        found[entry.table.name] = list(range(at, at + len(entry.members)))
        for name, _ in entry.members:
            found[name] = [at]
            at += 1
    return found


def _basic_problems(
    document: Document, file: SystemFile, entries: Iterable[_Entry]
) -> Iterator[HorologError]:
    """What basic tasks cannot have."""
    basic = [entry for entry in entries if entry.kind is Kind.BASIC]
    if basic and file.system.releases is not None:
        yield HorologError(
            f"{basic[0].title} is basic and cannot wait for ever after its last job",
            place=document.place("system", "releases"),
            found=f"releases = {file.system.releases}",
            expected="no releases, or threads only",
        )
    for entry in entries:
        yield from _ending_problems(entry) if entry in basic else _thread_problems(entry)


def _thread_problems(entry: _Entry) -> Iterator[HorologError]:
    """Keys that only basic tasks have."""
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


def _ending_problems(entry: _Entry) -> Iterator[HorologError]:
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


def _level_problems(
    entries: Iterable[_Entry], rule: PriorityRule, board: Board
) -> Iterator[HorologError]:
    """Explicit priorities above the board's; or, of those that its controller dispatches, too many."""
    if rule is not PriorityRule.EXPLICIT:
        return
    given = {entry.loc: entry.table.priority or 0 for entry in entries}
    # The kernel's own threads run who is not above all threads.
    below = max((given[e.loc] for e in entries if e.kind is Kind.THREAD), default=0)
    dispatched = [e for e in entries if e.kind is Kind.BASIC and given[e.loc] > below]
    if board.controller is None or board.basic_levels is None:
        dispatched = []
    needed = sorted({given[entry.loc] for entry in dispatched}, reverse=True)
    counted: list[_Entry] = []
    if board.basic_levels is not None and len(needed) > board.basic_levels:
        counted = dispatched
        last = next(e for e in counted if given[e.loc] == needed[board.basic_levels])
        yield _too_many_levels(last, needed, board.name, board.basic_levels)
    for entry in entries:
        if given[entry.loc] > board.levels and entry not in counted:
            yield entry.error(
                f'the board "{board.name}" has {board.levels} priority levels',
                "priority",
                found=str(given[entry.loc]),
                expected=f"1 to {board.levels}, larger is more urgent",
            )


def _too_many_levels(entry: _Entry, given: list[int], board: str, have: int) -> HorologError:
    """`given`: the priorities, the most urgent first."""
    shares: dict[int, list[int]] = {}
    for at, priority in enumerate(given):
        shares.setdefault(have - at * have // len(given), []).append(priority)
    fits = "; ".join(f"{' and '.join(map(str, some))} as {level}" for level, some in shares.items())
    return entry.error(
        f'the controller of the board "{board}" has {have} levels for basic tasks, and '
        f"{len(given)} are needed",
        "priority",
        found=f"{len(given)} different priorities of basic tasks",
        expected=f"at most {have}; quantised they fit: priorities {fits}",
    )


def _body_or_work_problems(entry: _Entry) -> Iterator[HorologError]:
    table = entry.table
    if table.body is None and table.work is None:
        yield entry.error(
            f"{entry.title} has nothing to do",
            found="neither body nor work",
            expected='body = "c_function", or work = N',
        )
    elif table.body is not None and table.work is not None:
        yield entry.error(
            f"{entry.title} has both body and work",
            "work",
            found=f'body = "{table.body}" and work = {table.work}',
            expected="one of them",
        )
    elif table.body is not None and table.wcet is None:
        yield entry.error(
            f"{entry.title} has a body but no wcet",
            "body",
            expected='wcet = "..."; without it the utilisation cannot be known',
        )


def _time_problems(entry: _Entry, board: Board) -> Iterator[HorologError]:
    """WCET against deadline against period. A group is told once, for its shortest period."""
    if not entry.members:
        return
    period = min(period for _, period in entry.members)
    table = entry.table
    deadline = table.deadline
    if deadline is not None and deadline > period:
        yield entry.error(
            "a deadline above the period is not yet supported",
            "deadline",
            found=f"{duration_text(deadline)}, with a period of {duration_text(period)}",
            expected=f"at most {duration_text(period)}",
        )
    wcet = table.wcet or entry.work_time(board)
    if wcet is None:
        return
    key = "wcet" if table.wcet is not None else "work"
    what = "the WCET" if table.wcet is not None else f"the time that {table.work} turns take"
    limit, named = period, "period"
    if deadline is not None and deadline < period:
        limit, named = deadline, "deadline"
    if wcet > limit:
        yield entry.error(
            f"{what} is above the {named}",
            key,
            found=f"{duration_text(wcet)}, with a {named} of {duration_text(limit)}",
            expected=f"at most {duration_text(limit)}",
        )


def _cell_time_problems(
    entry: _Entry, board: Board, chosen: Iterable[str]
) -> Iterator[HorologError]:
    """Periods that are too short for every cell there is."""
    cells = [cell for cell in board.cells if cell.name in set(chosen)]
    if not cells:
        return
    quickest = min(cells, key=lambda cell: cell.min_counts)
    shortest = Fraction(quickest.min_counts, board.clock.hz)
    for period, loc in entry.period_keys:
        if period < shortest:
            yield HorologError(
                "the period is too short for every cell",
                place=entry.document.place(*loc),
                found=duration_text(period),
                expected=f"at least {duration_text(shortest)}, which {quickest.name} can time",
            )


def _priority_problems(entry: _Entry, rule: PriorityRule, board: Board) -> Iterator[HorologError]:
    priority = entry.table.priority
    if rule is not PriorityRule.EXPLICIT:
        if priority is not None:
            yield entry.error(
                f'priority is given although priorities = "{rule.value}"',
                "priority",
                found=f"priority = {priority}",
                expected='no priority, or priorities = "explicit" in [system]',
            )
    elif priority is None:
        yield entry.error(
            f'{entry.title} has no priority although priorities = "explicit"',
            expected=f"priority = N, 1 to {board.levels}, larger is more urgent",
        )


def _body_problems(
    file: SystemFile, entries: Iterable[_Entry], sources: list[Path]
) -> Iterator[HorologError]:
    """Bodies that no source defines, or not as a body, or twice."""
    users: dict[str, _Entry] = {}
    for entry in entries:
        if entry.table.body is not None:
            users.setdefault(entry.table.body, entry)
    if not users or len(sources) < len(file.system.sources):
        return  # a source that is missing has been reported
    defined = _functions(sources)
    for body, entry in users.items():
        named = [function for function in defined if function.name == body]
        bodies = [function for function in named if function.is_body]
        if len(named) == len(bodies) == 1:
            continue
        yield _body_problem(entry, body, named, defined, file.system.sources)


def _body_problem(
    entry: _Entry,
    body: str,
    named: list[CFunction],
    defined: list[CFunction],
    sources: list[str],
) -> HorologError:
    signature = f"void {body}(void)"
    if not sources:
        return entry.error(
            f'no function "{body}": [system] lists no sources',
            "body",
            found=f'"{body}"',
            expected=f'sources = ["bodies.c"] with {signature} in it',
        )
    searched = listed(sources, last="and")
    if len(named) > 1:
        return entry.error(
            f'the function "{body}" is defined {len(named)} times in {searched}',
            "body",
            found=f'"{body}"',
            expected=f"one {signature}",
        )
    if named:
        return entry.error(
            f'the function "{body}" in {searched} is no task body',
            "body",
            found=str(named[0]),
            expected=f"{signature}, not static",
        )
    near = did_you_mean(body, [function.name for function in defined if function.is_body])
    return entry.error(
        f'no function "{body}" in {searched}' + (f'; did you mean "{near}"?' if near else ""),
        "body",
        found=f'"{body}"',
        expected=f"{signature} in one of the sources",
    )


def _tasks(entry: _Entry, board: Board) -> Iterator[Task]:
    table = entry.table
    for name, period in entry.members:
        yield Task(
            name=name,
            period=period,
            offset=table.offset or Fraction(0),
            deadline=table.deadline or period,
            wcet=table.wcet or entry.work_time(board),
            body=table.body,
            work=table.work,
            stack=table.stack,
            overrun=Overrun(table.overrun),
            kind=entry.kind,
            priority=table.priority,
            place=entry.document.place(*entry.loc),
            activations=table.activations,
            terminates=table.terminates,
        )


def _refuse_overload(document: Document, system: System) -> None:
    total = system.utilisation
    if total <= 1:
        return
    shares = sorted(
        ((task.wcet / task.period, task.name) for task in system.tasks if task.wcet is not None),
        reverse=True,
    )
    largest = listed([f"{name} {float(share):.3g}" for share, name in shares[:3]], last="and")
    exact = f" ({total})" if total.denominator < 10**6 else ""
    raise HorologError(
        f"the utilisation is {_above_one(total)}, above 1",
        place=document.place(),
        found=f"a sum of wcet / period of {_above_one(total)}{exact} over {len(shares)} tasks",
        expected=f"at most 1; the largest shares: {largest}",
        exit=Exit.DOES_NOT_HOLD,
    )


def _above_one(total: Fraction) -> str:
    text = f"{float(total):.4f}"
    return text if text != "1.0000" else f"1 + {float(total - 1):.3g}"
