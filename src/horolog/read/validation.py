# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""From pydantic's findings to errors that a user of the TOML file can act on."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from horolog.model import HorologError
from horolog.read.document import Document, Loc
from horolog.read.problems import did_you_mean, listed, raise_all, shown
from horolog.read.schema import HOLD_FORMS, PERIOD_FORMS, REQUEST_FORMS
from horolog.read.values import PATTERNS

__all__ = ["validate"]

M = TypeVar("M", bound=BaseModel)

_RESERVED: Mapping[tuple[str, ...], Mapping[str, str]] = {
    ("task",): {"releases": "release instants other than periodic"},
    ("task_group",): {"releases": "release instants other than periodic"},
}
"""Keys that later versions will read, by the table they stand in. Refused, but not as unknown."""

_FORMS: Mapping[str, tuple[str, ...]] = {
    "period": PERIOD_FORMS,
    "hold": HOLD_FORMS,
    "requests": REQUEST_FORMS,
}
"""Keys whose value may have one of several forms, and what pydantic calls these."""

_EXPLAINED = {
    "string_type": ("wrong type", "a string in quotes"),
    "int_type": ("wrong type", "a whole number"),
    "bool_type": ("wrong type", "true or false"),
    "list_type": ("wrong type", "an array, such as [ ... ]"),
    "greater_than_equal": ("too small", "{ge} or more"),
    "less_than_equal": ("too large", "{le} or less"),
    "too_short": ("is empty", "at least one"),
    "string_too_short": ("is empty", "at least one"),
    "string_too_long": ("too long", "at most {max_length} characters"),
}
"""By pydantic's types of errors, a message and what would be right, with numbers from the error's context."""


def validate(model: type[M], document: Document) -> M:
    """`document` as a `model`; raises HorologError (several at once when there are several)."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        problems = [_problem(model, document, detail) for detail in error.errors()]
    raise_all(problems)
    raise AssertionError("a ValidationError without details")


def _problem(model: type[BaseModel], document: Document, detail: ErrorDetails) -> HorologError:
    loc = _in_document(detail["loc"])
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(model, document, loc)
    if kind == "missing":
        return _missing_key(model, document, loc)
    value = _value(document, loc)
    context: dict[str, Any] = detail.get("ctx", {})
    message, expected = _explained(model, loc, kind, context, detail["msg"])
    return HorologError(message, place=document.place(*loc), found=shown(value), expected=expected)


def _in_document(loc: Loc) -> Loc:
    """`loc` without the forms that pydantic names behind some keys; a key may have their names."""
    return tuple(
        step for at, step in enumerate(loc) if not (at and step in _FORMS.get(str(loc[at - 1]), ()))
    )


def _explained(
    model: type[BaseModel], loc: Loc, kind: str, context: dict[str, Any], said: str
) -> tuple[str, str]:
    """A message, and what would be right, for one of pydantic's error types."""
    table = _is_table(model, loc)
    if kind == "list_type" and table:
        return "has to be an array of tables", f"double brackets: [[{loc[-1]}]]"
    if kind == "model_type" and len(loc) > 1:
        key = "" if isinstance(loc[-1], int) else f"{loc[-1]} = "
        return "has to be a table", f"a table in braces: {key}{{ ... }}"
    if kind == "model_type":
        return "has to be a table", f"one table: [{loc[-1]}]"
    if kind in _EXPLAINED:
        message, expected = _EXPLAINED[kind]
        return message, expected.format(**context)
    if kind == "literal_error":
        return "not one of the choices", context["expected"].replace("'", '"')
    if kind == "string_pattern_mismatch":
        return PATTERNS[context["pattern"]]
    if kind == "multiple_of":
        return f"not a multiple of {context['multiple_of']}", _multiples(model, loc, context)
    return context.get("message", said), context.get("expected", said)


def _multiples(model: type[BaseModel], loc: Loc, context: dict[str, Any]) -> str:
    field = _fields(model, loc[:-1]).get(str(loc[-1]))
    has_default = field is not None and isinstance(field.default, int)
    default = f", such as {field.default}" if field is not None and has_default else ""
    return f"a multiple of {context['multiple_of']}{default}"


def _unknown_key(model: type[BaseModel], document: Document, loc: Loc) -> HorologError:
    table = tuple(step for step in loc[:-1] if isinstance(step, str))
    key = str(loc[-1])
    reserved = _RESERVED.get(table, {}).get(key)
    if reserved is not None:
        return _not_yet(document, loc, key, reserved)
    known = _fields(model, loc[:-1])
    near = did_you_mean(key, known)
    what = "table" if isinstance(document.data.get(key), (dict, list)) and not table else "key"
    return HorologError(
        f'unknown {what} "{key}"' + (f'; did you mean "{near}"?' if near else ""),
        place=document.place(*loc, key=True),
        found=key,
        expected=near if near else "one of " + listed(known),
    )


def _not_yet(document: Document, loc: Loc, what: str, meaning: str) -> HorologError:
    return HorologError(
        f"{what} is not yet supported: it is reserved for {meaning}",
        place=document.place(*loc, key=True),
        found=what,
        expected="a later version of Horolog, or a system without it",
    )


def _missing_key(model: type[BaseModel], document: Document, loc: Loc) -> HorologError:
    key = str(loc[-1])
    if _is_table(model, loc):
        double = _fields(model, loc[:-1])[key].annotation
        dotted = ".".join(step for step in loc if isinstance(step, str))
        header = f"[[{dotted}]]" if typing.get_origin(double) is list else f"[{dotted}]"
        return HorologError(
            f"the table {header} is missing", place=document.place(*loc[:-1]), expected=header
        )
    field = _fields(model, loc[:-1])[key]
    examples = {"period": '"5 ms"', "at_most": '"60 ms"', "duration": '"2 s"', "name": '"..."'}
    sample = examples.get(key) or (f'"{field.examples[0]}"' if field.examples else "...")
    return HorologError(
        f'"{key}" is missing', place=document.place(*loc[:-1]), expected=f"{key} = {sample}"
    )


def _value(document: Document, loc: Loc) -> Any:
    value: Any = document.data
    for step in loc:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            break
    return value


def _fields(model: type[BaseModel], loc: Loc) -> Mapping[str, Any]:
    """The keys that the table at `loc` may have, with pydantic's description of each."""
    for step in loc:
        if isinstance(step, str):
            inner = _table_of(model.model_fields[step].annotation)
            if inner is None:
                return {}
            model = inner
    return model.model_fields


def _is_table(model: type[BaseModel], loc: Loc) -> bool:
    """Whether what stands at `loc` has to be a table, or an array of them; a period only may be one."""
    if not isinstance(loc[-1], str):
        return False
    field = _fields(model, loc[:-1]).get(loc[-1])
    if field is None:
        return False
    forms = (field.annotation, *typing.get_args(field.annotation))
    return any(isinstance(form, type) and issubclass(form, BaseModel) for form in forms)


def _table_of(annotation: Any) -> type[BaseModel] | None:
    """The model inside `Model`, `list[Model]` or a union with one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_table_of(candidate) for candidate in typing.get_args(annotation))
    return next((found for found in inner if found is not None), None)
