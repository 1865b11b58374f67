/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Default system for mps2-an385, for applications that are built without the tool: no periodic threads, the
 * clock on the dual timer's second channel, sleeps and time-outs on TIMER0, one-shot over a calendar with
 * slots of 1.3 ms.
 */
#include "calendar.h"
#include "core.h"
#include "hrlp_clock.h"
#include "hrlp_cmsdk_timer.h"
#include "hrlp_upcalls.h"
#include "one_shot.h"
#include "system.h"
#include "wait.h"

enum { CHANNEL = 0, SLOTS = 128, SLOT_SHIFT = 15 };

static struct hrli_calendar calendar;
static hrli_instant_link slots[SLOTS];
static uint32_t occupied[HRLI_CALENDAR_WORDS(SLOTS)];

static inline bool store_insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_calendar_insert(queue, node);
}

static inline struct hrli_queue_node *store_first(void *queue)
{
    return hrli_calendar_first(queue);
}

static inline void store_pop(void *queue, struct hrli_queue_node *first)
{
    hrli_calendar_pop(queue, first);
}

static inline void store_remove(void *queue, struct hrli_queue_node *node)
{
    hrli_calendar_remove(queue, node);
}

static const struct hrli_store store = {store_insert, store_first, store_pop, store_remove,
                                        hrli_timeout_release};

static void arm(hrl_stamp due)
{
    hrlp_cmsdk_timer_arm(CHANNEL, due);
}

static void disarm(void)
{
    hrlp_cmsdk_timer_disarm(CHANNEL);
}

static const struct hrlp_cell cell = {NULL, arm, disarm}; /* never periodic */

static void enrol(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    (void)releaser;
    (void)waiter; /* there are no periodic threads */
}

static bool hold(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    (void)releaser;
    (void)waiter;
    return false;
}

static void start(struct hrli_releaser *releaser)
{
    hrli_one_shot_start((struct hrli_one_shot *)releaser, &calendar, &store);
}

static void serve(struct hrli_releaser *releaser)
{
    hrli_one_shot_serve((struct hrli_one_shot *)releaser, &calendar, &store);
}

static const struct hrli_releaser_calls calls = {enrol, start, hold, serve};

/* `next` is where hrl_start wants the first instant to lie: ahead. */
static struct hrli_one_shot releaser = {
    .base = {.next = (hrl_stamp)1 << 30, .cell = &cell, .calls = &calls},
    .span = (uint32_t)1 << 31,
};

static bool put(struct hrli_queue_node *node)
{
    return hrli_one_shot_put(&releaser, node, &calendar, &store);
}

static void withdraw(struct hrli_queue_node *node)
{
    hrli_calendar_remove(&calendar, node);
}

static const struct hrli_timeouts timeouts = {&releaser.base, put, withdraw};

void TIMER0_Handler(void);
void TIMER0_Handler(void)
{
    hrlp_cmsdk_timer_acknowledge(CHANNEL);
    hrli_one_shot_interrupt(&releaser, &calendar, &store);
    hrli_core_dispatch_after_interrupt();
}

void DUALTIMER_Handler(void);
void DUALTIMER_Handler(void)
{
    if (hrlp_clock_wrap_pending()) {
        HRLP_CMSDK_DUALTIMER(1)->clear = 1;
        hrli_clock_wrapped();
    }
}

void hrl_gen_prepare(void)
{
    hrli_calendar_init(&calendar, slots, occupied, SLOTS, SLOT_SHIFT);
    hrlp_cmsdk_timer_prepare(CHANNEL);
}

static uint64_t idle_stack[32];
static struct hrl_thread idle = {
    .name = "idle", .stack = idle_stack, .stack_bytes = sizeof idle_stack};
static struct hrli_releaser *const releasers[] = {&releaser.base};

const struct hrli_system hrl_gen_system = {NULL, 0, releasers, 1, &idle, &timeouts};
