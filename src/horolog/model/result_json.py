# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""build/<system>/result.json: a result as text, and back.

Decimals appear only in this text. A file in which what follows from other fields (kernel, per job, percent,
ratio) does not is refused. Two runs of the same system give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter, ValidationError

from horolog.model.errors import HorologError, Place
from horolog.model.excess import Excess
from horolog.model.json_values import Count, Exact, Percent, Sorted, Text, Thousandths
from horolog.model.result import (
    CYCLES,
    INSTRUCTIONS,
    Candidate,
    Instructions,
    Interruptions,
    Interrupts,
    Response,
    Result,
    Side,
)

__all__ = ["from_json", "to_data", "to_json"]


# The classes have the keys of the file, in its order. A default stands where an older version's file may
# not have the key, or where the key follows from others.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Instructions:
    total: Count
    bodies: Count
    idle: Count
    kernel: Any = None
    by_function: Sorted[Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cycles:
    total: Count
    bodies: Count
    idle: Count
    kernel: Any = None
    instructions_in_bodies: Count
    by_function: Sorted[Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    mechanism: Text
    jobs: Count
    deadline_misses: Count
    overruns: Count
    interrupts: Interrupts
    instructions: _Instructions | None
    kernel_per_job: Thousandths | None = None
    overhead_percent: Percent | None = None
    response: Sorted[Response]
    cycles: _Cycles | None = None
    interruptions: Interruptions | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Excess:
    task: Text
    executed_ns: Thousandths
    wcet_ns: Thousandths


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    system: Text
    board: Text
    versions: Sorted[Text]
    commands: tuple[Text, ...]
    window_s: Exact
    horolog: _Side
    freertos: _Side | None
    alternatives: tuple[Candidate, ...]
    ratio: Percent | None = None
    ratio_refused: Text | None = None
    basic: _Side | None = None
    ratio_basic: Percent | None = None
    ratio_basic_refused: Text | None = None
    notes: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()
    wcet_exceeded: tuple[_Excess, ...] = ()
    caveat: Any = None


_FILE = TypeAdapter(_Result)


def to_json(result: Result) -> str:
    """The text of result.json."""
    return json.dumps(to_data(result), indent=2, ensure_ascii=False) + "\n"


def to_data(result: Result) -> dict[str, Any]:
    """The object in result.json: keys in the documented order, names within maps sorted."""
    made = _Result(
        system=result.system,
        board=result.board,
        versions=result.versions,
        commands=result.commands,
        window_s=result.window_s,
        horolog=_side_of(result.horolog),
        freertos=None if result.freertos is None else _side_of(result.freertos),
        alternatives=result.alternatives,
        ratio=result.ratio,
        ratio_refused=result.ratio_refused,
        basic=None if result.basic is None else _side_of(result.basic),
        ratio_basic=result.ratio_basic,
        ratio_basic_refused=result.ratio_basic_refused,
        notes=result.notes,
        warnings=result.warnings,
        wcet_exceeded=tuple(
            _Excess(task=one.task, executed_ns=one.executed * 10**9, wcet_ns=one.wcet * 10**9)
            for one in result.exceeded
        ),
        caveat=result.caveat,
    )
    data: dict[str, Any] = _FILE.dump_python(made, mode="json")
    return data


def _side_of(side: Side) -> _Side:
    counted = side.instructions
    retired = None if counted is None else counted.retired
    parts: dict[str, Any] = {}
    if counted is not None:
        parts = {
            "total": counted.total,
            "bodies": counted.bodies,
            "idle": counted.idle,
            "kernel": counted.kernel,
            "by_function": counted.by_function,
        }
    return _Side(
        mechanism=side.mechanism,
        jobs=side.jobs,
        deadline_misses=side.deadline_misses,
        overruns=side.overruns,
        interrupts=side.interrupts,
        instructions=_Instructions(**parts) if parts and retired is None else None,
        kernel_per_job=side.kernel_per_job,
        overhead_percent=side.overhead_percent,
        response=side.response,
        cycles=None if retired is None else _Cycles(**parts, instructions_in_bodies=retired),
        interruptions=side.interruptions,
    )


def from_json(text: str, file: str = "result.json") -> Result:
    """The result that `to_json` wrote. HorologError if it is not one, or contradicts itself."""
    place = Place(file)
    try:
        data = json.loads(text, parse_float=Decimal)
        result = _result(_FILE.validate_python(data), place)
    except json.JSONDecodeError as error:
        where = Place(file, error.lineno, error.colno)
        raise HorologError(
            "not a JSON file", place=where, found=error.msg, expected="what horolog run has written"
        ) from error
    except ValidationError as error:
        raise _refused(error, data, place) from error
    for path, found, expected in _differences(
        data, json.loads(to_json(result), parse_float=Decimal)
    ):
        raise HorologError(
            f"`{path}` does not follow from the rest", place=place, found=found, expected=expected
        )
    return result


def _result(data: _Result, place: Place) -> Result:
    sides = {
        name: None if side is None else _side(side, name, place)
        for name, side in (("freertos", data.freertos), ("basic", data.basic))
    }
    return Result(
        system=data.system,
        board=data.board,
        versions=data.versions,
        commands=data.commands,
        window_s=data.window_s,
        horolog=_side(data.horolog, "horolog", place),
        freertos=sides["freertos"],
        alternatives=data.alternatives,
        not_compared=data.ratio_refused if data.freertos is None else None,
        notes=data.notes,
        warnings=data.warnings,
        basic=sides["basic"],
        no_basic=data.ratio_basic_refused if data.basic is None else None,
        exceeded=tuple(
            Excess(one.task, one.executed_ns / 10**9, one.wcet_ns / 10**9)
            for one in data.wcet_exceeded
        ),
    )


def _side(data: _Side, name: str, place: Place) -> Side:
    unit = INSTRUCTIONS if data.cycles is None else CYCLES
    try:
        counted = _counted(data)
    except ValueError as error:
        raise HorologError(
            f"the counts in `{name}.{unit}` do not add up",
            place=place,
            found=str(error),
            expected="total = bodies + idle + the sum of by_function",
        ) from error
    return Side(
        mechanism=data.mechanism,
        jobs=data.jobs,
        deadline_misses=data.deadline_misses,
        overruns=data.overruns,
        interrupts=data.interrupts,
        instructions=counted,
        response=data.response,
        interruptions=data.interruptions,
    )


def _counted(data: _Side) -> Instructions | None:
    if data.cycles is not None:
        of = data.cycles
        retired = of.instructions_in_bodies
        return Instructions(of.total, of.bodies, of.idle, of.by_function, CYCLES, retired)
    if data.instructions is not None:
        own = data.instructions
        return Instructions(own.total, own.bodies, own.idle, own.by_function)
    return None


_EXPECTED: Mapping[str, str] = {
    "int_type": "a whole number, 0 or more",
    "greater_than_equal": "a whole number, 0 or more",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "tuple_type": "an array",
    "value_error": 'a number, or a fraction such as "1/3"',
}
"""By pydantic's types of errors; the others are those of objects."""


def _refused(error: ValidationError, data: object, place: Place) -> HorologError:
    """The first of pydantic's findings, as an error that names the key."""
    detail = error.errors(include_url=False)[0]
    path = ""
    for step in detail["loc"]:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    if detail["type"] == "missing":
        return HorologError(
            f"the key `{path}` is missing from this result",
            place=place,
            found="an object without it",
            expected="a file as horolog run writes it",
        )
    return HorologError(
        f"`{path}` is not what belongs there" if path else "not a result of Horolog's",
        place=place,
        found=json.dumps(detail["input"], default=str)[:80],
        expected=_EXPECTED.get(detail["type"], "an object"),
    )


def _differences(found: Any, expected: Any, path: str = "") -> list[tuple[str, str, str]]:
    """(path, found, expected) wherever a value of `expected` stands differently in `found`.

    Keys that only `found` has are a later version's and pass.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        rows = []
        for key, value in expected.items():
            if key in found:
                rows += _differences(found[key], value, f"{path}.{key}" if path else key)
        return rows
    return [] if found == expected else [(path, str(found), str(expected))]
