/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "wait.h"
#include <hrl/message_queue.h>

/* Not memcpy, which the kernel has no library for. At least one word. */
static void copy(uint32_t *to, const uint32_t *from, uint32_t words)
{
    do {
        *to++ = *from++;
    } while (--words != 0);
}

/* The slot behind `slot`. */
static uint32_t *advance(const struct hrl_message_queue *queue, uint32_t *slot)
{
    slot += queue->words;
    return slot == queue->end ? queue->slots : slot;
}

static void append(struct hrl_message_queue *queue, const uint32_t *message)
{
    copy(queue->next, message, queue->words);
    queue->next = advance(queue, queue->next);
    queue->count++;
}

static bool is_aligned(const void *message)
{
    return (uintptr_t)message % sizeof(uint32_t) == 0;
}

/*
 * Unlocks if there was somebody to take it, or room. Inline, for who need not wait. Context:
 * interrupts masked.
 */
static inline __attribute__((always_inline)) bool
try_send(struct hrl_message_queue *queue, const void *message, hrlp_irq_state state)
{
    struct hrl_thread *receiver = queue->receivers.first;

    if (receiver != NULL) {
        (void)hrli_wait_queue_pop(&queue->receivers);
        copy(receiver->wait.data, message, queue->words);
        hrli_wake(receiver, HRL_OK);
        hrlp_irq_unlock(state);
        hrli_core_dispatch_above(receiver->waiter.ready.level);
        return true;
    }
    if (queue->count == queue->capacity) {
        return false;
    }
    append(queue, message);
    hrlp_irq_unlock(state);
    return true;
}

/* As try_send. */
static inline __attribute__((always_inline)) bool try_receive(struct hrl_message_queue *queue,
                                                              void *message, hrlp_irq_state state)
{
    struct hrl_thread *sender = queue->senders.first;

    if (queue->count == 0) {
        return false;
    }
    copy(message, queue->oldest, queue->words);
    queue->oldest = advance(queue, queue->oldest);
    queue->count--;
    if (sender == NULL) {
        hrlp_irq_unlock(state);
        return true;
    }
    (void)hrli_wait_queue_pop(&queue->senders);
    append(queue, sender->wait.data);
    hrli_wake(sender, HRL_OK);
    hrlp_irq_unlock(state);
    hrli_core_dispatch_above(sender->waiter.ready.level);
    return true;
}

/* What a waiting thread hands over stays on its stack, or where it is, until it goes on. */
static __attribute__((noinline)) enum hrl_status wait_to_send(struct hrl_message_queue *queue,
                                                              const void *message, hrl_counts until,
                                                              hrlp_irq_state state)
{
    if (until == HRL_NO_WAIT) {
        hrlp_irq_unlock(state);
        return HRL_WOULD_WAIT;
    }
    do {
        hrli_wait_enter(&queue->senders, state);
        if (queue->count == queue->capacity) {
            hrli_core.running->wait.data = (void *)(uintptr_t)message;
            return hrli_wait_stay(until, state);
        }
        hrli_wait_leave(state);
        state = hrlp_irq_lock();
    } while (!try_send(queue, message, state));
    return HRL_OK;
}

static __attribute__((noinline)) enum hrl_status wait_to_receive(struct hrl_message_queue *queue,
                                                                 void *message, hrl_counts until,
                                                                 hrlp_irq_state state)
{
    if (until == HRL_NO_WAIT) {
        hrlp_irq_unlock(state);
        return HRL_WOULD_WAIT;
    }
    do {
        hrli_wait_enter(&queue->receivers, state);
        if (queue->count == 0) {
            hrli_core.running->wait.data = message;
            return hrli_wait_stay(until, state);
        }
        hrli_wait_leave(state);
        state = hrlp_irq_lock();
    } while (!try_receive(queue, message, state));
    return HRL_OK;
}

enum hrl_status hrl_message_send(struct hrl_message_queue *queue, const void *message,
                                 hrl_counts until)
{
    hrlp_irq_state state = hrlp_irq_lock();

    HRLI_CHECK(is_aligned(message), "a message that is not aligned to 4 bytes");
    if (try_send(queue, message, state)) {
        return HRL_OK;
    }
    HRLI_CHECK(queue->capacity != 0, "a message queue that is not initialised");
    return wait_to_send(queue, message, until, state);
}

enum hrl_status hrl_message_receive(struct hrl_message_queue *queue, void *message,
                                    hrl_counts until)
{
    hrlp_irq_state state = hrlp_irq_lock();

    HRLI_CHECK(is_aligned(message), "a message that is not aligned to 4 bytes");
    if (try_receive(queue, message, state)) {
        return HRL_OK;
    }
    HRLI_CHECK(queue->capacity != 0, "a message queue that is not initialised");
    return wait_to_receive(queue, message, until, state);
}

uint32_t hrl_message_count(const struct hrl_message_queue *queue)
{
    return queue->count;
}
