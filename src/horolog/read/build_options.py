# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""[build] of system.toml: folders, archives and objects that exist, and standards that sources have."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from horolog.filenames import unbuildable, unbuildable_error
from horolog.model import BuildOptions, HorologError, Place
from horolog.read.document import Document
from horolog.read.problems import shown
from horolog.read.schema import SystemFile

__all__ = ["build_options_of"]

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_REFUSED = {
    "the processor is the board's": (
        *("-mcpu", "-march", "-mabi", "-mthumb", "-marm", "-mfpu", "-mfloat-abi", "-mmcu"),
        *("-mtune=native",),
    ),
    "it names a program or a file": (
        *("-fplugin", "-fuse-ld", "-fdump", "-fprofile", "-fauto-profile", "-fcompare-debug"),
    ),
    "what is a body's and what the kernel's is told by objects": ("-flto",),
}
"""Beginnings of flags, by why they are not taken."""
_OBJECTS = (".o", ".a")
_SCRIPTS = (".ld", ".lds")
_CONSTRUCTOR = re.compile(
    r"(?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*|\[\[[^\]]*)\b(?:__)?constructor(?:__)?\b"
)


def build_options_of(
    document: Document, file: SystemFile, path: Path, sources: Sequence[Path]
) -> tuple[BuildOptions, list[HorologError]]:
    """The options without those that are wrong, and what is wrong with these; `sources` are there."""
    table, reader = file.build, _Reader(document, path)
    libraries = tuple(reader.libraries(table.libraries))
    options = BuildOptions(
        include=tuple(dict.fromkeys(reader.folders("include", table.include))),
        define=tuple(table.define),
        flags=tuple(table.flags),
        libraries=libraries,
        objects=tuple(reader.paths("objects", table.objects, "object file or archive", _OBJECTS)),
        c_standard=table.c_standard,
        cxx_standard=table.cxx_standard,
        warnings=table.warnings,
        linker_script=reader.script(table.linker_script),
        constructs=bool(table.objects)
        or any("/" in name for name in libraries)
        or any(map(_constructs, sources)),
        own_vectors=table.vectors == "own",
        by_project=table.cmake,
    )
    wrong = [*_define_problems(document, table.define), *_flag_problems(document, table.flags)]
    return options, [*reader.problems, *wrong]


def _constructs(source: Path) -> bool:
    return _CONSTRUCTOR.search(source.read_text(encoding="utf-8", errors="replace")) is not None


class _Reader:
    """Finds what [build] names, and collects what is not there."""

    def __init__(self, document: Document, path: Path) -> None:
        self._document = document
        self._file = path.name
        self._folder = path.parent
        self.problems: list[HorologError] = []

    def paths(
        self, key: str, names: Sequence[str], what: str, suffixes: tuple[str, ...] = ()
    ) -> Iterator[Path]:
        """Those of `names` that are there, absolute."""
        for index, name in enumerate(names):
            found = self._path(key, index, name, what, suffixes)
            if found is not None:
                yield found

    def folders(self, key: str, names: Sequence[str]) -> Iterator[Path]:
        """As `paths`; a name with * stands for all folders that it fits, by name."""
        for index, name in enumerate(names):
            for one in self._fitting(name) or [name]:
                found = self._path(key, index, one, "folder", ())
                if found is not None:
                    yield found

    def _fitting(self, name: str) -> list[str]:
        if "*" not in name or unbuildable(name) is not None:
            return []
        pattern = Path(glob.escape(str(self._folder)), name.replace("?", "[?]"))
        fitting = glob.glob(str(pattern))  # noqa: PTH207  # Path.glob would find hidden folders, too
        return sorted(one for one in fitting if Path(one).is_dir())

    def script(self, name: str | None) -> Path | None:
        """The linker script, absolute; None: there is none, or not that one."""
        return (
            None
            if name is None
            else self._path("linker_script", None, name, "linker script", _SCRIPTS)
        )

    def libraries(self, names: Sequence[str]) -> Iterator[str]:
        """Names for -l, and the absolute paths of archives."""
        for index, name in enumerate(names):
            if "/" not in name and not name.endswith(".a"):
                if _NAME.fullmatch(name):
                    yield name
                    continue
                self._problem(
                    "libraries",
                    index,
                    name,
                    f"no library is called {shown(name)}",
                    'a name without "lib" and ".a", such as "m", or the path of an archive',
                )
                continue
            found = self._path("libraries", index, name, "archive", (".a",))
            if found is not None:
                yield str(found)

    def _path(
        self, key: str, index: int | None, name: str, what: str, suffixes: tuple[str, ...]
    ) -> Path | None:
        wrong, path = unbuildable(name), Path()
        if wrong is None:
            path = (self._folder / name).resolve()
            wrong = unbuildable(path)  # links may lead elsewhere
        if wrong is not None:
            self.problems.append(
                unbuildable_error(f"a {what}", wrong, shown(name), self._place(key, index))
            )
            return None
        is_there = path.is_file() and path.suffix in suffixes if suffixes else path.is_dir()
        if is_there:
            return path
        kinds = f" ({', '.join('*' + one for one in suffixes)})" if suffixes else ""
        self._problem(
            key,
            index,
            name,
            f'there is no {what} "{name}"',
            f"an existing {what}{kinds}, relative to the folder of {self._file}",
        )
        return None

    def _place(self, key: str, index: int | None) -> Place:
        where = ("build", key) if index is None else ("build", key, index)
        return self._document.place(*where)

    def _problem(self, key: str, index: int | None, name: str, message: str, expected: str) -> None:
        place = self._place(key, index)
        self.problems.append(
            HorologError(message, place=place, found=f'"{name}"', expected=expected)
        )


def _define_problems(document: Document, define: Sequence[str]) -> Iterator[HorologError]:
    seen: set[str] = set()
    for index, one in enumerate(define):
        name = one.partition("=")[0]
        if name in seen or name.startswith(("HRL_", "HRLP_", "HRLI_")):
            yield HorologError(
                f"the macro {name} is "
                + (
                    "defined twice"
                    if name in seen
                    else "one of Horolog's own, which the tool defines"
                ),
                place=document.place("build", "define", index),
                found=f'"{one}"',
                expected="each macro once, with a name that does not begin with HRL",
            )
        seen.add(name)


def _flag_problems(document: Document, flags: Sequence[str]) -> Iterator[HorologError]:
    for index, flag in enumerate(flags):
        for why, beginnings in _REFUSED.items():
            if flag.startswith(beginnings):
                yield HorologError(
                    f"the flag {flag} is not taken: {why}",
                    place=document.place("build", "flags", index),
                    found=f'"{flag}"',
                    expected="flags without it",
                )
