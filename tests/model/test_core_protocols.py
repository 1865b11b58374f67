# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""SPIN searches all runs of the protocols between cores; and finds each step that is left out or moved."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.model.protocol import Change, search

LOCK = "kernel/core/sync_lock.pml"
MEETING = "kernel/core/meeting.pml"
WOKEN = "kernel/thread/woken.pml"
CHANGED = "kernel/thread/changes.pml"
GLOBAL = "kernel/thread/global.pml"
ALARMS = "kernel/sync/alarms.pml"

DEADLOCK = "invalid end state"
WRONG = "assertion violated"


@pytest.mark.parametrize(
    ("model", "defines", "least"),
    [
        (LOCK, ("-DCORES=2", "-DTICKETS=2"), 1_000),
        (LOCK, ("-DCORES=3",), 100_000),
        (MEETING, ("-DCORES=2",), 300),
        (MEETING, ("-DCORES=3",), 4_000),
        (WOKEN, ("-DCORES=2",), 200_000),
        (WOKEN, ("-DCORES=3", "-DTHREADS=1", "-DINTERRUPT"), 10_000),
        (CHANGED, ("-DCORES=2",), 100_000),
        (CHANGED, ("-DCORES=3",), 200_000),
        (GLOBAL, ("-DCORES=2",), 30_000),
        (GLOBAL, ("-DCORES=3", "-DTHREADS=2"), 5_000),
    ],
)
def test_all_runs_are_right(
    model: str, defines: tuple[str, ...], least: int, tmp_path: Path
) -> None:
    found = search(tmp_path, model, *defines)
    assert found.errors == 0, found.said
    assert found.states > least


@pytest.mark.soak
@pytest.mark.parametrize("cores", [2, 3])
def test_all_runs_are_right_with_interrupts(cores: int, tmp_path: Path) -> None:
    found = search(tmp_path, WOKEN, f"-DCORES={cores}", "-DINTERRUPT")
    assert found.errors == 0, found.said
    assert found.states > 1_000_000


@pytest.mark.soak
@pytest.mark.parametrize(("model", "cores"), [(MEETING, 4), (WOKEN, 3)])
def test_all_runs_of_more_cores_are_right(model: str, cores: int, tmp_path: Path) -> None:
    found = search(tmp_path, model, f"-DCORES={cores}")
    assert found.errors == 0, found.said
    assert found.states > 50_000


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        pytest.param((("    masked[core] = true;\n", ""),), DEADLOCK, id="interrupts not masked"),
        pytest.param(
            (
                ("    value = object;\n", "    value = object;\n    give();\n"),
                (
                    "        assert(object == changes)\n    };\n    give();",
                    "        assert(object == changes)\n    };",
                ),
            ),
            WRONG,
            id="given before the store",
        ),
        pytest.param(
            (("d_step { ticket = next_ticket; next", "ticket = next_ticket;\n    d_step { next"),),
            DEADLOCK,
            id="a ticket in two steps",
        ),
        pytest.param((("served == ticket;", "holder == NO_CORE;"),), WRONG, id="in any order"),
        pytest.param(
            (("served = (served + 1) % TICKETS;", "served = served;"),), DEADLOCK, id="never given"
        ),
    ],
)
def test_every_step_of_the_lock_is_needed(
    changes: tuple[Change, ...], error: str, tmp_path: Path
) -> None:
    found = search(tmp_path, LOCK, "-DCORES=3", changes=changes)
    assert found.errors == 1
    assert error in found.said


def test_fewer_tickets_than_cores_are_too_few(tmp_path: Path) -> None:
    assert WRONG in search(tmp_path, LOCK, "-DCORES=3", "-DTICKETS=2").said


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        pytest.param(
            (
                ("    seen = meetings;\n", ""),
                ("           meetings != seen\n", "           seen = meetings; meetings != seen\n"),
            ),
            DEADLOCK,
            id="the meetings are looked at too late",
        ),
        pytest.param(
            (
                ("           met = 0;\n           meetings = ", "           meetings = "),
                ("% TURNS\n", "% TURNS;\n           met = 0\n"),
            ),
            DEADLOCK,
            id="the others go on too early",
        ),
        pytest.param(
            (("           meetings != seen\n", "           true\n"),), WRONG, id="no core waits"
        ),
        pytest.param(
            (("count == CORES - 1 ->", "count == CORES - 2 ->"),), WRONG, id="one core too early"
        ),
        pytest.param(
            (("           met == CORES - 1;\n", "           true;\n"),),
            WRONG,
            id="main is too early",
        ),
    ],
)
def test_every_step_of_the_meeting_is_needed(
    changes: tuple[Change, ...], error: str, tmp_path: Path
) -> None:
    found = search(tmp_path, MEETING, "-DCORES=3", changes=changes)
    assert found.errors == 1
    assert error in found.said


RING = "              rung = true;\n"
LISTED = "              last = thread;\n"
GIVERS_LOCK = "    :: atomic { !lock -> lock = true };\n       if\n"


@pytest.mark.soak
def test_under_the_lock_it_may_ring_before_or_behind(tmp_path: Path) -> None:
    changes = ((RING, ""), (LISTED, LISTED + "              rung = true;\n"))
    assert search(tmp_path, WOKEN, "-DCORES=3", changes=changes).errors == 0


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        pytest.param(
            (
                (
                    "              is_woken[thread] = true;\n",
                    "              lock = false;\n" + "              is_woken[thread] = true;\n",
                ),
                (LISTED + "              lock = false;\n", LISTED),
            ),
            WRONG,
            id="the lock is given before the list is changed",
        ),
        pytest.param(
            (
                (GIVERS_LOCK, "    :: rung = true; atomic { !lock -> lock = true };\n       if\n"),
                (RING, ""),
            ),
            WRONG,
            id="rung before the lock is taken",
        ),
        pytest.param(
            (
                ("rung = false; comes = true", "comes = true"),
                (
                    "       asked = asked || OWES_SWITCH;\n       handler_runs",
                    "       rung = false;\n       asked = asked || OWES_SWITCH;\n       handler_runs",
                ),
            ),
            WRONG,
            id="the doorbell is cleared at the end",
        ),
        pytest.param(
            (
                (
                    "       sync_lock();\n       d_step { thread = first;",
                    "       masked = true;\n       d_step { thread = first;",
                ),
                ("last = 0 };\n       sync_unlock();", "last = 0 };\n       masked = false;"),
            ),
            WRONG,
            id="the list is taken without the lock",
        ),
        pytest.param(
            (
                (":: is_woken[self] -> sync_unlock()", ":: false"),
                (":: !is_woken[self] && (passed", ":: (passed"),
            ),
            WRONG,
            id="a woken thread does not let the handler come first",
        ),
        pytest.param(
            (("masked = true;\n              is_woken[thread] = false;", "masked = true;"),),
            WRONG,
            id="woken for ever",
        ),
        pytest.param(
            (
                (
                    "              is_woken[thread] = true;\n",
                    "              byte word; make_ready(thread); goto given;\n"
                    "              is_woken[thread] = true;\n",
                ),
                (LISTED, LISTED + "given:\n"),
            ),
            WRONG,
            id="the ready queue of another core is touched",
        ),
        pytest.param((("next[thread] = NONE;", "skip;"),), WRONG, id="a list without an end"),
        pytest.param(
            (("next[n] == NONE && !held_off", "!held_off"),),
            WRONG,
            id="one of several is dispatched",
        ),
        pytest.param(
            (("lock = false\n                 };", "skip\n                 };"),),
            DEADLOCK,
            id="it keeps the lock",
        ),
        pytest.param(
            (("next[last] = thread", "first = thread"),), WRONG, id="the list has one place"
        ),
        pytest.param(
            (
                (
                    "leave_ready(self); /* hrli_wait_forever */\n                 sync_unlock();",
                    "sync_unlock();\n                 leave_ready(self);",
                ),
            ),
            WRONG,
            id="it leaves the ready queue after the lock",
        ),
        pytest.param(
            (
                (
                    "              lock = false;\n              timeout_state",
                    "              sync_unlock();\n              timeout_state",
                ),
            ),
            WRONG,
            id="interrupts are let in with the lock",
        ),
        pytest.param(
            (
                (
                    "d_step { queued[self] = false; status[self] = TIMED_OUT }",
                    "status[self] = TIMED_OUT",
                ),
            ),
            WRONG,
            id="it stays in the queue",
        ),
        pytest.param(
            (("-> in_store[self] = false", "-> skip"),), WRONG, id="its node stays in the store"
        ),
        pytest.param(
            (("    masked = true;\n    atomic { !lock", "    atomic { !lock"),),
            WRONG,
            id="interrupts not masked",
        ),
    ],
)
def test_every_step_of_waking_is_needed(
    changes: tuple[Change, ...], error: str, tmp_path: Path
) -> None:
    found = search(tmp_path, WOKEN, "-DCORES=3", changes=changes)
    assert found.errors == 1
    assert error in found.said


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            (
                ("       held_off = false; /* the threshold is 0 */\n", ""),
                (
                    "       skip; /* as a branch must not lead into what follows */\n",
                    "       held_off = false;\n",
                ),
            ),
            id="the dispatch looks while handlers cannot ask for another",
        ),
        pytest.param(
            ((":: changed && !held_off -> asked = true", ":: false"),),
            id="the handler asks for no dispatch",
        ),
        pytest.param(
            (("       :: changed -> asked = true\n", "       :: changed -> skip\n"),),
            id="allowing dispatch asks for none",
        ),
        pytest.param(
            ((":: changed && !held_off ->", ":: changed ->"),),
            id="a switch from a thread that holds dispatch off",
        ),
        pytest.param(
            (("(!is_woken && (!waiting || expired))", "(!waiting || expired)"),),
            id="a thread is made ready that the doorbell makes ready, too",
        ),
        pytest.param(
            (("(!is_woken && (!waiting || expired))", "(!is_woken)"),),
            id="a resumption ends a wait",
        ),
        pytest.param(
            (
                (
                    "              is_changed = false;\n              sync_unlock();\n",
                    "              sync_unlock();\n",
                ),
                (
                    "              :: else\n              fi;\n              sync_unlock()\n",
                    "              :: else\n              fi;\n              sync_unlock();\n"
                    "              is_changed = false\n",
                ),
            ),
            id="listed again too late",
        ),
        pytest.param(
            ((":: suspended -> ready = false", ":: suspended -> skip"),), id="it stays ready"
        ),
        pytest.param(
            ((":: !suspended -> ready = true", ":: true -> ready = true"),),
            id="a suspended thread is made ready",
        ),
        pytest.param(((":: !suspended && !ready && HAS", ":: false && HAS"),), id="no resumption"),
    ],
)
def test_every_step_of_changing_a_thread_of_another_core_is_needed(
    changes: tuple[Change, ...], tmp_path: Path
) -> None:
    found = search(tmp_path, CHANGED, "-DCORES=2", changes=changes)
    assert found.errors == 1
    assert WRONG in found.said


RUNG = "                  :: !looks[found] -> rung[found] = true"
SAVED = "       saved[running[core]] = true; /* of idle, too */\n"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            ((RUNG, "                  :: false -> skip"),), id="the claimed core is not rung"
        ),
        pytest.param(
            (("          :: looks[core] -> asked[core] = true", "          :: false -> skip"),),
            id="allowing dispatch asks for none",
        ),
        pytest.param(
            ((" && (on[next] == 0 || on[next] == core + 1)", ""),), id="taken before it has left"
        ),
        pytest.param(((SAVED, ""),), id="offered before it is saved"),
        pytest.param(
            ((":: offered[self] -> claim_core(self)", ":: false -> skip"),),
            id="a preempted one claims no core",
        ),
        pytest.param((("wanted = displaced", "wanted = 0"),), id="a claim that is lost ends"),
    ],
)
def test_every_step_of_the_handing_over_is_needed(
    changes: tuple[Change, ...], tmp_path: Path
) -> None:
    found = search(tmp_path, GLOBAL, "-DCORES=2", changes=changes)
    assert found.errors == 1
    assert WRONG in found.said


@pytest.mark.parametrize(
    ("defines", "least"), [(("-DCORES=2",), 30_000), (("-DCORES=3", "-DCALLS=1"), 5_000)]
)
def test_all_runs_of_alarms_are_right(defines: tuple[str, ...], least: int, tmp_path: Path) -> None:
    found = search(tmp_path, ALARMS, *defines, ends=True)
    assert found.errors == 0, found.said
    assert found.states > least


@pytest.mark.soak
def test_all_runs_of_alarms_of_more_cores_are_right(tmp_path: Path) -> None:
    found = search(tmp_path, ALARMS, "-DCORES=3", ends=True)
    assert found.errors == 0, found.said
    assert found.states > 1_000_000


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            (("       give();\n       busy = true;\n", "       give();\n"),),
            id="the dispatch does not use the store",
        ),
        pytest.param(
            (("atomic { asked == AS_IT_IS ->", "atomic { true ->"),),
            id="an expiry does not look at what is asked for",
        ),
        pytest.param(
            (("           asked = AS_IT_IS; /* from", "           /* from"),),
            id="its own core's call leaves what was asked for",
        ),
        pytest.param(
            (
                ("       changed = false;\n", ""),
                (
                    "       dispatch_runs = false\n",
                    "       changed = false; dispatch_runs = false\n",
                ),
            ),
            id="the list is said to be empty behind it",
        ),
        pytest.param(
            (("          is_listed = false;\n", "          give(); take(); is_listed = false;\n"),),
            id="the alarm leaves the list in two steps",
        ),
        pytest.param(
            (("asked = AS_IT_IS; runs = (what == TO_START)", "asked = AS_IT_IS"),),
            id="other cores do not find it done",
        ),
    ],
)
def test_every_step_of_alarms_is_needed(changes: tuple[Change, ...], tmp_path: Path) -> None:
    found = search(tmp_path, ALARMS, "-DCORES=2", changes=changes, ends=True)
    assert found.errors == 1
    assert WRONG in found.said
