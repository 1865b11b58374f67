# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The sources that system.toml lists, and whether they have the functions that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from horolog.filenames import unbuildable, unbuildable_error
from horolog.model import ASSEMBLY_SUFFIXES, CXX_SUFFIXES, HorologError, Place
from horolog.read.bodies import CFunction, declared_for_c, functions_of
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.problems import listed, shown, suggestion
from horolog.read.schema import SystemFile

__all__ = [
    "body_or_work_problems",
    "body_problems",
    "function_problems",
    "portable_problems",
    "sources_of",
    "start_problems",
]

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_PUBLIC = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]hrl/([^">\n]+)[">]', re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PORTABLE = "portable.h"
_WAITS = re.compile(r"\bHRL_PORTABLE_(?:S|MS|US)\b")
_OBJECTS = re.compile(r"\bHRL_PORTABLE_(?:SEMAPHORE|QUEUE)_DEFINE\b")
_OF_NO_KERNEL = frozenset({_PORTABLE, "console.h", "heap.h", "types.h"})
"""The public headers that declare nothing that only Horolog's kernel has."""


def sources_of(
    document: Document, file: SystemFile, path: Path
) -> tuple[list[Path], list[HorologError]]:
    """The files that there are, and what is wrong with the others, or with the folder that they are in."""
    found: list[Path] = []
    problems = list(_folder_problems(path))
    folder_is_wrong = bool(problems)
    for index, name in enumerate(file.system.sources):
        place = document.place("system", "sources", index)
        wrong, source = unbuildable(name), Path()
        if wrong is None:  # else it may be no path at all
            source = (path.parent / name).resolve()
            wrong = None if folder_is_wrong else unbuildable(source)  # links may lead elsewhere
        if wrong is not None:
            shown_path = shown(name if source == Path() else str(source))
            problems.append(unbuildable_error("a source file", wrong, shown_path, place))
            continue
        reason = None
        if not source.is_file():
            reason = f'there is no source file "{name}"'
        elif source.suffix not in (".c", *CXX_SUFFIXES, *ASSEMBLY_SUFFIXES):
            reason = f'"{name}" is not a C, C++ or assembly file'
        elif source in found:
            reason = f'the source file "{name}" is listed twice'
        if reason is None:
            found.append(source)
            continue
        expected = f"files *.c, *.cpp, *.cc, *.cxx, *.S or *.s, each once, in {path.parent}"
        problems.append(HorologError(reason, place=place, found=f'"{name}"', expected=expected))
    return found, problems


def _folder_problems(path: Path) -> Iterator[HorologError]:
    folder = path.resolve().parent
    wrong = unbuildable(folder)
    if wrong is not None:
        yield unbuildable_error("a folder", wrong, shown(str(folder)), Place(str(path)))


def _functions(sources: Iterable[Path]) -> list[CFunction]:
    found: list[CFunction] = []
    for source in sources:
        if source.suffix in ASSEMBLY_SUFFIXES:
            continue
        text = source.read_text(encoding="utf-8", errors="replace")
        if source.suffix in CXX_SUFFIXES:
            found += functions_of(text, cxx=True, declared=_declared_beside(source, text))
        else:
            found += functions_of(text)
    return found


def _declared_beside(source: Path, text: str) -> frozenset[str]:
    """What the headers beside `source` that it includes declare for C."""
    headers = (source.parent / name for name in _INCLUDE.findall(text))
    texts = (one.read_text(encoding="utf-8", errors="replace") for one in headers if one.is_file())
    return frozenset(name for one in texts for name in declared_for_c(one))


def start_problems(
    document: Document, file: SystemFile, sources: list[Path]
) -> Iterator[HorologError]:
    """A start function that no source defines as void f(void)."""
    name = file.system.start
    if name is not None:
        place = document.place("system", "start")
        yield from function_problems(place, name, sources, file)


def portable_problems(
    document: Document, file: SystemFile, sources: Sequence[Path], path: Path
) -> Iterator[HorologError]:
    """`portable` of [system] contradicts what the sources include, or lacks what their calls need."""
    portable = file.system.portable
    folders = [path.parent / name for name in file.build.include]
    texts = dict(_with_headers(sources, folders))
    used = False
    for source, text in texts.items():
        for found in _PUBLIC.finditer(text):
            used = used or found[1] == _PORTABLE
            here = Place(str(source), text.count("\n", 0, found.start()) + 1)
            if portable and found[1] not in _OF_NO_KERNEL:
                yield HorologError(
                    f'portable = true, and "{source.name}" includes <hrl/{found[1]}>',
                    place=here,
                    found=found[0].strip(),
                    expected="calls of <hrl/portable.h> alone, or no portable = true",
                )
            elif not portable and found[1] == _PORTABLE:
                yield HorologError(
                    f'"{source.name}" includes <hrl/{_PORTABLE}>, and [system] does not say so',
                    place=here,
                    found=found[0].strip(),
                    expected="portable = true in [system]",
                )
    place = document.place("system", "portable")
    if portable and not used and not file.build.cmake:
        yield HorologError(
            f"portable = true, and no source includes <hrl/{_PORTABLE}>",
            place=place,
            found="true",
            expected=f"#include <hrl/{_PORTABLE}> in a source, or no portable = true",
        )
    if portable and file.system.timeouts is None and _any(_WAITS, texts.values()):
        yield HorologError(
            "calls of the sources wait for a time, and no cell is for that",
            place=place,
            found="no timeouts",
            expected="timeouts = a cell of the board, in [system]",
        )
    if portable and file.system.start is None and _any(_OBJECTS, texts.values()):
        yield HorologError(
            "the sources define semaphores or queues, and no function makes them",
            place=place,
            found="no start",
            expected="start = a function that calls hrl_portable_..._make, in [system]",
        )


def _any(pattern: re.Pattern[str], texts: Iterable[str]) -> bool:
    return any(pattern.search(text) for text in texts)


def _with_headers(sources: Iterable[Path], folders: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """The texts of `sources` and of the headers that they include in quotes, without block comments."""
    waiting, seen = [*sources], set(sources)
    while waiting:
        file = waiting.pop(0)
        text = file.read_text(encoding="utf-8", errors="replace")
        text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
        yield file, text
        for name in _INCLUDE.findall(text):
            places = (folder / name for folder in (file.parent, *folders))
            header = next((one.resolve() for one in places if one.is_file()), None)
            if header is not None and header not in seen:
                seen.add(header)
                waiting.append(header)


def function_problems(
    place: Place, name: str, sources: Sequence[Path], file: SystemFile
) -> Iterator[HorologError]:
    """A function that `place` names and no source defines as void f(void)."""
    if len(sources) < len(file.system.sources):
        return  # a source that is missing has been reported
    defined = _functions(sources)
    if file.build.cmake and all(function.name != name for function in defined):
        return  # it is in another source of the project
    if sum(function.name == name and function.is_body for function in defined) == 1:
        return
    bodies = [function.name for function in defined if function.is_body]
    yield HorologError(
        f'no function "{name}" in the sources{suggestion(name, bodies)}',
        place=place,
        found=f'"{name}"',
        expected=f"one void {name}(void), not static, in one of [system] sources",
    )


def body_or_work_problems(entry: Entry) -> Iterator[HorologError]:
    """An entry has one of the two."""
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


def body_problems(
    file: SystemFile, entries: Iterable[Entry], sources: list[Path]
) -> Iterator[HorologError]:
    """Bodies that no source defines, or not as a body, or twice."""
    users: dict[str, Entry] = {}
    for entry in entries:
        if entry.table.body is not None:
            users.setdefault(entry.table.body, entry)
    if not users or len(sources) < len(file.system.sources):
        return  # a source that is missing has been reported
    defined = _functions(sources)
    for body, entry in users.items():
        named = [function for function in defined if function.name == body]
        bodies = [function for function in named if function.is_body]
        if len(named) == len(bodies) == 1 or (file.build.cmake and not named):
            continue
        yield _body_problem(entry, body, named, defined, file.system.sources)


def _body_problem(
    entry: Entry,
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
    bodies = [function.name for function in defined if function.is_body]
    return entry.error(
        f'no function "{body}" in {searched}{suggestion(body, bodies)}',
        "body",
        found=f'"{body}"',
        expected=f"{signature} in one of the sources",
    )
