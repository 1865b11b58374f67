# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What shows from outside that a releaser serves an instant, and how often it is to happen in the window.

A releaser of threads stores the instant that it serves. One of basic tasks stores nothing that says so, and
gets no instruction for it: of a table, each row is loaded when it is served; where the cell's interrupt is
the task, the kernel notes the next release behind it; and where hardware does even that, the cell expires.
"""

from __future__ import annotations

from dataclasses import dataclass

from horolog.analyse import (
    covered_instants,
    distinct_instants,
    is_basic,
    stream_wakes,
    streams,
    window_counts,
)
from horolog.image import Image
from horolog.measure.handlers import interrupt_numbers
from horolog.model import (
    GROUP_STORES,
    Mode,
    Plan,
    Releaser,
    System,
    TargetFailed,
)

__all__ = ["Mark", "mark_counts", "marks_of"]

_DISPATCHER = "hrl_gen_dispatcher"  # at its begin stands that of its round
_WORD_BYTES = 4
_USUAL_ROW = 2 * _WORD_BYTES


@dataclass(frozen=True, slots=True)
class Mark:
    """The marks of one releaser, by which watch/ sees that it serves an instant."""

    where: str  # the line's word and what is particular to it
    interrupt: int  # the number of its cell's handler
    instants: int  # so many are served in the window, if all is well
    begins: int | None = None  # where the begin stands of the round that rows are served of
    row_bytes: int = _USUAL_ROW

    def __str__(self) -> str:
        line = f"{self.where} {self.interrupt} {self.instants}"
        if self.row_bytes != _USUAL_ROW:
            line = f"row_bytes {self.row_bytes}\n{line}"
        return line if self.begins is None else f"{line}\nbegins {self.begins:#x}"


def mark_counts(system: System, plan: Plan) -> tuple[int, ...]:
    """How many marks each releaser leaves in the window, if all is well.

    One an interrupt that is predicted; of a cooperative releaser also those that its partners serve; of a
    table one a row, as an interrupt for which no row is due leaves none; of groups one a service.
    """
    predicted = dict(plan.prediction.interrupts_by_cell)
    return tuple(
        _groups_served(system, releaser)
        if is_basic(system, releaser) and releaser.store in GROUP_STORES
        else distinct_instants(system, releaser.tasks)
        if is_basic(system, releaser) and releaser.store != "none"
        else predicted.get(releaser.cell, 0) + covered_instants(system, plan, releaser)
        for releaser in plan.releasers
    )


def _groups_served(system: System, releaser: Releaser) -> int:
    """How often groups of `releaser` are served in the window: at releases, and at the hops between them."""
    hz, end = system.board.clock.hz, window_counts(system)
    return sum(stream_wakes(stream, hz, end) for stream in streams(system, releaser.tasks))


def marks_of(system: System, plan: Plan, image: Image) -> tuple[Mark, ...]:
    """The marks of all releasers of `plan`, in order. HorologError (4) if `image` does not have one."""
    return tuple(
        Mark(
            _basic(system, index, releaser, image)
            if is_basic(system, releaser)
            else _stored(index, image),
            interrupt,
            count,
            image.address(_DISPATCHER) if releaser.dispatches else None,
            _row_bytes(releaser, image),
        )
        for index, (releaser, interrupt, count) in enumerate(
            zip(
                plan.releasers,
                interrupt_numbers(system, plan),
                mark_counts(system, plan),
                strict=True,
            )
        )
    )


def _stored(index: int, image: Image) -> str:
    base = image.address(f"hrl_gen_releaser_{index}")
    if image.layout is None:
        raise TargetFailed(
            f"{image.path.name} does not say where its releasers note what they serve",
            expected="firmware that this version of the tool has generated",
        )
    return f"served {base + image.layout.served_offset:#x}"


def _basic(system: System, index: int, releaser: Releaser, image: Image) -> str:
    # A store of groups, or a cell that counts for one task (kernel/basic/counted_table.h).
    if f"hrl_gen_served_{index}" in image.symbols:
        return f"served {image.address(f'hrl_gen_served_{index}'):#x}"
    if releaser.store == "none":
        due = image.symbols.get(f"hrl_gen_due_{index}")
        if due is None:
            return f"fires {system.board.cell(releaser.cell).instance}"
        return f"served {due:#x}"
    name = f"hrl_gen_rows_{index}"
    rows = image.address(name)
    # Where tasks end, a periodic releaser looks for the row to come when it has served one (limited.h).
    ahead = not releaser.direct and releaser.mode is Mode.PERIODIC and system.releases is not None
    return f"rows {rows:#x} {image.sizes[name] // _row_bytes(releaser, image) - 1} {int(ahead)}"


def _row_bytes(releaser: Releaser, image: Image) -> int:
    """Of struct hrli_direct_row, two words; of struct hrli_line_row, a word and a pointer."""
    return _WORD_BYTES + (_WORD_BYTES if releaser.direct else image.pointer_bytes)
