/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_upcalls.h"
#include "wait.h"

#if HRL_CORES > 1 /* as threads and cores have no such fields on one core */

/*
 * The list is taken whole, so that the lock is held for a constant time. None of its threads can be woken
 * again meanwhile: each would have to run first.
 */
void hrli_core_rung(void)
{
    hrlp_irq_state state = hrli_sync_lock();
    struct hrl_thread *thread = hrli_core.woken.first;

    hrli_core.woken.first = NULL;
    hrli_sync_unlock(state);
    while (thread != NULL) {
        struct hrl_thread *next = thread->next;

        state = hrlp_irq_lock();
        HRLP_SHOW(thread->is_woken, false);
        hrli_make_ready(&hrli_core.ready, thread);
        hrlp_irq_unlock(state);
        thread = next;
    }
    if (hrli_core_has_changes() && hrli_core.threshold < HRL_PRIORITIES) {
        hrlp_cpu_request_switch_at_end();
        return;
    }
    hrli_core_dispatch_after_interrupt();
}

/* Interrupts are let in between two threads, as there may be many. */
struct hrlp_cpu_end hrli_core_rung_in_handler(void *interrupted)
{
    hrlp_irq_unmask();
    hrli_core_rung();
    hrlp_irq_mask();
    return (struct hrlp_cpu_end){NULL, interrupted};
}

#endif
