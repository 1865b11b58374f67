# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Figure 7 of the paper: less urgent tasks are released while an urgent one runs. Counted, and drawn.

The drawing is SVG and a VCD, both written here from the log: nothing in them depends on a library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from horolog_experiments.dispatch.visits import Log, Visit

__all__ = ["Interruptions", "Timeline", "interruptions", "timeline", "timelines_svg", "vcd_text"]


@dataclass(frozen=True, slots=True)
class Interruptions:
    """How often `jobs` jobs of the urgent task were interrupted, and for how long."""

    jobs: int
    count: int
    total: int
    worst: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """Which owner had the processor from `begin` up to `end`; owners by number, the idle loop's first.

    `releases`: when an owner is due, by the description.
    """

    begin: int
    end: int
    owners: tuple[str, ...]
    visits: tuple[Visit, ...]
    releases: tuple[tuple[int, int], ...] = ()  # owner's number, time


def interruptions(log: Log, owner: int, others: Sequence[int], jobs: int) -> Interruptions:
    """Gaps between visits of `owner` within one job, for its first `jobs`.

    A job is over when a visit of one of `others`, which all have lower priorities, follows.
    """
    found: list[int] = []
    done = 0
    for visit, after in zip(log.visits, log.visits[1:], strict=False):
        if done == jobs:
            break
        if visit.owner == owner and after.owner == owner:
            found.append(after.first - visit.last - 1)
        elif visit.owner == owner and after.owner in others:
            done += 1
    return Interruptions(done, len(found), sum(found), max(found, default=0))


def timeline(
    log: Log,
    owners: Sequence[str],
    begin: int,
    end: int,
    releases: Iterable[tuple[int, int]] = (),
) -> Timeline:
    """The window from `begin` up to `end`."""
    inside = [
        Visit(visit.owner, max(visit.first, begin), min(visit.last, end - 1))
        for visit in log.visits
        if visit.last >= begin and visit.first < end
    ]
    due = tuple((owner, time) for owner, time in releases if begin <= time < end)
    return Timeline(begin, end, tuple(owners), tuple(inside), due)


def _kernel(one: Timeline) -> list[tuple[int, int]]:
    """The spans in which the processor belonged to no owner, so to the kernel: first cycle, end."""
    found = []
    at = one.begin
    for visit in one.visits:
        if visit.first > at:
            found.append((at, visit.first))
        at = visit.last + 1
    if at < one.end:
        found.append((at, one.end))
    return found


_LEFT, _WIDTH, _LANE, _GAP, _TOP = 110, 820, 22, 30, 20
_COLOURS = {"idle": "#d8dee6", "high": "#3465a4", "low2": "#73a946", "low1": "#edc351"}
_COLOURS |= {"third": "#3465a4", "second": "#73a946", "first": "#edc351"}
_OTHER = "#8f6fb0"
_KERNEL = "#c4302b"


def timelines_svg(
    titled: Mapping[str, Timeline],
    unit: str,
    marks: Mapping[str, Sequence[tuple[int, int]]] = MappingProxyType({}),
) -> str:
    """One band a timeline, a lane an owner, the kernel's at the bottom; as an SVG file.

    `marks`: crosses in a band, by its title: an owner's number and a time each.
    """
    parts: list[str] = []
    y = _TOP
    for title, one in titled.items():
        parts += _band(title, one, y, unit, marks.get(title, ()))
        y += _LANE * (len(one.owners) + 2) + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 20}" height="{y}" '
        f'font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _band(
    title: str, one: Timeline, top: int, unit: str, marks: Sequence[tuple[int, int]]
) -> list[str]:
    length = one.end - one.begin

    def x(time: int) -> str:
        return f"{_LEFT + _WIDTH * (time - one.begin) / length:.2f}"

    def wide(first: int, end: int, least: float = 0.0) -> str:
        return f"{max(least, _WIDTH * (end - first) / length):.2f}"

    parts = [f'<text x="{_LEFT}" y="{top + 12}" font-weight="bold">{title}</text>']
    lanes = [*one.owners[1:], one.owners[0]]
    for nth, name in enumerate([*lanes, "kernel"]):
        y = top + _LANE * (nth + 1)
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end">{name}</text>')
        parts.append(
            f'<line x1="{_LEFT}" y1="{y + 19}" x2="{_LEFT + _WIDTH}" y2="{y + 19}" stroke="#ccc"/>'
        )
        if name == "kernel":
            bars = [(first, end, _KERNEL, 0.8) for first, end in _kernel(one)]
        else:
            owner = one.owners.index(name)
            colour = _COLOURS.get(name, _OTHER)
            bars = [(v.first, v.last + 1, colour, 0.3) for v in one.visits if v.owner == owner]
        parts += [
            f'<rect x="{x(first)}" y="{y + 4}" width="{wide(first, end, least)}" height="15" fill="{fill}"/>'
            for first, end, fill, least in bars
        ]
        parts += [
            f'<path d="M{x(time)} {y + 19}v-18m-3 5l3 -5l3 5" stroke="#222" fill="none"/>'
            for owner, time in one.releases
            if one.owners[owner] == name
        ]
        parts += [
            f'<path d="M{x(time)} {y + 11}m-4 -4l8 8m0 -8l-8 8" stroke="#c4302b" stroke-width="2"/>'
            for owner, time in marks
            if one.owners[owner] == name
        ]
    y = top + _LANE * (len(lanes) + 2)
    parts.append(
        f'<text x="{_LEFT}" y="{y + 8}" fill="#555">0</text>'
        f'<text x="{_LEFT + _WIDTH}" y="{y + 8}" fill="#555" text-anchor="end">{length:,} {unit}</text>'
    )
    return parts


_CYCLE_NS = 20


def vcd_text(one: Timeline) -> str:
    """The timeline as a Value Change Dump (IEEE 1364, 18): a wire an owner, and the kernel's."""
    names = [*one.owners, "kernel"]
    codes = {name: chr(ord("!") + nth) for nth, name in enumerate(names)}
    changes: dict[int, dict[str, int]] = {one.begin: dict.fromkeys(names, 0)}
    spans = [(v.first, v.last + 1, one.owners[v.owner]) for v in one.visits]
    spans += [(first, end, "kernel") for first, end in _kernel(one)]
    for first, end, name in sorted(spans):
        changes.setdefault(end, {}).setdefault(name, 0)
        changes.setdefault(first, {})[name] = 1
    lines = ["$timescale 1 ns $end", "$scope module processor $end"]
    lines += [f"$var wire 1 {codes[name]} {name} $end" for name in names]
    lines += ["$upscope $end", "$enddefinitions $end"]
    for time in sorted(changes):
        lines.append(f"#{(time - one.begin) * _CYCLE_NS}")
        lines += [f"{value}{codes[name]}" for name, value in changes[time].items()]
    return "\n".join(lines) + "\n"
