# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The targets, rows and page of the experiment `masked`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from horolog_experiments.harness import Found, Target, entries, table, targets_table
from horolog_experiments.masked.results import Masked
from horolog_experiments.masked.services import NUMBERS

__all__ = ["TARGETS", "masked_page", "masked_rows"]

_MOST = 120


def _growth(masked: Masked) -> Found:
    if not {NUMBERS[0], NUMBERS[-1]} <= {*masked.sizes}:
        return Found(None)
    few, many = (masked.longest(n).longest for n in (NUMBERS[0], NUMBERS[-1]))
    said = f"{many:,} instructions against {few:,}, whole handlers apart"
    return Found(Fraction(many, few), said)


def _longest(masked: Masked) -> Found:
    """The target's row: calls, handlers at the kernel's priority and releasers, against the limit."""
    of_calls = {
        (one.call, one.of_handler): max(
            (other for other in masked.windows if other.call == one.call),
            key=lambda other: other.longest,
        )
        for one in masked.windows
    }
    found = [
        (one.longest, f"`{one.call}` ({one.where}{', the whole handler' * one.of_handler})")
        for one in of_calls.values()
    ]
    found += [
        (one.longest, f"{one.kind}s released by {one.mechanism}, {one.store} ({one.where})")
        for one in masked.releases
    ]
    found.sort(key=lambda one: -one[0])
    above = [f"{longest:,} {what}" for longest, what in found if longest > _MOST]
    worst = next(((longest, what) for longest, what in found if longest <= _MOST), None)
    beside = [] if worst is None else [f"the longest of all others: {worst[0]:,} {worst[1]}"]
    return Found(found[0][0], "; ".join(above + beside))


TARGETS: Sequence[Target[Masked]] = (
    Target("longest interrupts-off window, n = 1,500 against n = 10", "<=", 1.05, "ratio", _growth),
    Target("longest interrupts-off window, any call", "<=", _MOST, "instructions", _longest),
)
"""The lines of the issue's table that are about this, unchanged."""


def masked_rows(masked: Masked) -> list[dict[str, Any]]:
    """The rows of result.json."""
    common = {"unit": "instructions", "platform": masked.platform}
    calls = [
        {
            "what": "longest interrupts-off window of a call",
            "sleepers": one.sleepers,
            "call": one.call,
            "windows": one.windows,
            "longest": one.longest,
            "where": one.where,
            "of_handler": one.of_handler,
            **common,
        }
        for one in masked.windows
    ]
    return calls + [
        {
            "what": "longest interrupts-off window of a described system",
            "kind": one.kind,
            "mechanism": one.mechanism,
            "store": one.store,
            "windows": one.windows,
            "longest": one.longest,
            "where": one.where,
            **common,
        }
        for one in masked.releases
    ]


def masked_page(masked: Masked) -> str:
    """docs/evidence/masked.md."""
    by_key = {(window.sleepers, window.call): window for window in masked.windows}
    rows = []
    for name in masked.calls:
        row = [f"`{name}`"]
        for n in masked.sizes:
            window = by_key[n, name]
            row.append(f"{window.longest:,} ({window.where}{', whole' * window.of_handler})")
        rows.append(row)
    releases = [
        [one.kind, one.mechanism, one.store, f"{one.longest:,} ({one.where})", f"{one.windows:,}"]
        for one in masked.releases
    ]
    return f"""\
# Interrupts off

Written by `horolog bench masked`; do not edit. Platform: {masked.platform};
{masked.toolchain}. Figures are **instructions**, counted from outside the firmware
(`plugin/horolog_masked.c`), with asserts off. For so long an interrupt of the application at the
kernel's priority, or below it, waits for the kernel.

## Targets

{targets_table(entries(TARGETS, masked))}
## The longest window of each call

The firmware is `bench/masked`. In brackets stands the function that masks; or, *whole*, a handler at the
kernel's priority, which counts as masked from its first instruction to its last, as nothing of its
priority comes in. The handlers of the timer cells and of the clock have lower priorities, so that only
what is between lock and unlock counts there. A call here is all that happens until the next one begins, in
whatever thread: also the switches that it causes, and interrupts that come meanwhile. That is why what
other threads' wake-ups do stands at calls that wait for nothing, where one happened to come.

{table(["call", *(f"{n:,} sleepers" for n in masked.sizes)], rows)}
## The longest window of described systems

85 tasks, those of `examples/engine-control`, which are all due together once a second, by the stores that can
release them. The handlers lock for each thread that they release, or for each level of a release mask.

| kind | mechanism | store | longest window | windows |
|---|---|---|---|---|
{"".join(f"| {' | '.join(row)} |" + chr(10) for row in releases)}
## What it is made of

- The sleepers sleep about a second each, at phases scattered evenly. However many one handler wakes, it
  locks for each of them.
- `crowd_...`: in one wait queue there is a thread of each level from 2 on, which no other call here has.
  A thread that enters it passes the levels above with interrupts on, and so does a change of level of a
  thread in it; a set of an event looks at one thread between two locks. (`sleep_until` has the first of
  these too, where the last of the crowd comes to wait again.)
- `..._by_interrupt`: the same call in an attached handler, of the kernel's priority or below it. At the
  kernel's priority the handler itself keeps others out for as long as the call takes; a handler that is
  to set an event for many threads, or to copy large messages, has a lower priority.
- `message_256`: messages of 256 bytes, which are copied in two pieces.
- The longest seen in 200 rounds, not a proof.
"""
