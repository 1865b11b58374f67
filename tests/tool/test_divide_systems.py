# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems divided among cores, with the planner and the analysis that all systems have."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from tests.tool.factory import make_system, make_task, ms

from horolog.divide import Divided, Effort, divide, plain_part, relaxed, together
from horolog.divide.systems import Planner, problem_of
from horolog.model import (
    AperiodicServer,
    Board,
    Chain,
    Exit,
    HorologError,
    Kind,
    MutexKind,
    NotInstalled,
    Place,
    Resource,
    ServerKind,
    Sporadic,
    System,
    Task,
)
from horolog.plan import Limit, plan, read_prices
from horolog.read import read_board, read_system
from horolog.responses import analysis_of, plan_for

LITTLE = Effort(exhaustive=0, first=0.1, next=0.02, rounds=2, moving=60, finalists=1)
HERE = Place("system.toml")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def ibex() -> Board:
    return read_board("ibex-cells")


def system_of(
    board: Board, *tasks: tuple[str, str], cells: int = 16, deadlines: str | None = None
) -> System:
    """Tasks with these periods and WCETs in ms."""
    made = [
        make_task(f"t{at}", ms(period), wcet=ms(wcet), line=at + 1)
        for at, (period, wcet) in enumerate(tasks)
    ]
    return make_system(tasks=made, board=board, cells=[cell.name for cell in board.cells[:cells]])


def proofs(system: System, cores: int, found: Divided) -> list[bool]:
    """Whether each core is proved, planned as a user would plan it."""
    holds = []
    for core, mechanism in enumerate(found.mechanisms):
        tasks = [at for at, own in enumerate(found.cores) if own == core]
        if not tasks:
            assert mechanism is None
            continue
        part = plain_part(system, cores, tasks, core)
        planned = plan(part, mechanism=mechanism) if mechanism else plan_for(part)[1]
        holds.append(analysis_of(part, planned.choice, read_prices(part.board)).holds)
    return holds


def test_each_core_is_proved_and_the_overhead_is_the_sum(ibex: Board) -> None:
    system = system_of(ibex, ("5", "3"), ("7", "4"), ("10", "2"), ("14", "3"))
    found = divide(system, 2)
    assert proofs(system, 2, found) == [True, True]
    parts = [[at for at in range(4) if found.cores[at] == core] for core in range(2)]
    prices = [
        plan(plain_part(system, 2, tasks, core)).choice.prediction.kernel_per_second
        for core, tasks in enumerate(parts)
    ]
    assert found.price == found.bound == sum(prices)
    assert found.gap == 0
    assert found.unit == "cycles"
    assert found.text.endswith("all divisions were compared; no division has less")


def test_the_gap_of_a_search_is_said(ibex: Board) -> None:
    system = system_of(ibex, ("5", "1"), ("7", "2"), ("10", "3"), ("14", "4"), ("20", "5"))
    best, found = divide(system, 2), divide(system, 2, effort=LITTLE)
    assert proofs(system, 2, found) == [True, True]
    assert found.bound is not None
    assert found.gap is not None
    assert found.bound <= best.price <= found.price
    assert 0 < found.gap < 1
    assert "a gap of" in found.text
    assert "that are proved" in found.text


def test_harmonic_tasks_share_a_core_where_interrupts_are_counted() -> None:
    """The board has no costs: interrupts are counted, and each instant takes one."""
    tasks = [
        ("5", "1"),
        ("7", "1"),
        ("10", "2"),
        ("14", "2"),
        ("20", "4"),
        ("28", "4"),
        ("40", "4"),
    ]
    tasks = [*tasks, ("56", "8")]
    board = read_board("host")
    system = replace(system_of(board, *tasks, cells=len(board.cells)), objective="interrupts")
    found = divide(system, 2)
    assert found.unit == "interrupts"
    assert found.price == 200 + Fraction(1000, 7)
    assert found.gap == 0
    assert {found.cores[at] for at in (0, 2, 4, 6)} == {found.cores[0]}
    assert {found.cores[at] for at in (1, 3, 5, 7)} == {1 - found.cores[0]}


def test_tasks_stay_where_the_user_has_put_them(ibex: Board) -> None:
    system = system_of(ibex, ("5", "1"), ("10", "1"), ("20", "1"))
    every = frozenset({0, 1})
    found = divide(system, 2, allowed=[frozenset({1}), every, frozenset({0})])
    assert found.cores[0] == 1
    assert found.cores[2] == 0


def test_tasks_of_a_resource_or_a_chain_stay_together(ibex: Board) -> None:
    system = system_of(ibex, ("5", "1"), ("10", "1"), ("20", "1"), ("40", "1"), ("80", "1"))
    system = replace(
        system,
        resources=(Resource("bus", (0, 3), HERE, mutex=MutexKind.CEILING),),
        chains=(Chain("path", (3, 4), ms(500), None, HERE),),
    )
    assert together(system) == ((0, 3, 4), (1,), (2,))
    found = divide(system, 2, effort=LITTLE)
    assert found.cores[0] == found.cores[3] == found.cores[4]
    part = plain_part(system, 2, (0, 3, 4), 1)
    assert part.resources[0].tasks == (0, 1)
    assert part.chains[0].tasks == (1, 2)
    assert part.cells == system.cells[8:]
    assert not plain_part(system, 2, (1, 2), 0).resources


def spun(system: System, hold: str, cores: int = 2) -> System:
    """Its first two tasks use a resource for which cores spin."""
    resource = Resource("bus", (0, 1), HERE, (ms(hold), ms(hold)), spin=True)
    return replace(system, resources=(resource,), cores_with_tasks=cores)


def test_users_of_what_cores_spin_for_may_be_apart(ibex: Board) -> None:
    system = spun(system_of(ibex, ("10", "6"), ("10", "6"), ("20", "1")), "1")
    assert together(system) == ((0,), (1,), (2,))
    found = divide(system, 2)
    assert found.cores[0] != found.cores[1]
    (bus,) = plain_part(system, 2, (1, 2), 1).resources
    assert (bus.tasks, bus.elsewhere) == ((0,), (ms("1"),))


def test_waits_for_other_cores_are_in_the_proof_of_a_division(ibex: Board) -> None:
    """Apart each task waits for 5 ms of the other one, and its response is above its deadline."""
    with pytest.raises(HorologError, match="no division"):
        divide(
            spun(system_of(ibex, ("10", "6"), ("10", "6")), "5"),
            2,
            mechanism="one-shot",
            effort=LITTLE,
        )
    system = spun(system_of(ibex, ("12", "6"), ("12", "6.1")), "5")
    found = divide(system, 2, mechanism="one-shot")
    assert found.cores == (0, 1)
    assert all(proofs(system, 2, found))


def test_tasks_that_may_be_on_no_core_together(ibex: Board) -> None:
    system = system_of(ibex, ("5", "1"), ("10", "1"))
    system = replace(system, resources=(Resource("bus", (0, 1), HERE, mutex=MutexKind.CEILING),))
    with pytest.raises(HorologError, match="on one core may be on none together") as error:
        divide(system, 2, allowed=[frozenset({1}), frozenset({0})])
    assert error.value.found == "t0, t1"


def test_an_error_names_the_core_that_fails_first(ibex: Board) -> None:
    system = system_of(ibex, ("10", "6"), ("10", "6"), ("10", "6"))
    with pytest.raises(HorologError) as error:
        divide(system, 2, effort=LITTLE)
    text = str(error.value)
    assert error.value.exit is Exit.DOES_NOT_HOLD
    assert "no division of its 3 tasks among 2 cores was found that is proved" in text
    assert "120.0 % by their WCETs" in text
    assert "3 cores have room for these WCETs" in text
    assert "times as long" in text


def test_an_error_says_by_how_much_a_response_is_too_long(ibex: Board) -> None:
    system = system_of(ibex, ("10", "5"), ("14", "6"))
    with pytest.raises(HorologError, match=r"core 0 fails first") as error:
        divide(system, 1)
    assert error.value.place == Place("system.toml", 2)
    assert error.value.found is not None
    assert "% too long" in error.value.found


def test_an_error_says_that_tasks_are_on_cores_that_do_not_suit(ibex: Board) -> None:
    system = system_of(ibex, ("10", "6"), ("10", "6"))
    fixed = frozenset({1})
    with pytest.raises(HorologError) as error:
        divide(system, 2, allowed=[fixed, fixed])
    assert "among 2 cores is proved: in the nearest one core 1 fails first" in str(error.value)
    assert "proved if these may be on any core: t0, t1" in str(error.value)


def test_a_limit_that_is_over_ends_the_search(ibex: Board) -> None:
    system = system_of(
        ibex, ("5", "1"), ("7", "1"), ("10", "2"), ("14", "2"), ("20", "3"), ("28", "3")
    )
    found = divide(system, 2, limit=Limit(Fraction(1, 1000)))
    assert found.compared == 1
    assert proofs(system, 2, found) == [True, True]


def test_more_work_than_cores_is_said_at_once(ibex: Board) -> None:
    system = system_of(ibex, ("10", "9"), ("10", "9"), ("10", "9"))
    with pytest.raises(HorologError, match="cannot be divided among 2 cores") as error:
        divide(system, 2)
    assert "at most 200 %: 3 cores" in str(error.value)


def test_a_part_without_a_plan_fails_first(ibex: Board) -> None:
    late = replace(make_task("late", ms(10), wcet=ms(1)), offset=Fraction(40))
    system = make_system(
        tasks=[late, make_task("other", ms(5), wcet=ms(1))], board=ibex, cells=["cell0"]
    )
    system = replace(system, cells=("cell0", "cell1"))
    with pytest.raises(HorologError, match="fails first") as error:
        divide(system, 2)
    assert "offset" in str(error.value)


def test_without_a_wcet_nothing_is_divided(ibex: Board) -> None:
    tasks = [make_task("a", ms(5), wcet=ms(1)), make_task("b", ms(5), line=7)]
    with pytest.raises(HorologError, match="without all WCETs") as error:
        divide(make_system(tasks=tasks, board=ibex), 2)
    assert error.value.place == Place("system.toml", 7)


def test_a_plan_without_a_proof_gives_way_to_a_mechanism_with_one(
    ibex: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a part with the first task no plan is proved but one-shot's."""
    from horolog.divide import systems

    def only(part: System, of: object, found: object) -> bool:
        return part.tasks[0].name != "t0" or getattr(of, "mechanism", "") == "one-shot"

    monkeypatch.setattr(systems, "_holds", only)
    system = system_of(ibex, ("5", "1"), ("7", "1"))
    found = divide(system, 2)
    assert found.mechanisms[found.cores[0]] == "one-shot"


def test_a_mechanism_that_is_named_is_taken(ibex: Board) -> None:
    system = system_of(ibex, ("5", "2"), ("7", "2"), ("10", "4"))
    free, named = divide(system, 2), divide(system, 2, mechanism="tick")
    assert named.price > free.price
    assert named.mechanisms == (None, None)


@pytest.mark.parametrize("name", ["ibex-cells", "mps2-an385"])
def test_no_plan_of_tasks_that_share_threads_is_below_the_bound(name: str) -> None:
    board, draw = read_board(name), random.Random(f"shared {name}")
    for _ in range(3):
        count = draw.randint(4, 12)
        tasks = [
            replace(
                make_task(f"t{at}", ms(draw.choice((2, 5, 10, 20))), wcet=ms("0.1"), line=at + 1),
                shares=draw.random() < 0.8,
            )
            for at in range(count)
        ]
        cells = [cell.name for cell in board.cells[:2]]
        system = make_system(tasks=tasks, board=board, cells=cells)
        of = Planner(system, partial(plain_part, system, 1), None, None, None, Limit())
        problem, _ = problem_of(system, 1, of)
        bound = problem.least + problem.bound(frozenset(range(count)))
        for one in plan(system).alternatives:
            if one.plan is not None:
                assert one.plan.prediction.kernel_per_second >= bound > 0, one.mechanism


def test_tasks_that_share_a_thread_go_to_one_core(ibex: Board) -> None:
    """Else each core pays for a thread's jobs."""
    system = system_of(ibex, *[("5", "0.4")] * 4, *[("7", "0.4")] * 4)
    system = replace(
        system,
        tasks=tuple(replace(task, shares=True, deadline=ms(2)) for task in system.tasks),
    )
    found = divide(system, 2, effort=LITTLE)
    assert len({found.cores[at] for at in range(4)}) == 1
    assert len({found.cores[at] for at in range(4, 8)}) == 1


def test_what_belongs_together_in_the_examples() -> None:
    def sets(name: str) -> list[list[str]]:
        system = read_system(ROOT / "examples" / name / "system.toml")
        return [
            [system.all_tasks[at].name for at in unit] for unit in together(system) if len(unit) > 1
        ]

    assert sets("combustion") == [["inject", "ignite", "knock"], ["sample", "filter", "report"]]
    table = ["sense", "control", "actuate", "estimate", "navigate", "telemetry"]
    assert sets("flight-table") == [table]


def test_a_server_and_what_a_task_activates_stay_with_it(ibex: Board) -> None:
    system = system_of(ibex, ("5", "1"), ("10", "1"))
    sporadic = make_task("late", ms(10), wcet=ms(1))
    served = AperiodicServer("server", ServerKind.POLLING, 1, 1)
    system = replace(
        system,
        sporadic=(Sporadic(sporadic, None, after=0), Sporadic(sporadic, None, server=served)),
    )
    assert together(system) == ((0, 2), (1, 3))


def test_tasks_that_are_activated_any_number_of_times_are_not_divided(ibex: Board) -> None:
    loose = Sporadic(make_task("loose", ms(10), wcet=ms(1)), None, unbounded="no min_gap")
    system = replace(system_of(ibex, ("5", "1")), sporadic=(loose,))
    with pytest.raises(HorologError, match="nothing bounds how often"):
        divide(system, 2)


def test_basic_tasks_have_no_bound(ibex: Board) -> None:
    def basic(at: int, period: str) -> Task:
        return make_task(f"b{at}", ms(period), wcet=ms("0.5"), kind=Kind.BASIC)

    tasks = [basic(at, period) for at, period in enumerate(("5", "7", "10", "14"))]
    system = make_system(tasks=tasks, board=ibex, cells=[cell.name for cell in ibex.cells[:8]])
    found = divide(system, 2, effort=LITTLE)
    assert found.gap is None
    assert "is not known" in found.text
    assert proofs(system, 2, found)


def test_cores_with_other_cells_are_not_alike() -> None:
    board = read_board("mps2-an385")
    system = system_of(board, ("5", "1"), ("7", "1"), cells=4)
    asked = set()

    def part_of(tasks: tuple[int, ...], core: int) -> System:
        asked.add((tasks, core))
        share = system.cells[:3] if core == 0 else system.cells[3:]
        return replace(system, cells=share, tasks=tuple(system.tasks[at] for at in tasks))

    found = divide(system, 2, part_of=part_of)
    assert {core for _, core in asked} == {0, 1}
    assert found.bound is not None


def test_without_the_solver_what_to_install_is_said(
    monkeypatch: pytest.MonkeyPatch, ibex: Board
) -> None:
    monkeypatch.setattr(relaxed, "ortools_installed", lambda: False)
    few = system_of(ibex, ("5", "1"), ("7", "2"))
    assert divide(few, 2).gap == 0  # all are compared
    with pytest.raises(NotInstalled) as caught:
        divide(few, 2, effort=LITTLE)
    assert caught.value.exit is Exit.NOT_INSTALLED
    assert caught.value.expected == (
        'python -m pip install "ortools>=9.12", or core = 0, 1, ... for each task'
    )
