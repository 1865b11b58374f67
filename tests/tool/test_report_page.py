# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page and the terminal table: what they say, and that they need nothing from outside."""

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
    in_cycles,
    measured,
    stock,
    system,
    task,
    with_basic,
)
from tests.tool.report_reader import pack_of, read, report, run

from horolog.figures import significant
from horolog.model.result import Interrupts, Suggestion
from horolog.model.result_json import to_json
from horolog.model.system import System
from horolog.report import headline, page, terminal
from horolog.report.wording import sum_text
from horolog.responses import analysis_of, deadlines_of, ms_text
from horolog.trace import Trace


def test_the_page_loads_nothing() -> None:
    text = report()
    assert not re.search(r"https?://", text)
    assert "@import" not in text
    assert "url(" not in text
    for tag, name, value in read(text).attributes:
        if name in {"src", "href", "srcset", "action", "data", "poster"}:
            assert (tag, value) == ("link", "data:,") or (tag, name, value[0]) == ("a", "href", "#")


def test_the_page_is_light() -> None:
    target, _, _, ours, theirs = run()
    own = len(report()) - len(pack_of(ours, target)) - len(pack_of(theirs, target))
    assert own < 300_000


def test_answers_come_in_the_order_of_the_questions() -> None:
    _, result, *_ = run()
    titles = re.findall(r'<section aria-labelledby="([^"]+)"', report())
    assert titles == [
        "holds",
        "time",
        "timeline-title",
        "better",
        "alternatives",
        "plan",
        "how",
    ]
    places = {value for _, name, value in read(report()).attributes if name == "id"}
    contents = re.findall(r'<a href="#([^"]+)"', report())
    assert {*titles, *contents} <= places
    assert [one for one in contents[:8] if one != "responses"] == titles
    words = read(report()).words
    assert "Horolog spends" in words
    assert "times less than stock FreeRTOS" in words
    assert significant(result.ratio or 0, 4) in words


def test_suggestions_have_their_lines_and_stand_before_alternatives() -> None:
    target, result, planned, ours, theirs = run()
    assert "No suggestion: none was tried" in read(report()).words
    better = Suggestion("make t001 basic: 2 % to 1 %", 'kind = "basic" # <b>')
    text = page(replace(result, suggestions=(better,)), planned, target, ours, stock(theirs))
    words = read(text).words
    assert f"{better.text} {better.line}" in words
    assert words.index(better.text) < words.index("What each mechanism would do")
    assert "No suggestion" not in words
    assert json.loads(to_json(replace(result, suggestions=(better,))))["suggestions"] == [
        {
            "text": better.text,
            "line": better.line,
            "overhead_percent": None,
            "overhead_percent_then": None,
        }
    ]


def test_every_picture_has_a_text() -> None:
    pictures = re.findall(r"<(?:svg|canvas)[^>]*>", report())
    assert pictures
    assert all('role="img"' in picture and "aria-label=" in picture for picture in pictures)


def test_every_task_stands_in_a_table() -> None:
    target, *_ = run()
    for row in target.tasks:
        assert f'<th scope="row">{row.name}</th>' in report()


def test_two_pages_of_one_result_are_the_same() -> None:
    target, result, planned, ours, theirs = run()
    assert page(result, planned, target, ours, stock(theirs)) == report()


def test_the_users_names_cannot_break_the_page() -> None:
    name = "</script><script>alert(1)</script>&\"'"
    target = system([task(name, 3 * MS, MS), task("b", 5 * MS, MS)], Fraction(1, 10), name)
    result, planned, ours, theirs = measured(target)
    reader = read(page(result, planned, target, ours, stock(theirs)))
    assert [tag for tag, _, _ in reader.attributes].count("script") == 2  # type and id of the data
    assert json.loads(reader.data_block)["tasks"][0][0] == name
    assert name in reader.words


def test_without_freertos_nothing_is_compared() -> None:
    target, result, planned, ours, _ = run()
    alone = replace(result, freertos=None, not_compared="FreeRTOS is not installed")
    words = read(page(alone, planned, target, ours, None)).words
    assert "Not compared with FreeRTOS: FreeRTOS is not installed." in words
    assert "times less" not in words
    assert "FreeRTOS to Horolog" not in words


def test_a_refused_comparison_shows_no_bars_side_by_side() -> None:
    target, result, planned, ours, theirs = run()
    assert result.freertos is not None
    unfair = replace(result, freertos=replace(result.freertos, jobs=result.horolog.jobs - 1))
    text = page(unfair, planned, target, ours, stock(theirs))
    assert text.count('class="whole"') == 1
    words = read(text).words
    assert "No ratio is given: jobs differ" in words
    assert "they differ: not comparable" in words


def test_where_no_instructions_are_counted_the_page_shows_none() -> None:
    target, result, planned, ours, _ = run()
    host = replace(result, freertos=None, horolog=replace(result.horolog, instructions=None))
    text = page(host, planned, target, ours)
    assert 'id="cost"' not in text
    assert "No instructions are counted on this board" in read(text).words


def test_basic_tasks_are_a_side_of_their_own() -> None:
    target, result, planned, ours, theirs = run()
    both, basic = with_basic(result, target)
    text = page(both, planned, target, ours, stock(theirs), (), basic)
    reader = read(text)
    words = reader.words
    assert "As basic tasks they cost" in words
    assert significant(both.ratio_basic or 0, 4) in words
    assert "Horolog, basic" in words
    assert "Releasers of one-shot for all tasks as basic tasks" in words
    assert text.count('class="whole"') == 3
    sides = json.loads(reader.data_block)["sides"]
    assert [side["key"] for side in sides] == ["ours", "basic", "theirs"]
    assert sides[1]["run"] != sides[0]["run"]
    late = replace(both, basic=replace(both.basic, deadline_misses=2))  # type: ignore[type-var]
    text = page(late, planned, target, ours, stock(theirs), (), basic)
    assert text.count('class="whole"') == 2  # what is late stands beside nothing
    assert "As basic tasks they missed 2 deadlines." in read(text).words


def test_a_page_without_basic_tasks_does_not_speak_of_them() -> None:
    assert "asic task" not in read(report()).words
    _, result, *_ = run()
    refused = replace(result, no_basic="the application calls the kernel")
    assert (
        "Not run as basic tasks: the application calls the kernel." in headline(refused, 9).detail
    )


def test_cycles_are_called_cycles() -> None:
    """Everywhere but for the work of bodies, which is the same instructions under any kernel."""
    target, result, planned, ours, theirs = run()
    assert result.freertos is not None
    sides = (in_cycles(result.horolog), in_cycles(result.freertos))
    rtl = replace(result, horolog=sides[0], freertos=sides[1])
    assert rtl.ratio == result.ratio
    words = read(page(rtl, planned, target, ours, stock(theirs))).words
    for said in ("Cycles in the kernel", "Kernel cycles per job", "Where the cycles go"):
        assert said in words
        assert said not in read(report()).words
    assert "Cycles are those of the simulated core" in words
    assert "not time on silicon" in words
    assert re.findall(r"[Ii]nstructions? \w+ \w+", words) == ["Instructions in task"]
    console = Console(width=120, record=True, file=StringIO())
    console.print(terminal(rtl, planned, target, ours))
    text = console.export_text()
    assert "kernel cycles" in text
    assert "kernel instructions" not in text
    assert "not time on silicon" in text


def test_disturbances_are_shown_and_charged() -> None:
    target, result, planned, ours, _ = run()
    both, basic = with_basic(result, target)
    console = Console(width=120, record=True, file=StringIO())
    console.print(terminal(both, planned, target, ours, basic.planned))
    (row,) = [line for line in console.export_text().splitlines() if "disturbed" in line]
    assert row.split()[-5:] == ["\u2013", "3", "(120", "instructions)", "\u2013"]
    assert "3 (120 instructions)" in read(page(both, planned, target, ours, None, (), basic)).words


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (Interrupts(1200, 1000, 200), "1,200 = 1,000 + 200"),
        (Interrupts(12, 11, 0), "12 \u2260 11 + 0"),
        (Interrupts(12, 13, 0, excess=1), "12 = 13 + 0 \u2212 1 for no instant"),
        (Interrupts(12, 12, 0, excess=1), "12 \u2260 12 + 0 \u2212 1 for no instant"),
    ],
)
def test_interrupts_that_do_not_add_up_are_shown_as_what_they_are(
    of: Interrupts, text: str
) -> None:
    assert sum_text(of) == text
    target, result, planned, ours, theirs = run()
    wrong = replace(result, horolog=replace(result.horolog, interrupts=of))
    assert f"{text}" in read(page(wrong, planned, target, ours, stock(theirs))).words
    console = Console(file=StringIO(), width=200)
    console.print(terminal(wrong, planned, target, ours))
    assert isinstance(console.file, StringIO)
    assert ("interrupts for no instant" in console.file.getvalue()) == (of.excess > 0)


def test_the_worst_responses_come_first() -> None:
    """By their share of the deadline, not by their length: the levels nearest to missing one."""
    rows = [
        task("short", 4 * MS, MS),
        task("urgent", 3 * MS, MS / 2, deadline=2 * MS),
        task("long", 100 * MS, 10 * MS),
        task("lazy", 50 * MS, MS),
        task("quick", 4 * MS, MS),  # of the level of "short", which is worse
    ]
    target = system(rows, Fraction(1, 10))
    # When jobs end, in ms after t = 0; the second of "short" is released at 4. The shares of the worst
    # are 60, 75, 20 and 90 percent.
    ends = [(4, "0.5"), (0, "1"), (1, "1.5"), (0, "6.4"), (2, "20"), (3, "45")]
    events = []
    for index, end in ends:
        at = int(Fraction(end) * MS * 10**9)
        events += [(at - 3000, "R", index), (at - 2000, "S", index), (at, "E", index)]
    names = [line.split()[0] for line in worst_of(target, events)]
    assert names == ["lazy", "urgent", "short", "long"]
    assert [line.split()[-2] for line in worst_of(target, events)] == [
        "90.0",
        "75.0",
        "60.0",
        "20.0",
    ]


def worst_of(target: System, events: list[tuple[int, str, int]]) -> list[str]:
    """The lines of the table of worst responses, from the task's name on."""
    result, planned, *_ = measured(target)
    console = Console(width=200, record=True, file=StringIO())
    console.print(terminal(result, planned, target, Trace.of(sorted(events))))
    table = console.export_text().partition("Worst responses")[2].splitlines()[2:]
    names = [row.name for row in target.tasks]
    return [line[line.index(name) :] for line in table for name in names if f" {name} " in line]


def test_a_share_of_instructions_is_not_called_time() -> None:
    target, result, planned, ours, theirs = run()
    said = "Emulated instructions are not time on silicon"
    assert "QEMU charges nothing for the entry of an exception" in (result.caveat or "")
    console = Console(width=300, record=True, file=StringIO())
    console.print(terminal(result, planned, target, ours))
    text = console.export_text()
    assert "of the processor" in text
    assert result.caveat is not None
    assert result.caveat in text
    words = read(page(result, planned, target, ours, stock(theirs))).words
    assert words.index(said) < words.index(
        "What each mechanism would do"
    )  # beside the bars, not in the end alone
    assert json.loads(to_json(result))["caveat"] == result.caveat
    host = replace(result, freertos=None, horolog=replace(result.horolog, instructions=None))
    assert host.caveat is None
    assert said not in read(page(host, planned, target, ours)).words


def test_the_terminal_shows_the_same_figures() -> None:
    target, result, planned, ours, _ = run()
    console = Console(width=120, record=True, file=StringIO())
    console.print(terminal(result, planned, target, ours))
    text = console.export_text()
    assert headline(result, 60).sentence in text
    for figure in ("chronos", "tick 1 kHz", "missed deadlines", "lower bound", "Worst responses"):
        assert figure in text
    assert f"{result.horolog.interrupts.taken:,}" in text


def test_the_bounds_stand_beside_the_largest_responses() -> None:
    target, result, planned, ours, theirs = run()
    found = analysis_of(target, planned.choice)
    led = replace(result, deadlines=deadlines_of(target, found))
    made = read(page(led, planned, target, ours, stock(theirs), analysis=found))
    assert led.deadlines is not None
    assert f"A{led.deadlines.text[1:]}" in made.words
    before, _, bounds = made.words.partition("Bounds of responses")
    assert f"A{led.deadlines.text[1:]}" in before
    names = [
        target.tasks[one.task].name for one in sorted(found.bounds, key=lambda one: one.slack or 0)
    ]
    places = [bounds.index(f" {name} ") for name in names]
    assert places == sorted(places)
    least = found.bounds[target.tasks.index(next(t for t in target.tasks if t.name == names[0]))]
    assert least.response is not None
    assert least.slack is not None
    row = bounds[places[0] :].split()
    assert row[1:4] == [
        ms_text(least.deadline, up=False),
        ms_text(least.response),
        ms_text(least.slack, up=False),
    ]
    screen = StringIO()
    Console(file=screen, width=200).print(terminal(led, planned, target))
    assert screen.getvalue().strip().startswith(led.deadlines.text)
    assert json.loads(to_json(led))["deadlines"]["hold"] is found.holds
    assert "Bounds of responses" not in report()


def test_bounds_without_a_wcet_are_not_known() -> None:
    tasks = [task("open", 5 * MS, MS), task("known", 3 * MS, MS)]
    target = system([replace(tasks[0], wcet=None), tasks[1]], Fraction(1, 10))
    analysis = analysis_of(target, None)
    result, planned, ours, theirs = measured(target)
    result = replace(result, deadlines=deadlines_of(target, analysis))
    words = read(page(result, planned, target, ours, stock(theirs), analysis=analysis)).words
    assert "open 5.000 not known not known" in words
    assert "known 3.000 1.000 2.000" in words
    assert "at least 33.3" in words
    assert result.hint is not None
    assert result.hint[1:] in words
