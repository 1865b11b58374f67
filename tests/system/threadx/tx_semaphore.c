/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tx_api.h"

UINT tx_semaphore_create(TX_SEMAPHORE *semaphore, char *name, ULONG count)
{
    (void)name;
    semaphore->count = count;
    return TX_SUCCESS;
}

UINT tx_semaphore_get(TX_SEMAPHORE *semaphore, ULONG wait)
{
    (void)wait;
    return semaphore->count-- == 0;
}

UINT tx_semaphore_put(TX_SEMAPHORE *semaphore)
{
    semaphore->count++;
    return TX_SUCCESS;
}
