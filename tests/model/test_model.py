# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel on the host port, in virtual time, does what the reference model allows, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.model.campaign import check, drive
from tests.model.generate import HEAD, RECORD, script_of
from tests.model.player import Player, build
from tests.model.reference import explain
from tests.model.script import Script, parse
from tests.model.simplify import simplify

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.txt"))
CI_STEPS = 60_000  # of each build; 10^7 are a soak


@pytest.fixture(scope="module", params=["model_play", "model_play_masks"])
def player(request: pytest.FixtureRequest) -> Iterator[Player]:
    """The kernel as it is, and as systems have it that release by masks."""
    with Player(build(request.param)) as player:
        yield player


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_has_the_trace_that_stands_below_it(path: Path, player: Player) -> None:
    text, _, expected = path.read_text().partition("\nrun\n")
    script = parse(text)
    trace = player.play(script)
    assert trace == expected.splitlines()
    check(script, trace)


def test_a_script_is_its_text() -> None:
    for number in range(1, 200):
        script = script_of(bytes(i * number % 251 for i in range(HEAD + 60 * RECORD)))
        assert parse(str(script)) == script


def test_zeros_are_nothing() -> None:
    script = script_of(bytes(HEAD + 100 * RECORD))
    assert (script.threads, script.interrupts) == ((), ())


def test_the_model_refuses_every_other_trace(player: Player) -> None:
    """What is left out, said twice, said of another or with another result is not explained."""
    path = next(path for path in SCRIPTS if path.stem == "interrupt_in_a_call")
    script = parse(path.read_text())
    trace = player.play(script)
    assert explain(script, trace).holds
    for place, line in enumerate(trace):
        others = [
            trace[:place] + trace[place + 1 :],
            [*trace[: place + 1], *trace[place:]],
            [*trace[:place], line.replace("t", "t1"), *trace[place + 1 :]],
            [*trace[:place], f"{line}1", *trace[place + 1 :]],
        ]
        for other in others:
            assert other == trace or not explain(script, other).holds
    assert not explain(script, trace[:-1]).holds
    assert not explain(replace(script, steps=3), trace).holds


def test_what_a_failure_does_not_need_is_left_out() -> None:
    """The failure: interrupt 1 of three breaks into a call about thread 2 of four."""
    script = parse(
        "thread 1 2\n yield\nthread 2 1\n give 0\n resume 2 0 ! 3 1\nthread 3 1\n yield\nthread 4 1\n"
        "interrupt 4\n give 0\ninterrupt 8\n give 0\n resume 2\ninterrupt 12\nrun\n"
    )

    def fails(one: Script) -> bool:
        found = [call for thread in one.threads for call in thread.calls if call.verb == "resume"]
        return any(
            call.after
            and one.threads[call.object].level == 3
            and one.interrupts[call.interrupt].at == 8
            for call in found
        )

    assert fails(script)
    smallest = parse("thread 2 1\n resume 1 0 ! 3 0\nthread 3 1\ninterrupt 8\nrun\n")
    assert simplify(script, fails) == smallest


@pytest.mark.xdist_group("model")
def test_the_kernel_does_what_the_model_allows(player: Player) -> None:
    assert drive(player, CI_STEPS, first_seed=1) >= CI_STEPS
