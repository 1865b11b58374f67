# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runs each example as `horolog compare` does, with all baselines."""

from __future__ import annotations

from horolog.data import data_root
from horolog.model import ON_ONE_CORE, HorologError, Kind
from horolog.model.result import Result, Side
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog.run import Request, Variant, measure, why_no_freertos
from horolog_experiments.baselines.results import (
    EXAMPLES,
    BaselineExample,
    Baselines,
    BaselineSide,
)
from horolog_experiments.harness import Run
from horolog_experiments.harness.tools import compiler, platform

__all__ = ["measure_examples"]

_BOARD = "mps2-an385"


def measure_examples(run: Run) -> Baselines:
    """All examples, one after the other."""
    board = read_board(_BOARD)
    has_freertos = why_no_freertos(board) is None
    examples, sides, cycles = [], [], ""
    for name in EXAMPLES:
        result = _compared(name, run)
        examples.append(BaselineExample(name, has_freertos))
        sides += _sides(name, result)
        if result.exception_cycles is not None:
            cycles = result.exception_cycles.text
    return Baselines(platform(board), compiler(), cycles, tuple(examples), tuple(sides))


def _compared(name: str, run: Run) -> Result:
    path = data_root() / "examples" / name / "system.toml"
    system, as_basic = read_system(path), read_system(path, kind=Kind.BASIC)
    return measure(
        Request(
            system,
            plan(system),
            run.folder / name,
            lambda text: run.say(f"{name}: {text}"),
            command=f"horolog compare examples/{name}/system.toml",
            compare=True,
            baselines=ON_ONE_CORE,
            basic=Variant(as_basic, plan(as_basic)),
        )
    ).result


def _sides(example: str, result: Result) -> list[BaselineSide]:
    found = [_side(example, "threads", result, result.horolog)]
    if result.basic is None:
        raise HorologError(
            f"{example} was not run as basic tasks", found=result.no_basic or "no reason"
        )
    found.append(_side(example, "basic", result, result.basic))
    for one in ON_ONE_CORE:
        side, refused = result.freertos_sides.get(one), result.refused_to(one)
        if side is not None:
            found.append(_side(example, one.value, result, side, refused))
        else:
            nothing = (None,) * 7
            found.append(BaselineSide(example, one.value, "", 0, *nothing, refused))
    return found


def _side(
    example: str, name: str, result: Result, side: Side, refused: str | None = None
) -> BaselineSide:
    of, memory = side.exceptions, side.memory
    return BaselineSide(
        example,
        name,
        side.mechanism,
        side.jobs,
        side.counted.kernel,
        result.with_exceptions(side),
        None if of is None else of.taken,
        None if of is None else of.tail_chained,
        None if memory is None else memory.program,
        None if memory is None else memory.variables,
        None if memory is None else memory.stacks,
        refused,
    )
