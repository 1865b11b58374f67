# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/boards.md: every board, its cells, how it is tested, and what was never tried on silicon."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from horolog.model import Board, Cell, Mode
from horolog.read.units import about_duration_text, frequency_text

__all__ = ["boards_page"]

_HEAD = """
# Boards

Written by `horolog boards --page > docs/boards.md`; a test compares the two.

**No board of this page, and no timer driver, has been tried on silicon.** What is said to be tested was run
by an emulator or a simulator of the processor and its devices, on a developer's machine or that of continuous
integration. Times in instructions are no times of silicon; those in cycles are as good as the simulator.

Boards of your own, for 1,459 STM32 parts, four chips of Nordic's and two of Raspberry Pi's, are made by
`horolog board new` and `horolog new --board` ([guide](guide/boards-new.md)). Our simulator runs STM32 with a
Cortex-M0 to M4 or M33, and the RP2350. None has run on silicon.

"""
_TESTED = {
    "qemu": (
        "QEMU's machine `{machine}` runs its firmware; a plugin counts every instruction. The conformance "
        "suite of ports and systems of tasks, with each job looked for, run on it."
    ),
    "ibex": (
        "Verilator simulates its RTL (`rtl/`), the processor's own source with our timer cells, cycle by "
        "cycle: cycles are exact for that RTL."
    ),
    "simavr": (
        "simavr simulates it cycle by cycle, with the corrections that [its guide](guide/simavr.md) names."
    ),
    "rp2040js": (
        "rp2040js simulates one core of it cycle by cycle, with the corrections that "
        "[its guide](guide/pico.md) names."
    ),
    "rp2040-emu": (
        "Our simulator runs it ([its guide](guide/pico.md)): the processors of the crate rp2040-emu, devices "
        "by the datasheet, cycles by the processor's manual. It runs applications on both cores, each run "
        "like the one before; systems that are described are not run on it."
    ),
    "stm32": (
        "Our simulator runs it ([its guide](guide/stm32.md)): the core of a Cortex-M33, timers by the "
        "reference manual. It counts that core's cycles."
    ),
    "rp2350": (
        "Our simulator runs one core of it ([its guide](guide/pico.md)): the Cortex-M33 of the crate "
        "rp2350-emu, TIMERs by the datasheet. It counts that core's cycles."
    ),
    "host": (
        "A Linux process with virtual time and a simulated interrupt controller: for tests with "
        "sanitizers. It counts no instructions."
    ),
    "none": "Nothing runs it: its firmware is compiled and linked.",
}
_SEVERAL_IN_QEMU = (
    "QEMU's machine `{machine}` runs applications on all its cores at once, in the time of the machine "
    "that it runs on: no two runs are alike, and nothing is counted."
)
_UNTRIED = {
    "qemu": "Never tried on silicon: neither start-up, timers, interrupts nor the switch.",
    "ibex": "There is no silicon of it, and it has not been tried on an FPGA.",
    "simavr": "Never tried on silicon: neither start-up, timers, interrupts nor the switch.",
    "rp2040js": "Never tried on silicon: neither start-up, timers, interrupts nor the switch.",
    "rp2040-emu": "Never tried on silicon: neither start-up, timers, interrupts nor the switch.",
    "stm32": "Never tried on silicon: neither start-up, timers, interrupts nor the switch.",
    "rp2350": "Never tried on silicon: neither start-up, timers, interrupts nor the switch.",
    "host": "It is no silicon.",
    "none": "Never tried on silicon, nor in an emulator.",
}


def boards_page(boards: Sequence[Board]) -> str:
    """The page of `boards`, in their order, as Markdown."""
    # REUSE-IgnoreStart
    lines = [
        "<!-- SPDX-FileCopyrightText: 2026 The Horolog developers -->",
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        # REUSE-IgnoreEnd
        *_HEAD.splitlines(),
        "| board | processor | run by | cells | descriptions | beside FreeRTOS | silicon |",
        "|---|---|---|---|---|---|---|",
        *(_row(board) for board in boards),
    ]
    for board in boards:
        lines += ["", *_section(board)]
    return "\n".join(lines) + "\n"


def _row(board: Board) -> str:
    takes, port = _takes_descriptions(board), board.port
    beside = "no"
    if takes and port.has_freertos and board.runner.kind != "none":
        beside = "tick and notifications" if port.has_notify else "tick"
    columns = (
        f"[{board.name}](#{board.name})",
        _processor(board),
        {"none": "nothing", "qemu": "QEMU", "ibex": "RTL simulation"}.get(
            board.runner.kind, board.runner.kind
        ),
        str(len(board.cells)),
        "yes" if takes else "no",
        beside,
        "none there" if board.runner.kind in ("ibex", "host") else "never tried",
    )
    return f"| {' | '.join(columns)} |"


def _processor(board: Board) -> str:
    return board.cpu if board.cores == 1 else f"{board.cores} x {board.cpu}"


def _takes_descriptions(board: Board) -> bool:
    """Whether the tool plans for it: it knows what the kernel costs there, or counts interrupts only."""
    return board.runner.ns_per_step is None or (board.directory / "costs.toml").is_file()


def _section(board: Board) -> Iterator[str]:
    yield f"## {board.name}"
    yield ""
    yield f"{board.title}."
    yield ""
    yield f"- Port `ports/{board.arch}`, {board.levels} priorities for threads. {_dispatch(board)}"
    clock = board.clock
    yield f"- Clock: `{clock.device}`, {frequency_text(clock.hz)}, {clock.width} bits."
    kind = board.runner.kind
    tested = _SEVERAL_IN_QEMU if kind == "qemu" and board.cores > 1 else _TESTED[kind]
    yield f"- Tests: {tested.format(machine=board.runner.machine)}"
    yield f"- Costs: {_costs(board)}"
    yield f"- Silicon: {' '.join(filter(None, (_UNTRIED[kind], board.silicon)))}"
    yield ""
    yield "| cells | device | bits | modes | shortest | longest |"
    yield "|---|---|---|---|---|---|"
    for cells in _alike(board.cells):
        yield _cells_row(cells)


def _dispatch(board: Board) -> str:
    levels = board.basic_levels or board.levels
    if board.cores > 1 and all(one.name != "private" for one in board.memory):
        return "Its cores see the same memory, so there are no basic tasks."
    if board.controller is None:
        return f"Threads serve basic tasks, of {levels} priorities."
    lines = len(board.controller.lines)
    by = board.controller.device
    return f"`{by}` dispatches basic tasks of {levels} priorities, on {lines} free lines."


def _costs(board: Board) -> str:
    path = board.directory / "costs.toml"
    if path.is_file():
        meta = tomllib.loads(path.read_text(encoding="utf-8"))["meta"]
        return f"in {board.runner.unit}, measured by `horolog calibrate` with {meta['toolchain']}."
    if board.runner.ns_per_step is None:
        return "none, as nothing is counted: the plan compares interrupts."
    return "not measured: `horolog plan` and `run` refuse it, and applications without the tool run on it."


def _alike(cells: Iterable[Cell]) -> Iterator[tuple[Cell, ...]]:
    """Neighbours that differ in nothing but their names."""

    def key(cell: Cell) -> tuple[object, ...]:
        return cell.device, cell.hz, cell.width, cell.modes, cell.min_counts

    for _, found in groupby(cells, key):
        yield tuple(found)


def _cells_row(cells: Sequence[Cell]) -> str:
    cell = cells[0]
    names = cell.name if len(cells) == 1 else f"{cell.name} to {cells[-1].name} ({len(cells)})"
    shortest, longest = (
        about_duration_text(Fraction(counts, cell.hz))
        for counts in (cell.min_counts, cell.max_counts)
    )
    modes = ", ".join(mode.value for mode in Mode if mode in cell.modes)
    return f"| {names} | `{cell.device}` | {cell.width} | {modes} | {shortest} | {longest} |"
