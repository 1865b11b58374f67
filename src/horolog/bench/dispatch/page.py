# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/dispatch.md: targets, the paper's tables beside ours, and what differs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from horolog.bench.dispatch.memory import Piece, total
from horolog.bench.dispatch.page_words import DEFINITIONS, DIFFERS, HOW, SYSTEMS_TEXT
from horolog.bench.dispatch.results import Results
from horolog.bench.dispatch.rows import (
    ENDS,
    REFERENCES,
    RELEASES,
    STARTS,
    Row,
    freertos_of,
    ours_of,
)
from horolog.bench.dispatch.scenarios import (
    FIGURES,
    FREERTOS,
    FREERTOS_FIGURE,
    MAXPERF,
    OURS,
    PLATFORMS,
    SYSTEMS,
    Platform,
    Span,
)
from horolog.bench.dispatch.targets import chronos_mean, dispatch_targets, per_job
from horolog.bench.dispatch.visits import Spans
from horolog.bench.queues.tables import number, table, targets_table
from horolog.run.freertos import HOW_TO_GET_IT

__all__ = ["FIGURE", "FOLDER", "MEASURED", "dispatch_page"]

FOLDER = "dispatch"
"""Of the measured data and the figure, beside the page."""
MEASURED = "measured.json"
FIGURE = "figure7.svg"
_MHZ = 50


def dispatch_page(results: Results) -> str:
    """The whole page."""
    parts = [
        _head(results),
        _targets(results),
        DEFINITIONS,
        *(_latencies(results, platform) for platform in PLATFORMS),
        _yields(results),
        _releases(results),
        _frequency(results),
        _figure(results),
        _memory(results),
        _engine(results),
        _chronos(results),
        HOW,
        _plans(results),
        DIFFERS,
    ]
    return "\n".join(part for part in parts if part)


def _head(results: Results) -> str:
    version = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    return f"""\
# Tasks that the hardware dispatches

Written by `horolog bench dispatch`; do not edit. After SLOTH ON TIME (Hofer et al., RTSS 2012), Tables I
and III, Figure 7. Platforms: the RTL board ibex-cells, whose core is configured as `maxperf` or as `small`,
in **cycles**, counted from outside the firmware by its simulator; mps2-an385 in QEMU, in **instructions**.
Neither is time on silicon. {results.toolchain}; FreeRTOS: {version}.
"""


def _targets(results: Results) -> str:
    return "## Targets\n\n" + targets_table(dispatch_targets(results))


def _shown(spans: Spans | None) -> str:
    """The worst; in brackets the best and the mean, where they differ."""
    if spans is None:
        return ""
    if spans.best == spans.worst:
        return f"{spans.worst:,}"
    return f"{spans.worst:,} ({spans.best:,}, {number(spans.mean)})"


def _times(ours: Spans | None, theirs: Spans | None) -> str:
    if ours is None or theirs is None or not ours.worst:
        return ""
    return number(Fraction(theirs.worst, ours.worst), 2)


def _latencies(results: Results, platform: Platform) -> str:
    text = f"## {platform.title}, {platform.unit}\n\n"
    if platform is MAXPERF:
        text += (
            "The paper's figures are cycles of a TriCore TC1796 at 50 MHz, whose hardware saves half of "
            "the registers; beside SLOTH ON TIME it measured a commercial AUTOSAR OS (Table III) and a "
            "commercial OSEKtime (Table I).\n\n"
        )
    header = [
        "",
        "paper",
        "AUTOSAR OS",
        "OSEKtime",
        "Horolog",
        "FreeRTOS, tick",
        "notified",
        "ratios",
    ]
    rows = [_latency(results, platform, row) for row in (*STARTS, *ENDS)]
    rows.insert(0, ["**expiry to the first instruction**", *[""] * (len(header) - 1)])
    rows.insert(
        len(STARTS) + 1, ["**last instruction to resumed code**", *[""] * (len(header) - 1)]
    )
    return text + table(header, rows) + _reference(platform)


def _latency(results: Results, platform: Platform, row: Row) -> list[str]:
    ours = ours_of(results, platform, row)
    tick, notified = freertos_of(results, platform, row)
    paper = row.paper
    published = () if paper is None else (paper.sloth, paper.autosar, paper.osektime)
    ratios = [text for text in (_times(ours, tick), _times(ours, notified)) if text]
    return [
        row.title,
        *("" if value is None else f"{value:,}" for value in published or (None,) * 3),
        _shown(ours),
        _shown(tick),
        _shown(notified),
        ", ".join(ratios),
    ]


def _reference(platform: Platform) -> str:
    if platform.configuration is None:
        return ""
    lean, tick = (REFERENCES[name][platform.name] for name in ("lean", "tick"))
    return (
        f"\nFor reference, from a first sketch of the board (before this project): a lean handler that can "
        f"be interrupted, {lean} cycles from the expiry to its first C instruction; FreeRTOS's tick to the "
        f"first instruction of the task that it releases, {tick}.\n"
    )


def _yields(results: Results) -> str:
    rows = []
    for platform in PLATFORMS:
        one = results.span(platform.name, FREERTOS, "yield", Span.YIELD)
        reference = REFERENCES["yield"].get(platform.name, "")
        rows.append(
            [
                platform.title,
                platform.unit,
                _shown(one),
                reference,
            ]
        )
    return (
        "## FreeRTOS's yield\n\nFrom `taskYIELD` to the first instruction of an equal task. Ours stands in "
        "[switch.md](switch.md) and [kernel.md](kernel.md).\n\n"
        + table(["platform", "unit", "FreeRTOS", "first sketch"], rows)
    )


def _releases(results: Results) -> str:
    rows = []
    for platform in PLATFORMS:
        for title, ours, theirs in RELEASES:
            cells = [platform.title, title]
            for span in (Span.ROUND, Span.START):
                one = results.span(platform.name, OURS, ours, span)
                other = results.span(platform.name, FREERTOS, theirs, span)
                cells += [_shown(one), _shown(other), _times(one, other)]
            rows.append(cells)
    header = [
        "platform",
        "released",
        "in all",
        "FreeRTOS",
        "ratio",
        "to the first",
        "FreeRTOS",
        "ratio",
    ]
    return (
        "## Releases of one instant\n\nOne cell releases them all. In all: from its expiry until idle goes "
        "on, without the bodies. To the first: until the first instruction of the first body. FreeRTOS's "
        "tasks have priorities of their own, as far as its 31 go.\n\n" + table(header, rows)
    )


_WAYS = {
    OURS: "Horolog, a basic task",
    "tick": "FreeRTOS, xTaskDelayUntil at every tick",
    "notify": "FreeRTOS, notified by a timer's interrupt",
}


def _frequency(results: Results) -> str:
    rows = []
    for (name, way), cycles in results.rates.items():
        khz = Fraction(_MHZ * 1000, cycles)
        title = next(platform.title for platform in PLATFORMS if platform.name == name)
        rows.append([title, _WAYS[way], str(cycles), number(khz)])
    rows.append(["TriCore TC1796", "SLOTH ON TIME", "29 (computed)", "1,700"])
    rows.append(["TriCore TC1796", "a commercial AUTOSAR OS", "2,941 (computed)", "17"])
    return (
        "## Maximum dispatch frequency\n\nThe shortest period of one minimal task at which no activation is "
        "lost in 1,000, with nothing else to do; frequencies at the nominal 50 MHz. A task of FreeRTOS's "
        "that is late does not wait, and so is not dispatched, which lets it keep up. The paper computed its "
        "own from the dispatching overheads (section VI.B).\n\n"
        + table(["platform", "kernel", "cycles", "kHz"], rows)
    )


def _figure(results: Results) -> str:
    rows = []
    titles = {image.name: image.title for image in (*FIGURES, FREERTOS_FIGURE)}
    for (name, way), one in results.interruptions.items():
        platform = next(platform for platform in PLATFORMS if platform.name == name)
        rows.append(
            [
                platform.title,
                titles[way],
                str(one.jobs),
                str(one.count),
                f"{one.total:,}",
                f"{one.worst:,}",
                platform.unit,
            ]
        )
    header = ["platform", "kernel", "jobs", "interruptions", "in all", "longest", "unit"]
    return f"""\
## Figure 7: less urgent releases while an urgent task runs

Three tasks of one period (50,000 counts); the two less urgent ones are released one and two tenths of it into
the job of the urgent one. A cell that serves several levels interrupts at the most urgent of them: it waits
while that one runs, but disturbs whoever is between; so it does the urgent one here when a fourth task, more
urgent still, shares the cell. FreeRTOS's tick is a tenth of the period: it interrupts at every tick, whether
somebody is released or not.

![who has the processor, on ibex-cells maxperf]({FOLDER}/{FIGURE})

The same windows as waveforms, a wire a task: {_vcds(results)}.

{table(header, rows)}"""


def _vcds(results: Results) -> str:
    return ", ".join(f"[{way}.vcd]({FOLDER}/{way}.vcd)" for way in results.timelines)


def _memory(results: Results) -> str:
    rows = []
    for (board, kernel), found in results.memory.items():
        for part in ("kernel", "start-up"):
            rows.append(
                [
                    board,
                    "Horolog" if kernel == OURS else "FreeRTOS",
                    part,
                    f"{total(found, part, 'rom'):,}",
                    f"{total(found, part, 'ram'):,}",
                ]
            )
    rows.append(["TriCore TC1796", "SLOTH ON TIME, with a deadline", "kernel", "856", "8"])
    rows.append(["TriCore TC1796", "SLOTH ON TIME, with a deadline", "start-up", "624", ""])
    rows.append(["TriCore TC1796", "a commercial OSEKtime", "all", "2,600", "52"])
    rows.append(["TriCore TC1796", "a commercial AUTOSAR OS", "all", "34,514", "900"])
    text = (
        "## Memory of a minimal application\n\nOne periodic basic task that counts, and nothing else; on "
        "FreeRTOS one task with `xTaskDelayUntil`. Start-up is the same under both kernels: reset, vectors, "
        "faults, console, idle loop; on Ibex FreeRTOS has its own reset. Stacks that threads or the main "
        "program use are not counted, on either side.\n\n"
        + table(["platform", "kernel", "part", "ROM, bytes", "RAM, bytes"], rows)
    )
    for (board, kernel), found in results.memory.items():
        if kernel == OURS:
            text += f"\nThe kernel's on {board}: {_listed(found)}.\n"
    return text


def _listed(found: Sequence[Piece]) -> str:
    some = sorted(
        (one for one in found if one.part == "kernel"),
        key=lambda one: (one.memory, -one.bytes, one.name),
    )
    return ", ".join(f"`{one.name}` {one.bytes} ({one.memory}, {one.file})" for one in some)


def _engine(results: Results) -> str:
    one = results.engine
    if one is None:
        return ""
    rows = [["basic tasks", number(one.basic), one.plan]]
    if one.threads is not None:
        rows.append(["threads, planner's choice", number(one.threads), ""])
    if one.freertos is not None:
        rows.append(["FreeRTOS", number(one.freertos), "tick of 1 kHz"])
    return (
        f"## engine-control on mps2-an385\n\n`examples/engine-control`, 85 tasks, {one.jobs:,} jobs in 2 s; "
        "kernel instructions a job, measured in this run.\n\n"
        + table(["as", "kernel a job", "plan"], rows)
    )


def _chronos(results: Results) -> str:
    if not results.chronos:
        return ""
    rows = []
    for scenario in dict.fromkeys(one.scenario for one in results.chronos):
        for variant in dict.fromkeys(one.variant for one in results.chronos):
            some = [o for o in results.chronos if (o.scenario, o.variant) == (scenario, variant)]
            by_factor = {one.factor: per_job(one) for one in some}
            held = [one for one in some if one.kernel and one.theirs]
            mean, ratios = chronos_mean(Results(spans={}, chronos=tuple(held)))
            rows.append(
                [
                    scenario,
                    variant,
                    *(
                        "" if by_factor.get(factor) is None else number(by_factor[factor] or 0)
                        for factor in (1, 15)
                    ),
                    f"{sum(one.kernel > 0 for one in some)} of {len(some)}",
                    str(len(held)),
                    "" if mean is None else number(min(ratios)),
                    "" if mean is None else f"{mean:.1f}",
                    "" if mean is None else number(max(ratios)),
                ]
            )
    header = [
        "workload",
        "variant",
        "kernel a job, x 1",
        "x 15",
        "points that hold",
        "compared",
        "ratio, least",
        "mean",
        "most",
    ]
    return (
        "## The experiments of CHRONOS with basic tasks, mps2-an385\n\nKernel instructions, and how many "
        "times as many stock FreeRTOS executes; means are geometric. The points are those of `horolog bench "
        "chronos` ([chronos.md](chronos.md)), its way `basic`, run here or taken from its cache; FreeRTOS's "
        f"figures are {results.chronos_freertos or 'not here'}. A point at which either misses a deadline "
        "enters no ratio.\n\n" + table(header, rows) + _uncounted(results)
    )


def _uncounted(results: Results) -> str:
    """The points that do not count, but for missed deadlines, by reason."""
    found: dict[str, list[str]] = {}
    for one in results.chronos:
        if one.said and one.said != "deadlines are missed":
            found.setdefault(one.said.partition(": ")[0], []).append(
                f"{one.scenario} x {one.factor}, {one.variant}"
            )
    return "".join(
        f"\nNot counted, {why} ({len(points)} points): {points[0]} to {points[-1]}.\n"
        for why, points in found.items()
    )


def _planned(results: Results, board: str, name: str) -> str:
    why = results.refused.get((board, name))
    return f"refused: {why}" if why is not None else results.plans.get((board, name), "")


def _plans(results: Results) -> str:
    rows = [
        [image.name, image.title, board, words]
        for image in SYSTEMS
        for board in dict.fromkeys(platform.board for platform in PLATFORMS)
        if (words := _planned(results, board, image.name))
    ]
    return SYSTEMS_TEXT + table(["system", "what it is", "board", "planned"], rows)
