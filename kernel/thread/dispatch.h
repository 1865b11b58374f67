/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DISPATCH_H
#define HRLI_DISPATCH_H

#include "changes.h"
#include "core.h"
#include "global.h"
#include "hrlp_cpu.h"
#include "hrlp_guard.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include "stack.h"
#include "sync_lock.h"
#include "thread.h"

/*
 * The two ways to another thread. The file that describes the system says HRLI_DISPATCH_DEFINE
 * once, with what this system does besides: time slices (slice.h), run time (run_time.h), or
 * nothing.
 *
 * `leave` is called first, with the thread that gives the processor up, which may be the one that
 * gets it again. Context: the dispatch; interrupts are enabled. It is inlined, so that one that
 * does nothing costs nothing (ADR 0002).
 */
typedef void hrli_dispatch_leave(struct hrl_thread *thread);

static inline void hrli_dispatch_leave_nothing(struct hrl_thread *thread)
{
    (void)thread;
}

/*
 * The end of the dispatch: the first of the most urgent threads runs. At `running` is the thread that gives the
 * processor up. Context: the dispatch.
 */
static inline __attribute__((always_inline)) void *
hrli_dispatch_to_first(struct hrl_thread *const *running, void *saved_stack_pointer)
{
    struct hrl_thread *next;
    void *stack_pointer;
    hrli_level level;

    level = hrli_ready_top(&hrli_core.ready);
    next = hrli_thread_of(hrli_ready_first_of(&hrli_core.ready, level));
    if (!HRLP_CPU_IS_NARROW && !HRLP_CPU_IS_SHORT) {
        (*running)->stack_pointer = saved_stack_pointer;
    }
    stack_pointer = next->stack_pointer;   /* behind that store: it may be the same thread */
    HRLP_PUBLISH(hrli_core.running, next); /* it has left the other one's stack: lifecycle.c */
    hrli_core.threshold = level; /* last: these two are one store where the processor has it */
    hrlp_guard_move(next->stack);
    return stack_pointer;
}

#if HRL_CORES > 1 /* as others change no thread of the only core */
/* The same behind what they have changed; apart, so that a switch without changes saves no registers for the call. */
static __attribute__((noinline, unused)) void *hrli_dispatch_changed(void *saved_stack_pointer)
{
    hrli_changes_apply();
    return hrli_dispatch_to_first(&hrli_core.running, saved_stack_pointer);
}
#endif

/*
 * hrli_cpu_switch. No lock: only threads take nodes out of the ready queue, and none runs here (what
 * other cores have changed is applied first). But an interrupt may come between any two of these lines
 * and make a more urgent thread ready. The threshold of 0 makes it ask for another switch, which then
 * finds that thread; it must not find the old threshold, which may say that dispatch is held off.
 */
static inline __attribute__((always_inline)) void *hrli_dispatch_switch(void *saved_stack_pointer,
                                                                        hrli_dispatch_leave *leave)
{
    hrli_stack_check(hrli_core.running, saved_stack_pointer);
    leave(hrli_core.running);
    if (HRLP_CPU_IS_NARROW || HRLP_CPU_IS_SHORT) { /* earlier than below: fewer registers */
        hrli_core.running->stack_pointer = saved_stack_pointer;
    }
    hrli_core.threshold = 0;
    atomic_signal_fence(memory_order_seq_cst);
#if HRL_CORES > 1 /* as others change no thread of the only core */
    /* Behind that: what is rung for from here on asks for another switch. */
    bool has_changes = hrli_core_has_changes();
    struct hrl_thread *running = hrli_core.running;

    __asm__("" : "+r"(running)); /* it is loaded here, where the other load would be waited for */
    if (has_changes) {
        return hrli_dispatch_changed(saved_stack_pointer);
    }
    return hrli_dispatch_to_first(&running, saved_stack_pointer);
#else
    return hrli_dispatch_to_first(&hrli_core.running, saved_stack_pointer);
#endif
}

#if HRL_GLOBAL_THREADS /* as only then there is such a choice */
/* Both, where threads may run on several cores: everything of the thread is on its stack when this is called. */
static inline __attribute__((always_inline)) void *
hrli_dispatch_global(void *saved_stack_pointer, hrli_dispatch_leave *leave, bool gives_way)
{
    struct hrl_thread *next;

    hrli_stack_check(hrli_core.running, saved_stack_pointer);
    leave(hrli_core.running);
    hrli_core.running->stack_pointer = saved_stack_pointer;
    hrli_core.threshold = 0;
    atomic_signal_fence(memory_order_seq_cst);
    if (HRLP_SEE(hrli_core.has_changes)) { /* to have a look takes no lock of its own */
        hrli_changes_apply();
    }
    next = hrli_global_choose(gives_way);
    hrli_core.threshold = (hrli_level)next->ready.priority;
    hrlp_guard_move(next->stack);
    return next->stack_pointer;
}
#endif

/*
 * hrli_cpu_yield. The threshold stays: the next thread is of the same level. If a thread above it
 * has become ready since, a switch was requested for that thread, and comes after this one. If the
 * end of the thread's slice came since the thread asked for the yield, a switch was requested for
 * it, too: then the thread has given way already.
 */
static inline __attribute__((always_inline)) void *
hrli_dispatch_yield(void *saved_stack_pointer, hrli_dispatch_leave *leave, bool has_slices)
{
    struct hrl_thread *self = hrli_core.running; /* the first of its level, as it runs */
    struct hrli_ready_node *second = NULL;
    hrlp_irq_state state;

    hrli_stack_check(self, saved_stack_pointer);
    leave(self);
    state = hrlp_irq_lock();
    if (!has_slices || hrli_core_runs_first()) {
        second = hrli_ready_give_way(&hrli_core.ready, &self->ready);
    }
    hrlp_irq_unlock(state);
    if (second == NULL) {
        return saved_stack_pointer;
    }
    self->stack_pointer = saved_stack_pointer;
    HRLP_PUBLISH(hrli_core.running, hrli_thread_of(second));
    hrlp_guard_move(hrli_core.running->stack);
    return hrli_core.running->stack_pointer;
}

/*
 * The end of a handler that dispatches `thread`, which it has made ready above all, by itself (hrlp_cpu.h):
 * the thread that it came into goes on at `saved` later. Context: the handler, interrupts masked.
 */
static inline __attribute__((always_inline)) struct hrlp_cpu_end
hrli_dispatch_end_with(struct hrl_thread *thread, void *saved, hrli_dispatch_leave *leave)
{
    hrli_stack_check(hrli_core.running, saved);
    leave(hrli_core.running);
    hrli_core.running->stack_pointer = saved;
    HRLP_PUBLISH(hrli_core.running, thread);
    hrli_core.threshold = (hrli_level)thread->ready.priority;
    hrlp_guard_move(thread->stack);
    return (struct hrlp_cpu_end){thread->stack_pointer, saved};
}

#if HRL_GLOBAL_THREADS && HRLP_CPU_ENDS_HANDLERS /* as registers are saved first then */
#define HRLI_RUNG_DEFINE(leave)                                                                    \
    struct hrlp_cpu_end hrli_core_rung_in_thread(void *interrupted)                                \
    {                                                                                              \
        return hrli_core_rung_in_handler(interrupted);                                             \
    }
#elif HRL_CORES > 1 && HRLP_CPU_ENDS_HANDLERS /* as only then there is such a handler */
/*
 * The handler of the doorbell, of a port with handlers that can end with the switch: usually one thread was woken, and
 * is above all. In all other cases it does what hrli_core_rung does. Context: as hrlp_cpu.h says of such handlers.
 */
static inline __attribute__((always_inline)) struct hrlp_cpu_end
hrli_dispatch_rung(void *interrupted, hrli_dispatch_leave *leave)
{
    struct hrl_thread *thread;

    hrlp_lock_take(HRLI_LOCK_OF_SERVICES);
    thread = hrli_core.woken.first;
    if (thread == NULL || thread->next != NULL || thread->suspended || hrli_core_has_changes() ||
        thread->ready.priority <= hrli_core.threshold ||
        hrli_ready_is_in(&hrli_core.ready, &thread->ready) ||
        !hrli_ready_add_above_all(&hrli_core.ready, &thread->ready)) {
        hrlp_lock_give(HRLI_LOCK_OF_SERVICES);
        return hrli_core_rung_in_handler(interrupted);
    }
    hrli_core.woken.first = NULL;
    thread->is_woken = false;
    hrlp_lock_give(HRLI_LOCK_OF_SERVICES);
    return hrli_dispatch_end_with(thread, hrlp_cpu_saved(interrupted), leave);
}

#define HRLI_RUNG_DEFINE(leave)                                                                    \
    struct hrlp_cpu_end hrli_core_rung_in_thread(void *interrupted)                                \
    {                                                                                              \
        return hrli_dispatch_rung(interrupted, leave);                                             \
    }
#else
#define HRLI_RUNG_DEFINE(leave)
#endif

#if HRL_GLOBAL_THREADS /* as above */
#define HRLI_DISPATCH_SWITCH(saved, leave) hrli_dispatch_global(saved, leave, false)
#define HRLI_DISPATCH_YIELD(saved, leave, has_slices) hrli_dispatch_global(saved, leave, true)
#else
#define HRLI_DISPATCH_SWITCH hrli_dispatch_switch
#define HRLI_DISPATCH_YIELD hrli_dispatch_yield
#endif

/* Defines what the port calls (hrlp_upcalls.h). `has_slices`: the system calls hrli_slice_end. */
#define HRLI_DISPATCH_DEFINE(leave, has_slices)                                                    \
    HRLI_RUNG_DEFINE(leave)                                                                        \
    void *hrli_cpu_switch(void *saved_stack_pointer)                                               \
    {                                                                                              \
        return HRLI_DISPATCH_SWITCH(saved_stack_pointer, leave);                                   \
    }                                                                                              \
    void *hrli_cpu_yield(void *saved_stack_pointer)                                                \
    {                                                                                              \
        return HRLI_DISPATCH_YIELD(saved_stack_pointer, leave, has_slices);                        \
    }

#endif
