# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `analysis`: its draws, the oracles, systems of each kind run, and terms that are left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import (
    HorologError,
    Kind,
    Place,
    Resource,
)
from horolog.plan import plan
from horolog.responses import analysis_of
from horolog.schedulability import Demand, response_bounds
from horolog.trace import Job
from horolog_experiments.analysis.campaign import (
    QUICK,
    Answer,
    Step,
    measure_analysis,
    steps,
    without_gaps,
)
from horolog_experiments.analysis.draws import Case, case_of, factor_case, system_of
from horolog_experiments.analysis.dropped import DROPPED
from horolog_experiments.analysis.elsewhere import Planned, more_instants, search_phases
from horolog_experiments.analysis.measure import Factor, Seen, measure_case, measure_factor
from horolog_experiments.analysis.oracle import differs, drawn, theirs
from horolog_experiments.analysis.page import analysis_page, analysis_rows
from horolog_experiments.analysis.paths import longest_age, longest_reaction
from horolog_experiments.analysis.phasing import Phasing, at_rest, from_run, placed
from horolog_experiments.analysis.results import DATA, Analysed
from horolog_experiments.analysis.search import search
from horolog_experiments.analysis.simulated import simulation_differs
from horolog_experiments.analysis.targets import TARGETS
from horolog_experiments.harness import Run, entries
from horolog_experiments.planner.families import Draw


def test_the_analysis_equals_the_oracle() -> None:
    assert not [number for number in range(300) if differs(number)]


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(sources: object) -> list[int | None]:
        found = theirs(drawn(3))
        return [None if one is None else one + 1 for one in found]

    monkeypatch.setattr("horolog_experiments.analysis.oracle.theirs", wrong)
    assert differs(0)
    assert differs(1)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # simso imports imp, gone in Python 3.12
def test_a_simulation_finds_the_bounds() -> None:
    pytest.importorskip("simso")
    assert not [number for number in range(10) if simulation_differs(number)]


def test_draws_depend_on_their_number_alone() -> None:
    assert case_of(7, "host") == case_of(7, "host") != case_of(8, "host")
    system = system_of(case_of(5, "host"))
    assert system.tasks == system_of(case_of(5, "host")).tasks
    bodies = sum((task.wcet or 0) / task.period for task in system.tasks)
    assert bodies <= Fraction(case_of(5, "host").load, 100) + Fraction(1, 10)


def test_what_was_drawn_before_there_were_sporadic_tasks_stays() -> None:
    case = case_of(5, "host")
    assert not case.untimed
    assert case.text == (
        "Case(number=5, board='host', kind='basic', mechanism='one-shot', n=16, offsets='none', "
        "jitter=False, load=59, family='automotive', resources=0, interrupts=0, chains=0, "
        "interrupt_counts=110, job_counts=191)"
    )
    with_bursts = replace(case, bursts=True, interrupts=2)
    assert system_of(with_bursts).tasks == system_of(replace(with_bursts, bursts=False)).tasks
    assert replace(case, sporadic=1).text != case.text


def test_draws_have_what_the_issue_lists() -> None:
    of = [case_of(number, "host") for number in range(100)]
    assert {one.offsets for one in of} == {"none", "random", "behind"}
    assert {one.kind for one in of} == {kind.value for kind in Kind}
    assert {one.family for one in of} == {"uniform", "automotive"}
    assert min(one.n for one in of) >= 5
    assert max(one.n for one in of) <= 100
    for name in ("resources", "interrupts", "chains"):
        assert {getattr(one, name) for one in of} >= {0, 1, 2}
    alone = factor_case(3)
    assert (alone.offsets, alone.resources, alone.interrupts) == ("none", 0, 0)


_CASE = Case(0, "host", "thread", "one-shot", 6, "random", True, 60)
_BUSY = replace(_CASE, interrupt_counts=300, job_counts=300, chains=2, interrupts=2)


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_no_response_on_the_host_is_above_its_bound(kind: str, tmp_path: Path) -> None:
    resources = 1 if kind == Kind.BASIC.value else 0
    case = replace(_BUSY, number=1, kind=kind, offsets="behind", resources=resources, jitter=False)
    seen = measure_case(case, tmp_path)
    assert (seen.state, seen.above, seen.late_chains) == ("measured", 0, 0)
    assert (seen.bounds, seen.runs, seen.chains) == (6, 4, 2)
    assert Fraction(1, 2) < sum(seen.ratios) / 6 <= 1


@pytest.mark.emulator
def test_on_the_board_the_kernel_is_needed_in_the_bound(tmp_path: Path) -> None:
    """Without offsets the worst case happens at the start; a bound without the kernel's work is below it."""
    case = Case(0, "mps2-an385", "thread", "gcd", 6, "none", False, 50)
    seen = measure_case(case, tmp_path)
    assert (seen.state, seen.above) == ("measured", 0)
    assert seen.dropped is not None
    assert seen.dropped["all of the kernel"] > 0
    assert seen.dropped["others of the level"] >= 0


_WRONG = {
    "blocking": replace(
        _CASE, kind="basic", mechanism="tick", offsets="behind", resources=2, jitter=False
    ),
    "one interrupt": replace(
        _CASE, mechanism="tick", offsets="none", interrupts=1, interrupt_counts=200, jitter=False
    ),
    "jitter": replace(_CASE, mechanism="tick", jitter=True),
}


@pytest.mark.parametrize("name", _WRONG)
def test_a_wrong_term_is_found(name: str, tmp_path: Path) -> None:
    """Without it the same responses are above their bounds, and with it none is."""
    seen = measure_case(_WRONG[name], tmp_path)
    assert (seen.state, seen.above) == ("measured", 0)
    assert seen.dropped is not None
    assert seen.dropped[name] > 0


# "others of the level" orders a level anew, so that some of its bounds are longer.
@pytest.mark.parametrize("name", [name for name in DROPPED if not name.startswith("others")])
def test_without_a_term_no_bound_is_longer(name: str) -> None:
    system = system_of(Case(1, "host", "basic", "one-shot", 12, "none", True, 60))
    try:
        chosen = plan(system).choice
    except HorologError:
        pytest.skip("no plan")
    demand = analysis_of(system, chosen).demanded.demand

    def by_task(of: Demand) -> dict[int, int]:
        return {one.task: one.response or 0 for one in response_bounds(of)}

    before, after = by_task(demand), by_task(DROPPED[name](demand))
    assert all(after[task] <= before[task] for task in after)


def test_the_breakdown_factor_is_found(tmp_path: Path) -> None:
    found = measure_factor(0, tmp_path)
    assert found.state == "measured"
    assert found.off < Fraction(1, 20)
    assert found.predicted <= found.found * Fraction(201, 200)


def _job(task: int, release: int, start: int, end: int) -> Job:
    return Job(task, 0, Fraction(release), start, end, end - start, Fraction(1))


def test_chains_by_hand() -> None:
    """The change comes after the read at 1, is read at 11, written at 14; the reader at 12 is too early."""
    due = [
        _job(0, 0, 1, 4),
        _job(0, 10, 11, 14),
        _job(1, 0, 5, 8),
        _job(1, 12, 12, 13),
        _job(1, 20, 21, 23),
    ]
    assert longest_reaction(due, (0, 1)) == Fraction(23 - 2, 10**9)
    assert longest_age(due, (0, 1)) == Fraction(13 - 0, 10**9)
    assert longest_reaction(due[:1], (0, 1)) is None
    assert longest_age(due[:2], (0, 1)) is None


def test_all_parts_advance_together() -> None:
    asked = steps({"host": 4, "large": 2})
    assert asked[:3] == [Step("host", 0), Step("large", 0), Step("host", 1)]
    assert len(asked) == 6


def test_a_run_that_ends_early_keeps_what_has_no_gap_before_it() -> None:
    one = Answer()
    answers = {Step("host", 0): one, Step("host", 2): one, Step("large", 0): one}
    assert [*without_gaps(answers)] == [Step("host", 0), Step("large", 0)]


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is not measured again: a second run says nothing and finds the same."""
    said: list[str] = []
    run = Run(tmp_path, said.append)
    counts = {"oracle": 1, "host": 1}
    first = measure_analysis(run, counts)
    assert len(said) == 2
    assert measure_analysis(run, counts) == first
    assert len(said) == 2
    assert (first.oracle, first.differing, len(first.seen)) == (250, (), 1)
    assert set(QUICK) >= {"host", "mps2-an385", "ibex-cells", "factor", "large", "oracle", "simso"}
    assert not Answer().missing


_NAMES = [target.name for target in TARGETS]


def _found(seen: tuple[Seen, ...]) -> Analysed:
    factor = Factor(factor_case(0), "measured", Fraction(2), Fraction(4))
    return Analysed(10_000, (), None, (), 100, 0, "a board", "a compiler", seen, (factor,))


def test_the_page_has_targets_and_rows() -> None:
    case = replace(case_of(5, "host"), offsets="none")
    ratios = (Fraction(4, 5),) * 5
    seen = Seen(case, "measured", True, 0, 5, 0, 0, ratios, 4, 1, 0, dict.fromkeys(DROPPED, 1))
    found = _found((seen, replace(seen, state="never idle")))
    targets = {one["name"]: one for one in entries(TARGETS, found)}
    assert [targets[name]["met"] for name in _NAMES] == [
        True,
        False,
        False,
        False,
        True,
        False,
        False,
    ]
    assert targets[_NAMES[2]]["measured"] == pytest.approx(0.8)
    assert targets[_NAMES[5]]["measured"] == 50
    page = analysis_page(found, figures=False)
    assert page.index("## Targets") < page.index("## Measured")
    assert "| blocking | 1 | 1 |" in page
    assert analysis_rows(found)[0]["ratio"] == pytest.approx(0.8)
    assert DATA.read(DATA.text(found)) == found


def test_one_response_above_its_bound_is_enough() -> None:
    """With all systems there, and one response above, the target is missed; it is met without."""
    from horolog_experiments.analysis.campaign import WHOLE

    seen = tuple(
        Seen(case_of(number, board), "measured", bounds=1, chains=1, ratios=(Fraction(1),))
        for board in ("host", "mps2-an385", "ibex-cells")
        for number in range(WHOLE[board])
    )
    good = entries(TARGETS, _found(seen))
    assert [good[at]["met"] for at in (1, 6)] == [True, True]
    bad = entries(TARGETS, _found((replace(seen[0], above=1, late_chains=1), *seen[1:])))
    assert [bad[at]["met"] for at in (1, 6)] == [False, False]
    assert [bad[at]["measured"] for at in (1, 6)] == [1, 1]


def _blocked(folder: Path) -> Planned:
    """A basic task that a resource holds up only if the one below has begun just before: never as drawn."""
    case = Case(1, "host", "basic", "one-shot", 5, "none", False, 30, job_counts=50)
    system = system_of(case)
    period, wcet = Fraction(1, 100), Fraction(1, 2000)
    tasks = tuple(
        replace(
            system.tasks[at],
            period=(at + 1) * period,
            deadline=(at + 1) * period,
            wcet=wcet,
            work=None,
            body=f"body_{at}",
        )
        for at in range(2)
    )
    shared = Resource("shared", (0, 1), Place("by hand"), (wcet / 10, wcet))
    sources = ((folder / "bodies.c").resolve(),)
    system = replace(system, tasks=tasks, resources=(shared,), sources=sources)
    return Planned(case, system, plan(system, mechanism="sloth").choice)


def test_the_search_finds_the_worst_phasing_that_the_drawn_phases_miss(tmp_path: Path) -> None:
    drawn = _blocked(tmp_path)
    below = Draw("by hand").below
    as_drawn, seen = search(drawn.runner(tmp_path), drawn.system, drawn.bounds, 4, below)
    assert as_drawn.responses[0] < Fraction(6, 10) * drawn.bounds[0]
    found = search_phases(drawn, as_drawn, seen, tmp_path, 2, below, lambda known, seen: 0)
    assert Fraction(9, 10) * drawn.bounds[0] < found.longest.responses[0] <= drawn.bounds[0]
    assert (found.above, found.phasings, found.runs) == (set(), 1, 2)


def test_bounds_do_not_hold_where_a_one_shot_cell_interrupts_more_often(tmp_path: Path) -> None:
    """Tasks of one period that are released together share interrupts; elsewhere they do not."""
    case = Case(1, "host", "basic", "one-shot", 6, "none", False, 30)
    system = system_of(case)
    first = system.tasks[0]
    alike = tuple(replace(task, period=first.period) for task in system.tasks[:2])
    system = replace(system, tasks=(*alike, *system.tasks[2:]))
    one_shot = plan(system, mechanism="one-shot").choice
    later = [replace(task, offset=first.period / 2) for task in system.tasks]
    apart = replace(system, tasks=(*system.tasks[:1], *later[1:]))
    assert more_instants(system, apart, one_shot)
    assert not more_instants(system, replace(system, tasks=tuple(later)), one_shot)
    assert not more_instants(apart, system, one_shot)
    assert not more_instants(system, apart, plan(system, mechanism="gcd").choice)


def test_phases_stay_on_the_instants_of_periodic_cells() -> None:
    """A task that is to come a count earlier than its cell's instant comes at the next one."""
    case = Case(1, "host", "thread", "gcd", 5, "random", False, 30)
    system = system_of(case)
    chosen = plan(system, mechanism="gcd").choice
    step = chosen.releasers[0].cell_period
    assert step is not None
    counts = [at * step for at in range(5)]
    there = placed(system, chosen, Phasing((counts[0] + 7, counts[1] + 6, *counts[2:]), victim=0))
    assert there is not None
    hz = system.board.clock.hz
    instants = [int(task.offset * hz) for task in there[0].tasks]
    assert instants[0] == there[1].releasers[0].first == 7
    assert {(at - 7) % step for at in instants} == {0}
    assert instants[1] > counts[1]


def test_a_change_begins_where_a_task_waited_longest() -> None:
    """The other tasks keep their distance from that release, or come with it, but for one."""
    case = Case(1, "host", "thread", "one-shot", 6, "random", False, 30)
    system = system_of(case)
    demand = analysis_of(system, plan(system, mechanism="one-shot").choice).demanded.demand
    hz = int(system.board.clock.hz)
    drawn, periods = at_rest(system), [int(task.period * hz) for task in system.tasks]
    release = drawn.counts[2] + 3 * periods[2]
    job = Job(2, 3, system.tasks[2].offset + 3 * system.tasks[2].period, 0, 1, 1, Fraction(1))
    changed = from_run(system, demand, drawn, job, Draw("by hand").below)
    assert (changed.counts[2], changed.victim) == (0, 2)
    elsewhere = [
        at
        for at, count in enumerate(changed.counts)
        if count and count != (drawn.counts[at] - release) % periods[at]
    ]
    assert len(elsewhere) <= 1
    assert changed != drawn
