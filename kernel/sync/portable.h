/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_PORTABLE_H
#define HRLI_PORTABLE_H

/*
 * The calls of <hrl/portable.h> on this kernel: each is one of its own. baselines/freertos/portable.c has the same
 * for FreeRTOS.
 */
#include <hrl/portable.h>

/* When a wait for `span`, from now on, ends. */
static inline hrl_counts hrli_portable_until(struct hrl_portable_span span)
{
    if (span.counts == 0) {
        return HRL_NO_WAIT;
    }
    return span.counts == UINT32_MAX ? HRL_FOREVER : hrl_now() + span.counts;
}

#endif
