/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time services on a board: says what it saw. Spans are long beside what the kernel takes, so that this says the same
 * on every board.
 */
#include <hrl/alarm.h>
#include <hrl/chronometer.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>
#include <hrl/wall_clock.h>

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

static void tick(void *argument, uint32_t expiries);
static void run(void *argument);

HRL_THREAD_DEFINE(thread, run, 0, 3, 1024);
HRL_SEMAPHORE_DEFINE(given, 0, 10);
HRL_ALARM_DEFINE_CALL(caller, tick, &given);
HRL_ALARM_DEFINE_GIVE(giver, given);
HRL_ALARM_DEFINE(pulse);

static volatile uint32_t ticks;

static void tick(void *argument, uint32_t expiries)
{
    (void)argument;
    ticks += expiries;
    if (ticks == 5) {
        (void)hrl_alarm_stop(&caller);
    }
}

static void say(const char *what, bool is_true)
{
    hrlp_cpu_print(what);
    hrlp_cpu_print(is_true ? ": yes\n" : ": no\n");
}

static bool is_about(hrl_counts instant, hrl_counts due)
{
    return instant + 2 >= due && instant < due + HRL_US(200);
}

static void run(void *argument)
{
    struct hrl_chronometer chronometer;
    hrl_counts begin = hrl_now();
    uint32_t expiries = 0;

    (void)argument;
    hrl_chronometer_start(&chronometer);
    hrl_alarm_start_periodic(&caller, begin + HRL_MS(1), HRL_PERIOD_HZ(1024), HRL_ALARM_FOREVER);
    hrl_alarm_start_periodic(&giver, begin + HRL_MS(3), HRL_PERIOD_US(2500), 3);
    for (unsigned i = 0; i < 3; i++) {
        (void)hrl_semaphore_take(&given, HRL_FOREVER);
        say("given in time", is_about(hrl_now(), begin + HRL_US(3000 + 2500 * i)));
    }
    hrl_thread_sleep_for(HRL_MS(20));
    say("five ticks", ticks == 5 && hrl_alarm_next(&caller) == HRL_FOREVER);
    say("three tokens", hrl_semaphore_count(&given) == 0);
    begin = hrl_now();
    hrl_alarm_start_periodic(&pulse, begin + HRL_MS(1), HRL_PERIOD_MS(1), 4);
    say("a pulse", hrl_alarm_wait(&pulse, &expiries, HRL_FOREVER) == HRL_OK && expiries == 1);
    say("in time", is_about(hrl_now(), begin + HRL_MS(1)));
    hrl_thread_sleep_until(begin + HRL_US(4500));
    say("three more", hrl_alarm_wait(&pulse, &expiries, HRL_NO_WAIT) == HRL_OK && expiries == 3);
    hrl_wall_clock_set(1000);
    hrl_thread_sleep_for(HRL_MS(5));
    say("wall clock", is_about(hrl_ns_to_counts(hrl_wall_clock_read() - 1000), HRL_MS(5)));
    say("chronometer", hrl_chronometer_read_ns(&chronometer) / 1000000 == 37);
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&thread);
    hrl_start();
}
