# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Levels. A thread's is the highest of its own and of what its mutexes ask for."""

from __future__ import annotations

from tests.model.reference.state import State, Thread
from tests.model.reference.waiting import waiters

__all__ = ["level_due", "set_level", "update_level"]


def level_due(state: State, thread: Thread) -> int:
    levels = [thread.base]
    for mutex, owner in enumerate(state.owners):
        if owner == thread.name:
            levels.append(state.script.mutexes[mutex].ceiling)
            levels += [one.level for one in waiters(state, ("lock", mutex))[:1]]
    return max(levels)


def update_level(state: State, name: int) -> None:
    """Then that of the owner it waits for, and so on."""
    thread = state.threads[name]
    level = level_due(state, thread)
    if level == thread.level:
        return
    set_level(state, thread, level)
    if thread.awaits >= 0 and state.owners[thread.awaits] >= 0:
        state.steps.insert(0, (update_level, (state.owners[thread.awaits],)))


def set_level(state: State, thread: Thread, level: int) -> None:
    """The running thread comes first in its new level, others last, wherever they stand."""
    thread.level = level
    for queue in (state.ready, *state.queues.values()):
        if thread in queue.members:
            queue.members.remove(thread)
            if queue is state.ready and thread.name == state.running:
                queue.add_first(thread)
            else:
                queue.add(thread)
