# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Any file at all is a system or a HorologError with a place, never a traceback."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from horolog.data import data_root
from horolog.model import HorologError
from horolog.read import HorologErrors, check, read_system

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


huge = st.one_of(
    st.sampled_from([2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**63, 2**64, 2**128, 10**400]).map(str),
    st.integers(1, 2**70).map(str),
    st.integers(4500, 6000).map(
        lambda digits: "0x" + "f" * digits
    ),  # more than int() takes in decimal
    st.integers(300, 5000).map(lambda zeros: "1" + "0" * min(zeros, 4000)),
    st.sampled_from(["1e300", "1e9999", "-1e308", "inf", "-inf", "nan", "0x" + "f" * 16]),
)
units = st.sampled_from(["ns", "us", "\u00b5s", "ms", "s", "min", "Hz", "kHz", "MHz", "GHz"])
quantities = st.one_of(
    st.builds('"{} {}"'.format, st.integers(1, 10**18 - 1), units),
    st.builds('"{}/{} {}"'.format, st.integers(1, 10**18 - 1), st.integers(1, 10**18 - 1), units),
    st.builds('"0.{:018} {}"'.format, st.integers(1, 10**18 - 1), units),
    st.sampled_from(['"1e999999999"', '"1e999999999 s"', '"9" ', '"' + "9" * 5000 + ' s"']),
    st.sampled_from(['"36525 s"', '"86400 s"', '"86401 s"', '"300000 s"', '"3000000000 s"']),
)
SYSTEM_KEYS = ["duration", "releases", "table_bytes"]
TASK_KEYS = ["period", "offset", "deadline", "wcet", "work", "stack", "priority", "activations"]
BOARD_KEYS = {
    "board": ["levels", "basic_levels", "work_ns"],
    "runner": ["icount_shift", "ns_per_instruction", "ns_per_cycle"],
    "clock": ["hz", "width", "instance"],
    "cell": ["count", "instance", "hz", "width", "min_counts"],
    "memory": ["origin", "length"],
}


def read(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "system.toml"
        path.write_bytes(text)
        try:
            check(read_system(path))
        except HorologError as error:
            several = error.errors if isinstance(error, HorologErrors) else (error,)
            for one in several:
                assert one.place is not None
                assert one.place.file == str(path)
                assert one.message
                assert str(one)


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


def with_key(text: str, key: str, value: str) -> str:
    """`text`, a table, with `key` set anew."""
    lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
    return "\n".join([*lines, f"{key} = {value}"]) + "\n"


@given(
    key=st.sampled_from(SYSTEM_KEYS + TASK_KEYS + ["tasks", "seed", "periods"]),
    value=st.one_of(
        huge, quantities, st.lists(quantities, max_size=2).map(", ".join).map("[{}]".format)
    ),
    kind=st.sampled_from(["thread", "basic"]),
)
@example("duration", '"300000 s"', "thread")
@settings(max_examples=300)
def test_any_number_of_a_system(key: str, value: str, kind: str) -> None:
    system = '[system]\nname = "a"\nboard = "mps2-an385"\nduration = "1 s"\n'
    task = f'[[task]]\nname = "t"\nkind = "{kind}"\nperiod = "5 ms"\nwork = 10\n'
    group = f'[[task_group]]\nname = "g"\nkind = "{kind}"\nperiod = "7 ms"\ntasks = 2\nwork = 3\n'
    if key in SYSTEM_KEYS:
        system = with_key(system, key, value)
    elif key in TASK_KEYS:
        task = with_key(task, key, value)
    if key not in SYSTEM_KEYS:
        group = with_key(group, key, value)
        if key == "priority":
            system += 'priorities = "explicit"\n'
    read(f"{system}{task}{group}".encode())


@given(
    at=st.sampled_from([(table, key) for table, keys in BOARD_KEYS.items() for key in keys]),
    value=st.one_of(huge, quantities),
)
@settings(max_examples=200)
def test_any_number_of_a_board(at: tuple[str, str], value: str) -> None:
    table, key = at
    text = (data_root() / "boards" / "mps2-an385" / "board.toml").read_text(encoding="utf-8")
    head, start, rest = text.partition(f"[{table}]\n")
    own, following, tail = rest.partition("\n[")
    made = head + start + with_key(own, key, value) + following + tail
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "board.toml").write_text(made, encoding="utf-8")
        path = Path(folder) / "system.toml"
        path.write_text(
            '[system]\nname = "a"\nboard = "./board.toml"\nduration = "1 s"\n'
            '[[task]]\nname = "t"\nperiod = "5 ms"\nwork = 10\n',
            encoding="utf-8",
        )
        with suppress(HorologError):
            check(read_system(path))


@given(st.binary(max_size=60))
@example(b"work = " + b"9" * 5000)
@example(b"work = " + b"[" * 5000)
@example(b"[system]\nname = 2024-13-45")
def test_any_bytes(text: bytes) -> None:
    read(text)
