# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The target, the rows and the page of the bench `releases`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from horolog_experiments.harness import Found, Target, entries, number, plain, table, targets_table
from horolog_experiments.releases.cases import RELEASES
from horolog_experiments.releases.results import Releases, Row

__all__ = ["TARGETS", "releases_page", "releases_rows"]


def _groups(results: Releases) -> dict[tuple[str, str, int, str, str], list[Row]]:
    """The rows by device, board, width, kind and mode."""
    found: dict[tuple[str, str, int, str, str], list[Row]] = {}
    for row in results.rows:
        found.setdefault((row.device, row.board, row.width, row.kind, row.mode), []).append(row)
    return dict(sorted(found.items()))


def _by_device(results: Releases) -> dict[tuple[str, str], int]:
    """How many releases were judged of each device, and kind of its timers, in each mode."""
    found: dict[tuple[str, str], int] = {}
    for row in results.rows:
        kind = f"{row.device} {row.kind} {row.width}" if row.kind else row.device
        key = kind, row.mode
        found[key] = found.get(key, 0) + row.releases
    return found


def _find(results: Releases) -> Found:
    off, late = (sum(getattr(row, name) for row in results.rows) for name in ("off", "late"))
    few = {key: n for key, n in _by_device(results).items() if n < RELEASES}
    note = f"{off} off, {late} late, of {sum(row.releases for row in results.rows):,} releases"
    if few:
        named = ", ".join(f"{device} {mode}: {n:,}" for (device, mode), n in sorted(few.items()))
        note += f"; fewer than {RELEASES:,} of {named}"
    return Found(off + late, note, met=False if few and off + late == 0 else None)


TARGETS: Sequence[Target[Releases]] = (
    Target(
        "releases whose cell requests a count or more off the nominal instant, or whose handler enters later "
        "than the device's bound in its header; every device and mode, 10^5 releases, wraps included",
        "==",
        0,
        "releases",
        _find,
    ),
)
"""The line of the issue's table that is about this, unchanged."""


def releases_rows(results: Releases) -> list[dict[str, Any]]:
    """The rows of result.json."""
    return [
        {
            "what": f"{row.device}, {row.width} bits, {row.mode}: {row.case}",
            "platform": row.board,
            "cell": row.cell,
            "instants": row.found.instants,
            "releases": row.releases,
            "off": row.off,
            "worst_off_counts": plain(row.found.worst_off),
            "entered_idle": row.found.entered,
            "late": row.late,
            "worst_late_counts": plain(row.found.worst_late),
            "bound_counts": plain(row.bound),
            "clock_wraps": row.wraps,
        }
        for row in results.rows
    ]


def releases_page(results: Releases) -> str:
    """docs/evidence/releases.md."""
    quick = " A part of all that: `--quick`." if results.quick else ""
    head = f"""\
# Releases, to the count

Written by `horolog bench releases`; do not edit. {results.toolchain}.{quick}
"""
    targets = "## Targets\n\n" + targets_table(entries(TARGETS, results), "what it is made of")
    return "\n".join(
        [head, targets, _WHAT, _table(results), _cases(results), _TEXT, _sources(results)]
    )


def _table(results: Releases) -> str:
    rows = []
    for (device, board, width, kind, mode), of in _groups(results).items():
        rows.append(
            [
                f"`{device}`, {width} bits{kind and f', {kind}'}",
                board,
                mode,
                f"{sum(row.releases for row in of):,}",
                f"{sum(row.off for row in of):,}",
                f"{sum(row.found.entered for row in of):,}",
                _counts(max(row.found.worst_late for row in of)),
                _counts(of[0].bound),
                f"{sum(row.late for row in of):,}",
                f"{sum(row.turns for row in of):,}",
                f"{max(row.wraps for row in of):,}",
                "requests" if of[0].by_requests else "entries",
            ]
        )
    header = [
        *("device", "board", "mode", "releases", "off", "entries", "latest", "bound", "late"),
        *("turns of the cell's width", "wraps of the clock", "seen by"),
    ]
    return "## Each device in each mode\n\n" + table(header, rows)


def _counts(value: Fraction) -> str:
    return number(value, 2)


def _cases(results: Releases) -> str:
    found: dict[str, list[Row]] = {}
    for row in results.rows:
        found.setdefault(row.case.rstrip(" 12").partition(",")[0], []).append(row)
    rows = [
        [
            case,
            f"{sum(row.releases for row in of):,}",
            f"{sum(row.off for row in of)}",
            f"{sum(row.late for row in of)}",
            f"{sum(row.found.others for row in of):,}",
            f"{sum(row.overruns for row in of)}",
        ]
        for case, of in found.items()
    ]
    header = ["case", "releases", "off", "late", "interrupts for no instant", "overruns"]
    return "## Each case\n\n" + table(header, rows)


def _sources(results: Releases) -> str:
    boards: dict[str, list[str]] = {}
    for board, of in results.sources.items():
        boards.setdefault(of, []).append(board)
    rows = [[", ".join(names), of] for of, names in boards.items()]
    text = "`horolog bench releases --part BOARD` measures one board again.\n\n"
    return (
        "## Measured of these sources\n\n" + text + table(["boards", "commit, and its trees"], rows)
    )


_WHAT = """\
A release is *off* if its cell requests the interrupt at another count than floor((offset + k period) hz)
behind t = 0, which is a millisecond behind the clock's start; or not at all. It is *late* if the handler
enters later than the bound in the header of the cell's driver (`HRLP_<DEVICE>_LATE_COUNTS`,
`_LATE_CYCLES`), which was read from there.
"""

_TEXT = """\
## How it was measured

- Each cell of a board has tasks of its own, in the mode of its turn; a second run has the modes the other
  way. So the nominal count of each interrupt is known before the run.
- **Seen by requests.** Our simulator of STM32 chips and the RP2350, rp2040js, simavr and the RTL write down
  each request with the count that the clock has in that moment (`requests` of `watch/watch.h`). Every release
  is compared with its instant, to the count.
- **Seen by entries.** QEMU shows only the first instructions of handlers, and takes no time to enter one.
  There the release is judged if nothing else had happened for 220 instructions, so that the processor was
  idle with interrupts enabled; t = 0 is taken from the instruction that starts the clock. An entry is off
  if it is away from the instant by a count and the instruction that it waited for, or more. QEMU's model of
  an nRF51's timer sets its alarm from the present moment, not from the begin of the present count, and so
  is up to a count late by itself: there it is another count. Releases whose entry did not find the
  processor idle are not counted in `releases`.
- *Entries* are those that found the processor idle: `latest` and `late` are of these, from the request, or
  from the instant, to the handler's first instruction. On the host port no time passes between
  instructions.
- *Turns of the cell's width* is how often a counter that wide and as fast as the clock wrapped during these
  runs: comparisons of 8, 16 and 24 bits wrap in any run. *Wraps of the clock* are those of its 32 bits, of
  its 24 on lm3s6965evb, and of its 16 on AVRs.
- Cases: *spread*, each release behind the other, so that all find the processor idle; *odd*, periods that
  are no whole number of counts, all begun at once, so that instants coincide and handlers wait for each
  other; *near*, intervals of the cell's `min_counts` (three times that on AVRs, where a job's handler takes
  more than `min_counts` with interrupts masked); *wrap*, until the clock's 32 bits have wrapped, which is
  87 s on the RTL board and 4,362 s where the clock is 1 MHz. In the simulators of STM32 chips and the RP2350
  and on the RTL board the idle thread waits for interrupts meanwhile (`hrl_idle_hook`).
- *alone*: once more a cell that is the only one of its kind.
- Interrupts for no instant are hops of cells that are narrower than a period, entries of a line for its
  other cells, and the clock's own.

## What is not in it

- `nrf-rtc` has no emulator. Its rows are of the driver over the model of the RTC in tests/drivers/nrf_rtc,
  compiled for this machine, where the request is the moment at which the model's line comes up.
- `own-cells` and `own-alarms` are `timer-cells` and `rp-timer` of a core's own number, by the same functions.
  `sse200-dualtimer` and `systick-clock` are clocks and no cells. The SysTick cells of mps2-an521 are those of
  mps2-an385; with two cores QEMU's time is the machine's, and no two runs are alike. pico-x2 has the alarms
  of pico.
- Cells of STM32F103CB and STM32G0B1RE run on the simulator's Cortex-M33, which takes other cycles than
  their cores. On other cores than that one, from the clock's reading to the store that sets a counter there
  may be a count more or less (`HRLP_STM32_TIM_LATENCY`); compare channels have no such latency.
- Nothing was tried on silicon.
"""
