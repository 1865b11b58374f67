# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the linker says, in terms of the user's files: which function is missing, which is there twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from horolog.build.memory_use import MemoryUse, memory_use
from horolog.build.output import Step
from horolog.model import HorologError, Place, System, Task

__all__ = ["link_problems", "missing_names"]

_MISSING = re.compile(r"(.+?): (?:more )?undefined references? to `(.+?)'(?: follow)?")
_TWICE = re.compile(r"(.+?): multiple definition of `(.+?)'; (.+): first defined here")
_TOO_LARGE = re.compile(r".*region `(.+?)' overflowed by (\d+) bytes?")
_WILL_NOT_FIT = re.compile(r".*section `.+?' (?:will not fit in|is not within) region `.+?'")
"""What is said more exactly in another line."""
_MAIN_STACK = re.compile(r"\S*ld: less than (\d+) bytes of (\w+) are left for the main stack")
_CONSTRUCTORS = re.compile(r"\S*ld: nothing calls the constructors .*")
_SCRIPT = re.compile(
    r"\S*ld:(.+\.lds?):(\d+): (.+)"
)  # what is wrong with a linker script, and on which line
_OTHER = re.compile(r"\S*ld: (?!warning: )(.+?)(?<!:)")  # of which nothing more is known
# Of a source, behind the object's name or alone.
_LINE = re.compile(r"(?:.*\.o(?:bj)?\)?:)?(.+):(\d+)")
_MEMBER = re.compile(r"\((.+)\.o(?:bj)?\)")  # of an archive
_GENERATED = "hrl_gen_"
_OURS = "hrl_"


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the linker found something: in a file of the user's, or of ours; `line` where it knows it."""

    text: str
    source: Path | None
    line: int | None

    @property
    def generated(self) -> bool:
        return self.source is None and _GENERATED in self.text

    @property
    def place(self) -> Place | None:
        return None if self.source is None else Place(str(self.source), self.line)


def missing_names(steps: Iterable[Step]) -> tuple[str, ...]:
    """What the failed `steps` refer to and nothing defines; nothing if they failed for another reason too."""
    names: dict[str, None] = {}
    for line in _said(steps):
        missing = _MISSING.fullmatch(line)
        if missing is not None:
            names[missing[2]] = None
        elif any(one.fullmatch(line) for one in (_TWICE, _TOO_LARGE, _MAIN_STACK)):
            return ()
    return tuple(names)


def link_problems(
    system: System, steps: Iterable[Step], folder: Path, program: str
) -> Iterator[HorologError]:
    """What kept `system` from being linked, by what the failed `steps` said; nothing known: no error.

    `folder` and `program`: where it was linked, and what it is called there.
    """
    missing: dict[str, list[_Spot]] = {}
    over: dict[str, int] = {}
    main_stack: dict[str, int] = {}
    for line in _said(steps):
        if (found := _MISSING.fullmatch(line)) is not None:
            missing.setdefault(found[2], []).append(_spot(found[1], system.sources))
        elif (found := _TWICE.fullmatch(line)) is not None:
            places = [_spot(text, system.sources) for text in (found[1], found[3])]
            yield _twice(system, found[2], places)
        elif (found := _TOO_LARGE.fullmatch(line)) is not None:
            over[found[1]] = int(found[2])
        elif (found := _MAIN_STACK.fullmatch(line)) is not None:
            main_stack[found[2]] = int(found[1])
        elif _WILL_NOT_FIT.fullmatch(line):
            continue
        elif _CONSTRUCTORS.fullmatch(line):
            yield _unconstructed(system)
        elif (found := _SCRIPT.fullmatch(line)) is not None:
            yield HorologError(
                "the linker does not understand its script",
                place=Place(found[1], int(found[2])),
                found=found[3],
                expected=f"a script as {system.board.directory / 'link.ld'}",
            )
        elif (found := _OTHER.fullmatch(line)) is not None:
            yield HorologError("the firmware does not link", found=found[1])
    for name, spots in missing.items():
        yield _nowhere(system, name, spots)
    for region in {**over, **main_stack}:
        memory = next((one for one in system.board.memory if one.name == region), None)
        use = None if memory is None else memory_use(system, memory, folder, program)
        yield _too_large(system, region, over.get(region, 0), main_stack.get(region, 0), use)


def _said(steps: Iterable[Step]) -> Iterator[str]:
    return (line for step in steps if step.failed for line in step.said)


def _spot(text: str, sources: Sequence[Path]) -> _Spot:
    found = _LINE.fullmatch(text)
    if found is not None:
        path = Path(found[1])
        return _Spot(text, path if path in sources else None, int(found[2]))
    member = _MEMBER.search(text)  # of data the linker knows the object only
    named = [] if member is None else [one for one in sources if one.name == member[1]]
    return _Spot(text, named[0] if len(named) == 1 else None, None)


def _twice(system: System, name: str, places: Sequence[_Spot]) -> HorologError:
    users = [spot for spot in places if spot.source is not None]
    place = users[0].place if users else None
    if len(users) > 1:
        return HorologError(
            f'"{name}" is defined twice',
            place=place,
            found=" and ".join(sorted(str(spot.place) for spot in users)),
            expected="one definition; static, if each file is to have its own",
        )
    found = f"a definition of {name}"
    if name == "main":
        return HorologError(
            "a described system has no main of its own: the one that starts the kernel is generated",
            place=place,
            found=found,
            expected='void f(void) instead, and start = "f" in [system]: it is called before the start',
        )
    cells = [cell.name for cell in system.board.cells if cell.handler == name]
    clock = system.board.clock.handler == name
    if cells or clock:
        of = f"the cell {cells[0]}" if cells else "the clock"
        free = f", or cells = [...] in [system] without {cells[0]}" if cells and not clock else ""
        return HorologError(
            f"{name} is generated: this system uses the interrupt of {of}",
            place=place,
            found=found,
            expected=f"the handler of another interrupt{free}",
        )
    return HorologError(
        f'there is a function or an object "{name}" in Horolog already',
        place=place,
        found=found,
        expected="another name",
    )


def _unconstructed(system: System) -> HorologError:
    """Constructors in a program in which none can be called, or of which nothing was known."""
    board, can = system.board, system.board.port.constructs and system.cores == 1
    return HorologError(
        f"there are constructors of static objects, and nothing on {board.name} calls them"
        if not can
        else "there are constructors in a library, or by a macro of a header, and nothing calls them",
        place=Place(str(system.path), key="system.sources"),
        found="functions in .init_array or .ctors, of static objects or with the attribute constructor",
        expected='objects that need none, and their set-up in the function that start = "f" in [system] names'
        if not can
        else "the library as a path in libraries or objects of [build]; no macro that makes constructors",
    )


def _nowhere(system: System, name: str, spots: Sequence[_Spot]) -> HorologError:
    if name.startswith("hrl_link_"):
        script = system.build.linker_script or system.board.directory / "link.ld"
        return HorologError(
            f"the linker script does not define {name}",
            place=Place(str(script)),
            found=f"{spots[0].text}: undefined reference to `{name}'",
            expected=f"the symbols hrl_link_... of {system.board.directory / 'link.ld'}, which can be copied",
        )
    own = next((spot for spot in spots if spot.source is not None), None)
    found = f"undefined reference to `{name}'"
    if own is not None:
        return HorologError(
            f'"{name}" is defined nowhere',
            place=own.place,
            found=found,
            expected="a definition in one of [system] sources"
            if not name.startswith(_OURS)
            else "a name that Horolog's headers declare, in a system that has it",
        )
    if any(spot.generated for spot in spots):
        for task in system.tasks:
            if task.body == name:
                return HorologError(
                    f'task "{task.name}": no source defines "{name}" once it is compiled',
                    place=task.place,
                    found=f"{found}, the body of this task",
                    expected=f"void {name}(void), not static and not left out by an #if",
                )
        if system.start == name:
            return HorologError(
                f'no source defines the start function "{name}" once it is compiled',
                place=Place(str(system.path)),
                found=f'{found}, start = "{name}" in [system]',
                expected=f"void {name}(void), not static and not left out by an #if",
            )
    return HorologError(
        f'"{name}" is defined nowhere, and the C library or Horolog needs it',
        found=f"{spots[0].text}: {found}",
        expected=f"{name} in one of [system] sources",
    )


def _too_large(
    system: System, region: str, over: int, main_stack: int, use: MemoryUse | None
) -> HorologError:
    """The error about a memory: `over` bytes too many, or not `main_stack` bytes left for that, or both."""
    board = system.board
    table = Place(str(board.directory / "board.toml"), key=f"memory.{region}")
    length = next((one.length for one in board.memory if one.name == region), None)
    if use is None or length is None:
        of = "" if length is None else f" of {length:,} bytes"
        less = f"less than {main_stack:,} bytes left for the main stack"
        return HorologError(
            f"the program does not fit into {board.name}'s memory {region}{of}",
            place=table,
            found=f"{over:,} bytes too many" if over else less,
            expected="less code, data or stacks; or the length that the memory has",
        )
    if use.left is not None:
        over = max(over, use.main_stack - use.left)
    needed = f"{length + over:,} bytes"
    place, less = table, "fewer tasks or tables, smaller stacks, less code or data"
    threads = [(one.task, one.stack) for one in use.threads if one.task is not None]
    if 0 < over <= sum(max(0, stack - board.port.stacks.least) for _, stack in threads):
        place = _stack_of(threads[0][0])
        less = (
            f"stacks that are smaller by {over:,} bytes together (on a board where they fit, "
            "`horolog check --stacks` says what each needs), threads that share one, or basic tasks"
        )
    return HorologError(
        f"the system needs {needed} of {board.name}'s memory {region}, which has {length:,}: "
        f"{over:,} too many",
        place=place,
        found=f"{needed}, by what takes them{_columns([*use.rows()])}",
        expected=f"{less}; or the length that the memory has",
    )


def _stack_of(task: Task) -> Place:
    key = "stack" if task.place.key is None else f"{task.place.key}.stack"
    return replace(task.place, key=key)


def _columns(rows: Sequence[tuple[str, str, str]]) -> str:
    """The rows as lines below an error's `found:`."""
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return "".join(
        f"\n            {what:<{widths[0]}}  {stack:>{widths[1]}}  {other:>{widths[2]}}".rstrip()
        for what, stack, other in rows
    )
