/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "wait.h"
#include <hrl/time.h>

/* To sleep is to wait for nothing. */
void hrl_thread_sleep_until(hrl_counts instant)
{
    if (instant != HRL_NO_WAIT) {
        (void)hrli_wait(NULL, instant, hrlp_irq_lock());
    }
}

void hrl_thread_sleep_for(hrl_counts span)
{
    hrl_counts now = hrl_now();

    HRLI_CHECK(span < HRL_FOREVER - now, "a sleep that ends after the end of time");
    hrl_thread_sleep_until(now + span);
}
