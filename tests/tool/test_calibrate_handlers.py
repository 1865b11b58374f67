# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long handlers are: found from their lengths in small systems, written to costs.toml and read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_system

import horolog.calibrate.handlers as module
from horolog.analyse import streams
from horolog.calibrate.costs_text import handler_lines
from horolog.calibrate.handler_lengths import HandlerLength
from horolog.calibrate.stores import Spec
from horolog.model import STORES, HorologError, Mode, Plan, PriorityRule, System
from horolog.plan import Costs, Prices, read_prices
from horolog.plan.prediction.handlers import dues_of
from horolog.plan.prices.handler_costs import HANDLER_STEPS, HandlerCosts, handler_steps

TRUE = {
    "interrupt": 40,
    "job": 30,
    "height": 7,
    "scanned": 13,
    "chain": 20,
    "fired": 15,
    "group": 6,
    "release": 31,
    "levels": 44,
    "part": 22,
}


def make(title: str, specs: Sequence[Spec]) -> System:
    made = make_system([one.period for one in specs], offsets=[one.offset for one in specs])
    tasks = tuple(
        replace(task, priority=spec.priority) for task, spec in zip(made.tasks, specs, strict=True)
    )
    given = any(spec.priority is not None for spec in specs)
    rule = PriorityRule.EXPLICIT if given else PriorityRule.RATE_MONOTONIC
    return replace(made, tasks=tasks, priorities=rule)


def lengths(system: System, plan: Plan, out: Path) -> dict[str, HandlerLength]:
    """A kernel with handlers that take what TRUE says."""
    (releaser,) = plan.releasers
    of = streams(system, releaser.tasks)
    found = [
        sum(TRUE[name] * count for name, count in taken.items())
        for taken in (
            handler_steps(system, releaser, releaser.store, of, due)
            for due in dues_of(system, releaser)
        )
    ]
    return {releaser.cell: HandlerLength(100, min(found), max(found))}


def exactly(*steps: str) -> dict[str, tuple[Fraction, Fraction]]:
    return {name: (Fraction(TRUE[name]), Fraction(TRUE[name])) for name in steps}


@pytest.fixture
def no_emulator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "handler_lengths", lengths)


@pytest.mark.usefixtures("no_emulator")
def test_every_store_in_every_mode_that_it_has_is_written_and_read_again(tmp_path: Path) -> None:
    said: list[str] = []
    found = module.calibrate_handlers(make, tmp_path, said.append)
    assert {store for store, _ in found} == {*STORES}
    one_shot = {store for store, mode in found if mode is Mode.ONE_SHOT}
    assert {*STORES} - one_shot == {"unsorted-list", "harmonic-array"}
    for (store, _), costs in found.items():
        assert [*costs.steps] == list(HANDLER_STEPS[store])
    for mode in Mode:  # no step can be told from another that is taken as often
        assert found["sorted-list", mode].steps == exactly("interrupt", "job")
    groups = found["period-groups", Mode.PERIODIC].steps
    for step, both in exactly("part", "group").items():
        assert groups[step] == both
    assert "handlers, mask-table, one-shot: a mixture" in said
    assert read("\n".join(handler_lines(found)), tmp_path).handlers == found


def test_bounds_are_rounded_outwards(tmp_path: Path) -> None:
    costs = HandlerCosts({"interrupt": (Fraction(100, 3), Fraction(200, 3))})
    lines = handler_lines({("sorted-list", Mode.PERIODIC): costs})
    assert lines[2].startswith("interrupt = [33.33, 66.67] ")


def read(text: str, folder: Path) -> Prices:
    steps = "".join(f"{field.name} = 1\n" for field in fields(Costs))
    (folder / "costs.toml").write_text(f"[costs]\n{steps}\n{text}\n", encoding="utf-8")
    return read_prices(make_board(directory=folder))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[handler.sortedlist.periodic]", 'unknown handler "sortedlist"'),
        ("[handler]\nsorted-list = 3", r"no \[handler.sorted-list\] table"),
        ("[handler.sorted-list]\nperiodic = 3", r"no \[handler.sorted-list.periodic\] table"),
        ("[handler.sorted-list.periodic]\nheight = [1, 2]", 'unknown handler.* "height"'),
        ("[handler.sorted-list.periodic]\njob = 3", r"\[at least, at most\], in instructions"),
        ("[handler.sorted-list.periodic]\njob = [3]", r"\[at least, at most\], in instructions"),
        ("[handler.sorted-list.periodic]\njob = [1, -3]", r"job\[1\]: a value cannot be used"),
    ],
)
def test_what_cannot_be_used_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read(text, tmp_path)
    assert caught.match(message)


def test_a_file_without_them_has_none(tmp_path: Path) -> None:
    assert read("", tmp_path).handlers == {}
