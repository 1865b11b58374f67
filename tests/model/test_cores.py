# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel on several simulated cores does what the reference model allows, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.model.campaign import Differs
from tests.model.campaign_cores import check_cores, drive_cores
from tests.model.generate_cores import script_on_cores
from tests.model.player import Player, build
from tests.model.reference.cores import explain_cores
from tests.model.script import parse

SCRIPTS = sorted((Path(__file__).parent / "scripts" / "cores").glob("*.txt"))
CI_STEPS = 10_000  # of each; 10^6 are a soak


@pytest.fixture(scope="module")
def pair() -> Iterator[Player]:
    with Player(build("model_play_x2")) as player:
        yield player


@pytest.fixture(scope="module")
def four() -> Iterator[Player]:
    with Player(build("model_play_x4")) as player:
        yield player


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_on_cores_has_the_trace_that_stands_below_it(path: Path, pair: Player) -> None:
    text, _, expected = path.read_text().partition("\nrun\n")
    script = parse(text)
    trace = pair.play(script)
    assert trace == expected.splitlines()
    check_cores(script, trace)


def test_a_script_on_cores_is_its_text() -> None:
    for number in range(40):
        script = script_on_cores(4, number)
        assert parse(str(script)) == script


@pytest.mark.parametrize("name", ["woken_by_another_core", "an_alarm_of_another_core"])
def test_the_model_of_cores_refuses_what_is_left_out_or_said_otherwise(
    name: str, pair: Player
) -> None:
    """A line left out, said twice, said of another core or thread, or with another result."""
    path = next(path for path in SCRIPTS if path.stem == name)
    script = parse(path.read_text())
    trace = pair.play(script)
    assert explain_cores(script, trace).holds
    assert not explain_cores(script, [*trace[:-1], f"{trace[-1]}1"]).holds
    for place, line in enumerate(trace[:-1]):
        at, actor, *rest = line.split()
        if script.alarms and actor[0] not in "cea":
            continue  # handlers may find that nothing is due, or all is done; threads: the other script
        others = [
            [*trace[:place], f"{line}1", *trace[place + 1 :]],
            [*trace[:place], f"{int(at) + 4} {' '.join([actor, *rest])}", *trace[place + 1 :]],
        ]
        if actor[0] in "ea":
            others.append(trace[:place] + trace[place + 1 :])
            others.append([*trace[: place + 1], *trace[place:]])
        if actor[0] in "ct":
            others.append(trace[:place] + trace[place + 1 :])
            others.append([*trace[: place + 1], *trace[place:]])
            other = f"{at} {actor[0]}{1 - int(actor[1])} {' '.join(rest)}".strip()
            others.append([*trace[:place], other, *trace[place + 1 :]])
        for one in others:
            assert not explain_cores(script, one).holds, (place, one)
    assert not explain_cores(script, trace[:-1]).holds


def test_a_difference_is_told_with_the_smallest_script(pair: Player) -> None:
    """The player says nothing of the answers between cores, so the model misses them."""

    class Silent:
        def play(self, script: object) -> list[str]:
            lines = pair.play(script)  # type: ignore[arg-type]
            return [line for line in lines if line.split()[1][0] != "d"]

    with pytest.raises(Differs) as found:
        drive_cores(Silent(), 2, 10_000, first_seed=1)  # type: ignore[arg-type]
    assert len(found.value.script.threads) <= 2
    assert "the trace, with what the model expects" in str(found.value)


@pytest.mark.xdist_group("model")
def test_two_cores_do_what_the_model_allows(pair: Player) -> None:
    assert drive_cores(pair, 2, CI_STEPS, first_seed=1) >= CI_STEPS


@pytest.mark.xdist_group("model")
def test_four_cores_do_what_the_model_allows(four: Player) -> None:
    assert drive_cores(four, 4, CI_STEPS, first_seed=1) >= CI_STEPS
