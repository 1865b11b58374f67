/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "run_time.h"
#include "context.h"
#include "core.h"
#include "global.h"
#include "hrlp_irq.h"
#include "system.h"
#include "woken.h"

HRLP_PER_CORE hrl_counts hrli_run_time_since;

/* Locked, so that no dispatch comes between two words of it. */
hrl_counts hrl_thread_run_time(const struct hrl_thread *thread)
{
    hrlp_irq_state state;
    hrl_counts total;

    HRLI_CHECK_THREAD("hrl_thread_run_time");
    if (!HRL_RUN_TIME) {
        return 0;
    }
    if (HRL_CORES > 1 && thread != hrli_core.running &&
        (hrli_is_global(thread) || hrli_is_elsewhere(thread))) {
        return hrli_run_time_seen(thread);
    }
    state = hrlp_irq_lock();
    total = *hrli_run_time_of(thread);
    if (hrli_own_system()->counts_run_time && thread == hrli_core.running) {
        total += hrl_now() - hrli_run_time_since;
    }
    hrlp_irq_unlock(state);
    return total;
}
