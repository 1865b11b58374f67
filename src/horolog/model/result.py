# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a measured run came to, and build/<system>/result.json.

Counts are integers, times and quotients exact fractions; decimals appear only in the JSON text. What
follows from other fields (kernel, per job, percent, ratio) is a property, so that it cannot disagree
with them, and a file in which it does is refused. Nothing here depends on when or where the
run took place: two runs give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from horolog.model.caveat import CAVEATS
from horolog.model.errors import HorologError, Place
from horolog.model.excess import Excess, why_invalid
from horolog.model.plan import Planned

__all__ = [
    "CYCLES",
    "Candidate",
    "INSTRUCTIONS",
    "Instructions",
    "Interruptions",
    "Interrupts",
    "Response",
    "Result",
    "Side",
    "candidates",
    "compare_sides",
    "from_json",
    "to_data",
    "to_json",
]

INSTRUCTIONS = "instructions"
"""What emulators count."""
CYCLES = "cycles"
"""What simulators of a core's RTL count."""

_NS_DIGITS = 3
_PER_JOB_DIGITS = 3
_PERCENT_DIGITS = 4
_RATIO_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Interrupts:
    """Entries of timer-cell handlers in the window."""

    predicted: int
    taken: int
    coalesced: (
        int  # instants served by an interrupt taken for another, or of a cell that has stopped
    )
    excess: int = 0  # of those taken: beyond the instants that their cells served

    @property
    def adds_up(self) -> bool:
        """Whether each interrupt that was predicted was taken or coalesced, and no other was taken."""
        return self.predicted == self.taken + self.coalesced and self.excess == 0


@dataclass(frozen=True, slots=True)
class Interruptions:
    """Timer interrupts during a job that released only tasks of lower priority (trace/interruptions.py)."""

    count: int
    kernel: int | None  # instructions, or cycles, that the kernel spent in them; None: not counted


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions executed while counting, idle included; or cycles, on a board that counts those.

    `by_function` divides the kernel's part, and only that, by the function it was executed in
    ("?" where there is no symbol). Cycles that bodies take depend on what interrupts them (the core's
    pipeline fills again), so there `retired` says how many instructions they executed: that must be
    equal on two sides. ValueError if the numbers do not add up.
    """

    total: int
    bodies: int
    idle: int
    by_function: Mapping[str, int]
    unit: str = INSTRUCTIONS
    retired: int | None = None  # instructions in bodies, where `unit` is another

    def __post_init__(self) -> None:
        if (self.unit == INSTRUCTIONS) != (self.retired is None):
            raise ValueError(f"retired = {self.retired} beside a count of {self.unit}")
        if self.kernel < 0:
            raise ValueError(f"bodies and idle exceed the total of {self.total} {self.unit}")
        attributed = sum(self.by_function.values())
        if attributed != self.kernel:
            raise ValueError(
                f"by_function adds up to {attributed}, the kernel executed {self.kernel}"
            )

    @property
    def kernel(self) -> int:
        """Everything outside task bodies and the idle loop (docs/adr/0009-overhead.md)."""
        return self.total - self.bodies - self.idle

    @property
    def work(self) -> int:
        """Instructions executed in bodies."""
        return self.bodies if self.retired is None else self.retired


@dataclass(frozen=True, slots=True)
class Response:
    """From a task's nominal releases to the ends of its jobs, in nanoseconds."""

    min_ns: Fraction
    mean_ns: Fraction
    max_ns: Fraction


@dataclass(frozen=True, slots=True)
class Side:
    """One kernel's run. `instructions` is None where nothing is counted (the host port)."""

    mechanism: str
    jobs: int
    deadline_misses: int
    overruns: int
    interrupts: Interrupts
    instructions: Instructions | None
    response: Mapping[str, Response]  # of tasks that finished a job
    interruptions: Interruptions | None = None  # None: of an older version's result

    @property
    def unit(self) -> str:
        """What the figures of the kernel count."""
        return INSTRUCTIONS if self.instructions is None else self.instructions.unit

    @property
    def kernel_per_job(self) -> Fraction | None:
        """Instructions or cycles of the kernel for each job; None if not counted, or without jobs."""
        if self.instructions is None or self.jobs == 0:
            return None
        return Fraction(self.instructions.kernel, self.jobs)

    @property
    def overhead_percent(self) -> Fraction | None:
        """The kernel's share of all instructions or cycles, idle included; None if not counted."""
        if self.instructions is None or self.instructions.total == 0:
            return None
        return Fraction(100 * self.instructions.kernel, self.instructions.total)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One mechanism that planning considered; the figures are None if it cannot serve the system."""

    mechanism: str
    chosen: bool
    reason: str
    cells: tuple[str, ...]
    interrupts: int | None
    required: int | None
    kernel_instructions: Fraction | None
    overhead_percent: Fraction | None


@dataclass(frozen=True, slots=True)
class Result:
    """Everything in result.json."""

    system: str
    board: str
    versions: Mapping[str, str]  # of whatever could change a number: compiler, emulator, kernels
    commands: tuple[str, ...]  # that reproduce the run
    window_s: Fraction
    horolog: Side
    freertos: Side | None
    alternatives: tuple[Candidate, ...]
    not_compared: str | None = None  # why there is no FreeRTOS side
    notes: tuple[str, ...] = ()  # what a reader has to know, such as a raised tick rate
    basic: Side | None = (
        None  # Horolog again, all tasks as basic tasks, by the planner's choice for them
    )
    no_basic: str | None = None  # why there is no such side, if one was asked for
    warnings: tuple[str, ...] = ()  # the compiler's, of the user's sources
    exceeded: tuple[
        Excess, ...
    ] = ()  # WCETs that bodies exceeded, the worst first: not a valid run

    @property
    def unit(self) -> str:
        """What the figures of the kernels count: instructions or cycles."""
        return self.horolog.unit

    @property
    def caveat(self) -> str | None:
        """What the figures are not; None where nothing was counted."""
        return None if self.horolog.instructions is None else CAVEATS[self.unit]

    @property
    def ratio(self) -> Fraction | None:
        """FreeRTOS's kernel instructions for each of Horolog's; None if that would not be fair."""
        if self.freertos is None or self.exceeded:
            return None
        return compare_sides(self.horolog, self.freertos)[0]

    @property
    def ratio_basic(self) -> Fraction | None:
        """FreeRTOS's kernel instructions for each of Horolog's with all tasks as basic tasks."""
        if self.freertos is None or self.basic is None or self.exceeded:
            return None
        return compare_sides(self.basic, self.freertos)[0]

    @property
    def ratio_basic_refused(self) -> str | None:
        """Why there is no ratio for basic tasks; None if there is one, or if it was not asked for."""
        if self.freertos is None or self.basic is None:
            return self.no_basic
        return why_invalid(self.exceeded) or compare_sides(self.basic, self.freertos)[1]

    @property
    def ratio_refused(self) -> str | None:
        """Why there is no ratio; None if there is one, or if it was not asked for."""
        if self.freertos is None:
            return self.not_compared
        return why_invalid(self.exceeded) or compare_sides(self.horolog, self.freertos)[1]


def compare_sides(horolog: Side, freertos: Side) -> tuple[Fraction | None, str | None]:
    """The ratio freertos kernel / horolog kernel, or None and why the two may not be compared.

    Both must have done the same work: as many jobs, the same instructions in bodies (also where cycles
    are compared), and all of it in time (late tasks never block, so they look cheap).
    """
    for name, side in (("Horolog", horolog), ("FreeRTOS", freertos)):
        if side.deadline_misses:
            return None, f"{name} missed {side.deadline_misses} of {side.jobs} deadlines"
    if horolog.jobs != freertos.jobs:
        return None, f"jobs differ: Horolog {horolog.jobs}, FreeRTOS {freertos.jobs}"
    ours, theirs = horolog.instructions, freertos.instructions
    if ours is None or theirs is None:
        return None, "no instructions are counted on this board"
    if ours.unit != theirs.unit:
        return None, f"Horolog's {ours.unit} were counted, FreeRTOS's {theirs.unit}"
    if ours.work != theirs.work:
        return (
            None,
            f"task bodies differ: Horolog {ours.work} instructions, FreeRTOS {theirs.work}",
        )
    if ours.kernel == 0:
        return None, f"no kernel {ours.unit.removesuffix('s')} was counted for Horolog"
    return Fraction(theirs.kernel, ours.kernel), None


def candidates(planned: Planned) -> tuple[Candidate, ...]:
    """The alternatives of `planned` as the result lists them, in its order."""
    rows = []
    for alternative in planned.alternatives:
        plan = alternative.plan
        prediction = None if plan is None else plan.prediction
        rows.append(
            Candidate(
                mechanism=alternative.mechanism,
                chosen=alternative.mechanism == planned.choice.mechanism,
                reason=alternative.reason,
                cells=() if plan is None else tuple(r.cell for r in plan.releasers),
                interrupts=None if prediction is None else prediction.interrupts,
                required=None if prediction is None else prediction.required,
                kernel_instructions=None if prediction is None else prediction.kernel_instructions,
                overhead_percent=None if prediction is None else prediction.overhead_percent,
            )
        )
    return tuple(rows)


def to_json(result: Result) -> str:
    """The text of result.json."""
    return json.dumps(to_data(result), indent=2, ensure_ascii=False) + "\n"


def to_data(result: Result) -> dict[str, object]:
    """The object in result.json: keys in the documented order, names within maps sorted."""
    freertos = None if result.freertos is None else _side_data(result.freertos)
    return {
        "system": result.system,
        "board": result.board,
        "versions": dict(sorted(result.versions.items())),
        "commands": list(result.commands),
        "window_s": _exact(result.window_s),
        "horolog": _side_data(result.horolog),
        "freertos": freertos,
        "alternatives": [_candidate_data(candidate) for candidate in result.alternatives],
        "ratio": _rounded(result.ratio, _RATIO_DIGITS),
        "ratio_refused": result.ratio_refused,
        "basic": None if result.basic is None else _side_data(result.basic),
        "ratio_basic": _rounded(result.ratio_basic, _RATIO_DIGITS),
        "ratio_basic_refused": result.ratio_basic_refused,
        "notes": list(result.notes),
        "warnings": list(result.warnings),
        "wcet_exceeded": [
            {
                "task": one.task,
                "executed_ns": _rounded(one.executed * 10**9, _NS_DIGITS),
                "wcet_ns": _rounded(one.wcet * 10**9, _NS_DIGITS),
            }
            for one in result.exceeded
        ],
        "caveat": result.caveat,
    }


def from_json(text: str, file: str = "result.json") -> Result:
    """The result that `to_json` wrote. HorologError if it is not one, or contradicts itself."""
    place = Place(file)
    try:
        data = json.loads(text, parse_float=Decimal)
        result = _result(data)
    except json.JSONDecodeError as error:
        where = Place(file, error.lineno, error.colno)
        raise HorologError("not a JSON file", place=where, found=error.msg) from error
    except KeyError as error:
        raise HorologError(
            "a key is missing from this result", place=place, found=str(error)
        ) from error
    except (TypeError, ValueError, ZeroDivisionError, AttributeError) as error:
        raise HorologError("not a result of Horolog's", place=place, found=str(error)) from error
    for path, found, expected in _differences(
        data, json.loads(to_json(result), parse_float=Decimal)
    ):
        raise HorologError(
            f"`{path}` does not follow from the rest", place=place, found=found, expected=expected
        )
    return result


def _side_data(side: Side) -> dict[str, object]:
    return {
        "mechanism": side.mechanism,
        "jobs": side.jobs,
        "deadline_misses": side.deadline_misses,
        "overruns": side.overruns,
        "interrupts": {
            "predicted": side.interrupts.predicted,
            "taken": side.interrupts.taken,
            "coalesced": side.interrupts.coalesced,
            "excess": side.interrupts.excess,
        },
        "instructions": _counted_data(side.instructions, INSTRUCTIONS),
        "kernel_per_job": _rounded(side.kernel_per_job, _PER_JOB_DIGITS),
        "overhead_percent": _rounded(side.overhead_percent, _PERCENT_DIGITS),
        "response": {
            task: {
                "min_ns": _rounded(response.min_ns, _NS_DIGITS),
                "mean_ns": _rounded(response.mean_ns, _NS_DIGITS),
                "max_ns": _rounded(response.max_ns, _NS_DIGITS),
            }
            for task, response in sorted(side.response.items())
        },
        "cycles": _counted_data(side.instructions, CYCLES),
        "interruptions": None
        if side.interruptions is None
        else {"count": side.interruptions.count, "kernel": side.interruptions.kernel},
    }


def _counted_data(counted: Instructions | None, unit: str) -> dict[str, object] | None:
    """What was counted, if it was counted in `unit`."""
    if counted is None or counted.unit != unit:
        return None
    return {
        "total": counted.total,
        "bodies": counted.bodies,
        "idle": counted.idle,
        "kernel": counted.kernel,
        **({} if counted.retired is None else {"instructions_in_bodies": counted.retired}),
        "by_function": dict(sorted(counted.by_function.items())),
    }


def _candidate_data(candidate: Candidate) -> dict[str, object]:
    return {
        "mechanism": candidate.mechanism,
        "chosen": candidate.chosen,
        "reason": candidate.reason,
        "cells": list(candidate.cells),
        "interrupts": candidate.interrupts,
        "required": candidate.required,
        "kernel_instructions": _rounded(candidate.kernel_instructions, _PER_JOB_DIGITS),
        "overhead_percent": _rounded(candidate.overhead_percent, _PERCENT_DIGITS),
    }


def _rounded(value: Fraction | None, digits: int) -> int | float | None:
    """`value` to `digits` decimals, half to even."""
    if value is None:
        return None
    rounded = round(value, digits)
    return rounded.numerator if rounded.denominator == 1 else float(rounded)


def _exact(value: Fraction) -> int | float | str:
    """A number where its decimal text is exact, else "numerator/denominator"."""
    if value.denominator == 1:
        return value.numerator
    return float(value) if Fraction(repr(float(value))) == value else str(value)


def _result(data: Any) -> Result:
    freertos, basic = data["freertos"], data.get("basic")
    return Result(
        system=_text(data["system"]),
        board=_text(data["board"]),
        versions={_text(k): _text(v) for k, v in data["versions"].items()},
        commands=tuple(_text(command) for command in data["commands"]),
        window_s=Fraction(data["window_s"]),
        horolog=_side(data["horolog"]),
        freertos=None if freertos is None else _side(freertos),
        alternatives=tuple(_candidate(candidate) for candidate in data["alternatives"]),
        not_compared=data.get("ratio_refused") if freertos is None else None,
        notes=tuple(_text(note) for note in data.get("notes", ())),
        warnings=tuple(_text(warning) for warning in data.get("warnings", ())),
        basic=None if basic is None else _side(basic),
        no_basic=data.get("ratio_basic_refused") if basic is None else None,
        exceeded=tuple(
            Excess(
                _text(one["task"]),
                Fraction(one["executed_ns"]) / 10**9,
                Fraction(one["wcet_ns"]) / 10**9,
            )
            for one in data.get("wcet_exceeded", ())
        ),
    )


def _side(data: Any) -> Side:
    interrupts, interruptions = data["interrupts"], data.get("interruptions")
    unit = INSTRUCTIONS if data.get(CYCLES) is None else CYCLES
    counted = data[unit]
    return Side(
        mechanism=_text(data["mechanism"]),
        jobs=_count(data["jobs"]),
        deadline_misses=_count(data["deadline_misses"]),
        overruns=_count(data["overruns"]),
        interrupts=Interrupts(
            predicted=_count(interrupts["predicted"]),
            taken=_count(interrupts["taken"]),
            coalesced=_count(interrupts["coalesced"]),
            excess=_count(interrupts.get("excess", 0)),
        ),
        instructions=None if counted is None else _counted(counted, unit),
        response={
            _text(task): Response(
                min_ns=Fraction(response["min_ns"]),
                mean_ns=Fraction(response["mean_ns"]),
                max_ns=Fraction(response["max_ns"]),
            )
            for task, response in data["response"].items()
        },
        interruptions=None if interruptions is None else _interruptions(interruptions),
    )


def _counted(data: Any, unit: str) -> Instructions:
    return Instructions(
        total=_count(data["total"]),
        bodies=_count(data["bodies"]),
        idle=_count(data["idle"]),
        by_function={_text(k): _count(v) for k, v in data["by_function"].items()},
        unit=unit,
        retired=None if unit == INSTRUCTIONS else _count(data["instructions_in_bodies"]),
    )


def _interruptions(data: Any) -> Interruptions:
    kernel = data["kernel"]
    return Interruptions(_count(data["count"]), None if kernel is None else _count(kernel))


def _candidate(data: Any) -> Candidate:
    kernel, percent = data["kernel_instructions"], data["overhead_percent"]
    return Candidate(
        mechanism=_text(data["mechanism"]),
        chosen=bool(data["chosen"]),
        reason=_text(data["reason"]),
        cells=tuple(_text(cell) for cell in data["cells"]),
        interrupts=None if data["interrupts"] is None else _count(data["interrupts"]),
        required=None if data["required"] is None else _count(data["required"]),
        kernel_instructions=None if kernel is None else Fraction(kernel),
        overhead_percent=None if percent is None else Fraction(percent),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} where a text belongs")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"{value!r} where a count belongs")
    return value


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
