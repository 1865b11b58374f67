# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Why a system cannot be divided: the core that fails first, its task, by how much, and what would help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from horolog.figures import first_names, plural
from horolog.model import Exit, HorologError, Place, Plan, System
from horolog.plan import plan
from horolog.responses import Analysis, factor_of, ms_text, why_text

__all__ = ["refuse_without_wcet", "refused"]

_MOST_NAMES = 6


def refuse_without_wcet(system: System) -> None:
    """HorologError (1) if nothing can be proved of some task."""
    for at, task in enumerate(system.all_tasks):
        if task.wcet is None:
            raise HorologError(
                f"system {system.name}: tasks cannot be divided among cores without all WCETs",
                place=task.place,
                found=f'"{task.name}" without a WCET',
                expected='wcet = "...", the longest that a job runs undisturbed; or core = ... of each task',
                exit=Exit.DOES_NOT_HOLD,
            )
        if at in system.unbounded:
            raise HorologError(
                f"system {system.name}: tasks cannot be divided among cores if nothing bounds how often one "
                "is activated",
                place=task.place,
                found=f'"{task.name}": {system.unbounded[at]}',
                expected="min_gap of the task; or core = ... of each task",
                exit=Exit.DOES_NOT_HOLD,
            )


@dataclass(frozen=True, slots=True)
class _Failing:
    """A core without a proof."""

    core: int
    part: System
    found: Analysis | None  # None: it cannot be planned
    why: str | None = None

    @property
    def over(self) -> Fraction:
        """By which share of its deadline its first task is late; the largest of those without a bound."""
        first = None if self.found is None else self.found.first_failing
        if first is None:
            return Fraction(0)
        if first.response is None:
            return 1 + first.busy
        return first.response / first.deadline - 1


def refused(
    system: System,
    assigned: Sequence[int],
    cores: int,
    part_of: Callable[[tuple[int, ...], int], System],
    analysed: Callable[[System, Plan], Analysis],
    ways: Sequence[str] = (),
    *,
    certain: bool = False,
) -> HorologError:
    """The error for `assigned`, the division that is nearest to a proof; `ways`: what is known to help.

    `certain`: all divisions were compared.
    """
    used = sum(((one.wcet or 0) * one.rate for one in system.demanding), Fraction(0))
    if used > cores:
        return HorologError(
            f"system {system.name}: its tasks cannot be divided among {plural(cores, 'core')}",
            place=Place(str(system.path)),
            found=f"they need {_percent(used)} of one core (wcet / period), without the kernel",
            expected=f"at most {100 * cores} %: {ceil(used)} cores, longer periods or shorter WCETs",
            exit=Exit.DOES_NOT_HOLD,
        )
    failing = list(_failing(assigned, cores, part_of, analysed))
    if not failing:  # by the plans that are made if nothing is named
        return HorologError(
            f"system {system.name}: no division among {plural(cores, 'core')} is proved with the mechanism "
            "or queue that is named",
            place=Place(str(system.path)),
            found="none",
            expected="no --mechanism and no --queue: then there is one",
            exit=Exit.DOES_NOT_HOLD,
        )
    first = max(failing, key=lambda one: (one.found is None, one.over, -one.core))
    names = first_names([task.name for task in first.part.all_tasks], _MOST_NAMES)
    on = (
        f"core {first.core} ({', '.join(names)}; {_percent(first.part.utilisation)} by their WCETs)"
    )
    help_ = [*ways, *_shorter(first), "more cores, shorter WCETs or longer periods"]
    late = None if first.found is None else first.found.first_failing
    if late is None:
        place, why = first.part.all_tasks[0].place, first.why or "a chain is not proved"
    else:
        place = first.part.all_tasks[late.task].place
        why = _late(first)
    others = f", {len(failing) - 1} more fail" if len(failing) > 1 else ""
    return HorologError(
        f"system {system.name}: no division of its {plural(len(system.all_tasks), 'task')} among "
        f"{plural(cores, 'core')} {'is' if certain else 'was found that is'} proved: in the nearest one "
        f"core {first.core} fails first"
        f"{others}",
        place=place,
        found=f"on {on}: {why}",
        expected="; ".join(help_),
        exit=Exit.DOES_NOT_HOLD,
    )


def _late(first: _Failing) -> str:
    assert first.found is not None
    late = first.found.first_failing
    assert late is not None
    task = first.part.all_tasks[late.task]
    if late.response is None:
        return f'"{task.name}" has no bound: {why_text(late)}'
    over = ceil(100 * (late.response / late.deadline - 1))
    return (
        f'a job of "{task.name}" may take {ms_text(late.response)} ms, and '
        f"{ms_text(late.deadline, up=False)} ms are allowed: {over} % too long"
    )


def _shorter(first: _Failing) -> Iterator[str]:
    """With how much shorter bodies the core would be proved."""
    if first.found is None or first.found.first_failing is None:
        return
    factor = factor_of(first.found)
    if factor:
        yield (
            f"core {first.core} is proved with bodies that take {floor(factor * 1000) / 1000:.3f} times "
            "as long"
        )


def _failing(
    assigned: Sequence[int],
    cores: int,
    part_of: Callable[[tuple[int, ...], int], System],
    analysed: Callable[[System, Plan], Analysis],
) -> Iterator[_Failing]:
    for core in range(cores):
        tasks = tuple(task for task, own in enumerate(assigned) if own == core)
        if not tasks:
            continue
        part = part_of(tasks, core)
        try:
            found = analysed(part, plan(part).choice)
        except HorologError as error:
            yield _Failing(core, part, None, error.message)
            continue
        if not found.holds:
            yield _Failing(core, part, found)


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"
