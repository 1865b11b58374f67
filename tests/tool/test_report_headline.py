# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The headline: what it compares, what it refuses, and the side that it is about."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest
from rich.console import Console
from tests.tool.report_fixture import (
    MS,
    chronos,
    measured,
    stock,
    with_basic,
)
from tests.tool.report_reader import read, run

from horolog.model.baseline import ON_ONE_CORE, Baseline
from horolog.model.result import Excess, Instructions, Interrupts, Result, Rival, Side
from horolog.report import headline, page, terminal


def test_missed_deadlines_lead() -> None:
    target = chronos(24, Fraction(1, 2), 0.9)
    result, planned, ours, theirs = measured(target, "tick", Fraction(5, 4))
    first = headline(result, 24)
    assert first.tone == "bad"
    assert re.fullmatch(r"\d+ jobs of \d+ missed their deadlines\.", first.sentence)
    assert result.ratio is None
    text = page(result, planned, target, ours, stock(theirs))
    assert "first late job" in read(text).data_block
    assert 'class="num late"' in text


@pytest.mark.parametrize(
    ("kernel", "expected", "tone"),
    [
        (3, "3.00\u202f%, 1.50\u00a0times less than stock FreeRTOS (4.50\u202f%).", "good"),
        (9, "9.00\u202f%, 2.00\u00a0times more than stock FreeRTOS (4.50\u202f%).", "bad"),
    ],
)
def test_the_headline_is_honest(kernel: int, expected: str, tone: str) -> None:
    from horolog.model.result import Instructions

    _, result, *_ = run()
    assert result.freertos is not None
    fair = replace(
        result,
        horolog=replace(
            result.horolog,
            instructions=Instructions(1000, 500, 500 - 10 * kernel, {"a": 10 * kernel}),
        ),
        freertos=replace(result.freertos, instructions=Instructions(1000, 500, 455, {"b": 45})),
    )
    first = headline(fair, 60)
    figure, rest = expected.split(", ", 1)
    assert first.sentence == (
        f"Horolog spends {figure} of the processor on releasing 60 tasks, {rest}"
    )
    assert first.tone == tone


def test_a_run_beyond_a_wcet_says_first_that_it_is_not_valid() -> None:
    target, result, planned, ours, theirs = run()
    worst = Excess("t001", Fraction(1_280_032, 10**9), MS)
    invalid = replace(result, exceeded=(worst, Excess("t002", 2 * MS, MS)))
    said = (
        'Not a valid run: the body of task "t001" ran for 1.280032 ms in one job, longer than its WCET of '
        "1 ms, and 1 other task ran longer than its."
    )
    first = headline(invalid, 60)
    assert (first.sentence, first.tone) == (said, "bad")
    assert invalid.ratio is None
    assert invalid.ratio_refused == 'task "t001" ran longer than its WCET'
    text = page(invalid, planned, target, ours, stock(theirs))
    words = read(text).words
    assert said in words
    assert words.index(said) < words.index("Measured")
    assert text.count('class="whole"') == 1  # beside nothing
    assert "FreeRTOS to Horolog" not in words
    alone = replace(invalid, exceeded=(worst,))
    assert headline(alone, 60).sentence.endswith("longer than its WCET of 1 ms.")
    console = Console(width=200, record=True, file=StringIO())
    console.print(terminal(alone, planned, target, ours))
    lines = [line.strip() for line in console.export_text().splitlines() if line.strip()]
    assert lines[0] == headline(alone, 60).sentence
    assert "FreeRTOS to Horolog" not in "".join(lines)


@pytest.mark.parametrize(
    ("predicted", "taken", "coalesced", "shown"),
    [
        (1234, 1230, 4, "1,234 = 1,230 + 4"),
        (1234, 1230, 3, "1,234 \u2260 1,230 + 3"),
        (1234, 1235, 0, "1,234 \u2260 1,235 + 0"),
    ],
)
def test_a_sum_that_does_not_come_out_is_shown_as_none(
    predicted: int, taken: int, coalesced: int, shown: str
) -> None:
    target, result, planned, ours, _ = run()
    odd = replace(result.horolog, interrupts=Interrupts(predicted, taken, coalesced))
    words = read(page(replace(result, horolog=odd, freertos=None), planned, target, ours)).words
    assert f"predicted = taken + coalesced {shown} coalesced: two" in words


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (15, "As basic tasks they cost 1.50\u202f%, 3.00\u00a0times less than stock FreeRTOS."),
        (45, "As basic tasks they cost 4.50\u202f%, 1.00\u00a0times less than stock FreeRTOS."),
        (90, "As basic tasks they cost 9.00\u202f%, 2.00\u00a0times more than stock FreeRTOS."),
        (360, "As basic tasks they cost 36.0\u202f%, 8.00\u00a0times more than stock FreeRTOS."),
    ],
)
def test_basic_tasks_may_cost_more(kernel: int, said: str) -> None:
    """Of 1,000 instructions; FreeRTOS's kernel takes 45, Horolog's threads take 30."""
    target, result, *_ = run()
    both, _ = with_basic(result, target)
    assert both.freertos is not None
    assert both.basic is not None

    def counted(side: Side, kernel: int) -> Side:
        return replace(side, instructions=Instructions(1000, 500, 500 - kernel, {"a": kernel}))

    fair = replace(
        both,
        horolog=counted(both.horolog, 30),
        freertos=counted(both.freertos, 45),
        basic=counted(both.basic, kernel),
    )
    assert said in headline(fair, 60).detail


def with_rivals(result: Result, groups: int, notify: int) -> Result:
    """With stronger sides that execute so many kernel instructions of 1,000; the stock one executes 45."""

    def counted(side: Side, kernel: int) -> Side:
        return replace(side, instructions=Instructions(1000, 500, 500 - kernel, {"a": kernel}))

    assert result.freertos is not None
    theirs = result.freertos
    return replace(
        result,
        horolog=counted(result.horolog, 30),
        freertos=counted(theirs, 45),
        rivals=(
            Rival(Baseline.RATE_GROUP, counted(theirs, groups)),
            Rival(Baseline.NOTIFY, counted(theirs, notify)),
        ),
    )


def test_the_headline_is_about_the_side_that_costs_least() -> None:
    _, result, *_ = run()
    first = headline(with_rivals(result, 15, 36), 60)
    assert first.sentence == (
        "Horolog spends 3.00\u202f% of the processor on releasing 60 tasks, 2.00\u00a0times more than "
        "FreeRTOS with rate groups (1.50\u202f%)."
    )
    assert first.tone == "bad"
    for said in (
        "Stock FreeRTOS spends 4.50\u202f%, 1.50\u00a0times as much as Horolog.",
        "FreeRTOS with notifications spends 3.60\u202f%, 1.20\u00a0times as much as Horolog.",
    ):
        assert said in first.detail
    first = headline(with_rivals(result, 50, 33), 60)
    assert "1.10\u00a0times less than FreeRTOS with notifications (3.30\u202f%)." in first.sentence
    assert first.tone == "good"
    first = headline(with_rivals(result, 50, 60), 60)
    assert "1.50\u00a0times less than stock FreeRTOS (4.50\u202f%)." in first.sentence


def test_each_reason_for_no_ratio_is_given_once_and_names_its_sides() -> None:
    _, result, *_ = run()
    every = with_rivals(result, 15, 36)
    assert every.freertos is not None
    too_fast = (Rival(Baseline.RATE_GROUP, None, "too fast"), every.rivals[1])
    alone = replace(every, freertos=None, not_compared="too fast", rivals=too_fast)
    said = headline(alone, 60)
    assert "less than FreeRTOS with notifications" in said.sentence
    assert (
        "Not compared with stock FreeRTOS and FreeRTOS with rate groups: too fast." in said.detail
    )
    rounded = replace(every.freertos, rounded=Fraction(1, 200))
    said = headline(replace(every, freertos=rounded), 60)
    assert "Stock FreeRTOS spends 4.50\u202f%. " in said.detail
    reason = "No ratio is given to stock FreeRTOS: FreeRTOS rounds periods, by up to 0.50 %."
    assert reason in said.detail
    nothing = replace(every, freertos=rounded, rivals=())
    assert headline(nothing, 60).detail.endswith(
        "No ratio is given: FreeRTOS rounds periods, by up to 0.50 %."
    )


def test_every_side_has_its_column_its_bar_and_its_ratio() -> None:
    target, result, planned, ours, theirs = run()
    every = with_rivals(result, 15, 36)
    traces = dict.fromkeys(ON_ONE_CORE, theirs)
    text = page(every, planned, target, ours, traces)
    words = read(text).words
    assert "Measured Horolog FreeRTOS FreeRTOS, rate groups FreeRTOS, notify" in words
    assert text.count('class="whole"') == 4
    assert "FreeRTOS to Horolog 1.500 0.5000 1.200 kernel instructions" in words
    for key in ("ours", "theirs", "groups", "notify"):
        assert f'class="bar {key}"' in text
        assert f".bar.{key}," in text  # it has a colour
    assert [one["name"] for one in json.loads(read(text).data_block)["sides"]] == [
        "Horolog",
        *(one.title for one in ON_ONE_CORE),
    ]
    console = Console(width=160, record=True, file=StringIO())
    console.print(terminal(every, planned, target, ours))
    (row,) = [one for one in console.export_text().splitlines() if "FreeRTOS to Horolog" in one]
    assert row.split("FreeRTOS to Horolog")[1].split() == [
        "1.500",
        "to",
        "1",
        "0.5000",
        "to",
        "1",
        "1.200",
        "to",
        "1",
    ]
    unfair = replace(every, rivals=(Rival(Baseline.RATE_GROUP, replace(every.horolog, jobs=1)),))
    text = page(unfair, planned, target, ours, traces)
    assert text.count('class="whole"') == 2  # not beside the one that may not be compared
