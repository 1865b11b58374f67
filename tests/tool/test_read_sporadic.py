# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic tasks of system.toml: what is read, what is refused, what is generated, and their bounds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import ms

from horolog.emit import generate
from horolog.model import HorologError, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of, to_data

HEAD = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "quick"
period = "5 ms"
work = 5000
priority = 9

[[interrupt]]
name = "byte"
line = 24
priority = 2
min_gap = "10 ms"
work = 500
"""
DECODE = """
[[task]]
name = "decode"
min_gap = "10 ms"
activated_by = "interrupt byte"
body = "decode"
wcet = "1 ms"
priority = 5
"""


def read(folder: Path, text: str) -> System:
    (folder / "bodies.c").write_text("void decode(void)\n{\n}\n", encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def test_it_is_none_of_the_tasks_that_a_plan_releases(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + DECODE)
    assert [task.name for task in system.tasks] == ["quick"]
    (one,) = system.sporadic
    assert (one.task.name, one.task.period, one.task.deadline) == ("decode", ms(10), ms(10))
    assert one.interrupt == 0
    assert [task.name for task in system.all_tasks] == ["quick", "decode"]
    assert system.utilisation == ms("0.32") / ms(5) + ms("0.032") / ms(10) + ms(1) / ms(10)
    assert [set(r.tasks) for r in plan(system).choice.releasers] == [{0}]
    alone = read(tmp_path, HEAD + DECODE.replace('activated_by = "interrupt byte"\n', ""))
    assert alone.sporadic[0].interrupt is None


def test_the_handler_activates_a_thread_of_its_own(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + DECODE)
    text = generate(system, plan(system).choice)["hrl_gen_system.c"]
    assert "HRLI_STACK(2, 512)\nHRLI_SPORADIC(2, decode, 5u)\n" in text
    assert "HRLI_INTERRUPT_AND(0, 1,\n    HRLI_ACTIVATE(decode)\n)\n" in text
    assert "HRLI_MAIN(HRLI_START_SPORADIC(2) HRLI_ATTACH(0, 24u, 2u))\n" in text


def test_its_bound_and_those_below_have_it_in_them(tmp_path: Path) -> None:
    low = '\n[[task]]\nname = "low"\nperiod = "20 ms"\nwork = 5000\npriority = 2\n'
    system = read(tmp_path, HEAD + DECODE + low)
    quick, below, decode = analysis_of(system, None).bounds
    byte = ms("0.032")
    assert quick.response == ms("0.32") + byte
    assert decode.response == ms(1) + ms("0.32") + byte
    assert below.response == ms("0.32") + ms(1) + ms("0.32") + byte
    chosen = plan(system).choice
    found = analysis_of(system, chosen, read_prices(system.board))
    assert [one.task for one in found.bounds] == [0, 1, 2]
    assert found.holds
    assert found.bounds[2].parts["kernel"] > ms("0.01")
    assert found.bounds[2].parts["blocking"] > 0
    row = to_data(system, found, None, None)["tasks"][2]
    assert (row["name"], row["level"], row["deadline_ns"]) == ("decode", 5, 10**7)


def test_a_message_is_copied_with_dispatch_held_off(tmp_path: Path) -> None:
    """By its sender of any level, and into the thread: tasks above both wait for that."""

    def blocked(message: int) -> Fraction:
        text = DECODE.replace('"interrupt byte"', f'"message"\nmessage_bytes = {message}')
        system = read(tmp_path, HEAD + text)
        return (
            analysis_of(system, plan(system).choice, read_prices(system.board))
            .bounds[0]
            .parts["blocking"]
        )

    short, long = blocked(4), blocked(4096)
    assert long - short >= ms("0.04"), "1,024 words, each an instruction of 40 ns at least"


def test_what_waits_behind_a_long_deadline(tmp_path: Path) -> None:
    """The jobs of three gaps: one more than those behind the one that runs, as that ends with its body."""
    text = DECODE.replace("priority = 5", 'priority = 5\ndeadline = "30 ms"')
    (one,) = read(tmp_path, HEAD + text).sporadic
    assert one.limit == 3


def test_a_deadline_that_it_misses_is_told(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + DECODE + 'deadline = "1100 us"\n')
    found = analysis_of(system, None)
    assert [one.task for one in found.failing] == [1]
    assert not found.certain, "nothing says that it is ever activated together with others"


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            'min_gap = "10 ms"\n',
            "",
            [
                'system.toml:21:1: task.decode: the task "decode" has no least gap: nothing bounds how often '
                "it is activated",
                'found:    activated_by = "interrupt byte", and no min_gap',
                'expected: min_gap = "10 ms", the shortest time between two activations; or server = "NAME"',
            ],
        ),
        (
            'min_gap = "10 ms"\nactivated_by = "interrupt byte"',
            'activated_by = "message"\nmessage_bytes = 8',
            [
                'system.toml:21:1: task.decode: the task "decode" has no least gap: nothing bounds how often '
                "a message activates it",
                'found:    activated_by = "message", and no min_gap',
                'expected: min_gap = "10 ms", the shortest time between two messages',
            ],
        ),
        (
            'min_gap = "10 ms"\nactivated_by = "interrupt byte"\n',
            "",
            ['task.decode: "period" is missing', "or min_gap"],
        ),
        (
            'min_gap = "10 ms"',
            'min_gap = "10 ms"\nperiod = "10 ms"',
            ['the task "decode" has both a period and a least gap'],
        ),
        ('min_gap = "10 ms"', 'period = "10 ms"', ['the task "decode" is released by time']),
        (
            "interrupt byte",
            "interrupt bite",
            [
                'system.toml:24:16: task.decode.activated_by: no such interrupt activates "decode"',
                'did you mean "byte"?',
                'expected: "interrupt byte", "task NAME" or "message", or no activated_by: the '
                "application gives the semaphore activate_decode",
            ],
        ),
        (
            'min_gap = "10 ms"',
            'min_gap = "11 ms"',
            ["comes more often than", "found:    11 ms, and 10 ms of the interrupt"],
        ),
        ("priority = 5", "priority = 5\nmessage_bytes = 8", ["no messages activate"]),
        ('"interrupt byte"', '"message"', ["nothing says how long a message", "message_bytes = N"]),
        (
            '"interrupt byte"',
            '"message"\nmessage_bytes = 8\nkind = "basic"',
            ["only a sporadic thread receives messages"],
        ),
        (
            '"interrupt byte"',
            '"message"\nmessage_bytes = 6',
            [
                "decode.message_bytes",
                "message_bytes: not a multiple of 4\n  found:    6\n  expected: a multiple of 4",
            ],
        ),
        (
            "priority = 5",
            'priority = 5\ndeadline = "700 s"',
            ["more activations that wait than can be counted", "found:    70,000 in 700 s"],
        ),
        ("priority = 5", "priority = 32", ["has no priority of the board", "found:    32"]),
        ("priority = 5\n", "", ["has no priority of the board", "found:    none"]),
        ("priority = 5", 'priority = 5\noffset = "1 ms"', ["has no offset"]),
        ("priority = 5", 'priority = 5\noverrun = "queue"', ['overrun = "queue"']),
        ('"decode"\nmin', '"de.code"\nmin', ["needs a name of C"]),
        ('"decode"\nmin', '"quick"\nmin', ['the name "quick" is taken']),
        ('body = "decode"', 'body = "code"', ['no function "code" in the sources']),
        ('body = "decode"\n', "", ["has nothing to do"]),
        (
            'wcet = "1 ms"',
            'wcet = "11 ms"',
            ["longer than its least gap", "found:    11 ms, of 10 ms"],
        ),
    ],
)
def test_wrong_ones_are_refused(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    assert old in DECODE
    with pytest.raises(HorologError) as caught:
        read(tmp_path, HEAD + DECODE.replace(old, new))
    assert caught.value.exit == 2
    for one in texts:
        assert one in str(caught.value)
    assert "None" not in str(caught.value)


def test_what_a_system_needs_for_them(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="needs explicit priorities"):
        read(tmp_path, (HEAD + DECODE).replace('priorities = "explicit"\n', ""))
    basic = HEAD.replace("work = 5000", 'work = 5000\nkind = "basic"')
    with pytest.raises(HorologError, match="needs a system that has threads"):
        read(tmp_path, basic + DECODE)
    high = HEAD.replace("priority = 2", "priority = 4")
    with pytest.raises(HorologError, match="is above the kernel and cannot activate"):
        read(tmp_path, high + DECODE)
