# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/dispatch.md: targets, the paper's tables beside ours, and what differs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from horolog.build.freertos import HOW_TO_GET_IT
from horolog_experiments.dispatch.memory import Piece, total
from horolog_experiments.dispatch.page_elsewhere import chronos_section, engine_section
from horolog_experiments.dispatch.page_words import DEFINITIONS, DIFFERS, HOW, SYSTEMS_TEXT
from horolog_experiments.dispatch.results import Results
from horolog_experiments.dispatch.rows import (
    ENDS,
    REFERENCES,
    RELEASES,
    STARTS,
    Row,
    freertos_of,
    ours_of,
)
from horolog_experiments.dispatch.scenarios import (
    BEFORE,
    BEHIND,
    FIGURES,
    FREERTOS,
    FREERTOS_FIGURE,
    IDLE,
    MAXPERF,
    MPS2,
    OURS,
    PLATFORMS,
    SYSTEMS,
    Platform,
    Span,
    system_image,
)
from horolog_experiments.dispatch.targets import TARGETS, parts_words
from horolog_experiments.dispatch.visits import Spans
from horolog_experiments.harness import entries, number, table, targets_table

__all__ = ["FIGURE", "dispatch_page", "listed_pieces", "shown_spans", "times"]

FOLDER = "dispatch"
"""The folder of the figure and the waveforms, beside the page."""
FIGURE = "figure7.svg"
_MHZ = 50


def dispatch_page(results: Results) -> str:
    """The whole page."""
    parts = [
        _head(results),
        _targets(results),
        DEFINITIONS,
        *(_latencies(results, platform) for platform in PLATFORMS),
        _parts(results),
        _yields(results),
        _releases(results),
        _frequency(results),
        _figure(results),
        _memory(results),
        engine_section(results),
        chronos_section(results),
        HOW,
        _plans(results),
        DIFFERS,
    ]
    return "\n".join(part for part in parts if part)


def _head(results: Results) -> str:
    version = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    return f"""\
# Tasks that the hardware dispatches

How long does it take from a timer's expiry to the first instruction of the task that it releases, and from
its last back to the code that was interrupted? After SLOTH ON TIME (Hofer et al., RTSS 2012), Tables I and
III and Figure 7, for [basic tasks](../guide/basic-tasks.md), which the interrupt controller dispatches, and
for threads, which the kernel does; beside FreeRTOS, doing the same on the same core in the same run.

Platforms: [ibex-cells](../guide/timer-cells.md), a RISC-V core simulated from its RTL, configured as
`maxperf` or as `small`, in **cycles**; mps2-an385, a Cortex-M3 in QEMU, in **instructions**. Both are counted
from outside the firmware; neither is time on silicon. Written by `horolog bench dispatch`; do not edit.
{results.toolchain}; FreeRTOS: {version}.
"""


def _targets(results: Results) -> str:
    return "## Targets\n\n" + targets_table(entries(TARGETS, results))


def shown_spans(spans: Spans | None) -> str:
    """The worst; in brackets the best and the mean, where they differ."""
    if spans is None:
        return ""
    if spans.best == spans.worst:
        return f"{spans.worst:,}"
    return f"{spans.worst:,} ({spans.best:,}, {number(spans.mean)})"


def times(ours: Spans | None, theirs: Spans | None) -> str:
    """How many times as long the worst of `theirs` is."""
    if ours is None or theirs is None or not ours.worst:
        return ""
    return number(Fraction(theirs.worst, ours.worst), 2)


def _latencies(results: Results, platform: Platform) -> str:
    text = f"## {platform.title}, {platform.unit}\n\n"
    if platform is MAXPERF:
        text += (
            "The paper's figures are cycles of a TriCore TC1796 at 50 MHz; its hardware saves half of "
            "the registers. Beside SLOTH ON TIME it measured a commercial AUTOSAR OS (Table III) and a "
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
    return text + table(header, rows) + _phases(results, platform) + _reference(platform)


def _phases(results: Results, platform: Platform) -> str:
    found = [
        ours.phases
        for row in STARTS
        if system_image(row.scenario).past != IDLE
        and (ours := ours_of(results, platform, row)) is not None
    ]
    if not found:
        return ""
    return (
        f"\nThe expiries of a row met the interrupted task at {min(found)} to {max(found)} different "
        "instructions.\n"
    )


def _parts(results: Results) -> str:
    rows = []
    for platform in PLATFORMS:
        for row in (*STARTS, *ENDS):
            kernels = {"Horolog": (OURS, row.scenario), "FreeRTOS, tick": (FREERTOS, row.tick)}
            if row.scenario not in ("idle-basic", "idle-thread"):
                del kernels["FreeRTOS, tick"]
            for title, (kernel, name) in kernels.items():
                if name is None or (kernel == FREERTOS and row.kind == "basic"):
                    continue
                made_of = results.parts.get((platform.name, kernel, name, row.span), ())
                if made_of:
                    whole = sum(part.time for part in made_of)
                    words = parts_words(made_of)
                    rows.append([platform.title, row.title, title, f"{whole:,}", words])
    if not rows:
        return ""
    return (
        "## What the worst are made of\n\nThe worst sample of each row, function by function, from the same "
        "log: what was spent between the first instruction of one and that of the next. What comes before "
        f"the first ({BEFORE}) is the end of the interrupted instruction, the controller and the core's "
        f"entry; {BEHIND}, the jump out of the body's last instruction.\n\n"
        + table(["platform", "from and to", "kernel", "worst", "made of"], rows)
    )


def _latency(results: Results, platform: Platform, row: Row) -> list[str]:
    ours = ours_of(results, platform, row)
    tick, notified = freertos_of(results, platform, row)
    paper = row.paper
    published = () if paper is None else (paper.sloth, paper.autosar, paper.osektime)
    ratios = [text for text in (times(ours, tick), times(ours, notified)) if text]
    return [
        row.title,
        *("" if value is None else f"{value:,}" for value in published or (None,) * 3),
        shown_spans(ours),
        shown_spans(tick),
        shown_spans(notified),
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
                shown_spans(one),
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
                cells += [shown_spans(one), shown_spans(other), times(one, other)]
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


_WAKEUPS = {
    OURS: "Horolog, a basic task",
    "tick": "FreeRTOS, xTaskDelayUntil at every tick",
    "notify": "FreeRTOS, notified by a timer's interrupt",
}


def _frequency(results: Results) -> str:
    rows = []
    for (name, wakeup), cycles in results.rates.items():
        khz = Fraction(_MHZ * 1000, cycles)
        title = next(platform.title for platform in PLATFORMS if platform.name == name)
        rows.append([title, _WAKEUPS[wakeup], f"{cycles} cycles", number(khz)])
    rows += _computed(results)
    rows.append(["TriCore TC1796", "SLOTH ON TIME", "29 cycles, computed", "1,700"])
    rows.append(["TriCore TC1796", "a commercial AUTOSAR OS", "2,941 cycles, computed", "17"])
    return (
        "## Maximum dispatch frequency\n\nThe shortest period of one minimal task at which no activation is "
        "lost in 1,000, with nothing else to do; frequencies at the nominal 50 MHz. A task of FreeRTOS's "
        "that is late does not wait, and so is not dispatched, which lets it keep up. The paper computed its "
        "own from the dispatching overheads (section VI.B): dispatch and end. So are those of mps2-an385, as "
        "the emulator does not get on with interrupts that follow at once; it has no frequency.\n\n"
        + table(["platform", "kernel", "shortest period", "kHz"], rows)
    )


def _computed(results: Results) -> list[list[str]]:
    """Rows that are computed like the paper's: a dispatch and an end, without the body."""
    found = []
    for kernel, wakeup, name in (
        (OURS, OURS, "idle-basic"),
        (FREERTOS, "tick", "tick-idle"),
        (FREERTOS, "notify", "notify-idle"),
    ):
        both = [results.span(MPS2.name, kernel, name, span) for span in (Span.START, Span.END)]
        if None not in both:
            whole = sum(one.worst for one in both if one is not None)
            found.append([MPS2.title, _WAKEUPS[wakeup], f"{whole} instructions, computed", ""])
    return found


def _figure(results: Results) -> str:
    rows = []
    titles = {one.name: one.title for one in (*FIGURES, FREERTOS_FIGURE)}
    for (name, image), one in results.interruptions.items():
        platform = next(platform for platform in PLATFORMS if platform.name == name)
        rows.append(
            [
                platform.title,
                titles[image],
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
while that one runs, but disturbs tasks of the levels between; so it does the urgent one here when a fourth
task, more urgent still, shares the cell. FreeRTOS's tick is a tenth of the period: it interrupts at every
tick, whether a task is released or not.

Arrows are releases by the description; a band ends where the window does.

![the task that has the processor, on ibex-cells maxperf]({FOLDER}/{FIGURE})

The same windows as waveforms, a wire a task: {_vcds(results)}.

{table(header, rows)}"""


def _vcds(results: Results) -> str:
    return ", ".join(f"[{image}.vcd]({FOLDER}/{image}.vcd)" for image in results.timelines)


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
        "faults, console, idle loop. On Ibex FreeRTOS has its own reset. Our table of 32 vectors there is "
        "start-up as on the Cortex-M; it holds the claim of a cell in slots that nothing else uses. Stacks "
        "that threads or the main program use are not counted, on either side.\n\n"
        + table(["platform", "kernel", "part", "ROM, bytes", "RAM, bytes"], rows)
    )
    for (board, kernel), found in results.memory.items():
        if kernel == OURS:
            text += f"\nThe kernel's on {board}: {listed_pieces(found)}.\n"
    return text


def listed_pieces(found: Sequence[Piece]) -> str:
    """The kernel's, by symbol."""
    some = sorted(
        (one for one in found if one.part == "kernel"),
        key=lambda one: (one.memory, -one.bytes, one.name),
    )
    return ", ".join(f"`{one.name}` {one.bytes} ({one.memory}, {one.file})" for one in some)


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
