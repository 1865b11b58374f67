# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Threads become ready and cease to be."""

from __future__ import annotations

from tests.model.reference.state import (
    READY,
    RUNNING,
    SUSPENDED,
    WAITING,
    State,
    Thread,
)

__all__ = ["make_ready", "resume", "start", "state_of", "suspend"]


def start(state: State, name: int) -> None:
    thread = state.threads[name]
    thread.life = READY
    thread.level = thread.base
    thread.suspended = thread.waits = False
    thread.call = thread.round = 0
    thread.phase = "begin"
    make_ready(state, thread)


def make_ready(state: State, thread: Thread) -> None:
    """A thread of another core is, once that core has answered."""
    core = state.script.threads[thread.name].core
    if core != state.core:
        state.rung[core].append(thread.name)
    elif not thread.suspended and thread not in state.ready.members:
        state.ready.add(thread)


def suspend(state: State, name: int) -> None:
    thread = state.threads[name]
    thread.suspended = True
    if thread in state.ready.members:
        state.ready.members.remove(thread)


def resume(state: State, thread: Thread) -> None:
    if thread.suspended:
        thread.suspended = False
        if thread.has_nothing_to_wait_for():
            state.ready.add(thread)


def state_of(state: State, name: int) -> int:
    thread = state.threads[name]
    if name == state.running:
        return RUNNING
    if thread.life != READY:
        return thread.life
    if thread.suspended:
        return SUSPENDED
    return READY if thread in state.ready.members else WAITING
