# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Names that a system.toml gives to C objects: what the compiler would refuse, `check` refuses before."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.model import HorologError, Kind, System
from horolog.read import read_system

SYSTEM = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
priorities = "explicit"
sources = ["bodies.c"]
start = "begin"

[[task]]
name = "quick"
period = "5 ms"
body = "quick_body"
wcet = "1 ms"
priority = 9

[[task]]
name = "decode"
min_gap = "10 ms"
activated_by = "message"
message_bytes = 8
body = "decode_body"
wcet = "1 ms"
priority = 5

[[interrupt]]
name = "byte"
line = 24
priority = 2
min_gap = "10 ms"
handler = "received"
wcet = "10 us"

[[resource]]
name = "bus"
tasks = ["quick", "decode"]
mutex = "inheritance"
"""
MORE = """
[[task]]
name = "decode_slots"
min_gap = "10 ms"
activated_by = "message"
message_bytes = 8
work = 5
priority = 5
"""


def read(folder: Path, text: str, kind: Kind | None = None) -> System:
    names = ("quick_body", "decode_body", "received", "begin", "messages_decode")
    bodies = "".join(f"void {name}(void)\n{{\n}}\n" for name in names)
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, kind=kind)


def refused(folder: Path, text: str, kind: Kind | None = None) -> str:
    with pytest.raises(HorologError) as caught:
        read(folder, text, kind)
    assert caught.value.exit == 2
    return str(caught.value).replace(f"{folder}/", "")


def test_names_that_are_all_different_are_fine(tmp_path: Path) -> None:
    assert read(tmp_path, SYSTEM).resources[0].name == "bus"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("quick_body", 'body of "quick"'),
        ("received", 'handler of "byte"'),
        ("begin", "start function"),
        ("messages_decode", 'message queue of "decode"'),
        ("messages_decode_slots", 'memory for messages of "decode"'),
        ("message_decode", 'message of "decode"'),
    ],
)
def test_a_mutex_has_a_name_of_its_own(tmp_path: Path, name: str, other: str) -> None:
    said = refused(tmp_path, SYSTEM.replace('"bus"', f'"{name}"'))
    assert said.splitlines() == [
        f'system.toml:34:8: resource.{name}.name: the resource "{name}" and the {other} have one name '
        f"in C: {name}",
        f'  found:    "{name}"',
        "  expected: a name of its own for each object and each function",
    ]


@pytest.mark.parametrize(
    ("name", "why", "expected"),
    [
        ("hrl_bus", "is a name of the kernel", "does not begin with hrl or HRL"),
        ("HRL_BUS", "is a name of the kernel", "does not begin with hrl or HRL"),
        ("register", "has a meaning in C", "is no word of C"),
        ("main", "has a meaning in C", "is no word of C"),
    ],
)
def test_a_mutex_has_no_name_of_the_kernel_or_of_c(
    tmp_path: Path, name: str, why: str, expected: str
) -> None:
    said = refused(tmp_path, SYSTEM.replace('"bus"', f'"{name}"'))
    assert (
        f'system.toml:34:8: resource.{name}.name: the resource "{name}" cannot have its name'
        in said
    )
    assert f"{name} {why}" in said
    assert f"expected: a name that {expected}" in said


def test_a_message_queue_has_a_name_of_its_own(tmp_path: Path) -> None:
    said = refused(tmp_path, SYSTEM.replace("decode_body", "messages_decode"))
    assert said.splitlines() == [
        'system.toml:17:8: task.decode.name: the message queue of "decode" and the body of "decode" '
        "have one name in C: messages_decode",
        "  found:    a name that makes messages_decode",
        "  expected: a name of its own for each object and each function",
    ]
    said = refused(tmp_path, SYSTEM + MORE)
    assert "task.decode_slots.name: " in said
    assert "have one name in C: messages_decode_slots" in said


def test_what_other_tasks_make_is_compared_too(tmp_path: Path) -> None:
    activated = SYSTEM.replace('activated_by = "message"\nmessage_bytes = 8\n', "")
    for kind, name in (("thread", "activate_decode"), ("basic", "basic_decode")):
        text = activated.replace('name = "decode"', f'name = "decode"\nkind = "{kind}"')
        assert f"in C: {name}" in refused(tmp_path, text.replace('"bus"', f'"{name}"'))
    assert read(tmp_path, activated.replace('"bus"', '"basic_decode"')).sporadic
