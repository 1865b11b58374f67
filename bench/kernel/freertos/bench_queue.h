/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_QUEUE_H
#define BENCH_QUEUE_H

#include "FreeRTOS.h"
#include "queue.h"

/* Copies messages of `bytes` bytes, holds `slots`. */
#define BENCH_QUEUE_DEFINE(name, bytes, slots)                                                     \
    static uint8_t name##_storage[(bytes) * (slots)];                                              \
    static StaticQueue_t name;                                                                     \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        (void)xQueueCreateStatic(slots, bytes, name##_storage, &name);                             \
    }
#define BENCH_QUEUE_PREPARE(name) name##_prepare()
#define BENCH_QUEUE_SEND(name, message)                                                            \
    ((void)xQueueSend((QueueHandle_t) & (name), message, portMAX_DELAY))
#define BENCH_QUEUE_RECEIVE(name, message)                                                         \
    ((void)xQueueReceive((QueueHandle_t) & (name), message, portMAX_DELAY))

#endif
