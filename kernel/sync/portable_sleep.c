/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/portable.h>
#include <hrl/thread.h>

void hrl_portable_sleep(struct hrl_portable_span span)
{
    do {
        hrl_thread_sleep_for(span.counts);
    } while (span.counts == UINT32_MAX);
}
