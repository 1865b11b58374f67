# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The cheapest cover by at most m candidates where branch and bound takes too long: CP-SAT.

CP-SAT (OR-Tools; L. Perron and F. Didier) counts in 64-bit integers. So it minimises costs rounded down,
which bounds every cover from below, and only among covers that are *strictly* cheaper than the best one
known: that condition is exact, in digits of 32 bits with a carry between two of them. Where the common
multiple is too long for that it is rounded down too, so that a cover may pass that costs the same: fractions
see that, and it is kept out from then on. When it says that
there is no such cover, the one known is optimal; when it finds one, fractions take its cost and the
search goes on below that. One worker, a fixed seed and a limit in CP-SAT's deterministic time make the
answer the same each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from horolog.plan.instants.residue_classes import Candidates
from horolog.plan.limit import SEARCHING, Limit
from horolog.plan.mapping.search import scale_for

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, CpSolverStatus, IntVar

__all__ = ["ConstraintSearch"]

_OBJECTIVE_BITS = 44  # of the best cost known, in the objective
_DIGIT_BITS = 32
_POLL_S = 0.05
_MOST_TIES = 32


class ConstraintSearch:
    """One search for a cover that costs less than `under`, among the candidates `left`.

    `bound`: no cover undercuts it, unless it costs `under` or more. After `run`, `cover`, `under` and
    `bound` are as Search has them.
    """

    def __init__(
        self, of: Candidates, left: Sequence[int], most: int, under: Fraction, bound: Fraction
    ) -> None:
        self.of = of
        self.left = list(left)
        self.most = most
        self.under = under
        self.bound = bound
        self.cover: list[int] | None = None
        self.ties: list[list[int]] = []  # covers that are known to be no cheaper
        self.spent = 0.0

    def run(self, effort: float, limit: Limit | None = None, share: float = SEARCHING) -> bool:
        """Whether the search came to its end, within `effort` of CP-SAT's deterministic time.

        It may take `share` of `limit`.
        """
        self.limit, self.share = limit or Limit(), share
        while True:
            done, better = self._once(effort - self.spent)
            if better is None:
                if done:
                    self.bound = self.under
                return done
            cost = sum((Fraction(1, self.of.classes[at][0]) for at in better), Fraction(0))
            if cost < self.under:
                self.cover, self.under = better, cost
            else:  # it passed as cheaper because costs are rounded down
                self.ties.append(better)
            if not done or len(self.ties) > _MOST_TIES:
                return False
            if self.bound >= self.under:
                return True

    def _once(self, effort: float) -> tuple[bool, list[int] | None]:
        """Whether CP-SAT came to an end, and the cover it found. Lifts the bound."""
        from ortools.sat.python import cp_model

        if effort <= 0:
            return False, None
        model = cp_model.CpModel()
        takes = {at: model.new_bool_var("") for at in self.left}
        for row in range(self.of.rows):
            model.add_bool_or([takes[at] for at in self.left if self.of.covers[at] >> row & 1])
        model.add(sum(takes.values()) <= self.most)
        for tie in self.ties:
            model.add_bool_or([takes[at].negated() for at in tie])
        scale = (1 << _OBJECTIVE_BITS) * self.under.denominator // self.under.numerator
        rounded = [scale // self.of.classes[at][0] for at in self.left]
        total = cp_model.LinearExpr.weighted_sum(list(takes.values()), rounded)
        model.add(total <= ceil(self.under * scale) - 1)
        # The bound that is known must not be added as a condition too: with it and the one above on the
        # objective, the presolve of OR-Tools 9.15 removes optimal solutions (tests/tool/test_mapping_exact).
        self._strictly_below(model, list(takes.values()))
        model.minimize(total)
        solver = cp_model.CpSolver()
        solver.parameters.linearization_level = 2
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.max_deterministic_time = effort
        status = self._solved(solver, model)
        took = solver.response_proto.deterministic_time
        self.spent += took
        if status in (cp_model.FEASIBLE, cp_model.UNKNOWN) and took < effort:
            self.limit.cut()  # by seconds, or by an interrupt
        if status == cp_model.INFEASIBLE:
            return True, None
        lowest = Fraction(ceil(solver.best_objective_bound - 0.5), scale)
        self.bound = min(self.under, max(self.bound, lowest))
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return False, None
        cover = [at for at in self.left if solver.boolean_value(takes[at])]
        return status == cp_model.OPTIMAL, cover

    def _solved(self, solver: CpSolver, model: CpModel) -> CpSolverStatus:
        """What `solver` says of `model`."""
        left = self.limit.left(self.share)
        if left is None:
            return solver.solve(model)
        solver.parameters.max_time_in_seconds = left
        solver.parameters.catch_sigint_signal = False  # the signal is the command's
        # In a thread, so that this one hears of an interrupt.
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(solver.solve, model)
            try:
                while not wait([answer], _POLL_S).done:
                    if self.limit.interrupted:
                        solver.stop_search()
            finally:
                solver.stop_search()
        return answer.result()

    def _strictly_below(self, model: CpModel, takes: Sequence[IntVar]) -> None:
        """The exact costs sum up to less than `under`; in digits, with carries that the solver chooses.

        sum of costs <= limit, digit by digit: what a digit's sum exceeds is carried to the next.
        """
        scale = scale_for([self.of.classes[at][0] for at in self.left], self.under)
        costs = [scale // self.of.classes[at][0] for at in self.left]
        limit = ceil(self.under * scale) - 1
        base = 1 << _DIGIT_BITS
        # Below the first digit that CP-SAT's objective does not see there may be several.
        digits = -(-max(limit, 1).bit_length() // _DIGIT_BITS)
        carry: IntVar | int = 0
        for digit in range(digits):
            shift = digit * _DIGIT_BITS
            last = digit == digits - 1
            parts = [cost >> shift if last else (cost >> shift) % base for cost in costs]
            allowed = limit >> shift if last else (limit >> shift) % base
            weighted = sum(part * take for part, take in zip(parts, takes, strict=True) if part)
            if last:
                model.add(weighted + carry <= allowed)
                return
            over = model.new_int_var(-1, self.most, "")
            model.add(weighted + carry <= over * base + allowed)
            carry = over
