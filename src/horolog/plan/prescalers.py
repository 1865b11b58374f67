# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans a system behind each prescaler of the board's clock, and takes the best.

A small prescaler has fine counts, but the clock's counter wraps often, and one-shot cells hop often. Each
wrap and each hop is an interrupt, so that the prices of the two decide; fine counts are worth a hundredth of
the cost. Behind any prescaler releases are off by less than a count, as the kernel carries remainders along.
Cells of the clock's timer count as the clock does; a cell with prescalers of its own gets one with its period
(mapping/cell_timing.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.figures import significant
from horolog.model import Board, ByPrescaler, HorologError, Planned, System
from horolog.plan.limit import Limit
from horolog.plan.prices.costs import WORTH

__all__ = ["by_prescaler"]

_Key = tuple[Fraction | int, ...]
_LEAST_HZ = 1000  # a millisecond from the clock's start to t = 0 has to be a count


@dataclass(frozen=True, slots=True)
class _Candidate:
    system: System
    planned: Planned
    holds: bool
    key: _Key


def by_prescaler(
    system: System,
    plan_one: Callable[[System, Limit | None], tuple[System, Planned]],
    key: Callable[[System, Planned], _Key],
    limit: Limit | None,
    holds: Callable[[System, Planned], bool] | None = None,
) -> tuple[System, Planned]:
    """The best of the plans that `plan_one` makes behind each prescaler, and its system.

    That system's board has this prescaler and no other. A plan with deadlines that hold, by `holds`, goes
    before one without; then the smallest `key` decides, and of those that cost up to WORTH more the smallest
    prescaler. HorologError of `plan_one` behind the board's own prescaler if none has a plan.
    """
    bound = _bound_by(system)
    clock = system.board.clock
    prescalers = clock.prescalers if bound is None else (clock.prescaler,)
    found: dict[int, _Candidate] = {}
    errors: dict[int, HorologError] = {}
    faults: dict[int, str] = {}
    for at, prescaler in enumerate(prescalers):
        fault = _fault(clock.input_hz, prescaler)
        if fault is not None:
            faults[prescaler] = fault
            continue
        part = None if limit is None else limit.part(Fraction(1, len(prescalers) - at))
        try:
            own, planned = plan_one(_behind(system, prescaler), part)
        except HorologError as error:
            errors[prescaler] = error
            continue
        held = holds is None or holds(own, planned)
        found[prescaler] = _Candidate(own, planned, held, (not held, *key(own, planned)))
    if not found:
        raise errors.get(clock.prescaler) or next(iter(errors.values()))
    least = min(found.values(), key=lambda one: one.key)
    best = next(prescaler for prescaler, one in found.items() if _is_near(one, least))
    rows = []
    for prescaler in clock.prescalers:
        reason = faults.get(prescaler) or _fault(clock.input_hz, prescaler)
        if prescaler in errors:
            reason = errors[prescaler].message
        elif prescaler in found:
            reason = _reason(found, prescaler, best)
        elif reason is None:
            reason = f"not planned: {bound}"
        rows.append(_row(system.board, prescaler, found.get(prescaler), reason))
    chosen = found[best]
    notes = chosen.planned.notes
    if bound is not None and len(clock.prescalers) > 1:
        notes = (
            *notes,
            f"{bound}, so the clock's prescaler is {best:,}; [prescalers] fixes another",
        )
    return chosen.system, replace(chosen.planned, prescalers=tuple(rows), notes=notes)


def _behind(system: System, prescaler: int) -> System:
    """`system` with its clock behind `prescaler`, which a further plan of it keeps."""
    board = system.board.with_prescaler(prescaler)
    board = replace(board, clock=replace(board.clock, prescalers=(prescaler,)))
    return replace(system, board=board)


def _fault(input_hz: int, prescaler: int) -> str | None:
    """Why the clock cannot count behind it."""
    if input_hz % prescaler:
        return f"{input_hz:,} Hz / {prescaler:,} is no whole number of hertz"
    if input_hz // prescaler < _LEAST_HZ:
        return f"{input_hz // prescaler:,} Hz is below {_LEAST_HZ:,} Hz"
    return None


def _bound_by(system: System) -> str | None:
    """What the description has in counts of the clock, which were read behind one prescaler."""
    if system.schedules or system.cell_schedules or system.counters:
        return "schedule tables are in counts of the clock"
    if system.tables:
        return "dispatcher tables were read in counts of the clock"
    if system.budget_cells is not None:
        return "budgets were read in counts of the clock"
    return None


def _row(board: Board, prescaler: int, one: _Candidate | None, reason: str) -> ByPrescaler:
    hz = Fraction(board.clock.input_hz, prescaler)
    plan = None if one is None else one.planned.choice
    return ByPrescaler(prescaler, hz, (1 << board.clock.width) / hz, plan, reason)


def _reason(found: dict[int, _Candidate], prescaler: int, best: int) -> str:
    own, other = found[prescaler], found[best]
    if len(found) == 1:
        return "chosen: there is no other"
    if prescaler == best:
        best_key = min(one.key for one in found.values())
        near = f", as coarser counts save less than {significant(100 * WORTH, 1)} %"
        return f"chosen: the {'best plan' if own.key == best_key else f'finest{near}'}"
    if not own.holds and other.holds:
        return "a deadline does not hold"
    before, after = own.planned.choice.prediction, other.planned.choice.prediction
    said = []
    for more, of, what in (
        (before.kernel_per_second, after.kernel_per_second, own.system.board.runner.unit),
        (before.interrupts_per_second, after.interrupts_per_second, "interrupts of cells"),
    ):
        if more != of:
            word = "more" if more > of else "fewer"
            said.append(f"{significant(abs(more - of), 4)} {word} {what}/s")
    if prescaler < best:
        return " and ".join(said)
    return " and ".join([*said, "with coarser counts"]) if said else "as good, with coarser counts"


def _is_near(one: _Candidate, least: _Candidate) -> bool:
    """Whether it costs no more than a hundredth beyond the least, and is as good otherwise."""
    if one is least:
        return True
    prediction, objective = least.planned.choice.prediction, least.planned.objective
    if objective == "jitter" or one.key[:2] != least.key[:2]:
        return False
    of = prediction.kernel_per_second
    if objective == "interrupts" or least.system.board.runner.ns_per_step is None:
        of = prediction.interrupts_per_second
    return one.key[2] - least.key[2] <= WORTH * of
