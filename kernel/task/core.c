/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "hrlp_upcalls.h"
#include <stdatomic.h>

struct hrli_core hrli_core;

/*
 * No lock: only threads take nodes out of the ready set, and none runs here. But an interrupt may come
 * between any two of these lines and make somebody more urgent ready. The threshold of 0 makes it ask
 * for another switch, which then finds them; it must not meet the old one, which may say that dispatch
 * is held off.
 */
void *hrli_cpu_switch(void *saved_stack_pointer)
{
    struct hrl_thread *next;

    hrli_core.threshold = 0;
    atomic_signal_fence(memory_order_seq_cst);
    next = hrli_thread_of(hrli_ready_first(&hrli_core.ready));
    hrli_core.running->stack_pointer = saved_stack_pointer;
    hrli_core.running = next;
    hrli_core.threshold = next->waiter.ready.level;
    return next->stack_pointer;
}

/*
 * The threshold stays: the next thread is of the same level. Who became ready above it since asks for a switch
 * of its own, which comes after this one.
 */
void *hrli_cpu_yield(void *saved_stack_pointer)
{
    struct hrl_thread *self = hrli_core.running; /* the first of its level, as it runs */
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrli_ready_node *second = hrli_ready_rotate(&self->waiter.ready);

    hrlp_irq_unlock(state);
    if (second == NULL) {
        return saved_stack_pointer;
    }
    self->stack_pointer = saved_stack_pointer;
    hrli_core.running = hrli_thread_of(second);
    return hrli_core.running->stack_pointer;
}

void hrli_core_prepare(void)
{
    if (hrli_core.ready.levels[0].next == NULL) {
        hrli_ready_init(&hrli_core.ready);
    }
}

const char *hrli_cpu_current_name(void)
{
    return hrli_core.running == NULL ? "start-up" : hrli_core.running->name;
}

struct hrl_thread *hrl_thread_current(void)
{
    return hrli_core.running;
}
