# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/chronos.md: targets, Table II beside ours, the figures, what holds, what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from horolog.build.freertos import HOW_TO_GET_IT
from horolog.data import data_root
from horolog_experiments.chronos.figures import REGIONS
from horolog_experiments.chronos.page_words import DIFFERS, HOW, SETS
from horolog_experiments.chronos.paper import TABLE_II
from horolog_experiments.chronos.points import Row
from horolog_experiments.chronos.results import Breakdown, Results, geometric_mean, region_of
from horolog_experiments.chronos.sets import STRONGER, Scenario, Variant, methods_of, scenario
from horolog_experiments.chronos.targets import TARGETS, closed, place_of, prediction_error
from horolog_experiments.harness import entries, number, table, targets_table

__all__ = ["FOLDER", "chronos_page"]

FOLDER = "chronos"
"""The folder of the figures and the data, beside the page."""

_AGAINST = {
    "tickless": "tickless",
    "gcd-tick": "a tick at the gcd",
    "rate-group": "rate groups",
    "rate-group-gcd": "rate groups, a tick at the gcd",
}
"""The names of sets.STRONGER in the heads of columns."""
_PAPERS = ("chronos", "const", "harmonic")
_BREAKDOWN_TITLES = {
    "ideal": "zero cost (simulated)",
    **{method.name: method.title for method in methods_of(scenario("low"))},
}


def chronos_page(results: Results, *, figures: bool) -> str:
    """The whole page; with `figures` they are there to be shown."""
    parts = [
        _head(results),
        _targets(results),
        _table_ii(results),
        _figures(results) if figures else "",
        _ratios(results),
        _holding(results),
        _breakdowns(results),
        _choices(results),
        _predictions(results),
        SETS,
        HOW,
        DIFFERS,
        _configuration(),
    ]
    return "\n".join(part for part in parts if part)


def _head(results: Results) -> str:
    version = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    limited = "\n**A limited run: not for comparison.**\n" if results.quick else ""
    return f"""\
# CHRONOS, section VII

Written by `horolog bench chronos`; do not edit. Platform: {results.platform};
{results.toolchain}; FreeRTOS: {version}. Figures are **instructions** executed, not time on silicon. Counted
from outside the firmware (`plugin/horolog_probe.c`).
{limited}"""


def _targets(results: Results) -> str:
    return "## Targets\n\n" + targets_table(entries(TARGETS, results))


def _table_ii(results: Results) -> str:
    header = ["workload", "mechanism", "peak, paper", "peak, ours", "mean, paper", "mean, ours"]
    rows = []
    for of in results.scenarios():
        green = _green(results, of)
        for how in methods_of(of):
            peak, mean = _reductions(results, of, how.name, green)
            if how.name == "freertos" or peak is None:
                continue
            paper = TABLE_II[of.name].get(how.name, ("", ""))
            rows.append(
                [
                    of.name,
                    f"**{how.title}**" if how.name in TABLE_II[of.name] else how.title,
                    _times(paper[0]),
                    _times(f"{peak:.2f}"),
                    _times(paper[1]),
                    "" if mean is None else _times(f"{mean:.2f}"),
                ]
            )
    return f"""\
## Table II: reduction of overhead compared to FreeRTOS

The paper's measure over its five releases: the share of the run spent in tick interrupts and in delay
calls, FreeRTOS's over the mechanism's. Ours: all of the kernel but the context switch, the loop of jobs and
the end of a task. Peak: over all period factors. Mean: the geometric one over the factors that are
schedulable under every method that the paper has in that scenario ({_factors_text(results)}).
Bold: the paper's rows.

{table(header, rows)}"""


def _times(text: str) -> str:
    return f"{text}\N{MULTIPLICATION SIGN}" if text else ""


def _green(results: Results, of: Scenario) -> list[int]:
    return [
        factor
        for factor in results.factors(of.name)
        if region_of(results, of, factor, Variant.FIVE) == "all"
    ]


def _factors_text(results: Results) -> str:
    return "; ".join(f"{of.name}: {_spans(_green(results, of))}" for of in results.scenarios())


def _spans(factors: Iterable[int]) -> str:
    """1, 2, 3, 5 as "1-3, 5"."""
    spans: list[list[int]] = []
    for factor in sorted(factors):
        if spans and factor == spans[-1][-1] + 1:
            spans[-1].append(factor)
        else:
            spans.append([factor])
    texts = [str(s[0]) if len(s) == 1 else f"{s[0]}-{s[-1]}" for s in spans]
    return ", ".join(texts) or "none"


def _reductions(
    results: Results, of: Scenario, name: str, green: list[int]
) -> tuple[float | None, float | None]:
    """Peak and geometric mean of the paper's measure."""
    every, some = [], []
    for factor in results.factors(of.name):
        row = results.row(of.name, factor, Variant.FIVE, name)
        reduction = None if row is None else results.reduction(row)
        if reduction is not None:
            every.append(reduction)
            some += [reduction] if factor in green else []
    return (float(max(every)) if every else None), geometric_mean(some)


def _figures(results: Results) -> str:
    shown = []
    for of in results.scenarios():
        caption = f"Figure {of.figure} of the paper redrawn: {of.title}"
        shown.append(f"![{caption}]({FOLDER}/{of.name}.svg)\n\n*{caption}.*\n")
    colours = ", ".join(label for _, label in REGIONS.values())
    return (
        "## Figures 6 to 10\n\nOn the left the paper's measure over five releases, on the right the kernel "
        "instructions of a job in the long run, by ADR 0009. Regions as in the paper, by its "
        f"methods: {colours}. A point that never became idle again has no mark.\n\n"
        + "\n".join(shown)
    )


def _ratios(results: Results) -> str:
    """The measure of ADR 0009: FreeRTOS's kernel instructions over a mechanism's."""
    parts = []
    for variant in Variant:
        rows = []
        for of in results.scenarios():
            for how in methods_of(of):
                row = _ratio_row(results, of, how.name, variant)
                if row is not None:
                    rows.append([of.name, how.title, *row])
        header = [
            "workload",
            "mechanism",
            "kernel a job, x 1",
            "x 15",
            "points",
            "ratio, least",
            "mean",
            "most",
            *(f"mean against {title}" for title in _AGAINST.values()),
        ]
        parts.append(f"### {variant.value.capitalize()}\n\n" + table(header, rows))
    return (
        "## Kernel instructions a job\n\nEvery instruction outside of bodies and idle, and how many times as "
        "many FreeRTOS executes. A point at which either misses a deadline enters no ratio; means are "
        f"geometric. {_slowest_ticks(results)}\n\n" + "\n".join(parts)
    )


def _slowest_ticks(results: Results) -> str:
    """At which points FreeRTOS can tick at the greatest common divisor of the periods."""
    rows = [row for row in results.rows if row.point.method == "gcd-tick"]
    without = [row for row in rows if row.state == "refused"]
    if not rows or len(without) == len(rows):
        return "FreeRTOS with a tick at the gcd of the periods was not measured."
    there = (
        "There is a tick at the gcd of the periods of at most 10 kHz, and that SysTick can count,"
    )
    if not without:
        return f"{there} at every point."
    places = "; ".join(f"{place_of(row.point)}: {row.said}" for row in without)
    return f"{there} but at {places}."


def _ratio_row(results: Results, of: Scenario, name: str, variant: Variant) -> list[str] | None:
    factors = results.factors(of.name)
    rows = [results.row(of.name, factor, variant, name) for factor in factors]
    feasible = [row for row in rows if row is not None and row.feasible]
    if not feasible:
        return None
    against = [ratio for row in feasible if (ratio := results.ratio(row)) is not None]
    stronger = [
        [ratio for row in feasible if (ratio := results.ratio(row, base)) is not None]
        for base in _AGAINST
    ]
    ends = [_cost(rows[0]), _cost(rows[-1])]
    if name == "freertos" or name in STRONGER:
        return [*ends, str(len(feasible)), "", "", "", *("" for _ in _AGAINST)]
    least = f"{float(min(against)):.2f}" if against else ""
    most = f"{float(max(against)):.2f}" if against else ""
    return [*ends, str(len(against)), least, _mean(against), most, *map(_mean, stronger)]


def _cost(row: Row | None) -> str:
    if row is None or row.state == "refused":
        return ""
    return number(row.per_job) if row.feasible else "(late)"


def _mean(ratios: list[Fraction]) -> str:
    mean = geometric_mean(ratios)
    return "" if mean is None else f"{mean:.2f}"


def _holding(results: Results) -> str:
    """The factors at which no deadline is missed; variants that hold at the same factors share a line."""
    rows = []
    for of in results.scenarios():
        found: dict[tuple[str, ...], list[str]] = {}
        for title, spans in _held(results, of):
            found.setdefault(spans, []).append(title)
        rows += [[of.name, ", ".join(titles), *spans] for spans, titles in found.items()]
    header = ["workload", "kernels and mechanisms", *(variant.value for variant in Variant)]
    return f"""\
## Period factors without a missed deadline

The simulated kernel of zero cost beside the others, once with 1.1 times the work.

{table(header, rows)}"""


def _held(results: Results, of: Scenario) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The title of each method and, for each variant, the factors at which it holds."""
    factors = results.factors(of.name)

    def spans(feasible: Callable[[int, Variant], bool | None]) -> tuple[str, ...]:
        return tuple(_spans(f for f in factors if feasible(f, variant)) for variant in Variant)

    def under(name: str) -> Callable[[int, Variant], bool | None]:
        return lambda factor, variant: results.feasible(of.name, factor, variant, name)

    for how in methods_of(of):
        if any(under(how.name)(f, variant) is not None for f in factors for variant in Variant):
            yield how.title, spans(under(how.name))
    yield "zero cost", spans(lambda f, v: results.ideals[of.name, f, v].feasible)
    yield "zero cost, 1.1 x", spans(lambda f, v: results.ideals[of.name, f, v].feasible_with_more)


def _breakdowns(results: Results) -> str:
    if not results.breakdowns:
        return ""
    rows = [_breakdown_row(results, one) for one in results.breakdowns]
    header = ["set", "tasks", "factor", "kernel", "turns", "kernel a job", "gap closed, %"]
    return f"""\
## Breakdown workload

The most turns of the work loop a job with which no deadline is missed in 2 s, found by halving; a turn is two
instructions, 64 ns. Zero cost: an exact simulation of the same levels in integers, in which a kernel takes no
time. Gap closed: from FreeRTOS to zero cost.

{table(header, rows)}"""


def _breakdown_row(results: Results, one: Breakdown) -> list[str]:
    point, share = one.point, closed(results, one)
    ideal = point.method == "ideal"
    return [
        "harmonic" if scenario(point.scenario).harmonic else "non-harmonic",
        str(point.tasks),
        str(point.factor),
        _BREAKDOWN_TITLES[point.method],
        "none" if one.work is None else f"{one.work:,}",
        "" if ideal or one.work is None else number(one.kernel_per_job),
        "" if ideal or point.method == "freertos" or share is None else number(share),
    ]


def _choices(results: Results) -> str:
    """What the planner chose, the factors together at which it chose the same but for the periods."""
    rows = []
    for of in results.scenarios():
        for method, kind in (
            ("planner", "threads"),
            ("shared", "threads, shared"),
            ("basic", "basic tasks"),
        ):
            found: dict[str, list[int]] = {}
            for factor in results.factors(of.name):
                row = results.row(of.name, factor, Variant.CONTINUOUS, method)
                if row is not None and row.plan:
                    found.setdefault(row.plan, []).append(factor)
            rows += [[of.name, kind, _spans(factors), plan] for plan, factors in found.items()]
    return (
        "## The planner's choices\n\nThe same in both variants: how long a bench lasts is nothing that the "
        "planner may use.\n\n" + table(["workload", "as", "factors", "plan"], rows)
    )


def _predictions(results: Results) -> str:
    """Predicted beside measured kernel instructions, by method, in the continuous variant."""
    rows = []
    for of in results.scenarios():
        for how in methods_of(of):
            some = [
                row
                for factor in results.factors(of.name)
                if (row := results.row(of.name, factor, Variant.CONTINUOUS, how.name)) is not None
                and row.feasible
                and not how.freertos
            ]
            if some:
                errors = [prediction_error(row) for row in some]
                worst = max(abs(row.taken + row.coalesced - row.predicted) for row in some)
                least, most = (number(end, 2) for end in (min(errors), max(errors)))
                rows.append([of.name, how.title, str(len(some)), str(worst), least, most])
    header = [
        "workload",
        "mechanism",
        "points",
        "interrupts off by",
        "instructions, least error, %",
        "most, %",
    ]
    return (
        "## Predicted beside measured\n\nContinuous variant, points without misses: interrupts taken and "
        "coalesced against predicted, and the kernel instructions predicted from costs.toml against those "
        "counted (positive: predicted too many).\n\n" + table(header, rows)
    )


def _configuration() -> str:
    folder = data_root() / "baselines" / "freertos"
    shown = []
    for name in ("FreeRTOSConfig.h", "variants/FreeRTOSConfig.h"):
        text = (folder / name).read_text(encoding="utf-8").rstrip()
        shown.append(f"`baselines/freertos/{name}`:\n\n```c\n{text}\n```\n")
    return "## FreeRTOSConfig.h\n\n" + "\n".join(shown)
