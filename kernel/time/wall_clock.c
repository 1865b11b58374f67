/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "hrlp_irq.h"
#include "hrlp_per_core.h"
#include <hrl/time.h>
#include <hrl/wall_clock.h>

/* What hrl_now_ns is behind it, modulo 2^64: two words, which no interrupt may see one by one. */
static HRLP_PER_CORE uint64_t ahead_ns;

void hrl_wall_clock_set(uint64_t ns)
{
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_wall_clock_set");
    state = hrlp_irq_lock();
    ahead_ns = ns - hrl_now_ns();
    hrlp_irq_unlock(state);
}

uint64_t hrl_wall_clock_read(void)
{
    hrlp_irq_state state;
    uint64_t ns;

    HRLI_CHECK_CALL("hrl_wall_clock_read");
    state = hrlp_irq_lock();
    ns = hrl_now_ns() + ahead_ns;
    hrlp_irq_unlock(state);
    return ns;
}
