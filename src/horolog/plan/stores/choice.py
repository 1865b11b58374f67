# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which store a releaser gets, by the board's costs.

The cheapest in predicted instructions of the whole releaser, in the long run; but what saves less than
a hundredth is not worth more bytes or a less plain structure, and a table has to save enough for its flash
(worth.py). Of all stores with a table that pays, or none, within WORTH of the cheapest of them, the one with
the least RAM and tables is taken, among equals the first of STORES. A store without a bound on its release is
taken only if the user names it. Queues with insertion in proportion to the number of tasks are not kept out:
that work runs with interrupts on and is in the prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction

from horolog.figures import number
from horolog.model import (
    LINEAR_STORES,
    MASK_STORES,
    STATIC_STORES,
    STORES,
    UNBOUNDED_STORES,
    Board,
    HorologError,
    Mode,
    QueueChoice,
    QueueOption,
    StoreMisfit,
    System,
)
from horolog.plan.cached_analysis import static_store_misfit
from horolog.plan.prediction.predict import Forecast
from horolog.plan.prices.costs import WORTH, Prices
from horolog.plan.prices.static_costs import STEP_STORES, steps_taken
from horolog.plan.stores.sizes import constant_bytes, masks_ram, static_ram, table_misfit
from horolog.plan.stores.worth import that_pay

__all__ = ["NoneServes", "choose_store", "misfit", "store_options"]


class NoneServes(Exception):
    """None of the stores to choose from can serve a releaser."""


def choose_store(
    system: System,
    one: Forecast,
    prices: Prices,
    named: str | None,
    table_bytes: int,
    among: Collection[str] | None = None,
    prefer: Callable[[str], tuple[Fraction, Fraction] | None] | None = None,
    *,
    masked: bool = False,
) -> tuple[str, QueueChoice | None]:
    """The store for the releaser of `one`: `named`, else by `prices`; and why, where there are curves.

    Tables may take `table_bytes`. `among`: the only stores to choose from. `prefer` says how long the
    handler is with a store; the shortest is taken. `masked`: another cell's store releases by masks
    already, so that the ready queue has words for them. HorologError if `named` cannot serve the releaser;
    NoneServes if none of `among` can.
    """
    if named is not None:
        why = misfit(system, one, named, table_bytes)
        if why is not None:
            raise HorologError(f"store {named} cannot serve cell {one.releaser.cell}: {why}")
    if not prices.queues:
        return named or one.releaser.store, None
    options, misfits = store_options(system, one, prices, table_bytes, masked=masked)
    store, reason = _chosen(system.board, options, named, among, prefer)
    choice = QueueChoice(
        cell=one.releaser.cell,
        store=store,
        reason=reason,
        shape=one.load.shape,
        tasks=one.load.tasks,
        passed=one.load.passed,
        options=options,
        misfits=misfits,
    )
    return store, choice


def misfit(system: System, one: Forecast, store: str, table_bytes: int) -> str | None:
    """Why the releaser of `one` cannot have `store`; None if it can."""
    if store == "unsorted-list" and one.releaser.mode is Mode.ONE_SHOT:
        return "unsorted-list is for periodic cells"
    if store not in STATIC_STORES:
        return None
    why = static_store_misfit(system, store, one.releaser.tasks, one.releaser.mode)
    if why is None and store == "mask-table":
        why = table_misfit(system, one.releaser.tasks, table_bytes)
    return why


def store_options(
    system: System, one: Forecast, prices: Prices, table_bytes: int, *, masked: bool = False
) -> tuple[tuple[QueueOption, ...], tuple[StoreMisfit, ...]]:
    """Every store with a known cost, the cheapest first; and those that the releaser cannot have."""
    made = list(_queue_options(system, one, prices))
    misfits = []
    for store in STEP_STORES:
        why = misfit(system, one, store, table_bytes)
        known = prices.stores.get(store)
        if why is None and (known is None or one.releaser.mode not in known.by_mode):
            why = "the board's costs.toml does not say what it costs; horolog calibrate measures it"
        if why is not None:
            misfits.append(StoreMisfit(store, why))
            continue
        assert known is not None
        taken = steps_taken(system, one.work, store)
        kernel = one.always + one.sharing(store, prices) + known.cost(taken, one.releaser.mode)
        made.append(
            QueueOption(
                store=store,
                per_job=known.by_mode[one.releaser.mode]["job"],
                per_second=kernel.rate,
                ram=static_ram(system, one.releaser, store)
                + (masks_ram(system) if store in MASK_STORES and not masked else 0),
                over="steps",
                x=Fraction(one.load.tasks),
                points=(),
                admissible=store not in UNBOUNDED_STORES,
                linear=False,
                constants=constant_bytes(system, one.releaser, store),
                steps=known.detail(taken, one.releaser.mode),
            )
        )
    ranked = sorted(made, key=lambda option: (option.per_second, *_plainness(option)))
    return tuple(ranked), tuple(misfits)


def _queue_options(system: System, one: Forecast, prices: Prices) -> Iterator[QueueOption]:
    for store, queue in prices.queues.items():
        x = queue.x(one.load)
        yield QueueOption(
            store=store,
            per_job=queue.per_job(one.load, one.releaser.mode),
            per_second=one.cost(system, store, prices).rate,
            ram=queue.bytes(one.load.tasks),
            over=queue.over,
            x=x,
            points=tuple((point.x, point.job) for point in queue.curves[one.load.shape].around(x)),
            admissible=store not in UNBOUNDED_STORES,
            linear=store in LINEAR_STORES,
        )


def _bytes(option: QueueOption) -> int:
    return option.ram + option.constants


def _plainness(option: QueueOption) -> tuple[int, int]:
    return _bytes(option), STORES.index(option.store)


def _chosen(
    board: Board,
    options: tuple[QueueOption, ...],
    named: str | None,
    among: Collection[str] | None,
    prefer: Callable[[str], tuple[Fraction, Fraction] | None] | None = None,
) -> tuple[str, str]:
    """A store, and why."""
    if named is not None:
        known = any(option.store == named for option in options)
        return named, "named by the user" + (
            "" if known else "; its cost is not known, so a sorted list's is predicted"
        )
    able = [o for o in options if o.admissible and (among is None or o.store in among)]
    if not able:
        raise NoneServes
    lengths = {o.store: prefer(o.store) for o in able} if prefer is not None else {}
    steady = [(*length, at) for at, o in enumerate(able) if (length := lengths.get(o.store))]
    if steady:
        return able[min(steady)[2]].store, "the shortest longest handler"
    least, able = able[0], that_pay(board, able, lambda o: o.constants, lambda o: o.per_second)
    cheapest = able[0]
    beside = "" if among is None else "; masks beside delay queues would cost more"
    # A cooperative cell may be predicted to save more than it costs.
    limit = cheapest.per_second + abs(cheapest.per_second) * WORTH
    taken = min((o for o in able if o.per_second <= limit), key=_plainness)
    if taken is cheapest and cheapest is not least:
        return (
            taken.store,
            f"the least predicted cost but for tables that do not pay ({least.store}){beside}",
        )
    if taken is cheapest:
        return taken.store, f"the least predicted cost{beside}"
    than = "plainer"
    if _bytes(taken) < _bytes(cheapest):
        than = "fewer bytes" if taken.constants or cheapest.constants else "less RAM"
    saved = f"{cheapest.store} would save less than {number(100 * WORTH)} %"
    return taken.store, f"{than}; {saved}{beside}"
