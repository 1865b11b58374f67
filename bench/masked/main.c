/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/*
 * `horolog bench masked` on the target: every kind of call while BENCH_SLEEPERS threads are asleep. They sleep
 * about a second each, again and again, at phases scattered evenly. What an interrupts-off window belongs to is
 * said by marks: from bench_mark_call_<name> on, it is call <name>, with the switches and interrupts
 * that it causes. A mark is no instruction; nothing here measures.
 */
#define CALL(name)                                                                                 \
    __asm__ volatile(".global bench_mark_call_" #name "\nbench_mark_call_" #name ":" : : : "memory")

#ifndef BENCH_SLEEPERS /* the build's to say */
#define BENCH_SLEEPERS 10
#endif

enum {
    ROUNDS = 200,
    US = 25, /* counts */
    FIRST_US = 100000,
    ROUND_US = 20000,
    PERIOD_BITS = 20, /* of microseconds */
    STACK_BYTES = 512,
    LINE = 9,        /* raised by software; its timer is off */
    LOWER_LINE = 20, /* the same, of no device */
    LOW = 2,
    DRIVER = 3,
    HIGH = 4,
    LINE_WAITER = 5,
};

HRL_SEMAPHORE_DEFINE(own, 0, 1);
HRL_SEMAPHORE_DEFINE(never, 0, 1);
HRL_SEMAPHORE_DEFINE(awaited, 0, 1);
HRL_SEMAPHORE_DEFINE(raised, 0, 1);
HRL_MUTEX_DEFINE(inherited);
HRL_MUTEX_DEFINE_CEILING(ceiling, HIGH);
HRL_MESSAGE_QUEUE_DEFINE(messages, 16, 4);
HRL_MESSAGE_QUEUE_DEFINE(large_messages, 256, 2);
HRL_POOL_DEFINE(pool, 64, 4);
/* For these a thread of each level from 2 on waits for ever: the worst case of a wait queue. */
HRL_SEMAPHORE_DEFINE(crowded, 0, 1);
HRL_EVENT_DEFINE(crowded_event);

static void drive(void *argument);
static void take(void *argument);
static void take_raised(void *argument);
static void lock(void *argument);
static void end(void *argument);

HRL_THREAD_DEFINE(driver, drive, NULL, DRIVER, STACK_BYTES);
HRL_THREAD_DEFINE(taker, take, NULL, HIGH, STACK_BYTES);
HRL_THREAD_DEFINE(raised_taker, take_raised, NULL, LINE_WAITER, STACK_BYTES);
HRL_THREAD_DEFINE(locker, lock, NULL, HIGH, STACK_BYTES);
HRL_THREAD_DEFINE(ender, end, NULL, LOW, STACK_BYTES);

static void give_raised(void)
{
    (void)hrl_semaphore_give(&raised);
}

/* What the two lines do when they are raised. */
static void (*in_handler)(void) = give_raised;

void TIMER1_Handler(void);
void TIMER1_Handler(void)
{
    in_handler();
}

static void handle_lower(void *argument)
{
    (void)argument;
    in_handler();
}

/* With an instant, so that there is a time-out to withdraw. */
static void take(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&awaited, hrl_now() + (hrl_counts)1000000u * US);
    }
}

static void take_raised(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&raised, hrl_now() + (hrl_counts)1000000u * US);
    }
}

static void lock(void *argument)
{
    (void)argument;
    for (;;) {
        hrl_thread_suspend(&locker);
        (void)hrl_mutex_lock(&inherited, HRL_FOREVER);
        hrl_mutex_unlock(&inherited);
    }
}

static void end(void *argument)
{
    (void)argument;
}

enum { CROWD = HRL_PRIORITIES - 2, EVENT_NOBODY = 1, EVENT_LAST = 2 };
static struct hrl_thread crowd[2][CROWD];
static uint64_t crowd_stacks[2][CROWD][STACK_BYTES / 8] __attribute__((section(".hrl_stacks")));

static void wait_in_crowd(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&crowded, HRL_FOREVER);
}

static void wait_in_event_crowd(void *argument)
{
    for (;;) {
        (void)hrl_event_wait(&crowded_event, argument != NULL ? EVENT_LAST : EVENT_NOBODY,
                             HRL_EVENT_CLEAR, HRL_FOREVER, NULL);
    }
}

HRL_THREAD_DEFINE(in_crowd, wait_in_crowd, NULL, LOW, STACK_BYTES);
HRL_THREAD_DEFINE(in_event_crowd, wait_in_event_crowd, NULL, LOW, STACK_BYTES);

static void start_crowd(void)
{
    for (uint32_t i = 0; i < CROWD; i++) {
        for (int of_event = 0; of_event < 2; of_event++) {
            struct hrl_thread *thread = &crowd[of_event][i];

            *thread = of_event ? in_event_crowd : in_crowd;
            thread->stack = crowd_stacks[of_event][i];
            thread->argument = i == 0 ? thread : NULL; /* the last of all */
            thread->ready.base_priority = 2 + i;
            hrl_thread_start(thread);
        }
    }
}

static uint32_t large[64];

static void set_crowded_event(void)
{
    hrl_event_set(&crowded_event, EVENT_LAST);
}

static void send_large_message(void)
{
    (void)hrl_message_send(&large_messages, large, HRL_NO_WAIT);
}

static void use_large_messages(void)
{
    send_large_message();
    (void)hrl_message_receive(&large_messages, large, HRL_NO_WAIT);
}

/* Long calls in handlers at the kernel's priority, and below it. */
static void interrupts(void)
{
    CALL(crowd_event_by_interrupt);
    in_handler = set_crowded_event;
    hrlp_irq_raise(LINE);
    CALL(other_again);
    hrl_thread_set_priority(&driver, 1); /* lets the last of the crowd wait again */
    hrl_thread_set_priority(&driver, DRIVER);
    CALL(crowd_event_by_lower_interrupt);
    hrlp_irq_raise(LOWER_LINE);
    CALL(other_again_2);
    hrl_thread_set_priority(&driver, 1);
    hrl_thread_set_priority(&driver, DRIVER);
    CALL(message_256_by_interrupt);
    in_handler = send_large_message;
    hrlp_irq_raise(LINE);
    CALL(message_256_by_lower_interrupt);
    hrlp_irq_raise(LOWER_LINE);
    CALL(message_256_again);
    (void)hrl_message_receive(&large_messages, large, HRL_NO_WAIT);
    (void)hrl_message_receive(&large_messages, large, HRL_NO_WAIT);
    in_handler = give_raised;
}

static void tick(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
}

HRL_ALARM_DEFINE_CALL(alarm, tick, NULL);

static void alarms(void)
{
    CALL(alarm);
    hrl_alarm_start_periodic(&alarm, hrl_now() + 50u * US, HRL_PERIOD_US(50), 4);
    hrl_thread_sleep_for((hrl_counts)500u * US);
    CALL(alarm_in_the_past);
    hrl_alarm_start_periodic(&alarm, hrl_now() - 5000u * US, HRL_PERIOD_US(70), HRL_ALARM_FOREVER);
    (void)hrl_alarm_stop(&alarm);
}

/* The caller comes last: at level 1, where others may come between the calls. */
static void crowds(void)
{
    hrl_thread_set_priority(&driver, 1);
    CALL(crowd_times_out);
    (void)hrl_semaphore_take(&crowded, hrl_now() + (hrl_counts)500u * US);
    CALL(other);
    hrl_thread_set_priority(&driver, DRIVER);
    CALL(crowd_level);
    hrl_thread_set_priority(&crowd[0][0], 3);
    hrl_thread_set_priority(&crowd[0][0], 2);
    CALL(crowd_event);
    hrl_event_set(&crowded_event, EVENT_LAST);
    hrl_thread_set_priority(&driver, 1); /* lets it wait again */
    CALL(no_more_crowd);
    hrl_thread_set_priority(&driver, DRIVER);
}

static void services(void)
{
    uint32_t message[4] = {0};
    void *block;

    CALL(semaphore);
    (void)hrl_semaphore_give(&own);
    (void)hrl_semaphore_take(&own, HRL_NO_WAIT);
    CALL(semaphore_wakes);
    (void)hrl_semaphore_give(&awaited);
    CALL(semaphore_times_out);
    (void)hrl_semaphore_take(&never, hrl_now() + (hrl_counts)500u * US);
    CALL(interrupt_gives);
    hrlp_irq_raise(LINE);
    CALL(mutex);
    (void)hrl_mutex_lock(&inherited, HRL_FOREVER);
    CALL(mutex_inherits);
    hrl_thread_resume(&locker);
    hrl_mutex_unlock(&inherited);
    CALL(mutex_ceiling);
    (void)hrl_mutex_lock(&ceiling, HRL_FOREVER);
    hrl_mutex_unlock(&ceiling);
    CALL(message_queue);
    (void)hrl_message_send(&messages, message, HRL_FOREVER);
    (void)hrl_message_receive(&messages, message, HRL_FOREVER);
    CALL(message_256);
    use_large_messages();
    CALL(pool);
    (void)hrl_pool_take(&pool, &block, HRL_FOREVER);
    hrl_pool_give(&pool, block);
}

static void drive(void *argument)
{
    uint32_t next = FIRST_US;

    (void)argument;
    hrlp_irq_enable_at(LINE, HRL_INTERRUPT_KERNEL);
    hrl_interrupt_attach(LOWER_LINE, handle_lower, NULL);
    (void)hrl_interrupt_enable(LOWER_LINE, HRL_INTERRUPT_LOWEST);
    for (int i = 0; i < ROUNDS; i++) {
        CALL(sleep_until);
        hrl_thread_sleep_until((hrl_counts)next * US);
        CALL(sleep_for);
        hrl_thread_sleep_for((hrl_counts)1000u * US);
        services();
        crowds();
        interrupts();
        alarms();
        CALL(yield);
        hrl_thread_yield();
        CALL(level);
        hrl_thread_set_priority(&driver, LOW);
        hrl_thread_set_priority(&driver, DRIVER);
        CALL(start_and_join);
        hrl_thread_start(&ender);
        (void)hrl_thread_join(&ender, HRL_FOREVER);
        next += ROUND_US;
    }
    __asm__ volatile(".global bench_mark_done\nbench_mark_done:" : : : "memory");
    hrlp_cpu_halt(0);
}

static struct hrl_thread sleepers[BENCH_SLEEPERS];
static uint64_t stacks[BENCH_SLEEPERS][STACK_BYTES / 8] __attribute__((section(".hrl_stacks")));

static void sleep_often(void *argument)
{
    uint32_t index = (uint32_t)(uintptr_t)argument;
    uint32_t next = FIRST_US + ((index * 2654435769u) >> (32 - PERIOD_BITS));

    for (;;) {
        hrl_thread_sleep_until((hrl_counts)next * US);
        next += 1u << PERIOD_BITS;
    }
}

HRL_THREAD_DEFINE(pattern, sleep_often, NULL, LOW, STACK_BYTES);

int main(void)
{
    for (uint32_t i = 0; i < BENCH_SLEEPERS; i++) {
        sleepers[i] = pattern;
        sleepers[i].stack = stacks[i];
        sleepers[i].argument = (void *)(uintptr_t)i;
        hrl_thread_start(&sleepers[i]);
    }
    start_crowd();
    hrl_thread_start(&driver);
    hrl_thread_start(&taker);
    hrl_thread_start(&raised_taker);
    hrl_thread_start(&locker);
    hrl_start();
}
