/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CHECK_H
#define HRLI_CHECK_H

#include "hrlp_irq.h"
#include <hrl/hooks.h>

/*
 * Programming errors end in hrl_assert_hook. A build with -DHRL_CHECKS=0 believes its callers: the
 * comparisons go, and nothing else changes.
 */
#ifndef HRL_CHECKS /* the build may say otherwise */
#define HRL_CHECKS 1
#endif

#define HRLI_CHECK(promise, reason)                                                                \
    ((!HRL_CHECKS || (promise)) ? (void)0 : hrl_assert_hook((reason), __FILE__, __LINE__))

/* For calls that switch and do not mask interrupts first. Context: a thread. */
#define HRLI_CHECK_UNLOCKED(reason) HRLI_CHECK(hrli_is_unlocked(), reason)

static inline bool hrli_is_unlocked(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_irq_unlock(state);
    return state == HRLP_IRQ_UNLOCKED;
}

#endif
