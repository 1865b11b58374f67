# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page and the terminal table: what they say, and that they need nothing from outside."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from io import StringIO

import pytest
from rich.console import Console
from tests.tool.report_fixture import (
    MS,
    chronos,
    in_cycles,
    measured,
    stock,
    system,
    task,
    with_basic,
)

from horolog.figures import significant
from horolog.model.baseline import Baseline
from horolog.model.excess import Excess
from horolog.model.plan import Planned
from horolog.model.result import Instructions, Interrupts, Result, Rival, Side
from horolog.model.result_json import to_json
from horolog.model.system import System
from horolog.report import headline, page, terminal
from horolog.report.packing import pack
from horolog.report.pictures import groups, histogram, instants, response_scale
from horolog.report.wording import ns_text, percent, sum_text
from horolog.trace import Trace, jobs, segments

VOID = {"meta", "link", "br", "img", "input", "hr", "path"}


class Reader(HTMLParser):
    """Collects what the tests ask for, and checks that elements close in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.data_block = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            if data.startswith("{"):
                self.data_block = data
        elif "style" not in self.open:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@cache
def run() -> tuple[System, Result, Planned, Trace, Trace]:
    target = chronos(60, Fraction(1, 5))
    return target, *measured(target)


@cache
def report() -> str:
    target, result, planned, ours, theirs = run()
    return page(result, planned, target, ours, stock(theirs))


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_loads_nothing() -> None:
    text = report()
    assert not re.search(r"https?://", text)
    assert "@import" not in text
    assert "url(" not in text
    for tag, name, value in read(text).attributes:
        if name in {"src", "href", "srcset", "action", "data", "poster"}:
            assert (tag, value) == ("link", "data:,")


def test_the_page_is_light() -> None:
    target, _, _, ours, theirs = run()
    own = len(report()) - len(pack_of(ours, target)) - len(pack_of(theirs, target))
    assert own < 300_000


def test_the_comparison_and_the_alternatives_come_first() -> None:
    _, result, *_ = run()
    titles = re.findall(r'<section aria-labelledby="([^"]+)"', report())
    assert titles == [
        "headline",
        "alternatives",
        "plan",
        "cost",
        "timeline-title",
        "responses",
        "how",
    ]
    assert set(titles) <= {value for _, name, value in read(report()).attributes if name == "id"}
    words = read(report()).words
    assert "Horolog spends" in words
    assert "times less than stock FreeRTOS" in words
    assert significant(result.ratio or 0, 4) in words


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
    assert 'aria-labelledby="cost"' not in text
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
    assert "Cycles are those of the core's RTL" in words
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
    traces = dict.fromkeys(Baseline, theirs)
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
        *(one.title for one in Baseline),
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
    assert words.index(said) < words.index("Alternatives")  # beside the bars, not in the end alone
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


# ---- Pictures --------------------------------------------------------------------------------------


def test_the_instants_are_counted_as_planned() -> None:
    target, _, planned, *_ = run()
    picture = instants(target, planned.choice)
    assert 0 < picture.span <= target.duration
    for row in picture.rows:
        assert row.empty_count == 0
        assert row.needed.count("M") == row.needed_count
    assert picture.distinct <= sum(row.needed_count for row in picture.rows)
    tick = next(a.plan for a in planned.alternatives if a.mechanism == "tick")
    assert tick is not None
    (row,) = instants(target, tick).rows
    assert row.empty_count > 0


def test_few_tasks_have_a_row_each_many_share_their_levels() -> None:
    few = groups(chronos(10))
    assert sorted(index for group in few for index in group.tasks) == list(range(10))
    assert all(len(group.tasks) == 1 for group in few)
    many = groups(chronos(100))
    assert sorted(index for group in many for index in group.tasks) == list(range(100))
    assert [group.level for group in many] == sorted({g.level for g in many}, reverse=True)


def test_the_response_axis_holds_everything() -> None:
    scale = response_scale([0.004, 0.3])
    assert (scale.low, scale.high, scale.deadline) == (0.001, 1.0, 100.0)
    assert [tick.label for tick in scale.ticks] == [
        f"{text}\u202f%" for text in ("0.1", "1", "10", "100")
    ]
    late = response_scale([0.5, 2.3])
    assert late.high >= 2.3
    assert late.deadline < 100
    assert histogram([0.5, 2.3, 0.5], late).jobs == 3
    assert histogram([], late).worst is None


def test_times_and_percentages() -> None:
    assert ns_text(999) == "999\u202fns"
    assert ns_text(Fraction(999_700)) == "1.00\u202fms"
    assert ns_text(12_345_678) == "12.3\u202fms"
    assert ns_text(None) == percent(None) == "\u2013"


# ---- The packed run --------------------------------------------------------------------------------


def pack_of(trace: Trace, target: System) -> str:
    return pack(jobs(trace, target), segments(trace), list(trace.interrupts()))


def integers(packed: str) -> Iterator[int]:
    value = shift = 0
    for byte in zlib.decompress(base64.b64decode(packed)):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def test_the_packed_run_unpacks() -> None:
    """The reader of timeline.js, in Python."""
    target, _, _, trace, _ = run()
    stream = integers(pack_of(trace, target))
    unpacked, time = [], 0
    for _ in range(next(stream)):
        index, number = next(stream), next(stream)
        time += next(stream)
        lasted = next(stream)
        unpacked.append((index, number, time, time + lasted - 1 if lasted else None))
    assert sorted(unpacked) == [
        (j.task, j.number, j.start_ns, j.end_ns) for j in jobs(trace, target)
    ]
    assert next(stream) == 0
    job = time = 0
    stretches = []
    for _ in range(next(stream)):
        zigzag = next(stream)
        job += -(zigzag + 1) // 2 if zigzag & 1 else zigzag // 2
        start = time + next(stream)
        time = start + next(stream)
        stretches.append((unpacked[job][0], start, time))
    assert stretches == [(s.task, s.start_ns, s.end_ns) for s in segments(trace)]
    calls, time = [], 0
    for _ in range(next(stream)):
        cell = next(stream)
        time += next(stream)
        calls.append((time, cell))
    assert calls == list(trace.interrupts())
    assert list(stream) == []
