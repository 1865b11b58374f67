# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from horolog.cli.main import main
from horolog.cli.plan_tables import quality
from horolog.cli.searching import searching
from horolog.model import MECHANISMS, QUEUES, Mapping, Mode
from horolog.plan import STEPS, Limit, read_prices
from horolog.read import read_board

CHRONOS = Path(__file__).resolve().parents[2] / "examples" / "chronos" / "system.toml"

TEXT = """
[system]
name = "chronos"
board = "mps2-an385"
duration = "2 s"

[[task_group]]
name = "p"
tasks = 4
periods = ["3 ms", "5 ms", "7 ms", "11 ms"]
work = 100
"""


@pytest.fixture
def system(tmp_path: Path) -> Path:
    path = tmp_path / "system.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def horolog_plan(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["plan", *map(str, arguments)])


def test_the_choice_is_shown(system: Path) -> None:
    result = horolog_plan(system, "--mechanism", "chronos")
    assert result.exit_code == 0, result.output
    for text in ("chronos on ", "4 tasks, 1,535 jobs in 2 s", "timer0", "11 ms", "667"):
        assert text in result.output
    assert (
        "1,535 interrupts in 2 s, 1,535 of them required; 767.1/s in the long run" in result.output
    )
    assert "1,169 distinct release instants" in result.output
    assert "gcd" not in result.output


def test_an_explanation_fits_a_page_by_default() -> None:
    result = horolog_plan(CHRONOS, "--explain")
    assert result.exit_code == 0, result.output
    short = result.output.splitlines()
    assert len(short) <= 66  # a page of paper
    assert any(line.startswith("--explain-all has every store") for line in short)
    (row,) = [line.split() for line in short if line.startswith("systick") and "kernel/s" in line]
    assert row[-1] == "kernel/s"
    assert row[-2].startswith("+")
    whole = horolog_plan(CHRONOS, "--explain-all").output.splitlines()
    assert len(whole) > 2 * len(short)
    assert not any("--explain-all" in line for line in whole)


def test_explain_shows_every_alternative(system: Path) -> None:
    result = horolog_plan(system, "--explain")
    assert result.exit_code == 0, result.output
    for mechanism in ("tick", "gcd", "one-shot", "chronos"):
        assert f"\n{mechanism} " in result.output


def test_an_overhead_that_is_not_known_well_comes_with_a_range(system: Path) -> None:
    """A heap was measured with 5 and with 10 tasks; of a list the nodes that are passed are counted."""
    many = TEXT.replace("tasks = 4", "tasks = 7").replace(
        '"11 ms"', '"11 ms", "13 ms", "17 ms", "19 ms"'
    )
    system.write_text(many, encoding="utf-8")
    said = "as what the delay queue costs was measured with fewer and with more tasks"
    for queue, has in (("leftist-heap", True), ("sorted-list", False)):
        arguments = (system, "--mechanism", "one-shot", "--queue", queue)
        text = horolog_plan(*arguments).output
        assert (said in " ".join(text.split())) == has, text
        found = json.loads(horolog_plan(*arguments, "--json").output)["choice"]["prediction"]
        low, high = found["kernel_range_per_second"]
        assert low <= found["kernel_per_second"] <= high
        assert (low < high) == has


def test_explain_says_why_not(system: Path) -> None:
    system.write_text(TEXT.replace('"3 ms"', '"2.5 ms"'), encoding="utf-8")
    result = horolog_plan(system, "--explain", "--board", "host")
    assert result.exit_code == 0, result.output
    assert "impossible" in result.output
    assert "is no multiple of 1 ms" in result.output
    assert "overhead   not predicted: no instructions are counted on this board" in result.output


def test_json_holds_every_figure(system: Path) -> None:
    result = horolog_plan(system, "--json", "--mechanism", "one-shot")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert found["system"] == "chronos"
    assert found["forced"] is True
    assert found["distinct_instants"] == 1169
    assert found["choice"]["mechanism"] == "one-shot"
    assert found["choice"]["prediction"]["interrupts"] == 1169
    assert len(found["alternatives"]) == 7
    assert [a["mechanism"] for a in found["alternatives"] if a["chosen"]] == ["one-shot"]
    (releaser,) = found["choice"]["releasers"]
    assert releaser["mode"] == "one-shot"
    assert len(releaser["tasks"]) == 4


def test_json_holds_interrupts_by_what_they_are_for(system: Path) -> None:
    found = json.loads(horolog_plan(system, "--json").output)
    by_name = {a["mechanism"]: a["plan"]["prediction"] for a in found["alternatives"]}
    assert set(by_name) == set(MECHANISMS)
    tick, chronos, mixed = by_name["tick"], by_name["chronos"], by_name["mixed"]
    assert (tick["required_per_second"], tick["not_required_per_second"]) == (
        584.415584,
        415.584416,
    )
    assert (tick["coincident"], chronos["not_required"]) == (0, 0)
    # 767.1 interrupts a second at 584.4 instants.
    assert chronos["coincident_per_second"] == 182.683983
    assert 584 < mixed["interrupts_per_second"] < chronos["interrupts_per_second"]
    (plan,) = [a["plan"] for a in found["alternatives"] if a["mechanism"] == "mixed"]
    assert " mixtures compared; " in plan["mixture"]["how"]
    assert plan["mixture"]["how"].endswith("; not proved the best")
    assert sum(r["cooperates"] for r in plan["releasers"]) <= 1
    steps = [o["steps"] for q in plan["queues"] for o in q["options"] if o["store"] == "mask-table"]
    assert steps
    assert all(step["name"] in STEPS["mask-table"][Mode.PERIODIC] for one in steps for step in one)


def test_the_objective_can_be_named_and_written(system: Path) -> None:
    found = json.loads(horolog_plan(system, "--json", "--objective", "interrupts").output)
    # One periodic cell and a cooperative one interrupt as rarely, and cost more.
    assert (found["objective"], found["choice"]["mechanism"]) == ("interrupts", "one-shot")
    assert found["choice"]["prediction"]["interrupts_per_second"] == 584.415584
    system.write_text(TEXT.replace("[system]", '[system]\nobjective = "interrupts"'), "utf-8")
    assert "fewest interrupts, as was asked for" in horolog_plan(system).output
    other = json.loads(horolog_plan(system, "--json", "--objective", "overhead").output)
    assert other["objective"] == "overhead"
    system.write_text(TEXT.replace("[system]", '[system]\nobjective = "beauty"'), "utf-8")
    wrong = horolog_plan(system)
    assert wrong.exit_code == 2
    assert "system.objective" in wrong.output


def test_a_table_that_does_not_fit_says_how_long_it_would_be(system: Path) -> None:
    # Every period that the paper's set may have; the example's draw lacks some.
    periods = ", ".join(f'"{base * k} ms"' for base in (3, 5, 7, 11) for k in range(1, 11))
    text = TEXT.replace("tasks = 4", "tasks = 40")
    system.write_text(text.replace('"3 ms", "5 ms", "7 ms", "11 ms"', periods), "utf-8")
    result = horolog_plan(system, "--mechanism", "one-shot", "--queue", "mask-table")
    assert result.exit_code == 2
    assert (
        "mask-table cannot serve cell timer0: a hyperperiod of 2910.6 s with 1,701,000 release "
        "instants needs a table of 13,608,000 bytes; table_bytes allows 131,072"
    ) in " ".join(result.output.split())
    explained = horolog_plan(system, "--mechanism", "one-shot", "--explain-all")
    assert "mask-table: a hyperperiod of 2910.6 s with 1,701,000 release" in explained.output


@pytest.mark.parametrize(("value", "code"), [("0", 0), ("1024", 0), ("-1", 2), ('"64 KiB"', 2)])
def test_how_many_bytes_tables_may_take(system: Path, value: str, code: int) -> None:
    system.write_text(TEXT.replace("[system]", f"[system]\ntable_bytes = {value}"), "utf-8")
    result = horolog_plan(system, "--explain-all")
    assert result.exit_code == code
    if code:
        assert "system.table_bytes" in result.output
    if value == "0":
        assert "table_bytes allows none" in result.output


def test_a_mechanism_that_cannot_serve_is_the_users_error(system: Path) -> None:
    system.write_text(TEXT.replace('"3 ms"', '"2.5 ms"'), encoding="utf-8")
    result = horolog_plan(system, "--mechanism", "tick")
    assert result.exit_code == 2
    assert "period 2.5 ms is no multiple of 1 ms" in result.output


def test_an_unknown_mechanism_is_the_users_error(system: Path) -> None:
    result = horolog_plan(system, "--mechanism", "sundial")
    assert result.exit_code == 2
    assert "sundial" in result.output


def test_explain_shows_the_queues_and_their_curves(system: Path) -> None:
    result = horolog_plan(system, "--explain-all", "--mechanism", "one-shot")
    assert result.exit_code == 0, result.output
    origin = "costs      boards/mps2-an385/costs.toml (shipped; arm-none-eabi-gcc "
    assert origin in result.output
    assert "; 4 tasks, periods close together; an insertion into a sorted list" in result.output
    assert 'a job\'s calls, curve "near"' in result.output
    for queue in QUEUES:
        assert f"\n{queue} " in result.output
    assert "only if named: pop O(n) at worst" in result.output
    assert "insert O(n) at worst" in result.output
    for text in (" passed ", " tasks "):  # what the curves run over
        assert text in result.output


def test_json_holds_the_queues_and_their_curves(system: Path) -> None:
    result = horolog_plan(system, "--json", "--mechanism", "one-shot", "--queue", "bucket")
    found = json.loads(result.output)
    assert found["costs"]["kind"] == "shipped"
    assert found["costs"]["flags"] == "-O2"
    (queue,) = found["choice"]["queues"]
    assert (queue["store"], queue["reason"], queue["tasks"]) == ("bucket", "named by the user", 4)
    known = {option["store"] for option in queue["options"]}
    assert known == {*QUEUES, "period-groups", "mask-table"}  # a one-shot cell has no other
    misfits = {one["store"]: one["reason"] for one in queue["misfits"]}
    assert misfits == {
        "unsorted-list": "unsorted-list is for periodic cells",
        "harmonic-array": "harmonic-array is for periodic cells",
    }
    costs = [option["kernel_per_second"] for option in queue["options"]]
    assert costs == sorted(costs)
    (bucket,) = [option for option in queue["options"] if option["store"] == "bucket"]
    # The rest are switches that release instants cost, whatever the store.
    rest = found["choice"]["prediction"]["kernel_per_second"] - bucket["kernel_per_second"]
    instants = found["bounds"]["instants_per_second_at_least"]
    switch = float(read_prices(read_board("mps2-an385")).costs.dispatch)
    assert 0.9 * switch * instants < rest <= switch * instants
    assert bucket["curve"]["over"] == "passed"
    (low, _), (high, _) = bucket["curve"]["points"]
    assert low <= bucket["curve"]["x"] <= high


def test_a_board_without_instructions_has_no_curves(system: Path) -> None:
    result = horolog_plan(system, "--explain", "--board", "host")
    assert result.exit_code == 0, result.output
    assert "costs  " not in result.output
    assert json.loads(horolog_plan(system, "--json", "--board", "host").output)["costs"] is None


@pytest.mark.parametrize(
    ("cells", "rate"),
    [(1, "1,000.0"), (2, "1,000.0"), (3, "1,000.0"), *((k, "767.1") for k in range(4, 9))],
)
def test_another_number_of_cells_can_be_planned_for(cells: int, rate: str) -> None:
    result = horolog_plan(CHRONOS, "--explain", "--mechanism", "chronos", "--cells", str(cells))
    assert result.exit_code == 0, result.output
    assert f"chronos    {rate} interrupts/s: proved optimal (branch and bound)\n" in result.output
    assert "bound      584.4 distinct release instants/s\n" in result.output
    assert "chains     16 harmonic chains at least\n" in result.output
    assert "\ntimer0/1 " in result.output


def test_a_number_of_cells_that_is_not_planned_for() -> None:
    for cells in ("0", "17", "four"):
        assert horolog_plan(CHRONOS, "--cells", cells).exit_code == 2


def test_the_curve_is_shown_over_the_number_of_cells(system: Path) -> None:
    result = horolog_plan(system, "--curve")
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.output.splitlines()]
    rows = [line for line in lines if "proved" in line]
    assert [line[0] for line in rows] == [str(cells) for cells in range(1, 17)]
    assert [line[1] for line in rows] == ["1,000.0"] * 3 + ["767.1"] * 13


def test_json_holds_the_mapping_the_bounds_and_the_curve(system: Path) -> None:
    found = json.loads(horolog_plan(system, "--json", "--mechanism", "chronos").output)
    assert found["choice"]["mapping"] == {
        "interrupts_per_second": 767.099567,
        "bound_per_second": 767.099567,
        "proved_optimal": True,
        "gap": 0.0,
        "how": "branch and bound",
    }
    assert found["bounds"] == {
        "instants_per_second_at_least": 584.415584,
        "instants_per_second_at_most": 584.415584,
        "harmonic_chains": 4,
    }
    assert "curve" not in found
    curve = json.loads(horolog_plan(system, "--json", "--curve", "--board", "host").output)["curve"]
    assert [row["cells"] for row in curve] == list(range(1, 17))
    assert curve[3]["chronos"]["mapping"]["proved_optimal"] is True


def test_a_mapping_that_is_not_proved_says_its_gap() -> None:
    mapping = Mapping(Fraction(100), Fraction(75), "branch and bound: limit reached")
    assert quality(mapping) == "gap 25.0 %: none can have fewer than 75.0"
    assert quality(Mapping(Fraction(1), Fraction(10**9 - 1, 10**9), "")) == (
        "gap less than 0.0001 %: none can have fewer than 1.0"
    )


def test_a_limit_of_no_seconds_still_gives_a_plan_and_its_gap(system: Path) -> None:
    named = ("--mechanism", "chronos")  # as its interrupts are not the fewest
    text = horolog_plan(system, "--seconds", "0", "--explain", *named)
    assert text.exit_code == 0, text.output
    assert (
        "search     cut at its limit of 0 s (--seconds); not proved the best: gap " in text.output
    )
    assert "search     ended at the limit; gap " in text.output
    found = json.loads(horolog_plan(system, "--seconds", "0", "--json", *named).stdout)
    assert found["search"]["end"] == "at the limit"
    assert found["search"]["limit_s"] == 0
    assert 0 < found["search"]["gap"] < 1
    assert found["choice"]["prediction"]["interrupts_per_second"] >= Fraction(45_000, 77)


def test_a_search_that_ends_by_itself_says_so_only_if_asked(system: Path) -> None:
    named = ("--mechanism", "chronos")
    assert "search " not in horolog_plan(system, *named).output
    explained = horolog_plan(system, "--explain", *named).output
    least = "gap 23.8 % of its interrupts (no plan has fewer than 584.4/s)"
    assert f"search     ended by itself; {least}" in explained
    found = json.loads(horolog_plan(system, "--json", *named).stdout)
    assert found["search"] == {
        "end": "by itself",
        "limit_s": 10,
        "bound_per_second": round(45_000 / 77, 6),
        "gap": float(1 - Fraction(45_000, 77) / sum(Fraction(1000, t) for t in (3, 5, 7, 11))),
    }


@pytest.mark.parametrize("seconds", ["-1", "soon", "1e9", "1/2", "nan", ""])
def test_what_is_no_number_of_seconds_is_the_users_error(system: Path, seconds: str) -> None:
    result = horolog_plan(system, "--seconds", seconds)
    assert result.exit_code == 2
    assert "is no number of seconds: 10, 0.5 or 0" in result.output


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C as a terminal's programs have it: a shell's background job would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_plan_and_is_the_commands_again_afterwards(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, before = Limit.over, signal.getsignal(signal.SIGINT)

    def interrupted(self: Limit, *arguments: Any, **named: Any) -> bool:
        if not self.interrupted:
            signal.raise_signal(signal.SIGINT)
        return over(self, *arguments, **named)

    monkeypatch.setattr(Limit, "over", interrupted)
    result = horolog_plan(system)
    assert result.exit_code == 0, result.output
    assert "search     interrupted: the best plan found until then; not proved" in result.output
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.usefixtures("ctrl_c")
def test_a_second_ctrl_c_ends_the_command(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(self: Limit, *arguments: Any, **named: Any) -> bool:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return False

    monkeypatch.setattr(Limit, "over", twice)
    assert horolog_plan(system).exit_code == 130


def test_progress_is_shown_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def progress() -> str:
        with searching(Fraction(10)) as limit:
            start = limit._clock()
            monkeypatch.setattr(limit, "_clock", lambda: start + 1)
            assert not limit.over(words=lambda: "half way")
            assert not limit.over(words=lambda: "too soon to be shown")
        return capsys.readouterr().err

    assert progress() == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    shown = progress()
    assert "half way" in shown
    assert "too soon" not in shown
    assert shown.endswith("\r\x1b[K")


def test_the_plan_leads_with_the_deadlines(system: Path) -> None:
    found = json.loads(horolog_plan(system, "--json").output)["deadlines"]
    assert found["hold"] is True
    assert found["verdict"].startswith("all 4 deadlines hold; least slack ")
    assert found["verdict"].endswith(f"ms: {found['least_slack_task']}")
    assert found["least_slack_ns"] > 0
    lines = horolog_plan(system).output.splitlines()
    assert lines[1] == found["verdict"]


def test_a_plan_that_misses_for_certain_ends_with_1(tmp_path: Path) -> None:
    """And one whose deadlines are not proved is only told so."""
    text = """[system]
name = "two"
board = "mps2-an385"
duration = "1 s"

[[task]]
name = "fast"
period = "10 ms"
wcet = "5 ms"
work = 1_000

[[task]]
name = "slow"
period = "14 ms"
wcet = "SLOW"
work = 1_000
"""
    path = tmp_path / "two.toml"
    path.write_text(text.replace("SLOW", "6 ms"), encoding="utf-8")
    result = horolog_plan(path, "--json")
    assert result.exit_code == 1
    assert '"missed": true' in result.output
    path.write_text(text.replace("SLOW", "4.5 ms"), encoding="utf-8")
    assert horolog_plan(path).exit_code == 0
    path.write_text(text.replace("SLOW", "4.999 ms"), encoding="utf-8")
    result = horolog_plan(path)
    assert result.exit_code == 0
    assert 'the deadline of "slow" is not proved' in result.output
