# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads board.toml: one of the boards that come with Horolog, or the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from horolog.data import data_root
from horolog.model import Board, Cell, Clock, HorologError, Memory, Mode, Place, Runner
from horolog.read.document import Document, read_document
from horolog.read.files import BoardFile, CellTable
from horolog.read.problems import did_you_mean, listed, raise_all
from horolog.read.validation import validate

__all__ = ["board_names", "is_board_path", "read_board"]


def board_names() -> tuple[str, ...]:
    """The boards that come with Horolog, in order of name."""
    return tuple(sorted(file.parent.name for file in data_root().glob("boards/*/board.toml")))


def is_board_path(name_or_path: str) -> bool:
    """Whether a `board =` means a file of the user's: it has a slash in it or ends in .toml."""
    return "/" in name_or_path or "\\" in name_or_path or name_or_path.endswith(".toml")


def read_board(
    name_or_path: str, *, relative_to: Path | None = None, place: Place | None = None
) -> Board:
    """The board called so, or described in that file.

    A path may name the folder that board.toml lies in, and counts from `relative_to` (default: the
    current folder). `place` is where the user named the board, for the error when there is none.
    """
    if not is_board_path(name_or_path):
        return _read(_shipped(name_or_path, place))
    path = (relative_to or Path()) / name_or_path
    if path.is_dir():
        path /= "board.toml"
    if not path.is_file():
        raise HorologError(
            "there is no such board file",
            place=place,
            found=f'"{name_or_path}"',
            expected=f"a board.toml, or the name of a board: {listed(board_names())}",
        )
    return _read(path)


def _shipped(name: str, place: Place | None) -> Path:
    known = board_names()
    if name not in known:
        near = did_you_mean(name, known)
        raise HorologError(
            f'unknown board "{name}"' + (f'; did you mean "{near}"?' if near else ""),
            place=place,
            found=f'"{name}"',
            expected=f"{listed(known)}, or a path such as ./my/board.toml",
        )
    return data_root() / "boards" / name / "board.toml"


def _read(path: Path) -> Board:
    document = read_document(path)
    file = validate(BoardFile, document)
    raise_all(_problems(file, document))
    clock = Clock(
        device=file.clock.device,
        hz=file.clock.hz,
        width=file.clock.width,
        instance=file.clock.instance,
        handler=file.clock.handler,
    )
    return Board(
        name=file.board.name,
        title=file.board.title,
        directory=path.resolve().parent,
        arch=file.board.arch,
        cpu=file.board.cpu,
        levels=file.board.levels,
        work_ns=file.board.work_ns,
        clock=clock,
        cells=tuple(_cell(cell, clock) for cell in file.cell),
        memory=tuple(Memory(m.name, m.origin, m.length) for m in file.memory),
        runner=Runner(
            file.runner.kind,
            file.runner.machine,
            file.runner.icount_shift,
            file.runner.ns_per_instruction,
        ),
        fpu=file.board.fpu,
    )


def _cell(cell: CellTable, clock: Clock) -> Cell:
    return Cell(
        name=cell.name,
        device=cell.device,
        instance=cell.instance,
        handler=cell.handler,
        hz=clock.hz,
        width=cell.width,
        modes=frozenset(Mode(mode) for mode in cell.modes),
        min_counts=cell.min_counts,
    )


def _problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    """What takes two keys to see."""
    yield from _cell_problems(file, document)
    yield from _memory_problems(file, document)
    shift, lasts = file.runner.icount_shift, file.runner.ns_per_instruction
    if shift is not None and lasts is not None and lasts != 1 << shift:
        yield HorologError(
            f"an instruction cannot last {lasts} ns with icount_shift = {shift}",
            place=document.place("runner", "ns_per_instruction"),
            found=str(lasts),
            expected=f"{1 << shift}, which is 2^{shift}",
        )


def _cell_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    names: set[str] = set()
    channels: set[tuple[str, int]] = set()
    for index, cell in enumerate(file.cell):
        if cell.name in names:
            yield HorologError(
                f'the cell name "{cell.name}" is taken',
                place=document.place("cell", index, "name"),
                found=f'"{cell.name}" a second time',
                expected="a name of its own for each cell",
            )
        if (cell.device, cell.instance) in channels:
            yield HorologError(
                f"two cells are instance {cell.instance} of {cell.device}",
                place=document.place("cell", index, "instance"),
                found=f"{cell.instance} a second time",
                expected="a channel of its own for each cell",
            )
        names.add(cell.name)
        channels.add((cell.device, cell.instance))
        if cell.hz is not None and cell.hz != file.clock.hz:
            yield HorologError(
                "a cell counts the clock's counts",
                place=document.place("cell", index, "hz"),
                found=str(cell.hz),
                expected=f"{file.clock.hz}, or no hz",
            )
        longest = (1 << cell.width) - 1
        if cell.min_counts > longest:
            yield HorologError(
                f"a cell of {cell.width} bits cannot time its own shortest interval",
                place=document.place("cell", index, "min_counts"),
                found=str(cell.min_counts),
                expected=f"at most {longest}",
            )


def _memory_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    if file.runner.kind != "host" and not file.memory:
        yield HorologError(
            "no memory: the linker script needs its regions",
            place=document.place(),
            expected="[[memory]] with name, origin and length",
        )
    for index, region in enumerate(file.memory):
        for other in file.memory[:index]:
            here = range(region.origin, region.origin + region.length)
            there = range(other.origin, other.origin + other.length)
            if other.name == region.name:
                yield HorologError(
                    f'the memory name "{region.name}" is taken',
                    place=document.place("memory", index, "name"),
                    found=f'"{region.name}" a second time',
                    expected="a name of its own for each region",
                )
            elif max(here.start, there.start) < min(here.stop, there.stop):
                yield HorologError(
                    f'the regions "{other.name}" and "{region.name}" overlap',
                    place=document.place("memory", index, "origin"),
                    found=f"{here.start:#x} to {here.stop:#x}",
                    expected=f"nothing of {there.start:#x} to {there.stop:#x}",
                )
