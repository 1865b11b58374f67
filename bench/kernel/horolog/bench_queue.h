/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_QUEUE_H
#define BENCH_QUEUE_H

#include <hrl/message_queue.h>

typedef struct hrl_message_queue *bench_queue;

static inline bool bench_queue_send(bench_queue queue, const void *message)
{
    return hrl_message_send(queue, message, HRL_FOREVER) == HRL_OK;
}

static inline bool bench_queue_receive(bench_queue queue, void *message)
{
    return hrl_message_receive(queue, message, HRL_FOREVER) == HRL_OK;
}

/* Copies messages of `bytes` bytes, holds `slots`. */
#define BENCH_QUEUE_DEFINE(name, bytes, slots) HRL_MESSAGE_QUEUE_DEFINE(name, bytes, slots);
#define BENCH_QUEUE_PREPARE(name) ((void)0)
#define BENCH_QUEUE(name) (&(name))
#define BENCH_QUEUE_SEND(name, message) ((void)bench_queue_send(BENCH_QUEUE(name), message))
#define BENCH_QUEUE_RECEIVE(name, message) ((void)bench_queue_receive(BENCH_QUEUE(name), message))

#endif
