/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * Everything that basic tasks can do, once, in an engine's controller: tasks on three levels, and a
 * thread, less urgent than all of them, that conducts. Each line that it prints says which tasks ran,
 * in which order: the same on every board, whether an interrupt controller or the kernel dispatches.
 */
#include <hrl/alarm.h>
#include <hrl/basic.h>
#include <hrl/console.h>
#include <hrl/event.h>
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/resource.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

static void run_ignition(void);
static void run_knock(void);
static void run_injection(void);
static void run_lambda(void);
static void run_display(void);
static void conduct(void *argument);
static void assist(void *argument);
static void expire(void *argument, uint32_t expiries);

/* Tasks: name, function, line, rank; then lines: name, level, tasks by rank; then all lines. */
HRL_BASIC_DEFINE(ignition, run_ignition, urgent, 0);
HRL_BASIC_DEFINE(knock, run_knock, urgent, 1);
HRL_BASIC_DEFINE_WITH(injection, run_injection, middle, 0, 3, true); /* limit 3, may end early */
HRL_BASIC_DEFINE_WITH(lambda, run_lambda, middle, 1, 1, true);
HRL_BASIC_DEFINE_WITH(display, run_display, lowest, 0, 1, true);
HRL_LINE_DEFINE(urgent, 7, &ignition, &knock);
HRL_LINE_DEFINE(middle, 4, &injection, &lambda);
HRL_LINE_DEFINE(lowest, 2, &display);
HRL_LINES(&urgent, &middle, &lowest);

HRL_RESOURCE_DEFINE(sensors, 4); /* for display, lambda and injection */
HRL_RESOURCE_DEFINE(bus, 7);     /* for all */

HRL_THREAD_DEFINE(conductor, conduct, NULL, 5, 2048);
HRL_THREAD_DEFINE(assistant, assist, NULL, 9, 1024);
HRL_SEMAPHORE_DEFINE(token, 0, 9);
HRL_EVENT_DEFINE(news);
HRL_MESSAGE_QUEUE_DEFINE(inbox, sizeof(uint32_t), 2);
HRL_ALARM_DEFINE_CALL(timer, expire, NULL);

enum scene {
    ORDER,
    PREEMPTION,
    RANKS,
    LIMIT,
    SHORT_LIMIT,
    PING_PONG,
    AGAIN,
    NESTED_END,
    CEILING,
    NESTED_RESOURCES,
    WAKING,
    ALARM
};
static enum scene scene;

/* The tasks that ran, a letter each; only one task writes at a time. */
static char ran[64];
static uint32_t length, overruns, rounds;

static void note(char letter)
{
    hrl_interrupt_state state = hrl_interrupt_lock();

    ran[length++] = letter;
    ran[length] = '\0';
    hrl_interrupt_unlock(state);
}

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    (void)task;
    overruns++;
}

static void run_ignition(void)
{
    note('I');
    if (scene == PING_PONG && ++rounds < 3) {
        (void)hrl_basic_activate(&lambda);
    }
}

static void run_knock(void)
{
    note('K');
    if (scene == RANKS) { /* one of a lower rank, one of a higher: both wait until this has ended */
        (void)hrl_basic_activate(&ignition);
        note('k');
    }
}

static void run_injection(void)
{
    note('J');
    if (scene == LIMIT && rounds++ == 0) { /* two more may wait, a third is an overrun */
        (void)hrl_basic_activate(&injection);
        (void)hrl_basic_activate(&injection);
        note(hrl_basic_activate(&injection) == HRL_FULL ? 'f' : '?');
    }
}

static void run_lambda(void)
{
    note('L');
    if (scene == PING_PONG) {
        (void)hrl_basic_chain(&ignition);
        note('?'); /* never */
    }
    if (scene == PREEMPTION) {
        (void)hrl_basic_activate(&display); /* less urgent: later */
        (void)hrl_basic_activate(&ignition);
        note('l');
    }
}

static __attribute__((noinline)) void deepest(void)
{
    note('e');
    hrl_basic_terminate();
}

static __attribute__((noinline)) void deep(void)
{
    deepest();
    note('?'); /* never */
}

/* What it activates while it holds a resource waits, up to the ceiling. */
static void hold(struct hrl_resource *resource)
{
    hrl_resource_take(resource);
    (void)hrl_basic_activate(&lambda);
    (void)hrl_basic_activate(&knock);
    note('h');
    hrl_resource_give(resource);
}

static void wake_threads(void)
{
    const uint32_t message = 42;

    (void)hrl_semaphore_give(&token);
    hrl_event_set(&news, 1);
    (void)hrl_message_send(&inbox, &message, HRL_NO_WAIT);
}

static void run_display(void)
{
    note('D');
    if (scene == AGAIN && ++rounds < 4) {
        (void)hrl_basic_chain(&display);
    }
    if (scene == NESTED_END) {
        deep();
        note('?'); /* never */
    }
    if (scene == SHORT_LIMIT) {
        note(hrl_basic_activate(&display) == HRL_FULL ? 'f' : '?');
    }
    if (scene == CEILING) {
        hold(&sensors);
    }
    if (scene == NESTED_RESOURCES) {
        hrl_resource_take(&sensors);
        hold(&bus);
        note('b');
        hrl_resource_give(&sensors);
    }
    if (scene == WAKING) {
        wake_threads();
    }
    note('d');
}

/* An alarm's function runs in an interrupt. */
static void expire(void *argument, uint32_t expiries)
{
    (void)argument, (void)expiries;
    (void)hrl_basic_activate(&display);
    (void)hrl_basic_activate(&knock);
}

static void assist(void *argument)
{
    uint32_t message = 0;

    (void)argument;
    (void)hrl_semaphore_take(&token, HRL_FOREVER);
    note('s');
    (void)hrl_event_wait(&news, 1, HRL_EVENT_CLEAR, HRL_FOREVER, NULL);
    note('e');
    (void)hrl_message_receive(&inbox, &message, HRL_FOREVER);
    note(message == 42 ? 'm' : '?');
}

static void begin(enum scene next)
{
    scene = next;
    rounds = overruns = length = 0;
    ran[0] = '\0';
}

static void say(const char *what)
{
    hrl_console_print(what);
    hrl_console_print(": ");
    hrl_console_print(ran);
    hrl_console_print(overruns == 0 ? "\n" : overruns == 1 ? ", 1 overrun\n" : ", overruns\n");
}

static void play(enum scene next, const struct hrl_basic *first, const char *what)
{
    begin(next);
    (void)hrl_basic_activate(first);
    note('.');
    say(what);
}

static void conduct(void *argument)
{
    static const struct hrl_basic *const all[] = {&display, &lambda, &knock, &injection, &ignition};

    (void)argument;
    say("activated before the start");
    begin(ORDER);
    (void)hrl_basic_activate_all(all, sizeof all / sizeof all[0]);
    note('.');
    say("five at once, by level and rank");
    play(PREEMPTION, &lambda, "the more urgent interrupts, the less urgent waits");
    play(RANKS, &knock, "ranks of a level do not interrupt each other");
    play(LIMIT, &injection, "activated several times");
    play(SHORT_LIMIT, &display, "activated while it runs");
    play(PING_PONG, &lambda, "one chains to another, which activates the first");
    play(AGAIN, &display, "chained to itself");
    play(NESTED_END, &display, "ended from a nested call");
    play(CEILING, &display, "a resource holds off its ceiling");
    play(NESTED_RESOURCES, &display, "resources nest");
    begin(ORDER);
    hold(&sensors);
    note('.');
    say("a thread shares a resource with basic tasks");
    play(WAKING, &display, "a basic task wakes a thread, which is less urgent");
    begin(ALARM);
    hrl_alarm_start(&timer, hrl_now() + HRL_MS(1));
    hrl_thread_sleep_for(HRL_MS(2));
    say("an alarm activates");
    begin(ORDER);
    note(hrl_basic_overruns(&injection) == 1 && hrl_basic_overruns(&display) == 1 &&
                 hrl_basic_current() == NULL && hrl_basic_name(&knock)[0] == 'k'
             ? 'y'
             : '?');
    say("counted and named");
    hrl_program_end(0);
}

int main(void)
{
    hrl_thread_start(&conductor);
    hrl_thread_start(&assistant);
    (void)hrl_basic_activate(&display);
    (void)hrl_basic_activate(&knock);
    hrl_start();
    return 1;
}
