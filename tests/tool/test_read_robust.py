# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Any file at all is a system or a HorologError with a place, never a traceback."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from horolog.model import HorologError
from horolog.read import HorologErrors, read_system

values = st.recursive(
    st.one_of(
        st.integers(-5, 2**64).map(str),
        st.sampled_from(
            ['"5 ms"', '"5"', '"-1 s"', '"x"', '""', "true", "1.5", "nan", "1979-05-27"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=2).map(
            lambda items: "{" + ", ".join(f"k{i} = {item}" for i, item in enumerate(items)) + "}"
        ),
    ),
    max_leaves=4,
)
keys = st.one_of(
    st.sampled_from(
        ["name", "board", "cells", "duration", "priorities", "sources", "period", "periods"]
    ),
    st.sampled_from(
        ["tasks", "distribution", "seed", "offset", "deadline", "wcet", "body", "work"]
    ),
    st.sampled_from(["stack", "overrun", "kind", "priority", "releases", "a.b"]),
)
headers = st.sampled_from(
    ["[system]", "[[task]]", "[[task_group]]", "[task]", "[[system]]", "[[table]]", "[system.x]"]
)
lines = st.one_of(headers, st.builds("{} = {}".format, keys, values), st.text(max_size=12))


def read(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "system.toml"
        path.write_bytes(text)
        try:
            read_system(path)
        except HorologError as error:
            several = error.errors if isinstance(error, HorologErrors) else (error,)
            for one in several:
                assert one.place is not None
                assert one.place.file == str(path)
                assert one.message


@given(st.lists(lines, max_size=14).map("\n".join))
@example("[system]\n[system.x]\n")
@example("[[system]]\n[[system]]\n")
@example("task = 3\n")
@example('task = ["x"]\n')
@example("system = []\ntask = [[]]\n")
def test_any_toml(text: str) -> None:
    read(text.encode("utf-8", "surrogatepass"))


@given(st.lists(st.builds("{} = {}".format, keys, values), max_size=8).map("\n".join))
def test_any_keys_of_a_task(text: str) -> None:
    head = '[system]\nname = "a"\nboard = "host"\nduration = "1 s"\n'
    read(f"{head}[[task]]\n{text}\n".encode())
    read(f'{head}[[task_group]]\nname = "g"\nwork = 1\n{text}\n'.encode())


@given(st.binary(max_size=60))
@example(b"work = " + b"9" * 5000)
@example(b"work = " + b"[" * 5000)
@example(b"[system]\nname = 2024-13-45")
def test_any_bytes(text: bytes) -> None:
    read(text)
