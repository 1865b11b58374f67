/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tx_api.h"
/* needs the above */
#include "tx_initialize.h"

static TX_THREAD *only;
static VOID (*begin)(ULONG);
static ULONG begin_with;

UINT tx_thread_create(TX_THREAD *thread, char *name, VOID (*entry)(ULONG), ULONG input, VOID *stack,
                      ULONG bytes, UINT priority, UINT threshold, ULONG slice, UINT start)
{
    (void)stack, (void)bytes, (void)priority, (void)threshold, (void)slice, (void)start;
    thread->tx_thread_name = name;
    only = thread;
    begin = entry;
    begin_with = input;
    return TX_SUCCESS;
}

TX_THREAD *tx_thread_identify(VOID)
{
    return only;
}

/* Called by the handler in support.c, of a tick that the scenarios stop. */
VOID _tx_timer_interrupt(VOID) {}

/* The only thread runs where it is called. */
VOID tx_kernel_enter(VOID)
{
    _tx_initialize_low_level();
    tx_application_define(TX_NULL);
    begin(begin_with);
}
