/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_ALARM_H
#define HRL_ALARM_H

#include <hrl/semaphore.h>
#include <hrl/time.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Alarms: at an instant, or at each multiple of a period, something is done: a function is called,
 * a semaphore is given, or a thread that waits for the alarm goes on.
 *
 *     HRL_ALARM_DEFINE_CALL(blink, toggle, &led);
 *     hrl_alarm_start_periodic(&blink, hrl_now() + HRL_MS(500), HRL_PERIOD_MS(500),
 *                              HRL_ALARM_FOREVER);
 *
 * Expiry k falls at floor(first + k * period) counts, exactly and for ever, as far ahead as 2^62
 * counts. Alarms of one instant expire in the order in which they were put there, time-outs of
 * threads among them.
 *
 * Late alarms. An expiry may be served late, because interrupts were masked or other alarms took
 * their time. If meanwhile the next ones have passed too, they are not made up for one by one: the
 * alarm expires once, and says how many expiries that stands for. The sum of these is the number of
 * instants that have passed; the instants to come do not move. An alarm that is started for an
 * instant in the past is served late in the same way.
 *
 * Context of what is called at an expiry: that of an interrupt. It may do what an interrupt may
 * (give, set, send, resume, take with HRL_NO_WAIT), and start and stop alarms, its own included; it
 * does not wait. Interrupts may be on or off, no thread runs meanwhile, and all other time-outs
 * wait behind it: be short. It is called by the handler of the time-outs' timer, or, on its stack,
 * by a thread: one that starts the alarm in the past, or that was busy with its own sleep or alarm
 * when the timer interrupted.
 *
 * Context of start, stop and next: a thread, or a function that an alarm calls; not another
 * interrupt. Cost: a removal from the store of time-outs and an insertion, interrupts on; in the
 * past also some steps for each bit of the number of expiries. An expiry costs the insertion of the
 * next one.
 *
 * With several cores an alarm belongs to the core that starts it first, and always expires there. Any core starts and
 * stops it, and any waits for it; hrl_alarm_next is for its own core. A start or a stop by another core returns at once,
 * and is done at the next dispatch of the alarm's core, for which it rings: within the time for which dispatch is held off
 * or interrupts are masked there. The last call holds. When such a call returns the alarm begins no expiry of before any
 * more, but one that has begun there may still do what it does. Until that dispatch the alarm is used there, so its memory
 * is not to be used for anything else. An expiry that was in the past at such a start may come in that dispatch.
 */
struct hrl_alarm {
    struct hrli_called_timeout timeout;
    struct hrli_period period;
    uint32_t hops; /* of 2^30 counts, from the node's key to the next expiry */
    uint32_t left; /* how many expiries are to come; 0: no end of them */
    void (*act)(struct hrl_alarm *alarm, uint32_t expiries);
    void (*function)(void *argument, uint32_t expiries);
    void *argument;
    struct hrli_wait_queue waiters;
    uint32_t expired;            /* expiries that no thread has waited for yet */
    uint32_t owed;               /* expiries that were in the past when a function started it */
    struct hrl_alarm *next_owed; /* of the list of those that owe */
    bool in_list;
    bool runs;        /* its node is in the store */
#if HRL_CORES > 1     /* as each core has a store */
    bool is_listed;   /* its core has not done yet what another has asked for */
    hrli_number home; /* one more than the number of its core; 0: it was not started yet */
    struct hrl_alarm *next_asked;
    struct hrli_alarm_asked {
        hrli_number what; /* kernel/sync/alarm_elsewhere.h */
        uint32_t times;
        hrl_counts first;
        hrl_period period;
    } asked;
#endif
};

/*
 * Defines an alarm that calls `calls(pointer, expiries)`: expiries is 1, or more if it is late. At
 * file scope, as the other two.
 */
#define HRL_ALARM_DEFINE_CALL(alarm_name, calls, pointer)                                          \
    HRLI_ALARM_DEFINE(alarm_name, hrli_alarm_call, calls, pointer)

/* Defines an alarm that gives `semaphore_name` a token for each expiry, as far as there is room. */
#define HRL_ALARM_DEFINE_GIVE(alarm_name, semaphore_name)                                          \
    HRLI_ALARM_DEFINE(alarm_name, hrli_alarm_give, 0, &(semaphore_name))

/* Defines an alarm for threads, which wait for it by hrl_alarm_wait. */
#define HRL_ALARM_DEFINE(alarm_name) HRLI_ALARM_DEFINE(alarm_name, hrli_alarm_wake, 0, 0)

/* The initialisers of these, for arrays. */
#define HRL_ALARM_INIT_CALL(calls, pointer)                                                        \
    {                                                                                              \
        HRLI_ALARM_FIELDS(hrli_alarm_call, calls, pointer)                                         \
    }
#define HRL_ALARM_INIT_GIVE(semaphore)                                                             \
    {                                                                                              \
        HRLI_ALARM_FIELDS(hrli_alarm_give, 0, &(semaphore))                                        \
    }
#define HRL_ALARM_INIT                                                                             \
    {                                                                                              \
        HRLI_ALARM_FIELDS(hrli_alarm_wake, 0, 0)                                                   \
    }

/* Starts an alarm, anew if it runs: it expires once, at `instant`, at once if that has passed. */
void hrl_alarm_start(struct hrl_alarm *alarm, hrl_counts instant);

/*
 * Starts an alarm, anew if it runs: it expires at `first` and then with every period, `times` times
 * in all or HRL_ALARM_FOREVER. A period that is shorter than what an expiry costs leaves no time
 * for threads.
 */
#define HRL_ALARM_FOREVER 0u
void hrl_alarm_start_periodic(struct hrl_alarm *alarm, hrl_counts first, hrl_period period,
                              uint32_t times);

/*
 * Stops an alarm: when this returns it expires no more, and calls nothing. Returns whether it ran:
 * false if it had expired for the last time, or was never started; of a stop beside a start by another
 * core that has not returned, either. Threads that wait for it go on waiting.
 */
bool hrl_alarm_stop(struct hrl_alarm *alarm);

/* When it expires next, in counts of hrl_now, or HRL_FOREVER if it does not run. */
hrl_counts hrl_alarm_next(const struct hrl_alarm *alarm);

/*
 * Waits until the alarm has expired since the last call of this function, or since it was started:
 * HRL_OK, and in *expiries how often, 1 if nothing was missed; HRL_WOULD_WAIT or HRL_TIMED_OUT, and
 * 0. Where several threads wait, the most urgent one goes on, the others wait for the next expiry.
 * Context: a thread that may wait; with HRL_NO_WAIT also any other and an interrupt. Cost: as
 * hrl_semaphore_take.
 */
enum hrl_status hrl_alarm_wait(struct hrl_alarm *alarm, uint32_t *expiries, hrl_counts until);

/* The kernel's: what an alarm does, and what makes it do so. */
void hrli_alarm_call(struct hrl_alarm *alarm, uint32_t expiries);
void hrli_alarm_give(struct hrl_alarm *alarm, uint32_t expiries);
void hrli_alarm_wake(struct hrl_alarm *alarm, uint32_t expiries);
void hrli_alarm_expire(struct hrli_called_timeout *timeout);
void hrli_whole_alarm_expire(struct hrli_called_timeout *timeout);

/*
 * hrl_alarm_start_periodic with a period of whole counts, 1 to 2^30; with `times` 1 any other number but 0 will do. Where
 * words of 32 bits are many instructions the two calls above are this one, if the compiler sees such a period: an image
 * with no others comes without the arithmetic of fractions, and of 64 bits.
 */
void hrli_alarm_start_whole(struct hrl_alarm *alarm, hrl_counts first, uint32_t counts,
                            uint32_t times);
#if UINTPTR_MAX < UINT32_MAX && !defined HRLI_OUT_OF_LINE /* else both are more code than one */
static inline __attribute__((always_inline)) void
hrli_alarm_start_as_seen(struct hrl_alarm *alarm, hrl_counts first, hrl_period period,
                         uint32_t times)
{
    if (__builtin_constant_p(period.numerator) && period.numerator == 0 &&
        __builtin_constant_p(period.hops) && period.hops == 0) {
        hrli_alarm_start_whole(alarm, first, period.counts, times);
    } else {
        hrl_alarm_start_periodic(alarm, first, period, times);
    }
}
#define hrl_alarm_start_periodic(alarm, first, period, times)                                      \
    hrli_alarm_start_as_seen(alarm, first, period, times)
#define hrl_alarm_start(alarm, instant) hrli_alarm_start_whole(alarm, instant, 1u, 1u)
#endif

/* What serves it; where there are two such functions, what starts it says which. */
#if UINTPTR_MAX < UINT32_MAX
#define HRLI_ALARM_STARTS_SAY true
#define HRLI_ALARM_EXPIRE 0
#else
#define HRLI_ALARM_STARTS_SAY false
#define HRLI_ALARM_EXPIRE hrli_alarm_expire
#endif
#ifdef __cplusplus /* has no designated initialisers before C++20 */
#define HRLI_ALARM_FIELDS(does, calls, pointer)                                                    \
    {{}, 0, HRLI_ALARM_EXPIRE}, {}, 0, 0, does, calls, pointer, {}, 0, 0, nullptr, false, false
#else
#define HRLI_ALARM_FIELDS(does, calls, pointer)                                                    \
    .timeout.expire = HRLI_ALARM_EXPIRE, .act = (does), .function = (calls), .argument = (pointer)
#endif
#define HRLI_ALARM_DEFINE(alarm_name, does, calls, pointer)                                        \
    struct hrl_alarm alarm_name = {HRLI_ALARM_FIELDS(does, calls, pointer)}

#ifdef __cplusplus
}
#endif

#endif
