# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Kernels that were compiled before, in the user's cache: a system in a new folder need not compile its own.

A kernel with its port is kept for each set of texts, flags and compiler (cmake/firmware/compiled.cmake says
what makes the key). So is what CMake found out about a compiler, for which it compiles trials. Both are only
faster: without a cache that can be written, and where something has changed, all is compiled.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.model import Board, HorologError
from horolog.programs import call

__all__ = ["Compiled", "compiled_before"]

_TEXTS = ("kernel", "include", "ports")
_LANGUAGES = ("C", "ASM")
_MEMBERS = ("start", "port", "kernel", "yield")
# What else gcc heeds: the environment of its manual, and CMake's names of the compiler.
_HEEDED = (
    *("CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "SOURCE_DATE_EPOCH"),
    *("CC", "ASM"),
)
_MOST = 100  # kernels that are kept, of one to four megabytes each


@dataclass(frozen=True, slots=True)
class Compiled:
    """Where kernels are kept, and what identifies the one to build."""

    folder: Path
    texts: str
    compilers: Path
    system: Path
    """The folder of CMakeLists.txt: its `known_compilers.cmake` reads `compilers`."""

    @property
    def options(self) -> tuple[str, ...]:
        """What CMake takes."""
        return (
            f"-DHRL_COMPILED={self.folder}",
            f"-DHRL_TEXTS={self.texts}",
            f"-DHRL_COMPILERS={self.compilers}",
            f"-DCMAKE_PROJECT_INCLUDE_BEFORE={self.system / 'known_compilers.cmake'}",
        )

    def keep_compilers(self, binaries: Path) -> None:
        """Keep what CMake has found out in `binaries`, a folder that it has just configured."""
        if self.compilers.exists():
            return
        names = [f"CMake{language}Compiler.cmake" for language in _LANGUAGES]
        made = [next(binaries.glob(f"CMakeFiles/*/{name}"), None) for name in names]

        def fill(fresh: Path) -> None:
            for path in made:
                if path is not None:
                    _copy(path, fresh / self.compilers.name / path.name)

        if all(made):
            with suppress(HorologError, OSError):
                made_once(self.compilers, fill)

    def keep_kernel(self, binaries: Path) -> None:
        """Keep the kernel that has just been linked in `binaries`, unless it came from here."""
        said = _said(binaries / "compiled.txt")
        with suppress(HorologError, OSError):
            for home in said.get("from", ()):
                os.utime(Path(home) / "members")  # the oldest are removed
            for key in said.get("key", ()):
                self._keep(self.folder / key, said)

    def _keep(self, home: Path, said: Mapping[str, Sequence[str]]) -> None:
        members = [(kind, Path(name)) for kind in _MEMBERS for name in said.get(kind, ())]
        if not all(path.is_file() for _, path in members):
            return
        if _texts(data_root()) != self.texts.partition("-")[0]:  # edited since they were read
            return
        (below,) = said["below"]
        if "stale" in said:
            shutil.rmtree(home, ignore_errors=True)

        def fill(fresh: Path) -> None:
            into = fresh / home.name
            lines = []
            for kind, path in members:
                name = path.relative_to(below)
                _copy(path, into / "files" / name)
                lines.append(f"{kind} {name}\n")
            (into / "members").write_text("".join(lines), encoding="utf-8")
            others = _others(Path(below), said["target"])
            lines = [f"{digest} {path}\n" for path, digest in others.items()]
            (into / "others").write_text("".join(lines), encoding="utf-8")

        made_once(home, fill)
        _remove_oldest(self.folder)


def compiled_before(board: Board) -> Compiled | None:
    """Where kernels for `board` are kept; None without a cache folder."""
    try:
        folder = cache_folder() / "kernels"
    except HorologError:
        return None
    root = data_root()
    compilers = _identity([board.port.compiler, *(["cc"] if board.port.is_process else [])])
    digest = hashlib.sha256("\0".join([compilers, _identity(["cmake"])]).encode())
    digest.update(f"{board.arch} {board.cpu} {board.fpu}".encode())
    for file in sorted((root / "cmake" / "toolchain").iterdir()):
        digest.update(file.read_bytes())
    return Compiled(
        folder,
        f"{_texts(root)}-{hashlib.sha256(compilers.encode()).hexdigest()}",
        folder / f"compilers-{digest.hexdigest()[:16]}",
        root / "cmake" / "firmware",
    )


def _texts(root: Path) -> str:
    """The digest of all that is compiled for every system."""
    files = sorted(file for name in _TEXTS for file in _below(str(root / name)))
    return _digest(tuple(files), len(str(root)))


def _below(folder: str) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of each file."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _below(entry.path)
        else:
            found = entry.stat()
            yield entry.path, found.st_size, found.st_mtime_ns


@cache
def _digest(files: tuple[tuple[str, int, int], ...], prefix: int) -> str:
    """Of the files' names behind `prefix` and their contents; read again when size or time differ."""
    digest = hashlib.sha256()
    for name, size, _ in files:
        digest.update(f"{name[prefix:]} {size}\n".encode() + Path(name).read_bytes())
    return digest.hexdigest()


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _identity(names: Iterable[str]) -> str:
    """What identifies these programs: where they lie, size and time, and what they heed."""
    heeded = [f"{name}={os.environ[name]}" for name in _HEEDED if name in os.environ]
    if "CC" in os.environ:
        names = [*names, os.environ["CC"].partition(" ")[0]]
    programs = []
    for name in names:
        found = shutil.which(name)
        if found is None:
            continue
        real = Path(found).resolve()
        programs.append(f"{found} {real} {_stamp(real)}")
        if name != "cmake":
            programs += _inner(found, real, _stamp(real))
    return "\n".join([*heeded, *programs])


@cache
def _inner(program: str, _real: Path, _when: tuple[int, int]) -> list[str]:
    """The programs that a compiler's driver calls."""
    found = []
    for name in ("cc1", "as"):
        said = call([program, f"-print-prog-name={name}"], seconds=20).output.strip()
        path = shutil.which(said)
        if path is not None:
            found.append(f"{path} {_stamp(Path(path).resolve())}")
    return found


def _said(path: Path) -> Mapping[str, list[str]]:
    """What the lines of `path` say, by their first words."""
    said: dict[str, list[str]] = defaultdict(list)
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, _, rest = line.partition(" ")
            said[kind].append(rest)
    return said


def _others(binaries: Path, targets: Sequence[str]) -> Mapping[str, str]:
    """The files outside what _texts reads of which the objects of `targets` were made, with their digests."""
    known = tuple(f"{data_root() / name}/" for name in _TEXTS)
    folders = tuple(f"CMakeFiles/{name}.dir/" for name in targets)
    paths = set()
    wanted = False
    for line in call(["ninja", "-C", str(binaries), "-t", "deps"], seconds=60).output.splitlines():
        if not line.startswith(" "):
            wanted = line.startswith(folders)
        elif wanted and not line.strip().startswith(known):
            paths.add(str(binaries / line.strip()))
    return {path: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in sorted(paths)}


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


def _remove_oldest(folder: Path) -> None:
    """Remove the kernels that have not been used for the longest time, but for so many."""
    kept = sorted(folder.glob("*/members"), key=lambda path: path.stat().st_mtime)
    for members in kept[:-_MOST]:
        shutil.rmtree(members.parent, ignore_errors=True)
        members.parent.with_name(f"{members.parent.name}.lock").unlink(missing_ok=True)
