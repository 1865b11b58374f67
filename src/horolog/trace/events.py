# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The events of a run and the text file in which the emulator's plugin or the host port hands them over.

One event a line, `<ns> <kind> <index>`, sorted by time; nanoseconds count from t = 0, the nominal
first release. Lines of one instant stand in the order in which things happened. A line K tells what an
interruption took: it follows an interrupt that found a job open, before the next event that is no
release, and holds how many instructions (cycles, where those are counted) of the kernel lie between.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from horolog.model.errors import HorologError, Place, TargetFailed

__all__ = ["Event", "Round", "Trace", "read_trace", "write_trace"]


class Event(Enum):
    """What happened; the values are the letters of the file."""

    INTERRUPT = "I"  # a timer cell's handler was entered; index into Board.cells
    RELEASE = "R"  # the kernel released the task of this index; a refused release may be absent
    START = "S"  # a job of this task begins its body
    END = "E"  # the body has returned
    DISPATCH = "D"  # this task's thread got the processor
    NO_TASK = "N"  # a thread that is no task's got it, where bodies wait; index 0
    KERNEL = "K"  # no index but a count: what the kernel has executed since the last interrupt


_KINDS = frozenset(event.value for event in Event)


class Round(NamedTuple):
    """A round of a dispatcher table that the application controls."""

    begin: int  # counts after t = 0, as corrected
    table: int  # index into System.tables


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Events in columns, because a run has a million of them.

    `rounds` are those of controlled tables, which the run alone tells; None: there are none, or it does not
    tell. The text file does not have them.
    """

    ns: array[int]
    kinds: str  # letters of Event
    indices: array[int]
    rounds: tuple[Round, ...] | None = None

    @classmethod
    def of(cls, events: Iterable[tuple[int, str, int]]) -> Trace:
        """A trace of (ns, letter, index); HorologError if they are not in order of time."""
        ns, kinds, indices = array("q"), [], array("l")
        for time, kind, index in events:
            if ns and time < ns[-1]:
                raise _broken(
                    "an event is earlier than the one before it", f"{time} after {ns[-1]}"
                )
            ns.append(time)
            kinds.append(kind)
            indices.append(index)
        return cls(ns, "".join(kinds), indices)

    def __len__(self) -> int:
        return len(self.ns)

    def __iter__(self) -> Iterator[tuple[int, str, int]]:
        return zip(self.ns, self.kinds, self.indices, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        return (self.ns, self.kinds, self.indices) == (other.ns, other.kinds, other.indices)

    __hash__ = None  # type: ignore[assignment]  # columns of a million events are no key

    @property
    def end_ns(self) -> int:
        """When the last event happened; 0 without events."""
        return self.ns[-1] if self.ns else 0

    def interrupts(self) -> Iterator[tuple[int, int]]:
        """(ns, cell) of every interrupt."""
        return ((ns, index) for ns, kind, index in self if kind == "I")


def read_trace(path: Path) -> Trace:
    """Read a trace file; HorologError naming the line if it is not one."""
    ns, kinds, indices = array("q"), [], array("l")
    last = None
    with path.open(encoding="ascii", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            try:
                time_text, kind, index_text = line.split()
                time, index = int(time_text), int(index_text)
                if kind not in _KINDS or index < 0:
                    raise ValueError
                ns.append(time)
            except (ValueError, OverflowError) as error:
                raise TargetFailed(
                    "the target's trace cannot be read",
                    place=Place(str(path), number),
                    found=line.strip()[:60] or "an empty line",
                    expected=f"<ns> <one of {' '.join(event.value for event in Event)}> <index>",
                ) from error
            if last is not None and time < last:
                raise TargetFailed(
                    "the target's trace runs backwards",
                    place=Place(str(path), number),
                    found=f"{time} ns after {last} ns",
                    expected="events in order of time",
                )
            last = time
            kinds.append(kind)
            indices.append(index)
    return Trace(ns, "".join(kinds), indices)


def write_trace(path: Path, trace: Trace) -> None:
    """Write `trace` so that `read_trace` reads it back."""
    with path.open("w", encoding="ascii") as out:
        out.writelines(f"{ns} {kind} {index}\n" for ns, kind, index in trace)


def _broken(message: str, found: str) -> HorologError:
    return TargetFailed(message, found=found)
