# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table, and the rows of result.json."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from horolog.model import Baseline
from horolog_experiments.baselines.results import NEW, Baselines
from horolog_experiments.harness import Found, Target

__all__ = ["TARGETS", "cannot_express", "rows_of"]

_ENGINE = "engine-control"
_UNEXPRESSED = (
    "no tick of up to",
    "FreeRTOS rounds periods",
    "a period or offset is no whole number",
)


def cannot_express(refused: str | None) -> bool:
    """Whether a side has no ratio as FreeRTOS's tick cannot express the periods."""
    return refused is not None and refused.startswith(_UNEXPRESSED)


def _systems(found: Baselines) -> Found:
    """Systems with a ratio to some side, and to each that can express them."""
    whole, said = [], []
    for name in NEW:
        compared, others = found.compared(name), found.others(name)
        left = [one for one in others if one not in compared]
        if compared and all(cannot_express(one.refused) for one in left):
            whole.append(name)
        names = ", ".join(one.name for one in compared) or "none"
        said.append(f"{name}: {names}")
    return Found(len(whole), "; ".join(said))


def _best(ours: str) -> Callable[[Baselines], Found]:
    """The side that costs least for each of ours."""

    def find(found: Baselines) -> Found:
        ratios = {one.name: found.ratio(_ENGINE, ours, one) for one in found.compared(_ENGINE)}
        fair = {name: ratio for name, ratio in ratios.items() if ratio is not None}
        if not fair:
            return Found(None)
        least = min(fair, key=lambda name: fair[name])
        more = ", ".join(
            f"{name} {float(ratio):.2f}" for name, ratio in fair.items() if name != least
        )
        return Found(fair[least], f"{Baseline(least).described}; against the others: {more}")

    return find


def _stock(ours: str) -> Callable[[Baselines], Found]:
    """The stock side, with exceptions."""

    def find(found: Baselines) -> Found:
        stock = found.side(_ENGINE, Baseline.STOCK.value)
        own = found.side(_ENGINE, ours)
        if stock is None or own is None:
            return Found(None)
        first = found.ratio(_ENGINE, ours, stock)
        ratio = found.ratio(_ENGINE, ours, stock, exceptions=True)
        if first is None or ratio is None:
            return Found(None, stock.refused or "exceptions are not counted")
        taken = f"{stock.exceptions:,} / {own.exceptions:,} exceptions"
        return Found(ratio, f"{taken}; without them {float(first):.2f}")

    return find


TARGETS: Sequence[Target[Baselines]] = (
    Target(
        "the three systems above, as files in examples/, with a comparison beside every baseline that can "
        "express them",
        "==",
        3,
        "systems",
        _systems,
    ),
    *(
        Target(
            f"kernel instructions a job, engine-control, best of all FreeRTOS sides / ours, {ours}",
            ">=",
            least,
            "ratio",
            _best(ours),
        )
        for ours, least in (("threads", 1.5), ("basic", 4.5))
    ),
    *(
        Target(
            f"the same by the second ratio (exceptions counted), stock FreeRTOS / ours, {ours}",
            ">=",
            least,
            "ratio",
            _stock(ours),
        )
        for ours, least in (("threads", 3), ("basic", 8))
    ),
    Target(
        "axe violations at 400, 800 and 1400 pixels",
        "==",
        0,
        "violations",
        lambda found: Found(
            None,
            "not measured by this bench: `tests/tool/test_report_browser.py` runs axe on the report, where "
            "Chromium and axe are present",
            state="by a test",
        ),
    ),
)
"""The lines of the issue's table, unchanged."""


def rows_of(found: Baselines) -> list[dict[str, Any]]:
    """The rows of result.json: a side each."""
    return [{**asdict(one), "unit": "instructions"} for one in found.sides]
