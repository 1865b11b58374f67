/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"
#include <hrl/message_queue.h>

/*
 * The part that is left to copy of a message of more than a piece; on the stack of the call that
 * copies it.
 *
 * Such a call changes the queue at once, and wakes the thread that waited; then it copies piece by
 * piece, interrupts on and dispatch held off in between. Meanwhile no thread runs, and an interrupt
 * that uses the same queue ends the copy first. So a message is whole whenever anything looks at
 * it. With several cores threads do run, so the lock is held until all is copied.
 */
struct hrli_message_copy {
    hrli_message_word *to;
    const hrli_message_word *from;
    uint32_t words;
    struct hrli_message_copy *then; /* the copy that follows this one, or NULL */
};

struct block {
    hrli_message_word words[4];
};

/*
 * Not memcpy, which the kernel has no library for. What passes through empty assembly stays as it is
 * written: the compiler would count by an offset beside the pointers, which takes twice as many
 * instructions for a short message.
 */
static inline __attribute__((always_inline)) void
copy(hrli_message_word *to, const hrli_message_word *from, uint32_t words)
{
    int32_t beyond = (int32_t)words - 4; /* the words behind the next block, if there is one */

    for (; beyond >= 0; beyond -= 4) {
        __asm__("" : "+r"(to), "+r"(from), "+r"(beyond));
        *(struct block *)to = *(const struct block *)from;
        to += 4;
        from += 4;
    }
    for (uint32_t left = words & 3u; left != 0; left--) {
        *to++ = *from++;
    }
}

/* One piece of what is being copied. Context: interrupts masked. */
static void copy_piece(struct hrl_message_queue *queue)
{
    struct hrli_message_copy *left = queue->copying;
    uint32_t words =
        left->words < HRLI_MESSAGE_PIECE_WORDS ? left->words : HRLI_MESSAGE_PIECE_WORDS;

    copy(left->to, left->from, words);
    left->to += words;
    left->from += words;
    left->words -= words;
    if (left->words == 0) {
        queue->copying = left->then;
    }
}

/* Ends the copy that this interrupt came into, if it did. Context: interrupts masked. */
static void end_copy(struct hrl_message_queue *queue)
{
    while (queue->copying != NULL) {
        copy_piece(queue);
    }
}

/*
 * Context: interrupts masked; unlocks. It leaves dispatch as it is: in an alarm's function, called
 * in a thread's call, that is held off.
 */
static void copy_in_pieces(struct hrl_message_queue *queue, struct hrli_message_copy *first,
                           hrlp_irq_state state)
{
    hrli_level threshold = hrli_core.threshold;

    queue->copying = first; /* NULL again before this returns */
    hrli_core_lock_dispatch();
    do {
        if (HRL_CORES == 1) { /* else a thread of another core would see half of it */
            hrli_sync_unlock(state);
            state = hrli_sync_lock();
        }
        if (queue->copying != NULL) { /* unless an interrupt has ended it */
            copy_piece(queue);
        }
    } while (queue->copying != NULL);
    hrli_sync_unlock(state);
    if (hrli_core.running != NULL) {
        hrli_core_allow_dispatch(threshold);
    } else {
        hrli_core.threshold = threshold; /* there is no thread yet */
    }
}

static bool is_large(const struct hrl_message_queue *queue)
{
    return queue->quick == 0;
}

/* Copies at once what fits into a piece. Context: interrupts masked; unlocks. */
static void copy_all(struct hrl_message_queue *queue, struct hrli_message_copy *first,
                     hrlp_irq_state state)
{
    if (is_large(queue)) {
        copy_in_pieces(queue, first, state);
        return;
    }
    for (; first != NULL; first = first->then) {
        copy(first->to, first->from, first->words);
    }
    hrli_sync_unlock(state);
    hrli_core_dispatch();
}

static bool is_aligned(const void *message)
{
    return (uintptr_t)message % sizeof(hrli_message_word) == 0;
}

/* Context of these two: interrupts masked. */
static bool is_empty(const struct hrl_message_queue *queue)
{
    return queue->count == 0;
}

static bool is_full(const struct hrl_message_queue *queue)
{
    return queue->count == queue->capacity;
}

/* The slot behind `slot`. */
static hrli_message_word *advance(const struct hrl_message_queue *queue, hrli_message_word *slot)
{
    slot += queue->words;
    return slot == queue->end ? queue->slots : slot;
}

/* The slot of the next message; there is one. Context: interrupts masked. */
static hrli_message_word *take_slot(struct hrl_message_queue *queue)
{
    hrli_message_word *slot = queue->next;

    queue->next = advance(queue, slot);
    HRLP_SHOW(queue->count, queue->count + 1u);
    return slot;
}

/* The slot of the oldest message; there is one. Context: interrupts masked. */
static hrli_message_word *give_up_slot(struct hrl_message_queue *queue)
{
    hrli_message_word *slot = queue->oldest;

    queue->oldest = advance(queue, slot);
    HRLP_SHOW(queue->count, queue->count - 1u);
    return slot;
}

/* Wakes the first thread of `waiters`; there is one. Context: interrupts masked. */
static struct hrl_thread *wake_first(struct hrli_wait_queue *waiters)
{
    struct hrl_thread *thread = hrli_wait_queue_pop(waiters);

    hrli_wake(thread, HRL_OK);
    return thread;
}

/*
 * Sends to a waiting thread, or into a slot; false: the caller has to wait. Context: interrupts
 * masked; unlocks if it was done.
 */
static bool try_send(struct hrl_message_queue *queue, const void *message, hrlp_irq_state state)
{
    struct hrli_message_copy only = {NULL, message, queue->words, NULL};

    end_copy(queue);
    if (queue->receivers.first != NULL) {
        only.to = wake_first(&queue->receivers)->wait.data;
    } else if (is_full(queue)) {
        return false;
    } else {
        only.to = take_slot(queue);
    }
    copy_all(queue, &only, state);
    return true;
}

/* Receives the oldest one, then gives its slot to a waiting sender. Context: as try_send. */
static bool try_receive(struct hrl_message_queue *queue, void *message, hrlp_irq_state state)
{
    struct hrli_message_copy second = {NULL, NULL, queue->words, NULL};
    struct hrli_message_copy first = {message, NULL, queue->words, NULL};

    end_copy(queue);
    if (is_empty(queue)) {
        return false;
    }
    first.from = give_up_slot(queue);
    if (queue->senders.first != NULL) {
        second.from = wake_first(&queue->senders)->wait.data;
        second.to = take_slot(queue);
        first.then = &second;
    }
    copy_all(queue, &first, state);
    return true;
}

/* Apart, so that a call that finds a slot, and no waiting thread, has no frame to build for it. */
static __attribute__((noinline)) enum hrl_status send_or_wait(struct hrl_message_queue *queue,
                                                              const void *message, hrl_counts until)
{
    hrlp_irq_state state;

    HRLI_CHECK(queue->capacity != 0, "a message queue that is not initialised");
    while (state = hrli_sync_lock(), !try_send(queue, message, state)) {
        if (until == HRL_NO_WAIT) {
            hrli_sync_unlock(state);
            return HRL_WOULD_WAIT;
        }
        hrli_wait_enter(&queue->senders, state);
        if (is_full(queue)) { /* the message stays where it is until the thread goes on */
            hrli_core.running->wait.data = (void *)(uintptr_t)message;
            return hrli_wait_stay(until, state);
        }
        hrli_wait_leave(state);
    }
    return HRL_OK;
}

static __attribute__((noinline)) enum hrl_status receive_or_wait(struct hrl_message_queue *queue,
                                                                 void *message, hrl_counts until)
{
    hrlp_irq_state state;

    HRLI_CHECK(queue->capacity != 0, "a message queue that is not initialised");
    while (state = hrli_sync_lock(), !try_receive(queue, message, state)) {
        if (until == HRL_NO_WAIT) {
            hrli_sync_unlock(state);
            return HRL_WOULD_WAIT;
        }
        hrli_wait_enter(&queue->receivers, state);
        if (is_empty(queue)) {
            hrli_core.running->wait.data = message;
            return hrli_wait_stay(until, state);
        }
        hrli_wait_leave(state);
    }
    return HRL_OK;
}

enum hrl_status hrl_message_send(struct hrl_message_queue *queue, const void *message,
                                 hrl_counts until)
{
    hrlp_irq_state state;

    HRLI_CHECK_WAIT("hrl_message_send", until);
    HRLI_CHECK(is_aligned(message), "a message that is not aligned to 4 bytes");
    state = hrli_sync_lock();
    if (queue->receivers.first != NULL || queue->count >= queue->quick) { /* or full */
        hrli_sync_unlock(state);
        return send_or_wait(queue, message, until);
    }
    copy(take_slot(queue), message, queue->words);
    hrli_sync_unlock(state);
    return HRL_OK;
}

enum hrl_status hrl_message_receive(struct hrl_message_queue *queue, void *message,
                                    hrl_counts until)
{
    hrlp_irq_state state;

    HRLI_CHECK_WAIT("hrl_message_receive", until);
    HRLI_CHECK(is_aligned(message), "a message that is not aligned to 4 bytes");
    state = hrli_sync_lock();
    if (queue->senders.first != NULL || queue->count - 1u >= queue->quick) { /* or empty */
        hrli_sync_unlock(state);
        return receive_or_wait(queue, message, until);
    }
    copy(message, give_up_slot(queue), queue->words);
    hrli_sync_unlock(state);
    return HRL_OK;
}

uint32_t hrl_message_count(const struct hrl_message_queue *queue)
{
    return HRLP_SEE(queue->count);
}
