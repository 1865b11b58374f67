# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads board.toml: one of the boards that come with Horolog, or the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from pathlib import Path

from horolog.data import data_root
from horolog.filenames import unbuildable, unbuildable_error
from horolog.model import (
    Board,
    Cell,
    ChipId,
    Clock,
    Controller,
    FreertosPort,
    HorologError,
    Line,
    Memory,
    Mode,
    Place,
    Probing,
    Runner,
)
from horolog.read.costs_file import costs_path
from horolog.read.document import Document, Loc, read_document
from horolog.read.ports import find_port, ports
from horolog.read.prescalers import board_prescaler_problems, default_prescaler
from horolog.read.problems import listed, name_taken, raise_all, shown, suggestion
from horolog.read.schema import BoardFile, CellTable, ControllerTable, FreertosTable, ProbeTable
from horolog.read.units import frequency_text
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
    wrong = unbuildable(name_or_path)
    if wrong is not None:
        raise unbuildable_error("a board", wrong, shown(name_or_path), place)
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
        raise HorologError(
            f'unknown board "{name}"{suggestion(name, known)}',
            place=place,
            found=f'"{name}"',
            expected=f"{listed(known)}, or a path such as ./my/board.toml",
        )
    return data_root() / "boards" / name / "board.toml"


def _read(path: Path) -> Board:
    document = read_document(path)
    file = validate(BoardFile, document)
    raise_all(_problems(file, document))
    port = find_port(file.board.arch, None if file.controller is None else file.controller.device)
    assert port is not None  # _port_problems
    clock = Clock(**(dict(file.clock) | {"prescalers": tuple(file.clock.prescalers or ())}))
    attachable = file.board.attachable
    board = Board(
        **(dict(file.board) | {"attachable": None if attachable is None else tuple(attachable)}),
        directory=path.resolve().parent,
        clock=clock,
        cells=tuple(cell for table in file.cell if not table.own for cell in _cells(table, clock)),
        memory=tuple(Memory(**dict(region)) for region in file.memory),
        runner=Runner(**dict(file.runner)),
        port=port,
        controller=None if file.controller is None else _controller(file.controller),
        freertos=None if file.freertos is None else _freertos(file.freertos),
        probe=None if file.probe is None else _probe(file.probe),
    )
    board = board.with_prescaler(default_prescaler(file)) if clock.prescalers else board
    # Where no emulator runs a board, its costs are those of the chip itself, in cycles.
    is_measured = board.runner.kind == "none" and costs_path(board).is_file()
    return board.on_silicon if is_measured else board


def _freertos(table: FreertosTable) -> FreertosPort:
    return FreertosPort(**(dict(table) | {"prescalers": tuple(table.prescalers)}))


def _probe(table: ProbeTable) -> Probing:
    chip = None if table.chip is None else ChipId(**dict(table.chip))
    return Probing(tuple(table.openocd), table.probe_rs, table.pyocd, chip, table.cycles_hz)


def _cells(table: CellTable, clock: Clock) -> Iterator[Cell]:
    for index, suffix in enumerate(_suffixes(table.count)):
        yield Cell(
            name=f"{table.name}{suffix}",
            device=table.device,
            instance=table.instance + index,
            handler=f"{table.handler}{suffix}",
            hz=clock.hz,
            width=table.width,
            modes=frozenset(Mode(mode) for mode in table.modes),
            min_counts=table.min_counts,  # behind a prescaler of 1, as are hz and the clock's
            whole_counts=table.whole_counts or table.prescalers is not None,
            moves_compare=table.moves_compare,
            counts=table.counts,
            groups=table.groups,
            input_min_counts=table.min_counts if clock.prescalers else 0,
            prescalers=tuple(table.prescalers or ()),
            timer=table.timer,
            reload_counts=table.reload_counts,
        )


def _controller(table: ControllerTable) -> Controller:
    return Controller(
        device=table.device,
        lines=tuple(
            Line(f"{line.handler}{suffix}", line.number + index)
            for line in table.lines
            for index, suffix in enumerate(_suffixes(line.count))
        ),
    )


def _suffixes(count: int | None) -> list[str]:
    """What stands behind the names of a table that is for `count` things; one: nothing."""
    return [""] if count is None else [str(index) for index in range(count)]


def _problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    """What takes two keys, or the ports that there are, to see."""
    yield from _port_problems(file, document)
    yield from board_prescaler_problems(file, document)
    yield from _cell_problems(file, document)
    yield from _line_problems(file, document)
    yield from _plain_problems(file, document)
    yield from _memory_problems(file, document)
    yield from _runner_problems(file, document)


def _port_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    """Ports that there are not. Their names become paths in the build."""
    arch = file.board.arch
    devices: list[tuple[Loc, str]] = [(("clock", "device"), file.clock.device)]
    devices += [(("cell", index, "device"), cell.device) for index, cell in enumerate(file.cell)]
    archs = sorted({arch for arch, _ in ports()})
    yield from _folder_problems("ports", archs, [(("board", "arch"), arch)], document)
    if file.controller is not None and arch in archs:
        controllers = sorted(controller for its, controller in ports() if its == arch)
        named: list[tuple[Loc, str]] = [(("controller", "device"), file.controller.device)]
        yield from _folder_problems(f"ports/{arch}", controllers, named, document)
    cells = sorted(path.name for path in (data_root() / "ports" / "cell").iterdir())
    yield from _folder_problems("ports/cell", cells, devices, document)


def _folder_problems(
    folder: str, known: list[str], named: list[tuple[Loc, str]], document: Document
) -> Iterator[HorologError]:
    for loc, name in named:
        if name not in known:
            yield HorologError(
                f"there is no such port{suggestion(name, known)}",
                place=document.place(*loc),
                found=shown(name),
                expected=f"{listed(known)}: a folder of {folder}/",
            )


def _runner_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    steps = {
        "ns_per_instruction": file.runner.ns_per_instruction,
        "ns_per_cycle": file.runner.ns_per_cycle,
        "cycles_hz": file.runner.cycles_hz,
    }
    given = [name for name, value in steps.items() if value is not None]
    for other in given[1:]:
        yield HorologError(
            f"{given[0]} and {other} exclude each other",
            place=document.place("runner", other),
            found=f"{given[0]} and {other}",
            expected="one of them",
        )
    if file.runner.kind == "simavr" and file.runner.cycles_hz is None:
        yield HorologError(
            "no cycles_hz: the simulator of AVR boards needs the core's frequency",
            place=document.place("runner"),
            expected="cycles_hz = 16_000_000, or what the core has",
        )
    if file.runner.kind in ("stm32", "rp2350") and file.runner.cycles_hz is None:
        yield HorologError(
            "no cycles_hz: the simulator of this board needs the core's frequency",
            place=document.place("runner"),
            expected="cycles_hz = 16_000_000, or what the core has",
        )
    shift, lasts = file.runner.icount_shift, file.runner.ns_per_instruction
    if shift is not None and lasts is not None and lasts != 1 << shift:
        yield HorologError(
            f"an instruction cannot last {lasts} ns with icount_shift = {shift}",
            place=document.place("runner", "ns_per_instruction"),
            found=str(lasts),
            expected=f"{1 << shift}, which is 2^{shift}",
        )


def _cell_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    if all(cell.own for cell in file.cell):
        yield HorologError(
            "no cell that the cores share, and the tool uses no other",
            place=document.place("cell", 0, "own"),
            found="own = true of each [[cell]]",
            expected="a [[cell]] without it",
        )
    names: set[str] = set()
    channels: set[tuple[str, int]] = set()
    reloads: dict[str, int | None] = {}
    for index, cell in enumerate(file.cell):
        own = [f"{cell.name}{suffix}" for suffix in _suffixes(cell.count)]
        taken = next((name for name in own if name in names), None)
        if taken is not None:
            yield name_taken("cell", taken, document.place("cell", index, "name"))
        instances = [cell.instance + at for at in range(len(own))]
        twice = next((at for at in instances if (cell.device, at) in channels), None)
        if twice is not None:
            yield HorologError(
                f"two cells are instance {twice} of {cell.device}",
                place=document.place("cell", index, "instance"),
                found=f"{twice} a second time",
                expected="a channel of its own for each cell",
            )
        first = reloads.setdefault(cell.device, cell.reload_counts)
        if cell.reload_counts != first:
            yield HorologError(
                f"cells of {cell.device} differ in reload_counts, which its driver has once",
                place=document.place("cell", index, "reload_counts"),
                found="none" if cell.reload_counts is None else str(cell.reload_counts),
                expected="no reload_counts" if first is None else f"reload_counts = {first}",
            )
        names.update(own)
        channels.update((cell.device, at) for at in instances)
        if cell.hz is not None and cell.hz != file.clock.hz:
            yield HorologError(
                "the cell's hz must equal the clock's",
                place=document.place("cell", index, "hz"),
                found=frequency_text(cell.hz),
                expected=f"{frequency_text(file.clock.hz)}, or no hz",
            )
        longest = (1 << cell.width) - 1
        largest = max(cell.prescalers or file.clock.prescalers or (1,))
        if ceil(cell.min_counts / largest) > longest:
            behind = f" by its largest prescaler, {largest:,}" if file.clock.prescalers else ""
            yield HorologError(
                f"a cell of {cell.width} bits cannot time its own shortest interval{behind}",
                place=document.place("cell", index, "min_counts"),
                found=str(cell.min_counts),
                expected=f"at most {longest * largest}",
            )


def _line_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    if file.controller is None:
        return
    handlers: dict[str, str] = {}
    for cell in file.cell:
        handlers.update(
            (f"{cell.handler}{suffix}", f"cell {cell.name}") for suffix in _suffixes(cell.count)
        )
    if file.clock.handler is not None:
        handlers[file.clock.handler] = "the clock"
    numbers: set[int] = set()
    for index, line in enumerate(file.controller.lines):
        for at, suffix in enumerate(_suffixes(line.count)):
            handler, number = f"{line.handler}{suffix}", line.number + at
            if handler in handlers:
                yield HorologError(
                    f"the line {handler} is not free",
                    place=document.place("controller", "lines", index, "handler"),
                    found=f'"{handler}", which {handlers[handler]} has',
                    expected="lines that nothing on the board needs, each once",
                )
            if number in numbers:
                yield HorologError(
                    f"the line number {number} is taken",
                    place=document.place("controller", "lines", index, "number"),
                    found=f"{number} a second time",
                    expected="a number of its own for each line",
                )
            handlers[handler] = "another line"
            numbers.add(number)


def _plain_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    """Checks the cells of [plain], which the tool itself does not use."""
    if file.plain is None:
        return
    known = [f"{cell.name}{suffix}" for cell in file.cell for suffix in _suffixes(cell.count)]
    named = {"time": file.plain.time, "slices": file.plain.slices}
    for key, name in named.items():
        if name is not None and name not in known:
            yield HorologError(
                f"there is no such cell{suggestion(name, known)}",
                place=document.place("plain", key),
                found=shown(name),
                expected=listed(known),
            )
    if file.plain.slices == file.plain.time:
        yield HorologError(
            "`slices` names the same cell as `time`",
            place=document.place("plain", "slices"),
            found=shown(file.plain.time),
            expected="another cell than that of `time`, or no `slices`",
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
                place = document.place("memory", index, "name")
                yield name_taken("memory", region.name, place, each="region")
            elif max(here.start, there.start) < min(here.stop, there.stop):
                yield HorologError(
                    f'the regions "{other.name}" and "{region.name}" overlap',
                    place=document.place("memory", index, "origin"),
                    found=f"{here.start:#x} to {here.stop:#x}",
                    expected=f"nothing of {there.start:#x} to {there.stop:#x}",
                )
