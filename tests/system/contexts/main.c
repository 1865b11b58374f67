/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"
#include "lines.h"
#include <hrl/alarm.h>
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/resource.h>

/*
 * Makes every call in every context and prints a line for each, "<call> | <context> | ok" or the
 * reason with which it stopped. The assert hook goes back to the context that made the call: so a
 * check that comes after the call has changed something, or masked interrupts, is found out, too.
 */
static void *place[5]; /* the compiler's */
static volatile bool is_trying;
static const char *volatile outcome;
static const struct call *volatile tried;

HRLI_NORETURN void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)file, (void)line;
    if (!is_trying) {
        hrlp_cpu_print(reason);
        hrlp_cpu_print(": outside a call that was tried\n");
        hrlp_cpu_halt(1);
    }
    outcome = reason;
    __builtin_longjmp(place, 1);
}

/* What a call that does not return leaves is "ok", too. */
static __attribute__((noinline)) void try_call(void)
{
    outcome = "ok";
    is_trying = true;
    if (__builtin_setjmp(place) == 0) {
        tried->make();
    }
    is_trying = false;
}

static void say(const char *context)
{
    is_trying = false;
    hrlp_cpu_print(tried->name);
    hrlp_cpu_print(" | ");
    hrlp_cpu_print(context);
    hrlp_cpu_print(" | ");
    hrlp_cpu_print(outcome);
    hrlp_cpu_print("\n");
}

/* A thread that lives as long as the call. One that suspends itself is resumed by the conductor. */
enum way { PLAINLY, LOCKED, WITH_A_RESOURCE };
static enum way way;
static void work(void *unused);
HRL_THREAD_DEFINE(worker, work, NULL, 5, 1024);

#if HRL_BASIC_TASKS /* of the build that has them */
HRL_RESOURCE_DEFINE(held, 5);

static void try_with_a_resource(void)
{
    hrl_resource_take(&held);
    try_call();
    hrl_resource_give(&held);
}

static void be_basic(void)
{
    try_call();
}

HRL_BASIC_DEFINE_WITH(basic, be_basic, upper, 0, 1, true);
HRL_LINE_DEFINE(upper, 3, &basic);
extern const struct hrl_line lower;
HRL_LINES(&upper, &lower);

static void try_in_a_basic_task(void)
{
    in_task = true;
    (void)hrl_basic_activate(&basic);
    in_task = false;
}
#else
static void try_with_a_resource(void) {}
#endif

static void work(void *unused)
{
    hrl_interrupt_state state;

    (void)unused;
    if (way == LOCKED) {
        state = hrl_interrupt_lock();
        try_call();
        hrl_interrupt_unlock(state);
    } else if (way == WITH_A_RESOURCE) {
        try_with_a_resource();
    } else {
        try_call();
    }
}

static void try_in_a_thread(enum way chosen)
{
    way = chosen;
    in_thread = in_task = true;
    hrl_thread_start(&worker);
    if (hrl_thread_state_of(&worker) == HRL_THREAD_SUSPENDED) {
        hrl_thread_resume(&worker);
    }
    (void)hrl_thread_join(&worker, HRL_FOREVER);
    in_thread = in_task = false;
}

/* The idle thread; it has little stack. */
static volatile bool idle_shall;
HRL_SEMAPHORE_DEFINE(idle_has, 0, 1);

void hrl_idle_hook(void)
{
    if (idle_shall) {
        idle_shall = false;
        try_call();
        (void)hrl_semaphore_give(&idle_has);
    }
}

static void try_in_idle(void)
{
    in_thread = in_task = true;
    idle_shall = true;
    (void)hrl_semaphore_take(&idle_has, HRL_FOREVER);
    in_thread = in_task = false;
}

/* Interrupts. */
static void handle(void *unused)
{
    (void)unused;
    silence(LINE_A);
    try_call();
}

static bool try_in_an_interrupt(uint32_t priority)
{
    bool is_there;

    hrl_interrupt_attach(LINE_A, handle, NULL);
    is_there = hrl_interrupt_enable(LINE_A, priority) == HRL_OK;
    if (is_there) {
        raise_a();
    }
    hrl_interrupt_detach(LINE_A);
    return is_there;
}

/* Alarms' functions. */
static void on_expiry(void *argument, uint32_t expiries)
{
    (void)argument, (void)expiries;
    try_call();
}

HRL_ALARM_DEFINE_CALL(alarm, on_expiry, NULL);

static void try_in_an_alarm_of_a_handler(void)
{
    hrl_alarm_start(&alarm, hrl_now() + HRL_US(100));
    hrl_thread_sleep_for(HRL_US(200));
}

static void try_in_an_alarm_of_a_call(void)
{
    hrl_alarm_start(&alarm, 1);
}

static void try_everywhere(void)
{
    try_in_a_thread(PLAINLY);
    say("thread");
    settle_others();
    reset_objects();
    try_in_a_thread(LOCKED);
    say("locked");
    settle_others();
    reset_objects();
    try_in_idle();
    say("idle");
    settle_others();
    reset_objects();
    (void)try_in_an_interrupt(HRL_INTERRUPT_KERNEL);
    say("interrupt");
    settle_others();
    reset_objects();
    try_in_an_alarm_of_a_handler();
    say("alarm");
    settle_others();
    reset_objects();
    try_in_an_alarm_of_a_call();
    say("alarm");
    settle_others();
    reset_objects();
#if HRL_BASIC_TASKS /* as above; nothing is above the kernel then */
    try_in_a_basic_task();
    say("basic");
    settle_others();
    reset_objects();
    try_in_a_thread(WITH_A_RESOURCE);
    say("resource");
#else
    is_above = true;
    if (try_in_an_interrupt(HRL_INTERRUPT_KERNEL + 1)) {
        say("above");
    }
    is_above = false;
#endif
    settle_others();
    reset_objects();
}

static void conduct(void *unused)
{
    (void)unused;
    say("start-up"); /* of hrl_start, which main has made last */
    settle_others();
    for (tried = next_call(NULL); tried != NULL; tried = next_call(tried)) {
        try_everywhere();
    }
    hrlp_cpu_print("end\n");
    hrlp_cpu_halt(0);
}

HRL_THREAD_DEFINE(conductor, conduct, NULL, 3, 1024);

int main(void)
{
    const struct call *start = NULL;

    start_others();
    hrl_thread_start(&conductor);
    for (tried = next_call(NULL); tried != NULL; tried = next_call(tried)) {
        reset_objects();
        if (tried->make == hrl_start) {
            start = tried;
        } else {
            try_call();
            say("start-up");
        }
    }
    reset_objects();
    tried = start;
    try_call();
    return 1;
}
