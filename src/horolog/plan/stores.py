# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which delay queue a releaser gets, by the board's curves.

The cheapest in predicted instructions of the whole releaser, in the long run; but what saves less than
a hundredth is not worth more bytes or a less plain structure: of all queues within WORTH of the cheapest
the one with the least RAM is taken, among equals the first of QUEUES. A queue whose pop is not bounded is
taken only if the user names it. Queues whose insertion takes time in proportion to the tasks are not kept
out: that work runs with interrupts on and is in the prediction.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from horolog.model import LINEAR_STORES, QUEUES, UNBOUNDED_STORES, QueueChoice, QueueOption
from horolog.plan.curves import QueueCosts
from horolog.plan.predict import Forecast

__all__ = ["WORTH", "choose_queue", "queue_options"]

WORTH = Fraction(1, 100)
"""What a queue has to save of its releaser's cost to be preferred over a smaller or plainer one."""


def choose_queue(
    one: Forecast, queues: Mapping[str, QueueCosts], named: str | None
) -> tuple[str, QueueChoice | None]:
    """The store for the releaser of `one`: `named`, else by `queues`; and why, where there are curves."""
    if not queues:
        return named or one.releaser.store, None
    options = queue_options(one, queues)
    store, reason = _chosen(options, named)
    choice = QueueChoice(
        cell=one.releaser.cell,
        store=store,
        reason=reason,
        shape=one.load.shape,
        tasks=one.load.tasks,
        walked=one.load.walked,
        options=options,
    )
    return store, choice


def queue_options(one: Forecast, queues: Mapping[str, QueueCosts]) -> tuple[QueueOption, ...]:
    """Every queue that has a curve, the cheapest first."""
    made = []
    for store, queue in queues.items():
        x = queue.x(one.load)
        made.append(
            QueueOption(
                store=store,
                per_job=queue.per_job(one.load),
                per_second=one.kernel.rate + one.beyond_list(store, queues).rate,
                ram=queue.bytes(one.load.tasks),
                over=queue.over,
                x=x,
                points=tuple(
                    (point.x, point.job) for point in queue.curves[one.load.shape].around(x)
                ),
                admissible=store not in UNBOUNDED_STORES,
                linear=store in LINEAR_STORES,
            )
        )
    return tuple(sorted(made, key=lambda option: (option.per_second, *_plainness(option))))


def _plainness(option: QueueOption) -> tuple[int, int]:
    return option.ram, QUEUES.index(option.store)


def _chosen(options: tuple[QueueOption, ...], named: str | None) -> tuple[str, str]:
    """A store, and why."""
    if named is not None:
        known = any(option.store == named for option in options)
        return named, "named by the user" + (
            "" if known else "; it has no curve, so a sorted list's costs are predicted"
        )
    able = [option for option in options if option.admissible]
    cheapest = able[0]
    limit = cheapest.per_second * (1 + WORTH)
    taken = min((o for o in able if o.per_second <= limit), key=_plainness)
    if taken is cheapest:
        return taken.store, "the least predicted cost"
    than = "less RAM" if taken.ram < cheapest.ram else "plainer"
    return taken.store, (f"{than}; {cheapest.store} would save less than {float(100 * WORTH):g} %")
