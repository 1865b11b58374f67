# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The model finds what is wrong: lines of the kernel are broken, one at a time, and each is found.

Where a line has changed, say here how to break the new one. That is looked at by every run; the breaking is a
soak (`horolog bench soak --part faults`), as it tells of the model and of no change of the kernel's.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.model.campaign import Differs, drive
from tests.model.campaign_cores import drive_cores
from tests.model.player import ROOT, Player
from tests.model.test_tables import SCRIPTS, first_difference

STEPS = 400_000
STEPS_OF_CORES = 100_000
TREE = (
    *("kernel", "include", "ports", "cmake", "systems", "examples"),
    *("bench", "boards", "watch", "tests"),
)
"""What tests/CMakeLists.txt builds from."""
EVENT = "kernel/sync/event.c"
ALARM = "kernel/sync/alarm.c"
ASKED = "kernel/sync/alarm_elsewhere.c"
TABLES = "kernel/table/schedule_table.c"
TABLE_STEP = "kernel/table/table_step.c"
TABLE_SYNC = "kernel/table/table_sync.c"
FAULTS = {
    "all is any": (EVENT, "? there == awaited : there != 0", "? there != 0 : there != 0"),
    "any is all": (
        EVENT,
        "? there == awaited : there != 0",
        "? there == awaited : there == awaited",
    ),
    "clears nothing": (
        EVENT,
        "HRL_EVENT_CLEAR) != 0 ? awaited : 0",
        "HRL_EVENT_CLEAR) > 9 ? awaited : 0",
    ),
    "shows what was asked for": (
        EVENT,
        "request->seen = flags;",
        "request->seen = flags & request->flags;",
    ),
    "clears for the last one only": (EVENT, "walk->clear |= satisfy", "walk->clear = satisfy"),
    "one takes from another": (
        EVENT,
        "walk->clear |= satisfy(thread, walk->flags);",
        "walk->clear |= satisfy(thread, walk->flags); walk->flags &= ~walk->clear;",
    ),
    "a walk clears nothing": (EVENT, "HRLP_SHOW(event->flags, event->flags & ~walk->clear);", ""),
    "looks at flags of now": (
        EVENT,
        "if (is_satisfied(thread, walk->flags))",
        "if (is_satisfied(thread, event->flags))",
    ),
    "an interrupt's set leaves the rest": (
        EVENT,
        "    if (event->walk != NULL) {\n        end_walk(event);",
        "    if (event->walk != NULL && flags == 0) {\n        end_walk(event);",
    ),
    "forgets what was set": (EVENT, "flags |= event->flags;", ""),
    "takes those of two levels for one": (
        EVENT,
        "thread->wait.next != thread || thread->wait.lower != NULL",
        "thread->wait.next != thread",
    ),
    "wakes a lone waiter always": (
        EVENT,
        "if (!is_satisfied(thread, flags)) {",
        "if (flags == 0) {",
    ),
    "one alone clears nothing": (
        EVENT,
        "HRLP_SHOW(event->flags, flags & ~satisfy(thread, flags));",
        "(void)satisfy(thread, flags);",
    ),
    "no dispatch": (EVENT, "hrli_dispatch_woken(thread);", ""),
    "a caller that need not wait clears nothing": (
        EVENT,
        "HRLP_SHOW(event->flags, event->flags & ~cleared_by(flags, mode));",
        "",
    ),
    "an interrupt's walk does not dispatch": (
        EVENT,
        "hrli_core_allow_dispatch(threshold);",
        "hrli_core.threshold = threshold;",
    ),
    "clears what is not named": (EVENT, "event->flags & ~flags)", "event->flags & flags)"),
    "a set in an alarm's function lets threads run": (
        EVENT,
        "hrli_core_allow_dispatch(threshold);",
        "(void)threshold;\n    hrli_core_allow_dispatch(hrli_core.running->ready.priority);",
    ),
    "an alarm expires once too often": (
        ALARM,
        "if (passed >= alarm->left) {",
        "if (passed > alarm->left) {",
    ),
    "a late alarm says 1": (ALARM, "expiries += count_passed(alarm,", "(void)count_passed(alarm,"),
    "an alarm started anew remembers": (ALARM, "    alarm->expired = 0;\n", ""),
    "a stopped alarm expires": (
        "kernel/sync/alarm_change.h",
        "        hrli_core.timeouts->remove(hrli_alarm_node(alarm));\n",
        "",
    ),
    "what an alarm owes is forgotten": (
        "kernel/sync/alarm_change.h",
        "    HRLP_SHOW(alarm->owed, expiries);\n",
        "",
    ),
    "a stopped alarm owes": (
        "kernel/sync/alarm_change.h",
        "    HRLP_SHOW(alarm->owed, 0u);\n}",
        "}",
    ),
    "a semaphore loses a token": (
        "kernel/sync/semaphore.c",
        "hrlp_cpu_store_linked(&semaphore->count, (hrli_number)(count + 1u))",
        "hrlp_cpu_store_linked(&semaphore->count, (hrli_number)(count + !hrlp_cpu_in_interrupt()))",
    ),
    "a hop begins where the last one was due": (
        "kernel/thread/wait.c",
        "    for (;;) {\n        hrl_counts now = until != 0 ? hrl_now() : 0;\n",
        "    for (hrl_counts now = hrl_now();; now = until != 0 ? now + HRLI_PERIOD_HOP_COUNTS : 0) {\n",
    ),
    "a late alarm gives one token": (
        "kernel/sync/semaphore_tokens.c",
        "tokens < room ? (hrli_number)tokens : room",
        "room != 0",
    ),
    "a full queue is overwritten": (
        "kernel/sync/message_queue.c",
        "return queue->count == queue->capacity;",
        "return queue->count > queue->capacity;",
    ),
    "a late table stands still": (
        TABLE_SYNC,
        "return (then - ahead) % table->duration;",
        "return then % table->duration;",
    ),
    "half a round is behind": (
        TABLE_SYNC,
        "off > table->duration / 2u ?",
        "off >= table->duration / 2u ?",
    ),
    "an advance leaves no minimum cycle": (
        TABLE_SYNC,
        "nominal > table->counter->minimum_cycle ? nominal - table->counter->minimum_cycle : 0",
        "nominal",
    ),
    "a deviation of another round": (
        TABLE_SYNC,
        "before->deviation % (int32_t)follower->duration",
        "before->deviation",
    ),
    "a next table that is stopped still follows": (
        TABLES,
        "        table->leader->follower = NULL;\n",
        "",
    ),
    "an older next table stays next": (
        TABLES,
        "            from->follower->state = HRL_TABLE_STOPPED;\n",
        "",
    ),
    "an absolute start at the present value is at once": (
        TABLES,
        "ahead = target > now ? target - now",
        "ahead = target >= now ? target - now",
    ),
    "the table started last is first": (
        TABLE_STEP,
        "    while (*link != NULL) {\n        link = &(*link)->next;\n    }\n    table->next = NULL;",
        "    table->next = *link;",
    ),
    "events come first": (
        TABLE_STEP,
        "action->is_event == (events != 0)",
        "action->is_event == (events == 0)",
    ),
    "the counter's wrap comes last": (
        "kernel/table/counter.c",
        "(int32_t)(table->due - now) < (int32_t)(first->due - now)",
        "table->due < first->due + 0u * now",
    ),
}

WOKEN = "kernel/thread/woken.c"
RUNG = "kernel/thread/rung.c"
WAIT = "kernel/thread/wait.c"
MUTEX = "kernel/sync/mutex.c"
LIFE = "kernel/thread/lifecycle.c"
FAULTS_OF_CORES = {
    "those of less urgent levels are not rung for": (
        WOKEN,
        "    hrlp_core_ring(thread->core);",
        "    if (thread->ready.priority > 2) {\n        hrlp_core_ring(thread->core);\n    }",
    ),
    "the list loses its last": (
        WOKEN,
        "    core->woken.last = thread;",
        "    core->woken.last = core->woken.first;",
    ),
    "a woken thread does not know it": (WOKEN, "        true; /* it", "        false; /* it"),
    "one is made ready": (
        RUNG,
        "        thread = next;\n",
        "        thread = NULL;\n        (void)next;\n",
    ),
    "the answer does not dispatch": (
        RUNG,
        "    hrli_core_dispatch_after_interrupt();",
        "    if (hrli_core.threshold == 0) {\n        hrli_core_dispatch_after_interrupt();\n    }",
    ),
    "the list is not emptied": (RUNG, "    hrli_core.woken.first = NULL;\n", ""),
    "made ready, and still woken": (RUNG, "        HRLP_SHOW(thread->is_woken, false);\n", ""),
    "the handler need not come first": (
        WAIT,
        "    if (HRL_CORES > 1 && hrli_is_woken(self)) {",
        "    if (false) {",
    ),
    "a time-out is no time-out for one that was given to": (
        WAIT,
        "            if (self->wait_status == HRLI_WAITING) {\n"
        "                hrli_wait_queue_remove(self);\n",
        "            if (self->wait_status == HRLI_WAITING || until <= now) {\n"
        "                if (self->wait_status == HRLI_WAITING) {\n"
        "                    hrli_wait_queue_remove(self);\n                }\n",
    ),
    "services take no lock": (
        "kernel/core/sync_lock.h",
        "    if (HRL_CORES > 1) {\n        hrlp_lock_take(HRLI_LOCK_OF_SERVICES);",
        "    if (HRL_CORES > 9) {\n        hrlp_lock_take(HRLI_LOCK_OF_SERVICES);",
    ),
    "a walk lets other cores in": (
        EVENT,
        "        if (HRL_CORES == 1) {     /* else",
        "        if (HRL_CORES != 1) {     /* else",
    ),
    "one that is started elsewhere is not listed": (
        LIFE,
        "        hrli_ready_is_out(&thread->ready);\n        hrli_wake_elsewhere(thread);",
        "        hrli_ready_is_out(&thread->ready);",
    ),
    "an owner of another core is not raised": (
        "kernel/thread/level.c",
        "    if (level_due(thread) != thread->ready.priority) {",
        "    if (level_due(thread) > HRL_PRIORITIES) {",
    ),
    "a chain ends where another core begins": (
        "kernel/thread/level.c",
        " || hrli_changed_elsewhere(thread)) {",
        " || hrli_is_elsewhere(thread)) {",
    ),
    "an heir is not raised": (MUTEX, "        hrli_level_update_soon(heir);\n", ""),
    "a time-out gives nothing back": (
        MUTEX,
        "    hrli_threads_unlock(state);\n    hrli_level_update(owner);\n",
        "    hrli_threads_unlock(state);\n",
    ),
    "one joiner is served": (
        LIFE,
        "        state = hrli_sync_lock();\n    }\n    (void)hrli_wait_forever(state);",
        "        state = hrli_sync_lock();\n        break;\n    }\n    (void)hrli_wait_forever(state);",
    ),
    "the place in a queue is its head": (
        "kernel/thread/wait_queue.c",
        "        while (hrli_wait_queue_pass(&place, level)) {\n        }\n        return place.link;",
        "        return place.link;",
    ),
    "what others asked for outlives a start": (
        ASKED,
        "        HRLP_SHOW(alarm->asked.what, (hrli_number)HRLI_ALARM_AS_IT_IS);\n        return false;",
        "        return false;",
    ),
    "an expiry that had begun counts for the new start": (
        ASKED,
        "            alarm->expired = 0; /* by",
        "            (void)0; /* by",
    ),
    "an alarm that is asked for expires": (
        ALARM,
        "if (hrli_alarm_is_asked(alarm)) { /*",
        "if (false) { /*",
    ),
    "an alarm that is asked for pays what it owes": (
        "kernel/sync/short_alarm.h",
        "expiries = hrli_alarm_is_asked(alarm) ? 0 : alarm->owed;",
        "expiries = alarm->owed;",
    ),
    "the list of alarms loses its last": (
        ASKED,
        "        core->asked.last = alarm;",
        "        core->asked.last = core->asked.first;",
    ),
    "a stop does not know what was asked for": (
        ASKED,
        "    *ran = alarm->asked.what == HRLI_ALARM_AS_IT_IS",
        "    *ran = alarm->asked.what != HRLI_ALARM_TO_START",
    ),
    "an alarm that was never started is that of its first stop": (
        ASKED,
        "is_elsewhere = alarm->home == 0 || list_elsewhere(alarm);",
        "is_elsewhere = list_elsewhere(alarm);",
    ),
    "what is due at once waits for the next time-out": (
        ASKED,
        "    if (serve || releaser->deferred) {",
        "    if (releaser->deferred) {",
    ),
}
"""What only several cores do, or what they do by another line."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of what the player is built from."""
    tree = tmp_path_factory.mktemp("tree")
    for part in TREE:
        shutil.copytree(ROOT / part, tree / part)
    _run("cmake", "-S", tree / "tests", "-B", tree / "build", "-G", "Ninja")
    _run("cmake", "--build", tree / "build", "--target", "model_play")
    yield tree
    shutil.rmtree(tree)


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [*FAULTS, *FAULTS_OF_CORES])
def test_there_is_such_a_line(name: str) -> None:
    path, right, wrong = {**FAULTS, **FAULTS_OF_CORES}[name]
    assert right != wrong
    count = (ROOT / path).read_text(encoding="utf-8").count(right)
    assert count == 1, f"{path} has changed: say anew how to break it"


@pytest.mark.soak
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("name", FAULTS)
def test_the_model_finds(name: str, tree: Path) -> None:
    path, right, wrong = FAULTS[name]
    source = tree / path
    text = source.read_text()
    source.write_text(text.replace(right, wrong))
    is_of_tables = path.startswith("kernel/table/")
    program = "model_play_tables" if is_of_tables else "model_play"
    try:
        _run("cmake", "--build", tree / "build", "--target", program)
        with Player(tree / "build" / program) as player:
            if is_of_tables:
                assert first_difference(player, range(SCRIPTS)) is not None
            else:
                with pytest.raises(Differs):
                    drive(player, STEPS, first_seed=1, simplified=False)
    finally:
        source.write_text(text)


@pytest.mark.soak
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("name", FAULTS_OF_CORES)
def test_the_model_of_cores_finds(name: str, tree: Path) -> None:
    path, right, wrong = FAULTS_OF_CORES[name]
    source = tree / path
    text = source.read_text()
    source.write_text(text.replace(right, wrong))
    try:
        _run("cmake", "--build", tree / "build", "--target", "model_play_x2")
        with Player(tree / "build" / "model_play_x2") as player, pytest.raises(Differs):
            drive_cores(player, 2, STEPS_OF_CORES, first_seed=1, simplified=False)
    finally:
        source.write_text(text)
