/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_QUEUE_H
#define BENCH_QUEUE_H

#include "FreeRTOS.h"
#include "queue.h"
#include <stdbool.h>

typedef QueueHandle_t bench_queue;

static inline bool bench_queue_send(bench_queue queue, const void *message)
{
    return xQueueSend(queue, message, portMAX_DELAY) == pdTRUE;
}

static inline bool bench_queue_receive(bench_queue queue, void *message)
{
    return xQueueReceive(queue, message, portMAX_DELAY) == pdTRUE;
}

/* Copies messages of `bytes` bytes, holds `slots`. */
#define BENCH_QUEUE_DEFINE(name, bytes, slots)                                                     \
    static uint8_t name##_storage[(bytes) * (slots)];                                              \
    static StaticQueue_t name;                                                                     \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        (void)xQueueCreateStatic(slots, bytes, name##_storage, &name);                             \
    }
#define BENCH_QUEUE_PREPARE(name) name##_prepare()
#define BENCH_QUEUE(name) ((QueueHandle_t) & (name))
#define BENCH_QUEUE_SEND(name, message) ((void)bench_queue_send(BENCH_QUEUE(name), message))
#define BENCH_QUEUE_RECEIVE(name, message) ((void)bench_queue_receive(BENCH_QUEUE(name), message))

#endif
