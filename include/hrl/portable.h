/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_PORTABLE_H
#define HRL_PORTABLE_H

#include <hrl/message_queue.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a task's body may call on Horolog and on FreeRTOS alike, so that `horolog compare` runs both kernels with the
 * same object code: sleep, counting semaphores, queues of messages. Each call is one call of either kernel:
 *
 *     HRL_PORTABLE_SEMAPHORE_DEFINE(bus, 1, 1);
 *     HRL_PORTABLE_QUEUE_DEFINE(samples, sizeof(struct sample), 8);
 *
 *     void make_objects(void)                                 what `start` of [system] names
 *     {
 *         hrl_portable_semaphore_make(&bus);
 *         hrl_portable_queue_make(&samples);
 *     }
 *
 * with `portable = true` in [system]: docs/guide/portable.md. An application for Horolog alone has more, and less in
 * between, by hrl/thread.h, hrl/semaphore.h and hrl/message_queue.h.
 */

/*
 * A span of time, in counts of the board's clock and in ticks of FreeRTOS, each rounded up: constants, so that no side
 * converts while it runs. Horolog waits no less than the span. FreeRTOS waits for so many ticks, the first of which may
 * come at once: up to a tick less. Constants below 2^32 - 1 of both, which is checked when the source is compiled.
 */
struct hrl_portable_span {
    uint32_t counts;
    uint32_t ticks;
};

#define HRL_PORTABLE_S(s) HRLI_PORTABLE_SPAN(s, 1u)
#define HRL_PORTABLE_MS(ms) HRLI_PORTABLE_SPAN(ms, 1000u)
#define HRL_PORTABLE_US(us) HRLI_PORTABLE_SPAN(us, 1000000u)
#define HRL_PORTABLE_FOREVER hrli_portable_span(UINT32_MAX, UINT32_MAX) /* no end of the wait */
#define HRL_PORTABLE_NO_WAIT hrli_portable_span(0, 0)

/* FreeRTOS ticks HRL_TICKS times in HRL_TICKS_SECONDS seconds; the tool defines both. */
#ifndef HRL_TICKS
#define HRL_TICKS 1000u
#define HRL_TICKS_SECONDS 1u
#endif

/* n / d seconds, rounded up. */
#define HRLI_PORTABLE_TICKS(n, d)                                                                  \
    (((uint64_t)(n)*HRL_TICKS + (uint64_t)(d)*HRL_TICKS_SECONDS - 1u) /                            \
     ((uint64_t)(d)*HRL_TICKS_SECONDS))
#define HRLI_PORTABLE_SPAN(n, d)                                                                   \
    hrli_portable_span((uint32_t)HRLI_COUNTS_OF(n, d) +                                            \
                           HRLI_PORTABLE_REQUIRE(HRLI_COUNTS_OF(n, d) < UINT32_MAX),               \
                       (uint32_t)HRLI_PORTABLE_TICKS(n, d) +                                       \
                           HRLI_PORTABLE_REQUIRE(HRLI_PORTABLE_TICKS(n, d) < UINT32_MAX))

/* 0, if `condition` is a constant that is true; else it does not compile. */
#ifdef __cplusplus
#define HRLI_PORTABLE_REQUIRE(condition) HRLI_REQUIRE(condition)
#else
#define HRLI_PORTABLE_REQUIRE(condition)                                                           \
    (0u * (uint32_t)sizeof(struct { int span_is_constant_and_short : (condition) ? 2 : -1; }))
#endif

/* The most tokens, messages, and bytes of a message: on AVR FreeRTOS counts them in 8 bits. */
#if UINTPTR_MAX < UINT32_MAX
#define HRLI_PORTABLE_MOST UINT8_MAX
#else
#define HRLI_PORTABLE_MOST UINT32_MAX
#endif

static inline struct hrl_portable_span hrli_portable_span(uint32_t counts, uint32_t ticks)
{
    struct hrl_portable_span span = {counts, ticks};

    return span;
}

/*
 * Waits for `span`. Context of this call and of those below, but of the two that make objects: a body of a thread that
 * holds no resource; to give, and with HRL_PORTABLE_NO_WAIT to take, send and receive, also a basic task. Cost: as of the
 * call of the kernel that runs.
 */
void hrl_portable_sleep(struct hrl_portable_span span);

/* What either kernel keeps of an object: as much as the larger of both takes, on both sides. */
#define HRLI_PORTABLE_WORDS 20u

struct hrl_portable_semaphore {
    uint32_t initial;
    uint32_t most;
    void *state[HRLI_PORTABLE_WORDS];
};

/*
 * Defines a semaphore of `initial_tokens` that holds at most `most_tokens`, which are below 2^8 on processors with
 * addresses of 16 bits, as FreeRTOS's numbers there. At file scope.
 */
#define HRL_PORTABLE_SEMAPHORE_DEFINE(semaphore_name, initial_tokens, most_tokens)                 \
    HRLI_STATIC_ASSERT((int64_t)(initial_tokens) >= 0 &&                                           \
                           HRLI_SEMAPHORE_HOLDS(initial_tokens, most_tokens),                      \
                       "a semaphore holds at least one token, and not fewer than at first");       \
    HRLI_STATIC_ASSERT((most_tokens) <= HRLI_PORTABLE_MOST, "FreeRTOS counts fewer tokens here");  \
    struct hrl_portable_semaphore semaphore_name = {initial_tokens, most_tokens, {0}}

/* Makes it ready for use, once. Context: the function of `start`. */
void hrl_portable_semaphore_make(struct hrl_portable_semaphore *semaphore);

/*
 * Takes a token, or waits for one; gives one. Returns whether it did: there was none within `span`, or no room. A token
 * goes to the most urgent thread that waits, of equals to the one that has waited longest.
 */
bool hrl_portable_semaphore_take(struct hrl_portable_semaphore *semaphore,
                                 struct hrl_portable_span span);
bool hrl_portable_semaphore_give(struct hrl_portable_semaphore *semaphore);

struct hrl_portable_queue {
    hrli_message_word *slots;
    uint32_t bytes; /* of a message */
    uint32_t most;
    void *state[HRLI_PORTABLE_WORDS];
};

/* Defines a queue for `most_messages` of `message_bytes`, a multiple of 4, with the same limit. At file scope. */
#define HRL_PORTABLE_QUEUE_DEFINE(queue_name, message_bytes, most_messages)                        \
    HRLI_STATIC_ASSERT((message_bytes) % 4 == 0 && (message_bytes) > 0,                            \
                       "a message is a multiple of 4 bytes");                                      \
    HRLI_STATIC_ASSERT((most_messages) > 0, "the capacity must be at least 1");                    \
    HRLI_STATIC_ASSERT((message_bytes) <= HRLI_PORTABLE_MOST &&                                    \
                           (most_messages) <= HRLI_PORTABLE_MOST,                                  \
                       "FreeRTOS has no such queue here");                                         \
    static hrli_message_word queue_name##_slots[HRL_MESSAGE_SLOTS(message_bytes, most_messages)];  \
    struct hrl_portable_queue queue_name = {queue_name##_slots, message_bytes, most_messages, {0}}

/* Makes it ready for use, once. Context: the function of `start`. */
void hrl_portable_queue_make(struct hrl_portable_queue *queue);

/*
 * Sends a copy of `message`; receives the oldest one. Returns whether it did: there was no room, or no message, within
 * `span`. `message` is aligned to 4 bytes. Messages and room go to waiting threads as tokens do.
 */
bool hrl_portable_queue_send(struct hrl_portable_queue *queue, const void *message,
                             struct hrl_portable_span span);
bool hrl_portable_queue_receive(struct hrl_portable_queue *queue, void *message,
                                struct hrl_portable_span span);

#ifdef __cplusplus
}
#endif

#endif
