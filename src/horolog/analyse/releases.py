# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Release instants, in counts of the board's clock.

The kernel's rule: job k of a task is released at floor((offset + k * period) * hz) counts after
t = 0; remainders accumulate exactly, so an instant is less than one count early, for ever. A window
is [0, end) in counts, with end = floor(duration * hz).

Work here is per *stream*, a distinct (period, offset), not per task.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import ceil, gcd, lcm

from horolog.analyse.memo import remembered
from horolog.model import Mode, Plan, Releaser, System

__all__ = [
    "HOP_COUNTS",
    "Stream",
    "bases",
    "clock_wraps_in",
    "common_divisor",
    "count_instant",
    "count_release_instants",
    "count_releases",
    "count_wakes",
    "covered_instants",
    "cycle_counts",
    "distinct_instants",
    "distinct_releases",
    "essential",
    "hyperperiod",
    "jobs_in",
    "periodic_count",
    "release_instants",
    "releases",
    "settled_counts",
    "stream_wakes",
    "streams",
    "wakes",
    "window_counts",
    "window_seconds",
]

HOP_COUNTS = 1 << 30
"""How far ahead the kernel's delay queue can hold an instant (its order is taken modulo 2^32).

A thread with a next release further away wakes, begins no job, and waits again: at previous
release + k * HOP_COUNTS, for k up to floor((floor(period * hz) - 1) / HOP_COUNTS). First releases
(offsets) are inserted once, before the start.
"""

_CHUNK_INSTANTS = 1 << 18  # about how many instants are held in memory at once
_FIRST_INSTANTS = 1 << 12  # of the first part of a stretch of which not all may be wanted


@dataclass(frozen=True, slots=True)
class Stream:
    """The releases at offset + k * period seconds, and the tasks that share them.

    A task with several points in its period is in as many streams.
    """

    period: Fraction
    offset: Fraction
    tasks: tuple[int, ...]  # indices into System.tasks, ascending

    def __hash__(self) -> int:
        return hash(self.tasks)  # a fraction's takes a hundred times as long, and plans ask often


def streams(system: System, tasks: Iterable[int] | None = None) -> tuple[Stream, ...]:
    """The distinct (period, offset) of `tasks` (default: all), by period, then by offset."""
    return _streams(system, None if tasks is None else tuple(tasks))


@remembered
def _streams(system: System, tasks: tuple[int, ...] | None) -> tuple[Stream, ...]:
    members: dict[tuple[Fraction, Fraction], list[int]] = defaultdict(list)
    for index in range(len(system.tasks)) if tasks is None else tasks:
        task = system.tasks[index]
        for offset in task.offsets:
            members[task.period, offset].append(index)
    return tuple(Stream(*key, tuple(sorted(members[key]))) for key in sorted(members))


def count_instant(seconds: Fraction, hz: int) -> int:
    """The count at which the kernel acts for an instant `seconds` after t = 0: rounded down."""
    return seconds.numerator * hz // seconds.denominator


def window_counts(system: System) -> int:
    """The end of the window [0, end), in counts: the whole ones of the duration."""
    return count_instant(system.duration, system.board.clock.hz)


def clock_wraps_in(system: System) -> int:
    """How often the clock's counter, of at most 32 bits, wraps in the window."""
    start, counts = system.board.start_counts, 1 << system.board.clock.stamp_bits
    return (start + window_counts(system) - 1) // counts - start // counts


def window_seconds(system: System) -> Fraction:
    """The end of the window [0, end), in seconds."""
    return Fraction(window_counts(system), system.board.clock.hz)


def count_releases(period: Fraction, offset: Fraction, hz: int, end: int) -> int:
    """How many of the releases offset + k * period lie in the window [0, end)."""
    return max(0, ceil((end - offset * hz) / (period * hz)))


def jobs_in(system: System) -> tuple[int, ...]:
    """How many jobs of each task are released in the window."""
    hz, end = system.board.clock.hz, window_counts(system)
    counts = [0] * len(system.tasks)
    for stream in streams(system):
        jobs = count_releases(stream.period, stream.offset, hz, end)
        for task in stream.tasks:
            counts[task] += jobs
    return tuple(counts)


def hyperperiod(of: Iterable[Stream]) -> Fraction:
    """The least common multiple of the periods, in seconds."""
    periods = [stream.period for stream in of]
    unit = lcm(*(period.denominator for period in periods))
    return Fraction(lcm(*(int(period * unit) for period in periods)), unit)


def common_divisor(of: Sequence[Stream]) -> Fraction:
    """The longest P such that all releases are at one instant modulo P.

    That is the greatest common divisor of the periods and of the differences of the offsets.
    """
    first = of[0].offset
    times = [stream.period for stream in of] + [stream.offset - first for stream in of]
    unit = lcm(*(time.denominator for time in times))
    return Fraction(gcd(*(int(time * unit) for time in times)), unit)


def bases(of: Sequence[Stream]) -> tuple[tuple[int, ...], ...]:
    """Positions in `of`, joined where one stream's instants lie on another's (but for its offset).

    A stream joins the first shorter one with a congruent offset and a period that divides its own.
    The first position of each group is the one that the others have joined.
    """
    unit = lcm(*(stream.period.denominator for stream in of))
    unit = lcm(unit, *(stream.offset.denominator for stream in of))
    return _joined(tuple((int(one.period * unit), int(one.offset * unit)) for one in of))


@lru_cache(maxsize=256)
def _joined(rows: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    """`bases` of streams with these periods and offsets."""
    groups: list[list[int]] = []
    # Of each period, ascending, the group at each offset: there is one at most for each residue.
    at_period: dict[int, dict[int, list[int]]] = {}
    for position in sorted(range(len(rows)), key=lambda at: (rows[at], at)):
        period, offset = rows[position]
        for base in [base for base in at_period if period % base == 0]:
            joined = at_period[base].get(offset % base)
            if joined is not None:
                joined.append(position)
                break
        else:
            groups.append([position])
            at_period.setdefault(period, {})[offset % period] = groups[-1]
    return tuple(map(tuple, groups))


def essential(of: Sequence[Stream], hz: int) -> tuple[Stream, ...]:
    """The streams of `of` that leave out no instant once every offset has passed.

    A stream with instants that are all another's too is left out, unless its threads hop in between.
    """
    heads = {group[0] for group in bases(of)}
    return tuple(s for at, s in enumerate(of) if at in heads or _hops(s, hz))


def cycle_counts(of: Sequence[Stream], hz: int) -> int:
    """Returns the number of counts after which the instants of all events repeat exactly.

    The hyperperiod of the essential streams, or its smallest multiple that is whole in counts.
    """
    return (hyperperiod(essential(of, hz)) * hz).numerator


def settled_counts(of: Iterable[Stream], hz: int) -> int:
    """From here on, when every offset has passed, the instants repeat every `cycle_counts`."""
    return ceil(max(stream.offset for stream in of) * hz)


def stream_wakes(stream: Stream, hz: int, end: int) -> int:
    """How many wakes of `stream` lie in [0, end): its releases, and the hops between them."""
    # ceil((end - offset * hz - hop * HOP_COUNTS) / (period * hz)), in whole numbers
    first, unit = stream.offset.numerator * hz, stream.offset.denominator
    up, down = stream.period.denominator, unit * stream.period.numerator * hz
    return sum(
        max(0, -((first - (end - hop * HOP_COUNTS) * unit) * up // down))
        for hop in range(min(_hops(stream, hz), end // HOP_COUNTS) + 1)
    )


def release_instants(of: Sequence[Stream], hz: int, start: int, end: int) -> Iterator[int]:
    """The distinct release instants in [start, end), ascending."""
    for part in _distinct(of, hz, start, end, _releases_of):
        yield from sorted(part)


def wakes(of: Sequence[Stream], hz: int, start: int, end: int) -> Iterator[int]:
    """The distinct instants in [start, end) at which a delay queue wakes some thread, ascending.

    The release instants, and the hops of threads with a period longer than HOP_COUNTS.
    """
    for part in wake_sets(of, hz, start, end):
        yield from sorted(part)


def wake_sets(of: Sequence[Stream], hz: int, start: int, end: int) -> Iterator[set[int]]:
    """The instants of `wakes`, in sets that follow each other."""
    return _distinct(of, hz, start, end, _wakes_of)


def count_release_instants(of: Sequence[Stream], hz: int, start: int, end: int) -> int:
    """How many distinct release instants lie in [start, end)."""
    return sum(map(len, _distinct(of, hz, start, end, _releases_of)))


def count_wakes(of: Sequence[Stream], hz: int, start: int, end: int) -> int:
    """How many distinct instants of `wakes` lie in [start, end)."""
    return sum(map(len, wake_sets(of, hz, start, end)))


def releases(
    of: Sequence[Stream], hz: int, start: int, end: int
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each release instant in [start, end), with the positions of the streams released there."""
    positions: dict[int, tuple[int, ...]] = {}
    for due in _released_bits(of, hz, start, end):
        for bits in set(due.values()) - positions.keys():
            positions[bits] = _positions(bits)
        for instant in sorted(due):
            yield instant, positions[due[instant]]


def distinct_releases(
    of: Sequence[Stream], hz: int, start: int, end: int, most: int
) -> tuple[int, list[tuple[int, ...]]] | None:
    """How many release instants lie in [start, end), and each set of positions released at one, once.

    None: there are more than `most` instants.
    """
    count = 0
    sets: set[int] = set()
    for due in _released_bits(of, hz, start, end):
        count += len(due)
        if count > most:
            return None
        sets.update(due.values())
    return count, [_positions(bits) for bits in sorted(sets)]


def _released_bits(of: Sequence[Stream], hz: int, start: int, end: int) -> Iterator[dict[int, int]]:
    """The release instants of [start, end), in parts that follow each other; at each, a bit a stream."""
    for low, high in _chunks(of, hz, start, end, _FIRST_INSTANTS):
        due: dict[int, int] = {}
        for position, stream in enumerate(of):
            more = dict.fromkeys(_releases_of(stream, hz, low, high), 1 << position)
            both = {instant: due[instant] | 1 << position for instant in due.keys() & more.keys()}
            due.update(more)
            due.update(both)
        yield due


def _positions(bits: int) -> tuple[int, ...]:
    """The numbers of the bits that are set, ascending."""
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def distinct_instants(system: System, tasks: Iterable[int] | None = None) -> int:
    """How many distinct instants of the window release at least one of `tasks` (default: all)."""
    of, hz, end = streams(system, tasks), system.board.clock.hz, window_counts(system)
    if not of:  # the application says when
        return 0

    def count(low: int, high: int) -> int:
        return count_release_instants(of, hz, low, high)

    return periodic_count(count, settled_counts(of, hz), cycle_counts(of, hz), end)


def covered_instants(system: System, plan: Plan, releaser: Releaser) -> int:
    """How many instants of `releaser` in the window cost no interrupt of its own; 0: it does not cooperate.

    A periodic cell of the plan interrupts there anyway, whether or not it has a task to release.
    """
    if not releaser.cooperates:
        return 0
    partners = [other for other in plan.releasers if other.mode is Mode.PERIODIC]
    hz, end = system.board.clock.hz, window_counts(system)
    return sum(
        any(other.interrupts_at(instant) for other in partners)
        for instant in wakes(streams(system, releaser.tasks), hz, 0, end)
    )


def periodic_count(count: Callable[[int, int], int], settled: int, cycle: int, end: int) -> int:
    """count(0, end), for a `count(low, high)` that repeats every `cycle` from `settled` on."""
    if end - settled <= 2 * cycle:
        return count(0, end)
    cycles, rest = divmod(end - settled, cycle)
    whole = cycles * count(settled, settled + cycle)
    return count(0, settled) + whole + count(settled, settled + rest)


_Instants = Callable[[Stream, int, int, int], Iterable[int]]


def _distinct(
    of: Sequence[Stream], hz: int, start: int, end: int, instants: _Instants
) -> Iterator[set[int]]:
    """The distinct instants of [start, end), in parts that follow each other."""
    for low, high in _chunks(of, hz, start, end):
        yield set().union(*(instants(stream, hz, low, high) for stream in of))


def _chunks(
    of: Sequence[Stream], hz: int, start: int, end: int, first: int = _CHUNK_INSTANTS
) -> Iterator[tuple[int, int]]:
    """[start, end) in parts: first that of about `first` instants, then each about twice as long."""
    if not of:
        return
    # A float is exact enough: it only decides how much is held in memory at once.
    rate = sum(1 / min(float(stream.period * hz), HOP_COUNTS) for stream in of)
    low, instants = start, first
    while low < end:
        high = min(low + max(1, int(instants / rate)), end)
        yield low, high
        low, instants = high, min(2 * instants, _CHUNK_INSTANTS)


def _releases_of(stream: Stream, hz: int, low: int, high: int) -> Iterable[int]:
    first, step = stream.offset * hz, stream.period * hz
    unit = lcm(first.denominator, step.denominator)
    first_units, step_units = int(first * unit), int(step * unit)
    skipped = max(0, -((first_units - low * unit) // step_units))
    return _whole(range(first_units + skipped * step_units, high * unit, step_units), unit)


def _whole(units: range, unit: int) -> Iterable[int]:
    """The whole counts of instants in parts of `unit` a count, in any order.

    After so many steps as make whole counts the parts come again. So they are few ranges as a rule, which is
    many times as fast as to divide each instant.
    """
    steps = unit // gcd(unit, units.step)
    if 4 * steps > len(units):
        return [at // unit for at in units]
    whole = steps * units.step // unit
    parts = (units[number::steps] for number in range(steps))
    ranges = (range(one[0] // unit, one[-1] // unit + 1, whole) for one in parts)
    return next(ranges) if steps == 1 else chain.from_iterable(ranges)


def _hops(stream: Stream, hz: int) -> int:
    """How many hops a thread makes in each period."""
    return (count_instant(stream.period, hz) - 1) // HOP_COUNTS


def _wakes_of(stream: Stream, hz: int, low: int, high: int) -> Iterable[int]:
    hops = _hops(stream, hz)
    found = _releases_of(stream, hz, low, high)
    if hops == 0:
        return found
    earlier = _releases_of(stream, hz, low - hops * HOP_COUNTS, high)
    hopped = (range(at + HOP_COUNTS, at + hops * HOP_COUNTS + 1, HOP_COUNTS) for at in earlier)
    # Of each range what lies in [low, high): a period of a century has tens of millions of hops.
    inside = (
        one[
            max(0, -((one.start - low) // HOP_COUNTS)) : max(0, -((one.start - high) // HOP_COUNTS))
        ]
        for one in hopped
    )
    return chain(found, *inside)
