# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans every mechanism for a system and chooses the cheapest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

from horolog.analyse import (
    distinct_instants,
    jobs_in,
    of_threads,
    shared_threads,
    threads_apart,
    with_all_tasks,
)
from horolog.figures import significant
from horolog.model import (
    ALL_MECHANISMS,
    BASIC_MECHANISMS,
    BASIC_STORES,
    MECHANISMS,
    OBJECTIVES,
    STORES,
    Alternative,
    HorologError,
    Kind,
    Plan,
    Planned,
    Search,
    Sharing,
    System,
)
from horolog.plan.basic_plans import BasicPricing, in_threads
from horolog.plan.bounds import bounds_of, least_interrupts
from horolog.plan.combined_plans import BothPricing
from horolog.plan.limit import Limit
from horolog.plan.mapping.exact import solve
from horolog.plan.mapping.grouping import Grouping
from horolog.plan.mapping.line_limits import check_lines
from horolog.plan.mapping.mechanisms import FORCED_STORES
from horolog.plan.mapping.releasers import Inadmissible
from horolog.plan.memory import flash_of, is_estimated, memory_of
from horolog.plan.prediction.beside import with_beside
from horolog.plan.prediction.utilisation import warnings_of
from horolog.plan.prices.costs import FREE, Prices
from horolog.plan.prices.read_costs import read_prices
from horolog.plan.prices.size_costs import flash_note
from horolog.plan.reasons import Words
from horolog.plan.table_plans import AnyPricing, TablePricing
from horolog.plan.thread_plans import Pricing, rank

__all__ = ["plan"]

_ONLY_IF_NAMED = ("chronos-const",)
"""Mechanisms with an unbounded store: they are compared, and taken only if the user names them."""


def plan(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    prices: Prices | None = None,
    grouping: Grouping | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
    alone: bool = False,
) -> Planned:
    """Choose releasers for every task of `system`, or take those of `mechanism`.

    Mechanisms are ranked by `objective` (default: the system's): the kernel instructions, or the
    interrupts, per second that `prices` (default: those of the board's costs.toml) predict in the long
    run, so that the length of the window plays no part; ties go to the other of the two, then to fewer
    cells, then to the order of MECHANISMS. By jitter the longest handler of all cells decides, then by how
    much one varies, then the instructions. Where no instructions are counted, interrupts decide. `queue`
    is the store of every releaser; default: for each releaser that which stores.py chooses by the
    prices, and a sorted list where there are none. HorologError if `mechanism` is unknown or cannot
    serve the system, if none can, if `queue` is unknown or not the mechanism's, or if the costs cannot
    be read. A choice that needs more than the whole processor is no error here: see refuse_overload.

    With `alone`, `mechanism` is planned and no other, so that there are no alternatives to its plan.

    What is found until `limit` is over is compared, and `search` says how that ended; without a limit the
    outcome is the same on every machine.
    """
    objective = _checked(system, mechanism, queue, objective)
    prices = read_prices(system.board) if prices is None else prices
    whole, system = system, of_threads(_at_levels(system))
    if objective == "memory":
        system = replace(system, table_bytes=0)
    limit = limit or Limit()
    grouping = grouping or partial(solve, limit=limit)
    pricing = _pricing(system, prices, queue, cache(grouping), objective, limit)
    plans: list[Plan] = []
    faults: dict[str, Inadmissible] = {}
    for name in (mechanism,) if alone and mechanism else pricing.mechanisms:
        made = pricing.plan_of(name, named=name == mechanism)
        if isinstance(made, Inadmissible):
            faults[name] = made
        else:
            plans.append(with_beside(system, made, prices))
    if objective == "memory":  # then the cheapest
        plans.sort(key=lambda one: (flash_of(system, one, prices), *rank(one, objective)))
    else:
        plans.sort(key=lambda one: rank(one, objective))
    free = [one for one in plans if one.mechanism not in {*_ONLY_IF_NAMED} - {mechanism}]
    if mechanism in faults:
        error = _cannot(system, f"mechanism {mechanism} cannot serve it", faults[mechanism], free)
        if free and faults[mechanism].cells:
            wide = _with_cells(system, faults[mechanism].cells)
            own = _pricing(wide, prices, queue, grouping, objective, limit).plan_of(
                mechanism, named=True
            )
            error.expected = f"{error.expected}{_dearer(free[0], own, prices)}"
        raise error
    if not free:
        raise _cannot(system, "no mechanism can serve it", _telling(faults), free)
    choice = next((p for p in plans if p.mechanism == mechanism), free[0])
    check_lines(system, choice)
    if isinstance(pricing, Pricing):
        with_handlers = replace(choice, handlers=pricing.handlers(choice.releasers))
        plans = [with_handlers if one is choice else one for one in plans]
        choice = with_handlers
    whole_of = {id(one): with_all_tasks(whole, one) for one in plans}
    words = Words(
        choice,
        plans,
        unpriced=_unpriced(system, prices),
        forced=mechanism is not None,
        objective=objective,
        only_if_named=_ONLY_IF_NAMED,
    )
    alternatives = [Alternative(p.mechanism, whole_of[id(p)], words.about(p)) for p in plans]
    alternatives += [Alternative(name, None, fault.reason) for name, fault in faults.items()]
    bounds = bounds_of(system)
    search = _search(limit, choice, least_interrupts(system, bounds))
    return Planned(
        choice=whole_of[id(choice)],
        alternatives=tuple(alternatives),
        forced=mechanism is not None,
        distinct_instants=distinct_instants(system),
        jobs=sum(jobs_in(whole)),
        costs=prices.origin,
        bounds=bounds,
        objective=objective,
        notes=(
            *pricing.notes(),
            *_not_by_jitter(choice, objective),
            *_flash(system, choice, prices),
        ),
        warnings=warnings_of(system, choice),
        sharing=_sharing(whole, choice, prices, queue, pricing),
        search=search,
        memory=memory_of(whole, system, choice, prices),
    )


def _sharing(
    system: System,
    choice: Plan,
    prices: Prices,
    queue: str | None,
    shared: Pricing | BasicPricing | BothPricing | TablePricing,
) -> Sharing | None:
    """Which tasks of `system` share threads, and what that saves with the mechanism of `choice`."""
    threads = shared_threads(system)
    if not threads:
        return None
    pricing = _pricing(
        threads_apart(system), prices, queue, shared.grouping, shared.objective, shared.limit
    )
    if choice.mechanism == "mixed" and isinstance(pricing, Pricing):
        made = pricing.alike(with_all_tasks(system, choice))  # to search again takes as long
    else:
        made = pricing.plan_of(choice.mechanism, named=True)
    saved = Fraction(0)
    if isinstance(made, Plan):
        made = with_beside(threads_apart(system), made, prices)
        saved = made.prediction.kernel_per_second - choice.prediction.kernel_per_second
    stacks = sum(task.stack for task in system.tasks if task.kind is Kind.THREAD)
    stacks -= sum(task.stack for task in of_threads(system).tasks if task.kind is Kind.THREAD)
    return Sharing(threads, saved, stacks)


def _flash(system: System, choice: Plan, prices: Prices) -> tuple[str, ...]:
    """Returns the warning that the plan takes far more flash than FreeRTOS, if so."""
    known = prices.flash if is_estimated(system) else None
    note = flash_note(system, choice.releasers, known, prices.queues)
    return () if note is None else (note,)


def _not_by_jitter(choice: Plan, objective: str) -> tuple[str, ...]:
    """Returns the note that the objective could not be followed, if so."""
    if objective != "jitter" or choice.longest_handler is not None:
        return ()
    why = next((one.why for one in choice.handlers if one.why), "it releases basic tasks")
    return (f"the longest handler is not known ({why}), so the plan is that of the least overhead",)


def _search(limit: Limit, choice: Plan, least: Fraction) -> Search:
    """How it ended, if no plan interrupts less often than `least`."""
    taken = choice.prediction.interrupts_per_second
    least = min(least, taken)
    return Search(limit.end, limit.seconds, least, 1 - least / taken if taken else Fraction(0))


def _unpriced(system: System, prices: Prices) -> str | None:
    """Why no instructions are predicted of what the tasks cost; None: they are."""
    if prices.costs == FREE:
        return "no instructions are counted on this board"
    only_basic = len(system.basic) == len(system.tasks)
    if only_basic and (in_threads(system) or not prices.basic):
        return "what basic tasks cost here is not known"
    return None


def _pricing(
    system: System,
    prices: Prices,
    queue: str | None,
    grouping: Grouping,
    objective: str,
    limit: Limit,
) -> Pricing | BasicPricing | BothPricing | TablePricing:
    """Returns the object that makes the plans, by the kinds of tasks that there are."""
    if system.control is not None:

        def others(rest: System) -> AnyPricing:
            made = _pricing(rest, prices, queue, grouping, objective, limit)
            assert not isinstance(made, TablePricing)
            return made

        return TablePricing(system, prices, grouping, objective, limit, others)
    if not system.basic:
        return Pricing(system, prices, queue, grouping, objective, limit)
    if len(system.basic) == len(system.tasks):
        return BasicPricing(system, prices, queue, grouping, objective, limit)
    return BothPricing(system, prices, queue, grouping, objective, limit)


def _checked(
    system: System, mechanism: str | None, queue: str | None, objective: str | None
) -> str:
    """The objective. HorologError if anything that was named is unknown."""
    known = BASIC_MECHANISMS if system.basic else MECHANISMS
    if mechanism is not None and mechanism not in known:
        raise HorologError(
            "unknown mechanism"
            if mechanism not in ALL_MECHANISMS
            else f"mechanism {mechanism} is not for {'basic tasks' if system.basic else 'threads'}",
            found=mechanism,
            expected="one of " + ", ".join(known),
        )
    stores = BASIC_STORES if len(system.basic) == len(system.tasks) else (*STORES, "none")
    if queue is not None and (queue not in stores or (queue == "none" and not system.basic)):
        raise HorologError(
            "unknown queue"
            if queue not in (*STORES, "none")
            else f"basic tasks cannot have {queue}"
            if system.basic
            else "none is for basic tasks",
            found=queue,
            expected="one of " + ", ".join(stores if system.basic else STORES),
        )
    objective = system.objective if objective is None else objective
    if objective not in OBJECTIVES:
        raise HorologError(
            "unknown objective", found=objective, expected="one of " + ", ".join(OBJECTIVES)
        )
    own = FORCED_STORES.get(mechanism or "")
    if own is not None and queue not in (None, own):
        raise HorologError(
            f"mechanism {mechanism} is named for its store",
            found=f"--queue {queue}",
            expected=f"--queue {own}, or --mechanism chronos",
        )
    if not system.tasks:
        raise HorologError(f"system {system.name} has no task", expected="at least one [[task]]")
    return objective


def _at_levels(system: System) -> System:
    """`system`, of cells that share an interrupt the first only, if basic tasks have levels of their own.

    The interrupt of a cell has the level of the basic tasks that it releases, and an interrupt has one level.
    """
    board = system.board
    if not (system.has_basic and board.controller is not None and board.port.cells_at_levels):
        return system
    first: dict[str, str] = {}
    for name in system.cells:
        first.setdefault(board.cell(name).handler, name)
    return replace(system, cells=tuple(first.values()))


def _with_cells(system: System, many: int) -> System:
    """`system` on a board with so many more cells, like the last one in use: no such board need exist."""
    like = system.board.cell(system.cells[-1])
    more = [
        replace(like, name=f"{like.name} ({at})", handler=f"{like.handler}_{at}")
        for at in range(many)
    ]
    board = replace(system.board, cells=(*system.board.cells, *more))
    return replace(system, board=board, cells=(*system.cells, *(cell.name for cell in more)))


def _dearer(found: Plan, own: Plan | Inadmissible, prices: Prices) -> str:
    """What it costs that `found` has fewer cells than `own`, which would have one for each."""
    if isinstance(own, Inadmissible):
        return ""
    if prices.costs == FREE:
        shared, alone = found.prediction.interrupts_per_second, own.prediction.interrupts_per_second
        unit = " interrupts/s"
    else:
        shared, alone = found.prediction.overhead_percent, own.prediction.overhead_percent
        unit = " % of the processor"
    return f", predicted {significant(shared)}{unit}; {significant(alone)} with as many cells as are needed"


def _telling(faults: dict[str, Inadmissible]) -> Inadmissible:
    """Of the faults of all mechanisms that which says most: of a task, or why one cell cannot serve all."""
    one_shot, chronos = faults["one-shot"], faults.get("chronos")
    named = chronos is not None and chronos.task is not None and one_shot.task is None
    return chronos if named and chronos is not None else one_shot


def _cannot(system: System, message: str, fault: Inadmissible, plans: list[Plan]) -> HorologError:
    """The error for a system that cannot be served so; `plans`: what could, the nearest first."""
    place = None if fault.task is None else system.tasks[fault.task].place
    nearest = fault.remedy
    if plans:
        cells = ", ".join(releaser.cell for releaser in plans[0].releasers)
        nearest = f"the nearest plan that fits: {plans[0].mechanism}, on {cells}"
    return HorologError(
        f"system {system.name}: {message}: {fault.reason}", place=place, expected=nearest
    )
