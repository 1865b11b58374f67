/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * Every service of the kernel once, in a weather station: an alarm paces a sensor; its readings go in
 * blocks through a message queue to a recorder; a display waits for events, a button interrupts, a lamp
 * and a rain gauge follow schedule tables, and a supervisor, which is most urgent, runs the show and ends
 * it. Each line that it prints is a service that did what it should, the same on every board.
 */
#include <hrl/alarm.h>
#include <hrl/chronometer.h>
#include <hrl/clock_counter.h>
#include <hrl/console.h>
#include <hrl/counter.h>
#include <hrl/event.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/schedule_table.h>
#include <hrl/semaphore.h>
#include <hrl/spinlock.h>
#include <hrl/table_action.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <hrl/wall_clock.h>
#include <stddef.h>

enum { READINGS = 5, BUTTON_LINE = 12, RECORDED = 1u << 0, PRESSED = 1u << 1 };

struct reading {
    uint32_t number;
    uint64_t taken_ns;
};

static void sense(void *argument);
static void record(void *argument);
static void display(void *argument);
static void supervise(void *argument);

/* On boards with several cores, sensor and screen run on another one than the threads that they work with. */
#if HRL_CORES > 1
#define OTHER_CORE 1
#else
#define OTHER_CORE 0
#endif

/* Threads: core, name, function, argument, priority (larger: more urgent), bytes of stack. */
HRL_THREAD_DEFINE_ON(OTHER_CORE, sensor, sense, NULL, 5, 1024);
HRL_THREAD_DEFINE_ON(0, recorder, record, NULL, 4, 1024);
HRL_THREAD_DEFINE_ON(OTHER_CORE, screen, display, NULL, 3, 1024);
HRL_THREAD_DEFINE_ON(0, supervisor, supervise, NULL, 6, 1024);

HRL_SEMAPHORE_DEFINE(due, 0, READINGS);               /* a token for each reading that is due */
HRL_ALARM_DEFINE_GIVE(pace, due);                     /* gives these tokens */
HRL_POOL_DEFINE(readings, sizeof(struct reading), 2); /* two blocks for all of them */
HRL_MESSAGE_QUEUE_DEFINE(inbox, sizeof(struct reading *), 2); /* of pointers to these */
HRL_MUTEX_DEFINE(log_mutex);                                  /* its owner inherits */
HRL_MUTEX_DEFINE_CEILING(screen_mutex, 5);                    /* or rises to a ceiling at once */
HRL_EVENT_DEFINE(news);
HRL_SPINLOCK_DEFINE(tally, 1); /* for a few instructions, between cores */

/* Schedule tables: one of the rain gauge's tips, one of the time, which both give tokens. */
HRL_SEMAPHORE_DEFINE(full, 0, 1);
HRL_SEMAPHORE_DEFINE(blinks, 0, 2);
HRL_COUNTER_DEFINE(tips, 4, 1); /* 0 to 4, and 0 again */
HRL_CLOCK_COUNTER_DEFINE(clock);
static const struct hrl_table_action at_full[] = {HRL_TABLE_GIVE(&full)};
static const struct hrl_table_action at_blink[] = {HRL_TABLE_GIVE(&blinks)};
static const struct hrl_expiry_point of_gauge[] = {HRL_EXPIRY_POINT(3, at_full)};
static const struct hrl_expiry_point of_lamp[] = {HRL_EXPIRY_POINT(0, at_blink),
                                                  HRL_EXPIRY_POINT(HRL_MS(1), at_blink)};
HRL_SCHEDULE_TABLE_DEFINE(gauge, &tips, 5, HRL_REPEATING, of_gauge);
HRL_SCHEDULE_TABLE_DEFINE(lamp, &clock, HRL_MS(2), HRL_SINGLE_SHOT, of_lamp);

static uint32_t taken;    /* readings: under tally */
static uint32_t recorded; /* under log_mutex */
static uint32_t presses;  /* shared with an interrupt: under the lock */
static struct hrl_chronometer whole_run;

static void say(const char *what, bool is_so)
{
    hrl_console_print(what);
    hrl_console_print(is_so ? ": yes\n" : ": NO\n");
}

static void sense(void *argument)
{
    (void)argument;
    for (uint32_t number = 1; number <= READINGS; number++) {
        void *block;
        struct reading *reading;

        (void)hrl_semaphore_take(&due, HRL_FOREVER);
        (void)hrl_pool_take(&readings, &block, HRL_FOREVER);
        reading = block;
        *reading = (struct reading){number, hrl_now_ns()};
        (void)hrl_message_send(&inbox, &reading, HRL_FOREVER);
        hrl_spinlock_take(&tally);
        taken++;
        hrl_spinlock_give(&tally);
    } /* to return is to exit */
}

/* Gives up when nothing has come for 25 ms. */
static void record(void *argument)
{
    struct reading *reading;
    uint64_t last_ns = 0;

    (void)argument;
    while (hrl_message_receive(&inbox, &reading, hrl_now() + HRL_MS(25)) == HRL_OK) {
        (void)hrl_mutex_lock(&log_mutex, HRL_FOREVER);
        if (reading->number == recorded + 1 && reading->taken_ns > last_ns) {
            recorded++;
        }
        hrl_mutex_unlock(&log_mutex);
        last_ns = reading->taken_ns;
        hrl_pool_give(&readings, reading);
        if (recorded == READINGS) {
            hrl_event_set(&news, RECORDED);
        }
    }
}

/* Waits for both flags, and leaves neither. */
static void display(void *argument)
{
    (void)argument;
    say("both events came",
        hrl_event_wait(&news, RECORDED | PRESSED, HRL_EVENT_ALL | HRL_EVENT_CLEAR, HRL_FOREVER,
                       NULL) == HRL_OK &&
            hrl_event_flags(&news) == 0);
    (void)hrl_mutex_lock(&screen_mutex, HRL_FOREVER);
    say("all readings are recorded", recorded == READINGS);
    hrl_mutex_unlock(&screen_mutex);
}

/* An interrupt; where software cannot raise one, an alarm's function, which may make the same calls. */
static void press(void *argument)
{
    (void)argument;
    presses++;
    hrl_event_set(&news, PRESSED);
}

static void push(void *argument, uint32_t expiries)
{
    (void)expiries;
    if (hrl_interrupt_raise(BUTTON_LINE) != HRL_OK) {
        press(argument);
    }
}

HRL_ALARM_DEFINE_CALL(finger, push, NULL);

static void check_threads(void)
{
    hrl_thread_suspend(&screen);
    say("a thread is suspended", hrl_thread_state_of(&screen) == HRL_THREAD_SUSPENDED);
    hrl_thread_resume(&screen);
    hrl_thread_set_priority(&screen, 2);
    say("it waits at another priority", hrl_thread_state_of(&screen) == HRL_THREAD_WAITING &&
                                            hrl_thread_get_priority(&screen) == 2);
    hrl_thread_yield(); /* to no thread: the others are less urgent */
    say("a thread knows itself", hrl_thread_name(hrl_thread_current())[0] == 's');
}

static void check_time(void)
{
    hrl_counts start = hrl_now();

    hrl_thread_sleep_until(start + HRL_MS(3)); /* absolute: a loop of these does not drift */
    say("a sleep lasts", hrl_now() - start >= HRL_MS(3));
    say("it is another number in ns", hrl_counts_to_ns(HRL_MS(3)) == 3000000u);
    hrl_wall_clock_set(1735689600000000000u); /* 2025-01-01, in nanoseconds of 1970 */
    hrl_thread_sleep_for(HRL_US(500));
    say("the wall clock goes", hrl_wall_clock_read() - 1735689600000000000u >= 500000u);
}

static void check_tables(void)
{
    bool is_full = false;

    (void)hrl_schedule_table_start_absolute(&gauge, 0);
    for (uint32_t tip = 1; tip <= 8; tip++) { /* five to the value 0, where the table starts */
        is_full = hrl_semaphore_take(&full, HRL_NO_WAIT) == HRL_OK;
        hrl_counter_increment(&tips);
    }
    say("the gauge is full after eight tips",
        !is_full && hrl_semaphore_take(&full, HRL_NO_WAIT) == HRL_OK);
    (void)hrl_schedule_table_start_relative(&lamp, HRL_MS(1));
    (void)hrl_semaphore_take(&blinks, HRL_FOREVER);
    say("the lamp blinks twice", hrl_semaphore_take(&blinks, hrl_now() + HRL_MS(2)) == HRL_OK);
}

static void supervise(void *argument)
{
    hrl_counts start = hrl_now();
    hrl_interrupt_state state;
    uint32_t seen;

    (void)argument;
    hrl_chronometer_start(&whole_run);
    hrl_interrupt_attach(BUTTON_LINE, press, NULL);
    (void)hrl_interrupt_enable(BUTTON_LINE, HRL_INTERRUPT_LOWEST);
    hrl_alarm_start_periodic(&pace, start + HRL_MS(10), HRL_PERIOD_MS(10), READINGS);
    hrl_alarm_start(&finger, start + HRL_MS(15));

    hrl_thread_sleep_until(start + HRL_MS(1)); /* the others begin to wait */
    check_threads();
    check_time();
    check_tables();
    (void)hrl_thread_join(&screen, HRL_FOREVER);
    (void)hrl_thread_join(&sensor, HRL_FOREVER);
    say("no thread waits for another too long",
        hrl_thread_join(&recorder, hrl_now() + HRL_MS(1)) == HRL_TIMED_OUT);
    (void)hrl_thread_join(&recorder, HRL_FOREVER);

    state = hrl_interrupt_lock();
    seen = presses;
    hrl_interrupt_unlock(state);
    say("the button was pressed once", seen == 1);
    hrl_spinlock_take(&tally);
    seen = taken;
    hrl_spinlock_give(&tally);
    say("all readings were taken", seen == READINGS);
    say("no alarm is left", !hrl_alarm_stop(&pace) && hrl_alarm_next(&finger) == HRL_FOREVER);
    say("75 ms have gone by", hrl_chronometer_stop(&whole_run) / HRL_MS(1) == 75);
    say("no stack is full", hrl_thread_stack_unused(&recorder) > 0);
    hrl_program_end(0);
}

int main(void)
{
    hrl_thread_start(&sensor);
    hrl_thread_start(&recorder);
    hrl_thread_start(&screen);
    hrl_thread_start(&supervisor);
    hrl_start();
}
