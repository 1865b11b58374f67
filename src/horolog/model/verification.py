# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The best predicted plans of a system, each as it was measured: what `--verify` finds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import number, significant
from horolog.model.plan import Plan

__all__ = ["MODEL_BOUND", "Trial", "Verification"]

MODEL_BOUND = Fraction(5, 100)
"""By how much of what is measured a prediction may differ; more is a fault of the model."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A plan, and what the kernel executed in the window of its run."""

    plan: Plan
    measured: int | None = (
        None  # kernel instructions, or cycles; None: `why` says why there are none
    )
    interrupts: int | None = None  # taken
    late: int = 0  # deadlines missed and releases overrun: such a plan is not taken
    why: str = ""

    @property
    def predicted(self) -> Fraction:
        """Kernel instructions, or cycles, in the window."""
        return self.plan.prediction.kernel_instructions

    @property
    def off(self) -> Fraction | None:
        """How far the prediction is from what was measured, as a share of that; negative: too low."""
        if self.measured is None:
            return None
        return (self.predicted - self.measured) / max(1, self.measured)

    @property
    def words(self) -> str:
        """Mechanism and stores, for people."""
        stores = dict.fromkeys(releaser.store for releaser in self.plan.releasers)
        return f"{self.plan.mechanism}, {', '.join(stores)}"


@dataclass(frozen=True, slots=True)
class Verification:
    """All trials, the predicted choice first. `unjudged`: why predictions cannot be held against these."""

    trials: tuple[Trial, ...]
    objective: str
    unit: str  # instructions or cycles
    interrupted: bool = False
    unjudged: str | None = None

    @property
    def chosen(self) -> Trial:
        """The measured best; the predicted choice if nothing was measured."""
        ran = [one for one in self.trials if one.measured is not None]
        in_time = [one for one in ran if not one.late]
        return min(in_time or ran, key=self._key, default=self.trials[0])

    @property
    def faults(self) -> tuple[str, ...]:
        """Where the model that predicts is wrong, in words."""
        found = []
        best, first = self.chosen, self.trials[0]
        if best is not first and first.measured is not None and best.measured is not None:
            less = Fraction(first.measured - best.measured, max(1, first.measured))
            how = (
                f"takes {significant(100 * less)} % fewer kernel {self.unit}"
                if less > 0
                else "is better in what was asked for"
                if not first.late
                else "misses no deadline"
            )
            found.append(
                f"{first.words} was predicted to be the best, but {best.words} {how}: it is taken"
            )
        if self.unjudged is None:
            found += [self._wrong(one) for one in self.trials if self.is_wrong(one)]
        return tuple(found)

    def is_wrong(self, trial: Trial) -> bool:
        """Whether its prediction is further off than MODEL_BOUND."""
        return trial.off is not None and abs(trial.off) > MODEL_BOUND

    def _key(self, trial: Trial) -> tuple[int, ...]:
        assert trial.measured is not None
        interrupts = trial.interrupts or 0
        if self.objective == "jitter":
            return *(trial.plan.longest_handler or ()), trial.measured, interrupts
        if self.objective == "interrupts":
            return interrupts, trial.measured
        return trial.measured, interrupts

    def _wrong(self, trial: Trial) -> str:
        assert trial.off is not None
        return (
            f"{trial.words}: predicted {round(trial.predicted):,} kernel {self.unit}, measured "
            f"{trial.measured:,}: {significant(abs(100 * trial.off))} % too "
            f"{'low' if trial.off < 0 else 'high'}, more than {number(100 * MODEL_BOUND)} %"
        )
