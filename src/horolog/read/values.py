# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a value of system.toml or board.toml can be: names, whole numbers, quantities with units."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from horolog.read.problems import shown
from horolog.read.units import (
    DURATION_PATTERN,
    FREQUENCY_PATTERN,
    PERIOD_PATTERN,
    duration_text,
    frequency_text,
    parse_duration,
    parse_frequency,
    parse_period,
)

__all__ = [
    "AUTO",
    "Core",
    "Duration",
    "DurationOrZero",
    "Extent",
    "ExtentOrZero",
    "Hertz",
    "Identifier",
    "Line",
    "LineName",
    "LONGEST_RUN",
    "Name",
    "Natural",
    "PATTERNS",
    "Period",
    "CompilerFlag",
    "MacroDefinition",
    "OpenocdFile",
    "Positive",
    "PositiveNumber",
    "Prescaler",
    "Simulated",
    "Word",
]

NAME_PATTERN = r"^[A-Za-z][A-Za-z0-9_.-]*$"
IDENTIFIER_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*$"
WORD_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$"
LINE_PATTERN = r"^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]+$"
OPENOCD_PATTERN = r"^(interface|target|board)(/[A-Za-z0-9][A-Za-z0-9_.+-]*)+$"
# No quotation marks, backslashes, dollars or semicolons: nothing that a shell, CMake or Ninja would read.
DEFINITION_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+*/(), -]*)?$"
FLAG_PATTERN = (
    r"^-(O[0-3sgz]?|g[0-3]?|[fm][a-z0-9-]+(=[A-Za-z0-9_+.,-]+)?|W[a-z][a-z0-9+-]*(=[a-z0-9-]+)?)$"
)
PATTERNS = {
    DEFINITION_PATTERN: (
        "not a macro's definition",
        "NAME or NAME=VALUE, without quotation marks and backslashes",
    ),
    FLAG_PATTERN: (
        "not a flag that is taken",
        "-O..., -f..., -W..., -g... or -m..., which names no file",
    ),
    NAME_PATTERN: ("not a name", "a letter, then letters, digits, '_', '.' or '-'"),
    IDENTIFIER_PATTERN: ("not a name", "the name of a C function or symbol"),
    WORD_PATTERN: (
        "not a single word",
        "letters, digits, '_', '.', '+' and '-', no spaces, the first a letter or a digit",
    ),
    OPENOCD_PATTERN: (
        "not a file that comes with OpenOCD",
        "interface/, target/ or board/ and a name, such as interface/stlink.cfg",
    ),
    LINE_PATTERN: ("not a line of text", "one line, without control characters"),
}
"""What is said of a string that a pattern does not take: what is wrong, and what would be right."""
AUTO = "auto"
"""In place of the number of a core: the plan divides the tasks among the cores."""
LONGEST_RUN = Fraction(24 * 3600)
"""The longest duration, in seconds. Runners wait 20 s for each second, and at most 24 days."""
_HIGHEST_HZ = 10**9
POSITIVE_NUMBER_PATTERN = r"^[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?$"


_DURATIONS = 'a number and a unit, such as "5 ms", "2.5 us" or "1/3 ms"'
_FREQUENCIES = 'hertz as a whole number, or such as "25 MHz" or "32.768 kHz"'


def _quantity(
    value: Any, parse: Callable[[str], Fraction], expected: str, *, least: str = "more than zero"
) -> Fraction:
    """What `parse` makes of `value`; `expected`: examples, for an error."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        raise _error("a duration needs a unit", f'a unit, and quotes: "{shown(value)} ms"?')
    if not isinstance(value, str):
        raise _error("not a duration", expected)
    try:
        return parse(value)
    except ValueError as error:
        message = str(error)
    if message.endswith("of zero") or message.startswith("a negative"):
        expected = least
    raise _error(message, expected)


def _error(message: str, expected: str) -> PydanticCustomError:
    return PydanticCustomError("quantity", "{message}", {"message": message, "expected": expected})


def _duration(value: Any) -> Fraction:
    return _quantity(value, parse_duration, _DURATIONS)


def _duration_or_zero(value: Any) -> Fraction:
    return _quantity(value, partial(parse_duration, zero=True), _DURATIONS, least="zero or more")


def _extent(value: Any, *, zero: bool = False) -> int | Fraction:
    """A time, or a whole number of a counter's steps."""
    if isinstance(value, int) and not isinstance(value, bool):
        least = 0 if zero else 1
        if not least <= value < _MOST_STEPS:
            raise _error("no number of a counter's steps", f"{least} to {_MOST_STEPS - 1:,}")
        return value
    expected = f"{_DURATIONS}; or of a software counter whole steps: 720"
    if not isinstance(value, str):
        raise _error("neither a duration nor whole steps", expected)
    return _quantity(
        value,
        partial(parse_duration, zero=zero),
        expected,
        least="zero or more" if zero else "more than zero",
    )


def _simulated(value: Any) -> Fraction:
    duration = _duration(value)
    if duration > LONGEST_RUN:
        raise _error("a simulation of more than a day", f"at most {duration_text(LONGEST_RUN)}")
    return duration


def _period(value: Any) -> Fraction:
    return _quantity(value, parse_period, f'{_DURATIONS}; or how often: "60 Hz"')


def _hertz(value: Any) -> int:
    """A clock's hertz: a whole number, as far as the kernel converts exactly (kernel/time/convert.h)."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise _error("not a frequency", _FREQUENCIES)
    try:
        hz = parse_frequency(value) if isinstance(value, str) else Fraction(value)
    except ValueError as error:
        raise _error(str(error), _FREQUENCIES) from None
    if hz.denominator != 1:
        raise _error("a clock's frequency has to be a whole number of hertz", _FREQUENCIES)
    if not 1 <= hz <= _HIGHEST_HZ:
        raise _error("no frequency of a clock", f"1 Hz to {frequency_text(_HIGHEST_HZ)}")
    return hz.numerator


def _positive_number(value: Any) -> Fraction:
    expected = 'a positive number in quotes, such as "64" or "12.5" (exact: no float)'
    if not isinstance(value, str) or re.fullmatch(POSITIVE_NUMBER_PATTERN, value) is None:
        raise _error("not a positive number", expected)
    try:
        number = Fraction(value)
    except ZeroDivisionError:
        number = Fraction(0)
    if not number:
        raise _error("not a positive number", expected)
    return number


def _line_name(value: Any) -> int | str:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and re.fullmatch(IDENTIFIER_PATTERN, value) is not None:
        return value
    raise _error(
        "no interrupt line", 'its number, or its entry in quotes, such as "UARTRX1_Handler"'
    )


def _core(value: Any) -> int | str:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if value == AUTO:
        return AUTO
    raise _error("no core", f'its number, 0 for the first, or "{AUTO}"')


_DURATION_SCHEMA = {
    "type": "string",
    "pattern": DURATION_PATTERN,
    "examples": ["5 ms", "2.5 us", "1/3 ms"],
}
Duration = Annotated[Fraction, PlainValidator(_duration), WithJsonSchema(dict(_DURATION_SCHEMA))]
Simulated = Annotated[Fraction, PlainValidator(_simulated), WithJsonSchema(dict(_DURATION_SCHEMA))]
DurationOrZero = Annotated[
    Fraction, PlainValidator(_duration_or_zero), WithJsonSchema(dict(_DURATION_SCHEMA))
]
_MOST_STEPS = 2**30
_EXTENT_SCHEMA = {
    "anyOf": [
        dict(_DURATION_SCHEMA),
        {"type": "integer", "minimum": 0, "maximum": _MOST_STEPS - 1},
    ]
}
Extent = Annotated[int | Fraction, PlainValidator(_extent), WithJsonSchema(dict(_EXTENT_SCHEMA))]
"""A time by the clock, or whole steps of a software counter."""
ExtentOrZero = Annotated[
    int | Fraction,
    PlainValidator(partial(_extent, zero=True)),
    WithJsonSchema(dict(_EXTENT_SCHEMA)),
]
Period = Annotated[
    Fraction,
    PlainValidator(_period),
    WithJsonSchema(
        {"type": "string", "pattern": PERIOD_PATTERN, "examples": ["5 ms", "1/3 ms", "60 Hz"]}
    ),
]
Hertz = Annotated[
    int,
    PlainValidator(_hertz),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": _HIGHEST_HZ},
                {"type": "string", "pattern": FREQUENCY_PATTERN},
            ],
            "examples": [25_000_000, "25 MHz"],
        }
    ),
]
LineName = Annotated[
    int | str,
    PlainValidator(_line_name),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "string", "pattern": IDENTIFIER_PATTERN},
            ],
            "examples": ["UARTRX1_Handler", 20],
        }
    ),
]
Core = Annotated[
    int | str,
    PlainValidator(_core),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"const": "auto"}]}),
]
"""The number of a core, or AUTO."""
PositiveNumber = Annotated[
    Fraction,
    PlainValidator(_positive_number),
    WithJsonSchema({"type": "string", "pattern": POSITIVE_NUMBER_PATTERN, "examples": ["64"]}),
]
Name = Annotated[str, Field(pattern=NAME_PATTERN, max_length=64)]
Identifier = Annotated[str, Field(pattern=IDENTIFIER_PATTERN, max_length=200)]
Word = Annotated[str, Field(pattern=WORD_PATTERN, max_length=64)]
"""One word of a command line, which is no option and ends none: a processor, a machine."""
Line = Annotated[str, Field(pattern=LINE_PATTERN, max_length=200)]
"""Text for people, which a terminal shows as it stands."""
OpenocdFile = Annotated[str, Field(pattern=OPENOCD_PATTERN, max_length=200)]
"""A file that comes with OpenOCD. Such files run commands, so none of a project's own is one."""
MacroDefinition = Annotated[str, Field(pattern=DEFINITION_PATTERN, max_length=200)]
CompilerFlag = Annotated[str, Field(pattern=FLAG_PATTERN, max_length=100)]
Positive = Annotated[int, Field(ge=1)]
Prescaler = Annotated[int, Field(ge=1, le=65536)]
"""How many steps of what a timer counts make one of its counts."""
Natural = Annotated[int, Field(ge=0)]
