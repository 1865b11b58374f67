/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_SEMAPHORE_H
#define HRL_SEMAPHORE_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Counting semaphores: a number of tokens that are given and taken.
 *
 *     HRL_SEMAPHORE_DEFINE(received, 0, 1);
 *     ... hrl_semaphore_give(&received);                      in the interrupt
 *     ... hrl_semaphore_take(&received, hrl_now() + span);    in a thread
 *
 * A token that is given while threads wait goes to the most urgent of them, of these to the one
 * that has waited longest, and cannot be taken by another.
 */
struct hrl_semaphore {
    volatile hrli_number count;
    struct hrli_wait_queue waiters;
    hrli_number limit;
};

/*
 * Defines a semaphore of `initial` tokens that holds at most `most`, which is not 0, and below 2^16 on processors
 * with addresses of 16 bits. At file scope.
 */
#define HRL_SEMAPHORE_DEFINE(semaphore_name, initial, most)                                        \
    struct hrl_semaphore semaphore_name = {initial, HRLI_ZERO, most};                              \
    HRLI_STATIC_ASSERT(HRLI_SEMAPHORE_HOLDS(initial, most),                                        \
                       "a semaphore holds at least one token, and not fewer than at first")

/* The initialiser of one, for arrays: struct hrl_semaphore done[2] = {HRL_SEMAPHORE_INIT(0, 1), ... */
#define HRL_SEMAPHORE_INIT(initial, most)                                                          \
    {                                                                                              \
        (initial) + HRLI_REQUIRE(HRLI_SEMAPHORE_HOLDS(initial, most)), HRLI_ZERO, most             \
    }
#define HRLI_SEMAPHORE_HOLDS(initial, most)                                                        \
    ((most) != 0 && (uint32_t)(most) <= HRLI_NUMBER_MAX && (uint32_t)(initial) <= (uint32_t)(most))

/*
 * Takes a token; with none there, waits: HRL_OK, HRL_WOULD_WAIT or HRL_TIMED_OUT. Context: a
 * thread that may wait; with HRL_NO_WAIT also any other and an interrupt. Cost: constant; behind
 * more urgent threads that wait also in proportion to their priorities, HRL_PRIORITIES at most, and
 * for an instant an insertion into the store of time-outs and a removal, all of it with interrupts
 * on.
 */
enum hrl_status hrl_semaphore_take(struct hrl_semaphore *semaphore, hrl_counts until);

/*
 * hrl_semaphore_take with HRL_FOREVER: HRL_OK. An image that has no call with an instant, and waits
 * for semaphores only, comes without the code for waits that end. In sources that are compiled with
 * HRL_CHECKS=0 a call of hrl_semaphore_take with the constant HRL_FOREVER is this one. Context: a
 * thread that may wait. Cost: constant, and behind more urgent threads as hrl_semaphore_take.
 */
enum hrl_status hrl_semaphore_take_forever(struct hrl_semaphore *semaphore);
#if defined HRL_CHECKS && !HRL_CHECKS && !defined HRLI_OUT_OF_LINE /* checks name the call made */
#define hrl_semaphore_take(semaphore, until)                                                       \
    (__builtin_constant_p(until) && HRL_FOREVER - (until) == 0                                     \
         ? hrl_semaphore_take_forever(semaphore)                                                   \
         : hrl_semaphore_take(semaphore, until))
#endif

/*
 * Gives a token: HRL_OK, or HRL_FULL and nothing done. A more urgent thread that waits for it runs
 * before this returns. Context: a thread, an interrupt. Cost: constant.
 */
enum hrl_status hrl_semaphore_give(struct hrl_semaphore *semaphore);

/* The tokens that are there. Context: any. */
uint32_t hrl_semaphore_count(const struct hrl_semaphore *semaphore);

#ifdef __cplusplus
}
#endif

#endif
