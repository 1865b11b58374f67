# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The public calls of the kernel, by what they ask of the caller: kept in step with include/hrl by a test."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["ANYWHERE", "FOR_THREADS", "OF_THREADS", "PUBLIC", "UNTIL", "is_kernel", "service"]

ANYWHERE = "anywhere"
FOR_THREADS = "for threads"
UNTIL = "until"

_UNTIL: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "hrl_alarm_wait": (2, 0),
        "hrl_event_wait": (1, 2),
        "hrl_message_receive": (2, 0),
        "hrl_message_send": (2, 0),
        "hrl_pool_take": (2, 0),
        "hrl_semaphore_take": (1, 0),
        "hrl_thread_join": (1, 0),
    }
)
"""Calls that wait until an instant, but with HRL_NO_WAIT: so many pointers and 32-bit words are before it."""

_FOR_THREADS = frozenset(
    (
        "hrl_alarm_start",  # an interrupt may have come into the store of time-outs
        "hrl_alarm_start_periodic",
        "hrl_alarm_stop",
        "hrl_mutex_lock",  # a mutex belongs to a thread, also when it is free
        "hrl_mutex_unlock",
        "hrl_portable_queue_receive",  # a span in the place of an instant: how long is not looked at
        "hrl_portable_queue_send",
        "hrl_portable_semaphore_take",
        "hrl_portable_sleep",
        "hrl_release_wait",
        "hrl_semaphore_take_forever",
        "hrl_start",
        "hrl_thread_exit",
        "hrl_thread_set_priority",
        "hrl_thread_sleep_for",
        "hrl_thread_sleep_until",
        "hrl_thread_start",
        "hrl_thread_start_suspended",
        "hrl_thread_suspend",
        "hrl_thread_yield",
    )
)
"""Calls that wait, end or give way, or that only a thread can make for another reason."""

_ANYWHERE = frozenset(
    (
        "hrl_alarm_next",
        "hrl_assert_hook",
        "hrl_basic_activate",
        "hrl_basic_activate_all",
        "hrl_basic_chain",
        "hrl_basic_budget_hook",
        "hrl_basic_budget_overruns",
        "hrl_basic_current",
        "hrl_basic_deadline_hook",
        "hrl_basic_deadline_misses",
        "hrl_basic_name",
        "hrl_basic_overrun_hook",
        "hrl_basic_overruns",
        "hrl_basic_terminate",
        "hrl_cell_table_next",
        "hrl_cell_table_start_absolute",
        "hrl_cell_table_start_relative",
        "hrl_cell_table_state",
        "hrl_cell_table_stop",
        "hrl_chronometer_lap",
        "hrl_chronometer_read",
        "hrl_chronometer_read_ns",
        "hrl_chronometer_resume",
        "hrl_chronometer_start",
        "hrl_chronometer_stop",
        "hrl_console_print",
        "hrl_console_put",
        "hrl_console_write",
        "hrl_counter_increment",
        "hrl_counter_value",
        "hrl_counts_to_ns",
        "hrl_dispatcher_mode",
        "hrl_dispatcher_mode_name",
        "hrl_dispatcher_set_asynchronous",
        "hrl_dispatcher_set_mode",
        "hrl_dispatcher_start_absolute",
        "hrl_dispatcher_start_relative",
        "hrl_dispatcher_state",
        "hrl_dispatcher_stop",
        "hrl_dispatcher_synchronise",
        "hrl_event_clear",
        "hrl_event_flags",
        "hrl_event_set",
        "hrl_fault_hook",
        "hrl_idle_hook",
        "hrl_interrupt_attach",
        "hrl_interrupt_detach",
        "hrl_interrupt_disable",
        "hrl_interrupt_enable",
        "hrl_interrupt_lock",
        "hrl_interrupt_raise",
        "hrl_interrupt_unlock",
        "hrl_message_count",
        "hrl_mutex_owner",
        "hrl_now",
        "hrl_now_ns",
        "hrl_ns_to_counts",
        "hrl_overrun_hook",
        "hrl_pool_give",
        "hrl_portable_queue_make",
        "hrl_portable_semaphore_give",
        "hrl_portable_semaphore_make",
        "hrl_program_end",
        "hrl_resource_give",
        "hrl_resource_take",
        "hrl_schedule_table_next",
        "hrl_schedule_table_set_asynchronous",
        "hrl_schedule_table_start_absolute",
        "hrl_schedule_table_start_relative",
        "hrl_schedule_table_start_synchronous",
        "hrl_schedule_table_state",
        "hrl_schedule_table_stop",
        "hrl_schedule_table_synchronise",
        "hrl_semaphore_count",
        "hrl_semaphore_give",
        "hrl_spinlock_give",
        "hrl_spinlock_take",
        "hrl_thread_current",
        "hrl_thread_get_priority",
        "hrl_thread_name",
        "hrl_thread_overruns",
        "hrl_thread_resume",
        "hrl_thread_run_time",
        "hrl_thread_stack_unused",
        "hrl_thread_state_of",
        "hrl_wall_clock_read",
        "hrl_wall_clock_set",
    )
)
"""Calls that do not wait. Where else they may be made, the kernel checks when they are."""

PUBLIC = frozenset(_UNTIL) | _FOR_THREADS | _ANYWHERE
"""All that include/hrl declares."""

OF_THREADS = tuple(
    f"hrl_{noun}_" for noun in ("alarm", "event", "message", "mutex", "pool", "semaphore", "thread")
)
"""What calls begin with that bring the kernel of threads along."""

_OURS = ("hrl_", "hrli_", "hrlp_")
_BODIES = ("hrl_gen_body_", "hrl_work")


def service(names: tuple[str, ...]) -> tuple[str, str, tuple[int, int]] | None:
    """What a function with these names asks; None: it is no public call.

    (name, ANYWHERE, FOR_THREADS or UNTIL, pointers and 32-bit words before the instant)
    """
    for name in names:
        if name in _UNTIL:
            return name, UNTIL, _UNTIL[name]
        if name in _FOR_THREADS or name in _ANYWHERE:
            return name, FOR_THREADS if name in _FOR_THREADS else ANYWHERE, (0, 0)
    return None


def is_kernel(name: str) -> bool:
    """Whether a function is the kernel's, or the port's, by its name."""
    return name.startswith(_OURS) and not name.startswith(_BODIES)
