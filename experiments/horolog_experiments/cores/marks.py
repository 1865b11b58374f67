# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When which core passes a mark of the scenario, and what follows from that: the figures of a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from horolog.model import Exit, HorologError
from horolog_experiments.cores.cases import START_UP, Case
from horolog_experiments.cores.locks import GIVEN, GOT, POLL

__all__ = ["Mark", "Requests", "Traffic", "figures", "read_marks", "read_requests", "read_traffic"]
__all__ += ["traffic_figures"]

_SOON = 10_000
"""From a request to what it brings about: fewer cycles. Instants are five times as far apart, or more."""

Traffic = Mapping[tuple[int, str], tuple[int, int, int]]
"""By core and target: accesses, cycles that they waited, the longest wait."""
Requests = Sequence[Sequence[int]]
"""By core, when timers asked for it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """In `cycle` a core began to execute what is behind the mark `name`."""

    cycle: int
    core: int
    name: str


def read_marks(texts: Sequence[str], names: Mapping[int, str]) -> list[Mark]:
    """The marks of all cores in order, of the simulator's events, a text a core; `names` by address."""
    found = [
        Mark(int(cycle), core, names[int(where, 16)])
        for core, text in enumerate(texts)
        for cycle, kind, *(where,) in _of_marks(text)
        if kind == "mark"
    ]
    return sorted(found, key=attrgetter("cycle", "core"))


def _of_marks(text: str) -> Iterable[list[str]]:
    for line in text.splitlines():
        words = line.split()
        if words[1] == "mark":
            yield words


def read_requests(texts: Sequence[str]) -> Requests:
    """When cells expired, of the simulator's events, a text a core.

    Where no cell did, as under FreeRTOS: when interrupts were taken.
    """
    for kind in (" expiry ", " trap "):
        found = [[line for line in text.splitlines() if kind in line] for text in texts]
        if any(found):
            return [[int(line.split()[0]) for line in lines] for lines in found]
    return [[] for _ in texts]


def read_traffic(text: str) -> dict[tuple[int, str], tuple[int, int, int]]:
    """The accesses of rtl/cores/sim/traffic.hpp's file."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 6:
            accesses, waits, longest = (int(word) for word in words[3:])
            found[int(words[1]), words[2]] = (accesses, waits, longest)
    return found


def figures(case: Case, marks: Sequence[Mark], requests: Requests = ()) -> dict[str, int]:
    """What `case` came to; HorologError (4) if a core did not take part."""
    found = _FIGURES.get(case.what, _switches)(case, marks)
    if case.what == "instant":
        found |= _latencies(case, marks, requests)
    return found


def traffic_figures(case: Case, traffic: Traffic) -> dict[str, int]:
    """The accesses of all cores to what they share, and the cycles for which these waited."""
    found = {}
    for target in ("shared", "locks"):
        waits = [traffic[core, target] for core in range(case.cores) if (core, target) in traffic]
        found[f"{target}_accesses"] = sum(accesses for accesses, _, _ in waits)
        found[f"{target}_waits"] = sum(cycles for _, cycles, _ in waits)
    return found


def _switches(case: Case, marks: Sequence[Mark]) -> dict[str, int]:
    """In the window behind the start-up."""
    counts = [0] * case.cores
    for mark in marks:
        if mark.cycle >= START_UP:
            counts[mark.core] += 1
    _check(case, all(counts))
    return {"switches": sum(counts), "least": min(counts), "most": max(counts)}


def _shares(case: Case, marks: Sequence[Mark]) -> dict[str, int]:
    """How often one thread of a core follows the other: the slices that ended."""
    ends = []
    for core in range(case.cores):
        names = [mark.name for mark in marks if mark.core == core and mark.cycle >= START_UP]
        ends.append(sum(one != other for one, other in pairwise(names)))
    _check(case, all(ends))
    return {"ends": sum(ends), "least": min(ends), "most": max(ends)}


def _wakes(case: Case, marks: Sequence[Mark]) -> dict[str, int]:
    """From each give to the first instruction behind the take."""
    latencies = []
    given: int | None = None
    for mark in marks:
        if mark.cycle < START_UP:
            continue
        if mark.name == "give":
            _check(case, given is None)
            given = mark.cycle
        elif given is not None:
            latencies.append(mark.cycle - given)
            given = None
    return _spread(case, latencies)


def _locks(case: Case, marks: Sequence[Mark]) -> dict[str, int]:
    """Of the lock: how long cores waited, from the first load that asks for the ticket to the holder's first
    instruction; how long they held it, from there to the load that gives it; and how long it took from there
    to the next holder, where one waited.
    """
    found: dict[str, list[int]] = {"waited": [], "held": [], "passed": []}
    asked: dict[int, int] = {}
    given: int | None = None  # when, while another core waited
    got: tuple[int, int] | None = None  # a core, and when it did
    for mark in marks:
        if mark.name == POLL:
            asked.setdefault(mark.core, mark.cycle)
        elif mark.name == GOT and mark.core in asked:
            since = asked.pop(mark.core)
            if given is not None and since <= given >= START_UP:
                found["passed"].append(mark.cycle - given)
            if since >= START_UP:
                found["waited"].append(mark.cycle - since)
            given, got = None, (mark.core, mark.cycle)
        elif mark.name == GIVEN and got is not None and got[0] == mark.core:
            if got[1] >= START_UP:
                found["held"].append(mark.cycle - got[1])
            given, got = mark.cycle, None
    return _spread(case, found["waited"]) | {
        f"{name}_{what}": value
        for name in ("held", "passed")
        for what, value in (_spread(case, found[name]) if found[name] else {}).items()
    }


def _instants(case: Case, marks: Sequence[Mark]) -> dict[str, int]:
    """From the first core's first instruction at an instant to the last core's."""
    by_core = [[mark.cycle for mark in marks if mark.core == core] for core in range(case.cores)]
    rounds = [[at for at in one if at >= START_UP] for one in by_core]
    spans = []
    for first in rounds[0] if all(rounds) else ():
        near = [_nearest(one, first) for one in rounds]
        spans.append(max(near) - min(near))
    return _spread(case, spans)


def _latencies(case: Case, marks: Sequence[Mark], requests: Requests) -> dict[str, int]:
    """From the first request of an instant to each core's first instruction, and to the last request."""
    asked = sorted((at, core) for core, cycles in enumerate(requests) for at in cycles)
    late, apart = [], []
    for mark in marks:
        near = [(at, core) for at, core in asked if mark.cycle - _SOON < at < mark.cycle]
        if mark.cycle >= START_UP and near:
            late.append(mark.cycle - near[0][0])
            own = [at for at, core in near if core == mark.core]
            apart += [at - near[0][0] for at in own[:1]]
    _check(case, not requests or len(late) > 0)
    return (
        {"first": min(late), "last": max(late), "requests_apart": max(apart, default=0)}
        if late
        else {}
    )


def _nearest(cycles: Sequence[int], to: int) -> int:
    return min(cycles, key=lambda at: abs(at - to))


def _spread(case: Case, values: Sequence[int]) -> dict[str, int]:
    _check(case, len(values) > 0)
    return {
        "samples": len(values),
        "least": min(values),
        "total": sum(values),
        "worst": max(values),
    }


def _check(case: Case, holds: bool) -> None:
    if not holds:
        raise HorologError(
            "the bench's firmware did not do what it is there for",
            found=case.image,
            exit=Exit.TARGET_FAILED,
        )


_FIGURES = {"share": _shares, "wake": _wakes, "instant": _instants, "lock": _locks}
"""What is no switch."""
