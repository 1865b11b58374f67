/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/interrupt.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * TIMER1 of the MPS2, which Horolog does not use here, interrupts the threads, the kernel and its handlers. Its
 * period is a count longer than the cycle of the described tasks. So it comes a count later in each cycle, and after
 * as many cycles as a cycle has counts it has come before each instruction of a cycle. If its priority permits that,
 * its handler calls the kernel. Threads make all calls meanwhile, on the same objects, and check what they get.
 *
 * Or a basic task does, of the same period, which the system describes and which TIMER1, or another cell, releases.
 *
 * The build says: CYCLE in counts, CYCLES; HANDLER, the name of the interrupt's handler, and its PRIORITY, which is 0
 * where a basic task intrudes; CALL, the one that it makes, or CALLS for all in turn; REST, counts that a thread rests
 * for in each turn; and AIM, whether an interrupt is to come BEHIND counts after the clock wraps for the first time.
 */
enum { LINE = 9, WORDS = 2048, LATEST = 1500, BEHIND = 40, CALLS = 6, MARK = 0x5eed };

struct timer {
    volatile uint32_t control, value, reload, interrupt;
};
#define TIMER1 ((struct timer *)0x40001000u)

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void start_threads(void);
void fast(void);
void slow(void);
void intruder(void);
void HANDLER(void);
void intrude(const uint32_t *frame);

static void work(void *argument);
static void wait(void *argument);
static void doze(void *argument);
static void time_out(void *argument);
HRL_THREAD_DEFINE(worker, work, NULL, 1, 1024);
HRL_THREAD_DEFINE(waiter, wait, NULL, 3, 512);
HRL_THREAD_DEFINE(dozer, doze, NULL, 4, 512);
HRL_THREAD_DEFINE(sleeper, time_out, NULL, 2, 512);

HRL_SEMAPHORE_DEFINE(tokens, 0, 1000000);
HRL_SEMAPHORE_DEFINE(wakes, 0, 1000000);
HRL_SEMAPHORE_DEFINE(never, 0, 1);
HRL_SEMAPHORE_DEFINE(rung, 0, 1000000);
HRL_MESSAGE_QUEUE_DEFINE(numbers, 4, 4);
HRL_POOL_DEFINE(blocks, 8, 4);
HRL_EVENT_DEFINE(event);
HRL_MUTEX_DEFINE(mutex);
HRL_ALARM_DEFINE_GIVE(alarm, rung);

static uint32_t interrupted[WORDS]; /* bit n: an interrupt came before the instruction at 2 n */
static uint32_t intrusions, given, taken, woken, sent, received, resumed, dozed, fast_jobs,
    slow_jobs;
static uint32_t own, rings, turns, timed_out;
static const char *wrong;
static volatile bool ended;

static void expect(bool holds, const char *what)
{
    if (!holds && wrong == NULL) {
        wrong = what;
    }
}

/* Passes the frame that the processor has stacked: its seventh word is the interrupted address. */
__attribute__((naked)) void HANDLER(void)
{
    __asm__ volatile("tst lr, #4\n\t"
                     "ite eq\n\t"
                     "mrseq r0, msp\n\t"
                     "mrsne r0, psp\n\t"
                     "b intrude");
}

static void call(void)
{
    void *block;

    switch (CALL == CALLS ? intrusions % CALLS : CALL) {
    case 0:
        given += hrl_semaphore_give(&tokens) == HRL_OK;
        break;
    case 1:
        expect(hrl_semaphore_give(&wakes) == HRL_OK, "a semaphore is full");
        resumed++;
        break;
    case 2:
        sent += hrl_message_send(&numbers, &sent, HRL_NO_WAIT) == HRL_OK;
        break;
    case 3:
        hrl_event_set(&event, 1u);
        break;
    case 4:
        if (hrl_pool_take(&blocks, &block, HRL_NO_WAIT) == HRL_OK) {
            *(uint32_t *)block = 0;
            hrl_pool_give(&blocks, block);
        }
        break;
    default:
        hrl_thread_resume(&dozer);
        break;
    }
}

static void look_at_the_time(void)
{
    static hrl_counts before;
    hrl_counts now = hrl_now();

    expect(before == 0 || now - before < 2u * CYCLE, "the time jumps");
    before = now;
}

void intrude(const uint32_t *frame)
{
    uint32_t at = frame[6] / 2u;

    TIMER1->interrupt = 1;
    expect(at < 32u * WORDS, "code beyond the bits");
    interrupted[at / 32u] |= (uint32_t)1 << at % 32u;
    intrusions++;
    if (PRIORITY <= HRL_INTERRUPT_KERNEL) {
        look_at_the_time();
        call();
    }
}

/* The basic task. */
void intruder(void)
{
    if (ended) {
        return;
    }
    intrusions++;
    look_at_the_time();
    call();
}

static void intrude_from_now_on(void)
{
    uint32_t to_wrap = 0u - (uint32_t)hrl_now();

    if (PRIORITY == 0) {
        return;
    }
    TIMER1->reload = CYCLE; /* the period is one more */
    TIMER1->value = AIM ? (to_wrap + BEHIND) % (CYCLE + 1u) : CYCLE;
    (void)hrl_interrupt_enable(LINE, PRIORITY);
    TIMER1->control = 9;
}

static void print(const char *name, uint32_t number)
{
    char text[] = "          \n";
    char *digit = &text[sizeof text - 2];

    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    hrlp_cpu_print(name);
    hrlp_cpu_print(" ");
    hrlp_cpu_print(digit);
}

/* Made by the thread of the lowest priority between its calls: all others wait, and have counted what they did. */
static void report(void)
{
    expect(slow_jobs >= CYCLES / 2u, "a release of the slow task was lost");
    expect(woken + hrl_semaphore_count(&wakes) == resumed,
           "a token that a thread waits for was lost");
    expect(taken + hrl_semaphore_count(&tokens) == given + own,
           "a token was lost, or was there twice");
    expect(received + hrl_message_count(&numbers) == sent, "a message was lost");
    print("intrusions", intrusions);
    print("turns", turns);
    print("time-outs", timed_out);
    print("rings", rings);
    print("dozed", dozed);
    print("woken", woken);
    for (uint32_t i = 0; i < WORDS; i++) {
        if (interrupted[i] != 0) {
            print("word", i);
            print("bits", interrupted[i]);
        }
    }
    hrlp_cpu_print("verdict: ");
    hrlp_cpu_print(wrong == NULL ? "all holds" : wrong);
    hrlp_cpu_print("\n");
    hrlp_cpu_halt(wrong != NULL);
}

/* The described tasks. */

void fast(void)
{
    static hrl_counts first;
    hrl_counts now = hrl_now();

    if (fast_jobs == 0) {
        first = now;
        intrude_from_now_on();
    }
    expect(now - first - (hrl_counts)fast_jobs * CYCLE + LATEST < 2u * LATEST,
           "a release of the fast task was lost, or late");
    if (++fast_jobs == CYCLES) {
        hrl_interrupt_disable(LINE);
        ended = true;
    }
}

void slow(void)
{
    slow_jobs++;
}

/* The threads. */

/* Whenever a token is given. */
static void wait(void *argument)
{
    (void)argument;
    for (;; woken++) {
        expect(hrl_semaphore_take(&wakes, HRL_FOREVER) == HRL_OK, "a wait for ever ends");
    }
}

static void doze(void *argument)
{
    (void)argument;
    for (;; dozed++) {
        hrl_thread_suspend(&dozer);
    }
}

static void time_out(void *argument)
{
    (void)argument;
    for (;; timed_out++) {
        hrl_counts until = hrl_now() + CYCLE / 3u;
        hrl_counts late;

        expect(hrl_semaphore_take(&never, until) == HRL_TIMED_OUT, "a token out of nothing");
        late = hrl_now() - until;
        expect(late < LATEST, "a time-out is early, or late");
        hrl_thread_sleep_for(CYCLE / 5u);
    }
}

static void use_pool(void)
{
    void *block = NULL;

    if (hrl_pool_take(&blocks, &block, HRL_NO_WAIT) == HRL_OK) {
        *(volatile uint32_t *)block = MARK;
        hrl_thread_yield();
        expect(*(volatile uint32_t *)block == MARK, "a block was given out twice");
        hrl_pool_give(&blocks, block);
    }
}

static void use_alarm(void)
{
    hrl_alarm_start(&alarm, hrl_now() + CYCLE / 7u);
    if (turns % 3u == 0) {
        hrl_alarm_stop(&alarm);
    }
    while (hrl_semaphore_take(&rung, HRL_NO_WAIT) == HRL_OK) {
        rings++;
    }
}

static void work(void *argument)
{
    uint32_t number;
    uint32_t found = 0;

    (void)argument;
    for (; !ended; turns++) {
        own += hrl_semaphore_give(&tokens) == HRL_OK;
        taken += hrl_semaphore_take(&tokens, HRL_NO_WAIT) == HRL_OK;
        if (turns % 2u == 0 && hrl_message_receive(&numbers, &number, HRL_NO_WAIT) == HRL_OK) {
            expect(number == received, "a message is not the next one");
            received++;
        }
        expect(hrl_mutex_lock(&mutex, HRL_FOREVER) == HRL_OK, "a mutex is not locked");
        hrl_mutex_unlock(&mutex);
        hrl_event_set(&event, 2u);
        expect(hrl_event_wait(&event, 2u, HRL_EVENT_ANY | HRL_EVENT_CLEAR, HRL_NO_WAIT, &found) ==
                   HRL_OK,
               "a flag that was set is not");
        (void)hrl_event_wait(&event, 1u, HRL_EVENT_ANY | HRL_EVENT_CLEAR, HRL_NO_WAIT, &found);
        use_pool();
        use_alarm();
        hrl_thread_set_priority(&worker, 5);
        hrl_thread_set_priority(&worker, 1);
        hrl_thread_sleep_for(REST);
    }
    report();
}

void start_threads(void)
{
    hrl_thread_start(&worker);
    hrl_thread_start(&waiter);
    hrl_thread_start(&dozer);
    hrl_thread_start(&sleeper);
}
