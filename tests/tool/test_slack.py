# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The objective slack: the plan that leaves the largest least share of a deadline."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.tool.factory import make_system, make_task, ms

from horolog.model import Chain, Place
from horolog.plan import plan, read_prices
from horolog.responses import analysis_of, slack_of, slack_text

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

TEXT = """[system]
name = "made"
board = "mps2-an385"
duration = "1 s"
cells = ["timer0"]
"""
ROW = '\n[[task]]\nname = "%s"\nperiod = "%s"\nwcet = "200 us"\nwork = 1_000\n'


def test_slack_is_the_least_share_of_a_deadline() -> None:
    """Without costs the bounds are 1 and 3 ms: (4 - 1) / 4, (10 - 3) / 10; the chain (30 - 17) / 30.

    Its reaction time is 4 + 10 + 3 ms, as the first task is always ahead of the second.
    """
    tasks = [
        make_task("a", ms(4), wcet=ms(1)),
        make_task("b", ms(10), wcet=ms(2)),
    ]
    board = make_system(tasks=tasks).board
    free = replace(board, runner=replace(board.runner, ns_per_instruction=None))
    system = make_system(tasks=tasks, board=free)
    chosen = plan(system, mechanism="gcd").choice
    found = slack_of(system, chosen)
    bounds = analysis_of(system, chosen, read_prices(free)).bounds
    last = bounds[1].response
    assert last is not None
    assert ms(3) <= last < ms("3.001")
    assert (found.name, found.share) == ("b", (ms(10) - last) / ms(10))
    chain = Chain("c", (0, 1), ms(30), None, Place("system.toml", 1))
    with_chain = slack_of(replace(system, chains=(chain,)), chosen)
    assert with_chain.name == "c"
    assert with_chain.share is not None
    assert Fraction(13, 30) - Fraction(1, 1000) < with_chain.share <= Fraction(13, 30)
    none = replace(system, tasks=(tasks[0], replace(tasks[1], wcet=ms(10))))
    assert slack_of(none, chosen).share is None
    assert slack_text(slack_of(none, chosen)) == "no bound for b"


def test_the_plan_with_the_most_slack_is_taken(workshop: Workshop) -> None:
    """The cheapest plan, a periodic cell for all, has a longer worst interrupt than a one-shot cell."""
    rows = ROW % ("a", "4 ms") + ROW % ("b", "6 ms") + ROW % ("c", "8 ms")
    path = str(workshop.write(TEXT + rows))
    cheapest = workshop.run("plan", path, "--json").object
    assert "slack" not in cheapest
    data = workshop.run("plan", path, "--objective", "slack", "--json").object
    shares = {one["mechanism"]: Fraction(one["share_exact"]) for one in data["slack"]}
    assert len({*shares.values()}) > 1
    free = {name: share for name, share in shares.items() if name != "chronos-const"}
    chosen = data["slack"][0]["mechanism"]
    assert chosen != cheapest["alternatives"][0]["mechanism"]
    assert free[chosen] == max(free.values())
    assert data["objective"] == "slack"
    said = workshop.run("plan", path, "--objective", "slack", "--explain").out
    assert f"{chosen} (chosen: the most slack, at least " in said
    assert said.count("% of each deadline left; least: ") > len(shares) - 1
    workshop.write((TEXT + rows).replace('cells = ["timer0"]', 'objective = "slack"', 1))
    assert workshop.run("analyse", path, "--no-factor").code == 0


def test_a_mechanism_that_is_named_stays_and_verify_is_refused(workshop: Workshop) -> None:
    path = str(workshop.write(TEXT + ROW % ("a", "5 ms") + ROW % ("b", "7 ms")))
    data = workshop.run(
        "plan", path, "--objective", "slack", "--mechanism", "one-shot", "--json"
    ).object
    reasons = {one["mechanism"]: one["reason"] for one in data["alternatives"]}
    assert reasons["one-shot"].startswith("chosen: named by the user")
    said = workshop.run("plan", path, "--objective", "slack", "--verify")
    assert said.code == 2
    assert "--verify takes the plan of the least measured overhead" in said.err
