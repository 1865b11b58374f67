/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/hooks.h>

/*
 * The defaults of those that concern the program's end are the port's (ports/report, hrlp_fault.h).
 */
__attribute__((weak)) void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due)
{
    (void)thread;
    (void)due;
}

__attribute__((weak)) void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    (void)task;
}
