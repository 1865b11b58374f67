# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The issue's target table beside what was measured, with reasons that follow from the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from horolog.calibrate.workloads import OPERATIONS
from horolog_experiments.harness import Found, Target, number, plain
from horolog_experiments.queues.cases import LIST, MOST_TASKS, ORDERS, OURS, QUEUES
from horolog_experiments.queues.results import Results, Row

__all__ = ["TARGETS", "result_rows"]

_FEW = 85
_CROSSING = ("homogeneous", "uniform")
_WORD_BYTES = 4


def _finding(
    measure: Callable[[Results], Fraction | int | None],
    reason: Callable[[Results], str],
    note: Callable[[Results], str] | None = None,
) -> Callable[[Results], Found]:
    """What `measure` gives; `reason` explains a miss; `note` is said in any case. KeyError: not measured."""

    def find(results: Results) -> Found:
        try:
            value = measure(results)
            said = {} if note is None else {"note": note(results)}
        except KeyError:
            return Found(None, {"reason": "not measured: the run was limited to fewer tasks"})
        try:
            why = reason(results)
        except KeyError:
            why = "missed; a limited run does not tell why"
        return Found(value, {"reason": why, **said})

    return find


def _automotive(operation: str, tasks: int = MOST_TASKS) -> Callable[[Results], Row]:
    return lambda results: results.row(OURS, "automotive", tasks, operation)


def _average(operation: str) -> Callable[[Results], Fraction]:
    return lambda results: _automotive(operation)(results).average


def _why_average(operation: str) -> Callable[[Results], str]:
    """Whether it is the fixed part of a call or its growth that is too dear."""

    def why(results: Results) -> str:
        few, many = _automotive(operation, _FEW)(results), _automotive(operation)(results)
        change = 100 * (many.average / few.average - 1)
        how = (
            f"it hardly depends on n ({number(few.average)} at {_FEW} tasks): the fixed part of a call"
            if abs(change) < 10
            else f"from {_FEW} tasks on it changes by {number(change)} % ({number(few.average)} there)"
        )
        return f"{how}; best {number(many.best)}, worst {number(many.worst)}"

    return why


def _why_worst(results: Results) -> str:
    few, many = _automotive("insert", _FEW)(results), _automotive("insert")(results)
    return (
        f"the dearest of {many.calls:,} calls with an average of {number(many.average)}; "
        f"at {_FEW} tasks the dearest is {number(few.worst)}"
    )


def _adversarial(results: Results) -> Row:
    return results.row(OURS, "worst", MOST_TASKS, "insert")


def _why_adversarial(results: Results) -> str:
    row = _adversarial(results)
    over = sum(cost > _ADVERSARIAL for cost in row.by_order)
    return f"above {_ADVERSARIAL} under {over} of {len(ORDERS)} orders of keys"


def _by_order(results: Results) -> str:
    row = _adversarial(results)
    ranked = sorted(zip(row.by_order, ORDERS, strict=True), key=lambda item: -item[0])
    return "by order of keys: " + ", ".join(f"{order} {cost:,}" for cost, order in ranked)


def _parts(results: Results, queue: str, family: str, tasks: int) -> str:
    """A job's cost and what it is made of, first as often as it is called for a pop."""
    insert, first, pop = (results.row(queue, family, tasks, o) for o in OPERATIONS)
    shares = (insert.average, Fraction(first.total, pop.calls), pop.average)
    of = ", ".join(f"{o} {number(s)}" for o, s in zip(OPERATIONS, shares, strict=True))
    return f"{queue} {number(sum(shares))} a job ({of})"


def _best_other(results: Results) -> str:
    others = [q.name for q in QUEUES if q.exact and not q.bench_only and q.name != OURS]
    return min(others, key=lambda name: results.per_job(name, "automotive", _FEW))


def _share(results: Results) -> Fraction:
    best = results.per_job(_best_other(results), "automotive", _FEW)
    return results.per_job(OURS, "automotive", _FEW) / best


def _both(results: Results) -> str:
    names = (_best_other(results), OURS)
    return "; ".join(_parts(results, name, "automotive", _FEW) for name in names)


def _crossings(results: Results) -> list[int | None]:
    return [results.crossover(OURS, LIST, family) for family in _CROSSING]


def _late_crossover(results: Results) -> int | None:
    """The worse of the families; None if one has none."""
    found = [n for n in _crossings(results) if n is not None]
    return max(found) if len(found) == len(_CROSSING) else None


def _crossing_note(results: Results) -> str:
    said = [
        f"{family} {'never' if found is None else f'{found:,}'}"
        for family, found in zip(_CROSSING, _crossings(results), strict=True)
    ]
    return f"the worse of {', '.join(said)}"


def _why_crossover(results: Results) -> str:
    """What a job costs at the target, in each family that misses it."""
    said = []
    for family, found in zip(_CROSSING, _crossings(results), strict=True):
        if found is None or found > _CROSSOVER:
            tasks = max(n for n in results.sizes(family) if n <= _CROSSOVER)
            both = (_parts(results, name, family, tasks) for name in (OURS, LIST))
            said.append(f"{family}, {tasks} tasks: {' against '.join(both)}")
    return "; ".join(said)


def _extra(results: Results) -> int:
    """Bytes that do not depend on n: its slots are a choice."""
    return results.ram[OURS] - results.ram[LIST]


def _with_nodes(results: Results) -> str:
    words = {queue.name: queue.node_words for queue in QUEUES}
    more = words[OURS] - words[LIST]
    total = _extra(results) + _FEW * more * _WORD_BYTES
    return (
        f"{total:,} with the {more} words of each of {_FEW} nodes that it uses and the list does not; "
        f"nodes have room for them whichever the queue"
    )


_CROSSOVER = 20
_ADVERSARIAL = 250

TARGETS: Sequence[Target[Results]] = (
    Target(
        "insert, automotive, n = 1,500, average",
        "<=",
        60,
        "instructions",
        _finding(
            _average("insert"),
            _why_average("insert"),
        ),
    ),
    Target(
        "insert, automotive, n = 1,500, worst",
        "<=",
        100,
        "instructions",
        _finding(
            lambda results: _automotive("insert")(results).worst,
            _why_worst,
        ),
    ),
    Target(
        "pop, n = 1,500, average",
        "<=",
        40,
        "instructions",
        _finding(
            _average("pop"),
            _why_average("pop"),
        ),
    ),
    Target(
        "worst insert over all adversarial inputs, n = 1,500",
        "<=",
        _ADVERSARIAL,
        "instructions",
        _finding(
            lambda results: _adversarial(results).worst,
            _why_adversarial,
            _by_order,
        ),
    ),
    Target(
        "insert + first + pop at n = 85, share of the best other queue that has count resolution "
        "and the full horizon",
        "<=",
        1.0,
        "ratio",
        _finding(
            _share,
            lambda results: f"the best other is {_best_other(results)}",
            _both,
        ),
    ),
    Target(
        "crossover with the list, tasks",
        "<=",
        _CROSSOVER,
        "tasks",
        _finding(
            _late_crossover,
            _why_crossover,
            _crossing_note,
        ),
    ),
    Target(
        "extra RAM at n = 85, 1 ms slots, bytes (configurable down to 256)",
        "<=",
        1536,
        "bytes",
        _finding(
            _extra,
            lambda results: f"{results.ram[OURS]:,} bytes against the list's {results.ram[LIST]:,}",
            _with_nodes,
        ),
    ),
)
"""The issue's table, unchanged. What was not measured is null; what is missed says why."""


def result_rows(results: Results) -> list[dict[str, Any]]:
    """The rows of result.json."""
    return [*_call_rows(results), *_memory_rows(results), *_system_rows(results)]


def _call_rows(results: Results) -> list[dict[str, Any]]:
    rows = []
    for row in results.rows:
        made = {
            "what": "call",
            "queue": row.queue,
            "level": f"-{row.level}",
            "family": row.family,
            "tasks": row.tasks,
            "operation": row.operation,
            "calls": row.calls,
            "best": row.best,
            "average": plain(row.average),
            "worst": row.worst,
            "unit": "instructions",
            "platform": results.platform,
        }
        if row.by_order:
            made["dearest_orders"] = list(row.dearest_orders)
        rows.append(made)
    return rows


def _memory_rows(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "what": "memory",
            "queue": queue.name,
            "ram": results.ram[queue.name],
            "rom_O2": results.rom[queue.name, "O2"],
            "rom_O0": results.rom[queue.name, "O0"],
            "node_words": queue.node_words,
            "unit": "bytes",
            "platform": results.platform,
        }
        for queue in QUEUES
    ]


def _system_rows(results: Results) -> list[dict[str, Any]]:
    whole = results.whole
    windows = dict(whole.windows_s)
    return [
        {
            "what": "system",
            "kernel": "FreeRTOS" if row.queue is None else "Horolog",
            "mechanism": whole.mechanism,
            "queue": row.queue,
            "tasks": row.tasks,
            "window_s": windows[row.tasks],
            "overloaded": row.overloaded,
            "jobs": row.jobs,
            "deadline_misses": row.deadline_misses,
            "overruns": row.overruns,
            "interrupts": row.interrupts,
            "kernel_instructions": row.kernel,
            "bodies": row.bodies,
            "kernel_per_job": plain(row.per_job),
            "overhead_percent": plain(row.overhead_percent),
            "ratio": None if row.queue is None else plain(whole.ratio(row.queue, row.tasks)),
            "ratio_refused": row.refused,
            "unit": "instructions",
            "platform": results.platform,
        }
        for row in whole.rows
    ]
