# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that are about this experiment, beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from horolog_experiments.harness import Found, Target, number
from horolog_experiments.periodic_timers.ours import ALARM, HOROLOG, PLAN, WHAT
from horolog_experiments.periodic_timers.paper import PERIODIC, SINGLE_SHOT
from horolog_experiments.periodic_timers.programs import FREERTOS
from horolog_experiments.periodic_timers.results import Engine, Instants, Results, Size, Threads

__all__ = ["TARGETS"]

_C = "cycles"


def _best(results: Results) -> list[Instants]:
    """Of each combination the side that keeps the instant and then is the quickest."""
    found: dict[tuple[str, int, int], Instants] = {}
    for one in sorted(results.instants, key=lambda one: (one.is_off, _latest([one]))):
        found.setdefault((one.mode, one.clock_hz, one.period_us), one)
    return list(found.values())


def _latest(ones: Sequence[Instants]) -> int:
    return max((one.late for one in ones if one.late is not None), default=0)


def _off(results: Results) -> Found:
    best = _best(results)
    if not best:
        return Found(None)
    off = [one for one in best if one.is_off]
    said = f"of {len(best)}, each by the best of ours"
    if off:
        named = [f"{one.period_us:,} us at {one.clock_hz:,} Hz, {one.mode}" for one in off]
        said += (
            f": {', '.join(named)}, where a thread takes longer than the period, and a periodic cell of "
            "alarms would need whole counts"
        )
    return Found(len(off), said)


def _late(results: Results) -> Found:
    best = [one for one in _best(results) if not one.is_off]
    if not best:
        return Found(None)
    said = []
    for mode, side in sorted({(one.mode, one.side) for one in best}):
        ones = [one for one in best if (one.mode, one.side) == (mode, side)]
        said.append(f"{mode}, {WHAT[side]}: {_latest(ones):,} ({len(ones)})")
    worst = max(best, key=lambda one: _latest([one]))
    said += [
        f"{one.mode}, {WHAT[one.side]}, at 8 MHz, made of {_made_of(one.parts)}"
        for one in results.paths
        if (one.side, one.mode) == (worst.side, worst.mode)
    ]
    return Found(_latest([worst]), "; ".join(said))


def _made_of(parts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{cycles} {f'`{name}`' if name else 'entry'}" for name, cycles in parts)


def _handling(mode: str, releases: bool) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        ours = {
            one.side: one.cycles.most
            for one in results.handling
            if (one.mode, one.releases) == (mode, releases) and one.side in WHAT
        }
        if not ours:
            return Found(None)
        said = [f"{WHAT[side]}: {cycles:,}" for side, cycles in ours.items()]
        best = min(ours.values())
        said += [
            f"{best:,} are made of {_made_of(one.parts)}"
            for one in results.handling
            if (one.mode, one.releases, one.cycles.most) == (mode, releases, best) and one.parts
        ]
        return Found(best, "; ".join(said))

    return find


def _threads(
    value: Callable[[Threads], Fraction | int],
    about: str,
    made: Callable[[Threads], Sequence[tuple[str, int]]],
) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        ours = {
            one.side: one
            for one in results.threads
            if one.threads == 6 and one.side.startswith(HOROLOG)
        }
        if not ours:
            return Found(None)
        chosen = min(ours.values(), key=lambda one: one.cycles.mean)
        said = "; ".join(f"{side}: {number(value(one))}" for side, one in ours.items())
        of = f"; {about} is made of {_made_of(made(chosen))}" if made(chosen) else ""
        return Found(value(chosen), f"{chosen.plan}; all of ours: {said}{of}")

    return find


def _lamp(results: Results) -> Found:
    by_key = {(one.side, one.ticks): one for one in results.lamps}
    plan, periodic = by_key.get((PLAN, 0)), by_key.get((ALARM, 50))
    if plan is None or periodic is None:
        return Found(None, dict(results.refused).get(f"lamp, {PLAN}", ""))
    ours, theirs = plan.cycles.deviation, periodic.cycles.deviation
    said = f"{ours:.1f} cycles against {theirs:.1f}; the plan: {plan.plan}"
    if ours > theirs:
        said += "; it is the one with the least kernel work, of all cycles, not with the shortest interrupt"
    return Found(ours / theirs, said)


def _engine(kind: str) -> Callable[[Results], Found]:
    def find(results: Results) -> Found:
        found: dict[str, Engine] = {one.kind: one for one in results.engine}
        one = found.get(kind)
        if one is None or one.freertos is None:
            return Found(None, dict(results.refused).get(f"engine-12, {kind}", ""))
        said = f"{number(one.freertos)} against {number(one.ours)} cycles a job; {one.plan}"
        return Found(one.freertos / one.ours, said)

    return find


def _sizes(results: Results, value: Callable[[Size], int]) -> tuple[int | None, str]:
    """Ours, and what the others take."""
    ours = [value(one) for one in results.sizes if one.side == HOROLOG]
    others = [f"{one.side}: {value(one):,}" for one in results.sizes if one.side != HOROLOG]
    return (ours[0] if ours else None), "; ".join(others)


_FOR_SIZE = (
    "built for size on both sides, ours with 4 priorities and without the short way of alarms, none of "
    "which is the default"
)


def _ram(results: Results) -> Found:
    ram, said = _sizes(results, lambda one: one.ram)
    largest = [one.objects for one in results.sizes if one.side == HOROLOG and one.objects]
    return Found(
        ram, "; ".join([said, _FOR_SIZE, *(f"largest: {_made_of(some)}" for some in largest)])
    )


def _rom(results: Results) -> Found:
    rom, said = _sizes(results, lambda one: one.rom)
    largest = [one.largest for one in results.sizes if one.side == HOROLOG and one.largest]
    return Found(
        rom, "; ".join([said, _FOR_SIZE, *(f"largest: {_made_of(some)}" for some in largest)])
    )


def _rom_ratio(results: Results) -> Found:
    """Against FreeRTOS with a software timer; what is written by hand beside it."""
    sizes = {one.side: one.rom for one in results.sizes}
    ours, theirs = sizes.get(HOROLOG), sizes.get(FREERTOS)
    if ours is None or theirs is None:
        return Found(None)
    said = [f"{side}: {rom:,}" for side, rom in sizes.items() if side not in (HOROLOG, FREERTOS)]
    return Found(Fraction(theirs, ours), "; ".join([f"{theirs:,} against {ours:,} bytes", *said]))


def _crowd(results: Results) -> Found:
    """None counts where overflows go unnoticed, as then nothing is known."""
    one = results.crowd
    if one is None:
        return Found(None)
    said = (
        f"as many as fit; with stacks of {one.small} bytes the kernel's checks "
        f"{'stop' if one.caught else 'do not stop'} the program; handlers do not interrupt each other on "
        "this port; a thread's stack would take no more if they did, as all but 17 bytes of the first "
        "interrupt lie on the main stack"
    )
    return Found(one.threads if one.runs and one.caught else 0, said)


TARGETS: Sequence[Target[Results]] = (
    Target(
        "instant of release 1,000 off its nominal one by a count or more, combinations of Tables 1 and 2 "
        "with a period of at least one count",
        "==",
        0,
        "combinations",
        _off,
    ),
    Target("release to handler, worst over these 34 combinations", "<=", 200, _C, _late),
    Target("interrupt that counts only, 8 MHz", "<=", 75, _C, _handling(PERIODIC, False)),
    Target("interrupt that releases one alarm, periodic", "<=", 240, _C, _handling(PERIODIC, True)),
    Target("the same, single-shot", "<=", 370, _C, _handling(SINGLE_SHOT, True)),
    Target(
        "Table 4, six threads, average",
        "<=",
        300,
        _C,
        _threads(
            lambda one: one.cycles.mean,
            "the shortest interrupt, which releases one task,",
            lambda one: one.least,
        ),
    ),
    Target(
        "Table 4, six threads, worst",
        "<=",
        800,
        _C,
        _threads(lambda one: one.cycles.most, "it", lambda one: one.most),
    ),
    Target(
        "PWM loop, deviation of its period: the plan's choice / our 50 Hz periodic alarm",
        "<=",
        1.0,
        "ratio",
        _lamp,
    ),
    Target(
        "kernel cycles a job, examples/engine-12 on atmega128-8mhz, FreeRTOS / ours, threads",
        ">=",
        3,
        "ratio",
        _engine("threads"),
    ),
    Target("the same, basic", ">=", 6, "ratio", _engine("basic")),
    Target(
        "RAM of the kernel, two threads, a semaphore and an alarm, .data and idle thread included, stacks "
        "apart",
        "<=",
        200,
        "bytes",
        _ram,
    ),
    Target("ROM of the same", "<=", 4_000, "bytes", _rom),
    Target("ROM of the same, FreeRTOS's / ours", ">=", 1.2, "ratio", _rom_ratio),
    Target(
        "threads with stacks of 96 bytes that run 10^4 sleeps and hand-overs each on the Uno, interrupts "
        "nested, no canary touched",
        ">=",
        8,
        "threads",
        _crowd,
    ),
)
"""The issue's table; a line with two entries is two. What was not measured is null."""
