# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""WCETs proposed by a run: the longest job of each body that was measured, and a margin on top. No proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from horolog.figures import count, plural
from horolog.measure.measured import Measured
from horolog.model import HorologError, Place, System
from horolog.read.units import about_duration_text, duration_text

__all__ = ["WcetProposal", "proposals", "proposals_data", "proposals_text", "refuse_uncounted"]

_DIGITS = 3  # of a proposal, rounded up


@dataclass(frozen=True, slots=True)
class WcetProposal:
    """Of one table of the description, whose tasks have one body: what its longest job took.

    `longest` is execution without what interrupted or preempted the job, in instructions or cycles and in
    seconds. `jobs` are those that ended in the window; None: of interrupts and sporadic tasks they are not
    counted.
    """

    place: Place  # of the table; its key names it
    body: str
    jobs: int | None
    steps: int
    longest: Fraction
    wcet: Fraction | None  # that the description has
    proposed: Fraction | None  # None: no job ended


@dataclass(frozen=True, slots=True)
class _Code:
    """A body or a handler: the number under which its jobs are watched."""

    number: int
    place: Place
    body: str | None
    wcet: Fraction | None


def refuse_uncounted(system: System) -> None:
    """HorologError if the board does not count what a body executes."""
    if system.board.runner.ns_per_step is None:
        raise HorologError(
            f'--wcet measures what bodies execute, and the board "{system.board.name}" does not count it',
            place=Place(str(system.path)),
            found="virtual time, which stands still while a body runs",
            expected="an emulated or simulated board, such as --board mps2-an385 or --board ibex-cells",
        )


def proposals(system: System, measured: Measured, margin: int) -> tuple[WcetProposal, ...]:
    """For each task, group, sporadic task and interrupt with a function of the user's, in the file's order.

    `margin`: per cent on top.
    """
    lasts = system.board.runner.ns_per_step
    assert lasts is not None
    trace = measured.trace
    ended = Counter(
        index for kind, index in zip(trace.kinds, trace.indices, strict=True) if kind == "E"
    )
    tables: dict[Place, list[_Code]] = {}
    for code in _codes(system):
        if code.body is not None:
            tables.setdefault(code.place, []).append(code)
    found = []
    for place, codes in tables.items():
        steps = max(measured.findings.longest.get(code.number, 0) for code in codes)
        longest = Fraction(steps * lasts, 10**9)
        found.append(
            WcetProposal(
                place,
                codes[0].body or "",
                sum(ended[code.number] for code in codes)
                if codes[0].number < len(system.tasks)
                else None,
                steps,
                longest,
                codes[0].wcet,
                _rounded_up(longest * (100 + margin) / 100) if steps else None,
            )
        )
    return tuple(sorted(found, key=lambda one: one.place.line or 0))


def _codes(system: System) -> Iterator[_Code]:
    """As the watch numbers them: tasks, interrupts, sporadic tasks."""
    for number, task in enumerate(system.tasks):
        if number not in system.served:  # else its code is the kernel's and its task's
            yield _Code(number, task.place, task.body, task.wcet)
    for number, one in enumerate(system.interrupts, len(system.tasks)):
        yield _Code(number, one.place, one.handler, one.wcet)
    for number, extra in enumerate(system.sporadic, len(system.tasks) + len(system.interrupts)):
        yield _Code(number, extra.task.place, extra.task.body, extra.task.wcet)


def _rounded_up(seconds: Fraction) -> Fraction:
    """To _DIGITS digits, and to whole nanoseconds."""
    ns = ceil(seconds * 10**9)
    unit = 10 ** max(0, len(str(ns)) - _DIGITS)
    return Fraction(-(-ns // unit) * unit, 10**9)


def proposals_text(
    system: System, found: Sequence[WcetProposal], unit: str, margin: int
) -> Iterator[str]:
    """Lines of TOML, with comments that say what was measured."""
    if not found:
        yield "# No WCETs to propose: every task has work, and no function of yours."
        return
    yield f"# Measured on {system.board.name}, with {margin} % on top: a hint, not a proof."
    yield "# Another run may take other paths; hardware waits for memory, where an emulator does not."
    yield "# A bound by the paths of the code is not computed."
    for one in found:
        key, line = one.place.key or one.body, one.place.line
        yield ""
        if one.proposed is None:
            yield f"# {key}, line {line}: {one.body} did not end in this run"
            continue
        among = "the longest" if one.jobs is None else f"the longest of {plural(one.jobs, 'job')}"
        yield (
            f"# {key}, line {line}: {one.body}, {among}: "
            f"{about_duration_text(one.longest, 6, exact=6)}, {count(one.steps)} {unit}"
            + _change(one.wcet, one.longest)
        )
        yield f'wcet = "{duration_text(one.proposed)}"'


def _change(given: Fraction | None, longest: Fraction) -> str:
    if given is None:
        return ""
    return f"; wcet now {duration_text(given)}" + (", exceeded" if longest > given else "")


def proposals_data(found: Sequence[WcetProposal], margin: int) -> dict[str, Any]:
    """For --json; times in nanoseconds."""

    def ns(seconds: Fraction | None) -> int | None:
        return None if seconds is None else ceil(seconds * 10**9)

    return {
        "margin_percent": margin,
        "proof": False,
        "path_bound": None,
        "bodies": [
            {
                "table": one.place.key,
                "line": one.place.line,
                "body": one.body,
                "jobs": one.jobs,
                "longest_steps": one.steps,
                "longest_ns": ns(one.longest),
                "wcet_ns": ns(one.wcet),
                "proposed_ns": ns(one.proposed),
                "toml": None if one.proposed is None else f'wcet = "{duration_text(one.proposed)}"',
            }
            for one in found
        ],
    }
