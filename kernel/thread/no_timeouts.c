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
    hrl_assert_hook(HRLI_NO_TIMEOUTS_REASON, __FILE__, __LINE__);
}

static bool insert(struct hrli_queue_node *node)
{
    put(node);
}

const struct hrli_timeouts hrli_no_timeouts = {&nothing, put, insert, put};
