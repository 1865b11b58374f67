# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Curves of queues: how they are looked up, how a queue is chosen by them, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_system, ms

from horolog.analyse import streams
from horolog.data import data_root
from horolog.model import (
    LINEAR_STORES,
    QUEUES,
    STORES,
    UNBOUNDED_STORES,
    HorologError,
    Mode,
    Planned,
    System,
)
from horolog.plan import (
    SHAPES,
    Costs,
    Curve,
    Load,
    Point,
    Prices,
    QueueCosts,
    own_costs_path,
    plan,
    read_prices,
    shape_of,
)
from horolog.plan.prediction.predict import forecast
from horolog.plan.stores.choice import store_options
from horolog.read import read_board

COSTS = Costs(
    *[Fraction(v) for v in (45, 60, 12, 25, 60, 5, 30, 60)],
)


def curve(*points: tuple[int, int]) -> Curve:
    """Through (x, a job's calls)."""
    return Curve(
        tuple(Point(Fraction(x), Fraction(y), Fraction(0), Fraction(0)) for x, y in points)
    )


def queue(*points: tuple[int, int], **changes: object) -> QueueCosts:
    same = curve(*points)
    made = QueueCosts(
        over="waiting",
        ram=Fraction(24),
        ram_per_task=Fraction(0),
        rom=Fraction(0),
        job=Fraction(0),
        job_one_shot=Fraction(0),
        interrupt_periodic=Fraction(0),
        interrupt_one_shot=Fraction(0),
        curves=dict.fromkeys(SHAPES, same),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


LIST = queue((0, 34), (100, 534), over="passed")
FLAT = queue((1, 100), (1000, 100), ram=Fraction(600))


def planned(periods: list[Fraction], queues: Mapping[str, QueueCosts], **how: str) -> Planned:
    return plan(make_system(periods), prices=Prices(COSTS, queues), **how)  # type: ignore[arg-type]


# the curve


def test_a_curve_is_straight_between_its_points_and_goes_on_behind_the_last() -> None:
    bent = curve((10, 100), (20, 200), (40, 220))
    for x, y in ((1, 100), (10, 100), (15, 150), (20, 200), (30, 210), (40, 220), (60, 240)):
        assert bent.at(Fraction(x)) == y
    assert [p.x for p in bent.around(Fraction(15))] == [10, 20]
    assert [p.x for p in bent.around(Fraction(60))] == [20, 40]
    assert [p.x for p in bent.around(Fraction(1))] == [10, 20]


def test_a_curve_of_one_point_is_flat() -> None:
    one = curve((10, 100))
    assert [one.at(Fraction(x)) for x in (0, 10, 99)] == [100, 100, 100]
    assert len(one.around(Fraction(3))) == 1


def test_a_curve_that_falls_never_gets_negative() -> None:
    assert curve((1, 20), (2, 10)).at(Fraction(100)) == 0


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=6),
    st.fractions(0, 50),
)
def test_a_curve_stays_between_the_points_around(rows: list[tuple[int, int]], x: Fraction) -> None:
    points = sorted({a: (a, b) for a, b in rows}.values())
    made = curve(*points)
    if x <= points[-1][0]:
        around = [p.job for p in made.around(x)]
        assert min(around) <= made.at(x) <= max(around)


def test_a_curve_is_uncertain_between_its_points_and_beyond() -> None:
    made = curve((2, 10), (6, 30), (8, 20))
    assert [[*made.uncertain(Fraction(x))] for x in (1, 2, 6, 8)] == [[0, 0]] * 4
    assert made.at(Fraction(3)) == 15
    assert [*made.uncertain(Fraction(3))] == [5, 15]  # 10 to 30
    assert [*made.uncertain(Fraction(7))] == [5, 5]  # 20 to 30
    assert [*made.uncertain(Fraction(10))] == [10, 10]  # 0 to 20: level, or twice as steep


def test_what_a_curve_runs_over_and_what_the_kernel_adds() -> None:
    load = Load(tasks=8, passed=Fraction(5, 2), shape="wide")
    assert LIST.x(load) == Fraction(5, 2)
    assert LIST.per_job(load, Mode.PERIODIC) == 34 + Fraction(25, 2)
    flat = replace(
        FLAT, job=Fraction(-7), job_one_shot=Fraction(11), interrupt_one_shot=Fraction(3)
    )
    modes = (Mode.PERIODIC, Mode.ONE_SHOT)
    assert flat.x(load) == 8
    assert [flat.per_job(load, mode) for mode in modes] == [93, 111]
    assert [flat.per_interrupt(mode) for mode in modes] == [0, 3]


def test_of_tasks_that_share_instants_one_goes_among_the_instants() -> None:
    """Where 4 of 100 tasks are due together, a fourth of the insertions finds no instant to join."""
    shared, apart = curve((1, 60), (9, 20)), curve((1, 50), (201, 250))
    made = queue(
        (1, 1), over="together", curves={**dict.fromkeys(SHAPES, shared), "distinct": apart}
    )
    load = Load(tasks=101, passed=Fraction(0), shape="many", together=Fraction(4))
    assert made.per_job(load, Mode.PERIODIC) == 45 + Fraction(150 - 45, 4)
    assert made.per_job(replace(load, shape="near"), Mode.PERIODIC) == 45
    few = replace(load, tasks=1, together=Fraction(1))
    assert made.per_job(few, Mode.PERIODIC) == 60  # never less than the curve says


def test_ram_grows_by_the_task_and_is_whole() -> None:
    assert replace(FLAT, ram_per_task=Fraction(9, 2)).bytes(3) == 600 + 14


@pytest.mark.parametrize(
    ("periods", "shape"),
    [
        ([5, 5], "same"),
        ([5], "same"),
        ([5, 200], "near"),
        ([5, 201], "wide"),
        ([5 * factor for factor in range(1, 21)], "near"),
        (list(range(10, 22)), "near"),
        (list(range(10, 23)), "many"),
        (list(range(10, 500, 11)), "many"),
    ],
)
def test_the_shape_of_a_workload(periods: list[int], shape: str) -> None:
    assert shape_of(streams(make_system([ms(p) for p in periods])), Fraction(0)) == shape


def test_tasks_that_are_hardly_ever_due_together_are_a_shape_of_their_own() -> None:
    of = streams(make_system([ms(p) for p in (10, 20, 40)]))
    releases = Fraction(100 + 50 + 25)
    assert shape_of(of, releases * 4 / 5) == "distinct"
    assert shape_of(of, releases * 4 / 5 - 1) == "near"
    one = streams(make_system([ms(10), ms(10)]))
    assert shape_of(one, Fraction(200)) == "same"


# the choice


def test_short_lists_stay_lists_and_long_ones_become_something_else() -> None:
    queues = {"sorted-list": LIST, "red-black-tree": FLAT}
    few = planned([ms(10)] * 10, queues).choice
    many = planned([ms(10)] * 60, queues).choice
    assert [r.store for r in few.releasers] == ["sorted-list"]
    assert [r.store for r in many.releasers] == ["red-black-tree"]
    assert [c.store for c in many.queues] == ["red-black-tree"]
    (why,) = many.queues
    assert (why.reason, why.tasks, why.passed) == ("the least predicted cost", 60, Fraction(59, 2))
    assert [o.store for o in why.options] == ["red-black-tree", "sorted-list"]
    assert many.prediction.kernel_per_second == why.options[0].per_second


def test_the_prediction_is_that_over_a_list_plus_the_difference() -> None:
    own = replace(FLAT, job=Fraction(-4), interrupt_periodic=Fraction(-3))
    queues = {"sorted-list": LIST, "calendar": own}
    over_list, over_own = (
        planned([ms(10)] * 60, queues, mechanism="gcd", queue=name).choice.prediction
        for name in ("sorted-list", "calendar")
    )
    a_job = 96 - (34 + 5 * Fraction(59, 2))
    assert over_own.kernel_per_second - over_list.kernel_per_second == 6000 * a_job - 3 * 100
    window = over_own.kernel_instructions - over_list.kernel_instructions
    assert window == 2 * (6000 * a_job - 3 * 100)
    assert over_own.interrupts == over_list.interrupts


def test_what_hardly_saves_is_not_worth_its_ram() -> None:
    # a job costs 145 beside the queue and, at 60 tasks, 181.5 in a list
    queues = {"sorted-list": LIST, "calendar": queue((1, 180), ram=Fraction(600))}
    (why,) = planned([ms(10)] * 60, queues, mechanism="gcd").choice.queues
    assert (why.store, why.options[0].store) == ("sorted-list", "calendar")
    assert why.reason == "less RAM; calendar would save less than 1 %"
    plain = {"sorted-list": LIST, "delta-list": queue((1, 180))}
    (why,) = planned([ms(10)] * 60, plain, mechanism="gcd").choice.queues
    assert why.reason == "plainer; delta-list would save less than 1 %"


def test_an_unbounded_pop_is_only_taken_when_named() -> None:
    queues = {"sorted-list": LIST, "pairing-heap": queue((1, 1))}
    (why,) = planned([ms(10)] * 60, queues).choice.queues
    assert why.store == "sorted-list"
    assert [(o.store, o.admissible) for o in why.options] == [
        ("pairing-heap", False),
        ("sorted-list", True),
    ]
    (why,) = planned([ms(10)] * 60, queues, queue="pairing-heap").choice.queues
    assert (why.store, why.reason) == ("pairing-heap", "named by the user")


def test_a_named_queue_without_a_curve_says_so() -> None:
    (why,) = planned([ms(10)], {"sorted-list": LIST}, queue="bucket").choice.queues
    assert why.store == "bucket"
    assert why.reason.endswith("its cost is not known, so a sorted list's is predicted")


def test_without_curves_it_is_a_sorted_list() -> None:
    for made in (planned([ms(10)] * 60, {}), plan(read_host(60))):
        assert {r.store for r in made.choice.releasers} == {"sorted-list"}
        assert made.choice.queues == ()


def read_host(tasks: int) -> System:
    return make_system([ms(10)] * tasks, board=make_board(ns_per_instruction=None))


def test_each_releaser_has_its_own() -> None:
    queues = {"sorted-list": LIST, "calendar": FLAT}
    made = planned([ms(7)] * 60 + [ms(11)] * 3, queues, mechanism="chronos").choice
    stores = {len(r.tasks): r.store for r in made.releasers}
    assert stores == {60: "calendar", 3: "sorted-list"}


def test_every_option_that_is_linear_or_unbounded_is_a_store() -> None:
    assert {*LINEAR_STORES, *UNBOUNDED_STORES} <= {*STORES}
    assert not {*LINEAR_STORES} & {*UNBOUNDED_STORES}


def test_a_store_plays_no_part_in_its_own_forecast() -> None:
    system = make_system([ms(10)] * 20)
    (releaser,) = plan(system, mechanism="gcd", prices=Prices(COSTS)).choice.releasers
    prices = Prices(COSTS, {"sorted-list": LIST, "calendar": FLAT})
    one, two = (
        forecast(system, replace(releaser, store=s), prices) for s in ("calendar", "sorted-list")
    )
    assert store_options(system, one, prices, 0) == store_options(system, two, prices, 0)


# the file


def text_with(**changes: str) -> str:
    """A costs.toml with one queue; `changes` by key."""
    steps = "".join(f"{field.name} = 1\n" for field in fields(Costs))
    given = {
        "over": '"passed"',
        "ram": "24",
        "ram_per_task": "0",
        "rom": "-4",
        "job": "-1.5",
        "job_one_shot": "2",
        "interrupt_periodic": "0",
        "interrupt_one_shot": '"-1/3"',
        **dict.fromkeys(SHAPES, "[[0, 20, 7, 5.25], [10, 70, 7, 5]]"),
        **changes,
    }
    lines = "".join(f"{key} = {value}\n" for key, value in given.items() if value)
    return f"[costs]\n{steps}[queue.sorted-list]\n{lines}"


def read(text: str, folder: Path) -> Prices:
    (folder / "costs.toml").write_text(text, encoding="utf-8")
    return read_prices(make_board(directory=folder))


def test_a_queue_is_read_exactly(tmp_path: Path) -> None:
    found = read(text_with(), tmp_path).queues["sorted-list"]
    assert (found.job, found.interrupt_one_shot) == (Fraction(-3, 2), Fraction(-1, 3))
    assert found.job_one_shot == 2
    assert found.curves["near"].points[0] == Point(
        Fraction(0), Fraction(20), Fraction(7), Fraction(21, 4)
    )


def test_a_queue_of_an_earlier_file_costs_the_same_on_any_cell(tmp_path: Path) -> None:
    found = read(text_with(job_one_shot=""), tmp_path).queues["sorted-list"]
    assert found.job_one_shot == found.job


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ram": ""}, "queue.sorted-list.ram: a value is missing"),
        ({"ram": "-1"}, r":25:7: queue.sorted-list.ram: a value cannot be used\n  found:    -1"),
        (
            {"job": '"x"'},
            r":28:7: queue.sorted-list.job: a value cannot be used\n  found:    \"x\"",
        ),
        ({"over": '"time"'}, 'expected: one of "waiting", "passed", "together" or "depth"'),
        ({"near": ""}, "queue.sorted-list.near: a value is missing"),
        ({"near": "[]"}, "near: a value cannot be used"),
        ({"near": "3"}, "near: a value cannot be used\n  found:    3"),
        ({"near": "[[1, 2, 3]]"}, r"near\[0\]: a value cannot be used"),
        ({"near": "[[1, 2, 3, inf]]"}, r"near\[0\]\[3\]: a value cannot be used"),
        ({"near": "[[1, 2, 3, 4], [1, 2, 3, 4]]"}, r"expected: more than 1: x ascends"),
    ],
)
def test_a_queue_that_cannot_be_used(change: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read(text_with(**change), tmp_path)
    assert re.search(message, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "queue.sorted-list",
            "queue.sorted",
            'unknown queue "sorted"; did you mean "sorted-list"?',
        ),
        ("queue.sorted-list", "queue.calendar", r"no \[queue.sorted-list\] table"),
        ("[queue.sorted-list]", "[queue]", 'unknown queue "over"'),
    ],
)
def test_queues_that_there_are_not(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HorologError, match=message):
        read(text_with().replace(old, new), tmp_path)


def test_the_users_copy_goes_before_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = read_board("mps2-an385")
    shipped = read_prices(board)
    assert shipped.origin is not None
    assert (shipped.origin.kind, shipped.origin.file) == (
        "shipped",
        "boards/mps2-an385/costs.toml",
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own = own_costs_path(board)
    assert own == tmp_path / "horolog" / "boards" / "mps2-an385" / "costs.toml"
    assert read_prices(board) == shipped
    own.parent.mkdir(parents=True)
    own.write_text(text_with(), encoding="utf-8")
    found = read_prices(board)
    assert found.origin is not None
    assert (found.origin.kind, found.origin.file) == ("the user's copy", str(own))
    assert found.origin.toolchain is None
    # A board of the user's own that has the same name has nothing to do with it.
    other = replace(board, directory=tmp_path)
    assert own_costs_path(other) == tmp_path / "costs.toml"


@pytest.mark.parametrize("named", ["", "relative/folder"])
def test_no_configuration_folder_named_is_that_of_the_home(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", named)
    monkeypatch.setenv("HOME", str(tmp_path))
    own = own_costs_path(read_board("mps2-an385"))
    assert own == tmp_path / ".config" / "horolog" / "boards" / "mps2-an385" / "costs.toml"


def test_the_shipped_costs_have_a_curve_for_every_queue() -> None:
    queues = read_prices(read_board("mps2-an385")).queues
    assert tuple(queues) == QUEUES
    assert all(set(one.curves) == set(SHAPES) for one in queues.values())
    assert (data_root() / "boards" / "mps2-an385" / "costs.toml").is_file()
