/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of <hrl/portable.h> on FreeRTOS: each is one of its own, with objects made statically. kernel/sync/portable.h
 * has the same for Horolog. FreeRTOS's handle of a static object is its address.
 */
#include <hrl/portable.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

_Static_assert(sizeof(StaticQueue_t) <= sizeof(((struct hrl_portable_queue *)0)->state),
               "the state of a portable object is too small");
_Static_assert((TickType_t)UINT32_MAX == portMAX_DELAY, "a wait for ever is a longest delay");

static inline QueueHandle_t handle(void *state[])
{
    return (QueueHandle_t)(void *)state;
}

void hrl_portable_sleep(struct hrl_portable_span span)
{
    do {
        vTaskDelay((TickType_t)span.ticks);
    } while (span.ticks == UINT32_MAX);
}

void hrl_portable_semaphore_make(struct hrl_portable_semaphore *semaphore)
{
    (void)xSemaphoreCreateCountingStatic((UBaseType_t)semaphore->most,
                                         (UBaseType_t)semaphore->initial,
                                         (StaticSemaphore_t *)(void *)semaphore->state);
}

bool hrl_portable_semaphore_take(struct hrl_portable_semaphore *semaphore,
                                 struct hrl_portable_span span)
{
    return xSemaphoreTake(handle(semaphore->state), (TickType_t)span.ticks) == pdTRUE;
}

bool hrl_portable_semaphore_give(struct hrl_portable_semaphore *semaphore)
{
    return xSemaphoreGive(handle(semaphore->state)) == pdTRUE;
}

void hrl_portable_queue_make(struct hrl_portable_queue *queue)
{
    (void)xQueueCreateStatic((UBaseType_t)queue->most, (UBaseType_t)queue->bytes,
                             (uint8_t *)queue->slots, (StaticQueue_t *)(void *)queue->state);
}

bool hrl_portable_queue_send(struct hrl_portable_queue *queue, const void *message,
                             struct hrl_portable_span span)
{
    return xQueueSend(handle(queue->state), message, (TickType_t)span.ticks) == pdTRUE;
}

bool hrl_portable_queue_receive(struct hrl_portable_queue *queue, void *message,
                                struct hrl_portable_span span)
{
    return xQueueReceive(handle(queue->state), message, (TickType_t)span.ticks) == pdTRUE;
}

/*
 * What FreeRTOS's queue.c copies messages by, in place of the C library's memcpy: a measurement charges libraries
 * to the body of an open job, and this is the kernel's. Words in blocks of four, and bytes on AVR: 8 bytes take
 * 19 instructions on a Cortex-M3, and newlib's memcpy 22.
 */
struct block {
    uint32_t words[4];
};

void *baseline_copy(void *to, const void *from, size_t bytes);
void *baseline_copy(void *to, const void *from, size_t bytes)
{
#ifdef __AVR__
    uint8_t *into = to;

    for (const uint8_t *next = from; bytes != 0; bytes--) {
        *into++ = *next++;
    }
#else
    uint32_t *into = to;
    const uint32_t *next = from;
    int32_t beyond = (int32_t)bytes - (int32_t)sizeof(struct block);

    for (; beyond >= 0; beyond -= (int32_t)sizeof(struct block)) {
        __asm__("" : "+r"(into), "+r"(next), "+r"(beyond)); /* as kernel/sync/message_queue.c */
        *(struct block *)into = *(const struct block *)next;
        into += 4;
        next += 4;
    }
    for (uint32_t left = bytes & (sizeof(struct block) - 1u); left != 0; left -= 4) {
        __asm__("" : "+r"(into), "+r"(next), "+r"(left));
        *into++ = *next++;
    }
#endif
    return to;
}
