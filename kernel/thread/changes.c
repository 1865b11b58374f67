/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "changes.h"
#include "level.h"
#include "lifecycle.h"
#include "sync_lock.h"

#if HRL_CORES > 1 /* as threads and cores have no such fields on one core */

/*
 * The next one of the list, which leaves it, or NULL. From then on it may be listed again. What is put into either list
 * behind the last one is left to another dispatch.
 */
static struct hrl_thread *take_changed(void)
{
    hrlp_irq_state state = hrli_sync_lock();
    struct hrl_thread *thread = hrli_core.changed;

    if (thread != NULL) {
        hrli_core.changed = thread->next_changed;
        thread->is_changed = false;
    } else {
        HRLP_SHOW(hrli_core.has_changes, false);
    }
    hrli_sync_unlock(state);
    return thread;
}

void hrli_changes_apply(void)
{
    struct hrl_thread *thread;

    while (thread = take_changed(), thread != NULL) {
        hrli_level_update(thread);
        hrli_suspension_apply(thread);
    }
    if (hrli_alarms_apply != NULL) {
        hrli_alarms_apply();
    }
}

#endif
