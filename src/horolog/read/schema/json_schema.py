# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas for editors."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from horolog.read.schema.boards import BoardFile
from horolog.read.schema.schedules import ScheduleFile
from horolog.read.schema.system import SystemFile

__all__ = ["board_schema", "system_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _TomlSchema(GenerateJsonSchema):
    """TOML has no null: an optional key is absent, and has no default to show."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def system_schema() -> dict[str, Any]:
    """The JSON Schema of a system description."""
    made, other = _schema(SystemFile, "Horolog system"), _schema(ScheduleFile, "")
    made["$defs"] = {**made["$defs"], **other["$defs"]}
    of = made["properties"]["table"]
    of["items"] = {"oneOf": [of["items"], other["properties"]["table"]["items"]]}
    return made


def board_schema() -> dict[str, Any]:
    """The JSON Schema of a board description."""
    return _schema(BoardFile, "Horolog board")


def _schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    made = model.model_json_schema(schema_generator=_TomlSchema)
    return {"$schema": DIALECT, **_on_one_line(made), "title": title}


def _on_one_line(made: Any) -> Any:
    """`made` with its texts as one line each, where the docstrings that they come from have several."""
    if isinstance(made, dict):
        return {key: _on_one_line(value) for key, value in made.items()}
    return made.replace("\n", " ") if isinstance(made, str) else made
