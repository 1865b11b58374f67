/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_QUEUE_H
#define BENCH_QUEUE_H

#include "tx_api.h"
#include <stdbool.h>

typedef TX_QUEUE *bench_queue;

static inline bool bench_queue_send(bench_queue queue, void *message)
{
    return tx_queue_send(queue, message, TX_WAIT_FOREVER) == TX_SUCCESS;
}

static inline bool bench_queue_receive(bench_queue queue, void *message)
{
    return tx_queue_receive(queue, message, TX_WAIT_FOREVER) == TX_SUCCESS;
}

/* Copies messages of `bytes` bytes, holds `slots`. */
#define BENCH_QUEUE_DEFINE(name, bytes, slots)                                                     \
    static ULONG name##_storage[(slots) * ((bytes) / sizeof(ULONG))];                              \
    static TX_QUEUE name;                                                                          \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        (void)tx_queue_create(&name, #name, (bytes) / sizeof(ULONG), name##_storage,               \
                              sizeof name##_storage);                                              \
    }
#define BENCH_QUEUE_PREPARE(name) name##_prepare()
#define BENCH_QUEUE(name) (&(name))

#endif
