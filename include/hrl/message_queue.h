/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_MESSAGE_QUEUE_H
#define HRL_MESSAGE_QUEUE_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Queues of messages of one size, which are copied in and out, first in, first out.
 *
 *     HRL_MESSAGE_QUEUE_DEFINE(commands, sizeof(struct command), 8);
 *
 * A message that is sent while threads wait to receive goes straight to the most urgent of them; of
 * equals, to the one that has waited longest. Likewise room goes to the most urgent of the threads
 * that wait to send. Messages are copied by words. Interrupts are off for up to 128 bytes of it;
 * between two such pieces of a larger message they are on, and no other thread runs.
 */
struct hrli_message_copy;

/* What messages are copied by: bytes where the processor has no longer registers. */
#if UINTPTR_MAX < UINT32_MAX
typedef uint8_t hrli_message_word;
#else
typedef uint32_t hrli_message_word;
#endif

struct hrl_message_queue {
    struct hrli_wait_queue receivers;
    struct hrli_wait_queue senders; /* wait.data: the message */
    uint32_t count;
    uint32_t quick; /* the capacity, if messages are copied at once; 0: they are copied in pieces */
    uint32_t capacity;
    uint32_t words; /* of a message */
    hrli_message_word *oldest;
    hrli_message_word *next; /* to be written */
    hrli_message_word *slots;
    hrli_message_word *end;
    struct hrli_message_copy *copying; /* of a large message, in pieces; NULL: none */
};

/* The words in which `most` messages of `bytes` fit: a queue's slots. */
#define HRL_MESSAGE_SLOTS(bytes, most) ((bytes) / sizeof(hrli_message_word) * (most))

/* The most words of a message that are copied with interrupts off. */
#define HRLI_MESSAGE_PIECE_WORDS 32u
#define HRLI_MESSAGE_QUICK(words, most) ((words) > HRLI_MESSAGE_PIECE_WORDS ? 0u : (most))

/* Defines a queue for `most` messages of `bytes`, a multiple of 4, at file scope; neither is 0. */
#define HRL_MESSAGE_QUEUE_DEFINE(queue_name, bytes, most)                                          \
    HRLI_STATIC_ASSERT((bytes) % sizeof(hrli_message_word) == 0 && (bytes) > 0,                    \
                       "a message is a multiple of 4 bytes");                                      \
    HRLI_STATIC_ASSERT((most) > 0, "the capacity must be at least 1");                             \
    static hrli_message_word queue_name##_slots[HRL_MESSAGE_SLOTS(bytes, most)];                   \
    struct hrl_message_queue queue_name = HRL_MESSAGE_QUEUE_INIT(queue_name##_slots, bytes)

/*
 * The initialiser of one, for arrays, with slots of its own for messages of `bytes`:
 *
 *     static uint32_t slots[2][HRL_MESSAGE_SLOTS(sizeof(struct command), 8)];
 *     struct hrl_message_queue commands[2] = {
 *         HRL_MESSAGE_QUEUE_INIT(slots[0], sizeof(struct command)), ...
 */
#define HRL_MESSAGE_QUEUE_INIT(slots, bytes)                                                       \
    {                                                                                              \
        HRLI_ZERO, HRLI_ZERO,                                                                      \
            HRLI_REQUIRE((bytes) % sizeof(hrli_message_word) == 0 &&                               \
                         sizeof(slots) % (bytes) == 0),                                            \
            HRLI_MESSAGE_QUICK((bytes) / sizeof(hrli_message_word), sizeof(slots) / (bytes)),      \
            sizeof(slots) / (bytes), (bytes) / sizeof(hrli_message_word), slots, slots, slots,     \
            (slots) + sizeof(slots) / sizeof(slots)[0], 0                                          \
    }

/*
 * Sends a copy of the message; receives the oldest one. With no room, or no message, waits: HRL_OK,
 * HRL_WOULD_WAIT or HRL_TIMED_OUT. `message` is aligned to 4 bytes. Context: a thread that may
 * wait; with HRL_NO_WAIT also any other and an interrupt; one that comes between two pieces of a
 * large message ends these first if it uses the same queue. Cost: as of a semaphore, and in
 * proportion to the message, twice to receive from a full queue.
 */
enum hrl_status hrl_message_send(struct hrl_message_queue *queue, const void *message,
                                 hrl_counts until);
enum hrl_status hrl_message_receive(struct hrl_message_queue *queue, void *message,
                                    hrl_counts until);

/* The messages that are there. Context: any. */
uint32_t hrl_message_count(const struct hrl_message_queue *queue);

#ifdef __cplusplus
}
#endif

#endif
