# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from horolog.data import data_root
from horolog.read import board_names, board_schema, system_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tool.conftest import Workshop

SCHEMAS = {"system.schema.json": system_schema, "board.schema.json": board_schema}


def accepts(schema: dict[str, Any], text: str) -> bool:
    validator = jsonschema.Draft202012Validator(schema)
    return bool(validator.is_valid(tomllib.loads(text)))


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_committed_schema_is_current(name: str) -> None:
    """If this fails: `horolog schema > schema/system.schema.json`, with --board for the other."""
    committed = data_root() / "schema" / name
    assert json.loads(committed.read_text(encoding="utf-8")) == SCHEMAS[name]()


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name]())


def test_the_command_prints_it(workshop: Workshop) -> None:
    assert workshop.run("schema").object == system_schema()
    assert workshop.run("schema", "--json").object == system_schema()
    assert workshop.run("schema", "--board").object == board_schema()


@pytest.mark.parametrize(
    "name",
    [
        *(
            "engine-control",
            "chronos",
            "drone",
            "logger",
            "flight-table",
            "combustion",
            "cold-start",
        ),
        *("engine-12", "engine-20", "pwm-lamp", "telemetry"),
    ],
)
def test_it_accepts_the_examples(name: str) -> None:
    text = (data_root() / "examples" / name / "system.toml").read_text(encoding="utf-8")
    assert accepts(system_schema(), text)


def test_it_accepts_the_boards() -> None:
    for name in board_names():
        text = (data_root() / "boards" / name / "board.toml").read_text(encoding="utf-8")
        assert accepts(board_schema(), text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("period", "perod"),
        ('"5 ms"', '"5"'),
        ('"5 ms"', '"5 parsecs"'),
        ('"5 ms"', "5"),
        ("work = 500", ""),
        ("work = 500", 'work = 500\nbody = "x"'),
        ("work = 500", "work = 500\nstack = 100"),
        ("work = 500", "work = 500\noffset = 0"),
        ("[[task]]", "[[interrupt]]"),
    ],
)
def test_it_refuses_what_the_reader_refuses(workshop: Workshop, old: str, new: str) -> None:
    assert accepts(system_schema(), workshop.text)
    assert not accepts(system_schema(), workshop.text.replace(old, new, 1))


def test_every_string_of_a_description_is_held_to_what_it_may_be() -> None:
    """A new key has a pattern, a closed set, or stands here with what checks it."""
    elsewhere = {
        "BuildTable.include": "folders that there are, whose paths the build can take",
        "BuildTable.libraries": "archives that there are, whose paths the build can take",
        "BuildTable.linker_script": "a file that there is, whose path the build can take",
        "BuildTable.objects": "objects that there are, whose paths the build can take",
        "SystemTable.board": "a board, or a path that the build can take",
        "SystemTable.cells": "cells of the board",
        "SystemTable.sources": "C files that there are, whose paths the build can take",
        "SystemTable.timeouts": "a cell of the board",
        "ResourceTable.tasks": "tasks and groups",
        "ResourceTable.within": "mutexes of the description",
        "ChainTable.tasks": "tasks",
        "PointTable.activate": "a task",
        "ExpiryTable.activate": "tasks",
        "ScheduleTableTable.counter": "a counter of the description, the clock, or cells",
        "TaskTable.activated_by": "an interrupt or a task of the description, or a message",
    }
    free = {
        f"{table}.{key}"
        for schema in (system_schema(), board_schema())
        for table, key, value in _keys(schema)
        for one in _strings(value)
        if not {"pattern", "enum", "const"} & one.keys()
    }
    assert free == elsewhere.keys()


def _keys(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for table, content in schema["$defs"].items():
        for key, value in content.get("properties", {}).items():
            yield table, key, value


def _strings(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The parts of a key's schema that take a string."""
    for one in (value, *value.get("anyOf", ())):
        if one.get("type") == "string":
            yield one
        if "items" in one:
            yield from _strings(one["items"])
