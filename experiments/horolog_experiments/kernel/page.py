# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/kernel.md: targets, the tables, how it was measured, what differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from horolog.build.freertos import HOW_TO_GET_IT
from horolog.data import data_root
from horolog_experiments.harness import entries, number, table, targets_table
from horolog_experiments.kernel.recorded import recorded
from horolog_experiments.kernel.results import Results
from horolog_experiments.kernel.rows import BEST, DIRECT, ROM, ROWS, TUNED, BestRow, TableRow
from horolog_experiments.kernel.scenarios import OURS, REPEATS, THREADX
from horolog_experiments.kernel.targets import TARGETS, row_title, threadx_said

__all__ = ["kernel_page"]


def kernel_page(results: Results) -> str:
    """The whole page."""
    return "\n".join(
        [
            _head(results),
            "## Targets\n\n" + targets_table(entries(TARGETS, results)),
            _best_table(results, "## Beside the best", BEST) + "\n" + _BEST,
            _best_table(results, "### Called directly", DIRECT) + "\n" + _DIRECT,
            _rows(results),
            _tuned(results),
            _HOW,
            _DIFFERS,
            _configuration(results),
        ]
    )


def _head(results: Results) -> str:
    version = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    return f"""\
# The kernel beside FreeRTOS and ThreadX

Written by `horolog bench kernel`; do not edit. Platform: {results.platform}; {results.toolchain};
FreeRTOS: {version}; ThreadX: {_threadx(results)}.
Figures are **instructions** executed, not time on silicon, or bytes. Counted from outside the firmware
(`plugin/horolog_spans.c`).
"""


def _threadx(results: Results) -> str:
    """ThreadX's version, and whether its figures are of this run or recorded ones."""
    if results.threadx is not None:
        return f"{results.threadx}, measured in this run"
    known = recorded()
    return (
        f"{known.version}, **recorded** with {known.toolchain} "
        "(`THREADX=<checkout> horolog bench kernel` measures it anew)"
    )


def _best_table(results: Results, title: str, rows: Sequence[BestRow]) -> str:
    lines = []
    for row in rows:
        ours, best = results.value(row, OURS), results.best_other(row)
        ratio = None if ours is None or best is None else ours / best
        stock = next(side for side in row.sides if side != "notify")
        lines.append(
            [
                row.title,
                *(_plain_figure(results, row, side) for side in (OURS, stock, "notify", THREADX)),
                "" if best is None else number(best),
                _shown(ratio),
            ]
        )
    head = [
        "what",
        "Horolog",
        "FreeRTOS",
        "by notification",
        f"ThreadX ({threadx_said(results)})",
        "best other",
        "ratio",
    ]
    return f"{title}\n\n" + table(head, lines)


def _plain_figure(results: Results, row: BestRow, side: str) -> str:
    value = results.value(row, side)
    return "" if value is None else number(value)


def _shown(ratio: Fraction | None) -> str:
    """Bold if the other is better."""
    if ratio is None:
        return ""
    return f"**{number(ratio, 3)}**" if ratio > 1 else number(ratio, 3)


def _rows(results: Results) -> str:
    rows = [
        [
            row_title(row) + (", bytes" if row.scenario == ROM else ""),
            _figure(results, row, OURS, row.scenario),
            _figure(results, row, row.side, row.scenario),
            _shown(results.ratio(row)),
        ]
        for row in ROWS
    ]
    reasons = sorted(set(results.missing.values()))
    return (
        f"## Beside FreeRTOS\n\nAverages of {REPEATS:,} samples; best and worst in brackets where they "
        "differ. The ratio is ours / FreeRTOS; bold: FreeRTOS is better.\n\n"
        + table(["what", "Horolog", "FreeRTOS", "ratio"], rows)
        + "".join(f"\n{reason}.\n" for reason in reasons)
    )


def _tuned(results: Results) -> str:
    rows = [
        [
            row_title(tuned.row) + (", bytes" if tuned.row.scenario == ROM else ""),
            tuned.settings,
            _figure(results, tuned.row, OURS, tuned.ours),
            _figure(results, tuned.row, tuned.row.side, tuned.theirs),
            _shown(results.tuned_ratio(tuned)),
        ]
        for tuned in TUNED
    ]
    return (
        "## Tuned\n\nSome of these rows with settings that suit them. They count for no target, for no "
        "mean and for no row that is lost.\n\n"
        + table(["what", "settings", "Horolog", "FreeRTOS", "ratio"], rows)
    )


def _figure(results: Results, row: TableRow, side: str, scenario: str) -> str:
    value = results.value(row, side, scenario)
    if value is None:
        return ""
    spans = results.spans.get((side, scenario))
    if spans is None or spans.best == spans.worst:
        return number(value)
    best, worst = (Fraction(n, row.divisor) for n in (spans.best, spans.worst))
    return f"{number(value)} ({number(best)} to {number(worst)})"


_BEST = """\
The best other is the cheapest of the three; bold: it is better. A turn is one pass of
`for (;;) { calls; counter++; }`, `counter` being volatile, from one store to it to the next, in the
thread that is named; of a round and of a chain the fifth part. The calls go as portable benchmarks
make them: through a function for each service, which knows objects by number and returns whether
the kernel did what it was asked for (`bench/kernel/bench_service.h`). The loop looks at that, the
queue's loop compares what it has received, and handlers and the threads that they resume count,
too. Our handler is attached by `hrl_interrupt_attach` and raised by `hrl_interrupt_raise`; on the
others, which attach nothing, it stands in the table of vectors, and raising it is a store.

The application of the ROM and RAM rows goes through such functions, too, and prints in words
through a printf of its own. A thread object is the control block, without a stack:
`struct hrl_thread`, `StaticTask_t`, `TX_THREAD`. FreeRTOS is configured without notifications,
mutexes and suspension in these rows.

The targets of these rows were set with another harness, which calls through functions as well, so
they are compared with these figures and not with those of direct calls. Its application of the ROM
row was larger, whichever the kernel: the target of 4,800 bytes is easier to meet here than there.
"""

_DIRECT = """\
`for (;;) { calls; counter++; }` to the letter: nothing stands between the loop and the kernel's
calls, no result is looked at, and no other thread or handler counts, but for rounds and chains,
where each thread does. The application prints nothing but the counter's digits.
"""

_HOW = """\
## How it was measured

- One source a scenario (`bench/kernel/scenarios`) over thin sets of headers. The same compiler,
  -O2 and other flags for all kernels, bench and start-up code; no link-time optimisation; asserts
  off on all sides (`-DHRL_CHECKS=0`, no `configASSERT`). All objects are static, and known by
  their addresses.
- A mark is an address, no instruction. A sample goes from the first instruction that prepares the
  call up to the first one after it, or after the other thread's call that it ends; from an
  interrupt, from the handler's first instruction. The emulator's exception entry and return cost
  nothing, on either side.
- Every wait is without a time-out (`HRL_FOREVER`, `portMAX_DELAY`), but for the sleeps.
- FreeRTOS has one configuration for all timed rows, with every service that one of them needs, as
  Horolog's services are always there.
- No timer interrupts in rows that do not sleep: FreeRTOS' tick is off in them, so that none of its
  cost is in the figures. Horolog has nothing to time then.
- Chain: thread 1 resumes 2, which resumes 3, ... up to 5; each, on running again, counts and
  suspends itself, but for thread 1. A sample is the whole chain; an increment is a fifth of it.
- Whole round: an interrupt resumes a thread that counts and suspends itself; up to the next
  instruction of the interrupted thread.
- Sleep: the call up to the first instruction of the idle loop or of another thread, and the last
  timer interrupt that came before the waking, from its first instruction to the sleeper's. What
  lies between is not counted, but what that interrupt does for others is. The others are less
  urgent and sleep again as soon as they have woken. Three rows: phases scattered evenly over a
  second (so that on average one wakes before the new one and the rest after it); all later; and 10
  within the millisecond and 10 around its end.
- Settings are those of an application that chooses nothing: `STORE leftist_heap`, `REPORT full`.
  Start-up, vectors and the report of faults are the same objects on all sides.
- ROM: code, constants and initial data of an application with a producer that sleeps 1 ms and gives,
  and a consumer that takes. FreeRTOS is configured without notifications, mutexes and suspension;
  Horolog is as it comes.
- ThreadX is linked from an archive that its user has built with ThreadX's own build, in the folder
  `build` of the checkout that `THREADX` names; Horolog neither has nor compiles its sources. Its
  options, below, are those that its `tx_user_sample.h` names for the most speed: inline, without
  error checking. A run without `THREADX` takes the figures of
  `bench/kernel/threadx/recorded.json`. A run of this command with the version that is named above
  wrote that file; that archive was compiled by the same compiler with the flags below.
"""

_DIFFERS = """\
## What differs

- **Semaphore, and interrupt, beside notifications.** A notification is no object: only one thread,
  known to the giver, can wait for it.
- **Block pool.** FreeRTOS has none. A queue of pointers does the same work: it can be waited for,
  and used from interrupts. heap_4 gives blocks of any size, without waiting, not from interrupts. A
  free list in a critical section, which people write by hand, does not wait either. All three count
  as rows.
- **Sleep.** FreeRTOS' unit is its tick of 1 ms: all that is due within it wakes at once, an
  inserted delay of one tick is nearly always first in the list, and it lasts anything up to 1 ms.
  Horolog's sleep is exact to a count, in a store that sorts 64-bit instants by their low half. The
  wake-ups of others that share the tick stand in FreeRTOS' figure, those that share the last
  interrupt in ours.
- **Suspension** is not counted on either side: one resume ends any number.
- **Event flags** are compared with FreeRTOS' event groups; to set these suspends the scheduler.
"""


def _configuration(results: Results) -> str:
    root = data_root()
    baseline = root / "baselines" / "freertos" / "FreeRTOSConfig.h"
    folder = root / "bench" / "kernel"
    build = (folder / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^set\(HRL_BENCH_FLAGS (.*?)$", build, re.MULTILINE)
    assert found is not None
    paths = (baseline, folder / "freertos" / "FreeRTOSConfig.h")
    texts = [
        f"`{path.relative_to(root)}`:\n\n```c\n{path.read_text(encoding='utf-8').strip()}\n```\n"
        for path in paths
    ]
    options = results.threadx_options if results.threadx is not None else recorded().options
    texts.append(
        f"ThreadX ({threadx_said(results)}): {', '.join(f'`{one}`' for one in options)}.\n"
    )
    return (
        f"## Flags and configurations\n\n`{found[1]}`, for everything that is compiled here; `-Wall` and "
        "so on beside them. The clock is 25 MHz, FreeRTOS' tick 1,000 Hz.\n\n" + "\n".join(texts)
    )
