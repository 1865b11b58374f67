/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "no_timeouts.h"
#include "releaser.h"
#include <hrl/hooks.h>

/* Alarms use a releaser before they put anything in. */
static struct hrli_releaser nothing;

HRLI_NORETURN static void put(struct hrli_queue_node *node)
{
    (void)node;
    HRLP_CPU_STOP(HRLI_NO_TIMEOUTS_REASON, __FILE__, __LINE__);
}

__attribute__((weak)) bool hrl_gen_insert_timeout(struct hrli_queue_node *node)
{
    put(node);
}

__attribute__((weak)) void hrl_gen_put_timeout(struct hrli_queue_node *node)
{
    put(node);
}

#if HRL_CORES > 1 /* as there is one field more */
const struct hrli_timeouts hrli_no_timeouts = {&nothing, put, put, hrl_gen_insert_timeout};
#else
const struct hrli_timeouts hrli_no_timeouts = {&nothing, put, put};
#endif
