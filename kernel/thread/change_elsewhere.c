/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "change_elsewhere.h"

#if HRL_CORES > 1 /* as threads and cores have no such fields on one core */

void hrli_change_soon(struct hrl_thread *thread)
{
    struct hrli_core *core = hrlp_core_object(&hrli_core, thread->core);

    if (!thread->is_changed) {
        thread->is_changed = true;
        thread->next_changed = core->changed;
        core->changed = thread;
        HRLP_SHOW(core->has_changes, true);
    }
    if (hrli_is_elsewhere(thread)) {
        hrlp_core_ring(thread->core);
    }
}

#endif
