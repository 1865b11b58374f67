/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WOKEN_THREADS_H
#define WOKEN_THREADS_H

#include "two_cores.h"
#include "wait.h"

/* Three threads of core 1, with the priorities 3 to 5; wake() ends the wait of one, on the core that runs. */
static struct hrl_thread threads[3];

static int prepare(void **state)
{
    (void)state;
    two_cores_reset();
    for (unsigned i = 0; i < 3; i++) {
        threads[i] = (struct hrl_thread){.ready.priority = (hrli_kept_level)(3 + i), .core = 1};
        hrli_ready_is_out(&threads[i].ready);
    }
    return 0;
}

static __attribute__((unused)) void wake(struct hrl_thread *thread)
{
    hrlp_irq_state state = hrli_sync_lock();

    hrli_wake(thread, HRL_OK);
    hrli_sync_unlock(state);
}

#endif
