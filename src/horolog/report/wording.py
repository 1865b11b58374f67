# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them, and the sentence that a report leads with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import count, plural, significant
from horolog.model import Baseline, Deadlines
from horolog.model.result import Excess, Interrupts, MemoryBytes, Result, Side
from horolog.read.units import about_duration_text, duration_text

__all__ = [
    "KEYS",
    "MEMORY_ROWS",
    "Headline",
    "beside_rows",
    "capital",
    "deadlines_tone",
    "exception_rows",
    "exceptions_text",
    "headline",
    "interruptions_text",
    "memory_text",
    "ns_text",
    "percent",
    "ratio_rows",
    "sides",
    "sum_text",
    "unpredicted",
]

KEYS = {
    Baseline.STOCK: "theirs",
    Baseline.RATE_GROUP: "groups",
    Baseline.NOTIFY: "notify",
    Baseline.ANY_CORE: "any",
}
"""The keys of FreeRTOS's sides, which pictures and colours go by."""

_THIN = "\u202f"  # narrow no-break space, between a number and its unit
_UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "\u00b5s"), (1, "ns"))


@dataclass(frozen=True, slots=True)
class Headline:
    """The first sentence, what qualifies it, and whether the reader ought to worry."""

    sentence: str
    detail: str
    tone: str  # "good", "neutral" or "bad"


def percent(value: Fraction | float | None, digits: int = 3) -> str:
    """A number of percent; a dash for None."""
    return "\u2013" if value is None else f"{significant(value, digits)}{_THIN}%"


def ns_text(value: Fraction | int | None) -> str:
    """A measured time, to three digits in a fitting unit; a dash for None."""
    if value is None:
        return "\u2013"
    if value < 0:
        return "-" + ns_text(-value)
    for factor, unit in _UNITS:
        if value >= factor * Fraction(9995, 10000) or factor == 1:
            return f"{significant(Fraction(value) / factor)}{_THIN}{unit}"
    raise AssertionError("the last factor is 1")


def sides(result: Result) -> list[tuple[str, str, Side]]:
    """A key, a name for people and the figures of each side that was measured, in order."""
    found = [("ours", "Horolog", result.horolog)]
    if result.basic is not None:
        found.append(("basic", "Horolog, basic", result.basic))
    return found + [(KEYS[one], one.title, side) for one, side in result.freertos_sides.items()]


def ratio_rows(result: Result) -> list[tuple[str, dict[str, Fraction]]]:
    """For each side of Horolog's a label and, by the keys of FreeRTOS's sides, their ratios to it."""
    rows = []
    for what, ratio_of in (
        ("", result.ratio_to),
        (", with exceptions", result.ratio_with_exceptions),
    ):
        for label, basic in (("FreeRTOS to Horolog", False), ("FreeRTOS to Horolog, basic", True)):
            found = {KEYS[one]: ratio_of(one, basic=basic) for one in result.freertos_sides}
            ratios = {key: ratio for key, ratio in found.items() if ratio is not None}
            if ratios:
                rows.append((label + what, ratios))
    return rows


def exception_rows(result: Result) -> list[tuple[str, dict[str, str]]]:
    """What was counted of exceptions, if anything: a label and, by the keys of sides, the figure."""
    every = sides(result)
    if all(side.exceptions is None for _, _, side in every):
        return []

    def row(
        label: str, value: Callable[[Side], Fraction | int | None]
    ) -> tuple[str, dict[str, str]]:
        found = {key: value(side) for key, _, side in every}
        texts = {
            key: "\u2013" if one is None else significant(one, 4) for key, one in found.items()
        }
        return label, texts

    rows = [row("exceptions per job", lambda side: side.exceptions_per_job)]
    if result.exception_cycles is not None:
        rows.append(row("kernel and exceptions per job", lambda side: _all_per_job(result, side)))
    return rows


def _all_per_job(result: Result, side: Side) -> Fraction | None:
    both = result.with_exceptions(side)
    return None if both is None or side.jobs == 0 else Fraction(both, side.jobs)


def exceptions_text(result: Result) -> str | None:
    """What the ratio is with exceptions, and by which figures, or why there is none; None: nothing to say."""
    strongest, each = result.strongest, result.exception_cycles
    if strongest is None:
        return None
    ratio = result.ratio_with_exceptions(strongest)
    if ratio is None or each is None:
        why = result.no_exceptions
        return None if why is None else f"No cycles are added for exceptions: {why}."
    basic = result.ratio_with_exceptions(strongest, basic=True)
    also = "" if basic is None else f", and {_times(basic)} as basic tasks"
    return (
        f"With the cycles of exceptions, Horolog takes {_times(ratio)} than {strongest.described}{also}: "
        f"{each.text}."
    )


MEMORY_ROWS: tuple[tuple[str, Callable[[MemoryBytes], int]], ...] = (
    ("program bytes", lambda memory: memory.program),
    ("bytes of it in tables", lambda memory: memory.tables),
    ("bytes of variables", lambda memory: memory.variables),
    ("bytes of threads' stacks", lambda memory: memory.stacks),
)
"""What a firmware takes: a label, and the figure."""


def memory_text(of: Callable[[MemoryBytes], int], side: Side) -> str:
    """A figure of MEMORY_ROWS, or a dash."""
    return "\u2013" if side.memory is None else count(of(side.memory))


def interruptions_text(side: Side) -> str:
    """How often an interrupt released only tasks below the running job, and its cost; a dash: unknown."""
    found = side.interruptions
    if found is None:
        return "\u2013"
    if not found.count or found.kernel is None:
        return count(found.count)
    return f"{count(found.count)} ({count(found.kernel)} {side.unit})"


def sum_text(of: Interrupts) -> str:
    """Such as "12 = 10 + 2": predicted, taken and coalesced; less those taken for no instant, if any."""
    equals = "=" if of.predicted == of.taken + of.coalesced - of.excess else "\u2260"
    text = f"{count(of.predicted)} {equals} {count(of.taken)} + {count(of.coalesced)}"
    return f"{text} \u2212 {count(of.excess)} for no instant" if of.excess else text


def beside_rows(result: Result) -> list[tuple[str, dict[str, str]]]:
    """For each cell that serves tables or budgets a label and, by the keys of sides, its interrupts."""
    rows: dict[str, dict[str, str]] = {}
    for key, _, side in sides(result):
        for one in side.beside:
            if one.predicted is not None and one.taken is not None:
                label = f"interrupts of {one.cell}, {one.what}"
                text = f"{count(one.predicted)} predicted, {count(one.taken)} taken"
                rows.setdefault(label, {})[key] = text
    return list(rows.items())


def unpredicted(result: Result) -> list[str]:
    """A line for each thing that is measured, and not predicted or not wholly, with the reason."""
    found = (
        f"{one.what}: {one.not_predicted}"
        for _, _, side in sides(result)
        for one in side.beside
        if one.not_predicted is not None
    )
    return list(dict.fromkeys(found))


def headline(result: Result, tasks: int, processor: str = "the processor") -> Headline:
    """The first sentence of the report for `result`, a system of `tasks` tasks; good or bad news.

    `processor`: what the tasks run on.
    """
    ours = result.horolog
    if result.exceeded:
        return _invalid(result.exceeded)
    if ours.deadline_misses:
        return Headline(
            f"{plural(ours.deadline_misses, 'job')} of {count(ours.jobs)} missed "
            f"{'its deadline' if ours.deadline_misses == 1 else 'their deadlines'}.",
            "Until that is put right, what the kernel costs says little: late tasks look cheap."
            + _refusal(result),
            "bad",
        )
    if ours.overhead_percent is None:
        return Headline(
            f"Horolog released {plural(ours.jobs, 'job')} of {plural(tasks, 'task')} "
            f"with {plural(ours.interrupts.taken, 'interrupt')}, none late.",
            "No instructions are counted on this board, so there is no overhead to show."
            + (_refusal(result) if result.freertos_sides else ""),
            "neutral",
        )
    spends = (
        f"Horolog spends {percent(ours.overhead_percent)} of {processor} "
        f"on releasing {plural(tasks, 'task')}"
    )
    strongest = result.strongest
    if strongest is None:
        detail = f"{_spent(result)}{_basic(result)}{_refusal(result)}".strip()
        return Headline(f"{spends}.", detail, "neutral")
    ratio = result.ratio_to(strongest)
    assert ratio is not None
    proof = (
        f"Both ran the same {plural(ours.jobs, 'job')} and missed no deadline."
        f"{_basic(result)}{_spent(result, strongest)}{_refusal(result)}"
    )
    theirs = f"{strongest.described} ({_share(result, strongest)})"
    if significant(ratio) == "1.00":
        return Headline(f"{spends}, as much as {theirs}.", proof, "neutral")
    return Headline(
        f"{spends}, {_times(ratio)} than {theirs}.", proof, "good" if ratio > 1 else "bad"
    )


def _times(ratio: Fraction) -> str:
    """By how much Horolog's kernel takes less, or more, with `ratio` of FreeRTOS's for each of its."""
    if ratio >= 1:
        return f"{significant(ratio)}\u00a0times less"
    return f"{significant(1 / ratio)}\u00a0times more"


def _share(result: Result, baseline: Baseline) -> str:
    return percent(result.freertos_sides[baseline].overhead_percent)


def _spent(result: Result, but: Baseline | None = None) -> str:
    """What each FreeRTOS side spends but the one that the headline is about."""
    said = []
    for one in result.freertos_sides:
        ratio = result.ratio_to(one)
        if one is not but:
            of_it = "" if ratio is None else f", {significant(ratio)}\u00a0times as much as Horolog"
            said.append(f" {capital(one.described)} spends {_share(result, one)}{of_it}.")
    return "".join(said)


def capital(text: str) -> str:
    """With its first letter in upper case."""
    return text[0].upper() + text[1:]


def _invalid(exceeded: Sequence[Excess]) -> Headline:
    worst, more = exceeded[0], len(exceeded) - 1
    others = f", and {plural(more, 'other task')} ran longer than {'its' if more == 1 else 'their'}"
    return Headline(
        f'Not a valid run: the body of task "{worst.task}" ran for '
        f"{about_duration_text(worst.executed, 6, exact=9)} in one job, longer than its WCET of "
        f"{duration_text(worst.wcet)}{others if more else ''}.",
        "The plan, the utilisation and every prediction hold for the WCETs that the description states; "
        "what was measured is shown as it was, and compared with nothing.",
        "bad",
    )


def _basic(result: Result) -> str:
    """What all tasks as basic tasks come to, where that was measured."""
    basic = result.basic
    if basic is None:
        return "" if result.no_basic is None else f" Not run as basic tasks: {result.no_basic}."
    if basic.deadline_misses:
        return f" As basic tasks they missed {plural(basic.deadline_misses, 'deadline')}."
    said = f" As basic tasks they cost {percent(basic.overhead_percent)}"
    strongest = result.strongest
    ratio = None if strongest is None else result.ratio_to(strongest, basic=True)
    if strongest is None or ratio is None:
        return said + "."
    return f"{said}, {_times(ratio)} than {strongest.described}."


def _refusal(result: Result) -> str:
    """Why there is no ratio to some FreeRTOS sides: each reason once."""
    run, by_reason = result.freertos_sides, defaultdict[tuple[bool, str], list[Baseline]](list)
    for one in Baseline:
        reason = result.refused_to(one)
        if reason is not None:
            by_reason[one in run, reason].append(one)
    asked = (
        len(run)
        + sum(one.side is None for one in result.rivals)
        + (result.not_compared is not None)
    )
    said = []
    for (was_run, reason), sides in by_reason.items():
        every = len(sides) == asked
        of = "FreeRTOS" if every else " and ".join(one.described for one in sides)
        refused = "No ratio is given" + ("" if every else f" to {of}")
        said.append(f" {refused if was_run else f'Not compared with {of}'}: {reason}.")
    return "".join(said)


def deadlines_tone(deadlines: Deadlines) -> str:
    """Of a verdict: "good", "neutral" or "bad"."""
    return "good" if deadlines.hold else "bad" if deadlines.missed else "neutral"
