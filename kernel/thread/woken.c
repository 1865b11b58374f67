/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "woken.h"

#if HRL_CORES > 1 /* as threads and cores have no such fields on one core */

void hrli_wake_elsewhere(struct hrl_thread *thread)
{
    struct hrli_core *core = hrlp_core_object(&hrli_core, thread->core);

    hrlp_core_ring(thread->core); /* first: its handler begins meanwhile, and waits for the lock */
    thread->is_woken =
        true; /* it was not: a listed thread does not wait again before it is made ready */
    thread->next = NULL;
    if (core->woken.first == NULL) {
        core->woken.first = thread;
    } else {
        core->woken.last->next = thread;
    }
    core->woken.last = thread;
}

#endif
