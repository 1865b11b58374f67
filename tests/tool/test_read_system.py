# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a valid system.toml becomes: defaults, order, groups."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from horolog.data import data_root
from horolog.model import HorologError, Kind, Overrun, PriorityRule, System
from horolog.read import read_system
from horolog.read.distributions import AUTOMOTIVE_SHARES, periods_of

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

MS = Fraction(1, 1000)
CHRONOS_SEED_1 = [30, 22, 10, 40, 35, 44, 24, 21, 50, 11, 56, 20]
HARMONIC_SEED_1 = [48, 11, 5, 40, 40, 22, 24, 24, 80, 11, 56, 10]


def example(name: str) -> System:
    return read_system(data_root() / "examples" / name / "system.toml")


def test_defaults(workshop: Workshop) -> None:
    system = workshop.read()
    fast, slow = system.tasks
    assert system.cells == ("timer0", "timer1", "dual0", "systick")
    assert system.priorities is PriorityRule.RATE_MONOTONIC
    assert system.sources == ((workshop.directory / "bodies.c").resolve(),)
    assert (fast.offset, fast.deadline, fast.stack) == (Fraction(0), 5 * MS, 512)
    assert (fast.overrun, fast.kind, fast.priority) == (Overrun.SKIP, Kind.THREAD, None)
    assert (fast.body, fast.work, fast.wcet) == ("fast_step", None, Fraction(120, 10**6))
    assert (slow.body, slow.work, slow.wcet) == (None, 500, Fraction(32, 10**6))


def test_a_task_knows_its_header(workshop: Workshop) -> None:
    place = workshop.read().tasks[1].place
    assert (place.line, place.column, place.key) == (13, 1, "task.slow")


def test_cells_keep_the_order_of_the_user(workshop: Workshop) -> None:
    system = workshop.read(('"2 s"', '"2 s"\ncells = ["systick", "timer0"]'))
    assert system.cells == ("systick", "timer0")


def test_the_cell_of_time_outs_is_none_of_the_cells(workshop: Workshop) -> None:
    system = workshop.read(('"2 s"', '"2 s"\ntimeouts = "timer1"\nstart = "fast_step"'))
    assert system.cells == ("timer0", "dual0", "systick")
    assert (system.timeouts, system.start, system.uses_services) == ("timer1", "fast_step", True)


def test_without_them_the_application_calls_nothing(workshop: Workshop) -> None:
    system = workshop.read()
    assert (system.timeouts, system.start, system.uses_services) == (None, None, False)


def test_tasks_may_end(workshop: Workshop) -> None:
    assert workshop.read(('"2 s"', '"2 s"\nreleases = 5')).releases == 5
    assert workshop.read().releases is None


def test_another_board_lends_its_last_cell_for_time_outs(workshop: Workshop) -> None:
    path = workshop.write_changed(('"2 s"', '"2 s"\ncells = ["dual0"]\ntimeouts = "timer1"'))
    system = read_system(path, board="host")
    assert (system.cells, system.timeouts) == (("cell0",), "cell3")


def test_a_board_with_one_cell_has_none_for_time_outs(workshop: Workshop) -> None:
    path = workshop.write_changed(('"2 s"', '"2 s"\ntimeouts = "timer1"'))
    with pytest.raises(HorologError, match="has no cell left for time-outs") as caught:
        read_system(path, board="qemu-virt-rv32")
    assert caught.value.place is not None
    assert caught.value.place.line == 5


def test_a_given_wcet_replaces_the_work_s(workshop: Workshop) -> None:
    system = workshop.read(("work = 500", 'work = 500\nwcet = "40 us"'))
    assert system.tasks[1].wcet == Fraction(40, 10**6)


def test_an_optional_key_of_every_kind(workshop: Workshop) -> None:
    system = workshop.read(
        ('"2 s"', '"2 s"\npriorities = "explicit"'),
        ('"120 us"', '"120 us"\npriority = 31'),
        (
            "work = 500",
            'work = 500\noffset = "1/3 ms"\ndeadline = "10 ms"\npriority = 1\nstack = 1024\n'
            'overrun = "queue"\nkind = "thread"',
        ),
    )
    slow = system.tasks[1]
    assert system.priorities is PriorityRule.EXPLICIT
    assert (slow.offset, slow.deadline, slow.stack) == (MS / 3, 10 * MS, 1024)
    assert (slow.overrun, slow.priority) == (Overrun.QUEUE, 1)


def test_tasks_and_groups_keep_the_order_of_the_file(workshop: Workshop) -> None:
    group = '[[task_group]]\nname = "g"\ntasks = 2\nperiod = "10 ms"\nwork = 1\n\n'
    path = workshop.write(workshop.text.replace("[[task]]", group + "[[task]]", 1))
    assert [task.name for task in read_system(path).tasks] == ["g.0", "g.1", "fast", "slow"]


def test_a_group_hands_its_keys_to_every_member(workshop: Workshop) -> None:
    system = workshop.read_with(
        '[[task_group]]\nname = "g"\ntasks = 3\nperiod = "10 ms"\nbody = "fast_step"\n'
        'wcet = "1 us"\noffset = "2 ms"\ndeadline = "9 ms"\nstack = 768\noverrun = "queue"\n'
    )
    members = system.tasks[2:]
    assert [task.name for task in members] == ["g.0", "g.1", "g.2"]
    for task in members:
        assert (task.period, task.offset, task.deadline) == (10 * MS, 2 * MS, 9 * MS)
        assert (task.stack, task.overrun, task.body) == (768, Overrun.QUEUE, "fast_step")
        assert task.place == members[0].place


def test_periods_are_dealt_out_in_turn(workshop: Workshop) -> None:
    tail = '[[task_group]]\nname = "g"\nperiods = ["5 ms", "7 ms"]\nwork = 1\n'
    once = workshop.read_with(tail).tasks[2:]
    assert [task.period for task in once] == [5 * MS, 7 * MS]
    twice = workshop.read_with(tail + "tasks = 4\n").tasks[2:]
    assert [task.period for task in twice] == [5 * MS, 7 * MS, 5 * MS, 7 * MS]
    assert [task.deadline for task in twice] == [task.period for task in twice]


def test_a_distribution_without_a_draw(workshop: Workshop) -> None:
    tail = '[[task_group]]\nname = "g"\ntasks = 170\ndistribution = "automotive"\nwork = 1\n'
    periods = [task.period for task in workshop.read_with(tail).tasks[2:]]
    assert {ms: periods.count(ms * MS) for ms in AUTOMOTIVE_SHARES} == {
        ms: 2 * share for ms, share in AUTOMOTIVE_SHARES.items()
    }


def test_a_board_file_beside_the_system(workshop: Workshop) -> None:
    text = (data_root() / "boards" / "host" / "board.toml").read_text(encoding="utf-8")
    folder = workshop.directory / "my"
    folder.mkdir()
    (folder / "board.toml").write_text(text.replace('name = "host"', 'name = "mine"'))
    for path in ("./my/board.toml", "./my"):
        board = workshop.read(('"mps2-an385"', f'"{path}"')).board
        assert (board.name, board.directory) == ("mine", folder.resolve())


def test_dotted_and_inline_tables_are_the_same_system(workshop: Workshop) -> None:
    path = workshop.write(
        'system.name = "demo"\nsystem.board = "host"\nsystem.duration = "1 s"\n'
        'task = [{name = "a", period = "1 ms", work = 5}, {name = "b", period = "2 ms", work = 5}]'
    )
    tasks = read_system(path).tasks
    assert [(task.name, task.place.line, task.place.column) for task in tasks] == [
        ("a", 4, 9),
        ("b", 4, 50),
    ]


# ---- distributions ---------------------------------------------------------------------------


def test_the_automotive_distribution_is_the_thesis_table() -> None:
    periods = periods_of("automotive", 85)
    assert len(periods) == 85
    assert [periods.count(ms * MS) for ms in (1, 2, 5, 10, 20, 50, 100, 200, 1000)] == [
        *(3, 2, 2, 25, 25, 3, 20, 1, 4)
    ]


def test_the_uniform_one_has_as_many_of_each() -> None:
    periods = periods_of("uniform-automotive", 18)
    assert [periods.count(ms * MS) for ms in AUTOMOTIVE_SHARES] == [2] * 9


def test_drawn_distributions_never_change() -> None:
    """A change here changes the systems of all users."""
    assert [period / MS for period in periods_of("chronos", 12, seed=1)] == CHRONOS_SEED_1
    assert [period / MS for period in periods_of("chronos-harmonic", 12, seed=1)] == HARMONIC_SEED_1


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_chronos_draws_what_the_paper_draws(seed: int) -> None:
    expected = {b * r * MS for b in (3, 5, 7, 11) for r in range(1, 11)}
    assert set(periods_of("chronos", 2000, seed)) == expected
    expected = {b * r * MS for b in (3, 5, 7, 11) for r in (1, 2, 4, 8, 16)}
    assert set(periods_of("chronos-harmonic", 2000, seed)) == expected


# ---- the examples ----------------------------------------------------------------------------


def test_engine_control_is_the_automotive_distribution_at_45_percent() -> None:
    system = example("engine-control")
    assert sorted(task.period for task in system.tasks) == sorted(periods_of("automotive", 85))
    assert 0.43 < system.utilisation < 0.47
    assert system.cells == tuple(cell.name for cell in system.board.cells)


def test_chronos_is_dense() -> None:
    system = example("chronos")
    periods = {int(task.period / MS) for task in system.tasks}
    assert len(system.tasks) == 100
    assert {3, 5, 7, 11} <= periods
    # Every period is a multiple of one of these, so the pattern repeats after 3 x 5 x 7 x 11 ms.
    span = 3 * 5 * 7 * 11
    instants = sum(any(t % period == 0 for period in (3, 5, 7, 11)) for t in range(span))
    assert round(instants * 1000 / span, 1) == 584.4
    assert all(any(p % base == 0 for base in (3, 5, 7, 11)) for p in periods)


def test_the_examples_for_avr_fit() -> None:
    engine, lamp = example("engine-12"), example("pwm-lamp")
    periods = [5, 10, 10, 10, 20, 20, 20, 50, 100, 100, 100, 200]
    assert sorted(task.period / MS for task in engine.tasks) == periods
    assert 0.3 < engine.utilisation < 0.5
    assert min(lamp.tasks, key=lambda task: task.priority or 0).body == "pwm_cycle"
    for system, board in ((engine, "atmega128-8mhz"), (lamp, "arduino-uno")):
        assert system.board.name == board
        assert sum(task.stack for task in system.tasks) < 0.6 * system.board.memory[-1].length


def test_engine_20_has_the_automotive_shares_and_fits_16_kib() -> None:
    system, whole = example("engine-20"), example("engine-control")
    shares = Counter(task.period for task in whole.tasks)
    quotas = {period: Fraction(20 * tasks, 85) for period, tasks in shares.items()}
    rounded = {period: int(quota) for period, quota in quotas.items()}
    by_rest = sorted(quotas, key=lambda period: rounded[period] - quotas[period])
    for period in by_rest[: 20 - sum(rounded.values())]:
        rounded[period] += 1
    tasks = Counter(task.period for task in system.tasks)
    assert tasks == {period: count for period, count in rounded.items() if count}
    assert 0.3 < system.utilisation < 0.4
    (ram,) = (one for one in system.board.memory if one.name == "ram")
    assert (system.board.name, ram.length) == ("microbit", 16 * 1024)


def test_the_drone_has_bodies_and_odd_periods() -> None:
    system = example("drone")
    assert {Fraction(5, 2) * MS, 59 * MS} <= {task.period for task in system.tasks}
    assert sum(task.body is not None for task in system.tasks) == 7


@pytest.mark.parametrize(
    "name",
    [
        *(
            "engine-control",
            "chronos",
            "drone",
            "logger",
            "flight-table",
            "combustion",
            "cold-start",
        ),
        *("engine-12", "engine-20", "pwm-lamp", "telemetry"),
    ],
)
def test_examples_are_what_editors_expect(name: str) -> None:
    text = (data_root() / "examples" / name / "system.toml").read_text(encoding="utf-8")
    assert text.splitlines()[2] == "#:schema ../../schema/system.schema.json"
    assert text.splitlines()[1].endswith("-License-Identifier: 0BSD")
