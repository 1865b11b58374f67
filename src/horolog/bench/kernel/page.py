# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/kernel.md: targets, the table beside FreeRTOS, how it was measured, what differs."""

from __future__ import annotations

import re
from fractions import Fraction

from horolog.bench.kernel.results import Results
from horolog.bench.kernel.rows import OURS, REPEATS, ROM, ROWS, TableRow
from horolog.bench.kernel.targets import row_title, targets
from horolog.bench.queues.tables import number, table, targets_table
from horolog.data import data_root
from horolog.run.freertos import HOW_TO_GET_IT

__all__ = ["FOLDER", "MEASURED", "kernel_page"]

FOLDER = "kernel"
"""Of the measured data, beside the page."""
MEASURED = "measured.json"


def kernel_page(results: Results) -> str:
    """The whole page."""
    return "\n".join(
        [_head(results), _targets(results), _rows(results), _HOW, _DIFFERS, _configuration()]
    )


def _head(results: Results) -> str:
    version = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    return f"""\
# The kernel beside FreeRTOS

Written by `horolog bench kernel`; do not edit. Platform: {results.platform}; {results.toolchain};
FreeRTOS: {version}. Figures are **instructions** executed, not time on silicon, or bytes. Counted
from outside the firmware (`plugin/horolog_spans.c`).
"""


def _targets(results: Results) -> str:
    return "## Targets\n\n" + targets_table(targets(results))


def _rows(results: Results) -> str:
    rows = []
    for row in ROWS:
        ratio = results.ratio(row)
        shown = "" if ratio is None else number(ratio, 3)
        rows.append(
            [
                row_title(row) + (", bytes" if row.scenario == ROM else ""),
                _figure(results, row, OURS),
                _figure(results, row, row.side),
                f"**{shown}**" if ratio is not None and ratio > 1 else shown,
            ]
        )
    reasons = sorted(set(results.missing.values()))
    return (
        f"## Beside FreeRTOS\n\nAverages of {REPEATS:,} samples; best and worst in brackets where they "
        "differ. The ratio is ours / FreeRTOS; bold: FreeRTOS is better.\n\n"
        + table(["what", "Horolog", "FreeRTOS", "ratio"], rows)
        + "".join(f"\n{reason}.\n" for reason in reasons)
    )


def _figure(results: Results, row: TableRow, side: str) -> str:
    value = results.value(row, side)
    if value is None:
        return ""
    spans = results.spans.get((side, row.scenario))
    if spans is None or spans.best == spans.worst:
        return number(value)
    best, worst = (Fraction(n, row.divisor) for n in (spans.best, spans.worst))
    return f"{number(value)} ({number(best)} to {number(worst)})"


_HOW = """\
## How it was measured

- One source a scenario (`bench/kernel/scenarios`) over two thin sets of headers. The same compiler,
  -O2 and other flags for both kernels, bench and start-up code; no link-time optimisation; asserts
  off on both sides (`-DHRL_CHECKS=0`, no `configASSERT`). All objects are static, and known by
  their addresses.
- A mark is an address, no instruction. A sample goes from the first instruction that prepares the
  call up to the first one after it, or after the other thread's call that it ends; from an
  interrupt, from the handler's first instruction. The emulator's exception entry and return cost
  nothing, on either side.
- Whoever waits, waits for ever (`HRL_FOREVER`, `portMAX_DELAY`), but for the sleeps.
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
  within the millisecond and 10 around its end. Horolog's time-outs are in the
  store that an application with a thousand sleepers chooses, `STORE calendar SLOTS 1024`: slots of 1.3 ms.
- ROM: code, constants and initial data of an application whose producer sleeps 1 ms and gives, and
  whose consumer takes; start-up, vectors and the handler of faults are the same objects on both sides. That
  handler only halts (`REPORT halt`). Applications have the full report unless they say so, as all
  others of this page have, on both sides; what the minimal one takes with it stands beside the target.
  FreeRTOS is configured without notifications, mutexes and suspension; Horolog is as it comes, with the
  store that so small an application chooses, `STORE sorted_list`.
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
- **Event flags** are compared with FreeRTOS' event groups, whose setting suspends the scheduler.
"""


def _configuration() -> str:
    root = data_root()
    baseline = root / "baselines" / "freertos" / "FreeRTOSConfig.h"
    bench = root / "bench" / "kernel" / "freertos" / "FreeRTOSConfig.h"
    build = (root / "bench" / "kernel" / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^set\(HRL_BENCH_FLAGS (.*?)$", build, re.MULTILINE)
    assert found is not None
    texts = [
        f"`{path.relative_to(root)}`:\n\n```c\n{path.read_text(encoding='utf-8').strip()}\n```\n"
        for path in (baseline, bench)
    ]
    return (
        f"## Flags and FreeRTOSConfig.h\n\n`{found[1]}`, for everything on both sides; `-Wall` and so on "
        "beside them. The clock is 25 MHz, the tick 1,000 Hz.\n\n" + "\n".join(texts)
    )
