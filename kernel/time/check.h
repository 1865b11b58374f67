/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CHECK_H
#define HRLI_CHECK_H

#include "hrlp_cpu.h"
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
    ((!HRL_CHECKS || (promise)) ? (void)0 : HRLP_CPU_STOP(reason, __FILE__, __LINE__))

/*
 * At the head of a public call that is not for interrupts above the kernel. `call` is its name, a
 * literal. What only some contexts may call has the checks of kernel/core/context.h.
 */
#define HRLI_CHECK_CALL(call)                                                                      \
    HRLI_CHECK(hrli_check_is_below(), call ": not for interrupts above the kernel's priority")

/* Whether no handler above the kernel's priority runs. Context: any. */
bool hrli_check_is_below(void);

#endif
