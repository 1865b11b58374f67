/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "provoke.h"
#include <hrl/event.h>
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

HRL_SEMAPHORE_DEFINE(tokens, 0, 1);
HRL_MUTEX_DEFINE(bus);
HRL_MESSAGE_QUEUE_DEFINE(letters, 4, 1);
HRL_POOL_DEFINE(blocks, 16, 4);

static struct hrl_semaphore zero_semaphore;
static struct hrl_message_queue zero_queue;
static struct hrl_pool zero_pool;
static struct hrl_thread zero_thread;

static void culprit_entry(void *argument);
static void read_nothing(void);

extern uint32_t hrl_link_main_stack_low[]; /* the board's */

/* What an overflow reaches first belongs to no object. */
struct {
    uint64_t below[64];
    uint64_t stack[128];
} arena;
struct hrl_thread culprit = {HRLI_THREAD_FIELDS("culprit", culprit_entry, NULL, 3, arena.stack)};

/* Stacks. */
static void sleep(void)
{
    hrl_thread_sleep_for(1000);
}

static void write_to_the_canary(void)
{
    *(volatile uint64_t *)&arena.stack[8] = 0; /* where it is, without a guard or with one */
    *(volatile uint64_t *)&arena.stack[4] = 0;
    *(volatile uint64_t *)&arena.stack[0] = 0;
    hrl_thread_yield();
}

static void jump_over_the_canary(void)
{
    with_stack_at((uintptr_t)&arena.below[62], sleep);
}

static void touch_below(void)
{
    volatile uint32_t *word = (volatile uint32_t *)&arena.stack[16];

    for (;;) {
        *--word = 1;
    }
}

static void wait_for_interrupts(void)
{
    raise_free_line();
    for (;;) {
    }
}

static void leave_no_room_for_a_frame(void)
{
    uintptr_t guard = ((uintptr_t)arena.stack + 31u) & ~(uintptr_t)31;

    hrl_interrupt_enable(free_line, HRL_INTERRUPT_KERNEL);
    with_stack_at(guard + 32 + 24, wait_for_interrupts);
}

static void use_a_large_frame(void)
{
    volatile uint32_t room[40];

    room[0] = 1;
    wait_for_interrupts();
}

static void jump_over_a_small_guard(void)
{
    uintptr_t guard = ((uintptr_t)arena.stack + 255u) & ~(uintptr_t)255;

    with_stack_at(guard + 256 + 64, use_a_large_frame);
}

/* Pools. */
static void give_what_is_no_block(void)
{
    static uint64_t other[2];

    hrl_pool_give(&blocks, other);
}

static void give_the_middle(void)
{
    void *block = NULL;

    (void)hrl_pool_take(&blocks, &block, HRL_NO_WAIT);
    hrl_pool_give(&blocks, (char *)block + 8);
}

static void give_twice(void)
{
    void *first = NULL, *second = NULL;

    (void)hrl_pool_take(&blocks, &first, HRL_NO_WAIT);
    (void)hrl_pool_take(&blocks, &second, HRL_NO_WAIT);
    hrl_pool_give(&blocks, first);
    hrl_pool_give(&blocks, second);
    hrl_pool_give(&blocks, first);
}

/* Mutexes. */
static void unlock_anothers(void)
{
    hrl_mutex_unlock(&bus);
}

static void lock_twice(void)
{
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
}

static void end_as_owner(void)
{
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
}

/* Waiting where it is not allowed. */
static void take_in_handler(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&tokens, HRL_FOREVER);
}

static void yield_in_handler(void *argument)
{
    (void)argument;
    hrl_thread_yield();
}

static void lock_in_handler(void *argument)
{
    (void)argument;
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
}

static void read_nothing_in_handler(void *argument)
{
    (void)argument;
    (void)*(volatile uint32_t *)NOWHERE;
}

/* Stacks of handlers. */
static void recurse(volatile uint32_t *above)
{
    volatile uint32_t here[16] = {*above};

    recurse(here);
    *above = here[0];
}

static void recurse_in_handler(void *argument)
{
    volatile uint32_t above = 1;

    (void)argument;
    recurse(&above);
}

static void use_stack(void)
{
    recurse_in_handler(NULL);
}

static void lose_the_stack_in_handler(void *argument)
{
    (void)argument;
    with_stack_at(NOWHERE, use_stack);
}

static uintptr_t main_guard(void)
{
    return ((uintptr_t)hrl_link_main_stack_low + 255u) & ~(uintptr_t)255;
}

static void leave_no_room_in_handler(void *argument)
{
    (void)argument;
    with_stack_at(main_guard() + 256 + 24, read_nothing);
}

static void touch_the_guard_in_handler(void *argument)
{
    (void)argument;
    *(volatile uint32_t *)(main_guard() + 252) = 1;
}

static void interrupt_with(void (*handler)(void *argument))
{
    if (handler != NULL) {
        hrl_interrupt_attach(free_line, handler, NULL);
    }
    (void)hrl_interrupt_enable(free_line, HRL_INTERRUPT_KERNEL);
    wait_for_interrupts();
}

static void wait_in_an_interrupt(void)
{
    interrupt_with(take_in_handler);
}

static void yield_in_an_interrupt(void)
{
    interrupt_with(yield_in_handler);
}

static void lock_in_an_interrupt(void)
{
    interrupt_with(lock_in_handler);
}

static void read_nothing_in_an_interrupt(void)
{
    interrupt_with(read_nothing_in_handler);
}

static void overflow_in_an_interrupt(void)
{
    interrupt_with(recurse_in_handler);
}

static void touch_the_guard_in_an_interrupt(void)
{
    interrupt_with(touch_the_guard_in_handler);
}

static void lose_the_stack_in_an_interrupt(void)
{
    interrupt_with(lose_the_stack_in_handler);
}

static void leave_no_room_in_an_interrupt(void)
{
    interrupt_with(leave_no_room_in_handler);
}

static void leave_an_interrupt_unhandled(void)
{
    interrupt_with(NULL);
}

static void wait_while_masked(void)
{
    (void)hrl_interrupt_lock();
    sleep();
}

static void yield_while_masked(void)
{
    (void)hrl_interrupt_lock();
    hrl_thread_yield();
}

static void take_early(void)
{
    (void)hrl_semaphore_take(&tokens, HRL_FOREVER);
}

static void send_early(void)
{
    uint32_t message = 0;

    (void)hrl_message_send(&letters, &message, HRL_FOREVER);
    (void)hrl_message_send(&letters, &message, HRL_FOREVER);
}

static void lock_early(void)
{
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
}

/* Objects that were not initialised. */
static void take_zero(void)
{
    (void)hrl_semaphore_take(&zero_semaphore, HRL_FOREVER);
}

static void give_zero(void)
{
    (void)hrl_semaphore_give(&zero_semaphore);
}

static void receive_zero(void)
{
    uint32_t message;

    (void)hrl_message_receive(&zero_queue, &message, HRL_FOREVER);
}

static void send_zero(void)
{
    uint32_t message = 0;

    (void)hrl_message_send(&zero_queue, &message, HRL_FOREVER);
}

static void take_block_of_zero(void)
{
    void *block;

    (void)hrl_pool_take(&zero_pool, &block, HRL_FOREVER);
}

static void start_zero(void)
{
    hrl_thread_start(&zero_thread);
}

/* What the processor finds. */
static void read_nothing(void)
{
    (void)*(volatile uint32_t *)NOWHERE;
}

static void write_nothing(void)
{
    *(volatile uint32_t *)NOWHERE = 1;
}

static void *volatile null;

static void read_null(void)
{
    (void)*((volatile uint32_t *)null + 1);
}

static void write_null(void)
{
    *(volatile uint32_t *)null = 1;
}

static void divide_by_zero(void)
{
    static volatile int dividend = 7, divisor;

    dividend = dividend / divisor;
}

static void jump_to_nothing(void)
{
    ((void (*)(void))(uintptr_t)(NOWHERE | 1u))();
}

#define ALL(ROW)                                                                                   \
    ROW(write_to_the_canary)                                                                       \
    ROW(jump_over_the_canary)                                                                      \
    ROW(touch_below)                                                                               \
    ROW(leave_no_room_for_a_frame)                                                                 \
    ROW(jump_over_a_small_guard)                                                                   \
    ROW(give_what_is_no_block)                                                                     \
    ROW(give_the_middle)                                                                           \
    ROW(give_twice)                                                                                \
    ROW(unlock_anothers)                                                                           \
    ROW(lock_twice)                                                                                \
    ROW(end_as_owner)                                                                              \
    ROW(wait_in_an_interrupt)                                                                      \
    ROW(yield_in_an_interrupt)                                                                     \
    ROW(lock_in_an_interrupt)                                                                      \
    ROW(read_nothing_in_an_interrupt)                                                              \
    ROW(overflow_in_an_interrupt)                                                                  \
    ROW(touch_the_guard_in_an_interrupt)                                                           \
    ROW(lose_the_stack_in_an_interrupt)                                                            \
    ROW(leave_no_room_in_an_interrupt)                                                             \
    ROW(leave_an_interrupt_unhandled)                                                              \
    ROW(wait_while_masked)                                                                         \
    ROW(yield_while_masked)                                                                        \
    ROW(take_zero)                                                                                 \
    ROW(give_zero)                                                                                 \
    ROW(receive_zero)                                                                              \
    ROW(send_zero)                                                                                 \
    ROW(take_block_of_zero)                                                                        \
    ROW(start_zero)                                                                                \
    ROW(read_nothing)                                                                              \
    ROW(write_nothing)                                                                             \
    ROW(read_null)                                                                                 \
    ROW(write_null)                                                                                \
    ROW(divide_by_zero)                                                                            \
    ROW(jump_to_nothing)                                                                           \
    ROW(execute_nothing_defined)                                                                   \
    ROW(break_a_promise)                                                                           \
    ROW(take_early)                                                                                \
    ROW(send_early)                                                                                \
    ROW(lock_early)                                                                                \
    ROW(read_nothing_early)

static void read_nothing_early(void)
{
    read_nothing();
}

enum {
#define NUMBER(name) number_of_##name,
    ALL(NUMBER) FAULTS
};
#define FUNCTION(name) name,
static void (*const faults[FAULTS])(void) = {ALL(FUNCTION)};

static void culprit_entry(void *argument)
{
    (void)argument;
    faults[provoked]();
}

int main(void)
{
    if (provoked >= number_of_take_early) {
        faults[provoked]();
    }
    hrl_thread_start(&culprit);
    hrl_start();
}
