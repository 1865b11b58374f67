/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_QUEUE_H
#define BENCH_QUEUE_H

#include <hrl/message_queue.h>

/* Copies messages of `bytes` bytes, holds `slots`. */
#define BENCH_QUEUE_DEFINE(name, bytes, slots) HRL_MESSAGE_QUEUE_DEFINE(name, bytes, slots);
#define BENCH_QUEUE_PREPARE(name) ((void)0)
#define BENCH_QUEUE_SEND(name, message) ((void)hrl_message_send(&(name), message, HRL_FOREVER))
#define BENCH_QUEUE_RECEIVE(name, message)                                                         \
    ((void)hrl_message_receive(&(name), message, HRL_FOREVER))

#endif
